"""From where to where a loop runs that stays one, as `lax.fori_loop` counts: upwards, by one.

    for i in range(n - 1, -1, -1): ...      -->    lax.fori_loop(0, n, step, ...), i = n - 1 - trip

In: a loop and a leaf inside it. Out: the bounds, the variable that counts, and how the person's follows from it.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from autovec.analysis.statements import Leaf, Nest
from autovec.emit.axes import Here
from autovec.emit.expressions import affine_value, evaluate
from autovec.emit.masks import left_to_ask
from autovec.emit.operations.nodes import binop, call, literal, name
from autovec.emit.state import State
from autovec.emit.values import is_zero
from autovec.ir.conditions import affine_form
from autovec.ir.nodes import Expr, For
from autovec.ir.walk import loads, refs


def loop_bounds(state: State, loop: For, leaf: Leaf) -> tuple[ast.expr, ast.expr, bool]:
    """The person's bounds, and whether they are exact: else the hull of all iterations of the axes they depend on."""
    around = leaf.loops[: leaf.loops.index(loop)]
    exact = all(bound_is_running(state, e, around) for e in (*loop.start, *loop.stop))
    if not exact:
        box = state.boxes.box(loop, around)
        assert box is not None
        return state.size_text(box.first), state.size_text(box.last), False
    here = Here(leaf, ())
    lower = met(state, here, loop.start, "maximum" if loop.step > 0 else "minimum")
    upper = met(state, here, loop.stop, "minimum" if loop.step > 0 else "maximum")
    guard = left_to_ask(state, loop.guard)
    if guard is not None and is_scalar_now(state, here, guard):
        upper = call("jnp.where", evaluate(state, here, guard).node, upper, lower)
    return lower, upper, True


def is_scalar_now(state: State, here: Here, guard: Expr) -> bool:
    """Is the guard one condition here, whatever axes there are?"""
    variables = {n.variable for n in here.leaf.loops if isinstance(n, For)}
    return axes_of(state, guard) | (variables & set(refs(guard))) <= state.running.keys()


def axes_of(state: State, expr: Expr) -> set[str]:
    """The axes for all iterations of which what an expression reads is held."""
    defined = [state.defined[r] for r in refs(expr) if r in state.defined]
    cells = [state.cells[e.cell].value for e in loads(expr) if e.cell in state.cells]
    return {a for value in (*defined, *cells) for a in value.axes}


def bound_is_running(state: State, expr: Expr, around: Sequence[Nest]) -> bool:
    """Does the bound hold only sizes and variables of loops that run?"""
    form = affine_form(expr, state.program.affine)
    names = form.names if form is not None else frozenset(refs(expr))
    variables = {n.variable for n in around if isinstance(n, For)}
    return axes_of(state, expr) | (variables & names) <= state.running.keys()


def met(state: State, here: Here, forms: Sequence[Expr], op: str) -> ast.expr:
    """`max(a, b)` of several bounds."""
    result, *others = (evaluate(state, here, e).node for e in forms)
    for other in others:
        result = call(f"jnp.{op}", result, other)
    return result


def stepping(
    state: State, loop: For, leaf: Leaf, bounds: tuple[ast.expr, ast.expr, bool]
) -> tuple[ast.expr, ast.expr, str, Callable[[State], None]]:
    """Bounds of the `fori_loop`, its variable, and how the person's variable follows from it."""
    lower, upper, exact = bounds
    names = state.names.inner()
    trip = names.fresh("trip") if loop.step != 1 else ""
    own = names.fresh(state.names.hints.get(loop.variable, loop.variable))

    state.names.made.add(own)

    def mark(inner: State) -> None:
        inner.names.taken |= {own, trip}
        inner.running[loop.variable] = name(own)
        if exact:
            inner.exact = inner.exact | {loop.variable}

    if loop.step == 1:
        return lower, upper, own, mark
    if loop.step > 0:
        distance = binop(upper, "-", lower) if not is_zero(lower) else upper
        scaled = binop(name(trip), "*", literal(loop.step))
        value = binop(lower, "+", scaled) if not is_zero(lower) else scaled
    else:
        distance = span_down(state, loop, leaf) or binop(lower, "-", upper)
        scaled = name(trip) if loop.step == -1 else binop(name(trip), "*", literal(-loop.step))
        value = binop(lower, "-", scaled)
    count = distance
    if abs(loop.step) != 1:
        count = binop(binop(distance, "+", literal(abs(loop.step) - 1)), "//", literal(abs(loop.step)))

    def prepare(inner: State) -> None:
        mark(inner)
        inner.assign(own, value)

    return literal(0), count, trip, prepare


def span_down(state: State, loop: For, leaf: Leaf) -> ast.expr | None:
    """How far a loop runs down, as one form: `n` for a loop from n - 1 to 0."""
    if len(loop.start) != 1 or len(loop.stop) != 1:
        return None
    first, last = affine_form(loop.start[0], state.program.affine), affine_form(loop.stop[0], state.program.affine)
    around = leaf.loops[: leaf.loops.index(loop)]
    if first is None or last is None or not all(bound_is_running(state, e, around) for e in (*loop.start, *loop.stop)):
        return None
    return affine_value(state, Here(leaf, ()), first - last).node
