"""What became of each loop, as data: filled by the stages, shown by `report/`."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from autovec.diagnostics import Code, Span


class Status(Enum):
    VECTORIZED = "VECTORIZED"  # no loop left
    SEQUENTIAL = "SEQUENTIAL"  # compiled, still a loop
    FALLBACK = "FALLBACK"  # the original Python runs

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True, slots=True)
class LoopVerdict:
    """One loop of the person's: what it became (`strategy`: "einsum", "sum", "slices", "fori_loop" ...), and why."""

    line: int
    variable: str
    status: Status
    strategy: str
    code: Code
    reason: str
    span: Span
    evidence: Span | None = None  # the second place of a dependence
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class Note:
    """What isn't about a loop: `inv` then `dot` became `solve`, a statement stays Python; no line: the whole function."""

    line: int | None
    text: str
