"""NumPy functions that act element by element without being ufuncs: `np.where`, `np.clip`, `np.round`."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np

from autovec.analysis.promotion import WEAK, kind_of, kinds_of, sample
from autovec.diagnostics import Blocked, Code
from autovec.frontend.calls.axes import as_int
from autovec.frontend.calls.elementwise import truth
from autovec.frontend.calls.faults import weak_int_faults
from autovec.frontend.calls.lowered import (
    Lowered,
    broadcast,
    cast,
    const,
    expression,
    retype,
    test,
    unsupported,
)
from autovec.frontend.calls.powers import numpy_power
from autovec.frontend.calls.resolution import ufunc
from autovec.ir.nodes import Apply, Call, Expr, Select
from autovec.ir.types import BOOL, ArrayType, Type, scalar


def where(condition: object, x: object = None, y: object = None) -> Lowered:
    """`np.where(c, x, y)`: always an array, 0-d for scalars; Python numbers are weak."""
    if x is None or y is None:
        raise Blocked(Code.DYNAMIC_SHAPE, None, "np.where without values")
    c, yes, no = expression(condition), expression(x), expression(y)
    dtype = common_dtype(yes, no)
    faults = weak_int_faults(yes, dtype) + weak_int_faults(no, dtype)
    if c.type.dtype.kind != "b":
        c = test("not_equal", c, cast(const(0), c.type.dtype))
    shape = broadcast(e.type.shape for e in (c, yes, no))
    return Lowered(Select(c, cast(yes, dtype), cast(no, dtype), ArrayType(dtype, shape)), faults)


def common_dtype(*values: Expr) -> np.dtype:
    """NumPy's dtype for values together, Python numbers weak among others."""
    found: set[np.dtype] = set()
    for kinds in product(*(kinds_of(v.type) for v in values)):
        found.add(np.result_type(*(WEAK[k](1) if k in WEAK else k.dtype for k in kinds)))
    if len(found) > 1:
        raise Blocked(Code.UNSTABLE_TYPE, None, "an array whose dtype depends on the data")
    return next(iter(found))


def clip(a: object, a_min: object = None, a_max: object = None, min: object = None, max: object = None) -> Lowered:
    """`np.clip`: `minimum(maximum(a, low), high)`."""
    low, high = (a_min if min is None else min), (a_max if max is None else max)
    bounds = [(name, bound) for name, bound in (("maximum", low), ("minimum", high)) if bound is not None]
    if not bounds:
        raise unsupported("np.clip without bounds")
    value = Lowered(expression(a))
    for name, bound in bounds:
        step = ufunc(name, (value.value, bound))
        value = Lowered(step.value, value.faults + step.faults)
    return value


def around(a: object, decimals: object = 0) -> Lowered:
    """`np.round`: scaled, rounded to even, scaled back."""
    e, digits = expression(a), as_int(decimals)
    if e.type.dtype.kind in "iu" and digits >= 0:
        return ufunc("positive", (e,))
    if e.type.dtype.kind != "f":
        raise unsupported(f"np.round of {e.type}")
    if digits == 0:
        return ufunc("rint", (e,))
    scale = const(float(10 ** abs(digits)))
    into, back = ("multiply", "divide") if digits > 0 else ("divide", "multiply")
    return ufunc(back, (ufunc("rint", (ufunc(into, (e, scale)).value,)).value, scale))


def part(name: str) -> Callable[..., Lowered]:
    """`x.real`, `x.imag`, and `np.real` and `np.imag`, which ask for them."""

    def take(val: object) -> Lowered:
        e = expression(val)
        result = attribute_type(e, lambda x: getattr(x, name))
        if e.type.dtype.kind == "c":
            return Lowered(Apply(name, (e,), result))
        if name == "real":
            return Lowered(retype(e, result))
        if isinstance(result, ArrayType):
            raise unsupported("the imaginary part of a real array")
        return Lowered(retype(cast(const(0), result.dtype), result))

    return take


def attribute_type(e: Expr, ask: Callable[[Any], object]) -> Type:
    """The type of an attribute or of what a method gives, asked of ones of the kinds that the value may have."""
    if isinstance(e.type, ArrayType):
        return ArrayType(np.asarray(ask(np.ones(1, e.type.dtype))).dtype, e.type.shape)
    found = {kind_of(ask(sample(k))) for k in e.type.kinds}
    known = [k for k in found if k is not None]
    if len({k.dtype for k in known}) != 1:
        raise Blocked(Code.UNSTABLE_TYPE, None, "a part of a number whose precision depends on the data")
    return scalar(*known)


def conjugate(a: object) -> Lowered:
    """`x.conjugate()`; `np.conjugate` is a ufunc, with other dtypes for booleans."""
    e = expression(a)
    result = attribute_type(e, lambda x: x.conjugate())
    return Lowered(Apply("conjugate", (e,), result) if e.type.dtype.kind == "c" else retype(e, result))


def isclose(a: object, b: object, rtol: object = const(1e-5), atol: object = const(1e-8)) -> Lowered:
    """`np.isclose`: `|a - b| <= atol + rtol * |b|` for finite b, or equal."""
    left, right = expression(a), expression(b)
    if any(e.type.dtype.kind not in "iuf" for e in (left, right)):
        raise unsupported("np.isclose of these dtypes")
    right = cast(right, np.result_type(right.type.dtype, np.float64)) if right.type.dtype.kind != "f" else right
    distance = ufunc("absolute", (ufunc("subtract", (left, right)).value,)).value
    allowed = ufunc("add", (atol, ufunc("multiply", (rtol, ufunc("absolute", (right,)).value)).value)).value
    near = ufunc("logical_and", (ufunc("less_equal", (distance, allowed)).value, ufunc("isfinite", (right,)).value))
    return ufunc("logical_or", (near.value, ufunc("equal", (left, right)).value))


def allclose(a: object, b: object, rtol: object = const(1e-5), atol: object = const(1e-8)) -> Lowered:
    """`np.allclose`: a Python bool."""
    return all_of(isclose(a, b, rtol, atol).expr)


def array_equal(a1: object, a2: object) -> Lowered:
    """`np.array_equal` of arrays whose shapes are known to agree."""
    a, b = expression(a1), expression(a2)
    if a.type.shape != b.type.shape:
        raise unsupported("np.array_equal of shapes not known to agree")
    return all_of(ufunc("equal", (a, b)).expr)


def all_of(condition: Expr) -> Lowered:
    if not condition.type.shape:
        return truth(condition)
    axes = tuple(range(len(condition.type.shape)))
    return Lowered(Call("all", (condition,), (("axis", axes), ("keepdims", False)), BOOL))


RULES: dict[object, Callable[..., Lowered]] = {
    np.power: numpy_power,
    np.where: where,
    np.clip: clip,
    np.isclose: isclose,
    np.allclose: allclose,
    np.array_equal: array_equal,
    np.round: around,
    np.around: around,
    np.real: part("real"),
    np.imag: part("imag"),
}
