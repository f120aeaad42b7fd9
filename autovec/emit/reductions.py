"""Accumulations over axes: sums, products, extremes, flags, and contractions as einsum.

    s = s + x[i]                                    -->    s = s + jnp.sum(x)
    C[i, j] = C[i, j] + A[i, k] * B[k, j]           -->    C = C + jnp.einsum("ik,kj->ij", A, B)
    s = s + f(i, j) for j > i                       -->    s = s + jnp.sum(jnp.where(j > i, f, 0.0))
    m = np.maximum(m, x[i])                         -->    m = jnp.maximum(m, jnp.max(x, initial=-jnp.inf))
    if v > m: m = v                                 -->    m = jnp.maximum(m, jnp.nanmax(v, initial=-jnp.inf))

A mask is never a factor: what is outside the domain is selected away, so that a NaN or an infinity there stays out.

In: an accumulating statement and its axes. Out: the accumulator's new value over those that are mapped.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace

from autovec.emit import operations
from autovec.emit.accesses import load
from autovec.emit.axes import Degenerate, Here, aligned, all_of, axis_box
from autovec.emit.contractions import contracted
from autovec.emit.expressions import evaluate
from autovec.emit.masks import evaluate_selected, mask_of
from autovec.emit.operations.nodes import call
from autovec.emit.reducers import Reduction, combined, reducing, worst
from autovec.emit.state import State
from autovec.emit.values import Value, is_zero
from autovec.ir.conditions import conjunction, conjuncts
from autovec.ir.nodes import Expr, Load, Store
from autovec.ir.types import BOOL, Type
from autovec.plan.nodes import AxisRole, Together
from autovec.plan.reductions import ASSIGN, by_guard


def reduced(state: State, here: Here, node: Together) -> tuple[Value, Value | None]:
    """The new value of the accumulator over the mapped axes, and the condition on them under which it is stored."""
    statement, found = node.leaf.statement, node.accumulation
    assert isinstance(statement, Store) and found is not None
    over = tuple(a.variable for a, r in zip(node.axes, node.roles, strict=True) if r is AxisRole.REDUCE)
    how = Reduction(over, tuple(a for a in here.axes if a not in over), found.op, statement.value.type, found.compared)
    masks = mask_of(state, here, guard_left(node, statement), statement.cell)
    mine = Here(here.leaf, how.mapped)
    old = load(state, mine, Load(statement.cell, statement.index, how.kind), over_box=bool(masks))
    if found.op == ASSIGN:
        return assigned(state, here, found.term, old, masks, how)
    added = contracted(state, here, found.term, masks, how) if found.op == "add" else None
    if added is None:
        term, masks = evaluate_selected(state, here, found.term, masks)
        added = combined(state, here, term, [m for m in masks if how.takes(m)], how)
    outer = all_of(state, mine, [m for m in masks if not how.takes(m)])
    return joined(state, here, old, added, "subtract" if found.subtracts else found.op, how.kind), outer


def assigned(
    state: State, here: Here, term: Expr, old: Value, masks: Sequence[Value], how: Reduction
) -> tuple[Value, Value | None]:
    """A constant that some iterations store: it is there afterwards if any of them does."""
    value = evaluate(state, here, term)
    inner = [m for m in masks if how.takes(m)]
    outer = all_of(state, Here(here.leaf, how.mapped), [m for m in masks if not how.takes(m)])
    for axis in how.over:
        if not any(axis in m.axes for m in inner) and not state.require(axis_box(state, here, axis).extent - 1):
            raise Degenerate
    mask = all_of(state, here, inner)
    if mask is None:
        return replace(value, type=how.kind), outer
    gone = [a for a in mask.axes if a in how.over]
    places = [mask.axes.index(a) for a in gone]
    kept = tuple(a for a in mask.axes if a not in how.over)
    stored = Value(reducing("jnp.any", mask.node, places, bool(kept)), kept, 0, BOOL)
    axes, own, (test, new, before) = aligned(state, here, [stored, value, old])
    return Value(operations.select(test, new, before, how.kind), axes, own, how.kind), outer


def total(state: State, here: Here, node: Together, over: Sequence[str], kept: Sequence[str]) -> Value:
    """What an accumulation adds (multiplies ...) to its elements: the neutral element where the guard is false."""
    statement, found = node.leaf.statement, node.accumulation
    assert isinstance(statement, Store) and found is not None
    kind = statement.value.type
    masks = mask_of(state, here, guard_left(node, statement))
    term, masks = evaluate_selected(state, here, found.term, masks)
    if found.compared and kind.dtype.kind == "f":
        seen = call("jnp.isnan", term.node)
        masks = [*masks, Value(ast.UnaryOp(ast.Invert(), seen), term.axes, term.rank, BOOL)]
    if found.op in ("minimum", "maximum") and not over:
        mask = all_of(state, here, masks)
        if mask is None:
            return term
        axes, own, (m, t) = aligned(state, here, [mask, term])
        return Value(operations.select(m, t, worst(found.op, kind), kind), axes, own, kind)
    return combined(state, here, term, masks, Reduction(tuple(over), tuple(kept), found.op, kind, found.compared))


def guard_left(node: Together, statement: Store) -> Expr | None:
    """What the accumulation is conditional on; the comparison of a running extreme is the accumulation itself."""
    guard = node.leaf.guard
    if guard is None or statement.guard is None or by_guard(statement, statement.guard) is None:
        return guard
    if (
        node.accumulation is not None and node.accumulation.op == ASSIGN
    ):  # a constant: stored if the comparison ever holds
        return guard
    compared = conjuncts(statement.guard)
    rest: Expr | None = None
    for one in conjuncts(guard):
        if one not in compared:
            rest = conjunction(rest, one)
    return rest


def joined(state: State, here: Here, old: Value, total: Value, op: str, kind: Type) -> Value:
    """old op total; a neutral start vanishes."""
    if old.literal and is_zero(old.node) and op == "add" and not (old.axes and set(old.axes) - set(total.axes)):
        return replace(total, type=kind)
    axes, own, (a, b) = aligned(state, here, [old, total])
    if op in ("minimum", "maximum"):  # jnp's keep a NaN of either side; those of the new elements have been passed by
        return Value(call(f"jnp.{op}", a, b), axes, own, kind)
    return Value(operations.apply(op, [a, b], kind, [kind, kind]), axes, own, kind)
