"""Heads of loops: ranges of every kind, with what is known of their variable; iteration over arrays; `while`."""

from __future__ import annotations

from dataclasses import replace

from tests.generator.expressions import condition, offset
from tests.generator.state import Array, State, Variable

NAMES = "ijp"


def head(state: State) -> State:
    """Write the first line of a loop; the block to fill."""
    choices = state.choices
    name = NAMES[len(state.variables)] if len(state.variables) < len(NAMES) else state.fresh("i")
    around = [v for v in state.variables if v.axis and not v.half]
    way = choices.weighted(
        [(6, "whole"), (5, "inner"), (2, "backwards"), (2, "stepped"), (5 if around else 0, "triangular"), (1, "band"), (1, "half"),
         (2, "elements"), (1, "few"), (1, "drawn"), (1, "while")]
    )  # fmt: skip
    axis = "n" if state.square else choices.pick(["n", "m"])
    if way == "while":
        return counted_while(state, name, axis)
    if way == "elements":
        return over_elements(state, name)
    text, variable = ranged(state, way, name, axis, around)
    state.write(f"for {name} in {text}:")
    return body(state, variable)


def body(state: State, *variables: Variable, **changes: object) -> State:
    settings: dict[str, object] = {
        "variables": (*state.variables, *variables),
        "in_loop": True,
        "may_continue": True,
        **changes,
    }
    return state.inside(**settings)


def ranged(state: State, way: str, name: str, axis: str, around: list[Variable]) -> tuple[str, Variable]:
    choices = state.choices
    low, high = choices.integer(0, 1), choices.integer(0, 1)
    end = offset(axis, -high)
    inner = Variable(name, axis, low, high)
    match way:
        case "inner":
            low, high = choices.pick([(1, 0), (0, 1), (1, 1), (2, 0), (0, 2)])
            return f"range({low}, {offset(axis, -high)})", Variable(name, axis, low, high)
        case "backwards":
            return f"range({offset(axis, -1 - high)}, {low - 1}, -1)", inner
        case "stepped":
            step = choices.pick([2, 3, -2])
            if step > 0:
                return f"range({low}, {end}, {step})", inner
            return f"range({offset(axis, -1 - high)}, {low - 1}, {step})", inner
        case "triangular" if around:
            return triangular(state, name, choices.pick(around))
        case "band" if around:
            v = choices.pick(around)
            return f"range(max(0, {v.name} - 1), min({v.axis}, {v.name} + 2))", Variable(name, v.axis)
        case "half":
            return f"range({axis} // 2)", Variable(name, axis, half=True)
        case "few":
            return f"range({choices.pick([3, 2, 1])})", Variable(name, "")
        case "drawn":
            bounds = [a.name for a in state.arrays if a.positions]
            if bounds and state.along("n"):
                return f"range({choices.pick(bounds)}[{state.along('n')[0].name}])", Variable(name, "n", 0, 1)
            return "range(k)", Variable(name, "")
        case _:
            return f"range({choices.pick([axis, axis, f'0, {axis}', 'len(a)' if axis == 'n' else axis])})", Variable(
                name, axis
            )


def triangular(state: State, name: str, v: Variable) -> tuple[str, Variable]:
    """Bounds that move with an outer variable."""
    match state.choices.integer(0, 5):
        case 0:
            return f"range({v.name})", Variable(name, v.axis, 0, v.high + 1, under=v.name, strict=True)
        case 1:
            return f"range({v.name} + 1)", Variable(name, v.axis, 0, v.high, under=v.name)
        case 2:
            return f"range({v.name} + 1, {v.axis})", Variable(name, v.axis, v.low + 1, 0)
        case 3:
            return f"range({v.name}, {v.axis})", Variable(name, v.axis, v.low, 0)
        case 4:
            return f"range({v.name} - 1, -1, -1)", Variable(name, v.axis, 0, v.high + 1, under=v.name, strict=True)
        case _:
            return f"range({v.axis} - 1, {v.name}, -1)", Variable(name, v.axis, v.low + 1, 0)


def over_elements(state: State, name: str) -> State:
    """`for x in a`, `for i, x in enumerate(a)`, `for x, y in zip(a, b)`, `for row in A`."""
    choices = state.choices
    vectors = [a for a in state.of_kind("fi") if len(a.axes) == 1]
    if not vectors:
        state.write(f"for {name} in range(n):")
        return body(state, Variable(name, "n"))
    a, b = choices.pick(vectors), choices.pick(vectors)
    x, y = state.fresh("x"), state.fresh("y")
    position = Variable(name, a.axes[0])
    matrices = [m for m in state.whole("f") if len(m.axes) == 2]
    if matrices and choices.rarely(3):
        return over_rows(state, name, choices.pick(matrices), x)
    match choices.integer(0, 3):
        case 0:
            state.write(f"for {x} in {a.name}:")
            inner = body(state)
        case 1:
            state.write(f"for {name}, {x} in enumerate({a.name}):")
            inner = body(state, position)
        case 2:
            state.write(f"for {x}, {y} in zip({a.name}, {b.name}):")
            inner = body(state)
            inner.local[y] = b.kind
        case _:
            state.write(f"for {x} in reversed({a.name}):")
            inner = body(state)
    inner.local[x] = a.kind
    return inner


def over_rows(state: State, name: str, matrix: Array, row: str) -> State:
    """`for row in A`, `for i, row in enumerate(A)`: the row is a view."""
    if state.choices.rarely(2):
        state.write(f"for {row} in {matrix.name}:")
        inner = body(state)
    else:
        state.write(f"for {name}, {row} in enumerate({matrix.name}):")
        inner = body(state, Variable(name, matrix.axes[0]))
    inner.arrays.append(Array(row, matrix.axes[1:], matrix.dtype))
    return inner


def counted_while(state: State, name: str, axis: str) -> State:
    """A `while` that surely ends: its counter moves first, or last where nothing can jump over that."""
    counter = state.fresh("w")
    state.write(f"{counter} = 0")
    more = f" and {condition(state, 0)}" if state.choices.rarely(2) else ""
    if state.choices.rarely(2):
        state.write(f"while {counter} < {axis}{more}:")
        inner = body(state)
        inner.write(f"{counter} += 1")
        inner.write(f"{name} = {counter} - 1")
        return replace(inner, variables=(*state.variables, Variable(name, axis)))
    state.write(f"while {counter} < {axis}{more}:")
    inner = body(state)
    inner.write(f"{name} = {counter}")
    inner.write(f"{counter} += 1")
    return replace(inner, variables=(*state.variables, Variable(name, axis)))
