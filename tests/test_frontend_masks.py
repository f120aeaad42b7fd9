"""Boolean masks whose elements are only counted or reduced."""

import numpy as np
import pytest

from autovec import autovec
from tests.same import assert_same
from tests.test_frontend_flow import X, compiled


def groups(x, label, n):
    out = np.zeros((n, 3))
    for c in range(n):
        members = x[label == c]
        if len(members) > 0:
            out[c, 0] = members.mean()
            out[c, 1] = members.max() - np.min(members)
        out[c, 2] = members.sum() + len(members)
    return out


def centres(points, label, middle):
    for c in range(len(middle)):
        members = points[label == c]
        if len(members) > 0:
            middle[c] = members.mean(axis=0)
    return middle


def of_matrix(a):
    return a[a > 0.5].sum(), np.mean(a[a > 0.5]), len(a[a > 9.0])


def written_later(x):
    big = x[x > 0.5]
    for i in range(len(x)):
        x[i] = 0.0
    return big.sum()


LABEL = np.array([0, 2, 0, 2, 0, 0, 2, 0])


def test_groups():
    compiled(groups, X, LABEL, 4)
    compiled(groups, np.where(X > 1, np.nan, X), LABEL, 4)
    compiled(groups, (X * 10).astype(int), LABEL, 4)


def test_rows_of_a_mask():
    compiled(centres, np.arange(16.0).reshape(8, 2), LABEL, np.ones((3, 2)))


@pytest.mark.parametrize("scale", [1.0, 10.0])
def test_masks_of_all_axes(scale):
    compiled(of_matrix, np.arange(12.0).reshape(3, 4) * scale)
    assert_same(autovec(of_matrix, fallback="silent"), np.zeros((2, 2)))


def test_what_numpy_has_copied():
    assert_same(autovec(written_later, fallback="silent"), X.copy())
