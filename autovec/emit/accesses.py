"""Subscripts of cells -> JAX subscripts: slices where an axis runs along one, scalars, and gathers for the rest.

    a[i + 1, j], i and j axes        -->    a[1:, :]
    a[i, k], i runs, k an axis       -->    a[i]
    a[i + k], i runs, k an axis      -->    a[i + k]        (k an index vector)
    a[idx[i]]                        -->    a[idx]

In: the subscripts of the IR, the statement's axes. Out: a value whose named axes come first, or the items to store at.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, replace

from autovec.emit import operations
from autovec.emit.axes import Here, axis_box, axis_index, extent_of, localised, position, position_of
from autovec.emit.cells import cell_shape, settled
from autovec.emit.expressions import evaluate
from autovec.emit.forwarding import forwarded, patch
from autovec.emit.operations.nodes import binop, call, literal
from autovec.emit.state import State
from autovec.emit.values import FULL, Value, expand, is_full, is_zero, transposed
from autovec.ir.affine import Affine
from autovec.ir.conditions import affine_form
from autovec.ir.nodes import Gather, Load, Point, Range, Subscript
from autovec.ir.types import INT, Type


@dataclass(frozen=True, slots=True)
class Items:
    """A subscript of a cell: one item an axis, and what the axes that remain are (names, numbers for own ones)."""

    items: tuple[ast.expr, ...]
    tokens: tuple[str | int, ...]
    vectors: bool = False  # index vectors among the items: no further subscript may be merged into it

    @property
    def is_whole(self) -> bool:
        return all(is_full(i) for i in self.items)


def load(state: State, here: Here, expr: Load, over_box: bool = False) -> Value:
    """The elements; `over_box` where elements outside the statement's domain matter too (they are put back)."""
    value, patches = forwarded(state, here, expr, over_box)
    if value is not None:
        return value
    held = state.cells[expr.cell]
    if held.lazy and held.fill is not None and not over_box and all(isinstance(i, Point) for i in expr.index):
        return replace(held.fill, type=expr.type)
    whole = settled(state, expr.cell)
    if not expr.index:
        value = localised(state, here, whole)
        return replace(value, type=expr.type)
    items = subscript(state, here, expr.cell, whole, expr.index)
    return patch(state, here, expr, picked(whole, items, expr.type), patches)


def picked(whole: Value, items: Items, kind: Type) -> Value:
    """The elements of a cell under a subscript, own axes last."""
    axes = tuple(t for t in items.tokens if isinstance(t, str))
    own = [t for t in items.tokens if isinstance(t, int)]
    value = Value(whole.node, axes, len(own), kind, () if items.is_whole else items.items)
    wanted = [*axes, *own]
    if items.vectors:
        value = replace(value, base=value.node, items=())
    if list(items.tokens) == wanted:
        return value
    permutation = [items.tokens.index(t) for t in wanted]
    return replace(value, base=transposed(value.node, permutation), items=())


# ---------------------------------------------------------------- subscripts


def subscript(state: State, here: Here, cell: str, whole: Value, index: Sequence[Subscript]) -> Items:
    """The items for all axes of what the cell is held in: named axes first, then the cell's own."""
    shape = cell_shape(state, cell)
    try:
        return sliced(state, here, whole, index, shape)
    except NeedsGather:
        return gathered(state, here, whole, index, shape)


class NeedsGather(Exception):
    """A subscript that no slice expresses."""


def sliced(state: State, here: Here, whole: Value, index: Sequence[Subscript], shape: Sequence[Affine]) -> Items:
    """All axes by slices and scalars; raises NeedsGather where that can't be."""
    items: list[ast.expr] = []
    tokens: list[str | int] = []
    for a in whole.axes:
        if a in state.collapsed:
            raise NeedsGather
        if a in state.running:
            items.append(position(state, here, a))
        else:
            items.append(FULL)
            tokens.append(a)
    seen: set[str] = set()
    for k, (one, size) in enumerate(zip(index, shape, strict=True)):
        match one:
            case Point():
                item, axis = point_item(state, here, one, size)
                items.append(item)
                if axis is not None:
                    if axis in seen or axis in tokens:
                        raise NeedsGather  # a diagonal
                    seen.add(axis)
                    tokens.append(axis)
            case Range():
                items.append(range_item(state, one, size))
                tokens.append(k)
            case Gather():
                value = evaluate(state, here, one.at)
                if (
                    value.axes
                    or any(isinstance(o, Gather) for o in index[:k])
                    or any(not is_full(i) and not isinstance(i, ast.Slice) for i in items)
                ):
                    raise NeedsGather
                items.append(value.node)
                tokens.append(k)
    if any(isinstance(o, Gather) for o in index) and any(isinstance(o, Point) for o in index):
        raise NeedsGather
    return Items(tuple(items), tuple(tokens), any(isinstance(o, Gather) for o in index))


def point_item(state: State, here: Here, one: Point, size: Affine) -> tuple[ast.expr, str | None]:
    """A scalar index, or the slice along which an axis runs and the axis."""
    form = affine_form(one.at, state.program.affine)
    if form is None:
        value = evaluate(state, here, one.at)
        if value.axes:
            raise NeedsGather
        return value.node, None
    along = [n for n in form.names if n in here.axes]
    if any(n in state.collapsed for n in form.names) or any(
        n in state.defined and state.defined[n].axes for n in form.names
    ):
        value = evaluate(state, here, one.at)
        if value.axes:
            raise NeedsGather
        return value.node, None
    if not along:
        return evaluate(state, here, one.at).node, None
    (axis, *others) = along
    offset = form.without([axis])
    if others or not offset.names <= set(state.values) or one.wraps:
        raise NeedsGather
    return axis_slice(state, here, axis, form.coefficient(axis), offset, size), axis


def axis_slice(state: State, here: Here, axis: str, factor: int, offset: Affine, size: Affine) -> ast.expr:
    """The slice that `factor * axis + offset` runs along while the axis goes through its box."""
    box = axis_box(state, here, axis)
    extent_of(state, box)
    step = factor * box.step
    first = box.first * factor + offset
    if abs(box.step) == 1:
        last = first + (box.extent - 1) * step  # inclusive
    else:
        reach = box.count(state.values) - 1
        low, high = sorted((first.evaluate(state.values), first.evaluate(state.values) + reach * step))
        if low < 0 or high >= size.evaluate(state.values):
            raise NeedsGather
        stop = first + box.extent * abs(factor) if step > 0 else None
        if stop is None or not (state.require(size - stop) and state.require(first)):
            raise NeedsGather
        return make_slice(state, first, stop, step, size)
    low, high = (first, last) if step > 0 else (last, first)
    # of an empty box one end is known to be inside by nothing: it must not be taken for an index from the end
    if not state.require(low) or not state.require(size - 1 - high) or not state.require(first):
        raise NeedsGather  # the box reaches outside, though no iteration does
    if step > 0:
        return make_slice(state, first, last + 1, step, size)
    return make_slice(state, first, last - 1, step, size)


def make_slice(state: State, first: Affine, stop: Affine, step: int, size: Affine) -> ast.expr:
    """`first:stop:step` of an axis of this size, ends left out where they are the axis's own."""
    lower: ast.expr | None = state.size(first)
    upper: ast.expr | None = state.size(stop)
    if step > 0:
        if first == Affine.number(0):
            lower = None
        if stop == size:
            upper = None
        elif (size - stop).is_constant and first.is_constant:
            upper = literal((stop - size).constant)  # a[1:-1]
            if not state.require(stop - first):
                raise NeedsGather
    else:
        if first == size - 1:
            lower = None
        if stop == Affine.number(-1):
            upper = None
        elif not state.require(stop):
            raise NeedsGather
    return ast.Slice(lower, upper, literal(step) if step != 1 else None)


def range_item(state: State, one: Range, size: Affine) -> ast.expr:
    """A slice of the person's own."""
    start = affine_form(one.start, state.program.affine)
    if start is None or not start.names <= set(state.values):
        raise NeedsGather
    if one.step > 0:
        stop = start + one.length * one.step if one.step == 1 else start + (one.length - 1) * one.step + 1
    else:
        stop = start + one.length * one.step
        if one.step != -1:
            stop = start + (one.length - 1) * one.step - 1
    if one.length == size and one.step == 1:
        return FULL
    if one.step < 0 and not (is_place(state, start) and (stop == Affine.number(-1) or is_place(state, stop))):
        raise NeedsGather  # -1 would be taken for the last element, where it is the one before the first
    return make_slice(state, start, stop, one.step, size)


def is_place(state: State, form: Affine) -> bool:
    """Is it never below zero, whatever sizes the program is called with? (Arrays have elements.)"""
    axes = {s.name for s in state.program.unit.sizes if any(axis is not None for _, axis in s.origins)}
    return (
        form.names <= axes and all(c > 0 for _, c in form.terms) and form.constant + sum(c for _, c in form.terms) >= 0
    )


# ---------------------------------------------------------------- gathers


def gathered(
    state: State,
    here: Here,
    whole: Value,
    index: Sequence[Subscript],
    shape: Sequence[Affine],
    mask: Value | None = None,
) -> Items:
    """All axes by index vectors, aligned by the names of their axes; slices of the person's stay at the end.

    Under a mask, one that leaves something out: past the end of an axis, where JAX stores nothing.
    """
    parts: list[Value | ast.expr] = []
    own: list[int] = []
    for a in whole.axes:
        parts.append(axis_positions(state, here, a))
    trailing = len(index)
    while trailing and isinstance(index[trailing - 1], Range):
        trailing -= 1
    # one vector of places takes the mask: that of a point if there is one, else that of a slice
    masked = next((k for k, one in enumerate(index) if isinstance(one, Point)), 0) if mask is not None else None
    for k, (one, size) in enumerate(zip(index, shape, strict=True)):
        match one:
            case Point(at=at):
                place = evaluate(state, here, at)
            case Range() if k >= trailing and k != masked and sliceable(state, one, size):
                parts.append(range_item(state, one, size))
                continue
            case Range():
                place = range_positions(state, here, one)
                own.append(k)
            case Gather(at=at):
                place = evaluate(state, here, at)
                own.append(k)
        parts.append(place if mask is None or k != masked else outside(state, here, place, mask, size))
    vectors = [p for p in parts if isinstance(p, Value)]
    axes = here.order({a for v in vectors for a in v.axes})
    own_seen = 0
    items: list[ast.expr] = []
    for p in parts:
        if not isinstance(p, Value):
            items.append(p)
            continue
        node = expand(p, axes, p.rank)
        after = 0
        if p.rank:
            node = with_axes_before(node, own_seen if p.axes else 0, p.rank)
            own_seen += 1
            after = len(own) - own_seen
        elif p.axes:
            after = len(own)
        items.append(with_trailing_axes(node, after))
    slices = [k for k in range(trailing, len(index)) if isinstance(parts[len(whole.axes) + k], ast.expr)]
    return Items(tuple(items), (*axes, *own, *slices), vectors=True)


def outside(state: State, here: Here, at: Value, mask: Value, size: Affine) -> Value:
    """The index, or the vector of them, where the mask holds; elsewhere the one after the last."""
    axes = here.order({*at.axes, *mask.axes})
    chosen = operations.select(expand(mask, axes, at.rank), expand(at, axes, at.rank), state.size(size), INT)
    return Value(chosen, axes, at.rank, INT)


def with_axes_before(node: ast.expr, count: int, own: int) -> ast.expr:
    """`node[..., None, :]`: room for the slices before this one, between the axes of loops and its own."""
    if not count:
        return node
    added: list[ast.expr] = [ast.Constant(...), *(ast.Constant(None) for _ in range(count))]
    return ast.Subscript(node, ast.Tuple([*added, *(ast.Slice() for _ in range(own))], ast.Load()), ast.Load())


def with_trailing_axes(node: ast.expr, count: int) -> ast.expr:
    """`node[..., None, None]`."""
    if not count:
        return node
    added: list[ast.expr] = [ast.Constant(...), *(ast.Constant(None) for _ in range(count))]
    return ast.Subscript(node, ast.Tuple(added, ast.Load()), ast.Load())


def sliceable(state: State, one: Range, size: Affine) -> bool:
    """Can a slice of the person's stay one?"""
    try:
        range_item(state, one, size)
    except NeedsGather:
        return False
    return True


def range_positions(state: State, here: Here, one: Range) -> Value:
    """The elements that a slice of the person's goes through, as an index vector."""
    start = evaluate(state, here, one.start)
    count = call("jnp.arange", state.size(one.length))
    node = count if one.step == 1 else binop(count, "*", literal(one.step))
    if not (start.literal and is_zero(start.node)):
        node = binop(expand(start, start.axes, 1), "+", node)
    return Value(node, start.axes, 1, INT)


def axis_positions(state: State, here: Here, axis: str) -> Value:
    """Positions along an axis in which the cell is held: for axes of this statement, running or collapsed loops."""
    if axis in state.running:
        return Value(position(state, here, axis), (), 0, INT)
    if axis in state.collapsed:
        value = state.collapsed[axis]
        return replace(value, base=position_of(state, here, axis, value.node), items=())
    box = axis_box(state, here, axis)
    if box.first == Affine.number(0) and box.step == 1:
        return axis_index(state, here, axis)
    return Value(call("jnp.arange", extent_of(state, box)), (axis,), 0, INT)
