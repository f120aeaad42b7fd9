"""Items of lists and tuples: read, assigned to, changed in place.

    items[k]            -->    an element of the array that holds the list, or one of a few values
    items[k] = value    -->    a store, and the kind of the value beside it where the list holds several

In: a list or tuple, and the subscript. An index is a whole number, in the list: anything else is the original's error.
"""

from __future__ import annotations

import ast
import functools
from dataclasses import replace
from typing import Any

import numpy as np

from autovec.diagnostics import Code
from autovec.frontend import buffers, subscripts
from autovec.frontend.carried import Widened
from autovec.frontend.expressions import as_expr, lower, may_write, settled
from autovec.frontend.operators import operate as operate_numbers
from autovec.frontend.scope import Scope
from autovec.frontend.sequences import as_element, as_row, displayed, list_view
from autovec.frontend.tags import fitted, joined, refuse_kinds, tag_expr
from autovec.frontend.values import (
    Buffer,
    Computed,
    ListArray,
    ListCell,
    Static,
    TupleList,
    TupleValue,
    Value,
    View,
    sequence_type,
)
from autovec.ir.nodes import Cast, Load
from autovec.ir.types import INT, PY_BOOL, ArrayType, Kind, ScalarType, rank


def item(scope: Scope, base: Value, node: ast.Subscript) -> Value:
    """`items[k]`."""
    from autovec.frontend import tables

    if isinstance(base, TupleList | TupleValue) and may_write(node.slice):
        scope, node = index_once(scope, node)
    if isinstance(base, TupleList):
        return TupleValue(tuple(item(scope, c, node) for c in base.columns), base.constructor)
    if isinstance(base, Buffer):
        return buffers.item(scope, base, node)
    if isinstance(base, Static):
        return subscripts.static_item(scope, base, node)
    if isinstance(base, TupleValue):
        if isinstance(node.slice, ast.Slice):
            return slice_of_values(scope, base, node.slice, node)
        index = index_of(scope, node)
        if isinstance(index, Static) and isinstance(index.value, int):
            if not -len(base.items) <= index.value < len(base.items):
                raise scope.blocked(node, Code.RAISES, "an index outside its list or tuple")
            return base.items[index.value]
        listed = displayed(scope, base, node)
        found = tables.chosen_row(scope, base, node) if listed is None else item(scope, listed, node)
        if found is None:
            raise scope.blocked(node, Code.UNSUPPORTED_INDEX, "one of several arrays or objects, by the data")
        return found
    view = list_view(scope, base, node)
    if isinstance(node.slice, ast.Slice):
        return slice_of(scope, base, view, node)
    chosen, _ = subscripts.apply(scope, view, [(index_of(scope, node), node.slice)], node)
    row: Value = Computed(subscripts.element(scope, chosen, node)) if rank(chosen.type) == 0 else chosen
    return as_element(scope, base, row)


def index_of(scope: Scope, node: ast.Subscript) -> Value:
    """The index of an item: a list takes whole numbers alone, and no array or tuple of them."""
    value = lower(scope, node.slice)
    if isinstance(value, Static):
        known = value.value
        whole = isinstance(known, int | np.integer) or (isinstance(known, np.ndarray) and known.ndim == 0)
    else:
        expr = as_expr(scope, value, node)
        whole = not rank(expr.type) and refuse_kinds(scope, value, expr.type, is_no_index, node)
        if whole and isinstance(expr.type, ScalarType) and PY_BOOL in expr.type.kinds:
            value = Computed(Cast(expr, INT))
    if not whole:
        raise scope.blocked(node, Code.RAISES, "an index of a list or tuple that isn't a whole number")
    return value


def is_no_index(kind: Kind) -> bool:
    """Does Python refuse it as an index? A bool of its own is a number, NumPy's isn't."""
    return kind.dtype.kind not in "iu" and kind != PY_BOOL


def index_once(scope: Scope, node: ast.Subscript) -> tuple[Scope, ast.Subscript]:
    """`values[k]` where the index was `next_one()`: what the index does is done here, for all that then read it."""
    if isinstance(node.slice, ast.Slice):
        raise scope.blocked(node, Code.UNSUPPORTED_INDEX, "a slice of a list or tuple whose ends call functions")
    value = settled(scope, node.slice)
    named = with_index(node)
    assert isinstance(named.slice, ast.Name)
    inner = replace(scope, env={**scope.env, named.slice.id: value})
    inner.statements = scope.statements
    return inner, named


@functools.lru_cache(maxsize=256)
def with_index(node: ast.Subscript) -> ast.Subscript:
    """The same node at each time of asking: what is found out of a node is kept by its identity."""
    name = ast.copy_location(ast.Name("the index", ast.Load()), node.slice)
    return ast.copy_location(ast.Subscript(node.value, name, node.ctx), node)


def slice_of_values(scope: Scope, base: TupleValue, part: ast.Slice, node: ast.AST) -> Value:
    """`values[1:]` of a few values."""
    ends = [None if e is None else lower(scope, e) for e in (part.lower, part.upper, part.step)]
    if not all(e is None or (isinstance(e, Static) and (e.value is None or type(e.value) is int)) for e in ends):
        raise scope.blocked(node, Code.UNSUPPORTED_INDEX, "a slice of a list or tuple")
    known: list[Any] = [e.value if isinstance(e, Static) else None for e in ends]
    return TupleValue(base.items[slice(*known)], base.plain)


def slice_of(scope: Scope, base: Value, view: View, node: ast.Subscript) -> Value:
    """`items[a:b]`: a list or tuple of its own."""
    if not isinstance(base, ListArray) or base.depth > 1 or base.element is None:
        raise scope.blocked(node, Code.UNSUPPORTED_INDEX, "a slice of this list")
    chosen, _ = subscripts.select(scope, view, node)
    copied = subscripts.new_cell(scope, "part", as_expr(scope, chosen, node), node)
    scope.ledger.fresh_lists.add(copied.cell)
    tags = ""
    if base.tags:
        which = ArrayType(INT.dtype, chosen.type.shape)
        tags = subscripts.new_cell(scope, "part_kind", Load(base.tags, chosen.index, which), node).cell
    return ListArray(copied, base.element, tags=tags, constructor=base.constructor)


def assign_item(scope: Scope, base: Value, target: ast.Subscript, value: Value) -> None:
    """`items[k] = value`."""
    if isinstance(base, TupleList):
        row = as_row(value)
        if row is None or row.constructor is not base.constructor or len(row.items) != len(base.columns):
            raise scope.blocked(target, Code.UNSTABLE_TYPE, "a list of tuples or lists of several lengths")
        for column, one in zip(base.columns, row.items, strict=True):
            assign_item(scope, column, target, one)
        return
    if isinstance(base, ListCell):
        buffers.wanted(scope, base)
    if isinstance(base, Buffer) and not isinstance(target.slice, ast.Slice):
        buffers.assign_item(scope, base, target, value)
        return
    if sequence_type(base) is tuple:
        raise scope.blocked(target, Code.RAISES, "an assignment into a tuple")
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
    chosen, _ = subscripts.apply(scope, base.view, [(index_of(scope, target), target.slice)], target)
    if base.tags:
        scope.store(base.tags, chosen.index, tag_expr(scope, value, expr, base.element), scope.span(target))
    subscripts_store(scope, chosen, fitted(scope, expr, base.element, target), target)


def subscripts_store(scope: Scope, view: View, expr: object, node: ast.AST) -> None:
    scope.ledger.elements.add(view.cell)
    if view.cell in scope.ledger.rebinds:
        raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, "a list both rebound and written into inside a loop")
    scope.store(view.cell, view.index, expr, scope.span(node))  # type: ignore[arg-type]


def augment_item(scope: Scope, base: Value, node: ast.AugAssign, op: str) -> None:
    assert isinstance(node.target, ast.Subscript)
    if isinstance(base, ListCell):
        buffers.wanted(scope, base)
    if not isinstance(base, ListArray | Buffer):
        raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, "an in-place operation on an item of this list")
    inner, target = index_once(scope, node.target) if may_write(node.target.slice) else (scope, node.target)
    old = item(inner, base, as_read(target))
    if may_write(node.value) and isinstance(old, Computed):
        old = Computed(scope.define("held", old.expr, scope.span(node)), old.tag)
    assign_item(inner, base, target, operate_numbers(scope, node, op, old, lower(scope, node.value)))


@functools.lru_cache(maxsize=256)
def as_read(target: ast.Subscript) -> ast.Subscript:
    return ast.copy_location(ast.Subscript(target.value, target.slice, ast.Load()), target)
