"""The contract's row "values", as tables: Python's numbers and NumPy's, value by value, with the edges of each.

Types, values and exceptions are compared; what Python raises voids the compiled answer, and the original raises it.
The signs of zeros from float `//` and `%` aren't asked for (docs/semantics.md).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from autovec import autovec
from tests.contract.tables import agree, written
from tests.generator.check import internal
from tests.same import assert_same

WHOLE = [0, 1, -1, 7, -7, 3, 2, 5, 10**6, -(10**6)]
OTHER = [3, 2, -3, 2, 2, -4, 1, 5, 7, -13]
REAL = [0.0, -0.0, 1.5, -2.5, 3.5, 1e10, -7.25, 0.1, 100.0, 2.0]
MORE = [1.0, 2.0, -1.5, 2.5, 0.5, 3.0, 2.0, 0.1, -3.0, 1e-3]
PAIR = [1 + 2j, -1j, 2 + 0j, -3 + 1j, 0.5j, 1e3 + 1j, -1 - 1j, 2j, 1 + 0j, -2 + 0.5j]
GIVEN: dict[str, Any] = {
    "x": WHOLE,
    "y": OTHER,
    "p": REAL,
    "q": MORE,
    "c": PAIR,
    "b": [True, False] * 5,
    "u": [3, 1, 4, 1, 5] * 2,
}

INTS = """
x[i] + y[i] | x[i] - y[i] | x[i] * y[i] | x[i] // y[i] | x[i] % y[i] | x[i] / y[i] | x[i] ** 2 | x[i] ** 3 | u[i] ** u[0]
-x[i] | +x[i] | ~x[i] | x[i] & y[i] | x[i] | y[i] | x[i] ^ y[i] | x[i] << 3 | x[i] >> 2 | 1 << u[i] | x[i] >> u[i] | divmod(x[i], y[i])
pow(x[i], 2) | abs(x[i]) | round(x[i]) | round(x[i], 1) | int(x[i]) | float(x[i]) | bool(x[i]) | complex(x[i], y[i])
x[i] == y[i] | x[i] < p[i] | x[i] >= y[i] | math.gcd(x[i], y[i]) | math.lcm(x[i], y[i]) | math.gcd(x[i], y[i], 6)
max(x[i], y[i]) | max(x[i], p[i]) | min(x[i], p[i], 3) | x[i] and y[i] | x[i] or p[i] | not x[i] | x[i].real | x[i].imag | x[i].conjugate()
b[i] + b[i] | b[i] and p[i] | p[i] if b[i] else x[i] | b[i] & b[i] | b[i] ^ True | -b[i] | b[i] * 3 | b[i] / 2 | b[i] // 1 | b[i] % 2
b[i] ** 2 | abs(b[i]) | int(b[i]) | float(b[i]) | b[i] < 1 | b[i].real | math.isqrt(u[i]) | math.floor(x[i]) | x[i] // 7 * 7 + x[i] % 7 == x[i]
"""
FLOATS = """
p[i] + q[i] | p[i] - q[i] | p[i] * q[i] | p[i] / q[i] | p[i] ** 2 | p[i] ** 3.0 | abs(p[i]) ** 0.5 | -p[i] | abs(p[i])
round(p[i]) | int(p[i]) | float(p[i]) | bool(p[i]) | complex(p[i], q[i]) | complex(p[i]) | p[i] < q[i] | max(p[i], q[i]) | min(p[i], q[i], 0)
p[i].real | p[i].imag | p[i].conjugate() | math.floor(p[i]) | math.ceil(p[i]) | math.trunc(p[i]) | math.fmod(p[i], q[i]) | p[i] * b[i]
math.modf(p[i]) | math.frexp(p[i]) | math.ldexp(p[i], x[i] % 5) | math.isclose(p[i], q[i]) | math.isclose(p[i], q[i], rel_tol=0.5, abs_tol=1.0)
math.hypot(p[i], q[i], 2.0) | math.copysign(q[i], p[i]) | math.atan2(p[i], q[i]) | math.lgamma(u[i] + 0.5) | math.exp(q[i]) | math.isnan(p[i])
math.sqrt(abs(p[i])) | math.log(abs(q[i])) | math.log(u[i], 2) | math.log1p(u[i]) | math.erf(q[i]) | math.degrees(q[i]) | math.cbrt(p[i]) | math.pow(p[i], 2)
math.tanh(q[i]) | math.asinh(q[i]) | math.fabs(p[i]) | math.prod([p[i], 2, q[i]]) | operator.add(p[i], 1) | operator.truediv(p[i], q[i])
operator.neg(p[i]) | operator.lt(p[i], x[i]) | operator.pow(p[i], 2) | functools.partial(pow, 2.0)(u[i]) | functools.partial(max, 1.0)(p[i])
"""
COMPLEX = """
c[i] + p[i] | c[i] * c[i] | c[i] / q[i] | c[i] / c[i] | x[i] / c[i] | c[i] ** 2 | c[i] ** 0.5 | abs(c[i]) | c[i].real | c[i].imag
c[i].conjugate() | -c[i] | c[i] == 1 | bool(c[i]) | complex(c[i]) | cmath.sqrt(c[i]) | cmath.exp(c[i] / 1e3) | cmath.log(c[i])
cmath.phase(c[i]) | cmath.polar(c[i]) | cmath.rect(p[i] % 5, q[i]) | cmath.isnan(c[i]) | cmath.sin(c[i] / 1e3) | cmath.cosh(c[i] / 1e3) | cmath.atan(c[i] / 3)
"""


def expressions(text: str) -> list[str]:
    whole = text.replace("x[i] | y[i] |", "operator.or_(x[i], y[i]) |")
    return [e.strip() for line in whole.strip().splitlines() for e in line.split(" | ")]


@pytest.mark.parametrize("text", [INTS, FLOATS, COMPLEX], ids=["ints", "floats", "complex"])
def test_python_numbers(text: str) -> None:
    agree(expressions(text), GIVEN, form="[{} for i in range(n)]", ops=100, scale=1e-3)


# ---------------------------------------------------------------- what raises, and what JAX would answer otherwise

RAISES = [
    ("x // y", (5, 0)), ("x % y", (5, 0)), ("x / y", (5, 0)), ("x / y", (5.0, 0.0)), ("x % y", (5.0, 0.0)), ("divmod(x, y)", (5, 0)),
    ("x ** y", (0, -1)), ("x ** y", (0.0, -1.0)), ("x ** y", (-8.0, 1 / 3)), ("x ** y", (1e200, 2.0)), ("x ** y", (10, 30)),
    ("x << y", (1, -1)), ("x >> y", (1, -1)), ("x << y", (1, 80)), ("x * y", (2**40, 2**40)), ("x + y", (2**62, 2**62)),
    ("math.sqrt(x - y)", (1.0, 2.0)), ("math.log(x)", (0.0, 1)), ("math.exp(x)", (1000.0, 1)), ("math.sin(x)", (math.inf, 1)),
    ("math.acos(x)", (2.0, 1)), ("math.isqrt(x)", (-1, 1)), ("math.isqrt(x)", (2**60, 1)), ("math.ldexp(x, y)", (1.0, 5000)),
    ("math.lgamma(x)", (-2.0, 1)), ("math.floor(x)", (math.nan, 1)), ("int(x)", (math.inf, 1)), ("round(x)", (math.nan, 1)),
    ("math.isclose(x, y, rel_tol=x)", (-1.0, 1.0)), ("cmath.log(x)", (0.0, 1)), ("cmath.exp(x)", (1000.0, 1)), ("x / y", (1 + 1j, 0)),
    ("int(x)", (1e30, 1)), ("math.fmod(x, y)", (1.0, 0.0)), ("np.int8(x)", (300, 1)), ("np.uint8(x)", (-1, 1)), ("float(x)", (1 + 1j, 1)),
]  # fmt: skip


def test_what_raises_or_has_no_width() -> None:
    """Each raises in Python, or leaves 64 bits: the same exception, or the same large number."""
    for expression, (x, y) in RAISES:
        f = autovec(written(f"def table(n, x, y):\n    return [{expression} for i in range(n)]\n"), fallback="silent")
        assert_same(f, 2, x, y, calls=1)
        assert internal(f) is None, (expression, internal(f))


def test_edges_of_numpy_ints() -> None:
    """Typed ints wrap; zero divisors give 0; gcd of the least int ends; comparisons across signedness are exact."""
    given: dict[str, Any] = {}
    for code in ("i1", "i4", "i8"):
        least, most = np.iinfo(code).min, np.iinfo(code).max
        given[f"a_{code}"] = np.array([least, least, -1, 0, 7, most, most, least], code)
        given[f"b_{code}"] = np.array([-1, least, 0, 0, -2, most, 2, 6], code)
        given[f"p_{code}"] = np.array([0, 1, 64, 65, 100, 3, 63, 127], code)
    given["u"] = np.array([0, 2**64 - 1, 2**63, 2**63 - 1, 1, 2**53 + 1, 5, 7], np.uint64)
    given["w"] = np.array([-1, -1, 2**63 - 1, 2**63 - 1, 1, 2**53, 5, -7], np.int64)
    calls: list[str] = []
    for code in ("i1", "i4", "i8"):
        a, b, p = (f"{n}_{code}[i]" for n in "abp")
        calls += [f"{a} {op} {b}" for op in "+ - * // % < == & |".split()]
        calls += [
            f"np.gcd({a}, {b})",
            f"np.lcm({a} // 4, {b} // 4)",
            f"abs({a})",
            f"-{a}",
            f"{b} ** {p}",
            f"{a} ** 3",
            f"{a} << {p}",
            f"{a} >> {p}",
        ]
        calls += [
            f"divmod({a}, {b})[0]",
            f"divmod({a}, {b})[1]",
            f"round({a})",
            f"np.sign({a})",
            f"np.square({b})",
            f"{a} / {b}",
            f"np.reciprocal({b})",
        ]
    calls += [f"u[i] {op} w[i]" for op in ("<", "<=", "==", "!=", ">", ">=")] + [
        f"w[i] {op} u[i]" for op in ("<", ">=", "==")
    ]
    calls += ["u[i] // 3", "u[i] % 10", "u[i] + 1", "u[i] - u[0]", "u[i] / 3", "float(u[i])", "max(u[i], w[i])"]
    agree(calls, given)


def test_edges_of_floats() -> None:
    """NaN, infinities and signed zeros through operators, extremes, roundings and conversions."""
    values = [0.0, -0.0, 1.0, -1.5, 2.5, 0.5, math.inf, -math.inf, math.nan, 1e300, -3.0, 4503599627370497.5]
    x, y = (np.array(v) for v in zip(*[(a, b) for a in values for b in values], strict=True))
    signed = ["x[i] + y[i]", "x[i] * y[i]", "x[i] / y[i]", "-x[i]", "abs(x[i])", "max(x[i], y[i])", "min(x[i], y[i])", "np.copysign(x[i], y[i])",
              "np.floor(x[i])", "np.ceil(x[i])", "np.rint(x[i])", "np.trunc(x[i])", "np.sqrt(x[i])", "np.arctan2(x[i], y[i])", "np.hypot(x[i], y[i])",
              "np.fmod(x[i], y[i])", "x[i] < y[i]", "x[i] == y[i]", "not x[i]", "x[i] and y[i]", "np.signbit(x[i])"]  # fmt: skip
    agree([e for e in signed if "and" not in e and "not" not in e], {"x": x, "y": y}, signed_zeros=True)
    agree(
        ["not x[i]", "x[i] and y[i]", "x[i] or y[i]"],
        {"x": x, "y": y},
        form="[{} for i in range(n)]",
        signed_zeros=True,
    )
    other = ["x[i] // y[i]", "x[i] % y[i]", "x[i] ** y[i]", "np.power(x[i], y[i])", "x[i] ** 2", "x[i] ** 0.5", "x[i] ** -1", "np.maximum(x[i], y[i])",
             "np.fmin(x[i], y[i])", "np.sign(x[i])", "np.round(x[i], 1)", "np.exp(x[i])", "np.log(x[i])", "np.sin(x[i])", "np.tanh(x[i])", "np.expm1(x[i])",
             "np.log1p(x[i])", "np.cbrt(x[i])", "np.isfinite(x[i])", "x[i].astype(np.int64)", "x[i].astype(np.int8)", "x[i].astype(np.uint8)",
             "x[i].astype(np.float32)", "np.float16(x[i])", "np.clip(x[i], -1, y[i])", "np.heaviside(x[i], y[i])", "np.logaddexp(x[i], y[i])"]  # fmt: skip
    agree(other, {"x": x, "y": y}, ops=16)


# ---------------------------------------------------------------- documented differences


def test_documented_differences() -> None:
    """What docs/semantics.md says is otherwise, and no more: if one of these goes, the document may be shorter."""

    def table(a, b):
        return (
            np.array([x // y for x, y in zip(a, b, strict=True)]),
            np.array([np.sign(x) for x in a]),
            np.array([x * 0.5 for x in b]),
        )

    a, b = np.array([-0.0, 5.0]), np.array([1.0, 5e-324 * 4])
    f = autovec(table, fallback="silent")
    with np.errstate(all="ignore"):
        expected, actual = table(a, b), f(a, b)
    assert f.report().blocked is None
    for e, g in zip(expected, actual, strict=True):
        assert e.dtype == g.dtype and e[0] == g[0]  # zeros are zeros, whatever their sign
    assert expected[2][1] != 0 and actual[2][1] == 0  # a subnormal is read as zero
