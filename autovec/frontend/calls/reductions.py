"""Functions that take an axis away, or run along one: `np.sum`, `np.argmax`, `np.cumsum`, `np.sort`.

np.sum(a)    (a: int32[n])    -->    sum(cast(a, int64)): np.int64
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from autovec.analysis.promotion import kind_of
from autovec.frontend.calls.axes import (
    as_array,
    as_axes,
    as_axis,
    as_dtype,
    as_int,
    dynamic,
    node,
    tried,
    tried_dtype,
)
from autovec.frontend.calls.elementwise import binary
from autovec.frontend.calls.lowered import (
    TOO_SMALL,
    Faults,
    Lowered,
    cast,
    const,
    expression,
    raises,
    size_expr,
    static,
    test,
    typed,
    unsupported,
)
from autovec.frontend.calls.resolution import ufunc
from autovec.frontend.calls.shapes import ravel
from autovec.ir.affine import Affine
from autovec.ir.nodes import Call, Expr, Select
from autovec.ir.types import BOOL, ArrayType, Type, numpy_scalar, scalar

# those that compute in the dtype of their result
IN_RESULT_DTYPE = frozenset({"sum", "prod", "mean", "nansum", "nanprod", "nanmean", "cumsum", "cumprod", "median"})
ORDERED = frozenset({"min", "max", "ptp"})
OF_SOMETHING = ORDERED | {"argmin", "argmax"}  # of nothing there is none
OF_FLOATS = frozenset({"var", "std", "nanvar", "nanstd"})


def reduction(name: str, a: object, axis: object = None, dtype: object = None, keepdims: object = False) -> Lowered:
    """`np.<name>(a, axis, keepdims=...)`."""
    return reduced(name, a, axis, bool(static(keepdims)), as_dtype(dtype))


def with_ddof(name: str, a: object, axis: object = None, ddof: object = 0, keepdims: object = False) -> Lowered:
    """`np.var` and `np.std`."""
    delta = static(ddof)
    if not isinstance(delta, bool | int | float):
        raise unsupported(f"ddof={delta!r}")
    if as_array(a).type.dtype == np.dtype(np.float16):
        return of_half_precision(name, a, axis, delta, bool(static(keepdims)))
    return reduced(name, a, axis, bool(static(keepdims)), None, ddof=delta)


def of_half_precision(name: str, a: object, axis: object, ddof: object, keepdims: bool) -> Lowered:
    """`np.var` and `np.std` of float16, which NumPy computes in float16, squares that overflow included."""
    e = as_array(a)
    axes = as_axes(axis, len(e.type.shape))
    sizes = [e.type.shape[k] for k in axes]
    if name not in ("var", "std") or not isinstance(ddof, int):
        raise unsupported(f"np.{name} of float16", "use float32")
    if not all(s.is_constant for s in sizes):
        raise dynamic(f"np.{name} of float16")
    count = math.prod(s.constant for s in sizes)

    def divided(total: Lowered, by: int) -> Lowered:
        return ufunc("divide", (total.value, cast(const(float(by)), np.float16)))

    mean = divided(reduced("sum", e, axis, True, None), count)
    apart = ufunc("subtract", (e, mean.value))
    squares = ufunc("multiply", (apart.value, apart.value))
    variance = divided(reduced("sum", squares.value, axis, keepdims, None), max(count - ddof, 0))
    return variance if name == "var" else ufunc("sqrt", (variance.value,))


def reduced(name: str, a: object, axis: object, keepdims: bool, dtype: np.dtype | None, **statics: object) -> Lowered:
    e = as_array(a)
    rank = len(e.type.shape)
    if rank == 0:
        raise unsupported(f"np.{name} of a 0-d array")
    if name in ("argmin", "argmax") and e.type.dtype.kind == "c":
        raise unsupported(f"np.{name} of complex numbers")
    if name == "median" and e.type.dtype.kind == "c":
        raise unsupported("the median of complex numbers")
    axes = as_axes(axis, rank)
    asked: dict[str, Any] = {"axis": axes if len(axes) > 1 else min(axes)}
    if name in ("argmin", "argmax"):
        if len(axes) > 1 and static(axis) is None:
            asked["axis"] = None
        elif len(axes) > 1:
            raise unsupported(f"np.{name} over several axes")
    if dtype is not None:
        if dtype.kind == "b" or ("mean" in name and dtype.kind not in "fc"):
            raise unsupported(f"np.{name} in {dtype}")
        asked["dtype"] = dtype
    sample = tried(getattr(np, name), [e], keepdims=keepdims, **asked)
    found = np.asarray(sample).dtype
    operand = cast(e, found) if name in IN_RESULT_DTYPE else e
    if name in OF_FLOATS and e.type.dtype.kind not in "fc":
        operand = cast(e, found)
    one = Affine.number(1)
    shape = tuple(one if k in axes else s for k, s in enumerate(e.type.shape) if keepdims or k not in axes)
    kind = kind_of(sample)
    result: Type = ArrayType(found, shape) if shape else scalar(kind) if kind is not None else typed(found, shape)
    made = node(name, [operand], result, axis=axes, keepdims=keepdims, **statics)
    if name in ORDERED:
        made = with_faults(made, unordered(e))
    if name in OF_SOMETHING:
        made = with_faults(made, tuple(f for k in axes for f in at_least(e.type.shape[k], 1)))
    return made


def unordered(e: Expr) -> Faults:
    """Complex numbers have an order here and there, with NaN only in NumPy: void where there is one."""
    if e.type.dtype.kind != "c":
        return ()
    axes = tuple(range(len(e.type.shape)))
    missing = Call("any", (test("isnan", e),), (("axis", axes), ("keepdims", False)), BOOL)
    return ((missing, "NaN among complex numbers to be ordered"),)


def running(name: str, a: object, axis: object = None, dtype: object = None) -> Lowered:
    """`np.cumsum` and `np.cumprod`: flattened without an axis."""
    e = as_array(a)
    if static(axis) is None:
        e, axis = ravel(e).expr, const(0)
    k = as_axis(axis, len(e.type.shape))
    wanted = as_dtype(dtype) or tried_dtype(getattr(np, name), [e])
    if wanted.kind == "b":
        raise unsupported(f"np.{name} in {wanted}")
    return node(name, [cast(e, wanted)], ArrayType(wanted, e.type.shape), axis=k)


def differences(a: object, n: object = 1, axis: object = -1) -> Lowered:
    """`np.diff`."""
    e, order = as_array(a), as_int(n)
    k = as_axis(axis, len(e.type.shape))
    if e.type.dtype.kind == "b" or order < 0:
        raise unsupported("np.diff of booleans")
    shape = tuple(s - order if j == k else s for j, s in enumerate(e.type.shape))
    return with_faults(node("diff", [e], ArrayType(e.type.dtype, shape), n=order, axis=k), at_least(shape[k], 0))


def with_faults(made: Lowered, faults: Faults) -> Lowered:
    return Lowered(made.value, made.faults + faults)


def at_least(size: Affine, low: int) -> Faults:
    """A fault where a symbolic size is smaller."""
    if size.is_constant and size.constant >= low:
        return ()
    return ((test("less", size_expr(size), const(low)), TOO_SMALL),)


def sort(a: object, axis: object = -1) -> Lowered:
    e = as_array(a)
    return with_faults(node("sort", [e], e.type, axis=as_axis(axis, len(e.type.shape))), unordered(e))


def argsort(a: object, axis: object = -1, kind: object = None, stable: object = None) -> Lowered:
    """JAX's is stable; NumPy's default isn't, so that ties void the call there."""
    e = as_array(a)
    k = as_axis(axis, len(e.type.shape))
    made = with_faults(node("argsort", [e], ArrayType(np.dtype(np.int64), e.type.shape), axis=k), unordered(e))
    if static(kind) in ("stable", "mergesort") or static(stable) is True:
        return made
    ties = Call("has_ties", (e,), (("axis", k),), BOOL)
    return with_faults(made, ((ties, "argsort of equal elements"),))


def searchsorted(a: object, v: object, side: object = "left") -> Lowered:
    e, value = as_array(a), expression(v)
    if len(e.type.shape) != 1:
        raise raises("np.searchsorted in what isn't a vector")
    common = np.result_type(e.type.dtype, value.type.dtype)
    where = static(side)
    made = node(
        "searchsorted",
        [cast(e, common), cast(value, common)],
        typed(np.dtype(np.int64), value.type.shape),
        side=where,
    )
    unsorted = Call("is_unsorted", (e,), (), BOOL)
    return with_faults(made, ((unsorted, "searchsorted in what isn't sorted"),))


def python_extreme(name: str, a: Expr) -> Lowered:
    """`max(a)` over a vector: the first wins ties, and a NaN only if it comes first."""
    e = as_array(a)
    if len(e.type.shape) != 1:
        raise unsupported(f"{name} over rows")
    dtype = e.type.dtype
    result = numpy_scalar(dtype)
    if dtype.kind == "c":
        raise unsupported(f"{name} of complex numbers")
    statics = (("axis", (0,)), ("keepdims", False))
    if dtype.kind != "f":
        return Lowered(Call(name, (e,), statics, result), at_least(e.type.shape[0], 1))
    worst = cast(const(float("-inf" if name == "max" else "inf")), dtype)
    known = Select(test("isnan", e), worst, e, e.type)
    first = Call("element", (e,), (("index", (0,)),), result)
    best = Call(name, (known,), statics, result)
    return Lowered(Select(test("isnan", first), first, best, result), at_least(e.type.shape[0], 1))


def python_sum(a: object, start: object = None) -> Lowered:
    """`sum(a)` over a vector, or over a tuple of values: Python's additions, beginning with 0."""
    begin = const(0) if start is None else expression(start)
    if isinstance(a, tuple | list):
        total, faults = begin, ()
        for item in a:
            step = binary("Add", total, item)
            total, faults = step.expr, faults + step.faults
        return Lowered(total, faults)
    e = as_array(a)
    if len(e.type.shape) != 1:
        raise unsupported("sum over rows", "use np.sum(a, axis=0)")
    size = e.type.shape[0]
    first = binary("Add", begin, Call("element", (e,), (("index", (0,)),), numpy_scalar(e.type.dtype)))
    dtype = first.expr.type.dtype
    whole = Call("sum", (cast(e, dtype),), (("axis", (0,)), ("keepdims", False)), numpy_scalar(dtype))
    total = whole if start is None else binary("Add", begin, whole).expr
    return Lowered(total, first.faults + at_least(size, 1))  # over nothing, the start itself


def python_product(a: object, *, start: object = const(1)) -> Lowered:
    """`math.prod(a)` over a vector, or over a tuple of values."""
    total, faults = expression(start), ()
    if isinstance(a, tuple | list):
        for item in a:
            step = binary("Mult", total, item)
            total, faults = step.expr, faults + step.faults
        return Lowered(total, faults)
    e = as_array(a)
    if len(e.type.shape) != 1:
        raise unsupported("math.prod over rows", "use np.prod(a, axis=0)")
    first = binary("Mult", total, Call("element", (e,), (("index", (0,)),), numpy_scalar(e.type.dtype)))
    dtype = first.expr.type.dtype
    whole = Call("prod", (cast(e, dtype),), (("axis", (0,)), ("keepdims", False)), numpy_scalar(dtype))
    made = binary("Mult", total, whole)
    return Lowered(made.value, first.faults + made.faults + at_least(e.type.shape[0], 1))


def quantity(name: str) -> Callable[..., Lowered]:
    return partial(reduction, name)


RULES: dict[object, Callable[..., Lowered]] = {
    **{
        getattr(np, name): quantity(name)
        for name in "sum prod min max mean any all argmin argmax count_nonzero ptp median "
        "nansum nanprod nanmin nanmax nanmean".split()
    },
    **{getattr(np, name): partial(with_ddof, name) for name in ("var", "std", "nanvar", "nanstd")},
    np.amax: quantity("max"),
    np.amin: quantity("min"),
    np.cumsum: partial(running, "cumsum"),
    np.cumprod: partial(running, "cumprod"),
    np.diff: differences,
    np.sort: sort,
    np.argsort: argsort,
    np.searchsorted: searchsorted,
}
