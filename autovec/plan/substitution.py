"""Put a value that is used once into its use.

    condition := d < r                            -->    count <- count + 1  if d < r
    count <- count + 1  if condition

Legal where nothing between the definition and the use writes to what the definition loads. Fewer names make shorter
sources; the analysis then sees one statement instead of two.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from autovec.ir.nodes import Alloc, Append, Const, Def, Expr, For, Ref, Stmt, Store, Unit, While
from autovec.ir.types import ArrayType
from autovec.ir.walk import expressions, index_exprs, loads, map_statement, refs, statements, transform
from autovec.plan.dead_code import result_exprs


def substitute_single_uses(unit: Unit) -> Unit:
    """The unit with each value that has one use, and may move there, in that use."""
    uses: Counter[str] = Counter()
    reading = {s.name for s in statements(unit.body) if isinstance(s, Def) and any(loads(s.expr))}
    for statement in statements(unit.body):
        for expr in expressions(statement):
            uses.update(refs(expr))
        if isinstance(statement, Store):
            # a store may be written down later than here: what its place is read from keeps a name
            uses.update(r for e in index_exprs(statement.index) for r in refs(e) if r in reading)
    for expr in result_exprs(unit.result):
        uses.update(dict.fromkeys(refs(expr), 2))  # what is returned keeps its name
    for size in unit.sizes:
        if size.derived is not None:
            uses.update(dict.fromkeys(refs(size.derived), 2))
    return replace(unit, body=block(unit.body, uses))


def block(body: Sequence[Stmt], uses: Counter[str]) -> tuple[Stmt, ...]:
    """The statements of one block; a definition that waits is put down where what it reads would change."""
    result: list[Stmt] = []
    pending: dict[str, Expr] = {}  # definitions on their way to their one use
    held: dict[str, Def] = {}

    def flush(names: Sequence[str]) -> None:
        for name in names:
            result.append(held.pop(name))
            del pending[name]

    for statement in body:
        if isinstance(statement, For | While):
            # bounds may take a pending value; the body is another place: what it uses is put down before it
            inside = {r for s in statements(statement.body) for e in expressions(s) for r in refs(e)}
            flush([n for n in pending if n in inside or reads_any(pending[n], written(statement))])
            statement = replace(statement, body=block(statement.body, uses))
        statement = map_statement(statement, lambda e: transform(e, lambda x: take(x, pending, held)))
        flush([n for n in pending if reads_any(pending[n], written(statement))])
        if isinstance(statement, Def) and is_movable(statement, uses):
            pending[statement.name] = statement.expr
            held[statement.name] = statement
            continue
        result.append(statement)
    flush(list(pending))
    return tuple(result)


def take(expr: Expr, pending: dict[str, Expr], held: dict[str, Def]) -> Expr:
    """The waiting value instead of its name."""
    if isinstance(expr, Ref) and expr.name in pending:
        del held[expr.name]
        return pending.pop(expr.name)
    return expr


def is_movable(statement: Def, uses: Counter[str]) -> bool:
    return uses[statement.name] == 1 and not isinstance(statement.expr, Const) and not is_array(statement.expr)


def is_array(expr: Expr) -> bool:
    return isinstance(expr.type, ArrayType)


def reads_any(expr: Expr, cells: set[str]) -> bool:
    return any(load.cell in cells for load in loads(expr))


def written(statement: Stmt) -> set[str]:
    """Cells that a statement, or the body of a loop, writes."""
    found: set[str] = set()
    for s in statements((statement,)):
        if isinstance(s, Store | Append):
            found.add(s.cell)
        elif isinstance(s, Alloc):
            found.add(s.name)
    return found
