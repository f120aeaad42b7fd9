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


def test_one_of_a_few_rows():
    def filtered(a):
        weights = [[1, 2, 1], [2, 4, 2], [1, 2, 1]]
        out = np.zeros(a.shape)
        for i in range(1, a.shape[0] - 1):
            for j in range(1, a.shape[1] - 1):
                s = 0
                for p in range(3):
                    for q in range(3):
                        s += weights[p][q] * a[i + p - 1, j + q - 1]
                out[i, j] = s / 16
        return out

    def walk(a, moves):
        ways = [(0, 1), (1, 0), (0, -1), (-1, 0)]
        scores = ((1, 2.5), (3, 4.5))
        i, j, s = 0, 0, 0
        for m in moves:
            di, dj = ways[m]
            i = (i + di) % a.shape[0]
            j = (j + dj) % a.shape[1]
            s += a[i, j] * ways[m][0] + scores[m % 2][1]
        last = scores[moves[-1] % 2]
        return i, j, s, last

    def of_several_kinds(x, k):
        table = [[1, 0.5], [2, x[0]]]
        s = 0
        for i in range(len(x)):
            s += table[(i + k) % 2][0] + table[i % 2][1]
        return s, table[k], table[k][0]

    compiles(filtered, np.arange(20.0).reshape(4, 5))
    compiles(walk, np.arange(20.0).reshape(4, 5), np.array([0, 1, 1, 2, 0, 3, 1]))
    compiles(walk, np.arange(20.0).reshape(4, 5), np.array([-1, 1, -4]))
    compiles(of_several_kinds, X, 1)
    compiles(of_several_kinds, X, 0)


def test_sorted_in_place_and_anew():
    def median_of_three(x):
        out = np.zeros(len(x))
        for i in range(1, len(x) - 1):
            w = [x[i - 1], x[i], x[i + 1]]
            w.sort()
            out[i] = w[1] + sorted([x[i], x[i - 1]])[0]
        return out

    def median_of_neighbours(x):
        out = np.zeros(len(x))
        for i in range(1, len(x) - 1):
            w = []
            for d in (-1, 0, 1):
                w.append(x[i + d])
            w.sort()
            out[i] = w[len(w) // 2]
        return out

    def median_image(a):
        out = a.copy()
        for y in range(1, a.shape[0] - 1):
            for x in range(1, a.shape[1] - 1):
                w = []
                for dy in (-1, 0, 1):
                    for dx in (-1, 0, 1):
                        w.append(a[y + dy, x + dx])
                w.sort()
                out[y, x] = w[len(w) // 2]
        return out

    def from_one_round_to_the_next(x):
        w = [v * 2 for v in x]
        s = 0.0
        for i in range(3):
            s = s * 0.5 + w[1]
            w.sort()
            w[2] = x[i]
        other = list(x)
        same = other
        while s < 10:
            s += other[1] ** 2 + 1
            other.sort()
        return s, w, other is same, same[0]

    def sometimes(x):
        w = [v * 2 for v in x]
        for v in x:
            if v > 0:
                w.sort()
            w[0] = v
        return w

    compiles(median_of_three, X)
    compiles(median_of_neighbours, X)
    image = np.random.default_rng(1).integers(0, 255, (5, 6)).astype(np.uint8)
    assert_same(autovec(median_image, fallback="silent"), image)
    for f in (from_one_round_to_the_next, sometimes):
        assert_same(autovec(f, fallback="silent"), X)
        assert_same(autovec(f, fallback="silent"), np.where(X > 0, X, np.nan))


def test_a_row_that_the_data_chooses_is_that_row():
    def written(x, k):
        rows = [[1, 2], [3, 4]]
        row = rows[k]
        for i in range(len(x)):
            row[0] += i
        return rows

    def both(x, k):
        rows = [[1, 2], [3, 4]]
        s = 0.0
        for v in x:
            s += rows[k][0] * v
        return rows, rows[k], s

    def grown(x, k):
        rows = [[1, 2], [3, 4]]
        row = rows[k]
        for v in x:
            row.append(v)
        return rows

    def passed(x, k, rows):
        s = 0.0
        for v in x:
            s += rows[k][1] * v
        return s, rows[k]

    def outside(x, moves):
        ways = [(0, 1), (1, 0)]
        s = 0.0
        for m in moves:
            s += x[ways[m][0]]
        return s

    for f in (written, both, grown):
        for k in (0, 1, -1, 2):
            assert_same(autovec(f, fallback="silent"), X, k)
    assert_same(autovec(passed, fallback="silent"), X, 1, [[1, 2.5], [3, 4]])
    assert_same(autovec(passed, fallback="silent"), X, 1, [(1, 2.5), (3, 4)])
    assert_same(autovec(outside, fallback="silent"), X, np.array([0, 1, 2]))


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
