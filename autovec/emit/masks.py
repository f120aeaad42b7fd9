"""Conditions as masks: which iterations of the boxes are the statement's own.

    for j in range(i + 1, n), j an axis from 0      -->    j > i
    if x[i] > 0, i an axis                          -->    x > 0

In: a statement with its axes and its guard. Out: masks with named axes, and expressions evaluated under them.
"""

from __future__ import annotations

from collections.abc import Sequence

from autovec.emit.axes import Here, aligned, all_of
from autovec.emit.expressions import affine_value, evaluate
from autovec.emit.operations.nodes import binop
from autovec.emit.safe_operands import has_partial, printed_again, selecting
from autovec.emit.state import State
from autovec.emit.values import Value
from autovec.ir.conditions import affine_form, conjunction, conjuncts
from autovec.ir.nodes import Apply, Expr, For, Ref
from autovec.ir.types import BOOL, INT
from autovec.plan.boxes import Condition

SYMBOLS = {"greater_equal": ">=", "less": "<", "less_equal": "<=", "greater": ">"}
# `j >= i + 1` is `j > i`, `j < i + 1` is `j <= i`
STRICT = {
    "greater_equal": ("greater", 1),
    "less_equal": ("less", -1),
    "less": ("less_equal", 1),
    "greater": ("greater_equal", -1),
}


def condition_value(state: State, here: Here, condition: Condition) -> Value:
    """A bound as a mask: `j > i` for a loop from `i + 1`."""
    bound, op = condition.bound, condition.op
    form = affine_form(bound, state.program.affine)
    if form is not None and op in STRICT and form.constant == STRICT[op][1]:
        op, form = STRICT[op][0], form - form.constant
    left = evaluate(state, here, Ref(condition.variable, INT))
    right = affine_value(state, here, form) if form is not None else evaluate(state, here, bound)
    axes, _, nodes = aligned(state, here, [left, right])
    return Value(binop(nodes[0], SYMBOLS[op], nodes[1]), axes, 0, BOOL)


def mask_of(state: State, here: Here, guard: Expr | None, target: str = "") -> list[Value]:
    """The conditions under which an iteration of the boxes is one of the statement's.

    Those of loops that the target cell is private to don't matter: what it holds for no iteration is never read.
    """
    found: list[Value] = []
    private = state.program.depth_of.get(target, 0)
    for k, loop in enumerate(here.leaf.loops):
        if not isinstance(loop, For) or loop.variable in state.exact:
            continue
        if k < private and loop.variable in here.axes:
            continue
        for condition in state.boxes.conditions(loop, here.leaf.loops[:k]):
            found.append(condition_value(state, here, condition))
    for part in conjuncts(guard):
        if is_pin(state, part) or part in state.holding:
            continue
        found.append(evaluate(state, here, part))
    return found


def left_to_ask(state: State, guard: Expr | None) -> Expr | None:
    """A guard without what is true in the whole block."""
    left: Expr | None = None
    for part in conjuncts(guard):
        if part not in state.holding:
            left = conjunction(left, part)
    return left


def is_pin(state: State, part: Expr) -> bool:
    """Is it the condition that leaves a pinned loop its one iteration?"""
    match part:
        case Apply(op="equal", args=(Ref(name=name), value)) if name in state.pinned:
            return affine_form(value, state.program.affine) == state.pinned[name]
        case _:
            return False


def evaluate_selected(state: State, here: Here, expr: Expr, masks: Sequence[Value]) -> tuple[Value, list[Value]]:
    """The expression where the masks hold, and the masks as the caller prints them."""
    if not masks or not has_partial(expr):
        return evaluate(state, here, expr), list(masks)
    mask = all_of(state, here, masks)
    assert mask is not None
    mask = printed_again(state, mask)
    with selecting(state, [mask]):
        return evaluate(state, here, expr), [mask]
