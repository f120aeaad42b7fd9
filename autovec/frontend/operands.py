"""Values as the typed calls take them, and what calls give back as values."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Mapping

import numpy as np

from autovec.diagnostics import Blocked, Code
from autovec.frontend import calls, ranges, sequences
from autovec.frontend.calls.lowered import EXPRESSIONS
from autovec.frontend.expressions import as_expr, write_faults
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
from autovec.ir.nodes import Call, Cast, Expr
from autovec.ir.types import ArrayType, ScalarType


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


def one_type(
    scope: Scope, node: ast.Call, function: object, args: list, named: Mapping[str, object], made: calls.Lowered
) -> None:
    """An array, or a number of one type, comes out of the call whichever of their types its operands have."""
    types = [e.type for e in scalars_and_arrays(made.value)]
    operands = scalars_and_arrays([*args, *named.values()])
    unsure = {e: e.type.kinds for e in operands if isinstance(e.type, ScalarType) and e.type.only is None}
    if not unsure or any(isinstance(t, ScalarType) and t.only is None for t in types):
        return
    for kinds in itertools.product(*(sorted(k, key=str) for k in unsure.values())):
        known: dict[Expr, Expr] = {e: Cast(e, ScalarType(frozenset({k}))) for e, k in zip(unsure, kinds, strict=True)}
        given = [in_their_place(a, known) for a in args]
        words = {w: in_their_place(a, known) for w, a in named.items()}
        asked = guarded_call(scope, node, function, given, words)
        if asked is None or [e.type for e in scalars_and_arrays(asked.value)] != types:
            raise scope.blocked(node, Code.UNSTABLE_TYPE, f"{ast.unparse(node.func)} of a number of several types")


def scalars_and_arrays(value: object) -> list[Expr]:
    """The expressions in an argument or a result."""
    if isinstance(value, tuple | list):
        return [e for part in value for e in scalars_and_arrays(part)]
    return [value] if isinstance(value, EXPRESSIONS) else []


def in_their_place(value: object, known: Mapping[Expr, Expr]) -> object:
    if isinstance(value, tuple | list):
        return type(value)(in_their_place(part, known) for part in value)
    return known.get(value, value) if isinstance(value, EXPRESSIONS) else value


def result(scope: Scope, lowered: calls.Lowered, node: ast.AST) -> Value:
    write_faults(scope, lowered, node)
    if isinstance(lowered.value, Call) and isinstance(lowered.value.type, ArrayType):
        ledger = scope.ledger
        known = {*ledger.values, *ledger.scalars, *ledger.affine, *(r.variable for r in scope.loops)}
        for size in lowered.value.type.shape:
            if size.names <= ledger.values.keys() and not ranges.require(scope, size):
                raise scope.blocked(node, Code.RAISES, "an array of a negative size")
            if not size.names <= known:
                raise scope.blocked(node, Code.DYNAMIC_SHAPE, "an array whose size depends on the data")
    return as_value(lowered.value)


def as_value(value: object) -> Value:
    if isinstance(value, EXPRESSIONS):
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
