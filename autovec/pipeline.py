"""The compiler, in the order in which it works.

    function -> source -> loop IR -> simplified -> dependences -> plan -> checked -> JAX source

`rewrite` does it for the arguments of a call, `guess` for arguments that the source suggests, before any call.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from autovec.analysis.statements import Program as Analysed
from autovec.analysis.statements import analyse_unit
from autovec.diagnostics import Blocked, Code
from autovec.emit.kernel import Degenerate, emit
from autovec.emit.program import Program
from autovec.frontend.guessing import guessed_arguments
from autovec.frontend.source import SourceFunction
from autovec.frontend.unit import Argument, Lowering, describe, lower_function
from autovec.ir.affine import Affine
from autovec.ir.nodes import Unit
from autovec.options import Options
from autovec.plan.as_written import sequential_plan
from autovec.plan.boxes import Boxes
from autovec.plan.checking import is_legal
from autovec.plan.dead_code import remove_dead_code
from autovec.plan.interchange import interchanged
from autovec.plan.levels import plan_by_levels
from autovec.plan.nodes import PlanNode, leaves_of
from autovec.plan.overflow import check_overflow
from autovec.plan.privatization import privatize_work_arrays
from autovec.plan.recognition import recognised
from autovec.plan.rolling import rolled
from autovec.plan.solving import solve_instead_of_invert
from autovec.plan.substitution import substitute_single_uses
from autovec.plan.verdicts import fallbacks, verdicts
from autovec.report.verdicts import Note
from autovec.runtime.rewrite import Derived, Guard, Rewrite
from autovec.runtime.sizes import acceptance


def rewrite(source: SourceFunction, arguments: Mapping[str, object], options: Options) -> Rewrite:
    """The function for arguments such as these."""
    return compile_for(source, {name: describe(value) for name, value in arguments.items()}, options)


def guess(source: SourceFunction, options: Options) -> Rewrite:
    """The function for the arguments that its subscripts suggest."""
    return compile_for(source, guessed_arguments(source), options)


def check(source: SourceFunction, options: Options) -> Blocked | None:
    """What stops the function whatever its arguments are."""
    return None


def compile_for(source: SourceFunction, arguments: Mapping[str, Argument], options: Options) -> Rewrite:
    try:
        lowering = lower_function(source, arguments)
        return compiled(lowering, options)
    except Blocked as blocked:
        blocked = located(blocked, source)
        return Rewrite(None, loops=fallbacks(source.node, source.file, blocked), blocked=blocked)


def located(blocked: Blocked, source: SourceFunction) -> Blocked:
    return (
        blocked if blocked.span is not None else Blocked(blocked.code, source.span, blocked.construct, blocked.remedy)
    )


def compiled(lowering: Lowering, options: Options) -> Rewrite:
    unit, notes = simplified(lowering.unit, lowering.affine, options)
    unit, limits = check_overflow(unit)
    analysed = analyse_unit(remove_dead_code(unit), lowering.affine)
    proofs = (*lowering.proofs, *limits)
    values = {size.name: size.value for size in lowering.unit.sizes}
    boxes = Boxes(analysed, values)
    plan = planned(analysed, boxes, options)

    def slow(differentiable: bool = False) -> Program:
        return emit(analysed, sequential_plan(analysed), boxes, lowering.printed, differentiable).program

    try:
        made = emit(analysed, plan, boxes, lowering.printed)
        program, requires = made.program, made.requires
    except Degenerate:
        plan = sequential_plan(analysed)
        made = emit(analysed, plan, boxes, lowering.printed)
        program, requires = made.program, ()

    def differentiable() -> Program:
        if any(part.speculation is not None for part in leaves_of(plan)):
            return slow(True)  # under a trace there is nobody to look at a flag
        return emit(analysed, plan, boxes, lowering.printed, True).program if made.differs else program

    return Rewrite(
        program,
        slow,
        verdicts(lowering.unit, analysed, plan),
        (*(Note(line, text) for line, text in lowering.notes), *notes),
        guards=tuple(Guard(r.namespace, r.name, r.value) for r in lowering.reads),  # type: ignore[arg-type]
        constants=lowering.constants,
        captured=tuple(
            Derived(p.name, p.value, p.argument, p.read if p.argument else p.outside) for p in lowering.parts
        ),
        accepts=acceptance(lowering.unit, (*lowering.unit.facts, *requires), proofs),
        sequential_accepts=acceptance(lowering.unit, lowering.unit.facts, proofs),
        differentiable=differentiable,
        differentiable_sequential=lambda: slow(True),
    )


def simplified(unit: Unit, affine: Mapping[str, Affine], options: Options) -> tuple[Unit, tuple[Note, ...]]:
    """The unit without what has no effect, its single-use values in their uses."""
    unit = privatize_work_arrays(remove_dead_code(unit), affine)
    unit, notes = solve_instead_of_invert(unit) if options.reassociate else (unit, ())
    return remove_dead_code(substitute_single_uses(unit)), notes


def planned(analysed: Analysed, boxes: Boxes, options: Options) -> tuple[PlanNode, ...]:
    """The plan by levels, if the dependences agree; else every loop as it was written."""
    known = recognised(analysed, boxes, options.reassociate, options.memory_limit)
    plan = plan_by_levels(known)
    if not is_legal(analysed, plan, options.reassociate):
        return sequential_plan(analysed)
    return rolled(interchanged(known, plan, options.reassociate), boxes)


__all__ = ["Affine", "Code", "dataclass", "replace"]
