"""Names that are None until something is found: the value beside a flag that says whether there is one.

    best = None                                best, best_found = 0.0, False
    for v in x:                                for v in x:
        if best is None or v < best:   -->         if not best_found or v < best:
            best = v                                   best, best_found = v, True
    return best                                return best (None unless best_found)

In: values of which one may be None. Out: `MaybeUnbound` values with `none`, and the tests that people make of them.
What uses one as a number where it is None raises in the original, so it is a fault here.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from autovec.frontend import liveness
from autovec.frontend.expressions import select
from autovec.frontend.scope import Scope, negation
from autovec.frontend.values import Computed, MaybeUnbound, Static, TupleValue, Value, Variable, View
from autovec.ir.nodes import Const, Expr, Select
from autovec.ir.types import BOOL, ScalarType


def is_none(value: Value | None) -> bool:
    return isinstance(value, Static) and value.value is None


def may_be_none(value: Value | None) -> bool:
    return isinstance(value, MaybeUnbound) and value.none


def stays_none(body: Sequence[ast.stmt], name: str) -> bool:
    """Is the name bound to nothing but None in the block?"""
    nodes = [n for statement in body for n in liveness.walk_scope(statement)]
    bound = sum(isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Store) for n in nodes)
    nothing = 0
    for node in nodes:
        match node:
            case ast.Assign(targets=targets, value=ast.Constant(value=None)):
                nothing += sum(isinstance(t, ast.Name) and t.id == name for t in targets)
            case _:
                pass
    return bound == nothing


def is_some(value: Value | None) -> bool:
    """A number, or a tuple of numbers, that can stand beside a flag."""
    if isinstance(value, TupleValue):
        return all(map(is_some, value.items))
    if isinstance(value, Static):
        return isinstance(value.value, bool | int | float | complex)
    return isinstance(value, Variable) or (isinstance(value, Computed) and isinstance(value.type, ScalarType))


def named(scope: Scope, node: ast.expr) -> MaybeUnbound | None:
    """The value of a name that may be None, without the fault that using it as a number is."""
    value = scope.env.get(node.id) if isinstance(node, ast.Name) else None
    return value if isinstance(value, MaybeUnbound) and value.none else None


def tested(scope: Scope, node: ast.Compare) -> Value | None:
    """`x is None`, `x is not None` of such a name; None for any other comparison."""
    match node:
        case ast.Compare(left=left, ops=[ast.Is() | ast.IsNot() as op], comparators=[ast.Constant(value=None)]):
            value = named(scope, left)
            if value is None:
                return None
            return Computed(value.bound if isinstance(op, ast.IsNot) else negation(value.bound))
        case _:
            return None


def joined(scope: Scope, test: Expr, yes: Value, no: Value, node: ast.AST) -> Value | None:
    """One of two values of which one may be None; None where they aren't such."""
    if not any(is_none(v) or may_be_none(v) for v in (yes, no)):
        return None
    if any(isinstance(v, MaybeUnbound) and not v.none for v in (yes, no)):
        return None  # what may be unbound isn't None there
    (a, here), (b, there) = parts(yes), parts(no)
    if not all(v is None or is_some(v) for v in (a, b)):
        return None
    present = here if here == there else Select(test, here, there, BOOL)
    if isinstance(here, Const) and isinstance(there, Const) and here != there:
        present = test if here.value else negation(test)
    value = a if b is None else b if a is None else select(scope, test, a, b, node)
    return Static(None) if value is None else MaybeUnbound(value, present, none=True)


def parts(value: Value) -> tuple[Value | None, Expr]:
    """The value where there is one, and whether there is."""
    if is_none(value):
        return None, Const(False, BOOL)
    if isinstance(value, MaybeUnbound):
        return value.value, value.bound
    return value, Const(True, BOOL)


def kept(scope: Scope, value: MaybeUnbound, hint: str, node: ast.AST) -> MaybeUnbound:
    """The value as it is now, whatever becomes of the cells that it is read from."""
    from autovec.frontend import subscripts
    from autovec.frontend.expressions import as_expr
    from autovec.frontend.tags import tag_of

    def now(one: Value) -> Value:
        if isinstance(one, TupleValue):
            return TupleValue(tuple(map(now, one.items)), one.constructor)
        if isinstance(one, View):
            return subscripts.new_cell(scope, hint, as_expr(scope, one, node), node, one.cell)
        tag = tag_of(scope, one)
        tag = None if tag is None else scope.define(f"{hint}_kind", tag, scope.span(node))
        return Computed(scope.define(hint, as_expr(scope, one, node), scope.span(node)), tag)

    return MaybeUnbound(now(value.value), scope.define(f"{hint}_found", value.bound, scope.span(node)), none=True)
