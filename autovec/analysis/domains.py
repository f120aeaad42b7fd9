"""Iteration domains: from loops and conditions to sets of points, and what range a form takes over one.

In: loops outermost first, affine conditions, facts on parameters. Out: an ISL set with one dimension a loop (the
loop's own variable, whatever its step), which holds every iteration, and more only where something isn't affine.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import TYPE_CHECKING

from autovec.analysis.model import Loop, LoopDomain, Statement
from autovec.analysis.polyhedra import (
    MAX_OPERATIONS,
    Coordinates,
    OutOfOperations,
    at_least,
    constant,
    equal,
    operation_limit,
)
from autovec.ir.affine import Affine

if TYPE_CHECKING:
    import islpy as isl

EMPTY_RANGE = (0, -1)


@dataclass(frozen=True, slots=True)
class Domain:
    """The iterations of some loops; not `exact` if it may hold points that are no iterations."""

    coordinates: Coordinates
    points: isl.Set
    exact: bool


def parameters_of(forms: Iterable[Affine], loops: Iterable[Loop]) -> tuple[str, ...]:
    """The names that stand for one number throughout: all but the loop variables, sorted."""
    names = {name for form in forms for name in form.names}
    for loop in loops:
        if isinstance(loop, LoopDomain):
            names |= {name for bound in loop.lower + loop.upper for name in bound.names}
    return tuple(sorted(names - {loop.variable for loop in loops}))


def statement_forms(statement: Statement) -> list[Affine]:
    """The subscripts and conditions of a statement, as far as they are known."""
    subscripts = (s for access in statement.accesses for s in access.subscripts if s is not None)
    return [*subscripts, *statement.conditions]


def iteration_domain(
    loops: Sequence[Loop],
    conditions: Sequence[Affine],
    context: Sequence[Affine],
    parameters: Sequence[str],
    name: str = "S",
) -> Domain:
    """The points of the loops at which the conditions and the context hold."""
    variables = [loop.variable if isinstance(loop, LoopDomain) else None for loop in loops]
    coordinates = Coordinates.of(parameters, variables, name)
    points = coordinates.where([*conditions, *context])
    exact = all(coordinates.expression(c) is not None for c in [*conditions, *context])
    for depth, loop in enumerate(loops):
        if isinstance(loop, LoopDomain):
            # a bound is evaluated outside its loop: there its own name, and those of loops further in, mean nothing
            inner = {further.variable for further in loops[depth:]}
            inside, known = _loop_values(coordinates, loop, inner)
            points = points.intersect(inside)
            exact = exact and known
        else:
            exact = False
    return Domain(coordinates, points, exact)


def statement_domain(
    statement: Statement, context: Sequence[Affine], parameters: Sequence[str], name: str = "S"
) -> Domain:
    return iteration_domain(statement.loops, statement.conditions, context, parameters, name)


def _loop_values(coordinates: Coordinates, loop: LoopDomain, inner: Set[str]) -> tuple[isl.Set, bool]:
    """The points at which the variable has a value the loop gives it, and whether all bounds were affine."""
    variable = coordinates.axes[loop.variable]
    starts = [None if b.names & inner else coordinates.expression(b) for b in loop.lower]
    stops = [None if b.names & inner else coordinates.expression(b) for b in loop.upper]
    values = coordinates.universe()
    for start in starts:
        if start is not None:
            values = values.intersect(at_least(start, variable) if loop.is_downward else at_least(variable, start))
    for stop in stops:
        if stop is not None:
            last = stop.add(coordinates.one) if loop.is_downward else stop.sub(coordinates.one)
            values = values.intersect(at_least(variable, last) if loop.is_downward else at_least(last, variable))
    known_starts = [start for start in starts if start is not None]
    start_known = bool(starts) and len(known_starts) == len(starts)
    if abs(loop.step) != 1 and start_known:
        values = values.intersect(_on_stride(coordinates, loop, variable, known_starts))
    return values, start_known and bool(stops) and all(stop is not None for stop in stops)


def _on_stride(coordinates: Coordinates, loop: LoopDomain, variable: isl.Aff, starts: Sequence[isl.Aff]) -> isl.Set:
    """The points a whole number of steps from the start, which is one of several: a union over which it is."""
    found: isl.Set | None = None
    for start in starts:
        remainder = variable.sub(start).mod_val(abs(loop.step))
        case = equal(remainder, coordinates.zero)
        for other in starts:
            if other is not start:
                case = case.intersect(at_least(other, start) if loop.is_downward else at_least(start, other))
        found = case if found is None else found.union(case)
    return coordinates.universe() if found is None else found


def affine_range(
    form: Affine,
    loops: Sequence[Loop],
    context: Sequence[Affine],
    values: Mapping[str, int],
    conditions: Sequence[Affine] = (),
    max_operations: int = MAX_OPERATIONS,
) -> tuple[int, int] | None:
    """The least and the greatest value of a form over the iterations, for these values of the parameters.

    No iterations give `EMPTY_RANGE`. `None` if it has no bound, or something is not known.
    """
    variables = {loop.variable for loop in loops}
    numbers = {name: Affine.number(value) for name, value in values.items() if name not in variables}
    settled: list[Loop] = []
    for loop in loops:
        if isinstance(loop, LoopDomain):
            lower = tuple(b.substitute(numbers) for b in loop.lower)
            upper = tuple(b.substitute(numbers) for b in loop.upper)
            settled.append(LoopDomain(loop.key, loop.variable, lower, upper, loop.step))
        else:
            settled.append(loop)
    form = form.substitute(numbers)
    guards = [c.substitute(numbers) for c in conditions]
    facts = [c.substitute(numbers) for c in context]
    box = None if guards else _box(settled)
    if box is not None:
        return _range_in_box(form, box)
    try:
        with operation_limit(max_operations):
            parameters = parameters_of([form, *guards, *facts], settled)
            domain = iteration_domain(settled, guards, facts, parameters)
            return _range_over(form, domain)
    except OutOfOperations:
        return None


def _box(loops: Sequence[Loop]) -> dict[str, tuple[int, int]] | None:
    """The range of each variable where every bound is a number."""
    box: dict[str, tuple[int, int]] = {}
    for loop in loops:
        if not isinstance(loop, LoopDomain) or not loop.lower or not loop.upper:
            return None
        if not all(b.is_constant for b in loop.lower + loop.upper):
            return None
        starts, stops = [b.constant for b in loop.lower], [b.constant for b in loop.upper]
        start, stop = (min(starts), max(stops)) if loop.is_downward else (max(starts), min(stops))
        values = range(start, stop, loop.step)
        box[loop.variable] = (min(values[0], values[-1]), max(values[0], values[-1])) if values else EMPTY_RANGE
    return box


def _range_in_box(form: Affine, box: Mapping[str, tuple[int, int]]) -> tuple[int, int] | None:
    if any(low > high for low, high in box.values()):
        return EMPTY_RANGE
    if not form.names <= box.keys():
        return None
    ends = [sorted((c * box[name][0], c * box[name][1])) for name, c in form.terms]
    return form.constant + sum(low for low, _ in ends), form.constant + sum(high for _, high in ends)


def _range_over(form: Affine, domain: Domain) -> tuple[int, int] | None:
    expression = domain.coordinates.expression(form)
    if domain.points.is_empty():
        return EMPTY_RANGE
    if expression is None:
        return None
    low, high = constant(domain.points.min_val(expression)), constant(domain.points.max_val(expression))
    return None if low is None or high is None else (low, high)
