"""Lists and tuples in comparisons and operations: Python's own meaning, wherever no array takes part."""

from __future__ import annotations

import numpy as np
import pytest

from autovec import autovec
from tests.contract.tables import written
from tests.same import assert_same


def least_pair(x, k):
    best = (np.inf, -1)
    for i in range(len(x)):
        d = abs(x[i] - k)
        if (d, -i) < best:
            best = (d, -i)
    return best


def order(x, k):
    found = []
    for i in range(len(x) - 1):
        found.append((x[i], i) <= (x[i + 1], k))
    return found, (1, 2) < (1, 2, 3), (x[0],) > (1.0, k), (2, k) >= (2, 3)


def equal_pairs(x, k):
    count = 0
    for i in range(len(x)):
        if (x[i] > 0, i % 2) == (True, 0):
            count += 1
        if (x[i], k) != (1.0, 3):
            count += 10
    return count


def shapes(x, k):
    y = np.zeros(len(x))
    if x.shape != y.shape or x.shape == (k,):
        return None
    for i in range(len(x)):
        y[i] = x[i] * 2
    return y, x.shape == (len(x),), x.shape != (len(x), 1)


def stack_left(x, k):
    stack = [k]
    total = 0
    while stack != []:
        v = stack.pop()
        total += v
        if v > 0:
            stack.append(v - 1)
    return total, stack == []


def list_and_number(x, k):
    rows = [x[i] for i in range(len(x))]
    total = 0.0
    for i in range(len(x)):
        if rows != k:
            total += x[i]
    return total, rows == 2, (x[0], 1) == 2, [1.0, k] == (1.0, k)


def list_and_array(x, k):
    out = np.zeros(2)
    for i in range(len(x)):
        out += ([1.0, 2.0] < x[:2]) * x[i]
    return out


@pytest.mark.parametrize("fn", [least_pair, order, equal_pairs, shapes, stack_left, list_and_number, list_and_array])
def test_compiled(fn):
    f = autovec(fn, fallback="silent")
    for x in ([1.0, -2.0, 3.0, 3.0], [2.5, 1.0], [1.0, 2.0, 1.0, np.nan], [np.nan, 1.0]):
        for k in (3, 2):
            assert_same(f, np.array(x), k)
    assert f.report().blocked is None


@pytest.mark.parametrize(
    "text",
    [
        "b > 2",
        "2 < b",
        "b == 2",
        "b != b",
        "b < c",
        "c <= [1, 5]",
        "b[1:] == 2",
        "b[1:] != [1, 2]",
        "-b",
        "+c",
        "~b",
        "-(1, 2)",
        "abs(b)",
        "divmod(c, 2)",
        "sum([b, c])",
        "[b, c] == [b, c]",
        "[b, c][0] > 1",
        "c in [3, 2]",
        "(1, 2) == [1, 2]",
        "(a[0], 1) == (a[0], 1)",
        "(a[0], 1) in [(1, 1), (1, 2)]",
        "(1, a[0]).index(a[0])",
        "a > b",
        "b == a",
        "a[0] < b",
        "b * 2 == c",
    ],
)
def test_as_python_has_it(text):
    source = (
        "def table(a, b):\n"
        "    c = [0] * len(a)\n"
        "    for i in range(len(a)):\n"
        "        c[i] = a[i] * 2\n"
        f"    return c, {text}\n"
    )
    f = autovec(written(source), fallback="silent")
    for a, b in ((np.array([1, 2, 3]), [1, 2, 3]), (np.array([np.nan, 2.0]), [np.nan, 2.0]), (np.ones(1), [True])):
        assert_same(f, a, b)
