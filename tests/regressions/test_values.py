"""Numbers, names and views: what an expression is, in which order, and of which kind."""

from __future__ import annotations

import math

import numpy as np
import pytest

from autovec import autovec
from tests.generator.check import internal
from tests.regressions import numbers, same
from tests.same import assert_same

# ---------------------------------------------------------------- numbers that a small dtype doesn't hold


def subtracts_numbers(A, B, k):
    for i in range(len(A), 0, -1):
        A += k * -1
        for _ in range(k):
            B -= i


def test_numbers_out_of_a_small_dtype():
    for dtype in (np.uint8, np.int8):
        calls = [(np.ones((n, n), dtype), np.ones((n, n), dtype), k) for n, k in [(1, 0), (1, 2), (3, 2), (2, 300)]]
        same(subtracts_numbers, *calls)


# ---------------------------------------------------------------- the order in which a statement's parts happen


def bump(a, i):
    a[i] += 1.0
    return a[i]


def before_a_later_argument(a, b):
    for i in range(len(a)):
        b[i] = np.minimum(a[i], bump(a, i))
        b[i] += max(a[i], bump(a, i), a[0])
        b[i] -= np.clip(a[i], -1.0, bump(a, 0))


def before_the_place(a, b):
    for i in range(len(a)):
        b[int(bump(a, 0)) % len(b)] = a[i] - a[0]
        b[i] += b[int(bump(a, i)) % len(b)]


def before_the_other_side(a, b):
    for i in range(len(a)):
        b[i] = (a[i] if a[i] > bump(a, i) - 1 else bump(a, 0)) + a[0]
        if -1 < a[i] < bump(a, i) < 2 + a[i]:
            b[i] -= a[i]
        if a[i] < 0 or bump(a, i) > 1 or bump(a, i) > a[i]:
            b[i] += 5


@pytest.mark.parametrize("function", [before_a_later_argument, before_the_place, before_the_other_side])
def test_order_within_a_statement(function):
    same(function, *((numbers(n), np.abs(numbers(n))) for n in (1, 3, 6)))


# ---------------------------------------------------------------- slices of views that run backwards


def all_but_the_first(a, t):
    v = a[::-1]
    s = 0.0
    for _ in range(len(a)):
        v[1:] = v[1:] * s + t
        s += v[1:].sum()
    return s


def first_and_last(a, t):
    v = a[::-1]
    for i in range(3):
        v[2:] = t + i
        v[:2] -= t
        v[:-2] += 0.5


def backwards_twice(a, t):
    v = a[::-1][1:][::-1]
    s = 0.0
    for _ in range(3):
        v[2:] += s
        s += v[::-1][1:].sum() + v[-2:].sum()
        v[:-2] *= t
    return s


def shifted_backwards(a, t):
    n = len(a)
    for _ in range(n):
        a[::-1][1:] = a[: n - 1] + t
    return a[::-1][1:].sum()


@pytest.mark.parametrize("function", [all_but_the_first, first_and_last, backwards_twice, shifted_backwards])
def test_slices_of_backwards_views(function):
    for sizes in ((5, 2, 3, 1), (2, 5, 1), (1, 3, 2)):
        same(function, *((numbers(n), 0.5) for n in sizes))


# ---------------------------------------------------------------- slices downwards whose ends lie outside


def downwards(a, b, k, e):
    n = len(a)
    s = 0.0
    for _ in range(k):
        a[:-3:-1] -= b[:-3:-1]
        a[-2::-2] += 1.0
        b[-3:-1:-1] = 7.0
        s += b[-2::-2].sum() + b[:-9:-1].sum() * 0.5 + b[9::-1].sum() + b[9:-9:-1].sum() - b[e::-1].sum()
        b[:n:-1] += 1.0
        b[n::-1] *= 0.5
        b[n : -n - 1 : -1] += a[::-1]
    return s


def test_slices_downwards():
    vectors = [numbers(9)[:n] for n in (5, 3, 2, 1, 0)]
    for order in (vectors, vectors[::-1]):
        same(downwards, *((v.copy(), v * 2.0, 2, e) for v in order for e in (0, len(v), -1, -7)))


# ---------------------------------------------------------------- views of all there is


def all_of_it(a, A):
    v = a[:]
    s = 0.0
    for x in v:
        s += x
    return s, v, A.T.T, a


def all_of_it_or_it(a, A):
    s = 0.0
    for x in a:
        s += x
    v = a if s > 0.0 else a[:]
    return s, v


def one_view_twice(a, A):
    v = a[1:]
    v[:] += 1.0
    for x in a:
        v[0] += x
    return v, v


def view_from_within(a, A):
    for i in range(len(a)):
        if a[i] > 0.5:
            return i, a[:], A
    return -1, a, A[:]


def test_views_of_all_there_is():
    same(all_of_it, (numbers(4), numbers(3, 3)))
    for function in (all_of_it_or_it, one_view_twice, view_from_within):
        f = autovec(function, fallback="silent")
        for a in (numbers(4), np.abs(numbers(4)), -np.abs(numbers(3))):
            assert_same(f, a, numbers(3, 3))
        assert internal(f) is None


# ---------------------------------------------------------------- index arrays beside other subscripts


def side_by_side(A, T, ia, ib):
    s = 0.0
    for i in range(len(ia)):
        A[ia, ib] = i + 0.5
        s += A[ib, ia].sum() + A[np.arange(len(ia)), ia][i]
        T[i, ia, ib] = T[ia, i, ib] + T[ia, ib, i] * 0.5
    return s


def beside_a_new_axis(A, T, ia, ib):
    s = 0.0
    for i in range(len(ia)):
        s += A[i, None, ia][1, 0]
    return s


def array_first(A, T, ia, ib):
    s = 0.0
    for i in range(len(ia)):
        T[i, :, ia] = T[i, ia, :] * 0.5
        T[ia, :, i] = T[i, :, ib] + A[i, ia]
        v, w = T[i, ..., ib], T[ia, 0, i]
        s += (v * A).sum() + (w * A[1]).sum()
    return s


def test_index_arrays_beside_other_subscripts():
    calls = [(numbers(3, 3), numbers(3, 3, 3), np.array(x), np.array([1, 0, 1])) for x in ([0, 2, 2], [0, 1, -1])]
    same(array_first, *calls)
    for function in (side_by_side, beside_a_new_axis):
        f = autovec(function, fallback="silent")
        for args in calls:
            assert_same(f, *args)
        assert internal(f) is None


# ---------------------------------------------------------------- names that two conditions bind, one inside the other


def bound_within(a, t, k):
    s = 0.0
    if t > 0.0:
        if a[0] > 0.0:
            u = 1.5
    else:
        s = 2.0
    for x in a:
        s += x
    return s, u


def none_or_unbound(a, t, k):
    s = 0.0
    if t > 0.0:
        lo = None
        for x in a:
            if x > 2.0:
                lo = x
    for x in a:
        s += x
    return s, lo


def bound_by_a_loop_within(a, t, k):
    s = 0.0
    if t > 0.0:
        for x in a:
            u = x
    for i in range(k):
        if a[0] > 0.0:
            if i > 1:
                w = a[i % len(a)]
        else:
            s += 1.0
    return s, u, w


def test_names_that_two_conditions_bind():
    for function in (bound_within, none_or_unbound, bound_by_a_loop_within):
        f = autovec(function, fallback="silent")
        for a in (np.abs(numbers(4)), -np.abs(numbers(4)), numbers(1) + 9.0, np.zeros(3)):
            for t, k in ((1.0, 3), (-1.0, 3), (2.0, 1)):
                assert_same(f, a, t, k, calls=1)
        assert internal(f) is None


# ---------------------------------------------------------------- numbers before the program runs, that Python refuses


def by_known_zeros(x, n):
    u, s, z = np.zeros(3), 0.0, np.zeros(3, np.int64)
    for i in range(n):
        x[i] = x[i] // 0.0 + x[i] % 2
        s += x[i] * (np.float64(len(x)) / (len(x) - 3)) + np.float64(1e200) ** 2
        if u[1] // u[2] > 1.0 or u[1] / u[2] > 1.0 or -1.0 // u[0] < 0.0:
            s += 1.0
        z[0] /= i - i if n > 8 else 1
    return s


def by_known_sizes(x, n):
    s, k = 0.0, 0
    for i in range(n):
        s += x[i] * (1 / (n - 3))
        k += i % (n - 3)
    return s, k


def complex_or_int(x, y, k):
    s = x[0] if k else 0
    out = [y[0] if k > 1 else 1 for _ in range(3)]
    for i in range(len(y)):
        y[i] += 1.0
    return s, out, k > 0


def extremes_of_few_ints(x, m, n):
    c, z, w = 1, 0, 5
    for i in range(n):
        c = i
    for _ in range(1, m):
        z = max(z, c)
    for i in range(m - 3):
        w = max(w, int(x[i]))
    return z, w, max([math.floor(c) for _ in range(m)]), min([c - g for g in range(m)])


def test_numbers_that_python_refuses():
    f = autovec(by_known_zeros, fallback="silent")
    g = autovec(by_known_sizes, fallback="silent")
    for n in (3, 4, 2):
        assert_same(f, numbers(n), n)
        assert_same(g, numbers(n), n)
    assert internal(f) is None and internal(g) is None


def test_kinds_of_complex_numbers():
    same(complex_or_int, *((numbers(3) * 1j, numbers(3), k) for k in (1, 0, 2)))


def test_extremes_of_few_ints():
    for first in ((4, 3), (1, 3)):
        same(extremes_of_few_ints, *((numbers(6), m, n) for m, n in (first, (1, 2), (2, 2), (6, 0))))


# ---------------------------------------------------------------- names bound to what they are


def bound_to_itself(a, n):
    for i in range(n):
        a[i] += 1.0
        a = a


def bound_to_itself_first(a, n):
    for i in range(n):
        a = a if i > 1 else a  # noqa: RUF034
        a[0] += 1.0
    return a


def other_name_bound_to_itself(a, n):
    b = a
    i = 0
    while i < n:
        b[i] = 5.0
        if a[0] > 100.0:
            b = b
        i += 1


def own_array_bound_to_itself(a, n):
    u = np.zeros(3)
    for i in range(n):
        u = u
        u[0] += a[i]
    return u


def test_names_bound_to_what_they_are():
    same(own_array_bound_to_itself, (numbers(4), 3), (numbers(4), 0))
    for function in (bound_to_itself, bound_to_itself_first, other_name_bound_to_itself):
        f = autovec(function, fallback="silent")
        for n in (3, 0, 1):
            assert_same(f, numbers(4), n)
        assert internal(f) is None


# ---------------------------------------------------------------- a number that may be Python's or NumPy's, in place


def element_by_either(y, x, q):
    for _ in range(len(y)):
        y[-1] %= -1 if q else x[0]


def elements_plus_either(y, x, q):
    v = -1 if q else x[0]
    for i in range(len(y)):
        y[i] += v


def test_in_place_by_pythons_or_numpys_number():
    for function in (element_by_either, elements_plus_either):
        for dtype in (np.uint32, np.int8):
            f = autovec(function, fallback="silent")
            for q in (0, 1):
                assert_same(f, np.array([1, 2, 3], dtype), np.array([3, 2, 1]), q)
            assert internal(f) is None


# ---------------------------------------------------------------- zero divided


def zero_over_ints(c, x):
    s = 0
    out = np.zeros(len(c))
    for i in range(len(c)):
        out[i] = (s / abs(c[i])) * 3
        for k in c:
            c[i] = (s / abs(k)) * 3
    return out


def zero_over_floats(c, x):
    out = np.zeros(len(c))
    for i in range(len(c)):
        out[i] = abs(0.0 / abs(x[i])) / 2.0 + (0.0 / x[i]) * x[i]
    return out


def test_zero_over_zero():
    for fn in (zero_over_ints, zero_over_floats):
        same(fn, *((np.array(c), np.array(c, float)) for c in ([1, 2, 3], [2, 0, 1], [0, 0])))


# ---------------------------------------------------------------- linear algebra of what isn't finite


def iterative_methods(a):
    found = [np.linalg.eigvalsh(a).sum(), np.linalg.svd(a, compute_uv=False)[0]]
    return found, np.linalg.norm(a, 2), np.linalg.norm(a, -2), np.linalg.norm(a)


def eigenvalues_of_scaled(a):
    total = 0.0
    for k in range(3):
        total += np.linalg.eigvalsh(a * k)[0]
    return total


def direct_methods(a):
    total = np.zeros(2)
    for k in range(1, 3):
        total += np.linalg.solve(a * k, np.ones(2)) + np.linalg.inv(a)[0] + np.linalg.det(a)
    return total


def test_linear_algebra_of_what_is_not_finite():
    a = np.array([[2.0, 1.0], [1.0, 3.0]])
    odd = [a * np.array([[1, x], [x, 1]]) for x in (np.nan, np.inf, -np.inf)]
    for fn in (iterative_methods, eigenvalues_of_scaled, direct_methods):
        same(fn, (a,), *((m,) for m in odd))


def product_with_an_inverse(a, b):
    total = np.zeros(2)
    for k in range(1, 3):
        total += (np.linalg.inv(a * k) @ b)[:, 0]
    return np.dot(np.linalg.inv(a), b), total


def test_products_with_inverses_of_what_is_not_finite():
    a = np.array([[2.0, 1.0, 0.5], [1.0, 3.0, -1.0], [0.0, 1.0, 4.0]])[:2, :2].copy()
    b = np.array([[1.0, 2.0, 3.0], [0.5, -1.0, 1.0]])
    odd = [np.array([[1.0, x, 3.0], [0.5, -1.0, y]]) for x in (np.inf, np.nan) for y in (1.0, -np.inf)]
    same(product_with_an_inverse, (a, b), *((a, m) for m in odd), (a * np.inf, b), (a * np.array([1, np.inf]), b))
