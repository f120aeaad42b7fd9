"""What a rule makes of a call, held against the answer of the function itself on ones of the operands' types.

np.outer(x, 2)    (x: float32[n])    the rule says float32[n, 1], NumPy answers with float64    -->    blocked
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from autovec.analysis.promotion import kind_of, sample
from autovec.frontend.calls.lowered import EXPRESSIONS, Lowered, describe, raises, unsupported
from autovec.ir.affine import Affine
from autovec.ir.nodes import Const, Expr
from autovec.ir.types import ArrayType, Origin

SIDE = 4  # elements along an axis whose size isn't known
MANY = 10_000  # elements that are too many to ask with


class NotAsked(Exception):
    """The function can't be asked with these operands."""


def check(function: Callable[..., object], args: Sequence[object], kwargs: Mapping[str, object], made: Lowered) -> None:
    """Blocked where NumPy or Python answers with another type than the rule, or raises a TypeError."""
    try:
        given, words = [ones(a) for a in args], {k: ones(v) for k, v in kwargs.items()}
    except NotAsked:
        return
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            answer = function(*given, **words)
        except TypeError as error:
            raise raises(str(error)) from None
        except Exception:  # ones of these sizes are outside its domain
            return
    if not is_like(made.value, answer):
        raise unsupported(f"a function that gives {described(answer)}, taken for {describe(made.value)}")


def ones(value: object) -> object:
    """A one of the operand's type, an array of them; what is known before the call is itself."""
    if isinstance(value, tuple | list):
        return type(value)(ones(v) for v in value)
    if isinstance(value, Const):
        kind = value.type.only
        return kind.dtype.type(value.value) if kind is not None and kind.origin is Origin.NUMPY else value.value
    if not isinstance(value, EXPRESSIONS):
        return value
    if isinstance(value.type, ArrayType):
        shape = tuple(map(side, value.type.shape))
        if math.prod(shape) > MANY:
            raise NotAsked
        return np.ones(shape, value.type.dtype)
    if value.type.only is None:
        raise NotAsked
    return sample(value.type.only)


def side(size: Affine) -> int:
    return max(size.constant + sum(factor * SIDE for _, factor in size.terms), 1 if size.terms else 0)


def is_like(made: object, answer: object) -> bool:
    """Is the answer of the type that the rule gives?"""
    if isinstance(made, tuple | list):
        return isinstance(answer, tuple | list) and len(made) == len(answer) and all(map(is_like, made, answer))
    if not isinstance(made, EXPRESSIONS):
        return True
    return is_of(made, answer)


def is_of(made: Expr, answer: object) -> bool:
    if isinstance(made.type, ArrayType):
        return (
            isinstance(answer, np.ndarray) and answer.dtype == made.type.dtype and answer.ndim == len(made.type.shape)
        )
    return kind_of(answer) in made.type.kinds


def described(answer: object) -> str:
    return f"{answer.dtype}{list(answer.shape)}" if isinstance(answer, np.ndarray) else type(answer).__name__
