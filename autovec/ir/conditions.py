"""Boolean and integer expressions as affine forms: conjunction, negation, what a condition implies."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from autovec.ir.affine import Affine
from autovec.ir.nodes import Apply, Cast, Const, Expr, Ref
from autovec.ir.types import BOOL, INT, ArrayType


def conjunction(left: Expr | None, right: Expr) -> Expr:
    """Both; a guard of None asks for nothing."""
    if left is None:
        return right
    return Apply("logical_and", (left, right), BOOL)


def negation(condition: Expr) -> Expr:
    """The opposite; comparisons of integers are turned round, so that they stay affine."""
    if isinstance(condition, Apply) and all(a.type.dtype.kind in "iub" for a in condition.args):
        opposite = {
            "less": "greater_equal",
            "less_equal": "greater",
            "greater": "less_equal",
            "greater_equal": "less",
            "equal": "not_equal",
            "not_equal": "equal",
        }.get(condition.op)
        if opposite is not None:
            return Apply(opposite, condition.args, condition.type)
    if isinstance(condition, Apply) and condition.op == "logical_not":
        return condition.args[0]
    return Apply("logical_not", (condition,), BOOL)


def affine_form(expr: Expr, known: Mapping[str, Affine]) -> Affine | None:
    """The expression as an affine form over names in single assignment, or None."""
    if isinstance(expr.type, ArrayType) or expr.type.dtype.kind not in "iub":
        return None
    match expr:
        case Const(value=int() | bool() as value):
            return Affine.number(int(value))
        case Ref(name=name):
            # a narrower one is printed as it is: its form would lose the cast
            return known.get(name, Affine.name(name)) if expr.type.dtype == np.dtype(np.int64) else None
        case Cast(arg=arg) if arg.type.dtype.kind in "iu" and np.can_cast(arg.type.dtype, expr.type.dtype):
            return affine_form(arg, known)
        case Apply(op="negative", args=(arg,)):
            form = affine_form(arg, known)
            return None if form is None else -form
        case Apply(op="add" | "subtract" | "multiply" as op, args=(left, right)) if expr.type == INT:
            a, b = affine_form(left, known), affine_form(right, known)
            if a is None or b is None:
                return None
            if op == "add":
                return a + b
            if op == "subtract":
                return a - b
            if a.is_constant:
                return b * a.constant
            return a * b.constant if b.is_constant else None
        case _:
            return None


def conditions_of(condition: Expr, known: Mapping[str, Affine]) -> tuple[Affine, ...]:
    """Forms that are all >= 0 where the condition holds: what of it is affine."""
    if not isinstance(condition, Apply):
        return ()
    if condition.op == "logical_and":
        return tuple(c for arg in condition.args for c in conditions_of(arg, known))
    if len(condition.args) != 2:
        return ()
    left, right = (affine_form(a, known) for a in condition.args)
    if left is None or right is None:
        return ()
    match condition.op:
        case "less":
            return (right - left - 1,)
        case "less_equal":
            return (right - left,)
        case "greater":
            return (left - right - 1,)
        case "greater_equal":
            return (left - right,)
        case "equal":
            return (left - right, right - left)
        case _:
            return ()


def conjuncts(guard: Expr | None) -> list[Expr]:
    """The conditions that a guard asks for together."""
    if guard is None:
        return []
    if isinstance(guard, Apply) and guard.op == "logical_and":
        return [c for arg in guard.args for c in conjuncts(arg)]
    return [guard]
