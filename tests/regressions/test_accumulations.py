"""Sums, products and extremes that a loop accumulates, under conditions, at places, of nothing."""

from __future__ import annotations

import numpy as np
import pytest

from tests.regressions import numbers, same

# ---------------------------------------------------------------- accumulations that read what they add to


def doubles_itself(a, k):
    for _ in range(k):
        a[:] += a[:]


def adds_its_size(a, k):
    for _ in range(k):
        a[1:] += np.abs(a[1:])


def element_doubles(a, k):
    for _ in range(k):
        a[0] += a[0] * 0.5


def rows_add_themselves(a, k):
    for _ in range(k):
        for i in range(a.shape[0]):
            a[i] += a[i]


@pytest.mark.parametrize("function", [doubles_itself, adds_its_size, element_doubles])
def test_accumulation_of_itself(function):
    same(function, (numbers(7), 3), (numbers(2), 5), (numbers(1), 1))


def test_accumulation_of_rows_of_itself():
    same(rows_add_themselves, (numbers(4, 3), 3), (numbers(1, 2), 2))


# ---------------------------------------------------------------- accumulations under conditions on what was accumulated


def takes_while_positive(a, t, k):
    for _ in range(k):
        if a[0] > 0.0:
            a[0] -= t


def halves_what_is_large(a, t, k):
    for _ in range(k):
        for j in range(len(a)):
            if a[j] >= t:
                a[j] *= 0.5


def adds_up_to_a_limit(a, t, k):
    s = 0.0
    for i in range(len(a)):
        if s < t:
            s += a[i]
        if a[i] > t or s > 1.0:
            s = max(s, 2.0 * a[i])
    return s


def largest_below_a_limit(a, b, at, t):
    for i in range(len(at)):
        if b[at[i]] < t:
            b[at[i]] = max(b[at[i]], a[i])


def marks_once(a, t, k):
    for i in range(len(a)):
        if a[k % len(a)] + a[i] > t:
            a[k % len(a)] = -9.0


def raised_to_a_constant(a, t, k):
    s, low, m = t, t, 1
    for _ in range(k):
        if 0.25 >= s:
            s = 0.25
        if low > 0.5 * 0.5:
            low = 0.25
    for _ in range(len(a)):
        if a[0] < 2.0:
            a[0] = 2.0
        if m < 3:
            m = 3
    return s, low, m


def test_accumulation_under_a_condition_on_itself():
    same(
        raised_to_a_constant, (numbers(5), 1.0, 3), (-numbers(2), 0.0, 2), (numbers(1), np.nan, 4), (numbers(3), 1.0, 0)
    )
    for function in (takes_while_positive, halves_what_is_large, adds_up_to_a_limit, marks_once):
        same(function, (np.abs(numbers(7)), 1.5, 4), (np.abs(numbers(2)), 0.5, 3), (np.array([1.0]), 1.5, 3))
    at = np.array([1, 3, 1, 3, 3, 0, 1])
    same(largest_below_a_limit, (numbers(7), numbers(7), at, 1.0), (numbers(7), -np.abs(numbers(7)), at, 0.5))


# ---------------------------------------------------------------- accumulations at a place that doesn't move


def scales_one_place(a, k):
    for _ in range(1, len(a)):
        a[k % len(a)] *= 0.5


def adds_to_one_place(a, x, k):
    for i in range(len(a)):
        a[k % len(a)] += x[i]


def subtracts_from_one_column(a, x, k):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            a[i, k % a.shape[1]] -= x[j]


def test_scatter_to_one_place():
    same(scales_one_place, (numbers(7), 3), (numbers(2), 5))
    same(adds_to_one_place, (numbers(7), numbers(7), 3), (numbers(2), numbers(2), 5))
    same(subtracts_from_one_column, (numbers(4, 3), numbers(3), 4), (numbers(1, 2), numbers(2), 0))


# ---------------------------------------------------------------- extremes of a number under conditions that have axes


def extreme_of_a_constant(a, q):
    s = 1.0
    for i in range(len(a)):
        for _ in range(i + 1):
            if q >= s:
                s = q
    return s


def extreme_of_outer(a, b):
    m = 0.0
    for i in range(len(a)):
        for j in range(i, len(a)):
            if b[j] > 0.0:
                m = max(m, a[i])
    return m


def test_extremes_of_fewer_axes():
    same(extreme_of_a_constant, (numbers(5), 2.0), (numbers(1), 0.5))
    same(extreme_of_outer, (numbers(5), numbers(5) + 0.5), (numbers(1), numbers(1)))


# ---------------------------------------------------------------- extremes and NaN


def largest_by_numpy(a, b):
    s = low = b[0]
    m = 0.0
    for i in range(len(a)):
        s = np.maximum(s, a[i])
        low = np.minimum(a[i] * b[i], low)
        for j in range(i):
            if b[j] > 0.0:
                m = np.maximum(m, a[i])
    return s, low, m


def largest_by_comparison(a, b):
    s, low, m, q = b[0], b[0], 0.0, 0.0
    for i in range(len(a)):
        if a[i] > s:
            s = a[i]
        low = a[i] if a[i] < low else low
        q = max(q, a[0])
        for j in range(i):
            if b[j] > 0.0:
                m = max(m, a[i])
    return s, low, m, q


def largest_in_places(a, b, at):
    for i in range(len(at)):
        a[at[i]] = np.maximum(a[at[i]], b[i])


def largest_of_rows(A):
    r = np.zeros(A.shape[0])
    for i in range(1, A.shape[0]):
        r[i] = A[i, :i].max() + np.min(A[:i, i])
        for j in range(A.shape[1]):
            r[0] = np.maximum(r[0], A[i, j])
    return r


def with_nan(*shape, at):
    a = numbers(*shape)
    a.flat[list(at)] = np.nan
    return a


def test_extremes_of_nan():
    calls = [((7,), (3,)), ((7,), (0,)), ((7,), (6, 0)), ((7,), ()), ((1,), (0,))]
    pairs = [(with_nan(*shape, at=at), numbers(*shape)) for shape, at in calls]
    pairs += [(numbers(*shape), with_nan(*shape, at=at)) for shape, at in calls]
    same(largest_by_numpy, *pairs)
    same(largest_by_comparison, *pairs)
    same(largest_in_places, *((a, b, np.arange(len(a)) // 2) for a, b in pairs))
    same(largest_of_rows, *((with_nan(4, 4, at=at),) for at in [(), (4,), (8, 7), (3,), (15, 1)]))


# ---------------------------------------------------------------- bits over several axes


def bits(c, A):
    s = q = 0
    n = len(c)
    for i in range(n):
        for j in range(n, i, -1):
            c |= j
        for j in range(n):
            s |= A[i, j]
            q ^= A[j, i] + j
    return s, q


def test_bits_over_several_axes():
    same(bits, *((np.arange(n), np.arange(n * n).reshape(n, n) - 3) for n in (1, 2, 4)))


# ---------------------------------------------------------------- sums of lists that grow


def appends_its_sum(a):
    out = [0.5]
    for i in range(len(a)):
        out.append(sum(out) * a[i])
    out.append(sum(out))
    return out


def test_sums_of_growing_lists():
    same(appends_its_sum, (numbers(1),), (numbers(5),))


# ---------------------------------------------------------------- infinities among complex numbers


def adds_one_term(c, b, k):
    for _ in range(k):
        c += b


def test_repeated_complex_term():
    b = np.array([np.inf, 0.5, -np.inf, np.nan])
    same(adds_one_term, (numbers(4) * 1j, b, 3), (numbers(4) * 1j, np.array([complex(0.0, x) for x in b]), 2))


# ---------------------------------------------------------------- terms that are the same in all of no iterations


def infinite_times_nothing(a, t):
    for _ in range(2, len(a)):
        a[:] += t


def extreme_of_nothing(a, t):
    m = 0.0
    for _ in range(len(a) - 1):
        m = max(m, t)
    return m


def flags_of_nothing(a, t):
    found = False
    for _ in range(len(a) - 1):
        found = found or t > 0.0
    return found


def least_int_of_nothing(a, k):
    m = 7
    for i in range(len(a) - 2):
        m = min(m, a[i])
    return m


def test_terms_of_nothing():
    same(infinite_times_nothing, (numbers(2), np.inf), (numbers(1), -np.inf), (numbers(4), np.inf))
    for function in (extreme_of_nothing, flags_of_nothing):
        same(function, (numbers(1), 2.0), (numbers(3), 2.0), (numbers(2), -1.0))
    ints = np.array([3, -2, 5, 0])
    same(least_int_of_nothing, (ints, 0), (ints[:2], 0), (ints[:1], 0))


# ---------------------------------------------------------------- any and all stop where Python does, writes and all


def any_that_writes(a, t):
    def halved(k):
        a[k] *= 0.5
        return a[k]

    return any(halved(k) > t for k in range(len(a)))


def all_that_appends(a, t):
    seen = []

    def noted(k):
        seen.append(k)
        return a[k] < t

    holds = all(noted(k) for k in range(len(a)))
    return holds, seen


def test_any_and_all_stop_at_the_element_that_decides():
    for t in (-9.0, 0.2, 9.0):
        same(any_that_writes, (numbers(6), t))
        same(all_that_appends, (numbers(6), t))


# ---------------------------------------------------------------- an extreme of nothing is none, also of one number


def least_of_one_number(m, a, k, n, q, t):
    for i in range(1, n, 2):  # noqa: B007
        _ = q + t > 0.0
        if np.maximum(0.0, 0.5) < q:
            q = np.maximum(0.0, 0.5)
    else:
        for i in range(2, n):
            a[i - 2], a[k % n] = (a[k % n], a[i - 2])
            m[n - 1 - i + 1, -i - 1] *= 0.5
            m[k % n, i - 1] += a[n - 1 - i + 2]
        else:
            q += np.exp(-abs(0.5 * -1.0))
    return q


def most_of_one_number(m, n, q):
    for _ in range(n, 0, -1):
        q = np.maximum(q, m[0])
    return q


def test_an_extreme_of_an_empty_box_is_none():
    for n in (1, 5, 2):
        ones = (numbers(1, 1), numbers(1), 1, 1, 1.5, 1.0)
        same(least_of_one_number, (numbers(n, n), numbers(n), 1, n, 1.5, 1.0), ones)
        same(most_of_one_number, (numbers(6), n, -9.0), (numbers(6), 0, -9.0))


# ---------------------------------------------------------------- booleans, as often as a loop runs that they don't know


def booleans_as_often(a, k, t):
    q, p, r, u = False, True, np.bool_(True), a[0] > 1.0
    z, w = np.zeros(2, bool), np.ones(2, bool)
    for _ in range(k):
        q ^= bool(t > 1.0)
        p &= t > 0.0
        r = r & (t > 0.0)
        u = u ^ (t > 0.0)
        z[0] += t > 0.0
        w[1] *= t > 0.0
        z[1] ^= t > 1.0
    return q, p, r, u, z, w


def test_booleans_as_often_as_a_loop_runs():
    same(booleans_as_often, *((numbers(3), k, t) for k in (3, 2, 0, 1) for t in (2.0, 0.5, -1.0)))


# ---------------------------------------------------------------- extremes of rows and of parts of lists


def extremes_of_rows(LL, L, t):
    made = [[t * i - j for j in range(3)] for i in range(len(L))]
    s = 0.0
    for i in range(len(LL)):
        s += max(LL[i]) - min(LL[-1]) + max(L[1:]) + min(L[:-1]) * 0.5 + max(made[i]) + min(made[i + 1][1:])
        LL[i][0] = max(made[0]) - max(LL[i])
    return s


def test_extremes_of_rows():
    same(extremes_of_rows, *(([[1.0, 2.0, 7.0], [3.0, -1.0, 0.0]], [5.0, 1.0, 3.0, -2.0], t) for t in (1.5, -2.0)))


def multiplies_by_real_numbers(b, A):
    for i in range(len(b)):
        for j in range(A.shape[1]):
            b[max(0, i - 1) : i + 2] *= A[i, j] * 3


def product_of_complex_numbers(b, A):
    p = 1.0 + 0.0j
    for i in range(len(b)):
        p *= b[i]
        b[0] *= A[i, 0]
    return p


def test_products_with_complex_infinities():
    b = (numbers(4) + 1j * numbers(4)[::-1]).copy()
    A = numbers(4, 2)
    unlike = np.array([[1.0, np.inf], [2.0, -1.0], [-np.inf, 0.5], [0.0, 3.0]])
    for fn in (multiplies_by_real_numbers, product_of_complex_numbers):
        same(fn, (b, A), (b, unlike), (b * np.array([1, np.inf, 1, 1]), unlike[::-1].copy()))


def whole_slices_to_a_number(b, A):
    for i in range(A.shape[1]):
        for _ in range(A.shape[1] - 1, i, -1):
            A[:, i] = 2
        A[0, 1] = A[0, i] + 1
        for j in range(i):
            if b[j] > 0:
                A[:2, i] = -1
        A[1, i] += A[0, 1]


def test_slices_that_a_loop_sets():
    for kind in (float, np.float32, np.int32, complex):
        same(
            whole_slices_to_a_number, (numbers(4), numbers(3, 4).astype(kind)), (numbers(2), numbers(3, 2).astype(kind))
        )
