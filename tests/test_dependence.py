"""The dependences against brute force: none may be missed, and where all is affine none may be invented."""

from __future__ import annotations

import itertools
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autovec.analysis.dependence import analyse, dependences
from autovec.analysis.dependence_text import describe
from autovec.analysis.elements import disjoint, same_element
from autovec.analysis.model import Access, DependenceKind, LoopDomain, Schedule, Statement, Unknown
from autovec.analysis.schedule_check import check_schedule
from autovec.ir.affine import Affine
from tests.enumeration import Actual, Instance, actual_dependences, element, goes_forward, grid, identity, instances

i, j, k, q, t, n, m = (Affine.name(name) for name in "ijkqtnm")
ZERO = Affine()
CONTEXT = (n, m)


def loop(key: int, variable: str, lower: Affine | int, upper: Affine | int, step: int = 1) -> LoopDomain:
    def form(bound: Affine | int) -> Affine:
        return Affine.number(bound) if isinstance(bound, int) else bound

    return LoopDomain(key, variable, (form(lower),), (form(upper),), step)


def read(cell: str, *subscripts: Affine | None, must: bool = True) -> Access:
    return Access(cell, False, subscripts, ("read", cell, subscripts), must)


def write(cell: str, *subscripts: Affine | None, must: bool = True) -> Access:
    return Access(cell, True, subscripts, ("write", cell, subscripts), must)


def one(loops: tuple[LoopDomain | Unknown, ...], *accesses: Access, conditions: tuple[Affine, ...] = ()) -> Statement:
    return Statement(0, loops, (0,) * (len(loops) + 1), accesses, conditions)


def lu() -> list[Statement]:
    rows, below, inner = loop(0, "i", 0, n), loop(1, "j", 0, i), loop(2, "k", 0, j)
    right, inner2 = loop(3, "q", i, n), loop(4, "t", 0, i)
    return [
        Statement(1, (rows, below, inner), (0, 0, 0, 0), (write("A", i, j), read("A", i, j), read("A", i, k), read("A", k, j))),
        Statement(2, (rows, below), (0, 0, 1), (write("A", i, j), read("A", i, j), read("A", j, j))),
        Statement(3, (rows, right, inner2), (0, 1, 0, 0), (write("A", i, q), read("A", i, q), read("A", i, t), read("A", t, q))),
    ]  # fmt: skip


def seidel() -> list[Statement]:
    loops = (loop(0, "t", 0, m), loop(1, "i", 1, n - 1), loop(2, "j", 1, n - 1))
    around = [read("A", i + di, j + dj) for di in (-1, 0, 1) for dj in (-1, 0, 1)]
    return [one(loops, write("A", i, j), *around)]


def fdtd() -> list[Statement]:
    time = loop(0, "t", 0, m)
    a, b = loop(1, "i", 1, n), loop(2, "j", 0, n)
    c, d = loop(3, "k", 0, n - 1), loop(4, "q", 0, n)
    return [
        Statement(0, (time, a, b), (0, 0, 0, 0), (write("ey", i, j), read("ey", i, j), read("hz", i, j), read("hz", i - 1, j))),
        Statement(1, (time, c, d), (0, 1, 0, 0), (write("hz", k, q), read("hz", k, q), read("ey", k + 1, q), read("ey", k, q))),
    ]  # fmt: skip


def symm() -> list[Statement]:
    rows, columns, inner = loop(0, "i", 0, m), loop(1, "j", 0, n), loop(2, "k", 0, i)
    return [
        Statement(0, (rows, columns), (0, 0, 0), (write("s"),)),
        Statement(1, (rows, columns, inner), (0, 0, 1, 0), (write("C", k, j), read("C", k, j), read("B", i, j), read("A", i, k))),
        Statement(2, (rows, columns, inner), (0, 0, 1, 1), (write("s"), read("s"), read("B", k, j), read("A", i, k))),
        Statement(3, (rows, columns), (0, 0, 2), (write("C", i, j), read("C", i, j), read("B", i, j), read("s"))),
    ]  # fmt: skip


NAMED = {
    "independent": [one((loop(0, "i", 0, n),), write("a", i), read("b", i))],
    "recurrence": [one((loop(0, "i", 1, n),), write("a", i), read("a", i - 1))],
    "read ahead": [one((loop(0, "i", 0, n - 1),), write("a", i), read("a", i + 1))],
    "scalar": [one((loop(0, "i", 0, n),), write("s"), read("s"), read("a", i))],
    "triangular": [one((loop(0, "i", 0, n), loop(1, "j", i + 1, n)), write("a", i, j), read("a", j, i), read("a", i, i))],
    "reversed": [one((loop(0, "i", n - 1, -1, -1),), write("a", i), read("a", i - 1))],
    "reversed ahead": [one((loop(0, "i", n - 2, -1, -1),), write("a", i), read("a", i + 1))],
    "stepped": [one((loop(0, "i", 0, n, 2),), write("a", i), read("a", i + 1), read("a", i - 4))],
    "stepped from j": [one((loop(1, "j", 0, m), loop(0, "i", j, n, 3)), write("a", i), read("a", i + 3))],
    "stepped down": [one((loop(0, "i", n, 0, -2),), write("a", i), read("a", i + 2), read("a", i + 1))],
    "two bounds": [
        one((loop(1, "j", 0, m), LoopDomain(0, "i", (j - 1, ZERO), (n, j + 2), 1)), write("a", i), read("a", i - 1))
    ],
    "two starts, stepped": [
        one((loop(1, "j", 0, m), LoopDomain(0, "i", (j - 1, ZERO), (n, j + 4), 2)), write("a", i), read("a", i - 2))
    ],
    "condition": [one((loop(0, "i", 0, n), loop(1, "j", 0, n)), write("a", i), read("a", j), conditions=(j - i - 1,))],
    "reversal in place": [one((loop(0, "i", 0, n),), write("a", i), read("a", n - 1 - i))],
    "double": [one((loop(0, "i", 0, n),), write("a", i * 2), read("a", i))],
    "middle": [one((loop(0, "i", 0, m),), write("a", i), read("a", n))],
    "constant elements": [one((loop(0, "i", 0, n),), write("a", ZERO), read("a", ZERO + 1), write("a", ZERO + 2))],
    "rows": [one((loop(0, "i", 1, n), loop(1, "j", 0, m)), write("a", i, j), read("a", i - 1))],
    "lu": lu(),
    "seidel": seidel(),
    "fdtd": fdtd(),
    "symm": symm(),
    "imperfect": [
        Statement(0, (loop(0, "i", 0, n),), (0, 0), (write("a", i),)),
        Statement(1, (loop(0, "i", 0, n), loop(1, "j", 0, i)), (0, 1, 0), (write("a", j), read("a", i), read("b", j))),
        Statement(2, (loop(0, "i", 0, n),), (0, 2), (write("b", i), read("a", i - 1))),
        Statement(3, (), (1,), (read("a", n - 1), write("b", ZERO))),
    ],
    "siblings": [
        Statement(0, (loop(0, "i", 0, n),), (0, 0), (write("a", i),)),
        Statement(1, (loop(1, "j", n - 1, -1, -1),), (1, 0), (write("b", j), read("a", j + 1))),
    ],
}  # fmt: skip
LARGEST = {"seidel": 5, "lu": 4, "symm": 4, "fdtd": 4}


def everything_that_happens(statements: list[Statement], largest: int, **private: int) -> list[Actual]:
    return [d for values in grid("nm", largest) for d in actual_dependences(statements, values, private)]


@pytest.mark.parametrize("name", NAMED)
def test_exact_where_affine(name: str) -> None:
    statements = NAMED[name]
    found = dependences(statements, CONTEXT)
    happened = everything_that_happens(statements, LARGEST.get(name, 7))
    assert {identity(d) for d in found} == {d.identity for d in happened}
    assert len({identity(d) for d in found}) == len(found)
    for dependence in found:
        distances = {d.distance for d in happened if d.identity == identity(dependence)}
        for position, distance in enumerate(dependence.distance):
            assert distance is None or {distance} == {d[position] for d in distances}


def test_distance_counts_iterations() -> None:
    def of(name: str) -> set[tuple[DependenceKind, tuple[int | None, ...]]]:
        return {(d.kind, d.distance) for d in dependences(NAMED[name], CONTEXT)}

    assert of("recurrence") == {(DependenceKind.FLOW, (1,))}
    assert of("reversed") == {(DependenceKind.ANTI, (1,))}
    assert of("stepped") == {(DependenceKind.FLOW, (2,))}
    assert of("stepped down") == {(DependenceKind.FLOW, (1,))}
    assert (DependenceKind.FLOW, (0, 1, -1)) in of("seidel")
    assert of("scalar") == {(kind, (None,)) for kind in DependenceKind}


def test_the_context_is_used() -> None:
    statements = [one((loop(0, "i", 0, n),), write("a", i), read("a", i + m))]
    assert {d.kind for d in dependences(statements)} == {DependenceKind.FLOW, DependenceKind.ANTI}
    assert {d.kind for d in dependences(statements, (m,))} == {DependenceKind.ANTI}
    assert not dependences(statements, (m - n,))


def test_a_private_cell_carries_nothing_outside() -> None:
    loops = (loop(0, "i", 0, n), loop(1, "j", 0, m))
    statements = [
        Statement(0, loops[:1], (0, 0), (write("s"),)),
        Statement(1, loops, (0, 1, 0), (write("s"), read("s"), read("a", i, j))),
        Statement(2, loops[:1], (0, 2), (write("b", i), read("s"))),
    ]
    found = dependences(statements, CONTEXT, private={"s": 1})
    assert {identity(d) for d in found} == {d.identity for d in everything_that_happens(statements, 4, s=1)}
    assert 0 not in {d.level for d in found}
    assert 0 in {d.level for d in dependences(statements, CONTEXT)}


def test_names_of_isl_are_only_names() -> None:
    mod, floor, größe = Affine.name("mod"), Affine.name("floor"), Affine.name("größe")
    statement = one((LoopDomain(0, "mod", (floor,), (größe,), 1),), write("max", mod), read("max", mod - 1))
    assert [d.distance for d in dependences([statement])] == [(1,)]


def test_out_of_operations_may_depend() -> None:
    for name in ("lu", "symm", "imperfect", "stepped down"):
        exact = {identity(d) for d in dependences(NAMED[name], CONTEXT)}
        for limit in (1, 300, 3000):
            assert exact <= {identity(d) for d in dependences(NAMED[name], CONTEXT, max_operations=limit)}
    graph = analyse(lu(), CONTEXT, max_operations=1)
    assert {d.distance[:1] for d in graph.dependences} >= {(None,), (0,)}
    assert not check_schedule(graph, LU_ROWS)
    assert len(dependences(NAMED["recurrence"], CONTEXT)) == 1


# ---- random programs ---------------------------------------------------------------------------------------------

VARIABLES = "ijk"


@st.composite
def forms(draw: st.DrawFn, names: str, low: int = -2, high: int = 2) -> Affine:
    chosen = draw(st.lists(st.sampled_from(names), max_size=2, unique=True)) if names else []
    terms = {name: draw(st.sampled_from([1, 1, 1, -1, 2, -2])) for name in chosen}
    return Affine.of(terms, draw(st.integers(low, high)))


@st.composite
def loops_at(draw: st.DrawFn, key: int, depth: int, exactly: bool) -> LoopDomain | Unknown:
    variable = f"{VARIABLES[depth]}{key}"
    outer = "n" + draw(st.sampled_from(["", "m"]))
    shape = draw(st.integers(0, 9))
    if shape == 0 and not exactly:
        return Unknown(key, variable)
    step = draw(st.sampled_from([1, 1, 1, -1, 2, -2, 3]))
    low, high = draw(forms("", -1, 1)), draw(forms(outer))
    lower, upper = ((low,), (high,)) if step > 0 else ((high,), (low,))
    if shape == 1 and not exactly:
        lower = ()
    if shape == 2 and not exactly:
        upper = ()
    if shape == 3:
        lower = (*lower, draw(forms("n")))
    if shape == 4:
        upper = (*upper, draw(forms("n")))
    return LoopDomain(key, variable, lower, upper, step)


@st.composite
def programs(draw: st.DrawFn, exactly: bool = False) -> list[Statement]:
    statements: list[Statement] = []
    keys = iter(range(100))

    def body(loops: tuple[LoopDomain | Unknown, ...], position: tuple[int, ...]) -> None:
        for place in range(draw(st.integers(1, 2))):
            if len(statements) >= 3:
                return
            if len(loops) < 3 and draw(st.booleans()):
                inner = draw(loops_at(next(keys), len(loops), exactly))
                if isinstance(inner, LoopDomain) and loops and draw(st.booleans()) and inner.upper:
                    bound = Affine.name(loops[-1].variable) + draw(st.integers(-1, 1))
                    upper, lower = inner.upper, inner.lower
                    if inner.step > 0:
                        upper = (bound,)
                    else:
                        lower = (bound,)
                    inner = LoopDomain(inner.key, inner.variable, lower, upper, inner.step)
                body((*loops, inner), (*position, place))
            else:
                statements.append(statement(loops, (*position, place)))

    def subscript(loops: tuple[LoopDomain | Unknown, ...]) -> Affine | None:
        if not exactly and draw(st.integers(0, 7)) == 0:
            return None
        names = [x.variable for x in loops] + ["n"]
        terms = {
            name: draw(st.sampled_from([1, 1, -1, 2])) for name in draw(st.lists(st.sampled_from(names), max_size=2))
        }
        return Affine.of(terms, draw(st.integers(-2, 2)))

    def statement(loops: tuple[LoopDomain | Unknown, ...], position: tuple[int, ...]) -> Statement:
        accesses: list[Access] = []
        for number in range(draw(st.integers(1, 3))):
            cell = draw(st.sampled_from("aabs"))
            rank = {"a": 1, "b": draw(st.sampled_from([2, 2, 2, 1])), "s": 0}[cell]
            subscripts = tuple(subscript(loops) for _ in range(rank))
            must = exactly or draw(st.integers(0, 3)) > 0
            accesses.append(Access(cell, draw(st.booleans()), subscripts, (len(statements), number), must))
        conditions: tuple[Affine, ...] = ()
        if loops and draw(st.integers(0, 4)) == 0:
            conditions = (draw(forms("nm")) + Affine.name(loops[-1].variable),)
        return Statement(len(statements), loops, position, tuple(accesses), conditions)

    body((), ())
    return statements


@settings(max_examples=150, deadline=None)
@given(programs(), st.integers(0, 10**6), st.sampled_from([{}, {"s": 1}, {"a": 1}]))
def test_none_is_missed(statements: list[Statement], seed: int, private: dict[str, int]) -> None:
    found = {identity(d): d.distance for d in dependences(statements, CONTEXT, private)}
    for values in grid("nm", 3):
        for actual in actual_dependences(statements, values, private, seed):
            assert actual.identity in found, actual
            expected = found[actual.identity]
            assert all(e is None or e == d for e, d in zip(expected, actual.distance, strict=True)), actual


# ---- schedules ---------------------------------------------------------------------------------------------------

LU_ROWS = {
    1: Schedule((("loop", 0), ("loop", 2), ("const", 1), ("loop", 1)), frozenset({3})),
    2: Schedule((("loop", 0), ("loop", 1), ("const", 0))),
    3: Schedule((("loop", 0), ("loop", 4), ("const", 1), ("loop", 3)), frozenset({3})),
}


def test_lu_by_rows_is_legal() -> None:
    graph = analyse(lu(), CONTEXT)
    assert check_schedule(graph, LU_ROWS)
    as_written = {
        1: Schedule((("loop", 0), ("const", 0), ("loop", 1), ("const", 0), ("loop", 2))),
        2: Schedule((("loop", 0), ("const", 0), ("loop", 1), ("const", 1))),
        3: Schedule((("loop", 0), ("const", 1), ("loop", 3), ("const", 0), ("loop", 4))),
    }
    assert check_schedule(graph, as_written)
    division_last = {**LU_ROWS, 2: Schedule((("loop", 0), ("loop", 1), ("const", 2)))}
    assert not check_schedule(graph, division_last)
    rows_at_once = {**LU_ROWS, 1: Schedule(LU_ROWS[1].dims, frozenset({0, 3}))}
    assert not check_schedule(graph, rows_at_once)
    assert not check_schedule(graph, {1: LU_ROWS[1], 2: LU_ROWS[2]})


def test_seidel_skewed_is_legal_and_interchanged_is_not() -> None:
    graph = analyse(seidel(), CONTEXT)
    assert check_schedule(graph, {0: Schedule((t, i * 2 + j, i), frozenset({2}))})
    assert not check_schedule(graph, {0: Schedule((t, j, i))})
    assert not check_schedule(graph, {0: Schedule((t, i, j), frozenset({2}))})


def test_an_anti_dependence_forbids_the_interchange() -> None:
    graph = analyse(
        [
            one(
                (loop(0, "i", 0, n - 1), loop(1, "j", 1, m)),
                write("a", i, j),
                read("a", i, j - 1),
                read("a", i + 1, j - 1),
            )
        ]
    )
    assert not check_schedule(graph, {0: Schedule((("loop", 1), ("loop", 0)))})
    assert not check_schedule(graph, {0: Schedule((("loop", 1), ("loop", 0)), frozenset({1}))})
    assert check_schedule(graph, {0: Schedule((("loop", 0), ("loop", 1)))})


def test_lanes_read_before_they_write() -> None:
    vector = {0: Schedule((("loop", 0),), frozenset({0}))}
    assert check_schedule(analyse(NAMED["read ahead"], CONTEXT), vector)
    assert not check_schedule(analyse(NAMED["recurrence"], CONTEXT), vector)
    assert check_schedule(analyse(NAMED["reversed"], CONTEXT), vector)
    assert not check_schedule(analyse(NAMED["reversed"], CONTEXT), {0: Schedule((i,))})
    assert check_schedule(analyse(NAMED["reversed"], CONTEXT), {0: Schedule((-i,))})


def test_accumulators_may_coincide() -> None:
    loops = (loop(0, "i", 0, n), loop(1, "j", 0, m))
    total = one(loops, write("s"), read("s"), read("a", i, j))
    keys = {a.key for a in total.accesses[:2]}
    graph = analyse([total], CONTEXT)
    at_once = {0: Schedule((("loop", 0), ("loop", 1)), frozenset({0, 1}))}
    interchanged = {0: Schedule((("loop", 1), ("loop", 0)), frozenset({1}))}
    assert not check_schedule(graph, at_once)
    assert check_schedule(graph, at_once, keys)
    assert not check_schedule(graph, interchanged, keys)
    assert check_schedule(graph, interchanged, keys, unordered=keys)


@st.composite
def scheduled(draw: st.DrawFn) -> tuple[list[Statement], dict[int, Schedule]]:
    statements = draw(programs())
    schedules: dict[int, Schedule] = {}
    for s in statements:
        dims: list = [("const", s.position[0])]
        for one_loop, position in zip(draw(st.permutations(s.loops)), s.position[1:], strict=True):
            dims += [("loop", one_loop.key), ("const", position)]
        vector = draw(st.sets(st.sampled_from(range(len(dims))))) if draw(st.booleans()) else set()
        schedules[s.key] = Schedule(tuple(dims), frozenset(v for v in vector if dims[v][0] == "loop"))
    return statements, schedules


@settings(max_examples=150, deadline=None)
@given(scheduled(), st.integers(0, 10**6))
def test_an_accepted_schedule_keeps_all_that_happens(
    program: tuple[list[Statement], dict[int, Schedule]], seed: int
) -> None:
    statements, schedules = program
    graph = analyse(statements, CONTEXT)
    if check_schedule(graph, schedules):
        for values in grid("nm", 3):
            for actual in actual_dependences(statements, values, None, seed):
                assert goes_forward(actual, schedules), actual


# ---- words and elements ------------------------------------------------------------------------------------------


def test_words() -> None:
    statements = NAMED["recurrence"]
    (flow,) = dependences(statements, CONTEXT)
    texts = {flow.source_access.key: "a[i]", flow.sink_access.key: "a[i - 1]"}
    assert describe(flow, texts) == "a[i - 1] reads what a[i] wrote in the iteration before"
    assert describe(flow, texts, "i") == "a[i - 1] reads what a[i] wrote in the iteration of i before"
    kinds = {d.kind: describe(d, {}) for d in dependences(NAMED["scalar"], CONTEXT)}
    assert kinds[DependenceKind.FLOW] == "s reads what it wrote in an earlier iteration"
    assert kinds[DependenceKind.ANTI] == "s overwrites what it read in an earlier iteration"


def test_same_element_and_disjoint() -> None:
    s = one((loop(0, "i", 0, n), loop(1, "j", 0, i)))
    assert same_element(s, read("a", i, j), write("a", i, j))
    assert not same_element(s, read("a", i, j), write("a", i, j), fixed={"i"})
    assert same_element(s, read("a", i), write("a", i), fixed={"i"})
    assert not same_element(s, read("a", None), write("a", None))
    assert disjoint(s, read("a", i), write("a", j))
    assert disjoint(s, read("a", i, i), write("a", i, j))
    assert not disjoint(s, read("a", i), write("a", j), fixed=())
    assert not disjoint(s, read("a", i), write("a", None))
    assert disjoint(s, read("a", i + 1, None), write("a", i))
    assert not disjoint(s, read("a", i), write("a", n - 1))
    assert disjoint(s, read("a", j), write("a", n - 1))
    assert disjoint(s, read("a", i), read("b", i))
    assert not same_element(s, read("a", i), write("b", i))
    point = one((loop(0, "i", n, n + 1),))
    assert same_element(point, read("a", i), write("a", n))


@settings(max_examples=120, deadline=None)
@given(programs(), st.sets(st.integers(0, 2)), st.integers(0, 10**6))
def test_elements_against_brute_force(statements: list[Statement], depths: set[int], seed: int) -> None:
    for s in statements:
        fixed = {x.variable for depth, x in enumerate(s.loops) if depth in depths}
        for a, b in itertools.product(s.accesses, repeat=2):
            if a.cell != b.cell or len(a.subscripts) != len(b.subscripts):
                continue
            same, never = same_element(s, a, b, fixed, CONTEXT), disjoint(s, a, b, fixed, CONTEXT)
            if not same and not never:
                continue
            for sizes in grid("nm", 3):
                ran = instances(s, sizes, seed)
                for x, y in itertools.product(ran, repeat=2):
                    if have_equal(x, y, fixed):
                        touch = element(a, x, seed) == element(b, y, seed)
                        assert touch if same else not touch


def have_equal(x: Instance, y: Instance, names: set[str]) -> bool:
    return all(dict(x.values)[name] == dict(y.values)[name] for name in names)


def test_islpy_is_imported_at_the_first_question() -> None:
    modules = ("dependence", "schedule_check", "in_range", "elements", "value_flow", "dependence_text")
    program = "import sys\n" + "".join(f"import autovec.analysis.{name}\n" for name in modules)
    subprocess.run([sys.executable, "-c", program + "assert 'islpy' not in sys.modules"], check=True)
