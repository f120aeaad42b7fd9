"""What lowering an operation gives, and the pieces every lowering is built from: constants, casts, shapes, faults."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from autovec.analysis.promotion import PYTHON_KINDS as PYTHON_KINDS
from autovec.diagnostics import Blocked, Code
from autovec.ir.affine import Affine
from autovec.ir.nodes import Apply, Call, Cast, Const, Expr, Load, Ref, Select
from autovec.ir.types import (
    BOOL,
    INT,
    ArrayType,
    Kind,
    ScalarType,
    Type,
    numpy_scalar,
    scalar,
)

EXPRESSIONS = (Const, Ref, Load, Apply, Cast, Select, Call)
Faults = tuple[tuple[Expr, str], ...]
EXACT_FLOAT = 2**53  # ints up to here are float64s
TOO_SMALL = "too few elements"  # the reason of a fault that says `size < least`


@dataclass(frozen=True, slots=True)
class Lowered:
    """The value, and the conditions that void the call: where one holds the original runs instead."""

    value: object
    faults: Faults = ()

    @property
    def expr(self) -> Expr:
        return expression(self.value)


class UnknownSize(Blocked):
    """A size has to be known before the call: the unit may be lowered again, for one number alone.

    `sizes` are the names in question; none where they are those of the operands of a call.
    """

    def __init__(self, construct: str, sizes: frozenset[str] = frozenset(), code: Code = Code.DYNAMIC_SHAPE) -> None:
        super().__init__(code, None, construct)
        self.sizes = sizes


def expression(value: object) -> Expr:
    """The value as an expression; Blocked for None, strings, tuples and the like."""
    if isinstance(value, EXPRESSIONS):
        return value
    raise unsupported(f"an operation on {type(value).__name__}")


def unsupported(construct: str, remedy: str = "") -> Blocked:
    return Blocked(Code.UNSUPPORTED_EXPRESSION, None, construct, remedy)


def raises(construct: str) -> Blocked:
    return Blocked(Code.RAISES, None, construct)


def const(value: bool | int | float | complex) -> Const:
    return Const(value, scalar(PYTHON_KINDS[type(value)]))


def static(value: object) -> object:
    """A Python object known at compile time: constants unwrapped, through tuples; Blocked where it isn't known."""
    if isinstance(value, Const):
        return value.value
    if isinstance(value, tuple | list):
        return tuple(static(v) for v in value)
    if isinstance(value, EXPRESSIONS):
        raise unsupported("an argument that has to be known before the call", "pass a constant")
    return value


def typed(dtype: np.dtype, shape: tuple[Affine, ...]) -> Type:
    """What a ufunc returns: a NumPy scalar for rank 0, an array otherwise."""
    return ArrayType(np.dtype(dtype), shape) if shape else numpy_scalar(dtype)


def size_expr(size: Affine) -> Expr:
    """A symbolic size as a Python int."""
    total: Expr | None = None
    for name, factor in size.terms:
        term: Expr = Ref(name, INT)
        if factor != 1:
            term = Apply("multiply", (const(factor), term), INT)
        total = term if total is None else Apply("add", (total, term), INT)
    if total is None:
        return const(size.constant)
    if not size.constant:
        return total
    op = "add" if size.constant > 0 else "subtract"
    return Apply(op, (total, const(abs(size.constant))), INT)


def cast(value: Expr, dtype: np.dtype | type, to_python: bool = False) -> Expr:
    """The value in this dtype, shape kept; constants are converted here where a Python number can hold the result."""
    dtype = np.dtype(dtype)
    if value.type.dtype == dtype:
        return value
    if isinstance(value, Const) and value.type.is_python:
        folded = convert_constant(value.value, dtype)
        if folded is not None:
            return folded
    python = PYTHON_BY_DTYPE.get(dtype) if to_python and not value.type.shape else None
    if python is not None and isinstance(value.type, ScalarType):
        return Cast(value, scalar(python))
    shape = value.type.shape
    is_array = isinstance(value.type, ArrayType)
    return Cast(value, ArrayType(dtype, shape) if is_array else numpy_scalar(dtype))


PYTHON_BY_DTYPE: dict[np.dtype, Kind] = {k.dtype: k for k in PYTHON_KINDS.values()}


def convert_constant(value: complex, dtype: np.dtype) -> Const | None:
    """A Python constant as a Python constant of this dtype; None where the dtype has no Python number."""
    if dtype not in PYTHON_BY_DTYPE:
        return None
    try:
        if dtype.kind == "b":
            return const(bool(value))
        if dtype.kind == "i":
            return const(int(value)) if isinstance(value, int) else None
        if dtype.kind == "f":
            return const(float(value)) if not isinstance(value, complex) else None
        return const(complex(value))
    except OverflowError:
        raise Blocked(Code.UNBOUNDED_INT, None, f"the number {value}") from None


def retype(value: Expr, target: Type) -> Expr:
    """The same bits under another type (a Python number taken for NumPy's, a set of kinds narrowed)."""
    return value if value.type == target else Cast(value, target)


def own_dtype(value: Expr) -> Expr:
    """The value as NumPy's: where an array is made of an operand first, a Python number isn't weak."""
    return retype(value, numpy_scalar(value.type.dtype)) if isinstance(value.type, ScalarType) else value


def broadcast(shapes: Iterable[tuple[Affine, ...]]) -> tuple[Affine, ...]:
    """NumPy's broadcasting of symbolic shapes: equal forms, or a constant 1."""
    one = Affine.number(1)
    result: tuple[Affine, ...] = ()
    for shape in shapes:
        width = max(len(shape), len(result))
        left = (one,) * (width - len(result)) + result
        right = (one,) * (width - len(shape)) + shape
        result = tuple(meet(a, b) for a, b in zip(left, right, strict=True))
    return result


def meet(a: Affine, b: Affine) -> Affine:
    """The common size of two axes."""
    one = Affine.number(1)
    if a == b or b == one:
        return a
    if a == one:
        return b
    if (a - b).is_constant:
        raise raises(f"operands of sizes {a} and {b}")
    raise unequal(a, b)


def unequal(a: Affine, b: Affine) -> UnknownSize:
    construct = f"operands of sizes {a} and {b}, not known to be equal"
    return UnknownSize(construct, a.names | b.names, Code.UNSUPPORTED_EXPRESSION)


def apply(op: str, args: Sequence[Expr], result: Type) -> Apply:
    return Apply(op, tuple(args), result)


def either(conditions: Sequence[Expr]) -> Expr:
    """The disjunction of boolean expressions of one shape."""
    total = conditions[0]
    for c in conditions[1:]:
        total = test("logical_or", total, c)
    return total


def test(op: str, *args: Expr) -> Expr:
    """A boolean of the operands, which have one dtype or are constants of it."""
    shape = broadcast(a.type.shape for a in args)
    return Apply(op, args, ArrayType(np.dtype(bool), shape) if shape else BOOL)


def describe(value: object) -> str:
    return str(value.type) if isinstance(value, EXPRESSIONS) else type(value).__name__
