"""Do two accesses of one statement touch the same element: always, or never?

In: a statement's domain, two accesses, the loop variables whose values the two have in common. Out: yes only if proved.
Store forwarding asks it before a load is replaced by a value just stored, or moved past a store.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from autovec.analysis.domains import parameters_of, statement_domain
from autovec.analysis.model import Access, Statement
from autovec.analysis.polyhedra import MAX_OPERATIONS, OutOfOperations, image, operation_limit
from autovec.ir.affine import Affine

if TYPE_CHECKING:
    import islpy as isl


def same_element(
    statement: Statement,
    first: Access,
    second: Access,
    fixed: Collection[str] | None = None,
    context: Sequence[Affine] = (),
    max_operations: int = MAX_OPERATIONS,
) -> bool:
    """Whether the two touch the same element whenever the `fixed` loop variables (all, if None) are equal."""
    if first.cell != second.cell or len(first.subscripts) != len(second.subscripts):
        return False
    if fixed is None and first.subscripts == second.subscripts and None not in first.subscripts:
        return True
    try:
        with operation_limit(max_operations):
            together, meeting = _meetings(statement, first, second, fixed, context)
            return meeting is not None and together.is_subset(meeting)
    except OutOfOperations:
        return False


def disjoint(
    statement: Statement,
    first: Access,
    second: Access,
    fixed: Collection[str] | None = None,
    context: Sequence[Affine] = (),
    max_operations: int = MAX_OPERATIONS,
) -> bool:
    """Whether the two never touch the same element while the `fixed` loop variables (all, if None) are equal."""
    if first.cell != second.cell:
        return True
    try:
        with operation_limit(max_operations):
            _, meeting = _meetings(statement, first, second, fixed, context, loosely=True)
            return meeting is not None and meeting.is_empty()
    except OutOfOperations:
        return False


def _meetings(
    statement: Statement,
    first: Access,
    second: Access,
    fixed: Collection[str] | None,
    context: Sequence[Affine],
    loosely: bool = False,
) -> tuple[isl.Map, isl.Map | None]:
    """Pairs of iterations with the fixed variables equal, and those in which the two touch one element.

    The second is `None` if a subscript is unknown, or, `loosely`, holds every pair that may touch one.
    """
    import islpy as isl

    kinds = isl.dim_type
    forms = [s for access in (first, second) for s in access.subscripts if s is not None]
    parameters = parameters_of([*forms, *statement.conditions, *context], statement.loops)
    domain = statement_domain(statement, context, parameters)
    together = isl.Map.from_domain_and_range(domain.points, domain.points)
    for depth, loop in enumerate(statement.loops):
        if fixed is None or loop.variable in fixed:
            together = together.equate(kinds.in_, depth, kinds.out, depth)
    rank = min(len(first.subscripts), len(second.subscripts))
    touched: list[isl.Map] = []
    for access in (first, second):
        subscripts = access.subscripts[:rank]
        expressions = [None if s is None else domain.coordinates.expression(s) for s in subscripts]
        if not loosely and any(e is None for e in expressions):
            return together, None
        touched.append(image(domain.coordinates, expressions))
    return together, together.intersect(touched[0].apply_range(touched[1].reverse()))
