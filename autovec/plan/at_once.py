"""One statement for all iterations of its loops at once: may it be, and what does each loop become?

    C[i, j] = C[i, j] + A[i, k] * B[k, j]      -->    i and j MAP, k REDUCE
    h[idx[i]] = h[idx[i]] + 1                  -->    i SCATTER
    out.append(x[i])                           -->    i PACK

In: a leaf, the dependences among its own instances and the loops that run around it. Out: its `Together`, or None
where some loop of it has to run.
"""

from __future__ import annotations

from collections.abc import Sequence

from autovec.analysis.model import Access
from autovec.analysis.statements import Edge, Leaf, Order, load_of
from autovec.ir.affine import Affine
from autovec.ir.conditions import affine_form, conjuncts
from autovec.ir.nodes import Alloc, Append, Apply, Def, Expr, Fault, For, ListAlloc, Load, Point, Ref, Store, While
from autovec.ir.walk import index_exprs, walk
from autovec.plan.nodes import AxisRole, Together
from autovec.plan.recognition import Recognised

SCATTERED = ("add", "multiply", "minimum", "maximum")  # what `.at[]` can combine where elements are met more than once
TOO_LARGE = "all iterations at once would take more memory than they may"
Running = frozenset[int]  # ids of the loops that are sequential around


def at_once(known: Recognised, leaf: Leaf, edges: Sequence[Edge], running: Running) -> Together | None:
    """The leaf for all iterations of its other loops, if its own dependences allow."""
    axes = tuple(n for n in leaf.loops if id(n) not in running)
    if any(isinstance(n, While) or n.live for n in axes):
        return None
    loops = tuple(n for n in axes if isinstance(n, For))
    # all reads come before the writes, so that a read before a later write is no objection
    own = [e for e in edges if e.kind is not Order.ANTI]
    if is_too_large(known, loops) or any(e.kind is Order.TRIP for e in own):
        return None
    match leaf.statement:
        case Def() | Fault() | Alloc() | ListAlloc():
            return None if own else Together(leaf, loops, (AxisRole.MAP,) * len(loops))
        case Append() as statement:
            return packed(known, leaf, statement, loops)
        case Store() as statement if not own:
            return mapped(known, leaf, statement, loops)
        case Store() as statement:
            accumulation = accumulated(known, leaf, statement, loops, own)
            return accumulation or speculated(known, leaf, statement, loops, own)


def is_too_large(known: Recognised, loops: Sequence[For]) -> bool:
    """Would these axes together take more memory than they may? The outermost then runs."""
    elements = 1
    for loop in loops:
        box = known.boxes.known.get(id(loop))
        elements *= box.count(known.boxes.values) if box is not None else 1
    return len(loops) > 1 and 8 * elements > known.memory_limit


# ---------------------------------------------------------------- stores that nothing orders


def mapped(known: Recognised, leaf: Leaf, statement: Store, loops: tuple[For, ...]) -> Together | None:
    """Every loop an axis, but those of which one iteration does anything."""
    # a cell that each iteration has for itself is also read in those that don't store to it
    pins = pinned(known, leaf, [n for n in loops if not is_private(known, leaf, statement, n)])
    free = tuple(n for n in loops if n.variable not in pins)
    if not can_place(known, leaf, statement, free):
        return None
    return Together(leaf, free, (AxisRole.MAP,) * len(free), pinned=tuple(pins.items()))


def pinned(known: Recognised, leaf: Leaf, loops: Sequence[For]) -> dict[str, Affine]:
    """Variables of these loops that the guard allows one value, over sizes alone, that the loop surely takes."""
    found: dict[str, Affine] = {}
    variables = {n.variable: n for n in loops}
    for part in conjuncts(leaf.guard):
        match part:
            case Apply(op="equal", args=(Ref(name=name), value)) if name in variables and name not in found:
                form = affine_form(value, known.program.affine)
                loop = variables[name]
                box = known.boxes.box(loop, leaf.loops[: leaf.loops.index(loop)])
                if form is None or not known.boxes.sizes_only(form) or box is None or abs(box.step) != 1:
                    continue
                ends = (form - box.least, box.greatest - form)
                if all(end.evaluate(known.boxes.values) >= 0 for end in ends):
                    found[name] = form
            case _:
                continue
    return found


def can_place(known: Recognised, leaf: Leaf, statement: Store, loops: Sequence[For]) -> bool:
    """Does each axis pick elements of its own?"""
    exprs = list(index_exprs(statement.index))
    return all(
        any(varies(known, leaf, e, loop) for e in exprs) or is_private(known, leaf, statement, loop) for loop in loops
    )


def is_private(known: Recognised, leaf: Leaf, statement: Store, loop: For) -> bool:
    """Has each iteration of the loop a cell of its own to store to?"""
    return loop in leaf.loops[: known.program.depth_of.get(statement.cell, 0)]


def varies(known: Recognised, leaf: Leaf, expr: Expr, loop: For) -> bool:
    """May the expression change from one iteration of the loop to the next?"""
    level = leaf.loops.index(loop)
    return any(
        isinstance(e, Load)
        or (isinstance(e, Ref) and (e.name == loop.variable or known.program.depth_of.get(e.name, 0) > level))
        for e in walk(expr)
    )


def speculated(
    known: Recognised, leaf: Leaf, statement: Store, loops: tuple[For, ...], own: Sequence[Edge]
) -> Together | None:
    """At once, if the dependences that object are between the store and reads that it leaves alone."""
    found = known.speculations.get(leaf.key)
    if found is None or not loops or frozenset(n.variable for n in loops) != found.axes:
        return None
    if any(not found.covers(e) for e in own) or not can_place(known, leaf, statement, loops):
        return None
    return Together(leaf, loops, (AxisRole.MAP,) * len(loops), speculation=found)


# ---------------------------------------------------------------- accumulations and appends


def accumulated(
    known: Recognised, leaf: Leaf, statement: Store, loops: tuple[For, ...], own: Sequence[Edge]
) -> Together | None:
    """All dependences of the store on itself go through its accumulator: the axes it doesn't name are reduced."""
    found = known.accumulations.get(leaf.key)
    if found is None or not loops:
        return None
    accesses = [access for edge in own for access in (edge.source_access, edge.sink_access)]
    if not all(access is not None and is_accumulator(access, statement) for access in accesses):
        return None
    roles = [axis_role(known, leaf, statement, loop) for loop in loops]
    if None in roles or (AxisRole.SCATTER in roles and found.op not in SCATTERED):
        return None
    return Together(leaf, loops, tuple(r for r in roles if r is not None), found)


def is_accumulator(access: Access, statement: Store) -> bool:
    """Is it the access of a store, or the load of the very element that it stores to?"""
    load = load_of(access)
    return access.write or (load is not None and load.cell == statement.cell and load.index == statement.index)


def axis_role(known: Recognised, leaf: Leaf, statement: Store, loop: For) -> AxisRole | None:
    """MAP where the axis names one subscript by itself, REDUCE where it names none, else SCATTER."""
    if is_private(known, leaf, statement, loop):
        return AxisRole.MAP
    used = [one for one in statement.index if any(varies(known, leaf, e, loop) for e in index_exprs([one]))]
    if not used:
        return AxisRole.REDUCE
    if len(used) == 1 and isinstance(used[0], Point) and runs_along(known, leaf, used[0], loop):
        return AxisRole.MAP
    return AxisRole.SCATTER if all(isinstance(one, Point) for one in statement.index) else None


def runs_along(known: Recognised, leaf: Leaf, point: Point, loop: For) -> bool:
    """Is the subscript the loop's variable, plus or minus something that stands still in all loops of the leaf?"""
    form = affine_form(point.at, known.program.affine)
    if form is None or abs(form.coefficient(loop.variable)) != 1:
        return False
    rest = form.without([loop.variable]).names
    variables = {n.variable for n in leaf.loops if isinstance(n, For)}
    level = leaf.loops.index(loop)
    return not rest & variables and all(known.program.depth_of.get(n, 0) <= level for n in rest)


def packed(known: Recognised, leaf: Leaf, statement: Append, loops: tuple[For, ...]) -> Together | None:
    """The only append to a list that is made just outside these loops."""
    if not loops:
        return Together(leaf, (), ())
    if known.packs[statement.cell] > 1 or known.program.depth_of[statement.cell] != leaf.depth - len(loops):
        return None
    return Together(leaf, loops, (AxisRole.PACK,) * len(loops), sizes=frozenset(known.boxes.values))
