"""Comparisons of lists and tuples: as a whole, item by item, where one of them isn't an array.

(d, j) < (best, k)     -->    d < best, or j < k where d == best
a.shape == (3, n)      -->    a.shape[0] == 3 and a.shape[1] == n
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Sequence

from autovec.diagnostics import Code
from autovec.frontend import sequences, truth
from autovec.frontend.expressions import as_expr, select
from autovec.frontend.scope import Scope, conjunction, negation
from autovec.frontend.values import Computed, Static, Value, Variable, View, sequence_type
from autovec.ir.nodes import Apply, Const, Expr
from autovec.ir.types import BOOL, ArrayType, Origin, ScalarType

ORDERINGS: dict[type[ast.cmpop], Callable[[int, int], bool]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


def compared(scope: Scope, node: ast.expr, op: ast.cmpop, a: Value, b: Value) -> Value | None:
    """A comparison with a list or a tuple; None where there is none, or NumPy compares each of its elements."""
    kinds = (sequence_type(a), sequence_type(b))
    if kinds == (None, None) or by_element(a) or by_element(b):
        return None
    if kinds[0] is not kinds[1]:
        return of_different_types(scope, node, op, a, b)
    if isinstance(op, ast.Eq | ast.NotEq):
        same = equality(scope, node, a, b)
        if isinstance(same, Const):
            return Static(same.value is isinstance(op, ast.Eq))
        return Computed(same if isinstance(op, ast.Eq) else negation(same))
    first, second = sequences.as_row(a), sequences.as_row(b)
    if first is None or second is None:
        raise scope.blocked(node, Code.UNSUPPORTED_EXPRESSION, "two lists compared")
    return ordered(scope, node, op, first.items, second.items)


def by_element(value: Value) -> bool:
    """Does NumPy take the comparison over: an array, or one of its numbers?"""
    match value:
        case Static(value=held):
            return hasattr(held, "dtype")
        case View() | Computed() | Variable():
            return isinstance(value.type, ArrayType) or all(k.origin is Origin.NUMPY for k in value.type.kinds)
        case _:
            return sequence_type(value) is None


def of_different_types(scope: Scope, node: ast.expr, op: ast.cmpop, a: Value, b: Value) -> Value:
    """A list and a tuple, or one of them and a number: never equal, and in no order."""
    for value in (a, b):
        kind = value.type if isinstance(value, Computed | Variable) else None
        if isinstance(kind, ScalarType) and any(k.origin is Origin.NUMPY for k in kind.kinds):
            raise scope.blocked(node, Code.UNSTABLE_TYPE, "a sequence and a number whose type depends on the data")
    if not isinstance(op, ast.Eq | ast.NotEq):
        raise scope.blocked(node, Code.RAISES, "an order of things of different types")
    return Static(isinstance(op, ast.NotEq))


def equality(scope: Scope, node: ast.expr, a: Value, b: Value) -> Expr:
    """Are two sequences of one type equal?"""
    first, second = sequences.as_row(a), sequences.as_row(b)
    if first is not None and second is not None:
        if len(first.items) != len(second.items):
            return Const(False, BOOL)
        same: Expr = Const(True, BOOL)
        for x, y in zip(first.items, second.items, strict=True):
            same = both(same, equal(scope, node, x, y))
        return same
    for row, other in ((first, b), (second, a)):
        if row is not None and not row.items:
            return negation(truth.condition_of(scope, other, node))
    raise scope.blocked(node, Code.UNSUPPORTED_EXPRESSION, "two lists compared")


def equal(scope: Scope, node: ast.expr, a: Value, b: Value) -> Expr:
    """`a == b` of two items; a NaN is equal to itself where it is the very same object, which is not known."""
    if a == b and isinstance(a, Static) and a.value == a.value:
        return Const(True, BOOL)
    found = truth.condition_of(scope, truth.one_comparison(scope, node, ast.Eq(), a, b), node)
    if sequence_type(a) is None and sequence_type(b) is None and not isinstance(found, Const):
        unsure = [Apply("isnan", (e,), BOOL) for e in (as_expr(scope, v, node) for v in (a, b)) if may_be_nan(e)]
        if len(unsure) == 2:
            scope.fault(conjunction(unsure[0], unsure[1]), "NaN compared with NaN", scope.span(node))
    return found


def may_be_nan(expr: Expr) -> bool:
    return expr.type.dtype.kind in "fc" and not isinstance(expr, Const)


def ordered(scope: Scope, node: ast.expr, op: ast.cmpop, a: Sequence[Value], b: Sequence[Value]) -> Value:
    """The first pair that isn't equal decides, then the lengths."""
    result: Value = Static(ORDERINGS[type(op)](len(a), len(b)))
    for k, (x, y) in reversed([*enumerate(zip(a, b, strict=False))]):
        same = equal(scope, node, x, y)
        one = truth.one_comparison(scope, node, op, x, y)
        if isinstance(same, Const):
            result = result if same.value else one
        elif k == len(a) - 1 == len(b) - 1 and getattr(one, "type", None) == BOOL:
            result = one  # of equal items it says what the lengths do
        else:
            result = select(scope, same, result, one, node)
    return result


def both(a: Expr, b: Expr) -> Expr:
    for one, other in ((a, b), (b, a)):
        if isinstance(one, Const):
            return other if one.value else one
    return conjunction(a, b)
