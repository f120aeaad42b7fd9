"""Types of values: sets of scalar kinds, and arrays of a dtype with symbolic sizes.

A Python number and a NumPy scalar of the same precision are different kinds: they promote, divide and overflow
differently. The kind of a variable can depend on the data (`max(0, a[i])`), so a scalar's type is a *set* of kinds
with one representation; where more than one remains, a tag beside the value says which.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import numpy as np

from autovec.ir.affine import Affine


class Origin(Enum):
    PYTHON = "python"
    NUMPY = "numpy"


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of scalar: a Python bool, int, float or complex, or a NumPy scalar of a dtype."""

    origin: Origin
    dtype: np.dtype

    @property
    def type(self) -> type:
        return self.dtype.type if self.origin is Origin.NUMPY else PYTHON_TYPES[self.dtype.kind]

    def __str__(self) -> str:
        return f"np.{self.dtype}" if self.origin is Origin.NUMPY else self.type.__name__


PYTHON_TYPES = {"b": bool, "i": int, "f": float, "c": complex}
PY_BOOL = Kind(Origin.PYTHON, np.dtype(bool))
PY_INT = Kind(Origin.PYTHON, np.dtype(np.int64))
PY_FLOAT = Kind(Origin.PYTHON, np.dtype(np.float64))
PY_COMPLEX = Kind(Origin.PYTHON, np.dtype(np.complex128))


def numpy_kind(dtype: np.dtype) -> Kind:
    return Kind(Origin.NUMPY, dtype)


@dataclass(frozen=True, slots=True)
class ScalarType:
    """A set of kinds, held at run time in one dtype that represents them all exactly."""

    kinds: frozenset[Kind]

    @property
    def dtype(self) -> np.dtype:
        return np.result_type(*(k.dtype for k in self.kinds))

    @property
    def shape(self) -> tuple[Affine, ...]:
        return ()

    @property
    def only(self) -> Kind | None:
        """The kind, where there is no doubt."""
        return next(iter(self.kinds)) if len(self.kinds) == 1 else None

    @property
    def may_be_python(self) -> bool:
        return any(k.origin is Origin.PYTHON for k in self.kinds)

    @property
    def is_python(self) -> bool:
        return all(k.origin is Origin.PYTHON for k in self.kinds)

    def __str__(self) -> str:
        return " | ".join(sorted(map(str, self.kinds)))


@dataclass(frozen=True, slots=True)
class ArrayType:
    """An ndarray: dtype and one symbolic size an axis. Rank 0 is a 0-d array, not a scalar."""

    dtype: np.dtype
    shape: tuple[Affine, ...]

    def __str__(self) -> str:
        return f"{self.dtype}[{', '.join(map(str, self.shape))}]"


Type = ScalarType | ArrayType


def scalar(*kinds: Kind) -> ScalarType:
    return ScalarType(frozenset(kinds))


BOOL = scalar(PY_BOOL)
INT = scalar(PY_INT)
FLOAT = scalar(PY_FLOAT)
COMPLEX = scalar(PY_COMPLEX)


def numpy_scalar(dtype: np.dtype) -> ScalarType:
    return scalar(numpy_kind(np.dtype(dtype)))


def element(t: Type) -> ScalarType:
    """The type of one element of an array (NumPy's scalar), or of the scalar itself."""
    return numpy_scalar(t.dtype) if isinstance(t, ArrayType) else t


def rank(t: Type) -> int:
    return len(t.shape)
