"""`itertools.accumulate` and `functools.reduce`: a total that a loop carries, kept at every step or at the end.

accumulate(x)              -->    items[0] = x[0]; for i in range(1, len(x)): items[i] = items[i - 1] + x[i]
reduce(f, x, start)        -->    total = start; for v in x: total = f(total, v)
"""

from __future__ import annotations

import ast
import functools
from dataclasses import replace

from autovec.diagnostics import Code
from autovec.frontend import ahead, folds, ranges, subscripts
from autovec.frontend.expressions import as_expr, lower
from autovec.frontend.iteration import Trips, iteration, positional
from autovec.frontend.operators import operate
from autovec.frontend.scope import Scope
from autovec.frontend.values import Computed, ListArray, Value
from autovec.ir.nodes import Call, Const, Expr, For, Load, Point, Ref, SourceLoop
from autovec.ir.types import INT, ArrayType, ScalarType


@functools.lru_cache(maxsize=256)
def call_of_two(node: ast.Call) -> ast.Call:
    """A call of the function of two that a reduction is given."""
    names: list[ast.expr] = [ast.Name("total so far", ast.Load()), ast.Name("next item", ast.Load())]
    return ast.fix_missing_locations(ast.copy_location(ast.Call(ast.Name("of two", ast.Load()), names, []), node))


def combined(scope: Scope, node: ast.Call, function: Value | None, total: Value, item: Value) -> Value:
    """`function(total, item)`, or their sum."""
    from autovec.frontend import invoke

    if function is None:
        return operate(scope, node, "Add", total, item)
    inner = replace(scope, env={**scope.env, "total so far": total, "next item": item})
    inner.statements = scope.statements
    return invoke.called(inner, call_of_two(node), function)


def totals(scope: Scope, node: ast.Call) -> ListArray:
    """What `accumulate` goes through: a list; numbers of one kind."""
    from autovec.frontend import loops

    if not 1 <= len(node.args) <= 2 or node.keywords:
        raise scope.blocked(node, Code.UNSUPPORTED_EXPRESSION, "this form of accumulate")
    function = lower(scope, node.args[1]) if len(node.args) == 2 else None
    trips = ahead.held_still(scope, node.args[0])
    lengths, at = positional(scope, trips, node)
    size = scope.affine(lengths[0])
    if (
        len(lengths) != 1
        or size is None
        or not ranges.is_parametric(scope, size)
        or not ranges.require(scope, size - 1)
    ):
        raise scope.blocked(node, Code.UNSUPPORTED_EXPRESSION, "an accumulation of an unknown number of elements")
    first = as_expr(scope, at(scope, Const(0, INT)), node)
    if not isinstance(first.type, ScalarType) or first.type.only is None:
        raise scope.blocked(node, Code.UNSUPPORTED_EXPRESSION, "an accumulation of arrays")
    kind = ArrayType(first.type.dtype, (size,))
    view = subscripts.new_cell(scope, "totals", Call("zeros", (), (), kind), node)
    scope.store(view.cell, (Point(Const(0, INT), checked=True),), first, scope.span(node))
    variable = scope.ledger.fresh("i")
    around = Trips((Const(1, INT),), lengths, 1, at)
    inner = loops.inner_scope(scope, loops.trips_range(scope, variable, around), "")
    here: Expr = Ref(variable, INT)
    form = inner.affine(here)
    before = ranges.to_expr(form - 1) if form is not None else here
    total = Computed(Load(view.cell, (Point(before, checked=True),), first.type))
    value = as_expr(inner, combined(inner, node, function, total, at(inner, here)), node)
    if value.type != first.type:
        raise scope.blocked(node, Code.UNSTABLE_TYPE, "an accumulation whose kind of number changes")
    inner.store(view.cell, (Point(here, checked=True),), value, scope.span(node))
    source = SourceLoop("", scope.span(node), "comprehension")
    scope.emit(For(variable, around.start, around.stop, 1, tuple(inner.statements), scope.guard, source))
    scope.ledger.fresh_lists.add(view.cell)
    return ListArray(view, first.type)


@functools.lru_cache(maxsize=256)
def rest_of(items: ast.expr, whole: bool) -> ast.GeneratorExp:
    """The elements, or those after the first."""
    first = ast.Slice(ast.Constant(1), None, None)
    source = items if whole else ast.Subscript(items, first, ast.Load())
    clause = ast.comprehension(ast.Name("", ast.Store()), source, [], 0)
    made = ast.GeneratorExp(ast.Name("", ast.Load()), [clause])
    return ast.fix_missing_locations(ast.copy_location(made, items))


def reduced(scope: Scope, node: ast.Call) -> Value:
    """`reduce(function, items)`, `reduce(function, items, start)`."""
    if not 2 <= len(node.args) <= 3 or node.keywords:
        raise scope.blocked(node, Code.UNSUPPORTED_EXPRESSION, "this form of reduce")
    function = lower(scope, node.args[0])
    if len(node.args) == 3:
        start, elements = lower(scope, node.args[2]), rest_of(node.args[1], True)
    else:
        if not isinstance(node.args[1], ast.Name):
            raise scope.blocked(node, Code.UNSUPPORTED_EXPRESSION, "reduce of this without a start", "give it a start")
        lengths, at = positional(scope, iteration(scope, node.args[1]), node)
        size = scope.affine(lengths[0])
        if len(lengths) != 1 or size is None or not ranges.require(scope, size - 1):
            raise scope.blocked(node, Code.UNSUPPORTED_EXPRESSION, "reduce of an unknown number of elements")
        start, elements = at(scope, Const(0, INT)), rest_of(node.args[1], False)
    inner = replace(scope, env={**scope.env, "of two": function})
    inner.statements = scope.statements
    return folds.fold(inner, node, elements, start, lambda s, total, item: combined(s, node, function, total, item))
