"""Values combined along axes by a reducing function.

    s + f(i, j) for j > i      -->    jnp.sum(jnp.where(j > i, f, 0.0))
    max of v, v > 0            -->    jnp.max(v, initial=-jnp.inf, where=v > 0), nanmax where comparisons found it

In: a term, masks, and the axes to be combined. Out: the combination over the axes that are kept. Axes that neither the
term nor a mask has count by their length.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from autovec.emit import operations
from autovec.emit.axes import Degenerate, Here, all_of, axis_box, axis_extent
from autovec.emit.faults import speculated
from autovec.emit.operations.casts import dtype_name
from autovec.emit.operations.nodes import binop, call, literal, name
from autovec.emit.state import State
from autovec.emit.values import Value, expand
from autovec.ir.types import BOOL, Type

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


NEUTRAL: dict[str, Callable[[np.dtype], object]] = {
    "add": lambda d: np.zeros((), d).item(),
    "multiply": lambda d: np.ones((), d).item(),
    "logical_or": lambda d: False,
    "logical_and": lambda d: True,
    "bitwise_or": lambda d: np.zeros((), d).item(),
    "bitwise_xor": lambda d: np.zeros((), d).item(),
    "bitwise_and": lambda d: np.invert(np.zeros((), d)).item(),
}


@dataclass(frozen=True, slots=True)
class Reduction:
    """What is combined: the axes that go, those of the accumulator, the operation, the type of the result.

    `compared`: an extreme that comparisons find, which take no NaN.
    """

    over: tuple[str, ...]
    mapped: tuple[str, ...]
    op: str
    kind: Type
    compared: bool = False

    def takes(self, value: Value) -> bool:
        """Does the value move along an axis that goes?"""
        return not set(self.over).isdisjoint(value.axes)


def combined(state: State, here: Here, term: Value, masks: Sequence[Value], how: Reduction) -> Value:
    """`jnp.sum(jnp.where(mask, term, 0), axis)` and its kin."""
    op, kind = how.op, how.kind
    mask = all_of(state, here, masks)
    present = {*term.axes, *(mask.axes if mask is not None else ())}
    kept = [a for a in how.mapped if a in present]
    gone = [a for a in how.over if a in present]
    axes = in_memory_order(term, (*kept, *gone)) if op not in ("minimum", "maximum") else (*kept, *gone)
    kept = [a for a in axes if a in kept]
    places = [axes.index(a) for a in gone]
    times = [a for a in how.over if a not in present]
    own = term.rank
    node = expand(term, axes, own)
    if op in ("minimum", "maximum"):
        if mask is not None and gone and set(term.axes) != set(axes):  # the mask brings axes that the term lacks
            node, mask = operations.select(expand(mask, axes, own), node, worst(op, kind), kind), None
        some = all(state.require(axis_box(state, here, a).extent - 1) for a in gone)
        extreme = extreme_of(how, node, mask, axes, own, len(kept), len(gone), some)
        return multiplied(state, here, Value(extreme, tuple(kept), own, kind), times, how)
    if mask is not None:
        neutral = operations.constant(NEUTRAL[op](kind.dtype), BOOL if kind.dtype.kind == "b" else kind)
        if op == "logical_or":
            node = binop(expand(mask, axes, own), "&", node) if not is_true(term) else expand(mask, axes, own)
        else:
            node = operations.select(expand(mask, axes, own), node, neutral, kind)
    if gone and op == "add" and mask is not None and counts_one(term):
        node = reducing("jnp.sum", expand(mask, axes, own), places, bool(kept or own), counting=kind)
        return multiplied(state, here, Value(node, tuple(kept), own, kind), times, how)
    if gone:
        node = reducing(REDUCERS[op], node, places, bool(kept or own), kind)
    made = multiplied(state, here, Value(node, tuple(kept), own, kind), times, how)
    return product_in_range(state, made) if op == "multiply" and kind.dtype.kind == "f" else made


def product_in_range(state: State, product: Value) -> Value:
    """A product that was 0 or infinite on the way may not have been in the original order: that one decides then."""

    def holds(node: ast.expr) -> ast.expr:
        inside = binop(call("jnp.isfinite", node), "&", ast.Compare(node, [ast.NotEq()], [literal(0.0)]))
        return call("jnp.all", inside) if product.axes or product.rank else inside

    return speculated(state, "product", product, holds)


def is_true(value: Value) -> bool:
    """Is it the constant True?"""
    return value.literal and isinstance(value.node, ast.Constant) and value.node.value is True


def counts_one(value: Value) -> bool:
    """Is it the constant 1, so that the sum counts?"""
    return (
        value.literal
        and value.type.dtype.kind in "iu"
        and isinstance(value.node, ast.Constant)
        and value.node.value == 1
    )


def reducing(
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
    elif function.endswith(".reduce") and len(places) > 1:
        axis = ast.Constant(None)  # a ufunc's own default is the first axis
    dtype: ast.expr | None = None
    if kind is not None and function in ("jnp.sum", "jnp.prod") and kind.dtype.kind in "iu" and kind.dtype.itemsize < 8:
        dtype = dtype_name(kind.dtype)
    if counting is not None and counting.dtype != np.dtype(np.int64):
        dtype = dtype_name(counting.dtype)
    if kind is not None and kind.dtype.kind == "b":  # booleans add up to a boolean
        function = {"jnp.sum": "jnp.any", "jnp.prod": "jnp.all"}.get(function, function)
    return call(function, node, axis=axis, dtype=dtype)


def in_memory_order(term: Value, axes: Sequence[str]) -> tuple[str, ...]:
    """The axes in the order in which the term has them, so that nothing is transposed to be summed."""
    if set(term.axes) != set(axes):
        return tuple(axes)
    return term.axes


def multiplied(state: State, here: Here, value: Value, times: Sequence[str], how: Reduction) -> Value:
    """Axes that nothing depends on: the term counts once for each of their iterations."""
    op, kind, node = how.op, how.kind, value.node
    for axis in times:
        booleans = kind.dtype.kind == "b"
        exact = op == "multiply" or (op == "add" and kind.dtype.kind in "iu")  # of nothing, too
        surely = op != "bitwise_xor" and (booleans or not exact)
        if surely and not state.require(axis_box(state, here, axis).extent - 1):
            raise Degenerate  # inf * 0 is NaN, and an extreme of nothing is none
        if booleans and op == "bitwise_xor":
            odd = binop(axis_extent(state, here, axis), "%", literal(2))
            node = binop(node, "&", ast.Compare(odd, [ast.Eq()], [literal(1)]))
        elif booleans:
            continue  # the same once as often
        elif op == "add":
            extent = axis_extent(state, here, axis)
            if isinstance(node, ast.Constant) and node.value == 1 and kind.dtype.kind == "i":
                node = extent
            elif kind.dtype.kind == "c":  # times a complex number, an infinity would make a NaN of the other part
                parts = (binop(call(part, node), "*", extent) for part in ("jnp.real", "jnp.imag"))
                node = call("lax.complex", *parts)
            else:
                node = binop(node, "*", extent)
        elif op == "multiply":
            node = binop(node, "**", axis_extent(state, here, axis))
        elif op == "bitwise_xor":
            node = binop(node, "*", binop(axis_extent(state, here, axis), "%", literal(2)))
    return replace(value, base=node, items=())


def extreme_of(
    how: Reduction,
    node: ast.expr,
    mask: Value | None,
    axes: Sequence[str],
    own: int,
    first: int,
    count: int,
    some: bool,
) -> ast.expr:
    """The extreme of the elements inside the mask, if there are `some`; of those that a comparison takes none is NaN."""
    op, kind = how.op, how.kind
    floats = kind.dtype.kind == "f"
    if not count:
        if floats and how.compared and not isinstance(node, ast.Constant):
            node = call("jnp.where", call("jnp.isnan", node), worst(op, kind), node)
        if mask is not None:
            node = operations.select(expand(mask, axes, own), node, worst(op, kind), kind)
        return node
    axis = None
    if first or own:
        places = tuple(range(first, first + count))
        axis = literal(places[0] if len(places) == 1 else places)
    function = {"maximum": "max", "minimum": "min"}[op]
    needs = floats or mask is not None or not some
    return call(
        f"jnp.nan{function}" if floats and how.compared else f"jnp.{function}",
        node,
        axis=axis,
        initial=worst(op, kind) if needs else None,
        where=expand(mask, axes, own) if mask is not None else None,
    )


def worst(op: str, kind: Type) -> ast.expr:
    """The number that never wins: what an extreme of nothing is."""
    if kind.dtype.kind == "f":
        return name("jnp.inf") if op == "minimum" else ast.UnaryOp(ast.USub(), name("jnp.inf"))
    if kind.dtype.kind == "b":
        return literal(op == "minimum")
    info = np.iinfo(kind.dtype)
    number = literal(int(info.max if op == "minimum" else info.min))
    return (
        call("jnp.uint64", number) if op == "minimum" and info.max > np.iinfo(np.int64).max else number
    )  # a plain int is an int64
