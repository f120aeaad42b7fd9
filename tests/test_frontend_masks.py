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


# ---------------------------------------------------------------- elements that are asked for


def goes_through(x, label, n):
    out = np.zeros(n)
    for c in range(n):
        members = x[label == c]
        for i in range(len(members)):
            out[c] += members[i] * i
        for v in members:
            out[c] = out[c] * 0.5 + v
    return out


def rows_of_a_mask(points, label, n):
    out = np.zeros(n)
    for c in range(n):
        members = points[label == c]
        for i in range(len(members)):
            out[c] += members[i, 0] * members[i][1] + members[i].sum()
        for a, b in members:
            out[c] += a - b
        out[c] += members[:, 1].sum() + members.shape[1] + members.size + members.sum(axis=1).sum()
        out[c] += points[label == c, 1].sum() + points[label == c, 0:].sum()
    return out


def kept(x, t):
    y = x[x > t]
    out = np.zeros(len(y))
    for i in range(len(y)):
        out[i] = y[i] * 2
    return y, out, y[y > 1.0], -y, y > 1.0, y.copy()


def written_into(x, t):
    y = x[x > t]
    for i in range(len(y)):
        y[i] = y[i] * 2 + i
    y[0] += 1
    y[-1] = 5
    other = y
    other += 1.0
    return y, x


def put_back(x, k, t):
    for i in range(3):
        m = x > t + i * 0.1
        x[m] = x[m] * 2
        x[x < -t] += 1.5
        x[k > 3] -= k[k > 3] * 0.5
        x[~m] = k[~m]
        k[k % 2 == 0] //= 2
        k[k < 0] = 7
    return x, k


def rows_put_back(points, label, v):
    for c in range(3):
        points[label == c] += v
        points[label == c] *= 2.0
        points[label == c, 0] = c
        points[label == 1] = v
        points[points > 3] = 0.5
        points[label == c, 1] += points[label == c, 0]
    return points


def of_two(x, k, t):
    m = x > t
    a, b = x[m], k[m]
    s = 0.0
    for i in range(len(a)):
        s += a[i] * b[i]
    for p, q in zip(a, b, strict=True):
        s += p - q
    return s, (a * b).sum(), np.sqrt(a + 10), a @ a, np.dot(a, x[m]), a - b, abs(b)


def places(x, points, k):
    at = np.where(k > 2)[0]
    out = np.zeros(len(x))
    for i in at:
        out[i] += x[i]
    rows, columns = np.nonzero(points > 3)
    for p in range(len(rows)):
        out[0] += points[rows[p], columns[p]] * (rows[p] + 2 * columns[p])
    out[np.flatnonzero(k < 0)] = -1.0
    return out, x[at], points[at], at, x[at].sum(), at.size, rows


def spreads(x, label, n):
    members = x[label == n]
    s = 0.0
    for v in members:
        s += v
    return s, members.std(), np.var(members, ddof=1), np.std(x[x < 9])


def of_groups(x, label, n):
    out = np.zeros((n, 3))
    for c in range(n):
        members = x[label == c]
        if len(members) > 2:
            out[c] = np.median(members), members.std(), np.sort(members)[0]
    return out


def changed_mask(x, k):
    m = k > 2
    a = x[m]
    m[0] = not m[0]
    s = 0.0
    for _ in range(3):
        s += x[m].sum()
    return s, a.sum(), a


def in_a_loop(x, t, n):
    s = 0.0
    for _ in range(n):
        y = x[x > t]
        x[x > t] -= 0.25
        for v in y:
            s += v
    return s, x


def wrong_number(x, t):
    for _ in range(3):
        x[x > t] = np.arange(3.0)
    return x


K = np.array([3, -1, 4, 0, 5, -9, 2, 6])
POINTS = np.arange(16.0).reshape(8, 2)


def test_elements_of_a_mask():
    compiled(goes_through, X, LABEL, 4)
    compiled(rows_of_a_mask, POINTS.copy(), LABEL, 4)
    for t in (0.0, 9.0, -9.0):
        compiled(kept, X.copy(), t)
        compiled(in_a_loop, X.copy(), t, 3)
    for least in (3, 99):
        compiled(kept, (X * 10).astype(np.int32), least)
    compiled(of_two, X, K, 0.0)


def test_masks_of_what_changes():
    compiled(written_into, X.copy(), 0.0)
    assert_same(autovec(written_into, fallback="silent"), X.copy(), 99.0)
    compiled(put_back, X.copy(), K.copy(), 0.5)
    compiled(rows_put_back, POINTS.copy(), LABEL, np.array([1.0, 2.0]))
    compiled(changed_mask, X, K)
    for t in (0.2, 1.0):  # one has as many as there are values
        assert_same(autovec(wrong_number, fallback="silent"), X.copy(), t)


def test_places_and_spreads():
    compiled(places, X, POINTS.copy(), K)
    for n in (0, 2):
        compiled(spreads, X, LABEL, n)
    compiled(spreads, np.where(X > 2, np.nan, X), LABEL, 0)
    assert_same(autovec(spreads, fallback="silent"), X, LABEL, 1)
    assert_same(autovec(of_groups, fallback="silent"), X, LABEL, 3)


def two_names(x, t):
    y = x[x > t]
    z = y
    for i in range(len(z)):
        z[i] = 0.0
    return y


def two_results(x, t):
    y = x[x > t]
    for i in range(len(x)):
        x[i] += 1.0
    return y, y


def row_of_rows(points, t):
    some = points[points[:, 0] > t]
    row = some[0]
    for i in range(2):
        row[i] = -1.0
    return some.sum(), row


@pytest.mark.parametrize("f", [two_names, two_results])
def test_one_array_of_two_names(f):
    assert_same(autovec(f, fallback="silent"), X.copy(), 0.0)


def test_a_row_of_what_a_mask_picks():
    assert_same(autovec(row_of_rows, fallback="silent"), POINTS.copy(), 3.0)
