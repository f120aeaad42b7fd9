"""Reductions, running reductions, sorting and searching as JAX expressions."""

from __future__ import annotations

import ast
from collections.abc import Callable

import numpy as np

from autovec.emit.operations.casts import astype, dtype_name
from autovec.emit.operations.nodes import binop, call, fill, literal
from autovec.emit.operations.operand import Operands, numbers
from autovec.ir.intrinsics import REDUCTIONS

Rule = Callable[[Operands], "ast.expr | None"]


def reduce(name: str) -> Rule:
    """`jnp.sum(a)` over all axes, `jnp.sum(a, axis=-1)` over some or under a batch."""

    def write(given: Operands) -> ast.expr | None:
        axes, rank = given.axes(), given.rank()
        whole = len(axes) == rank and not given.is_batched
        if whole:
            axis = None
        else:
            shown = [k - rank for k in axes] if given.is_batched else list(axes)
            if name in ("argmin", "argmax") and len(axes) > 1:
                return None  # over a flattened array: by vmap
            axis = numbers(tuple(shown))
        keepdims = literal(True) if given.statics.get("keepdims") else None
        delta = given.statics.get("ddof", 0)
        ddof = literal(delta) if delta else None
        dtype = dtype_name(given.type.dtype) if name in ("sum", "prod") and is_narrow(given.type.dtype) else None
        operand = given.args[0]
        if name in ("any", "all", "count_nonzero") and given.types[0].dtype.kind == "c":
            operand = binop(operand, "!=", literal(0))  # JAX would ask the real part alone
        made = call(f"jnp.{name}", operand, axis=axis, dtype=dtype, ddof=ddof, keepdims=keepdims)
        if name == "count_nonzero" and given.type.dtype != np.dtype(np.int64):
            return astype(made, given.type.dtype)
        return made

    return write


def is_narrow(dtype: np.dtype) -> bool:
    """An integer dtype that JAX would widen to add up; Python's `sum` keeps it."""
    return dtype.kind in "iu" and dtype.itemsize < 8


def along(name: str, *extra: str) -> Rule:
    """A function along one axis: `jnp.cumsum(a)` of a vector, `jnp.cumsum(a, axis=-1)` otherwise."""

    def write(given: Operands) -> ast.expr:
        more = [literal(given.statics[e]) for e in extra]
        default_last = name in ("jnp.sort", "jnp.argsort", "jnp.diff") or name.startswith("jnp.fft")
        axis = given.last_axis()
        plain = (default_last and axis == -1) or (given.rank() == 1 and not given.is_batched)
        return call(name, given.args[0], *more, axis=None if plain else literal(axis))

    return write


def ties(given: Operands) -> ast.expr:
    """Whether two neighbours in order are equal (or not comparable: NaN)."""
    axis = given.last_axis()
    after = "..., 1:" + ", :" * (-axis - 1)
    before = "..., :-1" + ", :" * (-axis - 1)
    ordered = call("jnp.sort", given.args[0], axis=literal(axis))
    return fill(f"(lambda s: ~jnp.all(s[{after}] > s[{before}]))(ordered)", ordered=ordered)


def unsorted(given: Operands) -> ast.expr:
    return fill("~jnp.all(a[1:] >= a[:-1])", a=given.args[0])


def searchsorted(given: Operands) -> ast.expr:
    side = literal(given.statics["side"])
    shown = None if given.statics["side"] == "left" else side
    return astype(call("jnp.searchsorted", *given.args, side=shown), given.type.dtype)


def whole_norm(given: Operands) -> ast.expr:
    """`jnp.linalg.norm`; its 2-norm of a whole array is that of all elements."""
    axes, rank = given.axes(), given.rank()
    ord = given.statics["ord"]
    keepdims = literal(True) if given.statics["keepdims"] else None
    shown: object = tuple(k - rank for k in axes)
    everything = len(axes) == rank and not given.is_batched
    if ord is None and len(axes) > 2:
        return fill("jnp.sqrt(jnp.sum(jnp.abs(a) ** 2, axis=axes))", a=given.args[0], axes=literal(shown))
    axis = None if everything else numbers(shown)
    return call(
        "jnp.linalg.norm", given.args[0], ord=None if ord is None else literal(ord), axis=axis, keepdims=keepdims
    )


PLAIN: dict[str, Rule] = {
    **{name: reduce(name) for name in REDUCTIONS},
    "cumsum": along("jnp.cumsum"),
    "cumprod": along("jnp.cumprod"),
    "diff": along("jnp.diff", "n"),
    "sort": along("jnp.sort"),
    "argsort": along("jnp.argsort"),
    "has_ties": ties,
    "is_unsorted": unsorted,
    "searchsorted": searchsorted,
    "linalg_norm": whole_norm,
    **{f"fft_{name}": along(f"jnp.fft.{name}") for name in ("fft", "ifft", "rfft")},
}
BATCHED: dict[str, Rule] = {
    name: rule for name, rule in PLAIN.items() if name not in ("has_ties", "is_unsorted", "searchsorted")
}
