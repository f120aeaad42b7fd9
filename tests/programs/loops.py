"""Small functions of the loop language, by kind, each with normal inputs and edges: sizes 0, 1, 2, NaN, faults."""

from __future__ import annotations

from tests.programs.loops_arrays import ARRAYS
from tests.programs.loops_building import BUILDING
from tests.programs.loops_control import CONTROL
from tests.programs.loops_dependences import DEPENDENCES
from tests.programs.registry import Program

PROGRAMS: dict[str, Program] = {**BUILDING, **DEPENDENCES, **CONTROL, **ARRAYS}
