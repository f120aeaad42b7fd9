"""One list under several names, or in several places, that grows: what one name appends, the others have."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from autovec import autovec
from tests.same import assert_same

X = np.array([0.5, -1.0, 2.0, -3.0])


def bound_at_once(x):
    up = down = []
    for v in x:
        up.append(v)
        down.append(-v)
    return len(up)


def bound_to_the_other(x):
    a = []
    b = a
    for v in x:
        a.append(v)
        if v < 0:
            b.append(-v)
    return np.array(a)


def read_by_the_other(x):
    a = b = []
    for v in x:
        a.append(v)
    return len(b)


def one_of_two(x, first=True):
    a = []
    b = []
    t = a if first else b
    for v in x:
        t.append(v)
    a.append(0.0)
    return a, b


def pairs_of_names(x):
    (a, b) = (c, e) = ([], [])
    for v in x:
        a.append(v)
        if v < 0:
            c.append(v)
        e.append(2 * v)
    return len(a), len(b)


def in_a_tuple(x):
    a = []
    b = (a, 1)
    for v in x:
        a.append(v)
    return len(b[0])


def in_a_dict(x):
    a = []
    d = {"a": a}
    for v in x:
        a.append(v)
    return len(d["a"])


def in_a_default(x):
    a = []
    count = lambda q=a: len(q)  # noqa: E731
    for v in x:
        a.append(v)
    return count()


def in_an_attribute(x):
    a = []
    o = SimpleNamespace()
    o.items = a
    for v in x:
        a.append(v)
    return len(o.items)


def rows_with_another_name(x):
    rows = []
    for i in range(3):
        row = []
        alias = row
        for v in x:
            row.append(v * i)
        alias.append(5.0)
        rows.append(row)
    return rows


def of_few_values(x):
    [a, b] = [c, d] = [0.0, 0.0], [1.0, 1.0]
    for i in range(2):
        a[i] += x[i]
        c[i] += 1
        d[i] -= x[i]
    return a, b


def filled_by_a_function(x):
    def fill(out):
        for v in x:
            out.append(v * 2)

    out = []
    fill(out)
    fill(out)
    return out


@pytest.mark.parametrize(
    "function",
    [
        bound_at_once,
        bound_to_the_other,
        read_by_the_other,
        one_of_two,
        pairs_of_names,
        in_a_tuple,
        in_a_dict,
        in_a_default,
        in_an_attribute,
        rows_with_another_name,
        of_few_values,
        filled_by_a_function,
    ],
)
def test_what_one_name_appends_the_others_have(function):
    f = autovec(function, fallback="silent")
    for x in (X, X.tolist(), X[:2]):
        assert_same(f, x)


def written_through_a_display(p):
    A = list(p)
    B = [0.5, 2]
    s = 0
    for z in [A, B]:
        for i in range(len(z)):
            z[i] = z[i] - 1
            s += A[0]
    return A, B, s


def written_through_pairs(p):
    A = list(p)
    for z, k in [[A, 1], [p, 2]]:
        i = 0
        while i < len(z):
            z[i] -= k
            i += 1
    return A, p


@pytest.mark.parametrize("function", [written_through_a_display, written_through_pairs])
def test_what_a_loop_takes_has_its_names(function):
    f = autovec(function, fallback="silent")
    for p in ([1, 2.5], [True, 2], [3, 1], [0.5, 1.5], [0.5, 1, 2]):
        assert_same(f, p)
