"""Private names of classes, as Python's compiler spells them.

    class Body:                  -->    class Body:
        def step(self, x):                  def step(self, x):
            self.__x += x                       self._Body__x += x

In: a tree that was parsed, changed in place. A function that is taken out of its class then means the same.
"""

from __future__ import annotations

import ast

DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
NAMED: dict[type[ast.AST], str] = {
    ast.Name: "id",
    ast.Attribute: "attr",
    ast.arg: "arg",
    ast.ExceptHandler: "name",
    ast.alias: "asname",
    ast.MatchAs: "name",
    ast.MatchStar: "name",
    ast.MatchMapping: "rest",
}


def spell_out(node: ast.AST, owner: str = "") -> None:
    """Spell out the private names inside; `owner` is the class around."""
    if isinstance(node, ast.ClassDef):
        for outside in (*node.decorator_list, *node.bases, *node.keywords):
            spell_out(outside, owner)
        for statement in node.body:
            spell_out(statement, node.name.lstrip("_") or owner)
        return
    if owner and isinstance(node, DEFINITIONS) and defines_private(node, owner):
        return
    if owner:
        rename(node, owner)
    for child in ast.iter_child_nodes(node):
        spell_out(child, owner)


def defines_private(function: ast.AST, owner: str) -> bool:
    """Does it define a function or class of a private name, whose `__name__` isn't spelled out?"""
    inside = (n for n in ast.walk(function) if n is not function)
    return any(isinstance(n, (*DEFINITIONS, ast.ClassDef)) and spelled(n.name, owner) != n.name for n in inside)


def rename(node: ast.AST, owner: str) -> None:
    if isinstance(node, ast.Global | ast.Nonlocal):
        node.names = [spelled(name, owner) for name in node.names]
    field = NAMED.get(type(node))
    name = getattr(node, field) if field else None
    if field and isinstance(name, str):
        setattr(node, field, spelled(name, owner))


def spelled(name: str, owner: str) -> str:
    return f"_{owner}{name}" if name.startswith("__") and not name.endswith("__") and "." not in name else name
