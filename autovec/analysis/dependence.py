"""Exact memory-based dependences between statements, by the loop that carries them.

In: statements with affine accesses. Out: a `DependenceGraph`: the dependences as plain data, and beside each the
relation between iterations it stands for, which every later question (`check_schedule`) asks instead of analysing
again. Where a subscript, a bound or a condition isn't affine, or ISL runs out of operations, a dependence is reported
that may not be there; none that is there is left out.

The method is the level-wise dependence of Allen & Kennedy (2001, ch. 2), each level decided by emptiness of an
integer set (Feautrier, 1991) instead of by a list of tests.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from autovec.analysis.domains import Domain, parameters_of, statement_domain, statement_forms
from autovec.analysis.model import Access, Dependence, DependenceKind, LoopDomain, Statement
from autovec.analysis.polyhedra import MAX_OPERATIONS, OutOfOperations, constant, image, operation_limit
from autovec.ir.affine import Affine

if TYPE_CHECKING:
    import islpy as isl


@dataclass(frozen=True, slots=True, eq=False)
class DependenceGraph:
    """Dependences, and for each the relation from source iterations to sink iterations at the same index.

    Several dependences can share one relation object. Holds ISL objects: not to be kept beyond one rewrite.
    """

    statements: tuple[Statement, ...]
    parameters: tuple[str, ...]
    dependences: tuple[Dependence, ...]
    relations: tuple[isl.Map, ...]
    unions: dict[frozenset[int], isl.UnionMap] = field(default_factory=dict[frozenset[int], "isl.UnionMap"])

    @property
    def relation(self) -> isl.UnionMap:
        """All dependences as one relation between the iterations of all statements."""
        return self.union(range(len(self.dependences)))

    def union(self, chosen: Sequence[int]) -> isl.UnionMap:
        """The relation of the dependences with these indices; remembered, since plans are checked again and again."""
        import islpy as isl

        distinct = {id(self.relations[i]): i for i in chosen}
        key = frozenset(distinct.values())
        if key not in self.unions:
            union = isl.UnionMap.empty(isl.Space.params_alloc(isl.DEFAULT_CONTEXT, 0))
            for index in sorted(key):
                union = union.union(isl.UnionMap.from_map(self.relations[index]))
            self.unions[key] = union
        return self.unions[key]


def dependences(
    statements: Sequence[Statement],
    context: Sequence[Affine] = (),
    private: Mapping[str, int] | None = None,
    max_operations: int = MAX_OPERATIONS,
) -> tuple[Dependence, ...]:
    """The dependences alone; `analyse` says more."""
    return analyse(statements, context, private, max_operations).dependences


def analyse(
    statements: Sequence[Statement],
    context: Sequence[Affine] = (),
    private: Mapping[str, int] | None = None,
    max_operations: int = MAX_OPERATIONS,
) -> DependenceGraph:
    """All dependences among these statements, under facts on the parameters (each form >= 0).

    A cell in `private` has its own copy for each iteration of so many outer loops, counted among those that a pair
    of statements share.
    """
    forms = [form for s in statements for form in statement_forms(s)]
    parameters = parameters_of([*forms, *context], [loop for s in statements for loop in s.loops])
    pairs = list(_conflicting_pairs(statements))
    found: list[tuple[Dependence, isl.Map]] = []
    examined = 0
    try:
        with operation_limit(max_operations):
            space = _IterationSpace.of(statements, context, parameters)
            for pair in pairs:
                # a pair is taken as a whole or not at all: what an overrun leaves open is assumed below
                found.extend(list(_pair_dependences(pair, space, private or {})))
                examined += 1
    except OutOfOperations:
        # no domains either: where ISL ran out, it may have done so while building them
        bare = [Statement(s.key, s.loops, s.position) for s in statements]
        for pair in pairs[examined:]:
            found.extend(_assumed(pair, bare, parameters))
    return DependenceGraph(tuple(statements), parameters, tuple(d for d, _ in found), tuple(m for _, m in found))


@dataclass(frozen=True, slots=True)
class _Pair:
    """Two accesses of one cell, one of them a write, by the index of their statements."""

    cell: str
    first: int
    second: int
    first_accesses: tuple[Access, ...]
    second_accesses: tuple[Access, ...]
    rank: int

    @property
    def is_reflexive(self) -> bool:
        return self.first == self.second and self.first_accesses == self.second_accesses


def _conflicting_pairs(statements: Sequence[Statement]) -> Iterator[_Pair]:
    """Pairs with at least one write, accesses with the same subscripts together: they share one relation."""
    by_cell: dict[str, dict[tuple[int, tuple[Affine | None, ...]], list[Access]]] = defaultdict(dict)
    for index, statement in enumerate(statements):
        for access in statement.accesses:
            by_cell[access.cell].setdefault((index, access.subscripts), []).append(access)
    for cell, groups in by_cell.items():
        rank = max(len(subscripts) for _, subscripts in groups)
        places = list(groups.items())
        for place, ((first, _), accesses) in enumerate(places):
            for (second, _), others in places[place:]:
                if any(a.write for a in accesses) or any(a.write for a in others):
                    yield _Pair(cell, first, second, tuple(accesses), tuple(others), rank)


@dataclass(slots=True)
class _IterationSpace:
    """Domains of the statements, and the access relations built so far."""

    statements: Sequence[Statement]
    domains: Sequence[Domain]
    accesses: dict[tuple[int, tuple[Affine | None, ...], int], isl.Map]

    @staticmethod
    def of(statements: Sequence[Statement], context: Sequence[Affine], parameters: Sequence[str]) -> _IterationSpace:
        domains = [statement_domain(s, context, parameters, statement_name(i)) for i, s in enumerate(statements)]
        return _IterationSpace(statements, domains, {})

    def access(self, index: int, subscripts: tuple[Affine | None, ...], rank: int) -> isl.Map:
        """From iterations to elements; free in the axes that aren't known."""
        key = (index, subscripts, rank)
        if key not in self.accesses:
            domain = self.domains[index]
            padded = [*subscripts, *[None] * (rank - len(subscripts))]
            expressions = [None if s is None else domain.coordinates.expression(s) for s in padded]
            self.accesses[key] = image(domain.coordinates, expressions).intersect_domain(domain.points)
        return self.accesses[key]


def statement_name(index: int) -> str:
    return f"S{index}"


def _pair_dependences(
    pair: _Pair, space: _IterationSpace, private: Mapping[str, int]
) -> Iterator[tuple[Dependence, isl.Map]]:
    """The dependences between two places, both ways, level by level."""
    import islpy as isl

    kinds = isl.dim_type
    first, second = space.statements[pair.first], space.statements[pair.second]
    touches = space.access(pair.first, pair.first_accesses[0].subscripts, pair.rank)
    touched = space.access(pair.second, pair.second_accesses[0].subscripts, pair.rank)
    same_element = touches.apply_range(touched.reverse())
    common = first.common_loops(second)
    for level in range(min(private.get(pair.cell, 0), common)):
        same_element = same_element.equate(kinds.in_, level, kinds.out, level)
    if same_element.is_empty():
        return
    for level in range(common):
        earlier, later = ordered(same_element, level, first.loops[level].is_downward)
        if not earlier.is_empty():
            yield from _described(pair, first, second, level, common, earlier)
        # a place against itself is symmetric: the other way would say the same again
        if not pair.is_reflexive and not later.is_empty():
            yield from _described(_swapped(pair), second, first, level, common, later.reverse())
        same_element = same_element.equate(kinds.in_, level, kinds.out, level)
        if same_element.is_empty():
            return
    if pair.first == pair.second:
        return
    if second.precedes(first):
        yield from _described(_swapped(pair), second, first, None, common, same_element.reverse())
    else:
        yield from _described(pair, first, second, None, common, same_element)


def _swapped(pair: _Pair) -> _Pair:
    return _Pair(pair.cell, pair.second, pair.first, pair.second_accesses, pair.first_accesses, pair.rank)


def ordered(relation: isl.Map, level: int, downward: bool) -> tuple[isl.Map, isl.Map]:
    """The parts in which this loop runs the first statement's iteration earlier, and later, than the second's."""
    import islpy as isl

    kinds = isl.dim_type
    below = relation.order_lt(kinds.in_, level, kinds.out, level)
    above = relation.order_gt(kinds.in_, level, kinds.out, level)
    return (above, below) if downward else (below, above)


def _described(
    pair: _Pair, source: Statement, sink: Statement, level: int | None, common: int, relation: isl.Map
) -> Iterator[tuple[Dependence, isl.Map]]:
    """One dependence for each two accesses of these places of which one writes."""
    distance = dependence_distance(relation, source, level, common)
    for a in pair.first_accesses:
        for b in pair.second_accesses:
            if a.write or b.write:
                kind = DependenceKind.between(a, b)
                yield Dependence(kind, source.key, sink.key, a, b, level, distance), relation


def dependence_distance(relation: isl.Map, source: Statement, level: int | None, common: int) -> tuple[int | None, ...]:
    """Sink minus source for each common loop's variable, in steps of the loop."""
    import islpy as isl

    kinds = isl.dim_type
    known: list[int | None] = [0] * (common if level is None else level)
    if level is None or level >= common:
        return tuple(known)
    relation = relation.project_out(kinds.in_, common, relation.dim(kinds.in_) - common)
    relation = relation.project_out(kinds.out, common, relation.dim(kinds.out) - common)
    deltas = relation.reset_tuple_id(kinds.in_).reset_tuple_id(kinds.out).deltas()
    for position in range(level, common):
        loop = source.loops[position]
        step = loop.step if isinstance(loop, LoopDomain) else 1
        delta = _only_value(deltas, position)
        known.append(None if delta is None or delta % step else delta // step)
    return tuple(known)


def _only_value(points: isl.Set, position: int) -> int | None:
    """The value that one coordinate has at every point."""
    import islpy as isl

    plain = constant(points.plain_get_val_if_fixed(isl.dim_type.set, position))
    if plain is not None:
        return plain
    least = constant(points.dim_min_val(position))
    return least if least is not None and least == constant(points.dim_max_val(position)) else None


def _assumed(
    pair: _Pair, statements: Sequence[Statement], parameters: Sequence[str]
) -> Iterator[tuple[Dependence, isl.Map]]:
    """Every dependence that a pair could have, for want of an answer."""
    import islpy as isl

    kinds = isl.dim_type
    first, second = statements[pair.first], statements[pair.second]
    spaces = [
        statement_domain(statements[i], (), parameters, statement_name(i)).coordinates.universe()
        for i in (pair.first, pair.second)
    ]
    relation = isl.Map.from_domain_and_range(spaces[0], spaces[1])
    common = first.common_loops(second)
    unknown: tuple[int | None, ...] = (None,) * common
    for level in range(common):
        earlier, later = ordered(relation, level, first.loops[level].is_downward)
        for oriented, part in ((pair, earlier), (_swapped(pair), later.reverse())):
            if oriented is pair or not pair.is_reflexive:
                yield from _undecided(oriented, statements, level, (0,) * level + unknown[level:], part)
        relation = relation.equate(kinds.in_, level, kinds.out, level)
    if pair.first != pair.second:
        backward = second.precedes(first)
        oriented, part = (_swapped(pair), relation.reverse()) if backward else (pair, relation)
        yield from _undecided(oriented, statements, None, (0,) * common, part)


def _undecided(
    pair: _Pair, statements: Sequence[Statement], level: int | None, distance: tuple[int | None, ...], relation: isl.Map
) -> Iterator[tuple[Dependence, isl.Map]]:
    source, sink = statements[pair.first].key, statements[pair.second].key
    for a in pair.first_accesses:
        for b in pair.second_accesses:
            if a.write or b.write:
                yield Dependence(DependenceKind.between(a, b), source, sink, a, b, level, distance), relation
