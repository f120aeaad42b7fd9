"""What a loop goes through by a library's name (accumulate, pairwise ...), stars in calls and targets, definitions."""

from __future__ import annotations

import functools
import itertools
import math
import operator
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autovec import autovec
from tests.same import assert_same

X = np.random.default_rng(1).random(6)
A = np.random.default_rng(2).random((4, 3))
INTS = [3, 1, 2, 5, 4]


def accumulated(x):
    s, t = 0.0, 0.0
    for v in itertools.accumulate(x):
        s += v * v
    for k, v in enumerate(itertools.accumulate(x, lambda a, b: max(a, b))):
        t += k * v
    return s, t, list(itertools.accumulate(x, operator.mul))


def neighbours(x):
    s = 0.0
    for a, b in itertools.pairwise(x):
        s += abs(a - b)
    for a, b in itertools.pairwise(range(len(x))):
        s += x[a] * b
    return s


def strict(x):
    s = 0.0
    for a, b in zip(x, x * 2, strict=True):
        s += a * b
    return s


def flat(a):
    s = 0.0
    for k, v in enumerate(a.flat):
        s = s * 0.5 + k * v
    for i in range(len(a))[::-1]:
        s = s * 0.5 + a[i, 0]
    return s


def reduced(x):
    total = functools.reduce(operator.add, x)
    folded = functools.reduce(lambda a, b: a * 0.5 + b, x, 0.0)
    s = 0.0
    for i in range(len(x)):
        s += functools.reduce(operator.mul, x) * i
    return total, folded, s


def listed(x, n):
    steps, doubles = list(range(n)), [0] + list(range(1, n)) + [7]  # noqa: RUF005
    other = steps.copy()
    for i in range(n):
        steps[i] += doubles[i + 1]
    return steps, other, list(x), [1.0] * n + [2.0, 3.0]


def in_order(x, a):
    ordered, s = sorted(x), 0.0
    for k, v in enumerate(sorted(a[:, 1])):
        s += k * v
    for k in range(len(ordered)):
        s += k * ordered[k]
    return s, ordered


def length(a, b, c=1.0):
    return math.sqrt(a * a + b * b + c * c)


def scaled(v, *more, **options):
    total = v * options["k"]
    for one in more:
        total += one
    return total


def starred(a):
    s = 0.0
    for row in a:
        first, *rest = row
        *_, last = row
        s += length(*row) + scaled(first, *rest, k=2.0) * sum(rest) - last
    for i in range(len(a)):
        point = (a[i, 0], 2.0)
        options = {"c": a[i, 1]}
        s += length(*point, **options)
    return s


def whole_numbers(xs, n):
    total, series = 0, 0.0
    for v in xs:
        total += pow(v, 13, 1009) + math.comb(n, v) + math.perm(v, 2) + math.factorial(v)
    for k in range(n):
        series += 0.5**k / math.factorial(k)
    return total, series


@pytest.mark.parametrize(
    ("f", "args"),
    [
        (accumulated, (X,)),
        (neighbours, (X,)),
        (strict, (X,)),
        (flat, (A,)),
        (flat, (np.asfortranarray(A),)),
        (reduced, (X,)),
        (listed, (X, 4)),
        (starred, (A,)),
        (in_order, (X, A)),
        (in_order, (np.array([3, 1, 2]), A)),
    ],
)
def test_compiles(f: Callable[..., Any], args: tuple[Any, ...]) -> None:
    g = autovec(f)
    assert_same(g, *args)
    assert g.report().blocked is None, str(g.report())


def test_whole_numbers() -> None:
    g = autovec(whole_numbers)
    for n in (8, 3, 0, 24):  # 24: beyond 64 bits
        assert_same(g, np.array(INTS).tolist(), n, calls=1)


def test_stars_ask_for_the_number_again() -> None:
    g = autovec(starred)
    for width in (3, 2, 3):
        assert_same(g, np.ones((4, width)), calls=1)
    assert_same(g, np.ones((4, 5)), calls=1)


# ---------------------------------------------------------------- what only the original does


def ahead_of_writes(x):
    s = 0.0
    for k, v in enumerate(itertools.accumulate(x)):
        if k + 1 < len(x):
            x[k + 1] = v
        s += v
    return s


def pairs_of_what_is_written(x):
    s = 0.0
    for k, (a, b) in enumerate(itertools.pairwise(x)):
        x[k + 1] = 5.0
        s += a * b
    return s


def flat_while_written(x):
    s = 0.0
    for k, v in enumerate(x.flat):
        if k + 1 < len(x):
            x[k + 1] = v + 1.0
        s += v
    return s


def not_strict(x):
    s = 0.0
    for a, b in zip(x, x[2:], strict=True):
        s += a * b
    return s


def given_twice(x):
    s = 0.0
    for v in x:
        s += length(v, 1.0, a=2.0)
    return s


def nothing_to_reduce(x):
    return functools.reduce(operator.add, x[:0])


def no_modulus(x):
    s = 0
    for k in range(len(x)):
        s += pow(k, 2, k)
    return s


def inverse(x):
    s = 0
    for k in range(1, len(x)):
        s += pow(k, -1, 7)
    return s


@pytest.mark.parametrize(
    "f",
    [
        ahead_of_writes,
        pairs_of_what_is_written,
        flat_while_written,
        not_strict,
        given_twice,
        nothing_to_reduce,
        no_modulus,
        inverse,
    ],
)
def test_is_the_originals(f: Callable[..., Any]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert_same(autovec(f), X, calls=1)


def test_elements_of_what_a_method_makes() -> None:
    def histogram(image):
        h = np.zeros(8, int)
        for p in image.ravel():
            h[p] += 1
        return h

    def sums(a):
        s, t = 0.0, 0.0
        for v in a.reshape(-1):
            s = s * 0.5 + v
        for k, row in enumerate(a.T.copy()):
            for v in row[::-1].flatten():
                t += k * v
        return s, t, [v * 2 for v in a.ravel()], sum(v for v in a[0].astype(int))

    test_compiles(histogram, (np.arange(12).reshape(3, 4) % 5,))
    test_compiles(sums, (A,))


def test_products_and_combinations_keep_what_they_began_with() -> None:
    def shifted(a):
        s = 0.0
        for v, u in itertools.combinations(a, 2):
            a[1:] = a[:-1]
            s = s * 0.5 + v + u
        return s

    def doubled(a, b):
        s = 0.0
        for k, (v, u) in enumerate(itertools.product(a, b)):
            b[k % 3] += v
            s = s * 0.5 + u
        return s

    def rows_are_views(A):
        s = 0.0
        for p, q in itertools.combinations(A, 2):
            A[0] += q
            s = s * 0.5 + p[0]
        return s

    def counted(A):
        s = 0.0
        for i, j in itertools.product(range(3), range(3)):
            A[i, j] += s
            s = s * 0.5 + A[j, i]
        for (i, j), v in np.ndenumerate(A):
            A[-1, -1] += 1.0
            s = s * 0.5 + v + i * j
        return s

    for f, args in ((shifted, (X,)), (doubled, (X, X[:3])), (rows_are_views, (A,))):
        assert_same(autovec(f, fallback="silent"), *args)
    test_compiles(counted, (np.arange(9.0).reshape(3, 3),))
