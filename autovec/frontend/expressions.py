"""Python expressions -> IR expressions.

Short circuits are kept: what the original would not evaluate is evaluated under a guard, so that it can't fault.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeGuard

import numpy as np

from autovec.diagnostics import Code
from autovec.frontend import calls, sharing, tags
from autovec.frontend.calls.lowered import TOO_SMALL
from autovec.frontend.scope import Scope, negation
from autovec.frontend.values import (
    Closure,
    Computed,
    DictValue,
    Elements,
    GrownArray,
    ListArray,
    ListCell,
    Masked,
    MaybeUnbound,
    Packed,
    Static,
    TupleList,
    TupleValue,
    Value,
    Variable,
    View,
)
from autovec.frontend.wording import in_words
from autovec.ir.nodes import Apply, Call, Cast, Const, Expr, Load, Ref, Select
from autovec.ir.types import BOOL, COMPLEX, FLOAT, INT, ArrayType, numpy_scalar
from autovec.ir.walk import loads


def lower(scope: Scope, node: ast.expr) -> Value:
    """The value of an expression; what must happen first is written to the scope."""
    from autovec.frontend import attributes, comprehensions, inlining, invoke, operators, subscripts, truth

    match node:
        case ast.Constant(value=value):
            return Static(value)
        case ast.Name():
            return name(scope, node)
        case ast.Tuple(elts=items) | ast.List(elts=items):
            if any(isinstance(item, ast.Starred) for item in items):
                raise scope.blocked(node, Code.UNSUPPORTED_EXPRESSION, "a starred item")
            constructor = tuple if isinstance(node, ast.Tuple) else list
            return TupleValue(tuple(settled(scope, item) for item in items), constructor)
        case ast.Dict(keys=keys, values=items):
            named = [lower(scope, k) if k is not None else None for k in keys]
            if not all(isinstance(k, Static) and type(k.value) in (str, int) for k in named):
                raise scope.blocked(node, Code.UNSUPPORTED_EXPRESSION, "a dict whose keys aren't constants")
            known = [k.value for k in named if isinstance(k, Static)]
            return DictValue(dict(zip(known, [settled(scope, v) for v in items], strict=True)))
        case ast.BinOp(left=left, op=op, right=right):
            return operators.binary(scope, node, left, op, right)
        case ast.UnaryOp(op=op, operand=operand):
            return operators.unary(scope, node, op, operand)
        case ast.Compare():
            return truth.compare(scope, node)
        case ast.BoolOp():
            return truth.boolean(scope, node)
        case ast.IfExp():
            return ternary(scope, node)
        case ast.NamedExpr(target=target, value=value):
            from autovec.frontend import assignment

            result = lower(scope, value)
            assignment.bind(scope, target, result, value)
            return name(scope, ast.copy_location(ast.Name(target.id, ast.Load()), node))
        case ast.Call():
            return invoke.call(scope, node)
        case ast.Attribute():
            return attributes.attribute(scope, node)
        case ast.Subscript():
            return subscripts.read(scope, node)
        case ast.ListComp():
            return comprehensions.as_list(scope, node)
        case ast.Lambda():
            return Closure(node, scope.levels_now(), scope.home, inlining.defaults(scope, node))
        case _:
            raise scope.blocked(node, Code.UNSUPPORTED_EXPRESSION, in_words(node))


def settled(scope: Scope, node: ast.expr) -> Value:
    """The value as it is now: later stores don't change it."""
    value = lower(scope, node)
    if may_change(value) or (isinstance(value, Computed) and not isinstance(value.type, ArrayType)):
        return held(scope, value, "held", node)
    if isinstance(value, TupleValue) and value.constructor is not list:  # such as the results of one call
        return replace(value, items=tuple(held(scope, i, "held", node) if may_change(i) else i for i in value.items))
    return value


def may_change(value: Value) -> TypeGuard[Computed | Variable]:
    """Does it read what a later store may write?"""
    return isinstance(value, Variable) or (isinstance(value, Computed) and reads_memory(value.expr))


def held(scope: Scope, value: Computed | Variable, hint: str, node: ast.expr) -> Computed:
    """A value, and which kind it is, under names of their own."""
    span, tag = scope.span(node), tags.tag_of(scope, value)
    expr = scope.define(hint, as_expr(scope, value, node), span)
    if tag is not None:
        tag = scope.define(f"{hint}_kind", tag, span)
    return Computed(expr, tag, value.shares if isinstance(value, Computed) else "")


def reads_memory(expr: Expr) -> bool:
    """May a later store change the value?"""
    return any(True for _ in loads(expr))


def expression(scope: Scope, node: ast.expr) -> Expr:
    """The value of an expression as IR."""
    return as_expr(scope, lower(scope, node), node)


def as_expr(scope: Scope, value: Value, node: ast.AST) -> Expr:
    match value:
        case MaybeUnbound(value=held, bound=bound, none=True):
            scope.fault(negation(bound), "None used as a number", scope.span(node))
            return as_expr(scope, held, node)
        case Computed(expr=expr):
            return expr
        case Variable(cell=cell, type=type_):
            return scope.load(cell, type_)
        case View():
            return load(scope, value, node)
        case Static(value=constant):
            return constant_expr(scope, constant, node)
        case ListArray():
            from autovec.frontend import sequences

            return sequences.as_array(scope, value, node)
        case TupleValue():
            return stacked(scope, value, node)
        case Packed(items=items):
            from autovec.frontend import buffers

            buffers.wanted(scope, items)
            raise scope.blocked(node, Code.DYNAMIC_SHAPE, "an array whose length depends on the data")
        case Masked():
            from autovec.frontend import masked

            raise masked.refused(scope, node)
        case Elements():
            raise scope.blocked(
                node,
                Code.DYNAMIC_SHAPE,
                "a slice whose length changes from one iteration to the next",
                "write the loop over its elements, or use a fixed length",
            )
        case _:
            raise scope.blocked(node, Code.UNSUPPORTED_EXPRESSION, "this value used as a number or an array")


def load(scope: Scope, view: View, node: ast.AST) -> Expr:
    if view.order is None:
        return Load(view.cell, view.index, view.type, scope.span(node))
    back = [view.order.index(k) for k in range(len(view.order))]
    stored = ArrayType(view.type.dtype, tuple(view.type.shape[k] for k in back))
    whole = Load(view.cell, view.index, stored, scope.span(node))
    return Call("transpose", (whole,), (("axes", view.order),), view.type)


def constant_expr(scope: Scope, value: object, node: ast.AST) -> Expr:
    match value:
        case bool():
            return Const(value, BOOL)
        case int() if type(value) is int:
            if not -(2**63) <= value < 2**63:
                raise scope.blocked(node, Code.UNBOUNDED_INT, f"the integer {value} needs more than 64 bits")
            return Const(value, INT)
        case float() if type(value) is float:
            return Const(value, FLOAT)
        case complex() if type(value) is complex:
            return Const(value, COMPLEX)
        case np.generic() if value.dtype.kind in "biufc":
            plain = constant_expr(scope, value.item(), node)
            return Cast(plain, numpy_scalar(value.dtype))
        case _:
            kind = type(value).__name__
            raise scope.blocked(
                node, Code.UNSUPPORTED_EXPRESSION, f"a value of type {kind} used as a number or an array"
            )


def stacked(scope: Scope, value: TupleValue, node: ast.AST) -> Expr:
    """`(a, b)` or `[a, b]` where NumPy makes an array of it."""
    items = tuple(as_expr(scope, item, node) for item in value.items)
    if not items:
        raise scope.blocked(node, Code.UNSUPPORTED_EXPRESSION, "an array of nothing")
    lowered = calls.call(np.array, [items], {}, scope.span(node))
    if lowered is None or not isinstance(lowered.value, Const | Call | Apply | Cast | Select | Load):
        raise scope.blocked(node, Code.UNSUPPORTED_EXPRESSION, "a sequence used as an array")
    return lowered.value


def write_faults(scope: Scope, lowered: calls.Lowered, node: ast.AST) -> None:
    """What an operation may raise. Of sizes of the call nothing is asked in the program: later calls are, before it."""
    for condition, reason in lowered.faults:
        if reason != TOO_SMALL or not is_large_enough(scope, condition):
            scope.fault(condition, reason, scope.span(node))


def is_large_enough(scope: Scope, condition: Expr) -> bool:
    """Is the condition `size < least` false at this call, and known before a later one?"""
    from autovec.frontend import ranges

    match condition:
        case Apply(op="less", args=(size, Const(value=int(least)))):
            form = scope.affine(size)
            return form is not None and form.names <= set(scope.ledger.values) and ranges.require(scope, form - least)
        case _:
            return False


def take(scope: Scope, lowered: calls.Lowered, node: ast.AST) -> Expr:
    """The value of a lowered operation; its faults are written to the scope."""
    write_faults(scope, lowered, node)
    if not isinstance(lowered.value, Const | Ref | Load | Apply | Cast | Select | Call):
        raise scope.blocked(node, Code.UNSUPPORTED_EXPRESSION, "a result of several parts used as one")
    return lowered.value


# ---------------------------------------------------------------- names


def name(scope: Scope, node: ast.Name) -> Value:
    value = scope.env.get(node.id)
    if value is None:
        if node.id in scope.home.code.co_varnames:
            raise scope.blocked(node, Code.UNKNOWN_NAME, f"the local name {node.id!r} may not be bound here")
        return scope.outside(node)
    if isinstance(value, MaybeUnbound):
        if isinstance(value.bound, Const):
            raise scope.blocked(
                node, Code.UNSTABLE_TYPE, f"the name {node.id!r}, which is of several kinds, by the data"
            )
        scope.fault(negation(value.bound), f"{node.id} may not be bound", scope.span(node))
        return value.value
    if isinstance(value, GrownArray):
        from autovec.frontend import grown_arrays

        return grown_arrays.read(scope, value, node)
    return value


# ---------------------------------------------------------------- order


def may_write(node: ast.expr) -> bool:
    """May evaluating this change a cell (a call of a helper, a walrus)?"""
    return any(isinstance(n, ast.Call | ast.NamedExpr) for n in ast.walk(node))


def in_order(scope: Scope, nodes: Sequence[ast.expr], count: int | None = None) -> list[Value]:
    """The values of some expressions (of the first `count`), each as it was before the later ones are evaluated."""
    found: list[Value] = []
    for k, node in enumerate(nodes[:count]):
        value = lower(scope, node)
        if isinstance(value, Computed | Variable) and any(map(may_write, nodes[k + 1 :])):
            value = held(scope, value, "held", node)
        found.append(value)
    return found


# ---------------------------------------------------------------- one of two

SEQUENCES = (TupleValue, TupleList, ListArray, ListCell)


def ternary(scope: Scope, node: ast.IfExp) -> Value:
    from autovec.frontend import optional, truth

    test = truth.condition(scope, node.test)
    if isinstance(test, Const):
        return lower(scope, node.body if test.value else node.orelse)
    test = scope.define("condition", test, scope.span(node.test))
    with scope.under(test):
        yes = lower(scope, node.body)
    with scope.under(negation(test)):
        no = lower(scope, node.orelse)
    perhaps = optional.joined(scope, test, yes, no, node)
    return select(scope, test, yes, no, node) if perhaps is None else perhaps


def select(scope: Scope, test: Expr, yes: Value, no: Value, node: ast.AST) -> Value:
    """One of two values by a condition; a tag tells the kind where they differ."""
    if yes == no:
        return yes
    if isinstance(yes, TupleValue) and isinstance(no, TupleValue) and like(yes, no):
        pairs = zip(yes.items, no.items, strict=True)
        made = TupleValue(tuple(select(scope, test, a, b, node) for a, b in pairs), yes.constructor)
        scope.ledger.bindings[sharing.object_name(made)] = frozenset(map(sharing.object_name, (yes, no)))
        return made
    if isinstance(yes, SEQUENCES) or isinstance(no, SEQUENCES):
        raise scope.blocked(node, Code.UNSTABLE_TYPE, "one of two lists or tuples, by the data")
    a, b = as_expr(scope, yes, node), as_expr(scope, no, node)
    if isinstance(a.type, ArrayType) or isinstance(b.type, ArrayType):
        if a.type != b.type:
            raise scope.blocked(node, Code.UNSTABLE_TYPE, f"a value that is {a.type} or {b.type}, by the data")
        held = {v.cell for v in (yes, no) if isinstance(v, View)}
        if held & (scope.ledger.arguments | scope.ledger.stand_ins):
            from autovec.frontend import subscripts

            view = subscripts.new_cell(scope, "chosen", Select(test, a, b, a.type), node)
            scope.ledger.snapshots |= {view.cell, *held}
            scope.ledger.stand_ins.add(view.cell)
            return view
        shared = [sharing.cell_of(v) for v in (yes, no) if sharing.cell_of(v)]
        for cell in shared:
            sharing.viewed(scope, cell)
        return Computed(Select(test, a, b, a.type), shares=sharing.either(scope, shared))
    kinds = tags.joined(scope, a.type, b.type, node)
    with scope.under(test):
        first = tags.fitted(scope, a, kinds, node)
    with scope.under(negation(test)):
        second = tags.fitted(scope, b, kinds, node)
    tag: Expr | None = None
    if kinds.only is None:
        tag = Select(test, tags.tag_expr(scope, yes, a, kinds), tags.tag_expr(scope, no, b, kinds), INT)
    return Computed(Select(test, first, second, kinds), tag)


def like(a: TupleValue, b: TupleValue) -> bool:
    return len(a.items) == len(b.items) and a.constructor is b.constructor


def keywords(scope: Scope, node: ast.Call) -> Mapping[str, Value]:
    found: dict[str, Value] = {}
    for keyword in node.keywords:
        if keyword.arg is None:
            raise scope.blocked(node, Code.UNSUPPORTED_EXPRESSION, "a call with **keywords")
        found[keyword.arg] = lower(scope, keyword.value)
    return found
