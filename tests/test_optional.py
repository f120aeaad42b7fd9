"""Names that are None until something is found, functions that return None when nothing is."""

from __future__ import annotations

import numpy as np
import pytest

from autovec import autovec
from tests.same import assert_same

X = np.array([0.3, 2.5, -1.0, 2.5, np.nan, 0.0])
Y = np.array([3, -2, 0, 7, 7, 1])
NOTHING = X[:0]
PROGRAMS = []


def program(*calls):
    def add(function):
        PROGRAMS.append(pytest.param(function, calls, id=function.__name__))
        return function

    return add


@program((X,), (X[:1],), (NOTHING,), (Y,))
def smallest(x):
    best = None
    for v in x:
        if best is None or v < best:
            best = v
    return best


@program((X, 1.0), (X, 9.0), (NOTHING, 0.0), (Y, 6.5))
def first_above(x, t):
    for i in range(len(x)):
        if x[i] > t:
            return i
    return None


@program((X, 1.0), (X, 9.0), (NOTHING, 0.0))
def first_above_falls_off_the_end(x, t):
    for i, v in enumerate(x):
        if v > t:
            return i, v


@program((X, 1.0), (X, 9.0), (Y, 0))
def found_index_is_used(x, t):
    found = None
    for i in range(len(x)):
        if x[i] > t:
            found = i
            break
    if found is None:
        return -1.0
    return x[found] * 2


@program((X,), (Y,), (NOTHING,))
def differences(x):
    previous = None
    total = 0.0
    for v in x:
        if previous is not None:
            total += abs(v - previous)
        previous = v
    return total, previous


@program((Y, 2), (Y, 100), (Y[:1], 0))
def reset_in_the_loop(x, limit):
    start = None
    longest = 0
    for i in range(len(x)):
        if x[i] > limit:
            if start is None:
                start = i
        else:
            if start is not None and i - start > longest:
                longest = i - start
            start = None
    if start is not None:
        longest = max(longest, len(x) - start)
    return longest, start


@program((X, 1.0), (X, -9.0), (X, 9.0))
def truth_of_what_may_be_none(x, t):
    last = None
    for v in x:
        if v > t:
            last = v
    if last:
        return 1
    if not last:
        return 2
    return 3


@program((X.reshape(2, 3), 0.0), (X.reshape(2, 3), 9.0))
def in_a_nest(a, t):
    best = None
    where = None
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            if a[i, j] > t and (best is None or a[i, j] > best):
                best = a[i, j]
                where = j
    return best, where


def position(x, t):
    for i in range(len(x)):
        if x[i] == t:
            return i
    return None


@program((Y, np.array([7, 3, 8])), (Y, np.array([1])))
def helper_that_finds_nothing(x, wanted):
    out = np.zeros(len(wanted))
    for k in range(len(wanted)):
        at = position(x, wanted[k])
        if at is None:
            out[k] = -1
        else:
            out[k] = at
    return out


@program((X, 1.0), (X, 9.0))
def used_as_a_number_it_raises(x, t):
    best = None
    for v in x:
        if v > t:
            best = v
    return best + 1


@program((X, True), (X, False))
def none_by_a_branch(x, flag):
    scale = None
    if flag:
        scale = 2.0
    s = 0.0
    for v in x[:4]:
        s += v if scale is None else v * scale
    return s


@program((X,))
def stays_none(x):
    nothing = None
    s = 0.0
    for v in x[:3]:
        nothing = None
        s += v
    return nothing, s


@program((X, 0.2), (X, 5.0))
def value_or_default(x, t):
    best = None
    for v in x:
        if v > t:
            best = v
            break
    return best if best is not None else -1.0


@program((X,), (X[:1],), (NOTHING,))
def best_pair(x):
    best = None
    for i, v in enumerate(x):
        if best is None or v < best[1]:
            best = (i, v)
    return best


@program((X, 0.0), (X, 9.0))
def pair_unpacked(x, t):
    where = last = None
    for i in range(len(x)):
        if x[i] > t:
            where = (i, i + 1)
            last = x[i]
    if where is None:
        return -1, last
    i, j = where
    return i * j, last


@program((X, 1.0), (Y, 1.5))
def of_another_kind_where_it_continues(x, t):
    w = None
    s = 0.0
    for v in x:
        w = t
        s += w
        if v < 2.0:
            w = v * 2
            continue
    return s, w


@program((X, 5), (X, 0))
def descent(x, steps):
    w = 0.0
    best = None
    for _ in range(steps):
        loss = 0.0
        for v in x[:4]:
            loss += (w - v) ** 2
        w -= 0.1 * loss
        if best is None or loss < best[1]:
            best = (w, loss)
    return w, best


@pytest.mark.parametrize(("function", "calls"), PROGRAMS)
def test_program(function, calls):
    f = autovec(function, fallback="silent")
    for args in calls:
        assert_same(f, *args)
    assert f.report().blocked is None, f.report()
    assert {str(loop.status) for loop in f.report().loops} <= {"VECTORIZED", "SEQUENTIAL"}


def test_nothing_found_is_no_fault():
    f = autovec(first_above, fallback="error")
    for _ in range(8):
        assert f(X, 9.0) is None
    assert not f._dispatch.variants[0].withdrawn and not f._dispatch.variants[0].faults


def test_under_a_trace_the_value_comes_with_whether_there_is_one():
    f = autovec(smallest)
    value, found = f.jax(X[:3])
    assert value == -1.0 and found


def unbound_or_none(a, t):
    s = 0.0
    for v in a:
        s += v
    if s > t:
        x = 1.0
    if s > t + 5.0:
        x = None
    return x


def test_what_may_be_unbound_is_not_none():
    f = autovec(unbound_or_none, fallback="silent")
    for t in (0.0, -9.0, 100.0):
        assert_same(f, np.ones(3), t)


def pair_or_none_and_a_number(x, target):
    for i in range(len(x)):
        for j in range(i + 1, len(x)):
            if x[i] + x[j] == target:
                return i, j
    return None, target


def pairs_in_a_triple(x, target):
    for i in range(len(x)):
        if x[i] == target:
            return i, (i, x[i] * 1.5), i + 1
    return 7, None, target


def none_in_one_of_three(x, target):
    for i in range(len(x)):
        if x[i] == target:
            return (i, 1.5), True
        if x[i] > target + 2:
            return None, False
    return (0, 0.5), False


def test_none_in_one_place_of_a_result():
    x = np.array([3, 1, 2, 5])
    for fn in (pair_or_none_and_a_number, pairs_in_a_triple, none_in_one_of_three):
        f = autovec(fn, fallback="silent")
        for target in (7, 1, 100, 0):
            assert_same(f, x, target)
        assert f.report().blocked is None
