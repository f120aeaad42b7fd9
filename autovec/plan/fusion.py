"""What the levels take apart for nothing is put together again.

    d = x[i] - m   for all i,              for i:
    for i: s = f(s, d[i])         -->          d = x[i] - m;  s = f(s, d)

    for i: a[i] = f(a[i - 1])              for i: a[i] = f(a[i - 1])
    for i: b[i] = g(b[i - 1])     -->             b[i] = g(b[i - 1])

In: components in order, or the plan of each. Out: fewer of them. Both keep every dependence.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from autovec.analysis.statements import Edge, Leaf, Nest, Order, Program
from autovec.ir.nodes import Alloc, Def
from autovec.plan.at_once import Running
from autovec.plan.components import chosen_loop, edges_within
from autovec.plan.nodes import PlanNode, Sequential, leaves_of
from autovec.plan.recognition import Recognised


def pull_in(
    known: Recognised, components: list[list[Leaf]], edges: Sequence[Edge], running: Running
) -> list[list[Leaf]]:
    """Bring a value that only one sequential component uses into it, as the person wrote it.

    Otherwise the value of every iteration would be kept in an array until the loop comes.
    """
    k = 0
    while k < len(components):
        target = home_of(known, components, k, edges, running)
        if target is None:
            k += 1
            continue
        merged = sorted([*components[target], *components[k]], key=lambda leaf: leaf.key)
        components = [merged if i == target else c for i, c in enumerate(components) if i != k]
        k = 0  # the value may have been all that kept another outside
    return components


def home_of(
    known: Recognised, components: list[list[Leaf]], k: int, edges: Sequence[Edge], running: Running
) -> int | None:
    """The component that component k, a value, belongs into."""
    (leaf, *others) = components[k]
    if others or not isinstance(leaf.statement, Def | Alloc) or not leaf.loops:
        return None
    home = {member.key: i for i, component in enumerate(components) for member in component}
    kinds = (Order.VALUE, Order.FLOW, Order.OUTPUT)
    users = {home[e.sink] for e in edges if e.source == leaf.key and e.kind in kinds} - {k}
    if len(users) != 1:
        return None
    (target,) = users
    loop = chosen_loop(known, components[target], edges_within(components[target], edges), running)
    if loop is None or loop not in leaf.loops or reaches_by_others(k, target, home, edges):
        return None
    return target


def reaches_by_others(k: int, target: int, home: Mapping[int, int], edges: Sequence[Edge]) -> bool:
    """Is there a way from component k to the target through a third one?"""
    after: dict[int, set[int]] = {}
    for e in edges:
        a, b = home[e.source], home[e.sink]
        if a != b:
            after.setdefault(a, set()).add(b)
    seen: set[int] = set()
    todo = [i for i in after.get(k, ()) if i != target]
    while todo:
        i = todo.pop()
        if i == target:
            return True
        if i not in seen:
            seen.add(i)
            todo += after.get(i, ())
    return False


def fused(program: Program, nodes: Sequence[PlanNode], edges: Sequence[Edge]) -> tuple[PlanNode, ...]:
    """Put neighbouring sequential pieces over one loop together again, where nothing between them objects."""
    result: list[PlanNode] = []
    for node in nodes:
        last = result[-1] if result else None
        if isinstance(node, Sequential) and isinstance(last, Sequential) and node.loop is last.loop:
            if may_fuse(program, last, node, edges):
                inner = [e for e in edges if not is_carried_by(program, e, node.loop)]
                body = fused(program, (*last.body, *node.body), inner)
                result[-1] = Sequential(node.loop, body, last.because, last.reason)
                continue
        result.append(node)
    return tuple(result)


def is_carried_by(program: Program, edge: Edge, loop: Nest) -> bool:
    """Does the loop keep the dependence by running in order?"""
    return edge.level is not None and program.leaf(edge.source).loops[edge.level] is loop


def may_fuse(program: Program, first: Sequential, second: Sequential, edges: Sequence[Edge]) -> bool:
    """No dependence from the first to the second that a loop further out, now an axis, carries."""
    before = {t.leaf.key for t in leaves_of(first.body)}
    after = {t.leaf.key for t in leaves_of(second.body)}
    for e in edges:
        if e.source in before and e.sink in after and e.level is not None:
            loops = program.leaf(e.source).loops
            if first.loop in loops and e.level < loops.index(first.loop):
                return False
    return True
