"""What a `for` may run over, and nested and tuple lists."""

import itertools

import numpy as np
import pytest

from autovec import autovec
from tests.same import assert_same
from tests.test_frontend_flow import X, compiled

A = np.arange(12.0).reshape(3, 4) / 3


def pairs(x):
    s = 0.0
    for i, j in itertools.combinations(range(len(x)), 2):
        s += abs(x[i] - x[j])
    return s


def triples(x):
    return sum(a * b * c for a, b, c in itertools.combinations(x, 3))


def with_replacement(x):
    s = 0.0
    for a, b in itertools.combinations_with_replacement(x, 2):
        s += a * b
    return s


def by_index(a):
    s = 0.0
    for i, j in np.ndindex(a.shape):
        s += a[i, j] * (i - j)
    return s


def by_element(a):
    out = np.zeros_like(a)
    for (i, j), v in np.ndenumerate(a):
        out[i, j] = v * i + j
    return out


def product_of_lists(a, x):
    return [a[i, 0] * v for i, v in itertools.product(range(a.shape[0]), x)]


def zip_of_different_lengths(x, y):
    s = 0.0
    for k, (a, b) in enumerate(zip(x, y), start=1):  # noqa: B905
        s += a * b * k
    return s


def backwards(x):
    out = []
    for i in reversed(range(1, len(x))):
        out.append(x[i] - x[i - 1])
    for v in reversed(x):
        out[0] += v
    return out


def rows_and_columns(a):
    s = 0.0
    for row in a:
        for column in a.T:
            s += row[0] * column[0]
    return s


def grid(a):
    n, m = a.shape
    g = [[0] * m for _ in range(n)]
    for i in range(n):
        for j in range(m):
            g[i][j] = a[i, j] * 2
    g[0][1] += 1
    return g


def zeros_then_floats(x):
    out = [0.0 for _ in range(len(x))]
    for i in range(len(x)):
        out[i] = x[i] * 2
    return out


def list_of_tuples(x):
    return [(i, v * 2.0) for i, v in enumerate(x)]


def tuples_read(x):
    points = [(v, v * v) for v in x]
    s = 0.0
    for a, b in points:
        s += a - b
    return s + points[0][1], len(points)


def chained(x, low, high):
    n = 0
    for v in x:
        if low < v <= high and (w := v * v) < 2.0:
            n += 1
            low = w - 5.0
    return n, low


def helpers(x):
    def square(v):
        return v * v

    add = lambda a, b: a + square(b)  # noqa: E731
    s = 0.0
    for v in x:
        s = add(s, v)
    return s


@pytest.mark.parametrize(
    "fn", [pairs, triples, with_replacement, zeros_then_floats, list_of_tuples, tuples_read, helpers]
)
def test_of_one_vector(fn):
    compiled(fn, X)
    for n in (1, 2, 3):
        assert_same(autovec(fn, fallback="silent"), X[:n])


@pytest.mark.parametrize("fn", [by_index, by_element, rows_and_columns, grid])
def test_of_one_matrix(fn):
    compiled(fn, A)
    assert_same(autovec(fn, fallback="silent"), A[:1])


def test_several_arguments():
    compiled(product_of_lists, A, X)
    compiled(zip_of_different_lengths, X, X[:5])
    compiled(zip_of_different_lengths, X[:3], X)
    compiled(chained, X, -2.0, 1.2)
    assert_same(autovec(backwards, fallback="silent"), X)
