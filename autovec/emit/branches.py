"""Statements that share a condition of their loop's iteration, in a branch: skipped where the condition is false.

    if d[i] < best[-1]:                          condition = d[i] < best[k - 1]
        while ...: ...                    -->    def update(best): ...
        best[spot] = d[i]                        best = lax.cond(condition, update, lambda kept: kept, best)

Under a mask everything would be computed and thrown away. In: the nodes of a loop's body. Out: the same nodes, some of
them in groups; the lines of a group. Needs: one truth value for the whole iteration, which nothing in the group
changes; work enough to be worth the skip; and nobody outside that uses what the group defines.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from autovec.analysis.statements import Leaf
from autovec.emit.axes import Here
from autovec.emit.carries import Emit, body_of, carry_of, function, in_phases, packed, unpack
from autovec.emit.expressions import evaluate
from autovec.emit.operations.nodes import call, name
from autovec.emit.state import State
from autovec.emit.values import Value
from autovec.ir.conditions import conjuncts
from autovec.ir.nodes import Alloc, Append, Call, Def, Expr, Fault, For, ListAlloc, Load, Ref, Store
from autovec.ir.types import ArrayType
from autovec.ir.walk import expressions, walk
from autovec.plan.nodes import PlanNode, Sequential, Together, leaves_of
from autovec.plan.parts import touches, writes


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """Nodes that do nothing where the condition is false."""

    condition: Expr
    nodes: tuple[PlanNode, ...]


def group_at(state: State, nodes: Sequence[PlanNode]) -> Group | None:
    """The longest group that begins with the first of these nodes and is worth a branch."""
    best: Group | None = None
    for condition in conditions_of(nodes[0]):
        if condition in state.holding or not is_settled(state, first_leaf(nodes[0]), condition):
            continue
        found = longest(state, nodes, condition)
        if found is not None and (best is None or len(found.nodes) > len(best.nodes)):
            best = found
    return best


def longest(state: State, nodes: Sequence[PlanNode], condition: Expr) -> Group | None:
    """As many nodes as stand under the condition, definitions for their use among them."""
    members: list[PlanNode] = []
    for node in nodes:
        if not (is_definition(node) or condition in conditions_of(node)):
            break
        if any(isinstance(t.leaf.statement, Append | ListAlloc) for t in leaves_of([node])):
            break
        members.append(node)
    while members and (is_definition(members[-1]) or not is_closed(state, members, condition)):
        members.pop()
    return Group(condition, tuple(members)) if members and is_heavy(members) else None


def first_leaf(node: PlanNode) -> Leaf:
    return next(leaves_of([node])).leaf


# ---------------------------------------------------------------- what stands under a condition


def conditions_of(node: PlanNode) -> list[Expr]:
    """What all that the node changes is conditional on."""
    common: list[Expr] | None = None
    for leaf in (t.leaf for t in leaves_of([node])):
        if isinstance(leaf.statement, Store | Fault | Append):
            own = conjuncts(leaf.guard)
            common = own if common is None else [c for c in common if c in own]
    return common or []


def is_definition(node: PlanNode) -> bool:
    """Does it only make a name?"""
    return isinstance(node, Together) and isinstance(node.leaf.statement, Def | Alloc)


def is_settled(state: State, leaf: Leaf, condition: Expr) -> bool:
    """Is the condition one truth value now, made of what is known at this point?"""
    variables = {n.variable for n in leaf.loops if isinstance(n, For)}
    given = {p.name for p in state.program.unit.params} | set(state.boxes.values)
    if isinstance(condition.type, ArrayType):
        return False
    for e in walk(condition):
        if isinstance(e, Call) or (isinstance(e, Load) and e.cell not in state.cells):
            return False
        if isinstance(e, Load) and any(a not in state.running for a in state.cells[e.cell].value.axes):
            return False
        if not isinstance(e, Ref):
            continue
        if e.name in state.defined:
            if any(a not in state.running for a in state.defined[e.name].axes):
                return False
        elif not (e.name in state.running or (e.name in given and e.name not in variables)):
            return False
    return True


def is_closed(state: State, members: Sequence[PlanNode], condition: Expr) -> bool:
    """Is what the members define used by them alone, and the condition not changed by them?"""
    inside = [t.leaf for t in leaves_of(members)]
    keys = {leaf.key for leaf in inside}
    made = {n for leaf in inside if isinstance(leaf.statement, Def | Alloc) for n in writes(leaf)}
    stored = {leaf.statement.cell for leaf in inside if isinstance(leaf.statement, Store)}
    if any(isinstance(e, Load) and e.cell in stored for e in walk(condition)):
        return False
    return all(made.isdisjoint(touches(leaf)) for leaf in state.program.leaves if leaf.key not in keys)


def is_heavy(members: Sequence[PlanNode]) -> bool:
    """Is the work more than a branch costs: a loop, whole arrays, more than one array to store to?"""
    stores = 0
    for node in members:
        if isinstance(node, Sequential) or node.axes:
            return True
        statement = node.leaf.statement
        if any(isinstance(e.type, ArrayType) for x in expressions(statement) for e in walk(x)):
            return True
        stores += isinstance(statement, Store) and bool(statement.index)
    return stores > 1


# ---------------------------------------------------------------- the branch


def branch(state: State, group: Group, emit: Emit) -> None:
    """`cells = lax.cond(condition, update, lambda *kept: kept, *cells)`."""
    leaves = [t.leaf for t in leaves_of(group.nodes)]
    value = evaluate(state, Here(leaves[0], ()), group.condition)
    predicate = named_once(state, value)
    carry = carry_of(state, None, leaves)

    def prepare(inner: State) -> None:
        inner.holding = (*inner.holding, group.condition)

    inner = body_of(state, group.nodes, emit, prepare, carry)
    targets = carry.targets(state)
    if not targets:
        return
    inner.lines = in_phases(inner, carry, predicate)
    update = state.names.fresh("update")
    state.lines.append(function(update, targets, [*inner.lines, ast.Return(packed(carry.contents(inner)))]))
    kept = ast.arguments([], [], None, [], [], None, [])
    if len(targets) == 1:
        kept.args.append(ast.arg("kept"))
    else:
        kept.vararg = ast.arg("kept")
    unchanged = ast.Lambda(kept, name("kept"))
    unpack(state, targets, call("lax.cond", predicate, name(update), unchanged, *carry.contents(state)))
    carry.adopt(state, inner)


def named_once(state: State, value: Value) -> ast.expr:
    """The condition by a name: the branch may change what it was made of."""
    if isinstance(value.node, ast.Name):
        return value.node
    identifier = state.names.temporary("condition")
    state.assign(identifier, value.node)
    return name(identifier)


def parts(state: State, nodes: Sequence[PlanNode], in_loop: bool) -> Iterator[PlanNode | Group]:
    """The nodes of a block in order, in groups where branches are worth it; each is asked for when it is due."""
    k = 0
    while k < len(nodes):
        group = group_at(state, nodes[k:]) if in_loop else None
        yield nodes[k] if group is None else group
        k += 1 if group is None else len(group.nodes)
