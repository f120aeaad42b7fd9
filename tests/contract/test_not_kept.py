"""The documented differences: what may differ, and that nothing else does."""

from __future__ import annotations

import warnings
from fractions import Fraction

import numpy as np

from autovec import autovec
from tests.same import assert_same


def test_warnings_are_not_given_and_values_are_the_same():
    def f(a, t):
        out = np.zeros(len(a))
        for i in range(len(a)):
            out[i] = a[i] / t
        return out

    g = autovec(f)
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        found = g(np.array([1.0, 0.0, -1.0]), 0.0)
    assert not heard and found[0] == np.inf and np.isnan(found[1]) and found[2] == -np.inf


def test_the_order_of_sums_on_request():
    def f(a):
        s = 0.0
        for i in range(len(a)):
            s += a[i]
        return s

    a = np.random.default_rng(0).normal(size=1001) * 10.0 ** np.arange(1001) ** 0.3
    assert autovec(f, reassociate=False)(a) == f(a)
    assert np.isclose(autovec(f)(a), f(a), rtol=1e-12)
    assert autovec(f)(np.array([-0.0, -0.0])) == 0.0


def test_last_bits_of_a_product_and_a_sum():
    """Rounded twice, as NumPy does, or once."""

    def f(a, b, c):
        out = np.zeros(len(a))
        for i in range(len(a)):
            out[i] = a[i] * b[i] + c[i]
        return out

    a, b, c = np.random.default_rng(5).normal(size=(3, 200))
    once = [float(Fraction(x) * Fraction(y) + Fraction(z)) for x, y, z in zip(a, b, c, strict=True)]
    twice = f(a, b, c)
    found = autovec(f)(a, b, c)
    assert ((found == once) | (found == twice)).all()
    whole = np.floor(a * 100)
    np.testing.assert_array_equal(autovec(f)(whole, whole, whole), whole * whole + whole)


def test_subnormal_numbers():
    def f(a):
        out = np.zeros(len(a))
        for i in range(len(a)):
            out[i] = a[i] * 0.5
        return out

    a = np.array([5e-324, 1e-310, 1e-300])
    found = autovec(f)(a)
    assert found[2] == f(a)[2] and np.abs(found - f(a)).max() < 1e-307


def test_complex_numbers_at_infinity():
    """Where every part is finite the answers are the original's; elsewhere dtype, shape, and what is finite."""

    def f(z, w):
        out = np.zeros((3, len(z)), z.dtype)
        for i in range(len(z)):
            out[0, i] = z[i] / w[i]
            out[1, i] = z[i] ** 0.5
            out[2, i] = np.exp(z[i])
        return out

    g = autovec(f, fallback="silent")
    parts = [1.5, -2.0, 0.0, np.inf, np.nan]
    z = np.array([complex(a, b) for a in parts for b in parts])
    with np.errstate(all="ignore"):
        expected, actual = f(z, z[::-1]), g(z, z[::-1])
    assert g.report().blocked is None and (expected.dtype, expected.shape) == (actual.dtype, actual.shape)
    finite = np.isfinite(z) & np.isfinite(z[::-1]) & (z[::-1] != 0)
    np.testing.assert_allclose(actual[:, finite], expected[:, finite], rtol=1e-14)


def test_signs_of_zeros():
    def f(a):
        out = np.zeros((4, len(a)))
        for i in range(len(a)):
            out[0, i] = a[i] // 2.0
            out[1, i] = a[i] % 2.0
            out[2, i] = np.sign(a[i])
            out[3, i] = a[i] + 0.0
        return out

    def g(a):
        m = a[0]
        for i in range(1, len(a)):
            if a[i] > m:
                m = a[i]
        return m

    for function in (f, g):  # compared without the signs of zeros
        assert_same(autovec(function), np.array([-0.0, 0.0, -0.0]))


def test_large_results_are_writable():
    def f(a):
        out = np.zeros(len(a))
        for i in range(len(a)):
            out[i] = a[i] * 2
        return out

    a = np.arange(50_000.0)
    found = autovec(f)(a)
    found[0] = 7.0
    assert found.flags.writeable and type(found) is np.ndarray and found[1] == 2.0 and a[0] == 0.0


def test_functions_that_are_replaced_are_taken_for_what_they_were(monkeypatch):
    def f(a, k=2.0):
        out = np.zeros(len(a))
        for i in range(len(a)):
            out[i] = np.fabs(a[i]) * k
        return out

    a = np.array([-1.0, 2.0])
    g = autovec(f)
    g(a)
    monkeypatch.setattr(np, "fabs", np.negative)
    monkeypatch.setattr(f, "__defaults__", (3.0,))
    np.testing.assert_array_equal(g(a), [2.0, 4.0])
