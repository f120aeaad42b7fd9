"""Bounds that read memory which the loops around them write: read anew each time, when the loop begins."""

from __future__ import annotations

import numpy as np
import pytest

from autovec import autovec
from tests.generator.check import internal
from tests.same import assert_same

X = np.arange(7.0) + 0.5


def counter(x):
    c = 0
    s = 0.0
    for i in range(len(x)):
        c += 1
        for j in range(c % 3):
            s += j * x[i]
    return s, c


def counter_in_an_array(x):
    c = np.zeros(1, int)
    s = 0.0
    for i in range(len(x)):
        c[0] += 1
        for j in range(c[0] % 3, 4):
            s = s * 0.5 + j * x[i]
    return s, c


def counters(x):
    c = np.zeros(3, int)
    s = 0.0
    for i in range(len(x)):
        c[i % 3] += 1
        for j in range(c[1]):
            s += j * x[i]
    return s, c


def counted_afterwards(x):
    c = np.zeros(1, int)
    s = 0.0
    for i in range(len(x)):
        for j in range(c[0]):
            s += j * x[i]
        c[0] += 2
    return s, c


def written_inside(x):
    c = np.full(1, 3)
    s = 0.0
    for i in range(len(x)):
        for j in range(c[0] % 5):
            s += j * x[i]
            c[0] += 1
    return s, c


def by_a_helper(x):
    c = np.zeros(1, int)

    def following():
        c[0] += 1
        return c[0] % 3

    s = 0.0
    for i in range(len(x)):
        for j in range(following()):
            s += j * x[i]
        for j, v in zip(range(following()), x, strict=False):
            s += j * v
    return s, c


def downwards(x):
    c = np.zeros(2, int)
    s = 0.0
    for i in range(len(x)):
        c[1] = i % 4
        for j in range(c[1], c[0] - 1, -1):
            s = s * 0.5 + x[j]
        c[0] = c[1] // 2
    return s


def rows(x):
    ends = np.zeros(len(x) + 1, int)
    out = np.zeros(3 * len(x))
    for i in range(len(x)):
        ends[i + 1] = ends[i] + i % 3
        for k in range(ends[i], ends[i + 1]):
            out[k] = x[i]
    return out, ends


@pytest.mark.parametrize(
    "function",
    [
        counter,
        counter_in_an_array,
        counters,
        counted_afterwards,
        written_inside,
        by_a_helper,
        downwards,
        rows,
    ],
)
def test_bounds_read_what_is_written_around_them(function):
    f = autovec(function, fallback="error")
    for n in (7, 2, 1):
        assert_same(f, X[:n])
    assert f.report().blocked is None


def under_a_condition_of_each_pair(x, A):
    for k in range(len(x)):
        for i in range(A.shape[0]):
            t = 0.0
            for _ in range(3):
                t = t * 0.5 + x[k]
            if t > 1.0:
                for j in range(i):
                    A[0, i] = A[0, 6 - j] + 1


def as_often_as_each_pair_says(x, A):
    for k in range(len(x)):
        for i in range(A.shape[0]):
            t = 0
            for q in range(3):
                if x[k] > q:
                    t += 2
            for j in range(t):
                A[0, i], A[0, 6 - j] = A[0, 6 - j], A[0, i]


@pytest.mark.parametrize("function", [under_a_condition_of_each_pair, as_often_as_each_pair_says])
def test_bounds_that_are_held_for_all_iterations(function):
    for sizes in ((1, 3), (3, 1)):  # of one iteration the loop may become the innermost
        f = autovec(function, fallback="error")
        for n in sizes:
            assert_same(f, X[:n], np.arange(49.0).reshape(7, 7))
        assert f.report().blocked is None


def every_so_many(x, k):
    largest = [x[i : i + k].max() for i in range(0, len(x), k)]
    s = 0.0
    for i in range(0, len(x), k):
        s += x[i]
    return largest, s


def test_steps_of_any_size():
    for k in (2**70, -1, 3, -(2**62), 2**40):
        f = autovec(every_so_many, fallback="silent")
        assert_same(f, X, k)
        assert_same(f, X, 2)
        assert internal(f) is None
