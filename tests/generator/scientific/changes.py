"""Statements that change what an array is called or holds: views, masks, positions, names that change hands."""

from __future__ import annotations

from tests.generator.scientific.scope import Held, Scope, filled
from tests.generator.scientific.subscripts import element, length, part, place, vector_part
from tests.generator.scientific.values import condition, fields, integer, number, plain, vector

PARTS = ("{a}[::-1]", "{a}[:]", "{a}.copy()", "{a}.astype(float)")
ROWS = ("{a}[{p}]", "{a}[{p}, ::-1]", "{a}[{p}].copy()", "{a}[{p}][:]")
COLUMNS = ("{a}[:, {q}]", "{a}.T[{q}]")
MASKED = (
    "{a}[{m}] = 0.5",
    "{a}[{m}] = {x}",
    "{a}[{m}] += 1",
    "{a}[{m}] *= 0.5",
    "{a}[{m}] = {o}[{m}]",
    "{a}[:] = np.where({m}, {o}, {a})",
    "{a} -= {m}",
    "{a}[{m}] = -{a}[{m}]",
)
MASKS = (
    "{a} > {x}",
    "{o} < {x}",
    "({o} > 0) & ({a} < 2)",
    "~({a} > 0)",
    "{a} != {o}",
    "np.abs({a}) > 1",
    "np.isnan({a})",
)
BY_POSITIONS = ("{a}[{at}] = {o}", "{a}[{at}] += 1", "{a}[{at}] += {o}", "np.add.at({a}, {at}, {o})", "{a}[:] = {o}[{at}]", "{a}[{at}[1:]] = {o}[:-1]", "{a}[{at}] = {x}",
                "{a}[{at}] = {a}[{at}[::-1]]", "{a}[[0, -1]] = {a}[[-1, 0]]")  # fmt: skip
REBOUND = ("{a} = {a} * 2", "{a} = {a} + {o}", "{a} = np.where({a} > {x}, {a}, {o})", "{a}, {o} = {o}, {a}", "{a} = {o}", "{a} = {o}.copy()", "{a} = {a}[::-1]", "{a} = {o} if {c} else {a}",
           "{a} *= 0.5", "{a} += {o}", "{a} = np.roll({a}, 1)", "{a} = {a}")  # fmt: skip
MATRICES = ("{A} += {B}.T", "{A}[:] = {B}.T", "{A}[:] = {B} @ {A} * 0.125", "{A} -= {B}.mean(axis=0)", "{A}[:] = np.sort({B}, axis=1)", "{A}[:] = np.cumsum({B}, axis=0)",
            "{A}[1:-1, 1:-1] = 0.25 * ({B}[:-2, 1:-1] + {B}[2:, 1:-1] + {B}[1:-1, :-2] + {B}[1:-1, 2:])", "{A}[{p}], {A}[{r}] = {A}[{r}].copy(), {A}[{p}].copy()", "{A}[{p}] = {A}[{r}]",
            "{A}[np.arange(n), {p}] = {x}", "{A}[[{p}, {r}]] = {A}[[{r}, {p}]]", "{A} = {A}.T", "{A}[:, {p}] = {A}[{r}, ::-1]")  # fmt: skip


def write(scope: Scope, template: str, **own: str) -> None:
    """The template, filled."""
    scope.write(filled(template, {**fields(scope, 1, "n", "all"), **{k: (lambda v=v: v) for k, v in own.items()}}))


def named(scope: Scope) -> None:
    name = scope.fresh("t")
    match scope.choices.pick("fffib"):
        case "f":
            scope.write(f"{name} = {number(scope)}")
            scope.numbers.append(name)
        case "i":
            scope.write(f"{name} = {integer(scope, 2)}")
            scope.integers.append(name)
        case _:
            scope.write(f"{name} = {condition(scope)}")
            scope.flags.append(name)


def viewed(scope: Scope) -> None:
    """A name for a part of an array, changed at once."""
    array = scope.choices.pick(scope.of(kinds="ffi"))
    name = scope.fresh("v")
    match array.axes:
        case (_,):
            template, axes = scope.choices.pick(PARTS), array.axes
        case (first, second) if scope.choices.rarely(2):
            template, axes = scope.choices.pick(COLUMNS), (first,)
        case (first, second):
            template, axes = scope.choices.pick([*ROWS, "{a}.T" if first == second else "{a}[{p}]"]), (second,)
            axes = (first, second) if template == "{a}.T" else axes
        case _:
            template, axes = (
                scope.choices.pick(["{a}[{p}]", "{a}[{p}].T" if array.axes[1] == array.axes[2] else "{a}[{p}]"]),
                array.axes[1:],
            )
    write(scope, f"{name} = {template}", a=array.name, p=place(scope, array.axes[0]), q=place(scope, array.axes[-1]))
    scope.arrays.append(Held(name, axes, "float64" if "astype" in template else array.dtype))
    if len(axes) == 1 and array.kind == "f":
        how = length(scope, axes[0])
        other = scope.choices.pick([vector(scope, axes[0], how, 1), f"{name}[{part(scope, axes[0], how)}]"])
        scope.write(f"{name}[{part(scope, axes[0], how)}] {scope.choices.pick(['+=', '=', '-='])} {other}")


def pair(scope: Scope, rank: int | None = None) -> dict[str, str] | None:
    """An array of floats and another, or the same one, of the same axes."""
    arrays = scope.of(rank)
    if not arrays:
        return None
    array = scope.choices.pick(arrays)
    return {"a": array.name, "o": scope.choices.pick(scope.of(axes=array.axes)).name}


def masked(scope: Scope) -> None:
    own = pair(scope)
    if own is None:
        return named(scope)
    mask = scope.choices.pick(MASKS)
    if scope.choices.rarely(2):
        name = scope.fresh("mask")
        write(scope, f"{name} = {mask}", **own)
        mask = name
    write(scope, scope.choices.pick(MASKED).replace("{m}", mask), **own)


def moved(scope: Scope) -> None:
    """Through an array of positions, some of them more than once."""
    vectors = [a.name for a in scope.of(axes=("n",))]
    if not vectors or not scope.positions:
        return named(scope)
    pick = scope.choices.pick
    write(scope, pick(BY_POSITIONS), a=pick(vectors), o=pick(vectors), at=pick(scope.positions))


def rebound(scope: Scope) -> None:
    own = pair(scope)
    if own is None:
        return named(scope)
    write(scope, scope.choices.pick(REBOUND), **own)


def matrices(scope: Scope) -> None:
    square = [a.name for a in scope.of(axes=("n", "n"))]
    if not square:
        return named(scope)
    pick = scope.choices.pick
    write(scope, pick(MATRICES), A=pick(square), B=pick(square), p=place(scope, "n"), r=place(scope, "n"))


def exchanged(scope: Scope) -> None:
    array = scope.choices.pick(scope.of(kinds="ffi"))
    one, other = element(scope, array), element(scope, array)
    if scope.choices.rarely(2):
        held = scope.fresh("t")
        scope.write(f"{held} = {one}\n{one} = {other}\n{other} = {held}")
    else:
        scope.write(f"{one}, {other} = {other}, {one}")


def given(scope: Scope) -> None:
    """A part of an array, given to a function that writes."""
    known = [f for f, kind in scope.functions.items() if kind == "w"]
    to = vector_part(scope, "n", length(scope, "n"))
    if not known or to is None:
        return named(scope)
    scope.write(f"{scope.choices.pick(known)}({to}, {plain(scope)})")
