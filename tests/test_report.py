"""Reports as text, HTML and JSON, from verdicts made by hand."""

from __future__ import annotations

import dataclasses
import html.parser
import json
import textwrap

import numpy as np

from autovec import autovec
from autovec.diagnostics import Blocked, Code, Span
from autovec.report.as_html import verdict_by_line
from autovec.report.report import Report
from autovec.report.verdicts import LoopVerdict, Note, Status

FILE = "filters.py"
LINES = textwrap.dedent(
    """\
    def smooth(x, s):
        for k in range(1, len(x)):
            s[k] = s[k - 1] + x[k]
        for i in range(len(x)):
            for j in range(i):
                x[i] + x[j]
        return [2 * v for v in s]
    """
).splitlines()
FIRST = 12

CARRIED = LoopVerdict(
    line=13,
    variable="k",
    status=Status.SEQUENTIAL,
    strategy="fori_loop",
    code=Code.CARRIED_DEPENDENCE,
    reason="reads what the iteration before wrote at 14:9",
    span=Span(FILE, 14, 15, 14, 23),
    evidence=Span(FILE, 14, 8, 14, 12),
)
GONE = [
    LoopVerdict(line, v, Status.VECTORIZED, "", Code.NO_EFFECT, "nothing it computes is used", Span(FILE, line, column))
    for line, v, column in ((15, "i", 4), (16, "j", 8))
]
MAPPED = LoopVerdict(
    line=18,
    variable="v",
    status=Status.FALLBACK,
    strategy="",
    code=Code.OPAQUE_CALL,
    reason="`2 * v` of what?",
    span=Span(FILE, 18, 12, 18, 17),
    remedy="write the multiplication of the whole array: 2 * s",
)


def report(**changes: object) -> Report:
    made = Report(
        function_name="smooth",
        file=FILE,
        first_line=FIRST,
        lines=tuple(LINES),
        loops=(CARRIED, *GONE, MAPPED),
        notes=(Note(14, "the store is forwarded to the next iteration"),),
        source="def smooth(x, s):\n    return s < x\n",
    )
    return dataclasses.replace(made, **changes)  # type: ignore[arg-type]


def test_text() -> None:
    assert str(report()) == textwrap.dedent(
        """\
        smooth  filters.py:12  4 loops: 2 VECTORIZED, 1 SEQUENTIAL, 1 FALLBACK

        filters.py:13:5  loop k  SEQUENTIAL  carried-dependence  (fori_loop)
         14 |         s[k] = s[k - 1] + x[k]
            |         ----   ^^^^^^^^ reads what the iteration before wrote at 14:9

        filters.py:15:5  loop i  VECTORIZED  no-effect  (nothing: it had no effect, and is gone)
         15 |     for i in range(len(x)):
            |     ^^^^^^^^^^^^^^^^^^^^^^^ nothing it computes is used

        filters.py:16:9  loop j  VECTORIZED  no-effect  (nothing: it had no effect, and is gone)
         16 |         for j in range(i):
            |         ^^^^^^^^^^^^^^^^^^ nothing it computes is used

        filters.py:18:13  loop v  FALLBACK  opaque-call  (stays Python)
         18 |     return [2 * v for v in s]
            |             ^^^^^ `2 * v` of what?
            = remedy: write the multiplication of the whole array: 2 * s

        filters.py:14  note  the store is forwarded to the next iteration
        """
    )


def test_evidence_on_another_line_is_shown() -> None:
    loop = dataclasses.replace(CARRIED, evidence=Span(FILE, 17, 12, 17, 23), reason="reads what line 17 wrote")
    shown = str(report(loops=(loop,), notes=())).split("\n")
    assert shown[-3:-1] == [" 17 |             x[i] + x[j]", "    |             ----------- here"]


def test_a_long_reason_is_wrapped_below_its_line() -> None:
    text = str(report(loops=(dataclasses.replace(CARRIED, reason="because of this and that, " * 8),)))
    assert "    = because of this" in text
    assert all(len(line) <= 112 for line in text.splitlines())


def test_carets_count_characters_and_keep_tabs() -> None:
    lines = ("def f(ä, x):", "\tx[ä] = x[ä - 1]")
    span = Span(FILE, FIRST + 1, 9, FIRST + 1, 18)  # columns of ast are bytes
    text = str(report(lines=lines, loops=(dataclasses.replace(CARRIED, span=span, evidence=None, reason=""),)))
    assert "\n    | \t       ^^^^^^^^\n" in text


def test_blocked_function() -> None:
    blocked = Blocked(Code.NO_SOURCE, None, "its source can't be found", "define it in a file")
    text = str(report(loops=(), notes=(), source="", blocked=blocked))
    assert "FALLBACK  no-source" in text
    assert "= its source can't be found" in text
    assert "= remedy: define it in a file" in text
    nowhere = str(report(file="", loops=(), notes=(), source="", blocked=blocked))
    assert nowhere.startswith("smooth  0 loops\n") and "\n\nFALLBACK  no-source\n" in nowhere
    placed = str(report(blocked=Blocked(Code.EFFECT, Span(FILE, 15, 4, 15, 7), "prints")))
    assert "filters.py:15:5  FALLBACK  effect\n 15 |     for i in range(len(x)):\n    |     ^^^ prints" in placed


def test_the_reason_of_a_blocked_function_is_said_once() -> None:
    place = Span(FILE, 16, 4, 16, 7)
    blocked = Blocked(Code.EFFECT, place, "prints", "take it out")
    loop = dataclasses.replace(
        CARRIED, status=Status.FALLBACK, code=Code.EFFECT, reason="prints (line 16)", evidence=place
    )
    shown = report(loops=(loop, loop), notes=(), source="", blocked=blocked)
    assert str(shown).count("prints") == 1 and str(shown).count("FALLBACK  effect  (stays Python)") == 2
    assert shown.to_html().count("<pre>") == 3  # as written, as it runs, the reason


def test_guessed_says_so_and_no_loops_too() -> None:
    text = str(report(guessed=True, loops=(), notes=()))
    assert "smooth  filters.py:12  0 loops\n" in text
    assert "inferred from how the arguments are subscripted" in text


def test_repr_is_short() -> None:
    assert repr(report()) == "<Report of smooth: 4 loops: 2 VECTORIZED, 1 SEQUENTIAL, 1 FALLBACK>"


def test_json_has_everything() -> None:
    facts = json.loads(report(blocked=Blocked(Code.FAULT, Span(FILE, 13), "a", "b")).to_json())
    assert facts["function"] == "smooth" and facts["version"] == 1
    assert facts["loops"][0]["status"] == "SEQUENTIAL"
    assert facts["loops"][0]["evidence"] == {"file": FILE, "line": 14, "column": 8, "end_line": 14, "end_column": 12}
    assert facts["loops"][1]["evidence"] is None
    assert facts["blocked"] == {
        "code": "fault",
        "construct": "a",
        "remedy": "b",
        "span": {"file": FILE, "line": 13, "column": 0, "end_line": 0, "end_column": 0},
    }
    assert facts["original"].splitlines() == LINES
    assert json.loads(report().to_json())["blocked"] is None


def test_each_line_has_the_verdict_of_its_innermost_loop() -> None:
    covered = {line: loop.variable for line, loop in verdict_by_line(report()).items()}
    assert covered == {13: "k", 14: "k", 15: "i", 16: "j", 17: "j", 18: "v"}


def test_lines_of_an_indented_function() -> None:
    shifted = tuple("    " + line for line in LINES)
    assert set(verdict_by_line(report(lines=shifted))) == {13, 14, 15, 16, 17, 18}


class Balanced(html.parser.HTMLParser):
    """Checks that tags close in order and that nothing is fetched."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag not in ("script", "link", "img")
        assert not any(name in ("src", "href") for name, _ in attrs)
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_html_is_one_well_formed_page() -> None:
    page = report(blocked=Blocked(Code.FAULT, None, "a < b")).to_html()
    parser = Balanced()
    parser.feed(page)
    assert not parser.open
    assert page.startswith("<!doctype html>") and "prefers-color-scheme: dark" in page
    assert "return s &lt; x" in page and "a &lt; b" in page
    assert '<span class="line SEQUENTIAL" title="loop k: SEQUENTIAL, fori_loop: reads what' in page
    body = report()._repr_html_()
    assert "<html" not in body and "<style>" in body


def trained(x, y, w):
    loss = 0.0
    for i in range(len(x)):
        p = 0.0
        for j in range(len(w)):
            p += x[i, j] * w[j]
        loss += (p - y[i]) ** 2
        for j in range(len(w)):
            w[j] -= 0.01 * (p - y[i]) * x[i, j]
    return loss


def test_the_reason_is_a_flow_and_no_sum() -> None:
    """Losses that add up are carried too, but would be a sum: what each iteration needs are the weights."""
    f = autovec(trained)
    f(np.ones((3, 2)), np.ones(3), np.ones(2))
    loops = f.report().loops
    assert [str(loop.status)[0] for loop in loops] == ["S", "V", "V"]
    assert loops[0].reason.startswith("w[j] reads what it wrote in an earlier iteration")


def test_a_note_on_the_whole_function_has_its_place() -> None:
    shown = report(notes=(Note(None, "it is small"),))
    assert (
        "\n\nfilters.py:12  note  it is small\n" in str(shown) and "filters.py:12</span> it is small" in shown.to_html()
    )
