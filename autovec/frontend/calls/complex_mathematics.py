"""The functions of `cmath`: Python complex numbers in and out, void where CPython raises or treats infinities its way.

cmath.exp(z)     -->    exp(cast(z, complex))     fault: z or the value isn't finite
"""

from __future__ import annotations

import cmath
from collections.abc import Callable
from functools import partial

import numpy as np

from autovec.frontend.calls.elementwise import binary
from autovec.frontend.calls.faults import not_finite
from autovec.frontend.calls.lowered import Lowered, cast, const, expression, raises, retype, test
from autovec.frontend.calls.mathematics import real_argument
from autovec.frontend.calls.shapes import as_number
from autovec.ir.nodes import Apply, Const, Expr
from autovec.ir.types import COMPLEX, FLOAT

UFUNCS = {
    "sqrt": "sqrt", "exp": "exp", "log": "log", "log10": "log10", "sin": "sin", "cos": "cos", "tan": "tan",
    "sinh": "sinh", "cosh": "cosh", "tanh": "tanh", "asin": "arcsin", "acos": "arccos", "atan": "arctan",
    "asinh": "arcsinh", "acosh": "arccosh", "atanh": "arctanh",
}  # fmt: skip


def complex_argument(z: object) -> Expr:
    a = as_number(expression(z), "a cmath function of several elements")
    return retype(cast(a, np.complex128, to_python=True), COMPLEX)


def complex_function(function: Callable[..., complex], name: str, z: object) -> Lowered:
    operand = complex_argument(z)
    if isinstance(operand, Const):
        try:
            return Lowered(const(function(operand.value)))
        except (ValueError, OverflowError) as error:
            raise raises(str(error)) from None
    value = Apply(name, (operand,), COMPLEX)
    reason = f"cmath.{name} of or with what isn't finite"
    return Lowered(value, ((not_finite(operand), reason), (not_finite(value), reason)))


def part(name: str, operand: Expr) -> Expr:
    return Apply(name, (operand,), FLOAT)


def phase(z: object) -> Lowered:
    operand = complex_argument(z)
    return Lowered(Apply("arctan2", (part("imag", operand), part("real", operand)), FLOAT))


def polar(z: object) -> Lowered:
    """Modulus and phase."""
    operand = complex_argument(z)
    modulus = Apply("absolute", (operand,), FLOAT)
    return Lowered((modulus, phase(z).value), ((not_finite(modulus), "an infinite modulus"),))


def rectangular(r: object, phi: object) -> Lowered:
    """`cmath.rect`: `r cos(phi) + i r sin(phi)`."""
    modulus, angle = real_argument(r), real_argument(phi)
    x = binary("Mult", modulus, Apply("cos", (angle,), FLOAT)).value
    y = binary("Mult", modulus, Apply("sin", (angle,), FLOAT)).value
    whole = binary("Add", x, binary("Mult", const(1j), y).value)
    reason = "cmath.rect of what isn't finite"
    return Lowered(whole.value, ((not_finite(modulus), reason), (not_finite(angle), reason)))


def classify(name: str, z: object) -> Lowered:
    return Lowered(test(name, complex_argument(z)))


def rules() -> dict[object, Callable[..., Lowered]]:
    """The functions of `cmath` known here, each with its rule."""
    table: dict[object, Callable[..., Lowered]] = {
        cmath.phase: phase,
        cmath.polar: polar,
        cmath.rect: rectangular,
        cmath.isnan: partial(classify, "isnan"),
        cmath.isinf: partial(classify, "isinf"),
        cmath.isfinite: partial(classify, "isfinite"),
    }
    for name, ufunc in UFUNCS.items():
        function = getattr(cmath, name)
        table[function] = partial(complex_function, function, ufunc)
    return table
