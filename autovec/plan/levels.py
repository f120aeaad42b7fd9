"""The first plan: by levels over strongly connected components of the dependences.

A component without a cycle is done for all iterations at once. One with a cycle makes the loop that carries it
sequential, at the outermost level that carries anything, and is planned again inside; loops further out that carry
nothing stay axes, which is interchange for nothing (Allen & Kennedy, 2001, ch. 2.4 and 5.2).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from autovec.analysis.statements import Edge, Leaf, Order
from autovec.ir.nodes import For, While
from autovec.plan.at_once import TOO_LARGE, Running, at_once, is_too_large
from autovec.plan.components import chosen_loop, condense, edges_within, telling
from autovec.plan.fusion import fused, pull_in
from autovec.plan.nodes import PlanNode, Sequential
from autovec.plan.parts import touches, writes
from autovec.plan.recognition import Recognised


def plan_by_levels(known: Recognised) -> tuple[PlanNode, ...]:
    """The plan of a whole unit."""
    return region(known, known.program.leaves, frozenset())


def region(known: Recognised, leaves: Sequence[Leaf], running: Running) -> tuple[PlanNode, ...]:
    """The leaves in an order that keeps what the running loops don't."""
    edges = [e for e in edges_within(leaves, known.program.edges) if not is_kept(known, e, running)]
    edges += bindings(known, leaves, running)
    edges += scopes(known, leaves, edges, running)
    components = pull_in(known, condense(leaves, edges), edges, running)
    nodes = [component_plan(known, c, edges_within(c, edges), running) for c in components]
    return fused(known.program, nodes, edges)


def component_plan(known: Recognised, component: Sequence[Leaf], edges: Sequence[Edge], running: Running) -> PlanNode:
    """One component at once, or its loop with what is planned inside."""
    if len(component) == 1:
        done = at_once(known, component[0], edges, running)
        if done is not None:
            return done
    loop = chosen_loop(known, component, edges, running)
    assert loop is not None
    edge = telling(known, component, edges, loop, running)
    reason = "no array form" if edge is None else ""
    if only_memory_objects(known, component, edges, running):
        edge, reason = None, TOO_LARGE
    return Sequential(loop, region(known, component, running | {id(loop)}), edge, reason)


def only_memory_objects(known: Recognised, component: Sequence[Leaf], edges: Sequence[Edge], running: Running) -> bool:
    """Would each statement be done at once, were it not too large?"""
    if not all(e.source == e.sink or e.kind in (Order.VALUE, Order.SCOPE) or e.level is None for e in edges):
        return False
    axes = [[n for n in leaf.loops if id(n) not in running and isinstance(n, For)] for leaf in component]
    return any(is_too_large(known, loops) for loops in axes)


# ---------------------------------------------------------------- edges of a region


def is_kept(known: Recognised, edge: Edge, running: Running) -> bool:
    """Is the dependence carried by a loop that runs in order anyway?"""
    return edge.level is not None and id(known.program.leaf(edge.source).loops[edge.level]) in running


def bindings(known: Recognised, leaves: Sequence[Leaf], running: Running) -> Iterator[Edge]:
    """Cycles for loops that can't be an axis: their range isn't known, or the body decides when they end."""
    together: dict[int, list[tuple[Leaf, int]]] = {}
    for leaf in leaves:
        for level, loop in enumerate(leaf.loops):
            if id(loop) in running:
                continue
            if isinstance(loop, While) or loop.live:
                together.setdefault(id(loop), []).append((leaf, level))
            elif known.boxes.box(loop, leaf.loops[:level]) is None:
                yield Edge(leaf.key, leaf.key, level, "", kind=Order.TRIP)
            else:
                continue
            for outer in range(level):  # what ends an inner loop is known in one iteration of the outer
                if id(leaf.loops[outer]) not in running:
                    yield Edge(leaf.key, leaf.key, outer, "", kind=Order.TRIP)
    for members in together.values():
        (first, level), *rest = members
        yield Edge(first.key, first.key, level, "", kind=Order.TRIP)
        for leaf, _ in rest:
            yield from both_ways(first, leaf, level, Order.TRIP)


def scopes(known: Recognised, leaves: Sequence[Leaf], edges: Sequence[Edge], running: Running) -> list[Edge]:
    """Cycles that keep together whatever touches a private name that a sequential component writes.

    A name that is private to the iterations of a loop has one place at a time once the loop runs, so nothing that
    reads or writes it may be left outside.
    """
    added: list[Edge] = []
    while True:
        new: list[Edge] = []
        for component in condense(leaves, [*edges, *added]):
            loop = chosen_loop(known, component, edges_within(component, [*edges, *added]), running)
            if loop is None:
                continue
            level = component[0].loops.index(loop)
            private = {n for leaf in component for n in writes(leaf) if known.program.depth_of.get(n, 0) > level}
            for leaf in leaves:
                if leaf not in component and loop in leaf.loops and private & touches(leaf):
                    new += both_ways(component[0], leaf, level, Order.SCOPE)
        if not new:
            return added
        added += new


def both_ways(one: Leaf, other: Leaf, level: int, kind: Order) -> tuple[Edge, Edge]:
    """A cycle that keeps two leaves in one component."""
    return Edge(one.key, other.key, level, "", kind=kind), Edge(other.key, one.key, level, "", kind=kind)
