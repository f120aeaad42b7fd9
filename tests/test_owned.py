"""Names that a loop both rebinds and writes into: lists and arrays that change hands, and those that others know."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autovec import autovec
from tests.same import assert_same

A, B = np.array([1, 2, 3, 4, 2]), np.array([2, 3, 3, 4, 1, 2])
X = np.arange(1.0, 6.0)


def lcs(a, b):
    n, m = len(a), len(b)
    prev = [0] * (m + 1)
    cur = [0] * (m + 1)
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            if a[i - 1] == b[j - 1]:
                cur[j] = prev[j - 1] + 1
            else:
                cur[j] = max(prev[j], cur[j - 1])
        prev, cur = cur, [0] * (m + 1)
    return prev[m], prev


def swapped_lists(a, b):
    n, m = len(a), len(b)
    prev = [0] * (m + 1)
    cur = [0] * (m + 1)
    for i in range(n):
        for j in range(1, m + 1):
            cur[j] = prev[j - 1] + 1 if a[i] == b[j - 1] else max(prev[j], cur[j - 1])
        prev, cur = cur, prev
    return prev[m]


def ping_pong(x, n):
    u, v = np.zeros(5), np.ones(5)
    for _ in range(n):
        for i in range(1, 4):
            v[i] = u[i - 1] + u[i + 1] + x[i]
        u, v = v, u
    return u, v


def perhaps_swapped(x, n):
    a, b = [0.0] * 5, [1.0] * 5
    for t in range(n):
        b[t] = 7.0 + a[t]
        if x[t] > 2:
            a, b = b, a
    return a, b


def pascal(x, n):
    row = [1] * 6
    for _ in range(n):
        new = [1] * 6
        for j in range(1, 6):
            new[j] = row[j - 1] + row[j]
        row = new
    return row


def ints_become_floats(x, n):
    a = [0] * 5
    for t in range(n):
        a = [v * 0.5 + t for v in a]
    return a


def rows_of_rows(x, n):
    a = [[0.0] * 3 for _ in range(3)]
    for t in range(n):
        b = [[0.0] * 3 for _ in range(3)]
        for i in range(3):
            for j in range(3):
                b[i][j] = a[j][i] + t + i
        a = b
    return a


def emptied_each_time(x, n):
    a, b = [0.0] * 5, [1.0] * 5
    for t in range(n):
        for k in range(2):
            b[k] = a[k] + 3 + x[k]
            a, b = b, a
        b = [2.0 * t] * 5
    return a, b


def in_a_while(x, n):
    t, a, b = 0, [0.0] * 5, [1.0] * 5
    while t < n:
        b[t] = a[t] + 3
        a, b = b, a
        t += 1
    return a


def left_early(x, n):
    u, v = np.zeros(5), np.ones(5)
    for t in range(n):
        v[t] = 2.0
        if x[t] > 1.5:
            break
        u, v = v, u
    u[0] = 9.0
    return u + v


def through_what_it_was(x, n):
    a, s = np.zeros(5), 0.0
    for _ in range(n):
        for v in a:
            a = a + 1.0
            s += v
    return s


@pytest.mark.parametrize("f", [lcs, swapped_lists])
def test_two_rows(f: Callable[..., Any]) -> None:
    g = autovec(f)
    assert_same(g, A, B)
    assert g.report().blocked is None
    assert_same(g, A[:0], B)


@pytest.mark.parametrize(
    "f",
    [
        ping_pong,
        perhaps_swapped,
        pascal,
        ints_become_floats,
        rows_of_rows,
        emptied_each_time,
        in_a_while,
        left_early,
        through_what_it_was,
    ],
)
def test_change_hands(f: Callable[..., Any]) -> None:
    g = autovec(f)
    for n in (3, 4, 0):
        assert_same(g, X, n, calls=1)
    assert g.report().blocked is None


# ---------------------------------------------------------------- what others know


def bound_to_one(x, n):
    a, b = [0.0] * 5, [1.0] * 5
    for t in range(n):
        a = b
        b[t] = 7.0
        a[0] += 1
    return a[0] + b[0]


def both_one(x, n):
    a, b = [0.0] * 5, [1.0] * 5
    for t in range(n):
        b[t] = 7.0
        a, b = b, b
    return a[0] + b[0]


def another_name(x, n):
    a, b = [0.0] * 5, [1.0] * 5
    c = a
    for t in range(n):
        b[t] = 7.0 + a[t]
        a, b = b, a
    return c[0] + c[1] + a[1]


def in_a_tuple(x, n):
    a, b = [0.0] * 5, [1.0] * 5
    pair = (a, b)
    for t in range(n):
        b[t] = 7.0 + a[t]
        a, b = b, a
    return pair[0][0] + a[1]


def written_after(x, n):
    a = [0.0] * 5
    for t in range(n):
        b = [1.0 * t] * 5
        a = b
        b[2] = 9.0
    return a


def swap_with(p, n):
    q = [0.0] * 5
    for t in range(n):
        q[t] = p[t] + 1
        p, q = q, p
    return p[0]


def in_a_helper(x, n):
    a = [0.0] * 5
    s = swap_with(a, n)
    return s, a


def arguments(x, n):
    v = np.ones(5)
    for _ in range(n):
        for i in range(1, 4):
            v[i] = x[i - 1] + x[i + 1]
        x, v = v, x
    return x


def a_view_before(x, n):
    a, b = np.zeros(5), np.ones(5)
    for t in range(n):
        part = b[1:]
        b[t] = 2.0 + t
        a, b = b, np.zeros(5)
        part[0] = 8.0
    return a, b


def kept_in_a_list(x, n):
    a, seen = [0.0] * 5, []
    for _ in range(n):
        a[0] += 1.0
        seen.append(a)
        a = [1.0] * 5
    return seen


def while_gone_through(x, n):
    a, s = [0.0] * 5, 0.0
    for _ in range(n):
        for v in a:
            a[2] += 1.0
            a = [w + 1.0 for w in a]
            s += v
    return s


def gone_through_first(x, n):
    a, s = np.zeros(5), 0.0
    for v in a:
        a[2] += 1.0
        s += v
        a = a.copy()
    return s


def returned_as_one(x, n):
    a, b = [0.0] * 5, [1.0] * 5
    for _ in range(n):
        a = b
    return a, b


@pytest.mark.parametrize(
    "f",
    [
        bound_to_one,
        both_one,
        another_name,
        in_a_tuple,
        written_after,
        in_a_helper,
        arguments,
        a_view_before,
        kept_in_a_list,
        while_gone_through,
        gone_through_first,
        returned_as_one,
    ],
)
def test_others_know(f: Callable[..., Any]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert_same(autovec(f), X, 3, calls=1)
