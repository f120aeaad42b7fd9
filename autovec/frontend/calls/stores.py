"""Conversions: what NumPy checks when an element is stored or a number constructed, and what it casts in silence.

i8[0] = x    (x: np.float64)    -->    cast(x, int)    fault: NaN, or outside int64
i8[:] = v    (v: float64[n])    -->    cast(v, int64)
"""

from __future__ import annotations

import numpy as np

from autovec.analysis.promotion import kinds_of
from autovec.frontend.calls.faults import anywhere, limits, outside
from autovec.frontend.calls.lowered import Faults, Lowered, cast, const, expression, raises, test
from autovec.ir.nodes import Apply, Cast, Const, Expr
from autovec.ir.types import INT, ArrayType, Origin, numpy_scalar


def cast_for_store(value: object, dtype: np.dtype, whole: bool) -> Lowered:
    """The value as an array of this dtype keeps it; a store to one element (`whole` false) is checked."""
    v = expression(value)
    dtype = np.dtype(dtype)
    if v.type.dtype == dtype:
        return Lowered(v)
    if whole and isinstance(v.type, ArrayType):
        return Lowered(cast(v, dtype))
    return checked(v, dtype)


def checked(value: Expr, dtype: np.dtype) -> Lowered:
    """A scalar converted as `dtype.type(value)` does, with what raises ValueError, TypeError or OverflowError."""
    source = value.type.dtype
    if isinstance(value.type, ArrayType) and value.type.shape:
        raise raises("an array stored to one element")
    python = any(k.origin is Origin.PYTHON for k in kinds_of(value.type))
    if source.kind == "c" and dtype.kind not in "cb":
        if python:
            raise raises("a complex number stored as a real one")
        value = real_part(value)
        source = value.type.dtype
    if dtype.kind in "iu" and source.kind == "f":
        whole_number = float_to_int(value)
        narrow = outside(whole_number.expr, *limits(dtype), f"a number that doesn't fit {dtype}")
        return Lowered(cast(whole_number.expr, dtype), whole_number.faults + narrow)
    if dtype.kind in "iu" and source.kind in "iu":
        return Lowered(cast(value, dtype), outside(value, *shared_limits(source, dtype), "an int that doesn't fit"))
    return Lowered(cast(value, dtype))


def checked_elements(values: Expr, dtype: np.dtype) -> Faults:
    """What raises where numbers of a list become elements of a dtype, each as Python converts it."""
    source = values.type.dtype
    if source.kind == "c" and dtype.kind not in "cb":
        raise raises("a list of complex numbers as real ones")
    if dtype.kind not in "iu" or source.kind not in "fiu":
        return ()
    low, high = limits(dtype)
    if source.kind == "f":  # towards zero: -0.5 is a 0
        faults = outside(Apply("trunc", (values,), values.type), low, high, f"a number that doesn't fit {dtype}")
        faults += ((test("isnan", values), "NaN as an int"),)
        if high >= 2**53:  # as a float the bound itself is outside
            faults += ((test("greater_equal", values, cast(const(2.0**63), source)), "a float that is no int64"),)
    else:
        faults = outside(values, *shared_limits(source, dtype), "an int that doesn't fit")
    return tuple((anywhere(condition), reason) for condition, reason in faults)


def shared_limits(source: np.dtype, target: np.dtype) -> tuple[int, int]:
    """The bounds of the target that the source can hold."""
    (low, high), (low_source, high_source) = limits(target), limits(source)
    return max(low, low_source), min(high, high_source)


def float_to_int(value: Expr) -> Lowered:
    """`int(value)` for a float: towards zero; void for NaN and beyond int64 (Python's int would go on)."""
    if isinstance(value, Const) and isinstance(value.value, float):
        if value.value != value.value or abs(value.value) == float("inf"):
            raise raises(f"int({value.value})")
        return Lowered(const(int(value.value)))
    bound = cast(const(2.0**63), value.type.dtype)
    fits = test("less", magnitude(value), bound)
    faults: Faults = ((test("logical_not", fits), "a float that is no int64"),)
    return Lowered(Cast(value, INT), faults)


def magnitude(value: Expr) -> Expr:
    return Apply("absolute", (value,), value.type)


def real_part(value: Expr) -> Expr:
    real = np.finfo(value.type.dtype).dtype
    result = ArrayType(real, value.type.shape) if isinstance(value.type, ArrayType) else numpy_scalar(real)
    return Apply("real", (value,), result)
