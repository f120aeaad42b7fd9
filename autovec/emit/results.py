"""What the program returns, and how the runtime rebuilds the person's value from it."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import replace

from autovec.analysis.statements import Leaf
from autovec.diagnostics import Blocked, Code, Span
from autovec.emit.accesses import settled
from autovec.emit.expressions import Here, evaluate
from autovec.emit.operations.nodes import call, literal, name
from autovec.emit.program import ArgumentOut, ArrayOut, ConstantOut, ListOut, Out, ScalarOut, TupleOut
from autovec.emit.state import State
from autovec.ir.conditions import affine_form
from autovec.ir.nodes import (
    ArgumentResult,
    CellResult,
    ConstantResult,
    Def,
    ListResult,
    Point,
    Range,
    Result,
    TupleResult,
    Unit,
    ValueResult,
)
from autovec.ir.types import ArrayType, ScalarType

NOWHERE = Span("", 0)


def outputs(state: State, unit: Unit) -> tuple[ast.expr, Out, Mapping[str, ast.expr]]:
    value, out = result(state, unit.result)
    writes = {n: settled(state, n).node for n in unit.written}
    return value, out, writes


def top() -> Here:
    from autovec.ir.nodes import Const
    from autovec.ir.types import INT

    return Here(Leaf(-1, Def("", Const(0, INT), NOWHERE), (), (), None), ())


def result(state: State, item: Result) -> tuple[ast.expr, Out]:
    match item:
        case ConstantResult(value=value):
            return literal(None), ConstantOut(value)
        case TupleResult(items=items, constructor=constructor):
            pairs = [result(state, i) for i in items]
            return ast.Tuple([n for n, _ in pairs], ast.Load()), TupleOut(tuple(o for _, o in pairs), constructor)
        case ValueResult(expr=expr, kinds=kinds, tag=tag):
            value = evaluate(state, top(), expr)
            node = strong(state, value.node, value.literal, expr.type)
            if isinstance(expr.type, ArrayType):
                return node, ArrayOut()
            out = ScalarOut(tuple(kinds))  # type: ignore[arg-type]
            if tag is None:
                return node, out
            which = evaluate(state, top(), tag)
            return ast.Tuple([node, strong(state, which.node, which.literal, tag.type)], ast.Load()), out
        case CellResult(cell=cell):
            return settled(state, cell).node, ArrayOut()
        case ListResult():
            return list_result(state, item)
        case ArgumentResult(name=argument, index=index):
            node = settled(state, argument).node
            if index is None:
                return node, ArgumentOut(argument)
            return literal(None), ArgumentOut(argument, plain_index(state, index))


def strong(state: State, node: ast.expr, is_literal: bool, kind: object) -> ast.expr:
    """A constant result as an array of its dtype."""
    if not is_literal:
        return node
    from autovec.emit.operations.casts import dtype_name

    return call("jnp.asarray", node, dtype=dtype_name(kind.dtype))  # type: ignore[attr-defined]


def list_result(state: State, item: ListResult) -> tuple[ast.expr, Out]:
    if item.cell not in state.cells:
        raise Blocked(Code.DYNAMIC_SHAPE, None, "a list whose length depends on the data")
    value = settled(state, item.cell)
    if value.rank < 0:
        return literal(None), ConstantOut([])
    inner: ArrayOut | ScalarOut | ListOut
    if isinstance(item.element, ScalarType):
        inner = ScalarOut(tuple(sorted(item.element.kinds, key=str)))
        depth = len(item.shape) or 1
    else:
        inner = ArrayOut()
        depth = max(1, len(item.shape) - len(item.element.shape))
    for _ in range(depth - 1):
        inner = ListOut(inner)
    node = value.node
    if item.tags:
        node = ast.Tuple([node, settled(state, item.tags).node], ast.Load())
    count = state.counts.get(item.cell)
    if count is not None:
        return ast.Tuple([node, count], ast.Load()), ListOut(inner, counted=True)
    return node, ListOut(inner)


def plain_index(state: State, index: tuple) -> tuple[int | slice, ...]:
    """A returned view of an argument as an index known before the call."""
    found: list[int | slice] = []
    for one in index:
        at = one.at if isinstance(one, Point) else one.start
        form = affine_form(at, state.program.affine)
        if form is None or not form.is_constant:
            raise Blocked(Code.UNSUPPORTED_STATEMENT, None, "a view of an argument returned", "return a copy of it")
        if isinstance(one, Point):
            found.append(form.constant)
            continue
        assert isinstance(one, Range)
        if not one.length.is_constant and not (form.constant == 0 and one.step == 1):
            raise Blocked(Code.UNSUPPORTED_STATEMENT, None, "a view of an argument returned", "return a copy of it")
        found.append(
            slice(None)
            if not one.length.is_constant
            else slice(form.constant, form.constant + one.length.constant * one.step, one.step)
        )
    return tuple(found)


__all__ = ["name", "replace"]
