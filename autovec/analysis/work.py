"""How much the original has to do: the operations that it executes, as a function of the sizes.

In: a unit as it was lowered. Out: a count for given sizes, infinite where the data decides how often a loop runs. It is
for choosing whether a call is worth a compiled program, so the middle iteration of a loop stands for all.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from autovec.ir.affine import Affine
from autovec.ir.conditions import affine_form
from autovec.ir.intrinsics import INFIX
from autovec.ir.nodes import Apply, Call, Expr, Fault, For, ListAlloc, Stmt, Unit, While
from autovec.ir.walk import expressions, walk

Work = Callable[[Mapping[str, int]], float]

LOGICAL = ("logical_and", "logical_or", "logical_not", "negative")
CALLED = 5.0  # operations that a call of a function takes as long as


def work_of(unit: Unit, known: Mapping[str, Affine]) -> Work:
    """The operations executed, those of the person's loops alone: an array operation is one."""

    def count(sizes: Mapping[str, int]) -> float:
        return _operations(unit.body, known, dict(sizes))

    return count


def _operations(body: Sequence[Stmt], known: Mapping[str, Affine], values: Mapping[str, float]) -> float:
    total = 0.0
    for statement in body:
        match statement:
            case While():
                return math.inf
            case Fault() | ListAlloc():
                continue  # what the compiled program does besides
            case For() if not statement.source.variable:
                total += 1  # an array operation
            case For():
                first = _bound(statement.start, known, values, max if statement.step > 0 else min)
                end = _bound(statement.stop, known, values, min if statement.step > 0 else max)
                if first is None or end is None:
                    return math.inf
                trips = max(0.0, (end - first) / statement.step)
                inside = {**values, statement.variable: (first + end) / 2}
                total += trips * (1 + _operations(statement.body, known, inside)) if trips else 0.0
            case _:
                total += 1 + sum(_weight(e) for whole in expressions(statement) for e in walk(whole))
    return total


def _weight(expr: Expr) -> float:
    match expr:
        case Apply(op=op):
            return 1.0 if op in INFIX or op in LOGICAL else CALLED
        case Call():
            return CALLED
        case _:
            return 0.0


def _bound(
    forms: Sequence[Expr],
    known: Mapping[str, Affine],
    values: Mapping[str, float],
    choose: Callable[[list[float]], float],
) -> float | None:
    found: list[float] = []
    for form in forms:
        affine = affine_form(form, known)
        if affine is None or not affine.names <= values.keys():
            return None
        found.append(affine.constant + sum(c * values[n] for n, c in affine.terms))
    return choose(found)
