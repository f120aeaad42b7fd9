"""Leaving: `return` from inside loops, `break` and `continue`, and what they keep from happening.

    for i in range(n):                       live = True, returned = False
        if x[i] < 0:                         for i in range(n), while live:
            return i               -->           if x[i] < 0: result = i; returned = True; live = False
    return -1                                if not returned: result = -1

A frame is one function body: its flag, and the cells for what it returns. The types of the cells are found as those
of carried names are: a `return` that they don't hold starts the body again.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from autovec.diagnostics import Code
from autovec.frontend import carried, liveness, optional, sharing
from autovec.frontend.expressions import as_expr, select
from autovec.frontend.scope import Frame, Scope, conjunction, negation
from autovec.frontend.shapes import NONE, Group, Perhaps, Shape, Slot, join, shape_of
from autovec.frontend.tags import fitted, tag_expr, widened
from autovec.frontend.values import Buffer, ListCell, MaybeUnbound, Static, TupleValue, Value, Variable, View
from autovec.ir.nodes import Call, Const, Expr, Load
from autovec.ir.types import BOOL, INT, ArrayType, ScalarType


class Never:
    """The value of a way that raises."""


NEVER = Static(Never())

# ---------------------------------------------------------------- returning


def run(scope: Scope, body: Sequence[ast.stmt], key: tuple[int, ...]) -> Value:
    """The value that a function's body returns; `scope` is the function's own."""
    from autovec.frontend import statements

    restart, guard = carried.Checkpoint(scope), scope.guard
    for _ in range(8):
        frame = scope.frame = Frame(key, len(scope.loops))
        try:
            value = statements.block(scope, liveness.jumps_to_the_end(body))
            if not frame.flag:
                return value if value is not None else Static(None)
            last = body[-1]
            if value is not NEVER and not (value is None and liveness.always_jumps(body)):
                if value is None:
                    after_jump(scope, last)
                put(scope, value if value is not None else Static(None), last)
            scope.guard = guard
            return taken(frame.shape, list(frame.cells))
        except carried.Widened as widened_:
            if widened_.owner != key:
                raise
            restart.undo(scope)
            scope.guard = guard
    raise scope.blocked(body[0], Code.UNSTABLE_TYPE, "a function that returns values of too many types")


def ensure(scope: Scope, node: ast.AST) -> None:
    """The frame's flag and cells, before the first loop or branch that may return early."""
    frame = scope.frame
    if frame is None or frame.flag:
        return
    span = scope.span(node)
    frame.flag = scope.allocate("returned", Const(False, BOOL), BOOL, span)
    frame.shape = scope.ledger.returns.get(frame.key)
    if isinstance(frame.shape, Slot | Group | Perhaps):
        frame.cells = tuple(cells_for(scope, frame.shape, node))


def cells_for(scope: Scope, shape: Shape, node: ast.AST) -> list[tuple[str, str]]:
    """A cell (and a tag) for each number and array of a result."""
    span = scope.span(node)
    match shape:
        case Perhaps(shape=inner):
            found = scope.allocate("result_found", Const(False, BOOL), BOOL, span)
            return [(found, ""), *cells_for(scope, inner, node)]
        case Group(items=items):
            return [c for item in items for c in cells_for(scope, item, node)]
        case Slot(type=ArrayType() as kind):
            return [(scope.allocate("result", Call("zeros", (), (), kind), kind, span), "")]
        case Slot(type=ScalarType() as kind):
            zero = Const(False, BOOL) if kind.dtype.kind == "b" else Const(0, INT)
            cell = scope.allocate("result", widened(zero, kind), kind, span)
            return [(cell, scope.allocate("result_kind", Const(0, INT), INT, span) if kind.only is None else "")]
        case _:
            return []


def put(scope: Scope, value: Value, node: ast.AST) -> None:
    """`return value` in a place that isn't the end: keep the value, leave all loops."""
    frame = scope.frame
    assert frame is not None and frame.flag
    cells = [c for c in sharing.cells_in(value) if c not in scope.ledger.arguments]
    if len(set(cells)) < len(cells):
        raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, "one array or list returned in two places", "copy it")
    found = shape_of(scope, value, node, frame.depth)
    joined = found if frame.shape is None else join(scope, frame.shape, found, node)
    if joined != frame.shape:
        scope.ledger.returns[frame.key] = joined
        raise carried.Widened(frame.key)
    if is_lost(found, joined):
        # None or a text here, in some place of the result, and a value elsewhere: no result can be both
        scope.fault(Const(True, BOOL), "another kind of result", scope.span(node))
    else:
        store(scope, joined, value, list(frame.cells), node)
    scope.store(frame.flag, (), Const(True, BOOL), scope.span(node))
    for live in scope.live:
        if live:
            scope.store(live, (), Const(False, BOOL), scope.span(node))


def is_lost(found: Shape, joined: Shape) -> bool:
    """Is there something in a result that what holds the results of all ways has no place for?"""
    match found, joined:
        case Static(), Perhaps():
            return found != NONE
        case Static(), _:
            return found != joined
        case Perhaps(shape=inner), Perhaps(shape=other):
            return is_lost(inner, other)
        case _, Perhaps(shape=other):
            return is_lost(found, other)
        case Group(items=items), Group(items=others):
            return len(items) != len(others) or any(map(is_lost, items, others))
        case _:
            return False


def store(scope: Scope, shape: Shape, value: Value, cells: list[tuple[str, str]], node: ast.AST) -> None:
    match shape:
        case Perhaps(shape=inner):
            found, _ = cells.pop(0)
            held, present = optional.parts(value)
            scope.store(found, (), present, scope.span(node))
            if held is not None:
                store(scope, inner, held, cells, node)
            else:
                del cells[: cells_in(inner)]
        case Group(items=items):
            parts = value.items if isinstance(value, TupleValue) else ()
            for item, part in zip(items, parts, strict=True):
                store(scope, item, part, cells, node)
        case Slot(type=kind):
            cell, tag = cells.pop(0)
            expr = as_expr(scope, value, node)
            if isinstance(kind, ArrayType):
                from autovec.frontend.subscripts import whole

                scope.store(cell, whole(cell, kind).index, expr, scope.span(node))
                return
            if tag:
                scope.store(tag, (), tag_expr(scope, value, expr, kind), scope.span(node))
            scope.store(cell, (), fitted(scope, expr, kind, node), scope.span(node))
        case _:
            return


def cells_in(shape: Shape) -> int:
    """How many cells hold a value of this shape."""
    match shape:
        case Perhaps(shape=inner):
            return 1 + cells_in(inner)
        case Group(items=items):
            return sum(map(cells_in, items))
        case _:
            return isinstance(shape, Slot)


def taken(shape: Shape | None, cells: list[tuple[str, str]]) -> Value:
    """The value in the cells."""
    match shape:
        case None:
            return NEVER
        case Static() | View() | ListCell() | Buffer():
            return shape
        case Perhaps(shape=inner):
            found, _ = cells.pop(0)
            return MaybeUnbound(taken(inner, cells), Load(found, (), BOOL), none=True)
        case Group(items=items, constructor=constructor):
            return TupleValue(tuple(taken(item, cells) for item in items), constructor)
        case Slot(type=ArrayType() as kind):
            from autovec.frontend.subscripts import whole

            return whole(cells.pop(0)[0], kind)
        case Slot(type=kind):
            cell, tag = cells.pop(0)
            return Variable(cell, kind if isinstance(kind, ScalarType) else BOOL, tag)


def either(scope: Scope, test: Expr, yes: Value, no: Value, node: ast.AST) -> Value:
    """The result of a function that returns on both ways of a branch."""
    if yes is NEVER:
        return no
    if no is NEVER or yes == no:
        return yes
    perhaps = optional.joined(scope, test, yes, no, node)
    if perhaps is not None:
        return perhaps
    for one, other, path in ((yes, no, test), (no, yes, negation(test))):
        if is_object(one) and not is_object(other):
            with scope.under(path):
                scope.fault(Const(True, BOOL), "another kind of result", scope.span(node))
            return other
    return select(scope, test, yes, no, node)


def is_object(value: Value) -> bool:
    return isinstance(value, Static) and not isinstance(value.value, bool | int | float | complex)


# ---------------------------------------------------------------- what follows a jump


def after_jump(scope: Scope, node: ast.stmt) -> None:
    """What follows a statement that may have jumped happens only if it hasn't."""
    going: Expr | None = None
    returns = scope.frame is not None and scope.frame.flag and liveness.may_return([node])
    if scope.live and (returns or liveness.may_jump([node], (ast.Break,))):
        if scope.live[-1]:
            going = Load(scope.live[-1], (), BOOL)
    elif returns and scope.frame is not None:
        going = negation(Load(scope.frame.flag, (), BOOL))
    if scope.skip and liveness.may_jump([node], (ast.Continue,)):
        going = conjunction(going, negation(Load(scope.skip, (), BOOL)))
    if going is not None:
        scope.guard = conjunction(scope.guard, scope.define("going", going, scope.span(node)))


def leave_round(scope: Scope) -> None:
    """Note what the names are at a `break` or `continue`: after the loop they may be just that."""
    for name, value in scope.env.items():
        if isinstance(value, Variable):
            scope.left[value.cell] = scope.left.get(value.cell, frozenset()) | value.type.kinds
        elif isinstance(value, MaybeUnbound):
            scope.left_unbound.add(name)


def skippable(scope: Scope, body: Sequence[ast.stmt], node: ast.AST) -> None:
    """A flag for `continue`, where one isn't at the end of the body."""
    scope.skip = ""
    if not ends_with_its_continues(body):
        scope.skip = scope.allocate("skip", Const(False, BOOL), BOOL, scope.span(node))


def ends_with_its_continues(body: Sequence[ast.stmt]) -> bool:
    """Is nothing in the body after a `continue` that would have to be kept from happening?"""
    for k, statement in enumerate(body):
        if isinstance(statement, ast.Continue):
            return True
        if not liveness.may_jump([statement], (ast.Continue,)):
            continue
        if k + 1 < len(body) or not isinstance(statement, ast.If):
            return False
        return ends_with_its_continues(statement.body) and ends_with_its_continues(statement.orelse)
    return True
