"""Make the emitted lines read as a person's: names of the compiler's own vanish where an expression reads as well.

    new_x = x[i] - jnp.sum(L[i] * x)         -->    return x.at[i].set((x[i] - jnp.sum(L[i] * x)) / L[i, i])
    new_x_1 = new_x / L[i, i]
    return x.at[i].set(new_x_1)

Only a name that is used once is put into its use, and only if nothing in between assigns what it reads.
"""

from __future__ import annotations

import ast
import copy
import re
from collections import Counter
from collections.abc import Iterator, Sequence

WIDTH = 96  # a line that an expression may grow to


def tidied(body: Sequence[ast.stmt], made: set[str]) -> list[ast.stmt]:
    """The lines of a function with its own temporaries put into their uses, those of inner functions first."""
    lines = [within(statement, made) for statement in body]
    lines = [part for statement in lines for part in without_lambdas(statement, made, lines)]
    names = Names()
    lines = unused_removed(lines, made, names)
    changed = True
    while changed:
        changed = False
        for k, statement in enumerate(lines):
            identifier = temporary(statement, made)
            if identifier is None:
                continue
            place = single_use(lines, k, identifier, names)
            if place is None or not may_move(lines, k, place, names):
                continue
            assert isinstance(statement, ast.Assign)
            merged = substituted(lines[place], identifier, statement.value)
            if not is_readable(statement.value, merged):
                continue
            lines = [*lines[:k], *lines[k + 1 : place], merged, *lines[place + 1 :]]
            changed = True
            break
    return lines


def without_lambdas(statement: ast.stmt, made: set[str], lines: Sequence[ast.stmt]) -> list[ast.stmt]:
    """`(lambda d: f(d))(x)`  -->  `d = x` on a line before, then `f(d)`."""
    if isinstance(statement, ast.FunctionDef) or not any(map(is_called_lambda, ast.walk(statement))):
        return [statement]
    taken = {n.id for line in [*lines, statement] for n in ast.walk(line) if isinstance(n, ast.Name)}
    before: list[ast.stmt] = []

    class Name(ast.NodeTransformer):
        def visit_Lambda(self, node: ast.Lambda) -> ast.expr:
            return node  # what it binds belongs to it

        def visit_Call(self, node: ast.Call) -> ast.AST:
            if not is_called_lambda(node):
                return self.generic_visit(node)
            assert isinstance(node.func, ast.Lambda)
            body = node.func.body
            for parameter, value in zip(node.func.args.args, node.args, strict=True):
                identifier = next(c for c in numbered(DESCRIPTIVE.get(parameter.arg, parameter.arg)) if c not in taken)
                taken.add(identifier)
                made.add(identifier)
                before.append(ast.Assign([ast.Name(identifier, ast.Store())], self.visit(value)))
                body = renamed(body, parameter.arg, identifier)
            return self.visit(body)

    changed = Name().visit(statement)
    return [*before, changed]


def is_called_lambda(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Lambda) and not node.keywords


DESCRIPTIVE = {"d": "pivots"}


def numbered(base: str) -> Iterator[str]:
    """`x`, `x_1`, `x_2` ..."""
    yield base
    k = 1
    while True:
        yield f"{base}_{k}"
        k += 1


def renamed(node: ast.expr, old: str, new: str) -> ast.expr:
    """An expression with one name called another."""

    class Rename(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.expr:
            return ast.Name(new, node.ctx) if node.id == old else node

    return Rename().visit(copy.deepcopy(node))


def renumbered(body: list[ast.stmt], made: set[str]) -> list[ast.stmt]:
    """`new_x_3` is `new_x` where the others have vanished."""
    taken = taken_by(body)
    nodes = [n for line in body for n in ast.walk(line)]
    functions = {n.name for n in nodes if isinstance(n, ast.FunctionDef)}
    for name in sorted({n.id for n in nodes if isinstance(n, ast.Name)} & made - functions):
        base = re.sub(r"(_\d+)+$", "", name)
        better = next(c for c in numbered(base) if c not in taken or c == name)
        if better != name:
            made.add(better)
            body = [Renaming(name, better).visit(line) for line in body]
            taken = taken_by(body)
    return body


def taken_by(body: Sequence[ast.stmt]) -> set[str]:
    """All names in some lines: of values, parameters and functions."""
    nodes = [n for line in body for n in ast.walk(line)]
    found = {n.id for n in nodes if isinstance(n, ast.Name)} | {n.arg for n in nodes if isinstance(n, ast.arg)}
    return found | {n.name for n in nodes if isinstance(n, ast.FunctionDef)}


class Renaming(ast.NodeTransformer):
    def __init__(self, old: str, new: str) -> None:
        self.old, self.new = old, new

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return ast.Name(self.new, node.ctx) if node.id == self.old else node

    def visit_arg(self, node: ast.arg) -> ast.arg:
        return ast.arg(self.new) if node.arg == self.old else node


def within(statement: ast.stmt, made: set[str]) -> ast.stmt:
    """An inner function with its lines tidied; any other line as it is."""
    if isinstance(statement, ast.FunctionDef):
        statement.body = tidied(statement.body, made)
    return statement


def temporary(statement: ast.stmt, made: set[str]) -> str | None:
    """The compiler's own name that a line assigns."""
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)]) if name in made:
            return name
        case _:
            return None


def names_in(node: ast.AST) -> list[str]:
    return [n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)]


def assigned_by(statement: ast.stmt) -> set[str]:
    """The names that a line gives a meaning."""
    if isinstance(statement, ast.FunctionDef):
        return {statement.name}
    return {n.id for n in ast.walk(statement) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}


class Names:
    """The names that each line reads, and how often, and those that it gives a meaning, found once a line."""

    def __init__(self) -> None:
        self._known: dict[ast.stmt, tuple[Counter[str], set[str]]] = {}

    def read_by(self, statement: ast.stmt) -> Counter[str]:
        return self._of(statement)[0]

    def assigned_by(self, statement: ast.stmt) -> set[str]:
        return self._of(statement)[1]

    def _of(self, statement: ast.stmt) -> tuple[Counter[str], set[str]]:
        if statement not in self._known:
            self._known[statement] = Counter(names_in(statement)), assigned_by(statement)
        return self._known[statement]


def unused_removed(lines: list[ast.stmt], made: set[str], names: Names) -> list[ast.stmt]:
    """The lines without temporaries that nothing reads."""
    kept: list[ast.stmt] = []
    for k, statement in enumerate(lines):
        identifier = temporary(statement, made)
        if identifier is not None and all(identifier not in names.read_by(later) for later in lines[k + 1 :]):
            continue
        kept.append(statement)
    return kept if len(kept) == len(lines) else unused_removed(kept, made, names)


def single_use(lines: Sequence[ast.stmt], k: int, identifier: str, names: Names) -> int | None:
    """The line with the only use of a name assigned at line k, before it is assigned again."""
    place: int | None = None
    for j in range(k + 1, len(lines)):
        uses = names.read_by(lines[j])[identifier]
        if uses > 1 or (uses and (place is not None or isinstance(lines[j], ast.FunctionDef))):
            return None
        if uses:
            place = j
        if identifier in names.assigned_by(lines[j]):
            break
    return place


def may_move(lines: Sequence[ast.stmt], k: int, place: int, names: Names) -> bool:
    """Does nothing between two lines assign what the first one reads?"""
    statement = lines[k]
    assert isinstance(statement, ast.Assign)
    reads = names.read_by(statement)  # its target is a name alone
    return not any(names.assigned_by(line) & reads.keys() for line in lines[k + 1 : place])


def substituted(statement: ast.stmt, identifier: str, value: ast.expr) -> ast.stmt:
    """The line with a value in the place of a name."""

    class Put(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.expr:
            return value if node.id == identifier and isinstance(node.ctx, ast.Load) else node

    return Put().visit(copy.deepcopy(statement))


def is_readable(value: ast.expr, merged: ast.stmt) -> bool:
    """Does the merged line still fit, or is the value no more than a name, an element or a short slice?"""
    if isinstance(value, ast.Name | ast.Constant):
        return True
    return len(ast.unparse(ast.fix_missing_locations(merged))) <= WIDTH
