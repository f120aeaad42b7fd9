"""What went wrong once: each fault that random programs found, as a small program of its kind."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from autovec import autovec
from tests.generator.check import internal
from tests.same import assert_same


def same(function: Any, *calls: tuple[Any, ...]) -> None:
    """Both ways on each tuple of arguments, compiled, with nothing failing inside."""
    f = autovec(function, fallback="silent")
    for args in calls:
        assert_same(f, *args)
    assert f.report().blocked is None, str(f.report())
    assert internal(f) is None


def numbers(*shape: int) -> np.ndarray:
    return np.random.default_rng(5).integers(-8, 9, shape) / 2.0


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


# ---------------------------------------------------------------- empty boxes


def backwards_onto_the_end(z, t):
    for i in range(len(z) - 1, 0, -1):
        z[i - 1] = t


def backwards_copied(a, b):
    for i in range(len(a) - 2, -1, -1):
        a[i] = b[i]


def condition_of_nothing(a, b):
    s = 1.0
    for i in range(1, len(a) - 1):
        if b[i] > 0.0:
            s = s * 0.5 + a[i]
    return s


def values_of_nothing(a, b):
    s = 0.5
    for i in range(len(a) // 2):
        x = b[i] * b[2 * i]
        s = s * x + a[i]
    return s


@pytest.mark.parametrize("n", [1, 2, 3, 7])
def test_empty_boxes(n):
    same(backwards_onto_the_end, (numbers(n), 2.0), (numbers(7), 2.0), (numbers(1), 2.0))
    for function in (backwards_copied, condition_of_nothing, values_of_nothing):
        same(
            function,
            (numbers(n), numbers(n)),
            (numbers(7), numbers(7)),
            (numbers(1), numbers(1)),
            (numbers(2), numbers(2)),
        )


# ---------------------------------------------------------------- one iteration at most, one place


def one_column(a, k):
    n = a.shape[0]
    for i in range(n):
        for j in range(i, n):
            a[i, k % n] = j


def half_of_one(a, b, at):
    for i in range(len(a) // 2):
        for j in range(len(a)):
            a[at[j]] = b[j] - b[2 * i]


def test_one_place_once():
    same(one_column, (numbers(1, 1), 3), (numbers(4, 4), 2))
    same(half_of_one, (numbers(1), numbers(1), np.zeros(1, np.int64)), (numbers(4), numbers(4), np.array([3, 0, 0, 1])))


# ---------------------------------------------------------------- loops within the phases of a body


def search_in_a_body(a, c, k):
    for _ in range(3):
        a[0], a[-1] = a[-1], a[0]
        for j in range(len(a)):
            if k == c[j]:
                break
            c[1:-1] -= a[2:]


def nested_totals(a, b, at):
    s = 1.0
    for i in range(len(a) - 2, 0, -1):
        for j in range(i):
            s = 0.5 * s + b[j]
        for j in range(i):
            for p in range(i + 1):
                b[p] -= a[at[j]]
            b[at[j]] -= 1.0
        a[i - 1] += b[0]
    return s


def test_loops_in_phases():
    same(search_in_a_body, (numbers(5), numbers(5), 1), (numbers(3), numbers(3), -1))
    same(nested_totals, (numbers(5), numbers(5), np.array([1, 0, 3, 3, 2])), (numbers(2), numbers(2), np.array([0, 1])))


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


# ---------------------------------------------------------------- work arrays that aren't filled, or not at once


def read_before_it_is_filled(row, x, y):
    n = len(row)
    for r in range(3):
        for p in range(n):
            row[p] = x[p] + r
            y[r, p] = row[n - 1 - p]


def filled_by_fewer_and_fewer(row, x, y):
    for r in range(3):
        for q in range(r + 1, 3):
            for p in range(len(row)):
                row[p] = x[p] + q + r
            for p in range(len(row)):
                y[r, p] += row[p] * q


def filled_by_none(row, x, y):
    n = len(row)
    for r in range(3):
        for q in range(n - 1):
            for p in range(n):
                row[p] = x[p] + q + r
        for p in range(n):
            y[r, p] += row[p]


def filled_by_few(row, x, y):
    for _ in row:
        for i in range(0, len(row) - 1, 3):
            for j in range(len(row)):
                row[j] = i + x[j]


def filled_and_used(row, x, y):
    for r in range(3):
        for p in range(len(row)):
            row[p] = x[p] + r
            row[p] += 1.0
            y[r, p] = row[p] * row[p]


def filled_and_changed(row, x, y):
    n = len(row)
    for i in range(n):
        row[:] = x
        row[n - 1] = row[i]
        y[0, i] = row[0] + row[n - 1]
        y[1, :] += row


@pytest.mark.parametrize(
    "function",
    [
        filled_and_changed,
        read_before_it_is_filled,
        filled_by_fewer_and_fewer,
        filled_by_none,
        filled_by_few,
        filled_and_used,
    ],
)
def test_work_arrays(function):
    same(function, *((numbers(n), numbers(n), numbers(3, n)) for n in (1, 2, 5)))


# ---------------------------------------------------------------- stores that wait for a loop that accumulates


def row_read_in_a_loop(A, z):
    n = len(A)
    for i in range(n, 1, -1):
        z[i - 1] += 1
        for _ in range(i, n):
            A -= z[:, 1]


def element_read_in_a_loop(A, b, k):
    for i in range(1, len(A)):
        A[i, 0] = b[i]
        A[i, 1] += 0.5
        for j in range(i):
            b[i] += A[j, k] * A[i, j]


def test_stores_before_accumulator_loops():
    same(row_read_in_a_loop, (numbers(3, 3), numbers(3, 3)), (numbers(2, 2), numbers(2, 2)))
    same(element_read_in_a_loop, (numbers(4, 4), numbers(4), 1), (numbers(2, 2), numbers(2), 0))


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


# ---------------------------------------------------------------- numbers that change places


def change_places(a):
    s, c, d, p = 0.5, 0, 1, 2.0
    for i in range(len(a)):
        s, c, d = c, d, s
        c, p = (p, c)
        if a[i] > 3.0:
            break
    return s, c, d, p


def test_numbers_that_change_places():
    for n in (1, 2, 3, 7):
        same(change_places, (np.arange(n) * 1.0,))


# ---------------------------------------------------------------- diagonals that wait beside rows


def swaps_with_the_diagonal(A, y):
    for i in range(len(A)):
        for j in range(len(A) - 1, 0, -1):
            A[j, i], A[i, i] = A[i, i], A[j, i]


def rows_and_diagonal(A, y):
    n = len(A)
    for j in range(n):
        for i in range(n):
            A[j, i] = y[i] + j
        for i in range(n):
            A[i, i] = y[i] * 2


def columns_and_diagonal(A, y):
    n = len(A)
    for c in range(n):
        for i in range(n):
            A[i, c] = y[i] + c
        for i in range(n):
            A[i, i] *= 2
        for i in range(n):
            y[i] += A[i, c]


def plane_after_diagonal(A, y):
    n = len(A)
    for c in range(n):
        for i in range(n):
            A[i, i] = y[i] + c
        for i in range(n):
            for j in range(n):
                y[i] += A[i, j] * 0.5
        for i in range(n):
            for j in range(n):
                A[i, j] = y[i] + c - j
        for i in range(n):
            y[i] += A[i, i] * 0.5


@pytest.mark.parametrize(
    "function", [swaps_with_the_diagonal, rows_and_diagonal, columns_and_diagonal, plane_after_diagonal]
)
def test_diagonals_that_wait(function):
    same(function, *((numbers(n, n), numbers(n)) for n in (1, 2, 4)))


# ---------------------------------------------------------------- stores that wait at places counted from the end


def place_and_slice(a, A, at):
    for i in range(len(at)):
        for j in range(len(a)):
            a[at[i]] -= A[j, 0]
            a[:j] += np.abs(A[:j, 1])


def place_and_row(a, A, at):
    for i in range(len(at)):
        A[1, at[i]] = a[i]
        A[1] += a[i]
        A[at[i], 0] += a[i]
        a += A[:, 0]


def test_places_from_the_end():
    at = np.array([1, -1, -3, 0, 2])
    for function in (place_and_slice, place_and_row):
        same(
            function,
            (numbers(5), numbers(5, 5), at),
            (numbers(5), numbers(5, 5), at * 0),
            (numbers(5), numbers(5, 5), -at),
        )


# ---------------------------------------------------------------- conditions on positions and on what the branch changes


def falls_within(a, b):
    s = 0.0
    for i in range(len(a)):
        if i < 3 and s < 2:
            s += 3
            b[i] = s
        if i <= 4 and s >= b[0]:
            for j in range(3):
                s -= 1
                b[j] += s
    return s


def swapped_within(a, b):
    s, q = 1.0, -0.5
    for i in range(len(a)):
        if i <= len(a) - 1 and q <= 0.0:
            for _ in range(len(a)):
                s, q = q, s
        if i > 0 and q > s and i < 5:
            q -= a[i]
            a[i] += q
        else:
            s += b[i]
            q = s * 0.5
    return s, q


def stored_within(a, b):
    for i in range(len(a)):
        for k in range(3):
            if i > 0 and a[i - 1] > 0.0:
                a[i - 1] -= 1.0
                b[i] += k
                a[i] += b[i]


def put(a, i):
    a[i] = -1.0
    return True


def changed_by_the_second(a, b):
    for i in range(len(a)):
        if a[i] > 0.0 and put(a, i):
            b[i] = 1.0
        if a[i] > 1.0 or (put(b, i) and b[0] < a[i]):
            a[i] += 2.0


def test_conditions_that_a_part_of_them_changes():
    same(changed_by_the_second, (numbers(1), numbers(1)), (numbers(7), numbers(7)))


def test_conditions_that_the_branch_changes():
    for n in (1, 2, 5, 7):
        for function in (falls_within, swapped_within, stored_within):
            same(function, (numbers(n), np.zeros(n)), (np.abs(numbers(n)), numbers(n)))


# ---------------------------------------------------------------- arrays without elements


def fills_a_list(b, a, k):
    out = []
    for i in range(k):
        out.append(i)
        b -= a
    return out


def fills_an_array(b, a, k):
    z = np.zeros(len(a) - 1)
    for i in range(len(a) - 1):
        z[i] = b[i] - z[i - 1] * k
        b[i + 1] = z[i]
    return z


def test_arrays_without_elements():
    for function in (fills_a_list, fills_an_array):
        for sizes in (((1, 0), (3, 2), (1, 0), (1, 3)), ((3, 2), (1, 0), (2, 1))):
            same(function, *((numbers(n), numbers(n), k) for n, k in sizes))


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


# ---------------------------------------------------------------- breaks that can't come


def never_breaks(a):
    for i in range(len(a) - 1):
        if i < len(a) - 1:
            a[i + 1] = a[i] * 0.5
        else:
            break


def test_break_that_cannot_come():
    same(never_breaks, (numbers(5),), (numbers(1),))


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


# ---------------------------------------------------------------- interchange above a loop that it made away with


def kind_by_the_data(a, A):
    s = 0
    for _ in range(len(a)):
        for _ in range(A.shape[1] - 2):
            s = 0.5
    return s


def test_interchange_of_nested_places():
    for n, m in ((1, 1), (3, 2), (3, 3), (4, 1)):
        same(kind_by_the_data, (numbers(n), numbers(n, m)))


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


# ---------------------------------------------------------------- steps against the direction of a subscript


def falling_by_two(c, t):
    for i in range(len(c) - 1, 0, -2):
        c[len(c) - i] = t


def falling_by_three(c, x):
    for i in range(len(c) - 1, -1, -3):
        c[len(c) - 1 - i] = x[i]


def rising_by_two(c, x):
    for i in range(0, len(c), 2):
        c[len(c) - 1 - i] = x[i]


@pytest.mark.parametrize("n", [1, 2, 3, 6, 7])
def test_steps_against_the_subscript(n):
    same(falling_by_two, (numbers(n), 0.25), (numbers(7), 0.25))
    same(falling_by_three, (numbers(n), numbers(n)), (numbers(8), numbers(8)))
    same(rising_by_two, (numbers(n), numbers(n)), (numbers(8), numbers(8)))


# ---------------------------------------------------------------- conditions that pick one iteration


def picked_outside(a, t):
    for i in range(len(a)):
        if i == 7:
            a[0] = t


def picked_between_steps(a, t):
    for i in range(0, len(a), 2):
        if i == 3:
            a[0] = t


def picked_twice(a, t):
    for i in range(len(a)):
        if i == 1 and i == 2:
            a[0] = t


def picked_above_the_diagonal(a, t):
    for i in range(len(a)):
        for j in range(i):
            if j == 3 and i == 2:
                a[0] = t


def picked_in_a_running_loop(a, t):
    s = 0.0
    q = t
    for i in range(len(a)):
        s = 0.5 * s + a[i]
        if i == 1:
            q = s + a[1]
        for j in range(len(a)):
            if j == 2 and s > 0.0:
                a[0] += q
                break
    return s, q


def picked_by_an_argument(a, k):
    for i in range(len(a)):
        if i == k:
            a[0] = 9.0


def test_one_iteration_picked():
    for function in (
        picked_outside,
        picked_between_steps,
        picked_twice,
        picked_above_the_diagonal,
        picked_in_a_running_loop,
    ):
        same(function, (numbers(5), 2.0), (numbers(9), 2.0), (numbers(2), 2.0))
    same(picked_by_an_argument, (numbers(5), 2), (numbers(5), 9), (numbers(5), -1), (numbers(2), 2), (numbers(2), 1))


# ---------------------------------------------------------------- phases of a body that ends its loop


def swaps_until(a, A, b):
    n = len(a)
    s = 0.5
    for i in range(n - 1):
        w = 0
        while w < n and s >= b[i]:
            w += 1
            j = w - 1
            A[i, j], A[j, i + 1] = A[j, i + 1], A[i, j]
            a[i + 1] = max(a[j] - s, 1.5)


def test_phases_under_a_flag_that_falls():
    same(swaps_until, (numbers(5), numbers(5, 5), -abs(numbers(5))), (numbers(3), numbers(3, 3), numbers(3)))


# ---------------------------------------------------------------- an element of a row that was stored backwards


def element_of_a_backward_row(a, A):
    n = len(a)
    for _ in range(3):
        for i in range(n - 1, -1, -1):
            a[i] = A[n - 1, i]
        if a[n - 1] > 0.0:
            a[n - 1] = A[0, 0] * a[n - 1]


def test_element_of_a_backward_row():
    same(element_of_a_backward_row, (numbers(4), abs(numbers(4, 4)) + 0.5), (numbers(1), abs(numbers(1, 1))))


# ---------------------------------------------------------------- no sequential form, at sizes that need one


def lists_beside_steps(a, b, c):
    out = []
    for i in range(1, len(a) - 1, 2):
        out.append(np.dot(c, c))
        for j in range(1, len(a) - 1, 3):
            a[i] -= b[i] * c[i]
            b[j] += c[-1]
    return out


def test_no_sequential_form():
    f = autovec(lists_beside_steps, fallback="silent")
    for n in (7, 2, 9):
        assert_same(f, numbers(n), numbers(n), numbers(n))
    assert internal(f) is None


def same_number_where(a, t):
    return [t for i in range(len(a)) if a[i] > 0.0]


def test_a_filtered_list_of_one_number_has_its_own_length() -> None:
    assert_same(autovec(same_number_where, fallback="error"), np.array([1.0, -1.0, 2.0]), 0.5)


# ---------------------------------------------------------------- diagonals: one axis along two dimensions is no plane


def diagonal_then_plane(a, b, steps):
    for s in range(steps):
        for i in range(len(a)):
            a[i, i] = a[i, i] + 1.0
        for i in range(len(a)):
            for j in range(len(a)):
                b[i, j] = a[i, j] + s


def diagonal_then_column(a, b, steps):
    for _ in range(steps):
        for i in range(len(a)):
            a[i, i] = b[i, 0]
        for i in range(len(a)):
            a[i, 2] = a[i, 2] + 1.0


def column_then_diagonal(a, b, steps):
    for _ in range(steps):
        for i in range(len(a)):
            a[i, 1] = b[i, 0]
        for i in range(len(a)):
            a[i, i] = a[i, i] + 1.0
            b[i, 0] = a[i, 1]


def plane_then_diagonal_and_transpose(a, b, steps):
    for s in range(steps):
        for i in range(len(a)):
            for j in range(len(a)):
                a[i, j] = a[i, j] * 0.5 + i
        for i in range(len(a)):
            b[i, 0] = a[i, i] + s
        for i in range(len(a)):
            for j in range(1, len(a)):
                b[i, j] = a[j, i]


@pytest.mark.parametrize(
    "function", [diagonal_then_plane, diagonal_then_column, column_then_diagonal, plane_then_diagonal_and_transpose]
)
def test_a_waiting_diagonal_is_no_plane(function):
    same(function, (numbers(5, 5), numbers(5, 5), 2))


# ---------------------------------------------------------------- one function's temporary is another's variable


def named_as_a_helper_names_its_loop(b):
    def three_halves(x):
        for q in range(3):  # noqa: B007
            x = x * 0.5 + x
        return x

    q = True
    for v in b:
        q = three_halves(v) >= 1
    return q


def test_what_a_body_returns_is_no_temporary():
    same(named_as_a_helper_names_its_loop, (numbers(4) * 0.1,), (abs(numbers(3)) + 2.0,))


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


# ---------------------------------------------------------------- stores under a condition that keeps iterations apart


def one_diagonal(a, A, t):
    n = len(t)
    for i in range(n):
        for j in range(i + 1):
            if i - j == 1:
                a[i + j] = t[i]


def half_as_far(a, A, t):
    n = len(t)
    for i in range(n):
        for j in range(n):
            if i == 2 * j:
                a[i - j] = t[i]


def below_and_left(a, A, t):
    n = A.shape[0]
    for i in range(n):
        for k in range(i, -1, -1):
            a[0] = 3.0
            A[k + 1 : n, :k] = t[i]


def up_from_the_end(a, A, t):
    n = len(t)
    for i in range(n):
        for k in range(i):
            A[i - k - 1, k] = t[i] + k


def test_stores_that_a_condition_keeps_apart():
    for function in (one_diagonal, half_as_far, below_and_left, up_from_the_end):
        for n in (5, 4, 3):
            same(function, (numbers(9), numbers(n, n), numbers(n)), (numbers(9), numbers(n, n), -numbers(n)))


# ---------------------------------------------------------------- loops that never run at this size


def inner_points(a):
    n = len(a)
    s = 0.0
    for i, x in enumerate(a):
        for _ in range(1, n - 1):
            w = 0
            while w < 4:
                w += 1
                a[i] += 0.5
            else:
                s += abs(x)
    return s


def unbound_where_it_never_runs(a):
    n = len(a)
    for i in range(n):
        for _ in range(1, n - 1):
            while True:
                w += 1  # noqa: F821
            else:
                a[i] = w
    return n


def test_loops_that_never_run():
    same(inner_points, (numbers(1),), (numbers(2),), (numbers(4),))
    same(unbound_where_it_never_runs, (numbers(1),))


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


# ---------------------------------------------------------------- an array begun anew in each iteration, and one element


def all_then_one(a, c):
    for i in range(len(a)):
        a[:] = 2.0
        a[i] = 0.5


def all_then_one_of_what_was_there(a, c):
    w = np.zeros(len(a))
    for i in range(len(a)):
        w[:] = c
        w[i] = 3.0 - w[i]
        a[i] = w.sum()


def rows_and_columns_anew(a, c):
    w = np.zeros((2, len(a)))
    for i in range(len(a)):
        w[:] = 0
        w[1] = c
        w[0, i] = 3.0
        w[:, i] += c[i]
        w[1, 0] = w[0, i]
        a[i] = w.sum() + w[0, 0]


def anew_in_two_loops(a, c):
    w = np.zeros(len(a))
    for i in range(len(a)):
        for j in range(len(a)):
            w[:] = 1.0
            w[i] += j
            w[j] = c[i]
            if c[j] > 1.0:
                w[i] = 7.0
            a[i] += w.sum() + w[0]


def made_in_each_iteration(a, c):
    for i in range(len(a)):
        u = np.ones(len(a))
        u[i] = 0.0
        u[:i] = 5.0
        a[i] = (u * c).sum()


def test_arrays_begun_anew():
    for function in (
        all_then_one,
        all_then_one_of_what_was_there,
        rows_and_columns_anew,
        anew_in_two_loops,
        made_in_each_iteration,
    ):
        same(function, *((numbers(n), numbers(n + 1)[1:]) for n in (5, 1, 2)))


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
