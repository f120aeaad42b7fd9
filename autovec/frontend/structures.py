"""Arguments that hold several values: dicts, named tuples, lists and tuples of arrays or of mixed values, objects.

    params = {"alpha": 0.5, "grid": array}      -->    parameters params_alpha, params_grid

In: an argument. Out: the ways to what is inside, which later calls go again; a description that tells two of them apart.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import FunctionType, MemberDescriptorType, MethodType, ModuleType
from typing import Any

import numpy as np

NUMBERS = (bool, int, float, complex)
NUMPY_NUMBERS = tuple(np.dtype(c).type for c in "?bhilBHILefdFD")
_ALL_NUMBERS = frozenset((*NUMBERS, *NUMPY_NUMBERS))
NOTHING = object()
MOST = 64  # values in one of them
FEW = 6


@dataclass(frozen=True, slots=True)
class Step:
    """One step into a value: an attribute (`of` is None), a key of a dict, a place in a sequence of so many."""

    key: Any
    of: type | None = None
    length: int = 0

    def into(self, value: Any) -> object:
        """What is there at a later call; `NOTHING` where the value isn't as it was."""
        if self.of is None:
            return attributes(value).get(self.key, NOTHING)
        if type(value) is not self.of or len(value) != self.length:
            return NOTHING
        return value.get(self.key, NOTHING) if isinstance(value, dict) else value[self.key]

    def __str__(self) -> str:
        return f".{self.key}" if self.of is None else f"[{self.key!r}]"


def reached(value: object, path: Sequence[Step]) -> object:
    """What lies at the end of a path; `NOTHING` where it leads nowhere."""
    for step in path:
        value = step.into(value)
    return value


def is_named_tuple(kind: type) -> bool:
    return issubclass(kind, tuple) and kind is not tuple and hasattr(kind, "_fields") and kind.__len__ is tuple.__len__


def is_structure(value: object) -> bool:
    """A dict, list, tuple or named tuple that isn't empty."""
    kind = type(value)
    return (kind in (dict, list, tuple) or is_named_tuple(kind)) and bool(value)


def children(value: Any) -> Iterator[tuple[Step, object]]:
    """What is inside, one step deep."""
    if is_structure(value):
        kind, size = type(value), len(value)
        if size > MOST:
            return
        if kind is dict:
            for key, held in value.items():
                if type(key) in (str, int):
                    yield Step(key, kind, size), held
        else:
            for k, held in enumerate(value):
                yield Step(k, kind, size), held
    else:
        for name, held in attributes(value).items():
            yield Step(name), held


def keys_of(value: Any) -> tuple[object, ...]:
    """What a structure is subscripted by; the keys of a dict with their types: True is not 1."""
    return tuple((type(key), key) for key in value) if type(value) is dict else tuple(range(len(value)))


def class_entry(kind: type, name: str) -> object:
    """What a class, or one that it comes from, holds under a name; `NOTHING` where none does."""
    for one in kind.__mro__:
        if name in one.__dict__:
            return one.__dict__[name]
    return NOTHING


def is_object(value: object) -> bool:
    """Is it an instance of a class of the person's, whose attributes are what they seem?"""
    kind = type(value)
    if isinstance(value, type | ModuleType | FunctionType | MethodType | tuple | dict | list) or callable(value):
        return False
    plain = kind.__getattribute__ is object.__getattribute__ and not hasattr(kind, "__getattr__")
    made_in_python = kind is not object and all(k is object or k.__flags__ & (1 << 9) for k in kind.__mro__)
    return made_in_python and plain and kind.__module__.split(".")[0] not in ("numpy", "jax", "jaxlib")


def attributes(value: object) -> Mapping[str, object]:
    """The attributes of an instance, or of its class, that reading gives as they are stored (no property answers)."""
    if not is_object(value):
        return {}
    found: dict[str, object] = {}
    for kind in reversed(type(value).__mro__):
        found |= {n: v for n, v in kind.__dict__.items() if type(v) in (*NUMBERS, str, np.ndarray)}
    own: Mapping[str, object] = getattr(value, "__dict__", {})
    found |= {n: v for n, v in own.items() if not hasattr(type(class_entry(type(value), n)), "__set__")}
    for kind in type(value).__mro__:
        slots = kind.__dict__.get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            if isinstance(class_entry(type(value), name), MemberDescriptorType) and hasattr(value, name):
                found[name] = getattr(value, name)
    return found


def description(value: object, depth: int = 0) -> object:
    """What tells an argument from another that a program may not serve: types all the way down, no values.

    It is asked at each call of a function that stays Python: it looks at no more than `MOST` values of a sequence, at
    `FEW` of its rows, and at none of a dict that holds more, whose values are no parameters.
    """
    kind = type(value)
    if kind is np.ndarray:
        return kind, getattr(value, "dtype", None), getattr(value, "ndim", 0)
    if not is_structure(value) or depth > 4:
        return kind
    held: Any = value
    if kind is dict:
        return kind if len(held) > MOST else (kind, tuple(held), _descriptions(held.values(), depth + 1))
    if type(held[0]) in (list, tuple):
        return kind, tuple(description(row[:FEW] if type(row) is list else row, depth + 1) for row in held[:FEW])
    return kind, _descriptions(held if len(held) <= MOST else held[:MOST], depth + 1)


def _descriptions(values: Collection[object], depth: int) -> object:
    """Of values side by side: one for all where all are numbers of one type."""
    kinds = {*map(type, values)}
    if len(kinds) == 1 and kinds <= _ALL_NUMBERS:
        return kinds.pop()
    return tuple(description(v, depth) for v in values)
