"""Indices: negative, out of range, of arrays, twice the same, past the end, empty, masks, None and `...`."""

# ruff: noqa: B007
from __future__ import annotations

import numpy as np

from tests.contract.rows import Row

row = Row("indices")

A = np.array([1.5, -2.0, 3.0, 0.5, 4.0])
M = np.arange(12.0).reshape(3, 4)
OUT = np.zeros(5)


@row.probe((A,), (A[:1],))
def negative_constants(a):
    s = 0.0
    for i in range(3):
        s += a[-1] * i
        a[-1] += 1.0
    return s, a[-1]


@row.probe((A, -3), (A, 2), (A, -5), (A, 4), (A, -6), (A, 5))
def variable_that_may_be_negative(a, k):
    s = 0.0
    for i in range(3):
        s += a[k] * i
    return s


@row.probe((A, 1), (A, 0), (A, 6), (A, -1))
def running_below_zero(a, k):
    out = np.zeros(len(a))
    for i in range(len(a)):
        out[i] = a[i - k]
    return out


@row.probe((A, 4), (A, 5), (A, 6), (A, 0))
def reading_past_the_end(a, n):
    s = 0.0
    for i in range(n):
        s += a[i]
    return s


@row.probe((A, 4), (A, 5), (A, 7))
def writing_past_the_end(a, n):
    for i in range(n):
        a[i] = i
    return a


@row.probe((A, 4), (A, 7))
def earlier_writes_stay(a, n):
    for i in range(len(a)):
        a[i] *= 2
    for i in range(n):
        a[i] = -1.0


@row.probe((A, np.array([0, 4, -1, -5])), (A, np.array([0, 5])), (A, np.array([-6])), (A, np.array([2, 2, 2])))
def gathered(a, at):
    out = np.zeros(len(at))
    for i in range(len(at)):
        out[i] = a[at[i]]
    return out


@row.probe((A, np.array([0, 4, -1, 4])), (A, np.array([0, 5])), (A, np.array([1, -6])), (A, np.array([2, 2, 2])))
def scattered(a, at):
    for i in range(len(at)):
        a[at[i]] = i
    return a


@row.probe((A, np.array([0, 4, -1, 4])), (A, np.array([0, 5])), (A, np.array([2, 2, 2])))
def counted(a, at):
    for k in at:
        a[k] += 1.0
    return a


@row.probe((A, np.array([0, -5, 0])), (A, np.array([1, -4, 1, 1])))
def one_place_by_two_names(a, at):
    for i in range(len(at)):
        a[at[i]] = a[at[i]] * 2 + i
    return a


@row.probe((M, np.array([0, 2, 0]), np.array([1, -1, 1])), (M, np.array([0, 3]), np.array([1, 1])))
def scattered_in_two(m, i, j):
    for k in range(len(i)):
        m[i[k], j[k]] = k
    return m


@row.probe((A, np.array([2**63, 1], np.uint64)), (A, np.array([1, 2], np.uint64)), (A, np.array([1, 2], np.uint8)))
def unsigned_indices(a, at):
    s = 0.0
    for k in at:
        s += a[k]
    return s


@row.probe((A, np.array([-1, -128], np.int8)), (A, np.array([-1, -3], np.int8)))
def narrow_indices(a, at):
    s = 0.0
    for k in at:
        s += a[k]
    return s


@row.probe((A, np.array([127, 3], np.int8)), (A, np.array([-3, -2], np.int8)))
def narrow_indices_that_wrap(a, at):
    s = 0.0
    for k in at:
        s += a[k + np.int8(2)]
    return s


@row.probe((A, np.array([1.0, 2.0])), open="IndexError whatever the data")
def float_indices(a, at):
    s = 0.0
    for k in at:
        s += a[k]
    return s


@row.probe((A, np.array([True, False])))
def boolean_scalars_as_indices(a, at):
    s = 0.0
    for k in at:
        s += a[int(k)]
    return s


@row.probe((A, 3), (A, 9), (A, -2), (A, -9), (A, 0))
def slices_clamp(a, n):
    s = 0.0
    for i in range(4):
        s += a[:n].sum() + a[n:].sum() * 10 + a[i:n].sum() * 100
    return s


@row.probe((A,), (A[:1],), (A[:2],))
def slices_past_the_end(a):
    out = []
    for i in range(3):
        out.append(a[2:20].sum() + a[-20:2].sum() + a[7:9].sum())
    return out


@row.probe((A,), (A[:2],))
def empty_slices_written(a):
    for i in range(3):
        a[3:2] = 7.0
        a[9:] = 8.0
        a[1:1] += i
    return a


@row.probe((A, 2), (A, -1), (A, 3))
def steps_backwards(a, k):
    out = np.zeros(len(a))
    for i in range(2):
        out[: len(a[::2])] += a[::2]
        out += a[::-1] * i
        out[1::k] += 1.0
    return out


@row.probe((A, 2), (A, -1), (A, 0), (A, 9), (A, 2))
def parts_by_a_step(a, k):
    s = 0.0
    for i in range(len(a)):
        s += a[i::k].sum() if k > 0 else a[i]
        a[::k] = a[::k] * 2
    return s, a, a[: len(a) - 1 : k], a[::None]


@row.probe((A, 1.0))
def steps_by_data(a, t):
    k = 1
    for i in range(len(a)):
        if a[i] > t:
            k = i
    return a[::k].sum()


@row.probe((A, A > 0), (A, A > 9), (A, A < 9))
def boolean_masks(a, mask):
    s = 0.0
    for i in range(3):
        s += a[mask].sum() * i
        a[mask] = a[mask] * 2
    return s, a[mask]


@row.probe((A, np.array([True, False])), open="IndexError whatever the data")
def masks_of_another_length(a, mask):
    s = 0.0
    for i in range(3):
        s += a[mask].sum() * i
    return s


@row.probe((A,))
def masks_by_comparison(a):
    for i in range(3):
        a[a > i] -= 1.0
    return a


@row.probe((A, A > 0), (A, A > 9), (A, A < 9))
def what_a_mask_picks_is_gone_through(a, mask):
    y = a[mask]
    out = np.zeros(len(y))
    for i in range(len(y)):
        out[i] = y[i] + i
    for v in a[~mask]:
        a[0] += v
    return y, out, a, len(y)


@row.probe((A, np.array([1, -1, 0, 2, 5])), (A, np.array([0, 0, 0, 0, 0])), (A, np.array([9, 9, 9, 9, 9])))
def places_where_it_holds(a, k):
    at = np.flatnonzero(k > 0)
    s = 0.0
    for i in at:
        s += a[i]
    a[at] = 0.0
    return s, a, at, a[np.where(k < 9)[0]]


@row.probe((A, np.array([3.0, 2.0])), (A, np.array([4.0, 2.0, 3.0])), (A, np.array([7.0])))
def as_many_values_as_the_mask_picks(a, v):
    for _ in range(2):
        a[a > 1] = v
    return a


@row.probe((A,), open="the caller would tell the two arrays apart")
def a_masked_array_returned_twice(a):
    y = a[a > 0]
    for i in range(len(a)):
        a[i] = 0.0
    return y, y


@row.probe((M,))
def none_and_ellipsis(m):
    s = np.zeros((3, 4))
    for i in range(3):
        s += m[..., i][:, None] * m[i, ...][None, :]
        s[..., 0] += m[i][..., 0]
    return s, m[None].shape, m[..., None].shape


@row.probe((A,), (A[:1],), (A[:2],), open="IndexError whatever the data")
def too_many_indices(a):
    s = 0.0
    for i in range(len(a)):
        s += a[i]
        if i == 1:
            s += a[i, 0]
    return s


@row.probe((M, 1, 2), (M, -1, -1), (M, 3, 0), (M, 0, 4), (M, 0, -5))
def matrix_places(m, i, j):
    s = 0.0
    for k in range(3):
        s += m[i, j] + m[i][j] * k
        m[i, j] = k
    return s


@row.probe((M, np.array([2, 0])), (M, np.array([2, 3])), (M, np.array([], int)))
def rows_by_index_array(m, at):
    s = np.zeros(4)
    for k in range(2):
        s += m[at].sum(axis=0) * k
    return s, m[at] + 0


@row.probe((A, 2), (A, 5), (A, -6))
def swapped_places(a, k):
    for i in range(2):
        a[i], a[k] = a[k], a[i]
    return a


@row.probe((A, np.array([3, 1, 0, 4, 2])), (A, np.array([3, 1, 0, 5, 2])), (A, np.array([1, 0, 1, 0, 1])))
def chains_of_indices(a, nxt):
    k = 0
    s = 0.0
    for i in range(6):
        s += a[k]
        k = nxt[k]
    return s, k


@row.probe((A, np.array([0, 0, 1])), (A, np.array([0, 7, 1])), (A, np.array([0, 1, 9])))
def guarded_bad_index(a, at):
    s = 0.0
    for i in range(len(at)):
        if at[i] < len(a):
            s += a[at[i]]
    return s


@row.probe((A, np.array([0, 9, 1])), (A, np.array([2, 1, 9])), (A, np.array([0, 1])))
def stopped_before_bad_index(a, at):
    s = 0.0
    for k in at:
        if k > 4:
            break
        s += a[k]
    return s


@row.probe((A, 0), (A, 4), (A, 5))
def short_circuit(a, k):
    n = 0
    for i in range(len(a) + 1):
        if i < len(a) and a[i] > 0 and (i == 0 or a[i - 1] < a[i]):
            n += 1
    return n


@row.probe(([1.0, 2.0, 3.0], 2), ([1.0, 2.0, 3.0], 3), ([1.0, 2.0, 3.0], -3), ([1.0, 2.0, 3.0], -4))
def lists_index_too(v, k):
    s = 0.0
    for i in range(2):
        s += v[k] + v[i - 1]
    return s


@row.probe((A, 3), (A, 6), (A, -3), (A, 0))
def moving_windows(a, w):
    out = np.zeros(len(a))
    for i in range(len(a)):
        out[i] = a[max(0, i - w) : i + 1].sum()
    return out


@row.probe((A,), (A[:4],), (A[:1],))
def halves(a):
    n = len(a) // 2
    s = 0.0
    for i in range(n):
        s += a[i] * a[n + i] - a[-(i + 1)]
    return s, a[:n].sum() - a[n:].sum()


TWOS = np.array([1, -1, 2, 0])


@row.probe((TWOS, 0), (TWOS, 1), (TWOS, 2), (TWOS, 3))
def index_that_became_numpys_bool(a, n):
    k = 1
    for i in range(n):
        k = a[i] > 0
    return k, a[k]


@row.probe((TWOS, 0), (TWOS, 1), (TWOS, 2))
def index_that_became_a_bool(a, n):
    k = 1
    for i in range(n):
        k = bool(a[i] > 0)
    return k, a[k, ...]


@row.probe((TWOS, [1.5, 2.5], 0), (TWOS, [1.5, 2.5], 1), (TWOS, (1.5, 2.5, 3.5), 2))
def index_of_a_list_that_became_a_bool(a, values, n):
    k = 1
    for i in range(n):
        k = bool(a[i] > 0)
    return k, values[k], [4, 5, 6][k]


@row.probe((TWOS, [1.5, 2.5], 0), (TWOS, [1.5, 2.5], 1), (TWOS, (1.5, 2.5, 3.5), 2))
def index_of_a_list_that_became_numpys_bool(a, values, n):
    k = 1
    for i in range(n):
        k = a[i] > 0
    return k, values[k], (4, 5, 6)[k]


@row.probe((TWOS.copy(), 0), (TWOS.copy(), 1), (TWOS.copy(), 2))
def store_at_what_became_a_bool(a, n):
    k = 1
    for i in range(n):
        a[k] = 7
        k = a[i] > 0
    return a


test_row = row.test()
test_share = row.share_test()
