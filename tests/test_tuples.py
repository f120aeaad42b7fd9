"""Tuples of numbers are no lists: their parts and sums are tuples, nothing is written to them, and lists don't go with them."""

# ruff: noqa: RUF005

from __future__ import annotations

import math

import numpy as np
import pytest

from autovec import autovec
from tests.same import assert_same

T = (0.5, -1.0, 2.0, -3.0)
ROWS = ((1, 2), (3, 4), (0, 7))


def parts(x):
    s = 0
    for v in x:
        s += v
    return s, x[::-1], x[1:], x[:], x[:2] + x[-2:], isinstance(x, tuple), isinstance(x[1:], list), x[1:] == list(x[1:])


def windows(x):
    return [x[i : i + 2] for i in range(len(x) - 1)]


def list_and_tuple(x):
    y = x + [1.0]
    for v in x:
        y[0] += v
    return y


def tuple_and_tuple(x):
    s = 0.0
    for v in x:
        s += v
    return x[1:] + (s,), (s, 1.0) + x


def written(x):
    y = x[1:]
    for i in range(len(y)):
        y[i] = y[i] * 2
    return y


def sorted_in_place(x):
    y = x[1:]
    y.sort()
    s = 0
    for v in y:
        s += v
    return s


def copied(x):
    y = x.copy()
    for i in range(len(y)):
        y[i] = y[i] * 2
    return y


def turned(x):
    y = x[:]
    for _ in range(3):
        y = y[::-1]
    return y


def of_all_arguments(*x):
    y = x[1:]
    for i in range(len(y)):
        y[i] = 0.0
    return y


@pytest.mark.parametrize(
    "function",
    [parts, windows, list_and_tuple, tuple_and_tuple, written, sorted_in_place, copied, turned],
)
def test_parts_of_a_tuple(function):
    f = autovec(function, fallback="silent")
    for x in (T, list(T), (1, 2, 3), T):
        assert_same(f, x)


def test_the_arguments_behind_a_star_are_a_tuple():
    assert_same(autovec(of_all_arguments, fallback="silent"), 1.0, 2.0, 3.0)


def rows_of(g):
    s = 0
    for row in g:
        s += row[0]
    return s, [row[:] for row in g], [row[::-1] for row in g], g[0][:]


def the_last(g):
    last = None
    for row in g:
        if row[0] > 0:
            last = row
    return last


def what_is_found(g):
    for row in g:
        if row[0] == 3:
            return row
    return None


def one_in_a_list(g):
    last = None
    for row in g:
        last = [row[0]]
    return last


def written_to_the_last(g):
    last = None
    for row in g:
        last = row
        last[0] = 5
    return last


@pytest.mark.parametrize("function", [rows_of, the_last, what_is_found, one_in_a_list, written_to_the_last])
def test_rows_stay_what_they_are(function):
    f = autovec(function, fallback="silent")
    for rows in (ROWS, list(ROWS), [list(r) for r in ROWS], tuple(map(list, ROWS)), np.array(ROWS)):
        assert_same(f, rows)


def products(x):
    s = 0
    for v in x:
        s += v
    return math.prod(x), math.prod(v + 1 for v in x), math.prod([v for v in x]), s


def test_products_are_of_pythons_numbers():
    f = autovec(products, fallback="silent")
    for x in (
        [3, 1, 2],
        (1.5, 2.0),
        [2**40, 2**30, 2],
        [True, False],
        [0.0, math.inf],
        np.arange(3),
        np.array([1.5, 2]),
    ):
        assert_same(f, x)


def from_a_start(x, k):
    s = 0
    for v in x:
        s += v
    begins = [1, 4, k]
    p = sum(x, begins.pop())
    return s, p, begins, sum(x, start=k), math.prod(x, start=k), math.prod((x[0], k), start=begins[-1])


def test_totals_from_a_start_of_any_kind():
    f = autovec(from_a_start, fallback="silent")
    for x in ([3, 1, 2], (1.5, 2.0), [2**40, 2**30, 2], [True, False], [7], np.array([1.5, 2])):
        for k in (2, 0.5, True, np.float32(3)):
            assert_same(f, x, k)
    assert f.report().blocked is None
    assert_same(f, [1, 2], "a")


def digits(a, n):
    for i in range(len(a)):
        n, a[i] = divmod(n, 10)
    return a


def digits_of_array(a, n):
    q = a + n
    for i in range(3):
        q, r = np.divmod(q, 7)
        a[i] = r[0]
    return a, q


def parts_of_floats(a, n):
    x = n * 1.7
    for i in range(len(a)):
        x, a[i] = math.modf(x * 3)
        a[0], a[1] = divmod(a[0], 10) if i else (a[0], 3)
    return a, x


def test_a_call_with_several_results_is_made_once():
    for function in (digits, digits_of_array, parts_of_floats):
        f = autovec(function, fallback="silent")
        for n in (1234, 7, 0):
            assert_same(f, np.arange(4), n)
            assert_same(f, np.arange(4.0), n)
    assert_same(autovec(digits, fallback="silent"), [0] * 4, 1234)


def cell_of(A, t):
    B = A * 2
    for i in range(len(A)):
        B[i] += 1
    return B[t]


def cell_set(A, t):
    B = np.zeros_like(A)
    for i in range(len(A)):
        B[i] += i
    B[t] = 5
    A[t] = B[t]
    return B


def of_an_expression(A, t):
    s = 0.0
    for i in range(len(A)):
        s += A[i, 0]
    return s, (A + s)[t], np.argsort(A, 0)[t]


def by_a_helper(A, t):
    def at(M, p):
        return M[p]

    B = A + 1
    for i in range(len(B)):
        B[i] *= 2
    return at(B, t)


@pytest.mark.parametrize("function", [cell_of, cell_set, of_an_expression, by_a_helper])
def test_a_tuple_that_was_passed_in_is_an_index_for_each_axis(function):
    f = autovec(function, fallback="silent")
    A = np.arange(16.0).reshape(4, 4)
    for t in ((1, 2), (1,), [1, 2], (1, 2, 0), (), np.array([1, 2]), (-1, 0), (0, 4), 2):
        assert_same(f, A, t)
