"""Windows that move with a loop: counted from their start, so that no more is looked at than they hold."""

from __future__ import annotations

import numpy as np
import pytest

from autovec import autovec
from tests.same import assert_same


def moving_maximum(x, k):
    out = np.zeros(max(len(x) - k + 1, 0))
    for i in range(len(x) - k + 1):
        m = x[i]
        for j in range(i + 1, i + k):
            if x[j] > m:
                m = x[j]
        out[i] = m
    return out


def clipped_mean(x, r):
    n = len(x)
    out = np.zeros(n)
    for i in range(n):
        s = 0.0
        count = 0
        for j in range(max(0, i - r), min(n, i + r + 1)):
            s += x[j]
            count += 1
        out[i] = s / count
    return out


def box_means(img, r):
    h, w = img.shape
    out = np.zeros((h, w))
    for i in range(h):
        for j in range(w):
            s = 0.0
            c = 0
            for a in range(max(0, i - r), min(h, i + r + 1)):
                for b in range(max(0, j - r), min(w, j + r + 1)):
                    s += img[a, b]
                    c += 1
            out[i, j] = s / c
    return out


def windows_in_windows(x, k):
    total = 0.0
    for i in range(len(x)):
        for j in range(i, i + k):
            for m in range(j - 1, j + 2):
                if 0 <= m < len(x) and (m + i) % 3:
                    t = m - j
                    total += x[m] * (t + 2) * (m - i)
    return total


def wraps_below_zero(x):
    out = np.zeros_like(x)
    for i in range(len(x)):
        for j in range(i - 2, i + 1):
            out[i] += x[j] * (j - i)
    return out


def recurrence_over_a_window(x, w):
    y = np.zeros(len(x))
    for i in range(w, len(x)):
        s = x[i]
        for j in range(i - w, i):
            s += 0.1 * y[j] * (j - i)
        y[i] = s
    return y


def first_in_window(x, k, t):
    out = np.full(len(x), -1)
    for i in range(len(x) - k):
        for j in range(i + 1, i + 1 + k):
            if x[j] > t:
                out[i] = j
                break
        last = j
    return out, last


def pairs_of_a_band(x, w):
    found = []
    for i in range(len(x) - w):
        for j in range(i + 1, i + w):
            found.append(x[i] - x[j])
    return found


X = np.random.default_rng(2).normal(size=13)


def clipped_slices(x, r):
    n = len(x)
    out = np.zeros(n)
    for i in range(n):
        lo = max(0, i - r)
        hi = min(n, i + r + 1)
        out[i] = x[lo:hi].sum() / (hi - lo)
    return out


def slices_cut_at_the_start(x, r):
    means = [x[max(0, i - 4) : i + 1].mean() for i in range(len(x))]
    return means, [x[max(i - r, 0) : min(i + 2, len(x))].max() for i in range(len(x))]


def written_slices(x, r):
    out = np.zeros(len(x))
    for i in range(len(x)):
        out[max(0, i - r) : i + 1] += x[max(0, i - r) : i + 1] * 2
        w = x[np.maximum(0, i - r) : np.minimum(len(x), i + r + 1)]
        out[i] += w.max() - w.min() + len(w)
    return out


def slices_that_wrap(x, r):
    out = np.zeros(len(x))
    for i in range(len(x)):
        out[i] = x[max(-3, i - r) : i + 2].sum() + x[max(0, i - 3) : i - 1].sum() + x[max(1, i - 2) : min(i, 5)].sum()
        lo = max(0, i - r) - 2
        out[i] += x[lo : i + 1].sum()
    return out


CALLS = {
    moving_maximum: [(X, 4), (X, 1), (X, 13), (X, 14), (X, 0), (np.full(5, np.nan), 2)],
    clipped_mean: [(X, 2), (X, 0), (X, 40), (X[:1], 1), (X[:0], 1)],
    box_means: [(np.outer(X[:6], X[:5]), 1), (np.outer(X[:3], X[:4]), 7)],
    windows_in_windows: [(X, 3), (X, 0), (X[:2], 5)],
    wraps_below_zero: [(X,), (X[:3],), (X[:1],)],
    recurrence_over_a_window: [(X, 3), (X, 0), (X, 20)],
    first_in_window: [(X, 3, 0.5), (X, 12, 9.0)],
    pairs_of_a_band: [(X, 4), (X, 1)],
}


@pytest.mark.parametrize("fn", CALLS, ids=lambda fn: fn.__name__)
def test_same_answer(fn):
    f = autovec(fn, fallback="silent")
    for args in CALLS[fn]:
        assert_same(f, *args, ops=200)
    assert all(str(loop.status) != "FALLBACK" for loop in f.report().loops)


@pytest.mark.parametrize("fn", [moving_maximum, clipped_mean], ids=lambda fn: fn.__name__)
def test_no_larger_than_the_windows(fn):
    """All pairs of 30,000 elements would be 7 GB of numbers."""
    f = autovec(fn, fallback="error")
    x = np.random.default_rng(2).normal(size=30_000)
    f(x[:300], 5)
    assert f(x, 5).shape[0] >= 29_996


def triangle(a):
    s = 0.0
    for i in range(len(a)):
        for j in range(i + 1, len(a)):
            s += a[i, j] * j
    return s


def test_what_is_no_window_is_left_as_it_is():
    f = autovec(triangle, fallback="error")
    a = np.random.default_rng(1).normal(size=(5, 5))
    assert_same(f, a)
    assert "j > jnp.arange(n)" in f.source, f.source


CLIPPED = [clipped_slices, slices_cut_at_the_start, written_slices, slices_that_wrap]


@pytest.mark.parametrize("fn", CLIPPED, ids=lambda fn: fn.__name__)
def test_slices_that_are_cut_off_at_the_ends(fn):
    f = autovec(fn, fallback="silent")
    for n, r in ((12, 2), (1, 2), (5, 0), (12, 40), (12, -1), (30, 3), (0, 2)):
        assert_same(f, np.random.default_rng(n).normal(size=n), r, ops=200)
    assert all(str(loop.status) != "FALLBACK" for loop in f.report().loops)


def test_slices_are_no_larger_than_their_windows():
    f = autovec(clipped_slices, fallback="error")
    x = np.random.default_rng(2).normal(size=30_000)
    assert f(x, 5).shape == (30_000,) and "jnp.arange(2 * r + 1)" in f.source, f.source
