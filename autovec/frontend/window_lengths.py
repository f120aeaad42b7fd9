"""How long a slice can be at most, whatever the iteration: windows that are cut off at the ends of their array.

    x[max(0, i - k) : min(n, i + k + 1)]      -->    2 * k + 1, and not n

A stop is no larger than either of the two it is the minimum of, a start no smaller than either of those it is the
maximum of: what remains of the difference of two such forms is a bound, if no loop variable does. Ends that may be
negative count from the other side: nothing is said of them then.

In: the two ends as they are written, as IR. Out: a size that the length never passes.
"""

from __future__ import annotations

from autovec.frontend import ranges
from autovec.frontend.scope import Scope
from autovec.ir.affine import Affine
from autovec.ir.nodes import Apply, Expr, Ref, Select

NESTED = 4  # extremes in each other


def longest(scope: Scope, first: Expr, last: Expr, size: Affine) -> Affine:
    """At most so many elements are in `first : last` of an axis of this size."""
    variables = {r.variable for r in scope.loops}
    sizes = set(scope.ledger.values) - variables
    found: list[tuple[int, Affine]] = []
    for above in bounds_of(scope, last, "minimum"):
        for below in bounds_of(scope, first, "maximum"):
            form = above - below
            value = scope.interval_value(form) if form.names <= sizes else None
            if value is not None and value >= 1:
                found.append((value, form))
    whole = scope.interval_value(size)
    value, form = min(found, key=lambda pair: pair[0], default=(0, size))
    if not found or whole is None or value >= whole or not ranges.require(scope, form - 1):
        return size
    return form if is_positive(scope, first) and is_positive(scope, last) else size


def bounds_of(scope: Scope, expr: Expr, op: str, depth: int = 0) -> list[Affine]:
    """Forms that an integer is no larger than (of a minimum), or no smaller than (of a maximum)."""
    parts = parts_of(scope, expr, op) if depth < NESTED else ()
    if not parts:
        form = scope.affine(expr)
        return [] if form is None else [form]
    return [form for part in parts for form in bounds_of(scope, part, op, depth + 1)]


def is_positive(scope: Scope, expr: Expr, depth: int = 0) -> bool:
    """Is it never below zero?"""
    larger, smaller = parts_of(scope, expr, "maximum"), parts_of(scope, expr, "minimum")
    if depth < NESTED and larger:
        return any(is_positive(scope, part, depth + 1) for part in larger)
    if depth < NESTED and smaller:
        return all(is_positive(scope, part, depth + 1) for part in smaller)
    form = scope.affine(expr)
    return form is not None and ranges.is_parametric(scope, form) and ranges.holds_everywhere(scope, form)


def parts_of(scope: Scope, expr: Expr, op: str) -> tuple[Expr, ...]:
    """What an integer is the minimum or maximum of, as Python's functions and NumPy's are written in the IR."""
    if isinstance(expr, Ref):
        expr = scope.ledger.definitions.get(expr.name, expr)
    comparison = "less" if op == "minimum" else "greater"
    match expr:
        case Apply(op=name, args=args) if name == op:
            return args
        case Select(condition=Apply(op=name, args=(a, b)), yes=x, no=y) if name == comparison and (a, b) == (x, y):
            return (a, b)
        case _:
            return ()
