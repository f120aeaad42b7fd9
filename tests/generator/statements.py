"""Statements of a block: stores, scalars carried and local, branches and exits, nested loops, whole arrays, lists."""

from __future__ import annotations

from tests.generator.expressions import condition, element, factor, number, real
from tests.generator.loops import head
from tests.generator.rows import named, product, row_operation
from tests.generator.state import Array, State

MAX_DEPTH = 3


def block(state: State, most: int = 3) -> None:
    """One to `most` statements."""
    for _ in range(state.choices.integer(1, most)):
        statement(state)


def statement(state: State) -> None:
    choices = state.choices
    state.budget[0] -= 1
    spent = state.budget[0] <= 0
    deeper = 0 if spent or len(state.variables) >= MAX_DEPTH else 1
    if state.storing and state.in_loop:
        way = choices.weighted(
            [(6, store), (4, augmented), (3, swap), (3, rows), (1, branch), (3 * deeper, loop), (1, local)]
        )
        return way(state)
    way = choices.weighted(
        [(6, store), (5, augmented), (4, carry), (3, local), (0 if spent else 3, branch), (6 * deeper if state.in_loop else 20, loop),
         (2 if state.in_loop else 0, leave), (3, rows), (2 if state.lists else 0, append), (2, swap), (1, searched)]
    )  # fmt: skip
    way(state)


def target(state: State) -> Array | None:
    arrays = [a for a in state.arrays if not a.positions]
    return state.choices.pick(arrays) if arrays else None


def value_for(state: State, array: Array) -> str:
    """A value to store into an array: now and then of another kind."""
    kinds = {"f": "fffffi", "i": "iiiiif", "b": "b", "c": "cccf"}[array.kind]
    return number(state, state.choices.pick(kinds))


def store(state: State) -> None:
    array = target(state)
    if array is None or not state.in_loop:
        return carry(state)
    state.write(f"{element(state, array)} = {value_for(state, array)}")


def augmented(state: State) -> None:
    array = target(state)
    if array is None or not state.in_loop or array.kind == "b":
        return carry(state)
    place = element(state, array)
    if array.kind == "i":
        state.write(f"{place} {state.choices.pick(['+=', '-=', '|=', '^='])} {number(state, 'i', 1)}")
    elif state.choices.rarely(4):
        state.write(f"{place} *= {state.choices.pick(['0.5', '-1.0'])}")
    else:
        state.write(f"{place} {state.choices.pick(['+=', '-='])} {value_for(state, array)}")


def carry(state: State) -> None:
    """Change a scalar that lives on from one iteration to the next."""
    choices = state.choices
    if not state.carried:
        return local(state)
    name = choices.pick(list(state.carried))
    kind = state.carried[name]
    if kind == "i":
        state.write(
            choices.pick(
                [
                    f"{name} += 1",
                    f"{name} += {number(state, 'i', 1)}",
                    f"{name} = ({name} * 3 + 1) % 11",
                    f"{name} = {number(state, 'i', 1)}",
                ]
            )
        )
        return
    if kind == "b":
        state.write(
            choices.pick(
                [
                    f"{name} = {name} and {condition(state)}",
                    f"{name} = {name} or {condition(state)}",
                    f"{name} = {condition(state)}",
                ]
            )
        )
        return
    way = choices.weighted(
        [
            (5, "sum"),
            (1, "subtract"),
            (2, "maximum"),
            (2, "if"),
            (2, "recurrence"),
            (2, "previous"),
            (1, "product"),
            (1, "where"),
        ]
    )
    floats = [n for n, kind in state.carried.items() if kind == "f" and n != name]
    match way:
        case "sum" if floats and choices.rarely(6):
            state.write(f"{name}, {floats[0]} = {choices.pick([floats[0], real(state, 1)])}, {name}")
        case "sum":
            state.write(f"{name} += {real(state)}")
        case "subtract":
            state.write(f"{name} -= {real(state)}")
        case "maximum":
            first, second = choices.pick([(name, real(state)), (real(state), name)])
            state.write(f"{name} = {choices.pick(['max', 'min', 'np.maximum'])}({first}, {second})")
        case "if":
            new = real(state, 1)
            state.write(f"if {new} {choices.pick(['>', '<', '>='])} {name}:")
            state.inside().write(f"{name} = {new}")
        case "recurrence":
            state.write(f"{name} = {name} * {choices.pick(['0.5', '-0.5'])} + {factor(real(state, 1))}")
        case "previous":
            state.write(f"{name} = {real(state)}")
        case "product":
            state.write(f"{name} *= {choices.pick(['0.5', '-1.0', real(state, 1)])}")
        case _:
            state.write(f"{name} = float(np.where({condition(state, 0)}, {name}, {real(state, 1)}))")


def local(state: State) -> None:
    kind = state.choices.pick("fffib")
    text = number(state, kind)
    known = [n for n, k in state.local.items() if k == kind and n[0] == "t"]
    name = state.choices.pick(known) if known and state.choices.rarely(3) else state.fresh("t")
    state.write(f"{name} = {text}")
    state.local[name] = kind


def branch(state: State) -> None:
    choices = state.choices
    state.write(f"if {condition(state)}:")
    block(state.inside(), 2)
    if choices.rarely(5):
        state.write(f"elif {condition(state)}:")
        block(state.inside(), 2)
    if choices.rarely(2):
        state.write("else:")
        block(state.inside(), 2)


def leave(state: State) -> None:
    """break, continue or return, under a condition."""
    state.write(f"if {condition(state)}:")
    inner = state.inside()
    if state.choices.rarely(4):
        carry(inner)
    way = state.choices.weighted([(5, "continue"), (5, "break"), (1, "return"), (1, "raise ValueError('no')")])
    state.returned[0] |= way == "return"
    inner.write(ending(state) if way == "return" else way)


def ending(state: State, more: tuple[str, ...] = ()) -> str:
    """The return statement: everything that the caller can't see otherwise."""
    values = [*state.carried, *state.lists, *(a.name for a in state.arrays if not a.argument), *more]
    return "return " + (", ".join(values) if values else "None")


def loop(state: State) -> None:
    if len(state.variables) >= MAX_DEPTH:
        return store(state)
    block(head(state))
    if state.choices.rarely(16):
        state.write("else:")
        block(state.inside(), 1)


def swap(state: State) -> None:
    arrays = [a for a in state.arrays if not a.positions]
    if not state.in_loop or not arrays:
        return local(state)
    array = state.choices.pick(arrays)
    first, second = element(state, array), element(state, array)
    state.write(f"{first}, {second} = {second}, {first}")


def rows(state: State) -> None:
    """Something about rows; now and then a name for one, or a product."""
    way = state.choices.weighted([(6, row_operation), (3, named), (1, product)])
    if not way(state):
        carry(state)


def searched(state: State) -> None:
    """A loop that the data ends: `while`, with a bound on its rounds."""
    choices = state.choices
    if len(state.variables) >= MAX_DEPTH:
        return carry(state)
    name, rounds = state.fresh("y"), state.fresh("w")
    state.write(f"{name}, {rounds} = {real(state, 1)}, 0")
    state.local[name], state.local[rounds] = "f", "i"
    test = f"{name} {choices.pick(['>', '<', '!='])} {choices.pick(['0.5', real(state, 0)])}"
    step = choices.pick([f"{name} *= 0.5", f"{name} = {name} * 0.5 - 1.0", f"{name} += {real(state, 0)}"])
    if choices.rarely(2):
        state.write(f"while {test} and {rounds} < {choices.pick(['3', 'n', 'k'])}:")
        inner = state.inside(in_loop=True)
        inner.write(step)
        inner.write(f"{rounds} += 1")
    else:
        state.write("while True:")
        inner = state.inside(in_loop=True)
        inner.write(f"{rounds} += 1")
        inner.write(f"if {test} or {rounds} > {choices.pick(['3', 'n'])}:")
        inner.inside().write("break")
        inner.write(step)


def append(state: State) -> None:
    state.write(f"{state.choices.pick(state.lists)}.append({real(state)})")
