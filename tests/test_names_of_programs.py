"""Names that programs use themselves, in the hands of the person: functions, arguments, sizes, loop variables."""

from __future__ import annotations

import numpy as np
import pytest

from autovec import autovec
from tests.contract.tables import written
from tests.generator.check import internal
from tests.same import assert_same

NAMES = "value writes flags fault step going carry update index jnp lax np special function float64s".split()

FORMS = {
    "the function": (
        "def {name}(a, k):\n"
        "    s = 0.0\n"
        "    for i in range(len(a)):\n"
        "        s = s * 0.5 + a[i - k]\n"
        "        a[i] = s\n"
        "    return s\n"
    ),
    "an array": (
        "def table({name}, k):\n"
        "    s = 0.0\n"
        "    for i in range(len({name})):\n"
        "        s = s * 0.5 + {name}[i - k]\n"
        "        {name}[i] = s\n"
        "    return s\n"
    ),
    "a number": (
        "def table(a, {name}):\n"
        "    for i in range(len(a)):\n"
        "        if a[i] > {name}:\n"
        "            return a[i]\n"
        "        a[i] = a[i - 1]\n"
        "    return {name}\n"
    ),
    "a size": (
        "def table(a, k):\n"
        "    {name} = a.shape[0]\n"
        "    out = [0.0] * {name}\n"
        "    for i in range({name}):\n"
        "        out[i] = a[i] * 2 + out[i - 1]\n"
        "    return out\n"
    ),
    "a variable": (
        "def table(a, k):\n"
        "    s = 0.0\n"
        "    for {name} in range(1, len(a)):\n"
        "        v = a[{name}]\n"
        "        if v > 0.3:\n"
        "            a[{name} % 3] = v * 0.5\n"
        "            a[{name}] += 0.1\n"
        "        s = s * 0.5 + v\n"
        "    return s, {name}\n"
    ),
    "a total": (
        "def table(a, k):\n"
        "    {name} = 0.0\n"
        "    i = 0\n"
        "    while i < len(a) and {name} < 50:\n"
        "        {name} = {name} * 0.5 + a[i]\n"
        "        i += 1\n"
        "    return {name}\n"
    ),
}


@pytest.mark.parametrize("form", FORMS)
def test_names(form):
    for name in NAMES:
        text = FORMS[form].format(name=name)
        if form == "the function":
            text += f"table = {name}\n"
        f = autovec(written(text), fallback="silent")
        assert_same(f, np.array([0.5, -1.0, 2.0, 0.7, 3.0]), 1, calls=1)
        assert internal(f) is None, name


def test_a_name_that_is_not_bound_yet():
    """It is the function's, not the builtin of that name."""
    text = (
        "def table(x):\n"
        "    def zeros():\n"
        "        return [0.0 for _ in range(len(x))]\n"
        "    out = zeros()\n"
        "    for len in range(3):\n"
        "        out[len] = x[len] * 2\n"
        "    return out\n"
    )
    assert_same(autovec(written(text), fallback="silent"), np.ones(3))


def test_outer_products_with_a_number():
    def columns(a):
        for k in range(len(a)):
            a[k:, k:] -= np.outer(a[k:, k], np.sum(a[k, k:]))
            a[:k, :k] += np.outer(2.0, a[:k, k])

    def rows(a):
        for k in range(len(a)):
            a[k + 1 :, k:] -= np.outer(a[k + 1 :, k], a[k, k:])

    for fn in (columns, rows):
        assert_same(autovec(fn, fallback="silent"), np.random.default_rng(4).random((4, 4)))
