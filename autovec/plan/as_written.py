"""The universal plan, legal for every unit: no axes, each loop as the person wrote it."""

from __future__ import annotations

from collections.abc import Sequence

from autovec.analysis.statements import Leaf, Program
from autovec.plan.nodes import PlanNode, Sequential, Together


def sequential_plan(program: Program) -> tuple[PlanNode, ...]:
    """Every loop runs, every statement is in its place."""
    return block(program.leaves, 0)


def block(leaves: Sequence[Leaf], depth: int) -> tuple[PlanNode, ...]:
    """The leaves inside the same `depth` loops, nested again."""
    nodes: list[PlanNode] = []
    k = 0
    while k < len(leaves):
        leaf = leaves[k]
        if leaf.depth == depth:
            nodes.append(Together(leaf, (), ()))
            k += 1
            continue
        loop = leaf.loops[depth]
        inside = [x for x in leaves[k:] if x.depth > depth and x.loops[depth] is loop]
        nodes.append(Sequential(loop, block(inside, depth + 1)))
        k += len(inside)
    return tuple(nodes)
