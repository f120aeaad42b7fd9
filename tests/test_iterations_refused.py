"""What Python doesn't go through, doesn't reverse, doesn't take for an index or a size: it raises as it does."""

from __future__ import annotations

import numpy as np
import pytest

from autovec import autovec
from tests.contract.tables import written
from tests.same import assert_same

LOOPS = (
    "i in reversed(reversed(range(len(x))))",
    "i, v in reversed(enumerate(x))",
    "i, v in reversed(zip(x, x))",
    "v in reversed(x.flat)",
    "v in reversed(v for v in b)",
    "v in reversed(list(zip(x, b))[0])",
    "v in reversed(x[0])",
    "i in len(x)",
    "i, j in x",
    "i, j in range(3)",
    "i, j in enumerate(x, 1.5)",
    "i, j in enumerate(x, start=k)",
    "i, j in enumerate(x, np.int64(2))",
    "i, j in enumerate(x, True)",
    "i in range(x[0])",
    "i in range(0, 3, 0)",
)


@pytest.mark.parametrize("loop", LOOPS)
def test_iterations(loop):
    f = autovec(
        written(f"def table(x, b, k):\n    s = 0.0\n    i = 0\n    for {loop}:\n        s += i\n    return s, i\n"),
        fallback="silent",
    )
    for args in ((np.array([1.0, 2.0, 3.0]), [1, 2, 3], -1), (np.ones(1), [1], 2)):
        assert_same(f, *args)


SIZES = (
    "np.zeros(len(x) - 5)",
    "np.zeros(len(x) % len(b) - 1)",
    "np.zeros((2, len(x) // 4 - 1))",
    "np.full(len(x) * 2 - 9, 1.0)",
    "np.eye(len(x) - 2)",
    "np.ones(-len(x))",
    "np.empty((len(x), k))",
    "np.arange(len(x) - 5)",
    "[0.0] * (len(x) - 5)",
)


@pytest.mark.parametrize("made", SIZES)
def test_negative_sizes(made):
    f = autovec(
        written(f"def table(x, b, k):\n    y = {made}\n    for v in x:\n        k += v\n    return k, len(y)\n"),
        fallback="silent",
    )
    for args in ((np.array([1.0, 2.0, 3.0]), [1, 2, 3], -1), (np.ones(6), [1], 2), (np.ones(1), [1, 2], 0)):
        assert_same(f, *args)


PLACES = (
    "[0]",
    "a",
    "a[:1]",
    "1.0",
    "x",
    "(0,)",
    "0, 1",
    "None",
    "...",
    "a > 1",
    "True",
    "a[0]",
    "np.array(1)",
    "-k",
    "1j",
)


@pytest.mark.parametrize("items", ["b", "c", "grown", "pairs", "b[1:]", "three"])
def test_indices_of_lists(items):
    for place in PLACES:
        text = (
            "def table(a, b, k, x):\n"
            "    c, grown, pairs, three = [0] * len(a), [], [], (1, 2, 3)\n"
            "    for i in range(len(a)):\n"
            "        c[i] = a[i] * 2\n"
            "        pairs.append((i, a[i]))\n"
            "        if a[i] > 1:\n"
            "            grown.append(a[i])\n"
            f"    return {items}[{place}], c\n"
        )
        changed = text.replace("    return", f"    {items}[{place}] = 7\n    return").replace(
            f"{items}[{place}], c", "c, grown"
        )
        for one in (text, changed) if items in ("b", "c", "grown") else (text,):
            assert_same(autovec(written(one), fallback="silent"), np.array([1, 2, 2]), [1, 2, 3], 1, 1.0)
