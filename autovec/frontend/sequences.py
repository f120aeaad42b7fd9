"""Lists and tuples: displays, `[0.0] * n`, appends, items.

A list whose length is known before its elements is an array that knows it is a list; one that grows by appends is a
cell of its own, packed at the end.
"""

from __future__ import annotations

import ast
from dataclasses import replace

import numpy as np

from autovec.diagnostics import Code
from autovec.frontend import calls, ranges, subscripts
from autovec.frontend.carried import Widened
from autovec.frontend.expressions import as_expr, lower, may_write, take
from autovec.frontend.expressions import operate as operate_numbers
from autovec.frontend.scope import ListInfo, Scope
from autovec.frontend.tags import fitted, joined, tag_expr
from autovec.frontend.values import (
    Computed,
    Elements,
    ListArray,
    ListCell,
    Masked,
    Static,
    TupleList,
    TupleValue,
    Value,
    View,
)
from autovec.ir.affine import Affine
from autovec.ir.nodes import Append, Apply, Call, Const, Expr, ListAlloc, Load, Range
from autovec.ir.types import BOOL, INT, ArrayType, ScalarType, Type, rank


def is_list(value: Value | None) -> bool:
    return isinstance(value, ListArray | ListCell)


def is_sequence(*values: Value) -> bool:
    return any(
        isinstance(v, TupleValue | ListArray | ListCell | TupleList)
        or (isinstance(v, Static) and isinstance(v.value, tuple | list | str))
        for v in values
    )


def operate(scope: Scope, node: ast.expr, op: ast.operator, a: Value, b: Value) -> Value:
    """`[0.0] * n`, `(a, b) + (c,)`, and arithmetic with a sequence that NumPy makes an array of."""
    if isinstance(op, ast.Mult) and isinstance(a, TupleValue):
        if isinstance(b, Static) and isinstance(b.value, int) and len(a.items) * b.value <= 16:
            return TupleValue(a.items * b.value, a.constructor)
        if a.constructor is list and len(a.items) == 1:
            return repeated(scope, node, a.items[0], b)
    if isinstance(op, ast.Add) and isinstance(a, TupleValue) and isinstance(b, TupleValue):
        return TupleValue(a.items + b.items, a.constructor)
    if isinstance(a, Static) and isinstance(b, Static):
        from autovec.frontend.expressions import fold

        folded = fold(eval(f"lambda a, b: a {symbol(op)} b"), a.value, b.value)
        if folded is not None:
            return folded
    if (isinstance(a, View | Computed) and isinstance(a.type, ArrayType)) or (
        isinstance(b, View | Computed) and isinstance(b.type, ArrayType)
    ):
        return operate_numbers(scope, node, type(op).__name__, a, b)
    raise scope.blocked(node, Code.UNSUPPORTED_EXPRESSION, "this operation on a list or tuple")


def symbol(op: ast.operator) -> str:
    return {"Add": "+", "Mult": "*", "Mod": "%"}.get(type(op).__name__, "+")


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


def joined_element(scope: Scope, node: ast.AST, first: ScalarType) -> ScalarType:
    """The kinds of a list's elements: those it starts with, and those that stores have been seen to bring."""
    key = (0, id(node), "list")
    kinds = ScalarType(first.kinds | scope.ledger.joins.get(key, first).kinds)
    scope.ledger.joins[key] = kinds
    return kinds


# ---------------------------------------------------------------- lists that grow


def new_list(scope: Scope, hint: str, items: tuple[Value, ...], node: ast.AST) -> ListCell:
    key = (0, id(node), "list")
    known = scope.ledger.joins.get(key)
    name, tags = scope.ledger.fresh(hint), ""
    scope.emit(ListAlloc(name, scope.span(node), hint))
    if known is not None and known.only is None:
        tags = scope.ledger.fresh(f"{hint}_kind")
        scope.emit(ListAlloc(tags, scope.span(node), f"{hint}_kind"))
    scope.ledger.lists[name] = ListInfo(None, Affine.number(0), len(scope.loops), key, tags)
    cell = ListCell(name)
    for item in items:
        append(scope, cell, item, node)
    return cell


def is_grown(scope: Scope, name: str) -> bool:
    """Does the function append to this name?"""
    for node in ast.walk(scope.home.node):
        if isinstance(node, ast.Attribute) and node.attr in ("append", "extend", "insert", "pop"):
            if isinstance(node.value, ast.Name) and node.value.id == name:
                return True
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name) and node.target.id == name:
            return True
    return False


def append(scope: Scope, cell: ListCell, value: Value, node: ast.AST) -> None:
    """One more element; a list of several kinds of numbers keeps their tags in a list beside it."""
    info = scope.ledger.lists[cell.cell]
    expr = as_expr(scope, value, node)
    kind: Type = expr.type
    if isinstance(kind, ScalarType) and not isinstance(info.element, ArrayType):
        kind = joined_kinds(scope, info, expr, node)
        if info.tags:
            scope.emit(Append(info.tags, tag_expr(scope, value, expr, kind), scope.guard, scope.span(node)))
        expr = fitted(scope, expr, kind, node)
    elif info.element is not None and info.element != kind:
        raise scope.blocked(node, Code.UNSTABLE_TYPE, f"a list of {info.element} and {kind}")
    if rank(kind) and any(s.names & {r.variable for r in scope.loops} for s in kind.shape):
        raise scope.blocked(node, Code.DYNAMIC_SHAPE, "a list of arrays of different lengths")
    scope.emit(Append(cell.cell, expr, scope.guard, scope.span(node)))
    scope.ledger.lists[cell.cell] = replace(info, element=kind, length=grown(scope, info))


def joined_kinds(scope: Scope, info: ListInfo, expr: Expr, node: ast.AST) -> ScalarType:
    """The kinds of a list's elements; one that is new starts the lowering again."""
    known = scope.ledger.joins.get(info.key)
    if known is None and isinstance(expr.type, ScalarType) and expr.type.only is not None:
        scope.ledger.joins[info.key] = expr.type
        return expr.type
    if known is None:
        known = ScalarType(frozenset())
    both = known
    if known.kinds:
        both = joined(scope, known, expr.type, node)
    elif isinstance(expr.type, ScalarType):
        both = expr.type
    if both != known:
        scope.ledger.joins[info.key] = both
        raise Widened(info.key)
    return both


def grown(scope: Scope, info: ListInfo) -> Affine | None:
    """The length after this append has run in all iterations of the loops around it, where that is a size."""
    if info.length is None or scope.guard is not None or any(scope.live):
        return None
    inside = scope.loops[info.depth :]
    if not inside:
        return info.length + 1
    one, *others = inside
    if others or info.length != Affine.number(0):
        return None
    if len(one.lower) != 1 or len(one.upper) != 1 or abs(one.step) != 1:
        return None
    extent = one.upper[0] - one.lower[0] if one.step > 0 else one.lower[0] - one.upper[0]
    if extent.names & {r.variable for r in scope.loops} or not ranges.require(scope, extent):
        return None
    return extent


def mutating_call(scope: Scope, node: ast.Call) -> bool:
    """`x.append(e)` and its kin on a list under construction; True where it was one."""
    assert isinstance(node.func, ast.Attribute)
    if not isinstance(node.func.value, ast.Name):
        return False
    target = scope.env.get(node.func.value.id)
    if isinstance(target, ListArray) and node.func.value.id in scope.filling and node.func.attr == "append":
        from autovec.frontend import filling

        filling.put(scope, node.func.value.id, target, lower(scope, node.args[0]), node)
        return True
    if node.func.attr == "sort" and not node.args and not node.keywords and is_list(target):
        sort(scope, node.func.value.id, target, node)
        return True
    if not isinstance(target, ListCell):
        return False
    if node.func.attr == "append" and len(node.args) == 1:
        append(scope, target, lower(scope, node.args[0]), node)
        return True
    if node.func.attr == "extend" and len(node.args) == 1:
        extend_by(scope, target, node.args[0], node)
        return True
    raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, f"the list method {node.func.attr}")


def extend(scope: Scope, name: str, old: Value, op: str, node: ast.AugAssign) -> None:
    """`x += [a, b]`."""
    if op != "Add" or not isinstance(old, ListCell):
        raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, "this in-place operation on a list")
    extend_by(scope, old, node.value, node)


def extend_by(scope: Scope, target: ListCell, items: ast.expr, node: ast.AST) -> None:
    from autovec.frontend import comprehensions

    if isinstance(items, ast.ListComp | ast.GeneratorExp):
        comprehensions.append_all(scope, target, items)
        return
    value = lower(scope, items)
    if not isinstance(value, TupleValue):
        raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, "extending a list by this value")
    for item in value.items:
        append(scope, target, item, node)


def sort(scope: Scope, name: str, items: Value | None, node: ast.AST) -> None:
    """`x.sort()`: a list that is sorted becomes an array of its own, under all its names."""
    if items is None or scope.guard is not None or scope.ledger.depth:
        raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, "a list sorted here")
    made = in_order(scope, items, node)
    for other, value in list(scope.env.items()):
        if value == items:
            scope.env[other] = made
    scope.env[name] = made


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


# ---------------------------------------------------------------- items


def list_view(scope: Scope, value: Value, node: ast.AST) -> View:
    """The list as an array."""
    if isinstance(value, ListArray):
        return value.view
    if not isinstance(value, ListCell):
        raise scope.blocked(node, Code.UNSUPPORTED_EXPRESSION, "this value as a list")
    info = scope.ledger.lists[value.cell]
    if info.element is None or info.length is None or len(scope.loops) != info.depth:
        raise scope.blocked(node, Code.DYNAMIC_SHAPE, "a list read while it grows, or whose length depends on the data")
    kind = ArrayType(info.element.dtype, (info.length, *info.element.shape))
    scope.ledger.snapshots.discard(value.cell)
    return View(value.cell, tuple(Range(Const(0, INT), s) for s in kind.shape), kind)


def element_reader(scope: Scope, value: Value, view: View):
    from autovec.frontend.iteration import subscripts_row

    def at(s: Scope, e: object) -> Value:
        row = subscripts_row(s, view, e, ast.Name("list", ast.Load()))  # type: ignore[arg-type]
        return as_element(s, value, row)

    return at


def as_element(scope: Scope, value: Value, row: Value) -> Value:
    """An element with the list's own kind: a Python float stays one."""
    if isinstance(value, ListArray) and value.depth > 1 and isinstance(row, View):
        return ListArray(row, value.element, value.depth - 1, value.tags)
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


def item(scope: Scope, base: Value, node: ast.Subscript) -> Value:
    if isinstance(base, TupleList):
        return TupleValue(tuple(item(scope, c, node) for c in base.columns), base.constructor)
    if isinstance(base, Static):
        return subscripts.static_item(scope, base, node)
    if isinstance(base, TupleValue):
        if isinstance(node.slice, ast.Slice):
            raise scope.blocked(node, Code.UNSUPPORTED_INDEX, "a slice of a list or tuple")
        index = lower(scope, node.slice)
        if (
            isinstance(index, Static)
            and isinstance(index.value, int)
            and -len(base.items) <= index.value < len(base.items)
        ):
            return base.items[index.value]
        table = subscripts.as_view(scope, base, node)
        chosen, _ = subscripts.apply(scope, table, [(index, node.slice)], node)
        return Computed(subscripts.element(scope, chosen, node))
    view = list_view(scope, base, node)
    if isinstance(node.slice, ast.Slice):
        raise scope.blocked(node, Code.UNSUPPORTED_INDEX, "a slice of a list")
    chosen, _ = subscripts.apply(scope, view, [(lower(scope, node.slice), node.slice)], node)
    row: Value = Computed(subscripts.element(scope, chosen, node)) if rank(chosen.type) == 0 else chosen
    return as_element(scope, base, row)


def assign_item(scope: Scope, base: Value, target: ast.Subscript, value: Value) -> None:
    """`items[k] = value` for a list of known length."""
    if not isinstance(base, ListArray) or base.depth > 1 or base.element is None or isinstance(target.slice, ast.Slice):
        raise scope.blocked(target, Code.UNSUPPORTED_STATEMENT, "an assignment into this list or tuple")
    expr = as_expr(scope, value, target)
    if not isinstance(expr.type, ScalarType):
        raise scope.blocked(target, Code.UNSTABLE_TYPE, "an array stored into a list of numbers")
    if not expr.type.kinds <= base.element.kinds:
        key = scope.ledger.joins_of.get(base.view.cell)
        if key is None:
            raise scope.blocked(target, Code.UNSTABLE_TYPE, f"a list of {base.element} and {expr.type}")
        scope.ledger.joins[key] = joined(scope, base.element, expr.type, target)
        raise Widened(key)
    chosen, _ = subscripts.apply(scope, base.view, [(lower(scope, target.slice), target.slice)], target)
    if base.tags:
        scope.store(base.tags, chosen.index, tag_expr(scope, value, expr, base.element), scope.span(target))
    subscripts_store(scope, chosen, fitted(scope, expr, base.element, target), target)


def subscripts_store(scope: Scope, view: View, expr: object, node: ast.AST) -> None:
    scope.ledger.elements.add(view.cell)
    scope.store(view.cell, view.index, expr, scope.span(node))  # type: ignore[arg-type]


def augment_item(scope: Scope, base: Value, node: ast.AugAssign, op: str) -> None:
    assert isinstance(node.target, ast.Subscript)
    if not isinstance(base, ListArray):
        raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, "an in-place operation on an item of this list")
    read = ast.copy_location(ast.Subscript(node.target.value, node.target.slice, ast.Load()), node.target)
    old = item(scope, base, read)
    if may_write(node.value) and isinstance(old, Computed):
        old = Computed(scope.define("held", old.expr, scope.span(node)), old.tag)
    assign_item(scope, base, node.target, operate_numbers(scope, node, op, old, lower(scope, node.value)))


def length(scope: Scope, value: Value, node: ast.AST) -> Value:
    """`len(value)`."""
    if isinstance(value, TupleValue):
        return Static(len(value.items))
    if isinstance(value, Static):
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
    if isinstance(value, ListCell):
        known = scope.ledger.lists[value.cell].length
        if known is None or len(scope.loops) != scope.ledger.lists[value.cell].depth:
            raise scope.blocked(node, Code.DYNAMIC_SHAPE, "the length of a list that grows")
        return Computed(ranges.to_expr(known))
    view = value.view if isinstance(value, ListArray) else value
    if isinstance(view, View | Computed) and rank(view.type):
        return Computed(ranges.to_expr(view.type.shape[0]))
    raise scope.blocked(node, Code.RAISES, "len of something without a length")
