"""Lists and objects as arguments, arrays and numbers outside the function, helpers bound in several ways."""

import functools
from dataclasses import dataclass

import numpy as np
import pytest

from autovec import autovec
from tests.same import assert_same
from tests.test_frontend_flow import X, compiled

TABLE = np.array([1.0, 0.5, 0.25, 0.125])
SCALE = 3.0


def total(values):
    s = 0.0
    for i in range(len(values)):
        s += values[i] * 2
    return s


def largest(values):
    best = values[0]
    for v in values:
        if v > best:
            best = v
    return best, len(values), sum(values)


def rows(points, x):
    out = np.zeros(len(x))
    for i in range(len(x)):
        for a, b in points:
            out[i] += a * x[i] + b
    return out


def matrix(m):
    s = 0
    for i in range(len(m)):
        for j in range(len(m[i])):
            s += m[i][j] * (i + 1)
    return s


def writes(values):
    for i in range(len(values)):
        values[i] = values[i] + 1.0


def with_table(x):
    out = np.zeros(len(x))
    for i in range(len(x)):
        out[i] = x[i] * TABLE[i % 4] * SCALE
    return out


@dataclass
class Body:
    mass: float
    pos: np.ndarray
    steps: int
    name: str = "body"


def moved(body, dt):
    out = np.zeros(len(body.pos))
    for _ in range(body.steps):
        for i in range(len(out)):
            out[i] += body.pos[i] * dt / body.mass
    return out


class Model:
    rate = 0.5

    def __init__(self, w):
        self.w = w
        self.bias = [0.5, 1.5]
        self.n = len(w)

    @property
    def half(self):
        return self.n / 2

    def one(self, v):
        if v > 1:
            return v * self.rate
        return v + self.bias[0]

    @staticmethod
    def twice(v):
        return 2 * v

    @autovec(fallback="silent")
    def run(self, x):
        s = 0.0
        for i in range(self.n):
            s += self.one(x[i]) * self.w[i] + self.twice(self.half)
        return s

    @autovec(fallback="silent")
    def decay(self):
        for i in range(self.n):
            self.w[i] *= self.rate


def scaled(a, v, k=2.0):
    return a * v + k


def partially(x, f):
    out = np.zeros(len(x))
    half = functools.partial(scaled, 0.5)
    other = functools.partial(scaled, k=1.0)
    for i in range(len(x)):
        out[i] = half(x[i]) + other(2.0, x[i])
    return out


@pytest.mark.parametrize("values", [[1.0, -2.5, 3.0], [1, 5, 2], (1.0, 2.0)])
def test_lists_of_numbers(values):
    compiled(total, values)
    compiled(largest, values)


@pytest.mark.parametrize("values", [[], [1, 2.5], [True, 2.0], ["a"], [1.0, None], [2**70, 1]])
def test_other_lists_run_as_they_were(values):
    assert_same(autovec(total, fallback="silent"), values)


def test_one_object_serves_lists_of_several_kinds():
    f = autovec(total, fallback="silent")
    for values in ([1.0, 2.0], [1, 2], [1, 2.5], [1.0] * 5, [], [3.0]):
        assert_same(f, values)


def test_nested_lists():
    compiled(rows, [(0.5, 1.0), (2.0, -1.0)], X)
    compiled(matrix, [[1.0, 2.0], [3.0, 4.0]])
    assert_same(autovec(matrix, fallback="silent"), [[1.0, 2.0], [3.0]])
    row = [1.0, 2.0]
    assert_same(autovec(matrix, fallback="silent"), [row, row])


def test_written_lists_run_as_they_were():
    assert_same(autovec(writes, fallback="silent"), [1.0, 2.0])


def test_captured_arrays_are_read_at_each_call():
    compiled(with_table, X)
    f = autovec(with_table, fallback="silent")
    before = f(X)
    TABLE[0] = 9.0
    try:
        np.testing.assert_allclose(f(X), with_table(X))
        assert not np.allclose(before, with_table(X))
    finally:
        TABLE[0] = 1.0


def test_attributes():
    compiled(moved, Body(2.0, np.arange(4.0), 3), 0.1)
    f = autovec(moved, fallback="silent")
    for body in (Body(2.0, np.arange(4.0), 3), Body(1.0, np.arange(3.0), 0), Body(2, np.arange(4), 2)):
        np.testing.assert_allclose(f(body, 0.1), moved(body, 0.1))


def test_methods():
    model = Model(np.array([1.0, -2.0, 0.5]))
    x = np.array([0.5, 3.0, 1.5])
    expected = Model.run.original(model, x)
    assert np.isclose(model.run(x), expected) and np.isclose(model.run(x), expected)
    assert type(model.run(x)) is type(expected)
    assert Model.run.report().blocked is None
    model.w = model.w * 2
    assert np.isclose(model.run(x), Model.run.original(model, x))
    before = model.w.copy()
    model.decay()
    np.testing.assert_allclose(model.w, before * 0.5)
    assert Model.decay.report().blocked is None
    model.rate = 0.25
    assert np.isclose(model.run(x), Model.run.original(model, x))


def test_partials():
    compiled(partially, X, 1.0)
