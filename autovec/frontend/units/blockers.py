"""Which statement a refusal is about: that one stays Python, the others may still be kernels.

The innermost one: of a loop whose body holds a `print` the loop stays because of the `print`, and the statements
beside it do not.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator, Sequence

from autovec.diagnostics import Blocked
from autovec.frontend import liveness


def blocking(statements: Sequence[ast.stmt], file: str, blocked: Blocked) -> ast.stmt | None:
    """The innermost statement that holds the place of the refusal; None where it has no place among these."""
    place = blocked.site or blocked.span
    if place is None or place.file != file:
        return None
    at = (place.line, place.column)
    holding = [s for s in nested(statements) if _begin(s) <= at < _end(s)]
    return holding[-1] if holding else None


def is_about(expression: ast.expr, blocked: Blocked) -> bool:
    """Is the place of the refusal in this expression?"""
    place = blocked.site or blocked.span
    return place is not None and _begin(expression) <= (place.line, place.column) < _end(expression)


def reading(statements: Sequence[ast.stmt], names: Collection[str]) -> tuple[ast.stmt, ...]:
    """The innermost statements that mention one of the names themselves, not only in statements inside."""
    return tuple(s for s in nested(statements) if any(_mentions(part, names) for part in own_parts(s)))


def nested(statements: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """All statements, those inside others after them."""
    for statement in statements:
        yield statement
        for block in blocks(statement):
            yield from nested(block)


def blocks(statement: ast.stmt) -> Iterator[list[ast.stmt]]:
    """The blocks of statements inside one; a nested function is no block of the one around it."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return
    for holder in (statement, *getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
        for name in ("body", "orelse", "finalbody"):
            block = getattr(holder, name, None)
            if isinstance(block, list) and block:
                yield block


def own_parts(statement: ast.stmt) -> Iterator[ast.AST]:
    """What belongs to a statement itself: its expressions, not the statements inside it."""
    inside = {id(s) for block in blocks(statement) for s in block}
    return (n for n in ast.iter_child_nodes(statement) if id(n) not in inside)


def _mentions(node: ast.AST, names: Collection[str]) -> bool:
    if isinstance(node, ast.ExceptHandler | ast.match_case):
        return False
    found = liveness.loaded([node]) | {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
    return not found.isdisjoint(names)


def _begin(node: ast.stmt | ast.expr) -> tuple[int, int]:
    return (node.lineno, node.col_offset)


def _end(node: ast.stmt | ast.expr) -> tuple[int, int]:
    return (node.end_lineno or node.lineno, node.end_col_offset or 1 << 30)
