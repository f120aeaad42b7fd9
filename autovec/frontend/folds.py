"""`sum`, `min`, `max`, `any`, `all` and `in` over comprehensions, generators and lists: accumulations, element by element.

sum(f(i) for i in range(n))       -->    total = 0; for i in range(n): total = total + f(i)
any(f(i) for i in range(n))       -->    found = False; for i in range(n): found = found or f(i)
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Collection
from dataclasses import replace

from autovec.diagnostics import Code
from autovec.frontend import buffers, carried, ranges, sequences, subscripts
from autovec.frontend.comprehensions import Comprehension, as_list, each
from autovec.frontend.expressions import as_expr, load, lower
from autovec.frontend.iteration import Trips, iteration
from autovec.frontend.operators import operate
from autovec.frontend.scope import Scope, negation
from autovec.frontend.tags import fitted, tag_expr
from autovec.frontend.truth import condition_of
from autovec.frontend.values import (
    Buffer,
    Computed,
    ListArray,
    ListCell,
    Static,
    Value,
    Variable,
)
from autovec.ir.nodes import (
    Append,
    Apply,
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
    While,
)
from autovec.ir.types import BOOL, INT, ArrayType, ScalarType, rank

TOTALS: dict[object, tuple[int, str]] = {sum: (0, "Add"), math.prod: (1, "Mult")}  # from where, and by which operator


def consumed(scope: Scope, function: object, node: ast.Call, elements: Comprehension) -> Value:
    """`sum`, `math.prod`, `min`, `max`, `any`, `all` of a comprehension or generator."""
    if function in TOTALS:
        begin, op = TOTALS[function]
        given = [*node.args[1:], *(k.value for k in node.keywords)]
        start = lower(scope, given[0]) if given else Static(begin)
        return fold(scope, node, elements, start, lambda s, total, value: operate(s, elements, op, total, value))
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
    """`any`, `all`: what comes after the deciding element isn't evaluated, so it can't fault, or write to anything."""
    before, known = len(scope.statements), {*scope.ledger.cells, *scope.ledger.lists}
    trial = carried.Checkpoint(scope)
    result = decide(scope, is_any, elements, "")
    if any(matters(s, known) for s in scope.statements[before:]):
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


def matters(statement: Stmt, known: Collection[str]) -> bool:
    """Can it be told whether the statement was reached: by a fault, or by a change of a known cell?"""
    match statement:
        case For(body=body) | While(body=body):
            return any(matters(s, known) for s in body)
        case Store(cell=cell) | Append(cell=cell):
            return cell in known
        case _:
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
    if view.index != subscripts.whole(view.cell, view.type).index:  # a row of a list of lists
        kind = ArrayType(INT.dtype, view.type.shape)
        which = which and subscripts.new_cell(scope, "kinds", Load(which, view.index, kind), node).cell
        view = subscripts.new_cell(scope, "items", load(scope, view, node), node)
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
