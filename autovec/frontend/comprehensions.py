"""Comprehensions and generators -> loops that fill an array, append to a list, or accumulate.

[f(m) for m in range(n)]          -->    items = empty(n); for m in range(n): items[m] = f(m)
[f(i, j) for i in a if c]         -->    items = []; for i in a: if c: items.append(f(i, j))
sum(f(i) for i in range(n))       -->    total = 0; for i in range(n): total = total + f(i)
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import replace

from autovec.diagnostics import Code
from autovec.frontend import buffers, carried, growing, liveness, loops, ranges, sequences, sharing, subscripts
from autovec.frontend.expressions import as_expr, lower, operate, settled
from autovec.frontend.iteration import Items, Nest, Trips, fixed_length, iteration, position_of
from autovec.frontend.scope import Scope, negation
from autovec.frontend.tags import fitted, tag_expr, tag_of
from autovec.frontend.truth import condition, condition_of
from autovec.frontend.values import (
    Buffer,
    Computed,
    ListArray,
    ListCell,
    Static,
    TupleList,
    TupleValue,
    Value,
    Variable,
    View,
)
from autovec.ir.affine import Affine
from autovec.ir.nodes import (
    Alloc,
    Apply,
    Call,
    Const,
    Def,
    Expr,
    Fault,
    For,
    Load,
    Point,
    Ref,
    SourceLoop,
    Stmt,
    Store,
)
from autovec.ir.types import BOOL, INT, ArrayType, ScalarType, rank

Comprehension = ast.ListComp | ast.GeneratorExp


def as_list(scope: Scope, node: Comprehension) -> Value:
    """The list that a comprehension makes."""
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


def element_for(scope: Scope, target: ast.expr, value: Value, node: Comprehension) -> Value:
    from autovec.frontend import assignment

    inner = replace(scope, env=dict(scope.env))
    assignment.bind(inner, target, value, node)
    return settled(inner, node.elt)


def filled(scope: Scope, node: Comprehension, trips: Trips, length: Affine) -> Value:
    """One clause without a filter: position `m - start` of an array of known length."""
    clause = node.generators[0]
    source = SourceLoop(ast.unparse(clause.target), scope.span(node), "comprehension")
    variable = scope.ledger.fresh(loops.target_hint(clause.target))
    inner = loops.inner_scope(scope, loops.trips_range(scope, variable, trips), "")
    bind_target(inner, clause.target, trips.at(inner, Ref(variable, INT)), clause.iter)
    value = lower(inner, node.elt)
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
    if isinstance(expr.type, ArrayType) and element is None and sharing.cell_of(value):
        sharing.listed(scope, cells[0].cell, value, variable)
    scope.ledger.joins_of[cells[0].cell] = key
    return ListArray(cells[0], element, depth, cells[1].cell if tag is not None else "")


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
        kind = ArrayType(expr.type.dtype, (length, *expr.type.shape))
        columns.append(ListArray(subscripts.whole(cells[0], kind), element, 1, cells[1] if tag is not None else ""))
    scope.emit(For(variable, trips.start, trips.stop, trips.step, tuple(inner.statements), scope.guard, source))
    return TupleList(tuple(columns), value.constructor)


def bind_target(inner: Scope, target: ast.expr, value: Value, node: ast.expr) -> None:
    """Comprehension targets are names of their own scope."""
    from autovec.frontend import assignment

    for name in liveness.assigned([target]):
        inner.env.pop(name, None)
    assignment.bind(inner, target, value, node)


def element_of(scope: Scope, value: Value, node: Comprehension) -> tuple[Expr, ScalarType | None, int, Expr | None]:
    """An element as an expression, the kinds of its scalars, how many lists deep it then is, and its tags."""
    if isinstance(value, ListArray):
        from autovec.frontend.expressions import load

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
        for value in trips.values:
            inner = replace(scope, env=dict(scope.env))
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


# ---------------------------------------------------------------- generators that are consumed at once


def consumed(scope: Scope, function: object, node: ast.Call, elements: Comprehension) -> Value:
    """`sum`, `min`, `max`, `any`, `all` of a comprehension or generator."""
    if function is sum:
        start = lower(scope, node.args[1]) if len(node.args) > 1 else Static(0)
        return fold(scope, node, elements, start, lambda s, total, value: operate(s, elements, "Add", total, value))
    if function in (any, all):
        return quantified(scope, function is any, elements)
    return extreme(scope, function, node, elements)


def fold(
    scope: Scope,
    node: ast.AST,
    elements: Comprehension,
    start: Value,
    step: Callable[[Scope, Value, Value], Value],
) -> Value:
    """A carried total; its kind widens until it holds (an empty sum stays the int 0)."""
    first = as_expr(scope, start, node)
    if not isinstance(first.type, ScalarType):
        return fold_arrays(scope, node, elements, first, step)
    key = (id(elements), 0, "total")
    restart = carried.Checkpoint(scope)
    for _ in range(4):
        kinds = scope.ledger.joins.setdefault(key, first.type)
        cell = scope.allocate("total", fitted(scope, first, kinds, node), kinds, scope.span(node))
        tag = ""
        if kinds.only is None:
            tag = scope.allocate("total_kind", tag_expr(scope, start, first, kinds), INT, scope.span(node))
        scope.ledger.owners[cell] = key
        ends: list[Variable] = []

        held = Variable(cell, kinds, tag)

        def add(s: Scope, held: Variable = held, ends: list[Variable] = ends) -> None:
            value = lower(s, elements.elt)
            ends.append(carried.assign_variable(s, "total", held, step(s, held, value), elements))

        try:
            each(scope, elements, 0, add)
        except carried.Widened as widened_:
            if widened_.owner != (id(elements), 0):
                raise
            restart.undo(scope)
            continue
        once = len(elements.generators) == 1 and not elements.generators[0].ifs and sure_to_run(scope, elements)
        after = frozenset().union(*(e.type.kinds for e in ends))
        return Variable(cell, ScalarType(after if once else after | first.type.kinds), tag)
    raise scope.blocked(node, Code.UNSTABLE_TYPE, "a total whose type keeps changing")


def sure_to_run(scope: Scope, elements: Comprehension) -> bool:
    trips = iteration(scope, elements.generators[0].iter)
    return isinstance(trips, Trips) and carried.runs_once(scope, trips)


def fold_arrays(scope: Scope, node: ast.AST, elements: Comprehension, first: Expr, step: object) -> Value:
    raise scope.blocked(node, Code.UNSUPPORTED_EXPRESSION, "a sum that starts from an array")


def quantified(scope: Scope, is_any: bool, elements: Comprehension) -> Value:
    """`any`, `all`: what comes after the deciding element isn't evaluated, so it can't fault."""
    before = len(scope.statements)
    trial = carried.Checkpoint(scope)
    result = decide(scope, is_any, elements, "")
    if any(has_fault(s) for s in scope.statements[before:]):
        trial.undo(scope)
        live = scope.allocate("going", Const(True, BOOL), BOOL, scope.span(elements))
        result = decide(scope, is_any, elements, live)
    return result


def contained(scope: Scope, value: Value, items: Value, node: ast.expr) -> Value:
    """`value in items`; a NaN is in a list that holds that very object, which is not known."""
    expr = as_expr(scope, value, node)
    if expr.type.dtype.kind in "fc":
        scope.fault(Apply("isnan", (expr,), BOOL), "NaN looked for in a list", scope.span(node))
    held = "what is looked for"
    test = ast.Compare(ast.Name("", ast.Load()), [ast.Eq()], [ast.Name(held, ast.Load())])
    clause = ast.comprehension(ast.Name("", ast.Store()), ast.Name("a list", ast.Load()), [], 0)
    elements = ast.GeneratorExp(test, [clause])
    ast.fix_missing_locations(ast.copy_location(elements, node))
    inner = replace(
        scope, env={**scope.env, "a list": items, held: Computed(scope.define("wanted", expr, scope.span(node)))}
    )
    return quantified(inner, True, elements)


def has_fault(statement: object) -> bool:
    if isinstance(statement, For):
        return any(has_fault(s) for s in statement.body)
    return isinstance(statement, Fault)


def decide(scope: Scope, is_any: bool, elements: Comprehension, live: str) -> Value:
    cell = scope.allocate("found" if is_any else "holds", Const(not is_any, BOOL), BOOL, scope.span(elements))

    def test(s: Scope) -> None:
        one = condition_of(s, lower(s, elements.elt), elements.elt)
        if live:
            decisive = s.define("hit", one if is_any else negation(one), s.span(elements.elt))
            with s.under(decisive):
                s.store(cell, (), Const(is_any, BOOL), s.span(elements))
                s.store(live, (), Const(False, BOOL), s.span(elements))
            return
        op = "logical_or" if is_any else "logical_and"
        s.store(cell, (), Apply(op, (Load(cell, (), BOOL), one), BOOL), s.span(elements))

    each(scope, elements, 0, test, live)
    return Variable(cell, BOOL)


def extreme(scope: Scope, function: object, node: ast.Call, elements: Comprehension) -> Value:
    """`min`, `max`: of the list that the elements make; Python's order of comparison, so that NaN is as in the original."""
    if len(node.args) > 1 or node.keywords:
        raise scope.blocked(node, Code.UNSUPPORTED_EXPRESSION, "min or max with a key or default")
    items = as_list(scope, ast.copy_location(ast.ListComp(elements.elt, elements.generators), elements))
    return extreme_of(scope, function, items, node)


def extreme_of(scope: Scope, function: object, items: Value, node: ast.AST) -> Value:
    if isinstance(items, ListCell) and scope.ledger.lists[items.cell].length is None:
        buffers.wanted(scope, items)
    if isinstance(items, Buffer):
        size = buffers.size(scope, items, node)
        scope.fault(Apply("less", (size, Const(1, INT)), BOOL), "min or max of nothing", scope.span(node))
        if items.depth > 1 or items.element is None:
            raise scope.blocked(node, Code.UNSUPPORTED_EXPRESSION, "min or max of a list of arrays")
        return best(scope, function, (items.cell, items.tags, items.element), size, node)
    view = sequences.list_view(scope, items, node)
    element = items.element if isinstance(items, ListArray) else scope.ledger.lists[items.cell].element  # type: ignore[union-attr]
    if not isinstance(element, ScalarType) or rank(view.type) != 1:
        raise scope.blocked(node, Code.UNSUPPORTED_EXPRESSION, "min or max of a list of arrays")
    if not ranges.require(scope, view.type.shape[0] - 1):
        raise scope.blocked(node, Code.RAISES, "min or max of nothing")
    which = items.tags if isinstance(items, ListArray) else scope.ledger.lists[items.cell].tags  # type: ignore[union-attr]
    return best(scope, function, (view.cell, which, element), ranges.to_expr(view.type.shape[0]), node)


def best(scope: Scope, function: object, items: tuple[str, str, ScalarType], stop: Expr, node: ast.AST) -> Value:
    """The first that no other is better than, among the first `stop` elements of a cell."""
    held, which, element = items
    start, variable = (Point(Const(0, INT), checked=True),), scope.ledger.fresh("k")
    here = (Point(Ref(variable, INT), checked=True),)
    cell = scope.allocate("best", Load(held, start, element), element, scope.span(node))
    tag = scope.allocate("best_kind", Load(which, start, INT), INT, scope.span(node)) if which else ""
    value = Load(held, here, element)
    better: Expr = Apply("greater" if function is max else "less", (value, Load(cell, (), element)), BOOL)
    body: list[Stmt] = []
    if tag:
        name = scope.ledger.fresh("better")
        body += [
            Def(name, better, scope.span(node)),
            Store(tag, (), Load(which, here, INT), Ref(name, BOOL), scope.span(node)),
        ]
        better = Ref(name, BOOL)
    body.append(Store(cell, (), value, better, scope.span(node)))
    scope.ledger.stored |= {cell, tag} - {""}
    source = SourceLoop("", scope.span(node), "comprehension")
    scope.emit(For(variable, (Const(1, INT),), (stop,), 1, tuple(body), scope.guard, source))
    return Variable(cell, element, tag)
