"""Sums, extremes and variances of what a mask picks, without an array of unknown length.

a[mask].mean(axis=0)      -->    sum(where(mask, a, 0), axis=0) / count      fault: no element

Sorted elements and medians stay NumPy's: XLA sorts ten times as slowly, and would sort what isn't picked too.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

import numpy as np

from autovec.frontend import calls
from autovec.frontend.expressions import as_expr, keywords
from autovec.frontend.masked import again, call, count, filled, refused
from autovec.frontend.operators import operate
from autovec.frontend.scope import Scope
from autovec.frontend.values import Computed, Masked, Static, Value
from autovec.ir.nodes import Apply, Const, Expr
from autovec.ir.types import BOOL, INT, rank

NEUTRAL = {"sum": 0, "mean": 0, "prod": 1, "any": 0, "all": 1}
SPREADS = ("var", "std")
NAMES = (*NEUTRAL, "min", "max", *SPREADS)


def by_function(scope: Scope, node: ast.Call, function: object, value: Masked, args: Sequence[Value]) -> Value | None:
    """`np.mean(a[mask])`; None for another function."""
    name = getattr(function, "__name__", "").removeprefix("a") if function in (np.amin, np.amax) else ""
    name = name or next((n for n in NAMES if function is getattr(np, n)), "")
    return reduced(scope, node, name, value, args, keywords(scope, node)) if name else None


def reduced(
    scope: Scope, node: ast.Call, name: str, value: Masked, args: Sequence[Value], words: Mapping[str, Value]
) -> Value:
    """A reduction over all picked elements, along the axis that the mask makes one, or along one behind it."""
    known = {**({"axis": args[0]} if args else {}), **words}
    statics = {k: v.value for k, v in known.items() if isinstance(v, Static)}
    if name not in NAMES or len(args) > 1 or len(statics) != len(known) or not {*known} <= {"axis", "ddof"}:
        raise refused(scope, node)
    axis, ddof = statics.get("axis"), statics.get("ddof", 0)
    if not isinstance(ddof, int) or ("ddof" in known and name not in SPREADS):
        raise refused(scope, node)
    axes, own = rank(value.values.type), rank(value.mask.type)
    if type(axis) is int and own == 1 and name in (*NEUTRAL, "min", "max"):
        axis = axis + axes if axis < 0 else axis
        if 0 < axis < axes:
            made = again(
                scope, Computed(call(scope, getattr(np, name), [value.values], node, {"axis": axis})), value.mask, node
            )
            if made is not None:
                return made
    if axis is not None and (axis != 0 or type(axis) is not int or own != 1):
        raise refused(scope, node)
    over: dict[str, object] = {} if axis is None else {"axis": 0}
    if name in SPREADS:
        return spread_of(scope, node, name, value, over, ddof)
    return of_all(scope, node, name, value, over)


def of_all(scope: Scope, node: ast.AST, name: str, value: Masked, over: Mapping[str, object]) -> Value:
    """A sum, a product, an extreme."""
    array = value.values
    kind = array.type.dtype
    extreme = name in ("min", "max")
    if (
        (extreme and kind.kind not in "fiu")
        or (extreme and kind == np.uint64)
        or (name == "mean" and kind == np.float16)
    ):
        raise refused(scope, node)
    number = at_least_one(scope, value, node) if name == "mean" or extreme else None
    whole = filled(scope, value, neutral(name, array), node)
    if number is None or extreme:
        return Computed(call(scope, getattr(np, name), [whole], node, over))
    total = Computed(call(scope, np.sum, [whole], node, over))
    return operate(scope, node, "Div", total, as_many(scope, value, number, over, node))


def at_least_one(scope: Scope, value: Masked, node: ast.AST, least: int = 1) -> Expr:
    """How many there are; too few are the original's warning or error."""
    number = as_expr(scope, count(scope, value, node), node)
    number = scope.define("number", number, scope.span(node))
    scope.fault(Apply("less", (number, Const(least, INT)), BOOL), "a reduction of nothing", scope.span(node))
    return number


def as_many(scope: Scope, value: Masked, number: Expr, over: Mapping[str, object], node: ast.AST) -> Value:
    """The number of elements that are put together: of rows, each has several."""
    size: Value = Computed(number)
    for extent in () if over else value.values.type.shape[rank(value.mask.type) :]:
        size = operate(scope, node, "Mult", size, Computed(calls.size_expr(extent)))
    return size


def neutral(name: str, array: Expr) -> int | float:
    if name in NEUTRAL:
        return NEUTRAL[name]
    if array.type.dtype.kind == "f":
        return float("inf") if name == "min" else float("-inf")
    limits = np.iinfo(array.type.dtype)
    return int(limits.max if name == "min" else limits.min)


def spread_of(scope: Scope, node: ast.AST, name: str, value: Masked, over: Mapping[str, object], ddof: int) -> Value:
    """`np.var`, `np.std`: from the differences to the mean, as NumPy has it."""
    kind = value.values.type.dtype
    # in a loop each round goes through all elements several times, and NumPy only through those that are picked
    if kind.kind not in "fiub" or kind == np.float16 or ddof < 0 or scope.loops:
        raise refused(scope, node)
    middle = of_all(scope, node, "mean", value, over)
    apart = again(scope, operate(scope, node, "Sub", Computed(value.values), middle), value.mask, node)
    if apart is None:
        raise refused(scope, node)
    squares = again(
        scope, operate(scope, node, "Mult", Computed(apart.values), Computed(apart.values)), value.mask, node
    )
    assert squares is not None
    total = of_all(scope, node, "sum", squares, over)
    number = at_least_one(scope, value, node, ddof + 1)
    size = operate(scope, node, "Sub", as_many(scope, value, number, over, node), Static(ddof))
    found = operate(scope, node, "Div", total, size)
    return found if name == "var" else Computed(call(scope, np.sqrt, [as_expr(scope, found, node)], node))
