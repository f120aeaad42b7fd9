"""The axes of a statement that is emitted: how long they are, where a running loop stands in one, how operands meet.

In: values with named axes, the statement they are for. Out: the same over one set of axes; the box, the extent and the
index vector of an axis. Nothing here evaluates an expression.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from autovec.analysis.statements import Leaf
from autovec.emit.operations.nodes import binop, call, literal
from autovec.emit.state import State, loop_of
from autovec.emit.values import FULL, Value, expand, named
from autovec.ir.affine import Affine
from autovec.ir.types import INT, ArrayType
from autovec.plan.boxes import Box


class Degenerate(Exception):
    """A box that is empty at this call's sizes, or an index outside its array: the sequential plan is for those."""


@dataclass(frozen=True, slots=True)
class Here:
    """A statement being emitted: its leaf and the axes it is done for."""

    leaf: Leaf
    axes: tuple[str, ...]

    def order(self, found: set[str]) -> tuple[str, ...]:
        """These axes in the order of the loops."""
        inside = [a for a in self.axes if a in found]
        return (*(a for a in sorted(found) if a not in self.axes), *inside)


# ---------------------------------------------------------------- operands


def aligned(state: State, here: Here, values: Sequence[Value]) -> tuple[tuple[str, ...], int, list[ast.expr]]:
    """The operands of an elementwise operation over the union of their axes."""
    axes = natural_order(here.order({a for v in values for a in v.axes}), values)
    own = max((v.rank for v in values), default=0)
    return axes, own, [expand(v, axes, own) for v in values]


def natural_order(axes: tuple[str, ...], values: Sequence[Value]) -> tuple[str, ...]:
    """The order in which the largest operand has its axes, if it has them all: it isn't transposed then."""
    for v in values:
        if set(v.axes) == set(axes):
            return v.axes
    return axes


def broadcast(state: State, here: Here, value: Value, axes: Sequence[str], shape: Sequence[Affine] = ()) -> ast.expr:
    """The value with all these axes at full size."""
    extents = [axis_extent(state, here, a) for a in axes]
    own = [state.size(s) for s in (value.type.shape if isinstance(value.type, ArrayType) else shape)]
    return call("jnp.broadcast_to", expand(value, axes, value.rank), ast.Tuple([*extents, *own], ast.Load()))


def all_of(state: State, here: Here, masks: Sequence[Value]) -> Value | None:
    """Where all the masks hold; None where there is none."""
    if not masks:
        return None
    axes, own, nodes = aligned(state, here, masks)
    node = nodes[0]
    for other in nodes[1:]:
        node = binop(node, "&", other)
    return Value(node, axes, own, masks[0].type)


# ---------------------------------------------------------------- boxes


def axis_box(state: State, here: Here, axis: str) -> Box:
    """The range of an axis of the statement."""
    loop, around = loop_of(here.leaf, axis)
    box = state.boxes.box(loop, around)
    assert box is not None
    return box


def axis_extent(state: State, here: Here, axis: str) -> ast.expr:
    return extent_of(state, axis_box(state, here, axis))


def extent_of(state: State, box: Box) -> ast.expr:
    """How many values a box has; raises Degenerate where it is empty at these sizes."""
    if not state.require(box.extent):
        raise Degenerate
    if abs(box.step) == 1:
        return state.size(box.extent)
    node = state.size(box.extent)
    return ast.UnaryOp(ast.USub(), binop(ast.UnaryOp(ast.USub(), node), "//", literal(abs(box.step))))


def localised(state: State, here: Here, value: Value) -> Value:
    """A value made for all iterations of a loop that now runs: its element for this iteration."""
    if not any(a in state.running or a in state.collapsed for a in value.axes):
        return value
    items: list[ast.expr] = []
    axes: list[str] = []
    for a in value.axes:
        if a in state.running:
            items.append(position(state, here, a))
        elif a in state.collapsed:
            index = state.collapsed[a]
            items.append(position_of(state, here, a, index.node))
            axes += [x for x in index.axes if x not in axes]
        else:
            items.append(FULL)
            axes.append(a)
    return Value(value.node, tuple(axes), value.rank, value.type, tuple(items))


def position(state: State, here: Here, axis: str) -> ast.expr:
    """Where the running variable stands in the box of its loop, counted from zero."""
    return position_of(state, here, axis, state.running[axis])


def position_of(state: State, here: Here, axis: str, variable: ast.expr) -> ast.expr:
    """Where a value of the loop variable stands in the box of its loop, counted from zero."""
    box = axis_box(state, here, axis)
    if not state.require(box.extent - 1):
        raise Degenerate  # nothing is held: JAX lets no loop index it, though none of its iterations comes
    if box.step == 1 and box.first == Affine.number(0):
        return variable
    moved = binop(variable, "-", state.size_text(box.first)) if box.first != Affine.number(0) else variable
    if box.step == 1:
        return moved
    return binop(moved, "//", literal(box.step))


def axis_index(state: State, here: Here, axis: str) -> Value:
    """The values of a loop variable along its axis: `i = jnp.arange(n)`, written once a block."""
    if axis not in state.aranges:
        box = axis_box(state, here, axis)
        extent_of(state, box)
        bounds = [state.size(box.first), state.size(box.last)]
        if box.first == Affine.number(0) and box.step == 1:
            bounds = bounds[1:]
        elif box.step != 1:
            bounds.append(literal(box.step))
        target = state.names.temporary(state.names.hints.get(axis, axis))
        state.assign(target, call("jnp.arange", *bounds))
        state.aranges[axis] = target
    return named(state.aranges[axis], (axis,), 0, INT)
