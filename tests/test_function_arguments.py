"""Functions that are passed in: `integrate(f, a, b)`. What they are is compiled in; what they read is read anew."""

from __future__ import annotations

import math

import numpy as np

from autovec import autovec
from tests.same import assert_same

TABLE = np.arange(4.0)


@autovec
def integrate(f, a, b, n):
    h = (b - a) / n
    s = 0.5 * (f(a) + f(b))
    for i in range(1, n):
        s += f(a + i * h)
    return s * h


@autovec
def newton(f, df, x, steps):
    for _ in range(steps):
        x = x - f(x) / df(x)
    return x


def square(t):
    return t * t


def looked_up(t):
    return t * TABLE[3]


def statuses(f):
    return {str(loop.status) for loop in f.report().loops}


def test_functions_of_every_kind():
    for f in (square, math.sin, np.sin, lambda t: 3 * t, looked_up):
        assert_same(integrate, f, 0.0, 1.0, 20)
        assert "FALLBACK" not in statuses(integrate)
    assert_same(newton, lambda x: x * x - 2, lambda x: 2 * x, 1.0, 8)
    assert statuses(newton) == {"SEQUENTIAL"}


def test_an_array_that_a_passed_function_reads_is_read_at_each_call(monkeypatch):
    assert_same(integrate, looked_up, 0.0, 1.0, 20)
    monkeypatch.setitem(globals(), "TABLE", np.arange(4.0) + 5)
    assert_same(integrate, looked_up, 0.0, 1.0, 20)
    TABLE[3] = 0.5
    assert_same(integrate, looked_up, 0.0, 1.0, 20)


def test_a_function_made_anew_by_the_same_lambda_is_the_same_function():
    f = autovec(integrate.original)

    def total(k):
        return assert_same(f, lambda t: t * k, 0.0, 1.0, 20)

    for k in (1.0, 2.0, 2.0, 1.0, 3.0, 2.0):
        total(k)
    assert len(f._dispatch.variants) == 3


def test_other_defaults_are_another_function():
    made = [lambda t, k=k: t * k for k in (1.0, 2.0, math.pi)]
    for f in made * 2:
        assert_same(integrate, f, 0.0, 1.0, 5)


def test_what_a_closure_holds_is_read_at_each_call():
    held = np.arange(3.0)
    scale = 2.0

    def f(t):
        return t * held[1] * scale

    assert_same(integrate, f, 0.0, 1.0, 5)
    held[1] = 7.0
    assert_same(integrate, f, 0.0, 1.0, 5)
    scale = 3.0
    assert_same(integrate, f, 0.0, 1.0, 5)
