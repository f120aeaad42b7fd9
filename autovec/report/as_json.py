"""A report as JSON: enums by value, spans as objects, exceptions as their data."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from autovec.diagnostics import Span
from autovec.report.verdicts import LoopVerdict

if TYPE_CHECKING:
    from autovec.report.report import Report


def json_of(report: Report) -> str:
    """The report as an object; `version` changes when a field changes its meaning."""
    blocked = report.blocked
    return json.dumps(
        {
            "version": 1,
            "function": report.function_name,
            "file": report.file,
            "first_line": report.first_line,
            "guessed": report.guessed,
            "loops": [_loop(loop) for loop in report.loops],
            "notes": [{"line": note.line, "text": note.text} for note in report.notes],
            "blocked": blocked
            and {
                "code": blocked.code.value,
                "span": _span(blocked.span),
                "construct": blocked.construct,
                "remedy": blocked.remedy,
            },
            "original": "".join(line.rstrip("\n") + "\n" for line in report.lines),
            "source": report.source,
        },
        indent=2,
    )


def _loop(loop: LoopVerdict) -> dict[str, object]:
    return {
        "line": loop.line,
        "variable": loop.variable,
        "status": loop.status.value,
        "strategy": loop.strategy,
        "code": loop.code.value,
        "reason": loop.reason,
        "remedy": loop.remedy,
        "span": _span(loop.span),
        "evidence": _span(loop.evidence),
    }


def _span(span: Span | None) -> dict[str, object] | None:
    if span is None:
        return None
    return {name: getattr(span, name) for name in ("file", "line", "column", "end_line", "end_column")}
