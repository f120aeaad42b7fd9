"""Accumulations over axes: sums, products, extremes, flags, and contractions as einsum.

    s = s + x[i]                                    -->    s = s + jnp.sum(x)
    C[i, j] = C[i, j] + A[i, k] * B[k, j]           -->    C = C + jnp.einsum("ik,kj->ij", A, B)
    s = s + f(i, j) for j > i                       -->    s = s + jnp.sum(jnp.where(j > i, f, 0.0))
    if v > m: m = v                                 -->    m = jnp.maximum(m, jnp.nanmax(v, initial=-jnp.inf))

A mask is never a factor: what is outside the domain is selected away, so that a NaN or an infinity there stays out.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from autovec.emit import operations
from autovec.emit.accesses import load
from autovec.emit.expressions import Degenerate, Here, aligned, all_of, axis_box, axis_extent, evaluate, mask_of
from autovec.emit.operations.casts import dtype_name
from autovec.emit.operations.nodes import binop, call, literal, name
from autovec.emit.products import untransposed
from autovec.emit.safe_operands import evaluate_selected, has_partial, selecting
from autovec.emit.state import State
from autovec.emit.values import Value, expand
from autovec.ir.nodes import Apply, Expr, Load, Store
from autovec.ir.types import BOOL, Type
from autovec.plan.nodes import AxisRole, Together
from autovec.plan.reductions import ASSIGN, bare, by_guard

REDUCERS = {
    "add": "jnp.sum",
    "multiply": "jnp.prod",
    "minimum": "jnp.min",
    "maximum": "jnp.max",
    "logical_or": "jnp.any",
    "logical_and": "jnp.all",
    "bitwise_or": "jnp.bitwise_or.reduce",
    "bitwise_and": "jnp.bitwise_and.reduce",
    "bitwise_xor": "jnp.bitwise_xor.reduce",
}


def reduced(state: State, here: Here, node: Together) -> tuple[Value, Value | None]:
    """The new value of the accumulator over the mapped axes, and the condition on them under which it is stored."""
    statement, found = node.leaf.statement, node.accumulation
    assert isinstance(statement, Store) and found is not None
    over = tuple(a.variable for a, r in zip(node.axes, node.roles, strict=True) if r is AxisRole.REDUCE)
    mapped = tuple(a for a in here.axes if a not in over)
    guard = node.leaf.guard
    if guard is not None and statement.guard is not None and by_guard(statement, statement.guard) is not None:
        guard = without(guard, statement.guard)
    masks = mask_of(state, here, guard, statement.cell)
    kind = statement.value.type
    mine = Here(here.leaf, mapped)
    old = load(state, mine, Load(statement.cell, statement.index, kind), over_box=bool(masks))
    if found.op == ASSIGN:
        return assigned(state, here, found.term, old, masks, over, mapped, kind)
    total = contracted(state, here, found.term, masks, over, mapped, kind) if found.op == "add" else None
    if total is None:
        term, masks = evaluate_selected(state, here, found.term, masks)
        inner = [m for m in masks if set(m.axes) & set(over)]
        total = combined(state, here, term, inner, over, mapped, found.op, kind)
    outer = all_of(state, mine, [m for m in masks if not set(m.axes) & set(over)])
    return joined(state, here, old, total, "subtract" if found.subtracts else found.op, kind), outer


def assigned(
    state: State,
    here: Here,
    term: Expr,
    old: Value,
    masks: Sequence[Value],
    over: Sequence[str],
    mapped: Sequence[str],
    kind: Type,
) -> tuple[Value, Value | None]:
    """A constant that some iterations store: it is there afterwards if any of them does."""
    value = evaluate(state, here, term)
    inner = [m for m in masks if set(m.axes) & set(over)]
    outer = all_of(state, Here(here.leaf, tuple(mapped)), [m for m in masks if not set(m.axes) & set(over)])
    for axis in over:
        if not any(axis in m.axes for m in inner) and not state.require(axis_box(state, here, axis).extent - 1):
            raise Degenerate
    mask = all_of(state, here, inner)
    if mask is None:
        return replace(value, type=kind), outer
    gone = [a for a in mask.axes if a in over]
    places = [mask.axes.index(a) for a in gone]
    kept = tuple(a for a in mask.axes if a not in over)
    stored = Value(sum_of("jnp.any", mask.node, places, bool(kept)), kept, 0, BOOL)
    axes, own, (test, new, before) = aligned(state, here, [stored, value, old])
    return Value(operations.select(test, new, before, kind), axes, own, kind), outer


def contracted(
    state: State,
    here: Here,
    term: Expr,
    masks: Sequence[Value],
    over: Sequence[str],
    mapped: Sequence[str],
    kind: Type,
) -> Value | None:
    """The sum as a contraction, a sum of products as a sum of them."""
    plain = bare(term)
    if isinstance(plain, Apply) and plain.op in ("add", "subtract") and len(plain.args) == 2:
        parts = [contracted(state, here, a, masks, over, mapped, kind) for a in plain.args]
        if parts[0] is None or parts[1] is None:
            return None
        axes, own, nodes = aligned(state, here, [p for p in parts if p is not None])
        return Value(operations.apply(plain.op, nodes, kind, [kind, kind]), axes, own, kind)
    return contraction(state, here, term, masks, over, mapped, kind)


def total(state: State, here: Here, node: Together, over: Sequence[str], kept: Sequence[str]) -> Value:
    """What an accumulation adds (multiplies ...) to its elements: the neutral element where the guard is false."""
    statement, found = node.leaf.statement, node.accumulation
    assert isinstance(statement, Store) and found is not None
    guard = node.leaf.guard
    if guard is not None and statement.guard is not None and by_guard(statement, statement.guard) is not None:
        guard = without(guard, statement.guard)
    kind = statement.value.type
    masks = mask_of(state, here, guard)
    term, masks = evaluate_selected(state, here, found.term, masks)
    if found.op in ("minimum", "maximum") and kind.dtype.kind == "f":
        seen = call("jnp.isnan", term.node)
        masks = [*masks, Value(ast.UnaryOp(ast.Invert(), seen), term.axes, term.rank, BOOL)]
    if found.op in ("minimum", "maximum") and not over:
        mask = all_of(state, here, masks)
        if mask is None:
            return term
        axes, own, (m, t) = aligned(state, here, [mask, term])
        return Value(operations.select(m, t, worst(found.op, kind), kind), axes, own, kind)
    return combined(state, here, term, masks, over, kept, found.op, kind)


def without(guard: Expr, part: Expr) -> Expr | None:
    from autovec.ir.conditions import conjunction, conjuncts

    rest: Expr | None = None
    gone = conjuncts(part)
    for one in conjuncts(guard):
        if one not in gone:
            rest = conjunction(rest, one)
    return rest


def joined(state: State, here: Here, old: Value, total: Value, op: str, kind: Type) -> Value:
    """old op total; a neutral start vanishes."""
    if is_zero(old) and op == "add" and not (old.axes and set(old.axes) - set(total.axes)):
        return replace(total, type=kind)
    axes, own, (a, b) = aligned(state, here, [old, total])
    if op in ("minimum", "maximum"):
        return Value(extreme(op, a, b, old, kind), axes, own, kind)
    return Value(operations.apply(op, [a, b], kind, [kind, kind]), axes, own, kind)


def is_zero(value: Value) -> bool:
    return value.literal and isinstance(value.node, ast.Constant) and value.node.value == 0


def extreme(op: str, old: ast.expr, top: ast.expr, held: Value, kind: Type) -> ast.expr:
    """The running extreme met by that of the new elements; a NaN that was there stays, as the comparison has it."""
    met = call(f"jnp.{op}", old, top)
    if kind.dtype.kind != "f" or held.literal:
        return met
    return met  # maximum and minimum keep a NaN of either side; the new elements' NaNs have been passed by


# ---------------------------------------------------------------- by a reducing function


def combined(
    state: State,
    here: Here,
    term: Value,
    masks: Sequence[Value],
    over: Sequence[str],
    mapped: Sequence[str],
    op: str,
    kind: Type,
) -> Value:
    """`jnp.sum(jnp.where(mask, term, 0), axis)` and its kin."""
    mask = all_of(state, here, masks)
    present = {*term.axes, *(mask.axes if mask is not None else ())}
    kept = [a for a in mapped if a in present]
    gone = [a for a in over if a in present]
    axes = in_memory_order(term, (*kept, *gone)) if op not in ("minimum", "maximum") else (*kept, *gone)
    kept = [a for a in axes if a in kept]
    places = [axes.index(a) for a in gone]
    times = [a for a in over if a not in present]
    own = term.rank
    node = expand(term, axes, own)
    if op in ("minimum", "maximum"):
        if mask is not None and gone and set(term.axes) != set(axes):  # the mask brings axes that the term lacks
            node, mask = operations.select(expand(mask, axes, own), node, worst(op, kind), kind), None
        value = Value(extreme_of(op, node, mask, axes, own, len(kept), len(gone), kind), tuple(kept), own, kind)
        return value
    if mask is not None:
        neutral = operations.constant(NEUTRAL[op](kind.dtype), BOOL if kind.dtype.kind == "b" else kind)
        if op == "logical_or":
            node = binop(expand(mask, axes, own), "&", node) if not is_true(term) else expand(mask, axes, own)
        else:
            node = operations.select(expand(mask, axes, own), node, neutral, kind)
        if term.dims == 0 or set(term.axes) != set(axes):
            pass  # the mask brings the axes
    elif term.dims == 0 and gone:
        raise AssertionError("an axis from nowhere")
    if gone and op == "add" and mask is not None and counts_one(term):
        node = counted(state, expand(mask, axes, own), kind)
        return multiplied(
            state,
            here,
            Value(sum_of("jnp.sum", node, places, bool(kept) or bool(own), counting=kind), tuple(kept), own, kind),
            times,
            kind,
        )
    if gone:
        node = sum_of(REDUCERS[op], node, places, bool(kept) or bool(own), kind)
    return multiplied(state, here, Value(node, tuple(kept), own, kind), times, kind, op)


NEUTRAL = {
    "add": lambda d: np.zeros((), d).item(),
    "multiply": lambda d: np.ones((), d).item(),
    "logical_or": lambda d: False,
    "logical_and": lambda d: True,
    "bitwise_or": lambda d: np.zeros((), d).item(),
    "bitwise_xor": lambda d: np.zeros((), d).item(),
    "bitwise_and": lambda d: (~np.zeros((), d)).item(),
}


def is_true(value: Value) -> bool:
    return value.literal and isinstance(value.node, ast.Constant) and value.node.value is True


def counts_one(value: Value) -> bool:
    return (
        value.literal
        and value.type.dtype.kind in "iu"
        and isinstance(value.node, ast.Constant)
        and value.node.value == 1
    )


def counted(state: State, mask: ast.expr, kind: Type) -> ast.expr:
    return mask


def sum_of(
    function: str,
    node: ast.expr,
    places: Sequence[int],
    partial: bool,
    kind: Type | None = None,
    counting: Type | None = None,
) -> ast.expr:
    """The reduction over these places of the value's axes; over all of them it needs no `axis`."""
    axis: ast.expr | None = None
    if partial:
        axis = literal(places[0] if len(places) == 1 else tuple(sorted(places)))
    dtype: ast.expr | None = None
    if kind is not None and function in ("jnp.sum", "jnp.prod") and kind.dtype.kind in "iu" and kind.dtype.itemsize < 8:
        dtype = dtype_name(kind.dtype)
    if counting is not None and counting.dtype != np.dtype(np.int64):
        dtype = dtype_name(counting.dtype)
    return call(function, node, axis=axis, dtype=dtype)


def in_memory_order(term: Value, axes: Sequence[str]) -> tuple[str, ...]:
    """The axes in the order in which the term has them, so that nothing is transposed to be summed."""
    if set(term.axes) != set(axes):
        return tuple(axes)
    return term.axes


def multiplied(state: State, here: Here, value: Value, times: Sequence[str], kind: Type, op: str = "add") -> Value:
    """Axes that nothing depends on: the term counts once for each of their iterations."""
    node = value.node
    for axis in times:
        surely = op not in ("multiply", "bitwise_xor") and (op != "add" or kind.dtype.kind in "fc")
        if surely and not state.require(axis_box(state, here, axis).extent - 1):
            raise Degenerate  # inf * 0 is NaN, and an extreme of nothing is none
        if op == "add":
            extent = axis_extent(state, here, axis)
            if isinstance(node, ast.Constant) and node.value == 1 and kind.dtype.kind == "i":
                node = extent
            else:
                node = binop(node, "*", extent)
        elif op == "multiply":
            node = binop(node, "**", axis_extent(state, here, axis))
        elif op == "bitwise_xor":
            node = binop(node, "*", binop(axis_extent(state, here, axis), "%", literal(2)))
    return replace(value, base=node, items=())


def extreme_of(
    op: str, node: ast.expr, mask: Value | None, axes: Sequence[str], own: int, first: int, count: int, kind: Type
) -> ast.expr:
    """The extreme of the elements that a comparison would ever take: not NaN, and inside the mask."""
    floats = kind.dtype.kind == "f"
    if not count:
        if mask is not None:
            node = operations.select(expand(mask, axes, own), node, worst(op, kind), kind)
        return node
    axis = None
    if first or own:
        places = tuple(range(first, first + count))
        axis = literal(places[0] if len(places) == 1 else places)
    function = {"maximum": "max", "minimum": "min"}[op]
    needs = floats or mask is not None
    return call(
        f"jnp.nan{function}" if floats else f"jnp.{function}",
        node,
        axis=axis,
        initial=worst(op, kind) if needs else None,
        where=expand(mask, axes, own) if mask is not None else None,
    )


def worst(op: str, kind: Type) -> ast.expr:
    if kind.dtype.kind == "f":
        return name("jnp.inf") if op == "minimum" else ast.UnaryOp(ast.USub(), name("jnp.inf"))
    if kind.dtype.kind == "b":
        return literal(op == "minimum")
    info = np.iinfo(kind.dtype)
    return literal(int(info.max if op == "minimum" else info.min))


# ---------------------------------------------------------------- contractions


def factors(expr: Expr) -> list[Expr]:
    expr = bare(expr)
    if isinstance(expr, Apply) and expr.op == "multiply":
        return [f for arg in expr.args for f in factors(arg)]
    if isinstance(expr, Apply) and expr.op == "square":
        return [expr.args[0], expr.args[0]] if isinstance(bare(expr.args[0]), Load) else [expr]
    return [expr]


def contraction(
    state: State,
    here: Here,
    term: Expr,
    masks: Sequence[Value],
    over: Sequence[str],
    mapped: Sequence[str],
    kind: Type,
) -> Value | None:
    """A sum of products whose factors have different axes, as one einsum; None where a plain sum is as good."""
    if kind.dtype.kind not in "fc":
        return None
    parts = [factor(state, here, f, masks) for f in factors(term)]
    if any(p.rank for p in parts):
        return None
    scale = [p for p in parts if not p.axes]
    spread = [p for p in parts if p.axes]
    union = {a for p in spread for a in p.axes}
    if len(spread) < 2 or any(set(p.axes) == union for p in spread) or not set(over) & union:
        return None
    if len(spread) > 2:
        spread = grouped(state, here, spread)
        if len(spread) < 2 or any(set(p.axes) == union for p in spread):
            return None
    placed = place_masks(state, here, spread, [m for m in masks if set(m.axes) & set(over)])
    if placed is None:
        return None
    spread, tied = placed
    kept = [a for a in mapped if a in union]
    if any(a not in union for a in over):
        return None
    letters = letters_for(sorted(union, key=lambda a: here.axes.index(a)))
    texts: list[str] = []
    nodes: list[ast.expr] = []
    for p in spread:
        text = "".join(letters[a] for a in p.axes)
        plain = untransposed(p.node) if len(p.axes) == 2 else None
        texts.append(text[::-1] if plain is not None else text)
        nodes.append(plain if plain is not None else p.node)
    result = "".join(letters[a] for a in kept)
    node = call("jnp.einsum", ast.Constant(",".join(texts) + "->" + result), *nodes)
    total = Value(node, tuple(kept), 0, kind)
    if tied:
        total = speculated(state, total)
    for s in scale[::-1]:
        total = replace(total, base=operations.apply("multiply", [s.node, total.node], kind, [kind, kind]), items=())
    return total


def factor(state: State, here: Here, expr: Expr, masks: Sequence[Value]) -> Value:
    """A factor, safe where a mask over no more than its own axes will select it."""
    value = evaluate(state, here, expr)
    fitting = [m for m in masks if set(m.axes) <= set(value.axes)]
    if not fitting or not has_partial(expr):
        return value
    with selecting(state, fitting):
        return evaluate(state, here, expr)


def grouped(state: State, here: Here, parts: Sequence[Value]) -> list[Value]:
    """Factors of the same axes multiplied first."""
    groups: dict[frozenset[str], Value] = {}
    for p in parts:
        key = frozenset(p.axes)
        if key in groups:
            axes, own, (a, b) = aligned(state, here, [groups[key], p])
            groups[key] = Value(operations.apply("multiply", [a, b], p.type, [p.type, p.type]), axes, own, p.type)
        else:
            groups[key] = p
    return list(groups.values())


def letters_for(axes: Sequence[str]) -> dict[str, str]:
    """One letter an axis: the person's own where it is one letter."""
    found: dict[str, str] = {}
    for a in axes:
        first = a[0] if a[0].isalpha() and a[0].isascii() else "a"
        choice = next(c for c in (first, *"ijklmnpqrstuvwabcdefgh") if c not in found.values())
        found[a] = choice
    return found


def place_masks(
    state: State, here: Here, parts: Sequence[Value], masks: Sequence[Value]
) -> tuple[list[Value], bool] | None:
    """Each mask on a factor that has its axes; True where another factor shares an axis of a mask over two.

    Outside the domain the masked factor is zero; a NaN or an infinity of another factor there would get in, so the
    result is then checked.
    """
    result = list(parts)
    tied = False
    for mask in masks:
        homes = [k for k, p in enumerate(result) if set(mask.axes) <= set(p.axes)]
        if not homes:
            return None
        k = homes[0]
        p = result[k]
        axes = p.axes
        zero = operations.constant(0.0, p.type) if p.type.dtype.kind == "f" else literal(0)
        masked = operations.select(expand(mask, axes, 0), expand(p, axes, 0), zero, p.type)
        result[k] = Value(masked, axes, 0, p.type)
        others = {a for i, q in enumerate(result) if i != k for a in q.axes}
        if set(mask.axes) & others:
            tied = True
    return result, tied


def speculated(state: State, total: Value) -> Value:
    """A result that must be finite, or the sequential lowering runs instead."""
    target = state.names.temporary("total")
    state.assign(target, total.node)
    total = Value(name(target), total.axes, 0, total.type)
    bad = ast.UnaryOp(ast.Invert(), call("jnp.all", call("jnp.isfinite", total.node)))
    from autovec.emit.faults import raise_flag

    raise_flag(state, "retry", bad)
    return total

