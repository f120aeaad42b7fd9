"""What a statement is made of: its guard, its place, what it evaluates, uses and writes.

In: a statement of the IR, or a leaf of the analysed unit. Out: its parts, for passes that put others before or beside
it.
"""

from __future__ import annotations

from collections.abc import Sequence

from autovec.analysis.statements import Leaf, all_expressions
from autovec.diagnostics import Span
from autovec.ir.nodes import (
    Alloc,
    Append,
    Apply,
    Def,
    Expr,
    Fault,
    For,
    ListAlloc,
    Select,
    Stmt,
    Store,
    While,
)
from autovec.ir.walk import children, expressions, index_exprs, names_read, refs, statements


def guard_of(statement: Stmt) -> Expr | None:
    return None if isinstance(statement, Def | Alloc | ListAlloc) else statement.guard


def span_of(statement: Stmt) -> Span:
    return statement.source.span if isinstance(statement, For | While) else statement.span


def own_expressions(statement: Stmt) -> tuple[Expr, ...]:
    """What the statement evaluates where its guard holds."""
    match statement:
        case Store(index=index, value=value):
            return (*index_exprs(index), value)
        case Append(value=value):
            return (value,)
        case Fault(condition=condition):
            return (condition,)
        case For(start=start, stop=stop):
            return (*start, *stop)
        case While(condition=condition):
            return (condition,)
        case Def(expr=expr) | Alloc(init=expr):
            return (expr,)
        case ListAlloc():
            return ()


def inner_refs(statement: Stmt) -> set[str]:
    """The values that the body of a loop uses."""
    if not isinstance(statement, For | While):
        return set()
    return {r for s in statements(statement.body) for e in expressions(s) for r in refs(e)}


def uses_any(statement: Stmt, names: set[str]) -> bool:
    found = {r for e in expressions(statement) for r in refs(e)} | inner_refs(statement)
    return not found.isdisjoint(names)


def dependants_of(name: str, rest: Sequence[Stmt]) -> set[str]:
    """The name, and the definitions that follow from it."""
    found = {name}
    for statement in rest:
        if isinstance(statement, Def) and not found.isdisjoint(refs(statement.expr)):
            found.add(statement.name)
    return found


def reached_always(expr: Expr) -> list[Expr]:
    """The parts of an expression that are evaluated whatever the data; a choice itself, but not its sides."""
    found = [expr]
    if isinstance(expr, Select) or (isinstance(expr, Apply) and expr.op in ("logical_and", "logical_or")):
        return found
    for child in children(expr):
        found += reached_always(child)
    return found


def writes(leaf: Leaf) -> set[str]:
    """The name that a leaf makes or changes."""
    match leaf.statement:
        case Def(name=name) | Alloc(name=name) | ListAlloc(name=name):
            return {name}
        case Store(cell=cell) | Append(cell=cell):
            return {cell}
        case Fault():
            return set()


def touches(leaf: Leaf) -> set[str]:
    """Every name that a leaf or the loops around it read or write."""
    found = writes(leaf) | {n.live for n in leaf.loops if isinstance(n, For) and n.live}
    for expr in all_expressions(leaf):
        found |= names_read(expr)
    return found
