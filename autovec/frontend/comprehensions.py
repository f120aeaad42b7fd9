"""Comprehensions -> loops that fill an array or append to a list.

[f(m) for m in range(n)]          -->    items = empty(n); for m in range(n): items[m] = f(m)
[f(i, j) for i in a if c]         -->    items = []; for i in a: if c: items.append(f(i, j))
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import replace

from autovec.diagnostics import Code
from autovec.frontend import growing, liveness, loops, sequences, sharing, subscripts
from autovec.frontend.expressions import as_expr, lower, settled
from autovec.frontend.iteration import Items, Nest, Trips, fixed_length, iteration, position_of
from autovec.frontend.scope import Scope
from autovec.frontend.tags import fitted, tag_expr, tag_of
from autovec.frontend.truth import condition
from autovec.frontend.values import (
    ListArray,
    Static,
    TupleList,
    TupleValue,
    Value,
    View,
    sequence_type,
)
from autovec.ir.affine import Affine
from autovec.ir.nodes import (
    Alloc,
    Call,
    Const,
    Expr,
    For,
    Load,
    Point,
    Ref,
    SourceLoop,
)
from autovec.ir.types import INT, ArrayType, ScalarType

Comprehension = ast.ListComp | ast.GeneratorExp


def as_list(scope: Scope, node: Comprehension) -> Value:
    """The list that a comprehension makes."""
    scope = without_walruses(scope, node)
    first = node.generators[0]
    if len(node.generators) == 1 and not first.ifs and not first.is_async:
        trips = iteration(scope, first.iter)
        if isinstance(trips, Items):
            return TupleValue(tuple(element_for(scope, first.target, v, node) for v in trips.values), list)
        length = fixed_length(scope, trips)
        if length is not None and isinstance(trips, Trips):
            return filled(scope, node, trips, length)
    cell = growing.new_list(scope, "items", (), node)
    append_all(scope, cell, node)
    return cell


def without_walruses(scope: Scope, node: Comprehension) -> Scope:
    """The scope of a comprehension that binds names in its function by `:=`: none of them has a value in it yet.

    Refused where one is read outside of it: there it would be what the last iteration left.
    """
    names = {n.target.id for n in ast.walk(node) if isinstance(n, ast.NamedExpr)}
    if not names:
        return scope
    inside = {place_of(n) for n in ast.walk(node) if isinstance(n, ast.Name)}  # the node may be a copy
    read = (n for n in ast.walk(scope.home.node) if isinstance(n, ast.Name) and place_of(n) not in inside)
    outside = liveness.loaded(read)
    code = scope.home.code
    kept = names & outside | names - {*code.co_varnames, *code.co_cellvars}
    if kept:
        construct = f"the walrus of {min(kept)!r} in a comprehension, read outside of it"
        raise scope.blocked(node, Code.UNSUPPORTED_EXPRESSION, construct, "write the loop")
    return replace(scope, env={n: v for n, v in scope.env.items() if n not in names})


def place_of(node: ast.Name) -> tuple[int, int]:
    return node.lineno, node.col_offset


def element_for(scope: Scope, target: ast.expr, value: Value, node: Comprehension) -> Value:
    from autovec.frontend import assignment

    inner = replace(scope, env=dict(scope.env))
    assignment.bind(inner, target, value, sharing.an_element(node))
    return settled(inner, node.elt)


def filled(scope: Scope, node: Comprehension, trips: Trips, length: Affine) -> Value:
    """One clause without a filter: position `m - start` of an array of known length."""
    clause = node.generators[0]
    source = SourceLoop(ast.unparse(clause.target), scope.span(node), "comprehension")
    variable = scope.ledger.fresh(loops.target_hint(clause.target))
    inner = loops.inner_scope(scope, loops.trips_range(scope, variable, trips), "")
    bind_target(inner, clause.target, trips.at(inner, Ref(variable, INT)), clause.iter)
    value = lower(inner, node.elt)
    if not sharing.is_new(inner, value, node.elt):
        raise scope.blocked(node.elt, Code.UNSUPPORTED_STATEMENT, "one list as several elements of another", "copy it")
    if isinstance(value, TupleValue) and value.constructor is list and same_kinds(value):
        value = sequences.displayed(inner, value, node.elt) or value
    key = (0, id(node), "list")
    if isinstance(value, ListArray):
        key = scope.ledger.joins_of.get(value.view.cell, key)
    elif isinstance(value, TupleValue) and value.items:
        return tuples(scope, inner, node, trips, length, value, source, variable)
    expr, element, depth, tag = element_of(inner, value, node)
    if depth == 1 and element is not None and key in scope.ledger.joins:
        kinds = ScalarType(element.kinds | scope.ledger.joins[key].kinds)
        if kinds != element:
            tag = tag_expr(inner, value, expr, kinds)
            expr, element = fitted(inner, expr, kinds, node), kinds
    elif depth == 1 and element is not None:
        scope.ledger.joins[key] = element
    if any(s.names & {variable} for s in expr.type.shape):
        raise scope.blocked(node, Code.DYNAMIC_SHAPE, "a list of arrays of different lengths")
    position = position_of(scope, variable, trips)
    cells: list[View] = []
    for hint, one in (("items", expr), ("items_kind", tag)):
        if one is None:
            continue
        kind = ArrayType(one.type.dtype, (length, *one.type.shape))
        cell = scope.ledger.fresh(hint)
        scope.ledger.cells[cell] = kind
        scope.ledger.fresh_lists.add(cell)
        scope.ledger.depths[cell] = len(scope.loops)
        scope.emit(Alloc(cell, Call("zeros", (), (), kind), kind, scope.span(node), hint))
        whole = subscripts.whole(cell, kind)
        inner.store(cell, (Point(position, checked=True), *whole.index[1:]), one, scope.span(node.elt))
        cells.append(whole)
    scope.emit(For(variable, trips.start, trips.stop, trips.step, tuple(inner.statements), scope.guard, source))
    sharing.listed(scope, cells[0].cell, value, variable)
    scope.ledger.joins_of[cells[0].cell] = key
    rows = sequence_type(value) or list
    return ListArray(cells[0], element, depth, cells[1].cell if tag is not None else "", rows=rows)


def same_kinds(row: TupleValue) -> bool:
    """Numbers of one kind, known as such."""
    kinds = {type(i.value) if isinstance(i, Static) else getattr(i, "type", None) for i in row.items}
    return len(kinds) == 1 and not kinds & {None, tuple, list, str, type(None)}


def tuples(
    scope: Scope,
    inner: Scope,
    node: Comprehension,
    trips: Trips,
    length: Affine,
    value: TupleValue,
    source: SourceLoop,
    variable: str,
) -> Value:
    """A list of tuples: a list for each place in them."""
    position = position_of(scope, variable, trips)
    columns: list[Value] = []
    for item in value.items:
        expr, element, depth, tag = element_of(inner, item, node)
        if depth != 1 or any(s.names & {variable} for s in expr.type.shape):
            raise scope.blocked(node, Code.UNSUPPORTED_EXPRESSION, "a list of tuples of lists")
        cells: list[str] = []
        for one in (expr, tag):
            if one is not None:
                kind = ArrayType(one.type.dtype, (length, *one.type.shape))
                cell = scope.allocate("column", Call("zeros", (), (), kind), kind, scope.span(node))
                whole = subscripts.whole(cell, kind)
                inner.store(cell, (Point(position, checked=True), *whole.index[1:]), one, scope.span(node.elt))
                cells.append(cell)
        sharing.listed(scope, cells[0], item, variable)
        kind = ArrayType(expr.type.dtype, (length, *expr.type.shape))
        columns.append(ListArray(subscripts.whole(cells[0], kind), element, 1, cells[1] if tag is not None else ""))
    scope.emit(For(variable, trips.start, trips.stop, trips.step, tuple(inner.statements), scope.guard, source))
    return TupleList(tuple(columns), value.constructor)


def bind_target(inner: Scope, target: ast.expr, value: Value, node: ast.expr) -> None:
    """Comprehension targets are names of their own scope."""
    from autovec.frontend import assignment

    names = frozenset(liveness.assigned([target]))
    inner.enter(inner.levels_now(), {n: v for n, v in inner.env.items() if n not in names}, names)
    assignment.bind(inner, target, value, sharing.an_element(node))


def element_of(scope: Scope, value: Value, node: Comprehension) -> tuple[Expr, ScalarType | None, int, Expr | None]:
    """An element as an expression, the kinds of its scalars, how many lists deep it then is, and its tags."""
    if isinstance(value, ListArray):
        from autovec.frontend.expressions import load

        if value.depth > 1 and value.rows is not list:
            raise scope.blocked(node, Code.UNSUPPORTED_EXPRESSION, "a list of lists of tuples")

        tag = Load(value.tags, value.view.index, ArrayType(INT.dtype, value.view.type.shape)) if value.tags else None
        return load(scope, value.view, node), value.element, value.depth + 1, tag
    if isinstance(value, TupleValue) or (
        isinstance(value, Static) and not isinstance(value.value, int | float | complex)
    ):
        raise scope.blocked(
            node, Code.UNSUPPORTED_EXPRESSION, "a list of tuples or other objects", "make one list for each"
        )
    expr = as_expr(scope, value, node)
    if isinstance(expr.type, ScalarType):
        if expr.type.only is not None:
            return expr, expr.type, 1, None
        tag = tag_of(scope, value)
        if tag is None:
            raise scope.blocked(node, Code.UNSTABLE_TYPE, "an element whose type depends on the data")
        return expr, expr.type, 1, tag
    growing.refuse_axisless(scope, expr, node)
    return expr, None, 1, None


def append_all(scope: Scope, cell: Value, node: Comprehension) -> None:
    each(scope, node, 0, lambda s: growing.append(s, cell, lower(s, node.elt), node.elt))


def each(
    scope: Scope,
    node: Comprehension,
    k: int,
    body: Callable[[Scope], None],
    live: str = "",
    positions: Sequence[Expr] = (),
) -> None:
    """The clauses of a comprehension as loops and guards around `body`."""
    if k == 0:
        scope = without_walruses(scope, node)
    if k == len(node.generators):
        body(scope)
        return
    clause = node.generators[k]
    trips = iteration(scope, clause.iter)
    if clause.is_async:
        raise scope.blocked(node, Code.UNSUPPORTED_EXPRESSION, "this comprehension")
    if isinstance(trips, Nest):
        over_nest(
            scope, clause, trips, lambda s: filtered(s, clause.ifs, lambda t: each(t, node, k + 1, body, live)), live
        )
        return
    if isinstance(trips, Items):
        for number, value in enumerate(trips.values):
            inner = replace(scope, env=dict(scope.env), rounds=(*scope.rounds, number))
            bind_target(inner, clause.target, value, clause.iter)
            filtered(inner, clause.ifs, lambda s: each(s, node, k + 1, body, live))
        return
    source = SourceLoop(ast.unparse(clause.target), scope.span(clause.target), "comprehension")
    variable = scope.ledger.fresh(loops.target_hint(clause.target))
    inner = loops.inner_scope(scope, loops.trips_range(scope, variable, trips), live)
    bind_target(inner, clause.target, trips.at(inner, Ref(variable, INT)), clause.iter)
    filtered(inner, clause.ifs, lambda s: each(s, node, k + 1, body, live))
    scope.emit(For(variable, trips.start, trips.stop, trips.step, tuple(inner.statements), scope.guard, source, live))


def over_nest(scope: Scope, clause: ast.comprehension, nest: Nest, body: Callable[[Scope], None], live: str) -> None:
    """One loop in another for a clause over a product."""
    source = SourceLoop(ast.unparse(clause.target), scope.span(clause.target), "comprehension")

    def level(outer: Scope, k: int, around: list[Expr], values: list[Value]) -> None:
        if k == len(nest.parts):
            bind_target(outer, clause.target, nest.value(outer, values), clause.iter)
            body(outer)
            return
        trips = nest.parts[k](outer, around)
        variable = scope.ledger.fresh("ijk"[k] if k < 3 else "i")
        inner = loops.inner_scope(outer, loops.trips_range(outer, variable, trips), live)
        here = Ref(variable, INT)
        level(inner, k + 1, [*around, here], [*values, trips.at(inner, here)])
        outer.emit(
            For(variable, trips.start, trips.stop, trips.step, tuple(inner.statements), outer.guard, source, live)
        )

    level(scope, 0, [], [])


def filtered(scope: Scope, tests: Sequence[ast.expr], body: Callable[[Scope], None]) -> None:
    if not tests:
        body(scope)
        return
    test = condition(scope, tests[0])
    if isinstance(test, Const):
        if test.value:
            filtered(scope, tests[1:], body)
        return
    if not scope.affine_conditions(test):
        test = scope.define("condition", test, scope.span(tests[0]))
    with scope.under(test):
        filtered(scope, tests[1:], body)
