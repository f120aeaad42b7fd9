"""A unit and its plan -> the program's text.

The order of the plan is the order of the lines. Sizes come first, then the statements, then the result.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from autovec.analysis.statements import Program as Analysed
from autovec.emit import branches, loops, packs, stores
from autovec.emit.axes import Degenerate
from autovec.emit.faults import fault, is_looked_for
from autovec.emit.forwarding import flush
from autovec.emit.operations.nodes import call, literal, name
from autovec.emit.program import Flag, Out, Program
from autovec.emit.render import render
from autovec.emit.results import outputs
from autovec.emit.state import Held, Names, State, loop_of
from autovec.emit.tidy import renumbered, tidied
from autovec.emit.values import Value, named
from autovec.ir.affine import Affine
from autovec.ir.conditions import affine_form
from autovec.ir.names import MODULES, fresh_name
from autovec.ir.nodes import Alloc, Append, Apply, Def, Fault, For, ListAlloc, Role, Size, Store, Unit
from autovec.ir.types import FLOAT, ArrayType, rank
from autovec.ir.walk import refs
from autovec.plan.boxes import Boxes
from autovec.plan.nodes import PlanNode, Sequential, Together

# a list that nothing has been appended to has no rank yet
NO_ITEMS = Value(literal(None), (), -1, ArrayType(FLOAT.dtype, ()))


RESERVED = MODULES | {"only_forward"}


@dataclass(frozen=True, slots=True)
class Emitted:
    """The program, and what the sizes must keep for its boxes to be right (each form >= 0)."""

    program: Program
    requires: tuple[Affine, ...]
    differs: bool = False  # the differentiable program is another


def emit(
    analysed: Analysed,
    plan: Sequence[PlanNode],
    boxes: Boxes,
    printed: Mapping[str, str],
    differentiable: bool = False,
) -> Emitted:
    """The program for a plan; raises Degenerate where the plan is not for sizes such as these.

    A `differentiable` one may be gone through backwards, where the trips of its loops are known from the shapes.
    """
    unit = analysed.unit
    params = {p.name for p in unit.params}
    taken = {*params, *printed.values(), *RESERVED}
    names = Names(taken, hints_of(analysed), {p: p for p in params}, carry=fresh_name("carry", taken))
    state = State(analysed, boxes, names, boxes.values, printed, differentiable=differentiable)
    state.flag_names.update({flag.value: names.fresh(flag.value) for flag in Flag})
    for p in unit.params:
        if isinstance(p.type, ArrayType):
            state.cells[p.name] = Held(named(p.name, (), rank(p.type), p.type))
    block(state, plan, in_loop=False)
    for cell in list(state.cells):
        flush(state, cell)
    value, returns, writes = outputs(state, unit)
    return finish(state, unit, value, returns, writes)


def hints_of(analysed: Analysed) -> dict[str, str]:
    """The person's names for loop variables, values and cells."""
    found: dict[str, str] = {}
    for leaf in analysed.leaves:
        statement = leaf.statement
        if isinstance(statement, Def | Alloc | ListAlloc) and statement.hint:
            found[statement.name] = statement.hint
        for loop in leaf.loops:
            if isinstance(loop, For):
                written = loop.source.variable
                plain = re.sub(r"_\d+$", "", loop.variable)
                found[loop.variable] = (
                    written if written.isidentifier() and loop.variable.startswith(written) else plain
                )
    return found


def body(state: State, plan: Sequence[PlanNode]) -> None:
    """The nodes inside a loop that runs."""
    block(state, plan, in_loop=True)


def block(state: State, plan: Sequence[PlanNode], in_loop: bool) -> None:
    """The nodes of a plan, in order."""
    for node in branches.parts(state, plan, in_loop):
        if isinstance(node, branches.Group):
            branches.branch(state, node, body)
        elif isinstance(node, Sequential):
            loops.sequential(state, node, body)
        else:
            require_pins(state, node)
            with state.axes_free({loop.variable for loop in node.axes}), state.pinning(dict(node.pinned)):
                statement(state, node)


def require_pins(state: State, node: Together) -> None:
    """The one iteration that is emitted of a loop is one of the loop's at later sizes too."""
    for variable, value in node.pinned:
        loop, around = loop_of(node.leaf, variable)
        box = state.boxes.box(loop, around)
        if box is None or not state.require(value - box.least) or not state.require(box.greatest - value):
            raise Degenerate


def statement(state: State, node: Together) -> None:
    """One statement, for all iterations of its axes."""
    match node.leaf.statement:
        case Def(name=identifier, expr=expr):
            stores.define(state, node.leaf, tuple(a.variable for a in node.axes), identifier, expr)
        case Alloc():
            stores.allocate(state, node)
        case Store():
            stores.store(state, node)
        case Fault():
            if is_looked_for(state, node.leaf):
                fault(state, node)
        case ListAlloc(name=identifier):
            state.cells[identifier] = Held(NO_ITEMS, lazy=True)
        case Append():
            packs.append(state, node)


# ---------------------------------------------------------------- the function around it


def finish(state: State, unit: Unit, value: ast.expr, returns: Out, writes: Mapping[str, ast.expr]) -> Emitted:
    """The function: sizes, lines, what it returns; then the module around it as text."""
    flags = [f for f in (Flag.FAULT, Flag.RETRY) if state.flags.get(f.value) is not None]
    result = value
    if writes or flags:
        written = ast.Dict([ast.Constant(k) for k in writes], list(writes.values()))
        parts = [value, written]
        if flags:
            parts.append(call("jnp.stack", ast.List([flag_node(state, f) for f in flags], ast.Load())))
        result = ast.Tuple(parts, ast.Load())
    lines = [*state.lines, ast.Return(result)]
    opening = sizes_first(state, unit, lines)
    spec = ast.arguments([], [ast.arg(p.name) for p in unit.params], None, [], [], None, [])
    taken = {p.name for p in unit.params} | RESERVED
    identifier = unit.name if unit.name.isidentifier() and unit.name not in taken else fresh_name("function", taken)
    made = ast.FunctionDef(identifier, spec, [*opening, *lines], [], None)
    made.body = renumbered(tidied(made.body, state.names.made), state.names.made)
    module = ast.Module([*imports(made.body), made], [])
    ast.fix_missing_locations(module)
    text = render(module)
    static = static_parameters(state, unit)
    program = Program(identifier, text, unit.params, static, unit.sizes, returns, tuple(writes), tuple(flags))
    return Emitted(program, tuple(state.requires), bool(state.differs))


def flag_node(state: State, flag: Flag) -> ast.expr:
    """A flag as an array, one that is always up too."""
    node = state.flags[flag.value]
    assert node is not None
    return call("jnp.asarray", node) if isinstance(node, ast.Constant) else node


def static_parameters(state: State, unit: Unit) -> tuple[str, ...]:
    """Int parameters that shapes depend on, directly or through derived sizes."""
    needed = set(state.static)
    by_name = {s.name: s for s in unit.sizes}
    todo = list(needed)
    while todo:
        size = by_name.get(todo.pop())
        if size is not None and size.derived is not None:
            new = set(refs(size.derived)) - needed
            needed |= new
            todo += new
    return tuple(p.name for p in unit.params if p.role is Role.SIZE and p.name in needed)


def sizes_first(state: State, unit: Unit, lines: Sequence[ast.stmt]) -> list[ast.stmt]:
    """`n = x.shape[0]` for the sizes that the program names."""
    used = {n.id for line in lines for n in ast.walk(line) if isinstance(n, ast.Name)}
    params = {p.name for p in unit.params}
    found: list[ast.stmt] = []
    opening: dict[str, ast.stmt] = {}
    for size in reversed(unit.sizes):
        shown = state.printed.get(size.name, size.name)
        if shown not in used or size.name in params:
            continue
        node = size_origin(state, size)
        opening[size.name] = ast.Assign([ast.Name(shown, ast.Store())], node)
        used |= {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
    for size in unit.sizes:
        if size.name in opening:
            found.append(opening[size.name])
    return found


def size_origin(state: State, size: Size) -> ast.expr:
    """`x.shape[0]`, or `(n - 1) // 2`."""
    if size.derived is None:
        array, axis = size.origins[0]
        shape = ast.Attribute(name(array), "shape", ast.Load())
        return ast.Subscript(shape, literal(axis), ast.Load())
    assert isinstance(size.derived, Apply)
    one, other = (affine_form(e, {}) for e in size.derived.args)
    assert one is not None and other is not None
    op = ast.Mult() if size.derived.op == "multiply" else ast.FloorDiv()
    return ast.BinOp(state.size_text(one), op, state.size_text(other))


def imports(lines: Sequence[ast.stmt]) -> list[ast.stmt]:
    """The modules that the lines use."""
    used = {n.id for line in lines for n in ast.walk(line) if isinstance(n, ast.Name)}
    known: dict[str, ast.stmt] = {
        "jax": ast.Import([ast.alias("jax", None)]),
        "jnp": ast.Import([ast.alias("jax.numpy", "jnp")]),
        "np": ast.Import([ast.alias("numpy", "np")]),
        "lax": ast.ImportFrom("jax", [ast.alias("lax", None)], 0),
        "special": ast.ImportFrom("jax.scipy", [ast.alias("special", None)], 0),
    }
    return [line for module, line in known.items() if module in used]
