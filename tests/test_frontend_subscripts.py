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
