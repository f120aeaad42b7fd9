"""Random programs, the same ones every time: the decorated function does what the original does.

`tests/test_fuzz.py` runs fresh ones for as long as it is told.
"""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings

from autovec import pipeline
from tests.generator.check import Tally, check
from tests.generator.programs import Program, programs

FIXED = {
    "database": None,
    "deadline": None,
    "suppress_health_check": list(HealthCheck),
    "phases": [Phase.generate, Phase.shrink],
}
SHARE = 0.8  # of the loops: where less compiles, agreement proves little


def test_generated_programs():
    tally = Tally()

    @seed(20)
    @settings(max_examples=60, **FIXED)
    @given(programs())
    def run(program: Program) -> None:
        check(program, tally)

    run()
    print(tally)
    assert tally.share >= SHARE, str(tally)


def test_sequential_lowering(monkeypatch: pytest.MonkeyPatch):
    """Every plan refused: each loop runs as it was written, and the answers are the same."""
    monkeypatch.setattr(pipeline, "is_legal", lambda *_: False)

    @seed(21)
    @settings(max_examples=25, **FIXED)
    @given(programs())
    def run(program: Program) -> None:
        check(program)

    run()
