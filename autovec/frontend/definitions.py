"""Functions of whole numbers by their definitions: plain Python, run in place like a person's own helper.

What they raise, and any number that leaves 64 bits on the way, is a fault: the original then runs.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from types import FunctionType


def factorial(n: int) -> int:
    if n < 0:
        raise ValueError
    result = 1
    for k in range(2, n + 1):
        result = result * k
    return result


def combinations(n: int, k: int) -> int:
    if n < 0 or k < 0:
        raise ValueError
    result = 1
    for i in range(1, k + 1):
        result = result * (n - i + 1) // i
    return result


def arrangements(n: int, k: int) -> int:
    if n < 0 or k < 0:
        raise ValueError
    result = 1
    for i in range(k):
        result = result * (n - i)
    return result


def power_modulo(base: int, exponent: int, modulus: int) -> int:
    if exponent < 0 or modulus <= 0 or modulus > 3037000499:  # the square of a remainder fits 64 bits
        raise ValueError
    result = 1 % modulus
    square = base % modulus
    while exponent > 0:
        if exponent % 2 == 1:
            result = result * square % modulus
        square = square * square % modulus
        exponent = exponent // 2
    return result


DEFINED: tuple[tuple[Callable[..., int], Callable[..., int], int], ...] = (
    (math.factorial, factorial, 1),
    (math.comb, combinations, 2),
    (math.perm, arrangements, 2),
    (pow, power_modulo, 3),
)


def definition(function: object, count: int) -> FunctionType | None:
    """The definition of a function called with so many numbers."""
    for known, meaning, places in DEFINED:
        if known is function and places == count and isinstance(meaning, FunctionType):
            return meaning
    return None
