"""Remove what has no effect: values nobody reads, cells nobody loads, loops with nothing left in them.

    unused = zeros(n)                      -->    (nothing)
    for i in range(n): x[i] + x[j]         -->    (nothing; the loop's verdict says so)

Needed is: what the result and the caller's arrays hold, what can fault, and whatever those read.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from autovec.ir.nodes import (
    Alloc,
    Append,
    ArgumentResult,
    CellResult,
    Const,
    Def,
    Expr,
    Fault,
    For,
    ListAlloc,
    ListResult,
    OptionalResult,
    PrefixResult,
    Result,
    Stmt,
    Store,
    TupleResult,
    Unit,
    UpdatingResult,
    ValueResult,
    While,
)
from autovec.ir.walk import expressions, index_exprs, names_read, statements


def remove_dead_code(unit: Unit) -> Unit:
    """The unit without statements that nothing depends on."""
    unit = replace(unit, body=read_later(unit))
    needed = needed_names(unit)
    return replace(unit, body=kept(unit.body, needed))


def wanted_outside(unit: Unit) -> set[str]:
    """Values and cells that the caller gets."""
    exprs = result_exprs(unit.result)
    return {*unit.written, *result_cells(unit.result), *(name for e in exprs for name in names_read(e))}


def read_by(statement: Stmt) -> set[str]:
    """Values and cells that a statement reads, apart from what is in it."""
    live = {statement.live} if isinstance(statement, For) and statement.live else set[str]()
    return live.union(*(names_read(e) for e in expressions(statement)))


def read_later(unit: Unit) -> tuple[Stmt, ...]:
    """The body without the stores that nothing comes after which reads their cells: such as the last "it has returned"."""
    read, result = wanted_outside(unit), list[Stmt]()
    for statement in reversed(unit.body):
        if isinstance(statement, Store) and statement.cell not in read:
            continue
        read = read.union(*(read_by(s) for s in statements((statement,))))
        result.append(statement)
    return tuple(reversed(result))


def needed_names(unit: Unit) -> set[str]:
    """Values and cells whose contents matter."""
    needed = wanted_outside(unit)
    while True:
        before = len(needed)
        for statement in statements(unit.body):
            if is_needed(statement, needed):
                needed |= read_by(statement)
        for size in unit.sizes:
            if size.derived is not None and size.name in needed:
                needed |= names_read(size.derived)
        if len(needed) == before:
            return needed


def is_needed(statement: Stmt, needed: set[str]) -> bool:
    """Does the statement make, or can it be, what is needed?"""
    match statement:
        case Def(name=name) | Alloc(name=name) | ListAlloc(name=name):
            return name in needed
        case Store(cell=cell) | Append(cell=cell):
            return cell in needed
        case Fault():
            return True
        case For(body=body) | While(body=body):
            runs = not (isinstance(statement, For) and runs_never(statement))
            return runs and any(is_needed(s, needed) for s in body)


def runs_never(loop: For) -> bool:
    """Is the range empty, whatever the sizes? Nothing is known then of what its statements need of each other."""
    starts = [e.value for e in loop.start if isinstance(e, Const) and isinstance(e.value, int)]
    stops = [e.value for e in loop.stop if isinstance(e, Const) and isinstance(e.value, int)]
    if loop.step > 0:
        return any(start >= stop for start in starts for stop in stops)
    return any(start <= stop for start in starts for stop in stops)


def kept(body: Sequence[Stmt], needed: set[str]) -> tuple[Stmt, ...]:
    """The needed statements of a block, bodies of loops cleaned too."""
    result: list[Stmt] = []
    for statement in body:
        if not is_needed(statement, needed):
            continue
        if isinstance(statement, For | While):
            statement = replace(statement, body=kept(statement.body, needed))
        result.append(statement)
    return tuple(result)


def result_exprs(result: Result) -> Iterable[Expr]:
    """The expressions that a result evaluates."""
    match result:
        case ValueResult(expr=expr, tag=tag):
            yield expr
            if tag is not None:
                yield tag
        case ArgumentResult(index=index) if index is not None:
            yield from index_exprs(index)
        case ListResult(count=count) if count is not None:
            yield count
        case PrefixResult(count=count) if count is not None:
            yield count
        case TupleResult(items=items):
            for item in items:
                yield from result_exprs(item)
        case OptionalResult(present=present, value=value):
            yield present
            yield from result_exprs(value)
        case UpdatingResult(value=value, updates=updates):
            for part in (value, *(u.value for u in updates)):
                yield from result_exprs(part)
        case _:
            return


def result_cells(result: Result) -> set[str]:
    """The cells whose final contents a result is."""
    match result:
        case CellResult(cell=cell) | PrefixResult(cell=cell):
            return {cell}
        case ListResult(cell=cell, tags=tags):
            return {cell, tags} - {""}
        case OptionalResult(value=value):
            return result_cells(value)
        case TupleResult(items=items):
            return set[str]().union(*(result_cells(i) for i in items))
        case UpdatingResult(value=value, updates=updates):
            return result_cells(value).union(*(result_cells(u.value) for u in updates))
        case _:
            return set()
