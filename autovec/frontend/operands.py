"""Values as the typed calls take them, and what calls give back as values."""

from __future__ import annotations

import ast
from collections.abc import Mapping

import numpy as np

from autovec.diagnostics import Blocked, Code
from autovec.frontend import calls, ranges, sequences
from autovec.frontend.expressions import as_expr
from autovec.frontend.scope import Scope
from autovec.frontend.values import (
    Computed,
    ListArray,
    ListCell,
    Static,
    TupleList,
    TupleValue,
    Value,
)
from autovec.ir.nodes import Apply, Call, Cast, Const, Load, Ref, Select
from autovec.ir.types import ArrayType


def hashable(function: object) -> bool:
    try:
        hash(function)
    except TypeError:
        return False
    return True


def guarded_call(scope: Scope, node: ast.Call, function: object, args: list, named: Mapping[str, object]):
    try:
        return calls.call(function, args, named, scope.span(node))
    except Blocked as e:
        raise e if e.span is not None else Blocked(e.code, scope.span(node), e.construct, e.remedy) from None


def result(scope: Scope, lowered: calls.Lowered, node: ast.AST) -> Value:
    for condition, reason in lowered.faults:
        scope.fault(condition, reason, scope.span(node))
    if isinstance(lowered.value, Call) and isinstance(lowered.value.type, ArrayType):
        for size in lowered.value.type.shape:
            if not ranges.is_parametric(scope, size):
                raise scope.blocked(node, Code.DYNAMIC_SHAPE, "an array whose size depends on the data")
            if size.names <= set(scope.ledger.values) and not ranges.require(scope, size):
                raise scope.blocked(node, Code.RAISES, "an array of a negative size")
    return as_value(lowered.value)


def as_value(value: object) -> Value:
    if isinstance(value, Const | Ref | Load | Apply | Cast | Select | Call):
        return Computed(value)
    if isinstance(value, tuple | list):
        return TupleValue(tuple(as_value(v) for v in value), type(value))
    return Static(value)


def argument(scope: Scope, value: Value, node: ast.AST) -> object:
    """An argument as the typed calls take it: an expression, or a Python object known before the call."""
    match value:
        case Static(value=constant):
            if isinstance(constant, bool | int | float | complex | np.generic):
                return as_expr(scope, value, node)
            return constant
        case TupleValue(items=items, constructor=constructor):
            return constructor(argument(scope, item, node) for item in items)
        case ListArray() | ListCell():
            return sequences.as_array(scope, value, node)
        case TupleList(columns=columns):
            return sequences.table(scope, columns, node)
        case _:
            return as_expr(scope, value, node)
