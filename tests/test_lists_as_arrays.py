"""Lists that become arrays, whether anything is in them or not: the array of an empty list has one axis, of floats."""

from __future__ import annotations

import numpy as np
import pytest

from autovec import autovec
from tests.generator.check import internal
from tests.same import assert_same


def rows(a):
    out = []
    for i in range(len(a) - 1):
        out.append(a[i] * i)
    return np.array(out)


def rows_by_comprehension(a):
    return np.array([a[i] * i for i in range(1, len(a))])


def lists_of_numbers(a):
    out = []
    for i in range(1, len(a)):
        out.append([a[i, 0], a[i, 1]])
    return np.array(out)


def lists_of_comprehensions(a):
    return np.array([[a[i, j] for j in range(2)] for i in range(1, len(a))])


def lists_that_are_empty(a):
    return np.array([[i + j for i in range(1, len(a))] for j in range(2)])


def pairs(a):
    out = []
    for i in range(1, len(a)):
        out.append((i, i + 1))
    return np.array(out)


def ints(a):
    out = []
    for i in range(1, len(a)):
        out.append(i)
    return np.array(out), np.sum(out), np.prod(out)


def bools(a):
    out = []
    for i in range(1, len(a)):
        out.append(a[i, 0] > 0)
    return np.asarray(out), np.any(out), np.sum(out)


def sums(a):
    out = []
    for i in range(1, len(a)):
        out.append(a[i])
    return np.sum(out, axis=0), np.array(out).T


def with_an_array(a):
    out = []
    for i in range(1, len(a)):
        out.append(i)
    return np.arange(1) + out


def cut(x):
    out = []
    for v in x[1:]:
        out.append(v)
    return np.array(x[1:]), np.array(out) if out else None


@pytest.mark.parametrize(
    "fn",
    [
        rows,
        rows_by_comprehension,
        lists_of_numbers,
        lists_of_comprehensions,
        lists_that_are_empty,
        pairs,
        ints,
        bools,
        sums,
    ],
)
def test_empty_at_some_sizes(fn):
    a = np.random.default_rng(3).normal(size=(4, 3))
    f = autovec(fn, fallback="silent")
    for size in (4, 1, 2, 1, 0):
        assert_same(f, a[:size])
    assert f.report().blocked is None


@pytest.mark.parametrize("fn", [rows, lists_of_numbers, pairs, ints])
def test_empty_at_the_first_call(fn):
    a = np.random.default_rng(3).normal(size=(4, 3))
    f = autovec(fn, fallback="silent")
    for size in (1, 4):
        assert_same(f, a[:size])
        assert internal(f) is None


def test_beside_an_array():
    f = autovec(with_an_array, fallback="silent")
    for size in (4, 1, 2):
        assert_same(f, np.ones((size, 2)))


def test_cut_from_a_list():
    f = autovec(cut, fallback="silent")
    for x in ([3, 1, 2], [3], [True, False], [True]):
        assert_same(f, x)
