"""Interchange and fusion of an imperfect nest: update whole rows where the order as written reduces columns.

    for i:                                            for i:
        for j in range(i):                                for c in range(i):
            for k in range(j):                                A[i, c] /= A[c, c]
                A[i, j] -= A[i, k] * A[k, j]      -->         A[i, j] -= A[i, c] * A[c, j]  for all j > c
            A[i, j] /= A[j, j]
        for j in range(i, n):
            for k in range(i):
                A[i, j] -= A[i, k] * A[k, j]

Inside a running loop each statement gives one of its loops to a common running one, aligned by value; its other loops
are axes. Every such schedule is tried in a fixed order, the dependences decide which are legal, the cost decides which
is taken. (The kij forms of LU: Golub & Van Loan, 2013, sec. 3.2.)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import permutations, product

from autovec.analysis.in_range import in_range
from autovec.analysis.statements import Leaf, Nest, Program
from autovec.ir.affine import Affine
from autovec.ir.conditions import affine_form
from autovec.ir.nodes import For, Store
from autovec.plan.at_once import axis_role
from autovec.plan.boxes import Boxes
from autovec.plan.checking import is_legal
from autovec.plan.costs import cost
from autovec.plan.nodes import AxisRole, PlanNode, Sequential, Together, leaves_of
from autovec.plan.recognition import Recognised

MOST_STATEMENTS = 3


def interchanged(known: Recognised, plan: tuple[PlanNode, ...]) -> tuple[PlanNode, ...]:
    """The plan with bodies of running loops rescheduled where that is legal and cheaper."""
    done: list[tuple[int, ...]] = []
    for place in running_places(plan, ()):
        if any(place[: len(p)] == p for p in done):
            continue  # inside a body that is made anew
        node = at(plan, place)
        assert isinstance(node, Sequential)
        running = [n.loop for n in on_the_way(plan, place)]
        present = cost(node.body, known.boxes)
        best: tuple[float, tuple[PlanNode, ...]] | None = None
        for body in candidates(known, node, running):
            price = cost(body, known.boxes)
            if price > 0.7 * present or (best is not None and price >= best[0]):
                continue
            changed = replaced(plan, place, replace(node, body=body))
            if is_legal(known.program, changed):
                best = (price, changed)
        if best is not None:
            plan = best[1]
            done.append(place)
    return plan


def running_places(nodes: Sequence[PlanNode], path: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """The path to each loop that runs, outer loops first."""
    for k, node in enumerate(nodes):
        if isinstance(node, Sequential):
            yield (*path, k)
            yield from running_places(node.body, (*path, k))


def at(nodes: Sequence[PlanNode], place: tuple[int, ...]) -> PlanNode:
    """The node at a place."""
    node = nodes[place[0]]
    return at(node.body, place[1:]) if len(place) > 1 and isinstance(node, Sequential) else node


def on_the_way(nodes: Sequence[PlanNode], place: tuple[int, ...]) -> list[Sequential]:
    """The loops around a place, and the one at it."""
    node = nodes[place[0]]
    assert isinstance(node, Sequential)
    return [node, *(on_the_way(node.body, place[1:]) if len(place) > 1 else [])]


def replaced(nodes: tuple[PlanNode, ...], place: tuple[int, ...], new: PlanNode) -> tuple[PlanNode, ...]:
    """The nodes with another one at this place."""
    k = place[0]
    node = nodes[k]
    if len(place) > 1:
        assert isinstance(node, Sequential)
        new = replace(node, body=replaced(node.body, place[1:], new))
    return (*nodes[:k], new, *nodes[k + 1 :])


def candidates(known: Recognised, node: Sequential, running: Sequence[Nest]) -> Iterator[tuple[PlanNode, ...]]:
    """Bodies made of one common loop: a choice of loop for each statement, and an order of the statements."""
    leaves = [t.leaf for t in leaves_of(node.body)]
    if not any(isinstance(n, Sequential) for n in node.body) or not 1 < len(leaves) <= MOST_STATEMENTS:
        return
    if not all(isinstance(leaf.statement, Store) and leaf.guard is None for leaf in leaves):
        return
    choices = [
        [n for n in leaf.loops if isinstance(n, For) and n not in running and may_join(known, leaf, n)]
        for leaf in leaves
    ]
    if not all(choices):
        return
    for pivots in product(*choices):
        span = common_span(known.program, known.boxes, leaves, pivots, running)
        if span is None:
            continue
        together = [whole(known, leaf, pivot, running) for leaf, pivot in zip(leaves, pivots, strict=True)]
        if any(t is None for t in together):
            continue
        for order in permutations(t for t in together if t is not None):
            others = tuple(p for p in dict.fromkeys(pivots) if p is not span)
            yield (Sequential(span, tuple(order), node.because, "", others),)


def may_join(known: Recognised, leaf: Leaf, loop: For) -> bool:
    """Can a running loop of another range stand for this one, with a condition in its body?"""
    around = leaf.loops[: leaf.loops.index(loop)]
    return loop.step == 1 and not loop.live and known.boxes.box(loop, around) is not None


def common_span(
    program: Program, boxes: Boxes, leaves: Sequence[Leaf], pivots: Sequence[For], running: Sequence[Nest]
) -> For | None:
    """The pivot whose range, in terms of running loops alone, holds those of all the others."""
    names = set(boxes.values) | {n.variable for n in running if isinstance(n, For)}
    for candidate in pivots:
        ends = [affine_form(e, program.affine) for e in (*candidate.start, *candidate.stop)]
        if len(ends) != 2 or any(e is None or not e.names <= names for e in ends):
            continue
        if all(holds(program, leaf, pivot, ends) for leaf, pivot in zip(leaves, pivots, strict=True)):
            return candidate
    return None


def holds(program: Program, leaf: Leaf, pivot: For, ends: Sequence[Affine | None]) -> bool:
    """Does the pivot's variable stay between the ends in all iterations of the leaf?"""
    first, last = ends
    assert first is not None and last is not None
    statement = program.graph.statements[leaf.key]
    return in_range(statement, Affine.name(pivot.variable) - first, last - first, program.unit.facts).always


def whole(known: Recognised, leaf: Leaf, pivot: For, running: Sequence[Nest]) -> Together | None:
    """The statement at one value of its pivot, its other loops axes."""
    statement = leaf.statement
    assert isinstance(statement, Store)
    axes = tuple(n for n in leaf.loops if n not in running and n is not pivot and isinstance(n, For))
    roles = tuple(axis_role(known, leaf, statement, n) for n in axes)
    found = known.accumulations.get(leaf.key)
    if any(r is None or r is AxisRole.SCATTER for r in roles) or (AxisRole.REDUCE in roles and found is None):
        return None
    return Together(leaf, axes, tuple(r for r in roles if r is not None), found)
