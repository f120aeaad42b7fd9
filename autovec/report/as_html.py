"""A report as HTML: the function, each line coloured by the verdict of its innermost loop, beside the rewrite.

One self-contained piece: no script, no font, no address; colours for light and dark.
"""

from __future__ import annotations

import ast
from html import escape
from typing import TYPE_CHECKING

from autovec.report.as_text import (
    became,
    blocked_text,
    excerpt,
    function_place,
    goes_with_function,
    loop_place,
    note_place,
)
from autovec.report.verdicts import LoopVerdict, Status

if TYPE_CHECKING:
    from autovec.report.report import Report

STYLE = """
.autovec { --text: #1f2328; --faint: #656d76; --back: #ffffff; --pane: #f6f8fa; --rule: #d0d7de;
  --vectorized: #1a7f37; --sequential: #9a6700; --fallback: #cf222e;
  --vectorized-back: #dafbe1; --sequential-back: #fff3c4; --fallback-back: #ffe2e0;
  color: var(--text); background: var(--back); font: 14px/1.5 system-ui, sans-serif; padding: 1em; }
@media (prefers-color-scheme: dark) {
  .autovec { --text: #e6edf3; --faint: #8d96a0; --back: #0d1117; --pane: #161b22; --rule: #30363d;
    --vectorized: #3fb950; --sequential: #d29922; --fallback: #f85149;
    --vectorized-back: #12331d; --sequential-back: #3a2d08; --fallback-back: #4a1517; } }
.autovec h1 { font-size: 1.15em; margin: 0 0 .2em; } .autovec ul ~ h1 { margin-top: 2em; }
.autovec .faint { color: var(--faint); }
.autovec .panes { display: flex; flex-wrap: wrap; gap: 1em; margin: 1em 0; }
.autovec .pane { flex: 1 1 28em; min-width: 0; overflow-x: auto; background: var(--pane);
  border: 1px solid var(--rule); border-radius: 6px; }
.autovec .pane h2 { font-size: .85em; font-weight: 600; color: var(--faint); margin: 0; padding: .4em .8em;
  border-bottom: 1px solid var(--rule); }
.autovec pre { margin: 0; padding: .4em 0; font: 13px/1.5 ui-monospace, monospace; background: none;
  color: inherit; border: 0; }
.autovec .line { display: block; padding: 0 .8em; border-left: 4px solid transparent; min-width: max-content; }
.autovec .number { display: inline-block; width: 3em; color: var(--faint); user-select: none; }
.autovec .VECTORIZED { border-left-color: var(--vectorized); background: var(--vectorized-back); }
.autovec .SEQUENTIAL { border-left-color: var(--sequential); background: var(--sequential-back); }
.autovec .FALLBACK { border-left-color: var(--fallback); background: var(--fallback-back); }
.autovec .word { padding: .1em .5em; border-left-width: 4px; border-left-style: solid; border-radius: 3px; font-size: .85em; font-weight: 600; }
.autovec li { margin: .6em 0; } .autovec ul { list-style: none; padding: 0; }
.autovec li pre { padding: .3em .8em; background: var(--pane); border-radius: 6px; overflow-x: auto; }
"""


def html_of(*reports: Report) -> str:
    """A page by itself, one function below the other."""
    title = escape(", ".join(report.function_name for report in reports))
    return (
        '<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">\n'
        f"<title>autovec: {title}</title></head>\n"
        f'<body style="margin: 0">\n{fragment_of(*reports)}\n</body>\n</html>\n'
    )


def fragment_of(*reports: Report) -> str:
    """What goes into a notebook's cell: the style, then the reports."""
    bodies = "\n".join(_head(report) + _panes(report) + _verdicts(report) for report in reports)
    return f'<style>{STYLE}</style>\n<div class="autovec">\n{bodies}</div>'


def verdict_by_line(report: Report) -> dict[int, LoopVerdict]:
    """The innermost loop each line of the function belongs to, by number in its file."""
    spans = _loop_lines(report)
    covered: dict[int, LoopVerdict] = {}
    # a wider loop first, so that what is inside overwrites it; on one line the worst verdict stays
    order = list(Status)
    loops = sorted(
        report.loops,
        key=lambda loop: (loop.line - spans.get(loop.line, loop.line), loop.line, order.index(loop.status)),
    )
    for loop in loops:
        for line in range(loop.line, spans.get(loop.line, loop.line) + 1):
            covered[line] = loop
    return covered


def _loop_lines(report: Report) -> dict[int, int]:
    """First to last line of each loop of the function; only what the report says where the text doesn't parse."""
    text = "if 1:\n" + "\n".join(line.rstrip("\n") or " " for line in report.lines)
    shift = report.first_line - 2  # line 2 of the text is the function's first
    if report.lines and not report.lines[0][:1].isspace():
        text, shift = text.removeprefix("if 1:\n"), shift + 1
    try:
        module = ast.parse(text)
    except SyntaxError:
        return {}
    loops = (ast.For, ast.While, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
    found: dict[int, int] = {}
    for node in ast.walk(module):
        if isinstance(node, loops):
            first, last = node.lineno + shift, (node.end_lineno or node.lineno) + shift
            found[first] = max(last, found.get(first, 0))
    return found


def _head(report: Report) -> str:
    counts = " ".join(
        f'<span class="word {status}">{report.count(status)} {status}</span>'
        for status in Status
        if report.count(status)
    )
    guessed = "<p class='faint'>For the signature inferred from the subscripts; the first call decides.</p>"
    return (
        f'<h1>{escape(report.function_name)} <span class="faint">{escape(function_place(report))}</span>'
        f"</h1>\n{counts}\n{guessed if report.guessed else ''}"
    )


def _panes(report: Report) -> str:
    covered = verdict_by_line(report)
    original = "".join(
        _line(number, line, covered.get(number)) for number, line in enumerate(report.lines, report.first_line)
    )
    source = report.source or "# the original Python runs"
    rewritten = "".join(_line(number, line, None) for number, line in enumerate(source.rstrip().split("\n"), 1))
    return (
        f'<div class="panes">\n<div class="pane"><h2>as written</h2><pre>{original}</pre></div>\n'
        f'<div class="pane"><h2>as it runs</h2><pre>{rewritten}</pre></div>\n</div>\n'
    )


def _line(number: int, text: str, loop: LoopVerdict | None) -> str:
    shown = f'<span class="number">{number}</span>{escape(text.rstrip())}'
    if loop is None:
        return f'<span class="line">{shown}</span>'
    title = escape(f"loop {loop.variable}: {loop.status}, {became(loop)}: {loop.reason}")
    return f'<span class="line {loop.status}" title="{title}">{shown}</span>'


def _details(report: Report, loop: LoopVerdict) -> str:
    """The line that decided, with the reason, and what to do about it."""
    shown = "\n".join(excerpt(report, loop.span, loop.evidence, loop.reason))
    remedy = f"<div>{escape(loop.remedy)}</div>" if loop.remedy else ""
    return f"<pre>{escape(shown)}</pre>{remedy}"


def _verdicts(report: Report) -> str:
    items: list[str] = []
    if report.blocked is not None:
        items.append(f"<li><pre>{escape(blocked_text(report, report.blocked))}</pre></li>")
    for loop in report.loops:
        details = "" if goes_with_function(report, loop) else _details(report, loop)
        items.append(
            f'<li><span class="word {loop.status}">{loop.status}</span> loop <b>{escape(loop.variable)}</b> '
            f'<span class="faint">{escape(loop_place(report, loop))} {loop.code.value}</span> '
            f"{escape(became(loop))}{details}</li>"
        )
    items += [
        f'<li>note <span class="faint">{escape(note_place(report, note))}</span> {escape(note.text)}</li>'
        for note in report.notes
    ]
    return "<ul>\n" + "\n".join(items) + "\n</ul>\n" if items else ""
