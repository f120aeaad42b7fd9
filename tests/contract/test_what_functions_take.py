"""What functions take and refuse: NumPy's scalars, bools and arrays of one element, where a number of Python's would do.

Each expression in a loop, for an argument of each kind: the same value of the same type, or the same TypeError.
"""

from __future__ import annotations

import numpy as np
import pytest

from autovec import autovec
from tests.contract.tables import written
from tests.generator.check import internal
from tests.same import assert_same

KINDS = [
    True,
    np.bool_(True),
    np.int8(1),
    np.float32(1.5),
    np.array(1),
    np.array(True),
    np.array([1]),
    np.int64(2**53 + 1),
    np.uint64(2**63 + 1025),
]

NUMBERS = """
math.isqrt(k) | math.gcd(k, 4) | math.lcm(4, k) | math.ldexp(1.0, k) | math.floor(k) | math.ceil(k) | math.trunc(k) | round(k)
float(k) | int(k) | complex(k) | k ** 2 | math.hypot(k, 1) | k.real | np.zeros(k).sum() | np.full((k, 2), 0.5).sum()
"""


@pytest.mark.parametrize("expression", [e.strip() for line in NUMBERS.strip().splitlines() for e in line.split("|")])
def test_numbers_of_all_kinds(expression: str) -> None:
    f = autovec(
        written(
            f"def table(n, k):\n    r = []\n    for i in range(n):\n        r.append({expression})\n    return r\n"
        ),
        fallback="silent",
    )
    for k in KINDS:
        if not (expression.startswith("np.") and int(np.ravel(k)[0]) > 1):  # arrays as large as that
            assert_same(f, 2, k, calls=1)
            assert internal(f) is None, internal(f)


def test_bools_to_the_power_of_two() -> None:
    """NumPy squares them, which makes an int8; other powers are of the common dtype."""
    for text in ("b ** 2", "b ** 1", "b ** 3", "b ** k", "b ** 2.0"):
        f = written(f"def table(b, k):\n    r = []\n    for i in range(2):\n        r.append({text})\n    return r\n")
        for k in (2, 3):
            assert_same(autovec(f, fallback="silent"), np.array([True, False]), k, calls=1)


# ---------------------------------------------------------------- arrays of no axes

VIEWS = (
    "a | a.real | a.imag | a[...] | a[..., None] | a.T | a[()] | a[None] | np.asarray(a) | np.real(a) | a.squeeze() | a.conj()"
    " | a.reshape(()) | np.ascontiguousarray(a) | np.transpose(a) | a.copy() | a + 0 | a.astype(a.dtype, copy=False)"
)
FORMS = {
    "listed": "    r = []\n    for i in range(2):\n        r.append({})\n    return r\n",
    "collected": "    r = [{} for i in range(2)]\n    return r\n",
    "returned": "    s = 0.0\n    for i in range(2):\n        s += i\n    return s, {}\n",
    "kept": "    b = {}\n    for i in range(2):\n        a[...] += 1\n    return b, a\n",
    "written": "    b = {}\n    for i in range(2):\n        b[...] += 1\n    return a\n",
}


@pytest.mark.parametrize("form", FORMS)
def test_arrays_of_no_axes(form: str) -> None:
    for view in VIEWS.split(" | "):
        f = autovec(written(f"def table(a):\n{FORMS[form].format(view)}"), fallback="silent")
        for a in (np.array(2.5), np.array(1 + 2j)):
            assert_same(f, a, calls=1)
            assert internal(f) is None, internal(f)


@pytest.mark.parametrize("target", ["a", "a[...]", "a[()]"])
def test_in_place_operations_on_arrays_of_no_axes(target: str) -> None:
    """The array is given what its dtype holds of the result, if NumPy casts so; a number that is stored is checked."""
    f = autovec(
        written(f"def table(a, b):\n    for i in range(2):\n        {target} += b\n    return a\n"), fallback="silent"
    )
    for a, b in [
        (np.array(3), 2.0),
        (np.array(0, np.int8), np.array(1.5)),
        (np.array(100, np.int8), np.array(100)),
        (np.array(100, np.int8), np.int64(20)),
        (np.array(1.5, np.float32), np.array(0.1)),
        (np.array(1.5), 1j),
        (np.array(3, np.uint8), -1),
        (np.array(True), np.array(True)),
    ]:
        assert_same(f, a, b, calls=1)
        assert internal(f) is None, internal(f)
