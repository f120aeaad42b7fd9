"""Loops over ranges known from the shapes, so that JAX can go through them backwards.

    for j in range(i)        def within(j, carry):
        ...             -->      return lax.cond(j < i, step, lambda j, carry: carry, j, carry)
                             carry = lax.fori_loop(0, n, within, carry)

A loop with a break runs its whole range too, and changes nothing after the break. Where no range is known from the
shapes (`while`, bounds from data) the loop stays, behind `only_forward`, which names it to who asks for a gradient.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from autovec.analysis.statements import Nest
from autovec.emit.operations.nodes import binop, call, literal, name
from autovec.emit.state import State
from autovec.emit.values import Value
from autovec.ir.nodes import For
from autovec.ir.types import BOOL


def counted(
    state: State,
    loop: For,
    around: Sequence[Nest],
    step: str,
    variable: str,
    bounds: tuple[ast.expr, ast.expr],
    carry: str,
    start: ast.expr,
    live: ast.expr | None,
) -> ast.expr:
    """`lax.fori_loop` of a step from a lower to an upper bound; `live`: of the carry, whether it goes on."""
    known = is_known(state, bounds)
    if live is not None or not known:
        state.differs.append(True)
    if not state.differentiable or (live is None and known):
        return call("lax.fori_loop", *bounds, name(step), start)
    whole = None if known else full_range(state, loop, around)
    first, last = whole or bounds
    tests = [] if live is None else [live]
    if ast.dump(bounds[0]) != ast.dump(first):
        tests.append(binop(name(variable), ">=", bounds[0]))
    if ast.dump(bounds[1]) != ast.dump(last):
        tests.append(binop(name(variable), "<", bounds[1]))
    masked = within(state, step, variable, carry, tests) if tests else step
    looped = call("lax.fori_loop", first, last, name(masked), start)
    return looped if is_known(state, (first, last)) else only_forward(looped, loop)


def within(state: State, step: str, variable: str, carry: str, tests: Sequence[ast.expr]) -> str:
    """A step that does nothing where one of the tests fails."""
    test = tests[0]
    for other in tests[1:]:
        test = binop(test, "&", other)
    identifier = state.names.fresh("within")
    arguments = ast.arguments([], [ast.arg(variable), ast.arg(carry)], None, [], [], None, [])
    unchanged = ast.Lambda(arguments, name(carry))
    body = ast.Return(call("lax.cond", test, name(step), unchanged, name(variable), name(carry)))
    state.lines.append(ast.FunctionDef(identifier, arguments, [body], [], None))
    return identifier


def only_forward(looped: ast.expr, loop: Nest) -> ast.expr:
    """The results of a loop that can't be gone through backwards."""
    return call("only_forward", looped, ast.Constant(described(loop)))


def described(loop: Nest) -> str:
    source = loop.source
    what = f"loop over {source.variable}" if isinstance(loop, For) else "while loop"
    return f"the {what} in line {source.span.line}"


def is_known(state: State, bounds: Sequence[ast.expr]) -> bool:
    """Are the bounds sums of sizes and numbers, which Python works out while it traces?"""
    sizes = {state.printed.get(s, s) for s in state.boxes.values}
    plain = ast.expr_context | ast.operator | ast.unaryop | ast.BinOp | ast.UnaryOp | ast.Constant
    return all(
        isinstance(n, plain) or (isinstance(n, ast.Name) and n.id in sizes) for bound in bounds for n in ast.walk(bound)
    )


def full_range(state: State, loop: For, around: Sequence[Nest]) -> tuple[ast.expr, ast.expr] | None:
    """Bounds over sizes alone that hold every trip of the loop, as `fori_loop` counts them."""
    box = state.boxes.box(loop, around)
    if box is None:
        return None
    if loop.step == 1:
        return state.size_text(box.first), state.size_text(box.last)
    count = state.size_text(box.extent)
    if abs(loop.step) != 1:
        count = binop(binop(count, "+", literal(abs(loop.step) - 1)), "//", literal(abs(loop.step)))
    return literal(0), count


def only_while_live(inner: State, live: str) -> None:
    """In the body of a loop with a break: once it is over, partial functions have safe operands."""
    target = inner.names.temporary("running")
    inner.assign(target, name(live))
    inner.selected = (*inner.selected, Value(name(target), (), 0, BOOL))
