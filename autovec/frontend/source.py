"""The source of a function, proved: what goes in is a function, what comes out is the AST it was compiled from.

`inspect.getsource` returns other code, silently, once a file is edited after import. So the file is parsed and
compiled, and a code object equal to the function's own is looked for in the result: found means proved.
"""

from __future__ import annotations
import __future__

import ast
import functools
import linecache
import operator
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import CellType, CodeType, FunctionType

from autovec.diagnostics import Blocked, Code, Span
from autovec.frontend.private_names import spell_out

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
LOOPS = (ast.For, ast.While, ast.ListComp, ast.GeneratorExp)

FUTURES = functools.reduce(operator.or_, (getattr(__future__, n).compiler_flag for n in __future__.all_feature_names))


def has_loops(node: ast.AST) -> bool:
    """Is there a loop, or a comprehension that can be one, in this?"""
    return any(isinstance(n, LOOPS) for n in ast.walk(node))


@dataclass(frozen=True, slots=True)
class SourceFunction:
    """A function and the node it was compiled from.

    `node` has the file's line numbers and is shared: nobody changes it. `lines` are all lines of the file, without
    their ends. `closure` maps the names of free variables to their cells.
    """

    function: FunctionType
    node: FunctionNode
    file: str
    lines: tuple[str, ...]
    code: CodeType
    globals: dict[str, object]
    closure: Mapping[str, CellType]
    qualname: str

    @property
    def name(self) -> str:
        return self.code.co_name

    @property
    def first_line(self) -> int:
        return self.code.co_firstlineno

    @property
    def span(self) -> Span:
        node = self.node
        return Span(self.file, node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0)

    @property
    def body(self) -> list[ast.stmt]:
        """The function's statements; none where it is a lambda or a coroutine."""
        return self.node.body if isinstance(self.node, ast.FunctionDef) else []

    @property
    def text(self) -> str:
        """The lines of the function as they stand in the file, decorators included."""
        last = self.node.end_lineno or self.node.lineno
        return "\n".join(self.lines[self.first_line - 1 : last])


@dataclass(frozen=True, slots=True)
class ParsedFile:
    """A file's text with the AST and the code objects that it gives."""

    lines: list[str]
    tree: ast.Module
    codes: tuple[CodeType, ...]


_files: dict[tuple[str, int], ParsedFile] = {}
_FILES_KEPT = 64


def find(function: object) -> SourceFunction:
    """The function with its proved AST.

    Raises `Blocked`: `no-source` where there is no text (a builtin, the plain REPL, `exec`), `stale-source` where
    the text is not what the function was compiled from.
    """
    if not isinstance(function, FunctionType):
        kind = type(function).__name__
        raise Blocked(Code.NO_SOURCE, None, f"a {kind} has no Python source", "decorate a function written in Python")
    code = function.__code__
    place = Span(code.co_filename, code.co_firstlineno)
    parsed = _parse(function)
    if parsed is None:
        raise Blocked(
            Code.NO_SOURCE,
            place,
            f"the source of {function.__qualname__} is not available",
            "define it in a file or a notebook cell",
        )
    found = _nodes(parsed, function)
    if not found:
        # linecache may hold lines from before the module was reloaded
        linecache.checkcache(code.co_filename)
        parsed = _parse(function) or parsed
        found = _nodes(parsed, function)
    if len(found) != 1:
        why = "was edited after it was imported" if not found else "has several functions that this one could be"
        cure = "import it again" if not found else "write them on lines of their own"
        raise Blocked(Code.STALE_SOURCE, place, f"{code.co_filename} {why}", cure)
    return SourceFunction(
        function=function,
        node=found[0],
        file=code.co_filename,
        lines=tuple(line.rstrip("\r\n") for line in parsed.lines),
        code=code,
        globals=function.__globals__,
        closure=dict(zip(code.co_freevars, function.__closure__ or (), strict=True)),
        qualname=function.__qualname__,
    )


def _parse(function: FunctionType) -> ParsedFile | None:
    """The function's file, parsed and compiled once for each content; None where there is no text or it is broken."""
    code = function.__code__
    # in an interactive session `from __future__` acts on later cells too, so the flags come from the function
    flags = code.co_flags & FUTURES
    lines = linecache.getlines(code.co_filename, function.__globals__)
    if not lines:
        return None
    key = (code.co_filename, flags)
    known = _files.get(key)
    if known is not None and known.lines == lines:
        return known
    try:
        tree = ast.parse("".join(lines), code.co_filename)
        # a notebook cell may await at its top level; functions compile the same either way
        everything = compile(tree, code.co_filename, "exec", flags | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError):
        return ParsedFile(lines, ast.Module([], []), ())
    spell_out(tree)
    parsed = ParsedFile(list(lines), tree, tuple(_codes(everything)))
    if len(_files) >= _FILES_KEPT:
        _files.clear()
    _files[key] = parsed
    return parsed


def _codes(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _codes(constant)


def _nodes(parsed: ParsedFile, function: FunctionType) -> list[FunctionNode]:
    """The nodes that the function can have been compiled from; one, if all is well."""
    code = function.__code__
    if any(_equal(code, c) for c in parsed.codes):
        if code.co_name == "<lambda>":
            return _lambda_nodes(parsed.tree, code)
        return _definitions(parsed.tree, code)
    if "@pytest_ar" in function.__globals__ and any(_equal_but_for_asserts(code, c) for c in parsed.codes):
        return [n for n in _definitions(parsed.tree, code) if any(isinstance(s, ast.Assert) for s in ast.walk(n))]
    return []


def _equal(a: CodeType, b: CodeType) -> bool:
    # code objects compare without their columns on some versions: two lambdas of one line would be equal
    return a == b and a.co_qualname == b.co_qualname and list(a.co_positions()) == list(b.co_positions())


def _equal_but_for_asserts(rewritten: CodeType, plain: CodeType) -> bool:
    """pytest rewrites asserts before it compiles: names, arguments and first line must do there."""
    arguments = plain.co_argcount + plain.co_kwonlyargcount
    return (
        rewritten.co_qualname == plain.co_qualname
        and rewritten.co_firstlineno == plain.co_firstlineno
        and (rewritten.co_argcount, rewritten.co_kwonlyargcount, rewritten.co_posonlyargcount)
        == (plain.co_argcount, plain.co_kwonlyargcount, plain.co_posonlyargcount)
        and rewritten.co_varnames[:arguments] == plain.co_varnames[:arguments]
        and {n for n in rewritten.co_varnames if not n.startswith("@py")} == set(plain.co_varnames)
        and rewritten.co_freevars == plain.co_freevars
        and set(plain.co_names) - {"AssertionError"} <= set(rewritten.co_names)
    )


def _definitions(tree: ast.Module, code: CodeType) -> list[FunctionNode]:
    found: list[FunctionNode] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == code.co_name:
            first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
            if first == code.co_firstlineno:
                found.append(node)
    return found


def _lambda_nodes(tree: ast.Module, code: CodeType) -> list[FunctionNode]:
    """Lambdas that start on the code's first line; of several, the one whose body spans the code's positions."""
    found: list[FunctionNode] = [
        n for n in ast.walk(tree) if isinstance(n, ast.Lambda) and n.lineno == code.co_firstlineno
    ]
    if len(found) < 2:
        return found
    spans: set[tuple[int, int, int, int]] = set()
    for line, end_line, column, end_column in code.co_positions():
        if line is not None and end_line is not None and column is not None and end_column is not None:
            spans.add((line, column, end_line, end_column))
    return [n for n in found if isinstance(n, ast.Lambda) and _span(n.body) in spans]


def _span(node: ast.expr) -> tuple[int, int, int, int]:
    return (node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0)
