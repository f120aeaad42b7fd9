"""One function checks every plan against the dependences before it is emitted: no transform can be unsound by itself."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

from autovec.analysis.schedule_check import check_schedule
from autovec.analysis.statements import Leaf, Program
from autovec.ir.nodes import Append, Load, Store
from autovec.plan.levels import touches, writes
from autovec.plan.nodes import PlanNode, Sequential, Together, leaves_of, schedules


def is_legal(program: Program, plan: Sequence[PlanNode], reassociate: bool) -> bool:
    """Does the plan keep every dependence, with accumulations the only ones that happen at once?"""
    keys = {
        id(n): loop.key
        for leaf in program.leaves
        for n, loop in zip(leaf.loops, program.domains[leaf.key], strict=True)
    }
    accumulators = {key for t in leaves_of(plan) for key in accumulator_keys(program, t)}
    legal = check_schedule(program.graph, schedules(plan, keys), (), accumulators)
    return legal and values_before_uses(program, plan) and private_names_stay(program, plan)


def accumulator_keys(program: Program, node: Together) -> Iterable[Hashable]:
    """Accesses of a statement that combines into, or appends to, one cell."""
    statement = node.leaf.statement
    if isinstance(statement, Append):
        return [a.key for a in program.graph.statements[node.leaf.key].accesses if a.cell == statement.cell]
    if node.speculation is not None:
        keys = [a.key for a in program.graph.statements[node.leaf.key].accesses]
        return [
            k
            for k in keys
            if isinstance(k, tuple) and (k[1] == "write" or any(k[3] is r for r in node.speculation.reads))
        ]
    if node.accumulation is None or not isinstance(statement, Store):
        return []
    found: list[Hashable] = []
    for access in program.graph.statements[node.leaf.key].accesses:
        key = access.key
        assert isinstance(key, tuple)
        if access.write:
            found.append(key)
        elif (
            len(key) > 3
            and isinstance(key[3], Load)
            and key[3].cell == statement.cell
            and key[3].index == statement.index
        ):
            found.append(key)
    return found


def values_before_uses(program: Program, plan: Sequence[PlanNode]) -> bool:
    order = {t.leaf.key: place for place, t in enumerate(leaves_of(plan))}
    return all(order[e.source] < order[e.sink] for e in program.edges if e.kind == "value")


def private_names_stay(program: Program, plan: Sequence[PlanNode]) -> bool:
    """What a running loop's body writes and is private to its iterations is touched nowhere else."""
    everything = [t.leaf for t in leaves_of(plan)]
    for node in running_loops(plan):
        inside = [t.leaf for t in leaves_of(node.body)]
        keys = {leaf.key for leaf in inside}
        private = {n for leaf in inside for n in writes(leaf) if program.depth_of.get(n, 0) > level_of(leaf, node)}
        if any(leaf.key not in keys and private & touches(leaf) for leaf in everything):
            return False
    return True


def running_loops(plan: Sequence[PlanNode]) -> Iterable[Sequential]:
    for node in plan:
        if isinstance(node, Sequential):
            yield node
            yield from running_loops(node.body)


def level_of(leaf: Leaf, node: Sequential) -> int:
    return next(k for k, n in enumerate(leaf.loops) if n is node.loop or n in node.fused)
