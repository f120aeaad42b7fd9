"""Exceptions: type, message and place are the original's, and what was written before stays written."""

# ruff: noqa: B007
from __future__ import annotations

import numpy as np

from tests.contract.rows import Row

row = Row("exceptions")

A = np.array([1.5, -2.0, 3.0, 0.5])
K = np.array([3, -1, 4, 1])
M = np.arange(12.0).reshape(3, 4)


@row.probe((A, 3), (A, 5))
def index_error_after_writes(a, n):
    for i in range(n):
        a[i] = i * 10.0
    return a


@row.probe((A, A.copy(), 3), (A, A[:2].copy(), 3))
def second_array_is_too_short(a, b, n):
    for i in range(n):
        a[i] = 0.5
        b[i] = a[i]


@row.probe((5, 9), (5, 1), (5, 3))
def zero_division(n, k):
    s = 0.0
    for i in range(n):
        s += 1 / (i - k)
    return s


@row.probe((5, -1), (5, 3))
def modulo_by_zero(n, k):
    s = 0
    for i in range(n):
        s += 7 % (i - k) + 7 // (i - k)
    return s


@row.probe((A, 2.0), (A, 0.0))
def float_division_by_zero(a, t):
    s = []
    for i in range(3):
        s.append(float(a[i]) / t)
    return s


@row.probe((A, 2.0), (A, 0.0))
def numpy_division_by_zero_is_none(a, t):
    out = np.zeros(4)
    for i in range(4):
        out[i] = a[i] / t
    return out


@row.probe((A, A.copy()), (A, A[:3].copy()), (A, A[:1].copy()))
def shapes_that_do_not_fit(a, b):
    s = np.zeros(4)
    for i in range(2):
        s += a * b
    return s


@row.probe((M, A), (M, A[:3]))
def rows_that_do_not_fit(m, a):
    for i in range(len(m)):
        m[i] = a
    return m


@row.probe((A, 1), (A, "x"), (A, None))
def type_error(a, t):
    s = 0.0
    for x in a:
        s += x * t
    return s


@row.probe((A, 2.5), (A, -1.0))
def raised(a, t):
    for i in range(len(a)):
        if a[i] < t - 4:
            raise ValueError(f"element {i} is {a[i]}")
        a[i] = 0.0
    return a


@row.probe((A, 5.0), (A, 1.0))
def asserted(a, t):
    s = 0.0
    for i in range(len(a)):
        assert a[i] < t, "too large"
        s += a[i]
        a[i] = s
    return s


@row.probe((A, 5.0), (A, 1.0))
def asserted_without_words(a, t):
    for i in range(len(a)):
        a[i] += 1
        assert a[i] < t
    return a


@row.probe((np.zeros(3, np.int8), np.array([1, 2, 3])), (np.zeros(3, np.int8), np.array([1, 300, 3])))
def checked_store(a, b):
    for i in range(len(b)):
        a[i] = b[i]
    return a


@row.probe((np.zeros(3, np.int8), 100), (np.zeros(3, np.int8), 126), (np.zeros(3, np.uint8), -1))
def checked_store_of_python_ints(a, k):
    for i in range(3):
        a[i] = k + i
    return a


@row.probe((np.zeros(4, np.int64), A), (np.zeros(4, np.int64), np.array([1.0, np.nan])), (np.zeros(4, int), A * 1e300))
def floats_into_ints(k, a):
    for i in range(len(a)):
        k[i] = a[i]
    return k


@row.probe((A,), (np.array([1.0, np.nan]),), (np.array([np.inf]),), (np.array([1e300]),))
def int_of_floats(a):
    s = 0
    for x in a:
        s += int(x)
    return s


@row.probe((K, 2), (K, -1))
def negative_integer_powers(k, p):
    out = np.zeros(len(k), np.int64)
    for i in range(len(k)):
        out[i] = k[i] ** p
    return out


@row.probe((np.array([2, 3]), np.array([1, 2])), (np.array([2, 3]), np.array([1, -2])))
def negative_powers_by_element(k, p):
    s = 0
    for i in range(len(k)):
        s += k[i] ** p[i]
    return s


@row.probe((8, 2.0), (8, 1e200))
def overflow_of_floats(n, x):
    s = 1.0
    for i in range(n):
        s = s * x if i % 2 else x**i
    return s


@row.probe((A, 4.0), (A, 100.0))
def while_runs_out_of_range(a, t):
    i = 0
    while a[i] < t and a[i] != 3.0:
        i += 1
    return i


@row.probe((np.array([1, 2, 3, 0]),), (np.array([1, 2, 3, 9]),), (np.array([1, 2, 3, -9]),))
def while_follows_indices(nxt):
    k, n = 0, 0
    while True:
        k = nxt[k]
        n += 1
        if k == 0:
            break
    return n


@row.probe((A, 1.0), (A, 0.0))
def while_with_fault_in_its_step(a, d):
    x, n = 8, 0
    while x > 1:
        x = x / d if d else x // int(d)
        x -= 1
        n += 1
        if n > 50:
            break
    return n


@row.probe((A, 2), (A, 9))
def while_that_only_a_fault_ends(a, k):
    i = 0
    s = 0.0
    while s < 1e9:
        s += a[i] * a[i] + 1e8
        i += k - 1 if i < 2 else 1
        if s > 2.5e8 and k == 2:
            return s
    return s


@row.probe((A,), (A[:0],))
def extreme_of_nothing(a):
    s = 0.0
    for i in range(2):
        s += a.max() + min(a)
    return s


@row.probe((A, 3), (A, 5))
def fault_in_an_inner_loop(a, n):
    s = 0.0
    for i in range(len(a)):
        for j in range(i, n - 1):
            s += a[j]
        a[i] = s
    return s


@row.probe((A, 1.0), (A, -1.0), (A, 9.0))
def raise_after_the_loop(a, t):
    s = 0.0
    for i in range(len(a)):
        s += a[i]
        a[i] = s
    if s > t:
        return s
    raise RuntimeError("small")


@row.probe((A, 0.25), (A, 0.75))
def domain_error(a, t):
    import math

    s = 0.0
    for i in range(3):
        s += math.sqrt(t - i * 0.25)
    return s


@row.probe((A, 2.0), (A, 0.0), (A, 400.0))
def logarithms_and_exponentials(a, t):
    import math

    s = 0.0
    for i in range(1, 3):
        s += math.log(t) + math.exp(t * i)
    return s


@row.probe((A, 2), (A, 0), (A, -1))
def range_with_step(a, k):
    s = 0.0
    for i in range(0, 4, k):
        s += a[i]
    return s


@row.probe((A, 3), (A, 2.0))
def range_of_a_float(a, n):
    s = 0.0
    for i in range(n):
        s += a[i]
    return s


@row.probe(((A, 1.0), 2), ((A, 1.0, 2.0), 2))
def unpacking(pair, n):
    s = 0.0
    for i in range(n):
        a, t = pair
        s += a[i] * t
    return s


@row.probe((A, 2), open="try statements are not compiled")
def caught(a, n):
    s = 0.0
    for i in range(n + 3):
        try:
            s += a[i]
        except IndexError:
            s -= 1.0
    return s


@row.probe((A, A), (A, A[:2]))
def zip_strict(a, b):
    s = 0.0
    for x, y in zip(a, b, strict=True):
        s += x * y
    return s


@row.probe((np.array([[2.0, 1.0], [1.0, 3.0]]), A[:2]), (np.ones((2, 2)), A[:2]))
def singular(m, b):
    s = np.zeros(2)
    for i in range(2):
        s += np.linalg.solve(m, b) * i
    return s


@row.probe((A, 1), (A, 0), (A, 2), (A, -4))
def the_extreme_of_nothing(a, i):
    s = 0.0
    for k in range(3):
        s += a[k]
    unused = np.max(a[:i]) + a[:i].argmin()  # noqa: F841
    return s


test_row = row.test()
test_share = row.share_test()
