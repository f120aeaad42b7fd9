"""Ranges whose step depends on the data: what a round's number lies between.

    for round in range(count(start, stop, step)):          0 <= round * step < stop - start
        i = start + round * step                           start <= i < stop

In: a loop of that form. Out: its `Stride`; for an expression of its rounds, the parts of the bounds. Needs: names in
single assignment, so that they mean the same in every round; that the step is positive is the caller's to know.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from autovec.ir.nodes import Apply, Const, Expr, For, Load, Ref
from autovec.ir.walk import walk


@dataclass(frozen=True, slots=True)
class Stride:
    """The person's `range(start, stop, step)`."""

    start: Expr
    stop: Expr
    step: Expr


def stride_of(loop: For, definitions: Mapping[str, Expr]) -> dict[str, Stride]:
    """The range that a loop over rounds stands for, by the loop's variable; nothing for any other loop."""
    if loop.step != 1 or len(loop.stop) != 1 or not is_number(loop.start[0], 0) or len(loop.start) != 1:
        return {}
    count = loop.stop[0]
    if isinstance(count, Ref):
        count = definitions.get(count.name, count)
    match count:
        case Apply(
            op="maximum",
            args=(
                Apply(
                    op="floor_divide",
                    args=(
                        Apply(
                            op="subtract",
                            args=(Apply(op="add", args=(Apply(op="subtract", args=(stop, start)), first)), one),
                        ),
                        Apply(op="maximum", args=(step, least)) as safe,
                    ),
                ),
                none,
            ),
        ) if first == safe and is_number(one, 1) and is_number(least, 1) and is_number(none, 0):
            found = Stride(start, stop, step)
        case _:
            return {}
    held = any(isinstance(e, Load) for x in (found.start, found.stop, found.step) for e in walk(x))
    return {} if held else {loop.variable: found}


def is_number(expr: Expr, value: int) -> bool:
    return isinstance(expr, Const) and expr.value == value


def is_multiple(expr: Expr, strides: Mapping[str, Stride]) -> Stride | None:
    """The range of which the expression is `round * step`."""
    match expr:
        case Apply(op="multiply", args=(Ref(name=name), step)) if name in strides and strides[name].step == step:
            return strides[name]
        case _:
            return None


def is_element(expr: Expr, strides: Mapping[str, Stride]) -> Stride | None:
    """The range of which the expression is `start + round * step`."""
    match expr:
        case Apply(op="add", args=(start, multiple)):
            found = is_multiple(multiple, strides)
            return found if found is not None and found.start == start else None
        case _:
            return None
