"""One array or list under two names, or in two places: a store is seen in both, and the caller gets one object.

Compiled code has copies. What a copy could be told by is left to the original; the rest may compile.
"""

# ruff: noqa: B007
from __future__ import annotations

import numpy as np
import pytest

from autovec import autovec
from tests.generator.check import internal
from tests.same import assert_same

X = np.array([0.5, 0.25, 0.75, 0.125])
PROGRAMS = []


def program(function):
    PROGRAMS.append(function)
    return function


# ---------------------------------------------------------------- an element of a list, and the array itself


@program
def kept_and_current(x):
    kept = []
    current = x
    for k in range(3):
        new = np.empty_like(current)
        for i in range(len(current)):
            new[i] = current[i] * 0.5 + k
        kept.append(new)
        current = new
    return kept, current


@program
def appended_and_named(x):
    kept, new = [], x * 2
    kept.append(new)
    total = 0.0
    for v in new:
        total += v
    return kept, new, total


@program
def one_of_those_kept(x):
    kept, best = [], np.zeros(len(x))
    for k in range(3):
        new = np.zeros(len(x))
        for i in range(len(x)):
            new[i] = x[i] * k
        kept.append(new)
        if new[0] > 0.3:
            best = new
    return kept, best


@program
def in_two_lists(x):
    first, second = [], []
    for k in range(3):
        new = x * k
        first.append(new)
        second.append(new)
    return first, second


@program
def twice_in_a_list(x):
    kept = []
    for k in range(3):
        new = x * k
        kept.append(new)
        kept.append(new)
    return kept


@program
def twice_in_a_tuple(x):
    kept = []
    for k in range(3):
        new = x * k
        kept.append((k, new, new))
    return kept


@program
def last_of_a_list(x):
    kept = [x * 1]
    for k in range(3):
        kept.append(kept[-1] * 0.5)
    return kept, kept[-1]


@program
def unpacked_list(x):
    kept = []
    for k in range(3):
        kept.append(x * k)
    first, second, _ = kept
    return first + 1, second, kept


@program
def element_of_a_comprehension(x):
    rows = [x * k for k in range(3)]
    total = 0.0
    for v in rows[1]:
        total += v
    return rows, rows[1], total


@program
def views_of_an_argument(x):
    kept = []
    for k in range(3):
        view = x.reshape(2, 2)
        kept.append(view)
    return kept


@program
def rows_of_rows(x):
    rows = [[v * k for v in x] for k in range(3)]
    same = [row for row in rows]
    copies = [row[:] for row in rows]
    return rows, same, copies


@program
def one_list_for_all(x):
    one = [v * 2 for v in x]
    return [one for k in range(3)]


@program
def one_array_for_all(x):
    one = x * 2
    return [(one, k) for k in range(3)]


@program
def rows_of_a_matrix_in_tuples(x):
    matrix = np.outer(x, x)
    return [(matrix[k], k) for k in range(3)], [matrix[k] for k in range(3)]


@program
def one_list_or_another(x):
    a, b = [1.0, 2.0], [3.0, 4.0]
    chosen = a if x[0] > 0.3 else b
    total = 0.0
    for k in range(2):
        total += x[k] * chosen[k]
    return chosen, a, total


@program
def one_array_or_another(x):
    a, b = x * 1, x * 2
    chosen = a if x[0] > 0.9 else b
    total = 0.0
    for k in range(2):
        total += x[k] * chosen[k]
    return chosen, b, total


# ---------------------------------------------------------------- arrays made of lists, slices whose length the data says


@program
def one_array_of_a_list_twice(x):
    kept = []
    for v in x:
        if v > 0.3:
            kept.append(v * 2)
    made = np.array(kept)
    return made, made


@program
def grown_array_twice(x):
    grown = np.array([])
    for v in x:
        grown = np.append(grown, v)
    return grown, grown


@program
def slice_by_the_data(x):
    count = 0
    for v in x:
        if v > 0.3:
            count += 1
    return x[:count]


@program
def slice_and_whole(x):
    count = 0
    for v in x:
        if v > 0.3:
            count += 1
    made = x * 2
    return made[:count], made


# ---------------------------------------------------------------- dicts


@program
def under_two_keys(x):
    found, new = {}, x * 2
    for k in range(3):
        new = new * 2
    found["a"] = new
    found["b"] = new
    return found


@program
def argument_under_a_key(x):
    found = {}
    found["x"] = x
    for k in range(2):
        x[k] = 5.0
    return found


@program
def written_after_it_was_put(x):
    found, new = {}, np.zeros(2)
    found["new"] = new
    for k in range(2):
        new[k] = x[k]
    return found["new"][0], new[0]


@program
def written_under_its_key(x):
    found, new = {}, np.zeros(2)
    found["new"] = new
    for k in range(2):
        found["new"][k] = x[k]
    return found["new"][0], new[0]


# ---------------------------------------------------------------- stores through another name


@program
def two_names_of_a_list(x):
    a = [1.0, 2.0]
    b = a
    for k in range(2):
        b[k] = x[k]
    return a[0], b[1]


@program
def bound_to_both(x):
    a = b = [0.0, 0.0]
    for k in range(2):
        b[k] = x[k]
    return a[0], b[1]


@program
def longer_under_another_name(x):
    a = [1.0, 2.0]
    b = a
    for k in range(2):
        b.append(x[k])
    return len(a), b


@program
def rows_with_names(x):
    first, second = [0.0, 0.0], [1.0, 1.0]
    rows = [first, second]
    for k in range(2):
        rows[0][k] = x[k]
    return first, rows


@program
def repeated_row(x):
    rows = [[0.0] * 2] * 2
    for k in range(2):
        rows[0][k] = x[k]
    return rows[1][0]


@program
def one_row_for_all(x):
    row = [0.0] * 2
    rows = [row for _ in range(3)]
    for k in range(2):
        rows[0][k] = x[k]
    return rows[1][0], row[0]


@program
def rows_listed_again(x):
    rows = [[0.0] * 2 for _ in range(3)]
    again = [row for row in rows]
    for k in range(2):
        again[1][k] = x[k]
    return rows[1][0]


@program
def arrays_listed_again(x):
    rows = [np.zeros(2) for _ in range(3)]
    again = [(row, k) for k, row in enumerate(rows)]
    for k in range(2):
        rows[1][k] = x[k]
    return again[1][0][0]


@program
def array_in_tuples(x):
    one = np.zeros(2)
    again = [(one, k) for k in range(3)]
    for k in range(2):
        one[k] = x[k]
    return again[1][0][0]


@program
def rows_of_a_matrix_that_is_written(x):
    matrix = np.zeros((3, 2))
    again = [(matrix[k], k) for k in range(3)]
    for k in range(2):
        matrix[1, k] = x[k]
    return again[1][0][0]


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_one_object_in_two_places(function):
    f = autovec(function, fallback="silent")
    assert_same(f, X)
    assert internal(f) is None


# ---------------------------------------------------------------- and what has memory of its own does compile


def several_lists(x):
    a, b = [0.0] * 2, [[1.0, 2.0], [3.0, 4.0]]
    c, d = [1.0], [x[0]]
    for k in range(2):
        a[k] = x[k]
        b[k][0] = x[k]
        c.append(x[k])
        d.append(2.0)
    return a, b, c, d


def rows_made_for_each(x):
    kept, last = [], 0.0
    for k in range(3):
        new = np.zeros(len(x))
        for i in range(len(x)):
            new[i] = x[i] * k
        kept.append(new)
        last = new[0]
    pairs = [(x * k, k) for k in range(3)]
    table = [[v * k for v in x] for k in range(2)]
    return kept, last, pairs, table


def put_and_left_alone(x):
    found = {}
    total = 0.0
    for v in x:
        total += v
    found["double"] = x * 2
    found["total"] = total
    return found


@pytest.mark.parametrize("function", [several_lists, rows_made_for_each, put_and_left_alone])
def test_each_in_its_place(function):
    f = autovec(function, fallback="silent")
    assert_same(f, X)
    assert f.report().blocked is None, f.report()
