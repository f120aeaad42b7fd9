"""Updates that leave alone what they read, under a condition checked at run time.

    for k: for i: for j:
        P[i, j] = min(P[i, j], P[i, k] + P[k, j])

The write to row and column k in step k is what the other iterations read, so nothing is parallel as written. But there
the update is P[i, k] = min(P[i, k], P[i, k] + P[k, k]), which changes nothing if P[k, k] is not negative: under that
flag the step is one plane; where it fails the sequential lowering runs. The same for max and a value that isn't
positive. (Floyd, 1962; Warshall, 1962.)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from autovec.analysis.statements import Edge, Leaf, load_of
from autovec.ir.affine import Affine
from autovec.ir.conditions import affine_form
from autovec.ir.nodes import Apply, Const, Expr, For, Load, Point, Ref, Select, Store
from autovec.ir.types import BOOL, FLOAT, INT, element
from autovec.ir.walk import map_index, transform
from autovec.plan.reductions import COMPARED, OPPOSITE, bare, is_old


@dataclass(frozen=True, slots=True, eq=False)
class Speculation:
    """Reads of a statement that its own writes don't change while the conditions hold, for these axes at once."""

    reads: tuple[Load, ...]
    conditions: tuple[Expr, ...]
    axes: frozenset[str]

    def covers(self, edge: Edge) -> bool:
        """Is the dependence one between the write and a read that it leaves alone?"""
        accesses = (edge.source_access, edge.sink_access)
        return any(a is not None and self.leaves_alone(load_of(a)) for a in accesses)

    def leaves_alone(self, load: Load | None) -> bool:
        """Is it one of the reads that the writes don't change?"""
        return any(load is read for read in self.reads)


def speculation_of(leaf: Leaf, affine: Mapping[str, Affine]) -> Speculation | None:
    """The speculation that a store allows; None where it isn't such an update."""
    store = leaf.statement
    if not isinstance(store, Store) or leaf.guard is not None or not store.index:
        return None
    found = extreme_update(store)
    if found is None:
        return None
    op, terms = found
    variables = {n.variable for n in leaf.loops if isinstance(n, For)}
    axes = frozenset(v for v in variables if any(v in names(one, affine) for one in store.index))
    conditions: list[Expr] = []
    reads: list[Load] = []
    for term in terms:
        pair = (bare(term.args[0]), bare(term.args[1]))
        for read, other in (pair, pair[::-1]):
            if not isinstance(read, Load) or not isinstance(other, Load):
                return None
            if read.cell != store.cell and other.cell != store.cell:
                continue
            if read.cell != store.cell or other.cell != store.cell:
                return None
            corner = other_where_met(store, read, other, axes, affine)
            if corner is None:
                return None
            reads.append(read)
            harmless = condition(op, corner)
            if harmless not in conditions:
                conditions.append(harmless)
    return Speculation(tuple(reads), tuple(conditions), axes) if reads else None


def extreme_update(store: Store) -> tuple[str, list[Apply]] | None:
    """`X = min(X, A + B)` in either of Python's orders: the operation, and each copy of the sum in it."""
    value = bare(store.value)
    if isinstance(value, Apply) and value.op in ("minimum", "maximum"):
        sums = [bare(a) for a in value.args if not is_old(a, store)]
        op = value.op
    elif isinstance(value, Select) and isinstance(bare(value.condition), Apply):
        test = bare(value.condition)
        assert isinstance(test, Apply)
        if test.op not in COMPARED or len(test.args) != 2:
            return None
        # one that is less than the other is taken where it is less (or the other where it isn't): a minimum
        takes_first = bare(value.yes) == bare(test.args[0]) and bare(value.no) == bare(test.args[1])
        takes_second = bare(value.yes) == bare(test.args[1]) and bare(value.no) == bare(test.args[0])
        if not (takes_first or takes_second):
            return None
        op = COMPARED[test.op]
        if takes_second:
            op = OPPOSITE[op]
        sums = [bare(a) for a in (*test.args, value.yes, value.no) if not is_old(a, store)]
    else:
        return None
    if not sums or not all(isinstance(s, Apply) and s.op == "add" for s in sums):
        return None
    return op, [s for s in sums if isinstance(s, Apply)]


def names(one: object, affine: Mapping[str, Affine]) -> frozenset[str]:
    form = affine_form(one.at, affine) if isinstance(one, Point) else None
    return form.names if form is not None else frozenset()


def other_where_met(
    store: Store, read: Load, other: Load, axes: frozenset[str], affine: Mapping[str, Affine]
) -> Load | None:
    """The other operand in the iteration that writes what is read, if it is one element for the whole step.

    There the store's subscripts equal the read's: each gives one axis in terms of what runs.
    """
    values: dict[str, Expr] = {}
    for mine, theirs in zip(store.index, read.index, strict=True):
        if not isinstance(mine, Point) or not isinstance(theirs, Point) or theirs.wraps or mine.wraps:
            return None
        form, target = affine_form(mine.at, affine), affine_form(theirs.at, affine)
        if form is None or target is None:
            return None
        if form == target:
            continue
        if not isinstance(bare(mine.at), Ref) or form.names - axes or target.names & axes:
            return None
        (axis,) = form.names
        values[axis] = theirs.at
    corner = Load(other.cell, map_index(other.index, lambda e: put(e, values)), other.type, other.span)
    forms = [affine_form(p.at, affine) for p in corner.index if isinstance(p, Point)]
    if any(f is None or f.names & axes for f in forms):
        return None
    return corner


def put(expr: Expr, values: Mapping[str, Expr]) -> Expr:
    return transform(expr, lambda e: values.get(e.name, e) if isinstance(e, Ref) else e)


def condition(op: str, corner: Load) -> Expr:
    """What makes the update harmless: added to the old value, the corner can't win."""
    kind = element(corner.type)
    if kind.dtype.kind != "f":
        return Apply("equal", (corner, zero(kind.dtype.kind)), BOOL)
    limit = Const(float("inf"), FLOAT)
    if op == "minimum":
        not_negative = Apply("greater_equal", (corner, zero("f")), BOOL)
        return Apply("logical_and", (not_negative, Apply("less", (corner, limit), BOOL)), BOOL)
    not_positive = Apply("less_equal", (corner, zero("f")), BOOL)
    lowest = Apply("negative", (limit,), FLOAT)
    return Apply("logical_and", (not_positive, Apply("greater", (corner, lowest), BOOL)), BOOL)


def zero(kind: str) -> Const:
    return Const(0.0, FLOAT) if kind == "f" else Const(0, INT)
