"""Heads of loops: ranges of every kind, iteration over arrays and rows, `while` with a counter."""

from __future__ import annotations

from typing import Any

from tests.generator.scientific.scope import Held, Scope
from tests.generator.scientific.values import condition

RANGES = (
    (8, "range({n})"), (2, "range({n} - 1, -1, -1)"), (2, "range(1, {n})"), (2, "range(1, {n} - 1)"), (1, "range(0, {n}, 2)"), (1, "range({n} - 1, 0, -2)"),
    (1, "reversed(range({n}))"), (1, "range(3)"), (1, "range(k)"), (1, "(0, -1)"),
)  # fmt: skip
INNER = ((2, "range({o})"), (2, "range({o} + 1, {n})"), (1, "range({o}, -1, -1)"), (1, "range({o}, {n})"))


def loop(scope: Scope) -> Scope:
    """Write the first line of a loop; the block to fill."""
    choices = scope.choices
    return choices.weighted([(5, counted), (2, over_elements), (1, over_rows), (1, repeated)])(scope)


def body(scope: Scope, *variables: tuple[str, str], **changes: Any) -> Scope:
    return scope.inside(loops=(*scope.loops, *variables), **changes)


def variable(scope: Scope) -> str:
    return "ijpq"[len(scope.loops)] if len(scope.loops) < 4 else scope.fresh("i")


def counted(scope: Scope) -> Scope:
    axis, name = scope.choices.pick("nnnm"), variable(scope)
    around = scope.along(axis)
    table = RANGES + INNER if around else RANGES
    text = scope.choices.weighted(list(table)).format(n=axis, o=scope.choices.pick(around) if around else "")
    scope.write(f"for {name} in {text}:")
    return body(scope, (name, "other" if text in ("range(3)", "range(k)") else axis))


def over_elements(scope: Scope) -> Scope:
    vectors = scope.of(1, "fi")
    if not vectors:
        return counted(scope)
    choices, name, x, y = scope.choices, variable(scope), scope.fresh("x"), scope.fresh("y")
    a, b = choices.pick(vectors), choices.pick(vectors)
    position = (name, a.axes[0])
    text, names, variables = choices.pick(
        [(f"{x} in {a.name}", [x], ()), (f"{name}, {x} in enumerate({a.name})", [x], (position,)), (f"{x}, {y} in zip({a.name}, {b.name})", [x, y], ()),
         (f"{x} in {a.name}[::-1]", [x], ()), (f"{x}, {y} in zip({a.name}[:-1], {a.name}[1:])", [x, y], ()), (f"{name}, {x} in enumerate({a.name}[1:], 1)", [x], (position,)),
         (f"{name}, ({x}, {y}) in enumerate(zip({a.name}, {b.name}))", [x, y], (position,))]
    )  # fmt: skip
    scope.write(f"for {text}:")
    return body(scope, *variables, numbers=[*scope.numbers, *names])


def over_rows(scope: Scope) -> Scope:
    matrices = scope.of(2)
    if not matrices:
        return counted(scope)
    a, name, row = scope.choices.pick(matrices), variable(scope), scope.fresh("row")
    text, axis, variables = scope.choices.pick(
        [
            (f"{row} in {a.name}", 1, ()),
            (f"{name}, {row} in enumerate({a.name})", 1, ((name, a.axes[0]),)),
            (f"{row} in {a.name}.T", 0, ()),
        ]
    )
    scope.write(f"for {text}:")
    return body(scope, *variables, arrays=[*scope.arrays, Held(row, (a.axes[axis],), a.dtype)])


def repeated(scope: Scope) -> Scope:
    """A `while` that surely ends: its counter moves first."""
    name, axis = scope.fresh("w"), scope.choices.pick("nm")
    match scope.choices.integer(0, 2):
        case 0:
            scope.write(f"{name} = -1\nwhile {name} < {axis} - 1 and {condition(scope, 0)}:\n    {name} += 1")
        case 1:
            scope.write(
                f"{name} = -1\nwhile True:\n    {name} += 1\n    if {condition(scope, 0)} or {name} >= {axis}:\n        break"
            )
        case _:
            scope.write(f"{name} = {axis}\nwhile {name} > 0:\n    {name} -= 1")
    return body(scope, (name, axis))
