"""What went wrong once: each fault that random programs found, as a small program of its kind."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from autovec import autovec
from tests.generator.check import internal
from tests.same import assert_same


def same(function: Any, *calls: tuple[Any, ...]) -> None:
    """Both ways on each tuple of arguments, compiled, with nothing failing inside."""
    f = autovec(function, fallback="silent")
    for args in calls:
        assert_same(f, *args)
    assert f.report().blocked is None, str(f.report())
    assert internal(f) is None


def numbers(*shape: int) -> np.ndarray:
    return np.random.default_rng(5).integers(-8, 9, shape) / 2.0


# ---------------------------------------------------------------- accumulations that read what they add to


def doubles_itself(a, k):
    for _ in range(k):
        a[:] += a[:]


def adds_its_size(a, k):
    for _ in range(k):
        a[1:] += np.abs(a[1:])


def element_doubles(a, k):
    for _ in range(k):
        a[0] += a[0] * 0.5


def rows_add_themselves(a, k):
    for _ in range(k):
        for i in range(a.shape[0]):
            a[i] += a[i]


@pytest.mark.parametrize("function", [doubles_itself, adds_its_size, element_doubles])
def test_accumulation_of_itself(function):
    same(function, (numbers(7), 3), (numbers(2), 5), (numbers(1), 1))


def test_accumulation_of_rows_of_itself():
    same(rows_add_themselves, (numbers(4, 3), 3), (numbers(1, 2), 2))


# ---------------------------------------------------------------- accumulations at a place that doesn't move


def scales_one_place(a, k):
    for i in range(1, len(a)):
        a[k % len(a)] *= 0.5


def adds_to_one_place(a, x, k):
    for i in range(len(a)):
        a[k % len(a)] += x[i]


def subtracts_from_one_column(a, x, k):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            a[i, k % a.shape[1]] -= x[j]


def test_scatter_to_one_place():
    same(scales_one_place, (numbers(7), 3), (numbers(2), 5))
    same(adds_to_one_place, (numbers(7), numbers(7), 3), (numbers(2), numbers(2), 5))
    same(subtracts_from_one_column, (numbers(4, 3), numbers(3), 4), (numbers(1, 2), numbers(2), 0))
