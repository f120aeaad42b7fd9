"""IR expressions -> values with named axes.

The axes of a statement are the loops it is done for at once; a loop that runs is a scalar in the emitted code.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import assert_never

from autovec.diagnostics import Blocked, Code
from autovec.emit import operations
from autovec.emit.axes import Here, aligned, axis_index, broadcast, localised
from autovec.emit.cells import settled
from autovec.emit.products import PRODUCTS, batched_product
from autovec.emit.safe_operands import has_partial, printed_again, safe_operands, selecting, selecting_nothing
from autovec.emit.state import State
from autovec.emit.values import Value, expand, named, summed
from autovec.ir.affine import Affine
from autovec.ir.conditions import affine_form
from autovec.ir.nodes import Apply, Call, Cast, Const, Expr, Load, Ref, Select
from autovec.ir.types import INT, rank


def evaluate(state: State, here: Here, expr: Expr) -> Value:
    """The value of an expression over those of the statement's axes that it depends on."""
    match expr:
        case Const(value=value, type=kind):
            return Value(operations.constant(value, kind), (), 0, kind, literal=True)
        case Ref():
            return reference(state, here, expr)
        case Load():
            from autovec.emit.accesses import load  # subscripts are expressions: the two modules call each other

            return load(state, here, expr)
        case Apply(op=op, args=args, type=kind):
            form = affine_form(expr, {})
            if form is not None and expr.type == INT and len(form.terms) + bool(form.constant) < 4:
                return affine_value(state, here, form)
            values = operands(state, here, expr, args)
            axes, own, nodes = aligned(state, here, values)
            types, known = [a.type for a in args], all(v.literal for v in values)
            plain = list(nodes)
            nodes = operations.without_errors(op, plain, kind, types) if known else plain
            return Value(operations.apply(op, nodes, kind, types), axes, own, kind, literal=known and nodes == plain)
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
    if state.selected and expr.type.dtype.kind not in "fc":
        with selecting_nothing(state):
            return [evaluate(state, here, a) for a in args]
    return safe_operands(state, here, expr, [evaluate(state, here, a) for a in args])


def branches(state: State, here: Here, condition: Expr, yes: Expr, no: Expr) -> list[Value]:
    """The operands of `yes if condition else no`, each branch selected by the condition or its contrary."""
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


def function_call(state: State, here: Here, expr: Call) -> Value:
    """A function of whole arrays, for all iterations of the axes that its operands have."""
    values = operands(state, here, expr, expr.args)
    axes = here.order({a for v in values for a in v.axes})
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


# ---------------------------------------------------------------- names


def reference(state: State, here: Here, expr: Ref) -> Value:
    """A name of the IR: a loop variable, a value in single assignment, a cell, a size or a parameter."""
    if expr.name in state.collapsed:
        return state.collapsed[expr.name]
    if expr.name in here.axes:
        return axis_index(state, here, expr.name)
    if expr.name in state.running:
        return Value(state.running[expr.name], (), 0, expr.type)
    if expr.name in state.defined:
        return localised(state, here, state.defined[expr.name])
    if expr.name in state.cells:
        return localised(state, here, settled(state, expr.name))
    if expr.name in state.boxes.values:
        return Value(state.size_text(Affine.name(expr.name)), (), 0, expr.type, literal=True)
    return named(expr.name, (), rank(expr.type), expr.type)


def affine_value(state: State, here: Here, form: Affine) -> Value:
    """`i + 1`, `n - i`: the terms in a readable order."""
    variables = [n for n, _ in form.terms if n not in state.boxes.values]
    if not variables:
        return Value(state.size_text(form), (), 0, INT, literal=True)
    parts = {n: evaluate(state, here, Ref(n, INT)) for n, _ in form.terms}
    axes, _, nodes = aligned(state, here, list(parts.values()))
    by_name = dict(zip(parts, nodes, strict=True))
    terms = sorted(form.terms, key=lambda t: (t[1] < 0, t[0] not in state.boxes.values))
    return Value(summed(((by_name[term], factor) for term, factor in terms), form.constant), axes, 0, INT)
