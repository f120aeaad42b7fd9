"""Walking and rebuilding expressions and statements: what is inside a node, and the node with that changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import assert_never

from autovec.ir.nodes import (
    Alloc,
    Append,
    Apply,
    Call,
    Cast,
    Const,
    Def,
    Expr,
    Fault,
    For,
    Gather,
    ListAlloc,
    Load,
    Point,
    Range,
    Ref,
    Select,
    Stmt,
    Store,
    Subscript,
    Unit,
    While,
)


def index_exprs(index: Iterable[Subscript]) -> Iterator[Expr]:
    """The expressions inside subscripts."""
    for one in index:
        match one:
            case Point(at=at) | Gather(at=at):
                yield at
            case Range(start=start):
                yield start


def children(expr: Expr) -> Iterator[Expr]:
    """The expressions just inside one, in the order in which they are written."""
    match expr:
        case Const() | Ref():
            return
        case Load(index=index):
            yield from index_exprs(index)
        case Apply(args=args) | Call(args=args):
            yield from args
        case Cast(arg=arg):
            yield arg
        case Select(condition=condition, yes=yes, no=no):
            yield from (condition, yes, no)
        case _:
            assert_never(expr)


def walk(expr: Expr) -> Iterator[Expr]:
    """The expression and all inside it, outside in."""
    yield expr
    for child in children(expr):
        yield from walk(child)


def map_index(index: Sequence[Subscript], change: Callable[[Expr], Expr]) -> tuple[Subscript, ...]:
    """The same subscripts with their expressions changed."""
    result: list[Subscript] = []
    for one in index:
        match one:
            case Point() | Gather():
                result.append(replace(one, at=change(one.at)))
            case Range():
                result.append(replace(one, start=change(one.start)))
    return tuple(result)


def map_children(expr: Expr, change: Callable[[Expr], Expr]) -> Expr:
    """The same node over changed children."""
    match expr:
        case Const() | Ref():
            return expr
        case Load():
            return replace(expr, index=map_index(expr.index, change))
        case Apply() | Call():
            return replace(expr, args=tuple(change(a) for a in expr.args))
        case Cast():
            return replace(expr, arg=change(expr.arg))
        case Select():
            return replace(expr, condition=change(expr.condition), yes=change(expr.yes), no=change(expr.no))
        case _:
            assert_never(expr)


def transform(expr: Expr, change: Callable[[Expr], Expr]) -> Expr:
    """Rebuild from the inside out, `change` applied to each node."""
    return change(map_children(expr, lambda child: transform(child, change)))


def expressions(statement: Stmt) -> Iterator[Expr]:
    """The expressions that a statement itself evaluates (not those of a loop's body)."""
    match statement:
        case Def(expr=expr) | Alloc(init=expr):
            yield expr
        case Store(index=index, value=value, guard=guard):
            yield from index_exprs(index)
            yield value
            if guard is not None:
                yield guard
        case Append(value=value, guard=guard):
            yield value
            if guard is not None:
                yield guard
        case Fault(condition=condition, guard=guard):
            yield condition
            if guard is not None:
                yield guard
        case For(start=start, stop=stop, guard=guard):
            yield from start
            yield from stop
            if guard is not None:
                yield guard
        case While(condition=condition, guard=guard):
            yield condition
            if guard is not None:
                yield guard
        case ListAlloc():
            return
        case _:
            assert_never(statement)


def map_statement(statement: Stmt, change: Callable[[Expr], Expr]) -> Stmt:
    """The statement with its own expressions changed; a loop's body is left as it is."""

    def maybe(expr: Expr | None) -> Expr | None:
        return None if expr is None else change(expr)

    match statement:
        case Def():
            return replace(statement, expr=change(statement.expr))
        case Alloc():
            return replace(statement, init=change(statement.init))
        case Store():
            index = map_index(statement.index, change)
            return replace(statement, index=index, value=change(statement.value), guard=maybe(statement.guard))
        case Append():
            return replace(statement, value=change(statement.value), guard=maybe(statement.guard))
        case Fault():
            return replace(statement, condition=change(statement.condition), guard=maybe(statement.guard))
        case For():
            return replace(
                statement,
                start=tuple(change(e) for e in statement.start),
                stop=tuple(change(e) for e in statement.stop),
                guard=maybe(statement.guard),
            )
        case While():
            return replace(statement, condition=change(statement.condition), guard=maybe(statement.guard))
        case ListAlloc():
            return statement
        case _:
            assert_never(statement)


def statements(body: Iterable[Stmt]) -> Iterator[Stmt]:
    """All statements, those of loops' bodies included, in order."""
    for statement in body:
        yield statement
        if isinstance(statement, For | While):
            yield from statements(statement.body)


def has_loops(unit: Unit) -> bool:
    return any(isinstance(s, For | While) for s in statements(unit.body))


def loads(expr: Expr) -> Iterator[Load]:
    """What an expression loads from cells, outside in."""
    return (e for e in walk(expr) if isinstance(e, Load))


def refs(expr: Expr) -> Iterator[str]:
    """The names of values that an expression uses."""
    return (e.name for e in walk(expr) if isinstance(e, Ref))


def names_read(expr: Expr) -> set[str]:
    """Values and cells that an expression reads."""
    return {*refs(expr), *(load.cell for load in loads(expr))}
