"""Subscripts -> accesses to cells: indices, slices, rows, views of views; proved in range, or checked by a Fault.

An index is counted from the front once it is proved not to be negative; one that may be negative keeps its meaning
(`wraps`), one that may be out of range gets a Fault under the guard of its statement.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from autovec.diagnostics import Blocked, Code
from autovec.frontend import ranges, sharing, tags
from autovec.frontend.expressions import as_expr, lower
from autovec.frontend.looked_up import answers_alike
from autovec.frontend.scope import Scope
from autovec.frontend.values import (
    Computed,
    DictValue,
    Elements,
    GrownArray,
    Masked,
    Static,
    TupleValue,
    Value,
    View,
    sequence_type,
)
from autovec.ir.affine import Affine
from autovec.ir.nodes import Apply, Call, Cast, Const, Expr, Gather, Point, Range, Ref, Select, Subscript
from autovec.ir.types import BOOL, INT, ArrayType, Type, rank


def read(scope: Scope, node: ast.Subscript) -> Value:
    """`base[index]` as a value."""
    from autovec.frontend import items_of_sequences, masked, picked, ragged, sequences, tables
    from autovec.frontend.expressions import load

    grown = scope.env.get(node.value.id) if isinstance(node.value, ast.Name) else None
    if isinstance(grown, GrownArray) and not isinstance(node.slice, ast.Slice | ast.Tuple):
        return items_of_sequences.item(scope, grown.items, node)
    of_table = tables.table_element(scope, node)
    if of_table is not None:
        return of_table
    base = lower(scope, node.value)
    if isinstance(base, DictValue):
        return entry(scope, base, node)
    if isinstance(base, Masked):
        narrowed = masked.further(scope, base, test, node) if (test := masked.test_of(scope, node)) else None
        if narrowed is not None:
            return narrowed
        base = picked.elements(scope, base, node)
    if isinstance(base, Elements):
        return (picked if base.prefix and len(base.lengths) > 1 else ragged).item(scope, base, node)
    if sequences.is_sequence(base):
        return items_of_sequences.item(scope, base, node)
    if isinstance(base, Static):
        return static_item(scope, base, node)
    view = as_view(scope, base, node)
    places = masked.array_subscript(scope, view, node)
    if isinstance(places, Masked | Elements):
        return masked.by_places(scope, view, places, node)
    if places is not None:
        return masked.chosen(scope, places[0], places[1], node)
    found = select_or_elements(scope, view, node)
    if isinstance(found, Elements):
        return found
    chosen, newaxes = found
    if rank(chosen.type) == 0 and not newaxes and not has_ellipsis(node.slice):
        return Computed(element(scope, chosen, node))
    if any(isinstance(one, Gather) for one in chosen.index) and not newaxes:
        return Computed(load(scope, chosen, node))  # an index array makes a copy
    if newaxes:
        return inserted(scope, chosen, newaxes, node)
    return chosen


def has_ellipsis(index: ast.expr) -> bool:
    """With `...` an array comes out, of no axes too."""
    parts = index.elts if isinstance(index, ast.Tuple) else [index]
    return any(isinstance(p, ast.Constant) and p.value is ... for p in parts)


def entry(scope: Scope, base: DictValue, node: ast.Subscript) -> Value:
    """`params["alpha"]`."""
    key = lower(scope, node.slice)
    if not isinstance(key, Static) or key.value not in base.entries:
        raise scope.blocked(node, Code.UNSUPPORTED_EXPRESSION, "a key that isn't in the dict, or isn't constant")
    return base.entries[key.value]


def element(scope: Scope, view: View, node: ast.AST) -> Expr:
    from autovec.ir.nodes import Load
    from autovec.ir.types import numpy_scalar

    return Load(view.cell, view.index, numpy_scalar(view.type.dtype), scope.span(node))


def static_item(scope: Scope, base: Static, node: ast.Subscript) -> Value:
    index = lower(scope, node.slice)
    if isinstance(index, Static) and answers_alike(base.value, "__getitem__"):
        try:
            return Static(base.value[index.value])  # type: ignore[index]
        except Exception:
            pass
    if isinstance(base.value, tuple | list) and base.value and isinstance(index, Computed):
        from autovec.frontend import items_of_sequences
        from autovec.frontend.expressions import constant_expr, stacked

        index = items_of_sequences.index_of(scope, node)
        items = TupleValue(tuple(Computed(constant_expr(scope, v, node)) for v in base.value))
        table = as_view(scope, Computed(stacked(scope, items, node)), node)
        point, _ = subscript(scope, index, node.slice, table.type.shape[0])
        kind = next(iter({type(v) for v in base.value})) if len({type(v) for v in base.value}) == 1 else None
        if kind in (int, float, bool):
            from autovec.ir.nodes import Load
            from autovec.ir.types import BOOL, FLOAT

            return Computed(Load(table.cell, (point,), {int: INT, float: FLOAT, bool: BOOL}[kind], scope.span(node)))
    raise scope.blocked(node, Code.UNSUPPORTED_EXPRESSION, f"a subscript of a {type(base.value).__name__}")


def as_view(scope: Scope, value: Value, node: ast.AST) -> View:
    """The array as a view of a cell; a computed array becomes a cell first."""
    if isinstance(value, View):
        return value
    expr = as_expr(scope, value, node)
    if not isinstance(expr.type, ArrayType):
        raise scope.blocked(node, Code.UNSUPPORTED_EXPRESSION, f"a subscript of a {expr.type}")
    return new_cell(scope, "array", expr, node, sharing.cell_of(value))


def new_cell(scope: Scope, hint: str, expr: Expr, node: ast.AST, shares: str = "") -> View:
    """Put a computed array into a cell of its own; `shares`: the cell that NumPy's array would be a view of."""
    assert isinstance(expr.type, ArrayType)
    cell = scope.allocate(hint, expr, expr.type, scope.span(node))
    if shares:
        sharing.viewed(scope, shares)
        scope.ledger.roots[cell] = shares
    return whole(cell, expr.type)


def whole(cell: str, type: ArrayType) -> View:
    return View(cell, tuple(Range(Const(0, INT), size) for size in type.shape), type)


def inserted(scope: Scope, view: View, newaxes: Sequence[int], node: ast.AST) -> Value:
    """`a[:, None]`: the selected elements with axes of size one put in."""
    from autovec.frontend.expressions import load

    expr = load(scope, view, node)
    shape = list(view.type.shape)
    for axis in sorted(newaxes):
        shape.insert(axis, Affine.number(1))
    kind = ArrayType(view.type.dtype, tuple(shape))
    made = Call("expand_dims", (expr,), (("axis", tuple(sorted(newaxes))),), kind, scope.span(node))
    return sharing.view_of(view, Computed(made))


def select_or_elements(scope: Scope, view: View, node: ast.Subscript) -> tuple[View, list[int]] | Elements:
    """The view that a subscript makes; where a slice has no fixed place and length, its elements."""
    from autovec.frontend import ragged

    before = len(scope.statements)
    try:
        return select(scope, view, node)
    except Blocked as blocked:
        slices = [n for n in ast.walk(node.slice) if isinstance(n, ast.Slice)]
        if blocked.code not in (Code.DYNAMIC_SHAPE, Code.UNSUPPORTED_INDEX) or not slices:
            raise
        del scope.statements[before:]
        found = ragged.subscript(scope, view, node)
        if found is None:
            raise
        return found


def select(scope: Scope, view: View, node: ast.Subscript) -> tuple[View, list[int]]:
    """The view that a subscript makes of a view, and the axes of the result that are new."""
    items = list(node.slice.elts) if isinstance(node.slice, ast.Tuple) else [node.slice]
    values: list[tuple[Value | ast.Slice, ast.expr]] = []
    for item in items:
        if isinstance(item, ast.Slice):
            values.append((item, item))
            continue
        value = lower(scope, item)
        if isinstance(value, TupleValue) and len(items) == 1 and value.constructor is tuple:
            values.extend((v, item) for v in value.items)
        elif isinstance(value, Static) and isinstance(value.value, tuple) and len(items) == 1:
            values.extend((Static(v), item) for v in value.value)
        elif sequence_type(value) is tuple and len(items) == 1:
            raise scope.blocked(item, Code.UNSUPPORTED_INDEX, "a tuple that was passed in as a subscript", "unpack it")
        else:
            values.append((value, item))
    return apply(scope, view, values, node)


def apply(
    scope: Scope, view: View, values: Sequence[tuple[Value | ast.Slice, ast.expr]], node: ast.expr
) -> tuple[View, list[int]]:
    real = [v for v, _ in values if not is_static(v, None) and not is_static(v, Ellipsis)]
    axes = list(range(rank(view.type)))
    if len(real) > len(axes):
        raise scope.blocked(node, Code.UNSUPPORTED_INDEX, f"{len(real)} subscripts for an array of {len(axes)} axes")
    spread = len(axes) - len(real)
    shape = view.type.shape
    chosen: list[Subscript] = []  # one for each axis of the view
    newaxes: list[int] = []
    kept = 0
    for value, item in values:
        if is_static(value, None):
            newaxes.append(kept)
            kept += 1
        elif is_static(value, Ellipsis):
            for _ in range(spread):
                chosen.append(Range(Const(0, INT), shape[len(chosen)]))
                kept += 1
            spread = 0
        else:
            one, stays = subscript(scope, value, item, shape[len(chosen)])
            chosen.append(one)
            kept += stays
    while len(chosen) < len(axes):
        chosen.append(Range(Const(0, INT), shape[len(chosen)]))
    made = compose(scope, view, chosen, node)
    return gathered_first(made, chosen) if gathers_apart(scope, chosen, newaxes, node) else made, newaxes


def gathers_apart(scope: Scope, chosen: Sequence[Subscript], newaxes: Sequence[int], node: ast.AST) -> bool:
    """Is there an index array, and a slice between it and an index? NumPy then puts the array's axis first."""
    arrays = sum(isinstance(one, Gather) for one in chosen)
    if arrays > 1:  # NumPy goes through them side by side
        raise scope.blocked(
            node, Code.UNSUPPORTED_INDEX, "several index arrays in one subscript", "write the loop over their elements"
        )
    indices = [k for k, one in enumerate(chosen) if not isinstance(one, Range)]
    if arrays and newaxes and len(indices) > 1:
        raise scope.blocked(node, Code.UNSUPPORTED_INDEX, "an index array, an index and a new axis in one subscript")
    return arrays == 1 and indices[-1] - indices[0] >= len(indices)


def gathered_first(view: View, chosen: Sequence[Subscript]) -> View:
    """
    a[i, :, idx]    -->    a[i][:, idx].T
    """
    remaining = [one for one in chosen if not isinstance(one, Point)]
    first = next(k for k, one in enumerate(remaining) if isinstance(one, Gather))
    return transposed(view, (first, *(k for k in range(len(remaining)) if k != first)))


def is_static(value: object, what: object) -> bool:
    return isinstance(value, Static) and value.value is what


def subscript(scope: Scope, value: Value | ast.Slice, item: ast.expr, size: Affine) -> tuple[Subscript, bool]:
    """One subscript of an axis of the given size; True where the axis remains."""
    if isinstance(value, ast.Slice):
        return ranges.slice_of(scope, value, size), True
    if isinstance(value, Static) and isinstance(value.value, slice):
        raise scope.blocked(item, Code.UNSUPPORTED_INDEX, "a slice object")
    expr = as_expr(scope, value, item)
    if isinstance(expr.type, ArrayType):
        if expr.type.dtype.kind not in "iu" or rank(expr.type) != 1:
            raise scope.blocked(item, Code.UNSUPPORTED_INDEX, f"an array {expr.type} as a subscript")
        expr = scope.define("index", expr, scope.span(item))
        below, above = bounds_fault(expr, size, scope)
        outside = Apply("logical_or", (below, above), ArrayType(np.dtype(bool), expr.type.shape))
        fault = Call("any", (outside,), (("axis", (0,)), ("keepdims", False)), BOOL)
        scope.fault(fault, "index out of range", scope.span(item))
        return Gather(expr), True
    if not tags.refuse_kinds(scope, value, expr.type, lambda kind: kind.dtype.kind == "b", item):
        raise scope.blocked(item, Code.UNSUPPORTED_INDEX, "a boolean as a subscript")
    if expr.type.dtype.kind not in "iu":
        raise scope.blocked(item, Code.UNSUPPORTED_INDEX, f"a {expr.type} as a subscript")
    return point(scope, expr, item, size), False


def bounds_fault(expr: Expr, size: Affine, scope: Scope) -> tuple[Expr, Expr]:
    wide = expr if expr.type.dtype == np.dtype(np.int64) else Cast(expr, as_wide(expr.type))
    kind = replace(wide.type, dtype=np.dtype(bool)) if isinstance(wide.type, ArrayType) else BOOL
    limit = affine_expr(size)
    return (
        Apply("less", (wide, Apply("negative", (limit,), INT)), kind),
        Apply("greater_equal", (wide, limit), kind),
    )


def as_int(expr: Expr) -> Expr:
    """A NumPy int as a subscript counts."""
    return expr if expr.type == INT else Cast(expr, INT)


def as_wide(kind: Type) -> Type:
    """The same with int64 in place of another int dtype."""
    return replace(kind, dtype=np.dtype(np.int64)) if isinstance(kind, ArrayType) else INT


def point(scope: Scope, expr: Expr, item: ast.AST, size: Affine) -> Point:
    """An integer subscript: proved in range, or looked after by a Fault."""
    if expr.type != INT and expr.type.dtype.kind in "iu":
        if not isinstance(expr, Const):
            expr = scope.define("index", expr, scope.span(item))
        expr = Cast(expr, INT)
    form = scope.affine(expr)
    if form is not None:
        verdict = ranges.in_range(scope, form, size)
        if verdict == "in range":
            return Point(expr, checked=True)
        if verdict == "negative":
            return Point(affine_expr(form + size), checked=True)
        if verdict == "wraps":
            return Point(expr, wraps=True, checked=True)
    if not isinstance(expr, Const | Ref):
        expr = scope.define("index", expr, scope.span(item))
    below, above = bounds_fault(expr, size, scope)
    scope.fault(Apply("logical_or", (below, above), BOOL), "index out of range", scope.span(item))
    return Point(expr, wraps=True)


def affine_expr(form: Affine) -> Expr:
    """An affine form as an expression, positive terms first."""
    result: Expr | None = None
    for name, factor in sorted(form.terms, key=lambda t: t[1] < 0):
        term: Expr = Ref(name, INT)
        if abs(factor) != 1:
            term = Apply("multiply", (Const(abs(factor), INT), term), INT)
        if result is None:
            result = term if factor > 0 else Apply("negative", (term,), INT)
        else:
            result = Apply("add" if factor > 0 else "subtract", (result, term), INT)
    if result is None:
        return Const(form.constant, INT)
    if form.constant:
        op = "add" if form.constant > 0 else "subtract"
        result = Apply(op, (result, Const(abs(form.constant), INT)), INT)
    return result


def compose(scope: Scope, view: View, chosen: Sequence[Subscript], node: ast.AST) -> View:
    """Subscripts of a view -> subscripts of its cell."""
    order = view.order or tuple(range(rank(view.type)))
    of_axis: dict[int, Subscript] = {order[k]: one for k, one in enumerate(chosen)}
    index: list[Subscript] = []
    shapes: dict[int, Affine] = {}  # stored axis -> size that remains
    axis = 0
    for held in view.index:
        if isinstance(held, Point):
            index.append(held)
            continue
        one = of_axis[axis]
        if isinstance(one, Range):
            shapes[axis] = one.length
        elif isinstance(one, Gather):
            assert isinstance(one.at.type, ArrayType)
            shapes[axis] = one.at.type.shape[0]
        index.append(inside(scope, held, one, node))
        axis += 1
    remaining = [order[k] for k, one in enumerate(chosen) if not isinstance(one, Point)]
    ranked = sorted(remaining)
    new_order = tuple(ranked.index(a) for a in remaining)
    kind = ArrayType(view.type.dtype, tuple(shapes[a] for a in remaining))
    order = None if new_order == tuple(sorted(new_order)) else new_order
    return View(view.cell, tuple(index), kind, order, fresh=True)


def inside(scope: Scope, held: Subscript, one: Subscript, node: ast.AST) -> Subscript:
    """A subscript of an axis that is itself a slice of the cell's axis."""
    if isinstance(held, Gather):
        if isinstance(one, Range) and one.step == 1 and isinstance(one.start, Const) and one.start.value == 0:
            assert isinstance(held.at.type, ArrayType)
            if one.length == held.at.type.shape[0]:
                return held
        raise scope.blocked(
            node, Code.UNSUPPORTED_INDEX, "a subscript of a gathered array", "bind the gathered array to a name first"
        )
    assert isinstance(held, Range)
    if held.step == 1 and isinstance(held.start, Const) and held.start.value == 0:
        return one
    if isinstance(one, Range):
        return Range(shifted(scope, held, one.start), one.length, held.step * one.step)
    if isinstance(one, Gather):
        raise scope.blocked(node, Code.UNSUPPORTED_INDEX, "an index array into a slice")
    at = one.at
    if one.wraps:
        negative = Apply("less", (at, Const(0, INT)), BOOL)
        at = Select(negative, Apply("add", (at, affine_expr(held.length)), INT), at, INT)
    return Point(shifted(scope, held, at), checked=True)


def shifted(scope: Scope, held: Range, at: Expr) -> Expr:
    """held.start + held.step * at, in its simplest affine form."""
    start, form = scope.affine(held.start), scope.affine(at)
    if start is not None and form is not None:
        return affine_expr(start + form * held.step)
    term = at if held.step == 1 else Apply("multiply", (Const(held.step, INT), at), INT)
    return Apply("add", (held.start, term), INT)


def arranged(name: str, view: View, args: Sequence[object]) -> View | None:
    """`a.transpose(1, 0)`, `a.swapaxes(0, 1)`; None where the axes aren't known, or not all there."""
    axes = list(range(rank(view.type)))
    args = args[0] if len(args) == 1 and isinstance(args[0], tuple) else args
    found = [a % len(axes) for a in args if isinstance(a, int) and -len(axes) <= a < len(axes)]
    if len(found) != len(args):
        return None
    if name == "swapaxes" and len(found) == 2:
        a, b = found
        axes[a], axes[b] = axes[b], axes[a]
        return transposed(view, axes)
    if name != "transpose" or (found and sorted(found) != axes):
        return None
    return transposed(view, found or axes[::-1])


def transposed(view: View, axes: Sequence[int]) -> View:
    """`a.T` and its kin: the same elements, the axes in another order."""
    order = view.order or tuple(range(rank(view.type)))
    new = tuple(order[k] for k in axes)
    kind = ArrayType(view.type.dtype, tuple(view.type.shape[k] for k in axes))
    return View(view.cell, view.index, kind, None if new == tuple(sorted(new)) else new, fresh=True)
