"""`autovec demo`: each program's loops, its rewrite, and a table of the times."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any, TextIO

import numpy as np

from autovec.cli.programs import PROGRAMS, Program
from autovec.report.compare import Comparison, seconds_text, speedup_text

RULE = "-" * 100


def demo(names: Sequence[str] = (), *, source: bool = True, out: TextIO | None = None) -> bool:
    """Run the named programs, or all; True where every rewrite agrees with its original."""
    to = out or sys.stdout
    compared: list[Comparison] = []
    for program in PROGRAMS:
        if not names or program.name in names:
            compared.append(show(program, source, to))
    print(f"{RULE}\n\n{table(compared)}", file=to)
    return all(comparison.agrees for comparison in compared)


def show(program: Program, source: bool, out: TextIO) -> Comparison:
    """One program: compared first, so that the report and the source are those of its real signature."""
    from autovec import autovec

    decorated: Any = autovec(program.function, fallback="silent")
    comparison: Comparison = decorated.compare(*program.inputs(np.random.default_rng(0)))
    print(f"{RULE}\n{program.name}: {program.about}\n{RULE}\n\n{decorated.report()}", file=out)
    if source:
        print(decorated.source.rstrip() + "\n", file=out)
    out.flush()
    return comparison


def table(compared: Sequence[Comparison]) -> str:
    """Original and rewritten time of a call, speed-up, first call, agreement: a line a program."""
    head = ("program", "original", "rewritten", "speed-up", "first call", "agreement")
    rows = [head, *map(_row, compared)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(head))]
    lines = [
        "  ".join(cell.ljust(width) if column in (0, 5) else cell.rjust(width) for column, (cell, width) in cells)
        for cells in (enumerate(zip(row, widths, strict=True)) for row in rows)
    ]
    return "\n".join(line.rstrip() for line in lines)


def _row(comparison: Comparison) -> tuple[str, str, str, str, str, str]:
    found = comparison.agreement
    kind = "exact" if found.absolute == 0 else f"to {found.relative:.0e}"
    return (
        comparison.function,
        seconds_text(comparison.original),
        seconds_text(comparison.warm),
        speedup_text(comparison.speedup).removesuffix(" faster"),
        "" if comparison.first is None else seconds_text(comparison.first),
        kind if found.holds else f"NO: {found}",
    )
