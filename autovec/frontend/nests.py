"""Several loops as one iteration: products, combinations, `np.ndindex`, `np.ndenumerate`."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

import numpy as np

from autovec.diagnostics import Code
from autovec.frontend import ranges
from autovec.frontend.expressions import as_expr, lower
from autovec.frontend.iteration import Nest, Trips, counted, iteration, positional
from autovec.frontend.scope import Scope
from autovec.frontend.values import Computed, Static, TupleValue, Value
from autovec.ir.nodes import Const, Expr
from autovec.ir.types import INT, rank


def as_tuple(scope: Scope, values: Sequence[Value]) -> Value:
    return TupleValue(tuple(values))


def constant_part(trips: Trips) -> Callable[[Scope, Sequence[Expr]], Trips]:
    return lambda scope, around: trips


def nest(scope: Scope, node: ast.Call, function: object) -> Nest:
    """`product(range(n), x)`, `np.ndindex(n, m)`, `np.ndindex(a.shape)`."""
    parts: list[Trips] = []
    if function is np.ndindex:
        values = [lower(scope, a) for a in node.args]
        if len(values) == 1 and isinstance(values[0], TupleValue):
            values = list(values[0].items)
        for value in values:
            form = scope.affine(as_expr(scope, value, node))
            if form is None:
                raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, "np.ndindex over unknown sizes")
            parts.append(counted(scope, form, lambda s, e: Computed(e)))
    else:
        for arg in node.args:
            part = iteration(scope, arg)
            if not isinstance(part, Trips):
                raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, "this form of product")
            parts.append(part)
        repeat = [k.value for k in node.keywords if k.arg == "repeat"]
        if repeat and len(node.keywords) == 1:
            times = lower(scope, repeat[0])
            if isinstance(times, Static) and type(times.value) is int and 0 < times.value <= 4:
                return Nest(tuple(map(constant_part, parts * times.value)), as_tuple, pooled=True)
    if node.keywords or not parts:
        raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, "this form of product")
    return Nest(tuple(map(constant_part, parts)), as_tuple, pooled=function is not np.ndindex)


def combinations(scope: Scope, node: ast.Call, apart: int) -> Nest:
    """`combinations(range(n), 2)`: each loop starts after the one around it."""
    count = lower(scope, node.args[1]) if len(node.args) == 2 else None
    if not isinstance(count, Static) or type(count.value) is not int or not 1 <= count.value <= 4:
        raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, "combinations of an unknown number")
    lengths, at = positional(scope, iteration(scope, node.args[0]), node)

    def part(s: Scope, around: Sequence[Expr]) -> Trips:
        start: Expr = Const(0, INT)
        if around:
            form = s.affine(around[-1])
            start = ranges.to_expr(form + apart) if form is not None else around[-1]
        return Trips((start,), lengths, 1, at)

    return Nest((part,) * count.value, as_tuple, pooled=True)


def indexed_elements(scope: Scope, node: ast.Call) -> Nest:
    """`np.ndenumerate(a)`: the subscripts and the element there."""
    from autovec.frontend import subscripts

    view = subscripts.as_view(scope, lower(scope, node.args[0]), node)
    if rank(view.type) == 0:
        raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, "np.ndenumerate of a 0-d array")

    def value(s: Scope, at: Sequence[Value]) -> Value:
        chosen, _ = subscripts.apply(s, view, [(v, node) for v in at], node)
        return TupleValue((TupleValue(tuple(at)), Computed(subscripts.element(s, chosen, node))))

    parts = (constant_part(counted(scope, size, lambda s, e: Computed(e))) for size in view.type.shape)
    return Nest(tuple(parts), value)
