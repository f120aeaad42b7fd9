"""Statements under one condition of a loop's iteration: in a branch where that pays, under masks where it can't be.

for v in x:                                  lax.fori_loop(..., step, ...)
    if v < kept[-1]:                  -->        kept = lax.cond(condition, update, lambda kept: kept, kept)
        ... a loop, whole rows ...
"""

from __future__ import annotations

import numpy as np
import pytest

from autovec import autovec
from tests.same import assert_same


def keeps_the_smallest(x, k):
    kept = np.full(k, np.inf)
    for v in x:
        if v < kept[-1]:
            spot = k - 1
            while spot > 0 and v < kept[spot - 1]:
                kept[spot] = kept[spot - 1]
                spot -= 1
            kept[spot] = v
    return kept


def rows_of_a_leader(points, radius):
    """Each point joins the leader, or becomes it; both sides are whole rows."""
    leader = points[0].copy()
    total = np.zeros(points.shape[1])
    changes = 0
    for i in range(len(points)):
        if np.abs(points[i] - leader).sum() > radius:
            leader = points[i] * 1.0
            changes += 1
        else:
            total += points[i] - leader
    return leader, total, changes


def both_sides(a, steps):
    """Two stores on either side; what is read before is used behind the branch too."""
    s = 0.0
    for t in range(1, steps):
        v = a[t % 9]
        if v > 0.3:
            a[t % 9] = v * 0.5
            a[t % 7 + 1] += 0.1
        else:
            a[t % 5] = v + 0.7
            a[t % 9] = s
        s += v
    return s


def faults_under_it(a, at, limit):
    for i in range(len(at)):
        if a[i] > limit:
            a[at[i]] = 1.0
            a[at[i] - 1] = a[i] / at[i]
    return a


def nested_conditions(a, b):
    hits = 0
    for t in range(2, len(a)):
        if a[t - 1] > 0:
            a[t] = a[t - 1] - b[t]
            b[t] = 0.5 * a[t - 2]
            if b[t] > 0.2:
                for k in range(t):
                    a[k] = a[k] * 0.9 + b[k] * a[t]
                hits += 1
    return hits


def condition_changes(a):
    """The second store asks again after the first has changed what the condition reads."""
    for t in range(1, len(a)):
        if a[t - 1] > 0:
            a[t] += a[t - 1]
            a[t - 1] = -1.0
        if a[t - 1] > 0:
            a[t] += 2.0
            a[t - 1] = -2.0


def used_behind(a, b):
    s = 0.0
    for t in range(1, len(a)):
        d = a[t - 1] * b[t]
        if d > 0:
            e = d + 1
            a[t] = e
            b[t] = e * 2
        else:
            e = d - 1
            a[t] = b[t - 1] - e
        s += e * d
    return s


rng = np.random.default_rng(5)
CALLS = {
    keeps_the_smallest: [(rng.normal(size=40), 5), (np.zeros(0), 3), (rng.normal(size=3), 1), (np.full(4, np.nan), 2)],
    rows_of_a_leader: [(rng.normal(size=(20, 3)), 1.5), (rng.normal(size=(1, 3)), 0.0), (np.zeros((4, 0)), 1.0)],
    both_sides: [(rng.random(12), 60), (rng.random(12), 1), (np.full(12, np.nan), 9)],
    faults_under_it: [
        (rng.random(6), np.array([1, 2, 3]), 0.1),
        (rng.random(6), np.array([1, 9, 3]), 2.0),  # what isn't reached can't fault
        (rng.random(6) + 1, np.array([1, 9, 3]), 0.5),
        (rng.random(6) + 1, np.array([1, 0, 3]), 0.5),
    ],
    nested_conditions: [(rng.normal(size=15), rng.normal(size=15)), (np.ones(2), np.ones(2))],
    condition_changes: [(rng.normal(size=15),)],
    used_behind: [(rng.normal(size=15), rng.normal(size=15))],
}


@pytest.mark.parametrize("fn", CALLS, ids=lambda fn: fn.__name__)
def test_same_answer(fn):
    f = autovec(fn, fallback="silent")
    for args in CALLS[fn]:
        assert_same(f, *args, ops=2000)


def one_value_for_all_iterations(x, y):
    """In the branch the row's element becomes one number, which was one for each iteration before."""
    q = 0
    for i in range(0, len(x), 2):
        if x[i] > 2.0:
            break
        for j in range(len(x)):
            if y[0, 0] > 0.0:
                for p in range(len(x)):
                    x[p] = x[j] * 0.5 + x[p]
            elif y[0, 0] < -1.0:
                q += i
                continue
            x[:] = x[j] + 1.0
    return q


@pytest.mark.parametrize("sign", [1.0, -0.5, -2.0])
def test_cells_leave_a_branch_with_the_axes_they_had(sign):
    f = autovec(one_value_for_all_iterations, fallback="error")
    assert_same(f, np.arange(5.0) / 4, np.full((2, 2), sign))


def a_loop_of_unknown_length_beside_another(y, counts):
    z = 0.0
    for i in range(len(counts) - 1, 0, -1):
        for j in range(counts[i]):
            z = z * 0.5 + j
        for _ in range(len(y)):
            y += 2.0
    return z


def test_a_loop_of_unknown_length_joins_no_other():
    f = autovec(a_loop_of_unknown_length_beside_another, fallback="error")
    assert_same(f, np.ones((1, 1)), np.arange(1))
    assert_same(f, np.ones((3, 3)), np.arange(3))


@pytest.mark.parametrize("fn", [keeps_the_smallest, rows_of_a_leader, both_sides, faults_under_it, nested_conditions])
def test_branches(fn):
    f = autovec(fn, fallback="error")
    f(*(np.copy(a) if isinstance(a, np.ndarray) else a for a in CALLS[fn][0]))
    assert "update, lambda" in f.source


def one_cheap_store(x, y):
    for i in range(1, len(x)):
        if x[i] > 0:
            y[i] = y[i - 1] + x[i]


def independent_rows(x, y):
    for i in range(len(x)):
        if x[i, 0] > 0:
            for j in range(x.shape[1]):
                y[i, j] = x[i, j] * 2
                x[i, j] = 0.0


@pytest.mark.parametrize(
    ("fn", "args"),
    [(one_cheap_store, (np.ones(5), np.ones(5))), (independent_rows, (np.ones((3, 4)), np.ones((3, 4))))],
)
def test_masks_where_a_branch_would_not_pay(fn, args):
    f = autovec(fn, fallback="error")
    assert_same(f, *args)
    assert "update, lambda" not in f.source
