"""What went wrong once: each fault that random programs or probing found, as small programs of its kind."""

from __future__ import annotations

from typing import Any

import numpy as np

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
