"""The loops of a cut function that no kernel holds: why each stays Python."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping

from autovec.diagnostics import Blocked, Code, Span
from autovec.frontend.source import LOOPS, SourceFunction
from autovec.frontend.units.blockers import nested
from autovec.frontend.units.runs import Inline, Run, why_python
from autovec.plan.verdicts import fallbacks
from autovec.report.verdicts import LoopVerdict

Reasons = Mapping[ast.stmt, Blocked]


def staying(home: SourceFunction, runs: Iterable[Run | Inline], reasons: Reasons) -> tuple[LoopVerdict, ...]:
    """The verdicts of the loops around and between the runs."""
    outside = _outside(home, runs)
    return fallbacks(outside, home.file, lambda loop: reason(loop, home, reasons))


def left_alone(home: SourceFunction, runs: Iterable[Run | Inline], reasons: Reasons) -> list[Blocked]:
    """Of the outermost loops that stay those that hold no run: all of their work is left to Python."""
    outside = _outside(home, runs)
    loops = [n for n in outside if isinstance(n, LOOPS)]
    inner = {n for loop in loops for n in ast.walk(loop) if n is not loop}
    # contexts such as `ast.Load()` are one object in all places
    parts = {loop: [n for n in ast.walk(loop) if isinstance(n, ast.stmt | ast.expr)] for loop in loops}
    whole = [loop for loop in loops if loop not in inner and all(n in outside for n in parts[loop])]
    found: list[Blocked] = []
    for loop in whole:
        why = reason(loop, home, reasons)
        span = Span(home.file, loop.lineno, loop.col_offset)
        where = f" (line {why.span.line})" if why.span is not None else ""
        found.append(Blocked(why.code, span, f"{why.construct}{where}", why.remedy))
    return found


def _outside(home: SourceFunction, runs: Iterable[Run | Inline]) -> dict[ast.AST, None]:
    compiled = {n for run in runs for s in run.nodes for n in ast.walk(s)}
    return dict.fromkeys(n for n in ast.walk(home.node) if n not in compiled)


def reason(loop: ast.AST, home: SourceFunction, reasons: Reasons) -> Blocked:
    """What keeps a loop in Python: the first statement inside that stays, or the one that it is part of."""
    inside = list(nested([loop])) if isinstance(loop, ast.stmt) else []
    around = [s for s in nested(home.body) if any(n is loop for n in ast.walk(s))]
    for statement in (*inside, *reversed(around)):
        known = reasons.get(statement)
        if known is not None:
            return known
        why = why_python(statement)
        if why:
            end = (statement.end_lineno or 0, statement.end_col_offset or 0)
            span = Span(home.file, statement.lineno, statement.col_offset, *end)
            return Blocked(Code.EFFECT if isinstance(statement, ast.Expr) else Code.UNSUPPORTED_STATEMENT, span, why)
    return Blocked(Code.UNSUPPORTED_STATEMENT, None, "it leaves the function, or a loop, that stays Python")
