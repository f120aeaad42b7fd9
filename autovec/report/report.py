"""What became of one function: its loops with their verdicts, the notes, the rewritten source.

In: what the stages recorded. Out: a value that prints as text, shows as HTML in a notebook, and goes to a file as JSON.
"""

from __future__ import annotations

import linecache
from dataclasses import dataclass

from autovec.diagnostics import Blocked, Span
from autovec.report.as_html import fragment_of, html_of
from autovec.report.as_json import json_of
from autovec.report.as_text import summary, text_of
from autovec.report.verdicts import LoopVerdict, Note, Status


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The verdicts of one function.

    `lines` is the person's text of the function, without line ends, the first being line `first_line` of `file`.
    `source` is the JAX program, empty where there is none. `blocked` is what kept the whole function in Python;
    `guessed` says that no call has been seen yet: the signature was inferred from how the arguments are subscripted.
    """

    function_name: str
    file: str
    first_line: int = 1
    lines: tuple[str, ...]
    loops: tuple[LoopVerdict, ...] = ()
    notes: tuple[Note, ...] = ()
    source: str = ""
    blocked: Blocked | None = None
    guessed: bool = False

    def line(self, span: Span) -> str:
        """The person's line a span begins in; empty where the file is gone."""
        at = span.line - self.first_line
        if span.file == self.file and 0 <= at < len(self.lines):
            return self.lines[at].rstrip("\n")
        return linecache.getline(span.file, span.line).rstrip("\n")

    def count(self, status: Status) -> int:
        return sum(loop.status is status for loop in self.loops)

    def to_html(self) -> str:
        """A page by itself: the function, coloured line by line, beside its rewrite, then every verdict."""
        return html_of(self)

    def to_json(self) -> str:
        """The same facts for other programs; lines count from 1, columns from 0."""
        return json_of(self)

    def _repr_html_(self) -> str:
        return fragment_of(self)

    def __str__(self) -> str:
        return text_of(self)

    def __repr__(self) -> str:
        return f"<Report of {self.function_name}: {summary(self)}>"
