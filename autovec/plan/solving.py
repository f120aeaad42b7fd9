"""A product with an inverse becomes a solution of the linear system.

    W = inv(C) @ M                            -->    W = solve(C, M)
    Ci = inv(C); W = Ci @ M   (Ci used once)  -->    W = solve(C, M)

One factorisation and two triangular solutions instead of an inverse and a product: a third of the work, and more
accurate (Higham, 2002, sec. 14.1). The rounding differs, so `reassociate=False` switches it off. Whether the matrix is
singular is asked as for the inverse.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from autovec.ir.nodes import Alloc, Apply, Call, Const, Expr, Fault, For, Load, Range, Stmt, Store, Unit, While
from autovec.ir.types import BOOL, ArrayType
from autovec.ir.walk import expressions, loads, map_statement, statements, transform
from autovec.plan.dead_code import result_cells, result_exprs
from autovec.report.verdicts import Note

PRODUCTS = ("matmul", "dot")
NOT_FINITE = "numbers that aren't finite in a linear system"


def solve_instead_of_invert(unit: Unit) -> tuple[Unit, tuple[Note, ...]]:
    """The unit with `inv` then a product as `solve`, and a note for each."""
    inverses = inverses_used_once(unit)
    notes: list[Note] = []
    solved: list[Call] = []

    def change(expr: Expr, line: int) -> Expr:
        if not isinstance(expr, Call) or expr.function not in PRODUCTS or len(expr.args) != 2:
            return expr
        matrix = inverted(expr.args[0], inverses)
        if matrix is None:
            return expr
        notes.append(Note(line, "a product with an inverse became a solution of the linear system"))
        solved.append(Call("linalg_solve", (matrix, expr.args[1]), (), expr.type, expr.span))
        return solved[-1]

    def block(body: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        made: list[Stmt] = []
        for statement in body:
            span = statement.source.span if isinstance(statement, For | While) else statement.span
            one = map_statement(statement, lambda e, line=span.line: transform(e, lambda x: change(x, line)))
            if isinstance(one, For | While):
                one = replace(one, body=block(one.body))
            made += [Fault(not_finite(s), getattr(one, "guard", None), span, NOT_FINITE) for s in solved]
            solved.clear()
            made.append(one)
        return tuple(made)

    return replace(unit, body=block(unit.body)), tuple(notes)


def not_finite(solution: Call) -> Expr:
    """Is anything infinite or NaN on the right: substitution then makes NaNs that no product with an inverse has?"""
    right = solution.args[1]
    assert isinstance(right.type, ArrayType)
    shape = right.type.shape
    finite = Apply("isfinite", (right,), ArrayType(BOOL.dtype, shape))
    every = Call("all", (finite,), (("axis", tuple(range(len(shape)))), ("keepdims", False)), BOOL)
    return Apply("logical_not", (every,), BOOL)


def inverted(expr: Expr, inverses: dict[str, Expr]) -> Expr | None:
    """The matrix whose inverse this is."""
    if isinstance(expr, Call) and expr.function == "linalg_inv":
        return expr.args[0]
    if isinstance(expr, Load) and expr.cell in inverses and is_whole(expr):
        return inverses[expr.cell]
    return None


def is_whole(expr: Load) -> bool:
    starts = [i.start for i in expr.index if isinstance(i, Range) and i.step == 1]
    return len(starts) == len(expr.index) and all(isinstance(s, Const) and s.value == 0 for s in starts)


def inverses_used_once(unit: Unit) -> dict[str, Expr]:
    """Matrices by the cells that hold their inverses: neither is written to, the cell is read in one place."""
    uses: Counter[str] = Counter()
    stored: set[str] = set(unit.written)
    held: dict[str, Expr] = {}
    for statement in statements(unit.body):
        for expr in expressions(statement):
            uses.update(load.cell for load in loads(expr))
        if isinstance(statement, Store):
            stored.add(statement.cell)
        elif (
            isinstance(statement, Alloc)
            and isinstance(statement.init, Call)
            and statement.init.function == "linalg_inv"
        ):
            held[statement.name] = statement.init.args[0]
    for expr in result_exprs(unit.result):
        uses.update({load.cell: 2 for load in loads(expr)})
    uses.update(dict.fromkeys(result_cells(unit.result), 2))
    return {
        name: matrix
        for name, matrix in held.items()
        if uses[name] == 1 and name not in stored and not any(load.cell in stored for load in loads(matrix))
    }
