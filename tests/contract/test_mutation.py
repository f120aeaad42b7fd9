"""Mutation: what is written is seen by the caller, in arrays of any layout, views, lists, attributes, captured arrays."""

# ruff: noqa: B007
from __future__ import annotations

from types import FunctionType

import numpy as np
import pytest

from autovec import autovec
from tests.contract.rows import Row, both
from tests.same import assert_same

row = Row("mutation")

A = np.array([1.5, -2.0, 3.0, 0.5, 4.0, -1.0])
B = np.linspace(0, 1, 6)
M = np.arange(12.0).reshape(3, 4)
FORTRAN = np.asfortranarray(M)
LARGE = np.arange(60.0).reshape(6, 10)
FROZEN = A.copy()
FROZEN.flags.writeable = False
NEGATIVE = A[::-1]


@row.probe((A,), (A[::2],), (A[1::2],), (NEGATIVE,), (LARGE[2],), (LARGE[:, 3],), (A[:0],), (A[:1],))
def any_stride(a):
    for i in range(1, len(a)):
        a[i] = a[i - 1] + 1.0


@row.probe((M,), (FORTRAN,), (M.T,), (LARGE[1:4, 2:6],), (LARGE[::2, ::3],), (LARGE[::-1, ::-1],), (M[:, :1],))
def any_layout(m):
    for i in range(m.shape[0]):
        for j in range(m.shape[1]):
            m[i, j] = i * 10 + j + m[i, 0]
    return m


@row.probe((np.arange(24.0).reshape(2, 3, 4),), (np.arange(24.0).reshape(4, 3, 2).T,))
def three_axes(c):
    for i in range(2):
        for j in range(3):
            for k in range(4):
                c[i, j, k] *= i + j + k
    return c[1]


@row.probe((A, B), (A[1:], B[:-1]), (LARGE[0, :6], LARGE[3, :6]), (LARGE[:, 0], LARGE[:, 1]))
def two_arrays(a, b):
    for i in range(len(a)):
        a[i], b[i] = b[i], a[i]


@row.probe((A, FROZEN), (FROZEN, A), (FROZEN, FROZEN))
def read_only(a, b):
    for i in range(len(a)):
        a[i] += b[i]
    return a


@row.probe((A,), (NEGATIVE,), (LARGE[2, 1:7],))
def views_inside(a):
    b = a[1:]
    c = b[::2]
    for i in range(len(c)):
        c[i] = i
    b += 1
    return c.sum()


@row.probe((A, True), (A, False))
def written_by_condition(a, flag):
    for i in range(len(a)):
        if flag:
            a[i] = i
    return a


@row.probe((A, 2.0), (A, 100.0))
def written_until(a, t):
    for i in range(len(a)):
        if a[i] > t:
            break
        a[i] = -1.0
    return i


@row.probe((A, B))
def whole_arrays(a, b):
    for i in range(2):
        a[:] = b
        b[...] = a + 1
        a += b
    a *= 2


@row.probe((A, B))
def rebound_is_not_written(a, b):
    a = a + 1
    for i in range(len(a)):
        a[i] = b[i]
    return a


@row.probe((A, B, 3), (A, B, 0))
def rebound_in_the_loop(a, b, n):
    for i in range(n):
        a = a + b
    return a


@row.probe((A, 3), (A, 0), (A, -1))
def rebound_while(a, n):
    while n > 0:
        a = a * 2
        n -= 1
    return a


@row.probe((A, 1.0), (A, 1e9))
def rebound_by_condition(a, t):
    for i in range(3):
        if a[0] < t:
            a = a * 2
    return a.sum()


@row.probe((A, B))
def names_swapped_in_the_loop(a, b):
    for i in range(3):
        a, b = b, a + 1
    return a.sum(), b.sum()


@row.probe((A, np.array([0.0])), (A, np.zeros(1, np.int32)))
def total_in_an_array(a, total):
    for x in a:
        total[0] += 1
        if x > 0:
            total[-1] += 1


@row.probe((A, np.zeros((), float)))
def rank_zero(a, total):
    for x in a:
        total[()] = total + x
    return total


@row.probe((np.zeros(6, np.float32), A), (np.zeros(6, np.int64), A), (np.zeros(6, bool), A), (np.zeros(6, complex), A))
def store_casts(out, a):
    for i in range(len(a)):
        out[i] = a[i]
    return out


@row.probe((np.zeros(6, np.int64), A), open="an in-place operation that NumPy refuses")
def in_place_casts(out, a):
    for i in range(2):
        out += a
    return out


@row.probe((np.zeros(6, np.float32), A), (np.zeros(6, np.int64), A.astype(np.int8)))
def in_place_casts_that_are_safe(out, a):
    for i in range(2):
        out += a
    return out


@row.probe(([0.0] * 4, A), ([1, 2, 3, 4, 5, 6, 7], A), ([0.0], A))
def list_argument(items, a):
    for i in range(4):
        items[i] = a[i] * 2


@row.probe(([3.0, 1.0, 2.0],), ([3, 1, 2],), ([1],))
def list_sorted_by_hand(items):
    for i in range(len(items)):
        for j in range(len(items) - 1 - i):
            if items[j] > items[j + 1]:
                items[j], items[j + 1] = items[j + 1], items[j]


@row.probe(([[0.0, 1.0], [2.0, 3.0]],), ([[1, 2], [3, 4]],))
def nested_list_argument(rows):
    for i in range(len(rows)):
        for j in range(2):
            rows[i][j] += i + j


@row.probe(([1.0, 2.0], A), open="appending to a list of an argument")
def list_that_grows(items, a):
    for x in a:
        items.append(x)
    return len(items)


class Body:
    def __init__(self, n: int = 4, k: float = 2.0) -> None:
        self.x = np.arange(float(n))
        self.v = np.ones(n)
        self.k = k
        self.total = 0.0
        self.count = 0
        self.name = "body"

    def grow(self, d: float) -> None:
        for i in range(len(self.x)):
            self.x[i] += self.v[i] * d


@row.probe((Body(), 0.5), (Body(1), 2.0))
def attribute_arrays(body, d):
    for i in range(len(body.x)):
        body.x[i] += body.v[i] * body.k * d
    return body.x


@row.probe((Body(), A[:4]), (Body(4, 1), B[:4]))
def attribute_numbers(body, a):
    for i in range(len(a)):
        body.total += a[i]
        body.count += 1
    return body.total


@row.probe((Body(), 0.5), open="a rebound attribute that is returned too")
def attribute_is_rebound(body, d):
    for i in range(3):
        body.x = body.x + body.v * d
    return body.x


@row.probe((Body(), 0.5))
def through_a_method(body, d):
    for i in range(3):
        body.grow(d)


@row.probe((Body(), 0.5), open="an object returned")
def object_comes_back(body, d):
    for i in range(3):
        body.grow(d)
    return body


@row.probe((Body(), Body()), (Body(2), Body(3)))
def two_objects(p, q):
    for i in range(2):
        p.x[i] = q.x[i] + 1
        q.v[i] = p.x[i]


SHARED = Body()


@row.probe((SHARED, SHARED), answers=False)
def one_object_twice(p, q):
    for i in range(1, 4):
        p.x[i] = q.x[i - 1] + 1


@row.probe((SHARED, SHARED.x), answers=False)
def object_and_its_array(p, x):
    for i in range(1, 4):
        p.x[i] = x[i - 1] + 1


@row.probe(((A, B),), ([A, B],))
def arrays_in_a_tuple(pair):
    for i in range(len(pair[0])):
        pair[0][i] = pair[1][i] + 1


test_row = row.test()
test_share = row.share_test()


# ---------------------------------------------------------------- what isn't an argument


def captured_array(decorate):
    table = np.zeros(4)

    @decorate
    def f(a):
        for i in range(len(a)):
            table[i] += a[i]
        return table

    return f, lambda: table


def captured_and_passed(decorate):
    table = np.arange(4.0)

    @decorate
    def f(a):
        for i in range(1, len(a)):
            table[i] = a[i - 1] + 1
        return a

    return lambda a: f(table), lambda: table


def nonlocal_number(decorate):
    total = 0.0

    @decorate
    def f(a):
        nonlocal total
        for x in a:
            total += x
        return total

    return f, lambda: total


def nonlocal_array(decorate):
    state = np.zeros(4)

    @decorate
    def f(a):
        nonlocal state
        for i in range(3):
            state = state + a
        return state

    return f, lambda: state


def outer_list(decorate):
    seen = []

    @decorate
    def f(a):
        for x in a:
            seen.append(float(x))
        return len(seen)

    return f, lambda: seen


def method_writes_itself(decorate):
    body = Body()

    class Wrapped(Body):
        @decorate
        def step(self, a):
            for i in range(4):
                self.x[i] = self.x[i] * 0.5 + a[i]
                self.v[i] -= self.x[i]
            return self.x

    body = Wrapped()
    return body.step, lambda: (body.x, body.v)


def global_array(decorate):
    space = {"STATE": np.ones(4)}
    f = FunctionType(multiplies_global.__code__, space)
    return decorate(f), lambda: space["STATE"]


def multiplies_global(a):
    for i in range(len(a)):
        STATE[i] *= a[i]  # noqa: F821


@pytest.mark.parametrize(
    "make",
    [
        captured_array,
        captured_and_passed,
        nonlocal_number,
        nonlocal_array,
        outer_list,
        method_writes_itself,
        global_array,
    ],
)
def test_outside_of_the_arguments(make):
    both(make, (A[:4],), (A[2:6],), (B[:4],))


def test_captured_arrays_compile():
    for make in (captured_array, method_writes_itself, global_array):
        found = []

        def decorate(function, found=found):
            found.append(autovec(function, fallback="silent"))
            return found[-1]

        f, _ = make(decorate)
        f(A[:4].copy())
        assert found[0].report().blocked is None, make.__name__


def test_what_was_written_is_written_once():
    """A call that faults half way leaves what the original leaves, and no more."""

    def f(a, b, n):
        for i in range(len(a)):
            a[i] += 1
        for i in range(n):
            b[i] += a[i]

    g = autovec(f, fallback="silent")
    assert_same(g, A, B, 6)
    for _ in range(7):
        assert_same(g, A, B, 7)
    assert_same(g, A, B, 6)
