"""Iterations that read ahead of their loop: `pairwise(x)`, and what `accumulate` goes through.

for a, b in pairwise(x):   ->   for p in range(len(x) - 1): a = x[p]; b = x[p + 1]

Needs: nobody writes to what is gone through, since the original has read some of it by then.
"""

from __future__ import annotations

import ast
import itertools

from autovec.diagnostics import Code
from autovec.frontend import owned, ranges, sharing
from autovec.frontend.expressions import lower
from autovec.frontend.iteration import Items, Nest, Trips, callee, is_iteration, iteration, over_value, positional
from autovec.frontend.scope import Scope
from autovec.frontend.values import Buffer, Elements, ListCell, TupleList, TupleValue, Value
from autovec.ir.nodes import Apply, Const, Expr
from autovec.ir.types import INT


def held_still(scope: Scope, node: ast.expr) -> Trips | Items | Nest:
    """An iteration that is read ahead of its loop, or all at once: nobody may write to what it goes through."""
    if isinstance(node, ast.Call) and is_iteration(scope, node):
        if callee(scope, node) is range:
            return iteration(scope, node)
        raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, "this iteration inside another")
    value = lower(scope, node)
    if isinstance(value, ListCell | TupleList | Buffer | Elements):
        raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, "an iteration ahead over a list that may grow")
    for cell in {*owned.reached(value)} & set(scope.ledger.cells):
        sharing.viewed(scope, cell)
    return over_value(scope, value, node)


def pairs(scope: Scope, node: ast.Call) -> Trips | Items:
    """`pairwise(x)`: each element and the next."""
    inner = held_still(scope, node.args[0])
    if isinstance(inner, Items):
        return Items(tuple(TupleValue(pair) for pair in itertools.pairwise(inner.values)))
    lengths, at = positional(scope, inner, node)
    forms = [scope.affine(length) for length in lengths]
    if None in forms:
        raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, "pairs of an unknown number of elements")

    def pair(s: Scope, e: Expr) -> Value:
        form = s.affine(e)
        following = ranges.to_expr(form + 1) if form is not None else Apply("add", (e, Const(1, INT)), INT)
        return TupleValue((at(s, e), at(s, following)))

    return Trips((Const(0, INT),), tuple(ranges.to_expr(f - 1) for f in forms if f is not None), 1, pair)
