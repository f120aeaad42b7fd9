"""Brute force over small domains: runs described statements in order and lists what really happens.

What the description leaves unknown (a subscript, a bound, a guard) is drawn from a seed, the same for every statement
inside the same iteration.
"""

from __future__ import annotations

import itertools
import random
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from autovec.analysis.model import (
    Access,
    Dependence,
    DependenceKind,
    Loop,
    LoopDomain,
    Schedule,
    Statement,
    Unknown,
)
from autovec.ir.affine import Affine


@dataclass(frozen=True)
class Instance:
    statement: Statement
    counts: tuple[int, ...]
    values: tuple[tuple[str, int], ...]

    @property
    def when(self) -> tuple[int, ...]:
        vector = [self.statement.position[0]]
        for count, position in zip(self.counts, self.statement.position[1:], strict=True):
            vector += [count, position]
        return tuple(vector)


@dataclass(frozen=True)
class Actual:
    """A dependence between two instances that ran."""

    kind: DependenceKind
    source: Instance
    sink: Instance
    source_access: Access
    sink_access: Access
    level: int | None
    distance: tuple[Fraction, ...]

    @property
    def identity(self) -> tuple[Any, ...]:
        return (
            self.kind,
            self.source.statement.key,
            self.sink.statement.key,
            self.source_access.key,
            self.sink_access.key,
            self.level,
        )


def identity(dependence: Dependence) -> tuple[Any, ...]:
    d = dependence
    return (d.kind, d.source, d.sink, d.source_access.key, d.sink_access.key, d.level)


def drawn(seed: int, *what: object) -> random.Random:
    return random.Random(repr((seed, *what)))


def loop_values(loop: Loop, known: Mapping[str, int], counts: tuple[int, ...], seed: int) -> list[int]:
    rng = drawn(seed, loop.key, counts)
    if isinstance(loop, Unknown):
        return [rng.randint(-2, 4) for _ in range(rng.randint(0, 3))]
    down = loop.step < 0

    def bound(forms: tuple[Affine, ...], largest: bool, guess: int) -> int:
        if not forms:
            return guess
        values = [f.evaluate(known) for f in forms]
        return max(values) if largest else min(values)

    start = bound(loop.lower, not down, rng.randint(-2, 4))
    stop = bound(loop.upper, down, start + loop.step * rng.randint(0, 3))
    return list(range(start, stop, loop.step))


def instances(statement: Statement, parameters: Mapping[str, int], seed: int = 0) -> list[Instance]:
    def nest(depth: int, known: dict[str, int], counts: tuple[int, ...]) -> Iterator[Instance]:
        if depth == len(statement.loops):
            if all(c.evaluate(known) >= 0 for c in statement.conditions):
                yield Instance(statement, counts, tuple(known.items()))
            return
        loop = statement.loops[depth]
        for count, value in enumerate(loop_values(loop, known, counts, seed)):
            yield from nest(depth + 1, {**known, loop.variable: value}, (*counts, count))

    return list(nest(0, dict(parameters), ()))


def element(access: Access, instance: Instance, seed: int) -> tuple[int, ...]:
    rng = drawn(seed, access.key, instance.statement.key, instance.counts)
    return tuple(rng.randint(0, 3) if s is None else s.evaluate(dict(instance.values)) for s in access.subscripts)


def actual_dependences(
    statements: Sequence[Statement],
    parameters: Mapping[str, int],
    private: Mapping[str, int] | None = None,
    seed: int = 0,
) -> list[Actual]:
    ran = sorted((i for s in statements for i in instances(s, parameters, seed)), key=lambda i: i.when)
    ranks = {a.cell: 9 for s in statements for a in s.accesses}
    for access in (a for s in statements for a in s.accesses):
        ranks[access.cell] = min(ranks[access.cell], len(access.subscripts))
    touched: dict[Any, list[tuple[int, Instance, Access, tuple[int, ...]]]] = defaultdict(list)
    for order, instance in enumerate(ran):
        for access in instance.statement.accesses:
            if access.must or drawn(seed, access.key, instance.counts).random() < 0.7:
                copy = instance.counts[: (private or {}).get(access.cell, 0)]
                where = element(access, instance, seed)
                touched[access.cell, copy, where[: ranks[access.cell]]].append((order, instance, access, where))
    found: list[Actual] = []
    for accesses in touched.values():
        for (first, source, a, x), (second, sink, b, y) in itertools.product(accesses, accesses):
            overlap = all(p == q for p, q in zip(x, y, strict=False))
            if first < second and (a.write or b.write) and overlap:
                common = source.statement.common_loops(sink.statement)
                level = next((i for i in range(common) if source.counts[i] != sink.counts[i]), None)
                distance = tuple(steps_between(source, sink, depth) for depth in range(common))
                found.append(Actual(DependenceKind.between(a, b), source, sink, a, b, level, distance))
    return found


def steps_between(source: Instance, sink: Instance, depth: int) -> Fraction:
    loop = source.statement.loops[depth]
    if isinstance(loop, Unknown):
        return Fraction(sink.counts[depth] - source.counts[depth])
    return Fraction(dict(sink.values)[loop.variable] - dict(source.values)[loop.variable], loop.step)


def actual_values(
    statements: Sequence[Statement], parameters: Mapping[str, int], seed: int = 0
) -> tuple[set[tuple[Any, ...]], set[Any]]:
    """Who wrote what a read sees: (source, sink, access keys, level) of last writers; keys of reads that have none."""
    ran = sorted((i for s in statements for i in instances(s, parameters, seed)), key=lambda i: i.when)
    last: dict[Any, tuple[Instance, Access]] = {}
    flows: set[tuple[Any, ...]] = set()
    live_in: set[Any] = set()
    for instance in ran:
        happening = [
            a for a in instance.statement.accesses if a.must or drawn(seed, a.key, instance.counts).random() < 0.7
        ]
        for access in sorted(happening, key=lambda a: a.write):
            where = (access.cell, element(access, instance, seed))
            if access.write:
                last[where] = (instance, access)
            elif where not in last:
                live_in.add(access.key)
            else:
                source, write = last[where]
                common = source.statement.common_loops(instance.statement)
                level = next((i for i in range(common) if source.counts[i] != instance.counts[i]), None)
                flows.add((source.statement.key, instance.statement.key, write.key, access.key, level))
    return flows, live_in


def grid(names: Sequence[str], largest: int) -> Iterator[dict[str, int]]:
    for values in itertools.product(range(largest + 1), repeat=len(names)):
        yield dict(zip(names, values, strict=True))


def time_of(instance: Instance, schedule: Schedule) -> tuple[int, ...]:
    """Sequential time; loops count in their variable's value, so that two loops of one variable can be fused."""
    statement = instance.statement
    known = dict(instance.values)
    by_key = {loop.key: loop for loop in statement.loops}
    vector: list[int] = []
    for position, dim in enumerate(schedule.dims):
        if position in schedule.vector:
            continue
        match dim:
            case ("const", place):
                vector.append(place)
            case ("loop", key):
                loop = by_key[key]
                depth = statement.loops.index(loop)
                if isinstance(loop, LoopDomain):
                    vector.append(-known[loop.variable] if loop.step < 0 else known[loop.variable])
                else:
                    vector.append(instance.counts[depth])
            case form:
                vector.append(form.evaluate(known))
    return tuple(vector)


def goes_forward(actual: Actual, schedules: Mapping[int, Schedule], accumulators: frozenset[Any] = frozenset()) -> bool:
    before = time_of(actual.source, schedules[actual.source.statement.key])
    after = time_of(actual.sink, schedules[actual.sink.statement.key])
    length = max(len(before), len(after))
    before, after = before + (0,) * (length - len(before)), after + (0,) * (length - len(after))
    itself = actual.source.statement is actual.sink.statement
    accumulates = {actual.source_access.key, actual.sink_access.key} <= accumulators
    if itself and (actual.kind is DependenceKind.ANTI or accumulates):
        return before <= after
    return before < after
