"""Is an index in range, how long is a slice: asked of the loops around and of the sizes.

What holds for all sizes is proved; what holds for the sizes of this call is assumed, and asked again at later calls.
"""

from __future__ import annotations

import ast

from autovec.analysis import in_range as proofs
from autovec.analysis.model import LoopDomain, Statement
from autovec.diagnostics import Blocked, Code
from autovec.frontend.scope import Scope
from autovec.ir.affine import Affine
from autovec.ir.conditions import conjuncts
from autovec.ir.nodes import Apply, Const, Expr, Range
from autovec.ir.types import INT


def domain(scope: Scope) -> Statement:
    """The iterations that reach this place, as the analysis sees them."""
    loops = tuple(LoopDomain(k, r.variable, r.lower, r.upper, r.step) for k, r in enumerate(scope.loops))
    return Statement(0, loops, (0,) * (len(loops) + 1), (), scope.conditions)


def is_parametric(scope: Scope, form: Affine) -> bool:
    """Does the form hold only loop variables around this place, sizes and integer parameters?"""
    known = {r.variable for r in scope.loops} | set(scope.ledger.values)
    return form.names <= known


def is_told(scope: Scope, form: Affine) -> bool:
    """Is something known, of the loops and conditions around, of each value in the form that isn't a size?"""
    told = {n for r in scope.loops for f in (*r.lower, *r.upper) for n in f.names}
    told |= {n for f in scope.conditions for n in f.names}
    return form.names <= told | {r.variable for r in scope.loops} | set(scope.ledger.values)


def in_range(scope: Scope, form: Affine, size: Affine) -> str | None:
    """ "in range", "negative" (always), "wraps" (within one size of zero), or None: not known."""
    here = domain(scope)
    facts = tuple(scope.ledger.facts)
    if not is_parametric(scope, form) or not is_parametric(scope, size):
        return "in range" if is_told(scope, form) and proofs.in_range(here, form, size, facts).always else None
    proof = proofs.in_range(here, form, size, facts)
    if assume(scope, proof):
        return "in range"
    if assume(scope, proofs.in_range(here, form + size, size, facts)):
        return "negative"
    if assume(scope, proofs.in_range(here, form, size, facts, wraps=True)):
        return "wraps"
    return None


def assume(scope: Scope, proof: proofs.RangeProof) -> bool:
    """True where the proof holds always, or at this call's sizes: then later calls are asked."""
    if proof.always:
        return True
    if proof.holds(scope.ledger.values):
        scope.ledger.proofs.append(proof)
        return True
    return False


def require(scope: Scope, form: Affine) -> bool:
    """form >= 0 at this call: a fact from now on (asked of later calls); False where it isn't so."""
    if form.is_constant:
        return form.constant >= 0
    value = scope.interval_value(form)
    if value is None or value < 0:
        return False
    if form not in scope.ledger.facts:
        scope.ledger.facts.append(form)
    return True


def holds_everywhere(scope: Scope, form: Affine) -> bool:
    """form >= 0 in all iterations around this place (assumed where it depends on sizes)."""
    if not (form.names & {r.variable for r in scope.loops}):
        return require(scope, form)
    if not is_parametric(scope, form):
        return is_told(scope, form) and proofs.in_range(domain(scope), form, form + 1, tuple(scope.ledger.facts)).always
    # 0 <= form < form + 1 asks exactly for form >= 0
    return assume(scope, proofs.in_range(domain(scope), form, form + 1, tuple(scope.ledger.facts)))


def decided(scope: Scope, test: Expr) -> bool:
    """Is a condition, affine in each of its parts, true in all iterations whatever the sizes?"""
    parts = [scope.affine_conditions(part) for part in conjuncts(test)]
    facts = tuple(scope.ledger.facts)
    return all(parts) and all(
        is_parametric(scope, form) and proofs.in_range(domain(scope), form, form + 1, facts).always
        for forms in parts
        for form in forms
    )


def slice_of(scope: Scope, node: ast.Slice, size: Affine) -> Range:
    """A slice with Python's meaning: None, negative ends counted from the end, clamped to the axis."""
    from autovec.frontend.expressions import as_expr, lower
    from autovec.frontend.values import Static

    step = step_of(scope, node)
    ends: list[Affine | None] = []
    for part in (node.lower, node.upper):
        if part is None:
            ends.append(None)
            continue
        value = lower(scope, part)
        if isinstance(value, Static) and value.value is None:
            ends.append(None)
            continue
        form = scope.affine(as_expr(scope, value, part))
        if form is None:
            raise scope.blocked(node, Code.DYNAMIC_SHAPE, "a slice whose ends depend on the data")
        ends.append(clamped(scope, form, size, step, node))
    if step > 0:
        first = ends[0] if ends[0] is not None else Affine.number(0)
        last = ends[1] if ends[1] is not None else size
        return Range(to_expr(first), trip_count(scope, last - first, step, node), step)
    first = ends[0] if ends[0] is not None else size - 1
    last = ends[1] if ends[1] is not None else Affine.number(-1)
    return Range(to_expr(first), trip_count(scope, first - last, -step, node), step)


def number_of_call(scope: Scope, form: Affine | None) -> int | None:
    """An integer argument's value at this call, asked of later calls; None where it isn't known before the call."""
    value = None if form is None else scope.interval_value(form)
    if form is None or value is None or not (require(scope, form - value) and require(scope, -form + value)):
        return None
    return value


def step_of(scope: Scope, node: ast.Slice) -> int:
    """The step of a slice; an integer argument's value at this call is asked of later calls."""
    from autovec.frontend.expressions import as_expr, lower
    from autovec.frontend.values import Static

    if node.step is None:
        return 1
    value = lower(scope, node.step)
    if isinstance(value, Static) and value.value is None:
        return 1
    if isinstance(value, Static) and type(value.value) is int and value.value:
        return value.value
    expr = as_expr(scope, value, node)
    form = scope.affine(expr) if expr.type == INT else None
    step = number_of_call(scope, form)
    if not step:
        raise scope.blocked(node, Code.UNSUPPORTED_INDEX, "a slice whose step is not a constant")
    return step


def to_expr(form: Affine) -> Expr:
    from autovec.frontend.subscripts import affine_expr

    return affine_expr(form) if form.terms else Const(form.constant, INT)


def clamped(scope: Scope, form: Affine, size: Affine, step: int, node: ast.AST) -> Affine:
    """An end of a slice, counted from the front, and on the axis or just outside: after it, downwards before it."""
    low, high = (Affine.number(0), size) if step > 0 else (Affine.number(-1), size - 1)
    if form.is_constant and form.constant < 0:
        return turned(scope, form, size, low, node)
    if holds_everywhere(scope, form) and holds_everywhere(scope, high - form):
        return form
    if form.is_constant or not (form.names & {r.variable for r in scope.loops}):
        value, top = scope.interval_value(form), scope.interval_value(high)
        if value is not None and top is not None:
            if value > top and require(scope, form - high):
                return high
            if value < 0 and require(scope, -form - 1):
                return turned(scope, form, size, low, node)
    raise outside(scope, node)


def turned(scope: Scope, form: Affine, size: Affine, low: Affine, node: ast.AST) -> Affine:
    """An end below zero, which counts from the end of the axis once."""
    from_front = form + size
    if holds_everywhere(scope, from_front):
        return from_front
    if require(scope, low - from_front):
        return low
    raise outside(scope, node)


def outside(scope: Scope, node: ast.AST) -> Blocked:
    return scope.blocked(
        node, Code.UNSUPPORTED_INDEX, "a slice that may reach outside the array", "keep its ends within the array"
    )


def trip_count(scope: Scope, extent: Affine, step: int, node: ast.AST) -> Affine:
    """How many elements `extent` holds at a distance of `step`: zero where it is negative."""
    loops = {r.variable for r in scope.loops}
    if extent.names & loops or not is_parametric(scope, extent):
        raise scope.blocked(
            node,
            Code.DYNAMIC_SHAPE,
            "a slice whose length changes from one iteration to the next",
            "write the loop over its elements, or use a fixed length",
        )
    if not require(scope, extent):
        if require(scope, -extent):
            return Affine.number(0)
        raise scope.blocked(node, Code.DYNAMIC_SHAPE, "a slice whose length is not known")
    if step == 1:
        return extent
    return divided(scope, extent + (step - 1), step)


def product(scope: Scope, a: Affine, b: Affine) -> Affine:
    """`a * b`, two sizes that aren't negative, as a size of its own."""
    from autovec.ir.nodes import Size

    if a.is_constant or b.is_constant:
        return b * a.constant if a.is_constant else a * b.constant
    ledger = scope.ledger
    whole = Apply("multiply", (to_expr(a), to_expr(b)), INT)
    for size in ledger.sizes.values():
        if size.derived == whole:
            return Affine.name(size.name)
    one, other = scope.interval_value(a), scope.interval_value(b)
    assert one is not None and other is not None
    name = ledger.fresh("area")
    ledger.sizes[name] = Size(name, (), one * other, whole)
    ledger.values[name] = one * other
    ledger.facts.append(Affine.name(name))
    return Affine.name(name)


def divided(scope: Scope, form: Affine, divisor: int) -> Affine:
    """`form // divisor` as a size of its own, with what is known of it."""
    from autovec.ir.nodes import Size

    if all(c % divisor == 0 for _, c in form.terms):
        exact = Affine(tuple((n, c // divisor) for n, c in form.terms), form.constant // divisor)
        return exact
    ledger = scope.ledger
    whole = Apply("floor_divide", (to_expr(form), Const(divisor, INT)), INT)
    for size in ledger.sizes.values():
        if size.derived == whole:
            return Affine.name(size.name)
    value = scope.interval_value(form)
    assert value is not None
    name = ledger.fresh("half" if divisor == 2 else "part")
    ledger.sizes[name] = Size(name, (), value // divisor, whole)
    ledger.values[name] = value // divisor
    part = Affine.name(name)
    ledger.facts.append(form - part * divisor)
    ledger.facts.append(part * divisor + (divisor - 1) - form)
    return part
