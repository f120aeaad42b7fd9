"""Random programs, the same ones every time: the decorated function does what the original does.

`tests/test_fuzz.py` runs fresh ones for as long as it is told.
"""

from __future__ import annotations

import contextlib
import io

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings

from tests.generator.check import Tally, check, unplanned, unpolished
from tests.generator.exits import with_exits
from tests.generator.kinds import with_kinds
from tests.generator.mutants.programs import mutant_of
from tests.generator.programs import Program, program_of, programs
from tests.generator.scientific.programs import scientific_of

BATCH = 15
SHARE = 0.8  # of the loops: where less compiles, agreement proves little
ANSWERED = 0.5  # of the calls: the others have arguments of size 0, raise, or share memory


def run(first: int, batches: int, tally: Tally) -> None:
    """Small batches of their own seeds: within one hypothesis varies what it has tried before."""
    for number in range(first, first + batches):

        @seed(number)
        @settings(
            max_examples=BATCH,
            database=None,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            phases=[Phase.generate, Phase.shrink],
        )
        @given(programs())
        def batch(program: Program) -> None:
            check(program, tally)

        batch()
    print(tally)


def test_generated_programs():
    tally = Tally()
    run(20, 8, tally)
    assert tally.share >= SHARE, str(tally)
    assert tally.answered >= ANSWERED * tally.calls, str(tally)


def test_sequential_lowering():
    """Every plan refused: each loop runs as it was written, and the answers are the same."""
    with unplanned():
        run(40, 3, Tally())


def test_scientific_programs():
    """The second family, by number."""
    tally = Tally()
    with unpolished():
        for number in range(300, 360):
            with contextlib.redirect_stdout(io.StringIO()):
                check(scientific_of(number), tally)
    print(tally)
    assert tally.share >= SHARE, str(tally)
    assert tally.answered >= ANSWERED * tally.calls, str(tally)


@pytest.mark.parametrize(("change", "first"), [(with_exits, 500), (with_kinds, 600)])
def test_changed_programs(change, first):
    """The fourth family, by number: returns and raises before and in loops, objects of two names.

    And the fifth: ints, floats and bools of Python's and NumPy's by the data; lists and tuples.
    """
    tally = Tally()
    with unpolished():
        for number in range(first, first + 60):
            with contextlib.redirect_stdout(io.StringIO()):
                check(change(program_of(number), number), tally)
    print(tally)
    assert tally.share >= 0.6, str(tally)


def test_mutants():
    """The third family, by number: many of them raise."""
    tally = Tally()
    with unpolished():
        for number in range(400, 440):
            program = mutant_of(number)
            with contextlib.redirect_stdout(io.StringIO()):
                check(program, tally)
    print(tally)
    assert tally.share >= SHARE, str(tally)
    assert tally.answered >= ANSWERED * tally.calls, str(tally)
