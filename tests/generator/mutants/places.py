"""Where a tree can change: its expressions, its blocks, its names."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Any


class Unfit(Exception):
    """The program has no place for this change."""


@dataclass(slots=True)
class Place:
    """A node, and the field of its owner that holds it; `at` where the field is a list."""

    owner: ast.AST
    field: str
    at: int | None
    node: Any

    def put(self, new: ast.AST) -> None:
        if self.at is None:
            setattr(self.owner, self.field, new)
        else:
            getattr(self.owner, self.field)[self.at] = new


def places(tree: ast.AST, kind: type[ast.AST]) -> list[Place]:
    """Every node of a kind."""
    found: list[Place] = []
    for owner in ast.walk(tree):
        for field, value in ast.iter_fields(owner):
            if isinstance(value, list):
                found += [Place(owner, field, k, x) for k, x in enumerate(value) if isinstance(x, kind)]
            elif isinstance(value, kind):
                found.append(Place(owner, field, None, value))
    return found


def blocks(tree: ast.AST) -> list[list[ast.stmt]]:
    """Every list of statements, the function's own first."""
    found = [getattr(node, field, None) for node in ast.walk(tree) for field in ("body", "orelse")]
    return [b for b in found if isinstance(b, list) and b and isinstance(b[0], ast.stmt)]


def names(function: ast.FunctionDef) -> list[str]:
    """The function's arguments, and whatever it binds."""
    bound = {n.id for n in ast.walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return sorted(bound | {a.arg for a in function.args.args})


def number(value: float) -> ast.expr:
    """A literal; a negative one is an operation."""
    return ast.UnaryOp(ast.USub(), ast.Constant(-value)) if value < 0 else ast.Constant(value)


def load(name: str) -> ast.Name:
    return ast.Name(name, ast.Load())
