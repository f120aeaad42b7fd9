"""What the program returns, and how the runtime rebuilds the person's value from it."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from autovec.analysis.statements import Leaf
from autovec.diagnostics import Blocked, Code, Span
from autovec.emit.axes import Here
from autovec.emit.cells import settled
from autovec.emit.expressions import evaluate
from autovec.emit.operations.casts import dtype_name
from autovec.emit.operations.nodes import call, literal
from autovec.emit.program import (
    ArgumentOut,
    ArrayOut,
    ConstantOut,
    ListOut,
    OptionalOut,
    Out,
    ScalarOut,
    Stretch,
    Told,
    TupleOut,
    UpdateOut,
    UpdatingOut,
)
from autovec.emit.state import State
from autovec.ir.affine import Affine
from autovec.ir.conditions import affine_form
from autovec.ir.nodes import (
    ArgumentResult,
    CellResult,
    Const,
    ConstantResult,
    Def,
    Gather,
    ListResult,
    OptionalResult,
    PassedResult,
    Point,
    PrefixResult,
    Result,
    Subscript,
    TupleResult,
    Unit,
    UpdatingResult,
    ValueResult,
)
from autovec.ir.types import BOOL, INT, ArrayType, ScalarType, Type

# after the last statement, in no loop
END = Here(Leaf(-1, Def("", Const(0, INT), Span("", 0)), (), (), None), ())


def outputs(state: State, unit: Unit) -> tuple[ast.expr, Out, Mapping[str, ast.expr]]:
    """The value, how it is rebuilt, and the final contents of the arguments that are written to."""
    value, out = result(state, unit.result)
    writes = {n: settled(state, n).node for n in unit.written}
    return value, out, writes


def result(state: State, item: Result) -> tuple[ast.expr, Out]:
    """One returned thing: its expression, and how it is rebuilt."""
    match item:
        case ConstantResult(value=value):
            plain = value if type(value) in (bool, int, float) else None
            return literal(plain), ConstantOut(value)
        case TupleResult(items=items, constructor=constructor):
            pairs = [result(state, i) for i in items]
            return ast.Tuple([n for n, _ in pairs], ast.Load()), TupleOut(tuple(o for _, o in pairs), constructor)
        case OptionalResult(present=present, value=value):
            node, out = result(state, value)
            found = evaluate(state, END, present)
            pair: list[ast.expr] = [node, strong(found.node, found.literal, BOOL)]
            return ast.Tuple(pair, ast.Load()), OptionalOut(out)
        case ValueResult(expr=expr, kinds=kinds, tag=tag):
            value = evaluate(state, END, expr)
            node = strong(value.node, value.literal, expr.type)
            if isinstance(expr.type, ArrayType):
                return node, ArrayOut()
            out = ScalarOut(tuple(kinds))
            if tag is None:
                return node, out
            which = evaluate(state, END, tag)
            return ast.Tuple([node, strong(which.node, which.literal, tag.type)], ast.Load()), out
        case CellResult(cell=cell):
            return settled(state, cell).node, ArrayOut()
        case ListResult():
            return list_result(state, item)
        case PrefixResult(cell=cell, count=count):
            if count is None:
                return array_of_list(state, cell)
            length = evaluate(state, END, count)
            pair = [settled(state, cell).node, strong(length.node, length.literal, INT)]
            return ast.Tuple(pair, ast.Load()), ArrayOut(counted=True)
        case ArgumentResult(name=argument, index=index):
            whole = settled(state, argument)
            if index is None:
                return whole.node, ArgumentOut(argument)
            return view_of_argument(state, item, index, whole.type.shape)
        case PassedResult(name=argument):
            return literal(None), ArgumentOut(argument)
        case UpdatingResult(value=value, updates=updates):
            node, out = result(state, value)
            pairs = [(u, *result(state, u.value)) for u in updates]
            changed = tuple(UpdateOut(u.name, u.owner, u.put, o) for u, _, o in pairs)
            both = [node, ast.Tuple([n for _, n, _ in pairs], ast.Load())]
            return ast.Tuple(both, ast.Load()), UpdatingOut(out, changed)


def array_of_list(state: State, cell: str) -> tuple[ast.expr, Out]:
    """A list that appends have built, as an array."""
    if cell not in state.cells or settled(state, cell).rank < 0:
        raise Blocked(Code.DYNAMIC_SHAPE, None, "an array of a list whose length depends on the data")
    node, count = settled(state, cell).node, state.counts.get(cell)
    return (ast.Tuple([node, count], ast.Load()), ArrayOut(True, True)) if count is not None else (node, ArrayOut())


def strong(node: ast.expr, is_literal: bool, kind: Type) -> ast.expr:
    """A constant result as an array of its dtype."""
    if not is_literal:
        return node
    return call("jnp.asarray", node, dtype=dtype_name(kind.dtype))


def list_result(state: State, item: ListResult) -> tuple[ast.expr, Out]:
    """A list as an array, with the kinds of its elements and their number where these depend on data."""
    if item.cell not in state.cells:
        raise Blocked(Code.DYNAMIC_SHAPE, None, "a list whose length depends on the data")
    value = settled(state, item.cell)
    if value.rank < 0:
        return ast.List([], ast.Load()), TupleOut((), list)
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
    if item.count is not None:
        length = evaluate(state, END, item.count)
        count = strong(length.node, length.literal, INT)
    if count is not None:
        return ast.Tuple([node, count], ast.Load()), ListOut(inner, counted=True)
    return node, ListOut(inner)


def view_of_argument(
    state: State, item: ArgumentResult, index: Sequence[Subscript], shape: Sequence[Affine]
) -> tuple[ast.expr, Out]:
    """A view of an argument that is returned: numbers where the call decides what it is."""
    numbers: list[ast.expr] = []
    plain = tuple(subscript(state, one, size, numbers) for one, size in zip(index, shape, strict=True))
    node = ast.Tuple(numbers, ast.Load()) if numbers else literal(None)
    return node, ArgumentOut(item.name, plain, item.order)


def subscript(state: State, one: Subscript, size: Affine, numbers: list[ast.expr]) -> int | slice | Told | Stretch:
    """One subscript of such a view, known before the call or by numbers."""
    if isinstance(one, Gather):
        raise Blocked(Code.UNSUPPORTED_STATEMENT, None, "a view of an argument returned", "return a copy of it")
    form = affine_form(one.at if isinstance(one, Point) else one.start, state.program.affine)
    if isinstance(one, Point):
        if form is not None and form.is_constant:
            return form.constant
        at = evaluate(state, END, one.at)
        numbers.append(strong(at.node, at.literal, INT))
        return Told()
    if form is not None and form.is_constant:
        if one.length.is_constant:
            stop = form.constant + one.length.constant * one.step
            return slice(form.constant, stop if stop >= 0 else None, one.step)  # -1 would count from the end
        if form.constant == 0 and one.step == 1 and one.length == size:
            return slice(None)
    start = evaluate(state, END, one.start)
    numbers += [strong(start.node, start.literal, INT), state.size(one.length)]
    return Stretch(one.step)
