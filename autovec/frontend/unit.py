"""A function and the types of its arguments -> one unit of the loop IR.

Sizes that are equal at this call are one symbol: without that no slice is ever seen to be the whole of an array.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import CellType

import numpy as np

from autovec.analysis.in_range import RangeProof
from autovec.diagnostics import Blocked, Code
from autovec.frontend import attribute_writes, buffers, carried, composites, inlining, parts, passed, structures
from autovec.frontend.calls.lowered import UnknownSize
from autovec.frontend.expressions import lower
from autovec.frontend.looked_up import Assumption
from autovec.frontend.parts import Tangle
from autovec.frontend.results import returned
from autovec.frontend.scope import Ledger, Read, Scope
from autovec.frontend.source import SourceFunction
from autovec.frontend.structures import Step
from autovec.frontend.subscripts import whole
from autovec.frontend.tuples_apart import tuples_apart
from autovec.frontend.values import (
    Computed,
    ListArray,
    Static,
    Value,
    View,
)
from autovec.ir.affine import Affine
from autovec.ir.names import MODULES
from autovec.ir.nodes import (
    Cast,
    Param,
    Ref,
    Role,
    Size,
    Unit,
    UpdatingResult,
)
from autovec.ir.types import (
    INT,
    PY_COMPLEX,
    PY_FLOAT,
    ArrayType,
    ScalarType,
    numpy_scalar,
    scalar,
)

Place = tuple[str, int]  # an axis of an argument


@dataclass(frozen=True, slots=True)
class ArrayArgument:
    """An array argument, as far as the lowering is concerned."""

    dtype: np.dtype
    shape: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ScalarArgument:
    """A number: its type, and an int's value at this call (a hint, or a size)."""

    type: ScalarType
    value: int | None = None


@dataclass(frozen=True, slots=True)
class ConstantArgument:
    """None, a string, a bool ...: compiled in."""

    value: object


@dataclass(frozen=True, slots=True)
class WholeArgument:
    """A list or an object: its parts are parameters."""

    value: object


Argument = ArrayArgument | ScalarArgument | ConstantArgument | WholeArgument


def describe(value: object) -> Argument:
    """An argument of a call as the lowering sees it."""
    if type(value) is np.ndarray:
        return ArrayArgument(value.dtype, value.shape)
    if type(value) is int:
        return ScalarArgument(INT, value)
    if type(value) is float:
        return ScalarArgument(scalar(PY_FLOAT))
    if type(value) is complex:
        return ScalarArgument(scalar(PY_COMPLEX))
    if isinstance(value, np.generic) and value.dtype.kind in "biufc":
        return ScalarArgument(numpy_scalar(value.dtype), int(value) if type(value) is np.int64 else None)
    if structures.is_structure(value) or type(value) is list or structures.is_object(value):
        return WholeArgument(value)
    return ConstantArgument(value)


@dataclass(frozen=True, slots=True)
class Lowering:
    """The unit, and what its compilation read and assumed."""

    unit: Unit
    reads: tuple[Read, ...]
    proofs: tuple[RangeProof, ...]
    notes: tuple[tuple[int, str], ...]
    affine: Mapping[str, Affine]
    printed: Mapping[str, str]  # size -> the name to print it by
    constants: tuple[str, ...]  # parameters that were compiled in
    parts: tuple[parts.Part, ...] = ()  # parameters that are no arguments
    growing: frozenset[buffers.Key] = frozenset()  # lists that are built from appends
    tangle: Tangle = field(default_factory=Tangle)
    assumptions: tuple[Assumption, ...] = ()


def lower_function(
    source: SourceFunction, arguments: Mapping[str, Argument], buffered: Iterable[buffers.Key] = ()
) -> Lowering:
    """The whole function as one unit; raises Blocked where it doesn't compile. `buffered`: lists that must be buffers."""
    if not isinstance(source.node, ast.FunctionDef | ast.Lambda):
        raise Blocked(Code.UNSUPPORTED_STATEMENT, source.span, "a coroutine")
    source = replace(source, node=tuples_apart(source.node))
    learned, exact = Ledger(plans={key: buffers.Plan() for key in buffered}), frozenset[Place]()
    for _ in range(60):
        ledger = Ledger(
            joins=learned.joins,
            columns=learned.columns,
            rows=learned.rows,
            rebound_attributes=learned.rebound_attributes,
            appended_attributes=learned.appended_attributes,
            plans=learned.plans,
            picked=learned.picked,
            late_arrays=learned.late_arrays,
        )
        try:
            return lower_once(source, arguments, ledger, exact)
        except carried.Widened:
            learned = ledger
        except UnknownSize as unknown:
            more = exact | places_of(unknown.sizes, ledger)
            if more == exact:
                raise
            learned, exact = ledger, more
        except Blocked:
            if not buffers.next_guess(ledger):
                raise
            learned = ledger
    raise Blocked(Code.UNSTABLE_TYPE, source.span, "a name whose type keeps changing")


def places_of(sizes: frozenset[str], ledger: Ledger) -> frozenset[Place]:
    """The axes of arguments that have these sizes, two at least: what is to be a number, for a program of its own."""
    known = [s for s in ledger.sizes.values() if s.name in sizes and not s.fixed and s.value > 1]
    return frozenset((name, axis) for s in known for name, axis in s.origins if axis is not None)


def lower_once(
    source: SourceFunction, arguments: Mapping[str, Argument], ledger: Ledger, exact: frozenset[Place] = frozenset()
) -> Lowering:
    ledger.taken |= MODULES
    for name in MODULES & set(arguments):
        raise Blocked(
            Code.UNSUPPORTED_ARGUMENT,
            source.span,
            f"an argument named {name!r}, as a module of the program is",
            "rename it",
        )
    whole_ones = {n: a.value for n, a in arguments.items() if isinstance(a, WholeArgument)}
    functions = {n: a.value for n, a in arguments.items() if isinstance(a, ConstantArgument) and callable(a.value)}
    found = tuple(parts.collect(source, {n: whole_ones.get(n, functions.get(n)) for n in arguments}))
    everything = {**arguments, **{p.name: described(p) for p in found}}
    params, env = bind_parameters(everything, ledger, named_sizes(source.node), exact)
    scope = Scope(ledger, source, env)
    put_together(whole_ones, found, scope)
    node = source.node
    if isinstance(node, ast.AsyncFunctionDef):
        raise Blocked(Code.UNSUPPORTED_STATEMENT, source.span, "a coroutine")
    value = lower(scope, node.body) if isinstance(node, ast.Lambda) else inlining.run_body(scope, node, node)
    result = returned(scope, value, node)
    buffers.settle(scope)
    updates = (*passed.updates(scope), *attribute_writes.updates(scope))
    if updates:
        result = UpdatingResult(result, updates)
    both = ledger.snapshots & ledger.stored
    if both:
        name = sorted(both)[0]
        raise Blocked(
            Code.UNSUPPORTED_STATEMENT,
            source.span,
            f"the array {name!r} is written to while another name may share its memory",
            "copy it with .copy()",
        )
    lists = {p.name for p in found if p.items is not None}
    written = tuple(p.name for p in params if p.name in ledger.stored and p.name not in lists)
    unit = Unit(
        source.name if source.name.isidentifier() else "function",
        params,
        tuple(ledger.sizes.values()),
        tuple(ledger.facts),
        tuple(scope.statements),
        result,
        written,
    )
    constants = tuple(n for n, a in arguments.items() if isinstance(a, ConstantArgument))
    return Lowering(
        unit,
        tuple(ledger.reads.values()),
        tuple(ledger.proofs),
        tuple(ledger.notes),
        dict(ledger.affine),
        printed_sizes(ledger),
        (*constants, *(p.name for p in found if isinstance(describe(p.value), ConstantArgument))),
        found,
        frozenset(info.key for info in ledger.lists.values() if info.element is not None),
        passed.tangle(scope, found),
        tuple(ledger.assumptions),
    )


def described(part: parts.Part) -> Argument:
    """A part as a parameter; an int that the function sets is a number, no size."""
    found = describe(part.value)
    return ScalarArgument(found.type) if part.is_set and isinstance(found, ScalarArgument) else found


def put_together(wholes: Mapping[str, object], found: Sequence[parts.Part], scope: Scope) -> None:
    """Lists and objects from their parts, captured arrays by their place."""
    env, ledger = scope.env, scope.ledger
    inside: dict[str, dict[tuple[Step, ...], Value]] = {}
    for part in found:
        value = env.pop(part.name)
        if part.items is not None and isinstance(value, View):
            ledger.frozen.add(part.name)
            ledger.passed[part.name] = part.argument if not part.path else ""
            depth, rows = len(part.items.shape), part.items.rows or list
            value = ListArray(value, part.items.kind, depth, "", part.items.container, rows)
            value = passed.changeable(scope, part, value)
        if part.namespace is not None:
            place = "" if isinstance(part.namespace, CellType) else part.key
            ledger.captured[id(part.namespace), place] = value
        else:
            inside.setdefault(part.argument, {})[part.path] = value
    for name, value in wholes.items():
        if type(value) is list and name in parts.appended(scope.home.node):
            env[name] = passed.appended_to(scope, name, scope.home.node)
        else:
            env[name] = composites.assembled(scope, name, value, inside.get(name, {}))


def printed_sizes(ledger: Ledger) -> dict[str, str]:
    """Names for sizes: an int parameter's own, the person's (`n = len(x)`), or a letter that is free."""
    found: dict[str, str] = {}
    taken = set(ledger.taken)
    for size in ledger.sizes.values():
        if size.fixed:
            continue
        if size.origins and size.origins[0][1] is None:
            continue
        wanted = ledger.renamed.get(size.name)
        if wanted in MODULES:
            continue
        if wanted is None and size.derived is None:
            wanted = next((c for c in ("n", "m", "p", "q") if c not in taken), None)
        if wanted is None or (wanted in found.values()):
            continue
        if wanted in taken and wanted not in ledger.renamed.values():
            continue
        found[size.name] = wanted
        taken.add(wanted)
    return found


# ---------------------------------------------------------------- parameters and sizes


def bind_parameters(
    arguments: Mapping[str, Argument], ledger: Ledger, named: frozenset[int], exact: frozenset[Place]
) -> tuple[tuple[Param, ...], dict[str, Value]]:
    ledger.taken |= set(arguments)
    sizes = equal_sizes(arguments, ledger, named, exact)
    params: list[Param] = []
    env: dict[str, Value] = {}
    for name, argument in arguments.items():
        match argument:
            case ConstantArgument(value=value):
                env[name] = Static(value)
            case WholeArgument():
                continue
            case ScalarArgument(type=kind, value=value):
                if value is not None:
                    symbol = Ref(sizes[(name, None)], INT)
                    env[name] = Computed(symbol if kind == INT else Cast(symbol, kind))
                    params.append(Param(name, kind, Role.SIZE))
                    continue
                env[name] = Computed(Ref(name, kind))
                ledger.scalars.add(name)
                params.append(Param(name, kind, Role.SCALAR))
            case ArrayArgument(dtype=dtype, shape=shape):
                if dtype.kind not in "biufc" or dtype.itemsize > 16 or not dtype.isnative:
                    raise Blocked(Code.UNSUPPORTED_ARGUMENT, None, f"the argument {name!r}, an array of {dtype}")
                symbolic = tuple(
                    Affine.number(extent)
                    if extent == 1 or extent in named or (name, axis) in exact
                    else Affine.name(sizes[(name, axis)])
                    for axis, extent in enumerate(shape)
                )
                kind = ArrayType(dtype, symbolic)
                ledger.cells[name] = kind
                ledger.arguments.add(name)
                env[name] = whole(name, kind)
                params.append(Param(name, kind, Role.ARRAY))
    return tuple(params), env


def named_sizes(function: ast.AST) -> frozenset[int]:
    """The whole numbers from two on that a function writes: an axis of such a size may be meant (`np.zeros(3)`)."""
    found = {n.value for n in ast.walk(function) if isinstance(n, ast.Constant) and type(n.value) is int}
    return frozenset(v for v in found if v > 1)


def equal_sizes(
    arguments: Mapping[str, Argument], ledger: Ledger, named: frozenset[int], exact: frozenset[Place]
) -> dict[tuple[str, int | None], str]:
    """One symbol for all sizes and ints that are equal at this call, named after an int parameter where there is one.

    An axis whose size the function names, or has to know (`exact`), is that number, and the unit is for it alone.
    """
    origins: dict[int, list[tuple[str, int | None]]] = {}
    for name, argument in arguments.items():
        if isinstance(argument, ScalarArgument) and argument.value is not None:
            origins.setdefault(argument.value, []).append((name, None))
    for name, argument in arguments.items():
        if isinstance(argument, ArrayArgument):
            for axis, extent in enumerate(argument.shape):
                if extent in named or (name, axis) in exact:
                    symbol = ledger.fresh(f"{name}_size{axis}")
                    ledger.sizes[symbol] = Size(symbol, ((name, axis),), extent, fixed=True)
                elif extent != 1:
                    origins.setdefault(extent, []).append((name, axis))
    symbols: dict[tuple[str, int | None], str] = {}
    for value, places in origins.items():
        first = places[0]
        symbol = first[0] if first[1] is None else ledger.fresh(f"{first[0]}_size{first[1]}")
        ledger.sizes[symbol] = Size(symbol, tuple(places), value)
        ledger.values[symbol] = value
        if any(axis is not None for _, axis in places):
            ledger.facts.append(Affine.name(symbol))
        for place in places:
            symbols[place] = symbol
    return symbols
