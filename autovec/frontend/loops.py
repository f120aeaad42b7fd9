"""`for` and `while` -> loops of the IR; loops over a few separate values are written out."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable
from dataclasses import replace

from autovec.diagnostics import Blocked, Code
from autovec.frontend import filling, flow, liveness, owned, sharing
from autovec.frontend.carried import (
    Checkpoint,
    Widened,
    after_loop,
    carry,
    held_kinds,
    is_counted,
    loop_body,
    next_guess,
    runs_once,
)
from autovec.frontend.iteration import Items, Nest, Trips, iteration
from autovec.frontend.scope import LoopRange, Scope, conjunction
from autovec.frontend.truth import condition
from autovec.frontend.values import Computed, Static, Value, Variable
from autovec.ir.affine import Affine
from autovec.ir.nodes import Append, Const, Expr, For, Load, Ref, SourceLoop, Store, While
from autovec.ir.types import BOOL, INT
from autovec.ir.walk import loads
from autovec.ir.walk import statements as every

# ---------------------------------------------------------------- for


def for_statement(scope: Scope, node: ast.For) -> Value | None:
    """A `for` with its `else`; a value where the `else` surely returns."""
    counted = iteration(owned.gone_through(scope, node), node.iter)
    if leaves_by_return(node):
        flow.ensure(scope, node)
    if isinstance(counted, Items) and appends(node.body):
        counted = as_range(counted) or counted  # each append once, in a loop
    if isinstance(counted, Items):
        live = unrolled(scope, node, counted)
        return otherwise(scope, node, live)
    if isinstance(counted, Nest):
        return otherwise(scope, node, nested(scope, node, counted))
    source = SourceLoop(ast.unparse(node.target), scope.span(node), "for")
    body = liveness.jumps_to_the_end(node.body)

    def lower_body(inner: Scope, variable: Expr) -> None:
        from autovec.frontend import assignment, statements

        assignment.bind(inner, node.target, counted.at(inner, variable), sharing.an_element(node.iter))
        flow.skippable(inner, body, node)
        statements.block(inner, body)

    return otherwise(scope, node, loop(scope, node, counted, source, lower_body, hint=target_hint(node.target)))


def appends(body: list[ast.stmt]) -> bool:
    calls = (n for statement in body for n in ast.walk(statement) if isinstance(n, ast.Call))
    return any(isinstance(call.func, ast.Attribute) and call.func.attr == "append" for call in calls)


def as_range(items: Items) -> Trips | None:
    """`(-1, 0, 1)` as `range(-1, 2)`."""
    numbers = [v.value for v in items.values if isinstance(v, Static) and type(v.value) is int]
    steps = {b - a for a, b in itertools.pairwise(numbers)}
    if len(numbers) != len(items.values) or len(steps) != 1 or steps == {0}:
        return None
    step = steps.pop()
    end = Const(numbers[-1] + (1 if step > 0 else -1), INT)
    return Trips((Const(numbers[0], INT),), (end,), step, lambda s, e: Computed(e), ranged=True)


def otherwise(scope: Scope, node: ast.For | ast.While, live: str) -> Value | None:
    """The `else` of a loop: it runs unless the loop was left."""
    from autovec.frontend import branches, statements

    if not node.orelse:
        return None
    if not live:
        return statements.block(scope, node.orelse)
    done = scope.define("completed", Load(live, (), BOOL), scope.span(node))
    return branches.two_ways(scope, done, node.orelse, [], node, node)


def leaves_by_return(node: ast.For | ast.While) -> bool:
    return liveness.may_return(node.body)


def target_hint(target: ast.expr) -> str:
    """A name for a position: the person's, where the loop binds a name that isn't the element itself."""
    if isinstance(target, ast.Name) and target.id != "_":
        return target.id or "k"
    if isinstance(target, ast.Tuple) and isinstance(target.elts[0], ast.Name):
        return target.elts[0].id
    return "i"


def unrolled(scope: Scope, node: ast.For, items: Items) -> str:
    """The body once for each value; what comes after a `break` happens only if none was met."""
    from autovec.frontend import assignment, branches, statements

    leaves = liveness.may_jump(node.body, (ast.Break,)) or leaves_by_return(node)
    live = scope.allocate("live", Const(True, BOOL), BOOL, scope.span(node)) if leaves else ""
    body = liveness.jumps_to_the_end(node.body)
    for k, value in enumerate(items.values):
        inner = replace(scope, live=(*scope.live, live), nest=1, repeated=True, left={}, left_unbound=set())
        inner.env, inner.rounds = dict(scope.env), (*scope.rounds, k)
        inner.statements = scope.statements
        test: Expr | None = None
        if live and k:
            test = scope.define("going", Load(live, (), BOOL), scope.span(node))
            inner.guard = conjunction(scope.guard, test)
        assignment.bind(inner, node.target, value, sharing.an_element(node.iter))
        flow.skippable(inner, body, node)
        statements.block(inner, body)
        if test is None:
            scope.env.clear()
            scope.env.update(inner.env)
        else:
            branches.merge(scope, test, inner.env, dict(scope.env), node)
    return live


def nested(scope: Scope, node: ast.For, nest: Nest) -> str:
    """`for i, j in product(range(n), range(m))` as one loop in another."""
    body = liveness.jumps_to_the_end(node.body)
    pools: set[str] = set()

    def level(inner: Scope, k: int, around: list[Expr], values: list[Value]) -> str:
        from autovec.frontend import assignment, statements

        if k == len(nest.parts):
            pools.update(read.cell for v in values if isinstance(v, Computed) for read in loads(v.expr))
            assignment.bind(inner, node.target, nest.value(inner, values), sharing.an_element(node.iter))
            flow.skippable(inner, body, node)
            statements.block(inner, body)
            return ""
        part = nest.parts[k](inner, around)
        source = SourceLoop(ast.unparse(node.target), inner.span(node), "for")

        def lower_body(deeper: Scope, variable: Expr) -> None:
            deeper.nest = k + 1
            level(deeper, k + 1, [*around, variable], [*values, part.at(deeper, variable)])

        return loop(inner, node, part, source, lower_body, hint="ijk"[k] if k < 3 else "i", level=k)

    begin = len(scope.statements)
    live = level(scope, 0, [], [])
    stored = {s.cell for s in every(scope.statements[begin:]) if isinstance(s, Store | Append)}
    if nest.pooled and pools & stored:
        raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, "a write to what a product or combinations are made of")
    return live


def loop(
    scope: Scope,
    node: ast.For,
    trips: Trips,
    source: SourceLoop,
    lower_body: Callable[[Scope, Expr], None],
    hint: str,
    level: int = 0,
) -> str:
    """One counted loop; the cell of its flag where the body may leave it."""
    leaves = liveness.may_jump(node.body, (ast.Break,)) or leaves_by_return(node)
    restart = Checkpoint(scope)
    for _ in range(8):
        counts = is_counted(scope, trips, "live" if leaves else "")
        carried = carry(scope, node, node.body, [node.target], counts, level)
        live = scope.allocate("live", Const(True, BOOL), BOOL, source.span) if leaves else ""
        variable = scope.ledger.fresh(hint)
        inner = inner_scope(scope, trips_range(scope, variable, trips), live)
        any_kind(inner, node)
        lists = filling.candidates(scope, node, trips)
        filling.prepare(scope, inner, lists, trips, variable, node)
        try:
            lower_body(inner, Ref(variable, INT))
            filling.learn(scope, lists, (id(node), level))
            body = tuple(inner.statements)
            scope.emit(For(variable, trips.start, trips.stop, trips.step, body, scope.guard, source, live))
            after_loop(scope, inner, node, carried, runs_once(scope, trips), trips, live, level)
            return live
        except Widened as widened_:
            if widened_.owner != (id(node), level):
                raise
            restart.undo(scope)
        except Blocked:
            if not next_guess(scope, (id(node), level)):
                raise
            restart.undo(scope)
    raise scope.blocked(node, Code.UNSTABLE_TYPE, "a name whose type keeps changing from one iteration to the next")


def any_kind(inner: Scope, node: ast.For | ast.While) -> None:
    """At the start of an iteration a carried scalar may be of any kind that its cell holds."""
    targets = [node.target] if isinstance(node, ast.For) else []
    for name in liveness.assigned([*loop_body(node), *targets]):
        value = inner.env.get(name)
        if isinstance(value, Variable):
            inner.env[name] = Variable(value.cell, held_kinds(inner, value.cell), value.tag_cell)


def trips_range(scope: Scope, variable: str, trips: Trips) -> LoopRange:
    lower = tuple(f for f in map(scope.affine, trips.start) if f is not None)
    upper = tuple(f for f in map(scope.affine, trips.stop) if f is not None)
    return LoopRange(variable, lower, upper, trips.step, trips.over)


def inner_scope(scope: Scope, around: LoopRange, live: str) -> Scope:
    """The scope of a loop's body."""
    return replace(
        scope,
        env=dict(scope.env),
        statements=[],
        guard=None,
        loops=(*scope.loops, around),
        live=(*scope.live, live),
        skip="",
        nest=1,
        repeated=False,
        left={},
        left_unbound=set(),
    )


# ---------------------------------------------------------------- while


def while_statement(scope: Scope, node: ast.While) -> Value | None:
    """`while test: body`: the test is evaluated into a flag before the loop and at the end of each iteration.

    `break` clears the flag too; with an `else`, a flag of its own, since then it matters how the loop ended.
    """
    from autovec.frontend import statements

    if leaves_by_return(node):
        flow.ensure(scope, node)
    source = SourceLoop(ast.unparse(node.test), scope.span(node), "while")
    body = liveness.jumps_to_the_end(node.body)
    restart = Checkpoint(scope)
    for _ in range(8):
        carried = carry(scope, node, loop_body(node), [])
        go = scope.allocate("go", Const(True, BOOL), BOOL, source.span)
        live = scope.allocate("live", Const(True, BOOL), BOOL, source.span) if node.orelse else go
        inner = inner_scope(scope, LoopRange(scope.ledger.fresh("trip"), (Affine.number(0),), (), 1), live)
        any_kind(inner, node)
        try:
            # the test is the loop's own: where the loop doesn't run, it isn't evaluated
            scope.emit(Store(go, (), condition(scope, node.test), None, source.span))
            flow.skippable(inner, body, node)
            statements.block(inner, body)
            inner.guard = None
            with inner.under(Load(live, (), BOOL)):
                again = condition(inner, node.test)
            inner.emit(Store(go, (), conjunction(Load(live, (), BOOL), again), None, source.span))
            begun = scope.define("begun", Load(go, (), BOOL), source.span)
            scope.emit(While(Load(go, (), BOOL), tuple(inner.statements), scope.guard, source))
            if not scope.loops:
                sharing.begins(scope, inner.statements, begun)
            after_loop(scope, inner, node, carried, False, None, go)
            return otherwise(scope, node, live)
        except Widened as widened_:
            if widened_.owner != (id(node), 0):
                raise
            restart.undo(scope)
        except Blocked:
            if not next_guess(scope, (id(node), 0)):
                raise
            restart.undo(scope)
    raise scope.blocked(node, Code.UNSTABLE_TYPE, "a name whose type keeps changing from one iteration to the next")
