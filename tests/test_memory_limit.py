"""A broadcast that would not fit `memory_limit` runs along its outermost axis; the answer is the same."""

from __future__ import annotations

import numpy as np

from autovec import autovec
from autovec.diagnostics import Code
from autovec.report.verdicts import Status
from tests.same import assert_same


def potential(x):
    total = 0.0
    for i in range(len(x)):
        for j in range(len(x)):
            if i != j:
                total += 1.0 / abs(x[i] - x[j])
    return total


def test_outer_loop_runs() -> None:
    x = np.linspace(0.0, 1.0, 100)
    f = autovec(potential, fallback="error", memory_limit=50_000)
    assert_same(f, x)
    outer, inner = f.report().loops
    assert (outer.status, outer.code) == (Status.SEQUENTIAL, Code.MEMORY_LIMIT)
    assert inner.status is Status.VECTORIZED


def test_what_fits_is_done_at_once() -> None:
    f = autovec(potential, fallback="error", memory_limit="1MB")
    assert_same(f, np.linspace(0.0, 1.0, 100))
    assert all(loop.status is Status.VECTORIZED for loop in f.report().loops)
