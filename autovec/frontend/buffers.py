"""Lists whose length depends on the data and that are read: an array with room, and how many of its elements are there.

    out = []                                     out, out_size = empty(n), 0
    for v in x:                                  for v in x:
        if v > 0 and (not out or v > out[-1]):       if v > 0 and (out_size == 0 or v > out[out_size - 1]):
            out.append(v)                -->             out[out_size] = v; out_size = out_size + 1

A first lowering finds out that a list has to be one (`wanted`), and learns what its elements are and how many there may
be: the trips of the loops around each append. Where a loop has no bound there is room for as many as there are elements
in the largest array, and a fixed number beside; one more is the original's business.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from autovec.diagnostics import Code
from autovec.frontend import growing, ragged, ranges, subscripts
from autovec.frontend.carried import Widened
from autovec.frontend.expressions import as_expr
from autovec.frontend.scope import Ledger, ListInfo, LoopRange, Scope
from autovec.frontend.sequences import as_row, is_list, list_view
from autovec.frontend.tags import fitted, tag_expr
from autovec.frontend.values import Buffer, Computed, Elements, ListArray, ListCell, TupleList, TupleValue, Value, View
from autovec.ir.affine import Affine
from autovec.ir.nodes import Apply, Call, Const, Expr, Load, Point, Range, Store
from autovec.ir.types import BOOL, INT, ArrayType, ScalarType, Type, numpy_scalar

Key = tuple[int, int, str]

ROOM = 2**16  # for the appends of a loop without a bound
MOST_BYTES = 2**28


@dataclass(slots=True)
class Plan:
    """What is known of a list: its elements' type, and how often each append of it may run (None: nobody knows)."""

    element: Type | None = None
    sites: dict[tuple[Any, ...], Affine | None] = field(default_factory=dict)
    known: dict[tuple[Any, ...], Affine | None] = field(default_factory=dict)  # of the lowering before
    guess: int = 0


GUESSES = (numpy_scalar(np.dtype(np.float64)), INT)


def wanted(scope: Scope, value: Value) -> None:
    """A list that grows must be a buffer: start again."""
    match value:
        case ListCell(cell=cell):
            key = scope.ledger.lists[cell].key
            if key not in scope.ledger.plans:
                scope.ledger.plans[key] = Plan()
                raise Widened(key)
        case TupleList(columns=columns):
            for column in columns:
                wanted(scope, column)
        case _:
            return


def create(scope: Scope, hint: str, key: Key, node: ast.AST) -> Buffer:
    """An empty list."""
    plan: Plan = scope.ledger.plans[key]
    element = plan.element if plan.element is not None else GUESSES[plan.guess]
    if isinstance(element, ScalarType):
        element = scope.ledger.joins.get(key, element)
    room = capacity(scope, plan, element, node)
    span = scope.span(node)
    kind = ArrayType(element.dtype, (room, *element.shape))
    cell = scope.allocate(hint, Call("zeros", (), (), kind), kind, span)
    count = scope.allocate(f"{hint}_size", Const(0, INT), INT, span)
    kinds, depth = scope.ledger.rows.get(key, (element if isinstance(element, ScalarType) else None, 0))
    tags = ""
    if kinds is not None and kinds.only is None:
        which = ArrayType(INT.dtype, kind.shape)
        tags = scope.allocate(f"{hint}_kind", Call("zeros", (), (), which), which, span)
    scope.ledger.buffer_keys[cell] = key
    return Buffer(cell, count, kinds, depth + 1, tags)


def capacity(scope: Scope, plan: Plan, element: Type, node: ast.AST) -> Affine:
    """Room for the elements of all appends; at least for one, so that there is something to read where nothing is."""
    total, bytes_each = Affine.number(0), element.dtype.itemsize
    for size in element.shape:
        bytes_each *= max(1, scope.interval_value(size) or 1)
    unknown = False
    for form in plan.known.values():
        if form is None or not form.names <= set(scope.ledger.values):
            form, unknown = Affine.number(max(16, min(ROOM, 2**23 // bytes_each))), True
        total = total + form
    if unknown:
        more = total + largest(scope)
        value = scope.interval_value(more)
        total = more if value is not None and value * bytes_each <= MOST_BYTES else total
    value = scope.interval_value(total)
    if value is None or value * bytes_each > MOST_BYTES:
        raise scope.blocked(node, Code.DYNAMIC_SHAPE, "a list that may become too long", "fill an array")
    return total if value > 0 else Affine.number(1)


def largest(scope: Scope) -> Affine:
    """The number of elements of the largest array that is given: a loop without a bound mostly goes through one."""
    found = Affine.number(0)
    for cell in sorted(scope.ledger.arguments):
        whole = Affine.number(1)
        for extent in scope.ledger.cells[cell].shape:
            value = scope.interval_value(extent)
            if value is None or value < 1:
                whole = Affine.number(0)
                break
            whole = ranges.product(scope, whole, extent)
        if (scope.interval_value(whole) or 0) > (scope.interval_value(found) or 0):
            found = whole
    return found


def settle(scope: Scope) -> None:
    """At the end of a lowering: where it has found out more about a list, there is another."""
    news = False
    for key in {*scope.ledger.buffer_keys.values()}:
        plan: Plan = scope.ledger.plans[key]
        if plan.sites != plan.known:
            plan.known, news = dict(plan.sites), True
    if news:
        raise Widened("buffers")


def next_guess(ledger: Ledger) -> bool:
    """Other types for the elements of lists that are read before anything is appended; False where there are none."""
    pending = [p for p in ledger.plans.values() if p.element is None and p.guess + 1 < len(GUESSES)]
    for plan in pending:
        plan.guess += 1
    return bool(pending)


# ---------------------------------------------------------------- changing


def append(scope: Scope, target: Buffer, value: Value, node: ast.AST) -> None:
    """One more element."""
    key = scope.ledger.buffer_keys[target.cell]
    plan: Plan = scope.ledger.plans[key]
    row = as_row(value)
    if row is not None:
        if plan.element is not None or key in scope.ledger.joins or not row.items:
            raise scope.blocked(node, Code.UNSTABLE_TYPE, "a list of numbers and of tuples or lists")
        scope.ledger.columns[key] = (len(row.items), row.constructor)
        del scope.ledger.plans[key]
        for k in range(len(row.items)):
            scope.ledger.plans[(*key[:2], f"{key[2]} {k}")] = Plan()
        raise Widened(key)
    if any(r.over == target.cell for r in scope.loops):
        raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, "a list that grows while a loop goes through it")
    expr = appended_expr(scope, target, plan, key, value, node)
    span = scope.span(node)
    before = sum(isinstance(s, Store) and s.cell == target.count and s.span == span for s in scope.statements)
    where = (target.cell, span.line, span.column, before, scope.rounds, scope.frame and scope.frame.key)
    site = trips(scope, scope.loops[scope.ledger.depths[target.cell] :])
    plan.sites[where] = site
    at = scope.define(f"{target.cell}_end", Load(target.count, (), INT), span)
    room = scope.ledger.cells[target.cell].shape[0]
    if site is None or not all(s.origins for s in scope.ledger.sizes.values() if s.name in site.names):
        scope.fault(Apply("greater_equal", (at, ranges.to_expr(room)), BOOL), "a list longer than foreseen", span)
    index = (Point(at, checked=True), *rest_of(scope, target))
    if target.tags:
        which = growing.row_tags(scope, value, node) if target.depth > 1 else None
        scope.store(target.tags, index, which or tag_expr(scope, value, expr, held_kinds(target)), span)
    if target.depth == 1 and target.element is not None:
        expr = fitted(scope, expr, target.element, node)
    scope.store(target.cell, index, expr, span)
    scope.store(target.count, (), Apply("add", (Load(target.count, (), INT), Const(1, INT)), INT), span)


def appended_expr(scope: Scope, target: Buffer, plan: Plan, key: Key, value: Value, node: ast.AST) -> Expr:
    """The element; what is new about its type starts the lowering again."""
    element = plan.element
    info = ListInfo(element, None, 0, key, rows=scope.ledger.rows.get(key))
    after = growing.given_away(scope, info, target.cell, value, node)
    if after.shares:
        scope.ledger.sharing.add(target.cell)
    expr = as_expr(scope, list_view(scope, value, node) if is_list(value) else value, node)
    kind: Type = expr.type
    if after.rows is not None and after.rows != info.rows:
        scope.ledger.rows[key] = after.rows
        plan.element = kind
        raise Widened(key)
    if isinstance(kind, ScalarType) and not isinstance(element, ArrayType):
        kind = growing.joined_kinds(scope, info, expr, node)
    if element is None or (isinstance(kind, ScalarType) and kind != element):
        plan.element = kind
        raise Widened(key)
    if kind != element or any(s.names & {r.variable for r in scope.loops} for s in kind.shape):
        raise scope.blocked(node, Code.UNSTABLE_TYPE, f"a list of {element} and {kind}")
    return expr


def held_kinds(target: Buffer) -> ScalarType:
    return target.element if target.element is not None else INT


def rest_of(scope: Scope, target: Buffer) -> tuple[Range, ...]:
    return tuple(Range(Const(0, INT), s) for s in scope.ledger.cells[target.cell].shape[1:])


def trips(scope: Scope, loops: Sequence[LoopRange]) -> Affine | None:
    """At most how often loops run together; None where that isn't known."""
    total = Affine.number(1)
    around = {r.variable: r for r in scope.loops}
    for loop in loops:
        extents = [longest(b - a if loop.step > 0 else a - b, around) for a in loop.lower for b in loop.upper]
        known = [e for e in extents if e is not None and e.names <= set(scope.ledger.values)]
        if not known:
            return None
        values = [(scope.interval_value(e), e) for e in known]
        value, extent = min(((v, e) for v, e in values if v is not None), key=lambda p: p[0], default=(None, None))
        if value is None or extent is None:
            return None
        if value <= 0:
            ranges.require(scope, -extent)
            return Affine.number(0)
        ranges.require(scope, extent - 1)
        total = ranges.product(scope, total, extent)
    return total


def longest(form: Affine, around: dict[str, LoopRange], depth: int = 0) -> Affine | None:
    """The form at its largest over the loops around."""
    for name, factor in form.terms:
        if name not in around:
            continue
        loop = around[name]
        at_end = (factor > 0) == (loop.step > 0)  # largest in the last trip, else in the first
        bounds = loop.upper if at_end else loop.lower
        if not bounds or depth > 8:
            return None
        before = (-1 if loop.step > 0 else 1) if at_end else 0
        rest = Affine(tuple(t for t in form.terms if t[0] != name), form.constant)
        return longest(rest + (bounds[0] + before) * factor, around, depth + 1)
    return form


def pop(scope: Scope, target: Value, node: ast.AST) -> Value:
    """`out.pop()`: the last element, no longer there."""
    if isinstance(target, TupleList):
        return TupleValue(tuple(pop(scope, c, node) for c in target.columns), target.constructor)
    if not isinstance(target, Buffer):
        wanted(scope, target)
        raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, "pop of this list")
    if any(r.over == target.cell for r in scope.loops):
        raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, "a list that changes while a loop goes through it")
    if target.depth > 1 or target.element is None:
        raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, "pop of a list of lists or arrays")
    span = scope.span(node)
    size = scope.define("size", Load(target.count, (), INT), span)
    scope.fault(Apply("less", (size, Const(1, INT)), BOOL), "pop from an empty list", span)
    last = scope.define("last", Apply("subtract", (size, Const(1, INT)), INT), span)
    value = element_at(target, last)
    held = Computed(scope.define("item", value.expr, span), value.tag and scope.define("kind", value.tag, span))
    scope.store(target.count, (), last, span)
    return held


def clear(scope: Scope, target: Value, node: ast.AST) -> None:
    """Nothing is there any more."""
    if isinstance(target, TupleList):
        for column in target.columns:
            clear(scope, column, node)
        return
    if not isinstance(target, Buffer) or target.cell in scope.ledger.given:
        wanted(scope, target)
        raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, "this list emptied")
    scope.store(target.count, (), Const(0, INT), scope.span(node))


# ---------------------------------------------------------------- reading


def size(scope: Scope, target: Buffer, node: ast.AST) -> Expr:
    return scope.define("size", Load(target.count, (), INT), scope.span(node))


def element_at(target: Buffer, at: Expr) -> Computed:
    """One number of the list, with its kind."""
    point = (Point(at, checked=True),)
    kind = target.element
    assert kind is not None
    return Computed(Load(target.cell, point, kind), Load(target.tags, point, INT) if target.tags else None)


def elements(scope: Scope, target: Buffer, node: ast.AST) -> Elements:
    """The list as it is now."""
    kind = scope.ledger.cells[target.cell]

    def at(s: Scope, where: Sequence[Expr]) -> Value:
        if target.depth == 1 and target.element is not None:
            return element_at(target, where[0])
        row = View(target.cell, (Point(where[0], checked=True), *rest_of(s, target)), row_type(s, target))
        return row if target.element is None else ListArray(row, target.element, target.depth - 1, target.tags)

    return Elements((size(scope, target, node),), (kind.shape[0],), kind.dtype, at, None)


def row_type(scope: Scope, target: Buffer) -> ArrayType:
    kind = scope.ledger.cells[target.cell]
    return ArrayType(kind.dtype, kind.shape[1:])


def item(scope: Scope, target: Buffer, node: ast.Subscript) -> Value:
    return ragged.item(scope, elements(scope, target, node), node)


def position(scope: Scope, target: Buffer, node: ast.Subscript) -> Expr:
    """Where an item is, counted from the front."""
    places = replace(elements(scope, target, node), at=lambda s, where: Computed(where[0]))
    return as_expr(scope, ragged.item(scope, places, node), node)


def assign_item(scope: Scope, target: Buffer, node: ast.Subscript, value: Value) -> None:
    """`out[i] = value`."""
    if target.depth > 1 or target.element is None:
        raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, "an assignment into a list of lists or arrays")
    expr = as_expr(scope, value, node)
    if not isinstance(expr.type, ScalarType):
        raise scope.blocked(node, Code.UNSTABLE_TYPE, "an array stored into a list of numbers")
    key = scope.ledger.buffer_keys[target.cell]
    growing.joined_kinds(scope, ListInfo(target.element, None, 0, key), expr, node)
    index = (Point(position(scope, target, node), checked=True),)
    if target.tags:
        scope.store(target.tags, index, tag_expr(scope, value, expr, target.element), scope.span(node))
    scope.store(target.cell, index, fitted(scope, expr, target.element, node), scope.span(node))


def is_packed(scope: Scope, value: ListCell) -> bool:
    """A list of numbers of one dtype that is done growing, and whose length depends on the data."""
    info = scope.ledger.lists[value.cell]
    numbers = isinstance(info.element, ScalarType) and len({k.dtype for k in info.element.kinds}) == 1
    return numbers and info.length is None and len(scope.loops) == info.depth == 0 and scope.guard is None


def array(scope: Scope, target: Buffer, node: ast.AST) -> Elements:
    """`np.array(out)`: a copy; an empty list would be an array of floats."""
    if target.element is not None and len({k.dtype for k in target.element.kinds}) > 1:
        raise scope.blocked(node, Code.UNSTABLE_TYPE, "an array of elements of several types")
    if target.depth > 1 or target.element is None:
        raise scope.blocked(node, Code.DYNAMIC_SHAPE, "an array of rows whose number depends on the data")
    kind = scope.ledger.cells[target.cell]
    assert isinstance(kind, ArrayType)
    length = size(scope, target, node)
    if kind.dtype != np.dtype(np.float64):
        scope.fault(Apply("less", (length, Const(1, INT)), BOOL), "an array of nothing", scope.span(node))
    whole = Load(target.cell, subscripts.whole(target.cell, kind).index, kind)
    copied = subscripts.new_cell(scope, "array", whole, node)

    def place(s: Scope, where: Sequence[Expr]) -> View:
        return View(copied.cell, (Point(where[0], checked=True),), ArrayType(kind.dtype, ()))

    def at(s: Scope, where: Sequence[Expr]) -> Value:
        return Computed(subscripts.element(s, place(s, where), node))

    return Elements((length,), (kind.shape[0],), kind.dtype, at, place, copied.cell)
