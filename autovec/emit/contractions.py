"""Sums of products whose factors have different axes, as einsum.

    C[i, j] = C[i, j] + A[i, k] * B[k, j]           -->    C = C + jnp.einsum("ik,kj->ij", A, B)
    s = s + a[i] * b[i]                             -->    (no contraction: a plain sum is as good)

In: the term of a sum, the masks, the axes summed over. Out: the sum, or None where a plain sum is as good.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace

from autovec.emit import operations
from autovec.emit.axes import Here, aligned
from autovec.emit.expressions import evaluate
from autovec.emit.faults import speculated
from autovec.emit.operations.nodes import call, literal
from autovec.emit.products import letters, untransposed
from autovec.emit.reducers import Reduction
from autovec.emit.safe_operands import has_partial, selecting
from autovec.emit.state import State
from autovec.emit.values import Value, expand
from autovec.ir.nodes import Apply, Expr, Load
from autovec.plan.reductions import bare


def contracted(state: State, here: Here, term: Expr, masks: Sequence[Value], how: Reduction) -> Value | None:
    """The sum as a contraction, a sum of products as a sum of them."""
    plain = bare(term)
    if isinstance(plain, Apply) and plain.op in ("add", "subtract") and len(plain.args) == 2:
        parts = [contracted(state, here, a, masks, how) for a in plain.args]
        if parts[0] is None or parts[1] is None:
            return None
        axes, own, nodes = aligned(state, here, [p for p in parts if p is not None])
        return Value(operations.apply(plain.op, nodes, how.kind, [how.kind, how.kind]), axes, own, how.kind)
    return contraction(state, here, term, masks, how)


def factors(expr: Expr) -> list[Expr]:
    """What a term is the product of."""
    expr = bare(expr)
    if isinstance(expr, Apply) and expr.op == "multiply":
        return [f for arg in expr.args for f in factors(arg)]
    if isinstance(expr, Apply) and expr.op == "square":
        return [expr.args[0], expr.args[0]] if isinstance(bare(expr.args[0]), Load) else [expr]
    return [expr]


def contraction(state: State, here: Here, term: Expr, masks: Sequence[Value], how: Reduction) -> Value | None:
    """A sum of products whose factors have different axes, as one einsum; None where a plain sum is as good."""
    kind = how.kind
    if kind.dtype.kind not in "fc":
        return None
    parts = [factor(state, here, f, masks) for f in factors(term)]
    if any(p.rank for p in parts):
        return None
    scale = [p for p in parts if not p.axes]
    spread = [p for p in parts if p.axes]
    union = {a for p in spread for a in p.axes}
    if len(spread) < 2 or any(set(p.axes) == union for p in spread) or not set(how.over) & union:
        return None
    if len(spread) > 2:
        spread = grouped(state, here, spread)
        if len(spread) < 2 or any(set(p.axes) == union for p in spread):
            return None
    placed = place_masks(spread, [m for m in masks if how.takes(m)])
    if placed is None:
        return None
    spread, tied = placed
    kept = [a for a in how.mapped if a in union]
    if any(a not in union for a in how.over):
        return None
    letter = letters(sorted(union, key=here.axes.index), "ijklmnpqrstuvwabcdefgh", nameless="a")
    texts: list[str] = []
    nodes: list[ast.expr] = []
    for p in spread:
        text = "".join(letter[a] for a in p.axes)
        plain = untransposed(p.node) if len(p.axes) == 2 else None
        texts.append(text[::-1] if plain is not None else text)
        nodes.append(plain if plain is not None else p.node)
    result = "".join(letter[a] for a in kept)
    node = call("jnp.einsum", ast.Constant(",".join(texts) + "->" + result), *nodes)
    total = Value(node, tuple(kept), 0, kind)
    if tied:
        total = speculated(state, "total", total, lambda node: call("jnp.all", call("jnp.isfinite", node)))
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


def place_masks(parts: Sequence[Value], masks: Sequence[Value]) -> tuple[list[Value], bool] | None:
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
