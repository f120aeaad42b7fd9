"""No loop copies the array it carries: the time of a step doesn't grow with the array.

XLA copies a carried array at every step when a body stores to it twice or uses a loaded element elsewhere too; at
200,000 elements such a step takes a hundred times as long as one that doesn't copy.
"""

from __future__ import annotations

import time

import numpy as np
import pytest

from autovec import autovec
from tests.same import assert_same

STEPS = 3000


def scale_and_sum(a, steps):
    s = 0.0
    for t in range(steps):
        x = a[t % 50]
        a[t % 50] = 0.5 * x + 1.0
        s += x
    return s


def swaps(a, steps):
    for t in range(1, steps):
        a[t % 50], a[t % 37] = a[t % 37], a[t % 50]


def two_stores(a, steps):
    for t in range(1, steps):
        a[t % 50] = a[t % 50 + 1] * 0.5
        a[t % 50 + 2] += a[t % 50]


def guarded(a, steps):
    count = 0
    for t in range(steps):
        v = a[t % 50]
        if v > 0.5:
            a[t % 50] = v * 0.9
            count += 1
        else:
            a[t % 50 + 1] = v + 0.3
    return count


def while_walk(a, steps):
    t = 0
    total = 0.0
    while t < steps:
        x = a[t % 50]
        a[t % 50] = 1.0 - x
        total += x
        t += 1
    return total


def until_small(a, steps):
    total = 0.0
    for t in range(steps):
        x = a[t % 50]
        if x < -1e9:
            break
        a[t % 50] = x * 0.99
        total += x
    return total


def branches(a, steps):
    """A branch that stores twice, between reads whose values are used elsewhere too."""
    s = 0.0
    for t in range(steps):
        v = a[t % 50]
        if v > 0.5:
            w = a[t % 20]
            a[t % 50] = v * 0.9
            a[t % 30] = w + 0.1
            s += w
        s += v + a[t % 40]
    return s


def branches_with_loops(a, steps):
    s = 0.0
    for t in range(steps):
        if a[t % 50] > 0.2:
            k = t % 7
            while k > 0 and a[k] < a[k - 1]:
                a[k] = a[k - 1]
                k -= 1
            a[k] = a[t % 50 + 2] * 0.5
            s += a[k]
    return s


def first_of_all(a, steps):
    """A store to another array, which isn't the business of the branch that loads."""
    free = np.zeros(4)
    waits = np.zeros(len(a))
    for k in range(steps):
        b = 0
        for j in range(1, 4):
            if free[j] < free[b]:
                b = j
        waits[k % 50] = free[b] - a[k % 50]
        free[b] = free[b] + a[k % 50]
    return waits


def inner_loop_that_stores(a, steps):
    held = np.zeros(len(a), np.int64)
    count = 0
    for t in range(steps):
        while count > 0 and a[held[count - 1]] < a[t % 50]:
            count -= 1
            a[held[count] + 1] += 0.01
        held[count] = t % 50
        count = (count + 1) % 40
    return count


LOOPS = [
    inner_loop_that_stores,
    first_of_all,
    scale_and_sum,
    swaps,
    two_stores,
    guarded,
    while_walk,
    until_small,
    branches,
    branches_with_loops,
]


def best_time(f, size):
    a = np.linspace(0.1, 0.9, size)
    f(a, STEPS)
    best = float("inf")
    for _ in range(5):
        start = time.perf_counter()
        f(a, STEPS)
        best = min(best, time.perf_counter() - start)
    return best


@pytest.mark.parametrize("fn", LOOPS, ids=lambda fn: fn.__name__)
def test_same_answer(fn):
    f = autovec(fn, fallback="error")
    assert_same(f, np.linspace(0.1, 0.9, 60), 500)


@pytest.mark.parametrize("fn", LOOPS, ids=lambda fn: fn.__name__)
def test_a_step_takes_as_long_in_a_large_array(fn):
    f = autovec(fn, fallback="error")
    small, large = best_time(f, 100), best_time(f, 200_000)
    copied = STEPS * 50e-6  # what copying 200,000 doubles at every step would take at the least
    assert large - small < copied / 4, f"{small * 1e3:.2f} ms at 100 elements, {large * 1e3:.2f} ms at 200,000"
