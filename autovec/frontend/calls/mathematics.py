"""The functions of `math`: Python floats in, Python floats out, faulting where CPython raises.

math.log(x)     -->    log(cast(x, float))    fault: x <= 0
math.floor(x)   -->    cast(floor(x), int)    fault: NaN, or outside int64
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import numpy as np

from autovec.frontend.calls.elementwise import binary
from autovec.frontend.calls.faults import became_infinite
from autovec.frontend.calls.lowered import Lowered, cast, const, expression, raises, retype, test
from autovec.frontend.calls.powers import power
from autovec.frontend.calls.scalars import to_int
from autovec.frontend.calls.shapes import only_element
from autovec.frontend.calls.stores import float_to_int
from autovec.ir.nodes import Apply, Const, Expr
from autovec.ir.types import FLOAT, INT


def real_argument(x: object) -> Expr:
    """An argument of `math`, as a Python float."""
    a = only_element(expression(x), "a math function of several elements")
    if a.type.dtype.kind == "c":
        raise raises("a math function of a complex number")
    return retype(cast(a, np.float64, to_python=True), FLOAT)


def math_function(function: Callable[..., float], name: str, domain: str, *args: object) -> Lowered:
    """A function of `math`, faulting where it raises: see DOMAINS."""
    operands = [real_argument(a) for a in args]
    if all(isinstance(a, Const) for a in operands):
        try:
            return Lowered(const(function(*(a.value for a in operands if isinstance(a, Const)))))
        except (ValueError, OverflowError) as error:
            raise raises(str(error)) from None
    value = Apply(name, tuple(operands), FLOAT)
    return Lowered(value, tuple((c, f"math.{name} out of its domain") for c in outside_domain(domain, operands, value)))


def outside_domain(domain: str, operands: list[Expr], value: Expr) -> list[Expr]:
    """The conditions named by a domain: where CPython raises ValueError or OverflowError."""
    x = operands[0]
    zero, one = const(0.0), const(1.0)
    match domain:
        case "all":
            return []
        case "nonnegative":
            return [test("less", x, zero)]
        case "positive":
            return [test("less_equal", x, zero)]
        case "above -1":
            return [test("less_equal", x, const(-1.0))]
        case "from 1":
            return [test("less", x, one)]
        case "unit":
            return [test("greater", Apply("absolute", (x,), FLOAT), one)]
        case "open unit":
            return [test("greater_equal", Apply("absolute", (x,), FLOAT), one)]
        case "finite":
            return [test("isinf", x)]
        case "no overflow":
            return [became_infinite(value, *operands)]
        case "fmod":
            y = operands[1]
            return [test("isinf", x), test("equal", y, zero)]
        case _:
            raise AssertionError(domain)


DOMAINS: dict[str, tuple[str, str]] = {
    "sqrt": ("sqrt", "nonnegative"),
    "exp": ("exp", "no overflow"),
    "exp2": ("exp2", "no overflow"),
    "expm1": ("expm1", "no overflow"),
    "log2": ("log2", "positive"),
    "log10": ("log10", "positive"),
    "log1p": ("log1p", "above -1"),
    "sin": ("sin", "finite"),
    "cos": ("cos", "finite"),
    "tan": ("tan", "finite"),
    "asin": ("arcsin", "unit"),
    "acos": ("arccos", "unit"),
    "atan": ("arctan", "all"),
    "sinh": ("sinh", "no overflow"),
    "cosh": ("cosh", "no overflow"),
    "tanh": ("tanh", "all"),
    "asinh": ("arcsinh", "all"),
    "acosh": ("arccosh", "from 1"),
    "atanh": ("arctanh", "open unit"),
    "fabs": ("absolute", "all"),
    "degrees": ("degrees", "all"),
    "radians": ("radians", "all"),
    "cbrt": ("cbrt", "all"),
    "erf": ("erf", "all"),
    "erfc": ("erfc", "all"),
    "atan2": ("arctan2", "all"),
    "copysign": ("copysign", "all"),
    "hypot": ("hypot", "no overflow"),
    "fmod": ("fmod", "fmod"),
}


def logarithm(x: object, base: object = None) -> Lowered:
    """`math.log(x)`, `math.log(x, base)`."""
    top = math_function(math.log, "log", "positive", x)
    if base is None:
        return top
    bottom = math_function(math.log, "log", "positive", base)
    whole = binary("Div", top.value, bottom.value)
    return Lowered(whole.value, top.faults + bottom.faults + whole.faults)


def math_power(x: object, y: object) -> Lowered:
    """`math.pow(x, y)`: of floats, always."""
    return power(real_argument(x), real_argument(y))


def to_integral(name: str, x: object) -> Lowered:
    """`math.floor`, `ceil` and `trunc`: a Python int."""
    a = only_element(expression(x), "a math function of several elements")
    if a.type.dtype.kind in "iub":
        return to_int(a)
    if a.type.dtype.kind == "c":
        raise raises("a math function of a complex number")
    if isinstance(a, Const):
        return float_to_int(const(float(getattr(np, name)(a.value))))
    return float_to_int(Apply(name, (a,), a.type) if name != "trunc" else a)


def classify(name: str, x: object) -> Lowered:
    """`math.isnan`, `isinf`, `isfinite`."""
    return Lowered(test(name, real_argument(x)))


def integer_function(name: str, x: object, y: object) -> Lowered:
    """`math.gcd`, `math.lcm` of two ints."""
    a, b = expression(x), expression(y)
    if a.type.dtype.kind not in "iub" or b.type.dtype.kind not in "iub":
        raise raises(f"math.{name} of a number that is no int")
    left, right = to_int(a), to_int(b)
    return Lowered(Apply(name, (left.expr, right.expr), INT), left.faults + right.faults)


def rules() -> dict[object, Callable[..., Lowered]]:
    """The functions of `math` known here, each with its rule."""
    table: dict[object, Callable[..., Lowered]] = {
        math.log: logarithm,
        math.pow: math_power,
        math.floor: partial(to_integral, "floor"),
        math.ceil: partial(to_integral, "ceil"),
        math.trunc: partial(to_integral, "trunc"),
        math.isnan: partial(classify, "isnan"),
        math.isinf: partial(classify, "isinf"),
        math.isfinite: partial(classify, "isfinite"),
        math.gcd: partial(integer_function, "gcd"),
        math.lcm: partial(integer_function, "lcm"),
    }
    for name, (ufunc, domain) in DOMAINS.items():
        function = getattr(math, name, None)
        if function is not None:
            table[function] = partial(math_function, function, ufunc, domain)
    return table
