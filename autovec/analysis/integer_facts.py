"""What is known of integers at one place of a unit: intervals, affine forms of values, what holds between them.

In: expressions. Out: their intervals, and whether a condition surely holds there, surely doesn't, or may.

A scalar cell is a name too, a new one after each store (`i@3`): so that forms and conditions stay true of it. A number
that may be Python's or NumPy's has an interval for either: the first must fit int64, the second wraps.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

import numpy as np

from autovec.analysis.integer_values import (
    CHECKED,
    CONSTANT,
    FROM_ELEMENTS,
    LONGEST,
    POSITIONS,
    WITH_ZEROS,
    Value,
    as_type,
    has_python_int,
    is_integer,
    join,
)
from autovec.analysis.intervals import FAR, INT64, Interval, exactly, result_of
from autovec.analysis.promises import Promise, kept
from autovec.analysis.strides import Stride, is_element, is_multiple
from autovec.ir.affine import Affine
from autovec.ir.conditions import negation
from autovec.ir.intrinsics import COMPARISONS
from autovec.ir.nodes import Apply, Call, Cast, Const, Expr, Load, Ref, Select
from autovec.ir.types import INT, ScalarType, Type
from autovec.ir.walk import walk

MOST_STEPS = 6  # conditions that one proof may combine
LOOKS = 2  # definitions that are opened for what a condition tells of them
SHORT = 16  # nodes of a definition that is opened


@dataclass
class Facts:
    """What holds at one place. `forms` are over names that have no form themselves; `conditions` are each >= 0."""

    values: dict[str, Value] = field(default_factory=dict)
    forms: dict[str, Affine] = field(default_factory=dict)
    conditions: tuple[Affine, ...] = ()
    definitions: dict[str, Expr] = field(default_factory=dict)  # scalars in single assignment, over names
    versions: dict[str, str] = field(default_factory=dict)  # a scalar cell -> its name now
    elements: dict[str, Value] = field(default_factory=dict)  # an array cell -> any of its elements
    strides: dict[str, Stride] = field(default_factory=dict)  # a loop's variable -> the range whose rounds it counts
    promises: tuple[Promise, ...] = ()
    looks: int = 0  # how many definitions back a name is looked up, where a condition may tell more of it
    looked: bool = False  # is this within a definition that was opened? It has no more looks than are left

    def copy(self) -> Facts:
        return Facts(
            dict(self.values),
            dict(self.forms),
            self.conditions,
            dict(self.definitions),
            dict(self.versions),
            dict(self.elements),
            dict(self.strides),
            self.promises,
        )

    # ------------------------------------------------------------ intervals

    def interval(self, expr: Expr) -> Interval | None:
        """Where the values of an integer expression lie; None for other types."""
        value = self.value(expr)
        return None if value is None else value.whole

    def value(self, expr: Expr) -> Value | None:
        if not is_integer(expr.type):
            return None
        match expr:
            case Const(value=number):
                return as_type(exactly(int(number.real)), expr.type)
            case Ref(name=name):
                return self.named(name, expr.type)
            case Load(cell=cell):
                return self.loaded(cell, expr.type)
            case Cast(arg=arg):
                return self.cast(arg, expr.type)
            case Select(condition=condition, yes=yes, no=no):
                return self.chosen(condition, yes, no)
            case Apply():
                return self.applied(expr)
            case Call():
                return self.called(expr)

    def named(self, name: str, kind: Type) -> Value:
        known = self.values.get(name)
        value = known if known is not None else as_type(None, kind)
        form = self.forms.get(name)
        if form is not None:
            return value.meet(self.range_of(form))
        if self.looks and name in self.definitions and is_short(self.definitions[name]):
            again = replace(self, looks=self.looks - 1, looked=True).value(self.definitions[name])
            return value if again is None or again.whole is None else value.meet(again.whole)
        return value

    def loaded(self, cell: str, kind: Type) -> Value:
        if cell in self.versions:
            return self.named(self.versions[cell], kind)
        known = self.elements.get(cell)
        return as_type(None if known is None else known.whole, kind)

    def cast(self, arg: Expr, kind: Type) -> Value:
        inner = self.value(arg)
        if inner is None:
            return as_type(None, kind)
        if kind.dtype.kind == "b" and arg.type.dtype.kind != "b":
            return as_type(None, kind)
        source = arg.type.kinds if isinstance(arg.type, ScalarType) else frozenset()
        if isinstance(kind, ScalarType) and source and source <= kind.kinds and arg.type.dtype == kind.dtype:
            return inner  # only the type is wider: which kind it is remains
        return as_type(inner.whole, kind)

    def chosen(self, condition: Expr, yes: Expr, no: Expr) -> Value | None:
        truth = self.decide(condition)
        sides = [self.assuming(condition).value(yes)] if truth is not False else []
        sides += [self.assuming(negation(condition)).value(no)] if truth is not True else []
        if any(s is None for s in sides):
            return None
        first, *rest = (s for s in sides if s is not None)
        return first | rest[0] if rest else first

    def applied(self, expr: Apply) -> Value:
        if expr.type.dtype.kind == "b":
            truth = self.decide(expr)
            return as_type(None if truth is None else exactly(int(truth)), expr.type)
        operands = [self.value(arg) for arg in expr.args]
        python, numpy = (self.exact(expr, python=which, operands=operands) for which in (True, False))
        whole = as_type(numpy, expr.type)
        if not has_python_int(expr.type):
            return whole
        fits = python is not None and python.within(INT64)
        # a result that doesn't fit is checked before anybody reads it
        return Value(python if fits else (python or INT64).meet(CHECKED), whole.numpy)

    def called(self, expr: Call) -> Value:
        """What functions of whole arrays give that have no arithmetic of their own."""
        if expr.function in CONSTANT:
            return as_type(CONSTANT[expr.function], expr.type)
        if expr.function in POSITIONS:
            return as_type(Interval(0, LONGEST), expr.type)
        if expr.function not in FROM_ELEMENTS | WITH_ZEROS:
            return as_type(None, expr.type)
        total: Interval | None = exactly(0) if expr.function in WITH_ZEROS else None
        for arg in expr.args:
            inner = self.interval(arg)
            if inner is None:
                return as_type(None, expr.type)
            total = join(total, inner)
        return as_type(total, expr.type)

    def exact(self, expr: Apply, python: bool, operands: Sequence[Value | None] | None = None) -> Interval | None:
        """The unbounded result of an operation, taking the operands for Python's where they may be.

        `operands`: their values, where they are known already; each level would ask for them twice.
        """
        sides: list[Interval] = []
        for value in operands if operands is not None else [self.value(arg) for arg in expr.args]:
            side = None if value is None else (value.python or value.numpy if python else value.whole)
            if side is None:
                return None
            sides.append(side)
        found = result_of(expr.op, tuple(sides))
        ends = self.strided(expr)
        if found is not None and ends is not None:
            found = found.meet(Interval(self.range_of(ends[0]).low, self.range_of(ends[1]).high)) or found
        form = self.form(expr)
        if found is not None and form is not None:
            found = found.meet(self.range_of(form)) or found
        return found

    def strided(self, expr: Expr) -> tuple[Affine, Affine] | None:
        """The least and the greatest that a round of a range with a step can give, as forms."""
        multiple, element = is_multiple(expr, self.strides), is_element(expr, self.strides)
        stride = multiple or element
        if stride is None:
            return None
        start, stop, step = self.form(stride.start), self.form(stride.stop), self.form(stride.step)
        if start is None or stop is None or step is None or not self.at_least_zero(step - 1):
            return None
        return (start, stop - 1) if element else (Affine.number(0), stop - start - 1)

    def range_of(self, form: Affine) -> Interval:
        """The interval of an affine form over names."""
        total = exactly(form.constant)
        for name, factor in form.terms:
            whole = self.values[name].whole if name in self.values else None
            total = total + (whole or Interval(-FAR, FAR)).times(factor)
        return total

    # ------------------------------------------------------------ affine forms

    def form(self, expr: Expr) -> Affine | None:
        """A scalar integer as an affine form over names without forms; None where it isn't one."""
        if not isinstance(expr.type, ScalarType) or expr.type.dtype.kind not in "iu":
            return None
        match expr:
            case Const(value=number):
                return Affine.number(int(number.real))
            case Ref(name=name):
                return self.forms.get(name, Affine.name(name))
            case Load(cell=cell, index=()) if cell in self.versions:
                name = self.versions[cell]
                return self.forms.get(name, Affine.name(name))
            case Cast(arg=arg) if arg.type.dtype.kind in "iu" and keeps(arg.type, expr.type):
                return self.form(arg)
            case Apply(op="negative", args=(arg,)) if expr.type == INT:
                inner = self.form(arg)
                return None if inner is None else -inner
            case Apply(op="add" | "subtract" | "multiply" as op, args=(left, right)) if expr.type == INT:
                return combined(op, self.form(left), self.form(right))
            case _:
                return None

    def at_least_zero(self, form: Affine, steps: int = MOST_STEPS) -> bool:
        """Is form >= 0 here? One name after another is replaced by what is known to bound it."""
        if self.range_of(form).low >= 0:
            return True
        if steps == 0 or not form.terms:
            return False
        order = {name: k for k, name in enumerate(self.values)}
        for name, factor in sorted(form.terms, key=lambda t: -order.get(t[0], 0)):
            for condition in self.conditions:
                bound = condition.coefficient(name)
                if bound * factor > 0 and factor % bound == 0:
                    rest = form - condition * (factor // bound)
                    if len(rest.terms) <= len(form.terms) and self.at_least_zero(rest, steps - 1):
                        return True
        return False

    # ------------------------------------------------------------ conditions

    def decide(self, condition: Expr) -> bool | None:
        """True or False where the condition surely is; None where it may be either."""
        match condition:
            case Const(value=value):
                return bool(value)
            case Ref(name=name) if name in self.definitions:
                return self.decide(self.definitions[name])
            case Cast(arg=arg) if arg.type.dtype.kind == "b":
                return self.decide(arg)
            case Apply(op="logical_not", args=(arg,)) if arg.type.dtype.kind == "b":
                inner = self.decide(arg)
                return None if inner is None else not inner
            case Apply(op="logical_and", args=(left, right)):
                return self.both(left, right)
            case Apply(op="logical_or", args=(left, right)):
                neither = self.both(negation(left), negation(right))
                return None if neither is None else not neither
            case Apply(op=op, args=(left, right)) if op in COMPARISONS and is_integer(left.type):
                return self.compare(op, left, right)
            case _:
                return None

    def both(self, left: Expr, right: Expr) -> bool | None:
        first = self.decide(left)
        if first is False:
            return False
        second = self.assuming(left).decide(right)
        if second is False:
            return False
        return True if first and second else None

    def compare(self, op: str, left: Expr, right: Expr) -> bool | None:
        if not is_integer(right.type):
            return None
        match op:
            case "less":
                return self.is_below(left, right, 1)
            case "less_equal":
                return self.is_below(left, right, 0)
            case "greater":
                return self.is_below(right, left, 1)
            case "greater_equal":
                return self.is_below(right, left, 0)
            case _:
                apart = self.is_below(left, right, 1) or self.is_below(right, left, 1)
                together = self.is_below(left, right, 0) and self.is_below(right, left, 0)
                if apart or together:
                    return bool(apart) == (op == "not_equal")
                return None

    def is_below(self, left: Expr, right: Expr, distance: int) -> bool | None:
        """left + distance <= right?"""
        a, b = self.interval(left), self.interval(right)
        if a is not None and b is not None:
            if a.high + distance <= b.low:
                return True
            if a.low + distance > b.high:
                return False
        first, second = self.form(left), self.form(right)
        if first is None or second is None:
            return None
        gap = second - first - distance
        if self.at_least_zero(gap):
            return True
        return False if self.at_least_zero(-gap - 1) else None

    def assuming(self, condition: Expr | None) -> Facts:
        """What is known where the condition holds as well."""
        if condition is None:
            return self
        found = self.implied(condition)
        found = (*found, *(f for then in kept(self.promises, condition) for f in self.implied(then)))
        return self.also(found) if found else self

    def implied(self, condition: Expr) -> tuple[Affine, ...]:
        """Affine forms, each >= 0 where the condition holds."""
        match condition:
            case Ref(name=name) if name in self.definitions:
                return self.implied(self.definitions[name])
            case Cast(arg=arg) if arg.type.dtype.kind == "b":
                return self.implied(arg)
            case Apply(op="logical_not", args=(arg,)):
                inner = self.definitions.get(arg.name, arg) if isinstance(arg, Ref) else arg
                while isinstance(inner, Cast) and inner.arg.type.dtype.kind == "b":
                    inner = inner.arg
                opposite = negation(inner)
                if isinstance(opposite, Apply) and opposite.op == "logical_not":
                    if isinstance(inner, Apply) and inner.op == "logical_or":
                        return tuple(f for a in inner.args for f in self.implied(negation(a)))
                    return ()
                return self.implied(opposite)
            case Apply(op="logical_and", args=args):
                return tuple(f for a in args for f in self.implied(a))
            case Apply(op=op, args=(left, right)) if op in COMPARISONS:
                return self.compared(op, left, right)
            case _:
                return ()

    def compared(self, op: str, left: Expr, right: Expr) -> tuple[Affine, ...]:
        a, b = self.form(left), self.form(right)
        if a is None or b is None:
            return ()
        match op:
            case "less":
                return (b - a - 1,)
            case "less_equal":
                return (b - a,)
            case "greater":
                return (a - b - 1,)
            case "greater_equal":
                return (a - b,)
            case "equal":
                return (a - b, b - a)
            case _:
                gap = a - b
                ends = self.range_of(gap)
                return (gap - 1,) if ends.low == 0 else (-gap - 1,) if ends.high == 0 else ()

    def also(self, found: Iterable[Affine]) -> Facts:
        """With these forms >= 0; the intervals of their names are cut to what follows."""
        new = tuple(f for f in found if f.terms and f not in self.conditions)
        looks = self.looks if self.looked else LOOKS
        result = replace(self, values=dict(self.values), conditions=(*self.conditions, *new), looks=looks)
        for form in new:
            result.cut(form)
        return result

    def cut(self, form: Affine) -> None:
        """Narrow each name of a form that is >= 0."""
        for name, factor in form.terms:
            if name not in self.values:
                continue
            most = self.range_of(form - Affine.of({name: factor})).high  # factor * name >= -most
            bound = Interval(-(most // factor), FAR) if factor > 0 else Interval(-FAR, most // -factor)
            if bound.low <= bound.high:
                self.values[name] = self.values[name].meet(bound)


def is_short(expr: Expr) -> bool:
    return len(list(islice(walk(expr), SHORT + 1))) <= SHORT


def keeps(source: Type, target: Type) -> bool:
    """Does the cast keep every value? (uint64 to int64 is looked after by a Fault.)"""
    return bool(np.can_cast(source.dtype, target.dtype, "safe")) or target == INT


def combined(op: str, a: Affine | None, b: Affine | None) -> Affine | None:
    if a is None or b is None:
        return None
    match op:
        case "add":
            return a + b
        case "subtract":
            return a - b
        case _:
            if a.is_constant:
                return b * a.constant
            return a * b.constant if b.is_constant else None
