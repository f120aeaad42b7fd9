"""One function checks every plan against the dependences before it is emitted: no transform is unsound by itself.

In: the analysed unit and a plan, whoever made it. Out: whether it keeps every dependence, puts every value before its
uses, and leaves private names where they are private.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from autovec.analysis.schedule_check import check_schedule
from autovec.analysis.statements import Leaf, Order, Program, load_of
from autovec.ir.nodes import Append, Store
from autovec.plan.at_once import is_accumulator
from autovec.plan.nodes import PlanNode, Sequential, Together, leaves_of, schedules, sequentials
from autovec.plan.parts import touches, writes


def is_legal(program: Program, plan: Sequence[PlanNode]) -> bool:
    """Does the plan keep every dependence, with accumulations the only ones that happen at once?"""
    keys = {
        id(n): loop.key
        for leaf in program.leaves
        for n, loop in zip(leaf.loops, program.domains[leaf.key], strict=True)
    }
    accumulators = {key for t in leaves_of(plan) for key in accumulator_keys(program, t)}
    legal = check_schedule(program.graph, schedules(plan, keys), (), accumulators)
    return legal and values_before_uses(program, plan) and private_names_stay(program, plan)


def accumulator_keys(program: Program, node: Together) -> list[Hashable]:
    """Accesses of a statement whose order among themselves is of no account.

    Those of a statement that combines into, or appends to, one cell; those that a speculation answers for.
    """
    statement = node.leaf.statement
    accesses = program.graph.statements[node.leaf.key].accesses
    if isinstance(statement, Append):
        return [a.key for a in accesses if a.cell == statement.cell]
    if node.speculation is not None:
        return [a.key for a in accesses if a.write or node.speculation.leaves_alone(load_of(a))]
    if node.accumulation is not None and isinstance(statement, Store):
        return [a.key for a in accesses if is_accumulator(a, statement)]
    return []


def values_before_uses(program: Program, plan: Sequence[PlanNode]) -> bool:
    """Is a definition, which the dependences don't see, placed before all that is made from it?"""
    order = {t.leaf.key: place for place, t in enumerate(leaves_of(plan))}
    return all(order[e.source] < order[e.sink] for e in program.edges if e.kind is Order.VALUE)


def private_names_stay(program: Program, plan: Sequence[PlanNode]) -> bool:
    """What a running loop's body writes and is private to its iterations is touched nowhere else."""
    everything = [t.leaf for t in leaves_of(plan)]
    for node in sequentials(plan):
        inside = [t.leaf for t in leaves_of(node.body)]
        keys = {leaf.key for leaf in inside}
        private = {n for leaf in inside for n in writes(leaf) if program.depth_of.get(n, 0) > level_of(leaf, node)}
        if any(leaf.key not in keys and private & touches(leaf) for leaf in everything):
            return False
    return True


def level_of(leaf: Leaf, node: Sequential) -> int:
    """Which of the leaf's loops runs as this one."""
    return next(k for k, n in enumerate(leaf.loops) if n is node.loop or n in node.fused)
