"""What the plan made of each loop, in words: one verdict a loop of the person's."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping, Sequence

from autovec.analysis.dependence_text import describe
from autovec.analysis.model import Dependence
from autovec.analysis.statements import Edge, Leaf, Order, Program
from autovec.diagnostics import Blocked, Code, Span
from autovec.ir.affine import Affine
from autovec.ir.nodes import Alloc, Append, For, ListAlloc, SourceLoop, Unit, While
from autovec.ir.walk import statements
from autovec.plan.at_once import TOO_LARGE
from autovec.plan.nodes import AxisRole, PlanNode, Sequential, Together, leaves_of, sequentials
from autovec.report.verdicts import LoopVerdict, Status

REDUCTIONS = {
    "add": "sum",
    "multiply": "product",
    "minimum": "minimum",
    "maximum": "maximum",
    "assign": "any",
    "logical_or": "any",
    "logical_and": "all",
}


def verdicts(before: Unit, program: Program, plan: Sequence[PlanNode]) -> tuple[LoopVerdict, ...]:
    """A verdict for each loop of the unit as it was lowered, in the order of the lines."""
    running = {source_key(n.source): node for node in sequentials(plan) for n in (node.loop, *node.fused)}
    together = list(leaves_of(plan))
    left = {source_key(s.source) for s in statements(program.unit.body) if isinstance(s, For | While)}
    found: dict[tuple[Span, str], LoopVerdict] = {}
    for statement in statements(before.body):
        if not isinstance(statement, For | While) or not statement.source.variable:
            continue
        key = source_key(statement.source)
        if key in found:
            continue
        if key not in left:
            found[key] = verdict(
                statement.source, Status.VECTORIZED, "removed", Code.NO_EFFECT, "its results are never used"
            )
        elif key in running:
            found[key] = sequential(statement.source, running[key], program)
        else:
            found[key] = vectorized(statement.source, [t for t in together if is_inside(t.leaf, key)])
    return tuple(found[key] for key in sorted(found, key=lambda key: (key[0].line, key[0].column)))


def fallbacks(nodes: Iterable[ast.AST], file: str, blocked: Callable[[ast.AST], Blocked]) -> tuple[LoopVerdict, ...]:
    """The verdicts of the loops among these nodes; `blocked` tells what keeps one in Python."""
    found: list[LoopVerdict] = []
    for node in nodes:
        match node:
            case ast.For(target=target):
                variable = ast.unparse(target)
            case ast.While(test=test):
                variable = ast.unparse(test)
            case ast.ListComp(generators=clauses) | ast.GeneratorExp(generators=clauses):
                variable = ", ".join(ast.unparse(c.target) for c in clauses)
            case _:
                continue
        span, why = Span(file, node.lineno, node.col_offset, node.lineno, 0), blocked(node)
        reason = f"{why.construct} (line {why.span.line})" if why.span is not None else why.construct
        found.append(
            LoopVerdict(node.lineno, variable, Status.FALLBACK, "", why.code, reason, span, why.span, why.remedy)
        )
    return in_order(found)


def in_order(loops: Iterable[LoopVerdict]) -> tuple[LoopVerdict, ...]:
    return tuple(sorted(loops, key=lambda v: (v.line, v.span.column)))


def source_key(source: SourceLoop) -> tuple[Span, str]:
    return (source.span, source.variable)


def is_inside(leaf: Leaf, key: tuple[Span, str]) -> bool:
    return any(source_key(n.source) == key for n in leaf.loops)


def verdict(
    source: SourceLoop,
    status: Status,
    strategy: str,
    code: Code,
    reason: str,
    span: Span | None = None,
    evidence: Span | None = None,
    remedy: str = "",
) -> LoopVerdict:
    """A verdict of one of the person's loops, at its own line unless said otherwise."""
    return LoopVerdict(
        source.span.line, source.variable, status, strategy, code, reason, span or head(source), evidence, remedy
    )


def head(source: SourceLoop) -> Span:
    """The loop's first line: where a comprehension, the clause."""
    s = source.span
    return Span(s.file, s.line, s.column, s.line, s.end_column if s.end_line == s.line else 0)


def vectorized(source: SourceLoop, inside: Sequence[Together]) -> LoopVerdict:
    """The verdict of a loop that is gone: what became of its statements."""
    ops: list[str] = []
    packs = False
    for t in inside:
        for loop, role in zip(t.axes, t.roles, strict=True):
            if source_key(loop.source) != source_key(source):
                continue
            if role is AxisRole.REDUCE and t.accumulation is not None:
                name = REDUCTIONS.get(t.accumulation.op, t.accumulation.op)
                if name not in ops:
                    ops.append(name)
            packs = packs or role is AxisRole.PACK or isinstance(t.leaf.statement, Append)
    if ops:
        return verdict(
            source,
            Status.VECTORIZED,
            " and ".join(ops),
            Code.REDUCTION,
            f"its iterations are combined ({', '.join(ops)})",
        )
    if packs:
        return verdict(
            source, Status.VECTORIZED, "array of the elements", Code.BUILDS_ARRAY, "the list is built as one array"
        )
    return verdict(source, Status.VECTORIZED, "array axis", Code.INDEPENDENT, "no iteration needs another")


def sequential(source: SourceLoop, node: Sequential, program: Program) -> LoopVerdict:
    """The verdict of a loop that runs: the dependence, or the want of a form or of memory."""
    strategy = "while_loop" if isinstance(node.loop, While) or node.loop.live else "fori_loop"
    edge = node.because
    if edge is None and node.reason:
        code = Code.MEMORY_LIMIT if node.reason == TOO_LARGE else Code.NOT_PROFITABLE
        return verdict(source, Status.SEQUENTIAL, strategy, code, node.reason)
    ends = isinstance(node.loop, For) and edge is not None and edge.cell == node.loop.live
    if edge is None or edge.kind is Order.TRIP or ends:
        reason = "how often it runs depends on the data"
        return verdict(source, Status.SEQUENTIAL, strategy, Code.DATA_DEPENDENT_TRIP, reason)
    return carried(source, edge, program, strategy)


def carried(source: SourceLoop, edge: Edge, program: Program, strategy: str) -> LoopVerdict:
    """`a[i] reads what a[i - 1] wrote in the iteration before (line 14)`."""
    first, second = program.leaf(edge.source).statement, program.leaf(edge.sink).statement
    where = getattr(second, "span", None)
    other = getattr(first, "span", None)
    text = f"{edge.cell} is carried from one iteration to the next"
    for d in program.graph.dependences:
        if (
            d.source == edge.source
            and d.sink == edge.sink
            and d.source_access is edge.source_access
            and d.level == edge.level
        ):
            text = dependence_text(d, program)
            break
    if other is not None and where is not None and other.line != where.line:
        text += f" (line {other.line})"
    known = edge.source_access is None or None not in edge.source_access.subscripts
    code = Code.CARRIED_DEPENDENCE if known else Code.UNKNOWN_SUBSCRIPT
    return verdict(source, Status.SEQUENTIAL, strategy, code, text, where, other)


def dependence_text(dependence: Dependence, program: Program) -> str:
    """A dependence in the person's names."""
    names = {
        n.variable: n.source.variable
        for leaf in program.leaves
        for n in leaf.loops
        if isinstance(n, For) and n.source.variable.isidentifier()
    }
    made = [leaf.statement for leaf in program.leaves if isinstance(leaf.statement, Alloc | ListAlloc)]
    called = {cell.name: cell.hint for cell in (*program.unit.params, *made) if cell.hint}
    texts = {
        a.key: access_text(called.get(a.cell, a.cell), a.subscripts, names)
        for a in (dependence.source_access, dependence.sink_access)
    }
    return describe(dependence, texts)


def access_text(cell: str, subscripts: Sequence[Affine | None], names: Mapping[str, str]) -> str:
    """An element as the person would write it."""
    if not subscripts:
        return cell
    shown = [
        "?" if s is None else str(s.substitute({v: Affine.name(n) for v, n in names.items()})).replace("*", " * ")
        for s in subscripts
    ]
    return f"{cell}[{', '.join(shown)}]"
