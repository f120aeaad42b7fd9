"""Keep a reduction a loop where its elements lie a row apart and a running loop moves its bounds.

    for j (running):                                      for j (running):
        t[i, j] = max over all k < j of t[k, j]    -->        for k in range(j): best = max(best, t[k, j])

As an axis it would go through the whole column, masked, at every step; a local accumulator over the elements that
count takes a fifth of that (XLA's CPU compiler, measured).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from autovec.plan.boxes import Boxes
from autovec.plan.costs import strides
from autovec.plan.nodes import AxisRole, PlanNode, Sequential, Together

REASON = "its elements lie a row apart, and how many there are changes: one by one is faster"


def rolled(nodes: Sequence[PlanNode], boxes: Boxes, running: bool = False) -> tuple[PlanNode, ...]:
    """The plan with such reductions as loops of their own."""
    made: list[PlanNode] = []
    for node in nodes:
        if isinstance(node, Sequential):
            made.append(replace(node, body=rolled(node.body, boxes, True)))
        elif running and is_moving_column(node, boxes):
            inner = Together(node.leaf, (), (), node.accumulation)
            made.append(Sequential(node.axes[0], (inner,), None, REASON))
        else:
            made.append(node)
    return tuple(made)


def is_moving_column(node: Together, boxes: Boxes) -> bool:
    """Is it a reduction down a column whose bounds a loop around it moves?"""
    if node.accumulation is None or node.roles != (AxisRole.REDUCE,) or not strides(node):
        return False
    (loop,) = node.axes
    around = node.leaf.loops[: node.leaf.loops.index(loop)]
    return bool(boxes.conditions(loop, around))
