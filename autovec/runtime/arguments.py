"""What a call's arguments are, as far as compiling goes: a hashable description of each, or a refusal.

Exact types only: a subclass may mean anything. Arrays are described by dtype, rank, layout and by which of their axes
have length 1 (those broadcast); scalars by their type; an argument that the function never reads by nothing at all.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from enum import Enum
from types import BuiltinFunctionType, FunctionType

import numpy as np

from autovec.diagnostics import Blocked, Code
from autovec.frontend.structures import description, is_object, is_structure


class Layout(Enum):
    C = "C"
    FORTRAN = "F"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class ArrayArgument:
    """`device`: a `jax.Array`, not an ndarray."""

    dtype: np.dtype
    layout: Layout
    ones: tuple[bool, ...]
    device: bool = False


@dataclass(frozen=True, slots=True)
class ScalarArgument:
    """A Python or NumPy scalar, None, a string or a function."""

    type: type


@dataclass(frozen=True, slots=True)
class Unread:
    """An argument that the function's code never mentions."""


@dataclass(frozen=True, slots=True)
class Whole:
    """A list, dict or object: its parts are described one by one, as parameters of their own.

    `contents`: the types inside, where a program may not serve all of the type.
    """

    type: type
    contents: object = None


Argument = ArrayArgument | ScalarArgument | Unread | Whole
Signature = tuple[Argument, ...]

DTYPES: tuple[np.dtype, ...] = tuple(
    np.dtype(t)
    for t in (
        *(np.bool_, np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64),
        *(np.float16, np.float32, np.float64, np.complex64, np.complex128),
    )
)
_BY_NUMBER = {d.num: d for d in DTYPES}
PYTHON_TYPES: frozenset[type] = frozenset({bool, int, float, complex, type(None), str})


class TracedInt(np.int64):
    """Stands for a NumPy int under a trace: its value is not known."""


SCALAR_TYPES: frozenset[type] = PYTHON_TYPES | {d.type for d in DTYPES} | {TracedInt}
FUNCTION_TYPES: frozenset[type] = frozenset({FunctionType, BuiltinFunctionType, np.ufunc})


def known_dtype(dtype: object) -> np.dtype | None:
    """The same dtype as the one object that NumPy keeps of it; None for those that aren't compiled.

    `np.longlong` equals `np.int64`, but its elements are of another type, so it isn't one of them.
    """
    if not isinstance(dtype, np.dtype):
        return None
    known = _BY_NUMBER.get(dtype.num)
    return known if known is not None and known == dtype else None


def describe(name: str, value: object, unread: bool = False, appended: bool = False) -> Argument:
    """Raises `Blocked` with the argument's name where its type isn't compiled for.

    `appended`: a list is only appended to, so it doesn't matter what it holds.
    """
    kind = type(value)
    if unread:
        return Unread()
    if appended and kind is list:
        return Whole(kind)
    if kind is np.ndarray:
        return _describe_array(name, value, False)  # type: ignore[arg-type]
    if kind in SCALAR_TYPES or kind in FUNCTION_TYPES:
        return ScalarArgument(kind)
    if is_device_array(value):
        return _describe_array(name, value, True)  # type: ignore[arg-type]
    if is_structure(value):
        return Whole(kind, description(value))
    if is_object(value):
        return Whole(kind)
    raise Blocked(
        Code.UNSUPPORTED_ARGUMENT,
        None,
        f"argument {name!r} is a {kind.__module__}.{kind.__qualname__}".replace("builtins.", ""),
        "pass NumPy arrays and plain numbers",
    )


def _describe_array(name: str, array: np.ndarray, device: bool) -> ArrayArgument:
    dtype = known_dtype(array.dtype)
    if dtype is None:
        remedy = "convert it to a native numeric dtype"
        raise Blocked(Code.UNSUPPORTED_ARGUMENT, None, f"argument {name!r} is an array of {array.dtype}", remedy)
    layout = Layout.C
    if not device and not array.flags.c_contiguous:
        layout = Layout.FORTRAN if array.flags.f_contiguous else Layout.OTHER
    return ArrayArgument(dtype, layout, tuple(n == 1 for n in array.shape), device)


def is_device_array(value: object) -> bool:
    """A concrete `jax.Array`; JAX isn't imported for the question."""
    jax = sys.modules.get("jax")
    return jax is not None and isinstance(value, jax.Array) and not isinstance(value, jax.core.Tracer)


def dtype_of(value: object) -> object:
    """Of an array or NumPy scalar; a person's object isn't asked for attributes that it may make up."""
    return value.dtype if is_numeric(value) else None  # type: ignore[attr-defined]


def shape_of(value: object) -> tuple[int, ...] | None:
    """As `dtype_of`."""
    return value.shape if is_numeric(value) else None  # type: ignore[attr-defined]


def is_numeric(value: object) -> bool:
    return isinstance(value, np.ndarray | np.generic) or is_device_array(value) or is_tracer(value)


def is_tracer(value: object) -> bool:
    jax = sys.modules.get("jax")
    return jax is not None and isinstance(value, jax.core.Tracer)


def overlap(a: np.ndarray, b: np.ndarray) -> bool:
    """Do two arrays share memory? A question too hard to answer quickly counts as yes."""
    if a is b:
        return True
    if not np.may_share_memory(a, b):
        return False
    try:
        return np.shares_memory(a, b, max_work=1000)  # pyright: ignore[reportArgumentType]
    except np.exceptions.TooHardError:
        return True


def folded(a: np.ndarray) -> bool:
    """May two elements of one array share memory (`as_strided`, `broadcast_to`)?"""
    extent = a.itemsize
    for stride, length in sorted((abs(s), n) for s, n in zip(a.strides, a.shape, strict=True) if n > 1):
        if stride < extent:
            return True
        extent += stride * (length - 1)
    return False


def same_constant(a: object, b: object) -> bool:
    """Equal and of one type; 0.0 and -0.0 are not the same constant, two NaNs are."""
    if isinstance(a, FunctionType) and isinstance(b, FunctionType):
        return same_function(a, b)
    return type(a) is type(b) and (a is b or (a == b and repr(a) == repr(b)) or (a != a and b != b))


def same_function(a: FunctionType, b: FunctionType) -> bool:
    """Do two functions, one perhaps made anew by the same `lambda` or `def`, do the same?"""
    if a is b:
        return True
    if a.__code__ is not b.__code__ or a.__globals__ is not b.__globals__:
        return False
    held = ((f.__defaults__, f.__kwdefaults__ or {}, f.__closure__ or ()) for f in (a, b))
    (defaults, words, cells), (others, other_words, other_cells) = held
    if len(defaults or ()) != len(others or ()) or words.keys() != other_words.keys():
        return False
    pairs = [*zip(defaults or (), others or (), strict=True), *((words[k], other_words[k]) for k in words)]
    try:
        pairs += [(x.cell_contents, y.cell_contents) for x, y in zip(cells, other_cells, strict=True)]
    except ValueError:  # a cell is empty
        return False
    return all(x is y or (type(x) in SCALAR_TYPES and same_constant(x, y)) for x, y in pairs)
