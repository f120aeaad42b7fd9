"""Lists of tuples, of lists and of arrays: the types of the elements, which object is which, and what isn't built."""

from __future__ import annotations

import numpy as np
import pytest

from autovec import autovec
from tests.same import assert_same

X = np.random.default_rng(3).normal(size=9)


def compiles(f, *args):
    """The same answers, and from a program."""
    made = autovec(f)
    assert_same(made, *args)
    assert "FALLBACK" not in str(made.report()), str(made.report())


def refused(f, *args):
    """The same answers, by the original."""
    made = autovec(f, fallback="silent")
    assert_same(made, *args)
    assert "FALLBACK" in str(made.report())


def test_a_list_of_tuples_has_tuples():
    def close_pairs(x):
        out = []
        for i in range(len(x)):
            for j in range(i + 1, len(x)):
                if abs(x[i] - x[j]) < 0.3:
                    out.append((i, j))
        return out

    def indexed(x):
        return [[k, v] for k, v in enumerate(x) if v > 0], [((k, v), [k, 2.5]) for k, v in enumerate(x) if v > 0]

    def none_at_all(x):
        out = []
        for i in range(4):
            if x[i] > 100:
                out.append((i, x[i]))
        return out

    compiles(close_pairs, X)
    compiles(indexed, X)
    compiles(none_at_all, X)


def test_a_list_of_lists_has_lists():
    def grown_rows(x):
        out = []
        for i in range(4):
            row = []
            for j in range(3):
                row.append(x[i] * j)
            out.append(row)
        return out

    def filled_rows(x):
        out = []
        for i in range(4):
            row = [0.0] * 3
            for j in range(2):
                row[j] = x[i] * j
            out.append(row)
        return out

    def filtered_rows(x):
        return [[x[j] for j in range(3)] for i in range(4) if x[i] > 0]

    compiles(grown_rows, X)
    compiles(filled_rows, X)
    compiles(filtered_rows, X)


def test_a_small_list_can_be_written_to():
    def counts(x):
        c = [0, 0, 0]
        for v in x:
            c[int(abs(v)) % 3] += 1
        best = [0.0, 0]
        for k in range(len(x)):
            if x[k] > best[0]:
                best[0] = x[k]
                best[1] = k
        t = [[0, 0] for _ in range(3)]
        for k in range(3):
            t[k][k % 2] = k
        return c, t

    compiles(counts, X)


def test_one_list_in_two_places_stays_one():
    def twice(x):
        out = []
        for i in range(4):
            out.append(x[i])
        return [out, out]

    def rows_of_the_argument(g):
        out = []
        for row in g:
            out.append(row)
        return out

    def one_row_many_times(x):
        row = [0.0, 0.0]
        out = []
        for i in range(3):
            row[0] = x[i]
            out.append(row)
        return out

    def written_afterwards(x):
        out = []
        for i in range(3):
            row = [0.0] * 2
            out.append(row)
            row[1] = x[i]
        return out

    refused(twice, X)
    refused(rows_of_the_argument, [[1.0, 2.0], [3.0, 4.0]])
    refused(one_row_many_times, X)
    refused(written_afterwards, X)


def test_views_in_a_list_are_views():
    def windows(x):
        out = []
        for i in range(4):
            if x[i] > -9:
                out.append((x[i : i + 2], i))
        return out

    def looked_at(x):
        out = []
        for i in range(4):
            out.append(x[i : i + 2])
        return np.array(out)

    refused(windows, X)
    compiles(looked_at, X)


TABLE = [1.0, 2.0, 3.0]
SETTINGS = {"alpha": 2.0}


@pytest.mark.parametrize("change", [lambda: TABLE.__setitem__(0, 10.0), lambda: SETTINGS.__setitem__("alpha", 3)])
def test_what_globals_hold_is_read_at_each_call(change):
    @autovec(fallback="silent")
    def weighted(x):
        total = 0.0
        for i in range(len(x)):
            for w in TABLE:
                total += w * x[i] * SETTINGS["alpha"]
        return total

    assert_same(weighted, X)
    change()
    assert_same(weighted, X)
