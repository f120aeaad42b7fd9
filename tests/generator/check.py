"""Run a generated program both ways; what became of its loops."""

from __future__ import annotations

import ast
import contextlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from autovec import autovec, pipeline
from autovec.diagnostics import Code
from autovec.emit import kernel
from tests.copying import array_leaves, copy_arguments
from tests.generator.programs import Program
from tests.same import assert_same


@dataclass(slots=True)
class Tally:
    """Over all programs so far. Where the original answers nothing is proved: loops and calls are counted apart."""

    programs: int = 0
    compiled: int = 0
    loops: int = 0
    compiled_loops: int = 0
    calls: int = 0
    answered: int = 0  # by compiled code
    chaotic: int = 0  # calls that differ where the original makes much of a rounding
    blocked: Counter[str] = field(default_factory=Counter)  # why programs didn't compile

    @property
    def share(self) -> float:
        return self.compiled_loops / max(1, self.loops)

    def __str__(self) -> str:
        return (
            f"{self.programs} programs, {self.compiled} of them compiled; "
            f"{self.compiled_loops} of {self.loops} loops compiled ({self.share:.0%}); "
            f"{self.answered} of {self.calls} calls answered by compiled code"
            + (f"; {self.chaotic} chaotic" if self.chaotic else "")
            + "".join(f"\n{count:6d} {reason}" for reason, count in self.blocked.most_common(12))
        )


@contextlib.contextmanager
def unpolished() -> Iterator[None]:
    """The text of a rewrite is Python's own rendering: neither laid out nor proved to be what was emitted."""
    known = kernel.render
    kernel.render = lambda module: ast.unparse(module) + "\n"
    try:
        yield
    finally:
        kernel.render = known


@contextlib.contextmanager
def unplanned() -> Iterator[None]:
    """Every plan is refused: each loop runs as it was written."""
    known = pipeline.is_legal
    pipeline.is_legal = lambda *_: False
    try:
        yield
    finally:
        pipeline.is_legal = known


def check(program: Program, tally: Tally | None = None, rounds: int = 1) -> None:
    """The decorated program does what the original does; nothing fails inside the compiler."""
    f = autovec(program.function(), fallback="silent")
    answered = chaotic = 0
    calls = program.calls(rounds)
    for args in calls:
        same = is_same(program, f, args)
        failure = internal(f)
        assert failure is None, f"the compiler failed: {failure}\n{f.source}"
        answered += same and is_compiled_answer(f, args)
        chaotic += not same
    if tally is not None:
        loops = program.text.count("for ") + program.text.count("while ")
        blocked = f.report().blocked
        compiled = blocked is None
        if blocked is not None:
            tally.blocked[f"{blocked.code.value}: {blocked.construct}"] += 1
        tally.programs += 1
        tally.compiled += compiled
        tally.loops += loops
        tally.compiled_loops += loops * compiled
        tally.calls += len(calls)
        tally.answered += answered
        tally.chaotic += chaotic


def is_same(program: Program, f: Any, args: tuple[Any, ...]) -> bool:
    """Raise where it isn't, unless the original itself makes much of a rounding: then nothing is known."""
    try:
        assert_same(f, *args, calls=1, ops=program.ops, scale=magnitude(program, args))
    except AssertionError:
        if not program.is_chaotic(args):
            raise
        return False
    return True


def is_compiled_answer(f: Any, args: tuple[Any, ...]) -> bool:
    """Did compiled code answer the last call, and not the original (blocked, sizes of 0, shared memory, a fault)?"""
    variants = f._dispatch.variants
    if f.report().blocked is not None or not variants or variants[0].faults:
        return False
    overlapping = any(code is Code.OVERLAPPING_ARGUMENTS for code, _, _ in f._dispatch.notices._said)
    return not overlapping and all(x.size for x in args if isinstance(x, np.ndarray))


def internal(f: Any) -> str | None:
    """What went wrong inside the compiler or in JAX, if anything did."""
    said = f._dispatch.notices._said
    blocked = f.report().blocked
    found = [construct for code, _, construct in said if code is Code.INTERNAL]
    if blocked is not None and blocked.code is Code.INTERNAL:
        found.append(blocked.construct)
    return found[0] if found else None


def magnitude(program: Program, args: tuple[object, ...]) -> float:
    """The largest number that the original meets or leaves: what may have cancelled is no larger by much."""
    copies = copy_arguments(args)
    with np.errstate(all="ignore"):
        try:
            value = program.function()(*copies)
        except Exception:
            value = None
    leaves = [np.asarray(x) for x in array_leaves((args, copies, value))]
    leaves += [np.asarray(x) for x in flat(value)]
    return max([1.0, *(largest(x) for x in leaves)])


def flat(value: object) -> list[object]:
    if isinstance(value, tuple | list):
        return [y for x in value for y in flat(x)]
    return [value] if isinstance(value, bool | int | float | complex | np.generic) else []


def largest(x: np.ndarray) -> float:
    if x.dtype.kind not in "fciub" or x.size == 0:
        return 0.0
    magnitudes = np.abs(x.astype(np.complex128 if x.dtype.kind == "c" else np.float64))
    return float(np.max(magnitudes, where=np.isfinite(magnitudes), initial=0.0))
