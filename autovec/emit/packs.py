"""Lists built by appends: one array of the elements, in the order of the iterations.

    for i in range(n): out.append(x[i])                        -->  out = x
    for i in range(n): for j in range(m): out.append(f(i, j))  -->  out = f.reshape(-1)
    for i in range(n): for j in range(i + 1, n): ...           -->  i, j = np.nonzero(j > i); out = f at (i, j)
    for i in range(n): if x[i] > 0: out.append(x[i])           -->  i = jnp.nonzero(x > 0, size=n); out = x[i], count

Which iterations append is known when the program is traced, unless a condition depends on data: then the array has
the length of the box, and a count beside it.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Sequence

from autovec.diagnostics import Blocked, Code
from autovec.emit.axes import Here, all_of, axis_box, axis_extent, broadcast
from autovec.emit.cells import assign_cell
from autovec.emit.expressions import evaluate
from autovec.emit.masks import mask_of
from autovec.emit.operations.nodes import binop, call, literal, name
from autovec.emit.render import comment
from autovec.emit.state import State
from autovec.emit.values import Value, expand, named
from autovec.ir.affine import Affine
from autovec.ir.nodes import Append, For, Load, Ref
from autovec.ir.types import INT, ArrayType
from autovec.ir.walk import walk
from autovec.plan.nodes import Together


def append(state: State, node: Together) -> None:
    """All appends of one statement; raises Blocked for a list whose array can't be made at once."""
    statement = node.leaf.statement
    assert isinstance(statement, Append)
    here = Here(node.leaf, tuple(loop.variable for loop in node.axes))
    if state.cells[statement.cell].value.rank >= 0:
        raise Blocked(Code.DYNAMIC_SHAPE, statement.span, "a list that grows in two places", "make one list for each")
    around = [loop.variable for loop in here.leaf.loops if isinstance(loop, For)]
    own = state.program.depth_of[statement.cell]
    # a list for each iteration of an axis, or one in a loop that runs, is built with room
    if here.axes and set(here.axes) != set(around[own:]):
        raise Blocked(Code.DYNAMIC_SHAPE, statement.span, "a list that grows in a loop that stays one")
    masks = mask_of(state, here, node.leaf.guard)
    if not here.axes:
        single(state, here, statement, masks)
    elif not masks:
        rectangular(state, here, statement)
    else:
        picked(state, here, node, statement, masks)


def hold(state: State, cell: str, node: ast.expr, kind: ArrayType) -> None:
    """The list is this array from here on."""
    assign_cell(state, cell, node, Value(node, (), len(kind.shape), kind))


def as_array(statement: Append) -> ArrayType:
    """The type of the list as an array; nobody asks for its length."""
    kind = statement.value.type
    return ArrayType(kind.dtype, (Affine.name("?"), *kind.shape))


def single(state: State, here: Here, statement: Append, masks: Sequence[Value]) -> None:
    """One append outside all loops."""
    grows = here.leaf.depth > state.program.depth_of[statement.cell]  # in a loop that stays one, a `while` too
    if masks or grows:
        raise Blocked(
            Code.DYNAMIC_SHAPE,
            statement.span,
            "an append whose number of calls depends on the data",
            "fill an array of the largest possible length",
        )
    value = evaluate(state, here, statement.value)
    hold(state, statement.cell, call("jnp.stack", ast.List([value.node], ast.Load())), as_array(statement))


def rectangular(state: State, here: Here, statement: Append) -> None:
    """Every iteration of the boxes appends: the element over all axes, which become one."""
    value = evaluate(state, here, statement.value)
    if set(value.axes) != set(here.axes):
        node = broadcast(state, here, value, here.axes, statement.value.type.shape)
    else:
        node = expand(value, here.axes, value.rank)
    if len(here.axes) > 1:
        own = [state.size(s) for s in statement.value.type.shape]
        node = ast.Call(ast.Attribute(node, "reshape", ast.Load()), [literal(-1), *own], [])
    hold(state, statement.cell, node, as_array(statement))


def picked(state: State, here: Here, node: Together, statement: Append, masks: Sequence[Value]) -> None:
    """The iterations that append, as index vectors; the element is evaluated at them."""
    mask = all_of(state, here, masks)
    assert mask is not None
    known = is_static(node)
    full = expand(mask, here.axes, 0)
    if set(mask.axes) != set(here.axes):
        full = call("jnp.broadcast_to", full, ast.Tuple([axis_extent(state, here, a) for a in here.axes], ast.Load()))
    names = [state.names.temporary(state.names.hints.get(a, a)) for a in here.axes]
    if known:
        mask_now = in_numpy(full, state, here)
        used = {n.id for n in ast.walk(mask_now) if isinstance(n, ast.Name)}
        state.static |= {s for s in state.values if state.printed.get(s, s) in used}
        assign_all(state, names, call("np.nonzero", mask_now))
    else:
        chosen_positions(state, here, statement.cell, names, full)
    shared = "picked"
    at: dict[str, Value] = {}
    for a, n in zip(here.axes, names, strict=True):
        box = axis_box(state, here, a)
        index: ast.expr = name(n)
        if box.step != 1:
            index = binop(index, "*", literal(box.step))
        if box.first != Affine.number(0):
            index = binop(index, "+", state.size(box.first))
        if not isinstance(index, ast.Name):
            state.assign(n, index)
        at[a] = named(n, (shared,), 0, INT)
    with state.collapsing(at):
        value = evaluate(state, Here(node.leaf, (shared,)), statement.value)
    if not value.axes:
        length = ast.Attribute(name(names[0]), "size", ast.Load())
        own = [state.size(s) for s in statement.value.type.shape]
        repeated = call("jnp.broadcast_to", value.node, ast.Tuple([length, *own], ast.Load()))
        value = Value(repeated, (shared,), value.rank, value.type)
    hold(state, statement.cell, value.node, as_array(statement))


def assign_all(state: State, names: Sequence[str], indices: ast.expr) -> None:
    """`i, j = indices`, one index vector for each axis."""
    if len(names) == 1:
        state.assign(names[0], ast.Subscript(indices, ast.Constant(0), ast.Load()))
    else:
        pattern = ast.Tuple([ast.Name(n, ast.Store()) for n in names], ast.Store())
        state.lines.append(ast.Assign([pattern], indices))


def chosen_positions(state: State, here: Here, cell: str, names: Sequence[str], mask: ast.expr) -> None:
    """Index vectors as long as the box, of which as many count as the mask holds.

    One pass that stores each position where the next chosen one belongs: `jnp.nonzero` takes 20 times as long.
    """
    sizes = [axis_extent(state, here, a) for a in here.axes]
    total, *others = sizes
    for size in others:
        total = ast.BinOp(total, ast.Mult(), size)
    place, count, chosen = (state.names.fresh(hint) for hint in ("place", "count", "chosen"))
    flat = mask if len(names) == 1 else ast.Call(ast.Attribute(mask, "reshape", ast.Load()), [literal(-1)], [])
    lines = ast.parse(PLACE.format(place=place, count=count, chosen=chosen)).body
    first = ast.parse(f"({count}, _, {chosen}), _ = lax.scan({place}, (0, 0, chosen), mask)").body[0]
    assert isinstance(first, ast.Assign) and isinstance(first.value, ast.Call)
    if len(here.axes) == 1:
        one_more = state.size(axis_box(state, here, here.axes[0]).extent + 1)
    else:
        one_more = binop(total, "+", literal(1))
    room = call("jnp.zeros", one_more, dtype=name("jnp.int64"))  # the last place is never one of them
    first.value.args[1:] = [ast.Tuple([literal(0), literal(0), room], ast.Load()), flat]
    state.lines += [comment("the chosen positions in one pass: jnp.nonzero takes 20 times as long"), *lines, first]
    positions = ast.Subscript(name(chosen), ast.Slice(None, total), ast.Load())
    if len(names) == 1:
        state.assign(names[0], positions)
    else:
        assign_all(state, names, call("jnp.unravel_index", positions, ast.Tuple(list(sizes), ast.Load())))
    state.counts[cell] = name(count)


PLACE = """
def {place}(carry, taken):
    {count}, position, {chosen} = carry
    return ({count} + taken, position + 1, {chosen}.at[{count}].set(position)), None
"""


def is_static(node: Together) -> bool:
    """Do the conditions hold only loop variables and sizes?"""
    if node.leaf.guard is None:
        return True
    known = node.sizes | {n.variable for n in node.leaf.loops if isinstance(n, For)}
    return all(e.name in known if isinstance(e, Ref) else not isinstance(e, Load) for e in walk(node.leaf.guard))


def in_numpy(mask: ast.expr, state: State, here: Here) -> ast.expr:
    """The mask as a NumPy expression: it is evaluated when the program is traced."""
    vectors = {identifier for a, identifier in state.aranges.items() if a in here.axes}
    replaced: dict[str, ast.expr] = {}
    for line in state.lines:
        match line:
            case ast.Assign(targets=[ast.Name(id=identifier)], value=value) if identifier in vectors:
                replaced[identifier] = value
            case _:
                continue

    class InNumPy(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.expr:
            if node.id in replaced:
                return self.visit(copy.deepcopy(replaced[node.id]))
            return ast.Name("np", ast.Load()) if node.id == "jnp" else node

    return InNumPy().visit(copy.deepcopy(mask))
