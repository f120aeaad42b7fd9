"""Subscripts with Python's meaning at sizes where it matters: negative constants, slices that reach outside."""

import numpy as np
import pytest

from autovec import autovec
from tests.same import assert_same


def third_from_the_end(x):
    total = 0.0
    for _ in range(2):
        total += x[-3]
    return total


def below_the_front(x):
    n = len(x)
    total = 0.0
    for _ in range(2):
        total += x[n - 3] + x[n - 4]
    return total


def last_five(x):
    total = 0.0
    for v in x[-5:]:
        total += v
    return total


def all_but_five(x):
    total = 0.0
    for v in x[:-5]:
        total += v
    return total


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 6, 8])
@pytest.mark.parametrize("fn", [third_from_the_end, below_the_front, last_five, all_but_five])
def test_a_negative_subscript_counts_from_the_end_once(fn, n):
    assert_same(autovec(fn, fallback="silent"), np.arange(n) + 0.5)


def gathered(x, index):
    return x[index] * 2.0


def gathered_rows(a, index):
    out = np.zeros((len(index), a.shape[1]))
    for j in range(2):
        out[:, j] = a[index, j] + j
    return out


def test_index_arrays():
    x = np.arange(5) + 0.5
    for index in ([0, -1, 4], [0, 5], [-6]):
        assert_same(autovec(gathered, fallback="silent"), x, np.array(index))
    assert_same(autovec(gathered_rows, fallback="silent"), np.arange(8.0).reshape(4, 2), np.array([3, 0, -2]))
