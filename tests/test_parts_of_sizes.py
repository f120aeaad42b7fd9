"""`n // 2` of a size is a size too: blocks of two by two lie in their array, halves have an array's shape."""

from __future__ import annotations

import numpy as np
import pytest

from autovec import autovec
from tests.same import assert_same


def pooled(x):
    out = np.zeros((x.shape[0] // 2, x.shape[1] // 2))
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            out[i, j] = x[2 * i : 2 * i + 2, 2 * j : 2 * j + 2].max()
    return out


def filtered(x, kernel):
    """Windows that move along two axes, each with a length of its own."""
    h, w = x.shape
    out = np.zeros((h - 2, w - 1))
    spread = np.zeros((h - 2, w - 1))
    for i in range(h - 2):
        for j in range(w - 1):
            out[i, j] = np.sum(x[i : i + 3, j : j + 2] * kernel)
            spread[i, j] = x[i : i + 3, j : j + 2].max() - x[i + 1, j : j + 2].min()
    return out, spread


def halves(x, n):
    m = n // 2
    left, right = np.zeros(m), np.zeros(n - m)
    for i in range(m):
        left[i] = x[i] + x[n - 1 - i]
    for i in range(n - m):
        right[i] = x[m + i] * (n // 3)
    return left, right, m, (n - 7) // 4


def middle(lo, hi, x):
    """What a search halves is no size: it moves."""
    while lo < hi:
        mid = (lo + hi) // 2
        if x[mid] < 0.5:
            lo = mid + 1
        else:
            hi = mid
    return lo


CALLS = {
    pooled: [
        (np.random.default_rng(k).normal(size=shape),) for k, shape in enumerate([(6, 8), (7, 5), (1, 4), (0, 3)])
    ],
    filtered: [
        (np.random.default_rng(1).normal(size=shape), np.arange(6.0).reshape(3, 2)) for shape in ((6, 5), (3, 2))
    ],
    halves: [(np.arange(9.0), n) for n in (9, 8, 1, 0)],
    middle: [(0, 9, np.linspace(0, 1, 9)), (0, 0, np.zeros(1)), (-4, 3, np.linspace(0, 1, 9))],
}


@pytest.mark.parametrize("fn", CALLS, ids=lambda fn: fn.__name__)
def test_same_answer(fn):
    f = autovec(fn, fallback="silent")
    for args in CALLS[fn]:
        assert_same(f, *args)


@pytest.mark.parametrize("fn", [pooled, filtered], ids=lambda fn: fn.__name__)
def test_blocks_are_slices(fn):
    f = autovec(fn, fallback="error")
    f(*CALLS[fn][0])
    assert [str(loop.status) for loop in f.report().loops] == ["VECTORIZED", "VECTORIZED"]
