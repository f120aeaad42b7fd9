"""Stores, for all iterations of their axes at once.

    a[i + 1] = b[i]                    -->    a = a.at[1:].set(b)
    C[i, j] = C[i, j] + A[i, k] * B[k, j]    -->    C = C + jnp.einsum("ik,kj->ij", A, B)
    a[i] = 0.0 if x[i] < 0             -->    a = jnp.where(x < 0, 0.0, a)

A store isn't written at once: a later load of the same elements takes its value, and a later store to them replaces
it, so that a loop's body stores to each array once (a second store makes XLA copy the array at every step).
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace

from autovec.analysis.statements import Leaf
from autovec.emit import operations
from autovec.emit.accesses import Items, NeedsGather, gathered, load, sliced, subscript
from autovec.emit.apart import are_apart
from autovec.emit.axes import Degenerate, Here, all_of, axis_box, axis_extent, broadcast, localised, position
from autovec.emit.cells import assign_cell, cell_shape, settled
from autovec.emit.expressions import evaluate
from autovec.emit.faults import raise_flag
from autovec.emit.forwarding import flush, places, queued
from autovec.emit.masks import evaluate_selected, mask_of
from autovec.emit.operations.casts import dtype_name
from autovec.emit.operations.nodes import call, name
from autovec.emit.reductions import reduced, total
from autovec.emit.safe_operands import is_not_zero_outside, outside, selecting
from autovec.emit.state import Held, Pending, State
from autovec.emit.uses import definition_masks
from autovec.emit.values import FULL, Value, arranged, expand, is_full, is_zero, named
from autovec.ir.nodes import Alloc, Call, Const, Def, Expr, For, Load, Range, Ref, Store, Subscript
from autovec.ir.types import FLOAT, INT, ArrayType, numpy_scalar
from autovec.ir.walk import walk
from autovec.plan.nodes import AxisRole, Together

METHODS = {"add": "add", "multiply": "multiply", "minimum": "min", "maximum": "max"}  # of `.at[]`, by accumulation
CREATION = ("zeros", "ones", "full", "empty", "zeros_like", "ones_like", "full_like", "empty_like")
# names that the frontend gives to values of its own: they may vanish from the program's text
COMPILER_HINTS = ("held", "left", "condition", "index", "bound", "middle", "going", "hit", "item", "")


def store(state: State, node: Together) -> None:
    """A store for all iterations of its axes: what is speculated on, the value, then the write."""
    statement = node.leaf.statement
    assert isinstance(statement, Store)
    here = Here(node.leaf, tuple(loop.variable for loop in node.axes))
    if node.speculation is not None:
        for condition in node.speculation.conditions:
            holds = evaluate(state, Here(node.leaf, ()), condition)
            raise_flag(state, "retry", ast.UnaryOp(ast.Invert(), holds.node))
    if AxisRole.SCATTER in node.roles:
        scatter(state, here, node)
        return
    if node.accumulation is not None and AxisRole.REDUCE in node.roles:
        value, mask = reduced(state, here, node)
        mapped = tuple(a.variable for a, r in zip(node.axes, node.roles, strict=True) if r is AxisRole.MAP)
        here = Here(node.leaf, mapped)
    else:
        masks = mask_of(state, here, node.leaf.guard, statement.cell)
        value, masks = evaluate_selected(state, here, statement.value, masks)
        mask = all_of(state, here, masks)
    write(state, here, statement, value, mask)


def scatter(state: State, here: Here, node: Together) -> None:
    """`h.at[index].add(term)`: elements met more than once take all their terms."""
    statement, found = node.leaf.statement, node.accumulation
    assert isinstance(statement, Store) and found is not None
    flush(state, statement.cell)
    over = tuple(a.variable for a, r in zip(node.axes, node.roles, strict=True) if r is AxisRole.REDUCE)
    kept = Here(node.leaf, tuple(a for a in here.axes if a not in over))
    private = private_axes(state, kept, statement.cell)
    if not set(private) <= set(state.cells[statement.cell].value.axes):
        expand_private(state, kept, statement.cell, private, overwritten=False)
    whole = settled(state, statement.cell)
    items = gathered(state, kept, whole, statement.index, cell_shape(state, statement.cell))
    # an index that is the same throughout a loop (a value made in it, of nothing that moves) meets one element always
    still = tuple(a for a in kept.axes if a not in items.tokens)
    value = total(state, here, node, (*over, *still), [a for a in kept.axes if a not in still])
    method = "subtract" if found.subtracts else METHODS[found.op]
    written = updated(whole.node, index_node(items.items), method, arranged(value, items.tokens))
    assign_cell(state, statement.cell, written, whole)


def write(state: State, here: Here, statement: Store, value: Value, mask: Value | None) -> None:
    """Store a value where the mask holds: over a whole cell, or to some of its elements, then or when they are read."""
    cell = statement.cell
    if not statement.index:
        scalar(state, here, cell, value, mask)
        return
    if mask is not None and mask.axes and not meets_each_once(state, here, statement):
        dropping(state, here, statement, value, mask)
        return
    held = state.cells[cell]
    if mask is not None:
        old = load(state, here, Load(cell, statement.index, statement.value.type), over_box=True)
        axes = here.order({*value.axes, *mask.axes, *old.axes})
        rank = max(value.rank, old.rank)
        chosen = operations.select(
            expand(mask, axes, rank), expand(value, axes, rank), expand(old, axes, rank), statement.value.type
        )
        value = Value(chosen, axes, rank, statement.value.type)
    items = subscript(state, here, cell, held.value, statement.index)
    private = private_axes(state, here, cell)
    moving = {*value.axes, *items.tokens}  # the value and the place
    if any(a in moving and a not in held.value.axes for a in private):
        whole = items.is_whole and not any(a in items.tokens for a in private)  # of each iteration's own
        if not whole:
            value = keep_name(state, value)  # it may read the cell as it is before it takes these axes
        expand_private(state, here, cell, [a for a in private if a in moving or a in held.value.axes], whole)
        held = state.cells[cell]
        items = subscript(state, here, cell, held.value, statement.index)
    whole = held.value
    for axis in here.axes:  # one place for all iterations, and no dependence: there is at most one, at sizes like these
        if axis in items.tokens or (axis in private and axis not in value.axes):
            continue
        if axis in value.axes or not state.require(axis_box(state, here, axis).extent - 1):
            raise Degenerate
    if items.is_whole:
        value = keep_name(state, value) if held.pending else value
        flush(state, cell)
        node = arranged(value, items.tokens)
        full = whole_value(state, here, whole, value, items, node)
        if value.literal and not value.axes and not state.running and isinstance(whole.type, ArrayType):
            filled = replace(whole, base=full, items=(), literal=False)
            state.cells[cell] = Held(filled, lazy=True, fill=replace(value, rank=0))
            return
        axes = tuple(t for t in items.tokens if isinstance(t, str) and t in whole.axes) or whole.axes
        assign_cell(state, cell, full, replace(whole, axes=axes))
        return
    # in a loop that runs, not in the one iteration of another; what waits is found by its place, if it is one
    waits = bool(state.running.keys() - state.pinned.keys()) and not moves_with(state, statement.index, private)
    value = named_value(state, statement, value)
    if not waits:
        flush(state, cell)
    whole = settled(state, cell)
    written = updated(whole.node, index_node(items.items), "set", arranged(value, items.tokens))
    if waits:
        where = places(state, here, cell, statement.index)
        one = Pending(cell, statement.index, where, items.items, here.leaf, here.axes, value, written)
        state.cells[cell] = Held(whole, False, queued(state, here, state.cells[cell].pending, one))
        return
    assign_cell(state, cell, written, whole)


def meets_each_once(state: State, here: Here, statement: Store) -> bool:
    """Does no iteration that a mask leaves out meet the element of another?"""
    shape = cell_shape(state, statement.cell)
    try:
        sliced(state, here, state.cells[statement.cell].value, statement.index, shape)
    except NeedsGather:
        return are_apart(state, here, here.axes, statement.index, shape)
    return True


def dropping(state: State, here: Here, statement: Store, value: Value, mask: Value) -> None:
    """A store whose iterations outside the mask store nothing."""
    if private_axes(state, here, statement.cell):
        raise Degenerate
    flush(state, statement.cell)
    whole = settled(state, statement.cell)
    items = gathered(state, here, whole, statement.index, cell_shape(state, statement.cell), mask)
    if not set(here.axes) <= set(items.tokens):
        raise Degenerate
    written = updated(whole.node, index_node(items.items), "set", arranged(value, items.tokens))
    assign_cell(state, statement.cell, written, whole)


def private_axes(state: State, here: Here, cell: str) -> list[str]:
    """Axes of the statement that the cell is private to: each of their iterations has a cell of its own."""
    around = here.leaf.loops[: state.program.depth_of.get(cell, 0)]
    return [n.variable for n in around if isinstance(n, For) and n.variable in here.axes]


def moves_with(state: State, index: Sequence[Subscript], axes: Sequence[str]) -> bool:
    """Does a subscript depend on one of these axes?"""
    found: set[str] = set()
    for one in index:
        at = one.start if isinstance(one, Range) else one.at
        for e in walk(at):
            match e:
                case Ref(name=identifier):
                    held = state.defined.get(identifier)
                    found |= {identifier} if held is None else {identifier, *held.axes}
                case Load(cell=cell) if cell in state.cells:
                    found |= set(state.cells[cell].value.axes)
                case _:
                    pass
    return not found.isdisjoint(axes)


def expand_private(state: State, here: Here, cell: str, axes: list[str], overwritten: bool) -> None:
    """Hold a private cell for all iterations of these axes."""
    held = state.cells[cell]
    order = tuple([a for a in held.value.axes if a not in axes] + axes)
    if overwritten:  # what it holds is of no account
        state.cells[cell] = replace(held, value=replace(held.value, axes=order, items=()))
        return
    flush(state, cell)
    shape = held.value.type.shape
    node = broadcast(state, Here(here.leaf, order), state.cells[cell].value, order, shape)
    assign_cell(state, cell, node, replace(held.value, axes=order))


def index_node(items: Sequence[ast.expr]) -> ast.expr:
    """A subscript of these items; full slices at its end say nothing."""
    parts = list(items)
    while len(parts) > 1 and is_full(parts[-1]):
        parts.pop()
    return parts[0] if len(parts) == 1 else ast.Tuple(parts, ast.Load())


def updated(array: ast.expr, index: ast.expr, method: str, value: ast.expr) -> ast.expr:
    """`array.at[index].set(value)`, or `add`, `min` ..."""
    target = ast.Subscript(ast.Attribute(array, "at", ast.Load()), index, ast.Load())
    return ast.Call(ast.Attribute(target, method, ast.Load()), [value], [])


def keep_name(state: State, value: Value) -> Value:
    """Give the value a name before what it reads is overwritten."""
    if value.literal:
        return value
    target = state.names.temporary("new")
    state.assign(target, value.node)
    return named(target, value.axes, value.rank, value.type)


def named_value(state: State, statement: Store, value: Value) -> Value:
    """Inside loops a stored value has a name, since later loads may take it."""
    if not state.running or value.literal:
        return value
    target = state.names.temporary(f"new_{state.names.of(statement.cell)}")
    state.assign(target, value.node)
    return named(target, value.axes, value.rank, value.type)


def whole_value(state: State, here: Here, whole: Value, value: Value, items: Items, node: ast.expr) -> ast.expr:
    """The new contents of the whole cell, at its full shape."""
    names = [t for t in items.tokens if isinstance(t, str)]
    if set(names) <= set(value.axes) and value.rank == len(items.tokens) - len(names):
        return node
    shape = whole.type.shape if isinstance(whole.type, ArrayType) else ()
    extents = [axis_extent(state, here, a) for a in whole.axes]
    full = ast.Tuple([*extents, *(state.size(s) for s in shape)], ast.Load())
    if value.literal and not extents and is_zero(node):
        return call("jnp.zeros", full, dtype=dtype_of(whole))
    if value.literal:
        return call("jnp.full", full, node, dtype=dtype_of(whole))
    return call("jnp.broadcast_to", node, full)


def dtype_of(value: Value) -> ast.expr | None:
    """The dtype to ask for; None for the one that JAX gives anyway."""
    return None if value.type.dtype == float else dtype_name(value.type.dtype)


def scalar(state: State, here: Here, cell: str, value: Value, mask: Value | None) -> None:
    """A rank-0 cell: one value for each iteration of the loops it is private to."""
    held = state.cells[cell].value
    if mask is not None:
        old = localised(state, here, held)
        axes = here.order({*value.axes, *mask.axes, *old.axes})
        chosen = operations.select(expand(mask, axes, 0), expand(value, axes, 0), expand(old, axes, 0), held.type)
        value = Value(chosen, axes, 0, held.type)
    if any(a in state.running for a in held.axes):
        # held for all iterations of a loop that runs: this iteration's element
        whole = settled(state, cell)
        items = [position(state, here, a) if a in state.running else FULL for a in whole.axes]
        index = items[0] if len(items) == 1 else ast.Tuple(items, ast.Load())
        others = [a for a in whole.axes if a not in state.running]
        assign_cell(state, cell, updated(whole.node, index, "set", arranged(value, others)), whole)
    elif value.literal and not value.axes:
        state.cells[cell] = Held(replace(value, type=held.type), lazy=False)
    else:
        assign_cell(state, cell, value.node, Value(value.node, value.axes, 0, held.type))


# ---------------------------------------------------------------- new cells


def allocate(state: State, node: Together) -> None:
    """A new cell; an initial value that is all one constant is written when somebody needs it."""
    statement = node.leaf.statement
    assert isinstance(statement, Alloc)
    here = Here(node.leaf, tuple(loop.variable for loop in node.axes))
    value = evaluate(state, here, statement.init)
    value = replace(value, type=statement.type)
    lazy = isinstance(statement.init, Const) or (
        isinstance(statement.init, Call) and statement.init.function in CREATION
    )
    if value.literal and not isinstance(statement.type, ArrayType):
        state.cells[statement.name] = Held(value)
        return
    if lazy:
        state.cells[statement.name] = Held(value, lazy=True, fill=fill_of(statement.init))
        return
    if isinstance(statement.type, ArrayType) and value.rank < len(statement.type.shape):
        full = broadcast(state, here, value, value.axes, statement.type.shape)
        value = Value(full, value.axes, len(statement.type.shape), statement.type)
    assign_cell(state, statement.name, value.node, value)


def fill_of(init: Expr) -> Value | None:
    """The number that a new array is filled with."""
    match init:
        case Call(function="zeros" | "zeros_like" | "empty" | "empty_like"):
            number: Expr = Const(0, INT)
        case Call(function="ones" | "ones_like"):
            number = Const(1, INT)
        case Call(function="full" | "full_like", args=(Const() as number, *_)):
            pass
        case _:
            return None
    kind = numpy_scalar(init.type.dtype)
    if kind.dtype.kind not in "fi" or kind.dtype.itemsize != 8:
        return None
    value = float(number.value.real) if kind.dtype.kind == "f" else int(number.value.real)
    return Value(operations.constant(value, FLOAT if kind.dtype.kind == "f" else INT), (), 0, kind, literal=True)


def define(state: State, leaf: Leaf, axes: tuple[str, ...], identifier: str, expr: Expr) -> None:
    """A value in single assignment."""
    here = Here(leaf, axes)
    value, masks = evaluate_selected(state, here, expr, definition_masks(state, here, identifier, expr))
    with selecting(state, masks):
        if is_not_zero_outside(state, expr):
            state.not_zero_outside[identifier] = outside(state)
    if value.literal and isinstance(value.node, ast.Constant):
        state.defined[identifier] = value
        return
    target = state.names.of(identifier)
    if not is_persons(leaf):
        state.names.made.add(target)
    state.assign(target, value.node)
    state.defined[identifier] = Value(name(target), value.axes, value.rank, value.type, literal=value.literal)


def is_persons(leaf: Leaf) -> bool:
    """Is the value one that the person named?"""
    return isinstance(leaf.statement, Def) and leaf.statement.hint not in COMPILER_HINTS
