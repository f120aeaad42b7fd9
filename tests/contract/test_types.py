"""Types: everything comes back as what it was, down to the elements of lists; arrays are writable; arguments are themselves."""

# ruff: noqa: B007, B905
from __future__ import annotations

import numpy as np

from tests.contract.rows import Row

row = Row("types")

A = np.array([1.5, -2.0, 3.0, 0.5])
K = np.array([3, -1, 4, 1])
M = np.arange(12.0).reshape(3, 4)
EMPTY = np.zeros(0)


@row.probe((A,), (K,), (A.astype(np.float32),), (EMPTY,), (A * 1j,), (K.astype(np.uint64),))
def totals_of_python_and_numpy(a):
    s, t, u = 0, 0.0, False
    for x in a:
        s += x
        t += 1
        u = u or x > 100
    return s, t, u


@row.probe((A,), (K,), (A > 0,), (EMPTY,))
def last_element_or_none(a):
    last = None
    for x in a:
        last = x
    return last


@row.probe(
    (A,),
    (np.array([-1.0, -2.0]),),
    (K,),
    (-K * K,),
    (A * (1 + 1j),),
    (K.astype(np.uint64),),
    (abs(K).astype(np.uint8),),
)
def largest_or_zero(a):
    m = 0
    for x in a:
        m = max(m, x)
    return m


@row.probe((A, 2), (A, 7), (K, 0))
def found_or_not(a, k):
    for i in range(len(a)):
        if a[i] > k:
            return i
    return -1


@row.probe((A, 2), (A, 7), (K, 0), (A * 1j, 2), (K.astype(np.uint64), 0), (A.astype(np.float16), 2))
def element_or_minus_one(a, k):
    for x in a:
        if x > k:
            return x
    return -1


@row.probe((A,), (K,))
def lists_of_scalars(a):
    return [x for x in a], [float(x) for x in a], [int(x) for x in a], [x > 0 for x in a], [i for i in range(len(a))]


@row.probe((M,), (M.astype(np.int32),))
def nested_lists(m):
    return [[m[i, j] for j in range(m.shape[1])] for i in range(m.shape[0])], [[j for j in range(3)] for _ in range(2)]


@row.probe((M,), (M.astype(np.int16),))
def lists_of_rows(m):
    return [m[i] * 2 for i in range(len(m))]


@row.probe((M,), (M[:1],), open="a list of views of an argument")
def lists_of_views(m):
    return [m[i] for i in range(len(m))]


@row.probe((A, 3), (K, 2))
def lists_of_tuples(a, n):
    out = []
    for i in range(n):
        out.append((i, a[i]))
    return out


@row.probe((A,), (K,))
def lists_of_equal_tuples(a):
    return [(i, 2 * i) for i in range(len(a))], [(x, x) for x in a]


@row.probe((A,), (K,))
def lists_of_lists(a):
    out = []
    for i in range(len(a)):
        out.append([a[i], a[i] * 2])
    return out


@row.probe((A, 3), (K, 2))
def tuples_in_tuples(a, n):
    s = 0
    for i in range(n):
        s += a[i]
    return (s, (n, [s, None, "word", True]), a)


@row.probe((A, 3))
def dicts(a, n):
    s = 0
    for i in range(n):
        s += a[i]
    return {"sum": s, "n": n}


@row.probe((A, K), (K, A))
def arguments_come_back(a, b):
    for i in range(len(a)):
        a[i] = i
    return b, a, b


@row.probe((A,), (K,))
def views_come_back(a):
    for i in range(1, len(a)):
        a[i] = a[i - 1] * 2
    return a[1:], a[::-1], a[:2], a


@row.probe((M,))
def views_of_matrices(m):
    for i in range(m.shape[0]):
        for j in range(m.shape[1]):
            m[i, j] += 1
    return m[0], m[:, 1], m.T, m[1:, ::2]


@row.probe((M, 1), (M, -1))
def row_by_number(m, k):
    for i in range(m.shape[0]):
        m[i, 0] = i
    return m[k], m[k, 0]


@row.probe((A, 2), (A, 1), (A, 3), (A, 0), (A, 9))
def parts_by_number(a, k):
    for i in range(len(a)):
        a[i] += i
    return a[:k], a[k:], a[:-1], a[1::2], a[::-2], a[2:0:-1]


@row.probe((M, 20.0), (M, -1.0), (M, 99.0))
def row_by_data(m, t):
    at = 0
    for i in range(len(m)):
        if m[i].sum() < t:
            at = i
    return m[at], at, [m[0], m.transpose(1, 0), m.swapaxes(0, 1)[1:]]


@row.probe((A, 1.0), open="a view of an argument, of a length that the data says")
def part_by_data(a, t):
    at = 0
    for i in range(len(a)):
        if a[i] > t:
            at = i
    return a[:at]


@row.probe((M,), open="a view of an argument returned in two places")
def one_view_twice(m):
    v = m[1:]
    for i in range(len(m)):
        m[i, 0] = i
    return v, v


@row.probe((A,), (EMPTY,), open="arrays returned that have memory in common")
def fresh_arrays_are_apart(a):
    b = np.zeros(len(a))
    c = b
    d = b.copy()
    for i in range(len(a)):
        b[i] = a[i]
    return b, c, d, b[1:]


@row.probe((A,), (K,))
def copies_are_apart(a):
    b = a.copy()
    for i in range(len(b)):
        b[i] += 1
    return b, a


@row.probe((A, 2), (A, 2.0), (A, np.float32(2)), (A, np.int8(2)), (A, True), (K, 2.5))
def scalars_of_any_kind(a, t):
    s = t
    for x in a:
        s = s * t
    return s, t, s + t


@row.probe((A, 3), (A, 0))
def variable_of_two_types(a, n):
    x = 1
    for i in range(n):
        x = a[i]
    return x, x * 2


@row.probe((A, 0.0), (A, 100.0))
def type_by_branch(a, t):
    s = 0
    for x in a:
        if x > t:
            s = s + x
        else:
            s = s + 1
    return s


@row.probe((A,))
def nothing_comes_back(a):
    for i in range(len(a)):
        a[i] = 0


@row.probe((A, 1), (A, 50))
def none_or_number(a, t):
    best = None
    for x in a:
        if x > t and (best is None or x > best):
            best = x
    return best


@row.probe((np.array(2.5),), (np.array(3),))
def rank_zero_arrays(x):
    s = 0.0
    for i in range(3):
        s += x
    return s


@row.probe((A,), (K,))
def reductions_give_numpy(a):
    s = []
    for i in range(2):
        s.append(a.sum() + i)
    return s, a.sum(), np.mean(a), len(a), a.shape, a.size


@row.probe((A, "up"), (A, "down"))
def choices_by_string(a, mode):
    s = 0.0
    for x in a:
        if mode == "up":
            s += x
        else:
            s -= x
    return s, mode


@row.probe((A, None), (A, 2.0))
def optional_numbers(a, t=None):
    s = 0.0
    for x in a:
        s += x if t is None else x * t
    return s, t


@row.probe((A, True), (A, False))
def switches(a, flag):
    s = 0.0
    for x in a:
        if flag:
            s += x
    return s, flag, not flag


@row.probe((A, 1 + 2j), (K, 1j))
def complex_scalars(a, z):
    s = 0
    for x in a:
        s += x * z
    return s, z


@row.probe((A, A.copy()), (A, A[:2]), (K, K))
def results_of_tests(a, b):
    return len(a) == len(b), [x == y for x, y in zip(a, b)], all(x == y for x, y in zip(a, b))


@row.probe(([1.0, 2.0, 3.0], 2), ([1, 2, 3], 2))
def list_arguments(v, k):
    s = 0
    for x in v:
        s += x * k
    return s, v, v[0]


@row.probe(([[1.0, 2.0], [3.0, 4.0]],), ([[1, 2], [3, 4]],))
def nested_list_arguments(v):
    s = 0
    for r in v:
        for x in r:
            s += x
    return s, v


@row.probe(((1.0, 2.0, 3.0),), ((1, 2, 3),))
def tuple_arguments(v):
    s = 0
    for i in range(len(v)):
        s += v[i]
    return s, v


@row.probe(([1, 2, 3],), ([2**53 + 1, 1, 1],), ([2**62, 2**62, 2**62],), ([1.5, 2.5],), ([True, False],), ([],))
def python_sums_of_lists(v):
    return sum(v), sum(x for x in v), [x / 2 for x in v]


@row.probe(([1, 2.5, True],), ([1, np.float64(2.0)],), open="lists of several types")
def mixed_lists(v):
    s = 0
    for x in v:
        s += x
    return s, v


@row.probe((K,), (np.zeros(0, int),))
def dtype_of_what_became_a_python_number(a):
    s = np.int64(0)
    for q in a:
        s = int(q)
    return s, s.dtype


@row.probe((A,), (EMPTY,))
def shape_of_what_became_numpys(a):
    s = 0.0
    for q in a:
        s = q
    w = s.shape
    return s, w, s.size


@row.probe((A,), (EMPTY,), (K,))
def method_of_what_became_numpys(a):
    s = 0.0
    for q in a:
        s = q * 2
    return s, s.item(), s.astype(np.float32)


@row.probe((A,), (EMPTY,))
def attributes_that_all_numbers_have(a):
    s = 0
    for q in a:
        s = q * 2
    return s, s.real, s.imag, s.conjugate()


@row.probe((A, 0), (A, 2))
def item_of_several_kinds(a, n):
    u = np.int8(2)
    for i in range(n):
        u = a[i]
    return u, u.item()


test_row = row.test()
test_share = row.share_test()
