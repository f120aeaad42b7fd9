"""What dependence analysis sees of a program, and what it says about it.

In: loops, statements and accesses as affine forms; nothing of the IR but the handles the caller put in. Out:
dependences, and the schedules that are checked against them. A name in a form that is no loop variable of any
statement is a parameter: an integer that is the same throughout the analysed statements.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from enum import Enum
from typing import Literal

from autovec.ir.affine import Affine


@dataclass(frozen=True, slots=True)
class LoopDomain:
    """The values of one loop's variable: `start`, `start + step`, ... while short of `stop`.

    Upwards the start is the largest of `lower` and the (exclusive) stop the smallest of `upper`; downwards the start
    is the smallest of `lower` and the loop runs while the variable is above the largest of `upper`. An empty tuple
    is a bound that isn't affine. A while loop counts its iterations: lower `(0,)`, upper `()`.
    """

    key: int
    variable: str
    lower: tuple[Affine, ...]
    upper: tuple[Affine, ...]
    step: int = 1

    @property
    def is_downward(self) -> bool:
        return self.step < 0


@dataclass(frozen=True, slots=True)
class Unknown:
    """A loop of which nothing is known but that its iterations have an order; a form with its variable is unknown."""

    key: int
    variable: str

    @property
    def is_downward(self) -> bool:
        return False


Loop = LoopDomain | Unknown


@dataclass(frozen=True, slots=True)
class Access:
    """One read or write: the subscript of each axis, `None` where it may be anything.

    `key` is the caller's handle on the read or write. An access with fewer subscripts than others of the cell covers
    all of the axes it doesn't name. Not `must`: the data decides whether it happens.
    """

    cell: str
    write: bool
    subscripts: tuple[Affine | None, ...]
    key: Hashable
    must: bool = True


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement in its loops, outermost first; `position[d]` is its place among its siblings inside `d` loops.

    `conditions` are forms that are >= 0 whenever it runs. Its reads come before its writes.
    """

    key: int
    loops: tuple[Loop, ...]
    position: tuple[int, ...]
    accesses: tuple[Access, ...] = ()
    conditions: tuple[Affine, ...] = ()

    def common_loops(self, other: Statement) -> int:
        """How many loops, counted from the outermost, the two statements are both inside of."""
        count = 0
        for mine, theirs in zip(self.loops, other.loops, strict=False):
            if mine.key != theirs.key:
                break
            count += 1
        return count

    def precedes(self, other: Statement) -> bool:
        """Whether it runs first in an iteration of all the loops that the two share."""
        common = self.common_loops(other)
        return self.position[common:] < other.position[common:]


class DependenceKind(Enum):
    FLOW = "flow"
    ANTI = "anti"
    OUTPUT = "output"

    @staticmethod
    def between(source: Access, sink: Access) -> DependenceKind:
        if source.write and sink.write:
            return DependenceKind.OUTPUT
        return DependenceKind.FLOW if source.write else DependenceKind.ANTI


@dataclass(frozen=True, slots=True)
class Dependence:
    """The sink must stay after the source, because both touch one element and one of them writes it.

    `level` is the common loop that carries it, 0 the outermost; `None` if it is loop-independent: the source comes
    first within one iteration of all the common loops. `distance` is, for each common loop, how far its variable moves
    from source to sink, in steps of the loop (so positive is later, whatever its direction); `None` where that isn't
    one number. For the loop that carries it these are iterations; for one further in whose start depends on an outer
    loop they need not be.
    """

    kind: DependenceKind
    source: int
    sink: int
    source_access: Access
    sink_access: Access
    level: int | None
    distance: tuple[int | None, ...]


ScheduleDim = tuple[Literal["loop", "const"], int] | Affine


@dataclass(frozen=True, slots=True)
class Schedule:
    """When the instances of one statement run: a tuple of dimensions, compared in lexicographic order.

    A dimension is the iteration of a loop (`("loop", key)`), a place among siblings (`("const", 2)`) or a form over the
    statement's loop variables and parameters. All instances that differ only in the `vector` dimensions (numbered
    from 0), or in loops that no dimension names, run at once.
    """

    dims: tuple[ScheduleDim, ...]
    vector: frozenset[int] = frozenset()
