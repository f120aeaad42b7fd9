"""A plan: for each statement its sequential loops and its place in them, and what each remaining loop becomes.

for i (sequential):
    A[i, j] for all j at once, the sum over k inside
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from autovec.analysis.model import Schedule
from autovec.analysis.statements import Edge, Leaf, Nest
from autovec.ir.affine import Affine
from autovec.ir.nodes import Apply, Expr, For

if TYPE_CHECKING:
    from autovec.plan.speculation import Speculation


class AxisRole(Enum):
    MAP = "map"  # a named axis of the result
    REDUCE = "reduce"  # combined into an accumulator
    SCATTER = "scatter"  # combined into elements that an index array picks
    PACK = "pack"  # positions of appended elements


@dataclass(frozen=True, slots=True, eq=False)
class Accumulation:
    """`acc = acc op term` over some loops: the operation and the term; `select` is the comparison of a running extreme."""

    op: str  # add, multiply, minimum, maximum, logical_or, logical_and ...
    term: Expr
    subtracts: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Together:
    """One statement for all iterations of `axes` at once; the loops in `roles` order."""

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


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    nodes: tuple[PlanNode, ...]
    requires: tuple[Affine, ...] = ()  # each >= 0: what the sizes must keep for the boxes to be right


def leaves_of(nodes: Sequence[PlanNode]) -> Iterator[Together]:
    for node in nodes:
        if isinstance(node, Together):
            yield node
        else:
            yield from leaves_of(node.body)


def schedules(nodes: Sequence[PlanNode], keys: dict[int, int]) -> dict[int, Schedule]:
    """The plan as a schedule for each statement, to be checked against the dependences."""
    found: dict[int, Schedule] = {}

    def visit(body: Sequence[PlanNode], prefix: tuple[tuple[str, int] | tuple[Nest, ...], ...]) -> None:
        for place, node in enumerate(body):
            here = (*prefix, ("const", place))
            if isinstance(node, Sequential):
                visit(node.body, (*here, (node.loop, *node.fused)))
                continue
            dims: list[tuple[str, int]] = []
            for dim in here:
                if isinstance(dim[0], str):
                    dims.append(dim)  # type: ignore[arg-type]
                else:
                    own = next(n for n in dim if n in node.leaf.loops and n not in node.axes)
                    dims.append(("loop", keys[id(own)]))
            found[node.leaf.key] = Schedule(tuple(dims))  # type: ignore[arg-type]

    visit(nodes, ())
    return found


__all__ = ["Apply"]
