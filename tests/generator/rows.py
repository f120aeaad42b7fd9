"""Statements about whole vectors, rows, columns and slices, and names for them: copies and views."""

from __future__ import annotations

from tests.generator.expressions import condition, factor, moving_slice, position, real, sliced, vectors
from tests.generator.state import Array, State


def row_operation(state: State) -> bool:
    """Write a statement about a row, a column, a slice or a whole vector; False where there is none."""
    arrays = state.whole("fc")
    if not arrays:
        return False
    choices = state.choices
    array = choices.pick(arrays)
    if len(array.axes) == 2:
        of_matrix(state, array)
    elif choices.rarely(3) and moving_slice(state, array.axes[0]):
        changed(state, f"{array.name}[{{}}]", array.axes[0])
    else:
        of_vector(state, array)
    return True


def of_matrix(state: State, array: Array) -> None:
    choices = state.choices
    at = position(state, array.axes[0]) if state.in_loop else "0"
    places = [f"{array.name}[{at}]", f"{array.name}[{at}, :]"]
    axis = array.axes[1]
    growing = f"{array.name}[{at}, {{}}]"
    if state.square or choices.rarely(2):
        axis = array.axes[0]
        across = position(state, array.axes[1]) if state.in_loop else "0"
        places = [f"{array.name}[:, {across}]"]
        growing = f"{array.name}[{{}}, {across}]"
    if choices.rarely(4) and moving_slice(state, axis):
        return changed(state, growing, axis)
    if choices.rarely(4) and state.in_loop:
        return exchanged(state, array)
    state.write(f"{choices.pick(places)} {choices.pick(['=', '+=', '-='])} {row_value(state, axis)}")


def changed(state: State, place: str, axis: str) -> None:
    """A part that grows or shrinks with a loop variable, changed at once."""
    choices = state.choices
    part = moving_slice(state, axis)
    known = vectors(state, axis)
    operator = choices.pick(["=", "+=", "-=", "*="])
    values = [choices.pick(["0.5", real(state, 1)])]
    if known and operator != "*=":
        one = sliced(choices.pick(known), part)
        values += [one, f"{one} * {factor(real(state, 1))}", f"{one} * 0.5", f"np.abs({one})"]
    state.write(f"{place.format(part)} {operator} {choices.pick(values)}")


def exchanged(state: State, array: Array) -> None:
    """Two rows change places: with a copy, or with views as one would write it in haste."""
    first, second = position(state, array.axes[0]), position(state, array.axes[0])
    name, old = array.name, state.fresh("old")
    match state.choices.integer(0, 3):
        case 0:
            state.write(f"{old} = {name}[{first}].copy()")
            state.write(f"{name}[{first}] = {name}[{second}]")
            state.write(f"{name}[{second}] = {old}")
        case 1:
            state.write(f"{name}[{first}], {name}[{second}] = {name}[{second}].copy(), {name}[{first}].copy()")
        case 2:
            state.write(f"{name}[{first}], {name}[{second}] = {name}[{second}], {name}[{first}]")
        case _:
            state.write(f"{name}[[{first}, {second}]] = {name}[[{second}, {first}]]")


def of_vector(state: State, array: Array) -> None:
    choices = state.choices
    axis = array.axes[0]
    low, high = choices.integer(0, 1), choices.integer(0, 1)
    end = f"{axis} - {high}" if high else ""
    place = f"{array.name}[{low or ''}:{end}]"
    left, right = low + high, 0
    shift = choices.integer(0, left)
    source_end = left - shift - right
    known = [a.name for a in state.whole("f") if a.axes == array.axes]
    if not known or choices.rarely(3):
        state.write(f"{place} {choices.pick(['=', '*=', '+='])} {choices.pick(['0.5', real(state, 1)])}")
        return
    source = f"{choices.pick(known)}[{shift or ''}:{f'{axis} - {source_end}' if source_end else ''}]"
    value = choices.pick(
        [source, f"{source} * 0.5", f"np.abs({source})", f"np.where({source} > 0.0, {source}, -0.5)"]
    )  # fmt: skip
    state.write(f"{place} {choices.pick(['=', '+=', '-='])} {value}")


def row_value(state: State, axis: str) -> str:
    """A vector along an axis, or a number."""
    choices = state.choices
    rows = vectors(state, axis)
    if not rows:
        return real(state, 1)
    one, other = choices.pick(rows), choices.pick(rows)
    return choices.pick(
        [
            one,
            f"{one} * {factor(real(state, 1))}",
            f"{one} + {other}",
            f"np.sqrt(np.abs({one}))",
            f"{one}[::-1]",
            f"np.minimum({one}, {other})",
            "0.5",
            f"np.where({one} > {other}, {one}, {real(state, 0)})",
            f"np.cumsum({one})",
            f"({one} - {other}) * 0.5",
            f"np.roll({one}, 1)",
        ]
    )


def named(state: State) -> bool:
    """A name for a row, a vector or a matrix, as a view or as a copy; False where there is nothing to name."""
    choices = state.choices
    matrices = [a for a in state.whole("fi") if len(a.axes) == 2]
    plain = [a for a in state.whole("fi") if len(a.axes) == 1]
    ways = []
    if matrices and state.in_loop:
        a = choices.pick(matrices)
        at = position(state, a.axes[0])
        ways += [(f"{a.name}[{at}]", a, a.axes[1:]), (f"{a.name}[{at}].copy()", a, a.axes[1:])]
        ways += [(f"{a.name}[:, {position(state, a.axes[1])}]", a, a.axes[:1])]
        ways += [(f"{a.name}[{at}, ::-1]", a, a.axes[1:])]
    if matrices:
        a = choices.pick(matrices)
        ways += [(f"{a.name}.T", a, a.axes[::-1])]
    if plain:
        a = choices.pick(plain)
        ways += [
            (f"{a.name}[::-1]", a, a.axes),
            (f"{a.name}.copy()", a, a.axes),
            (f"np.zeros_like({a.name})", a, a.axes),
        ]
        ways += [(f"{a.name} * 2", a, a.axes), (f"np.where({a.name} > 0, {a.name}, 0)", a, a.axes)]
    if not ways:
        return False
    text, a, axes = choices.pick(ways)
    name = state.fresh("v")
    state.write(f"{name} = {text}")
    state.arrays.append(Array(name, tuple(axes), a.dtype))
    return True


def product(state: State) -> bool:
    """A matrix by a vector, or a mask stored through, at once; False where the arrays don't fit."""
    choices = state.choices
    for matrix in state.whole("f"):
        if len(matrix.axes) != 2:
            continue
        rows = [a.name for a in state.whole("f") if a.axes == matrix.axes[:1]]
        columns = [a.name for a in state.whole("f") if a.axes == matrix.axes[1:]]
        if rows and columns:
            place, source = choices.pick(rows), choices.pick(columns)
            state.write(
                choices.pick([f"{place}[:] = {matrix.name} @ {source}", f"{place} += ({matrix.name} * {source}).sum(axis=1)",
                              f"{matrix.name}[{place} > 0.5] = 0.5", f"{matrix.name} *= {factor(condition(state, 0))}"])
            )  # fmt: skip
            return True
    return False
