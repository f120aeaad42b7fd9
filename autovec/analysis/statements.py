"""The statements of a unit as the dependence analysis sees them: loops, positions, accesses.

Values in single assignment give no accesses: a definition simply comes before its uses in the same iteration. Cells
that are allocated inside loops are private to the iterations of those loops.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from itertools import count

from autovec.analysis.dependence import DependenceGraph, analyse
from autovec.analysis.model import Access, Loop, LoopDomain, Statement, Unknown
from autovec.ir.affine import Affine
from autovec.ir.conditions import affine_form, conditions_of, conjunction
from autovec.ir.nodes import (
    Alloc,
    Append,
    Def,
    Expr,
    Fault,
    For,
    ListAlloc,
    Load,
    Point,
    Stmt,
    Store,
    Subscript,
    Unit,
    While,
)
from autovec.ir.walk import expressions, loads, refs, walk

Nest = For | While
Simple = Def | Alloc | Store | Append | ListAlloc | Fault


@dataclass(frozen=True, slots=True, eq=False)
class Leaf:
    """A statement that is no loop, in its loops; `guard` is what it and the loops around it are conditional on."""

    key: int
    statement: Simple
    loops: tuple[Nest, ...]
    position: tuple[int, ...]
    guard: Expr | None

    @property
    def depth(self) -> int:
        return len(self.loops)


class Order(Enum):
    """Why one statement must come after another."""

    VALUE = "value"  # it reads a value that the other defines
    FLOW = "flow"
    ANTI = "anti"
    OUTPUT = "output"
    TRIP = "trip"  # the loop runs in order: no axis can be made of it
    SCOPE = "scope"  # both touch a name that is private to one iteration of a loop that runs


@dataclass(frozen=True, slots=True, eq=False)
class Edge:
    """The sink comes after the source: in a later iteration of loop `level` (of the common ones), or in the same."""

    source: int
    sink: int
    level: int | None
    cell: str
    source_access: Access | None = None
    sink_access: Access | None = None
    kind: Order = Order.VALUE


@dataclass(frozen=True, slots=True, eq=False)
class Program:
    """The leaves of a unit, the cells' depths, and all that must stay in order."""

    unit: Unit
    leaves: tuple[Leaf, ...]
    depth_of: Mapping[str, int]  # loops around the allocation of a cell or the definition of a value
    affine: Mapping[str, Affine]
    edges: tuple[Edge, ...]
    graph: DependenceGraph
    domains: Mapping[int, tuple[Loop, ...]] = field(default_factory=dict)

    def leaf(self, key: int) -> Leaf:
        return self.leaves[key]


def analyse_unit(unit: Unit, affine: Mapping[str, Affine]) -> Program:
    """Flatten the unit and find every dependence among its statements."""
    leaves = tuple(flatten(unit.body, (), (), None, count()))
    depth_of = depths(unit, leaves)
    loops = {id(n): n for leaf in leaves for n in leaf.loops}
    keys = {ident: k for k, ident in enumerate(loops)}
    model = tuple(as_statement(leaf, keys, depth_of, affine) for leaf in leaves)
    private = {name: depth for name, depth in depth_of.items() if depth}
    graph = analyse(model, unit.facts, private)
    edges = [
        Edge(d.source, d.sink, d.level, d.source_access.cell, d.source_access, d.sink_access, Order(d.kind.value))
        for d in graph.dependences
    ]
    edges += value_edges(leaves)
    return Program(unit, leaves, depth_of, affine, tuple(edges), graph, {s.key: s.loops for s in model})


def flatten(
    body: Sequence[Stmt], loops: tuple[Nest, ...], position: tuple[int, ...], guard: Expr | None, keys: Iterator[int]
) -> Iterator[Leaf]:
    """The leaves of a block, keys in the order of the text: loops and guards are collected on the way in."""
    for place, statement in enumerate(body):
        here = (*position, place)
        if isinstance(statement, For | While):
            inner = guard if statement.guard is None else conjunction(guard, statement.guard)
            yield from flatten(statement.body, (*loops, statement), here, inner, keys)
        else:
            own = statement.guard if isinstance(statement, Store | Append | Fault) else None
            both = guard if own is None else conjunction(guard, own)
            yield Leaf(next(keys), statement, loops, here, both if not isinstance(statement, Def) else None)


def depths(unit: Unit, leaves: Sequence[Leaf]) -> dict[str, int]:
    """How many loops are around the place where each cell and value is made."""
    found = {p.name: 0 for p in unit.params}
    for leaf in leaves:
        if isinstance(leaf.statement, Def | Alloc | ListAlloc):
            found[leaf.statement.name] = leaf.depth
    return found


def value_edges(leaves: Sequence[Leaf]) -> Iterator[Edge]:
    """From each definition to its uses, bounds and guards of loops included, and from each new cell, also in loops of
    no iteration: the program is written in an order in which every name is made before it is used."""
    made = {leaf.statement.name: leaf.key for leaf in leaves if isinstance(leaf.statement, Def)}
    cells = {leaf.statement.name: leaf.key for leaf in leaves if isinstance(leaf.statement, Alloc | ListAlloc)}
    for leaf in leaves:
        used = {r for e in all_expressions(leaf) for r in refs(e)}
        for name in sorted(used & made.keys()):
            yield Edge(made[name], leaf.key, None, name)
        touched = read_cells(leaf)
        if isinstance(leaf.statement, Store | Append):
            touched.add(leaf.statement.cell)
        for name in sorted(touched & cells.keys()):
            yield Edge(cells[name], leaf.key, None, name)


def all_expressions(leaf: Leaf) -> Iterator[Expr]:
    """What a leaf evaluates, and what the loops around it do."""
    yield from expressions(leaf.statement)
    if leaf.guard is not None:
        yield leaf.guard
    for loop in leaf.loops:
        yield from expressions(loop)


def read_cells(leaf: Leaf) -> set[str]:
    """Cells that a leaf loads from, or that decide when a loop around it ends."""
    loaded = {load.cell for e in all_expressions(leaf) for load in loads(e)}
    return loaded | {n.live for n in leaf.loops if isinstance(n, For) and n.live}


# ---------------------------------------------------------------- as the model sees it


def as_statement(
    leaf: Leaf, keys: Mapping[int, int], depth_of: Mapping[str, int], affine: Mapping[str, Affine]
) -> Statement:
    """A leaf for the dependence analysis: its domain, its accesses, and the affine part of what it depends on."""
    variables = {n.variable for n in leaf.loops if isinstance(n, For)}
    scope = Forms(variables, depth_of, affine)
    loops = tuple(loop_domain(n, keys[id(n)], scope) for n in leaf.loops)
    conditions = tuple(
        c for c in (conditions_of(leaf.guard, affine) if leaf.guard is not None else ()) if scope.is_known(c)
    )
    return Statement(leaf.key, loops, leaf.position, tuple(accesses(leaf, scope)), conditions)


@dataclass(frozen=True, slots=True)
class Forms:
    """Which affine forms mean the same throughout the loops: those over loop variables and what is made outside."""

    variables: set[str]
    depth_of: Mapping[str, int]
    affine: Mapping[str, Affine]

    def is_known(self, form: Affine) -> bool:
        return all(n in self.variables or self.depth_of.get(n, 0) == 0 for n in form.names)

    def of(self, expr: Expr) -> Affine | None:
        form = affine_form(expr, self.affine)
        return form if form is not None and self.is_known(form) else None


def loop_domain(nest: Nest, key: int, scope: Forms) -> Loop:
    """The values of a loop's variable, as far as affine bounds tell."""
    if isinstance(nest, While):
        return Unknown(key, f"trip{key}")
    lower = tuple(f for f in map(scope.of, nest.start) if f is not None)
    upper = tuple(f for f in map(scope.of, nest.stop) if f is not None)
    return LoopDomain(key, nest.variable, lower, upper, nest.step)


def accesses(leaf: Leaf, scope: Forms) -> Iterator[Access]:
    """Reads first, in order; then the write. A slice may touch any element of its axis."""
    loaded = 0
    must = leaf.guard is None
    for expr in (*expressions(leaf.statement), *((leaf.guard,) if leaf.guard is not None else ())):
        for e in walk(expr):
            if isinstance(e, Load):
                yield Access(e.cell, False, subscripts(e.index, scope), (leaf.key, "read", loaded, e), must)
                loaded += 1
    for nest in leaf.loops:
        if isinstance(nest, For) and nest.live:
            yield Access(nest.live, False, (), (leaf.key, "live", loaded), False)
        if isinstance(nest, For):  # its bounds are read before it begins: all the more before what is in it
            for e in (e for bound in (*nest.start, *nest.stop) for e in loads(bound)):
                yield Access(e.cell, False, subscripts(e.index, scope), (leaf.key, "bound", loaded), False)
        if isinstance(nest, While):
            for e in walk(nest.condition):
                if isinstance(e, Load):
                    yield Access(e.cell, False, (), (leaf.key, "live", loaded), False)
    match leaf.statement:
        case Store(cell=cell, index=index):
            yield Access(cell, True, subscripts(index, scope), (leaf.key, "write"), must)
        case Alloc(name=name) | ListAlloc(name=name):
            yield Access(name, True, (), (leaf.key, "write"), must)
        case Append(cell=cell):
            yield Access(cell, False, (), (leaf.key, "length"), must)
            yield Access(cell, True, (), (leaf.key, "write"), must)
        case _:
            return


def load_of(access: Access) -> Load | None:
    """The load that an access of `accesses` stands for; None for a write, a loop's condition, the length of a list."""
    match access.key:
        case (_, "read", _, Load() as load):
            return load
        case _:
            return None


def subscripts(index: Sequence[Subscript], scope: Forms) -> tuple[Affine | None, ...]:
    """The element along each axis as a form; None where it may be any."""
    points = [one if isinstance(one, Point) and one.checked and not one.wraps else None for one in index]
    return tuple(None if one is None else scope.of(one.at) for one in points)
