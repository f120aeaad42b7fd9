"""Is a subscript always inside its axis, does a loop always run: for which sizes, decided before the call.

In: a statement's loops and conditions, a subscript, a size. Out: a `RangeProof`: the set of parameter values for which
it does not hold, as plain data, empty where it is proved. Tested at a call, it is the guard of the rewritten code.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from autovec.analysis.domains import iteration_domain, parameters_of
from autovec.analysis.model import Loop, Statement
from autovec.analysis.polyhedra import (
    EVERYTHING,
    MAX_OPERATIONS,
    OutOfOperations,
    ParameterSet,
    at_least,
    operation_limit,
    parameter_set,
)
from autovec.ir.affine import Affine


@dataclass(frozen=True, slots=True)
class RangeProof:
    """What was proved: `bad` holds (at least) the parameter values at which the statement is false.

    `always`: no values allowed by the context are bad.
    """

    bad: ParameterSet
    always: bool

    def holds(self, values: Mapping[str, int]) -> bool:
        """Whether it is proved for these values; a parameter without a value that matters means it is not."""
        try:
            return not self.bad.contains(values)
        except KeyError:
            return False


NOT_PROVED = RangeProof(EVERYTHING, False)


def in_range(
    statement: Statement,
    subscript: Affine | None,
    size: Affine,
    context: Sequence[Affine] = (),
    wraps: bool = False,
    max_operations: int = MAX_OPERATIONS,
) -> RangeProof:
    """Whether `0 <= subscript < size` in every iteration of the statement; `wraps` asks `-size <= subscript`."""
    if subscript is None:
        return NOT_PROVED
    lower = -size if wraps else Affine.number(0)
    forms = [subscript - lower, size - 1 - subscript]
    parameters = parameters_of([subscript, size, *statement.conditions, *context], statement.loops)
    try:
        with operation_limit(max_operations):
            # without the context: the set then says the truth about values outside it too
            domain = iteration_domain(statement.loops, statement.conditions, (), parameters)
            everything = domain.coordinates.universe().params()
            bad = everything.subtract(everything)
            for form in forms:
                expression = domain.coordinates.expression(form)
                if expression is None:
                    return NOT_PROVED
                outside = at_least(domain.coordinates.zero, expression.add(domain.coordinates.one))
                bad = bad.union(domain.points.intersect(outside).params())
            facts = domain.coordinates.where(context).params()
            return RangeProof(parameter_set(bad, parameters), bad.intersect(facts).is_empty())
    except OutOfOperations:
        return NOT_PROVED


def non_empty(
    loops: Sequence[Loop],
    context: Sequence[Affine] = (),
    conditions: Sequence[Affine] = (),
    max_operations: int = MAX_OPERATIONS,
) -> RangeProof:
    """Whether the loops have at least one iteration (in which the conditions hold)."""
    parameters = parameters_of([*conditions, *context], loops)
    try:
        with operation_limit(max_operations):
            domain = iteration_domain(loops, conditions, (), parameters)
            if not domain.exact:
                return NOT_PROVED
            everything = domain.coordinates.universe().params()
            bad = everything.subtract(domain.points.params())
            facts = domain.coordinates.where(context).params()
            return RangeProof(parameter_set(bad, parameters), bad.intersect(facts).is_empty())
    except OutOfOperations:
        return NOT_PROVED
