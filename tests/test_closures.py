"""Functions inside functions: the names around them are as they are when they are called, wherever that is."""

from __future__ import annotations

import numpy as np
import pytest

from autovec import autovec
from tests.same import assert_same


def in_a_branch(a, t):
    def g(p):
        return a[p] + t

    if a[0] > 0:
        t = a[0] * 10
        for i in range(len(a)):
            a[i] = g(i)
    return a, t


def in_both_branches(a, t):
    g = lambda p: a[p] + t  # noqa: E731
    if a[0] > 0:
        t = a[0] * 10
        s = g(0)
    else:
        t = 5.0
        s = g(0) + 1
    for i in range(len(a)):
        s += g(i)
    return s, t


def in_a_branch_in_a_branch(a, t):
    def g(p):
        return a[p] + t

    s = 0.0
    if a[0] > 0:
        t = 7.0
        if a[0] < 5:
            s += g(0)
            t = 8.0
            s += g(0)
        s += g(0)
    for i in range(len(a)):
        s += g(i)
    return s, t


def in_a_branch_of_a_loop(a, t):
    def g(p):
        if a[p] > 0:
            return t
        return -t

    s = 0.0
    for i in range(len(a)):
        if a[i] > 0:
            t = a[i]
            s += g(i)
        s += g(0)
    return s, t


def through_another(a, t):
    def h(p):
        return t * a[p]

    def g(p):
        return h(p) + t

    s = 0.0
    if a[0] > 0:
        for i in range(len(a)):
            t = a[i] + 1
            s += g(i)
    return s + g(0), t


def in_a_generator(a, t):
    g = lambda p: a[p] * t  # noqa: E731
    s = 0.0
    if a[0] > 0:
        t = a[0] * 10
        s = sum(g(i) for i in range(len(a)))
    for i in range(2):
        s += i
    return s, t


def beside_the_variable_of_a_comprehension(a, t):
    i = 2.0

    def g(p):
        return a[p] * i + t

    return [g(i) for i in range(len(a))], sum(g(i) for i in range(len(a))), i


def made_by_a_function(a, t):
    def make(k):
        k = k + 1
        return lambda p: a[p] * t + k

    k = 100
    g, h = make(2), make(3)
    t = 5.0
    s = 0.0
    for i in range(len(a)):
        k = i
        s += g(i) * h(i)
    return s, k


def passed_to_another(a, t):
    def g(fn, x):
        t = 3.0
        return fn(x) + t

    s = 0.0
    for i in range(len(a)):
        if a[i] > 0:
            t = a[i]
            s += g(lambda q: q * t, i)  # noqa: B023
        s += g(lambda q: q * t, 1)  # noqa: B023
    return s


def names_of_its_own(a, t):
    def outer(k):
        u = k * t

        def inner(q):
            return q * u + t

        u = u + 1
        return inner(k) + inner(2)

    s = 0.0
    for i in range(len(a)):
        if a[i] > 0:
            t = a[i]
            u = 100
            s += outer(i) + u
    return s


def bound_in_the_branch(a, t):
    def g(x):
        return y * x + t

    s = 0.0
    for i in range(len(a)):
        if a[i] > 0:
            y = a[i]
        s += g(2)
    return s


FUNCTIONS = (
    in_a_branch,
    in_both_branches,
    in_a_branch_in_a_branch,
    in_a_branch_of_a_loop,
    through_another,
    in_a_generator,
    beside_the_variable_of_a_comprehension,
    made_by_a_function,
    passed_to_another,
    names_of_its_own,
    bound_in_the_branch,
)


@pytest.mark.parametrize("fn", FUNCTIONS)
def test_names_around(fn):
    a = np.array([1.0, -2.0, 3.0])
    f = autovec(fn, fallback="silent")
    for args in ((a, 2.0), (-a, 2.0), (a[:1], 3.0)):
        assert_same(f, *args)
    assert f.report().blocked is None


def doubled_twice(x, t):
    y = [0.0] * len(x)
    for i in range(len(x)):
        y[i] = x[i] * t
    print(len(y))
    y = [y + 1 for y in y]
    return y


def summed_over_itself(x, t):
    y = x * 1.0
    for i in range(len(x)):
        y[i] = x[i] * t
    t = sum(y for y in y)
    print(y[0])
    for i in range(len(x)):
        y[i] += t
    return y


def shorter_each_time(x, t):
    n = len(x)
    for _ in range(2):
        n = [n for n in range(n)][-1]
        t += x[n]
    return t, n


@pytest.mark.parametrize("fn", [doubled_twice, summed_over_itself, shorter_each_time])
def test_comprehensions_over_what_their_variable_is_named_after(fn):
    assert_same(autovec(fn, fallback="silent"), np.array([1.0, -2.0, 3.0]), 2.0)
