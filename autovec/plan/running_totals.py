"""Sums and products of Python ints over a loop: an estimate is kept beside them, so that the loop stays a reduction.

    s = 0                                  s = 0;  size = 0.0
    for i in range(n):              -->    for i in range(n):
        s = s + x[i]                           size = size + |float(x[i])|
                                               s = s + x[i]
                                           fault size >= 2**61

The size of the steps bounds every partial total. Where sizes alone bound it (`s = s + i`), nothing is kept: the bound
is asked once, before the loops. Needs: within the loops the total is read by its own updates alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from autovec.analysis.integer_facts import Facts
from autovec.analysis.intervals import INT64
from autovec.analysis.value_ranges import ValueRanges
from autovec.diagnostics import Span
from autovec.ir.nodes import Alloc, Apply, Cast, Const, Def, Expr, Fault, For, Load, Select, Stmt, Store, Unit, While
from autovec.ir.types import FLOAT, INT
from autovec.ir.walk import expressions, loads, statements, walk
from autovec.plan.estimates import Magnitudes, apply, as_float, is_beyond

# A sum of floats may lose an eighth to rounding over 2**50 steps; half of what an estimate may reach is left for it.
LIMIT = 2.0**61
BOUND_LIMIT = 2.0**63 * 0.999  # of a bound that holds for every partial total
NOTHING = {"add": 0.0, "multiply": 1.0}


@dataclass
class RunningTotal:
    """A cell that loops only add to, or only multiply."""

    cell: str
    op: str  # add or multiply
    nests: frozenset[int]  # ids of the loops beside its allocation that update it
    bound: Expr | None  # of all partial totals, over sizes; None: an estimate is kept
    estimate: str = ""
    limit: float = LIMIT

    def holds(self, expr: Expr) -> bool:
        """Is it an update of the total, so that the estimate looks after it?"""
        return growth(expr, self.cell, self.op) is not None

    def beginning(self, made: Alloc) -> Alloc:
        return Alloc(self.estimate, self.size(made.init), FLOAT, made.span, self.estimate)

    def size(self, value: Expr) -> Expr:
        whole = apply("absolute", as_float(value))
        return whole if self.op == "add" else apply("maximum", Const(1.0, FLOAT), whole)

    def growing(self, update: Store) -> Store:
        """The update of the estimate, beside that of the total."""
        step = growth(update.value, self.cell, self.op)
        assert step is not None
        value = Apply(self.op, (Load(self.estimate, (), FLOAT), step), FLOAT)
        return Store(self.estimate, (), value, update.guard, update.span)

    def ending(self, span: Span) -> Fault:
        return Fault(is_beyond(Load(self.estimate, (), FLOAT), self.limit), None, span, "a Python int beyond int64")


def growth(expr: Expr, cell: str, op: str) -> Expr | None:
    """How far one update moves the total, as a float: the sum of its addends' sizes, the product of its factors'."""
    match expr:
        case Load(cell=name, index=()) if name == cell:
            return Const(NOTHING[op], FLOAT)
        case Cast(arg=arg) if arg.type == expr.type:
            return growth(arg, cell, op)
        case Select(condition=condition, yes=yes, no=no):
            a, b = growth(yes, cell, op), growth(no, cell, op)
            if a is None or b is None or reads(condition, cell):
                return None
            return Select(condition, a, b, FLOAT)
        case Apply(op=found, args=(left, right)) if found == op or (found == "subtract" and op == "add"):
            first, second = growth(left, cell, op), growth(right, cell, op)
            if (first is None) == (second is None) or (second is not None and found == "subtract"):
                return None
            inner, other = (first, right) if first is not None else (second, left)
            assert inner is not None
            if reads(other, cell):
                return None
            size = apply("absolute", as_float(other))
            return apply(op, inner, size if op == "add" else apply("maximum", Const(1.0, FLOAT), size))
        case _:
            return None


def reads(expr: Expr, cell: str) -> bool:
    return any(load.cell == cell for load in loads(expr))


def running_totals(unit: Unit, ranges: ValueRanges) -> dict[str, RunningTotal]:
    """The totals of a unit that may leave int64 and can be looked after by a size."""
    found: dict[str, RunningTotal] = {}
    outer = {s.name for s in unit.sizes} | {s.name for s in unit.body if isinstance(s, Def)}
    for block in blocks(unit.body):
        for statement in block:
            if isinstance(statement, Alloc) and statement.type == INT:
                total = running_total(statement, block, ranges, outer, is_outermost=block is unit.body)
                if total is not None:
                    found[statement.name] = total
    return found


def blocks(body: Sequence[Stmt]) -> Iterator[Sequence[Stmt]]:
    """The body, and the bodies of all loops in it."""
    yield body
    for statement in body:
        if isinstance(statement, For | While):
            yield from blocks(statement.body)


def running_total(
    made: Alloc, block: Sequence[Stmt], ranges: ValueRanges, outer: set[str], is_outermost: bool
) -> RunningTotal | None:
    """The total that an allocation begins; None where it surely fits, or is used for more than adding up."""
    cell = made.name
    updates = [s for s in statements(block) if isinstance(s, Store) and s.cell == cell]
    nests = [s for s in block if isinstance(s, For | While) and any(u is t for u in updates for t in statements((s,)))]
    inside = [t for nest in nests for t in statements((nest,))]
    op = operation_of(updates, cell)
    if op is None or not nests or any(not any(u is t for t in inside) for u in updates):
        return None
    if fits(cell, op, updates, ranges):
        return None
    if any(own_reads(t, cell) != all_reads(t, cell) for t in inside):
        return None
    ids = frozenset(map(id, nests))
    bound = bound_over_sizes(made, op, nests, ranges, outer) if is_outermost else None
    return RunningTotal(cell, op, ids, bound, limit=LIMIT if bound is None else BOUND_LIMIT)


def operation_of(updates: Sequence[Store], cell: str) -> str | None:
    """What all the updates do."""
    for op in ("add", "multiply"):
        if updates and all(u.value.type == INT and growth(u.value, cell, op) is not None for u in updates):
            return op
    return None


def fits(cell: str, op: str, updates: Sequence[Store], ranges: ValueRanges) -> bool:
    """Is it proved that no update leaves int64?"""
    if op == "add":
        return cell not in ranges.overflowing
    for update in updates:
        facts = ranges.before[id(update)].assuming(update.guard)
        for part in walk(update.value):
            if isinstance(part, Apply) and part.op == "multiply" and growth(part, cell, op) is not None:
                exact = facts.exact(part, python=True)
                if exact is None or not exact.within(INT64):
                    return False
    return True


def own_reads(statement: Stmt, cell: str) -> int:
    """How often the total is read by an update of its own; its guard is no part of that."""
    if not isinstance(statement, Store) or statement.cell != cell:
        return 0
    if statement.guard is not None and reads(statement.guard, cell):
        return 0
    return all_reads(statement, cell)


def all_reads(statement: Stmt, cell: str) -> int:
    return sum(load.cell == cell for e in expressions(statement) for load in loads(e))


def bound_over_sizes(
    made: Alloc, op: str, nests: Sequence[For | While], ranges: ValueRanges, outer: set[str]
) -> Expr | None:
    """The start, and for each update its largest step times its iterations; None where sizes don't tell."""
    if op != "add":
        return None
    total = Magnitudes(ranges.before[id(made)], outer, {}).of(made.init)
    for nest in nests:
        for loops, update in updates_in(nest, made.name):
            more = largest_step(made.name, loops, update, ranges.before[id(update)], outer)
            if total is None or more is None:
                return None
            total = apply("add", total, more)
    return total


def largest_step(cell: str, loops: Sequence[For | While], update: Store, facts: Facts, outer: set[str]) -> Expr | None:
    """What one update can add in all iterations of its loops."""
    step = growth(update.value, cell, "add")
    around = {loop.variable: loop for loop in loops if isinstance(loop, For)}
    if step is None or len(around) != len(loops):
        return None
    magnitudes = Magnitudes(facts, outer, around)
    size = magnitudes.of(step)
    for loop in loops:
        assert isinstance(loop, For)
        trips = magnitudes.of_trips(loop)
        size = None if size is None or trips is None else apply("multiply", size, trips)
    return size


def updates_in(nest: For | While, cell: str) -> Iterator[tuple[tuple[For | While, ...], Store]]:
    """The updates of a cell in a nest, each with the loops around it."""
    for statement in nest.body:
        if isinstance(statement, For | While):
            for loops, update in updates_in(statement, cell):
                yield (nest, *loops), update
        elif isinstance(statement, Store) and statement.cell == cell:
            yield (nest,), statement
