"""Recognise accumulation: a store whose value combines what was there with a term, by an associative operation.

    s = s + x[i] * y[i]                 add, x[i] * y[i]
    C[i, j] = C[i, j] - A[i, k] * B[k, j]     add of the negative
    m = np.maximum(m, v)                maximum of v, NaN if there is one
    if v > m: m = v                     maximum of v (NaN passes by, as the comparison has it)
    if v > 0: found = True              the constant, if any iteration stores it

Only sums and products of floats are reassociated by this (Kuck, 1978; Allen & Kennedy, 2001, ch. 5.9).
"""

from __future__ import annotations

from dataclasses import dataclass

from autovec.ir.nodes import Apply, Cast, Const, Expr, Load, Select, Store
from autovec.ir.types import ScalarType
from autovec.ir.walk import loads

ASSOCIATIVE = (
    "add",
    "multiply",
    "minimum",
    "maximum",
    "logical_or",
    "logical_and",
    "bitwise_or",
    "bitwise_and",
    "bitwise_xor",
)
ASSIGN = "assign"  # one constant, whichever iterations store it: `found = True`
COMPARED = {"greater": "maximum", "greater_equal": "maximum", "less": "minimum", "less_equal": "minimum"}
OPPOSITE = {"maximum": "minimum", "minimum": "maximum"}


@dataclass(frozen=True, slots=True, eq=False)
class Accumulation:
    """`acc = acc op term` over some loops.

    `subtracts`: the terms are added up and taken from it. `compared`: an extreme by comparisons, which take no NaN.
    """

    op: str  # add, multiply, minimum, maximum, logical_or, logical_and ..., or ASSIGN
    term: Expr
    subtracts: bool = False
    compared: bool = False


def accumulation_of(store: Store, guard: Expr | None, reassociate: bool) -> Accumulation | None:
    """The accumulation that a store is, or None."""
    if isinstance(bare(store.value), Const):
        return Accumulation(ASSIGN, store.value)
    # a condition that looks at what was added up so far is another one in each iteration
    decided = guard is not None and reads(guard, store)
    found = None if decided else by_operation(store) or by_selection(store)
    if found is None and guard is not None:
        found = by_guard(store, guard)
    if found is None or reads(found.term, store):
        return None
    if found.op in ("add", "multiply") and store.value.type.dtype.kind in "fc" and not reassociate:
        return None
    if found.op in (*OPPOSITE, "multiply") and store.value.type.dtype.kind == "c":
        return None  # products of infinities depend on the order, as the NaNs in them do
    return found


def reads(expr: Expr, store: Store) -> bool:
    """Does an expression read the accumulator itself? (Other elements of its array are the dependences' business.)"""
    return any(load.cell == store.cell and load.index == store.index for load in loads(expr))


def bare(expr: Expr) -> Expr:
    """Without casts that only change which kinds of scalar a type names."""
    while isinstance(expr, Cast) and expr.type.dtype == expr.arg.type.dtype:
        expr = expr.arg
    return expr


def is_old(expr: Expr, store: Store) -> bool:
    expr = bare(expr)
    return isinstance(expr, Load) and expr.cell == store.cell and expr.index == store.index


def by_operation(store: Store) -> Accumulation | None:
    """`s = s op v`, `s = v op s`, `s = s - v`."""
    value = bare(store.value)
    if not isinstance(value, Apply) or len(value.args) != 2:
        return None
    left, right = value.args
    if value.op in ASSOCIATIVE:
        if is_old(left, store):
            return Accumulation(value.op, right)
        if is_old(right, store):
            return Accumulation(value.op, left)
        if value.op == "add":
            return chained(value, store)
    if value.op == "subtract" and is_old(left, store):
        return Accumulation("add", right, subtracts=True)
    if value.op == "subtract" and isinstance(store.value.type, ScalarType):
        return chained(value, store)
    return None


def chained(value: Apply, store: Store) -> Accumulation | None:
    """`(s + a) + b` adds `a + b`; `(s - a) - b` subtracts it."""
    left, right = value.args
    inner = bare(left)
    if not isinstance(inner, Apply) or inner.op not in ("add", "subtract"):
        return None
    deeper = by_operation(Store(store.cell, store.index, inner, None, store.span))
    if deeper is None or deeper.op != "add":
        return None
    both = Apply("add" if (value.op == "add") != deeper.subtracts else "subtract", (deeper.term, right), value.type)
    return Accumulation("add", both, deeper.subtracts)


def by_selection(store: Store) -> Accumulation | None:
    """`m = v if v > m else m`."""
    value = bare(store.value)
    if not isinstance(value, Select) or not is_old(value.no, store):
        return None
    return compared(value.condition, value.yes, store)


def by_guard(store: Store, guard: Expr) -> Accumulation | None:
    """`if v > m: m = v`."""
    return compared(guard, store.value, store)


def compared(condition: Expr, taken: Expr, store: Store) -> Accumulation | None:
    """A running extreme: what is taken is compared with what was there."""
    test = bare(condition)
    if not isinstance(test, Apply) or test.op not in COMPARED:
        return None
    first, second = test.args
    if is_old(second, store) and bare(taken) == bare(first):
        return Accumulation(COMPARED[test.op], first, compared=True)
    if is_old(first, store) and bare(taken) == bare(second):
        return Accumulation(OPPOSITE[COMPARED[test.op]], second, compared=True)
    return None
