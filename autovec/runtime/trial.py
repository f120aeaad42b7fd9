"""Does a program pay for arguments of these shapes? Its time against the original's.

the calls of one shape:    1  compiles the program, and isn't timed
                           2, 3  run it, timed
                           4  runs the original, timed, unless that is estimated to take long, and much longer
                           from then on the faster of the two

Every one of these calls is answered as any other is.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum

TIMED = 2  # calls of the program
SHORT = 0.05  # seconds, which the original may take to be asked at all events
WRONG = 30.0  # times, by which an estimate may be too high
FASTER = 1.25  # times, for the original to be kept


class Step(Enum):
    """What comes next."""

    PROGRAM = "program"
    ORIGINAL = "original"
    KEEP = "keep"
    DROP = "drop"


@dataclass(slots=True)
class Trial:
    """The times so far, in seconds; `estimate` is infinite where it depends on the data."""

    estimate: float
    calls: int = 0
    asked: bool = False
    program: float = math.inf
    original: float = math.inf

    def next(self) -> Step:
        if self.calls < TIMED:
            return Step.PROGRAM
        if SHORT < self.estimate < math.inf and WRONG * self.program < self.estimate:
            return Step.KEEP
        if not self.asked:
            return Step.ORIGINAL
        return Step.DROP if FASTER * self.original < self.program else Step.KEEP

    def ran(self, seconds: float) -> None:
        """The program took so long."""
        self.calls += 1
        self.program = min(self.program, seconds)
