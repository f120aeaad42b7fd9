"""Arrays from nothing: `np.zeros`, `np.full`, `np.eye`, `np.arange`, `np.linspace`; sizes affine in the arguments.

np.arange(a, b)    -->    arange, n = b - a    fault: b < a
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from autovec.frontend.calls.axes import Shape, as_dtype, as_int, as_shape, as_size, node
from autovec.frontend.calls.faults import weak_int_faults
from autovec.frontend.calls.lowered import (
    Lowered,
    broadcast,
    cast,
    const,
    expression,
    raises,
    size_expr,
    static,
    test,
    unsupported,
)
from autovec.ir.affine import Affine
from autovec.ir.nodes import Const, Expr
from autovec.ir.types import ArrayType


def filled(function: str) -> Callable[..., Lowered]:
    """`np.zeros` and `np.ones`."""

    def make(shape: object, dtype: object = None, order: object = None) -> Lowered:
        return node(function, [], ArrayType(as_dtype(dtype, np.dtype(float)) or np.dtype(float), as_shape(shape)))

    return make


def filled_like(function: str) -> Callable[..., Lowered]:
    """`np.zeros_like` and `np.ones_like`."""

    def make(a: object, dtype: object = None) -> Lowered:
        e = expression(a)
        return node(function, [], ArrayType(as_dtype(dtype) or e.type.dtype, e.type.shape))

    return make


def full(shape: object, fill_value: object, dtype: object = None) -> Lowered:
    value = expression(fill_value)
    return full_of(as_shape(shape), value, as_dtype(dtype) or value.type.dtype)


def full_like(a: object, fill_value: object, dtype: object = None) -> Lowered:
    e, value = expression(a), expression(fill_value)
    return full_of(e.type.shape, value, as_dtype(dtype) or e.type.dtype)


def full_of(shape: Shape, value: Expr, dtype: np.dtype) -> Lowered:
    if broadcast((shape, value.type.shape)) != shape:
        raise raises("an array filled with one that is larger")
    return Lowered(node("full", [cast(value, dtype)], ArrayType(dtype, shape)).value, weak_int_faults(value, dtype))


def eye(N: object, M: object = None, k: object = const(0), dtype: object = None) -> Lowered:
    rows = as_size(N)
    columns = rows if M is None else as_size(M)
    wanted = as_dtype(dtype) or np.dtype(float)
    return node("eye", [], ArrayType(wanted, (rows, columns)), k=as_int(k))


def identity(n: object, dtype: object = None) -> Lowered:
    return eye(n, dtype=dtype)


arange_of: Callable[..., np.ndarray] = np.arange


def arange(*bounds: object, dtype: object = None) -> Lowered:
    """`np.arange(start, stop, step)` of ints with a step of one, or of constants."""
    if not 1 <= len(bounds) <= 3:
        raise raises("np.arange of no bounds")
    if as_dtype(dtype) == np.dtype(bool):
        raise unsupported("np.arange of booleans")
    values = [expression(b) for b in bounds]
    if all(isinstance(v, Const) for v in values):
        known: np.ndarray = arange_of(*(v.value for v in values if isinstance(v, Const)))
        start, step = (0, 1) if len(values) == 1 else (static(values[0]), static(values[2]) if len(values) > 2 else 1)
        wanted = as_dtype(dtype) or known.dtype
        return node("arange", [], ArrayType(wanted, (Affine.number(len(known)),)), start=start, step=step)
    if any(v.type.dtype.kind not in "iu" for v in values) or (len(values) == 3 and static(values[2]) != 1):
        raise unsupported("np.arange with this step", "use np.arange(n) * step")
    begin = Affine.number(0) if len(values) == 1 else as_size(values[0])
    size = as_size(values[-1] if len(values) == 1 else values[1]) - begin
    wanted = as_dtype(dtype) or np.dtype(np.int64)
    low = size_expr(size)
    faults = ((test("less", low, const(0)), "an empty range"),) if len(size.terms) > 1 or size.constant < 0 else ()
    made = node("arange", [], ArrayType(wanted, (size,)), start=begin, step=1)
    return Lowered(made.value, faults)


NARROW = (np.dtype(np.float16), np.dtype(np.float32))


def linspace(start: object, stop: object, num: object = 50, endpoint: object = True) -> Lowered:
    """`np.linspace`, by NumPy's own operations: `arange(n) * step + start`, and the end itself."""
    size = as_size(const(num) if isinstance(num, int) else num)
    given = [expression(e) for e in (start, stop)]
    if any(e.type.shape or e.type.dtype.kind == "c" or e.type.dtype in NARROW for e in given):
        raise unsupported("np.linspace between arrays, or not of float64")
    ends = [cast(e, np.float64) for e in given]
    made = node("linspace", ends, ArrayType(np.dtype(float), (size,)), endpoint=bool(static(endpoint)))
    if size.is_constant and size.constant >= 2:
        return made
    return Lowered(made.value, ((test("less", size_expr(size), const(2)), "fewer than two points"),))


RULES: dict[object, Callable[..., Lowered]] = {
    np.zeros: filled("zeros"),
    np.ones: filled("ones"),
    np.empty: filled("zeros"),
    np.zeros_like: filled_like("zeros"),
    np.ones_like: filled_like("ones"),
    np.empty_like: filled_like("zeros"),
    np.full: full,
    np.full_like: full_like,
    np.eye: eye,
    np.identity: identity,
    np.arange: arange,
    np.linspace: linspace,
}
