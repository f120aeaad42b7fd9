"""Strongly connected components of the dependences, in an order that keeps them, and the loop that each makes run.

In: leaves and the edges among them. Out: groups of leaves; a group of one without a cycle may be done at once, for
any other `chosen_loop` names the loop that runs (Allen & Kennedy, 2001, ch. 2.4).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from autovec.analysis.statements import Edge, Leaf, Nest, Order
from autovec.ir.nodes import For
from autovec.plan.at_once import Running, at_once
from autovec.plan.recognition import Recognised


def chosen_loop(known: Recognised, component: Sequence[Leaf], edges: Sequence[Edge], running: Running) -> Nest | None:
    """The loop that a component makes sequential; None where it needs none."""
    if len(component) == 1 and at_once(known, component[0], edges, running) is not None:
        return None
    edge = carrier(edges)
    if edge is None:  # nothing objects, but there is no form for it: the outermost loop runs
        return next((n for n in component[0].loops if id(n) not in running), None)
    assert edge.level is not None
    return known.program.leaf(edge.source).loops[edge.level]


def carrier(edges: Sequence[Edge]) -> Edge | None:
    """The dependence carried by the outermost loop: one of data, if there is one."""
    carried = [(e.level, e.kind in (Order.TRIP, Order.SCOPE), e) for e in edges if e.level is not None]
    return min(carried, key=lambda found: found[:2])[2] if carried else None


def telling(
    known: Recognised, component: Sequence[Leaf], edges: Sequence[Edge], loop: Nest, running: Running
) -> Edge | None:
    """The dependence to name as the reason why the loop runs in order: a flow if there is one, and no accumulation.

    for k in range(n):
        s += x[k] * a           carried as well, but alone it would be a sum
        a = f(a, x[k])          this is named
    """
    leaves = {leaf.key: leaf for leaf in component}
    carried = [e for e in edges if e.level is not None and leaves[e.source].loops[e.level] is loop]
    own = {e.source for e in carried if e.source == e.sink} if len(component) > 1 else set[int]()
    sums = {k for k in own if at_once(known, leaves[k], edges_within([leaves[k]], edges), running) is not None}

    def rank(edge: Edge) -> int:
        if edge.kind is Order.SCOPE or (edge.source == edge.sink and edge.source in sums):
            return 3
        if edge.kind is Order.TRIP or (isinstance(loop, For) and edge.cell == loop.live):
            return 1
        return 0 if edge.kind is Order.FLOW else 2

    return min(carried, key=rank, default=None)


def edges_within(leaves: Sequence[Leaf], edges: Sequence[Edge]) -> list[Edge]:
    """The edges that stay among these leaves."""
    inside = {leaf.key for leaf in leaves}
    return [e for e in edges if e.source in inside and e.sink in inside]


def condense(leaves: Sequence[Leaf], edges: Sequence[Edge]) -> list[list[Leaf]]:
    """Strongly connected components in an order that keeps the edges, as near to the person's as that allows."""
    by_key = {leaf.key: leaf for leaf in leaves}
    after: dict[int, set[int]] = {key: set() for key in by_key}
    for e in edges:
        after[e.source].add(e.sink)
    groups = strongly_connected(after)
    component_of = {key: i for i, group in enumerate(groups) for key in group}
    waiting: dict[int, set[int]] = {i: set() for i in range(len(groups))}
    for source, sinks in after.items():
        for sink in sinks:
            if component_of[source] != component_of[sink]:
                waiting[component_of[sink]].add(component_of[source])
    done: list[list[Leaf]] = []
    left = set(waiting)
    while left:
        ready = [i for i in left if not waiting[i] & left]
        first = min(ready, key=lambda i: min(groups[i]))
        left.remove(first)
        done.append([by_key[key] for key in sorted(groups[first])])
    return done


def strongly_connected(after: Mapping[int, set[int]]) -> list[list[int]]:
    """Strongly connected components of a graph given by each node's successors (Tarjan, 1972), without recursion."""
    index: dict[int, int] = {}
    low: dict[int, int] = {}
    on_stack: set[int] = set()
    stack: list[int] = []
    found: list[list[int]] = []
    for root in after:
        if root in index:
            continue
        # a node is entered with the successors that are still to be looked at
        work = [(root, iter(sorted(after[root])))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on_stack.add(root)
        while work:
            node, children = work[-1]
            entered = False
            for child in children:
                if child not in index:
                    index[child] = low[child] = len(index)
                    stack.append(child)
                    on_stack.add(child)
                    work.append((child, iter(sorted(after[child]))))
                    entered = True
                    break
                if child in on_stack:
                    low[node] = min(low[node], index[child])
            if entered:
                continue
            work.pop()
            if work:
                low[work[-1][0]] = min(low[work[-1][0]], low[node])
            if low[node] == index[node]:
                group = stack[stack.index(node) :]
                del stack[-len(group) :]
                on_stack.difference_update(group)
                found.append(group)
    return found
