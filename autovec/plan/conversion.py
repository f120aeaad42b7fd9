"""Is it worth making arrays of the lists that a unit takes, and lists of its results?

A list costs some 45 ns an element on its way in and 60 on its way out, a pass of a Python loop over it 6 ns for each
operation: one cheap pass never pays, two nested loops do.

    for v in values:             stays Python          for v in values:            compiled
        total += v                                         for w in values:
                                                               total += abs(v - w)
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from autovec.analysis.work import Work
from autovec.diagnostics import Blocked, Code
from autovec.ir.nodes import ListResult, OptionalResult, Result, TupleResult, Unit, UpdatingResult

IN, OUT, OPERATION = 45.0, 60.0, 6.0  # nanoseconds
MARGIN = 1.2
LARGER = 8  # what doesn't pay at this call may at larger sizes


def refused(unit: Unit, work: Work, lists: Sequence[Sequence[int]]) -> Blocked | None:
    """The refusal of a unit that takes lists of these shapes, where conversion takes longer than the loops."""
    if not sum(map(math.prod, lists)):
        return None
    per_element = IN + (OUT if makes_lists(unit.result) else 0.0)
    for factor in (1, LARGER):
        done = work({s.name: s.value * (1 if s.fixed else factor) for s in unit.sizes})
        elements = sum(math.prod(length * factor for length in shape) for shape in lists)
        if done is math.inf or done * OPERATION >= MARGIN * per_element * elements:
            return None
    return Blocked(
        Code.NOT_PROFITABLE,
        None,
        "its loops take less time than making an array of the list",
        "pass an array",
    )


def makes_lists(result: Result) -> bool:
    match result:
        case ListResult():
            return True
        case TupleResult(items=items):
            return any(map(makes_lists, items))
        case OptionalResult(value=value):
            return makes_lists(value)
        case UpdatingResult():
            return True
        case _:
            return False
