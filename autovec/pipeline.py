"""The compiler, in the order in which it works.

    function -> source -> loop IR -> simplified -> dependences -> plan -> checked -> JAX source

`rewrite` does it for the arguments of a call, `guess` for arguments that the source suggests, before any call.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import replace

from autovec.analysis.numpy_promotion import is_numpys
from autovec.analysis.statements import Program as Analysed
from autovec.analysis.statements import analyse_unit
from autovec.analysis.work import work_of
from autovec.diagnostics import Blocked, Code
from autovec.emit.programs import Programs, emit_programs
from autovec.frontend.guessing import guessed_arguments
from autovec.frontend.source import SourceFunction
from autovec.frontend.unit import Argument, Lowering, describe, lower_function
from autovec.ir.affine import Affine
from autovec.ir.nodes import Unit
from autovec.ir.walk import has_loops
from autovec.options import Options
from autovec.plan import conversion
from autovec.plan.as_written import sequential_plan
from autovec.plan.boxes import Boxes
from autovec.plan.checking import is_legal
from autovec.plan.dead_code import remove_dead_code
from autovec.plan.estimates import SizeLimit
from autovec.plan.interchange import interchanged
from autovec.plan.levels import plan_by_levels
from autovec.plan.nodes import PlanNode
from autovec.plan.overflow import check_overflow
from autovec.plan.privatization import privatize_work_arrays
from autovec.plan.recognition import recognised
from autovec.plan.rolling import rolled
from autovec.plan.solving import solve_instead_of_invert
from autovec.plan.substitution import substitute_single_uses
from autovec.plan.verdicts import fallbacks, verdicts
from autovec.plan.windows import windows_from_zero
from autovec.report.verdicts import LoopVerdict, Note
from autovec.runtime import worth
from autovec.runtime.rewrite import Derived, Guard, Rewrite, contents
from autovec.runtime.sizes import acceptance


def rewrite(source: SourceFunction, arguments: Mapping[str, object], options: Options) -> Rewrite:
    """The function for arguments such as these."""
    return compile_for(source, {name: describe(value) for name, value in arguments.items()}, options)


def guess(source: SourceFunction, options: Options) -> Rewrite:
    """The function for the arguments that its subscripts suggest: numbers in arrays, or else rows (`x[i].sum()`)."""
    of_numbers = compile_for(source, guessed_arguments(source), options)
    if of_numbers.program is not None:
        return of_numbers
    of_rows = compile_for(source, guessed_arguments(source, rows=1), options)
    return of_numbers if of_rows.program is None else of_rows


def compile_for(source: SourceFunction, arguments: Mapping[str, Argument], options: Options) -> Rewrite:
    """The function for arguments of these types; a Rewrite without a program where something blocks it."""
    try:
        return lowered_and_compiled(source, arguments, options)
    except Blocked as refusal:
        blocked = refusal
    if blocked.span is None:
        blocked = Blocked(blocked.code, source.span, blocked.construct, blocked.remedy)
    return Rewrite(None, loops=fallbacks(ast.walk(source.node), source.file, lambda loop: blocked), blocked=blocked)


def lowered_and_compiled(source: SourceFunction, arguments: Mapping[str, Argument], options: Options) -> Rewrite:
    """The frontend, then all the rest; again where a list that grows can't be built at once: with room, in order."""
    lowering = lower_function(source, arguments)
    check_conversion(lowering)
    try:
        return compiled(lowering, options)
    except Blocked as blocked:
        if blocked.code is not Code.DYNAMIC_SHAPE or not lowering.growing:
            raise
        first = blocked
    try:
        return compiled(lower_function(source, arguments, lowering.growing), options)
    except Blocked:
        raise first from None


def check_conversion(lowering: Lowering) -> None:
    """Raises Blocked where making arrays of lists takes longer than the loops."""
    lists = [part.items.shape for part in lowering.parts if part.items is not None]
    refusal = conversion.refused(lowering.unit, work_of(lowering.unit, lowering.affine), lists)
    if refusal is not None and worth.SMALL:
        raise refusal


def compiled(lowering: Lowering, options: Options) -> Rewrite:
    """All that comes after the frontend."""
    unit, affine = windows_from_zero(lowering.unit, lowering.affine)
    lowering = replace(lowering, unit=unit, affine=affine)
    unit, notes = simplified(lowering.unit, lowering.affine, options)
    unit, limits = check_overflow(unit)
    analysed = analyse_unit(remove_dead_code(unit), lowering.affine)
    boxes = Boxes(analysed, {size.name: size.value for size in lowering.unit.sizes})
    plan = planned(analysed, boxes, options)
    programs = emit_programs(analysed, plan, boxes, lowering.printed)
    return assembled(lowering, programs, verdicts(lowering.unit, analysed, programs.plan), notes, limits)


def simplified(unit: Unit, affine: Mapping[str, Affine], options: Options) -> tuple[Unit, tuple[Note, ...]]:
    """The unit without what has no effect, work arrays private, single-use values in their uses."""
    unit = privatize_work_arrays(remove_dead_code(unit), affine)
    unit, notes = solve_instead_of_invert(unit) if options.reassociate else (unit, ())
    return remove_dead_code(substitute_single_uses(unit)), notes


def planned(analysed: Analysed, boxes: Boxes, options: Options) -> Sequence[PlanNode]:
    """The plan by levels, improved, if the dependences agree; else every loop as it was written."""
    known = recognised(analysed, boxes, options.reassociate, options.memory_limit)
    plan = plan_by_levels(known)
    if not is_legal(analysed, plan):
        return sequential_plan(analysed)
    return rolled(interchanged(known, plan), boxes)


def assembled(
    lowering: Lowering,
    programs: Programs,
    loops: tuple[LoopVerdict, ...],
    notes: Sequence[Note],
    limits: Sequence[SizeLimit],
) -> Rewrite:
    """What the runtime needs: the programs, when each may be used, what was read while compiling, the report."""
    unit, proofs = lowering.unit, (*lowering.proofs, *limits)
    pays = has_loops(unit)
    said = [*(Note(line, text) for line, text in lowering.notes), *notes]
    if not pays:
        said.append(Note(None, "there is no loop to rewrite: calls run the original, .jax is the rewrite"))
    return Rewrite(
        programs.planned,
        programs.sequential,
        loops,
        tuple(said),
        guards=tuple(Guard(r.namespace, r.name, r.value, contents(r.value)) for r in lowering.reads),
        constants=lowering.constants,
        tangle=lowering.tangle,
        assumptions=lowering.assumptions,
        captured=tuple(
            Derived(p.name, p.value, p.argument, p.read if p.argument else p.outside, p.shown) for p in lowering.parts
        ),
        accepts=acceptance(unit, (*unit.facts, *programs.requires), proofs),
        sequential_accepts=acceptance(unit, unit.facts, proofs),
        differentiable=programs.differentiable,
        differentiable_sequential=programs.differentiable_sequential,
        work=work_of(unit, lowering.affine),
        pays=pays,
        numpys=is_numpys(unit),
    )
