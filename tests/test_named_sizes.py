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
