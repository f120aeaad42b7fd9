"""Stores that wait: later loads take their values, and each array is stored to once in a loop's body.

    A[i, c] = v                  waits
    ... A[i, c] ...              takes v
    ... A[i, c + 1] ...          reads the array: another element
    A[i] = f(A[i])               reads the row with v put into it, and then covers the waiting store

What two accesses touch is compared by their subscripts: running loops by the scalar that runs, axes by their boxes.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, replace

from autovec.analysis.elements import disjoint
from autovec.analysis.model import Access
from autovec.analysis.statements import Forms, subscripts
from autovec.emit.axes import Here, aligned, axis_box, axis_index, localised
from autovec.emit.cells import cell_shape
from autovec.emit.expressions import evaluate
from autovec.emit.operations.nodes import binop, call
from autovec.emit.state import Held, Pending, State
from autovec.emit.values import Value, named
from autovec.ir.affine import Affine
from autovec.ir.conditions import affine_form
from autovec.ir.nodes import Const, Expr, For, Load, Point, Range, Ref, Subscript
from autovec.ir.walk import transform


@dataclass(frozen=True, slots=True)
class Place:
    """A subscript of one axis: comparable text, and the axis of the statement that runs along it."""

    text: str
    axis: str | None
    whole: bool  # every element of the array's axis


def places(state: State, here: Here, cell: str, index: Sequence[Subscript]) -> tuple[Place, ...]:
    """The subscripts in a form that doesn't depend on what loops are called."""
    return tuple(place(state, here, one, size) for one, size in zip(index, cell_shape(state, cell), strict=True))


def place(state: State, here: Here, one: Subscript, size: Affine) -> Place:
    """One subscript; two are of the same elements where their texts are equal."""
    match one:
        case Point(at=at):
            form = affine_form(at, state.program.affine)
            axes = [a for a in here.axes if form is not None and a in form.names]
            if form is not None and len(axes) == 1:
                (axis,) = axes
                box = axis_box(state, here, axis)
                text = f"{renamed(state, form, axis)} over {box.first}:{box.last}:{box.step}"
                whole = form == Affine.name(axis) and box.least == Affine.number(0) and box.greatest == size - 1
                return Place(text, axis, whole and abs(box.step) == 1)
            if form is not None:
                return Place(str(renamed(state, form, None)), None, False)
            return Place(str(transform(at, lambda e: shown(state, e))), None, False)
        case Range(start=start, length=length, step=step):
            is_whole = isinstance(start, Const) and start.value == 0 and length == size and step == 1
            return Place(f"{transform(start, lambda e: shown(state, e))}:{length}:{step}", None, is_whole)
        case _:
            return Place(str(one), None, False)


def renamed(state: State, form: Affine, axis: str | None) -> Affine:
    """Running variables by the scalar they are, the axis by one name for all."""
    values = {n: Affine.name(f"run {ast.unparse(state.running[n])}") for n in form.names if n in state.running}
    if axis is not None:
        values[axis] = Affine.name("axis")
    return form.substitute(values)


def shown(state: State, expr: Expr) -> Expr:
    """A running variable by the scalar it is, in an expression that is no affine form."""
    if isinstance(expr, Ref) and expr.name in state.running:
        return replace(expr, name=f"run {ast.unparse(state.running[expr.name])}")
    return expr


# ---------------------------------------------------------------- loads


def forwarded(state: State, here: Here, expr: Load, over_box: bool) -> tuple[Value | None, tuple[Pending, ...]]:
    """The waiting value of the same elements; else the waiting stores that must be put into what is read.

    Where neither is possible the stores are written first.
    """
    patches: list[Pending] = []
    pending = state.cells[expr.cell].pending
    if not pending:
        return None, ()
    mine = places(state, here, expr.cell, expr.index)
    for one in reversed(pending):
        if alike(mine, one.places):
            if patches:
                break
            value = same_elements(state, here, mine, one)
            if value is not None:
                return replace(value, type=expr.type), ()
            break
        if not patches and patched_axis(one.places, mine) is not None:
            value = element_of(state, here, expr, mine, one)
            if value is not None:
                return value, ()
            break
        k = patched_axis(mine, one.places)
        if k is not None and not one.value.axes and one.value.rank == 0 and (mine[k].axis or is_vector(mine)):
            patches.append(one)
        elif over_box or not is_disjoint(state, here, expr, one):
            break
    else:
        return None, tuple(reversed(patches))
    flush(state, expr.cell)
    return None, ()


def same_elements(state: State, here: Here, mine: Sequence[Place], one: Pending) -> Value | None:
    """The stored value over this statement's axes."""
    names = {b.axis: a.axis for a, b in zip(mine, one.places, strict=True) if b.axis is not None and a.axis is not None}
    axes: list[str] = []
    for a in one.value.axes:
        target = names.get(a, a)
        if target not in here.axes and target not in state.running:
            return None
        axes.append(target)
    return localised(state, here, replace(one.value, axes=tuple(axes)))


def is_vector(mine: Sequence[Place]) -> bool:
    """Is the row all that is loaded, one axis and no other?"""
    return sum(p.axis is not None or ":" in p.text for p in mine) == 1


def element_of(state: State, here: Here, expr: Load, mine: Sequence[Place], one: Pending) -> Value | None:
    """One element of a row that waits to be written."""
    k = patched_axis(one.places, mine)
    assert k is not None
    axis, point = one.places[k].axis, expr.index[k]
    if axis is None or one.value.axes != (axis,) or one.value.rank or not isinstance(point, Point):
        return None
    if axis_box(state, Here(one.leaf, one.axes), axis).step != 1:
        return None  # the row is held the other way round
    at = evaluate(state, here, point.at)
    if at.axes:
        return None
    return Value(one.value.node, (), 0, expr.type, (at.node,))


def alike(a: Sequence[Place], b: Sequence[Place]) -> bool:
    """Are they the same elements? One axis that runs along two dimensions is a diagonal, two are a plane."""
    if [p.text for p in a] != [p.text for p in b]:
        return False
    pairs = [(x.axis, y.axis) for x, y in zip(a, b, strict=True) if x.axis is not None]
    return len(set(pairs)) == len({x for x, _ in pairs}) == len({y for _, y in pairs})


def patched_axis(row: Sequence[Place], element: Sequence[Place]) -> int | None:
    """The axis along which a row runs through a whole array that a store changed in one element."""
    differing = [k for k, (a, b) in enumerate(zip(row, element, strict=True)) if a.text != b.text]
    if len(differing) != 1:
        return None
    (k,) = differing
    rest, others = ([p for i, p in enumerate(places) if i != k] for places in (row, element))
    if not alike(rest, others) or (row[k].axis is not None and any(p.axis == row[k].axis for p in rest)):
        return None
    is_element = element[k].axis is None and not element[k].whole and ":" not in element[k].text
    return k if row[k].whole and is_element else None


def patch(state: State, here: Here, expr: Load, value: Value, pending: Sequence[Pending]) -> Value:
    """The row as it would be with the waiting elements in it; it gets a name, since it is often read again."""
    if not pending:
        return value
    mine = places(state, here, expr.cell, expr.index)
    key = (expr.cell, tuple(p.text for p in mine), tuple(pending), value.axes)
    if key not in state.patched:
        for one in pending:
            value = patched(state, here, value, mine, one)
        target = state.names.temporary("row")
        state.assign(target, value.node)
        state.patched[key] = named(target, value.axes, value.rank, value.type)
    return state.patched[key]


def patched(state: State, here: Here, value: Value, mine: Sequence[Place], one: Pending) -> Value:
    """`jnp.where(j == c, v, A[i])`: one element of the row replaced."""
    k = patched_axis(mine, one.places)
    assert k is not None
    axis = mine[k].axis
    place = one.items[k - len(one.index)]  # the axes that an array of each iteration's own has besides come first
    if axis is None:
        target = ast.Subscript(ast.Attribute(value.node, "at", ast.Load()), place, ast.Load())
        assert value.dims == 1
        return Value(ast.Call(ast.Attribute(target, "set", ast.Load()), [one.value.node], []), (), 1, value.type)
    axes, own, (index, row) = aligned(state, here, [axis_index(state, here, axis), value])
    point = one.index[k]
    if isinstance(point, Point) and point.wraps:
        place = binop(place, "%", state.size(cell_shape(state, one.cell)[k]))
    hit = ast.Compare(index, [ast.Eq()], [place])
    return Value(call("jnp.where", hit, one.value.node, row), axes, own, value.type)


def is_disjoint(state: State, here: Here, expr: Load, pending: Pending) -> bool:
    """Do the load and the store that waits never touch one element?"""
    common = [n for n in here.leaf.loops if n in pending.leaf.loops]
    variables = {n.variable for n in here.leaf.loops if isinstance(n, For)}
    shared = {n.variable for n in common if isinstance(n, For)}
    scope = Forms(variables, state.program.depth_of, state.program.affine)
    mine, theirs = subscripts(expr.index, scope), subscripts(pending.index, scope)
    elsewhere = {n.variable for n in pending.leaf.loops if isinstance(n, For)} - shared | set(pending.axes) - shared
    theirs = tuple(None if f is not None and f.names & elsewhere else f for f in theirs)
    fixed = {v for v in shared if v in state.running and v not in pending.axes}
    # what the load is conditional on says nothing of other iterations' stores
    statement = state.program.graph.statements[here.leaf.key]
    known = {v for v in variables if v not in fixed}
    statement = replace(statement, conditions=tuple(c for c in statement.conditions if not c.names & known))
    facts = state.program.unit.facts
    return disjoint(statement, Access(expr.cell, False, mine, 0), Access(expr.cell, True, theirs, 1), fixed, facts)


# ---------------------------------------------------------------- stores


def queued(state: State, here: Here, before: tuple[Pending, ...], one: Pending) -> tuple[Pending, ...]:
    """The stores that wait, with this one: instead of earlier ones whose elements it covers."""
    kept = list(before)
    for k in reversed(range(len(kept))):
        old = kept[k]
        if alike(old.places, one.places) or patched_axis(one.places, old.places) is not None:
            del kept[k]
            continue
        load = Load(old.cell, one.index, one.value.type)
        if not is_disjoint(state, here, load, old):
            break
    return (*kept, one)


def flush(state: State, cell: str) -> None:
    """Write the waiting stores, in their order."""
    held = state.cells[cell]
    if not held.pending:
        return
    target = state.names_of(cell)
    for pending in held.pending:
        state.assign(target, pending.write)
    state.cells[cell] = Held(replace(held.value, base=ast.Name(target, ast.Load()), items=(), literal=False))
