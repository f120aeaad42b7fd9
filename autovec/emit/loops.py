"""Loops that stay loops: `lax.fori_loop` over the cells they change, `lax.while_loop` where the body decides.

for i in range(1, n): y[i] = a * y[i - 1] + x[i]

def step(i, y):
    return y.at[i].set(a * y[i - 1] + x[i])
y = lax.fori_loop(1, n, step, y)
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import replace

from autovec.analysis.statements import Leaf
from autovec.emit import differentiable, operations
from autovec.emit.accumulators import accumulates, accumulator_loop
from autovec.emit.expressions import Here, affine_value, aligned, broadcast, evaluate
from autovec.emit.one_store import one_store
from autovec.emit.faults import is_looked_for
from autovec.emit.forwarding import flush
from autovec.emit.operations.nodes import binop, call, literal, name
from autovec.emit.state import Held, State
from autovec.emit.tidy import tidied
from autovec.emit.values import Value, named
from autovec.ir.affine import Affine
from autovec.ir.conditions import affine_form
from autovec.ir.nodes import Alloc, Append, Def, Expr, Fault, For, ListAlloc, Store, While
from autovec.ir.types import INT, ArrayType
from autovec.plan.nodes import PlanNode, Sequential, Together, leaves_of

Emit = Callable[[State, Sequence[PlanNode]], None]


def sequential(state: State, node: Sequential, emit: Emit) -> None:
    """A loop of the plan, its carry and what it leaves behind."""
    only = accumulates(node)
    if only is not None and accumulator_loop(state, node, only):
        return
    tops = [t.leaf for t in leaves_of(node.body)]
    carried = carried_cells(tops)
    around: tuple[object, ...] = ()
    for cell in sorted({*carried, *read_cells(tops)}):
        if cell in state.cells:
            flush(state, cell)
            materialise(state, cell)
    flags = flags_raised(state, tops)
    start_flags(state, flags)
    targets_of(state, carried, flags)  # the carry has its names before the loop's own variable takes one
    axes = vector_axes(node, tops)
    for cell in carried:
        expand_carried(state, node, cell, tops, axes)
    loop = node.loop
    if isinstance(loop, For) and (state.differentiable or not loop.live):
        counted(state, node, loop, around, carried, flags, emit, tops)
    else:
        conditional(state, node, loop, around, carried, flags, emit, tops)


def start_flags(state: State, flags: Sequence[str]) -> None:
    """A flag that the body may raise is carried, and is down before the loop."""
    for flag in flags:
        if state.flags.get(flag) is None:
            state.flag_names.setdefault(flag, state.names.fresh(flag))
            state.flags[flag] = ast.Constant(False)


def carried_cells(leaves: Sequence[Leaf]) -> list[str]:
    """Cells that outlive an iteration: stored in the body, made outside."""
    made = {t.statement.name for t in leaves if isinstance(t.statement, Alloc | ListAlloc)}
    found: dict[str, None] = {}
    for leaf in leaves:
        if isinstance(leaf.statement, Store | Append) and leaf.statement.cell not in made:
            found[leaf.statement.cell] = None
    return list(found)


def read_cells(leaves: Sequence[Leaf]) -> set[str]:
    from autovec.analysis.statements import all_expressions
    from autovec.ir.walk import loads

    return {load.cell for leaf in leaves for e in all_expressions(leaf) for load in loads(e)} | {
        n.live for leaf in leaves for n in leaf.loops if isinstance(n, For) and n.live
    }


def flags_raised(state: State, leaves: Sequence[Leaf]) -> list[str]:
    found: list[str] = []
    if any(isinstance(leaf.statement, Fault) and is_looked_for(state, leaf) for leaf in leaves):
        found.append("fault")
    return found


def vector_axes(node: Sequential, leaves: Sequence[Leaf]) -> dict[str, list[str]]:
    """For each carried cell the axes that the body keeps of it: loops further out that it is private to."""
    return {}


def materialise(state: State, cell: str) -> None:
    """A cell that a loop carries or reads has a name, at its full shape."""
    held = state.cells[cell]
    if held.lazy or (held.value.literal and isinstance(held.value.type, ArrayType)):
        identifier = state.names_of(cell)
        state.assign(identifier, held.value.node)
        state.cells[cell] = Held(replace(held.value, base=name(identifier), items=(), literal=False))


def expand_carried(
    state: State, node: Sequential, cell: str, leaves: Sequence[Leaf], axes: dict[str, list[str]]
) -> None:
    """A private cell that the loop changes for all iterations of outer axes at once has these axes from the start."""
    depth = state.program.depth_of.get(cell, 0)
    if not depth:
        return
    leaf = next(t for t in leaves if isinstance(t.statement, Store | Append) and t.statement.cell == cell)
    wanted = [
        n.variable
        for n in leaf.loops[:depth]
        if isinstance(n, For) and n is not node.loop and n.variable not in state.running
    ]
    held = state.cells[cell]
    missing = [a for a in wanted if a not in held.value.axes]
    if not missing:
        return
    here = Here(leaf, tuple(wanted))
    shape = held.value.type.shape
    node_ = broadcast(state, here, held.value, wanted, shape)
    identifier = state.names_of(cell)
    state.assign(identifier, node_)
    state.cells[cell] = Held(Value(name(identifier), tuple(wanted), held.value.rank, held.value.type))


# ---------------------------------------------------------------- carries


def targets_of(state: State, carried: Sequence[str], flags: Sequence[str]) -> list[str]:
    return [*(state.names_of(c) for c in carried), *(state.flag_names[f] for f in flags)]


def current(state: State, carried: Sequence[str], flags: Sequence[str]) -> list[ast.expr]:
    """The values of the carry as they are now; bare numbers get their dtype."""
    found: list[ast.expr] = []
    for cell in carried:
        value = state.cells[cell].value
        found.append(typed(value) if value.literal else value.node)
    for flag in flags:
        node = state.flags[flag]
        assert node is not None
        found.append(node)
    return found


def typed(value: Value) -> ast.expr:
    """A literal that starts a carry: float64, int64 and bool are what JAX takes it for."""
    if value.type.dtype.name in ("float64", "int64", "bool", "complex128"):
        node = value.node
        if value.type.dtype.kind == "f" and isinstance(node, ast.Constant) and isinstance(node.value, int):
            return ast.Constant(float(node.value))
        return node
    return operations.cast(value.node, INT, value.type)


def rebind(inner: State, carried: Sequence[str], flags: Sequence[str]) -> None:
    """Inside the loop the carry's names hold the current contents."""
    for cell in carried:
        held = inner.cells[cell].value
        inner.cells[cell] = Held(Value(name(inner.names_of(cell)), held.axes, held.rank, held.type))
    for flag in flags:
        inner.flags[flag] = name(inner.flag_names[flag])


def packed(nodes: Sequence[ast.expr]) -> ast.expr:
    return nodes[0] if len(nodes) == 1 else ast.Tuple(list(nodes), ast.Load())


def unpack(state: State, targets: Sequence[str], node: ast.expr) -> None:
    if len(targets) == 1:
        state.assign(targets[0], node)
        return
    pattern = ast.Tuple([ast.Name(t, ast.Store()) for t in targets], ast.Store())
    state.lines.append(ast.Assign([pattern], node))


def function(identifier: str, parameters: Sequence[str], body: list[ast.stmt]) -> ast.FunctionDef:
    spec = ast.arguments([], [ast.arg(p) for p in parameters], None, [], [], None, [])
    made = ast.FunctionDef(identifier, spec, body, [], None)
    return made


def body_of(
    state: State,
    node: Sequential,
    emit: Emit,
    prepare: Callable[[State], None],
    carried: Sequence[str],
    flags: list[str],
) -> State:
    """The body's block; a flag that it turns out to raise joins `flags`, and the body is written again with it."""
    while True:
        inner = state.child()
        rebind(inner, carried, flags)
        prepare(inner)
        emit(inner, node.body)
        for cell in carried:
            flush(inner, cell)
        raised = [flag for flag, up in inner.flags.items() if up is not None and flag not in flags]
        if not raised:
            return inner
        start_flags(state, raised)
        flags += raised


# ---------------------------------------------------------------- counted loops


def counted(
    state: State,
    node: Sequential,
    loop: For,
    around: Sequence[object],
    carried: Sequence[str],
    flags: list[str],
    emit: Emit,
    leaves: Sequence[Leaf],
) -> None:
    leaf = next(leaf for leaf in leaves if loop in leaf.loops)
    lower, upper, variable, start_trip = stepping(state, loop, leaf, loop_bounds(state, loop, leaf))

    def prepare(inner: State) -> None:
        start_trip(inner)
        if loop.live:
            differentiable.only_while_live(inner, inner.names_of(loop.live))
        for other in node.fused:
            inner.running[other.variable] = inner.running[loop.variable]

    inner = body_of(state, node, emit, prepare, carried, flags)
    targets = targets_of(state, carried, flags)
    if not targets:
        return
    identifier = state.names.fresh("step")
    inner.lines = in_phases(inner, carried, flags, binop(name(variable), ">=", lower))
    write_step(inner, identifier, variable, carried, flags)
    state.lines.append(function(identifier, [variable, carry_name(state, targets)], inner.lines))
    start = packed(current(state, carried, flags))
    carry = carry_name(state, targets)
    live = carried_value(state, targets, carry, loop.live) if loop.live else None
    outer = leaf.loops[: leaf.loops.index(loop)]
    looped = differentiable.counted(state, loop, outer, identifier, variable, (lower, upper), carry, start, live)
    unpack(state, targets, looped)
    adopt(state, inner, carried, flags)


def carried_value(state: State, targets: Sequence[str], carry: str, cell: str) -> ast.expr:
    """A cell as it is in the carry at the beginning of a trip."""
    identifier = state.names_of(cell)
    if identifier not in targets or len(targets) == 1:
        return name(identifier)
    return ast.Subscript(name(carry), literal(targets.index(identifier)), ast.Load())


def in_phases(inner: State, carried: Sequence[str], flags: Sequence[str], predicate: ast.expr) -> list[ast.stmt]:
    """The body with loads before stores, where XLA would copy an array otherwise."""
    arrays = {inner.names_of(c) for c in carried if inner.cells[c].value.dims > 0}
    lines = tidied(inner.lines, inner.names.made)
    return one_store(lines, current(inner, carried, flags), arrays, predicate, inner.names)


def carry_name(state: State, targets: Sequence[str]) -> str:
    return targets[0] if len(targets) == 1 else "carry"


def write_step(inner: State, identifier: str, variable: str, carried: Sequence[str], flags: Sequence[str]) -> None:
    """Close the body: unpack the carry at its start, return the new one at its end."""
    targets = targets_of(inner, carried, flags)
    result = ast.Return(packed(current(inner, carried, flags)))
    last = inner.lines[-1] if inner.lines else None
    if (
        len(targets) == 1
        and isinstance(last, ast.Assign)
        and isinstance(last.targets[0], ast.Name)
        and isinstance(result.value, ast.Name)
        and last.targets[0].id == result.value.id
    ):
        inner.lines[-1] = ast.Return(last.value)
    else:
        inner.lines.append(result)
    if len(targets) > 1:
        pattern = ast.Tuple([ast.Name(t, ast.Store()) for t in targets], ast.Store())
        inner.lines.insert(0, ast.Assign([pattern], name("carry")))


def adopt(state: State, inner: State, carried: Sequence[str], flags: Sequence[str]) -> None:
    """After the loop the names hold the final contents."""
    for cell in carried:
        held = inner.cells[cell].value
        state.cells[cell] = Held(Value(name(state.names_of(cell)), held.axes, held.rank, held.type))
    for flag in flags:
        state.flags[flag] = name(state.flag_names[flag])


def loop_bounds(state: State, loop: For, leaf: Leaf) -> tuple[ast.expr, ast.expr, bool]:
    """The bounds as text; the hull of all iterations where a bound depends on a loop that is an axis."""
    around = leaf.loops[: leaf.loops.index(loop)]
    exact = all(bound_is_running(state, e, around) for e in (*loop.start, *loop.stop))
    if not exact:
        box = state.boxes.box(loop, around)
        assert box is not None
        return state.size_text(box.first), state.size_text(box.last), False
    here = Here(leaf, ())
    lower = met(state, here, loop.start, "maximum" if loop.step > 0 else "minimum")
    upper = met(state, here, loop.stop, "minimum" if loop.step > 0 else "maximum")
    if loop.guard is not None and is_scalar_now(state, here, loop.guard):
        guard = evaluate(state, here, loop.guard)
        upper = call("jnp.where", guard.node, upper, lower)
    return lower, upper, True


def is_scalar_now(state: State, here: Here, guard: Expr) -> bool:
    from autovec.ir.walk import refs

    axes = {a for r in refs(guard) if r in state.defined for a in state.defined[r].axes}
    variables = {n.variable for n in here.leaf.loops if isinstance(n, For)}
    names = set(refs(guard))
    return all(a in state.running for a in axes) and all(v in state.running for v in names & variables)


def bound_is_running(state: State, expr: Expr, around: Sequence[object]) -> bool:
    """Does the bound hold only sizes and variables of loops that run?"""
    from autovec.ir.walk import refs

    form = affine_form(expr, state.program.affine)
    names = form.names if form is not None else frozenset(refs(expr))
    axes = {n.variable for n in around if isinstance(n, For) and n.variable not in state.running}
    for n in names:
        if n in axes or (n in state.defined and any(a not in state.running for a in state.defined[n].axes)):
            return False
    return True


def met(state: State, here: Here, forms: Sequence[Expr], op: str) -> ast.expr:
    """`max(a, b)` of bounds: of Python numbers where all are known when traced."""
    values = [evaluate(state, here, e) for e in forms]
    if len(values) == 1:
        return values[0].node
    nodes = [v.node for v in values]
    result = nodes[0]
    for other in nodes[1:]:
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


def is_zero(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value == 0


# ---------------------------------------------------------------- loops that the body ends


def conditional(
    state: State,
    node: Sequential,
    loop: For | While,
    around: Sequence[object],
    carried: Sequence[str],
    flags: list[str],
    emit: Emit,
    leaves: Sequence[Leaf],
) -> None:
    """`lax.while_loop`: it ends with the loop's own condition, and at once on a fault."""
    leaf = leaves[0]
    here = Here(leaf, ())
    counter: str | None = None
    prepare: Callable[[State], None] = lambda inner: None  # noqa: E731
    tests: list[ast.expr] = []
    first: ast.expr | None = None
    if isinstance(loop, For):
        lower, upper, variable, mark = stepping(state, loop, leaf, loop_bounds(state, loop, leaf))
        counter, first, prepare = variable, lower, mark
        tests.append(binop(name(variable), "<", upper))
        if loop.live in carried:  # else the break is one that can't come
            tests.append(name(state.names_of(loop.live)))
    else:
        probe = state.child()
        rebind(probe, carried, flags)
        tests.append(evaluate(probe, here, loop.condition).node)
        if loop.guard is not None:
            tests.append(evaluate(state, here, loop.guard).node)
    inner = body_of(state, node, emit, prepare, carried, flags)
    targets = targets_of(state, carried, flags)
    tests += [ast.UnaryOp(ast.Invert(), name(state.flag_names[flag])) for flag in flags]
    running = binop(name(counter), ">=", first) if counter and first is not None else tests[0]
    inner.lines = in_phases(inner, carried, flags, running)
    results = current(inner, carried, flags)
    parameters = ([counter] if counter else []) + targets
    if counter:
        results = [binop(name(counter), "+", literal(1)), *results]
    test = tests[0]
    for other in tests[1:]:
        test = binop(test, "&", other)
    going, step = state.names.fresh("going"), state.names.fresh("step")
    carry = parameters[0] if len(parameters) == 1 else "carry"
    opening: list[ast.stmt] = []
    if len(parameters) > 1:
        pattern = ast.Tuple([ast.Name(t, ast.Store()) for t in parameters], ast.Store())
        opening.append(ast.Assign([pattern], name("carry")))
    state.lines.append(function(going, [carry], [*opening, ast.Return(test)]))
    state.lines.append(function(step, [carry], [*opening, *inner.lines, ast.Return(packed(results))]))
    start = current(state, carried, flags)
    if first is not None:
        start = [first, *start]
    looped = call("lax.while_loop", name(going), name(step), packed(start))
    state.differs.append(True)
    if state.differentiable:
        looped = differentiable.only_forward(looped, loop)
    unpack(state, ([state.names.fresh("_")] if counter else []) + targets, looped)
    adopt(state, inner, carried, flags)


__all__ = ["Affine", "Def", "Together", "aligned", "named"]
