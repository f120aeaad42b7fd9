"""Lines of an array assigned to other lines of it, which NumPy copies one element after the other."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from autovec import autovec
from tests.contract.rows import original_runs
from tests.same import assert_same

M = np.arange(25.0).reshape(5, 5)
X = np.arange(12.0)


def mirrored(A):
    for i in range(len(A)):
        A[:, i] = A[i]
    return A


def mirrored_parts(A):
    for i in range(len(A)):
        A[i + 1 :, i] = A[i, i + 1 :]
    return A


def halves(x):
    n = len(x)
    for _ in range(2):
        x[: n // 2] = x[n - n // 2 :]
        x[2:] = x[:-2]
        x[::-1] = x
    return x


def columns(A):
    for i in range(1, len(A)):
        A[:, i] = A[:, i - 1]
        A[0] = A[:, i].copy()
        A[1] = A[:, i] * 1.0
    return A


def rows_to_columns(A, j):
    for i in range(len(A)):
        A[:, i] = A[j]
    return A


def columns_to_rows(A, j):
    for i in range(len(A)):
        A[i, ::-1] = A[:, j]
    return A


def parts(A, j):
    for i in range(len(A)):
        A[j:, i] = A[j, j:]
    return A


def strides(x, k):
    for i in range(3):
        x[k : k + 10 : 2] = x[i : i + 5]
    return x


def spread(x):
    n = len(x)
    for _ in range(2):
        x[::2] = x[: n // 2]
    return x


def own_diagonal(A):
    for i in range(len(A)):
        A[i] = np.diag(A)
    return A


@pytest.mark.parametrize("function", [mirrored, mirrored_parts, columns])
def test_lines_that_meet_in_nothing_or_in_one_element(function):
    f = autovec(function, fallback="silent")
    for A in (M, M[:2, :2], np.asfortranarray(M), M[::-1], M[:0, :0]):
        assert_same(f, A)
    assert not original_runs(f, (M,)), str(f.report())


def test_parts_at_one_stride():
    f = autovec(halves, fallback="silent")
    for x in (X, X[:3], X[::-1]):
        assert_same(f, x)
    assert not original_runs(f, (X,)), str(f.report())


@pytest.mark.parametrize("function", [rows_to_columns, columns_to_rows, parts])
def test_lines_that_cross(function):
    f = autovec(function, fallback="silent")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for A in (M, np.asfortranarray(M), M[::-1], M[:, ::-1], M[:1, :1]):
            for j in (0, 1, len(A) - 1, -1):
                assert_same(f, A, j)


@pytest.mark.parametrize(("function", "rest"), [(strides, (0,)), (strides, (1,)), (strides, (2,)), (spread, ())])
def test_other_strides(function, rest):
    f = autovec(function, fallback="silent")
    for x in (X, X[::-1], np.arange(24.0)[::2]):
        assert_same(f, x, *rest)


def test_a_view_of_the_array_by_a_function():
    assert_same(autovec(own_diagonal, fallback="silent"), M)
