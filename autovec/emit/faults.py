"""Flags: a fault voids the call (the original runs), a failed speculation asks for the sequential lowering."""

from __future__ import annotations

import ast
from collections.abc import Callable

from autovec.analysis.statements import Leaf
from autovec.emit.axes import Here, all_of
from autovec.emit.expressions import evaluate
from autovec.emit.masks import mask_of
from autovec.emit.operations.nodes import binop, call, name
from autovec.emit.state import State
from autovec.emit.values import Value, expand
from autovec.ir.nodes import Fault, While
from autovec.plan.nodes import Together


def is_looked_for(state: State, leaf: Leaf) -> bool:
    """In the differentiable program, which nobody asks for its flags, only what ends a loop is."""
    if any(isinstance(nest, While) for nest in leaf.loops):
        return True
    state.differs.append(True)
    return not state.differentiable


def fault(state: State, node: Together) -> None:
    """Raise the fault if its condition holds in any iteration."""
    statement = node.leaf.statement
    assert isinstance(statement, Fault)
    here = Here(node.leaf, tuple(loop.variable for loop in node.axes))
    condition = evaluate(state, here, statement.condition)
    masks = mask_of(state, here, node.leaf.guard)
    if condition.literal and isinstance(condition.node, ast.Constant):
        if not condition.node.value:
            return
        whole = all_of(state, here, masks)
    else:
        whole = all_of(state, here, [*masks, condition])
    if whole is None:
        raise_flag(state, "fault", ast.Constant(True))
        return
    test = expand(whole, whole.axes, whole.rank)
    raise_flag(state, "fault", call("jnp.any", test) if whole.axes or whole.rank else test)


def raise_flag(state: State, flag: str, condition: ast.expr) -> None:
    """The flag is up from here on if it was, or if the condition holds."""
    current = state.flags.get(flag)
    if current is not None:
        condition = binop(current, "|", condition)
    target = state.flag_names.setdefault(flag, state.names.fresh(flag))
    state.assign(target, condition)
    state.flags[flag] = name(target)


def speculated(state: State, hint: str, value: Value, holds: Callable[[ast.expr], ast.expr]) -> Value:
    """The value under a name; where what is asked of it doesn't hold the sequential lowering runs instead."""
    target = state.names.temporary(hint)
    state.assign(target, value.node)
    named = Value(name(target), value.axes, value.rank, value.type)
    raise_flag(state, "retry", ast.UnaryOp(ast.Invert(), holds(named.node)))
    return named
