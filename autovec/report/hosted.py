"""The text of a function that is cut: the kernels' programs, then the person's lines with calls in the place of runs.

In: the lines, and for each run its place and its program. The person's text outside the runs is as it was, comments
included; the imports of all programs come first.

    print("start")                           print("start")
    total = 0.0            # sum             # lines 3 to 5
    for v in x:                     -->      total = lines_3_to_5(x)
        total += v
    print(total)                             print(total)
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Replaced:
    """Statements from a place to another (line from 1, column from 0), and the lines that stand for them."""

    begin: tuple[int, int]
    end: tuple[int, int]
    lines: tuple[str, ...]


def replaced(lines: Sequence[str], function: ast.FunctionDef, runs: Sequence[Replaced]) -> str:
    """The function's own lines, from its `def` on and at the left margin, with the runs replaced."""
    text = "\n".join(lines[: function.end_lineno])
    starts = [0, *(at + 1 for at, character in enumerate(text) if character == "\n")]

    def offset(place: tuple[int, int]) -> int:
        line, column = place  # in bytes of UTF-8
        return starts[line - 1] + len(lines[line - 1].encode()[:column].decode())

    for run in sorted(runs, key=lambda r: r.begin, reverse=True):
        begin, end = offset(run.begin), offset(run.end)
        before = text[starts[run.begin[0] - 1] : begin]
        if before.strip():  # not the first on its line
            new = "; ".join(line for line in run.lines if not line.startswith("#"))
        else:
            new = f"\n{before}".join(run.lines)
        text = text[:begin] + new + text[end:]
    margin = function.col_offset
    own = text[starts[function.lineno - 1] :].split("\n")
    return "\n".join(line[margin:] if not line[:margin].strip() else line for line in own)


def joined(programs: Sequence[str], host: str, imports: Sequence[str], first: str) -> str:
    """One module: the imports of all, what comes first, what the programs define (each text once), the host."""
    heads: dict[str, None] = dict.fromkeys(imports)
    bodies: dict[str, None] = {}
    for program in programs:
        lines = program.split("\n")
        tree = ast.parse(program)
        found = [n for n in tree.body if isinstance(n, ast.Import | ast.ImportFrom)]
        heads |= dict.fromkeys(ast.unparse(n) for n in found)
        last = max((n.end_lineno or n.lineno for n in found), default=0)
        bodies["\n".join(lines[last:]).strip("\n")] = None
    ordered = sorted(heads, key=lambda line: (line.split()[1].split(".")[0], line.startswith("from"), line))
    parts = ["\n".join(ordered) + f"\n\n{first}", *bodies, host]
    return "\n\n\n".join(part for part in parts if part) + "\n"
