"""What a plan costs, roughly: enough to choose between two that are both legal.

A step of a running loop costs some 40 ns; an element 0.4 ns where the fastest axis lies along memory and 2 ns where it
strides through it (measured on XLA's CPU compiler; a column inside a loop costs five times a row).
"""

from __future__ import annotations

from collections.abc import Sequence

from autovec.ir.nodes import For, Point, Ref
from autovec.ir.walk import walk
from autovec.plan.boxes import Boxes, accesses_of
from autovec.plan.nodes import PlanNode, Sequential, Together

STEP = 40.0
ALONG = 0.4
ACROSS = 2.0
UNKNOWN_TRIPS = 16


def cost(nodes: Sequence[PlanNode], boxes: Boxes, trips: float = 1.0) -> float:
    """Nanoseconds, at this call's sizes."""
    total = 0.0
    for node in nodes:
        if isinstance(node, Sequential):
            total += cost(node.body, boxes, trips * trip_count(node, boxes)) + trips * STEP
        else:
            total += trips * statement_cost(node, boxes)
    return total


def trip_count(node: Sequential, boxes: Boxes) -> float:
    """How often a loop runs, guessed where only data says so."""
    if not isinstance(node.loop, For):
        return UNKNOWN_TRIPS
    box = boxes.known.get(id(node.loop))
    return box.count(boxes.values) if box is not None else UNKNOWN_TRIPS


def statement_cost(node: Together, boxes: Boxes) -> float:
    """Nanoseconds of one statement over all its axes."""
    elements = 1.0
    for loop in node.axes:
        box = boxes.known.get(id(loop))
        elements *= box.count(boxes.values) if box is not None else UNKNOWN_TRIPS
    return STEP + elements * (ACROSS if strides(node) else ALONG)


def strides(node: Together) -> bool:
    """Does some access go through memory by an axis that isn't its array's last?"""
    axes = {loop.variable for loop in node.axes}
    for _, index in accesses_of(node.leaf):
        moving = [
            any(isinstance(e, Ref) and e.name in axes for e in walk(one.at)) if isinstance(one, Point) else True
            for one in index
        ]
        if any(moving) and not moving[-1]:
            return True
    return False
