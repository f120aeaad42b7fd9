"""Is a call worth its compiled program? Never worse than the original: a small one isn't.

A call of a compiled program costs some 10 to 20 us whatever it does, and a program is compiled anew for each shape, in
some 100 ms. What the original would take is estimated from the operations that it executes, some 20 ns each. After a dozen
shapes a further one is compiled once the original has spent on it what a compilation costs: at worst twice the best.
What takes longer than its estimate is timed (trial.py).
"""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter

from autovec.analysis.work import Work
from autovec.runtime.acceptance import Acceptance
from autovec.runtime.arguments import is_device_array, shape_of

# operations, which take as long as a call of a compiled program; the environment can ask for compiled ones always
SMALL = 0.0 if os.environ.get("AUTOVEC_ALWAYS", "0") != "0" else 500.0
SHAPES_COMPILED = 12  # before further shapes must be worth their compilation
COMPILATION = 5_000_000.0  # operations, which take as long as one
OPERATION = 20e-9  # seconds


@dataclass(slots=True)
class Compiled:
    """How many shapes were compiled, of all rewrites of a function together."""

    shapes: int = 0


class Worth:
    """The choice for one rewrite; `small`: each choice so far was the original, for the call was too small."""

    def __init__(self, work: Work, acceptance: Acceptance, static: Sequence[int], compiled: Compiled) -> None:
        self._work = work
        self._acceptance = acceptance
        self._static = static  # positions of the integers that a program is compiled for
        self._compiled = compiled
        self._shapes: set[tuple[object, ...]] = set()
        self._spent: dict[tuple[object, ...], float] = {}
        self.small = False
        self.undecided = False  # ask again at the next call of this shape
        self.estimate = 0.0  # how many seconds the original takes for the last call that was compiled
        self._began: tuple[tuple[object, ...], float] | None = None  # a call that was left to the original, and when

    def compiling(self, arguments: Sequence[object]) -> bool:
        """Run the compiled program, compiling it if need be?"""
        self.undecided = False
        if SMALL == 0.0 or any(map(is_device_array, arguments)):
            return True  # eager operations on device arrays cost as much each as a whole program
        self.ended()
        work = self._work(self._acceptance.values(arguments) or {})
        shapes = tuple(shape_of(a) for a in arguments)
        key = (shapes, tuple(arguments[i] for i in self._static))
        if work < SMALL:
            self.small = not self._shapes
            return False
        if self._compiled.shapes >= SHAPES_COMPILED and key not in self._shapes:
            spent = self._spent[key] = self._spent.get(key, 0.0) + (work if work < math.inf else 0.0)
            self.undecided = spent < COMPILATION
            if self.undecided:
                self._began = (key, perf_counter()) if work == math.inf else None
                return False
        self._compiled.shapes += key not in self._shapes
        self._shapes.add(key)
        self.small = False
        self.estimate = work * OPERATION
        return True

    def ended(self) -> None:
        """The original, whose work isn't known, has answered; what a host runs for a kernel ends with the next call."""
        if self._began is not None:
            key, begin = self._began
            self._spent[key] = self._spent.get(key, 0.0) + (perf_counter() - begin) / OPERATION
            self._began = None
