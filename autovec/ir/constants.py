"""Constants as a program sees them: what compares equal may still be another thing.

0 and 0.0, True and 1, 0.0 and -0.0, (1, 2) and (1.0, 2)   -->   not alike
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import cast


def is_alike(one: object, other: object) -> bool:
    """Can a program not tell two immutable values apart, by their types, values and the signs of their zeros?"""
    if one is other:
        return True
    if type(one) is not type(other):
        return False
    if isinstance(one, float):
        assert isinstance(other, float)
        return one == other and math.copysign(1.0, one) == math.copysign(1.0, other)
    if isinstance(one, complex):
        assert isinstance(other, complex)
        return is_alike(one.real, other.real) and is_alike(one.imag, other.imag)
    if isinstance(one, tuple | list):
        pair = cast(Sequence[object], one), cast(Sequence[object], other)
        return len(pair[0]) == len(pair[1]) and all(is_alike(a, b) for a, b in zip(*pair, strict=True))
    return bool(one == other)
