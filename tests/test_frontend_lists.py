"""Lists that are built, sorted and read; ranges whose step comes from data."""

import numpy as np
import pytest

from autovec import autovec
from tests.same import assert_same
from tests.test_frontend_flow import X, collatz, compiled


def counts_of(starts, bonus):
    counts = []
    best, longest = -1, 0
    for n in starts:
        c = collatz(n, bonus)
        counts.append(c)
        if c > best:
            best, longest = c, n
    return counts, longest


def list_of_rows(a):
    rows = []
    for i in range(len(a)):
        rows.append(a[i] * 2.0)
    return rows


def list_of_kinds(x):
    out = []
    for v in x:
        out.append(max(0, v))
    return out


def sorted_means(x, picks):
    means = []
    for row in picks:
        total = 0
        for p in row:
            total += x[p]
        means.append(total / len(row))
    means.sort()
    return means[0], means[-1], sum(means) / len(means)


def sorted_list(x):
    return sorted([v * 2.0 for v in x])


def multiples(x, steps):
    s = 0.0
    for j in range(len(steps)):
        for m in range(j, len(x), steps[j]):
            s += x[m]
    return s


def primes(limit):
    alive = np.ones(limit + 1, dtype=bool)
    alive[:2] = False
    for p in range(2, limit + 1):
        if alive[p]:
            for m in range(p * p, limit + 1, p):
                alive[m] = False
    return alive


@pytest.mark.parametrize("fn", [list_of_kinds, sorted_list])
def test_of_one_array(fn):
    compiled(fn, X)
    assert_same(autovec(fn, fallback="silent"), np.where(X > 1, np.nan, X))


def test_lists_filled_by_sequential_loops():
    compiled(counts_of, np.arange(1, 9), np.array([0, 5]))


def test_lists_of_rows():
    compiled(list_of_rows, np.arange(6.0).reshape(3, 2))


def test_sorted_in_place():
    compiled(sorted_means, X, np.arange(12).reshape(4, 3) % 8)


def test_steps_from_data():
    compiled(multiples, X, np.array([1, 3, 2]))
    assert_same(autovec(multiples, fallback="silent"), X, np.array([1, 0, 2]))
    assert_same(autovec(multiples, fallback="silent"), X, np.array([1, -1, 2]))
    compiled(primes, 50)
