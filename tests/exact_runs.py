"""An interpreter of small units with exact ints, which looks at every number that a run comes by.

`run(unit, arguments, look)` calls `look(statement, guard_facts, expression, value)` for what is evaluated where the
original evaluates it: under a statement's guard, on the side of a choice that is taken. NumPy's ints wrap, Python's
don't. Returns False where a Fault is met.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping

import numpy as np

from autovec.ir.nodes import (
    Alloc,
    Append,
    Apply,
    Call,
    Cast,
    Const,
    Def,
    Fault,
    For,
    ListAlloc,
    Load,
    Point,
    Ref,
    Select,
    Store,
    Unit,
    While,
)
from autovec.ir.types import Origin, ScalarType

STEPS = 5000


class Void(Exception):
    """A Fault was met."""


class TooLong(Exception):
    """More statements than a test has time for."""


def floored(a, b):
    return 0 if b == 0 else a // b


def rest(a, b):
    return 0 if b == 0 else a % b


OPERATIONS: dict[str, Callable] = {
    "add": operator.add,
    "subtract": operator.sub,
    "multiply": operator.mul,
    "divide": lambda a, b: a / b if b else math.inf,
    "floor_divide": floored,
    "remainder": rest,
    "power": lambda a, b: a**b if not isinstance(b, int) or b >= 0 else 0,
    "bitwise_and": operator.and_,
    "bitwise_or": operator.or_,
    "bitwise_xor": operator.xor,
    "left_shift": lambda a, b: a << max(b, 0),
    "right_shift": lambda a, b: a >> max(b, 0),
    "less": operator.lt,
    "less_equal": operator.le,
    "greater": operator.gt,
    "greater_equal": operator.ge,
    "equal": operator.eq,
    "not_equal": operator.ne,
    "negative": operator.neg,
    "positive": operator.pos,
    "invert": operator.invert,
    "absolute": abs,
    "square": lambda a: a * a,
    "maximum": max,
    "minimum": min,
    "exp2": lambda a: 2.0 ** min(a, 1000.0),
    "logical_not": operator.not_,
    "isfinite": math.isfinite,
    "floor": math.floor,
}


class Run:
    def __init__(self, unit: Unit, arguments: Mapping[str, object], look: Callable | None) -> None:
        self.unit, self.look = unit, look
        self.names: dict[str, object] = {}
        self.cells: dict[str, object] = {}
        self.steps = 0
        for param in unit.params:
            value = arguments[param.name]
            (self.cells if isinstance(value, np.ndarray) else self.names)[param.name] = (
                value.copy() if isinstance(value, np.ndarray) else value
            )
        for size in unit.sizes:
            if size.derived is None:
                origin, axis = size.origins[0]
                self.names[size.name] = arguments[origin] if axis is None else arguments[origin].shape[axis]  # type: ignore[attr-defined]
        for size in unit.sizes:
            if size.derived is not None:
                self.names[size.name] = self.value(size.derived, None)

    # ------------------------------------------------------------ expressions

    def value(self, expr, place):
        """`place` is what `look` is told; None keeps it quiet."""
        result = self.computed(expr, place)
        if place is not None and self.look is not None:
            self.look(*place, expr, result)
        return result

    def computed(self, expr, place):
        match expr:
            case Const(value=value):
                return value
            case Ref(name=name):
                return self.names[name]
            case Load(cell=cell, index=index):
                held = self.cells[cell]
                if not index:
                    return held
                at = tuple(self.position(one, place) for one in index)
                if any(not -n <= k < n for k, n in zip(at, held.shape, strict=True)):
                    return held.dtype.type(0)
                return of_type(held[at], expr.type)
            case Cast(arg=arg):
                return of_type(self.value(arg, place), expr.type)
            case Select(condition=condition, yes=yes, no=no):
                return self.value(yes if self.value(condition, place) else no, place)
            case Apply(op="logical_and", args=(left, right)):
                return bool(self.value(left, place)) and bool(self.value(right, place))
            case Apply(op="logical_or", args=(left, right)):
                return bool(self.value(left, place)) or bool(self.value(right, place))
            case Apply(op=op, args=args):
                sides = [self.value(a, place) for a in args]
                numpy = any(isinstance(s, np.generic) for s in sides)
                plain = [s.item() if isinstance(s, np.generic) else s for s in sides]
                try:
                    result = OPERATIONS[op](*plain)
                except OverflowError:
                    result = math.inf
                return of_type(result, expr.type, numpy)
            case Call(function="zeros"):
                shape = tuple(form.evaluate(self.names) for form in expr.type.shape)
                return np.zeros(shape, expr.type.dtype)
            case Call(function="full", args=(fill,)):
                shape = tuple(form.evaluate(self.names) for form in expr.type.shape)
                return np.full(shape, self.value(fill, place), expr.type.dtype)
        raise NotImplementedError(expr)

    def position(self, one, place):
        assert isinstance(one, Point)
        return int(self.value(one.at, place))

    # ------------------------------------------------------------ statements

    def block(self, body) -> None:
        for s in body:
            self.steps += 1
            if self.steps > STEPS:
                raise TooLong
            guard = None if isinstance(s, Def | Alloc | ListAlloc) else s.guard
            if guard is not None and not self.value(guard, (s, None)):
                continue
            self.statement(s, (s, guard))

    def statement(self, s, place) -> None:
        match s:
            case Def(name=name, expr=expr):
                self.names[name] = self.value(expr, place)
            case Alloc(name=name, init=init):
                self.cells[name] = self.value(init, place)
            case Store(cell=cell, index=index, value=value):
                result = self.value(value, place)
                if not index:
                    self.cells[cell] = result
                    return
                at = tuple(self.position(one, place) for one in index)
                held = self.cells[cell]
                if all(-n <= k < n for k, n in zip(at, held.shape, strict=True)):
                    low, high = np.iinfo(held.dtype).min, np.iinfo(held.dtype).max
                    if not low <= int(result) <= high:
                        raise TooLong  # a list of Python ints that an array can't hold: checked where it was made
                    held[at] = result
            case Append(value=value):
                self.value(value, place)
            case ListAlloc():
                pass
            case Fault(condition=condition):
                if self.value(condition, place):
                    raise Void
            case For():
                self.counted(s, place)
            case While(condition=condition, body=body):
                while self.value(condition, place):
                    self.block(body)

    def counted(self, s: For, place) -> None:
        starts = [self.value(e, place) for e in s.start]
        stops = [self.value(e, place) for e in s.stop]
        start, stop = (max(starts), min(stops)) if s.step > 0 else (min(starts), max(stops))
        for k in range(int(start), int(stop), s.step):
            if s.live and not self.cells[s.live]:
                return
            self.names[s.variable] = k
            self.block(s.body)


def of_type(value, kind, numpy: bool = False):
    """The value as a number of this type: wrapped if it is NumPy's alone, its kind kept where it may be either."""
    if not isinstance(kind, ScalarType):
        return value
    if kind.dtype.kind == "b":
        return bool(value)
    origins = {k.origin for k in kind.kinds}
    if kind.dtype.kind in "fc":
        return float(value)
    is_numpy = Origin.PYTHON not in origins or (Origin.NUMPY in origins and (numpy or isinstance(value, np.generic)))
    if not is_numpy:
        return int(value)
    dtype = next(k.dtype for k in kind.kinds if k.origin is Origin.NUMPY)
    info = np.iinfo(dtype)
    whole = int(value) if math.isfinite(value) else 0
    return dtype.type((whole - int(info.min)) % (int(info.max) - int(info.min) + 1) + int(info.min))


def run(unit: Unit, arguments: Mapping[str, object], look: Callable | None = None) -> bool:
    """True where the unit ran to its end without a Fault."""
    try:
        Run(unit, arguments, look).block(unit.body)
    except Void:
        return False
    return True
