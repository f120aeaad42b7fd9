"""Loops over a window that moves with a loop around them count from the window's start.

    for i in range(n):                               for i in range(n):
        for j in range(i + 1, i + k):      -->           for j in range(0, k - 1):
            m = max(m, x[j])                                 m = max(m, x[i + 1 + j])

The iterations are the same, in the same order; but the box of j is the window now, where it was all that any window
reaches: n * n elements under a mask instead of n * k. (Loop normalisation: Allen & Kennedy, 2001, ch. 4.)

In: a unit and its affine forms. Out: both, with such loops shifted. Needs: the window's length is a size of the call.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from autovec.frontend.subscripts import affine_expr
from autovec.ir.affine import Affine
from autovec.ir.conditions import affine_form
from autovec.ir.nodes import Apply, Const, Expr, For, Ref, Role, Stmt, Unit, While
from autovec.ir.types import INT
from autovec.ir.walk import map_statement, statements, transform


def windows_from_zero(unit: Unit, affine: Mapping[str, Affine]) -> tuple[Unit, Mapping[str, Affine]]:
    """The unit with its windows counted from their start, and the affine forms of its values in the new counts."""
    fixed = {s.name for s in unit.sizes} | {p.name for p in unit.params if p.role is Role.SIZE}
    variables = [s.variable for s in statements(unit.body) if isinstance(s, For)]
    if len(set(variables)) < len(variables):
        return unit, affine
    shifts: dict[str, Affine] = {}  # a loop's variable -> where its window starts
    body = shifted(unit.body, (), affine, fixed, shifts)
    if not shifts:
        return unit, affine
    forms = dict(affine)
    for variable, start in shifts.items():  # inner loops first: a start is in the old meaning of the loops around it
        moved = {variable: start + Affine.name(variable)}
        forms = {name: form.substitute(moved) for name, form in forms.items()}
    return replace(unit, body=body), forms


def shifted(
    body: Sequence[Stmt],
    around: tuple[str, ...],
    affine: Mapping[str, Affine],
    fixed: set[str],
    shifts: dict[str, Affine],
) -> tuple[Stmt, ...]:
    """The statements with the variables of shifted loops in their new meaning."""
    result: list[Stmt] = []
    for statement in body:
        if isinstance(statement, For):
            start = window_start(statement, around, affine, fixed)
            inner = shifted(statement.body, (*around, statement.variable), affine, fixed, shifts)
            if start is not None:
                shifts[statement.variable] = start
                inner = tuple(with_value(s, statement.variable, start) for s in inner)
                statement = replace(
                    statement,
                    start=tuple(less(e, start, affine) for e in statement.start),
                    stop=tuple(less(e, start, affine) for e in statement.stop),
                )
            result.append(replace(statement, body=inner))
        elif isinstance(statement, While):
            result.append(replace(statement, body=shifted(statement.body, around, affine, fixed, shifts)))
        else:
            result.append(statement)
    return tuple(result)


def window_start(loop: For, around: Sequence[str], affine: Mapping[str, Affine], fixed: set[str]) -> Affine | None:
    """The bound from which the window counts: it moves with a loop around, its distance to an end is of the call."""
    if loop.step != 1:
        return None
    starts = [affine_form(e, affine) for e in loop.start]
    stops = [affine_form(e, affine) for e in loop.stop]
    if None in starts or None in stops:
        return None
    for start in starts:
        for stop in stops:
            assert start is not None and stop is not None
            if start.names & set(around) and start.names <= fixed | set(around) and (stop - start).names <= fixed:
                return start
    return None


def less(expr: Expr, start: Affine, affine: Mapping[str, Affine]) -> Expr:
    """A bound, counted from the start."""
    form = affine_form(expr, affine)
    assert form is not None
    return affine_expr(form - start) if (form - start).terms else Const((form - start).constant, INT)


def with_value(statement: Stmt, variable: str, start: Affine) -> Stmt:
    """The statement with `start + variable` wherever it reads the variable, in the loops inside it too."""
    value = Apply("add", (affine_expr(start), Ref(variable, INT)), INT)

    def put(expr: Expr) -> Expr:
        return transform(expr, lambda e: value if isinstance(e, Ref) and e.name == variable else e)

    done = map_statement(statement, put)
    if isinstance(done, For | While):
        return replace(done, body=tuple(with_value(s, variable, start) for s in done.body))
    return done
