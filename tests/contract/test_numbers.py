"""Numbers: NaN, infinities, negative zero, exact quotients, ints from floats, signs, powers, rounding."""

# ruff: noqa: B007
from __future__ import annotations

import math

import numpy as np

from tests.contract.rows import Row

row = Row("numbers")

NAN, INF = float("nan"), float("inf")
ODD = np.array([1.5, NAN, -0.0, INF, -3.0, 0.0, -INF, 2.0])
PLAIN = np.array([1.5, 7.0, -0.0, 4.0, -3.0, 0.0, 6.5, 2.0])
NANS = np.full(5, NAN)
ZEROS = np.array([-0.0, 0.0, -0.0])
COMPLEX = np.array([1 + 2j, complex(INF, 0), complex(NAN, 1), complex(0, -INF), 0j, -3.5 - 1j])
INTS = np.array([7, -7, 3, 0, -1, 12, -12, 5])
DIVISORS = np.array([2, -2, 3, 5, -5, 7, -7, 4])


@row.probe((ODD,), (PLAIN,), (NANS,), (ZEROS,))
def largest_by_comparison(a):
    m = a[0]
    for i in range(1, len(a)):
        if a[i] > m:
            m = a[i]
    return m


@row.probe((ODD,), (PLAIN,), (NANS,), (ZEROS,), signed_zeros=True)
def largest_by_max(a):
    m = -1e300
    for x in a:
        m = max(m, x)
    return m


@row.probe((ODD,), (PLAIN,), (NANS,), (ZEROS,), signed_zeros=True)
def largest_other_way(a):
    m = 0.0
    for x in a:
        m = max(x, m)
    return m


@row.probe((ODD,), (PLAIN,), (NANS,), (ZEROS,))
def smallest_and_where(a):
    best, at = INF, -1
    for i, x in enumerate(a):
        if x < best:
            best, at = x, i
    return best, at


@row.probe((ODD,), (PLAIN,), (NANS,), (ZEROS,))
def last_of_the_largest(a):
    at = 0
    for i in range(len(a)):
        if a[i] >= a[at]:
            at = i
    return at


@row.probe((ODD,), (PLAIN,), (NANS,))
def not_less_is_not_greater_equal(a):
    n = m = 0
    for x in a:
        if not x < 1.0:
            n += 1
        if x >= 1.0:
            m += 1
    return n, m


@row.probe((ODD,), (PLAIN,), (NANS,))
def different_from_itself(a):
    count = 0
    for i in range(len(a)):
        count += a[i] != a[i]
    return count


@row.probe((ODD,), (PLAIN,), (NANS,), (ZEROS,))
def numpy_reductions_in_a_loop(a):
    out = np.zeros((4, len(a)))
    for i in range(len(a)):
        out[0, i] = a[i:].min()
        out[1, i] = np.max(a[: i + 1])
        out[2, i] = a[i:].mean()
        out[3, i] = np.argmin(a)
    return out


@row.probe((ODD, 1.0), (PLAIN, -0.0), (NANS, NAN))
def any_and_all(a, t):
    some = any(x > t for x in a)
    every = all(x == x for x in a)
    return some, every, any(a[i] == t for i in range(len(a)))


@row.probe((ODD,), (PLAIN,), (NANS,), (ZEROS,), signed_zeros=True)
def bubble_sorted(a):
    b = a.copy()
    for i in range(len(b)):
        for j in range(len(b) - 1 - i):
            if b[j] > b[j + 1]:
                b[j], b[j + 1] = b[j + 1], b[j]
    return b


@row.probe((ODD,), (PLAIN,), (NANS,), signed_zeros=True)
def insertion_sorted(a):
    b = a.copy()
    for i in range(1, len(b)):
        x = b[i]
        j = i - 1
        while j >= 0 and b[j] > x:
            b[j + 1] = b[j]
            j -= 1
        b[j + 1] = x
    return b


@row.probe((np.arange(1, 400),))
def floors_of_exact_quotients(k):
    out = np.zeros(len(k))
    for i in range(len(k)):
        out[i] = math.floor(49.0 * k[i] / 49.0)
    return out


@row.probe((np.arange(1.0, 200.0), 49.0), (np.arange(1.0, 200.0), 3.0))
def quotients_by_a_number(k, c):
    s = 0
    out = np.empty(len(k), np.int64)
    for i in range(len(k)):
        out[i] = int(c * k[i] / c)
        s += int(k[i] / 10.0 * 10.0)
    return out, s


@row.probe(*((np.linspace(-3, 3, 11).astype(d),) for d in (float, np.float32, complex, np.complex64)))
def lost_and_found(x):
    out = np.zeros_like(x)
    for i in range(len(x)):
        out[i] = (x[i] + 1e20) - 1e20
    return out


@row.probe((np.linspace(-3, 3, 11),))
def constants_are_not_folded(x):
    out = np.zeros((4, len(x)))
    for i in range(len(x)):
        out[0, i] = x[i] * 3.0 / 3.0 - x[i]
        out[1, i] = (x[i] + 0.1) + 0.2 - (x[i] + 0.3)
        out[2, i] = x[i] * 0.1 * 10.0 == x[i]
        out[3, i] = (x[i] + 1e16) - x[i]
    return out


@row.probe((COMPLEX, 1e20), (COMPLEX.astype(np.complex64), np.float32(1e20)), (COMPLEX, 1e20j))
def complex_sums_are_not_cancelled(z, t):
    kept = [(x + t) - t for x in z], [(x - t) + t for x in z], [t - (t - x) for x in z]
    s = 0j
    for x in z:
        s += (x + 0.1) + 0.2 - (x + 0.3)
    return kept, [x - x for x in z], [x + x - x for x in z], s


@row.probe((PLAIN, 1e20))
def complex_sums_of_real_numbers(a, t):
    return [((x + 1j) + t) - t for x in a], [np.sqrt(x + 0j) + t - t for x in a]


@row.probe((ODD, ODD > 0), (PLAIN, PLAIN > 1), (NANS, np.zeros(5, bool)))
def masks_times_numbers(a, mask):
    s = 0.0
    out = np.zeros(len(a))
    for i in range(len(a)):
        out[i] = mask[i] * a[i]
        s += a[i] * (a[i] > 1.0)
    return out, s


@row.probe((ODD,), (PLAIN,))
def zero_times(a):
    out = np.zeros((3, len(a)))
    for i in range(len(a)):
        out[0, i] = 0.0 * a[i]
        out[1, i] = a[i] - a[i]
        out[2, i] = a[i] / a[i] if a[i] != 0 else 9.0
    return out


@row.probe((PLAIN * 3.7,), (np.array([0.5, -0.5, 1.5, -1.5, 2.5, 1e15 + 0.5]),))
def ints_from_floats(a):
    s = 0
    out = np.zeros((4, len(a)), np.int64)
    for i in range(len(a)):
        out[0, i] = int(a[i])
        out[1, i] = math.floor(a[i])
        out[2, i] = math.ceil(a[i])
        out[3, i] = round(a[i])
        s += int(a[i]) % 3
    return out, s


@row.probe((PLAIN,), (ODD,), (np.array([1e19, 1.0]),), (np.array([1.0, NAN]),))
def int_of_anything(a):
    s = 0
    for x in a:
        s += int(x)
    return s


@row.probe((INTS, DIVISORS), (INTS, INTS), (INTS.astype(np.int8), DIVISORS.astype(np.int8)))
def numpy_int_division(a, b):
    out = np.zeros((3, len(a)), np.int64)
    for i in range(len(a)):
        out[0, i] = a[i] // b[i]
        out[1, i] = a[i] % b[i]
        out[2, i] = np.remainder(a[i], b[i])
    return out


@row.probe((20, 3), (20, -3), (-20, 3), (7, 0), (0, 7))
def python_int_division(n, d):
    s = t = 0
    for i in range(-n, n):
        s += i // d
        t += i % d
    return s, t


@row.probe((INTS,), (DIVISORS,))
def python_ints_by_loop_variables(a):
    s = []
    for i in range(1, len(a)):
        s.append(divmod(i - 4, i))
    return s


@row.probe((PLAIN, 2.5), (ODD, 2.5), (PLAIN, -2.5), (PLAIN, 0.0), (PLAIN, INF), (PLAIN, NAN))
def numpy_float_division(a, d):
    out = np.zeros((3, len(a)))
    for i in range(len(a)):
        out[0, i] = a[i] // d
        out[1, i] = a[i] % d
        out[2, i] = a[i] / d
    return out


@row.probe((7, 2.5), (7, -2.5), (7, 0.25), (7, 0.0), (3, INF))
def python_float_division(n, d):
    s = []
    for i in range(-n, n):
        s.append(float(i) // d)
        s.append(float(i) % d)
        s.append(float(i) / d)
    return s


@row.probe((1.0, 5), (0.0, 5))
def python_division_by_a_sum(x, n):
    total = 0.0
    for i in range(n):
        total += x
    for i in range(n):
        x = i / total
    return x


@row.probe((np.arange(5),), (np.array([3, -1]),))
def powers_of_numpy_ints(k):
    out = np.zeros(len(k), np.int64)
    for i in range(len(k)):
        out[i] = np.int64(3) ** k[i]
    return out


@row.probe((INTS, 0), (INTS, 1), (INTS, 2), (INTS, 3), (INTS, -1), (INTS, 30))
def powers_of_array_elements(a, p):
    out = np.zeros(len(a), np.int64)
    for i in range(len(a)):
        out[i] = a[i] ** p
    return out


@row.probe((5, 3), (5, 0), (5, -2), (40, 3), (70, 2), (3, -1))
def powers_of_python_ints(n, b):
    out = []
    for i in range(n):
        out.append(b**i)
    return out


@row.probe((PLAIN, 2.0), (ODD, 0.5), (ODD, -1.0), (PLAIN, 0.0), (ODD, NAN), (ODD, INF))
def powers_of_floats(a, p):
    out = np.zeros(len(a))
    for i in range(len(a)):
        out[i] = a[i] ** p
    return out


@row.probe((4, 2.0), (4, 0.5), (4, -1.0), (4, 0.0))
def powers_of_python_floats(n, p):
    out = []
    for i in range(n):
        out.append((i - 1.0) ** p)
    return out


@row.probe((PLAIN * 1.237,), (np.array([0.5, 1.5, 2.5, -0.5, 2.675, 1e20]),))
def rounded(a):
    out = np.zeros((4, len(a)))
    for i in range(len(a)):
        out[0, i] = round(a[i])
        out[1, i] = np.round(a[i])
        out[2, i] = np.rint(a[i])
        out[3, i] = np.trunc(a[i])
    return out


@row.probe((PLAIN * 1.237,), (ODD,))
def rounded_to_digits(a):
    out = np.zeros(len(a))
    for i in range(len(a)):
        out[i] = np.round(a[i], 1)
    return out


@row.probe((INTS,), (np.array([-128, 127, -1], np.int8),), (PLAIN,), (ODD,))
def magnitudes(a):
    out = np.zeros((2, len(a)))
    s = 0
    for i in range(len(a)):
        out[0, i] = abs(a[i])
        out[1, i] = -a[i]
        s += abs(a[i])
    return out, s


@row.probe((PLAIN, 3.0), (PLAIN, -3.0), (ODD, 3.0))
def divmods(a, d):
    q = np.zeros(len(a))
    r = np.zeros(len(a))
    for i in range(len(a)):
        q[i], r[i] = divmod(a[i], d)
    return q, r


@row.probe(
    (np.array([100, 27, 120], np.int8), 2), (np.array([100, 27, 120], np.int8), 100), (np.array([1], np.uint8), -1)
)
def narrow_ints_wrap(a, k):
    s = np.int8(0)
    out = np.zeros(len(a), a.dtype)
    for i in range(len(a)):
        out[i] = a[i] + a[i]
        s = s + a[i] * k
    return out, s


@row.probe((np.array([2**62, 2**62, 5]),), (np.array([1, 2, 3]),))
def wide_ints_wrap(a):
    s = np.int64(0)
    t = 0
    for x in a:
        s += x
        t = t + x
    return s, t


@row.probe((10,), (25,), (63,), (64,), (100,))
def python_ints_grow(n):
    f = 1
    s = 0
    for i in range(1, n):
        f *= i
        s += 2**i
    return f, s


@row.probe((2**53 + 1, 3), (2**40, 3), (2**62, 5), (2**63, 2), (2**70, 2))
def big_python_ints_meet_floats(k, n):
    s = 0.0
    t = 0
    for i in range(n):
        s = k + i * 1.0
        t += k
    return s, t, k / 3


@row.probe((np.array([True, False, True, True]),), (np.zeros(3, bool),))
def booleans_are_numbers(a):
    s, t = 0, 0.0
    for x in a:
        s += x
        t = t - (not x)
    return s, t, s == t


@row.probe((ZEROS,), (ODD,), (PLAIN,), signed_zeros=True)
def signs_of_zeros(a):
    out = np.zeros((4, len(a)))
    for i in range(len(a)):
        out[0, i] = -a[i]
        out[1, i] = a[i] * -1.0
        out[2, i] = np.copysign(1.0, a[i])
        out[3, i] = abs(a[i])
    return out


@row.probe((PLAIN,), (ODD,), (ZEROS,))
def truth_of_numbers(a):
    n = 0
    last = 5.0
    for x in a:
        if x:
            n += 1
        last = x or last
    return n, last


@row.probe((np.array([1 + 2j, 3 - 1j, 0j]),))
def complex_numbers(z):
    s = 0j
    out = np.zeros(len(z))
    for i in range(len(z)):
        s += z[i] * z[i].conjugate()
        out[i] = abs(z[i]) + z[i].real
    return s, out


@row.probe((np.array([0.1] * 10), 1.0), (np.array([0.25] * 4), 1.0))
def thresholds_of_sums(a, t):
    s = 0.0
    n = 0
    for x in a:
        s += x
        if s >= t:
            n += 1
    return n


@row.probe((np.array([1, 2, 3], np.float32), 0.1), (np.array([16777216, 1, 1], np.float32), 1.0))
def single_precision(a, t):
    s = np.float32(0)
    out = np.zeros_like(a)
    for i in range(len(a)):
        s = s + a[i]
        out[i] = a[i] * t
    return s, out, out[0] == 0.1


@row.probe(
    (np.array([5, 250], np.uint8), np.array([10, 10], np.uint8)), (np.array([5], np.uint64), np.array([6], np.uint64))
)
def unsigned_differences(a, b):
    out = []
    s = 0
    for i in range(len(a)):
        out.append(a[i] - b[i])
        s += int(a[i]) - int(b[i])
    return out, s


@row.probe((np.array([3, 1, 2]), np.array([3.0, 1.0, NAN])), (INTS, PLAIN))
def mixed_comparisons(k, x):
    n = 0
    for i in range(len(k)):
        n += (k[i] == x[i]) + (k[i] < x[i]) * 10 + (x[i] != k[i]) * 100
    return n


@row.probe((np.array([2**63, 2**64 - 1, 1], np.uint64), np.array([-1, 1, 1])))
def unsigned_against_signed(a, b):
    out = []
    for i in range(len(a)):
        out.append(a[i] > b[i])
        out.append(a[i] == b[i])
        out.append(a[i] + b[i])
    return out


@row.probe((6,), (0,))
def clamped_like_python(n):
    s = 0
    for i in range(-n, n):
        s += max(-2, min(3, i)) + (i > 0) - (i < 0)
    return s


@row.probe((INTS,), (INTS.astype(np.int16),))
def bits(a):
    out = np.zeros((5, len(a)), a.dtype)
    for i in range(len(a)):
        out[0, i] = a[i] & 6
        out[1, i] = a[i] | 9
        out[2, i] = a[i] ^ -1
        out[3, i] = ~a[i]
        out[4, i] = (a[i] << 2) >> 1
    return out


@row.probe((5, 3), (5, 70), (5, -1))
def shifts_of_python_ints(n, k):
    s = 0
    for i in range(n):
        s += (i << k) + (1000 >> i)
    return s


POWERS = [(np.array([3, -1, 2]), n, p) for n in (0, 1, 2) for p in (2, -1)]


@row.probe(*POWERS)
def power_of_what_became_an_int(a, n, p):
    t = 2.5
    for i in range(n):
        t = int(a[i])
    return t, t**p, pow(t, p)


@row.probe(*POWERS)
def power_of_what_became_numpys_int(a, n, p):
    t = 2.5
    for i in range(n):
        t = a[i]
    return t, t**p


@row.probe(*POWERS)
def power_to_what_became_an_int(a, n, p):
    t = 2.5
    for i in range(n):
        t = int(a[i])
    return t, p**t, 2**t


@row.probe(*POWERS)
def numpys_power_of_what_became_an_int(a, n, p):
    t = 2.5
    for i in range(n):
        t = a[i]
    return t, np.power(t, p), np.power(2, t)


@row.probe(*((np.array([-2, 300, 5], np.int32), n, u) for n in (0, 1, 2) for u in (-1, 7)))
def numpys_int_of_what_was_pythons(a, n, u):
    for i in range(n):
        u = a[i]
    return u, np.uint8(u)


test_row = row.test()
test_share = row.share_test()
