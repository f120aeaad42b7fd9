"""NumPy's functions on vectors of every dtype, with numbers that wrap, saturate or lose bits where one isn't careful.

Each call is a statement after a loop: one that isn't compiled stays Python by itself, and is counted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from autovec import autovec
from tests.contract.tables import quietly, written
from tests.generator.check import internal
from tests.same import Comparison

TOGETHER = 12  # calls in one function
LARGE = 2**53 + 1

VECTORS: dict[str, Any] = {
    "bool": (np.array([True, False, True, True]), np.array([True, True])),
    "int8": (np.array([-100, 100, 7, 90], np.int8), np.array([3, -100], np.int8)),
    "uint8": (np.array([200, 100, 0, 255], np.uint8), np.array([3, 200], np.uint8)),
    "int32": (np.array([2**31 - 1, -5, 7, 2**30], np.int32), np.array([3, -(2**31)], np.int32)),
    "int64": (np.array([7, -3, 0, 12]), np.array([2, -1])),
    "large": (np.array([LARGE, 3, -LARGE, 5]), np.array([2, 3])),
    "uint64": (np.array([7, 2**63 + 5, 1, 2], np.uint64), np.array([2, 2**40 + 1], np.uint64)),
    "float16": (np.array([0.1, -2.5, 100, 3], np.float16), np.array([0.3, 2], np.float16)),
    "float32": (np.array([0.1, -2.5, 1e6, 3], np.float32), np.array([0.3, 2], np.float32)),
    "float64": (np.array([0.1, -2.5, 1e6, 3.0]), np.array([0.3, 2.0])),
    "complex64": (np.array([0.1 + 2j, -2.5, 1j, 3], np.complex64), np.array([0.3j, 2], np.complex64)),
    "mixed": (np.array([2**24 + 1, 5, 6, 7]), np.array([2**24, 5], np.float32)),
    "signs": (np.array([3, 2, 1, 9], np.uint64), np.array([-2, 3])),
    "list": ([3, -1, 2, 7], [1, 2]),
}
SCALARS = (2, -1, 1.5)  # y, Python's

CALLS = """
np.convolve(x, v) | np.convolve(x, v, "same") | np.correlate(x, v) | np.correlate(x, v, "full") | np.polymul(x, v)
np.trapezoid(x) | np.trapezoid(x, x) | np.trapezoid(x, dx=0.5) | np.unwrap(x) | np.gradient(x) | np.ediff1d(x) | np.diff(x)
np.diff(x, prepend=1) | np.cumsum(x) | np.cumprod(x) | np.cumsum(x, dtype=bool) | np.cumprod(x, dtype=bool) | np.cumulative_sum(x)
np.sum(x) | np.sum(x, dtype=bool) | np.sum(x, dtype=np.float32) | np.prod(x) | np.prod(x, dtype=bool) | np.mean(x) | np.mean(x, dtype=np.uint8)
np.mean(x, dtype=int) | np.mean(x, dtype=np.float32) | np.var(x) | np.std(x, ddof=1) | np.ptp(x) | np.average(x) | np.average(x, weights=x * 0 + 1)
np.median(x) | np.percentile(x, 30) | np.percentile(x, np.float32(30)) | np.quantile(x, [0.25, 0.5]) | np.nanpercentile(x, 70) | np.nanmedian(x)
np.nansum(x) | np.nanprod(x) | np.nanmean(x) | np.nancumsum(x) | np.nanargmax(x) | np.nanmin(x) | np.cov(x) | np.cov(x, x) | np.corrcoef(x, x[::-1])
np.vander(x[:2], 3) | np.vander(x[:2], 70) | np.polyval(v, x) | np.polyval(x, y) | np.polyder(x) | np.interp(x, [0, 1, 2], [1, 2, 5])
np.interp(y, [0, 1, 2], [1, 2, 5j]) | np.searchsorted(np.sort(x), y) | np.searchsorted(np.sort(x), v) | np.digitize(x, np.sort(v))
np.digitize(y, np.sort(x)) | np.isin(x, v) | np.isin(y, x) | np.isin(x, [y, 3]) | np.histogram(x, 4) | np.histogram(x, 4, (0, 9)) | np.histogram(x, [0, 1, 9])
np.add.outer(x, v) | np.add.outer(x, y) | np.multiply.outer(x, y) | np.maximum.outer(x, y) | np.power.outer(x, v) | np.power.outer(x, y)
np.floor_divide.outer(x, y) | np.dot(x, y) | np.inner(x, y) | np.outer(x, v) | np.inner(x, x) | np.dot(x, x) | np.vdot(x, x) | np.vecdot(x, x)
np.einsum("i,j->ij", x, v) | np.einsum("i,i", x, x) | np.tensordot(x, x, 1) | np.kron(x, v) | np.cross(x[:3], x[1:4]) | np.trace(np.outer(x, x))
np.clip(x, y, 100) | np.clip(x, -1, 1) | np.clip(x > 1, 0, v[0]) | np.clip(y, 0, x) | x.clip(None, None) | np.select([x > 1, x < 0], [x, y], 0)
np.where(x > 1, x, y) | np.where(x > 1, y, x[0]) | np.full_like(x, y) | np.append(x, y) | np.append(x, [y]) | np.insert(x, 1, y) | np.insert(x, 1, [y])
np.insert(x, 1, v[0]) | np.pad(x, 1) | np.pad(x, 1, constant_values=300) | np.pad(x, 1, constant_values=-1) | np.pad(x, 1, mode="edge")
np.concatenate([x, v]) | np.hstack([x, y]) | np.vstack([x, x]) | np.take(x, [0, 1]) | np.take(x, y) | np.take(x, True) | np.linspace(0, v[0], 4)
np.linspace(v[0], 1j, 3) | np.linspace(0, y, 4) | np.sinc(x) | np.i0(x) | np.fix(x) | np.angle(x) | np.modf(x)[0] | np.frexp(x)[1] | np.ldexp(x, 2)
np.bitwise_count(x) | np.isposinf(x) | np.nan_to_num(x) | np.round(x, 1) | np.round(x, -1) | np.heaviside(x, y) | np.float_power(x, y)
np.isclose(x, y) | np.allclose(x, x) | np.array_equal(x, x) | np.linalg.norm(x) | np.linalg.norm(x, 1) | np.linalg.norm(x, 3) | np.linalg.norm(x, np.inf)
np.fft.fft(x) | np.argsort(x, kind="stable") | np.sort(x) | np.argmax(x) | np.max(x) | np.any(x) | np.count_nonzero(x) | np.bincount(x, minlength=9)
np.std(x, ddof=v) | np.searchsorted([[1, 2], [2, 3]], y) | np.tile(x, 2) | np.repeat(x, 2) | np.roll(x, 1) | np.add.reduce(x) | np.add.accumulate(x)
"""
EXPRESSIONS = [e.strip() for line in CALLS.strip().splitlines() for e in line.split(" | ")]
GROUPS = [EXPRESSIONS[k :: -(-len(EXPRESSIONS) // TOGETHER)] for k in range(-(-len(EXPRESSIONS) // TOGETHER))]


class Raised:
    """An exception, as a value."""

    def __init__(self, error: Exception) -> None:
        self.shown = (type(error), str(error))


def outcome(function: Callable[..., Any], args: tuple[Any, ...]) -> Any:
    try:
        return quietly(function, args)
    except Exception as error:
        return Raised(error)


def of_calls(calls: Sequence[str]) -> Callable[..., Any]:
    lines = "".join(f"    r{k} = {call}\n" for k, call in enumerate(calls))
    results = ", ".join(f"r{k}" for k in range(len(calls)))
    loop = "    s = 0\n    for i in range(len(x)):\n        s += i\n"
    return written(f"def table(x, v, y):\n{loop}{lines}    return s, [{results}]\n")


def same(calls: Sequence[str], args: tuple[Any, ...]) -> Any:
    """The decorated function, which answers as the original does."""
    original = of_calls(calls)
    f = autovec(original, fallback="silent")
    expected, actual = outcome(original, args), outcome(f, args)
    assert internal(f) is None, (calls, internal(f))
    if isinstance(expected, Raised) or isinstance(actual, Raised):
        assert getattr(actual, "shown", actual) == getattr(expected, "shown", expected), calls
        return f
    scale = 1.0 + float(np.max(np.abs(args[0]))) ** 2
    for call, e, a in zip(calls, expected[1], actual[1], strict=True):
        Comparison(None, 200, scale, scale, False).compare(e, a, call)
    return f


@pytest.mark.parametrize("kind", VECTORS)
@pytest.mark.parametrize("group", range(len(GROUPS)))
def test_calls_of_every_dtype(group: int, kind: str) -> None:
    """By value, dtype and shape. Where a call raises, or is void, each is a function of its own."""
    args = (*VECTORS[kind], SCALARS[group % len(SCALARS)])
    raising = [e for e in GROUPS[group] if isinstance(outcome(of_calls([e]), args), Raised)]
    others = [e for e in GROUPS[group] if e not in raising]
    f = same(others, args)
    apart = others if any(v.faults for v in f._dispatch.variants) else []
    for call in (*apart, *raising):
        same([call], args)
    if kind in ("int64", "float32", "float64"):
        assert len(f.report().notes) <= 0.4 * len(others), f.report().notes
