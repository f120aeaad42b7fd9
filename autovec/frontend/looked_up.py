"""What a lowering looks at besides the arguments' types, and that later calls must find as it was.

In: an object from outside, or a class. Out: whether its answers may be compiled in, and what has to be asked again.

    o.rate(x)                    -->    o's class still has that method, and o no attribute of its own in front of it
    total += LIMITS[0]           -->    LIMITS is of a type whose answers are all in its contents
"""

from __future__ import annotations

import enum
import functools
from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any, Protocol

import numpy as np

from autovec.frontend.structures import Step, class_entry, is_named_tuple, keys_of, reached

PLAIN: frozenset[type] = frozenset(
    {bool, int, float, complex, str, bytes, bytearray, type(None), type(...), range, slice}
    | {tuple, list, dict, OrderedDict, set, frozenset, np.ndarray}
    | {FunctionType, BuiltinFunctionType, ModuleType, type, np.ufunc}
)


def is_constant(value: object) -> bool:
    """Are all answers of an object in its contents, which are compared with at later calls?"""
    kind = type(value)
    if isinstance(value, enum.Enum):
        return kind.__eq__ in (object.__eq__, int.__eq__, str.__eq__)
    return kind in PLAIN or isinstance(value, np.generic | np.dtype) or is_named_tuple(kind)


def answers_alike(value: object, *methods: str) -> bool:
    """Does an object answer the same at every call, for being a constant or for having none of these methods itself?"""
    return is_constant(value) or all(getattr(type(value), m, None) is getattr(object, m, None) for m in methods)


def original_of(value: Any) -> Any:
    """An `@autovec` function's original; anything else itself, whatever attribute it has by that name."""
    return value.original if type(value).__module__ == "autovec.decorator" else value


class Assumption(Protocol):
    """Something about an argument that types don't tell."""

    @property
    def argument(self) -> str: ...
    def holds(self, value: object) -> bool: ...


@dataclass(frozen=True, slots=True)
class Answers:
    """An object inside an argument is of this class, which has this under the name; the object has nothing of its own."""

    argument: str
    path: tuple[Step, ...]
    kind: type
    name: str
    entry: object = field(compare=False)  # what the class has under the name; it may be anything

    def holds(self, value: object) -> bool:
        value = reached(value, self.path)
        if type(value) is not self.kind or class_entry(self.kind, self.name) is not self.entry:
            return False
        return isinstance(self.entry, property) or self.name not in getattr(value, "__dict__", ())


@dataclass(frozen=True, slots=True)
class Holds:
    """A dict, list or tuple inside an argument has these keys, or so many places: no parameter tells it of some."""

    argument: str
    path: tuple[Step, ...]
    kind: type
    keys: tuple[object, ...]

    def holds(self, value: object) -> bool:
        value = reached(value, self.path)
        return type(value) is self.kind and keys_of(value) == self.keys


@dataclass(frozen=True, slots=True)
class Settable:
    """Setting an argument's attribute does nothing else; where it is the object's `own`, setting it to what it is, nothing."""

    argument: str
    name: str
    own: bool
    test: Callable[[Any, str], bool]
    is_own: Callable[[Any, str], bool]

    def holds(self, value: object) -> bool:
        return self.test(value, self.name) and (not self.own or self.is_own(value, self.name))


def leaves(value: object) -> Iterator[object]:
    """The lists and arrays in what was compiled in, all the way down."""
    match value:
        case np.ndarray():
            yield value
        case list() | tuple() | set() | frozenset():
            if type(value) is list:
                yield value
            yield from (leaf for held in value for leaf in leaves(held))  # pyright: ignore[reportUnknownVariableType]
        case dict():
            yield from (leaf for held in value.values() for leaf in leaves(held))  # pyright: ignore[reportUnknownVariableType]
        case functools.partial():
            yield from leaves((value.args, value.keywords))
        case _:
            return
