"""Do the iterations of a masked store meet different elements, also those that the mask leaves out?

    if i - j == 1: a[i + j] = t[i]    -->    a.at[jnp.where(i - j == 1, i + j, n)].set(t)

A store under a mask puts the old elements back where the mask is off. That is no store only if no other iteration
writes there: the dependences speak of the iterations inside the mask, while the arrays go over a whole box. Where the
subscripts of the box aren't known to differ, those outside the mask are sent past the end, which JAX drops.

In: a store's subscripts over its axes. Out: whether they differ, or the store that drops.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from autovec.emit.axes import Here, axis_box
from autovec.emit.state import State
from autovec.ir.affine import Affine
from autovec.ir.conditions import affine_form
from autovec.ir.nodes import Point, Subscript


def are_apart(
    state: State, here: Here, axes: Sequence[str], index: Sequence[Subscript], shape: Sequence[Affine]
) -> bool:
    """Do the subscripts differ for any two iterations of the axes' box?"""
    rows: list[list[Fraction]] = []
    for one, size in zip(index, shape, strict=True):
        form = affine_form(one.at, state.program.affine) if isinstance(one, Point) else None
        if form is not None and not is_made(state, form) and stays_within(state, here, axes, form, size):
            rows.append([Fraction(form.coefficient(a)) for a in axes])
    return rank(rows) == len(axes)


def is_made(state: State, form: Affine) -> bool:
    """Does the form hold a value that has an axis of its own?"""
    return any(n in state.collapsed or (n in state.defined and state.defined[n].axes) for n in form.names)


def stays_within(state: State, here: Here, axes: Sequence[str], form: Affine, size: Affine) -> bool:
    """Does the form take values less than one size apart, so that a negative one is no other's place from the end?"""
    span = Affine.number(0)
    for axis in axes:
        span = span + (axis_box(state, here, axis).extent - 1) * abs(form.coefficient(axis))
    return state.require(size - 1 - span)


def rank(rows: Sequence[Sequence[Fraction]]) -> int:
    """The number of independent rows."""
    left, found = [list(row) for row in rows], 0
    for column in range(len(left[0]) if left else 0):
        pivot = next((row for row in left if row[column]), None)
        if pivot is None:
            continue
        left.remove(pivot)
        found += 1
        for row in left:
            factor = row[column] / pivot[column]
            row[:] = [a - factor * b for a, b in zip(row, pivot, strict=True)]
    return found
