"""Axes, shapes and dtypes as arguments: what people pass (ints, tuples, None, names) as forms the rules can use."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autovec.analysis.promotion import kinds_of, probe
from autovec.frontend.calls.lowered import (
    Lowered,
    UnknownSize,
    cast,
    expression,
    raises,
    static,
    unequal,
    unsupported,
)
from autovec.ir.affine import Affine
from autovec.ir.nodes import Apply, Call, Cast, Const, Expr, Ref
from autovec.ir.types import ArrayType, Origin, Type

Shape = tuple[Affine, ...]
Rule = Callable[..., Lowered]


def as_array(value: object) -> Expr:
    """An operand with axes; Blocked for scalars and lists."""
    a = expression(value)
    if not isinstance(a.type, ArrayType):
        raise unsupported(f"a function of arrays on {a.type}")
    return a


def as_dtype(value: object, default: np.dtype | None = None) -> np.dtype | None:
    """What `dtype=` names."""
    known = static(value)
    if known is None:
        return default
    try:
        return np.dtype(known)  # type: ignore[call-overload]
    except TypeError:
        raise raises(f"dtype={known!r}") from None


def as_int(value: object) -> int:
    known = static(value)
    if isinstance(known, bool) or not isinstance(known, int):
        raise unsupported(f"{known!r} where an int is expected")
    return known


def as_axis(value: object, rank: int) -> int:
    """One axis, counted from the front."""
    axis = as_int(value)
    if not -rank <= axis < rank:
        raise raises(f"axis {axis} of {rank}")
    return axis % rank


def as_axes(value: object, rank: int) -> tuple[int, ...]:
    """Some axes, counted from the front; all for None."""
    known = static(value)
    if known is None:
        return tuple(range(rank))
    return tuple(as_axis(a, rank) for a in (known if isinstance(known, tuple) else (known,)))


def as_size(value: object) -> Affine:
    """An int expression over sizes as an affine form; the caller checks that its names are sizes."""
    e = expression(value)
    if isinstance(e, Const) and isinstance(e.value, bool):
        raise raises("a size that is a bool")
    narrow = not isinstance(e, Const) and e.type.dtype != np.dtype(np.int64)
    if narrow and any(k.origin is not Origin.PYTHON for k in kinds_of(e.type)):
        raise dynamic("a size that is a NumPy number")
    match e:
        case Const(number, _) if isinstance(number, int):
            return Affine.number(int(number))
        case Ref(name, _) if e.type.dtype.kind == "i":
            return Affine.name(name)
        case Cast(arg, _) if e.type.dtype.kind == "i" and arg.type.dtype.kind == "i":
            return as_size(arg)
        case Apply("add", (a, b), _):
            return as_size(a) + as_size(b)
        case Apply("subtract", (a, b), _):
            return as_size(a) - as_size(b)
        case Apply("multiply", (a, b), _):
            return scaled(as_size(a), as_size(b))
        case _:
            raise dynamic("a size that isn't affine in the arguments")


def as_shape(value: object) -> Shape:
    """What `shape=` names: an int or a tuple of them."""
    return tuple(as_size(v) for v in value) if isinstance(value, tuple | list) else (as_size(value),)


def dynamic(construct: str) -> UnknownSize:
    return UnknownSize(construct)


def scaled(a: Affine, b: Affine) -> Affine:
    if a.is_constant:
        return b * a.constant
    if b.is_constant:
        return a * b.constant
    raise dynamic(f"a size {a} * {b}")


def product(sizes: Sequence[Affine]) -> Affine:
    """The number of elements, where that is affine."""
    total = Affine.number(1)
    for s in sizes:
        total = scaled(total, s)
    return total


def same_size(a: Affine, b: Affine) -> Affine:
    """Two axes that must agree, without broadcasting."""
    if a == b:
        return a
    raise raises(f"sizes {a} and {b}") if (a - b).is_constant else unequal(a, b)


def tried(function: Callable[..., object], args: Sequence[Expr], **keywords: object) -> Any:
    """NumPy's own answer on arrays of ones of the operands' dtypes and ranks."""
    try:
        return probe(function, [a.type.dtype for a in args], [len(a.type.shape) for a in args], **keywords)
    except (TypeError, ValueError, np.exceptions.AxisError) as error:
        raise raises(str(error)) from None


def tried_dtype(function: Callable[..., object], args: Sequence[Expr], **keywords: object) -> np.dtype:
    return np.asarray(tried(function, args, **keywords)).dtype


def node(function: str, args: Sequence[Expr], result: Type, **statics: object) -> Lowered:
    """A `Call` with its statics in order of name."""
    return Lowered(Call(function, tuple(args), tuple(sorted(statics.items())), result))


def in_dtype(args: Sequence[Expr], dtype: np.dtype) -> list[Expr]:
    return [cast(a, dtype) for a in args]
