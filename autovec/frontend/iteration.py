"""What a `for` runs over: ranges as they are, everything else as positions 0, 1, ... and what lies at each.

for k, (a, b) in enumerate(zip(x, y)):   ->   for p in range(min(len(x), len(y))): k = p; a = x[p]; b = y[p]
"""

from __future__ import annotations

import ast
import functools
import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from autovec.diagnostics import Code
from autovec.frontend import calls, ranges, subscripts
from autovec.frontend.expressions import as_expr, lower, take
from autovec.frontend.operators import operate
from autovec.frontend.scope import Scope
from autovec.frontend.values import Buffer, Computed, Elements, Masked, Static, TupleList, TupleValue, Value, View
from autovec.ir.affine import Affine
from autovec.ir.nodes import Apply, Cast, Const, Expr, Ref
from autovec.ir.types import BOOL, INT, rank


@dataclass(frozen=True, slots=True)
class Trips:
    """Counted iteration: the loop variable runs from `start` (max of its forms) to `stop` (min) by `step`."""

    start: tuple[Expr, ...]
    stop: tuple[Expr, ...]
    step: int
    at: Callable[[Scope, Expr], Value]
    ranged: bool = False  # the variable is the person's own (a `range`)
    over: str = ""  # the cell of a list that may grow


@dataclass(frozen=True, slots=True)
class Items:
    """A few values known before the call: the body is repeated for each."""

    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Nest:
    """`itertools.product`, `combinations`, `np.ndindex`: one loop in another.

    A part is made from the positions of the loops around it; `value` makes the item from the values of all.
    `pooled`: the elements are collected before the first item is made, and stay what they were.
    """

    parts: tuple[Callable[[Scope, Sequence[Expr]], Trips], ...]
    value: Callable[[Scope, Sequence[Value]], Value]
    pooled: bool = False


MAX_UNROLLED = 16


def iteration(scope: Scope, node: ast.expr) -> Trips | Items | Nest:
    from autovec.frontend import ahead, nests, running

    if is_range_backwards(scope, node):
        return reverse(scope, iteration(scope, node.value), node.value)  # type: ignore[attr-defined]
    if isinstance(node, ast.Attribute) and node.attr == "flat":
        node = flattened(node)
        return over_value(scope, lower(scope, node), node)
    if isinstance(node, ast.Call):
        function = callee(scope, node)
        if function is range:
            return range_trips(scope, node)
        if function is reversed and len(node.args) == 1:
            if is_iterator(scope, node.args[0]):
                raise scope.blocked(node, Code.RAISES, "an iterator reversed", "make a list of it first")
            return reverse(scope, iteration(scope, node.args[0]), node)
        if function is enumerate:
            return enumerated(scope, node)
        if function is zip:
            return zipped(scope, node)
        if function is itertools.pairwise and len(node.args) == 1:
            return ahead.pairs(scope, node)
        if function is itertools.accumulate:
            return over_value(scope, running.totals(scope, node), node)
        if function is np.ndindex or function is itertools.product:
            return nests.nest(scope, node, function)
        if function is itertools.combinations:
            return nests.combinations(scope, node, 1)
        if function is itertools.combinations_with_replacement:
            return nests.combinations(scope, node, 0)
        if function is np.ndenumerate and len(node.args) == 1:
            return nests.indexed_elements(scope, node)
    return over_value(scope, lower(scope, node), node)


LARGEST_STEP = 2**62  # the integer set library takes steps of 64 bits
ITERATIONS = (range, reversed, enumerate, zip, itertools.pairwise, itertools.accumulate)


def is_iterator(scope: Scope, node: ast.expr) -> bool:
    """Does it go one way only?"""
    if isinstance(node, ast.GeneratorExp) or (isinstance(node, ast.Attribute) and node.attr == "flat"):
        return True
    return isinstance(node, ast.Call) and is_iteration(scope, node) and callee(scope, node) is not range


def is_iteration(scope: Scope, node: ast.Call) -> bool:
    """Is it a call whose result can be gone through, and is no list or array?"""
    function = callee(scope, node)
    return any(function is one for one in ITERATIONS)


def is_range_backwards(scope: Scope, node: ast.expr) -> bool:
    """`range(n)[::-1]`."""
    match node:
        case ast.Subscript(
            value=ast.Call(),
            slice=ast.Slice(lower=None, upper=None, step=ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=1))),
        ):
            return callee(scope, node.value) is range  # type: ignore[arg-type]
        case _:
            return False


@functools.lru_cache(maxsize=256)
def flattened(node: ast.Attribute) -> ast.Call:
    """`a.flat`, where its elements are gone through, as `a.ravel()`."""
    made = ast.Call(ast.Attribute(node.value, "ravel", ast.Load()), [], [])
    return ast.fix_missing_locations(ast.copy_location(made, node))


def callee(scope: Scope, node: ast.Call) -> object:
    """The function called, where it is a known object; else None."""
    if isinstance(node.func, ast.Attribute):
        owner = node.func.value
        while isinstance(owner, ast.Attribute):
            owner = owner.value
        if not isinstance(owner, ast.Name) or not isinstance(lower(scope, node.func.value), Static):
            return None  # a method
    elif not isinstance(node.func, ast.Name):
        return None
    value = lower(scope, node.func)
    return value.value if isinstance(value, Static) else None


def over_value(scope: Scope, value: Value, node: ast.expr) -> Trips | Items | Nest:
    from autovec.frontend import buffers, picked, sequences, subscripts

    if sequences.is_list(value):
        view = sequences.list_view(scope, value, node)
        element = sequences.element_reader(scope, value, view)
        return counted(scope, view.type.shape[0], element)
    match value:
        case TupleList(columns=columns, constructor=constructor) if any(isinstance(c, Buffer) for c in columns):
            parts = [over_value(scope, c, node) for c in columns]
            trips = [p for p in parts if isinstance(p, Trips)]
            first = trips[0]
            return replace(first, at=lambda s, e: TupleValue(tuple(t.at(s, e) for t in trips), constructor))
        case TupleList(columns=columns, constructor=constructor):
            views = [(c, sequences.list_view(scope, c, node)) for c in columns]
            readers = [sequences.element_reader(scope, c, v) for c, v in views]
            length = views[0][1].type.shape[0]
            return counted(scope, length, lambda s, e: TupleValue(tuple(r(s, e) for r in readers), constructor))
        case TupleValue(items=items):
            return items_or_refuse(scope, items, node)
        case Static(value=range() as r):
            return Trips((Const(r.start, INT),), (Const(r.stop, INT),), r.step, lambda s, e: Computed(e), ranged=True)
        case Static(value=tuple() | list() as known):
            return items_or_refuse(scope, tuple(Static(v) for v in known), node)
        case Buffer(cell=cell):
            part = buffers.elements(scope, value, node)
            return Trips((Const(0, INT),), part.lengths, 1, lambda s, e: part.at(s, [e]), over=cell)
        case Elements(lengths=(length, *rest), at=at, prefix=prefix) if prefix or not rest:
            return Trips((Const(0, INT),), (length,), 1, lambda s, e: at(s, [e]))
        case Masked():
            return over_value(scope, picked.elements(scope, value, node), node)
        case Computed() | View():
            view = subscripts.as_view(scope, value, node)
            if rank(view.type) == 0:
                raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, "an iteration over a 0-d array")
            return counted(scope, view.type.shape[0], lambda s, e: subscripts_row(s, view, e, node))
        case _:
            raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, f"an iteration over {ast.unparse(node)}")


def subscripts_row(scope: Scope, view: View, at: Expr, node: ast.expr) -> Value:
    from autovec.frontend import subscripts

    chosen, _ = subscripts.apply(scope, view, [(Computed(at), node)], node)
    return Computed(subscripts.element(scope, chosen, node)) if rank(chosen.type) == 0 else chosen


def items_or_refuse(scope: Scope, items: tuple[Value, ...], node: ast.expr) -> Items:
    if len(items) > MAX_UNROLLED:
        raise scope.blocked(
            node,
            Code.UNSUPPORTED_STATEMENT,
            f"an iteration over {len(items)} separate values",
            "put them into an array",
        )
    return Items(items)


def counted(scope: Scope, length: Affine, at: Callable[[Scope, Expr], Value]) -> Trips:
    return Trips((Const(0, INT),), (ranges.to_expr(length),), 1, at)


def range_trips(scope: Scope, node: ast.Call) -> Trips:
    args = node.args
    if not 1 <= len(args) <= 3 or node.keywords:
        raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, "this form of range")
    step = 1
    if len(args) == 3:
        value = lower(scope, args[2])
        if isinstance(value, Static) and isinstance(value.value, int) and value.value:
            step = value.value
        else:
            expr = as_expr(scope, value, args[2])
            form = scope.affine(expr)
            if form is None or scope.interval_value(form) is None:
                return stepped(scope, args, expr, node)
            step = known_step(scope, expr, args[2])
    if abs(step) >= LARGEST_STEP:
        raise scope.blocked(args[2], Code.UNBOUNDED_INT, f"a step of {step}")
    start = bounds(scope, args[0], "max" if step > 0 else "min") if len(args) > 1 else (Const(0, INT),)
    stop = bounds(scope, args[1] if len(args) > 1 else args[0], "min" if step > 0 else "max")
    return Trips(start, stop, step, lambda s, e: Computed(e), ranged=True)


def stepped(scope: Scope, args: Sequence[ast.expr], step: Expr, node: ast.Call) -> Trips:
    """A range whose step depends on the data: rounds 0, 1, ... of a step that must be positive."""
    ends = [as_expr(scope, lower(scope, a), a) for a in args[:2]]
    if any(rank(e.type) or e.type.dtype.kind not in "iu" for e in (*ends, step)):
        raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, "a range of something that isn't an int")
    span = scope.span(node)
    start, stop, step = (scope.define("bound", Cast(e, INT) if e.type != INT else e, span) for e in (*ends, step))
    scope.fault(Apply("less_equal", (step, Const(0, INT)), BOOL), "a step that isn't positive", span)
    safe = Apply("maximum", (step, Const(1, INT)), INT)
    reach = Apply("subtract", (Apply("add", (Apply("subtract", (stop, start), INT), safe), INT), Const(1, INT)), INT)
    count = Apply("maximum", (Apply("floor_divide", (reach, safe), INT), Const(0, INT)), INT)

    def at(s: Scope, e: Expr) -> Value:
        return Computed(Apply("add", (start, Apply("multiply", (e, step), INT)), INT))

    return Trips((Const(0, INT),), (scope.define("count", count, span),), 1, at)


def known_step(scope: Scope, expr: Expr, node: ast.expr) -> int:
    """An integer argument as a step."""
    value = ranges.number_of_call(scope, scope.affine(expr))
    if not value:
        raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, "a range whose step depends on the data")
    return value


def bounds(scope: Scope, node: ast.expr, function: str) -> tuple[Expr, ...]:
    """A bound of a range; `max(a, b)` of a start and `min(a, b)` of a stop are kept apart."""
    if isinstance(node, ast.Call) and callee(scope, node) is {"max": max, "min": min}[function] and len(node.args) > 1:
        return tuple(b for arg in node.args for b in bounds(scope, arg, function))
    expr = as_expr(scope, lower(scope, node), node)
    if expr.type.dtype.kind not in "iu" or rank(expr.type):
        raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, f"a range bound that is a {expr.type}")
    if expr.type.dtype != INT.dtype:
        whole = calls.call(int, [expr], {}, scope.span(node))  # what `range` makes of a narrow one
        expr = expr if whole is None else take(scope, whole, node)
    form = scope.affine(expr)
    if form is not None:
        return (ranges.to_expr(form),)
    return (scope.define("bound", expr, scope.span(node)),)


def positional(
    scope: Scope, trips: Trips | Items | Nest, node: ast.expr
) -> tuple[tuple[Expr, ...], Callable[[Scope, Expr], Value]]:
    """An iteration by positions: how many (min of the forms), and what lies at one."""
    if not isinstance(trips, Trips):
        raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, "this iteration inside zip or enumerate")
    if not trips.ranged:
        return trips.stop, trips.at
    lengths = tuple(ranges.to_expr(trip_form(scope, a, b, trips.step, node)) for a in trips.start for b in trips.stop)
    start, *others = trips.start
    if others:
        raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, "a range from a max inside zip or enumerate")
    step = trips.step
    return lengths, lambda s, e: moved(s, start, step, e, node)


def trip_form(scope: Scope, start: Expr, stop: Expr, step: int, node: ast.expr) -> Affine:
    first, last = scope.affine(start), scope.affine(stop)
    if first is None or last is None:
        raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, "a range with unknown bounds inside zip or enumerate")
    extent = last - first if step > 0 else first - last
    return extent if abs(step) == 1 else ranges.trip_count(scope, extent, abs(step), node)


def moved(scope: Scope, start: Expr, step: int, at: Expr, node: ast.expr) -> Value:
    scaled = operate(scope, node, "Mult", Computed(at), Static(step)) if step != 1 else Computed(at)
    if isinstance(start, Const) and start.value == 0:
        return scaled
    return operate(scope, node, "Add", Computed(start), scaled)


def reverse(scope: Scope, trips: Trips | Items | Nest, node: ast.Call) -> Trips | Items:
    if isinstance(trips, Items):
        return Items(trips.values[::-1])
    if isinstance(trips, Nest):
        raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, "this iteration reversed")
    if trips.ranged and abs(trips.step) == 1 and len(trips.start) == len(trips.stop) == 1:
        one = Const(1, INT)
        down = "subtract" if trips.step > 0 else "add"
        start, stop = (Apply(down, (e, one), INT) for e in (trips.stop[0], trips.start[0]))
        forms = [scope.affine(e) for e in (start, stop)]
        first, last = (ranges.to_expr(f) if f is not None else e for f, e in zip(forms, (start, stop), strict=True))
        return Trips((first,), (last,), -trips.step, trips.at, ranged=True)
    lengths, at = positional(scope, trips, node)
    if len(lengths) != 1:
        raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, "a zip reversed")

    def backwards(s: Scope, e: Expr) -> Value:
        form = s.affine(Apply("subtract", (Apply("subtract", (lengths[0], Const(1, INT)), INT), e), INT))
        if form is None:
            raise s.blocked(node, Code.UNSUPPORTED_STATEMENT, "this iteration reversed")
        return at(s, ranges.to_expr(form))

    return Trips((Const(0, INT),), lengths, 1, backwards)


def enumerated(scope: Scope, node: ast.Call) -> Trips | Items:
    inner = iteration(scope, node.args[0])
    first: Value = Static(0)
    if len(node.args) > 1:
        first = lower(scope, node.args[1])
    elif node.keywords:
        first = lower(scope, node.keywords[0].value)
    if not (isinstance(first, Static) and type(first.value) is int):
        number = as_expr(scope, first, node)
        if rank(number.type) or number.type.dtype.kind not in "iub":
            raise scope.blocked(node, Code.RAISES, "counting from what isn't a whole number")
        first = Computed(subscripts.as_int(number))
    if isinstance(inner, Items):
        numbered = (TupleValue((operate(scope, node, "Add", first, Static(k)), v)) for k, v in enumerate(inner.values))
        return Items(tuple(numbered))
    lengths, at = positional(scope, inner, node)

    def pair(s: Scope, e: Expr) -> Value:
        position: Value = Computed(e)
        if not (isinstance(first, Static) and first.value == 0):
            position = operate(s, node, "Add", first, position)
        return TupleValue((position, at(s, e)))

    return Trips((Const(0, INT),), lengths, 1, pair)


def zipped(scope: Scope, node: ast.Call) -> Trips | Items:
    inner = [iteration(scope, arg) for arg in node.args]
    strict = [k.value for k in node.keywords if k.arg == "strict"]
    known = [lower(scope, k) for k in strict]
    if len(strict) != len(node.keywords) or not inner or not all(isinstance(k, Static) for k in known):
        raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, "this form of zip")
    is_strict = any(k.value for k in known if isinstance(k, Static))
    if all(isinstance(i, Items) for i in inner):
        if is_strict and len({len(i.values) for i in inner if isinstance(i, Items)}) > 1:
            raise scope.blocked(node, Code.RAISES, "a strict zip of several lengths")
        return Items(tuple(TupleValue(vs) for vs in zip(*(i.values for i in inner), strict=False)))  # type: ignore[union-attr]
    parts = [positional(scope, i, node) for i in inner]
    lengths = tuple(dict.fromkeys(length for lengths, _ in parts for length in lengths))
    for other in lengths[1:] if is_strict else ():
        scope.fault(Apply("not_equal", (lengths[0], other), BOOL), "a strict zip of several lengths", scope.span(node))
    return Trips(
        (Const(0, INT),), shortest(scope, lengths), 1, lambda s, e: TupleValue(tuple(at(s, e) for _, at in parts))
    )


def shortest(scope: Scope, lengths: Sequence[Expr]) -> tuple[Expr, ...]:
    """The smallest of the lengths, where this call's sizes tell (and are asked again at later calls)."""
    forms = [scope.affine(e) for e in lengths]
    if all(f is not None for f in forms):
        values = [scope.interval_value(f) for f in forms if f is not None]
        if all(v is not None for v in values):
            best = min(range(len(forms)), key=lambda k: values[k])  # type: ignore[arg-type,return-value]
            if all(ranges.require(scope, f - forms[best]) for f in forms if f is not None):  # type: ignore[operator]
                return (lengths[best],)
    return tuple(lengths)


def fixed_length(scope: Scope, trips: Trips | Nest) -> Affine | None:
    """The number of iterations, where it is a size that doesn't change with the loops around."""
    if not isinstance(trips, Trips) or len(trips.start) != 1 or len(trips.stop) != 1 or abs(trips.step) != 1:
        return None
    first, last = scope.affine(trips.start[0]), scope.affine(trips.stop[0])
    if first is None or last is None:
        return None
    extent = last - first if trips.step > 0 else first - last
    around = {r.variable for r in scope.loops}
    if extent.names & around or not ranges.is_parametric(scope, extent) or not ranges.require(scope, extent):
        return None
    return extent


def position_of(scope: Scope, variable: str, trips: Trips) -> Expr:
    """How many rounds came before this one."""
    first = scope.affine(trips.start[0])
    if first is None:
        return Ref(variable, INT)
    name = Affine.name(variable)
    return ranges.to_expr(name - first if trips.step > 0 else first - name)
