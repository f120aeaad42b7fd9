"""A value while it is emitted: an expression whose leading axes have names (loops that became axes), then its own axes.

    x[i] + x[j], i and j axes, x of two axes     -->    axes (i, j), own rank 1:   x[:, None] + x

Aligning two values is a matter of names: axes that one lacks are broadcast, by `None` in a subscript.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from autovec.emit.operations.nodes import binop, call, literal, name
from autovec.ir.types import Type

FULL = ast.Slice(None, None, None)


@dataclass(frozen=True, slots=True)
class Value:
    """`base[items]` (or `base`, without items): first one axis for each name in `axes`, then `rank` axes of its own."""

    base: ast.expr
    axes: tuple[str, ...]
    rank: int
    type: Type
    items: tuple[ast.expr, ...] = ()
    literal: bool = False  # a constant, or a static Python number: no array yet

    @property
    def node(self) -> ast.expr:
        """The expression as it is printed; full slices at the end of a subscript say nothing."""
        items = list(self.items)
        while items and is_full(items[-1]):
            items.pop()
        if not items:
            return self.base
        return ast.Subscript(self.base, items[0] if len(items) == 1 else ast.Tuple(items, ast.Load()), ast.Load())

    @property
    def dims(self) -> int:
        return len(self.axes) + self.rank


def is_full(item: ast.expr) -> bool:
    return isinstance(item, ast.Slice) and item.lower is None and item.upper is None and item.step is None


def is_zero(node: ast.expr) -> bool:
    """Is it the number zero, written down?"""
    return isinstance(node, ast.Constant) and node.value == 0


def summed(terms: Iterable[tuple[ast.expr, int]], constant: int) -> ast.expr:
    """`2 * n - i + 1`: the terms in their order, each with its factor, then the constant."""
    result: ast.expr | None = None
    for node, factor in terms:
        if abs(factor) != 1:
            node = binop(literal(abs(factor)), "*", node)
        if result is None:
            result = node if factor > 0 else ast.UnaryOp(ast.USub(), node)
        else:
            result = binop(result, "+" if factor > 0 else "-", node)
    if result is None:
        return literal(constant)
    return binop(result, "+" if constant > 0 else "-", literal(abs(constant))) if constant else result


def keeps_axis(item: ast.expr) -> bool:
    """Does this item of a subscript leave an axis of the base (a slice, not an index or a None)?"""
    return isinstance(item, ast.Slice)


def expand(value: Value, axes: Sequence[str], rank: int) -> ast.expr:
    """The value with exactly these leading axes (those it lacks broadcast) and its own axes padded to `rank`."""
    value = in_order(value, [a for a in axes if a in value.axes])
    if value.dims == 0:
        return value.node
    missing_lead = 0
    for a in axes:
        if a in value.axes:
            break
        missing_lead += 1
    layout: list[bool] = []  # True: an axis of the value, False: a new one
    for k, a in enumerate(axes):
        if a in value.axes:
            layout.append(True)
        elif k >= missing_lead and value.axes:
            layout.append(False)
    if value.axes:
        layout += [False] * (rank - value.rank)
    layout += [True] * value.rank
    return with_new_axes(value, layout)


def with_new_axes(value: Value, layout: Sequence[bool]) -> ast.expr:
    """The value with an axis of length one at each False of the layout; True stands for an axis of its own."""
    if all(layout):
        return value.node
    items = list(value.items) or [FULL] * value.dims
    plain = [i for i in items if keeps_axis(i)]
    if len(plain) < value.dims:  # trailing axes that the subscript doesn't name
        items += [FULL] * (value.dims - len(plain))
    if not all(keeps_axis(i) or is_index(i) for i in items):
        items, base = [FULL] * value.dims, value.node
    else:
        base = value.base
    merged: list[ast.expr] = []
    pending = list(layout)
    for item in items:
        if not keeps_axis(item):
            merged.append(item)
            continue
        while pending and not pending[0]:
            merged.append(ast.Constant(None))
            pending.pop(0)
        merged.append(item)
        pending.pop(0)
    merged += [ast.Constant(None)] * len(pending)
    return replace(value, base=base, items=tuple(merged)).node


def is_index(item: ast.expr) -> bool:
    """A scalar index, which may stand beside a None."""
    return not isinstance(item, ast.Slice) and not (isinstance(item, ast.Constant) and item.value is None)


def in_order(value: Value, order: Sequence[str]) -> Value:
    """The value with its named axes in this order."""
    if tuple(order) == value.axes:
        return value
    permutation = [value.axes.index(a) for a in order] + list(range(len(order), value.dims))
    return replace(value, base=transposed(value.node, permutation), axes=tuple(order), items=())


def transposed(node: ast.expr, permutation: Sequence[int]) -> ast.expr:
    """The array with its axes in this order."""
    if list(permutation) == list(range(len(permutation))):
        return node
    if list(permutation) == [1, 0]:
        return ast.Attribute(node, "T", ast.Load())
    return call("jnp.transpose", node, literal(tuple(permutation)))


def arranged(value: Value, tokens: Sequence[str | int]) -> ast.expr:
    """The value with its axes in the order of `tokens`: names, and numbers for its own; missing names broadcast.

    Own axes that the value lacks (it is broadcast) are the leading ones, as in NumPy.
    """
    own = [t for t in tokens if isinstance(t, int)]
    lacking = len(own) - value.rank
    have: list[str | int] = [t for t in tokens if (t in value.axes if isinstance(t, str) else own.index(t) >= lacking)]
    current: list[str | int] = [*value.axes, *own[lacking:]]
    if value.dims == 0:
        return value.node
    permutation = [current.index(t) for t in have]
    if permutation != list(range(len(permutation))):
        value = replace(value, base=transposed(value.node, permutation), items=())
    layout: list[bool] = []
    for t in tokens:
        present = t in have
        if present or layout:
            layout.append(present)
    return with_new_axes(replace(value, axes=(), rank=len(have)), layout)


def named(identifier: str, axes: Sequence[str], rank: int, type: Type) -> Value:
    """What a name of the program holds."""
    return Value(name(identifier), tuple(axes), rank, type)
