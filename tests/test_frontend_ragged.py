"""Slices whose length changes from one iteration to the next."""

import numpy as np
import pytest

from autovec import autovec
from tests.same import assert_same
from tests.test_frontend_flow import compiled


def forward_substitution(a, b):
    x = np.zeros(len(b))
    for i in range(len(b)):
        x[i] = (b[i] - a[i, :i] @ x[:i]) / a[i, i]
    return x


def backward_substitution(a, b):
    n = len(b)
    x = np.zeros(n)
    for i in range(n - 1, -1, -1):
        x[i] = (b[i] - np.dot(a[i, i + 1 :], x[i + 1 :])) / a[i, i]
    return x


def prefix_sums(x):
    out = np.zeros(len(x))
    for i in range(len(x)):
        out[i] = np.sum(x[: i + 1])
    return out


def prefix_means(x):
    return [x[: i + 1].mean() for i in range(len(x))]


def running_extremes(x):
    out = np.zeros((2, len(x)))
    for i in range(len(x)):
        out[0, i] = x[: i + 1].max()
        out[1, i] = np.min(x[i:])
    return out


def windows(x, w):
    out = np.zeros(len(x))
    for i in range(len(x)):
        out[i] = x[max(0, i - w) : i + w + 1].mean()
    return out


def clipped_windows(x):
    out = np.zeros(len(x))
    for i in range(len(x)):
        out[i] = np.sum(x[i : i + 3])
    return out


def negative_starts(x):
    out = np.zeros(len(x))
    for i in range(len(x)):
        out[i] = np.sum(x[i - 2 : i])
    return out


def eliminate(a):
    n = a.shape[0]
    for k in range(n):
        for i in range(k + 1, n):
            f = a[i, k] / a[k, k]
            a[i, k:] -= f * a[k, k:]


def lu_outer(a):
    n = a.shape[0]
    for k in range(n):
        a[k + 1 :, k] /= a[k, k]
        a[k + 1 :, k + 1 :] -= np.outer(a[k + 1 :, k], a[k, k + 1 :])


def shift_right(x, spots):
    for j in range(len(spots)):
        p = spots[j]
        x[p + 1 :] = x[p:-1]
        x[p] = j


def shift_by_loop(x):
    for i in range(1, len(x)):
        x[i:] = x[i - 1 : -1] + 1.0


def fill_tails(a, x):
    for i in range(a.shape[0]):
        a[i, i:] = x[i]
        a[i, :i] = np.sqrt(x[:i]) * 2.0 - 1.0


def loops_over_slices(x):
    s = 0.0
    for i in range(len(x)):
        for v in x[i + 1 :]:
            s += v * x[i]
        row = x[:i]
        if len(row) > 2:
            s += row[-1] + row[0]
    return s


def any_before(x):
    out = np.zeros(len(x), dtype=bool)
    for i in range(len(x)):
        out[i] = np.any(x[:i] > x[i]) and np.all(x[i + 1 :] > 0.0)
    return out


def insertion(x):
    for i in range(1, len(x)):
        v = x[i]
        j = i
        while j > 0 and x[j - 1] > v:
            j -= 1
        x[j + 1 : i + 1] = x[j:i]
        x[j] = v


RNG = np.random.default_rng(0)
X = RNG.random(9) + 0.1
A = RNG.random((6, 6)) + 6 * np.eye(6)


@pytest.mark.parametrize(
    "fn",
    [
        prefix_sums,
        prefix_means,
        running_extremes,
        clipped_windows,
        negative_starts,
        shift_by_loop,
        loops_over_slices,
        any_before,
        insertion,
    ],
)
def test_of_one_vector(fn):
    compiled(fn, X.copy())
    for n in (1, 2, 3):
        assert_same(autovec(fn, fallback="silent"), X[:n].copy())


@pytest.mark.parametrize("fn", [eliminate, lu_outer])
def test_of_one_matrix(fn):
    compiled(fn, A.copy())
    assert_same(autovec(fn, fallback="silent"), A[:1, :1].copy())


def test_of_a_matrix_and_a_vector():
    compiled(forward_substitution, np.tril(A), X[:6].copy())
    compiled(backward_substitution, np.triu(A), X[:6].copy())
    compiled(fill_tails, A.copy(), X[:6].copy())


@pytest.mark.parametrize("w", [0, 1, 3, 20])
def test_windows(w):
    compiled(windows, X, w)


def test_places_from_data():
    compiled(shift_right, X.copy(), np.array([3, 0, 7, 8, 2]))
    assert_same(autovec(shift_right, fallback="silent"), X.copy(), np.array([3, 9]))
    assert_same(autovec(shift_right, fallback="silent"), X.copy(), np.array([3, -2]))


def rows_of_numbers(a, t):
    n = len(a)
    for p in range(1, n):
        a[p:] = (p, t)
        a[:p, 0] = [t]
        a[p:, 1] += [t]


def test_numbers_in_a_tuple_or_list_are_a_row():
    compiled(rows_of_numbers, np.arange(8.0).reshape(4, 2), 0.5)
