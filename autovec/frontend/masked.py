"""`a[mask]` where only its length or a reduction of it is asked for: no array of unknown length is needed.

len(a[mask])              -->    count_nonzero(mask)
a[mask].mean(axis=0)      -->    sum(where(mask, a, 0), axis=0) / count      fault: no element
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

import numpy as np

from autovec.diagnostics import Code
from autovec.frontend import calls
from autovec.frontend.expressions import as_expr, load, lower, operate, take
from autovec.frontend.scope import Scope
from autovec.frontend.values import Computed, Masked, Static, Value
from autovec.ir.affine import Affine
from autovec.ir.nodes import Apply, Call, Cast, Const, Expr
from autovec.ir.types import BOOL, FLOAT, INT, ArrayType, rank

NEUTRAL = {"sum": 0, "mean": 0, "prod": 1, "any": 0, "all": 1}


def count(scope: Scope, value: Masked, node: ast.AST) -> Value:
    """How many elements the mask picks (along its own axes)."""
    known = calls.call(np.count_nonzero, [value.mask], {}, scope.span(node))
    if known is None:
        raise scope.blocked(node, Code.DYNAMIC_SHAPE, "the length of a masked array")
    return Computed(Cast(take(scope, known, node), INT))


def reduced(
    scope: Scope, node: ast.Call, name: str, value: Masked, words: Sequence[ast.keyword], args: Sequence[ast.expr]
) -> Value:
    """A reduction over all picked elements, or along the axis that the mask makes one."""
    function = getattr(np, name, None)
    if (
        function is None
        or name not in (*NEUTRAL, "min", "max")
        or [w.arg for w in words] not in ([], ["axis"])
        or len(args) > 1
    ):
        raise refused(scope, node)
    axis = Static(None) if not words and not args else lower(scope, words[0].value if words else args[0])
    if not isinstance(axis, Static) or axis.value not in (None, 0):
        raise refused(scope, node)
    array = load(scope, value.view, node)
    number = as_expr(scope, count(scope, value, node), node)
    if name in ("mean", "min", "max"):
        scope.fault(Apply("less", (number, Const(1, INT)), BOOL), "a reduction of nothing", scope.span(node))
    kind = array.type.dtype.kind
    if name in ("min", "max") and kind not in "fiu":
        raise refused(scope, node)
    filled = call(
        scope,
        np.where,
        [
            spread(value.mask, rank(array.type)),
            array,
            Const(neutral(name, array), FLOAT if kind == "f" and name in ("min", "max") else INT),
        ],
        node,
    )
    over = axis.value if rank(value.mask.type) == 1 else None
    axes: dict[str, object] = {} if over is None else {"axis": over}
    if name != "mean":
        return Computed(call(scope, function, [filled], node, axes))
    total = Computed(call(scope, np.sum, [filled], node, axes))
    rest = 1 if over is not None else None
    size: Value = Computed(number)
    if rest is None:
        for extent in array.type.shape[rank(value.mask.type) :]:
            size = operate(scope, node, "Mult", size, Computed(calls.size_expr(extent)))
    return operate(scope, node, "Div", total, size)


def neutral(name: str, array: Expr) -> int | float:
    if name in NEUTRAL:
        return NEUTRAL[name]
    if array.type.dtype.kind == "f":
        return float("inf") if name == "min" else float("-inf")
    limits = np.iinfo(array.type.dtype)
    return int(limits.max if name == "min" else limits.min)


def spread(mask: Expr, axes: int) -> Expr:
    """The mask with an axis of one for each axis of the array that it doesn't have."""
    own = rank(mask.type)
    if own == axes:
        return mask
    new = tuple(range(own, axes))
    kind = ArrayType(mask.type.dtype, (*mask.type.shape, *(Affine.number(1) for _ in new)))
    return Call("expand_dims", (mask,), (("axis", new),), kind)


def call(
    scope: Scope, function: object, args: list[object], node: ast.AST, words: dict[str, object] | None = None
) -> Expr:
    made = calls.call(function, args, words or {}, scope.span(node))
    if made is None:
        raise refused(scope, node)
    return take(scope, made, node)


def refused(scope: Scope, node: ast.AST) -> Exception:
    return scope.blocked(
        node,
        Code.DYNAMIC_SHAPE,
        "a boolean mask as a subscript (the size of the result depends on the data)",
        "use np.where(mask, values, otherwise), or a loop that counts",
    )
