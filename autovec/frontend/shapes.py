"""The shape of what a function returns: numbers and arrays in tuples, for cells that hold it."""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace

import numpy as np

from autovec.diagnostics import Code
from autovec.frontend import sharing
from autovec.frontend.expressions import as_expr
from autovec.frontend.scope import Scope
from autovec.frontend.tags import joined
from autovec.frontend.values import Buffer, Computed, ListCell, MaybeUnbound, Static, TupleValue, Value, Variable, View
from autovec.ir.types import ArrayType, ScalarType, Type
from autovec.ir.walk import index_exprs, names_read


@dataclass(frozen=True, slots=True)
class Slot:
    """A number or an array."""

    type: Type


@dataclass(frozen=True, slots=True)
class Group:
    items: tuple[Shape, ...]
    constructor: type = tuple


@dataclass(frozen=True, slots=True)
class Perhaps:
    """None, or a value of this shape: a flag comes first."""

    shape: Shape


NONE = Static(None)

# a Static is itself; a view or list that outlives the loops is itself too: nothing changes it after a return
Shape = Slot | Group | Perhaps | Static | View | ListCell | Buffer


def shape_of(scope: Scope, value: Value, node: ast.AST, depth: int) -> Shape:
    """The shape of a value returned inside `len(scope.loops) - depth` loops of its function."""
    match value:
        case Static(value=constant) if not isinstance(constant, bool | int | float | complex | np.generic):
            return value
        case MaybeUnbound(value=inner, none=True):
            return Perhaps(shape_of(scope, inner, node, depth))
        case TupleValue(items=items, constructor=constructor):
            return Group(tuple(shape_of(scope, item, node, depth) for item in items), constructor)
        case View(cell=cell) if cell in scope.ledger.arguments or len(scope.loops) == depth:
            if len(scope.loops) > depth and not is_known_outside(scope, value):
                raise scope.blocked(
                    node, Code.UNSUPPORTED_STATEMENT, "a view of an argument returned from inside a loop"
                )
            return replace(value, rebound=False)
        case ListCell(cell=cell) if scope.ledger.lists[cell].depth <= depth:
            return value
        case Buffer(cell=cell) if scope.ledger.depths[cell] <= depth:
            return value
        case Computed() | Variable() | Static() | View():
            refuse_arguments(scope, sharing.cell_of(value), node)
            return Slot(as_expr(scope, value, node).type)
        case _:
            raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, "this value returned from inside a loop or branch")


def is_known_outside(scope: Scope, view: View) -> bool:
    """Is it a part of its array that no loop around tells?"""
    return all(names_read(e) <= set(scope.ledger.values) for e in index_exprs(view.index))


def join(scope: Scope, a: Shape, b: Shape, node: ast.AST) -> Shape:
    """A shape that holds values of both; a plain object gives way to what isn't one."""
    if a == b:
        return a
    if any(isinstance(one, Perhaps) or one == NONE for one in (a, b)):
        inner = [one.shape if isinstance(one, Perhaps) else one for one in (a, b) if one != NONE]
        whole = inner[0] if len(inner) == 1 else join(scope, inner[0], inner[1], node)
        if consists_of_slots(whole):
            return Perhaps(whole)
    if isinstance(a, Static) or isinstance(b, Static):
        if isinstance(a, Static) and isinstance(b, Static):
            raise scope.blocked(node, Code.UNSTABLE_TYPE, f"a result that is {a.value!r} or {b.value!r}, by the data")
        return b if isinstance(a, Static) else a
    if isinstance(a, Group) and isinstance(b, Group) and len(a.items) == len(b.items):
        if a.constructor is b.constructor:
            pairs = zip(a.items, b.items, strict=True)
            return Group(tuple(join(scope, x, y, node) for x, y in pairs), a.constructor)
    a, b = copied(scope, a, node), copied(scope, b, node)
    if isinstance(a, Slot) and isinstance(b, Slot):
        if a.type == b.type:
            return a
        if isinstance(a.type, ScalarType) and isinstance(b.type, ScalarType):
            return Slot(joined(scope, a.type, b.type, node))
    raise scope.blocked(node, Code.UNSTABLE_TYPE, "a function that returns values of different types, by the data")


def consists_of_slots(shape: Shape) -> bool:
    """Is it held in cells, all of it, as numbers?"""
    if isinstance(shape, Group):
        return all(map(consists_of_slots, shape.items))
    return isinstance(shape, Slot) and isinstance(shape.type, ScalarType)


def refuse_arguments(scope: Scope, cell: str, node: ast.AST) -> None:
    """What would be returned as a copy must not be the caller's own, or have memory in common with it."""
    if cell and sharing.is_the_callers(scope, cell):
        raise scope.blocked(
            node, Code.UNSUPPORTED_STATEMENT, "what may still be an argument, returned", "begin with a copy of it"
        )


def copied(scope: Scope, shape: Shape, node: ast.AST) -> Shape:
    """A view as an array of its own, unless it is one of the caller's."""
    if isinstance(shape, View) and shape.cell not in scope.ledger.arguments:
        refuse_arguments(scope, shape.cell, node)
        return Slot(ArrayType(shape.type.dtype, shape.type.shape))
    return shape
