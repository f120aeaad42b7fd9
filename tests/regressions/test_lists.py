"""Lists that grow: how long they are, in which loops, of what."""

from __future__ import annotations

import math

import numpy as np
import pytest

from autovec import autovec
from tests.generator.check import internal
from tests.regressions import numbers, same
from tests.same import assert_same

# ---------------------------------------------------------------- lists whose length an int argument decides


def filtered_by_an_argument(a, k):
    return [a[i] for i in range(len(a)) if k < 0.5 and i > 2]


def bounded_by_an_argument(a, k):
    return [a[i] + a[j] for i in range(len(a)) for j in range(i + 1, len(a)) if j > k]


def test_length_by_an_argument():
    for function in (filtered_by_an_argument, bounded_by_an_argument):
        same(function, (numbers(7), 0), (numbers(7), 3), (numbers(5), 1))


def one_iteration_skips(a, b, k):
    n = len(a)
    s = 1
    for i in range(n):
        if i == 0:
            if b[-i - 1] > k or b[i] > 0.0:
                continue
            s = s * 3
        a[i] += b[n - 1 - i]
    return s


def one_iteration_sets(a, b):
    for i in range(len(a)):
        x = b[i]
        if i == len(a) - 1:
            x = 2.0 * b[0]
        a[i] = x


def one_iteration_adds(a, b):
    for i in range(len(a)):
        if i == 0:
            a[i] += b[0]
    a[i] -= 1.0
    for j in range(len(b)):
        if j == len(b) - 1:
            b[j] = a[0]
            b[0] += b[j]
    b[j] += 1.0
    b[0] *= 2.0


def test_what_one_iteration_stores():
    same(one_iteration_adds, *((numbers(n), numbers(n)) for n in (1, 2, 5)))


def test_values_of_one_iteration():
    for n in (1, 2, 5):
        same(one_iteration_skips, (numbers(n), numbers(n), 1.0), (numbers(n), np.abs(numbers(n)) + 1.0, 0.0))
        same(one_iteration_sets, (numbers(n), numbers(n)))


def none_at_one_place(a, k, t):
    n = a.shape[0]
    for _ in range(1, n):
        a[k % n, k % n] = t


def last_from_the_front(a, b, k):
    for _ in range(k):
        a[-1, 0] *= -1.0
        b[-1] -= a[0, -1]


def test_axes_of_one():
    same(none_at_one_place, (numbers(1, 1), 3, 0.5), (numbers(3, 3), 3, 0.5))
    same(last_from_the_front, (numbers(1, 1), numbers(1), 3), (numbers(3, 3), numbers(3), 3))


# ---------------------------------------------------------------- lists that grow in loops that stay loops


def grows_in_a_while(a, k):
    out = []
    i = 0
    while i < k:
        out.append(a[i])
        i += 1
    return out


def test_list_that_grows_in_a_while():
    f = autovec(grows_in_a_while, fallback="silent")
    assert_same(f, numbers(5), 3)
    blocked = f.report().blocked
    assert internal(f) is None and (blocked is None or blocked.code.value == "dynamic-shape")


# ---------------------------------------------------------------- kinds of extremes within extremes


def least_of_greatest(a, q, k):
    s = 1.0
    for i in range(len(a)):
        s = max(min(q / a[i], s - s), s)
    return s


def chosen_extreme(a, t, k):
    s = 0
    for i in range(len(a)):
        s = min((max(k, 0.5) if i < 2 else t - k), s)
    return s


def extreme_kept(a, t, k):
    s = k
    for i in range(len(a)):
        if a[i] > 3.5:
            s = max(s, (a[i] if t > 0.5 else k))
    return s, max(s, t, k), min(k, max(s, 1), t)


@pytest.mark.parametrize("function", [least_of_greatest, chosen_extreme, extreme_kept])
def test_kinds_of_extremes(function):
    f = autovec(function, fallback="silent")
    for args in ((numbers(7), 1, 0), (numbers(7), 0.0, 2), (numbers(2), 0.5, -1), (numbers(5), -2.0, 1)):
        assert_same(f, *args)
    assert internal(f) is None


# ---------------------------------------------------------------- constants that compare equal


def other_zero(x, n):
    s, q, z, p, c = 0, 0.0, 0.0, (1, 2), True
    for _ in range(n):
        x[0] *= 0.5
    else:
        if x[1] < q:
            q = s // 2
        if x[1] < 1.0:
            z = -0.0
            c = 1
        if x[0] > 1.0:
            p = (1.0, 2)
    return q, math.copysign(1.0, z), p, c


def test_constants_that_compare_equal():
    same(other_zero, (np.array([1.0, 2.0]), 4), (np.array([9.0, 0.5]), 2), (np.array([3.0, -2.0]), 0))


# ---------------------------------------------------------------- a list for each iteration, appended to on both ways


def made_positive(v):
    r = []
    for e in v:
        if e > 0.0:
            r.append(e)
        else:
            r.append(-e)
    return r


def list_in_each_iteration(a, b):
    s = 0.0
    for i in range(len(a)):
        r = []
        for e in b:
            if e > a[i]:
                r.append(e)
            else:
                r.append(-e)
        s += sum(r) + sum(made_positive(b)) * i
        for e in made_positive(a):
            s += e * 0.5
    return s


def test_a_list_for_each_iteration():
    same(list_in_each_iteration, (numbers(4), numbers(6)), (numbers(2), numbers(1)))
