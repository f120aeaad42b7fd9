"""Loops that stay loops: `lax.fori_loop` over the cells they change, `lax.while_loop` where the body decides.

    for i in range(1, n): y[i] = a * y[i - 1] + x[i]

    def step(i, y):
        return y.at[i].set(a * y[i - 1] + x[i])
    y = lax.fori_loop(1, n, step, y)

In: a loop of the plan, and how the nodes inside it are emitted. Out: its lines, and its cells as it leaves them.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from autovec.analysis.statements import Leaf
from autovec.emit import differentiable
from autovec.emit.accumulators import accumulates, accumulator_loop
from autovec.emit.axes import Here
from autovec.emit.carries import Carry, Emit, body_of, carry_of, closed, function, in_phases, opening, packed, unpack
from autovec.emit.expressions import evaluate
from autovec.emit.loop_bounds import loop_bounds, stepping
from autovec.emit.masks import left_to_ask
from autovec.emit.operations.nodes import binop, call, literal, name
from autovec.emit.state import State
from autovec.ir.nodes import For, While
from autovec.plan.nodes import Sequential, leaves_of


def sequential(state: State, node: Sequential, emit: Emit) -> None:
    """A loop of the plan, its carry and what it leaves behind."""
    only = accumulates(node)
    if only is not None and accumulator_loop(state, node, only):
        return
    leaves = [t.leaf for t in leaves_of(node.body)]
    carry = carry_of(state, node.loop, leaves)
    loop = node.loop
    if isinstance(loop, For) and (state.differentiable or not loop.live):
        counted(state, node, loop, carry, emit, next(leaf for leaf in leaves if loop in leaf.loops))
    else:
        conditional(state, node, loop, carry, emit, leaves[0])


def counted(state: State, node: Sequential, loop: For, carry: Carry, emit: Emit, leaf: Leaf) -> None:
    """`lax.fori_loop`: how often it runs is known when it starts."""
    lower, upper, variable, start_trip = stepping(state, loop, leaf, loop_bounds(state, loop, leaf))

    def prepare(inner: State) -> None:
        start_trip(inner)
        if loop.live:
            differentiable.only_while_live(inner, inner.names_of(loop.live))
        for other in node.fused:
            inner.running[other.variable] = inner.running[loop.variable]

    inner = body_of(state, node.body, emit, prepare, carry)
    targets = carry.targets(state)
    if not targets:
        return
    step = state.names.fresh("step")
    inner.lines = in_phases(inner, carry, binop(name(variable), ">=", lower))
    held = targets[0] if len(targets) == 1 else state.names.carry
    state.lines.append(function(step, [variable, held], closed(inner, carry)))
    start = packed(carry.contents(state))
    live = carried_value(state, targets, held, loop.live) if loop.live else None
    around = leaf.loops[: leaf.loops.index(loop)]
    looped = differentiable.counted(state, loop, around, step, variable, (lower, upper), held, start, live)
    unpack(state, targets, looped)
    carry.adopt(state, inner)


def carried_value(state: State, targets: Sequence[str], held: str, cell: str) -> ast.expr:
    """A cell as it is in the carry at the beginning of a trip."""
    identifier = state.names_of(cell)
    if identifier not in targets or len(targets) == 1:
        return name(identifier)
    return ast.Subscript(name(held), literal(targets.index(identifier)), ast.Load())


def conditional(state: State, node: Sequential, loop: For | While, carry: Carry, emit: Emit, leaf: Leaf) -> None:
    """`lax.while_loop`: it ends with the loop's own condition, and at once on a fault."""
    counter: list[str] = []  # the variable of a `for` with a break: carried, and one further after each trip
    start: list[ast.expr] = []
    if isinstance(loop, For):
        start_at, end, variable, prepare = stepping(state, loop, leaf, loop_bounds(state, loop, leaf))
        counter, start = [variable], [start_at]
        tests = [binop(name(variable), "<", end)]
        if loop.live in carry.cells:  # else the break is one that can't come
            tests.append(name(state.names_of(loop.live)))
        running = binop(name(variable), ">=", start_at)
    else:
        prepare = nothing
        probe = state.child()
        carry.rebind(probe)
        tests = [evaluate(probe, Here(leaf, ()), loop.condition).node]
        guard = left_to_ask(state, loop.guard)
        if guard is not None:
            tests.append(evaluate(state, Here(leaf, ()), guard).node)
        running = tests[0]
    inner = body_of(state, node.body, emit, prepare, carry)
    targets = carry.targets(state)
    tests += [ast.UnaryOp(ast.Invert(), name(state.flag_names[flag])) for flag in carry.flags]
    inner.lines = in_phases(inner, carry, running)
    results = [*(binop(name(c), "+", literal(1)) for c in counter), *carry.contents(inner)]
    test = tests[0]
    for other in tests[1:]:
        test = binop(test, "&", other)
    going, step = state.names.fresh("going"), state.names.fresh("step")
    parameters = [*counter, *targets]
    held = parameters[0] if len(parameters) == 1 else state.names.carry
    state.lines.append(function(going, [held], [*opening(state, parameters), ast.Return(test)]))
    state.lines.append(function(step, [held], [*opening(state, parameters), *inner.lines, ast.Return(packed(results))]))
    looped = call("lax.while_loop", name(going), name(step), packed([*start, *carry.contents(state)]))
    state.differs.append(True)
    if state.differentiable:
        looped = differentiable.only_forward(looped, loop)
    unpack(state, [*(state.names.fresh("_") for _ in counter), *targets], looped)
    carry.adopt(state, inner)


def nothing(inner: State) -> None:
    """A `while` loop has no variable to set."""
