"""An axis whose size the function names (`np.zeros(3)`), and what follows for calls with other sizes."""

from __future__ import annotations

import numpy as np

from autovec import autovec
from autovec.report.verdicts import Status
from tests.same import assert_same


def centre(x):
    total = np.zeros(3)
    for i in range(len(x)):
        total += x[i]
    return total / len(x)


def pushes(x):
    f = np.zeros((len(x), 3))
    for i in range(len(x)):
        for j in range(len(x)):
            if i != j:
                d = x[i] - x[j]
                f[i] += d / (d[0] ** 2 + d[1] ** 2 + d[2] ** 2)
    return f


def rows(n, k=3):
    return np.random.default_rng(n).random((n, k))


def test_compile_with_the_number() -> None:
    for fn in (centre, pushes):
        f = autovec(fn, fallback="error")
        assert_same(f, rows(5))
        assert_same(f, rows(8))
        assert_same(f, rows(3))
        assert all(loop.status is Status.VECTORIZED for loop in f.report().loops)


def test_another_size_is_another_program() -> None:
    f = autovec(centre, fallback="silent")
    for n, k in ((5, 3), (4, 2), (6, 3), (4, 1)):  # rows of two raise as they do
        assert_same(f, rows(n, k))
    assert f.report().blocked is None


def test_a_size_that_blocks_leaves_the_others_alone() -> None:
    f = autovec(pushes, fallback="silent")
    assert_same(f, rows(4, 2))
    assert_same(f, rows(5, 3))
    assert f.report().blocked is None


def no_loop(x):
    return np.sqrt(x).sum()


def test_a_function_without_loops_runs_as_it_is() -> None:
    f = autovec(no_loop, fallback="error")
    assert_same(f, np.arange(4.0))
    assert "no loop" in str(f.report())
    assert "jnp.sum" in f.source


def histogram(x, bins):
    counts = np.zeros((2, bins))
    for i in range(len(x)):
        counts[i % 2, int(x[i] * bins)] += 1
    for k in range(1, bins):
        counts[:, k] = counts[:, k - 1] + counts[:, k]
    return counts, bins, bins + 1, bins / 2


def lagged(x, lag):
    out = np.zeros(len(x))
    for i in range(lag, len(x) - lag):
        out[i] = x[i - lag] * x[i + lag] * lag
    return out


def test_ints_of_numpy_are_sizes_too() -> None:
    x = np.random.default_rng(5).random(9)
    for fn in (histogram, lagged):
        f = autovec(fn, fallback="error")
        for size in (3, np.int64(3), np.int64(1), np.int64(5), 5):
            assert_same(f, x, size)
            assert f.report().blocked is None
        assert not any("internal" in str(said) for said in f._dispatch.notices._said)
        assert_same(f, x, np.int64(2**62))
        assert_same(f, x, np.int64(-1))


def test_numpy_int_wraps_where_it_is_a_number() -> None:
    def products(k):
        total = k
        for i in range(3):
            total = total * k + i
        return total, k * 3, k > k + 1

    f = autovec(products, fallback="silent")
    for k in (3, 2**62, 2**63 - 1, -(2**63)):
        assert_same(f, np.int64(k))


def sized_by_data(a, index):
    n = index[0]
    out = np.zeros((2, n))
    for j in range(2):
        out[j] = a[j, :n] + j
    return out


def test_a_size_that_the_data_says() -> None:
    f = autovec(sized_by_data, fallback="silent")
    for n in (2, 3):
        assert_same(f, np.ones((2, 4)), np.array([n, 0]))
    assert not any("internal" in str(said) for said in f._dispatch.notices._said)
