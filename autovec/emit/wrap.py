"""Break over-long lines at brackets, as a person would, and put blank lines around functions.

In: Python text, one statement a line, as astor or `ast.unparse` print it. Out: the same program, lines short where a
bracket allows it. Only white space inside brackets, a trailing comma in calls and enclosing parentheses are added; the
caller proves that nothing else changed by parsing the result back.

    total = jnp.sum(jnp.where(mask, a[:, None] * b, 0.0), axis=1)    -->    total = jnp.sum(
                                                                                jnp.where(...),
                                                                                axis=1,
                                                                            )
"""

from __future__ import annotations

import ast
import io
import re
import tokenize

OPEN, CLOSE = "([{", ")]}"
INDENT = "    "
STATEMENT = re.compile(
    r"(?P<head>(?:return|yield|if|elif|while|assert) )(?P<body>.*?)(?P<tail>:?)$"
    r"|(?P<target>[^=()\[\]{}]*(?:\[[^=]*\])? (?:[-+*/@%&|^]|//|\*\*|<<|>>)?= )(?P<value>.*)$"
)
# where an expression is broken, the loosest binding first
OPERATORS = (
    (" if ", " else "),
    (" or ",),
    (" and ",),
    (" == ", " != ", " < ", " <= ", " > ", " >= "),
    (" | ",),
    (" ^ ",),
    (" & ",),
    (" + ", " - "),
    (" * ", " / ", " @ ", " // ", " % "),
)


def wrap(text: str, width: int) -> str:
    """Break each one-line statement longer than `width`; a line that no bracket helps stays long."""
    lines = text.split("\n")
    inside = _string_lines(text)
    wrapped: list[str] = []
    for number, line in enumerate(lines, 1):
        if len(line) <= width or number in inside or line.lstrip().startswith("#"):
            wrapped.append(line)
        else:
            stripped = line.lstrip()
            broken = _statement(stripped, len(line) - len(stripped), width)
            wrapped += broken if _says_the_same(line, broken) else [line]
    return "\n".join(wrapped)


def space(text: str) -> str:
    """Two blank lines around top-level functions, one around nested ones, none elsewhere; comments stay attached."""
    inside = _string_lines(text)
    lines = [line for number, line in enumerate(text.split("\n"), 1) if line.strip() or number in inside]
    text = "\n".join(lines)
    before = _blanks_before(ast.parse(text))
    spaced: list[str] = []
    start = 0  # of the run of comments that belongs to the line that follows
    for number, line in enumerate(lines, 1):
        if number in before and spaced:
            while start and spaced[start - 1].lstrip().startswith("#") and _indent(spaced[start - 1]) == _indent(line):
                start -= 1
            opens_block = start and spaced[start - 1].endswith(":") and _indent(spaced[start - 1]) < _indent(line)
            if start and not opens_block:
                spaced[start:start] = [""] * before[number]
        spaced.append(line)
        start = len(spaced)
    return "\n".join(spaced) + "\n"


def _blanks_before(module: ast.Module) -> dict[int, int]:
    """How many blank lines belong before which line."""
    before: dict[int, int] = {}
    for parent in ast.walk(module):
        for block in (getattr(parent, name, None) for name in ("body", "orelse", "finalbody")):
            if not isinstance(block, list):
                continue
            for earlier, later in zip([None, *block], block, strict=False):
                touches = any(isinstance(s, ast.FunctionDef | ast.ClassDef) for s in (earlier, later))
                after_imports = isinstance(earlier, ast.Import | ast.ImportFrom) and not isinstance(
                    later, ast.Import | ast.ImportFrom
                )
                if touches or after_imports:
                    decorators = [d.lineno for d in getattr(later, "decorator_list", [])]
                    line = min([later.lineno, *decorators])
                    before[line] = 2 if touches and isinstance(parent, ast.Module) else 1
    return before


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _string_lines(text: str) -> set[int]:
    """The numbers of lines that are part of a string of several lines, or of a bracket already open."""
    inside: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.start[0] != token.end[0] and token.type != tokenize.NEWLINE:
            inside.update(range(token.start[0], token.end[0] + 1))
    return inside


def _says_the_same(line: str, broken: list[str]) -> bool:
    """Whether the broken lines parse to what the line does (the head of a block is given a body for this)."""

    def parsed(text: str) -> str:
        text = text.strip().removeprefix("el") if text.lstrip().startswith("elif ") else text.strip()
        return ast.dump(ast.parse(f"{text} pass" if text.endswith(":") else text))

    try:
        return parsed(line) == parsed("\n".join(broken))
    except SyntaxError:
        return False


def _statement(line: str, indent: int, width: int) -> list[str]:
    """One statement: its value split at commas or operators outside brackets (in new parentheses), or at a bracket."""
    found = STATEMENT.match(line)
    if found and found["target"] is not None:
        head, body, tail = found["target"], found["value"], ""
    elif found:
        head, body, tail = found["head"], found["body"], found["tail"]
    else:
        return _expression(line, "", indent, width)
    if _loosest(body):
        return _block(f"{head}(", body, f"){tail}", indent, width)
    return _expression(head + body, tail, indent, width)


def _expression(code: str, tail: str, indent: int, width: int) -> list[str]:
    """Broken at its last bracket that holds something; the call of a method chain is the one that reads well."""
    whole = " " * indent + code + tail
    pair = _last_pair(code)
    if len(whole) <= width or pair is None:
        return [whole]
    start, end = pair
    return _block(code[: start + 1], code[start + 1 : end], code[end:] + tail, indent, width)


def _block(head: str, body: str, tail: str, indent: int, width: int) -> list[str]:
    """`head`, the body indented (on a line of its own if it fits, else one line a part), `tail`."""
    inner = indent + len(INDENT)
    opened, closed = " " * indent + head, " " * indent + tail
    parts = _split(body, (", ",))
    if len(parts) == 1 and head.endswith("(") and _hugs(body):  # f([...]): both brackets stay with the call
        return _block(head + body[0], body[1:-1], body[-1] + tail, indent, width)
    if inner + len(body) <= width:
        return [opened, " " * inner + body, closed]
    if len(parts) > 1:
        lines = [line for part in parts for line in _part(part.strip().rstrip(","), ",", inner, width)]
    else:
        lines = _part(body, "", inner, width)
    return [opened, *lines, closed]


def _hugs(body: str) -> bool:
    """True for a single argument that is itself a list, tuple or dict: its brackets stay with the call's."""
    pair = _last_pair(body)
    return pair is not None and pair == (0, len(body) - 1)


def _part(code: str, tail: str, indent: int, width: int) -> list[str]:
    """One item of an open bracket: on a line, or cut at its operators, or at a bracket of its own."""
    if indent + len(code) + len(tail) <= width:
        return [" " * indent + code + tail]
    loosest = _loosest(code)
    if loosest and not re.match(r"\*|\w+=(?!=)", code):
        lines: list[str] = []
        for part in _split(code, loosest):
            lines += _part(part.strip(), "", indent, width)
        return [*lines[:-1], lines[-1] + tail]
    return _expression(code, tail, indent, width)


def _loosest(code: str) -> tuple[str, ...]:
    """The separators to break a bracketless level at: commas first, then the operators that bind least."""
    if len(_split(code, (", ",))) > 1:
        return (", ",)
    if code.startswith("lambda"):
        return ()  # the operators are its body's
    return next((operators for operators in OPERATORS if len(_split(code, operators)) > 1), ())


def _split(code: str, separators: tuple[str, ...]) -> list[str]:
    """Cut `code` at the separators outside brackets and strings; a comma ends its part, an operator begins its part."""
    parts: list[str] = []
    last = 0
    parameters = False  # between `lambda` and its colon, where a comma separates nothing of ours
    for at, depth in _depths(code):
        if depth == 0 and re.match(r"\blambda\b", code[at:]) and not code[at - 1 : at].isidentifier():
            parameters = True
        elif depth == 0 and code[at] == ":":
            parameters = False
        if depth == 0 and not parameters and (hit := next((s for s in separators if code.startswith(s, at)), "")):
            cut = at + 1 if hit == ", " else at
            parts.append(code[last:cut])
            last = cut
    return [*parts, code[last:]]


def _depths(code: str) -> list[tuple[int, int]]:
    """Each position outside strings with its bracket depth (a bracket itself counts as outside of it)."""
    positions: list[tuple[int, int]] = []
    depth, quote, skip = 0, "", False
    for at, character in enumerate(code):
        if skip:
            skip = False
        elif quote:
            skip = character == "\\"
            quote = "" if character == quote else quote
        elif character in "\"'":
            quote = character
        else:
            depth -= character in CLOSE
            positions.append((at, depth))
            depth += character in OPEN
    return positions


def _last_pair(code: str) -> tuple[int, int] | None:
    """The last bracket pair at depth 0 that is worth opening: not empty, not a short subscript after a call."""
    pairs: list[tuple[int, int]] = []
    start = -1
    for at, depth in _depths(code):
        if depth == 0 and code[at] in OPEN:
            start = at
        elif depth == 0 and code[at] in CLOSE and at > start + 1:
            pairs.append((start, at))
    long = [pair for pair in pairs if pair[1] - pair[0] > 12]
    return (long or pairs)[-1] if pairs else None
