"""What is inside arguments and outside the function: lists as arrays, attributes of objects, captured arrays.

    def step(self, xs):              -->    parameters xs_items (the list as an array), self_dt, self_v, table
        ... self.v[i] += self.dt * xs[i] * table[i]

Each becomes a parameter of its own, read anew at each call. They are found on the code before anything is lowered,
since sizes that are equal must be known to be.
"""

from __future__ import annotations

import ast
import dis
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import CellType, CodeType, FunctionType, MethodType
from typing import Any

import numpy as np

from autovec.diagnostics import Blocked
from autovec.frontend.looked_up import original_of
from autovec.frontend.source import SourceFunction, find
from autovec.frontend.structures import NOTHING, NUMBERS, NUMPY_NUMBERS, Step, children, class_entry, is_object, reached
from autovec.ir.names import fresh_name
from autovec.ir.types import BOOL, COMPLEX, FLOAT, INT, ScalarType, numpy_scalar

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
            return np.array(value, dtype=self.kind.dtype)
        except OverflowError:
            return None

    @property
    def kind(self) -> ScalarType:
        """The elements' type."""
        python = {bool: BOOL, int: INT, float: FLOAT, complex: COMPLEX}
        return python[self.element] if self.element in python else numpy_scalar(np.dtype(self.element))


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """A parameter that isn't an argument: where it is read.

    `argument`: the argument that it is part of, `path`: the way to it, `items`: it is a list's array;
    or else `namespace` and `key`: a global or a closure cell.
    """

    name: str
    value: object  # at this call
    argument: str = ""
    path: tuple[Step, ...] = ()
    items: Items | None = None
    namespace: Mapping[str, object] | CellType | None = None
    key: str = ""
    is_set: bool = False  # an attribute that the code may set

    def place(self, argument: object) -> object:
        """The object itself, at a later call."""
        if self.namespace is not None:
            return self.outside(None)
        return reached(argument, self.path)

    def read(self, argument: object) -> object:
        """The part of an argument at a later call; something that no parameter is where it isn't there."""
        argument = self.place(argument)
        if self.items is None:
            return argument
        found = self.items.array(argument)
        return NOTHING if found is None else found

    @property
    def shown(self) -> str:
        """How a person calls it."""
        return (self.argument or self.key) + "".join(map(str, self.path))

    def put_items(self, argument: object, items: list[Any]) -> None:
        """Give the list, or its rows, these items; the objects stay."""
        held: Any = self.place(argument)
        if self.items is not None and self.items.rows is not None:
            for row, new in zip(held, items, strict=True):
                row[:] = new
        else:
            held[:] = items

    def outside(self, argument: object) -> object:
        """A global or closure cell, as it is now."""
        if isinstance(self.namespace, CellType):
            try:
                return self.namespace.cell_contents
            except ValueError:
                return NOTHING
        return (self.namespace or {}).get(self.key, NOTHING)


def items_of(value: object) -> Items | None:
    """How a list or tuple is an array; None where it isn't one of numbers of one exact type."""
    if type(value) not in (list, tuple) or not value:
        return None
    kinds = set(map(type, value))  # type: ignore[call-overload]
    if len(kinds) != 1:
        return None
    (kind,) = kinds
    if kind in NUMBERS or kind in NUMPY_NUMBERS:
        return Items(type(value), None, kind, (len(value),))  # type: ignore[arg-type]
    if kind not in (list, tuple):
        return None
    lengths = set(map(len, value))  # type: ignore[call-overload]
    if len(lengths) != 1 or 0 in lengths or len(set(map(id, value))) != len(value):  # type: ignore[call-overload,arg-type]
        return None
    inner = {t for row in value for t in map(type, row)}  # type: ignore[union-attr]
    if len(inner) != 1 or not inner <= {*NUMBERS, *NUMPY_NUMBERS}:
        return None
    return Items(type(value), kind, inner.pop(), (len(value), lengths.pop()))  # type: ignore[arg-type]


def containers(value: object) -> set[int]:
    """The lists in an argument or attribute, by identity: itself and its rows."""
    if type(value) not in (list, tuple):
        return set()
    rows = {id(v) for v in value if type(v) is list}  # type: ignore[attr-defined]
    return rows | {id(value)} if type(value) is list else rows


@dataclass(frozen=True, slots=True)
class Tangle:
    """Lists and objects that must be apart: one that is written to may be reached by no other name.

    `written` and `read` are places in arguments and outside, `fixed` lists that were compiled in, by identity.
    `objects`: arguments with attributes that are set, `seen` the other places of objects and containers.
    `arrays` were compiled in: nothing that is written to may share memory with them.
    """

    written: tuple[Part, ...] = ()
    read: tuple[Part, ...] = ()
    fixed: frozenset[int] = frozenset()
    objects: tuple[str, ...] = ()
    seen: tuple[Part, ...] = ()
    arrays: tuple[np.ndarray, ...] = ()

    @property
    def matters(self) -> bool:
        return bool(self.written) or len(self.objects) > 1 or bool(self.objects and self.seen)

    def holds(self, arguments: Mapping[str, object]) -> bool:
        """Are two of them one at this call?"""
        seen = set(self.fixed) if self.written else set[int]()
        for part in self.written:
            place = part.place(arguments.get(part.argument))
            own = containers(place)
            if own & seen or (part.items is None and type(place) is not list):
                return True
            seen |= own
        if any(containers(p.place(arguments.get(p.argument))) & (seen - self.fixed) for p in self.read):
            return True
        objects = {id(arguments.get(n)) for n in self.objects}
        if len(objects) < len(self.objects):
            return True
        return bool(objects) and any(id(p.place(arguments.get(p.argument))) in objects for p in self.seen)


def appended(function: ast.AST) -> frozenset[str]:
    """The parameters that a function only appends to: `name.append(e)`, `name.extend(e)`, `name += [e]`."""
    if not isinstance(function, ast.FunctionDef):
        return frozenset()
    names = {a.arg for a in (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)}
    uses = [n for n in ast.walk(function) if isinstance(n, ast.Name) and n.id in names]
    fine: set[int] = set()
    grown: set[str] = set()
    for node in ast.walk(function):
        match node:
            case (
                ast.Expr(
                    value=ast.Call(func=ast.Attribute(value=ast.Name() as name, attr="append" | "extend"), keywords=[])
                )
                | ast.AugAssign(target=ast.Name() as name, op=ast.Add(), value=ast.List() | ast.ListComp())
            ):
                fine.add(id(name))
                grown.add(name.id)
            case _:
                pass
    return frozenset(grown - {n.id for n in uses if id(n) not in fine})


# ---------------------------------------------------------------- what the code reads


def collect(source: SourceFunction, arguments: Mapping[str, object]) -> list[Part]:
    """The parts that the function, or what it calls, may read."""
    taken = set(arguments) | set(source.code.co_varnames)
    parts: list[Part] = []

    functions = list(reachable(source, arguments))
    names = {n for function in functions for n in read_names(function, source)}
    mentioned = {c for f in functions for code in codes(f.__code__) for c in code.co_consts if isinstance(c, str)}
    only_appended = appended(source.node)
    set_ones = {
        str(i.argval)
        for function in functions
        for code in codes(function.__code__)
        for i in dis.get_instructions(code)
        if i.opname == "STORE_ATTR"
    }
    for argument, value in arguments.items():
        if argument in only_appended:
            continue
        for path, held in leaves(value, names, mentioned):
            hint = "_".join([argument, *(str(step.key) for step in path)])
            hint = hint if hint.isidentifier() else argument
            items = items_of(held)
            if items is not None:
                hint = hint if path else f"{argument}_items"
                parts.append(Part(fresh_name(hint, taken), items.array(held), argument, path, items))
            elif path:
                is_set = path[-1].key in set_ones
                parts.append(Part(fresh_name(hint, taken), held, argument, path, is_set=is_set))
    seen: set[tuple[int, str]] = set()
    for function in functions:
        for namespace, key, value in outside(function):
            where = (id(namespace), key if not isinstance(namespace, CellType) else "")
            if type(value) is np.ndarray and where not in seen:
                seen.add(where)
                parts.append(Part(fresh_name(key, taken), value, namespace=namespace, key=key))
    return parts


def leaves(
    value: object, names: set[str], mentioned: set[str], path: tuple[Step, ...] = ()
) -> Iterator[tuple[tuple[Step, ...], object]]:
    """The arrays, numbers, strings and lists of numbers in an argument; attributes and keys that the code names."""
    if items_of(value) is not None:
        yield path, value
    elif type(value) is np.ndarray or type(value) in NUMBERS or isinstance(value, np.generic | str) or value is None:
        yield path, value
    elif len(path) < 4:
        for step, held in children(value):
            named = step.of is not None or step.key in names
            if named and not (step.of is dict and step.length > 16 and step.key not in mentioned):
                yield from leaves(held, names, mentioned, (*path, step))


def objects_in(value: object, depth: int = 0) -> Iterator[object]:
    """The person's objects in an argument, itself first."""
    if is_object(value):
        yield value
    if depth < 3 and items_of(value) is None and type(value) is not np.ndarray:
        for _, held in children(value):
            yield from objects_in(held, depth + 1)


def read_names(function: FunctionType | MethodType, source: SourceFunction) -> set[str]:
    """The names that a function may read; attributes that it only appends to aside, where its source is known."""
    everything = {n for code in codes(function.__code__) for n in code.co_names}
    try:
        node = source.node if function is source.function else find(function).node
    except Blocked:
        return everything
    grown: dict[str, int] = {}
    uses: dict[str, int] = {}
    for n in ast.walk(node):
        match n:
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Attribute(attr=name), attr="append" | "extend"))):
                grown[name] = grown.get(name, 0) + 1
            case ast.Attribute(attr=name):
                uses[name] = uses.get(name, 0) + 1
            case _:
                pass
    return everything - {name for name, count in grown.items() if uses[name] == count}


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
    """The function, the helpers that it names or is given, the methods of its arguments."""
    given = [original_of(value) for value in arguments.values()]
    todo: list[FunctionType | MethodType] = [source.function, *(f for f in given if isinstance(f, FunctionType))]
    inside = [o for value in arguments.values() for o in objects_in(value)]
    seen = set[int]()
    while todo and len(seen) < MAX_FUNCTIONS:
        function = todo.pop()
        if id(function) in seen or (function.__module__ or "").split(".")[0] in ("numpy", "scipy", "jax", "autovec"):
            continue
        seen.add(id(function))
        yield function
        names = {n for code in codes(function.__code__) for n in code.co_names}
        for _, _, value in outside(function):
            value = original_of(value)
            if isinstance(value, FunctionType):
                todo.append(value)
        for value in inside:
            todo += [m for n in names if isinstance(m := class_entry(type(value), n), FunctionType)]
