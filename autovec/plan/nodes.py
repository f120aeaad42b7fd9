"""A plan: for each statement its sequential loops and its place in them, and what each remaining loop becomes.

    for i (sequential):
        A[i, j] for all j at once, the sum over k inside

The order of the nodes is the order in which they are done.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from autovec.analysis.model import Schedule, ScheduleDim
from autovec.analysis.statements import Edge, Leaf, Nest
from autovec.ir.affine import Affine
from autovec.ir.nodes import For
from autovec.plan.reductions import Accumulation
from autovec.plan.speculation import Speculation


class AxisRole(Enum):
    MAP = "map"  # a named axis of the result
    REDUCE = "reduce"  # combined into an accumulator
    SCATTER = "scatter"  # combined into elements that an index array picks
    PACK = "pack"  # positions of appended elements


@dataclass(frozen=True, slots=True, eq=False)
class Together:
    """One statement for all iterations of `axes` at once; `roles` says what each axis is."""

    leaf: Leaf
    axes: tuple[For, ...]
    roles: tuple[AxisRole, ...]
    accumulation: Accumulation | None = None
    sizes: frozenset[str] = frozenset()  # names known when the program is traced
    speculation: Speculation | None = None  # what is checked while the program runs
    pinned: tuple[tuple[str, Affine], ...] = ()  # loops of which one iteration does anything: its variable's value


@dataclass(frozen=True, slots=True, eq=False)
class Sequential:
    """A loop that stays a loop; `because` is a dependence that it carries, None where its trip count isn't known."""

    loop: Nest
    body: tuple[PlanNode, ...]
    because: Edge | None = None
    reason: str = ""
    fused: tuple[For, ...] = ()  # other loops that run in it, their variables equal to the loop's own


PlanNode = Together | Sequential


def sequentials(nodes: Sequence[PlanNode]) -> Iterator[Sequential]:
    """The loops that run, each before those inside it."""
    for node in nodes:
        if isinstance(node, Sequential):
            yield node
            yield from sequentials(node.body)


def leaves_of(nodes: Sequence[PlanNode]) -> Iterator[Together]:
    """The statements in the order in which they are done."""
    for node in nodes:
        if isinstance(node, Together):
            yield node
        else:
            yield from leaves_of(node.body)


def schedules(nodes: Sequence[PlanNode], keys: Mapping[int, int]) -> dict[int, Schedule]:
    """The plan as a schedule for each statement (by its key), to be checked against the dependences.

    `keys`: what the dependence analysis calls each loop, by the loop's id.
    """
    found: dict[int, Schedule] = {}

    def visit(body: Sequence[PlanNode], prefix: tuple[int | Sequential, ...]) -> None:
        for place, node in enumerate(body):
            here = (*prefix, place)
            if isinstance(node, Sequential):
                visit(node.body, (*here, node))
            else:
                found[node.leaf.key] = Schedule(tuple(dimension(dim, node, keys) for dim in here))

    visit(nodes, ())
    return found


def dimension(dim: int | Sequential, node: Together, keys: Mapping[int, int]) -> ScheduleDim:
    """A place among siblings, or the loop of the statement's own that runs there."""
    if isinstance(dim, int):
        return ("const", dim)
    own = next(n for n in (dim.loop, *dim.fused) if n in node.leaf.loops and n not in node.axes)
    return ("loop", keys[id(own)])
