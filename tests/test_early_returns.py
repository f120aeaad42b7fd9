"""Returns and raises before, inside and after loops: what was returned first is the result."""

from __future__ import annotations

import numpy as np
import pytest

from autovec import autovec
from tests.generator.check import internal
from tests.same import assert_same

X = np.array([3.0, 1.0, 4.0, 1.0, 5.0, 9.0])


def guarded_search(a, k):
    if k < 0:
        return -2
    for i in range(len(a)):
        if a[i] == k:
            return i
    return -1


def several_guards(a, k):
    if len(a) == 0:
        raise ValueError("nothing")
    if k > 50:
        return -3, 0.0
    if a[0] < 0:
        return 0, a[0]
    for i in range(len(a)):
        if a[i] == k:
            return i, a[i]
    return -1, 0.0


def prime(a, k):
    if k < 2:
        return False
    d = 2
    while d * d <= k:
        if k % d == 0:
            return False
        d += 1
    return True


def falls_off_the_end(a, k):
    if k < 0:
        return -2
    for i in range(len(a)):
        if a[i] == k:
            return i


def loop_and_else(a, k):
    if k < 0:
        return -2
    for i in range(len(a)):
        if a[i] == k:
            return i
    else:
        return -1


def two_searches(a, k):
    if k < 0:
        return -2
    for i in range(len(a)):
        if a[i] == k:
            return i
    for i in range(len(a) - 1):
        if a[i] + a[i + 1] == k:
            return 100 + i
    t = a[0] + 1
    return t


def pair(a, k):
    if k == 0:
        return None
    for i in range(len(a)):
        for j in range(i + 1, len(a)):
            if a[i] + a[j] == k:
                return i, j
    return None


def in_the_other_branch(a, k):
    if k < 0:
        t = 1
    elif k < 20:
        for x in a:
            if x == k:
                return x
        return -1.0
    else:
        t = 2
    return t * 0.5


def in_an_inner_function(a, k):
    def found(v):
        if v < 0:
            return -2
        for i in range(len(a)):
            if a[i] == v:
                return i
        return -1

    return [found(k + d) for d in range(3)], found(k)


def in_a_loop(a, k):
    for r in range(3):
        if k < 0:
            return -r - 2
        for i in range(len(a)):
            if a[i] == k + r:
                return 10 * r + i
    return -1


def sums_afterwards(a, k):
    if k < 0:
        return 0.0
    for x in a:
        if x == k:
            return x
    s = 0.0
    for x in a:
        s += x
    return s


@pytest.mark.parametrize(
    "function",
    [
        guarded_search,
        several_guards,
        prime,
        falls_off_the_end,
        loop_and_else,
        two_searches,
        pair,
        in_the_other_branch,
        in_an_inner_function,
        in_a_loop,
        sums_afterwards,
    ],
)
def test_what_was_returned_first_is_the_result(function):
    f = autovec(function, fallback="silent")
    for k in (5, -1, 1, 7, 0, 14, 99, 3):
        assert_same(f, X, k)
    assert_same(f, X[:1], 3)
    assert f.report().blocked is None, f.report().blocked


def nothing_for_an_array(a, k):
    held = np.zeros(len(a))
    for i in range(len(a)):
        if a[i] == k:
            return None, i
        held[i] = a[i]
    return held, i


def a_text_for_a_row(a, k):
    for i in range(len(a)):
        if a[i] == k:
            return a[:2], i
    return "none", i


def nothing_for_a_pair(a, k):
    for i in range(len(a)):
        if a[i] == k:
            return None, i
    return (None, 1), i


def the_argument_before_it_is_rebound(a, k):
    for i in range(3):
        if a[i] == k:
            return a
        a = a / 2
    return a


def one_array_twice(a, k):
    first, second = np.zeros(3), np.ones(3)
    for i in range(3):
        if a[i] == k:
            return first, first
        first[i] = a[i]
    return first, second


@pytest.mark.parametrize(
    "function",
    [nothing_for_an_array, a_text_for_a_row, nothing_for_a_pair, the_argument_before_it_is_rebound, one_array_twice],
)
def test_each_return_has_its_own_result(function):
    f = autovec(function, fallback="silent")
    for k in (1, 3, 77, 4):
        assert_same(f, X, k)
    assert internal(f) is None


def appended_under_conditions(a, n):
    out = []
    for dr, dc in ((0, 1), (1, 0), (0, -1)):
        for j in range(n):
            if a[j] > 3:
                break
            out.append(j + dr)
            if a[j] > 1:
                out.append(dc)
    return out, len(out)


def appended_in_a_comprehension(a, n):
    return [v + j for v in (1, 2.5, 0) for j in range(n) if a[j] < 4]


def test_lists_have_room_for_every_round():
    for function in (appended_under_conditions, appended_in_a_comprehension):
        f = autovec(function, fallback="silent")
        for n in (3, 1, 6, 0):
            assert_same(f, np.arange(6.0), n)
