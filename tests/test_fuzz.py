"""Fresh random programs for `--fuzz-seconds` seconds: `pytest -m fuzz --fuzz-seconds=600 -s`."""

from __future__ import annotations

import random
import time

import jax
import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings

from tests.generator.check import Tally, check
from tests.generator.programs import Program, programs

BATCH = 25


@pytest.mark.fuzz
def test_fuzz(request: pytest.FixtureRequest, fuzz_seconds: float):
    if "fuzz" not in (request.config.getoption("-m") or ""):
        pytest.skip("random programs differ from run to run: run with -m fuzz")
    first = random.SystemRandom().randrange(2**32)
    print(f"\nseeds from {first}")
    end = time.monotonic() + fuzz_seconds
    tally = Tally()
    batch = 0
    while time.monotonic() < end:
        run_batch(first + batch, end, tally)
        batch += 1
        jax.clear_caches()
    print(tally)


def run_batch(number: int, end: float, tally: Tally) -> None:
    @seed(number)
    @settings(
        max_examples=BATCH,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate, Phase.shrink],
    )
    @given(programs())
    def run(program: Program) -> None:
        if time.monotonic() < end:
            check(program, tally)

    try:
        run()
    except AssertionError as error:
        error.add_note(f"batch of seed {number}; so far {tally}")
        raise
