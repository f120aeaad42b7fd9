"""Intervals of all integers of a unit, by abstract interpretation of its statements (Cousot & Cousot, 1977).

In: a unit. Out: `ValueRanges`: the `Facts` at each statement, and which running sums may leave int64.

What a loop stores is iterated a few times, then widened. A scalar that a loop only adds to is bounded otherwise: by
what it starts from and the largest step times `MOST_TRIPS`, so that counts and sums of small numbers are known to fit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from autovec.analysis.integer_facts import Facts
from autovec.analysis.integer_values import ANYTHING, CHECKED, LONGEST, Value, as_type, is_integer
from autovec.analysis.intervals import INT64, Interval, exactly, widened
from autovec.analysis.promises import promise_of
from autovec.analysis.strides import stride_of
from autovec.ir.affine import Affine
from autovec.ir.conditions import negation
from autovec.ir.nodes import (
    Alloc,
    Append,
    Apply,
    Cast,
    Const,
    Def,
    Expr,
    Fault,
    For,
    ListAlloc,
    Load,
    Ref,
    Select,
    Stmt,
    Store,
    Unit,
    While,
)
from autovec.ir.types import INT, ArrayType, ScalarType
from autovec.ir.walk import statements, transform

MOST_TRIPS = 2**50  # no loop runs as often: at a nanosecond each it would take a fortnight
TRIES = 12  # widening ends sooner: each end of an interval has a few marks to stop at


@dataclass(frozen=True, slots=True)
class ValueRanges:
    """`before` has the facts at each statement, by its `id`; `end` those after the last one."""

    before: Mapping[int, Facts]
    end: Facts
    overflowing: frozenset[str]  # running sums that aren't proved to stay in int64


def value_ranges(unit: Unit) -> ValueRanges:
    walker = Walker({s.name for s in statements(unit.body) if isinstance(s, Alloc) and s.type == INT})
    walker.sums = {s.cell for s in statements(unit.body) if isinstance(s, Store) and walker.is_running_sum(s)}
    facts = start(unit)
    walker.block(unit.body, facts)
    return ValueRanges(walker.before, facts, frozenset(c for c in walker.sums if not walker.is_bounded(c)))


def start(unit: Unit) -> Facts:
    """What is known when the call begins."""
    facts = Facts()
    for param in unit.params:
        if isinstance(param.type, ScalarType) and is_integer(param.type):
            facts.values[param.name] = as_type(None, param.type)
    for size in unit.sizes:
        is_axis = any(axis is not None for _, axis in size.origins)
        facts.values[size.name] = Value(Interval(0 if is_axis else -LONGEST, LONGEST), None)
    for size in unit.sizes:
        if size.derived is not None:
            facts.values[size.name] = facts.value(size.derived) or Value(INT64, None)
    return facts.also(unit.facts)


@dataclass
class Walker:
    """The interpreter. `steps` and `starts` of running sums hold for the unit as a whole and only grow."""

    ints: set[str]
    sums: set[str] = field(default_factory=set)
    before: dict[int, Facts] = field(default_factory=dict)
    steps: dict[str, Interval] = field(default_factory=dict)
    starts: dict[str, Interval] = field(default_factory=dict)
    rounds: int = 0  # of the loop being iterated; late ones widen
    count: int = 0

    # ------------------------------------------------------------ statements

    def block(self, body: Sequence[Stmt], facts: Facts) -> None:
        """Interpret statements in order; `facts` becomes what holds after them."""
        previous: Stmt | None = None
        for statement in body:
            self.before[id(statement)] = facts.copy()
            match statement:
                case Def():
                    self.define(statement, facts)
                case Alloc():
                    self.allocate(statement, facts)
                case Store():
                    self.store(statement, facts)
                case Fault(condition=condition, guard=None):
                    become(facts, facts.assuming(negation(condition)))
                case For() | While():
                    self.loop(statement, facts, previous)
                case Fault() | Append() | ListAlloc():
                    facts.promises += promise_of(statement) if isinstance(statement, Fault) else ()
            previous = statement

    def define(self, statement: Def, facts: Facts) -> None:
        value = facts.value(statement.expr)
        if value is None:
            return
        name = statement.name
        form = facts.form(statement.expr)
        facts.values.pop(name, None)  # put last: it is the youngest name
        facts.values[name] = value
        facts.forms.pop(name, None)
        if form is not None:
            facts.forms[name] = form
        if isinstance(statement.expr.type, ScalarType):
            facts.definitions[name] = frozen(statement.expr, facts)
            if form is None:
                become(facts, facts.also(bounds_of(name, statement.expr, facts)))

    def allocate(self, statement: Alloc, facts: Facts) -> None:
        if not is_integer(statement.type):
            return
        value = facts.value(statement.init) or as_type(None, statement.type)
        if isinstance(statement.type, ArrayType):
            facts.elements[statement.name] = as_type(value.whole, statement.type)
        elif statement.name in self.sums:
            self.begin(statement.name, value)
            self.renew(statement.name, self.sum_of(statement.name), None, facts)
        else:
            self.renew(statement.name, value, facts.form(statement.init), facts)

    def store(self, statement: Store, facts: Facts) -> None:
        cell = statement.cell
        here = facts.assuming(statement.guard)
        value = here.value(statement.value)
        if cell in facts.elements:
            facts.elements[cell] = facts.elements[cell] | (value or ANYTHING)
        elif cell in self.sums:
            step = step_of(statement.value, cell, here)
            if step is None:
                self.begin(cell, value or ANYTHING)
            else:
                self.step(cell, step)
            self.renew(cell, self.sum_of(cell), None, facts)
        elif cell in facts.versions and value is not None:
            if statement.guard is None:
                self.renew(cell, value, facts.form(statement.value), facts)
            else:
                old = facts.values[facts.versions[cell]]
                self.renew(cell, old | value, None, facts)

    def renew(self, cell: str, value: Value, form: Affine | None, facts: Facts) -> None:
        """A new name for what the cell holds from now on."""
        self.count += 1
        name = f"{cell}@{self.count}"
        facts.versions[cell] = name
        facts.values[name] = value
        if form is not None:
            facts.forms[name] = form

    # ------------------------------------------------------------ running sums

    def is_running_sum(self, statement: Store) -> bool:
        return statement.cell in self.ints and step_of(statement.value, statement.cell, Facts()) is not None

    def begin(self, cell: str, value: Value) -> None:
        found = value.whole or INT64
        old = self.starts.get(cell)
        both = found if old is None else old | found
        self.starts[cell] = widened(old, both) if old is not None and self.rounds > 2 else both

    def step(self, cell: str, step: Interval) -> None:
        old = self.steps.get(cell, exactly(0))
        self.steps[cell] = widened(old, old | step) if self.rounds > 2 else old | step

    def bound_of(self, cell: str) -> Interval:
        return self.starts.get(cell, INT64) + (self.steps.get(cell, exactly(0)) | exactly(0)).times(MOST_TRIPS)

    def is_bounded(self, cell: str) -> bool:
        return self.bound_of(cell).within(CHECKED)

    def sum_of(self, cell: str) -> Value:
        """Where the sum lies, at any time: it has taken no more steps than there are trips."""
        if self.is_bounded(cell):
            return Value(self.bound_of(cell), None)
        return Value(INT64, None)

    # ------------------------------------------------------------ loops

    def loop(self, statement: For | While, facts: Facts, previous: Stmt | None) -> None:
        stored = {s.cell for s in statements(statement.body) if isinstance(s, Store)}
        cells = [c for c in facts.versions if c in stored]
        arrays = [c for c in facts.elements if c in stored]
        outer_rounds = self.rounds
        for k in range(TRIES):
            self.rounds = max(outer_rounds, k)
            before = (dict(self.steps), dict(self.starts), contents(facts, cells, arrays))
            body = self.entered(statement, facts, cells, previous)
            self.block(statement.body, body)
            self.take_in(facts, body, cells, arrays, widen=k > 2)
            if before == (self.steps, self.starts, contents(facts, cells, arrays)):
                break
        else:
            self.give_up(statement, facts, cells, arrays, previous)
        self.rounds = outer_rounds
        self.after(facts, cells)
        if isinstance(statement, While):
            self.before[id(statement)] = facts.copy()  # its condition is evaluated before each trip

    def entered(self, statement: For | While, facts: Facts, cells: Sequence[str], previous: Stmt | None) -> Facts:
        """At the start of any trip."""
        body = facts.assuming(statement.guard).copy()
        self.after(body, cells)
        if isinstance(statement, While):
            become(body, body.assuming(statement.condition))
            tested = asked_before_each_trip(statement, previous)
            become(body, body.assuming(tested))
            return body
        body.values.pop(statement.variable, None)
        body.values[statement.variable] = Value(INT64, None)
        body.strides |= stride_of(statement, body.definitions)
        become(body, body.also(bounds_of_variable(statement, body, facts)))
        return body

    def after(self, facts: Facts, cells: Sequence[str]) -> None:
        """What the loop stores to has new names."""
        for cell in cells:
            value = self.sum_of(cell) if cell in self.sums else facts.values[facts.versions[cell]]
            self.renew(cell, value, None, facts)

    def take_in(self, facts: Facts, body: Facts, cells: Sequence[str], arrays: Sequence[str], widen: bool) -> None:
        """Join what a trip leaves into what is known of every trip's start."""
        for cell in cells:
            old, new = facts.values[facts.versions[cell]], body.named(body.versions[cell], INT)
            self.renew(cell, widened_value(old, old | new) if widen else old | new, None, facts)
        for cell in arrays:
            old, new = facts.elements[cell], body.elements[cell]
            facts.elements[cell] = widened_value(old, old | new) if widen else old | new

    def give_up(
        self, statement: For | While, facts: Facts, cells: Sequence[str], arrays: Sequence[str], previous: Stmt | None
    ) -> None:
        """Nothing is known of what the loop stores, but its type."""
        for cell in cells:
            old = facts.values[facts.versions[cell]]
            self.renew(cell, Value(old.python and INT64, old.numpy and ANYTHING.numpy), None, facts)
            if cell in self.sums:
                self.starts[cell] = self.steps[cell] = INT64
        for cell in arrays:
            facts.elements[cell] = ANYTHING
        self.block(statement.body, self.entered(statement, facts, cells, previous))


def become(facts: Facts, other: Facts) -> None:
    """Let `facts` be the other."""
    if other is not facts:
        facts.values, facts.forms, facts.conditions = other.values, other.forms, other.conditions
        facts.definitions, facts.versions, facts.elements = other.definitions, other.versions, other.elements
        facts.strides, facts.promises = other.strides, other.promises


def contents(facts: Facts, cells: Sequence[str], arrays: Sequence[str]) -> list[Value]:
    return [facts.values[facts.versions[c]] for c in cells] + [facts.elements[c] for c in arrays]


def widened_value(old: Value, new: Value) -> Value:
    python = new.python if old.python is None or new.python is None else widened(old.python, new.python)
    numpy = new.numpy if old.numpy is None or new.numpy is None else widened(old.numpy, new.numpy)
    return Value(python, numpy)


# ---------------------------------------------------------------- what statements say


def frozen(expr: Expr, facts: Facts) -> Expr:
    """The expression with scalar cells replaced by the names of what they hold now: it means the same later on."""

    def freeze(e: Expr) -> Expr:
        if isinstance(e, Load) and not e.index and e.cell in facts.versions:
            return Ref(facts.versions[e.cell], e.type)
        return e

    return transform(expr, freeze)


def step_of(expr: Expr, cell: str, facts: Facts) -> Interval | None:
    """What the expression adds to an earlier value of the cell; None where it isn't such a sum."""
    match expr:
        case Load(cell=name, index=()) if name == cell:
            return exactly(0)
        case Ref(name=name):
            if name.startswith(f"{cell}@"):
                return exactly(0)
            return step_of(facts.definitions[name], cell, facts) if name in facts.definitions else None
        case Cast(arg=arg) if arg.type.dtype == expr.type.dtype:
            return step_of(arg, cell, facts)
        case Select(condition=condition, yes=yes, no=no):
            sides = (
                step_of(yes, cell, facts.assuming(condition)),
                step_of(no, cell, facts.assuming(negation(condition))),
            )
            return None if sides[0] is None or sides[1] is None else sides[0] | sides[1]
        case Apply(op="add" | "subtract" as op, args=(left, right)) if expr.type == INT:
            first = step_of(left, cell, facts)
            if first is not None:
                more = facts.interval(right) or INT64
                return first + (more if op == "add" else -more)
            second = step_of(right, cell, facts) if op == "add" else None
            return None if second is None else second + (facts.interval(left) or INT64)
        case _:
            return None


def bounds_of(name: str, expr: Expr, facts: Facts) -> tuple[Affine, ...]:
    """Affine forms >= 0 that bound a new name by others."""
    own = Affine.name(name)
    match expr:
        case Cast(arg=arg) if arg.type.dtype.kind in "iu" and expr.type == INT:
            return bounds_of(name, arg, facts)
        case Apply(op="remainder", args=(left, right)):
            divisor = facts.form(right)
            if divisor is None or not facts.at_least_zero(divisor - 1):
                return ()
            dividend = facts.form(left)
            low = facts.interval(left)
            known = (own, divisor - own - 1)
            if dividend is not None and low is not None and low.low >= 0:
                known = (*known, dividend - own)
            return known
        case Apply(op="floor_divide", args=(left, Const(value=int() as divisor))) if divisor > 0:
            dividend = facts.form(left)
            if dividend is None:
                return ()
            return (dividend - own * divisor, own * divisor - dividend + (divisor - 1))
        case Select(condition=condition, yes=yes, no=no):
            return bounds_of_choice(own, facts.assuming(condition), yes, facts.assuming(negation(condition)), no)
        case Apply(op="minimum" | "maximum" as op, args=(left, right)):
            forms = [f for f in (facts.form(left), facts.form(right)) if f is not None]
            return tuple(f - own if op == "minimum" else own - f for f in forms)
        case _:
            ends = facts.strided(expr)
            return () if ends is None else (own - ends[0], ends[1] - own)


def bounds_of_choice(own: Affine, yes_facts: Facts, yes: Expr, no_facts: Facts, no: Expr) -> tuple[Affine, ...]:
    """`a if c else b` lies below (above) a if b does so where it is taken, and the other way round: min and max."""
    a, b = yes_facts.form(yes), no_facts.form(no)
    if a is None or b is None:
        return ()
    found: list[Affine] = []
    for form in (a, b):
        if yes_facts.at_least_zero(form - a) and no_facts.at_least_zero(form - b):
            found.append(form - own)
        if yes_facts.at_least_zero(a - form) and no_facts.at_least_zero(b - form):
            found.append(own - form)
    return tuple(found)


def bounds_of_variable(loop: For, body: Facts, facts: Facts) -> tuple[Affine, ...]:
    """Affine forms >= 0 that the bounds of a loop give its variable; a bound without a form gets a name in `body`."""
    own = Affine.name(loop.variable)
    found: list[Affine] = []
    for k, end in enumerate((*loop.start, *loop.stop)):
        form = facts.form(end)
        if form is None:
            name = f"{loop.variable}@{k}"
            body.values[name] = facts.value(end) or Value(INT64, None)
            form = Affine.name(name)
            found += bounds_of(name, end, facts)
        is_first = (k < len(loop.start)) == (loop.step > 0)
        distance = 0 if k < len(loop.start) else 1
        found.append(own - form - distance if is_first else form - own - distance)
    return tuple(found)


def asked_before_each_trip(loop: While, previous: Stmt | None) -> Expr | None:
    """The test that a flag stands for: stored just before the loop and at the end of its body.

    go <- c; while go: ...; go <- go and c        c holds at the start of every trip
    """
    last = loop.body[-1] if loop.body else None
    if not (isinstance(last, Store) and isinstance(previous, Store) and isinstance(loop.condition, Load)):
        return None
    if not (last.cell == previous.cell == loop.condition.cell and last.guard is None and previous.guard is None):
        return None
    again, first = last.value, previous.value
    if isinstance(again, Apply) and again.op == "logical_and" and isinstance(again.args[0], Load):
        again = again.args[1]
    return first if again == first else None
