"""Run a generated program both ways; what became of its loops."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from autovec import autovec
from autovec.diagnostics import Code
from tests.copying import array_leaves
from tests.generator.programs import Program
from tests.same import assert_same


@dataclass(slots=True)
class Tally:
    """Over all programs so far."""

    programs: int = 0
    compiled: int = 0
    loops: int = 0
    compiled_loops: int = 0
    faulted: int = 0

    @property
    def share(self) -> float:
        return self.compiled_loops / max(1, self.loops)

    def __str__(self) -> str:
        return (
            f"{self.programs} programs, {self.compiled} of them compiled; "
            f"{self.compiled_loops} of {self.loops} loops compiled ({self.share:.0%}); {self.faulted} ended in an exception"
        )


def check(program: Program, tally: Tally | None = None) -> None:
    """The decorated program does what the original does; nothing fails inside the compiler."""
    f = autovec(program.function(), fallback="silent")
    calls = program.calls()
    for args in calls:
        assert_same(f, *args, calls=1, ops=200, scale=magnitude(program, args))
    failure = internal(f)
    assert failure is None, f"the compiler failed: {failure}\n{f.source}"
    if tally is not None:
        count(program, f, tally)


def count(program: Program, f: object, tally: Tally) -> None:
    report = f.report()  # type: ignore[attr-defined]
    loops = program.text.count("for ") + program.text.count("while ")
    tally.programs += 1
    tally.loops += loops
    if report.blocked is None:
        tally.compiled += 1
        tally.compiled_loops += loops


def internal(f: object) -> str | None:
    """What went wrong inside the compiler or in JAX, if anything did."""
    said = f._dispatch.notices._said  # type: ignore[attr-defined]
    blocked = f.report().blocked  # type: ignore[attr-defined]
    found = [construct for code, _, construct in said if code is Code.INTERNAL]
    if blocked is not None and blocked.code is Code.INTERNAL:
        found.append(blocked.construct)
    return found[0] if found else None


def magnitude(program: Program, args: tuple[object, ...]) -> float:
    """The largest number that the original meets or leaves: what may have cancelled is no larger by much."""
    from tests.copying import copy_arguments

    copies = copy_arguments(args)
    with np.errstate(all="ignore"):
        try:
            value = program.function()(*copies)
        except Exception:
            value = None
    leaves = [np.asarray(x) for x in array_leaves((args, copies, value))]
    leaves += [np.asarray(x) for x in flat(value)]
    return max(1.0, *(largest(x) for x in leaves))


def flat(value: object) -> list[object]:
    if isinstance(value, tuple | list):
        return [y for x in value for y in flat(x)]
    return [value] if isinstance(value, bool | int | float | complex | np.generic) else []


def largest(x: np.ndarray) -> float:
    if x.dtype.kind not in "fciub" or x.size == 0:
        return 0.0
    magnitudes = np.abs(x.astype(np.complex128 if x.dtype.kind == "c" else np.float64))
    return float(np.max(magnitudes, where=np.isfinite(magnitudes), initial=0.0))
