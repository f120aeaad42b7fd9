"""Calls of NumPy in loops over rows: dtype and value against NumPy, compiled; what NumPy refuses is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from autovec import autovec
from tests.contract.tables import agree, written
from tests.generator.check import internal
from tests.same import assert_same

RANDOM = np.random.default_rng(3)
SQUARE = RANDOM.normal(size=(4, 4))
MISSING = RANDOM.normal(size=(6, 8))
MISSING[1, 2] = MISSING[4, 1:] = np.nan
GIVEN: dict[str, Any] = {
    "x": RANDOM.normal(size=(6, 8)),
    "i4": RANDOM.integers(0, 5, (6, 8)).astype(np.int32),
    "k": RANDOM.integers(0, 5, (6, 8)),
    "z": RANDOM.normal(size=(6, 8)) + 1j * RANDOM.normal(size=(6, 8)),
    "nan": MISSING,
    "w": np.sort(RANDOM.normal(size=7)),
    "v": RANDOM.normal(size=(6, 3)),
    "s": np.stack([SQUARE @ SQUARE.T + (4 + k) * np.eye(4) for k in range(6)]),
    "m": RANDOM.normal(size=(6, 5, 3)),
    "c": RANDOM.normal(size=5),
    "b": RANDOM.normal(size=(6, 8)) > 0,
    "f4": RANDOM.normal(size=(6, 8)).astype(np.float32),
    "t": 0.3,
    "j": 2,
}

ELEMENTWISE = """
np.clip(x[i], -1, 1) | np.clip(i4[i], 1, 3) | np.where(x[i] > 0, x[i], 0) | np.where(b[i], i4[i], 7)
np.sinc(x[i]) | np.sinc(k[i]) | np.i0(x[i]) | np.fix(x[i]) | np.nan_to_num(nan[i]) | np.nan_to_num(nan[i], nan=1.5)
np.isposinf(x[i]) | np.isneginf(x[i, 0]) | np.isreal(z[i]) | np.iscomplex(z[i]) | np.angle(z[i]) | np.angle(z[i], deg=True)
np.angle(x[i]) | np.modf(x[i])[0] | np.modf(x[i])[1] | np.frexp(x[i])[0] | np.frexp(x[i])[1] | np.ldexp(x[i], i4[i])
np.divmod(x[i], 0.7)[0] | np.divmod(x[i], 0.7)[1] | np.bitwise_count(k[i]) | np.reciprocal(k[i]) | np.heaviside(x[i], 0.5)
np.isclose(x[i], 0.5) | np.round(x[i], 1) | np.real(z[i]) + 0 | np.imag(z[i]) + 0 | np.conj(z[i]) | np.abs(z[i])
np.select([x[i] > 0, x[i] < -1], [x[i], 0.0], 9.0) | np.unwrap(x[i] * 4) | np.power(x[i], 2) | np.float_power(k[i], 2)
"""
ALONG = """
np.percentile(x[i], 30) | np.percentile(i4[i], 30) | np.percentile(x[i], [25, 75]) | np.quantile(x[i], t) | np.quantile(f4[i], 0.3)
np.median(x[i]) | np.median(m[i], axis=0) | np.nanmedian(nan[i]) | np.nanpercentile(nan[i], 30) | np.nanquantile(nan[i], 0.3)
np.nanargmax(nan[i]) | np.nanargmin(nan[i]) | np.nancumsum(nan[i]) | np.nancumprod(nan[i]) | np.nansum(nan[i]) | np.nanmean(nan[i])
np.nanstd(nan[i]) | np.nanvar(nan[i]) | np.nanmin(nan[i]) | np.nanmax(nan[i]) | np.nanprod(nan[i]) | np.average(x[i])
np.average(x[i], weights=x[0] ** 2) | np.average(m[i], axis=0, weights=c) | np.trapezoid(x[i]) | np.trapezoid(x[i], dx=0.1)
np.trapezoid(x[i, :7], w) | np.gradient(x[i]) | np.gradient(x[i], 0.5) | np.diff(x[i]) | np.diff(x[i], n=2) | np.diff(x[i], prepend=0.0)
np.ediff1d(x[i]) | np.cumsum(i4[i]) | np.cumprod(x[i]) | np.cumulative_sum(i4[i]) | np.ptp(x[i]) | np.count_nonzero(b[i])
np.argsort(x[i]) | np.sort(x[i]) | np.argmax(x[i]) | np.searchsorted(w, x[i]) | np.searchsorted(w, t) | np.searchsorted(w, x[i], side="right")
np.digitize(x[i], w) | np.digitize(t, w) | np.digitize(x[i], w, right=True) | np.interp(x[i], w, w * 2) | np.interp(t, w, w * 2)
np.convolve(x[i], v[i]) | np.convolve(x[i], v[i], mode="same") | np.convolve(x[i], v[i], "valid") | np.convolve(k[i], [1, 2])
np.correlate(x[i], v[i]) | np.correlate(x[i], v[i], mode="full") | np.correlate(z[i], z[0], "same") | np.bincount(k[i], minlength=5)
np.bincount(k[i], weights=x[i], minlength=j + 4) | np.histogram(x[i], bins=5, range=(-2, 2))[0] | np.histogram(x[i], bins=5)[1]
np.histogram(x[i], bins=w)[0] | np.histogram(k[i], 4)[0] | np.cov(x[i], x[0]) | np.cov(m[i]) | np.cov(m[i], rowvar=False) | np.cov(x[i])
np.corrcoef(x[i], x[0]) | np.corrcoef(m[i]) | np.polyfit(w, x[i, :7], 2) | np.polyval(v[i], t) | np.polyval(v[i], x[i])
np.polyval([1.0, 2.0, 3.0], x[i, 0]) | np.isin(k[i], [1, 2]) | np.isin(k[i], k[0]) | np.allclose(x[i], x[0]) | np.array_equal(x[i], x[0])
np.add.reduce(i4[i]) | np.maximum.reduce(x[i]) | np.multiply.reduce(m[i], axis=1) | np.logical_and.reduce(b[i]) | np.add.accumulate(x[i])
np.maximum.accumulate(nan[i]) | np.subtract.outer(x[i], m[i]) | np.multiply.outer(k[i], v[i]) | np.minimum.accumulate(x[i])
"""
ARRANGED = """
np.pad(x[i], 1) | np.pad(x[i], (1, 2)) | np.pad(x[i], 1, mode="edge") | np.pad(k[i], 1, constant_values=7) | np.pad(x[i], 2, mode="wrap")
np.pad(s[i], ((1, 0), (0, 2))) | np.rot90(s[i]) + 0 | np.rot90(m[i], 3) + 0 | np.take(x[i], k[i]) | np.take(x[i], 2) | np.take(s[i], [0, 2], axis=1)
x[i].take(k[i]) | np.take_along_axis(x[i], np.argsort(x[i]), axis=0) | np.take_along_axis(x[i], k[i] - 5, 0) | np.append(x[i], 1.0)
np.append(i4[i], v[i]) | np.insert(x[i], 0, 1.0) | np.delete(x[i], 0) | np.dstack([x[i], x[0]]) | np.vstack([x[i], x[0]]) | np.hstack([x[i], v[i]])
np.column_stack([x[i], x[0]]) | np.stack([x[i], i4[0]], axis=1) | np.concatenate([x[i], v[i]]) | np.roll(x[i], j) | np.roll(m[i], 1)
np.roll(m[i], (1, 2), axis=(0, 1)) | np.flip(x[i]) + 0 | np.fliplr(s[i]) + 0 | np.tile(v[i], (2, 1)) | np.repeat(m[i], 2, axis=0) | np.repeat(v[i], 3)
np.triu(s[i]) | np.tril(s[i], k=-1) | np.diag(v[i]) | np.diag(s[i]) + 0 | np.tri(3) * t | np.eye(3) * t | np.vander(v[i]) | np.vander(v[i], 4)
np.meshgrid(x[i], v[i])[0] | np.meshgrid(x[i], v[i], indexing="ij")[1] | np.meshgrid(x[i], v[i], w)[2] | np.linspace(x[i, 0], x[i, 1], 5)
np.arange(5) + x[i, 0] | np.arange(0.0, 1.0, 0.25) + t | np.logspace(0, 2, 5) * t | np.geomspace(1, 100, 5) * t | np.indices((2, 3)) * k[i, 0]
np.hamming(5) * t | np.full((2, 2), x[i, 0]) | np.full_like(x[i], 2) | np.atleast_1d(x[i, 0]) | np.atleast_2d(x[i]) + 0 | np.ravel(m[i]) + 0
np.reshape(x[i], (2, 4)) + 0 | np.moveaxis(m[i], 0, 1) + 0 | np.expand_dims(x[i], 0) + 0 | np.matrix_transpose(m[i]) + 0 | np.squeeze(x[i][None]) + 0
"""
PRODUCTS = """
np.cross(v[i], v[0]) | np.outer(x[i], v[i]) | np.kron(x[i], v[i]) | np.kron(s[i], s[0]) | np.inner(x[i], x[0]) | np.vdot(z[i], z[0])
np.einsum("ij,j->i", s[i], s[0, 0]) | np.tensordot(s[i], s[0], axes=1) | np.trace(s[i]) | np.dot(s[i], s[0]) | np.vecdot(x[i], x[0])
np.linalg.norm(x[i]) | np.linalg.norm(s[i]) | np.linalg.norm(x[i], 1) | np.linalg.norm(x[i], np.inf) | np.linalg.norm(s[i], 2) | np.linalg.norm(m[i], axis=1)
np.linalg.vector_norm(x[i]) | np.linalg.matrix_norm(s[i]) | np.linalg.det(s[i]) | np.linalg.slogdet(s[i])[1] | np.linalg.inv(s[i])
np.linalg.solve(s[i], x[i, :4]) | np.linalg.pinv(m[i]) | np.linalg.eigvalsh(s[i]) | np.linalg.svd(m[i], compute_uv=False) | np.linalg.svdvals(m[i])
np.linalg.cholesky(s[i]) | np.linalg.matrix_power(s[i], 3) | np.linalg.matrix_power(s[i], -1) | np.linalg.cond(s[i]) | np.linalg.multi_dot([s[i], s[0], s[1]])
np.linalg.cross(v[i], v[0]) | np.linalg.outer(x[i], v[i])
np.fft.fft(x[i]) | np.fft.ifft(z[i]) | np.fft.rfft(x[i]) | np.fft.irfft(z[i]) | np.fft.fft2(s[i]) | np.fft.fftn(k[i]) | np.fft.fftshift(x[i]) + 0
np.fft.fft(x[i], 16) | np.fft.rfft2(s[i]) | np.fft.rfft(f4[i]) | np.fft.fftfreq(8) * t | np.fft.rfftfreq(8, 0.1) * t | np.fft.hfft(z[i])
"""


def expressions(text: str) -> list[str]:
    return [e.strip() for line in text.strip().splitlines() for e in line.split(" | ")]


@pytest.mark.parametrize(
    "text", [ELEMENTWISE, ALONG, ARRANGED, PRODUCTS], ids=["elementwise", "along", "arranged", "products"]
)
def test_calls_on_rows(text: str) -> None:
    agree(expressions(text), GIVEN, ops=200, scale=1.0, trips=6)


def test_named_tuples_are_taken_apart():
    def table(n, s, m):
        out = np.zeros(n)
        for i in range(n):
            sign, size = np.linalg.slogdet(s[i])
            q, r = np.linalg.qr(m[i])
            out[i] = sign * size + q.sum() + r[0, 0]
        return out, np.linalg.slogdet(s[0]), np.linalg.qr(m[1])

    f = autovec(table, fallback="silent")
    assert_same(f, 6, GIVEN["s"], GIVEN["m"], ops=1000)
    assert f.report().blocked is None


# what raises, or what JAX would answer otherwise: the original answers
VOID = """
np.take(x[i], k[i] + 6) | np.take_along_axis(x[i], k[i] - 9, 0) | np.bincount(k[i], minlength=3) | np.bincount(k[i] - 1, minlength=9)
np.percentile(x[i], 130) | np.quantile(x[i], -t) | np.interp(x[i], w[::-1], w) | np.digitize(x[i], w[::-1]) | np.histogram(nan[i], bins=w)[0]
np.nanargmax(nan[i] * np.nan) | np.power(k[i], -1 - k[0]) | np.percentile(x[i] / 0.0, 50) | np.linalg.inv(s[i] * 0) | np.linalg.pinv(s[i] * 0)
np.max(z[i] * complex(1, np.nan)) | np.convolve(v[i], x[i], "same")
"""


@pytest.mark.parametrize("expression", expressions(VOID))
def test_void_calls(expression: str) -> None:
    used = [p for p in GIVEN if f"{p}[" in expression or p in expression.replace("(", " ").replace(",", " ").split()]
    f = autovec(
        written(f"def table(n, {', '.join(used)}):\n    return [{expression} for i in range(n)]\n"), fallback="silent"
    )
    assert_same(f, 6, *(GIVEN[p] for p in used), calls=1)
    assert internal(f) is None


def test_shapes_that_depend_on_the_data_stay_python():
    for expression in (
        "np.nonzero(x[i])[0]",
        "np.unique(k[i])",
        "np.bincount(k[i])",
        "x[i][b[i]] + 0",
        "np.where(b[i])[0]",
    ):
        f = autovec(
            written(f"def table(n, x, k, b):\n    return [{expression} for i in range(n)]\n"), fallback="silent"
        )
        assert_same(f, 6, GIVEN["x"], GIVEN["k"], GIVEN["b"], calls=1)


def test_sizes_that_a_call_has_to_know():
    """rfft's length isn't linear in that of its operand: each size has its program."""
    f = autovec(written("def table(x):\n    return np.array([np.fft.rfft(r) for r in x])\n"), fallback="silent")
    for size in (8, 5, 8, 1, 6):
        assert_same(f, RANDOM.normal(size=(3, size)))
    assert f.report().blocked is None


REFUSED = """
x.fill(y)
m[0].fill(y)
np.full(len(x), y)[0]
np.full_like(x, y)[0]
np.append(x, y)[-1]
np.insert(x, 0, y)[0]
np.interp(y, x, x)
np.convolve(x, y)[0]
np.convolve(x, y, 'same')[0]
np.percentile(x, y)
np.quantile(x, y)
np.std(x, ddof=y)
np.linspace(0, y, 4)[1]
np.take(x, y)
np.argmin(x[k:])
x[x > 9.0].argmax()
""".strip().splitlines()


@pytest.mark.parametrize("expression", REFUSED)
def test_what_numpy_refuses_is_no_failure_of_ours(expression):
    program = f"""def table(x, m, y, k):
    s = 0.0
    for i in range(3):
        s += i
        r = {expression}
    return s, r, x, m
"""
    x, m = np.arange(1.0, 5), np.arange(8.0).reshape(2, 4)
    others = (
        0,
        1.5,
        1j,
        np.float32(0.5),
        [True],
        None,
        [1.0],
        [1.0, 2.0],
        (0.5,),
        np.ones(4),
        np.ones(1),
        np.ones((1, 4)),
        m,
        np.array(0.5),
        True,
    )
    f = autovec(written(program), fallback="silent")
    for y in others:
        for k in (1, 4):
            assert_same(f, x, m, y, k, calls=1)
    assert internal(f) is None
    assert_same(f, x[:1], m[:, :1], np.ones(1), 0, calls=1)


STORED = (
    "x[:] = m[:, i]",
    "m[i] = m[:, i]",
    "m[:] = m[:, :1] * x[0]",
    "x[:] = x[:1]",
    "m[:] = [x[:1]]",
    "x[:] = [x[0]]",
)


@pytest.mark.parametrize("statement", STORED)
def test_one_element_is_stored_to_every_place(statement):
    program = f"""def table(x, m):
    s = 0.0
    for i in range(m.shape[1]):
        s += x[0]
        {statement}
    return s
"""
    f = autovec(written(program), fallback="silent")
    for rows in (1, 4, 3):
        assert_same(f, np.arange(4.0), np.arange(4.0 * rows).reshape(rows, 4))
    assert internal(f) is None


def test_sizes_out_of_the_data_are_found_before_the_rest():
    sizes = ("max(v) + 1", "sum(v)", "np.max(v) + 1", "max(len(v), 2)", "len([x for x in v if x > 1]) + 4")
    for size in sizes:
        program = f"""def table(v):
    k = {size}
    out = np.zeros(k, dtype=int)
    for i in range(len(v)):
        out[v[i]] += 1
    return out
"""
        f = autovec(written(program), fallback="silent")
        for v in ([1, 2, 0, 3], np.array([3, 1, 3]), [0], [], [-1, 2, 2]):
            assert_same(f, v)
        assert internal(f) is None
