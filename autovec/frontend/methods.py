"""Methods of arrays, scalars and lists: `x.sum()`, `x.T.copy()`, `items.pop()`; those of the person's objects are helpers.

u.item()    -->    refused where its type depends on which kind `u` is
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import replace

from autovec.diagnostics import Blocked, Code
from autovec.frontend import (
    buffers,
    calls,
    masked_reductions,
    owned,
    ragged,
    ragged_reductions,
    sharing,
    subscripts,
    tags,
)
from autovec.frontend.builtins_of_sequences import position, to_list
from autovec.frontend.expressions import as_expr, keywords, lower
from autovec.frontend.operands import argument, result
from autovec.frontend.scope import Scope
from autovec.frontend.values import (
    Buffer,
    Computed,
    Elements,
    ListArray,
    ListCell,
    Masked,
    Static,
    TupleList,
    TupleValue,
    Value,
    Variable,
    View,
)
from autovec.ir.nodes import Cast, Expr
from autovec.ir.types import ArrayType, ScalarType

ARRANGED = ("transpose", "swapaxes")
COPIES = (
    "copy",
    "astype",
    "sum",
    "mean",
    "min",
    "max",
    "prod",
    "std",
    "var",
    "any",
    "all",
    "argmin",
    "argmax",
    "dot",
    "cumsum",
    "cumprod",
    "round",
    "item",
    "tolist",
    "flatten",
    "clip",
    "trace",
    "ptp",
    "nonzero",
    "repeat",
    "sort",
)


def is_flat_list(value: ListArray) -> bool:
    """Is it a list, and of numbers?"""
    return value.constructor is list and value.element is not None and value.depth == 1


def method(scope: Scope, node: ast.Call, name: str, target: Value) -> Value:
    if name == "pop" and isinstance(target, ListCell | Buffer | TupleList) and not node.args:
        return buffers.pop(scope, target, node)
    if name == "index" and isinstance(target, TupleValue) and len(node.args) == 1 and target.items:
        return position(scope, target, lower(scope, node.args[0]), node)
    if name == "copy" and isinstance(target, ListArray) and is_flat_list(target) and not node.args:
        return owned.copied(scope, target, node)
    if name == "sort" or isinstance(target, TupleValue | ListCell | ListArray | Buffer | TupleList):
        raise scope.blocked(node, Code.UNSUPPORTED_EXPRESSION, f"the method {name} here")
    if name == "tolist" and isinstance(target, View | Computed) and isinstance(target.type, ArrayType):
        return to_list(scope, target, node)
    if isinstance(target, Masked):
        if name == "copy" and not node.args and not node.keywords:
            return replace(target, key=None, number=None, elements=None)
        args = [lower(scope, a) for a in node.args]
        return masked_reductions.reduced(scope, node, name, target, args, keywords(scope, node))
    if isinstance(target, Computed | Variable):
        tags.refuse_missing(scope, target, name, node)
    values = [lower(scope, a) for a in node.args]
    if isinstance(target, View) and name in ARRANGED and not node.keywords:
        view = subscripts.arranged(name, target, known_objects(values))
        if view is not None:
            return view
    if isinstance(target, Elements) and not values and not node.keywords:
        if name == "copy":
            return ragged.materialised(scope, target, node)
        return ragged_reductions.reduced(scope, node, name, target)
    if name == "dot" and len(values) == 1 and any(isinstance(v, Elements) for v in (target, *values)):
        return ragged_reductions.product(scope, node, target, values[0])
    args = [argument(scope, v, a) for v, a in zip(values, node.args, strict=True)]
    named = {k: argument(scope, v, node) for k, v in keywords(scope, node).items()}
    try:
        lowered = calls.method(name, as_expr(scope, target, node), args, named, scope.span(node))
    except Blocked as e:
        raise e if e.span is not None else Blocked(e.code, scope.span(node), e.construct, e.remedy) from None
    if lowered is None:
        raise scope.blocked(node, Code.OPAQUE_CALL, f"the method {name}, which autovec doesn't know,")
    refuse_several(scope, lowered, as_expr(scope, target, node), name, args, named, node)
    made = result(scope, lowered, node)
    made = made if name in COPIES and "copy" not in named else sharing.view_of(target, made)
    return sharing.read_only(scope, made) if name == "diagonal" else made


def refuse_several(
    scope: Scope,
    made: calls.Lowered,
    target: Expr,
    name: str,
    args: Sequence[object],
    named: Mapping[str, object],
    node: ast.AST,
) -> None:
    """What a method makes of a scalar has one type, whichever of its kinds the scalar is."""
    if not isinstance(target.type, ScalarType) or target.type.only is not None:
        return
    for kind in target.type.kinds:
        one = calls.method(name, Cast(target, ScalarType(frozenset({kind}))), args, named, scope.span(node))
        if one is None or getattr(one.value, "type", None) != getattr(made.value, "type", None):
            raise scope.blocked(node, Code.UNSTABLE_TYPE, f"the method {name} of a {target.type}")


def known_objects(values: Sequence[Value]) -> list[object]:
    """What the values are, where they are known before the call; None for others."""
    return [
        v.value if isinstance(v, Static) else tuple(known_objects(v.items)) if isinstance(v, TupleValue) else None
        for v in values
    ]
