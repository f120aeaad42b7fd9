"""Numbers of lists that become elements of an array: each is converted as Python does, and checked.

np.array([300], np.uint8)    OverflowError; np.array([np.int64(300)], np.uint8) is array([44])
"""

from __future__ import annotations

import inspect
import math

import numpy as np
import pytest

from autovec import autovec
from tests.contract.tables import written
from tests.same import assert_same

LISTS = (
    [1, 2, 3],
    [-1, 300, 2],
    [1.5, -2.5, 2.0],
    [1.5, math.nan, 2.0],
    [math.inf, 1.0, 0.0],
    [-0.5, 255.9, 0.0],
    [1e300, 1.0, 0.0],
    [1 + 2j, 2.0, 3],
    [True, False, True],
    [2**40, 1, 2],
    (-1, 300, 2),
    [np.int64(300), np.int64(-1), np.int64(2)],
    np.array([1.5, -2.5, 300.0]),
)
DTYPES = ("np.uint8", "int", "np.int8", "float", "np.float32", "bool", "np.uint64")


def incremented(v):
    out = np.array(v, dtype=DTYPE)  # noqa: F821
    for i in range(len(out)):
        out[i] += 1
    return out


def read(v):
    out = np.asarray([x for x in v], DTYPE)  # noqa: F821
    s = 0
    for i in range(len(out)):
        s += out[i]
    return s


def stored(v):
    out = np.zeros((2, 3), dtype=DTYPE)  # noqa: F821
    for i in range(2):
        out[i] = v
    out[1, 1:] = [v[0], v[2]]
    return out


def unpacked(v):
    out = np.zeros(2, dtype=DTYPE)  # noqa: F821
    for _ in range(2):
        out[:] = v[0], v[1]
    return out


def filled(v):
    out = np.full(3, v[0], dtype=DTYPE)  # noqa: F821
    for i in range(3):
        out[i] += 1
    return out, np.full_like(out, v[1])


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("function", [incremented, read, stored, unpacked, filled])
def test_each_number_is_checked(function, dtype):
    text = inspect.getsource(function).replace("DTYPE", dtype).replace(f"def {function.__name__}(", "def table(")
    f = autovec(written(text), fallback="silent")
    assert_same(f, LISTS[0])
    assert f.report().blocked is None
    for v in LISTS[1:]:
        if not (dtype in ("np.uint8", "np.int8", "np.uint64") and isinstance(v, np.ndarray)):  # the processor decides
            assert_same(f, v, calls=1)
