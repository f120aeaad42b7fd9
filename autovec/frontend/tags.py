"""Which kind a scalar is, where its type has several: a tag beside the value, in the order of the type's kinds.

    max(0, a[i])      -->    select(a[i] > 0, a[i], 0), tag: select(a[i] > 0, np.float64, int)
    s + 0.5           -->    the tag of s, each of its kinds sent to the kind of the sum

In: scalars and what is made of them. Out: an int expression beside the value, or none where there is one kind.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from functools import partial, reduce
from itertools import product

from autovec.analysis.promotion import kinds_of, operator_kind
from autovec.diagnostics import Blocked, Code
from autovec.frontend.calls.faults import is_constant_from, outside
from autovec.frontend.calls.lowered import EXACT_FLOAT, either
from autovec.frontend.scope import Scope
from autovec.frontend.values import Computed, Value, Variable
from autovec.ir.conditions import conjunction
from autovec.ir.nodes import Apply, Cast, Const, Expr, Load, Select
from autovec.ir.types import BOOL, INT, Kind, ScalarType, Type

UNKNOWN = Const(-1, INT)  # a kind that nothing tells: no such value is given back, the original runs


def of_operation(scope: Scope, op: str, result: Expr, values: Sequence[Value], operands: Sequence[Expr]) -> Expr | None:
    """The tag of an operator's result, where its kind depends on those of the operands."""
    return by_kinds(scope, partial(operator_kind, op), result, values, operands)


def of_call(
    scope: Scope,
    call: Callable[[Sequence[Expr]], object],
    result: Expr,
    values: Sequence[Value],
    operands: Sequence[Expr],
) -> Expr | None:
    """The tag of a call's result: the call is asked what it makes of each combination of kinds."""

    def decide(*kinds: Kind) -> Kind | None:
        try:
            made = call([Cast(o, ScalarType(frozenset({k}))) for o, k in zip(operands, kinds, strict=True)])
        except Blocked:
            return None
        return made.type.only if isinstance(made, Expr) and isinstance(made.type, ScalarType) else None

    return by_kinds(scope, decide, result, values, operands)


def by_kinds(
    scope: Scope,
    decide: Callable[..., Kind | None],
    result: Expr,
    values: Sequence[Value],
    operands: Sequence[Expr],
) -> Expr | None:
    """The tag of a result whose kind `decide` says, from the kinds of the operands."""
    if not isinstance(result.type, ScalarType) or result.type.only is not None:
        return None
    order = ordered_kinds(result.type)
    choices: list[list[tuple[Kind, Expr | None]]] = []
    told: list[Expr] = []  # the tags of the operands that have one
    for value, operand in zip(values, operands, strict=True):
        if not isinstance(operand.type, ScalarType):
            return None
        own = tag_of(scope, value)
        if operand.type.only is None and own is None:
            return None
        told += [own] if own is not None and operand.type.only is None else []
        found: list[tuple[Kind, Expr | None]] = []
        for k, kind in enumerate(ordered_kinds(operand.type)):
            here = Apply("equal", (own, Const(k, INT)), BOOL) if own is not None else None
            found.append((kind, here if operand.type.only is None else None))
        choices.append(found)
    combinations = list(product(*choices))
    kinds = [decide(*(k for k, _ in combination)) for combination in combinations]
    if any(kind not in order for kind in kinds):
        return None
    if len(told) == 1 and kinds == list(order):
        return told[0]
    places: dict[Kind | None, int] = {kind: k for k, kind in enumerate(order)}
    tag: Expr = UNKNOWN
    for combination, kind in zip(combinations, kinds, strict=True):
        test: Expr | None = None
        for _, here in combination:
            test = conjunction(test, here) if here is not None else test
        where = Const(places[kind], INT)
        tag = where if test is None else Select(test, where, tag, INT)
    return tag


def of_extreme(scope: Scope, result: Expr, values: Sequence[Value], operands: Sequence[Expr]) -> Expr | None:
    """The tag of `min(a, b, ...)` and `max`: that of the operand that wins."""
    if not isinstance(result.type, ScalarType) or result.type.only is not None:
        return None
    conditions: list[Expr] = []
    inner = result
    for _ in values[1:]:  # an operand may be a selection too
        while isinstance(inner, Cast):
            inner = inner.arg
        if not isinstance(inner, Select):
            return None
        conditions.append(inner.condition)
        inner = inner.no
    tag = tag_expr(scope, values[0], operands[0], result.type)
    for condition, value, operand in zip(conditions[::-1], values[1:], operands[1:], strict=True):
        tag = Select(condition, tag_expr(scope, value, operand, result.type), tag, INT)
    return tag


def joined(scope: Scope, a: Type, b: Type, node: ast.AST) -> ScalarType:
    """The union of two scalar types; `fitted` looks after values that its dtype doesn't hold."""
    if not isinstance(a, ScalarType) or not isinstance(b, ScalarType):
        raise scope.blocked(node, Code.UNSTABLE_TYPE, f"a value that is {a} or {b}, by the data")
    return ScalarType(a.kinds | b.kinds)


def fitted(scope: Scope, expr: Expr, kinds: ScalarType, node: ast.AST) -> Expr:
    """The scalar in the dtype of several kinds; an int that a float doesn't hold exactly is a fault."""
    if expr.type == kinds:
        return expr
    dtype = expr.type.dtype
    if dtype.kind in "iu" and dtype.itemsize == 8 and kinds.dtype.kind in "fc" and not is_small(scope, expr):
        for condition, reason in outside(expr, -EXACT_FLOAT if dtype.kind == "i" else 0, EXACT_FLOAT, "a wide int"):
            scope.fault(condition, reason, scope.span(node))
    return Cast(expr, kinds)


def is_small(scope: Scope, expr: Expr) -> bool:
    """Is an int surely far from 2**53: a constant, or a few times the sizes and loop variables around?"""
    if isinstance(expr, Const):
        return abs(expr.value) <= EXACT_FLOAT
    form = scope.affine(expr)
    if form is None:
        return False
    known = {r.variable for r in scope.loops} | set(scope.ledger.values)
    bounded = [r for r in scope.loops if all(any(f.names <= known for f in ends) for ends in (r.lower, r.upper))]
    counted = {r.variable for r in bounded} | {
        s.name for s in scope.ledger.sizes.values() if any(axis is not None for _, axis in s.origins)
    }
    return form.names <= counted and abs(form.constant) < 2**40 and all(abs(c) < 1024 for _, c in form.terms)


def widened(expr: Expr, kinds: ScalarType) -> Expr:
    """The scalar in the dtype of several kinds, where nothing can be lost."""
    return expr if expr.type == kinds else Cast(expr, kinds)


def ordered_kinds(kinds: ScalarType) -> tuple[Kind, ...]:
    """The kinds of a scalar in the order that tags count them."""
    return tuple(sorted(kinds.kinds, key=str))


def tag_of(scope: Scope, value: Value) -> Expr | None:
    """The tag of a value of several kinds, in the order of its own type."""
    if isinstance(value, Computed):
        return value.tag
    if isinstance(value, Variable) and value.tag_cell and value.type.only is None:
        held = scope.ledger.cells[value.cell]
        if not isinstance(held, ScalarType):
            return None
        return translate_tag(Load(value.tag_cell, (), INT), held, value.type)
    return None


def is_of_kind(scope: Scope, value: Value, type: Type, wanted: Callable[[Kind], bool]) -> Expr | None:
    """Is the value of one of the wanted kinds? A constant where its type says so; None where nothing tells."""
    kinds = ordered_kinds(type) if isinstance(type, ScalarType) else [*kinds_of(type)]
    places = [k for k, kind in enumerate(kinds) if wanted(kind)]
    if not places or len(places) == len(kinds):
        return Const(bool(places), BOOL)
    tag = tag_of(scope, value)
    if tag is None:
        return None
    return either([Apply("equal", (tag, Const(k, INT)), BOOL) for k in places])


def refuse_kinds(scope: Scope, value: Value, type: Type, refused: Callable[[Kind], bool], node: ast.AST) -> bool:
    """A fault where the value is of a kind that is refused; False where nothing tells, or it is in any case."""
    condition = is_of_kind(scope, value, type, refused)
    if condition is None or condition == Const(True, BOOL):
        return False
    if not isinstance(condition, Const):
        scope.fault(condition, "a value of this kind", scope.span(node))
    return True


def refuse_missing(scope: Scope, value: Computed | Variable, name: str, node: ast.AST) -> None:
    """A Python number has few of the attributes and methods of NumPy's, and these not all of an array's."""
    if not isinstance(value.type, ScalarType):
        return
    if not refuse_kinds(scope, value, value.type, lambda kind: not hasattr(kind.type, name), node):
        raise scope.blocked(node, Code.RAISES, f"the attribute {name} of a {value.type}")


def refuse_integer_powers(scope: Scope, values: Sequence[Value], operands: Sequence[Expr], node: ast.AST) -> None:
    """Where numbers are ints or floats by the data: ints to a negative power are a float of Python's, or NumPy's error."""
    ints = [
        is_of_kind(scope, v, e.type, lambda kind: kind.dtype.kind in "iub")
        for v, e in zip(values, operands, strict=True)
    ]
    if Const(False, BOOL) in ints or all(isinstance(one, Const) for one in ints):
        return
    exponent = operands[1]
    if is_constant_from(exponent, 0):
        return
    negative: Expr = Apply("less", (exponent, Cast(Const(0, INT), exponent.type)), BOOL)
    if isinstance(exponent, Const):
        negative = Const(True, BOOL)
    unknown: list[Expr] = [one for one in ints if one is not None and not isinstance(one, Const)]
    scope.fault(reduce(conjunction, unknown, negative), "an integer to a negative integer power", scope.span(node))


def tag_expr(scope: Scope, value: Value, expr: Expr, kinds: ScalarType) -> Expr:
    """Which of `kinds` the value is."""
    order = ordered_kinds(kinds)
    if not isinstance(expr.type, ScalarType):
        return UNKNOWN
    if expr.type.only is not None:
        return Const(order.index(expr.type.only), INT)
    tag = tag_of(scope, value)
    return UNKNOWN if tag is None else translate_tag(tag, expr.type, kinds)


def translate_tag(tag: Expr, source: ScalarType, target: ScalarType) -> Expr:
    """A tag that counts in the order of one type, in the order of another."""
    if source == target:
        return tag
    order = ordered_kinds(target)
    result: Expr = UNKNOWN
    for k, kind in enumerate(ordered_kinds(source)):
        if kind in order:
            here = Apply("equal", (tag, Const(k, INT)), BOOL)
            result = Select(here, Const(order.index(kind), INT), result, INT)
    return result
