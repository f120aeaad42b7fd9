"""A report as text: for each loop where it is, what it became, and the line that decided, with carets.

filters.py:13:5  loop k  SEQUENTIAL  carried-dependence  (fori_loop)
 14 |         s[k] = s[k - 1] + x[k]
    |         ----   ^^^^^^^^ reads what the iteration before wrote at 14:9
"""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import TYPE_CHECKING

from autovec.diagnostics import Blocked, Code, Span
from autovec.report.verdicts import LoopVerdict, Note, Status

if TYPE_CHECKING:
    from autovec.report.report import Report

WIDTH = 110


def text_of(report: Report) -> str:
    """Head, what blocked the function if something did, each loop, then the notes."""
    parts = [_head(report)]
    if report.blocked is not None:
        parts.append(blocked_text(report, report.blocked))
    parts += [loop_text(report, loop) for loop in report.loops]
    if report.notes:
        parts.append("\n".join(f"{note_place(report, note)}  note  {note.text}".lstrip() for note in report.notes))
    return "\n\n".join(parts) + "\n"


def loop_text(report: Report, loop: LoopVerdict) -> str:
    """One loop: place, variable, status, code, what it became; the deciding line; reason and remedy."""
    head = f"{loop_place(report, loop)}  loop {loop.variable}  {loop.status}  {loop.code.value}  ({became(loop)})"
    if goes_with_function(report, loop):
        return head
    shown = excerpt(report, loop.span, loop.evidence, loop.reason)
    return "\n".join([head, *shown, *_labelled("remedy", loop.remedy)])


def goes_with_function(report: Report, loop: LoopVerdict) -> bool:
    """Is the loop in Python only because the function is? Then the reason has been given, once, with its place."""
    blocked = report.blocked
    return blocked is not None and loop.code is blocked.code and loop.evidence == blocked.span


def blocked_text(report: Report, blocked: Blocked) -> str:
    """What keeps the whole function in Python."""
    span = blocked.span
    place = f"{short(span.file)}:{span.line}:{span.column + 1}" if span else function_place(report)
    shown = excerpt(report, span, None, blocked.construct) if span else _labelled("", blocked.construct)
    return "\n".join(
        [f"{place}  {Status.FALLBACK}  {blocked.code.value}".lstrip(), *shown, *_labelled("remedy", blocked.remedy)]
    )


def became(loop: LoopVerdict) -> str:
    """What is left of the loop, in a few words."""
    if loop.status is Status.FALLBACK:
        return "stays Python"
    if loop.code is Code.NO_EFFECT:
        return "nothing: it had no effect, and is gone"
    return loop.strategy or "compiled"


def function_place(report: Report) -> str:
    """`file:line`; empty where the function has no source."""
    return f"{short(report.file)}:{report.first_line}" if report.file else ""


def loop_place(report: Report, loop: LoopVerdict) -> str:
    """`file:line:column` of the loop itself; its span may be elsewhere, at what decided."""
    head = Span(loop.span.file, loop.line)
    line = report.line(head)
    column = loop.span.column if loop.span.line == loop.line else len(line) - len(line.lstrip())
    return f"{short(loop.span.file)}:{loop.line}:{column + 1}"


def note_place(report: Report, note: Note) -> str:
    """`file:line` of a note, or of the function that it is about as a whole."""
    return function_place(report) if note.line is None else f"{short(report.file)}:{note.line}"


def excerpt(report: Report, span: Span, evidence: Span | None, reason: str) -> list[str]:
    """The line of a span with carets under it and the reason after them; the evidence underlined with dashes."""
    line = report.line(span)
    if not line:
        return _labelled("", reason)
    same_line = evidence is not None and (evidence.file, evidence.line) == (span.file, span.line)
    margin = len(str(max(span.line, evidence.line if evidence else 0))) + 1
    marks = _marks(line, [(evidence, "-")] * same_line + [(span, "^")])
    shown = [f"{span.line:>{margin}} | {line}"]
    marked = f"{'':>{margin}} | {marks}"
    if len(marked) + 1 + len(reason) <= WIDTH and "\n" not in reason:
        shown.append(f"{marked} {reason}".rstrip())
    else:
        shown += [marked, *_labelled("", reason)]
    if evidence is not None and not same_line and (other := report.line(evidence)):
        shown.append(f"{evidence.line:>{margin}} | {other}")
        shown.append(f"{'':>{margin}} | {_marks(other, [(evidence, '-')])} here")
    return shown


def _marks(line: str, spans: list[tuple[Span | None, str]]) -> str:
    """Spaces and underlines as long as the last underline reaches; a tab stays a tab, so that columns agree.

    Columns of an `ast` node count UTF-8 bytes; what is underlined are characters.
    """
    raw = line.encode()
    signs = ["\t" if c == "\t" else " " for c in line]
    for span, sign in spans:
        if span is None:
            continue
        start = len(raw[: span.column].decode(errors="ignore"))
        one_line = span.end_line in (0, span.line) and span.end_column > span.column
        end = len(raw[: span.end_column].decode(errors="ignore")) if one_line else len(line.rstrip())
        for at in range(start, max(min(end, len(line)), start + 1)):
            signs[at : at + 1] = [sign]
    return "".join(signs).rstrip()


def _labelled(label: str, text: str) -> list[str]:
    if not text:
        return []
    first = f"    = {label}: " if label else "    = "
    return textwrap.wrap(text, WIDTH, initial_indent=first, subsequent_indent="      ")


def _head(report: Report) -> str:
    head = "  ".join(part for part in (report.function_name, function_place(report), summary(report)) if part)
    if report.guessed:
        head += "\n  for the signature inferred from how the arguments are subscripted; the first call decides"
    if report.blocked is not None:
        head += "\n  the original Python runs"
    return head


def summary(report: Report) -> str:
    """`3 loops: 2 VECTORIZED, 1 SEQUENTIAL`."""
    counts = ", ".join(f"{report.count(s)} {s}" for s in Status if report.count(s))
    number = len(report.loops)
    return f"{number} loop{'s' * (number != 1)}{': ' + counts if counts else ''}"


def short(file: str) -> str:
    """The name of a file as a person says it: from the current folder if it is below it, else its last part."""
    path = Path(file)
    if file.startswith("<") or not path.is_absolute():
        return file
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else path.name
