"""Loops of no iteration, of one, picked, interchanged, left; boxes that are empty at some sizes."""

from __future__ import annotations

import numpy as np
import pytest

from autovec import autovec
from tests.generator.check import internal
from tests.regressions import numbers, same
from tests.same import assert_same

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


# ---------------------------------------------------------------- breaks that can't come


def never_breaks(a):
    for i in range(len(a) - 1):
        if i < len(a) - 1:
            a[i + 1] = a[i] * 0.5
        else:
            break


def test_break_that_cannot_come():
    same(never_breaks, (numbers(5),), (numbers(1),))


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


# ---------------------------------------------------------------- arrays made in loops of no iteration


def copied_in_a_loop(a, A):
    n = len(a)
    q = True
    for _ in range(A.shape[1], 0, -1):
        v = a.copy()
        for row in A:
            a[: n - 1] = v[1] + row[0]
        q = q and v[0] > 0
    return q


@pytest.mark.parametrize("shape", [(0, 2), (2, 0), (3, 2), (0, 0)])
def test_an_array_is_made_before_it_is_used_in_no_iteration_too(shape):
    f = autovec(copied_in_a_loop, fallback="silent")
    assert_same(f, numbers(shape[0]), numbers(*shape))
    assert internal(f) is None, internal(f)
