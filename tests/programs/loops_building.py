"""Comprehensions, generators, lists under construction, and the ways of iterating."""

# ruff: noqa: B905, PERF, RUF005 (written as people write)

import numpy as np

from tests.programs.registry import matrices, normal, programs, squares, vectors, with_nan

# ---------------------------------------------------------------- comprehensions


def comprehension(x):
    return [x[i] * 2.0 for i in range(len(x))]


def comprehension_over_values(x):
    return [v * v + 1.0 for v in x]


def comprehension_flat(x, y):
    return [x[i] * y[j] for i in range(len(x)) for j in range(len(y))]


def comprehension_nested(x, y):
    return [[x[i] - y[j] for j in range(len(y))] for i in range(len(x))]


def comprehension_triangle(x):
    return [x[i] + x[j] for i in range(len(x)) for j in range(len(x)) if i < j]


def comprehension_off_diagonal(a):
    return [a[i, j] for i in range(a.shape[0]) for j in range(a.shape[1]) if i != j]


def comprehension_ternary(x):
    return [v if v > 0 else 0.0 for v in x]


def comprehension_filtered_by_data(x):
    return [v for v in x if v > 0.5]


def comprehension_of_ints(n):
    return [i * i - 1 for i in range(n)]


def comprehension_of_rows(a):
    return [row.sum() for row in a]


def array_of_comprehension(x):
    return np.array([np.sin(v) + i for i, v in enumerate(x)])


def array_of_nested_comprehension(a, b):
    n, m = a.shape[0], b.shape[1]
    return np.array([[np.dot(a[i], b[:, j]) for j in range(m)] for i in range(n)])


def toeplitz(x):
    n = len(x)
    return np.array([[x[abs(i - j)] for j in range(n)] for i in range(n)])


# ---------------------------------------------------------------- generators


def generator_sum(x, y):
    return sum(x[i] * y[i] for i in range(len(x)))


def generator_sum_of_pairs(x):
    return sum((x[i] - x[j]) ** 2 for i in range(len(x)) for j in range(i))


def generator_sum_of_counts(x, t):
    return sum(1 for v in x if v > t)


def generator_min_max(x):
    return min(abs(v) for v in x), max(v * 2.0 for v in x)


def generator_any(x, t):
    return any(v > t for v in x)


def generator_all(x):
    return all(x[i] <= x[i + 1] for i in range(len(x) - 1))


def trace_by_sum(a):
    return sum(a[i, i] for i in range(min(a.shape)))


# ---------------------------------------------------------------- ways of iterating


def enumerate_weights(x):
    total = 0.0
    for i, v in enumerate(x):
        total += i * v
    return total


def enumerate_from_one(x, out):
    for i, v in enumerate(x, 1):
        out[i - 1] = v / i


def zip_products(x, y):
    total = 0.0
    for a, b in zip(x, y):
        total += a * b
    return total


def zip_unequal(x, y):
    out = []
    for a, b in zip(x, y[1:]):
        out.append(a - b)
    return out


def reversed_horner(c, t):
    value = 0.0
    for a in reversed(c):
        value = value * t + a
    return value


def rows(a):
    total = 0.0
    for row in a:
        total += np.sqrt(np.dot(row, row))
    return total


def rows_normalised(a):
    for row in a:
        row /= np.abs(row).sum() + 1.0


def rows_of_elements(a):
    total = 0.0
    for row in a:
        for v in row:
            total += v * v
    return total


def columns(a):
    out = np.empty(a.shape[1])
    for j, column in enumerate(a.T):
        out[j] = column.max()
    return out


def step_three(x, out):
    for i in range(1, len(x), 3):
        out[i] = x[i] * 2.0


def step_back(x):
    out = np.zeros_like(x)
    for i in range(len(x) - 1, -1, -2):
        out[i] = x[i] + i
    return out


def half_range(x):
    n = len(x)
    for i in range(n // 2):
        x[i], x[n - 1 - i] = x[n - 1 - i], x[i]


def trapezoid(x, out):
    n = len(x)
    for i in range(n):
        s = 0.0
        for j in range(max(0, i - 1), min(n, i + 2)):
            s += x[j]
        out[i] = s


# ---------------------------------------------------------------- lists


def list_appends(x):
    out = []
    for i in range(len(x)):
        v = x[i] * x[i]
        out.append(v + 1.0)
    return out


def list_appends_where(x):
    kept = []
    for i in range(len(x)):
        if x[i] > 0:
            kept.append(i)
    return kept


def list_of_floats(values):
    total = 0.0
    for v in values:
        total += v * 0.5
    return total


def list_written(values):
    for i in range(len(values)):
        values[i] = values[i] * 2.0 + 1.0


def list_of_rows(a):
    out = []
    for i in range(len(a)):
        out.append(a[i] * i)
    return np.array(out)


def list_multiplied(n):
    squares = [0] * n
    for i in range(n):
        squares[i] = i * i
    return squares


def tuple_of_results(x):
    low, high, n = 0.0, 0.0, 0
    for v in x:
        if v < 0:
            low += v
        else:
            high += v
            n += 1
    return low, high, n, [low, high]


def lists():
    return [([1.0, 2.5, -3.0],), ([1.0],), ([],), ([1, 2.5, True],)]


def integers():
    return [(7,), (1,), (0,), (-3,)]


def products():
    return [(normal(n, 3), normal(3, m)) for n, m in ((4, 5), (1, 1), (2, 0))]


BUILDING = programs(
    (comprehension, vectors()),
    (comprehension_over_values, with_nan()),
    (comprehension_flat, vectors(2)),
    (comprehension_nested, vectors(2)),
    (comprehension_triangle, vectors()),
    (comprehension_off_diagonal, matrices()),
    (comprehension_ternary, with_nan()),
    (comprehension_filtered_by_data, with_nan()),
    (comprehension_of_ints, integers),
    (comprehension_of_rows, matrices()),
    (array_of_comprehension, vectors()),
    (array_of_nested_comprehension, products),
    (toeplitz, vectors()),
    (generator_sum, vectors(2)),
    (generator_sum_of_pairs, vectors()),
    (generator_sum_of_counts, with_nan(1, 0.2)),
    (generator_min_max, with_nan()),
    (generator_any, with_nan(1, 1.0)),
    (generator_all, with_nan()),
    (trace_by_sum, matrices()),
    (enumerate_weights, vectors()),
    (enumerate_from_one, vectors(2)),
    (zip_products, vectors(2)),
    (zip_unequal, vectors(2)),
    (reversed_horner, vectors(1, 0.5)),
    (rows, matrices()),
    (rows_normalised, matrices()),
    (rows_of_elements, matrices()),
    (columns, squares()),
    (step_three, vectors(2)),
    (step_back, vectors()),
    (half_range, vectors()),
    (trapezoid, vectors(2)),
    (list_appends, vectors()),
    (list_appends_where, with_nan()),
    (list_of_floats, lists),
    (list_written, lists),
    (list_of_rows, matrices()),
    (list_multiplied, integers),
    (tuple_of_results, with_nan()),
)
