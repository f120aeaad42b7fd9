"""A name that a loop binds to another tuple of so many parts: a name for each part.

    where = (0, 0)                           where_0, where_1 = (0, 0)
    for i ...:                        -->    for i ...:
        if ...: where = (i, j)                   if ...: where_0, where_1 = (i, j)
    return best, where                       return best, (where_0, where_1)

A loop carries numbers and arrays; a tuple has no cell of its own. In: the node of a function. Out: a node with such
names apart, or the same one. Needs: every binding of the name is a tuple written out, of one length, or None (then so
are all parts: `best` is `(best_0, best_1) if best_0 is not None else None`); nothing but reads besides; no inner
function that knows the name.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from functools import lru_cache

from autovec.frontend.source import FunctionNode
from autovec.ir.names import fresh_name

SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


@lru_cache(maxsize=64)
def tuples_apart(node: FunctionNode) -> FunctionNode:
    """The function with a name for each part of the tuples that its loops rebind; one answer for one node."""
    if not isinstance(node, ast.FunctionDef):
        return node
    found, perhaps = bound_to_tuples(node)
    lengths = {name: length for name, length in found.items() if is_rebound(node, name)}
    if not lengths:
        return node
    taken = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)} | {a.arg for a in parameters(node)}
    parts = {name: [fresh_name(f"{name}_{k}", taken) for k in range(length)] for name, length in lengths.items()}
    apart = copy.deepcopy(node)
    apart.body = [Parts(parts, perhaps).visit(statement) for statement in apart.body]
    return ast.fix_missing_locations(apart)


class Parts(ast.NodeTransformer):
    """Each name as the tuple of its parts, where it is read and where it is bound.

    `perhaps`: the names that may be None.
    """

    def __init__(self, parts: dict[str, list[str]], perhaps: frozenset[str]) -> None:
        self.parts = parts
        self.perhaps = perhaps

    def visit_Assign(self, node: ast.Assign) -> ast.stmt:
        if is_none(node.value):
            node.targets = [one for target in node.targets for one in self.apart(target)]
            return node
        if isinstance(node.value, ast.Name) and all(isinstance(t, ast.Tuple) for t in node.targets):
            node.value = self.tuple_of(node.value)  # `i, v = best` raises where it is None
        return self.generic_visit(node)  # type: ignore[return-value]

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        match node:
            case ast.Compare(left=ast.Name(id=name) as left, ops=[ast.Is() | ast.IsNot()], comparators=[other]) if (
                name in self.perhaps and name in self.parts and is_none(other)
            ):
                node.left = ast.copy_location(ast.Name(self.parts[name][0], ast.Load()), left)
                return node
            case _:
                return self.generic_visit(node)  # type: ignore[return-value]

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        if isinstance(node.value, ast.Name):
            node.value = self.tuple_of(node.value)
        else:
            node.value = self.visit(node.value)
        node.slice = self.visit(node.slice)
        return node

    def visit_Name(self, node: ast.Name) -> ast.expr:
        made = self.tuple_of(node)
        if made is node or node.id not in self.perhaps or not isinstance(node.ctx, ast.Load):
            return made
        first, none = ast.Name(self.parts[node.id][0], ast.Load()), ast.Constant(None)
        test = ast.Compare(first, [ast.IsNot()], [ast.Constant(None)])
        whole = ast.IfExp(test, made, none)
        for one in (whole, test, first, none, *test.comparators):
            ast.copy_location(one, node)
        return whole

    def apart(self, target: ast.expr) -> list[ast.expr]:
        """The parts of a name, each a target of its own: all are None at once."""
        if not isinstance(target, ast.Name) or target.id not in self.parts:
            return [target]
        return [ast.copy_location(ast.Name(part, ast.Store()), target) for part in self.parts[target.id]]

    def tuple_of(self, node: ast.Name) -> ast.expr:
        if node.id not in self.parts:
            return node
        names: list[ast.expr] = [ast.Name(part, type(node.ctx)()) for part in self.parts[node.id]]
        made = ast.Tuple(names, type(node.ctx)())
        for one in (made, *names):
            ast.copy_location(one, node)
        return made


def is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def bound_to_tuples(node: ast.FunctionDef) -> tuple[dict[str, int], frozenset[str]]:
    """Names of which every binding is a tuple of one length, written out; those that are bound to None as well."""
    lengths: dict[str, int] = {}
    perhaps: set[str] = set()
    good: set[int] = set()  # ids of the names in bindings of that kind
    for statement in ast.walk(node):
        if isinstance(statement, ast.Assign):
            if is_none(statement.value):
                names = [t for t in statement.targets if isinstance(t, ast.Name)]
                perhaps |= {t.id for t in names}
                good |= set(map(id, names))
            for target in statement.targets:
                for name, value in pairs(target, statement.value):
                    parts = value.elts if isinstance(value, ast.Tuple) else []
                    if not parts or any(isinstance(e, ast.Starred) for e in parts):
                        continue
                    if lengths.setdefault(name.id, len(parts)) == len(parts):
                        good.add(id(name))
    excluded = {a.arg for a in parameters(node)}
    for one in ast.walk(node):
        if isinstance(one, ast.Name) and not isinstance(one.ctx, ast.Load) and id(one) not in good:
            excluded.add(one.id)
        elif isinstance(one, ast.Global | ast.Nonlocal):
            excluded |= set(one.names)
        elif isinstance(one, SCOPES) and one is not node:
            excluded |= mentioned(one)
        elif isinstance(one, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and one.name:
            excluded.add(one.name)
        elif isinstance(one, ast.alias):
            excluded.add((one.asname or one.name).partition(".")[0])
    return {name: length for name, length in lengths.items() if name not in excluded}, frozenset(perhaps)


def mentioned(scope: ast.AST) -> set[str]:
    """Every name in an inner function, its own name among them."""
    own = {scope.name} if isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) else set[str]()
    return own | {n.id for n in ast.walk(scope) if isinstance(n, ast.Name)}


def pairs(target: ast.expr, value: ast.expr) -> Iterator[tuple[ast.Name, ast.expr]]:
    """Each name that the assignment binds to something written out, and what that is."""
    if isinstance(target, ast.Name):
        yield target, value
    elif isinstance(target, ast.Tuple | ast.List) and isinstance(value, ast.Tuple):
        if len(target.elts) == len(value.elts) and not any(isinstance(e, ast.Starred) for e in target.elts):
            for part, own in zip(target.elts, value.elts, strict=True):
                yield from pairs(part, own)


def is_rebound(node: ast.FunctionDef, name: str) -> bool:
    """Does a loop bind the name?"""
    return any(
        isinstance(one, ast.Name) and one.id == name and isinstance(one.ctx, ast.Store)
        for loop in ast.walk(node)
        if isinstance(loop, ast.For | ast.While)
        for one in ast.walk(loop)
    )


def parameters(node: ast.FunctionDef) -> Iterator[ast.arg]:
    own = node.args
    yield from (*own.posonlyargs, *own.args, *own.kwonlyargs)
    yield from (a for a in (own.vararg, own.kwarg) if a is not None)
