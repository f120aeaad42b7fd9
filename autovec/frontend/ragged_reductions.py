"""Sums, extremes and products of slices whose length changes, as accumulations over their elements."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from autovec.diagnostics import Code
from autovec.frontend import calls
from autovec.frontend.expressions import as_expr, take
from autovec.frontend.operators import operate
from autovec.frontend.ragged import ZERO, each, elements_of, elementwise, same_length
from autovec.frontend.scope import Scope
from autovec.frontend.values import Computed, Elements, Value, Variable
from autovec.ir.nodes import (
    Apply,
    Const,
    Expr,
    Load,
)
from autovec.ir.types import BOOL, INT, ScalarType


def accumulate(scope: Scope, node: ast.AST, part: Elements, op: str, start: Expr, first: int = 0) -> Value:
    """`total = total op element` over all elements."""
    if not isinstance(start.type, ScalarType):
        raise scope.blocked(node, Code.UNSUPPORTED_EXPRESSION, "a reduction of rows")
    kind = start.type
    cell = scope.allocate("total", start, kind, scope.span(node))

    def add(s: Scope, at: list[Expr]) -> None:
        value = as_expr(s, part.at(s, at), node)
        fitted = take(s, calls.call(np.dtype(kind.dtype).type, [value], {}, s.span(node)) or calls.Lowered(value), node)
        s.store(cell, (), Apply(op, (Load(cell, (), kind), fitted), kind), s.span(node))

    each(scope, node, part, add, first)
    return Variable(cell, kind)


def reduced(scope: Scope, node: ast.AST, name: str, part: Elements) -> Value:
    """`np.sum`, `np.mean`, `np.max` ... of all elements."""
    dtype = np.dtype(part.dtype)
    if name in ("sum", "mean", "prod", "count_nonzero"):
        if name == "mean" and dtype.kind in "iub":
            wide = np.dtype(np.float64)
        else:
            wide = np.dtype(np.uint64 if dtype.kind == "u" else np.int64) if dtype.kind in "iub" else dtype
        begin = take(
            scope,
            calls.call(wide.type, [Const(1 if name == "prod" else 0, INT)], {}, scope.span(node)) or no(scope, node),
            node,
        )
        total = accumulate(scope, node, part, "multiply" if name == "prod" else "add", begin)
        if name != "mean":
            return total
        count: Expr = Const(1, INT)
        for length in part.lengths:
            count = length if count == Const(1, INT) else Apply("multiply", (count, length), INT)
        scope.fault(Apply("less", (count, Const(1, INT)), BOOL), "the mean of nothing", scope.span(node))
        return operate(scope, node, "Div", total, Computed(count))
    if name in ("min", "max") and len(part.lengths) == 1:
        scope.fault(Apply("less", (part.lengths[0], Const(1, INT)), BOOL), "the extreme of nothing", scope.span(node))
        first = as_expr(scope, part.at(scope, [ZERO]), node)
        return accumulate(scope, node, part, "minimum" if name == "min" else "maximum", first, 1)
    if name in ("any", "all"):
        begin = take(
            scope, calls.call(np.bool_, [Const(name == "all", BOOL)], {}, scope.span(node)) or no(scope, node), node
        )
        return accumulate(scope, node, part, "logical_or" if name == "any" else "logical_and", begin)
    raise scope.blocked(
        node,
        Code.DYNAMIC_SHAPE,
        f"{name} of a slice whose length changes from one iteration to the next",
        "write the loop over its elements, or use a fixed length",
    )


def no(scope: Scope, node: ast.AST) -> calls.Lowered:
    raise scope.blocked(node, Code.UNSUPPORTED_EXPRESSION, "this reduction")


def product(scope: Scope, node: ast.AST, left: Value, right: Value) -> Value:
    """`a @ b` of vectors, and of a matrix with a vector."""
    a, b = elements_of(scope, left, node), elements_of(scope, right, node)
    ranks = (len(a.lengths), len(b.lengths))
    if ranks == (1, 1):
        pairs = elementwise(scope, node, (a, b), lambda s, v: operate(s, node, "Mult", v[0], v[1]))
        return (
            reduced(scope, node, "sum", replace(pairs, dtype=pairs.dtype))
            if pairs.dtype.kind != "b"
            else no_value(scope, node)
        )
    if ranks == (2, 1) or ranks == (1, 2):
        matrix, vector, axis = (a, b, 1) if ranks == (2, 1) else (b, a, 0)
        same_length(scope, matrix.lengths[axis], vector.lengths[0], node)

        def at(s: Scope, where: Sequence[Expr]) -> Value:
            row = replace(
                matrix,
                lengths=(matrix.lengths[axis],),
                limits=(matrix.limits[axis],),
                at=lambda t, k: matrix.at(t, [where[0], k[0]] if axis else [k[0], where[0]]),
                place=None,
            )
            return product(s, node, row, vector)

        dtype = np.result_type(a.dtype, b.dtype)
        return Elements((matrix.lengths[1 - axis],), (matrix.limits[1 - axis],), dtype, at, None)
    return no_value(scope, node)


def no_value(scope: Scope, node: ast.AST) -> Value:
    raise scope.blocked(
        node,
        Code.DYNAMIC_SHAPE,
        "a product of slices whose length changes from one iteration to the next",
        "write the loop over its elements, or use a fixed length",
    )


def outer(scope: Scope, node: ast.AST, left: Value, right: Value) -> Elements:
    """`np.outer(a, b)` of vectors."""
    a, b = elements_of(scope, left, node), elements_of(scope, right, node)
    if len(a.lengths) != 1 or len(b.lengths) != 1:
        no_value(scope, node)

    def at(s: Scope, where: Sequence[Expr]) -> Value:
        return operate(s, node, "Mult", a.at(s, where[:1]), b.at(s, where[1:]))

    return Elements((*a.lengths, *b.lengths), (*a.limits, *b.limits), np.result_type(a.dtype, b.dtype), at, None)
