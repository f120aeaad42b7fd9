"""Arrays made anew in each iteration: all of them at once have the loop's axis, also where only a place moves with it."""

from __future__ import annotations

import numpy as np
import pytest

from autovec import autovec
from tests.generator.check import internal
from tests.same import assert_same

A = np.array([0.5, 1.0, -2.0, 3.0])
AT = np.array([1, 0, 2])
B = np.array([2, 0, 1])


def element_of_zeros(a, at, b):
    out = np.zeros(3)
    s = 0.0
    for i in range(3):
        r = np.zeros(4)
        r[i] -= a[0]
        s = s * 0.5 + r[0]
        out[i] = r[1]
    return s, out


def element_of_what_was_filled(a, at, b):
    out = np.zeros((3, 4))
    for i in range(3):
        r = np.zeros(4)
        r[:] = 2
        r[i] = a[0]
        out[i] = r
    return out


def element_after_a_loop(a, at, b):
    out = np.zeros((3, 4))
    for i in range(3):
        r = np.zeros(4)
        for j in range(4):
            r[j] = a[j]
        r[at[i]] = a[1]
        out[i] = r
    return out


def row(a, at, b):
    out = np.zeros((3, 3))
    for i in range(3):
        w = np.zeros((3, 3))
        w[i] = a[:3]
        out[i] = w[1]
    return out


def of_all_its_elements(a, at, b):
    out = np.zeros((3, 3))
    for i in range(3):
        r = np.ones(3)
        r[i] += r.sum()
        r[2 - i] *= a[0] * a[i]
        r[i] += r[at[i]]
        out[i] = r
    return out


def sum_at_a_place(a, at, b):
    out = np.zeros((3, 3))
    for i in range(3):
        r = np.ones(3)
        for j in range(3):
            r[(i + 1) % 3] -= a[j]
        out[i] = r
    return out


def sum_at_a_place_by_data(a, at, b):
    out = np.zeros((3, 3))
    for i in range(3):
        r = np.arange(3.0)
        for _ in range(i):
            r[at[i]] -= 2.0
        r[b[0]] += a[i]
        out[i] = r
    return out


def read_in_a_running_loop(a, at, b):
    out = np.zeros((3, 3))
    for i in range(3):
        r = np.arange(3.0)
        for j in range(i):
            r[i] = b[i]
            if r[0] > 0.5:
                r[2 - j] *= i
        out[i] = r
    return out


def matrix_of_each(a, at, b):
    s = 0.0
    for i in range(3):
        w = np.eye(3)
        q = np.zeros(3)
        w[(i + 1) % 3, i] += 2.0
        q[at[i]] = 1.0
        w[:, i] *= q
        s = s * 0.5 + w[1, 1] + q[0] + w[:, 0].sum()
    return s


@pytest.mark.parametrize(
    "function",
    [
        element_of_zeros,
        element_of_what_was_filled,
        element_after_a_loop,
        row,
        of_all_its_elements,
        sum_at_a_place,
        sum_at_a_place_by_data,
        read_in_a_running_loop,
        matrix_of_each,
    ],
)
def test_each_iteration_has_its_own(function):
    f = autovec(function, fallback="error")
    assert_same(f, A, AT, B)
    assert_same(f, -A * 1.5, AT[::-1].copy(), B[::-1].copy())


def filled_first_by_two_loops(a, w):
    for i in range(len(a)):
        w[:] = 2.0
        w[i] *= a[i]
        a[i] = w.sum()
    for i in range(len(a)):
        w[:] = 3.0
        w[i] -= a[i]
        a[i] = w.sum() * 0.5


def filled_by_one_and_by_another(a, w):
    for _ in range(len(a)):
        w[:] = 2.0
    for i in range(len(a)):
        w[:] = a
        w[i] *= 0.5
        a[0] += w[i]


@pytest.mark.parametrize("function", [filled_first_by_two_loops, filled_by_one_and_by_another])
def test_each_loop_has_its_own(function):
    f = autovec(function, fallback="error")
    assert_same(f, A, np.ones(4))
    assert_same(f, A[:2], np.ones(2))


MIXED = [[0, np.inf, 2.0], [np.inf, 0, np.inf], [1.0, 2.0, 0]]


def sums_of_rows(g, n):
    out = 1
    for _ in range(n):
        if out == 0:
            continue
        for i in range(len(g)):
            out = sum(g[i])
    return out


def weighed(g, n):
    weights = [1 / len(g)] * len(g)
    out = 1
    for _ in range(n):
        for i in range(len(g)):
            out = sum(g[i])
            for j in range(len(g)):
                if g[i][j]:
                    weights[j] += g[i][j] / out
    return weights


@pytest.mark.parametrize("function", [sums_of_rows, weighed])
def test_rows_of_each_iterations_own_array_are_patched(function):
    f = autovec(function, fallback="silent")
    for g in (MIXED, [[0, 1, 8.5], [2, 0, 5], [1, 4.5, 0]], [[1, 2, 3.0]] * 3):
        assert_same(f, g, 3, calls=1)
        assert internal(f) is None
