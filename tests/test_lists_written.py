"""Lists of the caller's that are written to: values, types, identity, aliases, exceptions."""

from __future__ import annotations

import math

import numpy as np
import pytest

from autovec import autovec
from tests.same import assert_same

X = np.random.default_rng(3).normal(size=9)
FLOATS = [float(v) for v in X]
INTS = [3, 1, 4, 1, 5, 9, 2, 6]


def compiles(f, *args):
    """The same answers, and from a program."""
    made = autovec(f)
    assert_same(made, *args)
    assert "FALLBACK" not in str(made.report()), str(made.report())
    return made


def bubble_sort(a):
    n = len(a)
    for i in range(n):
        for j in range(n - 1 - i):
            if a[j] > a[j + 1]:
                a[j], a[j + 1] = a[j + 1], a[j]
    return a


def count(counts, values):
    for v in values:
        counts[v] += 1


def fill(grid, rows, columns):
    for i in range(rows):
        for j in range(columns):
            grid[i][j] = 0.5 * i + j


def test_items_of_lists_are_written():
    def scale(a, c):
        for i in range(len(a)):
            a[i] *= c

    def sieve(prime):
        for i in range(2, len(prime)):
            if prime[i]:
                for j in range(i * i, len(prime), i):
                    prime[j] = False
        return sum(prime)

    compiles(bubble_sort, FLOATS)
    compiles(bubble_sort, INTS)
    compiles(bubble_sort, [np.float64(v) for v in FLOATS])
    compiles(scale, FLOATS, 0.5)
    compiles(sieve, [True] * 20)
    compiles(count, [0] * 10, INTS)


def test_rows_are_written_and_stay_the_same_objects():
    grid = [[0.0] * 3 for _ in range(4)]
    rows = [*grid]
    compiles(fill, grid, 4, 3)
    made = autovec(fill)
    made(grid, 4, 3)
    assert all(a is b for a, b in zip(grid, rows, strict=True)) and grid[3] == [1.5, 2.5, 3.5]


def test_stored_values_keep_their_kinds():
    def from_array(out, x):
        for i in range(len(x)):
            if x[i] > 0:
                out[i] = x[i] * 2

    def halves(out):
        for i in range(len(out)):
            if i % 2:
                out[i] = i / 2

    def roots(out, x):
        for i in range(len(out)):
            out[i] = math.sqrt(abs(x[i]))

    compiles(from_array, [0.0] * 9, X)
    compiles(from_array, [1] * 9, X)
    compiles(halves, [1] * 9)
    compiles(roots, [0] * 9, X)


def test_a_list_that_is_sorted_is_sorted():
    def median(a):
        a.sort()
        n = len(a)
        total = 0.0
        for v in a:
            total += v
        return a[n // 2] if n % 2 else 0.5 * (a[n // 2 - 1] + a[n // 2]), total

    compiles(median, FLOATS)


def test_appended_items_are_appended():
    def positives(out, x):
        for i in range(len(x)):
            if x[i] > 0:
                out.append(x[i])

    def pairs(out, x):
        for i in range(len(x)):
            out.append((i, x[i]))

    compiles(positives, [], X)
    compiles(positives, ["first", 2], X)
    compiles(positives, [], -abs(X))
    compiles(pairs, [], X)


def test_faults_leave_the_lists_to_the_original():
    def beyond(a, n):
        for i in range(n):
            a[i] = a[i] + 1.0

    def tuples(a):
        for i in range(len(a)):
            a[i] = 0.0

    made = autovec(beyond, fallback="silent")
    assert_same(made, [1.0, 2.0], 2)
    assert_same(made, [1.0, 2.0], 5)
    assert_same(autovec(tuples, fallback="silent"), (1.0, 2.0))
    assert_same(autovec(count, fallback="silent"), [2**63 - 1, 0], [0, 1])
    assert_same(autovec(count, fallback="silent"), [2**62, 2**70], [0, 1])


def test_lists_that_are_one_or_share_rows():
    def copy_up(a, b):
        for i in range(1, len(a)):
            a[i] = b[i - 1] + 1.0

    def rows(g, row):
        for i in range(len(g)):
            for j in range(len(row)):
                g[i][j] = row[j] + i

    made = autovec(copy_up, fallback="silent")
    assert_same(made, [1.0, 2.0, 3.0], [5.0, 6.0, 7.0])
    one = [1.0, 2.0, 3.0]
    assert_same(made, one, one)
    shared = [1.0, 2.0]
    made = autovec(rows, fallback="silent")
    assert_same(made, [[1.0, 2.0], [3.0, 4.0]], [5.0, 6.0])
    assert_same(made, [shared, [3.0, 4.0]], shared)
    assert_same(made, [shared, shared], [1.0, 2.0])


WEIGHTS = [1.0, 2.0, 3.0]


def test_a_captured_list_is_written():
    def decay(x):
        for i in range(len(WEIGHTS)):
            WEIGHTS[i] = WEIGHTS[i] * 0.5 + x[i]
        return WEIGHTS[0]

    expected = [1.0, 2.0, 3.0]
    made = autovec(decay, fallback="silent")
    for _ in range(2):
        expected = [w * 0.5 + v for w, v in zip(expected, X, strict=False)]
        assert made(X) == pytest.approx(expected[0])
        assert WEIGHTS == pytest.approx(expected)


def test_lists_of_other_lengths_and_kinds_at_later_calls():
    made = autovec(bubble_sort, fallback="silent")
    assert_same(made, [2.0, 1.0])
    assert_same(made, [3, 1, 2])
    assert_same(made, [3.0, 1.0, 2.0])
    assert_same(made, [])
    assert_same(made, [1.5, 1])
    assert_same(made, [float("nan"), 1.0, -0.0, 0.0])
