"""What a loop carries from one iteration to the next: cells that outlive an iteration, flags that it may raise.

    y, fault = lax.fori_loop(1, n, step, (y, False))

In: a loop of the plan. Out: the carry, its names before the loop's own variable takes one, every cell of it at its
full shape; the lines of the body, which take the carry apart and give the new one back.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from autovec.analysis.statements import Leaf, Nest, read_cells
from autovec.emit import operations
from autovec.emit.axes import Here, broadcast
from autovec.emit.cells import assign_cell
from autovec.emit.faults import is_looked_for
from autovec.emit.forwarding import flush
from autovec.emit.one_store import one_store
from autovec.emit.operations.nodes import name
from autovec.emit.state import Held, State
from autovec.emit.tidy import tidied
from autovec.emit.values import Value, named
from autovec.ir.nodes import Alloc, Append, Fault, For, ListAlloc, Store
from autovec.ir.types import INT, ArrayType
from autovec.plan.nodes import PlanNode, leaves_of

Emit = Callable[[State, Sequence[PlanNode]], None]


@dataclass
class Carry:
    """Cells in the order in which the body stores to them, then flags; `body_of` may add flags."""

    cells: list[str]
    flags: list[str]

    def targets(self, state: State) -> list[str]:
        """The names of the carry."""
        return [*map(state.names_of, self.cells), *(state.flag_names[flag] for flag in self.flags)]

    def contents(self, state: State) -> list[ast.expr]:
        """The values of the carry as they are now; bare numbers get their dtype."""
        found: list[ast.expr] = []
        for cell in self.cells:
            value = state.cells[cell].value
            found.append(typed(value) if value.literal else value.node)
        for flag in self.flags:
            node = state.flags[flag]
            assert node is not None
            found.append(node)
        return found

    def rebind(self, inner: State) -> None:
        """Inside the loop the carry's names hold the current contents."""
        self.adopt(inner, inner)

    def adopt(self, state: State, inner: State) -> None:
        """After the loop the names hold the final contents, with the axes that they have inside it."""
        for cell in self.cells:
            held = inner.cells[cell].value
            state.cells[cell] = Held(named(state.names_of(cell), held.axes, held.rank, held.type))
        for flag in self.flags:
            state.flags[flag] = name(state.flag_names[flag])


def typed(value: Value) -> ast.expr:
    """A literal that starts a carry: float64, int64 and bool are what JAX takes it for."""
    if value.type.dtype.name in ("float64", "int64", "bool", "complex128"):
        node = value.node
        if value.type.dtype.kind == "f" and isinstance(node, ast.Constant) and isinstance(node.value, int):
            return ast.Constant(float(node.value))
        return node
    return operations.cast(value.node, INT, value.type)


# ---------------------------------------------------------------- before the loop


def carry_of(state: State, loop: Nest | None, leaves: Sequence[Leaf]) -> Carry:
    """The carry of a loop, or of a branch; its cells, and those that the body reads, are written down before it."""
    carry = Carry(carried_cells(leaves), flags_raised(state, leaves))
    for cell in sorted({*carry.cells, *(cell for leaf in leaves for cell in read_cells(leaf))}):
        if cell in state.cells:
            flush(state, cell)
            materialise(state, cell)
    start_flags(state, carry.flags)
    carry.targets(state)  # they are named here, before the loop's own variable takes a name
    for cell in carry.cells:
        expand_carried(state, loop, cell, leaves)
    return carry


def carried_cells(leaves: Sequence[Leaf]) -> list[str]:
    """Cells that outlive an iteration: stored in the body, made outside."""
    made = {t.statement.name for t in leaves if isinstance(t.statement, Alloc | ListAlloc)}
    stored = [t.statement.cell for t in leaves if isinstance(t.statement, Store | Append)]
    return [cell for cell in dict.fromkeys(stored) if cell not in made]


def flags_raised(state: State, leaves: Sequence[Leaf]) -> list[str]:
    """The flags that the body is seen to raise."""
    faults = any(isinstance(leaf.statement, Fault) and is_looked_for(state, leaf) for leaf in leaves)
    return ["fault"] if faults else []


def start_flags(state: State, flags: Sequence[str]) -> None:
    """A flag that the body may raise is carried, and is down before the loop."""
    for flag in flags:
        if state.flags.get(flag) is None:
            state.flag_names.setdefault(flag, state.names.fresh(flag))
            state.flags[flag] = ast.Constant(False)


def materialise(state: State, cell: str) -> None:
    """A cell that a loop carries or reads has a name, at its full shape."""
    held = state.cells[cell]
    if held.lazy or (held.value.literal and isinstance(held.value.type, ArrayType)):
        assign_cell(state, cell, held.value.node, held.value)


def expand_carried(state: State, loop: Nest | None, cell: str, leaves: Sequence[Leaf]) -> None:
    """A private cell that the loop changes for all iterations of outer axes at once has these axes from the start."""
    depth = state.program.depth_of.get(cell, 0)
    leaf = next(t for t in leaves if isinstance(t.statement, Store | Append) and t.statement.cell == cell)
    wanted = tuple(
        n.variable
        for n in leaf.loops[:depth]
        if isinstance(n, For) and n is not loop and n.variable not in state.running
    )
    value = state.cells[cell].value
    if set(wanted) <= set(value.axes):
        return
    full = broadcast(state, Here(leaf, wanted), value, wanted, value.type.shape)
    assign_cell(state, cell, full, Value(full, wanted, value.rank, value.type))


# ---------------------------------------------------------------- the body


def body_of(
    state: State, body: Sequence[PlanNode], emit: Emit, prepare: Callable[[State], None], carry: Carry
) -> State:
    """The body's block; a flag that it turns out to raise joins the carry, and the body is written again with it."""
    while True:
        inner = state.child()
        carry.rebind(inner)
        prepare(inner)
        emit(inner, body)
        for cell in carry.cells:
            flush(inner, cell)
            keep_axes(state, inner, cell, [t.leaf for t in leaves_of(body)])
        raised = [flag for flag, up in inner.flags.items() if up is not None and flag not in carry.flags]
        if not raised:
            return inner
        start_flags(state, raised)
        carry.flags += raised


def keep_axes(state: State, inner: State, cell: str, leaves: Sequence[Leaf]) -> None:
    """A cell leaves the body with the axes that it came in with, also where its last value is one for all of them."""
    value, wanted = inner.cells[cell].value, state.cells[cell].value.axes
    if set(value.axes) < set(wanted):
        leaf = next(t for t in leaves if isinstance(t.statement, Store | Append) and t.statement.cell == cell)
        full = broadcast(inner, Here(leaf, wanted), value, wanted, value.type.shape)
        assign_cell(inner, cell, full, Value(full, wanted, value.rank, value.type))


def in_phases(inner: State, carry: Carry, predicate: ast.expr) -> list[ast.stmt]:
    """The body with loads before stores, where XLA would copy an array otherwise; the predicate holds at its start."""
    arrays = {inner.names_of(c) for c in carry.cells if inner.cells[c].value.dims > 0}
    contents = carry.contents(inner)
    # what the body returns is no temporary, though another function may have one of that name
    returned = {n.id for content in contents for n in ast.walk(content) if isinstance(n, ast.Name)}
    made = inner.names.made - returned
    lines = tidied(inner.lines, made)
    inner.names.made |= made
    return one_store(lines, contents, arrays, predicate, inner.names)


def closed(inner: State, carry: Carry) -> list[ast.stmt]:
    """The body's lines between those that unpack the carry and the one that returns the new one."""
    targets = carry.targets(inner)
    result = packed(carry.contents(inner))
    match inner.lines, result:
        case [*before, ast.Assign(targets=[ast.Name(id=last)], value=value)], ast.Name(id=only) if last == only:
            if len(targets) == 1:
                return [*before, ast.Return(value)]
        case _:
            pass
    return [*opening(inner, targets), *inner.lines, ast.Return(result)]


def opening(state: State, parameters: Sequence[str]) -> list[ast.stmt]:
    """`i, y = carry`, where the carry is more than one thing."""
    return [] if len(parameters) == 1 else [ast.Assign([pattern(parameters)], name(state.names.carry))]


def pattern(targets: Sequence[str]) -> ast.expr:
    return ast.Tuple([ast.Name(t, ast.Store()) for t in targets], ast.Store())


def packed(nodes: Sequence[ast.expr]) -> ast.expr:
    """One value, or a tuple of several."""
    return nodes[0] if len(nodes) == 1 else ast.Tuple(list(nodes), ast.Load())


def unpack(state: State, targets: Sequence[str], node: ast.expr) -> None:
    """Assign one value, or the members of a tuple."""
    if len(targets) == 1:
        state.assign(targets[0], node)
    else:
        state.lines.append(ast.Assign([pattern(targets)], node))


def function(identifier: str, parameters: Sequence[str], body: list[ast.stmt]) -> ast.FunctionDef:
    """`def identifier(parameters): body`."""
    spec = ast.arguments([], [ast.arg(p) for p in parameters], None, [], [], None, [])
    return ast.FunctionDef(identifier, spec, body, [], None)
