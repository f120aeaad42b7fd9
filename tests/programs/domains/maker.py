"""A domain's programs: each makes its arguments for any size, with a small size to test and a large one to measure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True, slots=True)
class Maker:
    """`make(rng, n)` gives the arguments of `fn`."""

    fn: Callable[..., Any]
    make: Callable[[np.random.Generator, int], tuple[Any, ...]]
    small: int
    large: int

    def arguments(self, n: int) -> tuple[Any, ...]:
        """The same ones at every call, fresh."""
        return self.make(np.random.default_rng([7, n]), n)


def programs(*makers: Maker) -> dict[str, Maker]:
    """By the names of their functions."""
    return {maker.fn.__name__: maker for maker in makers}
