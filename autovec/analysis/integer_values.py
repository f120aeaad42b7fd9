"""Intervals of a value that may be Python's or NumPy's: Python ints must fit int64, NumPy's wrap in their dtype."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from autovec.analysis.intervals import FAR, Interval, of_dtype
from autovec.ir.types import PY_INT, Origin, ScalarType, Type

LONGEST = 2**40  # no axis is longer: an array of bytes would take a terabyte. Int arguments are checked to be within
# Estimated by floats, a result that passes the check against 2**62 may lie a little beyond it.
CHECKED = Interval(-(2**62) - 2**32, 2**62 + 2**32)

FROM_ELEMENTS = frozenset(
    """max min reshape transpose concatenate stack expand_dims squeeze broadcast_to tile repeat flip roll diagonal
    element sort full""".split()
)
WITH_ZEROS = frozenset({"diag", "triu", "tril"})
CONSTANT = {"zeros": Interval(0, 0), "ones": Interval(1, 1), "eye": Interval(0, 1)}
POSITIONS = frozenset({"argmin", "argmax", "argsort", "searchsorted", "count_nonzero"})


@dataclass(frozen=True, slots=True)
class Value:
    """The intervals of a scalar (or of an array's elements) as Python's and as NumPy's number; None: it isn't one."""

    python: Interval | None
    numpy: Interval | None

    @property
    def whole(self) -> Interval | None:
        if self.python is None or self.numpy is None:
            return self.python or self.numpy
        return self.python | self.numpy

    def __or__(self, other: Value) -> Value:
        return Value(join(self.python, other.python), join(self.numpy, other.numpy))

    def meet(self, bound: Interval) -> Value:
        """Both parts cut; unchanged where nothing would be left (the place isn't reached)."""
        python = None if self.python is None else self.python.meet(bound)
        numpy = None if self.numpy is None else self.numpy.meet(bound)
        return self if python is None and numpy is None else Value(python, numpy)


ANYTHING = Value(None, Interval(-FAR, FAR))


def join(a: Interval | None, b: Interval | None) -> Interval | None:
    return a or b if a is None or b is None else a | b


def has_python_int(kind: Type) -> bool:
    """May it be a Python int, held in int64?"""
    return isinstance(kind, ScalarType) and PY_INT in kind.kinds and kind.dtype == np.dtype(np.int64)


def is_integer(kind: Type) -> bool:
    return kind.dtype.kind in "iub"


def as_type(interval: Interval | None, kind: Type) -> Value:
    """A value of this type; what doesn't fit the dtype may be anything of the dtype."""
    everything = of_dtype(kind.dtype)
    held = interval if interval is not None and interval.within(everything) else everything
    if not isinstance(kind, ScalarType):
        return Value(None, held)
    python = any(k.origin is Origin.PYTHON for k in kind.kinds)
    numpy = any(k.origin is Origin.NUMPY for k in kind.kinds)
    return Value(held if python else None, held if numpy else None)
