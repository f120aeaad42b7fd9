"""Fresh random programs for `--fuzz-seconds` seconds: `pytest -m fuzz --fuzz-seconds=600 -s`.

Each program has a number, and a number is always the same program until the generator changes. One that differs is
noted, in full and pickled, and the search goes on; `tests/generator/reduction.py` makes it small.
"""

from __future__ import annotations

import contextlib
import io
import pickle
import random
import time
from collections.abc import Callable
from pathlib import Path

import jax
import pytest

from tests.generator.check import Tally, check, unplanned, unpolished
from tests.generator.cuts import cut
from tests.generator.exits import with_exits
from tests.generator.kinds import with_kinds
from tests.generator.mutants.programs import mutant_of
from tests.generator.programs import Program, program_of
from tests.generator.scientific.programs import scientific_of

ROUNDS = 4  # of values, at the same sizes: they compile nothing new
SEQUENTIAL = 8  # one in so many has every plan refused
CUT = 6  # one in so many has statements in it that stay Python
POLISHED = 4  # one in so many has its text laid out and proved
FORGET = 100  # programs, after which the compiled ones are dropped
ENOUGH = 20  # differences


@pytest.mark.fuzz
def test_fuzz(request: pytest.FixtureRequest, fuzz_seconds: float):
    if "fuzz" not in (request.config.getoption("-m") or ""):
        pytest.skip("random programs differ from run to run: run with -m fuzz")
    given = request.config.getoption("--fuzz-first")
    first = random.SystemRandom().randrange(2**40) if given is None else given
    log = request.config.getoption("--fuzz-log")
    fresh = FAMILIES[request.config.getoption("--fuzz-family")]
    print(f"\nprograms from {first}")
    end = time.monotonic() + fuzz_seconds
    tally = Tally()
    found: list[str] = []
    number = first
    while time.monotonic() < end and len(found) < ENOUGH:
        difference = tried(number, tally, fresh)
        if difference is not None:
            found.append(difference)
            if log:
                with Path(log).open("a") as file:
                    file.write(difference)
                Path(f"{log}.{number}").write_bytes(pickle.dumps(fresh(number)))
        number += 1
        if number % FORGET == 0:
            jax.clear_caches()
    print(f"programs {first} to {number - 1}: {tally}")
    assert not found, f"{len(found)} differ:\n" + "\n".join(found)


def of_the_first(change: Callable[[Program, int], Program]) -> Callable[[int], Program]:
    """A family of the first one's programs, each changed, and some of them cut."""

    def fresh(number: int) -> Program:
        program = change(program_of(number), number)
        return cut(program, number) if number % CUT == 1 else program

    return fresh


fresh = of_the_first(lambda program, _: program)

FAMILIES: dict[str, Callable[[int], Program]] = {
    "first": fresh,
    "scientific": scientific_of,
    "mutants": mutant_of,
    "exits": of_the_first(with_exits),
    "kinds": of_the_first(with_kinds),
}


def tried(number: int, tally: Tally, fresh: Callable[[int], Program] = fresh) -> str | None:
    """What differs between the program of a number and its rewrite, if anything does."""
    program = fresh(number)
    with contextlib.ExitStack() as stack:
        if number % SEQUENTIAL == 0:
            stack.enter_context(unplanned())
        if number % POLISHED:
            stack.enter_context(unpolished())
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                check(program, tally, ROUNDS)
        except Exception as error:
            return f"\n======== program {number}\n{program!r}\n{type(error).__name__}: {error}\n"
    return None
