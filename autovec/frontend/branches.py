"""`if`: both ways are run, each under its condition; names that differ afterwards become selections."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, replace

from autovec.diagnostics import Blocked
from autovec.frontend import flow, liveness, optional, ranges, subscripts
from autovec.frontend.carried import in_cell
from autovec.frontend.expressions import reads_memory, select
from autovec.frontend.scope import Scope, conjunction, negation
from autovec.frontend.truth import condition
from autovec.frontend.values import Computed, ListCell, MaybeUnbound, Value, Variable, View
from autovec.ir.conditions import conjuncts
from autovec.ir.nodes import Const, Expr, Load
from autovec.ir.types import BOOL, ScalarType


def branch(scope: Scope, node: ast.If) -> Value | None:
    """An `if` statement; the value where both ways return."""
    shared = appended_to(scope, node.body, node.orelse)
    if shared:
        return append_once(scope, node, shared)
    return two_ways(scope, condition(scope, node.test), node.body, node.orelse, node, node.test)


def two_ways(
    scope: Scope, test: Expr, body: Sequence[ast.stmt], orelse: Sequence[ast.stmt], node: ast.AST, place: ast.AST
) -> Value | None:
    from autovec.frontend.statements import block

    if isinstance(test, Const):
        return block(scope, body if test.value else orelse)
    if ranges.decided(scope, test):
        return block(scope, body)
    test = as_it_is(scope, test, place)
    ways: list[Way] = []
    for path, statements in ((test, body), (negation(test), orelse)):
        inner = replace(scope, env=dict(scope.env))
        with inner.under(path):
            inner.statements, begun = scope.statements, inner.guard
            result = block(inner, statements)
            ways.append(Way(inner.env, result, inner.guard, inner.guard is not begun))
    yes, no = ways
    if yes.value is not None and no.value is not None and not yes.jumps and not no.jumps:
        return flow.either(scope, test, yes.value, no.value, node)
    for way in ways:
        if way.value is not None and way.value is not flow.NEVER:
            flow.ensure(scope, node)
            flow.put(replace(scope, guard=way.guard), way.value, node)
    yes_ends = yes.value is not None or leaves(scope, body)
    no_ends = no.value is not None or leaves(scope, orelse)
    if not (yes_ends and no_ends):
        merge(scope, test, yes.env if not yes_ends else no.env, no.env if not no_ends else yes.env, node)
    return None


@dataclass(frozen=True, slots=True)
class Way:
    """One way of a branch: its names and value at its end, when that is reached, and whether it may jump before it."""

    env: dict[str, Value]
    value: Value | None
    guard: Expr | None
    jumps: bool


def as_it_is(scope: Scope, test: Expr, place: ast.AST) -> Expr:
    """The condition as it is before the branch writes to what it reads; the affine parts of it stay visible."""
    span = scope.span(place)
    if not scope.affine_conditions(test):
        return scope.define("condition", test, span)
    if not reads_memory(test):
        return test
    kept: Expr | None = None
    for part in conjuncts(test):
        kept = conjunction(kept, scope.define("condition", part, span) if reads_memory(part) else part)
    assert kept is not None
    return kept


def appended_to(scope: Scope, *ways: Sequence[ast.stmt]) -> str:
    """The list that every way ends by appending to, and doesn't touch before."""
    found: set[str] = set()
    for body in ways:
        name = ""
        match body[-1] if body else None:
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=target), attr="append"), args=[item])):
                name = target if target not in liveness.loaded([*body[:-1], item]) else ""
            case ast.If(test=test, body=yes, orelse=no):
                inner = appended_to(scope, yes, no)
                name = inner if inner and inner not in liveness.loaded([*body[:-1], test]) else ""
            case _:
                pass
        found.add(name)
    name = found.pop() if len(found) == 1 else ""
    return name if isinstance(scope.env.get(name), ListCell) else ""


def append_once(scope: Scope, node: ast.If, name: str) -> Value | None:
    """
    if c:                            if c:
        out.append(a)                    item = a
    else:                  -->       else:
        out.append(b)                    item = b
                                     out.append(item)
    """
    from autovec.frontend.statements import block

    item = f"{name} item"
    target, value = ast.Name(item, ast.Store()), ast.Name(item, ast.Load())
    call = ast.Call(ast.Attribute(ast.Name(name, ast.Load()), "append", ast.Load()), [value], [])
    whole = [named_item(node, target), ast.Expr(call)]
    for made in whole:
        ast.fix_missing_locations(ast.copy_location(made, node))
    result = block(scope, whole)
    scope.env.pop(item, None)
    return result


def named_item(node: ast.stmt, target: ast.Name) -> ast.stmt:
    """The statement with its appends made assignments."""
    match node:
        case ast.If(test=test, body=yes, orelse=no):
            ways = [[*way[:-1], named_item(way[-1], target)] for way in (yes, no)]
            return ast.copy_location(ast.If(test, ways[0], ways[1]), node)
        case ast.Expr(value=ast.Call(args=[item])):
            return ast.copy_location(ast.Assign([target], item), node)
        case _:
            return node


def leaves(scope: Scope, body: Sequence[ast.stmt]) -> bool:
    """Does the way always leave, so that its names don't matter to what follows?"""
    if scope.repeated:  # the loop is written out: its next round is what follows
        return liveness.always_jumps(body) and not liveness.may_jump(body, (ast.Break, ast.Continue))
    return liveness.always_jumps(body)


def merge(scope: Scope, test: Expr, yes: dict[str, Value], no: dict[str, Value], node: ast.AST) -> None:
    """The environment after both branches."""
    for name in {*yes, *no}:
        a, b = yes.get(name), no.get(name)
        if a is b or a == b:
            if a is not None:
                scope.env[name] = a
            continue
        if isinstance(a, Variable) and isinstance(b, Variable) and a.cell == b.cell:
            scope.env[name] = Variable(a.cell, ScalarType(a.type.kinds | b.type.kinds), a.tag_cell)
        elif a is None or b is None:
            value, where = (a, test) if b is None else (b, negation(test))
            assert value is not None
            scope.env[name] = bound_in_one(value, where)
        elif not carried_by(a, b) and (perhaps := optional.joined(scope, test, a, b, node)) is not None:
            scope.env[name] = perhaps
        elif isinstance(a, MaybeUnbound) or isinstance(b, MaybeUnbound):
            scope.env[name] = merged_unbound(a, b)
        elif isinstance(a, View) and isinstance(b, View):
            scope.env[name] = merged_arrays(scope, name, test, a, b, node)
        else:
            try:
                joined = select(scope, test, a, b, node)
            except Blocked:
                scope.env[name] = MaybeUnbound(a, Const(False, BOOL))  # of use only where nobody reads it
                continue
            bind_fresh(scope, name, joined, node)


def bound_in_one(value: Value, where: Expr) -> MaybeUnbound:
    """What one way binds, if at all, and the other doesn't."""
    if not isinstance(value, MaybeUnbound):
        return MaybeUnbound(value, where)
    if value.none:  # where the other way was taken it isn't None but unbound
        return MaybeUnbound(value.value, Const(False, BOOL))  # of use only where nobody reads it
    if isinstance(value.bound, Load):  # a flag that was set in there
        return value
    both = conjunction(where, value.bound)
    assert both is not None
    return MaybeUnbound(value.value, both)


def carried_by(a: Value, b: Value) -> bool:
    """Are both what a loop carries in one cell? It holds what either way has stored."""
    cells = [v.value if isinstance(v, MaybeUnbound) else v for v in (a, b)]
    return all(map(in_cell, cells)) and cells[0].cell == cells[1].cell  # type: ignore[union-attr]


def merged_unbound(a: Value, b: Value) -> Value:
    """One way bound a late name: its cell has the value, its flag says whether; or it is bound to what has no cell."""
    if carried_by(a, b):
        return a if isinstance(a, MaybeUnbound) else b
    return MaybeUnbound(a.value if isinstance(a, MaybeUnbound) else a, Const(False, BOOL))  # where nobody reads it


def bind_fresh(scope: Scope, name: str, value: Value, node: ast.AST) -> None:
    if isinstance(value, Computed) and isinstance(value.type, ScalarType):
        tag = value.tag
        if tag is not None:
            tag = scope.define(f"{name}_kind", tag, scope.span(node))
        scope.env[name] = Computed(scope.define(name, value.expr, scope.span(node)), tag)
    elif isinstance(value, Computed):
        scope.env[name] = subscripts.new_cell(scope, name, value.expr, node, value.shares)
    else:
        scope.env[name] = value


def merged_arrays(scope: Scope, name: str, test: Expr, a: View, b: View, node: ast.AST) -> Value:
    """One of two arrays: a copy stands for it, so neither may be written to afterwards."""
    joined = select(scope, test, a, b, node)
    if isinstance(joined, View):
        return joined
    view = subscripts.as_view(scope, joined, node)
    scope.ledger.snapshots |= {a.cell, b.cell, view.cell}
    return view
