"""A line of an array assigned to another line of it: NumPy copies one element after the other, in one direction or the other.

    A[:, i] = A[i]       they meet in one element, which stays what it is            nothing to do
    A[:, i] = A[j]       A[j, i] is written before it is read, or after              fault: j != i
    a[::2] = a[:n // 2]  strides differ: what is written is read again               fault

Where elements move at the same stride, or the target has more axes, NumPy reads all before it writes. Else the direction
follows from the addresses, which aren't known here: such a call is left to the original.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, replace

from autovec.diagnostics import Code
from autovec.frontend import ragged, ranges, sharing
from autovec.frontend.scope import Scope, conjunction
from autovec.frontend.values import Computed, Elements, View
from autovec.ir.affine import Affine
from autovec.ir.nodes import Apply, Const, Expr, Load, Point, Ref
from autovec.ir.types import BOOL, INT, ArrayType, rank

REASON = "an array assigned to a part of itself, element after element"


@dataclass(frozen=True, slots=True)
class Line:
    """The elements of a one-dimensional slice: along one axis of the cell, at fixed places of the others."""

    cell: str
    fixed: tuple[Expr | None, ...]  # None: the axis along which the elements lie
    axis: int
    start: Affine
    step: int


def check_view(scope: Scope, target: View, value: View | Computed, node: ast.AST) -> None:
    """What `check` asks, of a value that may be a view of the target's cell."""
    if rank(target.type) != 1 or rank(value.type) != 1 or sharing.cell_of(value) != target.cell:
        return
    match value:
        case View():
            source = value
        case Computed(expr=Load(cell=cell, index=index, type=ArrayType() as kind)) if cell == target.cell:
            source = View(cell, index, kind)
        case _:
            raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, REASON, "copy it first: `.copy()`")
    check(scope, ragged.elements_of(scope, target, node), ragged.elements_of(scope, source, node), node)


def check(scope: Scope, target: Elements, source: Elements, node: ast.AST) -> None:
    """A fault where the assignment would read elements that it has already written."""
    if len(target.lengths) != 1 or len(source.lengths) != 1 or source.lengths == (Const(1, INT),):
        return
    to, of = line_of(scope, target, node), line_of(scope, source, node)
    if to is None or of is None or to.cell != of.cell:
        return
    meet = (along_one_axis if to.axis == of.axis else across)(scope, to, of, target.lengths[0])
    if meet is None:
        return
    condition: Expr | None = None
    for part in meet:
        condition = conjunction(condition, part)
    if condition is None:
        raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, REASON, "copy it first: `.copy()`")
    scope.fault(condition, REASON, scope.span(node))


def line_of(scope: Scope, part: Elements, node: ast.AST) -> Line | None:
    """Where the elements lie, asked for element k."""
    if part.place is None:
        return None
    name = scope.ledger.fresh("k")
    probe = replace(scope, statements=[], guard=None)
    view = part.place(probe, [Ref(name, INT)])
    fixed: list[Expr | None] = []
    axis, start, step = -1, Affine.number(0), 0
    for k, one in enumerate(view.index):
        form = scope.affine(one.at) if isinstance(one, Point) else None
        if form is not None and name in form.names:
            axis, start, step = k, form.without([name]), form.coefficient(name)
            fixed.append(None)
        else:
            fixed.append(one.at if isinstance(one, Point) else None)
    if probe.statements or fixed.count(None) != 1 or axis < 0:
        raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, "a slice assigned to another slice of the same array")
    return Line(view.cell, tuple(fixed), axis, start, step)


def along_one_axis(scope: Scope, to: Line, of: Line, length: Expr) -> list[Expr] | None:
    """When two lines of one direction hold a common element; None where that can't be, or doesn't matter."""
    if to.step == of.step or to.step * of.step < 0:
        return None
    conditions = places_agree(scope, to, of, (to.axis,))
    size = scope.affine(length)
    if conditions is None or size is None:
        return conditions
    ends = [(line.start, line.start + (size - 1) * line.step) for line in (to, of)]
    (low, high), (least, most) = (
        pair if line.step > 0 else pair[::-1] for pair, line in zip(ends, (to, of), strict=True)
    )
    for a, b in ((high, least), (most, low)):
        if ranges.holds_everywhere(scope, b - a - 1):
            return None
        conditions.append(Apply("greater_equal", (ranges.to_expr(a), ranges.to_expr(b)), BOOL))
    return conditions


def across(scope: Scope, to: Line, of: Line, length: Expr) -> list[Expr] | None:
    """When a row and a column meet in an element that isn't the same one of both."""
    conditions = places_agree(scope, to, of, (to.axis, of.axis))
    if conditions is None or abs(to.step) != 1 or abs(of.step) != 1:
        return conditions
    written, read = of.fixed[to.axis], to.fixed[of.axis]
    assert written is not None and read is not None
    hits: list[Affine | None] = []
    for at, line in ((written, to), (read, of)):
        form = scope.affine(at)
        hits.append(None if form is None else (form - line.start) * line.step)
    first, second = hits
    size = scope.affine(length)
    if first is None or second is None:
        return conditions
    if first == second:
        return None
    for hit in (first, second):
        if ranges.holds_everywhere(scope, Affine.number(-1) - hit):
            return None
        conditions.append(Apply("greater_equal", (ranges.to_expr(hit), Const(0, INT)), BOOL))
        if size is not None and ranges.holds_everywhere(scope, hit - size):
            return None
        conditions.append(Apply("less", (ranges.to_expr(hit), length), BOOL))
    conditions.append(Apply("not_equal", (ranges.to_expr(first), ranges.to_expr(second)), BOOL))
    return conditions


def places_agree(scope: Scope, to: Line, of: Line, but: Sequence[int]) -> list[Expr] | None:
    """Are both at the same place of the other axes? None where they never are."""
    conditions: list[Expr] = []
    for k, (a, b) in enumerate(zip(to.fixed, of.fixed, strict=True)):
        if k in but or a == b or a is None or b is None:
            continue
        x, y = scope.affine(a), scope.affine(b)
        if x is not None and y is not None:
            if any(ranges.holds_everywhere(scope, d - 1) for d in (x - y, y - x)):
                return None
        conditions.append(Apply("equal", (a, b), BOOL))
    return conditions
