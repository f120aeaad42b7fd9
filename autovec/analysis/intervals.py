"""Intervals of integers, and what each operation makes of them.

    add([0, 9], [1, 2])            -->    [1, 11]
    remainder([-5, 100], [7, 7])   -->    [0, 6]

In: the name of an operation and intervals of its operands. Out: an interval that holds every exact (unbounded) result;
None where nothing is known. Interval arithmetic: Moore (1966); as an abstract domain: Cousot & Cousot (1976).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

FAR = 2**300  # results beyond are all the same to us, and powers of it stay small enough to compute


@dataclass(frozen=True, slots=True)
class Interval:
    """The integers from `low` to `high`, both included; never empty."""

    low: int
    high: int

    def __or__(self, other: Interval) -> Interval:
        return Interval(min(self.low, other.low), max(self.high, other.high))

    def __add__(self, other: Interval) -> Interval:
        return Interval(self.low + other.low, self.high + other.high)

    def __neg__(self) -> Interval:
        return Interval(-self.high, -self.low)

    def times(self, factor: int) -> Interval:
        return around((self.low * factor, self.high * factor))

    def meet(self, other: Interval) -> Interval | None:
        """What both hold; None for nothing."""
        low, high = max(self.low, other.low), min(self.high, other.high)
        return Interval(low, high) if low <= high else None

    def within(self, other: Interval) -> bool:
        return other.low <= self.low and self.high <= other.high

    @property
    def largest(self) -> int:
        """The largest absolute value."""
        return max(abs(self.low), abs(self.high))

    def __str__(self) -> str:
        return f"[{self.low}, {self.high}]"


def around(values: tuple[int, ...]) -> Interval:
    return Interval(max(min(values), -FAR), min(max(values), FAR))


def exactly(value: int) -> Interval:
    return Interval(value, value)


def of_dtype(dtype: np.dtype) -> Interval:
    """All values of an integer or boolean dtype."""
    if dtype.kind == "b":
        return Interval(0, 1)
    info = np.iinfo(dtype)
    return Interval(int(info.min), int(info.max))


INT64 = of_dtype(np.dtype(np.int64))


# ---------------------------------------------------------------- operations


def multiply(a: Interval, b: Interval) -> Interval:
    return around((a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high))


def absolute(a: Interval) -> Interval:
    return Interval(0 if a.low <= 0 <= a.high else min(abs(a.low), abs(a.high)), a.largest)


def floor_divide(a: Interval, b: Interval) -> Interval:
    """A zero divisor gives 0, as NumPy has it (Python's raises)."""
    divisors = {d for d in (b.low, b.high, -1, 1) if b.low <= d <= b.high and d}
    results = tuple(n // d for n in (a.low, a.high) for d in divisors)
    return around(results + ((0,) if b.low <= 0 <= b.high else ()))


def remainder(a: Interval, b: Interval) -> Interval:
    """The sign of the divisor; a zero divisor gives 0."""
    if b.low > 0 and a.low >= 0:
        return Interval(a.low if a.high < b.low else 0, min(a.high, b.high - 1))
    return Interval(min(b.low + 1, 0), max(b.high - 1, 0))


def remainder_as_in_c(a: Interval, b: Interval) -> Interval:
    most = max(b.largest - 1, 0)
    return Interval(-min(most, a.largest) if a.low < 0 else 0, min(most, a.largest) if a.high > 0 else 0)


def power(a: Interval, b: Interval) -> Interval:
    """Exponents under zero raise (or make a float): they don't count."""
    first, last = max(b.low, 0), max(b.high, 0)
    if a.low >= 0:
        low = 0 if a.low == 0 and last > 0 else raised(a.low, first)
        return Interval(low, max(raised(a.high, last), 1 if first == 0 else 0))
    most = max(raised(a.largest, last), 1)
    even = first == last and first % 2 == 0
    return Interval(0 if even else -most, most)


def raised(base: int, exponent: int) -> int:
    if base <= 1 or exponent == 0:
        return base ** min(exponent, 1)
    return FAR if exponent * (base.bit_length() - 1) >= FAR.bit_length() else min(base**exponent, FAR)


def left_shift(a: Interval, b: Interval) -> Interval:
    first, last = (min(max(n, 0), 400) for n in (b.low, b.high))
    return around((a.low << first, a.low << last, a.high << first, a.high << last))


def right_shift(a: Interval, b: Interval) -> Interval:
    first, last = (min(max(n, 0), 400) for n in (b.low, b.high))
    return around((a.low >> first, a.low >> last, a.high >> first, a.high >> last))


def bits(*sides: Interval) -> int:
    """One more than the largest number of as many bits as the sides have."""
    return 1 << max(max(s.high, ~s.low, 0).bit_length() for s in sides)


def bitwise_and(a: Interval, b: Interval) -> Interval:
    if a.low >= 0 and b.low >= 0:
        return Interval(0, min(a.high, b.high))
    if a.low >= 0 or b.low >= 0:
        return Interval(0, a.high if a.low >= 0 else b.high)
    return Interval(-bits(a, b), max(a.high, b.high))


def bitwise_or(a: Interval, b: Interval) -> Interval:
    top = bits(a, b)
    if a.low >= 0 and b.low >= 0:
        return Interval(max(a.low, b.low), top - 1)
    return Interval(-top, top - 1)


def bitwise_xor(a: Interval, b: Interval) -> Interval:
    top = bits(a, b)
    return Interval(0 if a.low >= 0 and b.low >= 0 else -top, top - 1)


def same(a: Interval) -> Interval:
    return a


UNARY: dict[str, Callable[[Interval], Interval]] = {
    "negative": lambda a: -a,
    "absolute": absolute,
    "fabs": absolute,
    "invert": lambda a: Interval(~a.high, ~a.low),
    "square": lambda a: multiply(absolute(a), absolute(a)),
    "sign": lambda a: Interval((a.low > 0) - (a.low < 0), (a.high > 0) - (a.high < 0)),
    **dict.fromkeys(("positive", "conjugate", "real", "floor", "ceil", "rint", "trunc"), same),
}
BINARY: dict[str, Callable[[Interval, Interval], Interval]] = {
    "add": lambda a, b: a + b,
    "subtract": lambda a, b: a + -b,
    "multiply": multiply,
    "floor_divide": floor_divide,
    "remainder": remainder,
    "fmod": remainder_as_in_c,
    "power": power,
    "left_shift": left_shift,
    "right_shift": right_shift,
    "bitwise_and": bitwise_and,
    "bitwise_or": bitwise_or,
    "bitwise_xor": bitwise_xor,
    "gcd": lambda a, b: Interval(0, max(a.largest, b.largest)),
    "lcm": lambda a, b: Interval(0, a.largest * b.largest),
    **dict.fromkeys(("maximum", "fmax"), lambda a, b: Interval(max(a.low, b.low), max(a.high, b.high))),
    **dict.fromkeys(("minimum", "fmin"), lambda a, b: Interval(min(a.low, b.low), min(a.high, b.high))),
}


def result_of(op: str, args: tuple[Interval, ...]) -> Interval | None:
    """What an elementwise operation gives, unbounded; None for an operation that isn't known here."""
    if len(args) == 1 and op in UNARY:
        return UNARY[op](*args)
    if len(args) == 2 and op in BINARY:
        return BINARY[op](*args)
    return None


def widened(old: Interval, new: Interval) -> Interval:
    """`new` with the ends that moved put at the next of a few marks, so that growing stops."""
    marks = [0, 1, 2**8, 2**16, 2**31, 2**40, 2**53, 2**62, 2**63]
    low, high = new.low, new.high
    if low < old.low:
        low = next((-m for m in marks if -m <= low), -FAR)
    if high > old.high:
        high = next((m - 1 for m in marks if m - 1 >= high), FAR)
    return Interval(low, high)
