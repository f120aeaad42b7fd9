"""Every program on every input: the decorated function does what the original does, cold and warm.

One decorated object serves all inputs of a program, as it would a person's: a variant must not answer for another's
arguments.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from autovec import autovec
from tests.programs.domains import DOMAINS
from tests.programs.loops import PROGRAMS
from tests.programs.polybench import KERNELS
from tests.programs.registry import Program
from tests.programs.starting import STARTING
from tests.same import assert_same

ALL_PROGRAMS = {**STARTING, **PROGRAMS}


def cases(programs: dict[str, Program]) -> list[Any]:
    """One parameter set an input: `name-0`, `name-1` ..."""
    return [
        pytest.param(name, k, id=f"{name}-{k}")
        for name, program in programs.items()
        for k in range(len(program.make()))
    ]


@cache
def decorated(name: str) -> Any:
    fn = KERNELS[name].fn if name in KERNELS else ALL_PROGRAMS[name].fn
    return autovec(fn, fallback="silent")


@pytest.mark.parametrize(("name", "case"), cases(STARTING))
def test_starting_programs(name: str, case: int):
    # the matrices of the second program are 198 x 198: each element of W is made of about that many terms
    assert_same(decorated(name), *STARTING[name].make()[case], ops=20_000 if name.startswith("projections") else 5_000)


@pytest.mark.parametrize(("name", "case"), cases(PROGRAMS))
def test_loops(name: str, case: int):
    assert_same(decorated(name), *PROGRAMS[name].make()[case], ops=300)


@pytest.mark.parametrize("n", [1, 2, 7])
@pytest.mark.parametrize("name", KERNELS)
def test_polybench(name: str, n: int):
    assert_same(decorated(name), *KERNELS[name].make(n))


@pytest.mark.slow
@pytest.mark.parametrize("name", KERNELS)
def test_polybench_large(name: str):
    kernel = KERNELS[name]
    assert_same(decorated(name), *kernel.make(kernel.large), ops=50 * kernel.large, calls=1)


@pytest.mark.parametrize("name", KERNELS)
def test_polybench_compiles_every_loop(name: str):
    kernel = KERNELS[name]
    f = autovec(kernel.fn, fallback="silent")
    f(*kernel.make(7))
    loops = f.report().loops
    assert loops, "no loop was seen"
    left = [
        f"line {loop.line}: loop {loop.variable}: {loop.reason}" for loop in loops if str(loop.status) == "FALLBACK"
    ]
    assert not left, "\n".join(left)


# what each of these needs isn't there yet: the program runs as written, or in parts
IN_PARTS = {
    "edit_distance_rows",
    "rule_rows",
    "pascal",
    "heat_2d",
}


@pytest.mark.parametrize("name", DOMAINS)
def test_domains(name: str):
    program = DOMAINS[name]
    f = autovec(program.fn, fallback="silent")
    assert_same(f, *program.arguments(program.small), ops=3000)
    if name not in IN_PARTS:
        left = [loop for loop in f.report().loops if str(loop.status) == "FALLBACK"]
        assert not left, "\n".join(f"line {loop.line}: loop {loop.variable}: {loop.reason}" for loop in left)
