"""Assignments: names, tuples, elements, `op=`.

A name is bound to a value; a name that a loop carries is a cell, and binding it is a store. Elements of arrays are
stored with NumPy's cast.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from autovec.diagnostics import Code
from autovec.frontend import (
    attribute_writes,
    buffers,
    calls,
    carried,
    crossing,
    growing,
    grown_arrays,
    items_of_sequences,
    masked,
    optional,
    owned,
    picked,
    ragged,
    ranges,
    sequences,
    sharing,
    starred,
    subscripts,
)
from autovec.frontend.expressions import as_expr, held, load, lower, may_write, settled, take
from autovec.frontend.operators import operate
from autovec.frontend.scope import Scope
from autovec.frontend.tags import tag_of
from autovec.frontend.values import (
    Computed,
    DictValue,
    Elements,
    GrownArray,
    ListArray,
    Masked,
    MaybeUnbound,
    Static,
    TupleValue,
    Value,
    Variable,
    View,
    sequence_type,
)
from autovec.frontend.wording import in_words
from autovec.ir.nodes import Call, Const, Expr, Load, Point, Range, Ref
from autovec.ir.types import BOOL, INT, ArrayType, rank


def assign(scope: Scope, targets: Sequence[ast.expr], node: ast.expr) -> None:
    if len(targets) == 1 and isinstance(targets[0], ast.Name):
        name = targets[0].id
        if grown_arrays.grows(scope, name, node):
            return
        started = grown_arrays.starts(scope, name, node)
        if started is not None:
            bind_name(scope, name, started, node)
            return
    several = len(targets) > 1 or isinstance(targets[0], ast.Tuple | ast.List)
    value = settled(scope, node) if several else lower(scope, node)
    if isinstance(targets[0], ast.Tuple | ast.List):
        value = owned.snapshot(scope, targets[0], value, node)
    if isinstance(targets[0], ast.Subscript) and isinstance(value, View):
        value = Computed(load(scope, value, node), shares=value.cell)
    if isinstance(targets[0], ast.Subscript) and isinstance(value, Computed | Variable) and may_write(targets[0]):
        value = held(scope, value, "held", node)  # it is evaluated before the place
    if isinstance(targets[0], ast.Subscript) and len(targets) > 1 and isinstance(value, Computed):
        value = Computed(scope.define("held", value.expr, scope.span(node)), value.tag)
    for target in targets:
        bind(scope, target, value, node)
        if len(targets) > 1 and isinstance(target, ast.Name):  # the others are other names of the same
            node = ast.copy_location(ast.Name(target.id, ast.Load()), node)
            value = lower(scope, node)
        elif len(targets) > 1 and isinstance(target, ast.Tuple | ast.List) and isinstance(value, TupleValue):
            node = ast.copy_location(ast.Tuple(known_names(target, len(value.items)), ast.Load()), node)
            pairs = zip(node.elts, value.items, strict=True)
            value = replace(value, items=tuple(as_named(scope, name, item) for name, item in pairs))


def known_names(target: ast.Tuple | ast.List, count: int) -> list[ast.expr]:
    """The names that so many values went to, each its own; a name of nothing where that isn't so."""
    parts = target.elts if len(target.elts) == count else []
    names = [p.id if isinstance(p, ast.Name) else "" for p in parts] or [""] * count
    return [ast.copy_location(ast.Name(n, ast.Load()), target) for n in names]


def as_named(scope: Scope, node: ast.expr, value: Value) -> Value:
    """A list that was bound to a name is the same one under its other names."""
    is_list = isinstance(value, TupleValue) and value.constructor is list
    return lower(scope, node) if is_list and isinstance(node, ast.Name) and node.id else value


def bind(scope: Scope, target: ast.expr, value: Value, node: ast.expr) -> None:
    match target:
        case ast.Name(id=name):
            bind_name(scope, name, value, node)
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            items = unpacked(scope, parts, value, node)
            nodes = node.elts if isinstance(node, ast.Tuple | ast.List) and len(node.elts) == len(parts) else []
            for part, item, one in zip(parts, items, nodes or [node] * len(parts), strict=True):
                if isinstance(part, ast.Starred):
                    bind(scope, part.value, item, part)
                else:
                    bind(scope, part, item, one)
        case ast.Subscript():
            assign_subscript(scope, target, value)
        case ast.Attribute():
            attribute_writes.assign(scope, target, value, node)
        case _:
            raise scope.blocked(target, Code.UNSUPPORTED_STATEMENT, f"an assignment to {in_words(target)}")


def unpacked(scope: Scope, parts: Sequence[ast.expr], value: Value, node: ast.expr) -> Sequence[Value]:
    if any(isinstance(p, ast.Starred) for p in parts):
        return starred.spread(scope, parts, value, node)
    if isinstance(value, Static) and isinstance(value.value, tuple | list) and len(value.value) == len(parts):
        return [Static(v) for v in value.value]
    if isinstance(value, TupleValue) and len(value.items) == len(parts):
        return value.items
    if isinstance(value, ListArray):
        size = value.view.type.shape[0]
        if ranges.require(scope, size - len(parts)) and ranges.require(scope, -size + len(parts)):
            at = sequences.element_reader(scope, value, value.view)
            return [at(scope, Const(k, INT)) for k in range(len(parts))]
    if isinstance(value, View | Computed) and isinstance(value.type, ArrayType) and rank(value.type):
        view = subscripts.as_view(scope, value, node)
        if ranges.require(scope, view.type.shape[0] - len(parts)) and ranges.require(
            scope, -view.type.shape[0] + len(parts)
        ):
            items: list[Value] = []
            for k in range(len(parts)):
                chosen, _ = subscripts.apply(scope, view, [(Static(k), node)], node)
                if rank(chosen.type) == 0:
                    items.append(
                        Computed(scope.define("item", subscripts.element(scope, chosen, node), scope.span(node)))
                    )
                else:
                    items.append(chosen)
            return items
    raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, f"unpacking into {len(parts)} names")


def bind_name(scope: Scope, name: str, value: Value, node: ast.AST) -> None:
    current = scope.env.get(name)
    span = scope.span(node)
    if isinstance(current, GrownArray) and (scope.loops or scope.guard is not None):
        raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, f"the array {name!r}, which grows, bound anew here")
    if isinstance(current, MaybeUnbound) and carried.in_cell(current.value) and isinstance(current.bound, Load):
        if current.none and optional.is_none(value):
            scope.store(current.bound.cell, (), Const(False, BOOL), span)
            return
        scope.store(current.bound.cell, (), Const(True, BOOL), span)
        current = current.value
    if isinstance(current, Variable) and current.cell in scope.ledger.owners:
        scope.env[name] = carried.assign_variable(scope, name, current, value, node)
        return
    if isinstance(current, View) and current.rebound and not is_done(scope, current, value):
        rebind_array(scope, name, current, value, node)
        scope.env[name] = current
        return
    if isinstance(current, ListArray) and current.view.rebound:
        owned.rebind_list(scope, name, current, value, node)
        return
    if isinstance(value, Masked):
        value = picked.named(scope, value, node, sequences.is_written(scope, name))
    if isinstance(value, Elements) and value.place is None:
        value = ragged.materialised(scope, value, node)
    match value:
        case MaybeUnbound(none=True):
            scope.env[name] = optional.kept(scope, value, name, node)
        case TupleValue(items=(), constructor=constructor) if constructor is list and growing.is_emptied(
            scope, current
        ):
            if current is not None:
                buffers.clear(scope, current, node)
        case TupleValue(items=items, constructor=constructor) if constructor is list and growing.is_grown(
            scope, name, not items
        ):
            if not sharing.is_new(scope, value, node):
                raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, "a list with two names that grows", "copy it")
            scope.env[name] = growing.new_list(scope, name, items, node)
        case TupleValue(constructor=constructor) if constructor is list and sequences.is_written(scope, name):
            made: Value | None = None
            if sharing.is_new(scope, value, node):
                made = sequences.displayed_rows(scope, value, node) or sequences.displayed(scope, value, node)
            scope.env[name] = made or value
        case Computed(expr=expr, tag=tag) if isinstance(expr.type, ArrayType):
            scope.env[name] = subscripts.new_cell(scope, name, expr, node, value.shares)
        case Computed(expr=expr, tag=tag):
            if tag is not None:
                tag = scope.define(f"{name}_kind", tag, span)
            scope.env[name] = Computed(scope.define(name, expr, span), tag)
        case Variable(cell=cell, type=kind):
            tag = tag_of(scope, value)
            if tag is not None:
                tag = scope.define(f"{name}_kind", tag, span)
            scope.env[name] = Computed(scope.define(name, scope.load(cell, kind), span), tag)
        case View() if value.rebound:
            # the other name's cell will be overwritten: keep what it holds now
            scope.ledger.snapshots.add(value.cell) if value.cell in scope.ledger.elements else None
            scope.env[name] = subscripts.new_cell(scope, name, load(scope, value, node), node, value.cell)
        case ListArray() if value.view.rebound:
            scope.env[name] = owned.named(scope, name, value, node)
        case _:
            scope.env[name] = value
    named_size(scope, name, scope.env[name])


def is_done(scope: Scope, view: View, value: Value) -> bool:
    """Is the loop over that carried the array, and what the name is bound to now no such array?"""
    after = scope.ledger.depths[view.cell] == len(scope.loops)
    return after and getattr(value, "type", None) != view.type


def named_size(scope: Scope, name: str, value: Value) -> None:
    """`n = len(x)`: the person's name for a size is the one to print."""
    if isinstance(value, Computed) and isinstance(value.expr, Ref) and value.expr.name in scope.ledger.sizes:
        scope.ledger.renamed.setdefault(value.expr.name, name)


def rebind_array(scope: Scope, name: str, view: View, value: Value, node: ast.AST) -> None:
    if value == view:  # `a = a`: what it was before the loop it still is
        owned.keep(scope, view.cell, node)
        return
    carried.refuse_sequence(scope, name, value, node)
    expr = as_expr(scope, value, node)
    if expr.type != view.type:
        raise scope.blocked(
            node,
            Code.UNSTABLE_TYPE,
            f"the name {name!r}, {view.type} before the loop and {expr.type} in it",
            "give it its final type and shape before the loop",
        )
    owned.release(scope, name, view.cell, value, node)
    scope.store(view.cell, view.index, expr, scope.span(node))


def assign_subscript(scope: Scope, target: ast.Subscript, value: Value) -> None:
    if isinstance(target.value, ast.Name) and isinstance(scope.env.get(target.value.id), GrownArray):
        raise scope.blocked(target, Code.UNSUPPORTED_STATEMENT, "an assignment into an array that grows")
    base = lower(scope, target.value)
    if isinstance(base, DictValue):
        set_entry(scope, base, target, value)
        return
    if sequences.is_sequence(base):
        items_of_sequences.assign_item(scope, base, target, value)
        return
    if isinstance(base, Elements) and base.place is not None and len(base.lengths) == 1:
        store(scope, item_place(scope, base, target), value, target)
        return
    if not isinstance(base, View):
        raise scope.blocked(target, Code.UNSUPPORTED_STATEMENT, "an assignment into something that isn't an array")
    mask = mask_of(scope, base, target)
    if mask is not None:
        masked.store(scope, *mask, value, target)
        return
    found = subscripts.select_or_elements(scope, base, target)
    if isinstance(found, Elements):
        ragged.store(scope, found, value, target)
        return
    view, newaxes = found
    if isinstance(value, Elements):
        ragged.store(scope, ragged.elements_of(scope, view, target), value, target)
        return
    if newaxes:
        raise scope.blocked(target, Code.UNSUPPORTED_INDEX, "an assignment through a new axis")
    store(scope, view, value, target)


def set_entry(scope: Scope, base: DictValue, target: ast.Subscript, value: Value) -> None:
    """`results["mean"] = value`, of a dict that the function has made, outside loops and branches."""
    key = lower(scope, target.slice)
    if not isinstance(key, Static) or type(key.value) not in (str, int) or base.origin:
        raise scope.blocked(target, Code.UNSUPPORTED_STATEMENT, "an assignment into this dict")
    if scope.loops or scope.guard is not None or any(scope.live) or not isinstance(target.value, ast.Name):
        raise scope.blocked(target, Code.UNSUPPORTED_STATEMENT, "an assignment into a dict in a loop or branch")
    bind_name(scope, "entry", value, target)
    changed = DictValue({**base.entries, key.value: scope.env.pop("entry")})
    for name, entry in list(scope.env.items()):
        if entry is base:
            scope.env[name] = changed


def mask_of(scope: Scope, base: View, target: ast.Subscript) -> tuple[View, Expr] | None:
    """Where a mask stores to, and the mask; None for other subscripts."""
    found = masked.array_subscript(scope, base, target)
    if isinstance(found, Masked) and found.places and found.mask.type.shape == base.type.shape[:1]:
        return base, found.mask
    if found is None or isinstance(found, tuple):
        return found
    raise scope.blocked(target, Code.DYNAMIC_SHAPE, "indices as a subscript of an assignment", "use a mask")


def item_place(scope: Scope, target: Elements, node: ast.Subscript) -> View:
    """Where `y[i]` lies, of an array as long as the data says."""
    place = target.place
    assert place is not None
    at = ragged.item(scope, replace(target, at=lambda s, where: Computed(where[0])), node)
    return place(scope, [as_expr(scope, at, node)])


def store(scope: Scope, view: View, value: Value, node: ast.AST) -> None:
    """Write a value into the elements of a view, with NumPy's cast."""
    expr = as_expr(scope, value, node)
    scope.ledger.elements.add(view.cell)
    if (view.rebound and view.cell in scope.ledger.rebinds) or view.cell in scope.ledger.rebinds:
        raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, "an array both rebound and written into inside a loop")
    if len(expr.type.shape) > rank(view.type):
        raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, "an assignment of an array of more axes than its target")
    for have, want in zip(expr.type.shape[::-1], view.type.shape[::-1], strict=False):
        if (have != want and have.constant != 1) or (have != want and not have.is_constant):
            raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, f"an assignment of shape {have} to {want}")
    if isinstance(value, View | Computed):
        crossing.check_view(scope, view, value, node)
    if sequence_type(value):
        sequences.check_elements(scope, expr, view.type.dtype, node)
    fitted = take(scope, calls.cast_for_store(expr, view.type.dtype, rank(view.type) > 0), node)
    targets = view.type.shape[rank(view.type) - rank(fitted.type) :]
    if fitted.type.shape != targets:  # one element, row or column for all of them
        fitted = Call("broadcast_to", (fitted,), (), ArrayType(fitted.type.dtype, targets))
    if view.order is not None and rank(fitted.type) == rank(view.type):
        back = tuple(view.order.index(k) for k in range(len(view.order)))
        kind = ArrayType(fitted.type.dtype, tuple(fitted.type.shape[k] for k in back))
        fitted = Call("transpose", (fitted,), (("axes", back),), kind)
    elif view.order is not None and rank(fitted.type):
        raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, "an assignment that broadcasts into a transposed view")
    scope.store(view.cell, view.index, fitted, scope.span(node))


def augmented(scope: Scope, node: ast.AugAssign) -> None:
    """`target op= value`; the subscript is evaluated once, arrays are changed in place."""
    op = type(node.op).__name__
    if isinstance(node.target, ast.Attribute):
        attribute_writes.augmented(scope, node.target, node, op)
        return
    if isinstance(node.target, ast.Name):
        read = ast.copy_location(ast.Name(node.target.id, ast.Load()), node.target)
        old = settled(scope, read) if may_write(node.value) else lower(scope, read)
        if sequences.is_sequence(old):
            growing.extend(scope, node.target.id, old, op, node)
            return
        new = lower(scope, node.value)
        if isinstance(old, Masked):
            raise scope.blocked(
                node, Code.UNSUPPORTED_STATEMENT, "an in-place operation on a masked array", "name it anew"
            )
        if isinstance(old, Elements) and old.place is not None:
            ragged_in_place(scope, old, op, new, node)
            return
        if isinstance(old, View):
            in_place(scope, old, op, new, node)
            return
        bind_name(scope, node.target.id, operated(scope, node, op, old, new), node)
        return
    if isinstance(node.target, ast.Subscript):
        if isinstance(node.target.value, ast.Name) and isinstance(scope.env.get(node.target.value.id), GrownArray):
            raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, "an assignment into an array that grows")
        base = lower(scope, node.target.value)
        if isinstance(base, View) and not sequences.is_sequence(base):
            mask = mask_of(scope, base, node.target)
            if mask is not None:
                if may_write(node.value):
                    raise scope.blocked(
                        node, Code.DYNAMIC_SHAPE, "a call, added to what a mask picks", "name its value"
                    )
                masked.in_place(scope, *mask, op, lower(scope, node.value), node)
                return
            found = subscripts.select_or_elements(scope, base, node.target)
            if isinstance(found, Elements):
                ragged_in_place(scope, found, op, lower(scope, node.value), node)
                return
            view, newaxes = found
            if newaxes or any(not isinstance(i, Point | Range) for i in view.index):
                raise scope.blocked(node, Code.UNSUPPORTED_INDEX, "an in-place operation through this subscript")
            before = element_before(scope, view, node) if may_write(node.value) else None
            in_place(scope, view, op, lower(scope, node.value), node, before)
            return
        if isinstance(base, Elements) and base.place is not None and len(base.lengths) == 1:
            view = item_place(scope, base, node.target)
            before = element_before(scope, view, node) if may_write(node.value) else None
            in_place(scope, view, op, lower(scope, node.value), node, before)
            return
        if sequences.is_sequence(base):
            items_of_sequences.augment_item(scope, base, node, op)
            return
    raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, f"an in-place operation on {ast.unparse(node.target)}")


def operated(scope: Scope, node: ast.AST, op: str, old: Value, new: Value) -> Value:
    """`old op new`, to be put in the place of the old: what a matrix makes of a vector is another array."""
    result = operate(scope, node, op, old, new)
    if op == "MatMult" and as_expr(scope, result, node).type.shape != as_expr(scope, old, node).type.shape:
        raise scope.blocked(node, Code.RAISES, "@= to an array of another shape")
    return result


def is_array(node: ast.AST) -> bool:
    """Is what has no axis an array of none (`total += x`, `total[...] += x`), and no element?"""
    target = node.target if isinstance(node, ast.AugAssign) else node
    return not isinstance(target, ast.Subscript) or subscripts.has_ellipsis(target.slice)


def ragged_in_place(scope: Scope, target: Elements, op: str, value: Value, node: ast.AST) -> None:
    result = ragged.elements_of(scope, operated(scope, node, op, target, value), node)
    if not np.can_cast(result.dtype, target.dtype, "same_kind"):
        raise scope.blocked(
            node, Code.UNSUPPORTED_STATEMENT, f"an in-place operation of {result.dtype} into {target.dtype}"
        )
    ragged.store(scope, target, result, node)


def element_before(scope: Scope, view: View, node: ast.AST) -> Value | None:
    """The element that `op=` reads first, whatever its right side then writes; arrays are read when it is known."""
    if rank(view.type):
        return None
    return Computed(scope.define("held", subscripts.element(scope, view, node), scope.span(node)))


def in_place(scope: Scope, view: View, op: str, new: Value, node: ast.AST, before: Value | None = None) -> None:
    """`view op= new`. An element is read and stored, which NumPy checks; the result of arrays, of 0 axes too, is cast."""
    if rank(view.type) == 0 and not is_array(node):
        old = before if before is not None else Computed(subscripts.element(scope, view, node))
        store(scope, view, operate(scope, node, op, old, new), node)
        return
    result = as_expr(scope, operated(scope, node, op, view, new), node)
    if not np.can_cast(result.type.dtype, view.type.dtype, "same_kind"):
        raise scope.blocked(
            node, Code.UNSUPPORTED_STATEMENT, f"an in-place operation of {result.type} into {view.type}"
        )
    store(scope, view, Computed(result), node)
