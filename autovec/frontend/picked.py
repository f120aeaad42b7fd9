"""`a[mask]` where its elements are asked for: the chosen ones at the front of a cell with room for all.

    y = a[mask]                -->    y, count = empty(n), 0
                                      for k in range(n): if mask[k]: y[count] = a[k]; count = count + 1
    a[mask] = b                -->    for k in range(n): if mask[k]: a[k] = b[count]; count = count + 1

In: an array and a mask, both as they were when the mask was applied. Out: `Elements` of a cell that is their own. The
loops aren't the person's: they get no verdict.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from autovec.diagnostics import Code
from autovec.frontend import calls, masked, ragged, ranges, subscripts
from autovec.frontend.carried import Widened
from autovec.frontend.expressions import as_expr, lower, take
from autovec.frontend.scope import Scope
from autovec.frontend.truth import condition_of
from autovec.frontend.values import Computed, Elements, Masked, Static, Value, View
from autovec.ir.affine import Affine
from autovec.ir.nodes import Apply, Call, Const, Expr, Load, Point, Range, Ref
from autovec.ir.types import INT, ArrayType, numpy_scalar, rank


def named(scope: Scope, value: Masked, node: ast.AST, written: bool) -> Masked | Elements:
    """What a name is bound to: with its elements, if an earlier lowering has found that they are asked for."""
    if value.key is not None:
        if written:
            raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, "a masked array with two names, written into")
        return value
    number = scope.define("size", masked.number_of(scope, value.mask, node), scope.span(node))
    value = replace(value, number=number)
    bounded(scope, number, room_for(scope, value.mask))
    if written:
        return elements(scope, value, node)
    key = (0, id(node), "mask")
    if key not in scope.ledger.picked:
        return replace(value, key=key)
    made = elements(scope, value, node)
    scope.ledger.given.add(made.prefix)  # what is stored to it would not be seen in the array and its mask
    return replace(value, key=key, elements=made)


def room_for(scope: Scope, mask: Expr) -> Affine:
    """As many as the mask has places."""
    room = Affine.number(1)
    for extent in mask.type.shape:
        room = ranges.product(scope, room, extent)
    return room


def bounded(scope: Scope, number: Expr, room: Affine) -> None:
    """A number of elements is never negative, and there is room for them."""
    if isinstance(number, Ref):
        known = Affine.name(number.name)
        scope.conditions = (*scope.conditions, known, room - known)
        scope.ledger.limits[number.name] = room


def elements(scope: Scope, value: Masked, node: ast.AST) -> Elements:
    """The chosen elements; those of a name are found where it is bound."""
    if value.elements is not None:
        return value.elements
    if value.key is not None:
        scope.ledger.picked.add(value.key)
        raise Widened(value.key)
    values, axes = value.values, rank(value.mask.type)
    kind = values.type
    assert isinstance(kind, ArrayType)
    room = room_for(scope, value.mask)
    rest = kind.shape[axes:]
    span = scope.span(node)
    source = subscripts.new_cell(scope, "values", values, node)
    held = ArrayType(kind.dtype, (room, *rest))
    cell = scope.allocate("chosen", Call("zeros", (), (), held), held, span)
    count = scope.allocate("chosen_size", Const(0, INT), INT, span)

    def put(s: Scope, at: Sequence[Expr]) -> None:
        row = subscripts.compose(s, source, [*points(at), *whole(rest)], node)
        where = s.define("place", Load(count, (), INT), span)
        s.store(cell, (*points([where]), *whole(rest)), load_row(s, row, node), span)
        s.store(count, (), Apply("add", (Load(count, (), INT), Const(1, INT)), INT), span)

    each_chosen(scope, value.mask, put, node)
    length = value.number
    if length is None:
        length = scope.define("size", Load(count, (), INT), span)
        bounded(scope, length, room)

    def place(s: Scope, where: Sequence[Expr]) -> View:
        return View(cell, tuple(points(where)), ArrayType(kind.dtype, ()))

    def at(s: Scope, where: Sequence[Expr]) -> Value:
        if len(where) == 1 and rest:
            return View(cell, (*points(where), *whole(rest)), ArrayType(kind.dtype, rest))
        return Computed(subscripts.element(s, place(s, where), node))

    return Elements((length, *map(ranges.to_expr, rest)), held.shape, kind.dtype, at, place, cell)


def filled(scope: Scope, function: object, size: Value, dtype: Value, node: ast.AST) -> Elements | None:
    """`np.zeros(len(y))`, as long as an array of which the data says how long it is; None for other sizes."""
    if not isinstance(size, Computed) or not isinstance(size.expr, Ref) or size.expr.name not in scope.ledger.limits:
        return None
    room = scope.ledger.limits[size.expr.name]
    if not isinstance(dtype, Static):
        return None
    words = {} if dtype.value is None else {"dtype": dtype.value}
    made = calls.call(function, [calls.size_expr(room)], words, scope.span(node))
    if made is None:
        return None
    held = subscripts.new_cell(scope, "array", take(scope, made, node), node)
    return prefix(scope, held.cell, size.expr, node)


def prefix(scope: Scope, cell: str, number: Expr, node: ast.AST) -> Elements:
    """The first elements of a cell that nobody else has."""
    kind = scope.ledger.cells[cell]

    def place(s: Scope, where: Sequence[Expr]) -> View:
        return View(cell, tuple(points(where)), ArrayType(kind.dtype, ()))

    def at(s: Scope, where: Sequence[Expr]) -> Value:
        return Computed(subscripts.element(s, place(s, where), node))

    return Elements((number,), kind.shape, kind.dtype, at, place, cell)


def points(at: Sequence[Expr]) -> list[Point]:
    return [Point(k, checked=True) for k in at]


def whole(shape: Sequence[Affine]) -> list[Range]:
    return [Range(Const(0, INT), size) for size in shape]


def load_row(scope: Scope, row: View, node: ast.AST) -> Expr:
    kind = row.type if rank(row.type) else numpy_scalar(row.type.dtype)
    return Load(row.cell, row.index, kind, scope.span(node))


def each_chosen(scope: Scope, mask: Expr, body: Callable[[Scope, Sequence[Expr]], None], node: ast.AST) -> None:
    """The body for each place where the mask holds, in NumPy's order."""
    held = subscripts.new_cell(scope, "mask", mask, node)
    lengths = tuple(ranges.to_expr(s) for s in held.type.shape)
    every = Elements(lengths, held.type.shape, held.type.dtype, lambda s, at: Computed(mask), None)

    def one(s: Scope, at: list[Expr]) -> None:
        taken = Load(held.cell, tuple(points(at)), numpy_scalar(np.dtype(bool)), s.span(node))
        test = s.define("taken", condition_of(s, Computed(taken), node), s.span(node))
        with s.under(test):
            body(s, at)

    ragged.each(scope, node, every, one)


def store(scope: Scope, target: View, mask: Expr, value: Elements, number: Expr, node: ast.AST) -> None:
    """`a[mask] = values`: one value for each chosen place, as many as there are; NumPy checks that."""
    if len(value.lengths) != 1 or rank(mask.type) != rank(target.type):
        raise scope.blocked(node, Code.DYNAMIC_SHAPE, "an assignment of rows through a mask", "use np.where")
    ragged.same_length(scope, value.lengths[0], number, node)
    value = value if value.prefix else ragged.materialised(scope, value, node)  # it may read what is stored to
    span = scope.span(node)
    count = scope.allocate("place", Const(0, INT), INT, span)
    scope.ledger.elements.add(target.cell)

    def put(s: Scope, at: Sequence[Expr]) -> None:
        where = s.define("place", Load(count, (), INT), span)
        expr = as_expr(s, value.at(s, [where]), node)
        fitted = take(s, calls.cast_for_store(expr, target.type.dtype, True), node)
        s.store(target.cell, subscripts.compose(s, target, points(at), node).index, fitted, span)
        s.store(count, (), Apply("add", (Load(count, (), INT), Const(1, INT)), INT), span)

    each_chosen(scope, mask, put, node)


def item(scope: Scope, rows: Elements, node: ast.Subscript) -> Value:
    """`y[i]`, `y[i, j]`, `y[:, j]` of rows, as many as the data says."""
    first, *others = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    rest = [(one if isinstance(one, ast.Slice) else lower(scope, one), one) for one in others]

    def inner(s: Scope, at: Expr) -> View:
        row = rows.at(s, [at])
        assert isinstance(row, View)
        chosen, new = subscripts.apply(s, row, rest, node) if rest else (row, [])
        if new:
            raise scope.blocked(node, Code.UNSUPPORTED_INDEX, "a new axis of rows whose number depends on the data")
        return chosen

    def value(s: Scope, where: Sequence[Expr]) -> Value:
        chosen = inner(s, where[0])
        if len(where) > 1:
            chosen = subscripts.compose(s, chosen, points(where[1:]), node)
        return chosen if rank(chosen.type) else Computed(subscripts.element(s, chosen, node))

    if not isinstance(first, ast.Slice):
        one = ast.copy_location(ast.Subscript(node.value, first, node.ctx), node)
        column = replace(rows, lengths=rows.lengths[:1], limits=rows.limits[:1], at=value)
        return ragged.item(scope, column, one)
    if first.lower or first.upper or first.step:
        raise scope.blocked(node, Code.UNSUPPORTED_INDEX, "a slice of rows whose number depends on the data")
    kind = inner(scope, Const(0, INT)).type
    lengths = (rows.lengths[0], *map(ranges.to_expr, kind.shape))
    return Elements(lengths, (rows.limits[0], *kind.shape), rows.dtype, value, None)


def gathered(scope: Scope, view: View, index: Elements, node: ast.AST) -> Elements:
    """`x[indices]` of as many indices as the data says."""
    if len(index.lengths) != 1 or np.dtype(index.dtype).kind not in "iu":
        raise scope.blocked(node, Code.UNSUPPORTED_INDEX, "this array as a subscript")
    rest = view.type.shape[1:]

    def row(s: Scope, where: Sequence[Expr]) -> View:
        expr = as_expr(s, index.at(s, where[:1]), node)
        first = subscripts.point(s, expr, node, view.type.shape[0])
        inner = points(where[1:]) if len(where) > 1 else whole(rest)
        return subscripts.compose(s, view, [first, *inner], node)

    def at(s: Scope, where: Sequence[Expr]) -> Value:
        chosen = row(s, where)
        return chosen if rank(chosen.type) else Computed(subscripts.element(s, chosen, node))

    lengths = (index.lengths[0], *map(ranges.to_expr, rest))
    return Elements(lengths, (index.limits[0], *rest), view.type.dtype, at, None)
