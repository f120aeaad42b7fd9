"""Result dtypes and kinds, asked of NumPy and Python themselves: kinds of operands in, kinds of results out.

A ufunc is asked by `resolve_dtypes` (Python numbers are weak, NEP 50); an operator on scalars is tried on sample
values, since which of two classes answers (`1j * np.float64(2)` is a Python complex) follows no table.
"""

from __future__ import annotations

import operator
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from autovec.ir.types import (
    PY_BOOL,
    PY_COMPLEX,
    PY_FLOAT,
    PY_INT,
    ArrayType,
    Kind,
    Origin,
    Type,
    numpy_kind,
)

PYTHON_OPERATORS: dict[str, Callable[..., object]] = {
    "Add": operator.add,
    "Sub": operator.sub,
    "Mult": operator.mul,
    "Div": operator.truediv,
    "FloorDiv": operator.floordiv,
    "Mod": operator.mod,
    "Pow": operator.pow,
    "BitAnd": operator.and_,
    "BitOr": operator.or_,
    "BitXor": operator.xor,
    "LShift": operator.lshift,
    "RShift": operator.rshift,
    "Eq": operator.eq,
    "NotEq": operator.ne,
    "Lt": operator.lt,
    "LtE": operator.le,
    "Gt": operator.gt,
    "GtE": operator.ge,
    "USub": operator.neg,
    "UAdd": operator.pos,
    "Invert": operator.invert,
    "abs": abs,
    "round": round,
}

WEAK: dict[Kind, type] = {PY_INT: int, PY_FLOAT: float, PY_COMPLEX: complex}
SAMPLES: dict[Kind, object] = {PY_BOOL: True, PY_INT: 1, PY_FLOAT: 1.0, PY_COMPLEX: 1 + 0j}
PYTHON_KINDS: dict[type, Kind] = {bool: PY_BOOL, int: PY_INT, float: PY_FLOAT, complex: PY_COMPLEX}


@dataclass(frozen=True, slots=True)
class Resolution:
    """What an operation computes in: the dtype of each operand, and of the result."""

    operands: tuple[np.dtype, ...]
    result: np.dtype


def kinds_of(value_type: Type) -> frozenset[Kind]:
    """The kinds a value may have; an array promotes as its elements do."""
    if isinstance(value_type, ArrayType):
        return frozenset({numpy_kind(value_type.dtype)})
    return value_type.kinds


def sample(kind: Kind) -> object:
    """A one of this kind."""
    return SAMPLES[kind] if kind.origin is Origin.PYTHON else kind.dtype.type(1)


def kind_of(value: object) -> Kind | None:
    """The kind of a scalar; None for anything else."""
    if isinstance(value, np.generic):
        return numpy_kind(value.dtype)
    return PYTHON_KINDS.get(type(value))


@cache
def operator_kind(op: str, *kinds: Kind) -> Kind | None:
    """The kind of `op` applied to scalars of these kinds; None where Python raises TypeError."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return kind_of(PYTHON_OPERATORS[op](*(sample(k) for k in kinds)))
        except TypeError:
            return None


@cache
def ufunc_resolution(name: str, *kinds: Kind) -> Resolution | None:
    """The loop that NumPy would run for operands of these kinds; None where it has none."""
    ufunc: Any = getattr(np, name)
    query = tuple(WEAK.get(k, k.dtype) for k in kinds)
    if len(query) > 1 and not any(isinstance(q, np.dtype) for q in query):
        query = tuple(k.dtype for k in kinds)
    try:
        resolved = ufunc.resolve_dtypes((*query, *([None] * ufunc.nout)))
    except (TypeError, OverflowError):
        return None
    return Resolution(tuple(resolved[: len(kinds)]), resolved[len(kinds)])


def probe(function: Callable[..., object], dtypes: Sequence[np.dtype], ranks: Sequence[int], **keywords: object) -> Any:
    """The function tried on arrays of ones, one an axis: its result, for its dtype and rank."""
    arrays = [np.ones((1,) * r, d) for d, r in zip(dtypes, ranks, strict=True)]
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        return function(*arrays, **keywords)
