"""Lists that a counted loop appends to once a round: arrays of known length, filled by position.

    out = []                                 out = a list of n elements
    for i in range(n):             -->       for i in range(n):
        out.append(f(i))                         out[i] = f(i)

A loop may then stay sequential for other reasons; an append inside it would need a length that isn't known.
"""

from __future__ import annotations

import ast
from dataclasses import replace

from autovec.diagnostics import Code
from autovec.frontend import carried, growing, liveness, sequences, sharing, subscripts
from autovec.frontend.expressions import as_expr
from autovec.frontend.iteration import Trips, fixed_length, position_of
from autovec.frontend.scope import ListInfo, Scope
from autovec.frontend.tags import fitted, joined, tag_expr
from autovec.frontend.values import ListArray, ListCell, Value, View
from autovec.ir.affine import Affine
from autovec.ir.nodes import Call, Point
from autovec.ir.types import INT, ArrayType, ScalarType, Type


def candidates(scope: Scope, node: ast.For, trips: Trips) -> dict[str, ListCell]:
    """Names of empty lists, the only ones of these, that every round of the loop appends to, exactly once."""
    if scope.guard is not None or fixed_length(scope, trips) is None:
        return {}
    if liveness.may_jump(node.body, (ast.Break, ast.Continue)) or liveness.may_return(node.body):
        return {}
    found: dict[str, ListCell] = {}
    for statement in node.body:
        match statement:
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="append"), args=[_])):
                value = scope.env.get(name)
                uses = sum(isinstance(n, ast.Name) and n.id == name for s in node.body for n in ast.walk(s))
                if not isinstance(value, ListCell) or uses != 1 or sharing.places(scope, value) != 1:
                    continue
                info = scope.ledger.lists[value.cell]
                if info.element is None and info.depth == len(scope.loops) and info.length == Affine.number(0):
                    found[name] = value
            case _:
                pass
    return found


def prepare(scope: Scope, inner: Scope, lists: dict[str, ListCell], trips: Trips, variable: str, node: ast.AST) -> None:
    """Make arrays of the lists whose elements are known by now."""
    length = fixed_length(scope, trips)
    for name, value in lists.items():
        key = scope.ledger.lists[value.cell].key
        element = scope.ledger.filled.get(key)
        if element is None or length is None:
            continue
        view = allocated(scope, name, element, length, node)
        kinds, depth = scope.ledger.rows.get(key, (element if isinstance(element, ScalarType) else None, 0))
        made = ListArray(view, kinds, depth + 1)
        if kinds is not None and kinds.only is None:
            shape = ArrayType(INT.dtype, view.type.shape[1:])
            tags = allocated(scope, f"{name}_kind", shape, length, node).cell
            made = replace(made, tags=tags)
        scope.env[name] = inner.env[name] = made
        scope.ledger.joins_of[made.view.cell] = key
        inner.filling = {**inner.filling, name: position_of(scope, variable, trips)}


def allocated(scope: Scope, hint: str, element: Type, length: Affine, node: ast.AST) -> View:
    kind = ArrayType(element.dtype, (length, *element.shape))
    cell = scope.allocate(hint, Call("zeros", (), (), kind), kind, scope.span(node))
    scope.ledger.fresh_lists.add(cell)
    return subscripts.whole(cell, kind)


def learn(scope: Scope, lists: dict[str, ListCell], owner: tuple[int, int]) -> None:
    """After the first lowering: the elements are known, so the loop is lowered again."""
    news = False
    for value in lists.values():
        info = scope.ledger.lists[value.cell]
        if info.key not in scope.ledger.filled and info.element is not None:
            if not any(s.names & {r.variable for r in scope.loops} for s in info.element.shape):
                scope.ledger.filled[info.key] = info.element
                if info.rows is not None:
                    scope.ledger.rows[info.key] = info.rows
                news = True
    if news:
        raise carried.Widened(owner)


def put(scope: Scope, name: str, target: ListArray, value: Value, node: ast.AST) -> None:
    """This round's append."""
    key = scope.ledger.joins_of[target.view.cell]
    before = ListInfo(target.element, None, 0, key, rows=scope.ledger.rows.get(key))
    after = growing.given_away(scope, before, target.view.cell, value, node)
    if after.rows != before.rows:
        raise scope.blocked(node, Code.UNSTABLE_TYPE, "a list of lists of several kinds")
    if after.shares:
        scope.ledger.sharing.add(target.view.cell)
    expr = as_expr(scope, sequences.list_view(scope, value, node) if sequences.is_list(value) else value, node)
    at = Point(scope.filling[name], checked=True)
    whole = subscripts.whole(target.view.cell, target.view.type)
    if target.element is None or target.depth > 1:
        if expr.type != ArrayType(target.view.type.dtype, target.view.type.shape[1:]):
            raise scope.blocked(node, Code.UNSTABLE_TYPE, f"a list of {target.view.type} and {expr.type}")
        if target.tags:
            which = growing.row_tags(scope, value, node)
            scope.store(target.tags, (at, *whole.index[1:]), which, scope.span(node))
        scope.store(target.view.cell, (at, *whole.index[1:]), expr, scope.span(node))
        return
    if not isinstance(expr.type, ScalarType):
        raise scope.blocked(node, Code.UNSTABLE_TYPE, f"a list of {target.element} and {expr.type}")
    if not expr.type.kinds <= target.element.kinds:
        scope.ledger.joins[key] = joined(scope, target.element, expr.type, node)
        raise carried.Widened(key)
    if target.tags:
        scope.store(target.tags, (at,), tag_expr(scope, value, expr, target.element), scope.span(node))
    scope.store(target.view.cell, (at,), fitted(scope, expr, target.element, node), scope.span(node))
