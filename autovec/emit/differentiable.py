"""Loops over ranges known from the shapes, so that JAX can go through them backwards.

    for j in range(i)        def within(j, carry):
        ...             -->      return lax.cond(j < i, step, lambda j, carry: carry, j, carry)
                             carry = lax.fori_loop(0, n, within, carry)

A loop with a break runs its whole range too, and changes nothing after the break. Where no range is known from the
shapes (`while`, bounds from data) the loop stays, behind `only_forward`, which names it to who asks for a gradient.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Sequence

from autovec.analysis.statements import Nest
from autovec.emit.operations.nodes import binop, call, literal, name
from autovec.emit.state import State
from autovec.emit.values import Value
from autovec.ir.affine import Affine
from autovec.ir.nodes import Apply, Cast, Const, Expr, For
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
    if state.differentiable:
        bounds = in_python(state, bounds[0]), in_python(state, bounds[1])
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
    return all(
        isinstance(n, PYTHON) or (isinstance(n, ast.Name) and n.id in sizes)
        for bound in bounds
        for n in ast.walk(bound)
    )


PYTHON = (
    ast.expr_context | ast.operator | ast.unaryop | ast.cmpop
    | ast.BinOp | ast.UnaryOp | ast.Compare | ast.IfExp | ast.Constant
)  # fmt: skip


def in_python(state: State, bound: ast.expr) -> ast.expr:
    """A choice between sizes, `jnp.where(m < n, m, n)`, as Python makes it while it traces; else the bound itself."""

    class Chosen(ast.NodeTransformer):
        def visit_Call(self, node: ast.Call) -> ast.expr:
            self.generic_visit(node)
            match node:
                case ast.Call(func=ast.Attribute(attr="where"), args=[test, yes, no], keywords=[]):
                    return ast.IfExp(test, yes, no)
                case ast.Call(func=ast.Attribute(attr="minimum" | "maximum" as extreme), args=[a, b], keywords=[]):
                    return ast.IfExp(binop(a, "<" if extreme == "minimum" else ">", b), a, b)
                case _:
                    return node

    made = Chosen().visit(copy.deepcopy(bound))
    return made if is_known(state, [made]) else bound


def full_range(state: State, loop: For, around: Sequence[Nest]) -> tuple[ast.expr, ast.expr] | None:
    """Bounds over sizes alone that hold every trip of the loop, as `fori_loop` counts them."""
    box = state.boxes.box(loop, around)
    if box is not None:
        first, last = box.first, box.last
    else:
        up = loop.step > 0
        firsts = [f for f in (extreme(state, e, around, least=up) for e in loop.start) if f is not None]
        lasts = [f for f in (extreme(state, e, around, least=not up) for e in loop.stop) if f is not None]
        if not firsts or not lasts:
            return None
        first, last = firsts[0], lasts[0]
    if loop.step == 1:
        return state.size_text(first), state.size_text(last)
    count = state.size_text(last - first if loop.step > 0 else first - last)
    if abs(loop.step) != 1:
        count = binop(binop(count, "+", literal(abs(loop.step) - 1)), "//", literal(abs(loop.step)))
    return literal(0), count


def extreme(state: State, bound: Expr, around: Sequence[Nest], least: bool) -> Affine | None:
    """The least (or greatest) value that a bound can have, as a form over sizes."""
    found = state.boxes.extreme(bound, around, least)
    if found is not None:
        return found
    match bound:
        case Cast(arg=arg):
            return extreme(state, arg, around, least)
        case Apply(op="remainder", args=(_, Const(value=int() as divisor))) if divisor > 0:
            return Affine.number(0 if least else divisor - 1)
        case Apply(op="add", args=(a, b)):
            one, other = extreme(state, a, around, least), extreme(state, b, around, least)
            return one + other if one is not None and other is not None else None
        case _:
            return None


def only_while_live(inner: State, live: str) -> None:
    """In the body of a loop with a break: once it is over, partial functions have safe operands."""
    target = inner.names.temporary("running")
    inner.assign(target, name(live))
    inner.selected = (*inner.selected, Value(name(target), (), 0, BOOL))
