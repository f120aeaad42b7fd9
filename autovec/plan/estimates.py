"""Float64 estimates of integers: does a result fit int64, and how large can it get in all iterations of its loops?

    h * 31                           -->    float(h) * 31.0               (its value, up to rounding)
    i * n + j    (i < n, j < m)      -->    float(n) * float(n) + float(m)    (no more than this, over sizes alone)

Beyond 2**62 counts as not fitting: rounding is smaller than what is left up to 2**63 (RUNTIME.md, the transaction).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from autovec.analysis.integer_facts import Facts
from autovec.ir.affine import Affine
from autovec.ir.nodes import Apply, Cast, Const, Expr, For, Ref, Select
from autovec.ir.types import BOOL, FLOAT, INT

LIMIT = 2.0**62
SMALL = 2**32  # bounds up to here are used as they are; sizes give better ones than larger numbers
HIGHEST_POWER = 8
FOLDED: dict[str, Callable[[list[float]], float]] = {
    "add": math.fsum,
    "multiply": math.prod,
    "absolute": lambda sides: abs(sides[0]),
    "maximum": max,
}


def as_float(value: Expr) -> Expr:
    return Const(float(value.value.real), FLOAT) if isinstance(value, Const) else Cast(value, FLOAT)


def apply(op: str, *args: Expr) -> Expr:
    """A float operation; numbers are computed now."""
    known = [float(a.value.real) for a in args if isinstance(a, Const)]
    if len(known) == len(args) and op in FOLDED:
        return Const(FOLDED[op](known), FLOAT)
    neutral = {"add": 0.0, "multiply": 1.0}.get(op)
    if neutral is not None and neutral in known:
        return args[1] if isinstance(args[0], Const) and args[0].value == neutral else args[0]
    if op == "maximum" and args[0] == args[1]:
        return args[0]
    return Apply(op, args, FLOAT)


def is_beyond(size: Expr, limit: float = LIMIT) -> Expr:
    return Apply("greater_equal", (size, Const(limit, FLOAT)), BOOL)


def overflows(expr: Apply) -> Expr:
    """The condition, on floats, that an operation of ints leaves int64."""
    sides = [as_float(a) for a in expr.args]
    match expr.op:
        case "left_shift":
            size = apply("multiply", sides[0], Apply("exp2", (sides[1],), FLOAT))
        case "floor_divide":
            # only -2**63 // -1 doesn't fit
            opposite = Apply("equal", (expr.args[1], Const(-1, INT)), BOOL)
            return Apply("logical_and", (opposite, is_beyond(apply("absolute", sides[0]))), BOOL)
        case "gcd":
            size = apply("maximum", *(apply("absolute", s) for s in sides))
        case "lcm":
            size = apply("multiply", *sides)
        case "negative":
            size = sides[0]
        case _:
            size = Apply(expr.op, tuple(sides), FLOAT)
    return is_beyond(size if expr.op == "absolute" else apply("absolute", size))


# ---------------------------------------------------------------- over all iterations


@dataclass(frozen=True, slots=True)
class SizeLimit:
    """A bound over sizes alone, asked before the call: where it is reached, the original runs."""

    size: Expr
    limit: float

    def holds(self, values: Mapping[str, int]) -> bool:
        """Is the bound kept? A size without a value means it is not known to be."""
        try:
            return evaluated(self.size, values) < self.limit
        except KeyError:
            return False


def evaluated(size: Expr, values: Mapping[str, int]) -> float:
    """A magnitude for the values of its names."""
    match size:
        case Const(value=value):
            return value.real
        case Ref(name=name):
            return values[name]
        case Cast(arg=arg):
            return evaluated(arg, values)
        case Apply(op="absolute", args=(arg,)):
            return abs(evaluated(arg, values))
        case Apply(op="add", args=(left, right)):
            return evaluated(left, values) + evaluated(right, values)
        case Apply(op="multiply", args=(left, right)):
            return evaluated(left, values) * evaluated(right, values)
        case Apply(op="maximum", args=(left, right)):
            return max(evaluated(left, values), evaluated(right, values))
        case _:
            raise KeyError(size)


class Magnitudes:
    """Bounds of absolute values over all iterations, as float expressions of names that the loops don't change."""

    def __init__(self, facts: Facts, outer: Collection[str], loops: Mapping[str, For]) -> None:
        self.facts = facts
        self.outer = outer
        self.loops = loops  # the loops around, by variable

    def of(self, expr: Expr) -> Expr | None:
        """At least the absolute value of a number; None where sizes don't bound it."""
        if isinstance(expr, Const):
            return Const(abs(float(expr.value.real)), FLOAT)
        if expr.type.dtype.kind == "f":
            return self.of_parts(expr)
        interval = self.facts.interval(expr)
        if interval is not None and interval.largest <= SMALL:
            return Const(float(interval.largest), FLOAT)
        form = self.facts.form(expr)
        return (self.of_form(form) if form is not None else None) or self.of_parts(expr)

    def of_form(self, form: Affine) -> Expr | None:
        """The sum of the sizes of its terms."""
        total: Expr = Const(float(abs(form.constant)), FLOAT)
        for name, factor in form.terms:
            size = self.of_name(name)
            if size is None:
                return None
            total = apply("add", apply("multiply", Const(float(abs(factor)), FLOAT), size), total)
        return total

    def of_name(self, name: str) -> Expr | None:
        """Of a size as it is, of a loop variable by its ends, of a value by what defines it."""
        known = self.facts.values.get(name)
        interval = known.whole if known is not None else None
        if name in self.outer:
            size = as_float(Ref(name, INT))
            return size if interval is not None and interval.low >= 0 else apply("absolute", size)
        loop = self.loops.get(name)
        if loop is not None:
            ends = [self.of(loop.start[0]), self.of(loop.stop[0])]
            if interval is not None and interval.low >= 0:
                ends = [self.of(loop.stop[0] if loop.step > 0 else loop.start[0])]
            return together("maximum", ends)
        if interval is not None and interval.largest <= SMALL:
            return Const(float(interval.largest), FLOAT)
        defined = self.facts.definitions.get(name)
        return None if defined is None else self.of_parts(defined)

    def of_parts(self, expr: Expr) -> Expr | None:
        """By the operation, from the magnitudes of its operands."""
        match expr:
            case Cast(arg=arg):
                return self.of(arg) if arg.type.dtype.kind in "iu" else None
            case Select(yes=yes, no=no):
                return together("maximum", [self.of(yes), self.of(no)])
            case Ref(name=name) if name in self.facts.definitions:
                return self.of(self.facts.definitions[name])
            case Apply(op="add" | "subtract", args=args):
                return together("add", [self.of(a) for a in args])
            case Apply(op="multiply" | "maximum" as op, args=args):
                return together(op, [self.of(a) for a in args])
            case Apply(op="negative" | "absolute" | "positive", args=(arg,)):
                return self.of(arg)
            case Apply(op="floor_divide", args=(left, _)):
                return self.of(left)
            case Apply(op="remainder", args=(_, right)):
                return self.of(right)
            case Apply(op="power", args=(base, Const(value=int() as exponent))) if 0 <= exponent <= HIGHEST_POWER:
                size: Expr | None = Const(1.0, FLOAT)
                for _ in range(exponent):
                    size = together("multiply", [size, self.of(base)])
                return size
            case _:
                return None

    def of_trips(self, loop: For) -> Expr | None:
        """At least the number of iterations."""
        first, last = (loop.start[0], loop.stop[0]) if loop.step > 0 else (loop.stop[0], loop.start[0])
        low = self.facts.interval(first)
        if low is not None and low.low >= 0:
            return self.of(last)
        return together("add", [self.of(first), self.of(last)])


def together(op: str, sizes: list[Expr | None]) -> Expr | None:
    """The sizes combined; None where one isn't known."""
    known = [s for s in sizes if s is not None]
    if len(known) != len(sizes):
        return None
    total, *rest = known
    for size in rest:
        total = apply(op, total, size)
    return total
