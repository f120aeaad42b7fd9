"""Not numeric: what isn't an array of numbers runs the original, and that is said once."""

# ruff: noqa: B007
from __future__ import annotations

import asyncio
import inspect
import warnings

import numpy as np
import pytest

from autovec import AutovecWarning, autovec
from tests.contract.rows import Row
from tests.same import assert_same

row = Row("not numeric")
pytestmark = pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")  # np.matrix

A = np.array([3, 1, 2])
MIXED = "elements of any type"


class Series:
    """What a data frame's column is like: labels, and operators of its own."""

    def __init__(self, values, labels):
        self.values, self.labels = values, labels

    def __len__(self):
        return len(self.values)

    def __getitem__(self, label):
        return self.values[self.labels.index(label)]

    def __setitem__(self, label, value):
        self.values[self.labels.index(label)] = value

    def __iter__(self):
        return iter(self.values)

    def __add__(self, other):
        return Series([v + 100 for v in self.values], self.labels)


class Celsius(float):
    def __add__(self, other):
        return Celsius(float(self) + float(other) + 0.5)


class Tagged(np.ndarray):
    """A subclass whose sum is its own."""

    def sum(self, *args, **kwargs):
        return "sum of mine"


@row.probe(
    (np.array([1, 2, 2**70], object),),
    (np.array([1.5, "x", None], object),),
    (np.array([[1], [2, 3]], object),),
    (np.array(["b", "a"]),),
    (np.array(["2020-01-01", "2021-05-05"], "datetime64[D]"),),
    (np.array([1, 2], "timedelta64[s]"),),
    (np.ma.array([1.0, 2.0, 3.0], mask=[0, 1, 0]),),
    (np.array([1.0, 2.0]).view(Tagged),),
    (np.arange(3.0).astype(">f8"),),
    (np.arange(3.0).astype(np.longdouble),),
    ({2, 1, 3},),
    ({"a": 1, "b": 2},),
    (range(5),),
    (b"bytes",),
    ("text",),
    (bytearray(b"abc"),),
    ([Celsius(1), Celsius(2)],),
    (Series([1, 2], [0, 1]),),
    python=MIXED,
)
def first_and_last(items):
    last = None
    count = 0
    for x in items:
        last = x
        count += 1
    return last, count


@row.probe(
    (np.array([(1, 2.0), (3, 4.0)], [("k", int), ("x", float)]),),
    (np.rec.array([(1, 2.0), (3, 4.0)], dtype=[("k", int), ("x", float)]),),
    python="structured arrays",
)
def fields(a):
    s = 0.0
    for i in range(len(a)):
        s += a["x"][i] * a[i]["k"]
        a["k"][i] = 7
    return s


with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    MATRIX = np.matrix([[1.0, 2.0], [3.0, 4.0]])


@row.probe((MATRIX,), python="np.matrix multiplies as matrices do")
def squares(m):
    s = m * 0
    for i in range(2):
        s = s + m * m
    return s, m[0]


@row.probe((np.ma.array([1.0, 2.0, 3.0], mask=[0, 1, 0]), 2.0), python="masked elements")
def masked(a, t):
    s = 0.0
    out = a.copy()
    for i in range(3):
        out[i] = a[i] * t
        s = s + a.sum()
    return s, out


@row.probe((Series([1.0, 2.0], ["a", "b"]),), python="an object's own subscripts")
def labelled(s):
    total = 0.0
    for label in ("a", "b"):
        s[label] = s[label] * 2
        total += s[label]
    return total, (s + 1).values


@row.probe((Celsius(1.5), A), python="a subclass of float")
def subclass_of_float(t, a):
    s = t
    for x in a:
        s = s + x
    return s


@row.probe(({"x": np.arange(3.0), "n": 3},), python="a dict")
def dictionaries(d):
    for i in range(d["n"]):
        d["x"][i] += 1
        d[i] = i
    return d


@row.probe(([1, "a", None],), ([np.arange(2), 3],), ([[1], [1, 2]],), python=MIXED)
def lists_of_anything(items):
    out = []
    for i in range(len(items)):
        out.append(items[i])
    return out, items


@row.probe((np.arange(3.0),), python="sets")
def sets(a):
    seen = set()
    for x in a:
        seen.add(float(x) // 2)
    return seen


@row.probe((6,), python="recursion")
def fibonacci(n):
    s = 0
    for i in range(1):
        s += n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)
    return s


@row.probe((np.arange(3.0),), python="strings")
def strings(a):
    s = ""
    for x in a:
        s += f"{x:.1f},"
    return s


@row.probe((np.arange(3.0),), python="a generator inside")
def generator_inside(a):
    def twice(v):
        for x in v:
            yield x * 2

    s = 0.0
    for x in twice(a):
        s += x
    return s


@row.probe((np.arange(3.0), 2**70), (np.arange(3.0), -(2**63) - 1), python="an int beyond 64 bits")
def beyond_64_bits(a, k):
    s = 0
    for x in a:
        s += k
    return s


test_row = row.test()


# ---------------------------------------------------------------- what can't be rewritten at all


def yields(a):
    for x in a:
        yield x * 2


async def waits(a):
    s = 0.0
    for x in a:
        s += x
    return s


def said(function, *calls):
    """The decorated function and the warnings of decorating and calling it."""
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        f = autovec(function)
        values = [f(*args) for args in calls]
    assert all(w.category is AutovecWarning for w in heard), [str(w.message) for w in heard]
    return f, values, [str(w.message) for w in heard]


def test_generators_and_coroutines():
    f, values, words = said(yields, (A,), (A,))
    assert [list(v) for v in values] == [[6, 2, 4]] * 2 and inspect.isgeneratorfunction(f.original)
    assert len(words) == 1 and "generator" in words[0]
    f, (first, second), words = said(waits, (A,), (A,))
    assert asyncio.run(first) == asyncio.run(second) == 6.0
    assert len(words) == 1 and "coroutine" in words[0]


def test_functions_without_source():
    space = {}
    exec("def f(a):\n    s = 0.0\n    for x in a:\n        s += x\n    return s\n", space)
    _, values, words = said(space["f"], (A,), (A,))
    assert values == [6.0, 6.0] and len(words) == 1 and "source" in words[0]
    _, values, words = said(sum, (A,), (A,))
    assert values == [6, 6] and len(words) == 1


def test_callable_objects_and_partials():
    import functools

    class Sum:
        def __call__(self, a):
            return sum(x for x in a)

    def scaled(k, a):
        return sum(x * k for x in a)

    _, values, words = said(Sum(), (A,), (A,))
    assert values == [6, 6] and len(words) == 1
    _, values, words = said(functools.partial(scaled, 2), (A,), (A,))
    assert values == [12, 12] and len(words) == 1


@pytest.mark.parametrize("items", [np.array([1, "a"], object), {1, 2}, np.ma.array([1.0]), "text"], ids=repr)
def test_said_once(items):
    def count(a):
        n = 0
        for _ in a:
            n += 1
        return n

    f, values, words = said(count, (items,), (items,), (items,))
    assert values == [len(items)] * 3 and len(words) <= 1
    assert f.report().blocked is not None
    assert_same(autovec(count, fallback="silent"), A)  # and numbers still compile
