"""What is stored waits for its readers, covers what was there, meets what other iterations store."""

from __future__ import annotations

import numpy as np
import pytest

from tests.regressions import numbers, same

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


def slices_under_what_is_never_true(a, c):
    for i in range(len(a)):
        if i < i:
            c[i - 1 : i] += a[i - 1 : i]
        if i > 3 and a[i] > 0:
            if i < 3:
                c[i : i + 2] = a[0]
                c[[0, 1]] = a[i]


def test_slices_under_a_mask():
    same(slices_under_what_is_never_true, *((numbers(n), numbers(n + 1)) for n in (5, 2)))
