"""What the function returns, as the runtime rebuilds it."""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace
from typing import Any

from autovec.diagnostics import Code
from autovec.frontend import picked, ragged, sharing
from autovec.frontend.expressions import as_expr
from autovec.frontend.scope import Scope
from autovec.frontend.subscripts import whole
from autovec.frontend.tags import ordered_kinds, tag_of
from autovec.frontend.values import (
    Buffer,
    Computed,
    DictValue,
    Elements,
    ListArray,
    ListCell,
    Masked,
    MaybeUnbound,
    Packed,
    Static,
    TupleList,
    TupleValue,
    Value,
    Variable,
    View,
)
from autovec.ir.affine import Affine
from autovec.ir.nodes import (
    ArgumentResult,
    CellResult,
    Const,
    ConstantResult,
    Expr,
    ListResult,
    Load,
    OptionalResult,
    PassedResult,
    PrefixResult,
    Range,
    Result,
    TupleResult,
    ValueResult,
)
from autovec.ir.types import (
    INT,
    ArrayType,
)


def returned(scope: Scope, value: Value, node: ast.AST) -> Result:
    """What the function returns, as the runtime rebuilds it."""
    if isinstance(value, ListArray | ListCell):
        cell = value.view.cell if isinstance(value, ListArray) else value.cell
        if cell not in scope.ledger.passed:
            once(scope, value, node)
        elif isinstance(value, ListCell):
            return PassedResult(scope.ledger.passed[cell])
    elif isinstance(value, DictValue) or (isinstance(value, TupleValue) and value.constructor is list):
        found = sharing.owners(scope, sharing.object_name(value))
        if found & scope.ledger.returned:
            raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, "one list or dict returned in two places")
        scope.ledger.returned |= found
    match value:
        case Static(value=constant):
            return ConstantResult(constant)
        case TupleValue(origin=origin) | DictValue(origin=origin) if origin and not (
            isinstance(value, TupleValue) and value.constructor is tuple
        ):
            if not origin.isidentifier():
                raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, "a part of an argument returned")
            return PassedResult(origin)
        case DictValue(entries=entries):
            made = tuple(returned(scope, item, node) for item in entries.values())
            return TupleResult(made, DictOf(tuple(entries)))  # type: ignore[arg-type]
        case MaybeUnbound(value=inner, bound=bound, none=True):
            return OptionalResult(bound, returned(scope, inner, node))
        case TupleValue(items=items, constructor=constructor):
            return TupleResult(tuple(returned(scope, item, node) for item in items), constructor)
        case TupleList(columns=columns, constructor=constructor):
            if constructor not in (tuple, list):
                raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, "a list of named tuples returned")
            rows = tuple_rows if constructor is tuple else list_rows
            return TupleResult(tuple(returned(scope, c, node) for c in columns), rows)  # type: ignore[arg-type]
        case View():
            return returned_view(scope, value, node)
        case ListArray():
            return list_of_array(scope, value, node)
        case Packed(items=ListCell(cell=cell)):
            if cell in scope.ledger.stored:
                raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, "an array of a list that changes afterwards")
            sharing.give(scope, f"array of {cell}", node)
            return PrefixResult(cell, None)
        case Buffer():
            return buffer_result(scope, value, node)
        case Masked():
            return returned(scope, picked.elements(scope, value, node), node)
        case Elements(prefix=prefix) if prefix or len(value.lengths) == 1:
            held = value if prefix else ragged.materialised(scope, value, node)
            if value.place is not None:  # a slice of an array
                sharing.give(scope, value.place(scope, [Const(0, INT)] * len(value.lengths)).cell, node)
            return PrefixResult(held.prefix, held.lengths[0])
        case ListCell(cell=cell):
            info = scope.ledger.lists[cell]
            if info.element is None:
                return TupleResult((), list) if not scope.ledger.stored else blocked_list(scope, node)
            if info.rows is not None:
                return ListResult(cell, info.rows[0], (Affine.number(0), *info.element.shape), info.tags)
            return ListResult(cell, info.element, info.element.shape, info.tags)
        case Computed() | Variable():
            return returned_value(scope, value, node)
        case _:
            raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, "this value returned")


def once(scope: Scope, value: ListArray | ListCell, node: ast.AST) -> None:
    """A list that is returned twice is one object; so is what it has in common with other arrays."""
    cell = value.view.cell if isinstance(value, ListArray) else value.cell
    shares = cell in scope.ledger.sharing or (isinstance(value, ListCell) and scope.ledger.lists[cell].shares)
    if cell in scope.ledger.given or shares:
        raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, "a list returned whose memory has other owners")
    scope.ledger.given.add(cell)
    sharing.give(scope, cell, node)


def buffer_result(scope: Scope, value: Buffer, node: ast.AST) -> Result:
    if value.cell in scope.ledger.given or value.cell in scope.ledger.sharing:
        raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, "a list returned whose memory has other owners")
    scope.ledger.given.add(value.cell)
    sharing.give(scope, value.cell, node)
    kind = scope.ledger.cells[value.cell]
    count = Load(value.count, (), INT)
    if value.element is None:
        return ListResult(value.cell, ArrayType(kind.dtype, kind.shape[1:]), kind.shape, count=count)
    return ListResult(value.cell, value.element, kind.shape, value.tags, count)


@dataclass(frozen=True, slots=True)
class DictOf:
    """Makes a dict with these keys of as many values."""

    keys: tuple[object, ...]

    def __call__(self, *values: object) -> dict[object, object]:
        return dict(zip(self.keys, values, strict=True))


@dataclass(frozen=True, slots=True)
class SequenceOf:
    """Makes a tuple of a list, or of the lists in it."""

    constructor: type
    rows: type

    def __call__(self, items: list[Any]) -> object:
        return self.constructor(items if self.rows is list else map(self.rows, items))


def tuple_rows(*columns: list[object]) -> list[tuple[object, ...]]:
    return list(zip(*columns, strict=True))


def list_rows(*columns: list[object]) -> list[list[object]]:
    return [list(row) for row in zip(*columns, strict=True)]


def blocked_list(scope: Scope, node: ast.AST) -> Result:
    raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, "an empty list returned")


def list_of_array(scope: Scope, items: ListArray, node: ast.AST, passed: bool = False) -> Result:
    view, kind = items.view, items.element
    if (view.cell in scope.ledger.arguments or view.cell in scope.ledger.passed) and not passed:
        return passed_list(scope, items, node)
    if kind is not None and kind.only is None and not items.tags:
        raise scope.blocked(node, Code.UNSTABLE_TYPE, "a list whose elements are of several types")
    whole_cell = all(isinstance(i, Range) and isinstance(i.start, Const) and i.start.value == 0 for i in view.index)
    if not whole_cell:
        raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, "a part of a nested list returned")
    element = kind if kind is not None else replace(view.type, shape=view.type.shape[1:])
    made = ListResult(view.cell, element, view.type.shape, items.tags)
    if (items.constructor, items.rows) == (list, list):
        return made
    return TupleResult((made,), SequenceOf(items.constructor, items.rows))  # type: ignore[arg-type]


def passed_list(scope: Scope, items: ListArray, node: ast.AST) -> Result:
    """An argument that is a list, returned: the object itself."""
    name = scope.ledger.passed.get(items.view.cell, "")
    if not name or len(items.view.type.shape) != len(whole_type(scope, items.view).shape):
        raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, "a list of the caller's, or a part of one, returned")
    return PassedResult(name)


def returned_view(scope: Scope, view: View, node: ast.AST) -> Result:
    if view.cell in scope.ledger.stand_ins:
        raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, "one of several arrays returned, by the data")
    full = view.order is None and view.index == whole(view.cell, whole_type(scope, view)).index
    if view.cell in scope.ledger.arguments:
        if not view.fresh:
            return ArgumentResult(view.cell)
        if (view.cell, view.index, view.order) in scope.ledger.views:  # of one name, or of two
            raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, "a view of an argument returned in two places")
        scope.ledger.views.add((view.cell, view.index, view.order))
        return ArgumentResult(view.cell, view.index, view.order)
    sharing.give(scope, view.cell, node)
    if full:
        return CellResult(view.cell, view.type)
    return ValueResult(as_expr(scope, view, node))


def whole_type(scope: Scope, view: View) -> ArrayType:
    held = scope.ledger.cells[view.cell]
    return held if isinstance(held, ArrayType) else view.type


def returned_value(scope: Scope, value: Computed | Variable, node: ast.AST) -> Result:
    expr: Expr = as_expr(scope, value, node)
    if isinstance(expr.type, ArrayType):
        if isinstance(value, Computed) and value.shares:
            sharing.give(scope, value.shares, node)
        return ValueResult(expr)
    if expr.type.only is not None:
        return ValueResult(expr, (expr.type.only,))
    tag = tag_of(scope, value)
    if tag is None:
        raise scope.blocked(node, Code.UNSTABLE_TYPE, f"a result that is {expr.type}, by the data")
    return ValueResult(expr, ordered_kinds(expr.type), tag)
