"""`x ** p`: the kinds and faults of Python's and NumPy's powers.

a ** 2     (float array)         -->    square(a)
a ** 0.5   (float array)         -->    sqrt(a)                 as NumPy does; a scalar stays a power
np.power(x, p)   (scalars)       -->    sqrt(x) where p == 0.5, else power(x, p)
x ** p     (Python floats)       -->    power(x, p)             fault: overflow, 0.0 ** -1, (-1.0) ** 0.5
"""

from __future__ import annotations

import numpy as np

from autovec.analysis.promotion import kinds_of
from autovec.frontend.calls.faults import became_infinite, is_constant_from
from autovec.frontend.calls.lowered import Faults, Lowered, cast, const, expression, raises, test, unsupported
from autovec.frontend.calls.resolution import operate, ufunc
from autovec.ir.nodes import Apply, Cast, Const, Expr, Select
from autovec.ir.types import FLOAT, INT, ArrayType, Origin


def power(base: Expr, exponent: Expr) -> Lowered:
    """`base ** exponent`."""
    fast = array_power(base, exponent)
    if fast is not None:
        return fast
    if isinstance(base.type, ArrayType) and base.type.dtype.kind == "b" and exponent.type == INT:
        if not isinstance(exponent, Const):
            raise unsupported("bools to the power of an int: their dtype depends on whether it is 2")
    constant = exponent.value if isinstance(exponent, Const) else None
    integers = base.type.dtype.kind in "iub" and exponent.type.dtype.kind in "iub"
    python = any(k.origin is Origin.PYTHON for k in kinds_of(base.type)) and any(
        k.origin is Origin.PYTHON for k in kinds_of(exponent.type)
    )
    if integers and isinstance(constant, int) and constant < 0:
        if not (base.type == exponent.type):
            raise raises("an integer to a negative integer power")
        exponent, base, integers = const(float(constant)), cast(base, np.float64, to_python=True), False
    whole = operate("Pow", (base, exponent))
    value = whole.value
    assert isinstance(value, Apply)
    faults = whole.faults
    if integers:
        faults += negative_exponent(exponent)
        return Lowered(value, faults + (integer_overflow(value) if python else ()))
    if python and value.type.dtype.kind in "fc":
        faults += python_power_faults(value)
    weak = any(k.origin is Origin.PYTHON for k in kinds_of(exponent.type))
    if isinstance(base.type, ArrayType) and not exponent.type.shape and (weak or has_fast_root(value)):
        return Lowered(square_root_where(value), faults)
    return Lowered(squared(value), faults)


def numpy_power(x1: object, x2: object) -> Lowered:
    """`np.power`: NumPy's even on Python numbers; a lone exponent of 0.5 is a square root, also of a scalar."""
    base, exponent = expression(x1), expression(x2)
    whole = ufunc("power", (base, exponent))
    value = whole.value
    assert isinstance(value, Apply)
    if value.args[0].type.dtype.kind in "iu" or (may_be_int(base) and may_be_int(exponent)):
        return Lowered(value, whole.faults + negative_exponent(exponent))
    if exponent.type.shape or not has_fast_root(value):
        return Lowered(squared(value), whole.faults)
    if isinstance(exponent, Const) and exponent.value == 0.5:
        return Lowered(Apply("sqrt", value.args[:1], value.type), whole.faults)
    return Lowered(square_root_where(value), whole.faults)


def may_be_int(value: Expr) -> bool:
    return any(kind.dtype.kind in "iub" for kind in kinds_of(value.type))


def has_fast_root(value: Apply) -> bool:
    """NumPy's loops that take a root where the exponent is 0.5: of float32 and float64."""
    return value.type.dtype.kind == "f" and value.type.dtype.itemsize > 2


def negative_exponent(exponent: Expr) -> Faults:
    """Void where an exponent of ints is negative."""
    if not may_be_int(exponent) or exponent.type.dtype.kind in "ub" or is_constant_from(exponent, 0):
        return ()
    if isinstance(exponent, Const):
        raise raises("an integer to a negative integer power")
    return ((test("less", exponent, const_of(0, exponent)), "a negative integer power"),)


def square_root_where(value: Apply) -> Expr:
    """NumPy takes the square root of an array where a scalar exponent turns out to be 0.5 (which shows at -inf)."""
    base, exponent = value.args
    if base.type.dtype != value.type.dtype or isinstance(exponent, Const) or is_from_int(exponent):
        return squared(value)
    half = test("equal", exponent, const_of(0.5, exponent))
    return Select(half, Apply("sqrt", (base,), value.type), value, value.type)


def is_from_int(value: Expr) -> bool:
    return isinstance(value, Cast) and value.arg.type.dtype.kind in "iub"


def const_of(number: float, like: Expr) -> Expr:
    return cast(const(number), like.type.dtype)


def integer_overflow(value: Apply) -> Faults:
    """Python's ints grow without bound: void where the power, estimated by floats, leaves int64."""
    base, exponent = value.args
    if isinstance(exponent, Const):
        return ()  # a polynomial: the caller bounds it as it does products
    estimate = Apply(
        "power", (cast(base, np.float64, to_python=True), cast(exponent, np.float64, to_python=True)), FLOAT
    )
    beyond = test("greater_equal", Apply("absolute", (estimate,), FLOAT), const(2.0**62))
    return ((beyond, "a Python int beyond int64"),)


def array_power(base: Expr, exponent: Expr) -> Lowered | None:
    """The exponents that NumPy computes by another ufunc, for arrays of floats."""
    if not isinstance(base.type, ArrayType) or not isinstance(exponent, Const) or isinstance(exponent.value, bool):
        return None
    if base.type.dtype.kind in "fc" and not (base.type.dtype.kind == "f" and exponent.type.dtype.kind == "c"):
        special: dict[object, str] = {2: "square", 0.5: "sqrt", 1: "positive", -1: "reciprocal"}
        name = special.get(exponent.value)
        return ufunc(name, (base,)) if name else None
    if base.type.dtype.kind in "iub" and exponent.type.dtype.kind == "i" and exponent.value == 2:
        return ufunc("square", (base,))  # of bools an int8
    return None


def squared(value: Apply) -> Apply:
    """`x ** 2` of floats is `x * x` to the last bit but rarely: print it as such."""
    base, exponent = value.args
    if isinstance(exponent, Const) and exponent.value == 2 and base.type.dtype == value.type.dtype:
        return Apply("square", (base,), value.type)
    return value


def python_power_faults(value: Apply) -> Faults:
    """Overflow, zero to a negative power, and a negative number to a fraction (a complex in Python)."""
    base, exponent = value.args
    faults: Faults = ((became_infinite(value, base, exponent), "a power too large, or zero to a negative power"),)
    if value.type.dtype.kind == "c" or (isinstance(base, Const) and is_constant_from(base, 0)):
        return faults
    if isinstance(exponent, Const) and exponent.value == int(abs(exponent.value)):
        return faults
    fraction = test("not_equal", exponent, Apply("floor", (exponent,), FLOAT))
    negative = test("less", base, const(0.0))
    return (*faults, (test("logical_and", negative, fraction), "a negative number to a fractional power"))
