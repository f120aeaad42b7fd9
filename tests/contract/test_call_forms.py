"""Calls: positional, keyword, defaults, stars, many arguments, threads, pickles, methods, other types, odd sizes."""

# ruff: noqa: B007
from __future__ import annotations

import copy
import functools
import inspect
import pickle
import threading

import numpy as np
import pytest

from autovec import autovec
from tests.contract.rows import Row
from tests.same import assert_same

row = Row("calls")

A = np.array([1.5, -2.0, 3.0, 0.5])
M = np.arange(12.0).reshape(3, 4)


@row.probe((A,), (A[:0],), (A[:1],), (A.astype(np.float32),), (np.arange(4),), (A > 0,), (A.astype(complex),))
def any_dtype(a):
    s = 0
    for x in a:
        s = s + x * 2
    return s


@row.probe((A,), (M,), (np.zeros((2, 2, 2)),), (np.zeros((0, 3)),), (np.zeros((3, 0)),), (np.array(2.0),))
def any_rank(a):
    s = 0.0
    for i in range(len(a)):
        s = s + a[i].sum() * i
    return s


@row.probe((A[:0],), (np.zeros(0, np.int32),), (A,))
def empty_first(a):
    out = np.zeros(len(a))
    s = 0
    for i in range(len(a)):
        out[i] = a[i] * 2
        s += a[i]
    return out, s


@row.probe((M[:0],), (M[:, :0],), (M,), (M[:1],), (M[:, :1],))
def empty_first_of_two_axes(m):
    out = np.zeros(m.shape)
    for i in range(m.shape[0]):
        for j in range(m.shape[1]):
            out[i, j] = m[i, j] + 1
    return out, out.sum()


@row.probe((A[:0],), (A,), (A[:1],), (A[:2],))
def empty_recurrence(a):
    for i in range(1, len(a)):
        a[i] += a[i - 1]
    s = 0.0
    while s < len(a) and a[int(s)] > 0:
        s += 1
    return a, s


@row.probe((0,), (1,), (5,), (-3,))
def sizes_of_zero(n):
    a = np.zeros(max(n, 0))
    for i in range(n):
        a[i] = i
    return a, [x for x in a]


@row.probe((np.array(2.5), 3), (np.array(2), 0), (np.array(True), 2))
def rank_zero(x, n):
    s = 0
    for i in range(n):
        s = s + x * i
    return s, x


@row.probe((1000000, 0.5))
def a_million_steps(n, t):
    x = 0.0
    for i in range(n):
        x = x * t + 1.0
    return x


@row.probe((3,), (2,), (1,), (0,))
def six_levels(n):
    s = 0
    for a in range(n):
        for b in range(a + 1):
            for c in range(n):
                for d in range(c, n):
                    for e in range(2):
                        for f in range(b + 1):
                            s += a * 100 + b * 10 + c - d + e * f
    return s


@row.probe((np.arange(64.0).reshape((2,) * 6),))
def six_axes(t):
    s = np.zeros(2)
    for a in range(2):
        for b in range(2):
            for c in range(2):
                for d in range(2):
                    for e in range(2):
                        for f in range(2):
                            s[f] += t[a, b, c, d, e, f] * (a + 1)
    return s


@row.probe(tuple(float(k) for k in range(40)), tuple(range(40)))
def forty(
    a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, b0, b1, b2, b3, b4, b5, b6, b7, b8, b9,
    c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, d0, d1, d2, d3, d4, d5, d6, d7, d8, d9,
):  # fmt: skip
    s = 0.0
    for i in range(3):
        s += a0 + a1 * a2 - a3 + a4 + a5 + a6 + a7 + a8 + a9 + b0 * b1 + b2 + b3 + b4 + b5 + b6 + b7 + b8 + b9
        s += c0 + c1 + c2 + c3 * i + c4 + c5 + c6 + c7 + c8 + c9 + d0 + d1 + d2 + d3 + d4 + d5 + d6 + d7 + d8 - d9
    return s, d9


@row.probe(*((np.full(3, float(k)),) * 20 for k in range(2)), answers=False)
def twenty_arrays(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t):  # noqa: E741
    for x in range(3):
        a[x] += b[x] + c[x] * d[x] - e[x] + f[x] + g[x] + h[x] + i[x] + j[x]
        k[x] = l[x] + m[x] + n[x] + o[x] + p[x] + q[x] + r[x] + s[x] + t[x]
    return a, t


@row.probe((A, 2), (A, 2.0), (A, np.float32(2)), (A, True), (A, 2j), (A, "x"), (A, None), (A, [2.0] * 4), (A, A))
def second_argument_of_any_type(a, t):
    s = a[0]
    for i in range(len(a)):
        s = s + a[i] * t
    return s


@row.probe((A, np.int64(3)), (A, np.uint8(3)), (A, np.int64(0)), (A, np.int8(-3)), (A, np.uint64(2)))
def numpy_ints_as_bounds(a, n):
    s = 0
    for i in range(n):
        s += i
        t = i
    return s, t


@row.probe((A, 1), (A, 2), (A, 3), (A, 4), (A, 1), (A[:2], 2), (A[:2], 1), (A[:3], 2))
def sizes_that_meet(a, n):
    b = np.zeros(n)
    for i in range(n):
        b[i] = a[i % len(a)] + i
    return b


test_row = row.test()
test_share = row.share_test()


# ---------------------------------------------------------------- ways to pass arguments


def scaled(a, k=2.0, /, t=1, *rest, d=0.5, **more):
    s = 0.0
    for i in range(len(a)):
        s += a[i] * k + t * d
    return s, rest, sorted(more)


def test_stars():
    f = autovec(scaled, fallback="silent")
    assert_same(f, A)
    assert_same(f, A, 3.0, 4, 5, 6)
    assert_same(f, A, 3.0, keywords={"t": 4, "d": 1, "other": 2})
    assert_same(f, keywords={"t": 1})
    assert_same(f, A, keywords={"k": 1})
    assert inspect.signature(f) == inspect.signature(scaled)


def plain(a, k, t=1.0, *, d=0.5):
    s = 0.0
    for i in range(len(a)):
        s += a[i] * k + t * d
    return s


def test_keywords_and_defaults():
    f = autovec(plain, fallback="silent")
    for args, keywords in [
        ((A, 2.0), {}),
        ((A,), {"k": 2.0}),
        ((), {"k": 2.0, "a": A, "d": 3}),
        ((A, 2.0, 3.0), {"d": 1.0}),
        ((A,), {}),
        ((A, 1, 2, 3), {}),
        ((A, 1), {"k": 2}),
        ((A, 1), {"z": 2}),
        ((), {}),
    ]:
        assert_same(f, *args, keywords=keywords)
    assert f.report().blocked is None
    assert functools.partial(f, A, k=2.0)(d=1.0) == functools.partial(plain, A, k=2.0)(d=1.0)


def double(x):
    return x * 2


@autovec
def decorated_inner(a):
    s = 0.0
    for x in a:
        s += double(x)
    return s


def outer(m):
    s = 0.0
    for i in range(len(m)):
        s += decorated_inner(m[i])
    return s


def test_decorated_calls_decorated():
    f = autovec(outer, fallback="silent")
    assert_same(f, M, original=lambda m: sum(float((r * 2).sum()) for r in m) + np.float64(0))
    assert f.report().blocked is None


def countdown(n, a):
    s = 0.0
    for i in range(n):
        s += a[i]
    return s + (f_countdown(n - 1, a) if n > 0 else 0)


f_countdown = autovec(countdown, fallback="silent")


def test_recursion():
    assert [f_countdown(n, A) for n in (4, 0, 2, 4)] == [countdown(n, A) for n in (4, 0, 2, 4)]


@autovec
def pickled(a):
    s = 0.0
    for x in a:
        s += x
    return s


def test_pickles_and_copies():
    assert pickle.loads(pickle.dumps(pickled)) is pickled
    assert copy.copy(pickled) is pickled and copy.deepcopy([pickled])[0] is pickled
    assert pickle.loads(pickle.dumps(functools.partial(pickled, A)))() == 3.0
    assert [*map(pickled, [A, A[:2]])] == [3.0, -0.5]
    assert sorted([A, -A], key=pickled)[0] is not A


class Thing:
    scale = 2.0

    def __init__(self, k):
        self.k = k

    @autovec
    def method(self, a, t=1.0):
        s = 0.0
        for x in a:
            s += x * self.k * self.scale + t
        return s

    @staticmethod
    @autovec
    def static(a):
        return sum(x for x in a)

    @classmethod
    @autovec
    def of_class(cls, a):
        s = 0.0
        for x in a:
            s += x * cls.scale
        return s


class Child(Thing):
    scale = 5.0


@pytest.mark.filterwarnings("ignore::autovec.AutovecWarning")
def test_methods():
    for thing in (Thing(2.0), Thing(3), Child(1.0)):
        expected = sum(A * thing.k * thing.scale + 1.0)
        assert np.isclose(thing.method(A), expected) and np.isclose(type(thing).method(thing, A, t=1.0), expected)
        assert thing.static(A) == 3.0 and np.isclose(thing.of_class(A), 3.0 * thing.scale)
    thing = Thing(2.0)
    assert np.isclose(thing.method(A), 16.0)
    thing.scale = 10.0
    assert np.isclose(thing.method(A), 64.0)
    del thing.scale
    Thing.scale = 4.0
    try:
        assert np.isclose(thing.method(A), 28.0)
    finally:
        Thing.scale = 2.0


def test_threads():
    @autovec
    def f(a, k):
        for i in range(1, len(a)):
            a[i] = a[i - 1] * 0.5 + k
        return a.sum()

    wrong = []

    def work(k):
        for n in (5, 6, 7, 1000, 5):
            a, b = np.arange(float(n)), np.arange(float(n))
            expected = f.original(a, float(k))
            if not (np.isclose(f(b, float(k)), expected) and np.allclose(a, b)):
                wrong.append((k, n))

    threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not wrong


def test_a_call_does_not_depend_on_those_before():
    def f(a, n, t):
        s = 0
        for i in range(n):
            s += a[i] * t
        return s

    calls = [
        (A, 4, 2.0),
        (A, 9, 2.0),
        (A, 2, 2),
        (A.astype(np.int8), 4, 100),
        (A, 0, 1.0),
        (A, 4, np.nan),
        (A[:1], 1, 1),
    ]
    g = autovec(f, fallback="silent")
    for args in [*calls, *calls[::-1]]:
        assert_same(g, *args, calls=1)
    for args in calls:
        assert_same(autovec(f, fallback="silent"), *args, calls=1)


def test_threads_write_to_parts_of_one_array():
    def work(x, out, k):
        for i in range(len(x)):
            out[k] += x[i] * k

    f = autovec(work, fallback="silent")
    x, out, expected = np.arange(1.0, 400.0), np.zeros(6), np.zeros(6)
    f(x, out.copy(), 0)
    for _ in range(20):
        threads = [threading.Thread(target=f, args=(x, out, k)) for k in range(6)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        for k in range(6):
            work(x, expected, k)
    np.testing.assert_allclose(out, expected)
    assert f.report().blocked is None
