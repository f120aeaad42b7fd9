"""How the generator decides: every decision is drawn from hypothesis, the simplest way first, so that it shrinks to it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from hypothesis import strategies as st

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Choices:
    draw: Callable[[Any], Any]

    def pick(self, options: Sequence[T]) -> T:
        """One of the options; the first is the simplest."""
        return options[self.integer(0, len(options) - 1)]

    def weighted(self, options: Sequence[tuple[int, T]]) -> T:
        """One of (weight, option)."""
        at = self.integer(0, sum(weight for weight, _ in options) - 1)
        for weight, option in options:
            if at < weight:
                return option
            at -= weight
        raise AssertionError

    def integer(self, low: int, high: int) -> int:
        return self.draw(st.integers(low, high)) if high > low else low

    def rarely(self, one_in: int) -> bool:
        """True once in so many times; False is the simpler."""
        return self.integer(0, one_in - 1) == one_in - 1
