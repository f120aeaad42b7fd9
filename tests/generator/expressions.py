"""Expressions as text: subscripts that stay in range (unless the program is a wild one), numbers, conditions.

Numbers are small multiples of a half and are seldom multiplied, so that most results are exact in any order of
operations: a difference is then a fault and no rounding.
"""

from __future__ import annotations

from tests.generator.state import Array, State, Variable

# ---------------------------------------------------------------- subscripts


def position(state: State, axis: str) -> str:
    """A subscript along an axis."""
    along = state.along(axis)
    choices = state.choices
    if state.wild and choices.rarely(6):
        return choices.pick(
            [f"{size(axis)}", "-3", "2", *(f"{v.name} + 1" for v in along), *(f"{v.name} - 1" for v in along)]
        )
    if not along or choices.rarely(12):
        return choices.pick(["0", "-1", f"{size(axis)} - 1"])
    variable = along[0] if len(along) == 1 else choices.pick(along)
    if variable.half:
        return choices.pick(
            [variable.name, f"2 * {variable.name}", f"2 * {variable.name} + 1", f"-{variable.name} - 1"]
        )
    way = choices.weighted(
        [(10, "along"), (2, "backwards"), (1, "wrapped"), (2, "gather"), (1, "difference"), (1, "drawn")]
    )
    if way == "gather":
        return gathered(state, axis, variable)
    if way == "difference" and variable.under:
        less = " - 1" if variable.strict else ""
        return f"{variable.under} - {variable.name}{choices.pick(['', less])}"
    if way == "drawn" and state.scalars("i"):
        return f"{choices.pick(state.scalars('i'))} % {size(axis)}"
    if way == "backwards":
        return offset(f"{size(axis)} - 1 - {variable.name}", choices.integer(-variable.high, variable.low))
    if way == "wrapped":
        return choices.pick([f"-{variable.name} - 1", f"{variable.name} - {size(axis)}"])
    return offset(variable.name, toward_zero(state, variable.low, variable.high))


def toward_zero(state: State, low: int, high: int) -> int:
    """A shift from -low to high; none is the simplest."""
    return state.choices.pick([0, *(k for k in range(-low, high + 1) if k)])


def offset(text: str, by: int) -> str:
    return text if by == 0 else f"{text} {'+' if by > 0 else '-'} {abs(by)}"


def gathered(state: State, axis: str, variable: Variable) -> str:
    arrays = [a for a in state.arrays if a.positions]
    if not arrays or not (state.square or (axis == "n" and variable.axis == "n")):
        return variable.name
    return f"{state.choices.pick(arrays).name}[{variable.name}]"


def size(axis: str) -> str:
    return axis


def element(state: State, array: Array) -> str:
    return f"{array.name}[{', '.join(position(state, axis) for axis in array.axes)}]"


def stored(state: State, array: Array) -> str:
    return element(state, array)


# ---------------------------------------------------------------- numbers


def number(state: State, kind: str, depth: int = 2) -> str:
    """A scalar of a kind: "f", "i", "b", "c"."""
    if kind == "b":
        return condition(state, depth - 1)
    if kind == "c":
        return complex_number(state, depth)
    return integer(state, depth) if kind == "i" else real(state, depth)


def real(state: State, depth: int = 2) -> str:
    choices = state.choices
    leaves = [element(state, a) for a in state.of_kind("f")] if depth <= 0 else []
    if depth <= 0:
        return choices.pick([*state.scalars("f"), *leaves, "0.5", *state.scalars("i")])
    way = choices.weighted(
        [(6, "element"), (2, "scalar"), (1, "constant"), (5, "sum"), (3, "scaled"), (2, "product"), (1, "integer"),
         (1, "ternary"), (2, "call"), (1, "divided"), (1, "extreme"), (1, "reduced"), (2 if state.functions else 0, "own"),
         (1 if state.lists else 0, "listed")]
    )  # fmt: skip
    sources = state.of_kind("f")
    match way:
        case "element" if sources:
            return element(state, choices.pick(sources))
        case "scalar" if state.scalars("f"):
            return choices.pick(state.scalars("f"))
        case "constant":
            return choices.pick(["1.0", "0.0", "-0.5", "2.0", "3"])
        case "sum":
            return f"{real(state, depth - 1)} {choices.pick('+-')} {factor(real(state, depth - 1))}"
        case "scaled":
            return f"{factor(real(state, depth - 1))} * {choices.pick(['0.5', '2.0', '-1.0', '3'])}"
        case "product" if sources:
            first, second = choices.pick(sources), choices.pick(sources)
            return f"{element(state, first)} * {element(state, second)}"
        case "integer":
            return factor(integer(state, depth - 1))
        case "ternary":
            return f"({real(state, depth - 1)} if {condition(state, depth - 1)} else {real(state, depth - 1)})"
        case "call":
            return function_of(state, depth)
        case "divided":
            return f"{factor(real(state, depth - 1))} / {divisor(state, depth)}"
        case "extreme":
            return f"{choices.pick(['max', 'min'])}({real(state, depth - 1)}, {real(state, depth - 1)})"
        case "reduced":
            return reduced(state)
        case "own":
            return called(state, depth)
        case "listed":
            one = choices.pick(state.lists)
            return choices.pick([f"float(len({one}))", f"({one}[-1] if {one} else 0.5)", f"sum({one})"])
        case _:
            return choices.pick([*state.scalars("f"), "0.5"])


def factor(text: str) -> str:
    """In brackets, unless it binds tightly already."""
    return (
        text
        if text.replace("_", "").replace(".", "").isalnum() or (text.endswith("]") and " " not in text)
        else f"({text})"
    )


def divisor(state: State, depth: int) -> str:
    if state.dividing:
        return f"abs({real(state, depth - 1)})"  # the sign of a zero is no part of the contract
    return state.choices.pick(["4.0", f"(abs({real(state, depth - 1)}) + 1.0)"])


def function_of(state: State, depth: int) -> str:
    inner = real(state, depth - 1)
    return state.choices.pick(
        [f"abs({inner})", f"np.sqrt(abs({inner}))", f"np.minimum({inner}, 1.0)", f"np.maximum(0.0, {inner})",
         f"np.where({condition(state, 0)}, {inner}, 0.5)", f"np.exp(-abs({inner}))", f"np.floor({inner})", f"float({inner})",
         f"{factor(inner)} ** 2"]
    )  # fmt: skip


def called(state: State, depth: int) -> str:
    """A call of a function of the program's own."""
    name = state.choices.pick(list(state.functions))
    made = {"f": lambda: real(state, min(depth - 1, 1)), "p": lambda: position(state, "n")}
    return f"{name}({', '.join(made[kind]() for kind in state.functions[name])})"


def vectors(state: State, axis: str = "") -> list[str]:
    """Vectors, rows and columns, as text; along one axis, or any."""
    found: list[str] = []
    for a in state.whole("f"):
        if len(a.axes) == 1 and axis in ("", a.axes[0]):
            found.append(a.name)
        if len(a.axes) == 2 and state.in_loop:
            if axis in ("", a.axes[1]):
                found.append(f"{a.name}[{position(state, a.axes[0])}]")
            if axis in ("", a.axes[0]):
                found.append(f"{a.name}[:, {position(state, a.axes[1])}]")
    return found


def moving_slice(state: State, axis: str) -> str:
    """A slice whose length changes with a loop variable; "" where none does."""
    along = [v for v in state.along(axis) if not v.half]
    if not along:
        return ""
    v = state.choices.pick(along).name
    return state.choices.pick([f":{v}", f"{v}:", f":{v} + 1", f"{v} + 1:", f"max(0, {v} - 1):{v} + 2", f"{v} - 1:{v}"])


def sliced(text: str, part: str) -> str:
    """`a[1:]`, `A[i, 1:]`, `A[1:, i]` of a vector as text."""
    if not text.endswith("]"):
        return f"{text}[{part}]"
    return text.replace("[:,", f"[{part},", 1) if "[:," in text else f"{text[:-1]}, {part}]"


def reduced(state: State) -> str:
    """A number from a whole row or vector, or from a part of one that grows."""
    choices = state.choices
    axis = choices.pick(["n"] if state.square else ["n", "m"])
    known = vectors(state, axis)
    if not known:
        return "1.0"
    one, other = choices.pick(known), choices.pick(known)
    part = moving_slice(state, axis) if choices.rarely(3) else ""
    if part:
        one, other = sliced(one, part), sliced(other, part)
        return choices.pick(
            [f"{one}.sum()", f"np.dot({one}, {other})", f"({one} * {other}).sum()", f"np.sum(np.abs({one}))",
             f"np.max(np.append({one}, 0.5))", f"sum({one})", f"np.max({one})"]
        )  # fmt: skip
    return choices.pick(
        [f"{one}.sum()", f"np.sum({one})", f"np.max({one})", f"np.dot({one}, {other})", f"({one} * 0.5).min()",
         f"{one}.mean()", f"np.sum({one} > 0.5)", f"max({one})", f"float(np.any({one} == {other}))", f"np.minimum({one}, {other})[0]"]
    )  # fmt: skip


def integer(state: State, depth: int = 2) -> str:
    choices = state.choices
    names = [v.name for v in reversed(state.variables)] + state.scalars("i")
    sources = state.of_kind("i")
    if depth <= 0:
        return choices.pick([*names, "1", "n"])
    way = choices.weighted(
        [
            (4, "name"),
            (4, "element"),
            (1, "constant"),
            (3, "sum"),
            (1, "scaled"),
            (1, "modulo"),
            (1, "floor"),
            (1, "of"),
            (1, "bits"),
        ]
    )
    match way:
        case "name" if names:
            return choices.pick(names)
        case "element" if sources:
            return element(state, choices.pick(sources))
        case "sum":
            return f"{integer(state, depth - 1)} {choices.pick('+-')} {factor(integer(state, depth - 1))}"
        case "scaled":
            return f"{factor(integer(state, depth - 1))} * {choices.pick(['2', '-1'])}"
        case "modulo":
            return f"{factor(integer(state, depth - 1))} % {choices.pick(['3', '2', '-4'] + (['(' + integer(state, 0) + ')'] if state.dividing else []))}"
        case "floor":
            return f"{factor(integer(state, depth - 1))} // {choices.pick(['2', '-3'])}"
        case "of":
            return choices.pick(
                [
                    f"abs({integer(state, depth - 1)})",
                    f"int({real(state, depth - 1)})",
                    f"min({integer(state, depth - 1)}, 5)",
                    *[f"int({v}.argmax())" for v in vectors(state)[:1]],
                    *[f"len({v})" for v in state.lists],
                ]
            )
        case "bits":
            return f"({factor(integer(state, depth - 1))} {choices.pick('&|^')} {choices.pick(['3', '1'])})"
        case _:
            return choices.pick(["1", "0", "2"])


def complex_number(state: State, depth: int) -> str:
    sources = state.of_kind("c")
    choices = state.choices
    if not sources or depth <= 0:
        return real(state, depth)
    one = element(state, choices.pick(sources))
    return choices.pick(
        [
            one,
            f"{one} * 0.5j",
            f"{one} + {factor(real(state, depth - 1))}",
            f"{one}.conjugate()",
            f"{one} - {element(state, choices.pick(sources))}",
        ]
    )


# ---------------------------------------------------------------- conditions


def condition(state: State, depth: int = 1) -> str:
    choices = state.choices
    way = choices.weighted(
        [
            (5, "compare"),
            (3, "affine"),
            (1, "flag"),
            (1, "both"),
            (1, "not"),
            (1, "chain"),
            (1, "parity"),
            (1, "equal"),
            (1, "before"),
        ]
    )
    names = [v.name for v in reversed(state.variables)]
    match way:
        case "affine" if names:
            first = choices.pick(names)
            second = choices.pick([*names, "0", "1", "n - 1", "2"])
            return f"{first} {choices.pick(['<', '<=', '==', '!=', '>', '>='])} {second}"
        case "flag" if state.of_kind("b"):
            return element(state, choices.pick(state.of_kind("b")))
        case "both" if depth > 0:
            return f"({condition(state, depth - 1)} {choices.pick(['and', 'or'])} {condition(state, depth - 1)})"
        case "not" if depth > 0:
            return f"(not {condition(state, depth - 1)})"
        case "chain":
            return f"-1.0 < {real(state, 0)} < 1.5"
        case "before" if state.along("n") and state.of_kind("f") and state.of_kind("f")[0].axes == ("n",):
            v = state.along("n")[0].name
            return f"({v} > 0 and {state.of_kind('f')[0].name}[{v} - 1] > 0.0)"
        case "parity" if names:
            return f"{choices.pick(names)} % 2 == 0"
        case "equal":
            return f"{real(state, 0)} {choices.pick(['==', '!='])} {real(state, 0)}"
        case _:
            return f"{real(state, min(depth, 1))} {choices.pick(['>', '<', '>=', '<='])} {choices.pick(['0.0', '1', real(state, 0)])}"
