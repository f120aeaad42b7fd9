"""How the generator decides: every decision is an integer between two bounds, the lower end the simplest.

Drawn from hypothesis it shrinks to a minimal program; drawn from a seed, each seed is a program of its own.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from hypothesis import strategies as st

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Choices:
    between: Callable[[int, int], int]  # an integer from the first to the second, both included

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
        return self.between(low, high) if high > low else low

    def rarely(self, one_in: int) -> bool:
        """True once in so many times; False is the simpler."""
        return self.integer(0, one_in - 1) == one_in - 1


def drawn(draw: Callable[[Any], Any]) -> Choices:
    """Choices of hypothesis."""
    return Choices(lambda low, high: draw(st.integers(low, high)))


def seeded(seed: int | str) -> Choices:
    """Choices that a number decides, or a word."""
    return Choices(random.Random(seed).randint)
