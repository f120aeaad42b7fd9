"""The programs of a unit: as planned, and as written with every loop; each also to be gone through backwards.

In: the analysed unit and its plan. Out: the planned program at once, the others when somebody asks for them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from autovec.analysis.statements import Program as Analysed
from autovec.emit.axes import Degenerate
from autovec.emit.kernel import emit
from autovec.emit.program import Program
from autovec.ir.affine import Affine
from autovec.plan.as_written import sequential_plan
from autovec.plan.boxes import Boxes
from autovec.plan.nodes import PlanNode, leaves_of


@dataclass(frozen=True, slots=True, eq=False)
class Programs:
    """`planned` and the plan it follows; what the sizes must keep for it (each form >= 0)."""

    planned: Program
    plan: Sequence[PlanNode]
    requires: tuple[Affine, ...]
    differs: bool  # a differentiable one is another
    analysed: Analysed
    boxes: Boxes
    printed: Mapping[str, str]

    def sequential(self, differentiable: bool = False) -> Program:
        """The universal lowering, right for all sizes."""
        return emit(self.analysed, sequential_plan(self.analysed), self.boxes, self.printed, differentiable).program

    def differentiable(self) -> Program:
        """The planned program with loops over ranges known from the shapes."""
        if any(part.speculation is not None for part in leaves_of(self.plan)):
            return self.differentiable_sequential()  # under a trace there is nobody to look at a flag
        if not self.differs:
            return self.planned
        return emit(self.analysed, self.plan, self.boxes, self.printed, differentiable=True).program

    def differentiable_sequential(self) -> Program:
        """The universal lowering with loops over ranges known from the shapes."""
        return self.sequential(differentiable=True)


def emit_programs(analysed: Analysed, plan: Sequence[PlanNode], boxes: Boxes, printed: Mapping[str, str]) -> Programs:
    """The programs for a plan; where it isn't for sizes such as these, the plan becomes the universal one."""
    try:
        made = emit(analysed, plan, boxes, printed)
        requires = made.requires
    except Degenerate:
        plan, requires = sequential_plan(analysed), ()
        made = emit(analysed, plan, boxes, printed)
    return Programs(made.program, plan, requires, made.differs, analysed, boxes, printed)
