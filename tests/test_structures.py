"""Dicts, named tuples, nested objects, lists of arrays and of mixed values: as arguments, made, and returned."""

from __future__ import annotations

from collections import namedtuple
from dataclasses import dataclass, field

import numpy as np
import pytest

from autovec import AutovecWarning, autovec
from tests.same import assert_same

X = np.random.default_rng(3).normal(size=9)
Point = namedtuple("Point", "x y")


def compiles(f, *calls):
    made = autovec(f, fallback="silent")
    for args in calls:
        assert_same(made, *args)
    assert "FALLBACK" not in str(made.report()), str(made.report())
    return made


def test_dicts_of_settings_and_arrays():
    def model(params, x):
        out = np.zeros(len(x))
        for i in range(len(x)):
            out[i] = params["alpha"] * x[i] + params["beta"]
        return out

    def product(data):
        total = 0.0
        for i in range(len(data["a"])):
            total += data["a"][i] * data["b"][i]
            data["c"][i] = total
        return total

    made = compiles(model, ({"alpha": 0.5, "beta": 2}, X), ({"alpha": 0.25, "beta": 3.5}, X))
    assert_same(made, {"alpha": 0.5, "beta": 2, "name": "other"}, X)
    assert_same(made, {"alpha": 0.5}, X)
    assert_same(made, {"alpha": "a", "beta": 1}, X)
    compiles(product, ({"a": X, "b": X * 2, "c": np.zeros(9)},))
    shared = X.copy()
    assert_same(autovec(product, fallback="silent"), {"a": shared, "b": X * 2, "c": shared})


def test_named_tuples_and_mixed_tuples():
    def distance(p, x):
        total = 0.0
        for v in x:
            total += (v - p.x) ** 2 + p.y
        return total, p

    def mixed(settings, x):
        scale, shift, label = settings
        total = 0.0
        for v in x:
            total += scale * v + shift
        return total, label

    compiles(distance, (Point(1.0, 2), X), (Point(1, 2.5), X))
    compiles(mixed, ((2, 0.5, "a"), X), ((2.5, 1, "b"), X))


def test_lists_of_arrays():
    def total(arrays):
        found = 0.0
        for a in arrays:
            for v in a:
                found += v
        return found

    def scale(arrays, c):
        for a in arrays:
            for i in range(len(a)):
                a[i] *= c

    compiles(total, ([X, X * 2, X[:4]],), ((X, X * 3),))
    compiles(scale, ([X, X * 2], 0.5))
    one = X.copy()
    assert_same(autovec(scale, fallback="silent"), [one, one], 0.5)


@dataclass
class Grid:
    spacing: float = 0.1
    sizes: list = field(default_factory=lambda: [3, 4])


@dataclass
class Simulation:
    grid: Grid = field(default_factory=Grid)
    state: np.ndarray = field(default_factory=lambda: X.copy())
    steps: int = 0

    def run(self, count):
        for _ in range(count):
            self.advance()
        return self.steps

    def advance(self):
        for i in range(1, len(self.state) - 1):
            self.state[i] += self.grid.spacing * (self.state[i + 1] - self.state[i - 1])
        self.steps += self.grid.sizes[0]


def test_objects_in_objects():
    compiles(Simulation.run, (Simulation(), 3))


def test_lists_in_dicts_are_written():
    def count(tables, values):
        for v in values:
            tables["counts"][v] += 1
        tables["total"][0] = len(values) * 1.0

    compiles(count, ({"counts": [0] * 5, "total": [0.0]}, [1, 2, 4, 2]))


def test_dicts_are_made_and_returned():
    def statistics(x):
        mean = 0.0
        for v in x:
            mean += v
        mean /= len(x)
        found = {"mean": mean, "doubled": x * 2}
        found["count"] = len(x)
        return found

    def twice(x):
        found = {"sum": 0.0}
        for v in x:
            found = {"sum": v}
        return found, found

    compiles(statistics, (X,))
    assert_same(autovec(twice, fallback="silent"), X)


def test_other_contents_at_later_calls():
    def last(items):
        total = 0.0
        for v in items:
            total += v
        return total

    made = autovec(last, fallback="silent")
    for items in (["a"], [1.0, 2.0], [1, 2.5], [1, 2], [1, 2.5, 3], {"a": 1.0}, [1.0, 2.0, 3.0], [True, 2.5], [None]):
        assert_same(made, items)


def test_an_item_that_the_data_chooses_keeps_its_kind():
    def chosen(x):
        weights, counts, mixed = (0.5, 0.25, 1.0), [1, 2, 3], (1, 2.5, 3)
        k = 0
        for v in x:
            if v > 0:
                k = (k + 1) % 3
        return weights[k], counts[k], mixed[k]

    def from_argument(values, x):
        total = 0
        for i in range(len(values)):
            total += values[i]
        return total, values[len(x) % 3]

    compiles(chosen, (X,), (X[:5],), (X[:4],))
    compiles(from_argument, ([1, 2.5, 3], X), ((1, 2.5, 3), X[:7]))


def test_slices_and_membership_of_lists():
    def parts(a, k):
        total = 0.0
        for v in a[1:]:
            total += v
        for v in a[::-1]:
            total = 0.5 * total + v
        found = 0
        for i in range(5):
            if i in a:
                found += 1
        return a[:2], total, found, k in a, k not in a

    compiles(parts, ([1.0, 2.0, 3.5], 2), ([1, 2, 3, 4], 7))
    assert_same(autovec(parts, fallback="silent"), [1.0, float("nan"), 2.0], float("nan"))


def test_what_overlaps_is_named_as_the_person_names_it():
    @autovec
    def f(arrays, x):
        for i in range(len(x)):
            arrays[0][i] += x[i]

    a = np.arange(4.0)
    f([a, a.copy()], np.ones(4))
    with pytest.warns(AutovecWarning, match=r"share memory with arrays\[0\], which"):
        f([a, a.copy()], a)


def length(m):
    s = 0
    for i in range(len(m)):
        s += i + 1
    return s, len(m)


def rows_of_zeros(m):
    n = len(m)
    g = [[0] * n for _ in range(n)]
    for i in range(n):
        g[i][0] += len(m) + i
    return g


def has_a_key(m):
    s = 0
    for i in range(3):
        s += i * ("a" in m)
    return s, len(m)


HOLLOW = (
    [[]],
    [[], []],
    [()],
    [{}],
    [{}, {}, {}],
    [[[]]],
    [[[], []], []],
    [[1, 2], [3]],
    [[], [1]],
    [[1.0, 2.0], [3.0, 4.0]],
    ["a", "b"],
    [None] * 3,
    [],
    [np.zeros(2)] * 2,
    ((),),
    ((), ()),
    {"a": [], "b": 1.0},
    {"c": [], "b": 1.0},
    {"a": {}, "b": 1.0, "c": []},
    {True: [], "b": 1.0},
)


@pytest.mark.parametrize("function", [length, rows_of_zeros, has_a_key])
def test_what_no_parameter_tells_of_is_looked_at_in_each_call(function):
    """`len` of a list of empty lists: no number or array in it says how many there are."""
    for first in (0, 1, 4, 16):
        f = autovec(function, fallback="silent")
        for m in HOLLOW[first:] + HOLLOW[:first]:
            assert_same(f, m, calls=1)
