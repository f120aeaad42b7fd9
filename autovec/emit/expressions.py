"""IR expressions -> values with named axes.

The axes of a statement are the loops it is done for at once; a loop that runs is a scalar in the emitted code.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import assert_never

from autovec.analysis.statements import Leaf
from autovec.diagnostics import Blocked, Code
from autovec.emit import operations
from autovec.emit.operations.nodes import binop, call, literal, name
from autovec.emit.products import PRODUCTS, batched_product
from autovec.emit.state import State, loop_of
from autovec.emit.values import Value, expand, named
from autovec.ir.affine import Affine
from autovec.ir.conditions import affine_form, conjuncts
from autovec.ir.nodes import Apply, Call, Cast, Const, Expr, Load, Ref, Select
from autovec.ir.types import INT, ArrayType, rank
from autovec.plan.boxes import Box, Condition


@dataclass(frozen=True, slots=True)
class Here:
    """A statement being emitted: its leaf and the axes it is done for."""

    leaf: Leaf
    axes: tuple[str, ...]

    def order(self, state: State, found: set[str]) -> tuple[str, ...]:
        """These axes in the order of the loops."""
        inside = [a for a in self.axes if a in found]
        return (*(a for a in sorted(found) if a not in self.axes), *inside)


def evaluate(state: State, here: Here, expr: Expr) -> Value:
    match expr:
        case Const(value=value, type=kind):
            return Value(operations.constant(value, kind), (), 0, kind, literal=True)
        case Ref():
            return reference(state, here, expr)
        case Load():
            from autovec.emit.accesses import load

            return load(state, here, expr)
        case Apply(op=op, args=args, type=kind):
            form = affine_form(expr, {})
            if form is not None and expr.type == INT and len(form.terms) + bool(form.constant) < 4:
                return affine_value(state, here, form)
            values = operands(state, here, expr, args)
            axes, own, nodes = aligned(state, here, values)
            made = operations.apply(op, nodes, kind, [a.type for a in args])
            return Value(made, axes, own, kind, literal=all(v.literal for v in values))
        case Cast(arg=arg, type=kind):
            value = evaluate(state, here, arg)
            if arg.type.dtype == kind.dtype:
                return replace(value, type=kind)
            return Value(
                operations.cast(value.node, arg.type, kind), value.axes, value.rank, kind, literal=value.literal
            )
        case Select(condition=condition, yes=yes, no=no, type=kind):
            values = branches(state, here, condition, yes, no)
            axes, own, nodes = aligned(state, here, values)
            return Value(operations.select(nodes[0], nodes[1], nodes[2], kind), axes, own, kind)
        case Call():
            return function_call(state, here, expr)
        case _:
            assert_never(expr)


def operands(state: State, here: Here, expr: Apply | Call, args: Sequence[Expr]) -> list[Value]:
    """The operands, safe outside the masks that will select the value; those of a condition have no derivative."""
    from autovec.emit.safe_operands import safe_operands, selecting_nothing

    if state.selected and expr.type.dtype.kind not in "fc":
        with selecting_nothing(state):
            return [evaluate(state, here, a) for a in args]
    return safe_operands(state, here, expr, [evaluate(state, here, a) for a in args])


def branches(state: State, here: Here, condition: Expr, yes: Expr, no: Expr) -> list[Value]:
    """The operands of `yes if condition else no`, each branch selected by the condition or its contrary."""
    from autovec.emit.safe_operands import has_partial, printed_again, selecting, selecting_nothing

    with selecting_nothing(state):
        test = evaluate(state, here, condition)
    if test.literal or not (has_partial(yes) or has_partial(no)):
        return [test, evaluate(state, here, yes), evaluate(state, here, no)]
    test = printed_again(state, test)
    with selecting(state, [test]):
        chosen = evaluate(state, here, yes)
    contrary = replace(test, base=operations.apply("logical_not", [test.node], test.type, [test.type]), items=())
    with selecting(state, [contrary]):
        return [test, chosen, evaluate(state, here, no)]


def aligned(state: State, here: Here, values: Sequence[Value]) -> tuple[tuple[str, ...], int, list[ast.expr]]:
    """The operands of an elementwise operation over the union of their axes."""
    axes = natural_order(here.order(state, {a for v in values for a in v.axes}), values)
    own = max((v.rank for v in values), default=0)
    return axes, own, [expand(v, axes, own) for v in values]


def natural_order(axes: tuple[str, ...], values: Sequence[Value]) -> tuple[str, ...]:
    """The order in which the largest operand has its axes, if it has them all: it isn't transposed then."""
    for v in values:
        if set(v.axes) == set(axes):
            return v.axes
    return axes


def function_call(state: State, here: Here, expr: Call) -> Value:
    values = operands(state, here, expr, expr.args)
    axes = here.order(state, {a for v in values for a in v.axes})
    if axes and expr.function in PRODUCTS:
        product = batched_product(values[0], values[1], axes, expr.type)
        if product is not None:
            return product
    nodes = [expand(v, axes, v.rank) if v.axes else v.node for v in values]
    for k, v in enumerate(values):  # a batched operand has all the batch axes
        if v.axes and set(v.axes) != set(axes):
            nodes[k] = broadcast(state, here, v, axes)
    made = operations.call(
        expr.function,
        nodes,
        [a.type for a in expr.args],
        dict(expr.statics),
        expr.type,
        [bool(v.axes) for v in values],
        len(axes),
        size=state.size,
    )
    if made is None:
        raise Blocked(Code.UNSUPPORTED_EXPRESSION, expr.span, f"the function {expr.function} in a loop")
    return Value(made, axes, rank(expr.type), expr.type)


def broadcast(state: State, here: Here, value: Value, axes: Sequence[str], shape: Sequence[Affine] = ()) -> ast.expr:
    """The value with all these axes at full size."""
    extents = [axis_extent(state, here, a) for a in axes]
    own = [state.size(s) for s in (value.type.shape if isinstance(value.type, ArrayType) else shape)]
    return call("jnp.broadcast_to", expand(value, axes, value.rank), ast.Tuple([*extents, *own], ast.Load()))


def axis_box(state: State, here: Here, axis: str) -> Box:
    loop, around = loop_of(here.leaf, axis)
    box = state.boxes.box(loop, around)
    assert box is not None
    return box


def axis_extent(state: State, here: Here, axis: str) -> ast.expr:
    return extent_of(state, axis_box(state, here, axis))


def extent_of(state: State, box: Box) -> ast.expr:
    if not state.require(box.extent):
        raise Degenerate
    if abs(box.step) == 1:
        return state.size(box.extent)
    node = state.size(box.extent)
    return ast.UnaryOp(ast.USub(), binop(ast.UnaryOp(ast.USub(), node), "//", literal(abs(box.step))))


class Degenerate(Exception):
    """A box that is empty at this call's sizes, or an index outside its array: the sequential plan is for those."""


# ---------------------------------------------------------------- names


def reference(state: State, here: Here, expr: Ref) -> Value:
    if expr.name in state.collapsed:
        return state.collapsed[expr.name]
    if expr.name in here.axes:
        return axis_index(state, here, expr.name)
    if expr.name in state.running:
        return Value(state.running[expr.name], (), 0, expr.type)
    if expr.name in state.defined:
        return localised(state, here, state.defined[expr.name])
    if expr.name in state.cells:
        from autovec.emit.accesses import settled

        return localised(state, here, settled(state, expr.name))
    if expr.name in state.boxes.values:
        return Value(state.size_text(Affine.name(expr.name)), (), 0, expr.type, literal=True)
    return named(expr.name, (), rank(expr.type), expr.type)


def localised(state: State, here: Here, value: Value) -> Value:
    """A value made for all iterations of a loop that now runs: its element for this iteration."""
    if not any(a in state.running or a in state.collapsed for a in value.axes):
        return value
    items: list[ast.expr] = []
    axes: list[str] = []
    for a in value.axes:
        if a in state.running:
            items.append(position(state, here, a))
        elif a in state.collapsed:
            index = state.collapsed[a]
            items.append(index.node)
            axes += [x for x in index.axes if x not in axes]
        else:
            items.append(ast.Slice(None, None, None))
            axes.append(a)
    return Value(value.node, tuple(axes), value.rank, value.type, tuple(items))


def position(state: State, here: Here, axis: str) -> ast.expr:
    """Where the running variable stands in the box of its loop, counted from zero."""
    box = axis_box(state, here, axis)
    if not state.require(box.extent - 1):
        raise Degenerate  # nothing is held: JAX lets no loop index it, though none of its iterations comes
    variable = state.running[axis]
    if box.step == 1 and box.first == Affine.number(0):
        return variable
    moved = binop(variable, "-", state.size_text(box.first)) if box.first != Affine.number(0) else variable
    if box.step == 1:
        return moved
    return binop(moved, "//", literal(box.step))


def axis_index(state: State, here: Here, axis: str) -> Value:
    """The values of a loop variable along its axis: `i = jnp.arange(n)`, written once a block."""
    if axis not in state.aranges:
        box = axis_box(state, here, axis)
        extent_of(state, box)
        bounds = [state.size(box.first), state.size(box.last)]
        if box.first == Affine.number(0) and box.step == 1:
            bounds = bounds[1:]
        elif box.step != 1:
            bounds.append(literal(box.step))
        target = state.names.temporary(state.names.hints.get(axis, axis))
        state.assign(target, call("jnp.arange", *bounds))
        state.aranges[axis] = target
    return named(state.aranges[axis], (axis,), 0, INT)


def affine_value(state: State, here: Here, form: Affine) -> Value:
    """`i + 1`, `n - i`: the terms in a readable order."""
    variables = [n for n, _ in form.terms if n not in state.boxes.values]
    if not variables:
        return Value(state.size_text(form), (), 0, INT, literal=True)
    parts = {n: evaluate(state, here, Ref(n, INT)) for n, _ in form.terms}
    axes, _, nodes = aligned(state, here, list(parts.values()))
    by_name = dict(zip(parts, nodes, strict=True))
    result: ast.expr | None = None
    for term, factor in sorted(form.terms, key=lambda t: (t[1] < 0, t[0] not in state.boxes.values)):
        node = by_name[term]
        if abs(factor) != 1:
            node = binop(literal(abs(factor)), "*", node)
        if result is None:
            result = node if factor > 0 else ast.UnaryOp(ast.USub(), node)
        else:
            result = binop(result, "+" if factor > 0 else "-", node)
    assert result is not None
    if form.constant:
        result = binop(result, "+" if form.constant > 0 else "-", literal(abs(form.constant)))
    return Value(result, axes, 0, INT)


# ---------------------------------------------------------------- conditions


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
    from autovec.ir.types import BOOL

    return Value(binop(nodes[0], SYMBOLS[op], nodes[1]), axes, 0, BOOL)


def mask_of(state: State, here: Here, guard: Expr | None, target: str = "") -> list[Value]:
    """The conditions under which an iteration of the boxes is one of the statement's.

    Those of loops that the target cell is private to don't matter: what it holds for no iteration is never read.
    """
    found: list[Value] = []
    private = state.program.depth_of.get(target, 0)
    for k, loop in enumerate(here.leaf.loops):
        from autovec.ir.nodes import For

        if not isinstance(loop, For) or loop.variable in state.exact:
            continue
        if k < private and loop.variable in here.axes:
            continue
        for condition in state.boxes.conditions(loop, here.leaf.loops[:k], frozenset()):
            found.append(condition_value(state, here, condition))
    for part in conjuncts(guard):
        if is_pin(state, part):
            continue
        found.append(evaluate(state, here, part))
    return found


def is_pin(state: State, part: Expr) -> bool:
    """Is it the condition that leaves a pinned loop its one iteration?"""
    match part:
        case Apply(op="equal", args=(Ref(name=name), value)) if name in state.pinned:
            return affine_form(value, state.program.affine) == state.pinned[name]
        case _:
            return False


def all_of(state: State, here: Here, masks: Sequence[Value]) -> Value | None:
    if not masks:
        return None
    axes, own, nodes = aligned(state, here, masks)
    node = nodes[0]
    for other in nodes[1:]:
        node = binop(node, "&", other)
    return Value(node, axes, own, masks[0].type)


__all__ = ["name"]
