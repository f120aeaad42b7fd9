"""Python text of an emitted module, proved to be the AST it came from.

In: an `ast.Module` of canonical nodes, with comments as `ast.Expr(ast.Constant("# text"))` before the statement they
are about. Out: its source: astor's rendering where that parses back to the same AST, `ast.unparse`'s otherwise;
lines wrapped at brackets, two blank lines between functions.

Canonical: astor and `ast.unparse` both print `Constant(-1) ** x` as `-1 ** x`, which is another program; so numbers
below zero are `UnaryOp(USub, ...)`, complex ones sums, nan and inf names, and no constant is a NumPy scalar or tuple.
"""

from __future__ import annotations

import ast
import copy
import math
import re
import warnings
from collections.abc import Callable
from types import EllipsisType

from autovec.emit.wrap import space, wrap

WIDTH = 100
COMMENT = "#"
LISTS = {
    "body", "args", "keywords", "decorator_list", "type_params", "posonlyargs", "kwonlyargs", "kw_defaults",
    "defaults", "orelse", "finalbody", "handlers", "type_ignores", "ifs", "bases",
}  # fmt: skip


class RenderError(ValueError):
    """A module that isn't canonical, or that no renderer reproduces: a fault of the emitter."""


def render(module: ast.Module) -> str:
    """The text of `module`, ending in a newline; RenderError names the node that can't be rendered."""
    module = _complete(copy.deepcopy(module))
    check_canonical(module)
    comments: list[str] = []
    marked = _Marker(comments).visit(module)
    plain = _without_comments(copy.deepcopy(marked))
    for renderer in (_by_astor, ast.unparse):
        text = _attempt(renderer, marked, comments)
        if text is not None and _same(text, plain):
            return text
    raise RenderError(f"no rendering of the module parses back to it: {_first_difference(ast.unparse(plain), plain)}")


def check_canonical(module: ast.Module) -> None:
    """Refuse nodes that both renderers print wrong, or that never compare equal after parsing back."""
    for node in ast.walk(module):
        if isinstance(node, ast.Constant) and (why := _fault(node.value)):
            raise RenderError(f"Constant(value={node.value!r}) isn't canonical: {why}")
        if isinstance(node, ast.BoolOp) and len(node.values) < 2:
            raise RenderError(f"{ast.dump(node)} isn't canonical: a BoolOp needs two operands")


def comment(text: str) -> ast.Expr:
    """The node that becomes a comment line; an empty text becomes a blank line."""
    return ast.Expr(ast.Constant(f"{COMMENT} {text}"))


def _fault(value: object) -> str:
    """Why a constant isn't canonical, or an empty string."""
    match value:
        case None | EllipsisType():
            return ""
        case bool() | str() | bytes() if type(value) in (bool, str, bytes):
            return ""
        case int() if type(value) is int:
            return "write a negative number as UnaryOp(USub, Constant)" if value < 0 else ""
        case float() if type(value) is float:
            if not math.isfinite(value):
                return "write nan and inf as names (jnp.nan, jnp.inf)"
            return "write a negative number as UnaryOp(USub, Constant)" if math.copysign(1, value) < 0 else ""
        case complex():
            return "write a complex number as a sum of real and imaginary part" if _two_parts(value) else ""
        case _:
            return f"a constant of type {type(value).__name__}"


def _two_parts(value: complex) -> bool:
    return not (value.real == 0 and math.copysign(1, value.real) > 0 and 0 <= value.imag < math.inf)


def _complete(module: ast.Module) -> ast.Module:
    """Fill in what a hand-made node leaves out (empty lists, load context), as Python 3.13 does by itself."""
    for node in ast.walk(module):
        for name in node._fields:
            if not hasattr(node, name) or (getattr(node, name) is None and name == "type_params"):
                if name in LISTS:
                    setattr(node, name, [])
                elif name == "ctx":
                    setattr(node, name, ast.Load())
    return ast.fix_missing_locations(module)


def _is_comment(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
        and node.value.value.startswith(f"{COMMENT} ")
    )


def _placeholder(index: int) -> str:
    return f"__comment_{index}__"


class _Marker(ast.NodeTransformer):
    """Put a name that no program has in the place of each comment; a renderer would print it as a string."""

    def __init__(self, comments: list[str]) -> None:
        self.comments = comments

    def visit_Expr(self, node: ast.Expr) -> ast.Expr:
        if not _is_comment(node):
            return node
        assert isinstance(node.value, ast.Constant)
        self.comments.append(str(node.value.value))
        name = ast.Name(_placeholder(len(self.comments) - 1), ast.Load())
        return ast.fix_missing_locations(ast.copy_location(ast.Expr(name), node))


def _without_comments(module: ast.Module) -> ast.Module:
    def kept(statement: ast.stmt) -> bool:
        match statement:
            case ast.Expr(value=ast.Name(id=name)):
                return not name.startswith("__comment_")
            case _:
                return True

    for node in ast.walk(module):
        for name in ("body", "orelse", "finalbody"):
            block = getattr(node, name, None)
            if isinstance(block, list) and block:
                statements = [s for s in block if kept(s)]
                setattr(node, name, statements or ([] if isinstance(node, ast.Module) else [ast.Pass()]))
    return module


def _attempt(renderer: Callable[[ast.Module], str], module: ast.Module, comments: list[str]) -> str | None:
    """The rendering, or None: astor raises AttributeError on newer syntax, or prints what doesn't parse."""
    try:
        return _finish(renderer(module), comments)
    except Exception:
        return None


def _by_astor(module: ast.Module) -> str:
    with warnings.catch_warnings():  # it uses names of `ast` that later Pythons deprecate, on import too
        warnings.simplefilter("ignore")
        import astor

        text = astor.to_source(module, pretty_string=_quoted, pretty_source="".join)
    return re.sub(r"\blambda :", "lambda:", text)


def _quoted(text: str, embedded: bool, current_line: str, uni_lit: bool = False, **options: int) -> str:
    """A string in double quotes where that needs no escape; docstrings in three."""
    if embedded < 2 and not current_line.strip():  # a statement by itself: a docstring
        return f'"""{text}"""' if _bare(text, newlines=True) else repr(text)
    return f'"{text}"' if _bare(text, newlines=False) else repr(text)


def _bare(text: str, newlines: bool) -> bool:
    return '"' not in text and "\\" not in text and (text.replace("\n", "") if newlines else text).isprintable()


def _finish(text: str, comments: list[str]) -> str:
    """Comments in the place of their marks, long lines wrapped, blank lines where they belong."""
    lines: list[str] = []
    for line in text.split("\n"):
        word = line.strip()
        if not word.startswith("__comment_"):
            lines.append(line)
            continue
        margin = line[: len(line) - len(word)] if line.endswith(word) else line[: line.index(word)]
        for said in comments[int(word.removeprefix("__comment_").rstrip("_"))].split("\n"):
            stripped = said.removeprefix(COMMENT).strip()
            lines.append(f"{margin}{COMMENT} {stripped}".rstrip())
    text = space(wrap(_pass_for_comments("\n".join(lines)), WIDTH))
    return "\n".join("" if line.strip() == COMMENT else line for line in text.split("\n"))


def _pass_for_comments(text: str) -> str:
    """A block of nothing but comments needs a `pass` to be a block."""
    lines: list[str] = []
    source = text.split("\n")
    for at, line in enumerate(source):
        lines.append(line)
        if not line.lstrip().startswith(COMMENT):
            continue
        margin = len(line) - len(line.lstrip())
        opener = next((e for e in reversed(source[:at]) if e.strip() and not e.lstrip().startswith(COMMENT)), "")
        rest = next((s for s in source[at + 1 :] if s.strip()), "")
        opened = opener.endswith(":") and len(opener) - len(opener.lstrip()) < margin
        if opened and len(rest) - len(rest.lstrip()) < margin:
            lines.append(line[:margin] + "pass")
    return "\n".join(lines)


def _same(text: str, module: ast.Module) -> bool:
    try:
        return ast.dump(ast.parse(text)) == ast.dump(module)
    except SyntaxError:
        return False


def _first_difference(text: str, module: ast.Module) -> str:
    """The first place where the parsed text and the module part, for the person who debugs the emitter."""
    parsed, wanted = ast.dump(ast.parse(text)), ast.dump(module)
    at = next((i for i, (a, b) in enumerate(zip(parsed, wanted, strict=False)) if a != b), 0)
    return f"... {wanted[max(0, at - 60) : at + 60]} ... came back as ... {parsed[max(0, at - 60) : at + 60]} ..."
