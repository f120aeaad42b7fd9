"""Is a new order of the statements' iterations legal? One question for every plan, so no transform can be unsound.

In: the `DependenceGraph` of the analysed program and a `Schedule` for each statement. Out: yes or no. A schedule is
legal if every dependence goes forward in sequential time, which is the schedule without its vector dimensions.

    LU: S1[i,j,k] -> [i,k,1,j]; S2[i,j] -> [i,j,0]; S3[i,j,k] -> [i,k,1,j], the last dimension of each a vector axis
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping
from typing import TYPE_CHECKING

from autovec.analysis.dependence import DependenceGraph, statement_name
from autovec.analysis.model import Dependence, DependenceKind, LoopDomain, Schedule, Statement
from autovec.analysis.polyhedra import MAX_OPERATIONS, Coordinates, OutOfOperations, image, operation_limit

if TYPE_CHECKING:
    import islpy as isl


def check_schedule(
    graph: DependenceGraph,
    schedules: Mapping[int, Schedule],
    accumulators: Collection[Hashable] = (),
    unordered: Collection[Hashable] = (),
    max_operations: int = MAX_OPERATIONS,
) -> bool:
    """Whether the schedules (by statement key) keep every dependence of the graph.

    Source and sink may coincide in sequential time only inside one statement: for its anti-dependences (all lanes read
    before any writes) and between accesses whose keys are in `accumulators`, which the caller combines some other way.
    Accesses in `unordered` are accumulators of an operation that may be reassociated: inside one statement their
    dependences bind nothing.
    """
    if any(s.key not in schedules for s in graph.statements):
        return False
    strict: list[int] = []
    relaxed: list[int] = []
    for index, dependence in enumerate(graph.dependences):
        if _within(dependence, unordered):
            continue
        may_coincide = _is_own_anti(dependence) or _within(dependence, {*accumulators, *unordered})
        (relaxed if may_coincide else strict).append(index)
    try:
        with operation_limit(max_operations):
            times = _sequential_time(graph, schedules)
            if times is None:
                return False
            return _goes_forward(graph.union(strict), *times, True) and _goes_forward(
                graph.union(relaxed), *times, False
            )
    except OutOfOperations:
        return False


def _is_own_anti(dependence: Dependence) -> bool:
    return dependence.kind is DependenceKind.ANTI and dependence.source == dependence.sink


def _within(dependence: Dependence, accumulators: Collection[Hashable]) -> bool:
    """Whether it is one statement's dependence on its own recognised accumulator."""
    named = dependence.source_access.key in accumulators and dependence.sink_access.key in accumulators
    return named and dependence.source == dependence.sink


def _sequential_time(
    graph: DependenceGraph, schedules: Mapping[int, Schedule]
) -> tuple[isl.UnionMap, isl.Space] | None:
    """The map from iterations to time vectors without the vector dimensions, shorter ones filled up with zeros."""
    import islpy as isl

    length = max((len(s.dims) - len(s.vector) for s in schedules.values()), default=0)
    times = isl.UnionMap.empty(isl.Space.params_alloc(isl.DEFAULT_CONTEXT, 0))
    space: isl.Space | None = None
    for index, statement in enumerate(graph.statements):
        variables = [loop.variable if isinstance(loop, LoopDomain) else None for loop in statement.loops]
        coordinates = Coordinates.of(graph.parameters, variables, statement_name(index))
        vector = _time_of(statement, schedules[statement.key], coordinates, length)
        if vector is None:
            return None
        time = image(coordinates, vector)
        times = times.union(isl.UnionMap.from_map(time))
        space = time.get_space().range()
    return None if space is None else (times, space)


def _time_of(statement: Statement, schedule: Schedule, coordinates: Coordinates, length: int) -> list[isl.Aff] | None:
    keys = {loop.key: depth for depth, loop in enumerate(statement.loops)}
    vector: list[isl.Aff] = []
    for position, dim in enumerate(schedule.dims):
        if position in schedule.vector:
            continue
        match dim:
            case ("loop", key):
                if key not in keys:
                    return None
                axis = coordinates.dimension(keys[key])
                vector.append(axis.neg() if statement.loops[keys[key]].is_downward else axis)
            case ("const", place):
                vector.append(coordinates.one.set_constant_val(place))
            case form:
                expression = coordinates.expression(form)
                if expression is None:
                    return None
                vector.append(expression)
    return vector + [coordinates.zero] * (length - len(vector))


def _goes_forward(dependences: isl.UnionMap, times: isl.UnionMap, space: isl.Space, strictly: bool) -> bool:
    """Whether no dependence takes a time to an earlier one, or, if strictly, to the same one."""
    import islpy as isl

    wrong = isl.Map.lex_ge(space) if strictly else isl.Map.lex_gt(space)
    moved = dependences.apply_domain(times).apply_range(times)
    return moved.intersect(isl.UnionMap.from_map(wrong)).is_empty()
