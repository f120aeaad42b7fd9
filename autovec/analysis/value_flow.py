"""Which write does a read see? The last writer of each element (Feautrier, 1991), by the loop that carries the value.

In: the statements of `analyse`. Out: `ValueFlow`: flow dependences that carry a value, and the reads that may see what
was there before. A cell with no value carried by a loop is private to its iterations: its anti- and
output-dependences carried by that loop bind nothing once each iteration has its own copy. Costs 5 to 20 times as much
as the memory-based test: for scalars, and for arrays one wants to privatise.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from autovec.analysis.dependence import dependence_distance, ordered, statement_name
from autovec.analysis.domains import Domain, parameters_of, statement_domain, statement_forms
from autovec.analysis.model import Access, Dependence, DependenceKind, Statement
from autovec.analysis.polyhedra import MAX_OPERATIONS, OutOfOperations, image, operation_limit
from autovec.ir.affine import Affine

if TYPE_CHECKING:
    import islpy as isl


@dataclass(frozen=True, slots=True)
class ValueFlow:
    """Values from write to read, and the reads (statement key, access) that may see a value from before it all."""

    flows: tuple[Dependence, ...]
    live_in: tuple[tuple[int, Access], ...]

    def carried(self, cell: str) -> frozenset[int]:
        """The levels (0 outermost, among the loops that writer and reader share) that carry a value of the cell."""
        return frozenset(d.level for d in self.flows if d.level is not None and d.source_access.cell == cell)


def value_flow(
    statements: Sequence[Statement],
    cells: Collection[str],
    context: Sequence[Affine] = (),
    max_operations: int = MAX_OPERATIONS,
) -> ValueFlow | None:
    """The flow of values through these cells; `None` where ISL ran out of operations.

    A guarded write, or one whose place or iterations are not known exactly, may be the last and never hides another.
    """
    forms = [form for s in statements for form in statement_forms(s)]
    parameters = parameters_of([*forms, *context], [loop for s in statements for loop in s.loops])
    flows: list[Dependence] = []
    live_in: list[tuple[int, Access]] = []
    try:
        with operation_limit(max_operations):
            domains = [statement_domain(s, context, parameters, statement_name(i)) for i, s in enumerate(statements)]
            times = _original_order(statements, domains)
            for cell in sorted(cells):
                found, before = _cell_flow(cell, statements, domains, times)
                flows += found
                live_in += before
    except OutOfOperations:
        return None
    return ValueFlow(tuple(flows), tuple(live_in))


def _original_order(statements: Sequence[Statement], domains: Sequence[Domain]) -> isl.UnionMap:
    """Iterations to 2d+1 time vectors: place, loop, place, ... filled up with zeros."""
    import islpy as isl

    length = max((2 * len(s.loops) + 1 for s in statements), default=1)
    times = isl.UnionMap.empty(isl.Space.params_alloc(isl.DEFAULT_CONTEXT, 0))
    for statement, domain in zip(statements, domains, strict=True):
        coordinates = domain.coordinates
        vector = [coordinates.one.set_constant_val(statement.position[0])]
        for depth, loop in enumerate(statement.loops):
            axis = coordinates.dimension(depth)
            vector.append(axis.neg() if loop.is_downward else axis)
            vector.append(coordinates.one.set_constant_val(statement.position[depth + 1]))
        vector += [coordinates.zero] * (length - len(vector))
        times = times.union(isl.UnionMap.from_map(image(coordinates, vector)))
    return times


def _cell_flow(
    cell: str, statements: Sequence[Statement], domains: Sequence[Domain], times: isl.UnionMap
) -> tuple[list[Dependence], list[tuple[int, Access]]]:
    """Each read of the cell against all its writes, which are told apart by tags on their iterations."""
    import islpy as isl

    places = [(i, a) for i, s in enumerate(statements) for a in s.accesses if a.cell == cell]
    rank = max((len(a.subscripts) for _, a in places), default=0)
    writes = [(i, a) for i, a in places if a.write]
    if not writes:
        return [], [(statements[i].key, a) for i, a in places]
    writers = [i for i, _ in writes]
    nothing = isl.UnionMap.empty(isl.Space.params_alloc(isl.DEFAULT_CONTEXT, 0))
    must, may, order = nothing, nothing, times
    for number, (index, access) in enumerate(writes):
        tag = f"W{number}"
        relation, certain = _access_relation(access, domains[index], rank)
        # two writes at one time: neither is known to be the last
        certain = certain and writers.count(index) == 1
        relation = isl.UnionMap.from_map(relation.set_tuple_name(isl.dim_type.in_, tag))
        must, may = (must.union(relation), may) if certain else (must, may.union(relation))
        order = order.union(_renamed_time(times, domains[index], tag))
    flows: list[Dependence] = []
    live_in: list[tuple[int, Access]] = []
    for index, access in places:
        if access.write:
            continue
        relation, _ = _access_relation(access, domains[index], rank)
        question = isl.UnionAccessInfo.from_sink(isl.UnionMap.from_map(relation))
        answer = question.set_must_source(must).set_may_source(may).set_schedule_map(order).compute_flow()
        if not answer.get_may_no_source().is_empty():
            live_in.append((statements[index].key, access))
        seen = answer.get_may_dependence()
        for number, (source, write) in enumerate(writes):
            part = _between(seen, domains[source], domains[index], f"W{number}")
            flows += _by_level(part, statements[source], statements[index], write, access)
    return flows, live_in


def _access_relation(access: Access, domain: Domain, rank: int) -> tuple[isl.Map, bool]:
    """From iterations to elements, and whether exactly these are touched for sure."""
    padded = [*access.subscripts, *[None] * (rank - len(access.subscripts))]
    expressions = [None if s is None else domain.coordinates.expression(s) for s in padded]
    relation = image(domain.coordinates, expressions).intersect_domain(domain.points)
    certain = access.must and domain.exact and all(e is not None for e in expressions)
    return relation, certain


def _renamed_time(times: isl.UnionMap, domain: Domain, tag: str) -> isl.UnionMap:
    import islpy as isl

    own = times.intersect_domain(isl.UnionSet.from_set(domain.coordinates.universe()))
    return isl.UnionMap.from_map(isl.Map.from_union_map(own).set_tuple_name(isl.dim_type.in_, tag))


def _between(seen: isl.UnionMap, source: Domain, sink: Domain, tag: str) -> isl.Map:
    """The part of the flow from one tagged write, between the iterations of the two statements."""
    import islpy as isl

    space = isl.Space.map_from_domain_and_range(source.coordinates.space, sink.coordinates.space)
    tagged = space.set_tuple_name(isl.dim_type.in_, tag)
    name = source.coordinates.space.get_tuple_name(isl.dim_type.set)
    return seen.extract_map(tagged).set_tuple_name(isl.dim_type.in_, name)


def _by_level(relation: isl.Map, source: Statement, sink: Statement, write: Access, read: Access) -> list[Dependence]:
    import islpy as isl

    kinds = isl.dim_type
    found: list[Dependence] = []
    common = source.common_loops(sink)
    for level in range(common):
        if relation.is_empty():
            return found
        earlier, _ = ordered(relation, level, source.loops[level].is_downward)
        if not earlier.is_empty():
            distance = dependence_distance(earlier, source, level, common)
            found.append(Dependence(DependenceKind.FLOW, source.key, sink.key, write, read, level, distance))
        relation = relation.equate(kinds.in_, level, kinds.out, level)
    if not relation.is_empty():
        found.append(Dependence(DependenceKind.FLOW, source.key, sink.key, write, read, None, (0,) * common))
    return found
