"""Python ints never wrap: check what isn't proved to fit int64, and drop the checks that can't fail.

    fault n == 0              -->    (nothing)            where n >= 1 is known
    f = f * i                 -->    size = size * max(1, |i|);  f = f * i       ... after the loop: fault size >= 2**61
    a, b = b, a + b           -->    fault |float(a) + float(b)| >= 2**62;  ...
    x[i * n + j] = 0          -->    (asked of n before the call: n * n < 2**62)

In: a unit, after dead code is removed. Out: the unit with faults taken away and added, and what each call's sizes have
to fulfil. What is proved: see analysis/value_ranges.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from autovec.analysis.integer_facts import Facts
from autovec.analysis.integer_values import has_python_int
from autovec.analysis.intervals import INT64
from autovec.analysis.value_ranges import ValueRanges, value_ranges
from autovec.diagnostics import Span
from autovec.ir.affine import Affine
from autovec.ir.conditions import conjunction, negation
from autovec.ir.names import fresh_name
from autovec.ir.nodes import (
    Alloc,
    Apply,
    Const,
    Def,
    Expr,
    Fault,
    For,
    ListAlloc,
    Load,
    Point,
    Ref,
    Select,
    Stmt,
    Store,
    Subscript,
    Unit,
    While,
)
from autovec.ir.types import BOOL, ArrayType, Type
from autovec.ir.walk import children, expressions, map_statement, refs, statements, transform
from autovec.plan.dead_code import result_exprs
from autovec.plan.estimates import LIMIT, Magnitudes, SizeLimit, is_beyond, overflows
from autovec.plan.parts import dependants_of, guard_of, inner_refs, own_expressions, reached_always, span_of, uses_any
from autovec.plan.running_totals import RunningTotal, running_totals

BEYOND = "a Python int beyond int64"
CAN_OVERFLOW = frozenset("add subtract multiply negative absolute power square left_shift floor_divide gcd lcm".split())


def check_overflow(unit: Unit) -> tuple[Unit, tuple[SizeLimit, ...]]:
    """The unit in which every Python int fits int64, or the call is void; limits to be asked before a call."""
    ranges = value_ranges(unit)
    checker = Checker(unit, ranges, running_totals(unit, ranges))
    body = checker.block(unit.body, (), unconditional=True)
    for expr in result_exprs(unit.result):
        condition = checker.condition(expr, ranges.end)
        if condition is not None:
            body = (*body, Fault(condition, None, last_span(unit), BEYOND))
    return replace(unit, body=body), tuple(checker.limits)


def last_span(unit: Unit) -> Span:
    spans = [s.source.span if isinstance(s, For | While) else s.span for s in unit.body]
    return spans[-1] if spans else Span("", 0)


@dataclass
class Checker:
    """The pass over one unit. `before_nest` collects faults that go before the outermost loop."""

    unit: Unit
    ranges: ValueRanges
    totals: dict[str, RunningTotal]
    taken: set[str] = field(default_factory=set)
    types: dict[str, Type] = field(default_factory=dict)
    outer: set[str] = field(default_factory=set)  # names that no loop changes
    before_nest: list[Stmt] = field(default_factory=list)
    limits: list[SizeLimit] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.types = {p.name: p.type for p in self.unit.params}
        self.types |= {s.name: s.type for s in statements(self.unit.body) if isinstance(s, Alloc)}
        self.outer = {s.name for s in self.unit.sizes} | {s.name for s in self.unit.body if isinstance(s, Def)}
        self.taken = set(self.types) | {s.name for s in self.unit.sizes}
        for s in statements(self.unit.body):
            if isinstance(s, Def | Alloc | ListAlloc):
                self.taken.add(s.name)
            elif isinstance(s, For):
                self.taken.add(s.variable)

    # ------------------------------------------------------------ statements

    def block(self, body: Sequence[Stmt], loops: tuple[For | While, ...], unconditional: bool) -> tuple[Stmt, ...]:
        """Statements in order, each after the faults that protect it."""
        result: list[Stmt] = []
        waiting: list[tuple[str, str, Span]] = []  # a definition that may overflow, and the flag that says so
        for place, statement in enumerate(body):
            facts = self.ranges.before[id(statement)]
            if isinstance(statement, Fault) and self.is_needless(statement, facts):
                continue
            done = self.simplified(statement, facts)
            guard = guard_of(done)
            if not isinstance(statement, Def):
                # a definition may be computed where the original doesn't reach it: its uses decide
                found = {r for e in expressions(statement) for r in refs(e)} | inner_refs(statement)
                for _, flag, span in [w for w in waiting if w[0] in found]:
                    result.append(Fault(Ref(flag, BOOL), guard, span, BEYOND))
            made = self.checked(done, statement, facts, loops, unconditional, body[place + 1 :], waiting)
            if isinstance(statement, For | While) and not loops:
                result += self.before_nest
                self.before_nest = []
            result += made
        return tuple(result)

    def checked(
        self,
        done: Stmt,
        statement: Stmt,
        facts: Facts,
        loops: tuple[For | While, ...],
        unconditional: bool,
        rest: Sequence[Stmt],
        waiting: list[tuple[str, str, Span]],
    ) -> list[Stmt]:
        """One statement with its faults; bodies of loops are done here."""
        span = span_of(statement)
        guard = guard_of(done)
        here = facts.assuming(guard)
        skip = self.totals.get(statement.cell) if isinstance(statement, Store) else None
        before: list[Stmt] = []
        conditions = [c for e in own_expressions(done) if (c := self.condition(e, here, skip)) is not None]
        if guard is not None and (c := self.condition(guard, facts)) is not None:
            before.append(Fault(c, None, span, BEYOND))
        if conditions:
            condition = disjunction(conditions)
            if not self.hoisted(done, here, loops, unconditional and guard is None, skip):
                if isinstance(statement, Def):
                    before += self.protected(statement, condition, rest, waiting)
                else:
                    before.append(Fault(condition, guard, span, BEYOND))
        if isinstance(done, For | While):
            always = unconditional and guard is None and isinstance(done, For) and not done.live
            inner = self.block(done.body, (*loops, done), always)
            if isinstance(done, While) and conditions:
                inner = (*inner, Fault(disjunction(conditions), None, span, BEYOND))
            done = replace(done, body=inner)
        return [*before, *self.with_total(done, statement)]

    def protected(
        self, statement: Def, condition: Expr, rest: Sequence[Stmt], waiting: list[tuple[str, str, Span]]
    ) -> list[Stmt]:
        """The fault of a definition: at once where it is surely used, else before each use, under the use's guard."""
        dependants = dependants_of(statement.name, rest)
        users = [s for s in rest if not isinstance(s, Def) and uses_any(s, dependants) and self.needs(statement, s)]
        returned = {r for e in result_exprs(self.unit.result) for r in refs(e)}
        guards = [guard_of(s) for s in users]
        if not users and not dependants & returned and any(uses_any(s, dependants) for s in rest):
            return []  # under the guards of its uses it fits
        sure = not users or bool(dependants & returned)
        sure = sure or any(g is None or not dependants.isdisjoint(refs(g)) for g in guards)
        if sure:
            return [Fault(condition, None, statement.span, BEYOND)]
        flag = self.fresh(f"{statement.name}_overflows")
        waiting += [(name, flag, statement.span) for name in sorted(dependants)]
        return [Def(flag, condition, statement.span, flag)]

    def needs(self, made: Def, user: Stmt) -> bool:
        """May the definition leave int64 where the user's guard holds?"""
        guard = guard_of(user)
        if guard is None:
            return True
        facts = self.ranges.before[id(user)].assuming(guard)
        return self.condition(facts.definitions.get(made.name, made.expr), facts) is not None

    def with_total(self, done: Stmt, statement: Stmt) -> list[Stmt]:
        """A running total's estimate is kept beside it, and asked after the loop."""
        match statement:
            case Alloc(name=name) if name in self.totals and self.totals[name].bound is None:
                total = self.totals[name]
                total.estimate = self.fresh(f"{name}_size")
                return [done, total.beginning(statement)]
            case Store(cell=cell) if cell in self.totals and self.totals[cell].bound is None:
                assert isinstance(done, Store)
                return [self.totals[cell].growing(done), done]
            case For() | While():
                ended = [t for t in self.totals.values() if id(statement) in t.nests]
                span = span_of(statement)
                first = [f for t in ended if t.bound for f in self.limit(t.bound, t.limit, span)]
                return [*first, done, *(t.ending(span) for t in ended if t.bound is None)]
            case _:
                return [done]

    def fresh(self, hint: str) -> str:
        """A name that the unit has not."""
        return fresh_name(hint, self.taken)

    # ------------------------------------------------------------ checks

    def condition(self, expr: Expr, facts: Facts, skip: RunningTotal | None = None) -> Expr | None:
        """Where evaluating the expression leaves int64; None where it surely doesn't."""
        match expr:
            case Select(condition=test, yes=yes, no=no) if not isinstance(test.type, ArrayType):
                return either(
                    self.condition(test, facts),
                    under(test, self.condition(yes, facts.assuming(test), skip)),
                    under(negation(test), self.condition(no, facts.assuming(negation(test)), skip)),
                )
            case Apply(op="logical_and" | "logical_or" as op, args=(left, right)) if not isinstance(
                expr.type, ArrayType
            ):
                reached = left if op == "logical_and" else negation(left)
                return either(
                    self.condition(left, facts), under(reached, self.condition(right, facts.assuming(reached)))
                )
            case _:
                own = overflows(expr) if isinstance(expr, Apply) and self.may_overflow(expr, facts, skip) else None
                return either(*(self.condition(c, facts, skip) for c in children(expr)), own)

    def may_overflow(self, expr: Apply, facts: Facts, skip: RunningTotal | None) -> bool:
        """Can this operation itself leave int64?"""
        if expr.op not in CAN_OVERFLOW or not has_python_int(expr.type):
            return False
        if skip is not None and skip.holds(expr):
            return False
        exact = facts.exact(expr, python=True)
        return exact is None or not exact.within(INT64)

    def hoisted(
        self, done: Stmt, facts: Facts, loops: tuple[For | While, ...], unconditional: bool, skip: RunningTotal | None
    ) -> bool:
        """Ask once, before the loops, where the sizes alone bound what may overflow."""
        if not loops or not unconditional:
            return False
        around = {loop.variable: loop for loop in loops if isinstance(loop, For)}
        magnitudes = Magnitudes(facts, self.outer, around)
        sizes: list[Expr] = []
        for expr in own_expressions(done):
            for part in reached_always(expr):
                if isinstance(part, Apply) and self.may_overflow(part, facts, skip):
                    size = magnitudes.of_parts(part)
                    if size is None or isinstance(size, Const):
                        return False
                    sizes.append(size)
                elif isinstance(part, Select) or (isinstance(part, Apply) and part.op in ("logical_and", "logical_or")):
                    if self.condition(part, facts, skip) is not None:
                        return False
        faults = [f for size in sizes for f in self.limit(size, LIMIT, span_of(done))]
        self.before_nest += [f for f in faults if f not in self.before_nest]
        return True

    def limit(self, size: Expr, limit: float, span: Span) -> list[Stmt]:
        """Ask that a magnitude be less: of the call's sizes, or by a fault where it holds values of the program."""
        if set(refs(size)) <= {s.name for s in self.unit.sizes}:
            asked = SizeLimit(size, limit)
            self.limits += [asked] if asked not in self.limits else []
            return []
        return [Fault(is_beyond(size, limit), None, span, BEYOND)]

    # ------------------------------------------------------------ what is proved

    def is_needless(self, fault: Fault, facts: Facts) -> bool:
        """Can it never happen? The frontend's own checks of int64 are replaced by those made here."""
        if fault.reason == BEYOND or (fault.guard is not None and facts.decide(fault.guard) is False):
            return True
        return facts.assuming(fault.guard).decide(fault.condition) is False

    def simplified(self, statement: Stmt, facts: Facts) -> Stmt:
        """Without the parts of its guard that surely hold; subscripts in range are marked so."""
        guard = guard_of(statement)
        here = facts.assuming(guard)
        done = map_statement(statement, lambda e: transform(e, lambda x: self.settled(x, here)))
        if isinstance(done, Store):
            done = replace(done, index=self.in_range(done.cell, done.index, here))
        if guard is None or isinstance(done, Def | Alloc | ListAlloc):
            return done
        return replace(done, guard=without_certain(guard, facts))

    def settled(self, expr: Expr, facts: Facts) -> Expr:
        """A load with the subscripts that are proved in range marked so."""
        if isinstance(expr, Load):
            return replace(expr, index=self.in_range(expr.cell, expr.index, facts))
        return expr

    def in_range(self, cell: str, index: Sequence[Subscript], facts: Facts) -> tuple[Subscript, ...]:
        """Subscripts that are proved to lie between zero and the size of their axis count from the front."""
        kind = self.types.get(cell)
        if kind is None or len(kind.shape) != len(index):
            return tuple(index)
        result: list[Subscript] = []
        for one, size in zip(index, kind.shape, strict=True):
            if isinstance(one, Point) and one.wraps and is_inside(one.at, size, facts):
                one = Point(one.at, checked=True)
            result.append(one)
        return tuple(result)


def is_inside(at: Expr, size: Affine, facts: Facts) -> bool:
    """Is `0 <= at < size` proved?"""
    limit = Affine.number(size.constant)
    for name, factor in size.terms:
        limit = limit + facts.forms.get(name, Affine.name(name)) * factor
    form = facts.form(at)
    if form is not None:
        return facts.at_least_zero(form) and facts.at_least_zero(limit - form - 1)
    ends = facts.strided(at)
    if ends is not None and facts.at_least_zero(ends[0]) and facts.at_least_zero(limit - ends[1] - 1):
        return True
    interval = facts.interval(at)
    return interval is not None and interval.low >= 0 and interval.high < facts.range_of(limit).low


def without_certain(guard: Expr, facts: Facts) -> Expr | None:
    """The conjunction without members that surely hold."""
    if facts.decide(guard) is True:
        return None
    if isinstance(guard, Apply) and guard.op == "logical_and":
        left = without_certain(guard.args[0], facts)
        right = without_certain(guard.args[1], facts.assuming(guard.args[0]))
        if left is None or right is None:
            return left or right
        return conjunction(left, right)
    return guard


# ---------------------------------------------------------------- conditions


def either(*conditions: Expr | None) -> Expr | None:
    known = list(dict.fromkeys(c for c in conditions if c is not None))
    return disjunction(known) if known else None


def disjunction(conditions: Sequence[Expr]) -> Expr:
    """Any of the conditions."""
    total, *rest = conditions
    for condition in rest:
        total = Apply("logical_or", (total, condition), BOOL)
    return total


def under(test: Expr, condition: Expr | None) -> Expr | None:
    return None if condition is None else conjunction(test, condition)
