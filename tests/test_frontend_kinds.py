"""Values whose type depends on the data: lists of several kinds, tags through operators, `x or y`, builtins."""

import time

import numpy as np
import pytest

from autovec import autovec
from autovec.emit.program import ListOut, ScalarOut
from autovec.ir.types import PY_FLOAT, numpy_kind
from autovec.runtime.results import UnknownKind, listed
from tests.contract.tables import written
from tests.same import assert_same
from tests.test_frontend_flow import X, compiled


def one_or_element(x):
    return [1 if v > 0.5 else v for v in x]


def nested_kinds(a):
    return [[0 if a[i, j] > 1.0 else a[i, j] for j in range(a.shape[1])] for i in range(a.shape[0])]


def appended_kinds(x):
    out = []
    for v in x:
        if v > 0:
            out.append(v)
        else:
            out.append(0)
    return out


def filtered_kinds(x):
    return [max(0, v) for v in x if v > -1.0]


def prefilled(x):
    out = [0] * len(x)
    for i in range(len(x)):
        if x[i] > 0:
            out[i] = x[i]
    return out


def or_default(x):
    r = x[0] or 7
    return r, x[1] and 3, (x[2] > 0 and True)


def clipped(x):
    best = 0
    for v in x:
        best = max(best, v)
    return best, -best, best + 1, best * 2.0


def least_of_list(x):
    return min([1 if v > 0 else v for v in x]), max([0.5, x[0], x[1]]), min(x[0], 2, x[1])


def sums_of_lists(x):
    items = [v * 2.0 for v in x]
    pieces = [float(v) for v in x]
    return sum(items), sum(pieces) / len(pieces), sum([x[0], x[1], 1]), any([x[0] > 5, x[1] > 5])


def position_in_list(x):
    options = [x[0], x[1], x[2]]
    best = max(options)
    return best, options.index(best)


def called_on_elements(x):
    held = [x[0]] * 4
    for j in range(2):
        held[j] = j
    for i in range(3, 0, -1):
        held[i] = abs(held[i - 1]) if x[i] > 0 else round(held[i])
    return held, np.maximum(held[0], held[1]), abs(held[2])


def toggles(x):
    odd = False
    for v in x:
        if v > 0:
            odd = not odd
    return odd


@pytest.mark.parametrize(
    "fn",
    [
        one_or_element,
        appended_kinds,
        filtered_kinds,
        prefilled,
        or_default,
        clipped,
        least_of_list,
        sums_of_lists,
        position_in_list,
        called_on_elements,
        toggles,
    ],
)
def test_kinds_that_depend_on_the_data(fn):
    compiled(fn, X)
    compiled(fn, -X)
    compiled(fn, np.abs(X))
    compiled(fn, -np.abs(X))


def test_lists_of_lists():
    compiled(nested_kinds, np.arange(6.0).reshape(2, 3) / 2)
    assert_same(autovec(nested_kinds, fallback="silent"), np.zeros((0, 3)))


def test_what_is_of_unknown_kind_is_not_given_back():
    kinds = ScalarOut((PY_FLOAT, numpy_kind(np.float64)))
    told = (np.ones(2), np.array([0, 1]))
    assert [type(v) for v in listed(ListOut(kinds), told)] == [float, np.float64]
    for tags in ([0, -1], [-1, -1]):
        with pytest.raises(UnknownKind):
            listed(ListOut(kinds), (np.ones(2), np.array(tags)))


OF_SEVERAL_TYPES = (
    "np.array(s)",
    "np.array([s, 1])",
    "np.full(3, s)",
    "np.atleast_1d(s)",
    "np.stack([s, s])",
    "np.round(s)",
    "np.sqrt(s)",
    "a + s",
    "np.zeros(3) + s",
    "np.add(a, s)",
    "np.where(a > 1, a, s)",
    "np.append(a, s)",
    "np.ones(2, np.float32) * s",
    "np.sum(s)",
    "np.arange(len(a), dtype=bool)",
)


@pytest.mark.parametrize("text", OF_SEVERAL_TYPES)
def test_arrays_of_a_number_whose_type_depends_on_the_data(text):
    source = (
        f"def table(a, k):\n    s = 0\n    for v in a:\n        if v > k:\n            s = 0.5\n    return {text}, s\n"
    )
    f = autovec(written(source), fallback="silent")
    for a in (np.array([1, 2, 3]), np.array([1.0, 3.0])):
        for k in (5, 0):
            assert_same(f, a, k)


def test_an_array_as_its_own_dtype():
    def f(x):
        y = np.float32(x)
        for i in range(len(x)):
            x[i] = 2
        return y

    for dtype in (np.float32, np.float64, np.int64):
        assert_same(autovec(f, fallback="silent"), np.arange(3).astype(dtype))


def taxed(x):
    total = 0
    for limit in (1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0):
        if x > limit:
            total += min(x, limit)
    return total


@pytest.mark.parametrize("x", [np.int8(5), np.float64(5.5), 5, 0.5])
def test_the_analysis_of_a_total_of_several_kinds_takes_no_longer_with_each_step(x):
    begin = time.perf_counter()
    f = autovec(taxed, fallback="silent")
    assert_same(f, x, calls=1)
    assert time.perf_counter() - begin < 20  # three steps once took forty seconds, four some minutes
