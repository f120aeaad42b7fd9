"""What holds under a condition because a fault has voided the call otherwise.

    fault step <= 0  where c           -->      wherever c is known, step >= 1 is known too

In: the guard and the condition of a fault. Out: a `Promise`; those that a condition lets one rely on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from autovec.ir.conditions import conjuncts, negation
from autovec.ir.nodes import Expr, Fault, Load
from autovec.ir.walk import walk


@dataclass(frozen=True, slots=True)
class Promise:
    """Where all of `where` holds, so does `then`."""

    where: tuple[Expr, ...]
    then: Expr


def promise_of(fault: Fault) -> tuple[Promise, ...]:
    """What a conditional fault promises, if it is made of names alone: their values stay while they are known."""
    if fault.guard is None or any(isinstance(e, Load) for x in (fault.guard, fault.condition) for e in walk(x)):
        return ()
    return (Promise(tuple(conjuncts(fault.guard)), negation(fault.condition)),)


def kept(promises: Sequence[Promise], condition: Expr) -> Iterator[Expr]:
    """What is promised where the condition holds."""
    parts = conjuncts(condition)
    for promise in promises:
        if all(c in parts for c in promise.where):
            yield promise.then
