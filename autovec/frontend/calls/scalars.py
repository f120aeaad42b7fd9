"""Builtins and `math`: Python's meaning of `max(a, b)`, `int(x)`, `round(x)`, `math.sqrt(x)` on typed scalars.

max(a, b)       -->    b if b > a else a          the kind of either
math.log(x)     -->    log(cast(x, float))        fault: x <= 0
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from functools import partial

import numpy as np

from autovec.analysis.promotion import kinds_of, operator_kind
from autovec.frontend.calls.elementwise import binary, compare, fold, truth, unary
from autovec.frontend.calls.faults import became_infinite
from autovec.frontend.calls.lowered import (
    Faults,
    Lowered,
    cast,
    const,
    expression,
    raises,
    retype,
    static,
    test,
    unsupported,
)
from autovec.frontend.calls.numpy_functions import around
from autovec.frontend.calls.powers import power
from autovec.frontend.calls.reductions import python_extreme, python_sum
from autovec.frontend.calls.resolution import operate
from autovec.frontend.calls.shapes import array, only_element
from autovec.frontend.calls.stores import checked, float_to_int
from autovec.ir.nodes import Apply, Cast, Const, Expr, Select
from autovec.ir.types import BOOL, COMPLEX, FLOAT, INT, ArrayType, Origin, numpy_scalar, scalar


def absolute(x: object) -> Lowered:
    """`abs(x)`."""
    a = expression(x)
    return fold("abs", a) or operate("abs", (a,))


def extreme(op: str, *args: object) -> Lowered:
    """`max` and `min`: a later one wins only if it compares so, which keeps Python's order under NaN."""
    if len(args) == 1 and isinstance(args[0], tuple | list):
        args = tuple(args[0])
    if len(args) == 1:
        return python_extreme("max" if op == "Gt" else "min", expression(args[0]))
    if not args:
        raise raises("the extreme of nothing")
    best = expression(args[0])
    faults: Faults = ()
    for other in map(expression, args[1:]):
        best, more = better(op, best, other)
        faults += more
    return Lowered(best, faults)


def better(op: str, best: Expr, other: Expr) -> tuple[Expr, Faults]:
    """`other if other op best else best`."""
    wins = compare(op, other, best)
    if isinstance(wins.value, Const):
        return (other if wins.value.value else best), wins.faults
    condition = truth(wins.value).expr
    if any(isinstance(v.type, ArrayType) for v in (best, other)):
        raise unsupported("max or min of arrays")
    result = scalar(*(kinds_of(best.type) | kinds_of(other.type)))
    return Select(condition, cast(other, result.dtype), cast(best, result.dtype), result), wins.faults


def to_int(x: object = Const(0, INT)) -> Lowered:
    """`int(x)`."""
    a = only_element(expression(x), "int of several elements")
    if a.type.dtype.kind == "c":
        raise raises("int of a complex number")
    if isinstance(a, Const) or a.type.dtype.kind == "f":
        return float_to_int(a) if a.type.dtype.kind == "f" else Lowered(const(int(static_number(a).real)))
    if a.type.dtype == np.dtype(np.uint64):
        big = test("greater", a, cast(const(2**63 - 1), a.type.dtype))
        return Lowered(Cast(a, INT), ((big, "an int beyond int64"),))
    return Lowered(retype(a, INT))


def to_float(x: object = Const(0.0, FLOAT)) -> Lowered:
    """`float(x)`."""
    a = only_element(expression(x), "float of several elements")
    if a.type.dtype.kind == "c":
        raise raises("float of a complex number")
    return Lowered(retype(cast(a, np.float64, to_python=True), FLOAT))


def to_complex(re: object = Const(0.0, FLOAT), im: object = None) -> Lowered:
    """`complex(re, im)`."""
    a = only_element(expression(re), "complex of several elements")
    value = retype(cast(a, np.complex128, to_python=True), COMPLEX)
    if im is None:
        return Lowered(value)
    imaginary = binary("Mult", const(1j), expression(im))
    whole = binary("Add", value, imaginary.value)
    return Lowered(retype(whole.expr, COMPLEX), imaginary.faults + whole.faults)


def static_number(a: Const) -> complex:
    return a.value


def to_bool(x: object = Const(False, BOOL)) -> Lowered:
    """`bool(x)`."""
    return truth(x)


def rounded(x: object, ndigits: object = None) -> Lowered:
    """`round(x)`, half to even; with digits only where NumPy's scalar does it (by scaling)."""
    a = expression(x)
    digits = static(ndigits)
    kinds = kinds_of(a.type)
    if isinstance(a, Const):
        return Lowered(const(round(static_number(a), *(() if digits is None else (digits,)))))  # type: ignore[arg-type]
    if a.type.dtype.kind == "f" and digits is None:
        whole = Apply("rint", (a,), a.type)
        return float_to_int(whole)
    if any(k.origin is Origin.PYTHON for k in kinds):
        if a.type.dtype.kind == "i" and (digits is None or (isinstance(digits, int) and digits >= 0)):
            return Lowered(a)
        raise unsupported("round of a Python float to digits", "use np.round")
    if digits is not None and a.type.dtype.kind != "b":
        return around(a, ndigits)
    results = {operator_kind("round", k) for k in kinds}
    if None in results:
        raise raises(f"round of {a.type}")
    return Lowered(retype(a, scalar(*(k for k in results if k is not None))))


def quotient_and_remainder(x: object, y: object) -> Lowered:
    """`divmod(x, y)`."""
    q, r = binary("FloorDiv", x, y), binary("Mod", x, y)
    return Lowered((q.value, r.value), q.faults + r.faults)


def python_power(x: object, y: object, modulus: object = None) -> Lowered:
    """`pow(x, y)`."""
    if modulus is not None:
        raise unsupported("pow with a modulus")
    return binary("Pow", x, y)


# ---------------------------------------------------------------- math


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


def conditional_constructor(dtype: np.dtype, x: object = Const(0, INT)) -> Lowered:
    """`np.float32(x)`: a NumPy scalar, or an array cast when given one."""
    if isinstance(x, tuple | list):
        return array(x, dtype)
    a = expression(x)
    if isinstance(a.type, ArrayType) and a.type.shape:
        return Lowered(cast(a, dtype))
    a = only_element(a, "")
    if dtype.kind in "iu" and any(k.origin is Origin.NUMPY for k in kinds_of(a.type)) and a.type.dtype.kind != "f":
        return Lowered(retype(cast(a, dtype), numpy_scalar(dtype)))  # NumPy's ints are cast in silence
    made = checked(a, dtype)
    return Lowered(retype(made.expr, numpy_scalar(dtype)), made.faults)


def rules() -> dict[object, Callable[..., Lowered]]:
    """The Python functions known here, each with its rule."""
    table: dict[object, Callable[..., Lowered]] = {
        abs: absolute,
        max: partial(extreme, "Gt"),
        min: partial(extreme, "Lt"),
        sum: python_sum,
        int: to_int,
        float: to_float,
        bool: to_bool,
        complex: to_complex,
        round: rounded,
        divmod: quotient_and_remainder,
        pow: python_power,
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
    return table | operator_rules() | constructor_rules()


def operator_rules() -> dict[object, Callable[..., Lowered]]:
    """`operator.add` and its like."""
    table: dict[object, Callable[..., Lowered]] = {operator.abs: absolute, operator.truth: to_bool}
    names = {
        binary: "Add:add Sub:sub Mult:mul Div:truediv FloorDiv:floordiv Mod:mod Pow:pow MatMult:matmul "
        "BitAnd:and_ BitOr:or_ BitXor:xor LShift:lshift RShift:rshift",
        compare: "Eq:eq NotEq:ne Lt:lt LtE:le Gt:gt GtE:ge",
        unary: "USub:neg UAdd:pos Invert:invert Not:not_",
    }
    for rule, pairs in names.items():
        for pair in pairs.split():
            op, name = pair.split(":")
            table[getattr(operator, name)] = partial(rule, op)
    return table


def constructor_rules() -> dict[object, Callable[..., Lowered]]:
    """`np.float64(x)` and the other scalar classes."""
    return {np.dtype(c).type: partial(conditional_constructor, np.dtype(c)) for c in "?bhilBHILefdFD"}
