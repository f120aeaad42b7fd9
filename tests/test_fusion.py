"""Loops that the levels take apart, at every depth, are put together again where nothing objects.

for c:                          for c:
    for t: check t                  for t:
for c:                   -->            check t
    for t: a[t] += a[t - c]             a[t] += a[t - c]
"""

from __future__ import annotations

import numpy as np

from autovec import autovec
from tests.same import assert_same


def ways_to_pay(coins, target):
    ways = [0] * (target + 1)
    ways[0] = 1
    for c in coins:
        for t in range(c, target + 1):
            ways[t] = (ways[t] + ways[t - c]) % 1000000007
    return ways[target]


def two_recurrences(x, at):
    """The second reads, in a later round of the outer loop, what the first has written by then."""
    a = np.zeros(len(x))
    b = np.zeros(len(x))
    for k in range(len(at)):
        for i in range(at[k], len(x)):
            a[i] = a[i - 1] * 0.5 + x[i]
            b[i] = b[i - 1] * 0.25 + a[at[k] - 1]
    return a, b


def test_one_loop_at_each_depth():
    f = autovec(ways_to_pay, fallback="error")
    for coins in ([1, 2, 5], [3], [9, 40], []):
        assert_same(f, coins, 20)
    f([1, 2, 5], 20)
    assert f.source.count("fori_loop") == 2, f.source
    assert_same(f, [2, -1], 9)  # below the first element
    assert_same(f, [0], 5)


def test_what_objects_is_kept_apart():
    f = autovec(two_recurrences, fallback="silent")
    x = np.random.default_rng(3).normal(size=9)
    for at in ([1, 3, 2], [5], [], [1, 1]):
        assert_same(f, x, np.array(at, dtype=np.int64))
