"""The functions of `math`: Python floats in, Python floats out, faulting where CPython raises.

math.log(x)     -->    log(cast(x, float))    fault: x <= 0
math.floor(x)   -->    cast(floor(x), int)    fault: NaN, or outside int64
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import numpy as np

from autovec.analysis.promotion import kinds_of
from autovec.frontend.calls.asked import named_call
from autovec.frontend.calls.elementwise import binary
from autovec.frontend.calls.faults import became_infinite, not_finite, outside
from autovec.frontend.calls.lowered import (
    EXACT_FLOAT,
    Lowered,
    cast,
    const,
    either,
    expression,
    raises,
    retype,
    test,
    unsupported,
)
from autovec.frontend.calls.powers import power
from autovec.frontend.calls.reductions import python_product
from autovec.frontend.calls.scalars import to_index, to_int
from autovec.frontend.calls.shapes import as_number
from autovec.frontend.calls.stores import float_to_int
from autovec.ir.nodes import Apply, Cast, Const, Expr
from autovec.ir.types import FLOAT, INT, ArrayType, Origin, ScalarType, numpy_scalar

DOUBLE = numpy_scalar(np.dtype(np.float64))
BEYOND = "an int that a float doesn't hold"


def real_argument(x: object) -> Expr:
    """An argument of `math`, as a Python float."""
    a = as_number(expression(x), "a math function of several elements")
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
    "fmod": ("fmod", "fmod"),
}


def logarithm(x: object, *base: object) -> Lowered:
    """`math.log(x)`, `math.log(x, base)`."""
    top = math_function(math.log, "log", "positive", x)
    if not base:
        return top
    bottom = math_function(math.log, "log", "positive", *base)
    whole = binary("Div", top.value, bottom.value)
    return Lowered(whole.value, top.faults + bottom.faults + whole.faults)


def math_power(x: object, y: object) -> Lowered:
    """`math.pow(x, y)`: of floats, always."""
    return power(real_argument(x), real_argument(y))


def to_integral(name: str, x: object) -> Lowered:
    """`math.floor`, `ceil` and `trunc`: a Python int."""
    a = as_number(expression(x), "a math function of several elements")
    of_numpy = isinstance(expression(x).type, ArrayType) or any(k.origin is Origin.NUMPY for k in kinds_of(a.type))
    if name == "trunc" and of_numpy and (a.type != DOUBLE or isinstance(expression(x).type, ArrayType)):
        raise raises("math.trunc of what has no __trunc__")  # of NumPy's numbers only float64 has
    if a.type.dtype.kind in "iub":
        whole = to_int(a)  # NumPy's ints go through floats
        wide = of_numpy and a.type.dtype.itemsize == 8
        return Lowered(
            whole.value, whole.faults + (outside(whole.expr, -EXACT_FLOAT, EXACT_FLOAT, BEYOND) if wide else ())
        )
    if a.type.dtype.kind == "c":
        raise raises("a math function of a complex number")
    if isinstance(a, Const):
        return float_to_int(const(float(getattr(np, name)(a.value))))
    return float_to_int(Apply(name, (a,), a.type) if name != "trunc" else a)


def classify(name: str, x: object) -> Lowered:
    """`math.isnan`, `isinf`, `isfinite`."""
    return Lowered(test(name, real_argument(x)))


def integer_function(name: str, x: object, y: object, *more: object) -> Lowered:
    """`math.gcd`, `math.lcm` of two ints or more."""
    left, right = to_index(x, f"math.{name}"), to_index(y, f"math.{name}")
    value, faults = Apply(name, (left.expr, right.expr), INT), left.faults + right.faults
    if not more:
        return Lowered(value, faults)
    rest = integer_function(name, value, *more)
    return Lowered(rest.value, faults + rest.faults)


def modf(x: object) -> Lowered:
    """The fraction and the whole part, with the sign of the number."""
    a = real_argument(x)
    whole = Apply("trunc", (a,), FLOAT)
    fraction = Apply("copysign", (Apply("subtract", (a, whole), FLOAT), a), FLOAT)
    return Lowered((fraction, whole), ((test("isinf", a), "math.modf of an infinity"),))


def of_float(name: str, result: ScalarType, *operands: Expr, part: int | None = None) -> Expr:
    """A function of JAX by its own name, element by element."""
    layout = tuple(("", True, k) for k in range(len(operands)))
    return named_call(name, operands, layout, result, part, elementwise=True)


def frexp(x: object) -> Lowered:
    a = real_argument(x)
    parts = (of_float("jnp.frexp", FLOAT, a, part=0), of_float("jnp.frexp", INT, a, part=1))
    return Lowered(parts, ((not_finite(a), "math.frexp of what isn't finite"),))


def ldexp(x: object, i: object) -> Lowered:
    a, power = real_argument(x), to_int(i)
    if any(k.origin is not Origin.PYTHON or k.dtype.kind == "f" for k in kinds_of(expression(i).type)):
        raise raises("math.ldexp by what is no Python int")
    value = of_float("jnp.ldexp", FLOAT, a, power.expr)
    return Lowered(value, (*power.faults, (became_infinite(value, a), "math.ldexp out of range")))


def isqrt(n: object) -> Lowered:
    """The root of an int that a float holds."""
    whole = to_index(n, "math.isqrt")
    root = Apply("floor", (Apply("sqrt", (cast(whole.expr, np.float64, to_python=True),), FLOAT),), FLOAT)
    return Lowered(Cast(root, INT), whole.faults + outside(whole.expr, 0, 2**52, "math.isqrt out of its domain"))


def isclose(a: object, b: object, *, rel_tol: object = const(1e-9), abs_tol: object = const(0.0)) -> Lowered:
    """`math.isclose`: symmetric in its arguments; infinities are close to themselves alone."""
    x, y, relative, absolute = (real_argument(v) for v in (a, b, rel_tol, abs_tol))
    apart = Apply("absolute", (Apply("subtract", (x, y), FLOAT),), FLOAT)
    sizes = [Apply("absolute", (v,), FLOAT) for v in (x, y)]
    allowed = Apply("multiply", (relative, Apply("fmax", tuple(sizes), FLOAT)), FLOAT)
    near = test("less_equal", apart, Apply("fmax", (allowed, absolute), FLOAT))
    finite = test("logical_and", test("isfinite", x), test("isfinite", y))
    close = test("logical_or", test("equal", x, y), test("logical_and", finite, near))
    negative = either((test("less", relative, const(0.0)), test("less", absolute, const(0.0))))
    return Lowered(close, ((negative, "a negative tolerance"),))


def hypotenuse(*coordinates: object) -> Lowered:
    """`math.hypot` of any number of coordinates."""
    operands = [real_argument(c) for c in coordinates]
    if len(operands) < 2:
        raise unsupported("math.hypot of one number", "use abs")
    value: Expr = operands[0]
    for c in operands[1:]:
        value = Apply("hypot", (value, c), FLOAT)
    return Lowered(value, ((became_infinite(value, *operands), "math.hypot out of range"),))


def lgamma(x: object) -> Lowered:
    a = real_argument(x)
    value = of_float("lax.lgamma", FLOAT, a)
    pole = test("logical_and", test("less_equal", a, const(0.0)), test("equal", a, Apply("floor", (a,), FLOAT)))
    return Lowered(value, ((pole, "math.lgamma at a pole"), (became_infinite(value, a), "math.lgamma out of range")))


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
    for function, rule in (
        (math.modf, modf), (math.frexp, frexp), (math.ldexp, ldexp), (math.isqrt, isqrt),
        (math.isclose, isclose), (math.lgamma, lgamma), (math.prod, python_product),
    ):  # fmt: skip
        table[function] = rule
    for name, (ufunc, domain) in DOMAINS.items():
        function = getattr(math, name, None)
        if function is not None:
            table[function] = partial(math_function, function, ufunc, domain)
    table[math.hypot] = hypotenuse
    return table
