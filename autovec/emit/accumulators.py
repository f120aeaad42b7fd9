"""A loop that only accumulates into one element carries that element, not its array.

    for k in range(j): t[i, j] = max(t[i, j], t[k, j])

    def step(k, best):
        return jnp.where(t[k, j] > best, t[k, j], best)
    new_t = lax.fori_loop(0, j, step, t[i, j])            and t is stored to once

An array in the carry that is loaded from and stored to would be copied at every step.
"""

from __future__ import annotations

import ast
from dataclasses import replace

from autovec.emit import differentiable, operations
from autovec.emit.accesses import load
from autovec.emit.axes import Here, all_of
from autovec.emit.carries import function
from autovec.emit.forwarding import places
from autovec.emit.loop_bounds import loop_bounds, stepping
from autovec.emit.masks import evaluate_selected, mask_of
from autovec.emit.operations.nodes import call, name
from autovec.emit.state import Held, Pending, State
from autovec.emit.stores import write
from autovec.emit.values import Value, named
from autovec.ir.nodes import For, Load, Ref, Store
from autovec.ir.walk import index_exprs, walk
from autovec.plan.nodes import Sequential, Together


def accumulates(node: Sequential) -> Together | None:
    """The one statement of a counted loop, if it adds up into an element that the loop doesn't move."""
    if len(node.body) != 1 or not isinstance(node.loop, For) or node.loop.live or node.fused:
        return None
    (only,) = node.body
    if not isinstance(only, Together) or only.axes or only.accumulation is None:
        return None
    statement = only.leaf.statement
    if not isinstance(statement, Store) or not statement.index:
        return None
    moves = any(
        isinstance(e, Ref) and e.name == node.loop.variable for x in index_exprs(statement.index) for e in walk(x)
    )
    return None if moves else only


def accumulator_loop(state: State, node: Sequential, only: Together) -> bool:
    """`lax.fori_loop` over the element; its final value is stored like any other. False where it needs the array."""
    statement, loop = only.leaf.statement, node.loop
    assert isinstance(statement, Store) and isinstance(loop, For)
    here = Here(only.leaf, ())
    kind = statement.value.type
    old = load(state, here, Load(statement.cell, statement.index, kind))
    lower, upper, variable, prepare = stepping(state, loop, only.leaf, loop_bounds(state, loop, only.leaf))
    inner = state.child()
    prepare(inner)
    held = inner.names.fresh("best" if only.accumulation is not None and "imum" in only.accumulation.op else "total")
    current = named(held, (), old.rank, kind)
    where = places(inner, here, statement.cell, statement.index)
    waiting = Pending(statement.cell, statement.index, where, (), only.leaf, (), current, ast.Constant(None))
    inner.cells[statement.cell] = Held(inner.cells[statement.cell].value, False, (waiting,))
    masks = mask_of(inner, here, only.leaf.guard)
    value, masks = evaluate_selected(inner, here, statement.value, masks)
    if not inner.cells[statement.cell].pending:
        return False  # a load that may meet the element: the array has to be stored to at every step
    if any(inner.cells[c].pending != held.pending for c, held in state.cells.items() if c != statement.cell):
        return False  # a load from an array that has to be written before the loop
    mask = all_of(inner, here, masks)
    if mask is not None:
        value = replace(value, base=operations.select(mask.node, value.node, current.node, kind), items=())
    fits = value.rank == old.rank  # else one number for a whole slice
    inner.lines.append(ast.Return(value.node if fits else call("jnp.full_like", current.node, value.node)))
    identifier = state.names.fresh("step")
    state.lines.append(function(identifier, [variable, held], inner.lines))
    target = state.names.temporary(f"new_{state.names.of(statement.cell)}")
    around = only.leaf.loops[: only.leaf.loops.index(loop)]
    looped = differentiable.counted(state, loop, around, identifier, variable, (lower, upper), held, old.node, None)
    state.assign(target, looped)
    write(state, here, statement, Value(name(target), (), old.rank, kind), None)
    return True
