"""Python ints that may leave int64: never a wrapped answer, and no check where none is needed."""

from __future__ import annotations

import numpy as np
import pytest

from autovec import autovec
from autovec.ir.nodes import Fault
from autovec.ir.walk import statements
from autovec.plan.overflow import BEYOND, check_overflow
from tests.programs.polybench import KERNELS
from tests.programs.starting import STARTING
from tests.same import assert_same
from tests.test_intervals import lowered

# ---------------------------------------------------------------- programs of people


def factorial(n):
    f = 1
    for i in range(1, n + 1):
        f *= i
    return f


def fibonacci(n):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a


def congruential(n, seed, m):
    s = seed
    total = 0
    for _ in range(n):
        s = (1103515245 * s + 12345) % m
        total += s
    return s, total


def power_of(b, n):
    p = 1
    for _ in range(n):
        p = p * b
    return p


def sum_of_powers(n, k):
    s = 0
    for i in range(n):
        s += i**5 + 2 ** (i % 11) + k
    return s


def sum_of_squares(x):
    s = 0
    for i in range(len(x)):
        v = int(x[i])
        s += v * v
    return s


def alternating(x):
    s = 0
    for i in range(len(x)):
        if i % 2 == 0:
            s += int(x[i])
        else:
            s -= int(x[i])
    return s


def hash_of(x):
    h = 7
    for i in range(len(x)):
        h = h * 31 + int(x[i])
    return h


def hash_of_numpy(x):
    h = 7
    for i in range(len(x)):
        h = h * 31 + x[i]
    return h


def hash_kept_small(x):
    h = 5381
    for i in range(len(x)):
        h = (h * 33 + int(x[i])) & 0xFFFFFFFF
    return h


def collatz(n):
    steps = 0
    highest = n
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        highest = max(highest, n)
        steps += 1
    return steps, highest


def divisor(a, b):
    while b != 0:
        a, b = b, a % b
    return a


def bit_count(n):
    count = 0
    while n:
        n &= n - 1
        count += 1
    return count


def shifted(x, k):
    s = 0
    for i in range(len(x)):
        s += int(x[i]) << k
    return s


def bit_mixing(n, rounds):
    for _ in range(rounds):
        n ^= n << 13
        n &= 0x7FFFFFFF
        n ^= n >> 17
    return n


def products_of_indices(n, m):
    out = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            out[i, j] = i * m + j
    return out


def largest_gap(x):
    gap = 0
    last = int(x[0])
    for i in range(1, len(x)):
        v = int(x[i])
        gap = max(gap, abs(v - last))
        last = v
    return gap


def guarded_square(x, k):
    s = 0
    for i in range(len(x)):
        v = int(x[i])
        if -1000 < v < 1000:
            w = v * v
            s += w * w + w
    return s + k


def table_of_binomials(n):
    row = [1] * n
    for i in range(1, n):
        for j in range(i - 1, 0, -1):
            row[j] = row[j] + row[j - 1]
    return row[n // 2]


SMALL = np.arange(-5, 20)
WIDE = np.array([2**62, 2**61, -(2**62), 2**62, 5])

FIT = [
    (factorial, (15,)),
    (factorial, (0,)),
    (fibonacci, (80,)),
    (congruential, (50, 42, 2**31)),
    (power_of, (3, 30)),
    (power_of, (-2, 61)),
    (sum_of_powers, (100, 3)),
    (sum_of_squares, (SMALL,)),
    (alternating, (SMALL,)),
    (hash_of, (SMALL[:9],)),
    (hash_of_numpy, (SMALL,)),
    (hash_kept_small, (SMALL,)),
    (collatz, (27,)),
    (divisor, (1071, 462)),
    (divisor, (-48, 36)),
    (bit_count, (2**40 - 1,)),
    (shifted, (SMALL, 3)),
    (bit_mixing, (12345, 20)),
    (products_of_indices, (4, 5)),
    (largest_gap, (SMALL,)),
    (guarded_square, (np.array([3, -7, 10**12, 999, -(10**15)]), 4)),
    (table_of_binomials, (12,)),
]
LEAVE = [
    (factorial, (21,)),
    (factorial, (40,)),
    (fibonacci, (95,)),
    (fibonacci, (200,)),
    (congruential, (50, 42, 2**40)),
    (power_of, (3, 41)),
    (power_of, (-2, 64)),
    (power_of, (10**6, 4)),
    (sum_of_powers, (20000, 2**40)),
    (sum_of_squares, (WIDE,)),
    (sum_of_squares, (np.array([3e9, 2.0**62, -4.0]),)),
    (alternating, (WIDE,)),
    (hash_of, (SMALL,)),
    (hash_of, (WIDE,)),
    (hash_of_numpy, (WIDE,)),
    (collatz, (2**40 - 1,)),
    (divisor, (2**70, 2**45)),
    (bit_count, (2**80 - 1,)),
    (shifted, (SMALL, 60)),
    (shifted, (SMALL, 500)),
    (bit_mixing, (2**45, 20)),
    (largest_gap, (WIDE,)),
    (guarded_square, (WIDE, 2**40)),
    (table_of_binomials, (70,)),
]


def ids(cases):
    return [f"{f.__name__}-{k}" for k, (f, _) in enumerate(cases)]


@pytest.mark.parametrize(("function", "arguments"), FIT, ids=ids(FIT))
def test_what_fits_stays_compiled(function, arguments):
    decorated = autovec(function, fallback="silent")
    assert_same(decorated, *arguments)
    report = decorated.report()
    assert report.blocked is None
    assert all(str(loop.status) != "FALLBACK" for loop in report.loops)


@pytest.mark.parametrize(("function", "arguments"), LEAVE, ids=ids(LEAVE))
def test_what_leaves_int64_is_never_wrapped(function, arguments):
    assert_same(autovec(function, fallback="silent"), *arguments)


@pytest.mark.parametrize("first", [5, 2**41])
def test_wide_arguments_run_the_original(first):
    decorated = autovec(power_of, fallback="silent")
    for base in (first, 2**41, 3, 2**62, -(2**41), 2**70, 7):
        assert decorated(base, 1) == base
        assert decorated(base, 2) == base**2


# ---------------------------------------------------------------- what is added, and what goes


def faults(unit):
    return [s for s in statements(unit.body) if isinstance(s, Fault)]


def checked(function, *arguments):
    unit, limits = check_overflow(lowered(function, arguments))
    return [f for f in faults(unit) if f.reason == BEYOND], limits


EXISTING = [
    *((k.fn, k.make(7)) for k in KERNELS.values()),
    *((p.fn, p.make()[0] if isinstance(p.make(), list) else p.make()) for p in STARTING.values()),
]


@pytest.mark.parametrize(("function", "arguments"), EXISTING, ids=ids(EXISTING))
def test_kernels_get_no_checks(function, arguments):
    unit = lowered(function, arguments)
    after, limits = check_overflow(unit)
    assert not limits
    assert set(faults(after)) <= set(faults(unit))


def test_adi_loses_needless_faults():
    adi = KERNELS["adi"]
    unit = lowered(adi.fn, adi.make(7))
    assert len(faults(check_overflow(unit)[0])) < len(faults(unit))


def test_counts_and_small_sums_need_no_check():
    def count(x):
        n = 0
        total = 0
        for i in range(len(x)):
            if x[i] > 0.5:
                n += 1
                total += 3
        return n, total

    assert checked(count, np.ones(5)) == ([], ())


def test_sums_of_indices_are_limited_before_the_call():
    def triangle(n):
        s = 0
        for i in range(n):
            s += i
        return s

    found, limits = checked(triangle, 10)
    assert not found
    assert all(limit.holds({"n": 10**6}) for limit in limits)
    assert not all(limit.holds({"n": 2**33}) for limit in limits)


def test_sums_of_elements_keep_an_estimate_outside_the_loop():
    def total(x):
        s = 0
        for i in range(len(x)):
            s += int(x[i])
        return s

    found, _ = checked(total, np.arange(5))
    assert len(found) == 1
    decorated = autovec(total, fallback="silent")
    assert_same(decorated, np.arange(5))
    assert [str(loop.status) for loop in decorated.report().loops] == ["VECTORIZED"]


def test_index_faults_that_cannot_happen_go():
    def gathered(a, n):
        t = 0.0
        for i in range(n):
            t += a[(i * 7) % n]
        return t

    unit = lowered(gathered, (np.arange(9.0), 9))
    assert faults(unit)
    assert not faults(check_overflow(unit)[0])


def test_guards_narrow():
    def histogram(x, bins, out):
        for i in range(len(x)):
            b = int(x[i])
            if 0 <= b < bins:
                out[b] += 1
        return out

    unit = lowered(histogram, (np.arange(9), 4, np.zeros(4)))
    assert not faults(check_overflow(unit)[0])


def marks_multiples(n, steps):
    """Rounds of a range with a step from the data, under a condition: its numbers lie between the range's ends."""
    met = np.zeros(n + 1, dtype=int)
    for k in range(len(steps)):
        if steps[k] != 0:
            p = int(steps[k])
            for m in range(p * 2, n + 1, p):
                met[m] += 1
    return met


def marks_beyond(n, steps):
    met = np.zeros(n, dtype=int)
    for k in range(len(steps)):
        for m in range(int(steps[k]), n + 1, int(steps[k])):
            met[m] += 1
    return met


def marks_downwards(n, first, steps):
    met = np.zeros(n, dtype=int)
    for k in range(len(steps)):
        for m in range(first, n, steps[k]):
            met[m] = met[m - 1] + k
    return met


def test_numbers_of_a_range_with_a_step_lie_between_its_ends():
    f = autovec(marks_multiples, fallback="silent")
    for steps in ([2, 3, 0, 5], [1], [40], [], [-1, 2]):
        assert_same(f, 30, np.array(steps, dtype=np.int64))
    f(30, np.array([2, 3]))
    inner = f.source[f.source.rindex("def step") :]
    assert ">= n" not in inner[: inner.index("return")], f.source
    g = autovec(marks_beyond, fallback="silent")
    for steps in ([7, 4], [3, 8], [9], [0], [-2]):  # 8 is beyond the eight elements
        assert_same(g, 8, np.array(steps))
    h = autovec(marks_downwards, fallback="silent")
    for first in (0, 1, 3, -2, -9, 20):
        assert_same(h, 8, first, np.array([2, 3]))
