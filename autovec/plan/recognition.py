"""What is recognised in the statements of a unit, once, before anything is planned.

In: the analysed unit and its boxes. Out: which stores accumulate, which leave alone what they read under a condition,
how many appends each list has. All further planning asks these records and the dependences, not the statements' text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from autovec.analysis.statements import Program
from autovec.ir.nodes import Append, Store
from autovec.plan.boxes import Boxes
from autovec.plan.reductions import Accumulation, accumulation_of
from autovec.plan.speculation import Speculation, speculation_of

MEMORY_LIMIT = 2**31  # bytes that the axes of one statement may take where the person sets no limit


@dataclass(frozen=True, slots=True, eq=False)
class Recognised:
    """The unit with its boxes, and what its statements are, by the key of the leaf (packs: by the name of the list)."""

    program: Program
    boxes: Boxes
    memory_limit: int
    accumulations: Mapping[int, Accumulation]
    speculations: Mapping[int, Speculation]
    packs: Mapping[str, int]  # list -> number of its appends


def recognised(program: Program, boxes: Boxes, reassociate: bool, memory_limit: int | None) -> Recognised:
    """The records of a unit; without `reassociate` sums and products of floats are none."""
    accumulations: dict[int, Accumulation] = {}
    speculations: dict[int, Speculation] = {}
    for leaf in program.leaves:
        if not isinstance(leaf.statement, Store):
            continue
        accumulation = accumulation_of(leaf.statement, leaf.guard, reassociate)
        if accumulation is not None:
            accumulations[leaf.key] = accumulation
        speculation = speculation_of(leaf, program.affine)
        if speculation is not None:
            speculations[leaf.key] = speculation
    packs = Counter(leaf.statement.cell for leaf in program.leaves if isinstance(leaf.statement, Append))
    return Recognised(program, boxes, memory_limit or MEMORY_LIMIT, accumulations, speculations, packs)
