"""What is inside arguments and outside the function: lists as arrays, attributes of objects, captured arrays.

    def step(self, xs):              -->    parameters xs_items (the list as an array), self_dt, self_v, table
        ... self.v[i] += self.dt * xs[i] * table[i]

Each becomes a parameter of its own, read anew at each call. They are found on the code before anything is lowered,
since sizes that are equal must be known to be.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import CellType, CodeType, FunctionType, MemberDescriptorType, MethodType, ModuleType

import numpy as np

from autovec.frontend.source import SourceFunction
from autovec.ir.names import fresh_name

NUMBERS = (bool, int, float, complex)
MAX_FUNCTIONS = 32


@dataclass(frozen=True, slots=True)
class Items:
    """A list or tuple of numbers of one type, flat or in rows of one length, as an array."""

    container: type
    rows: type | None  # of the rows, where there are rows
    element: type
    shape: tuple[int, ...]

    def array(self, value: object) -> np.ndarray | None:
        """The array that stands for a value, if the value is as described."""
        found = items_of(value)
        if found is None or (found.container, found.rows, found.element) != (self.container, self.rows, self.element):
            return None
        try:
            return np.array(
                value, dtype={bool: np.bool_, int: np.int64, float: np.float64, complex: np.complex128}[self.element]
            )
        except OverflowError:
            return None


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """A parameter that isn't an argument: where it is read.

    `argument`: the argument that it is part of, `attribute`: its name there, `items`: it is a list's array;
    or else `namespace` and `key`: a global or a closure cell.
    """

    name: str
    value: object  # at this call
    argument: str = ""
    attribute: str = ""
    items: Items | None = None
    namespace: Mapping[str, object] | CellType | None = None
    key: str = ""

    def read(self, argument: object) -> object:
        """The part of an argument at a later call; something that no parameter is where it isn't there."""
        if self.attribute:
            argument = attributes(argument).get(self.attribute, NOTHING)
        if self.items is None:
            return argument
        found = self.items.array(argument)
        return NOTHING if found is None else found

    def outside(self, argument: object) -> object:
        """A global or closure cell, as it is now."""
        if isinstance(self.namespace, CellType):
            try:
                return self.namespace.cell_contents
            except ValueError:
                return NOTHING
        return (self.namespace or {}).get(self.key, NOTHING)


NOTHING = object()


def items_of(value: object) -> Items | None:
    """How a list or tuple is an array; None where it isn't one of numbers of one exact type."""
    if type(value) not in (list, tuple) or not value:
        return None
    kinds = set(map(type, value))  # type: ignore[call-overload]
    if len(kinds) != 1:
        return None
    (kind,) = kinds
    if kind in NUMBERS:
        return Items(type(value), None, kind, (len(value),))  # type: ignore[arg-type]
    if kind not in (list, tuple):
        return None
    lengths = set(map(len, value))  # type: ignore[call-overload]
    if len(lengths) != 1 or 0 in lengths or len(set(map(id, value))) != len(value):  # type: ignore[call-overload,arg-type]
        return None
    inner = {t for row in value for t in map(type, row)}  # type: ignore[union-attr]
    if len(inner) != 1 or not inner <= set(NUMBERS):
        return None
    return Items(type(value), kind, inner.pop(), (len(value), lengths.pop()))  # type: ignore[arg-type]


def is_object(value: object) -> bool:
    """Is it an instance of a class of the person's, whose attributes are what they seem?"""
    kind = type(value)
    if isinstance(value, type | ModuleType | FunctionType | MethodType) or callable(value):
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
    found |= {n: v for n, v in own.items() if not hasattr(type(getattr(type(value), n, None)), "__set__")}
    for kind in type(value).__mro__:
        slots = kind.__dict__.get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            if isinstance(getattr(type(value), name, None), MemberDescriptorType) and hasattr(value, name):
                found[name] = getattr(value, name)
    return found


# ---------------------------------------------------------------- what the code reads


def collect(source: SourceFunction, arguments: Mapping[str, object]) -> list[Part]:
    """The parts that the function, or what it calls, may read."""
    taken = set(arguments) | set(source.code.co_varnames)
    parts: list[Part] = []

    functions = list(reachable(source, arguments))
    names = {n for function in functions for code in codes(function.__code__) for n in code.co_names}
    for argument, value in arguments.items():
        items = items_of(value)
        if items is not None:
            parts.append(Part(fresh_name(f"{argument}_items", taken), items.array(value), argument, items=items))
            continue
        for name, held in attributes(value).items():
            if name not in names:
                continue
            inner = items_of(held)
            if inner is not None:
                parts.append(Part(fresh_name(f"{argument}_{name}", taken), inner.array(held), argument, name, inner))
            elif (
                type(held) is np.ndarray or type(held) in NUMBERS or isinstance(held, np.generic | str) or held is None
            ):
                parts.append(Part(fresh_name(f"{argument}_{name}", taken), held, argument, name))
    seen: set[tuple[int, str]] = set()
    for function in functions:
        for namespace, key, value in outside(function):
            where = (id(namespace), key if not isinstance(namespace, CellType) else "")
            if type(value) is np.ndarray and where not in seen:
                seen.add(where)
                parts.append(Part(fresh_name(key, taken), value, namespace=namespace, key=key))
    return parts


def codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from codes(constant)


def outside(function: FunctionType | MethodType) -> Iterator[tuple[Mapping[str, object] | CellType, str, object]]:
    """Globals and closure cells that a function reads, with what they hold."""
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            yield cell, name, cell.cell_contents
        except ValueError:
            continue
    space: dict[str, object] = getattr(function, "__globals__", {})
    for name in {n for code in codes(function.__code__) for n in code.co_names}:
        if name in space:
            yield space, name, space[name]


def reachable(source: SourceFunction, arguments: Mapping[str, object]) -> Iterator[FunctionType | MethodType]:
    """The function, the helpers that it names, the methods of its arguments."""
    todo: list[FunctionType | MethodType] = [source.function]
    seen = set[int]()
    while todo and len(seen) < MAX_FUNCTIONS:
        function = todo.pop()
        if id(function) in seen or (function.__module__ or "").split(".")[0] in ("numpy", "scipy", "jax", "autovec"):
            continue
        seen.add(id(function))
        yield function
        names = {n for code in codes(function.__code__) for n in code.co_names}
        for _, _, value in outside(function):
            value = getattr(value, "original", value)
            if isinstance(value, FunctionType):
                todo.append(value)
        for value in arguments.values():
            if is_object(value):
                todo += [m for n in names if isinstance(m := getattr(type(value), n, None), FunctionType)]
