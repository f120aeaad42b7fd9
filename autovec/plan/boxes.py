"""The box of a loop: the range its axis has when it becomes one, and the condition that picks its iterations there.

    for j in range(i + 1, n), i an axis from 0      -->    j from 1 to n, where j > i
    for j in range(i + 1, n), i a running loop      -->    j from 1 to n, where j > i      (i traced: no slice)

Bounds over sizes alone are the box itself. A bound over outer loops is replaced by its least value for the box, and
kept as the condition.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from autovec.analysis.statements import Leaf, Program, all_expressions
from autovec.ir.affine import Affine
from autovec.ir.conditions import affine_form
from autovec.ir.nodes import Alloc, Expr, For, Point, Store, Subscript, While
from autovec.ir.walk import loads


@dataclass(frozen=True, slots=True)
class Box:
    """`count` values from `first`, `step` apart, upwards or downwards as the person's loop runs."""

    variable: str
    first: Affine
    last: Affine  # exclusive, in the loop's direction
    step: int

    @property
    def extent(self) -> Affine:
        """The distance from first to last (the count, where the step is one)."""
        return self.last - self.first if self.step > 0 else self.first - self.last

    def count(self, values: Mapping[str, int]) -> int:
        return max(0, -(-self.extent.evaluate(values) // abs(self.step)))

    @property
    def least(self) -> Affine:
        return self.first if self.step > 0 else self.last + 1

    @property
    def greatest(self) -> Affine:
        """The largest value the variable can take (a bound for steps of more than one)."""
        return self.last - 1 if self.step > 0 else self.first


@dataclass(frozen=True, slots=True)
class Condition:
    """`variable >= bound` (or `>`, `<`, `<=`) for an iteration of the box to be one of the loop."""

    variable: str
    op: str  # greater_equal, less, less_equal, greater
    bound: Expr


def shapes_of(program: Program) -> dict[str, tuple[Affine, ...]]:
    """The shapes of all cells, by name."""
    found = {p.name: p.type.shape for p in program.unit.params}
    for leaf in program.leaves:
        if isinstance(leaf.statement, Alloc):
            found[leaf.statement.name] = leaf.statement.type.shape
    return found


def accesses_of(leaf: Leaf) -> Iterator[tuple[str, Sequence[Subscript]]]:
    """The cells that a leaf reads and writes, with their subscripts."""
    if isinstance(leaf.statement, Store):
        yield leaf.statement.cell, leaf.statement.index
    for expr in all_expressions(leaf):
        for load in loads(expr):
            yield load.cell, load.index


class Boxes:
    """The boxes of a unit's loops, at the sizes of this call."""

    def __init__(self, program: Program, values: Mapping[str, int]) -> None:
        self.program = program
        self.values = values
        self.known: dict[int, Box | None] = {}
        self.shapes = shapes_of(program)

    def sizes_only(self, form: Affine) -> bool:
        return form.names <= set(self.values)

    def box(self, loop: For, around: Sequence[For | While]) -> Box | None:
        """The box over sizes alone; None where the loop's range isn't bounded by sizes."""
        if id(loop) not in self.known:
            self.known[id(loop)] = self.find(loop, around)
        return self.known[id(loop)]

    def find(self, loop: For, around: Sequence[For | While]) -> Box | None:
        """The tightest bounds over sizes, moved out to whole axes where the elements exist."""
        up = loop.step > 0
        first = self.best([self.extreme(e, around, least=up) for e in loop.start], largest=up)
        last = self.best([self.extreme(e, around, least=not up) for e in loop.stop], largest=not up)
        if first is None or last is None:
            return None
        if abs(loop.step) != 1:
            moves = any(not self.is_static(e) for e in loop.start)
            return None if moves else Box(loop.variable, first, last, loop.step)
        if not all(self.is_static(e) for e in loop.start):
            first = self.widened(loop, first, upper=not up)
        if not all(self.is_static(e) for e in loop.stop):
            last = self.widened(loop, last, upper=up)
        return Box(loop.variable, first, last, loop.step)

    def widened(self, loop: For, end: Affine, upper: bool) -> Affine:
        """An end that the loop masks anyway, moved out to a whole size (or zero) if all elements it meets exist.

            for i in range(n): for k in range(i): L[i, k]     -->    k over all n columns, not n - 1

        Then it needs no slice.
        """
        inclusive = loop.step < 0  # a downward loop's own ends: first is inclusive, last is exclusive
        shift = 1 if inclusive else 0
        if upper:
            if end.constant + shift >= 0 or len(end.terms) != 1 or end.terms[0][1] != 1:
                return end
            wanted = end.without(()) - (end.constant + shift) if end.constant + shift < 0 else end
        else:
            if end.terms or end.constant + shift <= 0:
                return end
            wanted = Affine.number(-shift)
        reach = wanted.evaluate(self.values) + (shift - 1 if upper else shift)
        return wanted if self.exists(loop, reach) else end

    def exists(self, loop: For, value: int) -> bool:
        """Is every subscript that moves with this loop alone inside its array at this value of the variable?"""
        for leaf in self.program.leaves:
            if loop not in leaf.loops:
                continue
            for cell, index in accesses_of(leaf):
                shape = self.shapes.get(cell, ())
                for one, size in zip(index, shape, strict=False):
                    if not isinstance(one, Point):
                        continue
                    form = affine_form(one.at, self.program.affine)
                    if form is None or loop.variable not in form.names:
                        continue
                    rest = form.without([loop.variable])
                    if not self.sizes_only(rest) or not self.sizes_only(size):
                        return False
                    at = form.coefficient(loop.variable) * value + rest.evaluate(self.values)
                    if not 0 <= at < size.evaluate(self.values):
                        return False
        return True

    def is_static(self, expr: Expr) -> bool:
        form = affine_form(expr, self.program.affine)
        return form is not None and self.sizes_only(form)

    def best(self, forms: Sequence[Affine | None], largest: bool) -> Affine | None:
        """Of several valid bounds the tightest at this call's sizes."""
        good = [f for f in forms if f is not None]
        if not good:
            return None
        return (max if largest else min)(good, key=lambda f: f.evaluate(self.values))

    def extreme(self, expr: Expr, around: Sequence[For | While], least: bool) -> Affine | None:
        """The least (or greatest) value of a bound over the loops around, as a form over sizes."""
        form = affine_form(expr, self.program.affine)
        if form is None:
            return None
        for k in reversed(range(len(around))):
            outer = around[k]
            if not isinstance(outer, For) or outer.variable not in form.names:
                continue
            box = self.box(outer, around[:k])
            if box is None:
                return None
            factor = form.coefficient(outer.variable)
            value = box.least if (factor > 0) == least else box.greatest
            form = form.without([outer.variable]) + value * factor
        return form if self.sizes_only(form) else None

    def conditions(self, loop: For, around: Sequence[For | While]) -> list[Condition]:
        """What an iteration of the box must satisfy to be one of the loop's own."""
        box = self.box(loop, around)
        assert box is not None
        up = loop.step > 0
        ends = (
            (loop.start, box.first, "greater_equal" if up else "less_equal"),
            (loop.stop, box.last, "less" if up else "greater"),
        )
        return [
            Condition(loop.variable, op, bound)
            for bounds, end, op in ends
            for bound in bounds
            if affine_form(bound, self.program.affine) != end
        ]
