"""A work array that every iteration fills before it reads it becomes private to the iteration.

    for r: for q:                                     for r: for q:
        for p: row[p] = 0                                 own = new array
        for p: for s: row[p] += A[r, q, s] * C[s, p]      for p: own[p] = 0 ...
        for p: A[r, q, p] = row[p]               -->      for p: A[r, q, p] = own[p]
                                                          if r and q are the last: row[:] = own[:]

Shared, it orders the iterations for nothing; private, it is expanded along their axes (array privatisation: Allen &
Kennedy, 2001, ch. 5.4). The array is left as the last iteration leaves it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from autovec.ir.affine import Affine
from autovec.ir.conditions import affine_form, conjunction
from autovec.ir.names import fresh_name
from autovec.ir.nodes import (
    Alloc,
    Apply,
    Call,
    Const,
    Def,
    Expr,
    For,
    Load,
    Point,
    Range,
    Ref,
    Stmt,
    Store,
    Unit,
    While,
)
from autovec.ir.types import BOOL, INT, ArrayType, Type
from autovec.ir.walk import expressions, loads, map_statement, statements, transform


def privatize_work_arrays(unit: Unit, affine: Mapping[str, Affine]) -> Unit:
    """The unit with work arrays made private to the innermost loops that fill them first."""
    types: dict[str, Type] = {p.name: p.type for p in unit.params}
    sizes = {s.name for s in unit.sizes}
    taken = {*types, *sizes, *(s.name for s in statements(unit.body) if isinstance(s, Alloc | Def))}
    body: list[Stmt] = []
    for statement in unit.body:
        if isinstance(statement, Alloc):
            types[statement.name] = statement.type
        if isinstance(statement, For):
            for cell in sorted(written_in(statement)):
                kind = types.get(cell)
                if isinstance(kind, ArrayType) and kind.shape:
                    own = fresh_name(f"{cell}_own", taken)
                    statement = privatized(statement, cell, own, kind, (), affine, sizes) or statement
        body.append(statement)
    return replace(unit, body=tuple(body))


def written_in(loop: For) -> set[str]:
    made = {s.name for s in statements(loop.body) if isinstance(s, Alloc)}
    return {s.cell for s in statements(loop.body) if isinstance(s, Store)} - made


def privatized(
    loop: For,
    cell: str,
    own: str,
    kind: ArrayType,
    around: tuple[For, ...],
    affine: Mapping[str, Affine],
    sizes: set[str],
) -> For | None:
    """The loop with the cell private, as `own`, to the deepest nest whose body begins by filling it."""
    if loop.guard is not None or loop.live or last_of(loop, affine, sizes) is None:
        return None
    if around and not starts_alike(loop, affine, sizes):
        return None  # the last iteration of the loops around may have none of this one
    nest = (*around, loop)
    using = [s for s in loop.body if touches(s, cell)]
    if len(using) == 1 and isinstance(using[0], For):
        inner = privatized(using[0], cell, own, kind, nest, affine, sizes)
        if inner is not None:
            return replace(loop, body=tuple(inner if s is using[0] else s for s in loop.body))
    if not using or not fills(using[0], cell, kind, affine):
        return None
    body = tuple(renamed(s, cell, own) for s in loop.body)
    first = next(k for k, s in enumerate(loop.body) if s is using[0])
    span = loop.source.span
    fresh = Alloc(own, Call("zeros", (), (), kind), kind, span, cell)
    whole = tuple(Range(Const(0, INT), size) for size in kind.shape)
    guard: Expr | None = None
    for one in nest:
        last = last_of(one, affine, sizes)
        assert last is not None
        guard = conjunction(guard, Apply("equal", (Ref(one.variable, INT), last), BOOL))
    final = Store(cell, whole, Load(own, whole, kind), guard, span)
    return replace(loop, body=(*body[:first], fresh, *body[first:], final))


def last_of(loop: For, affine: Mapping[str, Affine], sizes: set[str]) -> Expr | None:
    """The variable's last value, over sizes alone."""
    if len(loop.start) != 1 or len(loop.stop) != 1 or abs(loop.step) != 1:
        return None
    form = affine_form(loop.stop[0], affine)
    if form is None or not form.names <= sizes:
        return None
    return Apply("subtract" if loop.step > 0 else "add", (loop.stop[0], Const(1, INT)), INT)


def starts_alike(loop: For, affine: Mapping[str, Affine], sizes: set[str]) -> bool:
    """Has the loop the same first value whatever runs around it?"""
    forms = [affine_form(e, affine) for e in loop.start]
    return all(form is not None and form.names <= sizes for form in forms)


def touches(statement: Stmt, cell: str) -> bool:
    """Does the statement, or the body of a loop, read or write the cell?"""
    for s in statements((statement,)):
        if isinstance(s, Store) and s.cell == cell:
            return True
        if any(load.cell == cell for e in expressions(s) for load in loads(e)):
            return True
    return False


def fills(statement: Stmt, cell: str, kind: ArrayType, affine: Mapping[str, Affine]) -> bool:
    """Does it write every element before anything of it is read?"""
    loops: list[For] = []
    others: list[Stmt] = []  # what else touches it before all is filled
    while isinstance(statement, For):
        if statement.guard is not None or statement.live or others:
            return False
        loops.append(statement)
        using = [s for s in statement.body if touches(s, cell)]
        if not using:
            return False
        statement, *others = using
    if isinstance(statement, While) or not isinstance(statement, Store) or statement.cell != cell or statement.guard:
        return False
    if any(load.cell == cell for e in expressions(statement) for load in loads(e)):
        return False
    variables: set[str] = set()
    for one, size in zip(statement.index, kind.shape, strict=True):
        if isinstance(one, Range):
            if not (isinstance(one.start, Const) and one.start.value == 0 and one.length == size and one.step == 1):
                return False
            continue
        loop = next((n for n in loops if isinstance(one, Point) and one.at == Ref(n.variable, INT)), None)
        if loop is None or loop.variable in variables or not covers(loop, size, affine):
            return False
        variables.add(loop.variable)
    if any(n.variable not in variables for n in loops):
        return False  # a loop that no axis names may have no iteration
    return all(only_at(s, statement) for s in others)


def only_at(statement: Stmt, fill: Store) -> bool:
    """Does all that touches the cell touch the element that has just been filled?"""
    for s in statements((statement,)):
        if isinstance(s, Store) and s.cell == fill.cell and s.index != fill.index:
            return False
        read = [load for e in expressions(s) for load in loads(e) if load.cell == fill.cell]
        if any(load.index != fill.index for load in read):
            return False
    return True


def covers(loop: For, size: Affine, affine: Mapping[str, Affine]) -> bool:
    ends = [[affine_form(e, affine) for e in side] for side in (loop.start, loop.stop)]
    return loop.step == 1 and ends[0] == [Affine.number(0)] and ends[1] == [size]


def renamed(statement: Stmt, old: str, new: str) -> Stmt:
    """The statement with another cell in the place of one."""

    def change(expr: Expr) -> Expr:
        return replace(expr, cell=new) if isinstance(expr, Load) and expr.cell == old else expr

    changed = map_statement(statement, lambda e: transform(e, change))
    if isinstance(changed, Store) and changed.cell == old:
        changed = replace(changed, cell=new)
    if isinstance(changed, For | While):
        changed = replace(changed, body=tuple(renamed(s, old, new) for s in changed.body))
    return changed
