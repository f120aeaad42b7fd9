"""Aliasing: one array under several names, overlapping views, transposes, rows, swaps."""

# ruff: noqa: B007
from __future__ import annotations

import numpy as np
import pytest

from tests.contract.rows import Row, both

row = Row("aliasing")

A = np.array([1.5, -2.0, 3.0, 0.5, 4.0, -1.0])
B = A[::-1].copy()
M = np.arange(16.0).reshape(4, 4) % 7
FLAT = M.ravel()


@row.probe((A, B), (A, A), (A[1:], A[:-1]), (A[:-1], A[1:]), (A, A[::-1]), (A[::2], A[1::2]), (A[:3], A[3:]))
def shifted_from(a, b):
    for i in range(1, len(a)):
        a[i] = b[i - 1] + 1.0
    return a, b


@row.probe((M, M.T.copy()), (M, M.T), (M, M), (M[:2, :2], M[1:3, 1:3]))
def transposed_into(a, b):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            a[i, j] = b[j, i] * 2


@row.probe((M, A), (M, M[1, :]), (M, M[:, 2]), (M, M.diagonal()), (M, FLAT[2:]))
def matrix_and_its_row(m, r):
    for i in range(4):
        for j in range(4):
            m[i, j] += r[i]
    return m, r


@row.probe((A,), (A[:1],), (A[:2],))
def slice_added_to_shifted_slice(a):
    for i in range(3):
        a[1:] += a[:-1]
    return a


@row.probe((A,), (A[:1],), (A[:2],))
def slices_backwards(a):
    for i in range(3):
        a[:-1] = a[1:]
        a[:] = a[::-1]
    return a


@row.probe((A,), (A[:3],))
def slice_swap_through_views(a):
    n = len(a) // 2
    for i in range(3):
        a[:n], a[-n:] = a[-n:], a[:n]
    return a


@row.probe((M,), (M[:1, :1],))
def rows_swapped_as_views(m):
    for i in range(m.shape[0] - 1):
        m[i], m[i + 1] = m[i + 1], m[i]
    return m


@row.probe((M,))
def rows_swapped_as_copies(m):
    for i in range(m.shape[0] - 1):
        m[i], m[i + 1] = m[i + 1].copy(), m[i].copy()
    return m


@row.probe((M,))
def rows_swapped_by_list(m):
    for i in range(m.shape[0] - 1):
        m[[i, i + 1]] = m[[i + 1, i]]
    return m


@row.probe((A,), (A[:2],))
def elements_swapped(a):
    for i in range(len(a) // 2):
        a[i], a[len(a) - 1 - i] = a[len(a) - 1 - i], a[i]
    return a


@row.probe((A,))
def rotated_by_three(a):
    for i in range(len(a) - 2):
        a[i], a[i + 1], a[i + 2] = a[i + 2], a[i], a[i + 1]
    return a


@row.probe((A, B), (A, A), (A, A[:]), (A, A[::-1]))
def names_for_one_array(a, b):
    c = a
    d = b
    for i in range(len(a)):
        c[i] = d[len(d) - 1 - i]
        d[i] += 1
    return c, d


@row.probe((A, B, 1), (A, B, 0), (A, A, 1), open="one of two arguments returned")
def one_of_two(a, b, k):
    c = a if k else b
    for i in range(len(a)):
        c[i] = i
    return c, a[0], b[0]


@row.probe((M,))
def row_view_is_live(m):
    r = m[1]
    for i in range(4):
        m[i] += r
    return r, m


@row.probe((M,))
def row_view_is_written(m):
    for i in range(4):
        r = m[i]
        for j in range(1, 4):
            r[j] = r[j - 1] + 1
    return m


@row.probe((M,))
def view_of_view(m):
    v = m[1:][:, 1:]
    w = v[0]
    for i in range(3):
        w[i] = m[i, i]
        v[i, i] += w[0]
    return v, w, m


@row.probe((M,))
def column_of_transpose(m):
    t = m.T
    for i in range(4):
        t[i, 0] = m[i, i]
    return t, m


@row.probe((M,), open="a reshaped argument written to")
def reshaped_view(m):
    f = m.reshape(-1)
    g = m.ravel()
    for i in range(len(f)):
        f[i] = i
    return m, g


@row.probe((A, B), (A, A), (A[1:], A[:-1]))
def reads_only(a, b):
    s = 0.0
    for i in range(len(a)):
        s += a[i] * b[i]
    return s


@row.probe((A, B, A * 2), (A, A, A), (A, B, A[:]), (A, A[:], B))
def three_arrays(a, b, c):
    for i in range(1, len(c)):
        c[i] = a[i - 1] + b[i]
    return c


@row.probe((A, B), (A, A))
def two_written(a, b):
    for i in range(1, len(a)):
        a[i] = b[i - 1]
        b[i] = a[i] + 1
    return a, b


@row.probe((A,))
def kept_before_it_is_written(a):
    old = a.copy()
    same = a
    for i in range(1, len(a)):
        a[i] = old[i - 1] + same[i - 1]
    return old, same


@row.probe((np.lib.stride_tricks.as_strided(A, (3, 2), (8, 8)),), (np.arange(6.0).reshape(3, 2),))
def folded_memory(m):
    for i in range(3):
        for j in range(2):
            m[i, j] += 1
    return m


@row.probe((np.broadcast_to(A, (3, 6)),), (np.zeros((3, 6)),))
def broadcast_is_read(m):
    s = 0.0
    for i in range(3):
        s += m[i].sum()
    return s


@row.probe((A, 2), (A, 0), (A, -1))
def in_place_by_element_of_itself(a, k):
    for i in range(len(a)):
        a[i] -= a[k]
    return a


@row.probe((M,), (M[:1, :1],))
def matrix_minus_its_first_row(m):
    for i in range(m.shape[0]):
        m[i] = m[i] - m[0]
    return m


@row.probe((M,))
def outer_of_itself(m):
    for i in range(4):
        m += m[i][:, None] * m[:, i][None, :]
    return m


@row.probe((A,))
def through_function(a):
    def shift(x, y):
        for i in range(1, len(x)):
            x[i] = y[i - 1]

    shift(a, a)
    for i in range(2):
        shift(a[1:], a[:-1])
    return a


# ---------------------------------------------------------------- one object in two places


class Body:
    def __init__(self):
        self.n, self.x, self.inner = 0.0, np.zeros(6), None


class Inner(Body):
    pass


def holding(inner):
    body = Body()
    body.inner = inner
    return body


ONE, TWO = Body(), Inner()
RING = holding(None)
RING.inner = RING
INSIDE = [0.0] * 6


@row.probe((ONE, ONE, A), (ONE, holding(None), A))
def one_object_under_two_names(p, q, a):
    s = 0.0
    for i in range(len(a)):
        p.n += a[i]
        s += q.n
    return s


@row.probe((ONE, (ONE,), A), (ONE, (TWO,), A), (TWO, (ONE,), A))
def object_and_a_tuple_of_it(p, items, a):
    s = 0.0
    for i in range(len(a)):
        p.n += a[i]
        s += items[0].n
    return s


@row.probe((ONE, holding(ONE), A), (ONE, holding(TWO), A))
def object_inside_another(p, q, a):
    s = 0.0
    for i in range(len(a)):
        p.n += a[i]
        s += q.inner.n
    return s


@row.probe((RING, A), (holding(TWO), A))
def object_that_holds_itself(p, a):
    s = 0.0
    for i in range(len(a)):
        p.n += a[i]
        s += p.inner.n
    return s


@row.probe((ONE, ONE.x, A), (ONE, TWO.x, A), (holding(None), ONE.x[::-1], A))
def array_of_an_object_too(p, x, a):
    for i in range(1, len(a)):
        p.x[i] = x[i - 1] + a[i]
    return x


@row.probe((INSIDE, {"items": INSIDE}), (INSIDE, {"items": [1.0] * 6}))
def list_in_a_dict_too(items, held):
    s = 0.0
    for i in range(len(items)):
        items[i] += i + 1.0
        s += held["items"][i]
    return s


TABLE = np.arange(12.0).reshape(4, 3)
CHOSEN = [
    (TABLE.copy(), np.array([2, 0])),
    (TABLE.copy(), [2, 0]),
    (TABLE.copy(), np.array([1, 1])),
    (TABLE.copy(), np.array([3, -1, 0])),
]


@row.probe(*CHOSEN)
def what_an_index_array_picks_is_a_copy(a, idx):
    s = 0.0
    b = a[idx]
    b += 1
    for i in range(3):
        s += a[0, i] * b[0, i]
    return s, a, b


@row.probe(*CHOSEN, python="it has no effect")
def a_copy_that_has_no_name_is_written_to(a, idx):
    s = 0.0
    for i in range(2):
        s += a[0, 0]
        a[idx][:] = 5.0
        a[:, idx[:1] * 0][0] = 3.0
        a[idx].fill(i)
    return s, a


@row.probe(*CHOSEN)
def a_copy_keeps_what_it_was(a, idx):
    b = a[idx]
    for i in range(len(a)):
        a[i, 0] = -1.0
    for row in b:
        row[0] *= 2
    return b, a


test_row = row.test()
test_share = row.share_test()


# ---------------------------------------------------------------- what is compiled in may be an argument too


def default_array(decorate):
    table = np.arange(1.0, 7.0)

    def helper(x, t=table):
        return x * t[0] + t[1]

    @decorate
    def f(t, a):
        s = 0.0
        for i in range(len(a)):
            t[i] += a[i]
            s += helper(a[i])
        return s

    return lambda a, k: f(table if k == 0 else table[:3] if k == 1 else table[3:], a), lambda: table


def default_list(decorate):
    table, other = [float(k) for k in range(6)], [7.0] * 6

    def helper(x, t=table):
        return x * t[0] + t[1]

    @decorate
    def f(t, a):
        s = 0.0
        for i in range(len(a)):
            t[i] += a[i]
            s += helper(a[i])
        return s

    return lambda a, k: f(table if k == 0 else other, a), lambda: (table, other)


def list_in_a_global_dict(decorate):
    table = {"rows": [[float(k) for k in range(6)]], "row": [0.5] * 6}

    @decorate
    def f(t, a):
        s = 0.0
        for i in range(len(a)):
            t[i] += a[i]
            s += table["rows"][0][1] + table["row"][0]
        return s

    return lambda a, k: f(table["rows"][0] if k == 0 else table["row"] if k == 1 else [1.0] * 6, a), lambda: table


def array_in_a_global_tuple(decorate):
    table = (np.arange(6.0), 2.0)

    @decorate
    def f(t, a):
        s = 0.0
        for i in range(len(a)):
            t[i] += a[i]
            s += table[0][1] * table[1]
        return s

    return lambda a, k: f(table[0] if k == 0 else table[0][1:4] if k == 1 else np.zeros(6), a), lambda: table


@pytest.mark.parametrize("make", [default_array, default_list, list_in_a_global_dict, array_in_a_global_tuple])
def test_what_is_compiled_in_may_be_an_argument(make):
    both(make, (A[:3], 0), (A[:3], 1), (A[:3], 2))
