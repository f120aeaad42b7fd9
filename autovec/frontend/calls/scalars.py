"""Builtins, `operator` and NumPy's scalar classes: `max(a, b)`, `int(x)`, `round(x)`, `np.float32(x)`.

max(a, b)       -->    b if b > a else a          the kind of either
math.log(x)     -->    log(cast(x, float))        fault: x <= 0
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import partial

import numpy as np

from autovec.analysis.promotion import kinds_of, operator_kind
from autovec.frontend.calls.axes import as_array
from autovec.frontend.calls.elementwise import binary, compare, fold, truth
from autovec.frontend.calls.faults import outside
from autovec.frontend.calls.lowered import (
    EXACT_FLOAT,
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
from autovec.frontend.calls.reductions import python_extreme, python_sum
from autovec.frontend.calls.resolution import operate, ufunc
from autovec.frontend.calls.shapes import array, as_number, only_element
from autovec.frontend.calls.stores import checked, float_to_int
from autovec.ir.nodes import Apply, Call, Cast, Const, Expr, Select
from autovec.ir.types import BOOL, COMPLEX, FLOAT, INT, PY_INT, ArrayType, Origin, numpy_scalar, scalar


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
    faults = wins.faults
    for v in (best, other):
        if result.dtype.kind == "f" and v.type.dtype.itemsize == 8 and v.type.dtype.kind in "iu":
            low = -EXACT_FLOAT if v.type.dtype.kind == "i" else 0
            faults += outside(v, low, EXACT_FLOAT, "an int that a float doesn't hold")
    return Select(condition, cast(other, result.dtype), cast(best, result.dtype), result), faults


def to_int(x: object = Const(0, INT)) -> Lowered:
    """`int(x)`."""
    a = as_number(expression(x), "int of several elements")
    if a.type.dtype.kind == "c":
        raise raises("int of a complex number")
    if a.type.dtype.kind == "f":
        return float_to_int(a)
    if isinstance(a, Const):
        return Lowered(const(int(static_number(a).real)))
    if a.type.dtype == np.dtype(np.uint64):
        big = test("greater", a, cast(const(2**63 - 1), a.type.dtype))
        return Lowered(Cast(a, INT), ((big, "an int beyond int64"),))
    return Lowered(retype(a, INT))


def to_index(x: object, what: str) -> Lowered:
    """What `operator.index` makes an int of: ints of any kind, arrays of one too; NumPy's bools aren't ints."""
    a = expression(x)
    numpys = any(k.origin is Origin.NUMPY and k.dtype.kind == "b" for k in kinds_of(a.type))
    if a.type.dtype.kind not in "iub" or numpys or (isinstance(a.type, ArrayType) and a.type.shape):
        raise raises(f"{what} of a number that is no int")
    return to_int(a)


def to_float(x: object = Const(0.0, FLOAT)) -> Lowered:
    """`float(x)`; `float("inf")` is a number that the source spells."""
    if isinstance(x, str):
        try:
            return Lowered(const(float(x)))
        except ValueError:
            raise raises("float of this text") from None
    a = as_number(expression(x), "float of several elements")
    if a.type.dtype.kind == "c":
        raise raises("float of a complex number")
    return Lowered(retype(cast(a, np.float64, to_python=True), FLOAT))


def to_complex(re: object = Const(0.0, FLOAT), im: object = None) -> Lowered:
    """`complex(re, im)`."""
    a = as_number(expression(re), "complex of several elements")
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
    if isinstance(a.type, ArrayType):
        raise raises("round of an array")
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
    if a.type.dtype == np.dtype(np.uint64) and results == {PY_INT}:
        return to_int(a)
    return Lowered(retype(a, scalar(*(k for k in results if k is not None))))


def quotient_and_remainder(x: object, y: object) -> Lowered:
    """`divmod(x, y)`."""
    q, r = binary("FloorDiv", x, y), binary("Mod", x, y)
    return Lowered((q.value, r.value), q.faults + r.faults)


def numpy_divmod(x1: object, x2: object) -> Lowered:
    """`np.divmod`: NumPy's even on Python numbers."""
    q, r = ufunc("floor_divide", (x1, x2)), ufunc("remainder", (x1, x2))
    return Lowered((q.value, r.value), q.faults + r.faults)


def some_or_all(name: str, a: object) -> Lowered:
    """`any(a)` and `all(a)` over a vector: a Python bool."""
    e = as_array(a)
    if len(e.type.shape) != 1:
        raise unsupported(f"{name} over rows", f"use np.{name}")
    condition = e if e.type.dtype.kind == "b" else test("not_equal", e, cast(const(0), e.type.dtype))
    return Lowered(Call(name, (condition,), (("axis", (0,)), ("keepdims", False)), BOOL))


def python_power(x: object, y: object, modulus: object = None) -> Lowered:
    """`pow(x, y)`."""
    if modulus is not None:
        raise unsupported("pow with a modulus")
    return binary("Pow", x, y)


def construct(dtype: np.dtype, x: object = Const(0, INT)) -> Lowered:
    """`np.float32(x)`: a NumPy scalar, or an array cast when given one."""
    if isinstance(x, tuple | list):
        return array(x, dtype)
    a = expression(x)
    if isinstance(a.type, ArrayType) and a.type.shape:
        return Lowered(cast(a, dtype))
    a = only_element(a, "")
    if dtype.kind in "iu" and all(k.origin is Origin.NUMPY for k in kinds_of(a.type)) and a.type.dtype.kind != "f":
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
        any: partial(some_or_all, "any"),
        all: partial(some_or_all, "all"),
        int: to_int,
        float: to_float,
        bool: to_bool,
        complex: to_complex,
        round: rounded,
        divmod: quotient_and_remainder,
        np.divmod: numpy_divmod,
        pow: python_power,
        operator.abs: absolute,
        operator.truth: to_bool,
    }
    return table | constructor_rules()


def constructor_rules() -> dict[object, Callable[..., Lowered]]:
    """`np.float64(x)` and the other scalar classes."""
    return {np.dtype(c).type: partial(construct, np.dtype(c)) for c in "?bhilBHILefdFD"}
