"""Where a value in single assignment is used at all: it is computed for all iterations, and safe where it isn't used.

    d = sqrt(x[i])  if x[i] > 0: y[i] = d      -->    the operand of sqrt is 1.0 wherever x > 0 is false

In: a definition. Out: the masks that all its uses have in common.
"""

from __future__ import annotations

from collections.abc import Iterator

from autovec.analysis.statements import Leaf, all_expressions
from autovec.emit.axes import Here
from autovec.emit.expressions import evaluate
from autovec.emit.masks import mask_of
from autovec.emit.safe_operands import has_partial
from autovec.emit.state import State
from autovec.emit.values import Value
from autovec.ir.conditions import conjuncts
from autovec.ir.nodes import Append, Def, Expr, For, Load, Ref, Store
from autovec.ir.walk import expressions, refs, walk


def definition_masks(state: State, here: Here, identifier: str, expr: Expr) -> list[Value]:
    """Where a value in single assignment is used at all: in its loops, under what all its uses are conditional on."""
    if not has_partial(expr):
        return []
    masks = mask_of(state, here, None)
    for condition in conditions_of_uses(state, identifier):
        if condition not in state.holding and is_available(state, here, condition):
            masks.append(evaluate(state, here, condition))
    return masks


def conditions_of_uses(state: State, identifier: str) -> list[Expr]:
    """The conditions that every use of a value has in common; none may be made from the value itself."""
    definitions = {
        leaf.statement.name: leaf.statement.expr for leaf in state.program.leaves if isinstance(leaf.statement, Def)
    }
    common: list[Expr] | None = None
    for leaf in state.program.leaves:
        for found in uses_in(state, leaf, identifier):
            common = found if common is None else [c for c in common if c in found]
    return [c for c in common or [] if not reaches(c, identifier, definitions)]


def uses_in(state: State, leaf: Leaf, identifier: str) -> Iterator[list[Expr]]:
    """For each use of the value in a leaf: what it is conditional on."""
    if not any(identifier in refs(e) for e in all_expressions(leaf)):
        return
    loops = [e for nest in leaf.loops for e in expressions(nest)]
    if any(identifier in refs(e) for e in loops):
        yield []
    elif isinstance(leaf.statement, Def):
        yield conditions_of_uses(state, leaf.statement.name)
    elif isinstance(leaf.statement, Store | Append):
        yield conjuncts(leaf.guard)
    else:
        yield []


def reaches(expr: Expr, identifier: str, definitions: dict[str, Expr]) -> bool:
    """Is the expression made from the value?"""
    for used in refs(expr):
        if used == identifier or (used in definitions and reaches(definitions[used], identifier, definitions)):
            return True
    return False


def is_available(state: State, here: Here, condition: Expr) -> bool:
    """Does the condition mean the same where the value is made as where it is used?"""
    written = {s.cell for s in (leaf.statement for leaf in state.program.leaves) if isinstance(s, Store | Append)}
    variables = {n.variable for n in here.leaf.loops if isinstance(n, For)}
    given = {p.name for p in state.program.unit.params} | set(state.boxes.values)
    for e in walk(condition):
        if isinstance(e, Load) and (e.cell in written or e.cell not in state.cells):
            return False
        if isinstance(e, Ref) and (
            e.name in written or not (e.name in variables or e.name in given or e.name in state.defined)
        ):
            return False
    return True
