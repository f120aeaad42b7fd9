"""Memory in common: views that are copies when compiled, names that loops rebind, and the order in which things are read."""

# ruff: noqa: B007
from __future__ import annotations

import numpy as np

from tests.contract.rows import Row

row = Row("sharing")

A = np.arange(5.0)
M = np.arange(12.0).reshape(3, 4)
SHARES = "the caller or a later store would tell a copy from the view"


@row.probe((M,), open=SHARES)
def list_of_views_then_write(m):
    rows = [m[i] for i in range(len(m))]
    m[0, 0] = 99.0
    return rows[0].sum()


@row.probe((M,))
def list_of_rows_of_a_new_array(m):
    b = m * 2
    for i in range(3):
        b[i, 0] = 99.0
    return [b[i] for i in range(3)]


@row.probe((M,), open=SHARES)
def list_of_windows(m):
    b = m[0] * 2
    return [b[i : i + 2] for i in range(3)]


@row.probe((M,), open=SHARES)
def array_and_its_transpose(m):
    b = np.zeros((3, 4))
    for i in range(3):
        b[i] = m[i]
    return b, b.T


@row.probe((A,), open=SHARES)
def two_parts_of_a_new_array(a):
    b = np.zeros(5)
    for i in range(5):
        b[i] = a[i]
    return b[:2], b[1:]


@row.probe((A,), open=SHARES)
def one_array_twice(a):
    b = np.zeros(5)
    for i in range(5):
        b[i] = a[i]
    return [b, b]


@row.probe((A,), open=SHARES)
def no_copy(a):
    for i in range(5):
        a[i] += 1
    return a.astype(float, copy=False), np.ascontiguousarray(a), np.asarray(a)


@row.probe((A,), open=SHARES)
def reshaped(a):
    for i in range(5):
        a[i] += 1
    return a.reshape(5, 1), a.ravel(), a.real, a[None]


@row.probe((A,), open=SHARES)
def reshaped_and_written(a):
    b = a.reshape(5, 1)
    for i in range(5):
        b[i, 0] += a[0]
    return a.sum(), b.sum()


@row.probe((A,))
def reshaped_and_read(a):
    b = np.zeros(5)
    for i in range(5):
        b[i] = a[i] + 1
    return b.reshape(5, 1)


@row.probe((A,))
def reversed_whole(a):
    for i in range(5):
        a[i] += 1
    return a[::-1]


@row.probe((A,))
def kept_in_a_tuple(a):
    kept = (a.copy(), a + 1, a)
    for i in range(5):
        a[i] = 7
    return kept[0].sum(), kept[1].sum(), kept[2].sum()


# ---------------------------------------------------------------- views that can't be written to


@row.probe((M,))
def read_only_views_are_read(m):
    b = m @ m.T
    d, wide = np.diag(b), np.broadcast_to(b[0], (2, 3))
    s = 0.0
    for i in range(3):
        s += d[i] * wide[1, i]
    return s, d.copy(), d * 2, np.diag(d), np.diagonal(b) + wide, np.einsum("ij->j", b)


@row.probe((M,), open="a read-only array returned")
def diagonal_returned(m):
    b = np.zeros((3, 3))
    for i in range(3):
        b[i] = m[i, :3] * 2
    return np.diag(b @ b)


@row.probe((A,), open="a read-only array returned")
def broadcast_returned(a):
    s = 0.0
    for i in range(5):
        s += a[i]
    wide = np.broadcast_to(s, (2, 3))
    return wide[0]


@row.probe((M,), open="the original raises")
def diagonal_written(m):
    d = (m @ m.T).diagonal()
    for i in range(3):
        d[i] = i
    return d.sum()


@row.probe((M,), open=SHARES)
def einsum_that_sums_nothing(m):
    b = m[:, :3] * 2
    for i in range(3):
        b[i, 0] = i
    return np.einsum("ii->i", b), b


# ---------------------------------------------------------------- names that a loop rebinds


@row.probe((A, 3), (A, 1), (A, 0), open=SHARES)
def still_another_name_of_it(u, n):
    prev = u
    for t in range(n):
        prev = u
        for i in range(len(u)):
            u[i] = u[i] + 1
    return prev.sum() - u.sum()


@row.probe((A, 3), (A, 0))
def rebound(a, n):
    for i in range(n):
        a = a * 2
    return a


@row.probe((A, 3), (A, 0), (A, 2), open=SHARES)
def rotated(a, n):
    b = a * 2
    for i in range(n):
        a, b = b, a
    return a


@row.probe((A, 3), (A, 1))
def wave(cur, n):
    prev = cur * 0.5
    for t in range(n):
        new = np.zeros(5)
        for i in range(1, 4):
            new[i] = cur[i - 1] + cur[i + 1] - prev[i]
        prev, cur = cur, new
    return cur


@row.probe((A, 3), (A, 1), (A, 2), open=SHARES)
def both_of_a_wave(cur, n):
    prev = cur * 0.5
    for t in range(n):
        prev, cur = cur, cur * 2 - prev
    return prev, cur


@row.probe((A, 3), (A, 0), open=SHARES)
def bound_to_itself(a, n):
    for i in range(n):
        a = a
    return a


@row.probe((A, 3), (A, 0), (A, 1), open=SHARES)
def rebound_sometimes(a, n):
    for i in range(n):
        if i > 1:
            a = a * 2
    return a


@row.probe((A, 3), (A, 0), (A, -1))
def rebound_while(a, n):
    while n > 0:
        a = a * 2
        n -= 1
    return a


@row.probe((A, 3), (A, 0))
def new_array_each_time(x, n):
    for t in range(n):
        new = x.copy()
        for i in range(1, 4):
            new[i] = (x[i - 1] + x[i + 1]) / 2
        x = new
    return x.sum()


# ---------------------------------------------------------------- what is read first


@row.probe((A,))
def left_side_is_read_first(a):
    def bump(x):
        x[0] = x[0] + 10
        return 1.0

    for i in range(3):
        a[0] += bump(a)
        a[1] = a[0] + bump(a)
    return a


@row.probe((A,))
def walrus_after_the_name(a):
    s, x = 0.0, 1.0
    for i in range(4):
        s += x * (x := x + a[i])
        x += (x := 2.0)
    return s, x


@row.probe((A,))
def value_before_the_target(a):
    k = 0
    for i in range(3):
        a[k] = (k := k + 1)
    for i in range(2):
        i = a[i] = 2
    return a, k, i


@row.probe((A,))
def names_late_defaults_early(a):
    k = 1.0
    late = lambda x: x * k  # noqa: E731

    def early(x, d=k):
        return x + d

    k = 5.0
    s = 0.0
    for i in range(5):
        k = k + 1
        s += late(a[i]) + early(a[i])
    return s


test_row = row.test()
