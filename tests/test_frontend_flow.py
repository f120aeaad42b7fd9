"""Leaving loops and functions: return, break, continue, else, raise, match, at any depth."""

import math

import numpy as np
import pytest

from autovec import autovec
from tests.same import assert_same


def compiled(fn, *args):
    """The function does what the original does, and is compiled."""
    f = autovec(fn, fallback="silent")
    assert_same(f, *args)
    report = f.report()
    assert report.blocked is None, report.blocked.construct if report.blocked else ""
    assert all(str(loop.status) != "FALLBACK" for loop in report.loops)


def first_negative(x):
    for i in range(len(x)):
        if x[i] < 0:
            return i
    return -1


def first_pair(x, t):
    for i in range(len(x)):
        for j in range(i + 1, len(x)):
            if x[i] + x[j] > t:
                return i, j
    return -1, -1


def value_or_index(x, t):
    for i in range(len(x)):
        if x[i] > t:
            return x[i]
    return 0


def row_found(a, t):
    for i in range(a.shape[0]):
        if a[i, 0] > t:
            return a[i] * 2.0
    return a[0] * 0.0


def early_then_more(x, t):
    for v in x:
        if v > t:
            return 1.0
    s = 0.0
    for v in x:
        s += v
    if s > 0:
        return s
    s -= 1.0
    for v in x:
        s += v * v
    return s


def or_none(x, t):
    for i in range(len(x)):
        if x[i] > t:
            return i
    return None


def found_else(x, t):
    for i in range(len(x)):
        if x[i] > t:
            break
    else:
        return -1, 0.0
    return i, x[i]


def counted_else(x, t):
    c = 0
    for v in x:
        if v > t:
            break
        c += 1
    else:
        c = -c
    return c


def while_else(x, t):
    i = 0
    while i < len(x):
        if x[i] > t:
            break
        i += 1
    else:
        i = -1
    return i


def while_true(x, t):
    i = 0
    while True:
        i += 1
        if i >= len(x):
            return -1
        if x[i] > t:
            return i


def continue_in_the_middle(x):
    s = 0.0
    for v in x:
        if v < 0:
            if v < -1:
                continue
            s += 1.0
        s += math.sqrt(abs(v))
    return s


def continue_in_while(x):
    i = 0
    s = 0.0
    while i < len(x):
        i += 1
        if x[i - 1] > 0.5:
            if x[i - 1] > 1.0:
                continue
            s += 2.0
        s += x[i - 1]
    return s


def break_deep(x, t):
    s = 0.0
    for v in x:
        if v > 0:
            if v > t:
                s += 100.0
                break
            s += v
        s += 1.0
    return s


def separate_values(x):
    s = 0.0
    for k in (1, 2, 3):
        if x[k] > 1.0:
            s = -k
            break
        if x[k] < -1.0:
            continue
        s += x[k] * k
    return s + 0.5


def separate_values_else(x):
    for k in (1, 2, 3):
        if x[k] > 1.0:
            return k
    else:
        r = 7
    return r


def loops_in_separate_values(x):
    out = 0.0
    for scale in (1.0, 10.0):
        for v in x:
            if v * scale > 5.0:
                return v
            out += v * scale
    return out


def raise_inside(x, t):
    s = 0.0
    for v in x:
        if v > t:
            raise ValueError("too large")
        elif v < -t:
            s -= 1.0
        else:
            s += v
    return s


def asserts(x):
    s = 0.0
    for v in x:
        assert v == v, "nan"
        s += v
    return s


def by_match(codes, x):
    s = 0.0
    for i in range(len(x)):
        match codes[i]:
            case 0:
                s += x[i]
            case 1 | 2:
                s -= x[i]
            case _ if x[i] > 0:
                s += 10.0
            case _:
                continue
        s += 0.25
    return s


def product_break(a, t):
    import itertools

    s = 0.0
    for i, j in itertools.product(range(a.shape[0]), range(a.shape[1])):
        if a[i, j] > t:
            break
        s += a[i, j]
    return s


def last_variable(x, t):
    for v in x:
        if v > t:
            break
    return v


def collatz(n, bonus):
    count = 0
    while True:
        if n == 1:
            count += bonus[n]
            return count
        if n % 2 == 0:
            n //= 2
        else:
            n = 3 * n + 1
        count += 1


def calls_collatz(starts, bonus):
    total = 0
    for n in starts:
        total += collatz(n, bonus)
    return total


def sign(v):
    if v > 0:
        return 1.0
    if v < 0:
        return -1.0
    return 0.0


def first_of(row, t):
    for v in row:
        if v > t:
            return v
    return t


def helpers(a, t):
    out = np.zeros(len(a))
    for i in range(len(a)):
        out[i] = sign(a[i, 0]) + first_of(a[i], t)
    return out


X = np.array([0.1, -0.4, 0.7, 1.5, -1.2, 0.3, 2.5, -0.1])
SEARCHES = [first_negative, continue_in_the_middle, continue_in_while, separate_values, separate_values_else]
SEARCHES += [loops_in_separate_values, asserts]
THRESHOLDS = [first_pair, value_or_index, early_then_more, found_else, counted_else, while_else, while_true]
THRESHOLDS += [break_deep, last_variable]


@pytest.mark.parametrize("fn", SEARCHES)
def test_of_one_array(fn):
    compiled(fn, X)
    compiled(fn, np.abs(X))
    compiled(fn, -np.abs(X))
    compiled(fn, X[:4])


@pytest.mark.parametrize("fn", THRESHOLDS)
@pytest.mark.parametrize("t", [-5.0, 0.5, 2.0, 99.0])
def test_of_an_array_and_a_threshold(fn, t):
    compiled(fn, X, t)


@pytest.mark.parametrize("t", [-5.0, 0.5, 2.0, 99.0])
def test_none_is_answered_by_the_original(t):
    compiled(or_none, X, t)


@pytest.mark.parametrize("t", [-5.0, 0.5, 99.0])
def test_rows(t):
    a = np.arange(12.0).reshape(4, 3) / 3
    compiled(row_found, a, t)
    compiled(product_break, a, t)
    compiled(helpers, a, t)


def test_raise_inside():
    compiled(raise_inside, X, 9.0)
    assert_same(autovec(raise_inside, fallback="silent"), X, 1.0)


def test_match_on_numbers():
    compiled(by_match, np.array([0, 1, 2, 3, 4, 0, 1, 9]), X)


def test_while_true_in_a_helper():
    compiled(calls_collatz, np.arange(1, 12), np.array([0, 5]))


def sum_of_positive(x):
    s = 0.0
    for v in x:
        if v < 0:
            continue
        s += v
    return s


def last_positive(x):
    for v in x:
        if v < 0:
            continue
        last = v
    return last


@pytest.mark.parametrize("fn", [sum_of_positive, last_positive])
def test_a_round_that_is_left_keeps_what_was(fn):
    compiled(fn, X)
    assert_same(autovec(fn, fallback="silent"), -np.abs(X))


def defined_late(x):
    total = 0.0
    for i, v in enumerate(x):
        if i > 0:
            total += v * last  # noqa: F821
        last = v  # noqa: F841
    return total


def run_lengths(x):
    longest = 0
    for i in range(len(x)):
        if x[i] > 0 and (i == 0 or not x[i - 1] > 0):
            length = 1
        elif x[i] > 0:
            length += 1
        if x[i] > 0 and length > longest:
            longest = length
    return longest


def late_in_nested(a):
    out = np.zeros(len(a))
    for i in range(len(a)):
        odd = 0
        for j in range(a.shape[1]):
            if a[i, j] > 1.0:
                cross = a[i, j] * 2.0
            if a[i, j] > 0.5 and (j > 99 or cross > 3.0):
                odd += 1
        out[i] = odd
    return out


def shadowed_by_a_nested_function(x):
    def half(sigma):
        return sigma * 0.5

    out = np.zeros(len(x))
    for i in range(len(x)):
        sigma = 1.0
        for _ in range(3):
            sigma = half(sigma) + x[i]
            if sigma > 1.5:
                break
        out[i] = sigma
    return out


@pytest.mark.parametrize("fn", [defined_late, run_lengths, shadowed_by_a_nested_function])
def test_names_bound_late(fn):
    compiled(fn, X)
    compiled(fn, -X)


def test_names_bound_late_in_nests():
    compiled(late_in_nested, np.arange(12.0).reshape(3, 4) + 1.0)
    assert_same(autovec(late_in_nested, fallback="silent"), np.arange(12.0).reshape(3, 4) / 8)


def always_in_part(x, t):
    s = 0.0
    for i in range(len(x)):
        if i >= 0 and 0.5 > 1:
            s += 100.0
        if i >= 0 and t > 1:
            s += 10.0
        if 0 <= i < len(x) and (x[i] > t or i == 2):
            s += x[i]
        if i >= 0 and i < len(x):
            s += 1.0
    for i in range(1):
        if i == 0 and x[i] > t:
            s += 1000.0
    return s


def test_a_condition_of_which_only_a_part_always_holds():
    compiled(always_in_part, X, 0.5)
    compiled(always_in_part, X, -9.0)
    compiled(always_in_part, X, 2.0)


def of_another_length_in_the_else(m, t):
    for i in range(len(m)):
        if m[i].sum() > t:
            found = m[i] * 2
            break
    else:
        found = np.zeros(2)
    return found, i


def of_another_length_in_a_branch(m, t):
    for i in range(len(m)):
        if m[i].sum() > t:
            found = m[i] * 2
    if m[0, 0] < t:
        found = m[:, 0] + 1
    return found


def test_names_bound_to_arrays_of_other_lengths_after_a_loop():
    m = np.arange(12.0).reshape(3, 4)
    for fn in (of_another_length_in_the_else, of_another_length_in_a_branch):
        f = autovec(fn, fallback="silent")
        for t in (5.0, 99.0, -1.0):
            assert_same(f, m, t)
