"""Lists and tuples: displays, `[0.0] * n`, lists as arrays, lengths. Their items: `items_of_sequences.py`.

A list whose length is known before its elements is an array that knows it is a list; one that grows by appends is a
cell of its own, packed at the end.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from autovec.diagnostics import Code
from autovec.frontend import buffers, calls, ranges, subscripts
from autovec.frontend.expressions import as_expr, load, take
from autovec.frontend.looked_up import answers_alike, is_constant
from autovec.frontend.operators import is_array
from autovec.frontend.operators import operate as operate_numbers
from autovec.frontend.scope import Scope
from autovec.frontend.tags import fitted, ordered_kinds, tag_expr
from autovec.frontend.values import (
    Buffer,
    Computed,
    Elements,
    ListArray,
    ListCell,
    Masked,
    Packed,
    Static,
    TupleList,
    TupleValue,
    Value,
    View,
)
from autovec.ir.affine import Affine
from autovec.ir.nodes import Apply, Call, Cast, Const, Expr, Load, Point, Range
from autovec.ir.types import BOOL, INT, ArrayType, ScalarType, Type, rank


def is_list(value: Value | None) -> bool:
    return isinstance(value, ListArray | ListCell)


def is_sequence(*values: Value) -> bool:
    return any(
        isinstance(v, TupleValue | ListArray | ListCell | Buffer | TupleList)
        or (isinstance(v, Static) and isinstance(v.value, tuple | list | str))
        for v in values
    )


def operate(scope: Scope, node: ast.expr, op: ast.operator, a: Value, b: Value) -> Value:
    """`[0.0] * n`, `(a, b) + (c,)`, and arithmetic with a sequence that NumPy makes an array of."""
    if isinstance(op, ast.Mult) and isinstance(a, TupleValue):
        if isinstance(b, Static) and isinstance(b.value, int) and len(a.items) * b.value <= 16:
            return TupleValue(a.items * b.value, a.plain)
        if a.constructor is list and len(a.items) == 1:
            return repeated(scope, node, a.items[0], b)
    if isinstance(op, ast.Add) and isinstance(a, TupleValue) and isinstance(b, TupleValue) and a.plain is b.plain:
        return TupleValue(a.items + b.items, a.plain)
    if isinstance(op, ast.Add) and all(is_list(v) or isinstance(v, TupleValue) for v in (a, b)):
        from autovec.frontend import owned

        return owned.concatenated(scope, a, b, node)
    if isinstance(a, Static) and isinstance(b, Static) and is_constant(a.value) and is_constant(b.value):
        from autovec.frontend.operators import fold

        symbol = {"Add": "+", "Mult": "*", "Mod": "%"}.get(type(op).__name__, "+")
        folded = fold(eval(f"lambda a, b: a {symbol} b"), a.value, b.value)
        if folded is not None:
            return folded
    if is_array(a) or is_array(b):
        return operate_numbers(scope, node, type(op).__name__, a, b)
    raise scope.blocked(node, Code.UNSUPPORTED_EXPRESSION, "this operation on a list or tuple")


def repeated(scope: Scope, node: ast.expr, item: Value, count: Value) -> Value:
    """`[0.0] * n`."""
    form = scope.affine(as_expr(scope, count, node))
    if form is None or not ranges.is_parametric(scope, form) or not ranges.require(scope, form):
        raise scope.blocked(node, Code.UNSUPPORTED_EXPRESSION, "a list repeated an unknown number of times")
    expr = as_expr(scope, item, node)
    if not isinstance(expr.type, ScalarType):
        raise scope.blocked(node, Code.UNSUPPORTED_EXPRESSION, "a repeated list of something that isn't a number")
    element = joined_element(scope, node, expr.type)
    kind = ArrayType(element.dtype, (form,))
    filled = Call("full", (fitted(scope, expr, element, node),), (), kind)
    view = subscripts.new_cell(scope, "items", filled, node)
    scope.ledger.joins_of[view.cell] = (0, id(node), "list")
    tags = ""
    if element.only is None:
        which = Call("full", (tag_expr(scope, item, expr, element),), (), ArrayType(np.dtype(np.int64), (form,)))
        tags = subscripts.new_cell(scope, "items_kind", which, node).cell
    return ListArray(view, element, tags=tags)


def displayed(scope: Scope, items: TupleValue, node: ast.AST) -> ListArray | None:
    """`[a, b, c]` as an array, so that its elements can be written to; None where they aren't all numbers."""
    exprs = [None if as_row(i) is not None or is_list(i) else as_expr(scope, i, node) for i in items.items]
    kinds = {k for e in exprs if e is not None and isinstance(e.type, ScalarType) for k in e.type.kinds}
    if not exprs or any(e is None or not isinstance(e.type, ScalarType) for e in exprs):
        return None
    element = joined_element(scope, node, ScalarType(frozenset(kinds)))
    size = (Affine.number(len(exprs)),)
    made = Call("zeros", (), (), ArrayType(element.dtype, size))
    if element.only is not None and len(kinds) == 1:
        made = as_expr(scope, items, node)
    view = subscripts.new_cell(scope, "items", made, node)
    scope.ledger.joins_of[view.cell] = (0, id(node), "list")
    tags = ""
    if element.only is None:
        tags = subscripts.new_cell(scope, "items_kind", Call("zeros", (), (), ArrayType(INT.dtype, size)), node).cell
    for k, (item, expr) in enumerate(zip(items.items, exprs, strict=True)):
        at = (Point(Const(k, INT), checked=True),)
        if expr is not None and (tags or len(kinds) > 1):
            scope.store(view.cell, at, fitted(scope, expr, element, node), scope.span(node))
        if expr is not None and tags:
            scope.store(tags, at, tag_expr(scope, item, expr, element), scope.span(node))
    return ListArray(view, element, tags=tags)


def displayed_rows(scope: Scope, items: TupleValue, node: ast.AST) -> ListArray | None:
    """`[[a, b], [c, d]]` of numbers of one kind as an array; None where it is something else."""
    rows = [i for i in items.items if isinstance(i, TupleValue) and i.constructor is list]
    if len(rows) != len(items.items) or len({len(r.items) for r in rows}) != 1 or not rows or not rows[0].items:
        return None
    types = {as_expr(scope, i, node).type for r in rows if not any(map(as_row, r.items)) for i in r.items}
    kind = types.pop() if len(types) == 1 else None
    if not isinstance(kind, ScalarType) or kind.only is None or any(as_row(i) for r in rows for i in r.items):
        return None
    element = joined_element(scope, node, kind)
    shape = (Affine.number(len(rows)), Affine.number(len(rows[0].items)))
    made = as_expr(scope, items, node)
    if element.dtype != made.type.dtype:
        made = Cast(made, ArrayType(element.dtype, shape))
    view, tags = subscripts.new_cell(scope, "items", made, node), ""
    scope.ledger.joins_of[view.cell] = (0, id(node), "list")
    if element.only is None:
        number = Const(ordered_kinds(element).index(kind.only), INT)
        which = Call("full", (number,), (), ArrayType(INT.dtype, shape))
        tags = subscripts.new_cell(scope, "items_kind", which, node).cell
    return ListArray(view, element, 2, tags)


def is_written(scope: Scope, name: str) -> bool:
    """Does the function assign to elements of this name, or sort it?"""
    for n in ast.walk(scope.home.node):
        match n:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=sorted_name), attr="sort")) if sorted_name == name:
                return True
            case _:
                pass
        if isinstance(n, ast.Subscript) and isinstance(n.ctx, ast.Store):
            base = n.value.value if isinstance(n.value, ast.Subscript) else n.value
            if isinstance(base, ast.Name) and base.id == name:
                return True
    return False


def joined_element(scope: Scope, node: ast.AST, first: ScalarType) -> ScalarType:
    """The kinds of a list's elements: those it starts with, and those that stores have been seen to bring."""
    key = (0, id(node), "list")
    kinds = ScalarType(first.kinds | scope.ledger.joins.get(key, first).kinds)
    scope.ledger.joins[key] = kinds
    return kinds


# ---------------------------------------------------------------- lists that grow


def as_row(value: Value) -> TupleValue | None:
    """An element that is a tuple or a list of a few values."""
    if isinstance(value, TupleValue):
        return value
    if isinstance(value, Static) and type(value.value) in (tuple, list):
        return TupleValue(tuple(Static(v) for v in value.value), type(value.value))  # type: ignore[attr-defined]
    return None


def in_order(scope: Scope, items: Value, node: ast.AST) -> Value:
    """The sorted list; NaN has no place that is NumPy's and Python's alike."""
    view = list_view(scope, items, node)
    kind = items.element if isinstance(items, ListArray) else None
    if isinstance(items, ListCell):
        element = scope.ledger.lists[items.cell].element
        kind = element if isinstance(element, ScalarType) else None
    if kind is None or kind.only is None or rank(view.type) != 1 or kind.dtype.kind == "c":
        raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, "this list sorted")
    expr = as_expr(scope, view, node)
    lowered = calls.call(np.sort, [expr], {}, scope.span(node))
    if lowered is None:
        raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, "this list sorted")
    if kind.dtype.kind == "f":
        flat = ArrayType(np.dtype(bool), view.type.shape)
        nan = Call("any", (Apply("isnan", (expr,), flat),), (("axis", (0,)), ("keepdims", False)), BOOL)
        scope.fault(nan, "NaN in a list that is sorted", scope.span(node))
    made = subscripts.new_cell(scope, "ordered", take(scope, lowered, node), node)
    scope.ledger.fresh_lists.add(made.cell)
    return ListArray(made, kind)


# ---------------------------------------------------------------- lists as arrays


def check_elements(scope: Scope, numbers: Expr, dtype: np.dtype, node: ast.AST) -> None:
    """The numbers of a list become elements of a dtype: NumPy converts each as Python does, and may raise."""
    for condition, reason in calls.checked_elements(numbers, dtype):
        scope.fault(condition, reason, scope.span(node))


def list_view(scope: Scope, value: Value, node: ast.AST) -> View:
    """The list as an array."""
    if isinstance(value, ListArray):
        return value.view
    if not isinstance(value, ListCell):
        raise scope.blocked(node, Code.UNSUPPORTED_EXPRESSION, "this value as a list")
    info = scope.ledger.lists[value.cell]
    if info.element is None or info.length is None or len(scope.loops) != info.depth:
        buffers.wanted(scope, value)
        raise scope.blocked(node, Code.DYNAMIC_SHAPE, "a list read while it grows, or whose length depends on the data")
    kind = ArrayType(info.element.dtype, (info.length, *info.element.shape))
    scope.ledger.snapshots.discard(value.cell)
    return View(value.cell, tuple(Range(Const(0, INT), s) for s in kind.shape), kind)


def as_array(scope: Scope, value: ListArray | ListCell, node: ast.AST) -> Expr:
    """A list where NumPy makes an array of it: of ints where all of several kinds happen to be, of floats where empty."""
    view = list_view(scope, value, node)
    if isinstance(value, ListArray):
        kind, depth = value.element, value.depth
    else:
        info = scope.ledger.lists[value.cell]
        kind, below = info.rows if info.rows is not None else (info.element, 0)
        depth = below + 1
    if isinstance(kind, ScalarType) and len({k.dtype for k in kind.kinds}) > 1:
        raise scope.blocked(node, Code.UNSTABLE_TYPE, "an array of elements of several types")
    for axis, size in enumerate(view.type.shape[:depth]):
        if axis + 1 < rank(view.type) or view.type.dtype != np.float64:
            holding(scope, size, node)
    return load(scope, view, node)


def holding(scope: Scope, size: Affine, node: ast.AST) -> None:
    """A list of this many elements has one: the array of an empty list has one axis, and is of floats."""
    if size.is_constant and size.constant < 1:
        raise scope.blocked(node, Code.DYNAMIC_SHAPE, "an array of an empty list")
    if not ranges.require(scope, size - 1):
        scope.fault(Apply("less", (ranges.to_expr(size), Const(1, INT)), BOOL), "an array of nothing", scope.span(node))


def table(scope: Scope, columns: Sequence[Value], node: ast.AST) -> Expr:
    """A list of tuples as an array: a column for each place in them."""
    parts: list[Expr] = []
    for column in columns:
        if not isinstance(column, ListArray | ListCell):
            raise scope.blocked(node, Code.UNSUPPORTED_EXPRESSION, "a list of tuples of tuples as an array")
        part = as_array(scope, column, node)
        holding(scope, part.type.shape[0], node)
        parts.append(part)
    lowered = calls.call(np.stack, [tuple(parts)], {"axis": 1}, scope.span(node))
    if lowered is None:
        raise scope.blocked(node, Code.UNSUPPORTED_EXPRESSION, "this list of tuples as an array")
    return take(scope, lowered, node)


def element_reader(scope: Scope, value: Value, view: View):
    from autovec.frontend.iteration import subscripts_row

    def at(s: Scope, e: object) -> Value:
        row = subscripts_row(s, view, e, ast.Name("list", ast.Load()))  # type: ignore[arg-type]
        return as_element(s, value, row)

    return at


def as_element(scope: Scope, value: Value, row: Value) -> Value:
    """An element with the list's own kind: a Python float stays one."""
    if isinstance(value, ListArray) and value.depth > 1 and isinstance(row, View):
        return ListArray(row, value.element, value.depth - 1, value.tags, value.rows)
    kind: Type | None = None
    which = ""
    if isinstance(value, ListArray):
        kind, which = value.element, value.tags
    elif isinstance(value, ListCell):
        info = scope.ledger.lists[value.cell]
        kind, which = info.element, info.tags
    if isinstance(row, Computed) and isinstance(row.expr, Load) and isinstance(kind, ScalarType):
        tag = Load(which, row.expr.index, INT) if which else None
        return Computed(replace(row.expr, type=kind), tag)
    return row


def length(scope: Scope, value: Value, node: ast.AST) -> Value:
    """`len(value)`."""
    if isinstance(value, TupleValue):
        return Static(len(value.items))
    if isinstance(value, Static) and answers_alike(value.value, "__len__"):
        try:
            return Static(len(value.value))  # type: ignore[arg-type]
        except TypeError:
            raise scope.blocked(node, Code.RAISES, "len of something without a length") from None
    if isinstance(value, Elements):
        return Computed(value.lengths[0])
    if isinstance(value, Masked):
        from autovec.frontend import masked

        return masked.count(scope, value, node)
    if isinstance(value, TupleList):
        return length(scope, value.columns[0], node)
    if isinstance(value, Packed):
        buffers.wanted(scope, value.items)
    if isinstance(value, Buffer):
        return Computed(buffers.size(scope, value, node))
    if isinstance(value, ListCell):
        known = scope.ledger.lists[value.cell].length
        if known is None or len(scope.loops) != scope.ledger.lists[value.cell].depth:
            buffers.wanted(scope, value)
            raise scope.blocked(node, Code.DYNAMIC_SHAPE, "the length of a list that grows")
        return Computed(ranges.to_expr(known))
    view = value.view if isinstance(value, ListArray) else value
    if isinstance(view, View | Computed) and rank(view.type):
        return Computed(ranges.to_expr(view.type.shape[0]))
    raise scope.blocked(node, Code.RAISES, "len of something without a length")
