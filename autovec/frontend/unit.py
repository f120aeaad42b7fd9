"""A function and the types of its arguments -> one unit of the loop IR.

Sizes that are equal at this call are one symbol: without that no slice is ever seen to be the whole of an array.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import CellType

import numpy as np

from autovec.diagnostics import Blocked, Code
from autovec.frontend import carried, invoke, parts
from autovec.frontend.expressions import as_expr
from autovec.frontend.scope import Ledger, Read, Scope
from autovec.frontend.source import SourceFunction
from autovec.frontend.subscripts import whole
from autovec.frontend.tags import ordered_kinds, tag_of
from autovec.frontend.values import (
    Computed,
    ListArray,
    ListCell,
    ObjectValue,
    TupleList,
    Static,
    TupleValue,
    Value,
    Variable,
    View,
)
from autovec.ir.affine import Affine
from autovec.ir.nodes import (
    Apply,
    ArgumentResult,
    CellResult,
    Const,
    ConstantResult,
    Expr,
    ListResult,
    Param,
    Range,
    Ref,
    Result,
    Role,
    Size,
    TupleResult,
    Unit,
    ValueResult,
)
from autovec.ir.types import (
    BOOL,
    COMPLEX,
    FLOAT,
    INT,
    PY_COMPLEX,
    PY_FLOAT,
    ArrayType,
    ScalarType,
    element,
    numpy_scalar,
    rank,
    scalar,
)


@dataclass(frozen=True, slots=True)
class ArrayArgument:
    """An array argument, as far as the lowering is concerned."""

    dtype: np.dtype
    shape: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ScalarArgument:
    """A number: its type, and for a Python int its value at this call (a hint, or a size)."""

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
        return ScalarArgument(numpy_scalar(value.dtype))
    if parts.items_of(value) is not None or parts.is_object(value):
        return WholeArgument(value)
    return ConstantArgument(value)


@dataclass(frozen=True, slots=True)
class Lowering:
    """The unit, and what its compilation read and assumed."""

    unit: Unit
    reads: tuple[Read, ...]
    proofs: tuple[object, ...]
    notes: tuple[tuple[int, str], ...]
    affine: Mapping[str, Affine]
    printed: Mapping[str, str]  # size -> the name to print it by
    constants: tuple[str, ...]  # parameters that were compiled in
    parts: tuple[parts.Part, ...] = ()  # parameters that are no arguments


def lower_function(source: SourceFunction, arguments: Mapping[str, Argument]) -> Lowering:
    """The whole function as one unit; raises Blocked where it doesn't compile."""
    if not isinstance(source.node, ast.FunctionDef | ast.Lambda):
        raise Blocked(Code.UNSUPPORTED_STATEMENT, source.span, "a coroutine")
    joins: dict[tuple[int, int, str], ScalarType] = {}
    for _ in range(8):
        ledger = Ledger(joins=joins)
        try:
            return lower_once(source, arguments, ledger)
        except carried.Widened:
            joins = ledger.joins
    raise Blocked(Code.UNSTABLE_TYPE, source.span, "a name whose type keeps changing")


def lower_once(source: SourceFunction, arguments: Mapping[str, Argument], ledger: Ledger) -> Lowering:
    ledger.taken |= {"jax", "jnp", "lax", "np"}
    whole_ones = {n: a.value for n, a in arguments.items() if isinstance(a, WholeArgument)}
    found = tuple(parts.collect(source, {n: whole_ones.get(n) for n in arguments}))
    params, env = bind_parameters({**arguments, **{p.name: describe(p.value) for p in found}}, ledger)
    put_together(whole_ones, found, env, ledger)
    scope = Scope(ledger, source, env)
    node = source.node
    value = invoke.lower(scope, node.body) if isinstance(node, ast.Lambda) else invoke.run_body(scope, node, node)
    result = returned(scope, value, node)
    both = ledger.snapshots & ledger.stored
    if both:
        name = sorted(both)[0]
        raise Blocked(
            Code.UNSUPPORTED_STATEMENT,
            source.span,
            f"the array {name!r} is written to while another name may share its memory",
            "copy it with .copy()",
        )
    written = tuple(p.name for p in params if p.name in ledger.stored)
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
        tuple(ledger.reads),
        tuple(ledger.proofs),
        tuple(ledger.notes),
        dict(ledger.affine),
        printed_sizes(ledger),
        (*constants, *(p.name for p in found if isinstance(describe(p.value), ConstantArgument))),
        found,
    )


def put_together(wholes: Mapping[str, object], found: Sequence[parts.Part], env: dict[str, Value], ledger: Ledger) -> None:
    """Lists and objects from their parts, captured arrays by their place."""
    kinds = {bool: BOOL, int: INT, float: FLOAT, complex: COMPLEX}
    objects: dict[str, dict[str, Value]] = {n: {} for n, v in wholes.items() if parts.items_of(v) is None}
    for part in found:
        value = env.pop(part.name)
        if part.items is not None and isinstance(value, View):
            ledger.frozen.add(part.name)
            value = ListArray(value, kinds[part.items.element], len(part.items.shape))
        if part.namespace is not None:
            place = "" if isinstance(part.namespace, CellType) else part.key
            ledger.captured[id(part.namespace), place] = value
        elif part.attribute:
            objects[part.argument][part.attribute] = value
        else:
            env[part.argument] = value
    for name, held in objects.items():
        env[name] = ObjectValue(name, wholes[name], held)


def printed_sizes(ledger: Ledger) -> dict[str, str]:
    """Names for sizes: an int parameter's own, the person's (`n = len(x)`), or a letter that is free."""
    found: dict[str, str] = {}
    taken = set(ledger.taken)
    for size in ledger.sizes.values():
        if size.origins and size.origins[0][1] is None:
            continue
        wanted = ledger.renamed.get(size.name)
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


def bind_parameters(arguments: Mapping[str, Argument], ledger: Ledger) -> tuple[tuple[Param, ...], dict[str, Value]]:
    ledger.taken |= set(arguments)
    sizes = equal_sizes(arguments, ledger)
    params: list[Param] = []
    env: dict[str, Value] = {}
    for name, argument in arguments.items():
        match argument:
            case ConstantArgument(value=value):
                env[name] = Static(value)
            case WholeArgument():
                continue
            case ScalarArgument(type=kind, value=value):
                if kind == INT and value is not None:
                    symbol = sizes[(name, None)]
                    env[name] = Computed(Ref(symbol, INT))
                    params.append(Param(name, kind, Role.SIZE))
                    continue
                env[name] = Computed(Ref(name, kind))
                params.append(Param(name, kind, Role.SCALAR))
            case ArrayArgument(dtype=dtype, shape=shape):
                if dtype.kind not in "biufc" or dtype.itemsize > 16 or not dtype.isnative:
                    raise Blocked(Code.UNSUPPORTED_ARGUMENT, None, f"the argument {name!r}, an array of {dtype}")
                symbolic = tuple(
                    Affine.number(1) if extent == 1 else Affine.name(sizes[(name, axis)])
                    for axis, extent in enumerate(shape)
                )
                kind = ArrayType(dtype, symbolic)
                ledger.cells[name] = kind
                ledger.arguments.add(name)
                env[name] = whole(name, kind)
                params.append(Param(name, kind, Role.ARRAY))
    return tuple(params), env


def equal_sizes(arguments: Mapping[str, Argument], ledger: Ledger) -> dict[tuple[str, int | None], str]:
    """One symbol for all sizes and ints that are equal at this call, named after an int parameter where there is one."""
    origins: dict[int, list[tuple[str, int | None]]] = {}
    for name, argument in arguments.items():
        if isinstance(argument, ScalarArgument) and argument.type == INT and argument.value is not None:
            origins.setdefault(argument.value, []).append((name, None))
    for name, argument in arguments.items():
        if isinstance(argument, ArrayArgument):
            for axis, extent in enumerate(argument.shape):
                if extent != 1:
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


# ---------------------------------------------------------------- results


def returned(scope: Scope, value: Value, node: ast.AST) -> Result:
    """What the function returns, as the runtime rebuilds it."""
    match value:
        case Static(value=constant):
            return ConstantResult(constant)
        case TupleValue(items=items, constructor=constructor):
            return TupleResult(tuple(returned(scope, item, node) for item in items), constructor)
        case TupleList(columns=columns, constructor=constructor):
            rows = tuple_rows if constructor is tuple else list_rows
            return TupleResult(tuple(returned(scope, c, node) for c in columns), rows)  # type: ignore[arg-type]
        case View():
            return returned_view(scope, value, node)
        case ListArray():
            return list_of_array(scope, value, node)
        case ListCell(cell=cell):
            info = scope.ledger.lists[cell]
            if info.element is None:
                return ConstantResult([]) if not scope.ledger.stored else blocked_list(scope, node)
            return ListResult(cell, info.element, info.element.shape, info.tags)
        case Computed() | Variable():
            return returned_value(scope, value, node)
        case _:
            raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, "this value returned")


def tuple_rows(*columns: list[object]) -> list[tuple[object, ...]]:
    return list(zip(*columns, strict=True))


def list_rows(*columns: list[object]) -> list[list[object]]:
    return [list(row) for row in zip(*columns, strict=True)]


def blocked_list(scope: Scope, node: ast.AST) -> Result:
    raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, "an empty list returned")


def list_of_array(scope: Scope, items: ListArray, node: ast.AST) -> Result:
    view, kind = items.view, items.element
    if view.cell in scope.ledger.arguments:
        raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, "a list that was passed in returned")
    if kind is not None and kind.only is None and not items.tags:
        raise scope.blocked(node, Code.UNSTABLE_TYPE, "a list whose elements are of several types")
    whole_cell = all(isinstance(i, Range) and isinstance(i.start, Const) and i.start.value == 0 for i in view.index)
    if not whole_cell:
        raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, "a part of a nested list returned")
    element = kind if kind is not None else replace(view.type, shape=view.type.shape[1:])
    return ListResult(view.cell, element, view.type.shape, items.tags)


def returned_view(scope: Scope, view: View, node: ast.AST) -> Result:
    if view.cell in scope.ledger.stand_ins:
        raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, "one of several arrays returned, by the data")
    full = view.order is None and view.index == whole(view.cell, whole_type(scope, view)).index
    if view.cell in scope.ledger.arguments:
        if view.order is not None:
            raise scope.blocked(
                node, Code.UNSUPPORTED_STATEMENT, "a transposed view of an argument returned", "return a copy"
            )
        return ArgumentResult(view.cell, None if full else view.index)
    if full:
        return CellResult(view.cell, view.type)
    return ValueResult(as_expr(scope, view, node))


def whole_type(scope: Scope, view: View) -> ArrayType:
    held = scope.ledger.cells[view.cell]
    assert isinstance(held, ArrayType)
    return held


def returned_value(scope: Scope, value: Computed | Variable, node: ast.AST) -> Result:
    expr: Expr = as_expr(scope, value, node)
    if isinstance(expr.type, ArrayType):
        return ValueResult(expr)
    if expr.type.only is not None:
        return ValueResult(expr, (expr.type.only,))
    tag = tag_of(scope, value)
    if tag is None:
        raise scope.blocked(node, Code.UNSTABLE_TYPE, f"a result that is {expr.type}, by the data")
    if scope.ledger.unknown_tags:
        scope.fault(Apply("less", (tag, Const(0, INT)), BOOL), "a result of unknown kind", scope.span(node))
    return ValueResult(expr, ordered_kinds(expr.type), tag)


__all__ = ["FLOAT", "element", "rank"]
