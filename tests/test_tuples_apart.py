"""Tuples that a loop rebinds have a name for each part."""

from __future__ import annotations

import ast

import numpy as np
import pytest

from autovec import autovec
from autovec.frontend.tuples_apart import tuples_apart
from tests.same import assert_same


def where_largest(a):
    best, where = -np.inf, (0, 0)
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            if a[i, j] > best:
                best = a[i, j]
                where = (i, j)
    return best, where


def last_pair(x):
    pair = (0.0, 0.0)
    for v in x:
        pair = (pair[1], v)
    a, b = pair
    return a + b, pair[0]


def fibonacci_mod(n, m):
    state = 0, 1
    while n > 0:
        state = state[1], (state[0] + state[1]) % m
        n -= 1
    return state[0]


def closest(points):
    pair = (-1, -1, 0.0)
    best = 1e300
    for i in range(len(points)):
        for j in range(i):
            d = abs(points[i] - points[j])
            if d < best:
                best, pair = d, (i, j, d * 2)
    return pair


@pytest.mark.parametrize(
    ("fn", "calls"),
    [
        (
            where_largest,
            [(np.random.default_rng(0).normal(size=(4, 5)),), (np.full((2, 2), np.nan),), (np.zeros((0, 3)),)],
        ),
        (last_pair, [(np.arange(5.0),), (np.zeros(1),), (np.zeros(0),)]),
        (fibonacci_mod, [(9, 1000), (0, 7)]),
        (closest, [(np.random.default_rng(0).normal(size=6),), (np.zeros(1),)]),
    ],
)
def test_tuples_that_a_loop_rebinds(fn, calls):
    f = autovec(fn, fallback="error")
    for args in calls:
        assert_same(f, *args)


LEFT = {
    "other lengths": "def f(n):\n p = (0, 0)\n for i in range(n):\n  p = (i, i, i)\n return p",
    "not written out": "def f(n):\n p = (0, 0)\n for i in range(n):\n  p = g(i)\n return p",
    "an inner function": "def f(n):\n p = (0, 0)\n for i in range(n):\n  p = (i, i)\n return lambda: p",
    "grown in place": "def f(n):\n p = (0, 0)\n for i in range(n):\n  p = (i, i)\n p += (1,)\n return p",
    "a parameter": "def f(n, p):\n for i in range(n):\n  p = (i, i)\n return p",
    "a loop's own": "def f(n, x):\n p = (0, 0)\n for p in x:\n  p = (n, n)\n return p",
    "starred": "def f(n, x):\n p = (0, *x)\n for i in range(n):\n  p = (i, *x)\n return p",
    "bound once": "def f(n):\n p = (0, 0)\n for i in range(n):\n  n += p[0]\n return n",
}


@pytest.mark.parametrize("text", LEFT.values(), ids=LEFT)
def test_left_alone(text):
    (node,) = ast.parse(text).body
    assert isinstance(node, ast.FunctionDef)
    assert tuples_apart(node) is node


def test_names_that_are_taken():
    (node,) = ast.parse("def f(n):\n p_0 = 1\n p = (0, 0)\n for i in range(n):\n  p = (i, p_0)\n return p").body
    assert isinstance(node, ast.FunctionDef)
    assert "p_0, " not in ast.unparse(tuples_apart(node)).splitlines()[2]
