"""Attributes: of modules, and of arrays (`shape`, `size`, `T`, `dtype` ...)."""

from __future__ import annotations

import ast
from types import FunctionType, ModuleType

import numpy as np

from autovec.diagnostics import Blocked, Code
from autovec.frontend import (
    attribute_writes,
    builtins_of_sequences,
    calls,
    inlining,
    looked_up,
    operands,
    sharing,
    structures,
    subscripts,
)
from autovec.frontend.calls.ufunc_methods import METHODS as UFUNC_METHODS
from autovec.frontend.expressions import as_expr, lower
from autovec.frontend.operators import operate
from autovec.frontend.scope import Scope
from autovec.frontend.tags import refuse_missing
from autovec.frontend.values import (
    Computed,
    Elements,
    Masked,
    Method,
    ObjectValue,
    Static,
    TupleValue,
    Value,
    Variable,
    View,
)
from autovec.ir.types import ScalarType, rank

CHANGEABLE = 1 << 9  # a class made in Python
METHODS = (FunctionType, staticmethod, classmethod)  # what may be asked for without running anything
PINNED = ("numpy", "math", "cmath", "operator", "scipy", "builtins", "itertools", "functools")


def attribute(scope: Scope, node: ast.Attribute) -> Value:
    base = lower(scope, node.value)
    if isinstance(base, Static):
        return of_object(scope, node, base.value)
    name = node.attr
    if isinstance(base, ObjectValue):
        return of_argument(scope, node, base)
    fields: tuple[str, ...] = getattr(base.constructor, "_fields", ()) if isinstance(base, TupleValue) else ()
    if isinstance(base, TupleValue) and name in fields:
        return base.items[fields.index(name)]
    if isinstance(base, Masked | Elements) and name in ("shape", "size", "ndim", "dtype"):
        return of_some(scope, name, base, node)
    if isinstance(base, View | Computed | Variable):
        if not isinstance(base, View):
            refuse_missing(scope, base, name, node)
        if name == "shape":
            return builtins_of_sequences.shape(scope, base, node)
        if name == "ndim":
            return Static(rank(base.type))
        if name == "dtype" and not (isinstance(base.type, ScalarType) and base.type.only is None):
            return Static(base.type.dtype)
        if name == "size":
            total: Value = Static(1)
            for item in builtins_of_sequences.shape(scope, base, node).items:  # type: ignore[union-attr]
                total = item if isinstance(total, Static) else operate(scope, node, "Mult", total, item)
            return total
        if name == "T" and isinstance(base, View):
            return subscripts.transposed(base, tuple(range(rank(base.type)))[::-1])
        lowered = lower_attribute(scope, node, name, base)
        if lowered is not None:
            return sharing.view_of(base, operands.result(scope, lowered, node))
    raise scope.blocked(node, Code.UNSUPPORTED_EXPRESSION, f"the attribute {name}")


def of_some(scope: Scope, name: str, base: Masked | Elements, node: ast.AST) -> Value:
    """`y.size` of an array as long as the data says."""
    kind = base.dtype if isinstance(base, Elements) else base.values.type.dtype
    if name == "dtype":
        return Static(np.dtype(kind))
    extents = builtins_of_sequences.shape(scope, base, node)
    if name == "ndim":
        return Static(len(extents.items))
    total = extents.items[0]
    for item in extents.items[1:]:
        total = operate(scope, node, "Mult", total, item)
    return total if name == "size" else extents


def of_argument(scope: Scope, node: ast.Attribute, base: ObjectValue) -> Value:
    """An attribute of an object that was passed in: one of its own, or a method, class attribute or property."""
    changed = attribute_writes.read(scope, base, node)
    if changed is not None:
        return changed
    if node.attr in base.attributes:
        return base.attributes[node.attr]
    kind = type(base.value)
    found = structures.class_entry(kind, node.attr)
    if node.attr not in structures.attributes(base.value):
        scope.ledger.assumptions[looked_up.Answers(base.argument, base.path, kind, node.attr, found)] = None
        if isinstance(found, FunctionType):
            return Method(found, base)
        if isinstance(found, staticmethod):
            return Static(found.__func__)
        if isinstance(found, property) and isinstance(found.fget, FunctionType):
            call = ast.copy_location(ast.Call(node, [], []), node)
            return inlining.run_helper(scope, call, found.fget, base)
    # not asked for: a descriptor of the person's would run
    held = getattr(base.value, "__dict__", {}).get(node.attr, found)
    raise scope.blocked(
        node,
        Code.UNSUPPORTED_EXPRESSION,
        f"the attribute {node.attr}, a {type(held).__name__}",
        "pass its value as an argument",
    )


def lower_attribute(scope: Scope, node: ast.Attribute, name: str, base: Value) -> calls.Lowered | None:
    try:
        return calls.attribute(name, as_expr(scope, base, node))
    except Blocked as e:
        raise e if e.span is not None else Blocked(e.code, scope.span(node), e.construct, e.remedy) from None


def of_object(scope: Scope, node: ast.Attribute, value: object) -> Value:
    if isinstance(value, ModuleType):
        if not hasattr(value, node.attr):
            raise scope.blocked(node, Code.UNKNOWN_NAME, f"the module {value.__name__} has no {node.attr}")
        found = getattr(value, node.attr)
        if value.__name__.split(".")[0] not in PINNED:
            return scope.read(node, vars(value), node.attr, found)
        return Static(found)
    if isinstance(value, type) and value.__flags__ & CHANGEABLE:
        held = structures.class_entry(value, node.attr)
        if held is structures.NOTHING or (hasattr(type(held), "__get__") and not isinstance(held, METHODS)):
            raise scope.blocked(node, Code.UNKNOWN_NAME, f"the attribute {node.attr} of the class {value.__name__}")
        return scope.read(node, value, node.attr, getattr(value, node.attr), held)
    if isinstance(value, type) or (isinstance(value, np.ufunc) and node.attr in UFUNC_METHODS):
        return Static(getattr(value, node.attr))
    raise scope.blocked(
        node,
        Code.UNSUPPORTED_EXPRESSION,
        f"the attribute {node.attr} of a {type(value).__name__}",
        "pass its value as an argument, or bind it to a local name outside the function",
    )
