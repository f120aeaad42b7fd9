"""What a loop carries from one iteration to the next, and what its names are bound to afterwards.

A carried scalar becomes a rank-0 cell, a carried array a cell of its own. The type of a carried scalar is found by
lowering the loop again with a wider one, until it holds.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Sequence
from dataclasses import fields

import numpy as np

from autovec.analysis import in_range as proofs
from autovec.analysis.model import LoopDomain
from autovec.diagnostics import Code
from autovec.frontend import liveness, optional, ranges, sharing
from autovec.frontend.expressions import as_expr, load, select
from autovec.frontend.iteration import Trips
from autovec.frontend.scope import LEARNED, Scope, affine_form
from autovec.frontend.tags import fitted, joined, tag_expr, widened
from autovec.frontend.values import (
    Buffer,
    Computed,
    GrownArray,
    ListArray,
    ListCell,
    MaybeUnbound,
    Static,
    TupleList,
    TupleValue,
    Value,
    Variable,
    View,
    sequence_type,
)
from autovec.ir.affine import Affine
from autovec.ir.nodes import Apply, Call, Cast, Const, For, Load, Range, Stmt, Store, While
from autovec.ir.types import BOOL, INT, ArrayType, Kind, ScalarType, numpy_scalar


class Widened(Exception):
    """A cell was given a kind that it doesn't hold; the loop or function that owns the cell starts again."""

    def __init__(self, owner: object) -> None:
        super().__init__(owner)
        self.owner = owner


class Checkpoint:
    """The state before a loop, to start its lowering again."""

    def __init__(self, scope: Scope) -> None:
        self.length = len(scope.statements)
        self.env = dict(scope.env)
        self.conditions = scope.conditions
        self.ledger = {f.name: copy.copy(getattr(scope.ledger, f.name)) for f in fields(scope.ledger)}

    def undo(self, scope: Scope) -> None:
        del scope.statements[self.length :]
        scope.env.clear()
        scope.env.update(self.env)
        scope.conditions = self.conditions
        for name, value in self.ledger.items():
            if name not in LEARNED:
                setattr(scope.ledger, name, copy.copy(value))


def read_outside(scope: Scope, node: ast.AST, names: set[str]) -> set[str]:
    """Names whose value after the loop may be read."""
    return names & (liveness.live_after(scope.home.node, node) | scope.outer_reads)


def carry(
    scope: Scope, node: ast.AST, body: Sequence[ast.stmt], targets: list[ast.expr], counts: bool = False, level: int = 0
) -> dict[str, Value]:
    """Make cells for the names that the loop carries; their values before the loop.

    `counts`: the last value of the loop variable is known from its range.
    """
    targeted = liveness.assigned(targets)
    assigned = liveness.assigned(body)
    exposed = liveness.exposed(body) - targeted
    outside = read_outside(scope, node, assigned | targeted)
    only_changed = assigned - liveness.rebound(body) - targeted
    leaves = liveness.may_jump(body, (ast.Break,))
    before: dict[str, Value] = {}
    for name in sorted(assigned | targeted):
        value = scope.env.get(name)
        if name in targeted and name not in assigned and name in outside and counts:
            before[name] = value if value is not None else Static(None)
            continue
        if name not in outside and name not in exposed:
            continue
        if optional.is_none(value) and optional.stays_none(body, name):
            continue
        if value is None or (optional.is_none(value) and name in assigned):
            before[name] = Static(None)
            none = value is not None  # where it is left by a `break`, its type is known only to the assignment
            late(scope, node, name, level, none or leaves or name in exposed, none)
            continue
        if isinstance(value, View) and not value.rebound and name in only_changed:
            continue  # `total += row` changes the array in place
        if isinstance(value, LISTS) and (name in only_changed or isinstance(value, GrownArray)):
            continue  # so does `items += [v]`
        before[name] = value
        scope.env[name] = carried_cell(scope, node, name, value, level)
    return before


def late(scope: Scope, node: ast.AST, name: str, level: int, early: bool, none: bool) -> None:
    """A name that is first bound (`none`: to more than None) inside the loop and read after it: a cell that remembers
    the last value.

    One that may be read before it is bound (`early`) needs a cell before its type is known: a guess, until the first
    assignment tells.
    """
    key = (id(node), level, name)
    if key in scope.ledger.late_arrays:
        late_array(scope, node, name, scope.ledger.late_arrays[key], none)
        return
    known = scope.ledger.joins.get(key)
    if known is None and early:
        known = GUESSES[scope.ledger.guesses.setdefault(key, 0)]
    if known is None:
        return  # made when the first assignment has told its type
    zero = Const(False, BOOL) if known.dtype.kind == "b" else Const(0, INT)
    cell = scope.allocate(name, widened(zero, known), known, scope.span(node))
    scope.ledger.owners[cell] = (id(node), level, name)
    tag = scope.allocate(f"{name}_kind", Const(0, INT), INT, scope.span(node)) if known.only is None else ""
    bound = scope.allocate(f"{name}_{'found' if none else 'bound'}", Const(False, BOOL), BOOL, scope.span(node))
    scope.env[name] = MaybeUnbound(Variable(cell, known, tag), Load(bound, (), BOOL), none)


def late_array(scope: Scope, node: ast.AST, name: str, kind: ArrayType, none: bool) -> None:
    """Such a name of an array: a cell for its elements, which is the name's own until it is bound to another's."""
    cell = scope.allocate(name, Call("zeros", (), (), kind), kind, scope.span(node))
    scope.ledger.moving.add(cell)
    scope.ledger.owned.add(cell)
    bound = scope.allocate(f"{name}_{'found' if none else 'bound'}", Const(False, BOOL), BOOL, scope.span(node))
    view = View(cell, whole_index(kind), kind, rebound=True)
    scope.env[name] = MaybeUnbound(view, Load(bound, (), BOOL), none)


def in_cell(value: Value) -> bool:
    """Is it what a loop carries in a cell of the name's own?"""
    return isinstance(value, Variable) or (isinstance(value, View) and value.rebound)


def carried_cell(scope: Scope, node: ast.AST, name: str, value: Value, level: int) -> Value:
    if isinstance(value, Variable) or (isinstance(value, View) and value.rebound):
        return value  # an outer loop carries it already
    if isinstance(value, ListArray) and value.view.rebound:
        return value
    if isinstance(value, Buffer) or (isinstance(value, TupleList) and isinstance(value.columns[0], Buffer)):
        return value  # emptied where the name is bound to `[]`
    if isinstance(value, ListCell):
        from autovec.frontend import buffers

        buffers.wanted(scope, value)
    if isinstance(value, MaybeUnbound):
        if in_cell(value.value):
            return value
        raise scope.blocked(node, Code.UNKNOWN_NAME, f"the name {name!r}, which may be unbound before the loop,")
    if isinstance(value, ListArray) or (isinstance(value, TupleValue) and value.constructor is list):
        from autovec.frontend import owned

        return owned.carried_list(scope, name, value, node)
    if isinstance(value, View):
        from autovec.frontend import owned

        expr, own = load(scope, value, node), owned.takes(scope, name, value, node)
        cell = scope.allocate(name, expr, value.type, scope.span(node))
        if own:
            scope.ledger.owned.add(cell)
        else:
            sharing.starts(scope, cell, value)
        scope.ledger.moving.add(cell)
        return View(cell, whole_index(value.type), value.type, rebound=True)
    if not isinstance(value, Computed | Static):
        raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, f"the name {name!r} rebound inside the loop")
    expr = as_expr(scope, value, node)
    if isinstance(expr.type, ArrayType):
        cell = scope.allocate(name, expr, expr.type, scope.span(node))
        scope.ledger.moving.add(cell)
        return View(cell, whole_index(expr.type), expr.type, rebound=True)
    key = (id(node), level, name)
    kinds = ScalarType(expr.type.kinds | scope.ledger.joins.get(key, expr.type).kinds)
    scope.ledger.joins[key] = kinds
    cell = scope.allocate(name, fitted(scope, expr, kinds, node), kinds, scope.span(node))
    tag = ""
    if kinds.only is None:
        tag = scope.allocate(f"{name}_kind", tag_expr(scope, value, expr, kinds), INT, scope.span(node))
    scope.ledger.owners[cell] = key
    return Variable(cell, expr.type, tag)


def whole_index(kind: ArrayType) -> tuple[Range, ...]:
    return tuple(Range(Const(0, INT), size) for size in kind.shape)


def assign_variable(scope: Scope, name: str, variable: Variable, value: Value, node: ast.AST) -> Variable:
    """Store into the cell of a carried scalar; a kind it doesn't hold starts the owning loop again."""
    refuse_sequence(scope, name, value, node)
    expr = as_expr(scope, value, node)
    held = held_kinds(scope, variable.cell)
    owner = scope.ledger.owners[variable.cell]
    if isinstance(expr.type, ArrayType):
        if owner in scope.ledger.guesses and owner not in scope.ledger.joins:
            keep_array(scope, owner, expr.type)
        raise scope.blocked(node, Code.UNSTABLE_TYPE, f"the name {name!r}, a number that becomes an array")
    if owner in scope.ledger.guesses and owner not in scope.ledger.joins and isinstance(expr.type, ScalarType):
        scope.ledger.joins[owner] = expr.type
        raise Widened(owner[:2])
    if not expr.type.kinds <= held.kinds:
        key = scope.ledger.owners[variable.cell]
        scope.ledger.joins[key] = joined(scope, held, expr.type, node)
        raise Widened(key[:2])
    if variable.tag_cell:
        scope.store(variable.tag_cell, (), tag_expr(scope, value, expr, held), scope.span(node))
    scope.store(variable.cell, (), fitted(scope, expr, held, node), scope.span(node))
    return Variable(variable.cell, expr.type, variable.tag_cell)


def refuse_sequence(scope: Scope, name: str, value: Value, node: ast.AST) -> None:
    """A list or tuple isn't what NumPy makes of it."""
    if sequence_type(value) is not None:
        raise scope.blocked(node, Code.UNSTABLE_TYPE, f"the name {name!r}, bound to a list or tuple by a loop")


LISTS = (ListCell, ListArray, Buffer, TupleList, GrownArray)
GUESSES = (numpy_scalar(np.dtype(np.float64)), INT)


def next_guess(scope: Scope, owner: tuple[int, int]) -> bool:
    """Try another type for the names whose type is still a guess; False where there is none."""
    pending = [k for k in scope.ledger.guesses if k[:2] == owner and k not in scope.ledger.joins]
    for key in pending:
        scope.ledger.guesses[key] += 1
    return bool(pending) and all(scope.ledger.guesses[k] < len(GUESSES) for k in pending)


def held_kinds(scope: Scope, cell: str) -> ScalarType:
    """The kinds that a rank-0 cell holds."""
    held = scope.ledger.cells[cell]
    return held if isinstance(held, ScalarType) else ScalarType(frozenset())


def after_loop(
    scope: Scope,
    inner: Scope,
    node: ast.AST,
    carried: dict[str, Value],
    once: bool,
    trips: Trips | None,
    live: str,
    level: int = 0,
) -> None:
    """What the names are bound to once the loop is done."""
    inside = liveness.assigned(loop_body(node))
    targeted = liveness.assigned([node.target]) if isinstance(node, ast.For) else set()
    for name in inside | targeted:
        end = inner.env.get(name)
        rebound = scope.env.get(name)
        rebound = rebound.value if isinstance(rebound, MaybeUnbound) else rebound
        if isinstance(rebound, View) and rebound.rebound and not scope.loops and stores_surely(scope, rebound.cell):
            scope.ledger.anew.add(rebound.cell)
        if name not in carried:
            if optional.is_none(rebound) and optional.stays_none(loop_body(node), name):
                continue
            if name not in scope.env or not isinstance(scope.env[name], (Variable, View, *LISTS)):
                scope.env.pop(name, None)
            continue
        start = scope.env.get(name)
        if isinstance(start, Variable) and isinstance(end, Variable):
            ends = end.type.kinds | inner.left.get(start.cell, frozenset())
            kinds = ScalarType(ends if once else start.type.kinds | ends)
            if kinds.only is None and not scope.loops:
                kinds = stored_kinds(scope, start.cell) or kinds
            scope.env[name] = Variable(start.cell, kinds, start.tag_cell)
        elif isinstance(start, MaybeUnbound):
            if once and not live and name not in inner.left_unbound and isinstance(end, Variable):
                kinds = ScalarType(end.type.kinds | inner.left.get(end.cell, frozenset()))
                scope.env[name] = Variable(end.cell, kinds, end.tag_cell)
            elif once and not live and name not in inner.left_unbound and isinstance(end, View):
                scope.env[name] = end
        elif name in targeted and name not in inside and trips is not None and is_counted(scope, trips, live):
            scope.env[name] = last_value(scope, node, carried[name], trips)
        elif start is None and end is not None:
            first_bound_inside(scope, node, name, end, level)
        elif isinstance(start, ListArray) and start.view.rebound:
            continue
        elif not (isinstance(start, View) and start.rebound) and not (isinstance(start, LISTS) and start == end):
            raise scope.blocked(
                node, Code.UNSUPPORTED_STATEMENT, f"the name {name!r}, read after the loop that binds it,"
            )


def stored_kinds(scope: Scope, cell: str) -> ScalarType | None:
    """The kinds that the last loop has stored, if it surely stored at least once (at sizes like this call's)."""
    if not stores_surely(scope, cell):
        return None
    stores = nested_stores((scope.statements[-1],), cell, ())
    held = held_kinds(scope, cell)
    kinds = frozenset[Kind]()
    for store, _, _ in stores:
        value = store.value
        inner = value.arg.type if isinstance(value, Cast) and value.type == held else value.type
        if not isinstance(inner, ScalarType):
            return None
        kinds |= inner.kinds
    return ScalarType(kinds)


def stores_surely(scope: Scope, cell: str) -> bool:
    """Does the last statement, a loop, store to the cell at least once, at sizes like this call's?"""
    return any(
        ranges.assume(scope, proofs.non_empty(domains, tuple(scope.ledger.facts), conditions))
        for _, domains, conditions in nested_stores((scope.statements[-1],), cell, ())
        if domains is not None
    )


def nested_stores(
    body: Sequence[Stmt], cell: str, around: tuple[LoopDomain, ...] | None
) -> Iterator[tuple[Store, tuple[LoopDomain, ...] | None, tuple[Affine, ...]]]:
    """Stores to a cell with the loops around them (None where they are not all affine and unconditional)."""
    for statement in body:
        if isinstance(statement, Store) and statement.cell == cell:
            yield statement, around if statement.guard is None else None, ()
        elif isinstance(statement, While):
            yield from nested_stores(statement.body, cell, None)
        elif isinstance(statement, For):
            forms = [[affine_form(e, {}) for e in ends] for ends in (statement.start, statement.stop)]
            inner = None
            if around is not None and not statement.guard and not statement.live and None not in (*forms[0], *forms[1]):
                lower, upper = (tuple(f for f in ends if f is not None) for ends in forms)
                inner = (*around, LoopDomain(len(around), statement.variable, lower, upper, statement.step))
            yield from nested_stores(statement.body, cell, inner)


def first_bound_inside(scope: Scope, node: ast.AST, name: str, end: Value, level: int) -> None:
    """Now the type of a late name is known: start again with a cell for it."""
    if isinstance(end, MaybeUnbound):
        end = end.value
    if isinstance(end, Computed | Static | Variable):
        expr = as_expr(scope, end, node)
        if isinstance(expr.type, ScalarType):
            scope.ledger.joins[(id(node), level, name)] = expr.type
            raise Widened((id(node), level))
    if isinstance(end, Computed | View) and isinstance(end.type, ArrayType):
        keep_array(scope, (id(node), level, name), end.type)
    raise scope.blocked(
        node, Code.UNSUPPORTED_STATEMENT, f"the name {name!r}, first bound inside the loop and read after it,"
    )


def keep_array(scope: Scope, key: tuple[int, int, str], kind: ArrayType) -> None:
    """The type of a late name is an array's: start again with a cell for it, if its shape doesn't change."""
    if all(size.names <= set(scope.ledger.values) for size in kind.shape):
        scope.ledger.late_arrays[key] = kind
        raise Widened(key[:2])


def loop_body(node: ast.AST) -> Sequence[ast.stmt]:
    """What happens in every iteration, the test of a `while` first."""
    if isinstance(node, ast.While):
        return [ast.copy_location(ast.Expr(node.test), node), *node.body]
    return node.body if isinstance(node, ast.For) else []


def is_counted(scope: Scope, trips: Trips, live: str) -> bool:
    """Does the loop variable end at a value that the range alone tells?"""
    forms = (scope.affine(trips.start[0]), scope.affine(trips.stop[0]))
    one = len(trips.start) == len(trips.stop) == 1
    return trips.ranged and one and abs(trips.step) == 1 and not live and None not in forms


def last_value(scope: Scope, node: ast.AST, before: Value, trips: Trips) -> Value:
    """The loop variable after the loop."""
    stop = scope.affine(trips.stop[0])
    if stop is None:
        raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, "the loop variable read after the loop")
    last = Computed(ranges.to_expr(stop - trips.step))
    if runs_once(scope, trips):
        return last
    ran = Apply("less", (trips.start[0], trips.stop[0]) if trips.step > 0 else (trips.stop[0], trips.start[0]), BOOL)
    if isinstance(before, Static) and before.value is None:
        return MaybeUnbound(last, ran)
    return select(scope, ran, last, before, node)


def runs_once(scope: Scope, trips: Trips) -> bool:
    """Does the loop surely run at least once (at sizes like this call's)?"""
    for first, last in ((scope.affine(a), scope.affine(b)) for a in trips.start for b in trips.stop):
        if first is None or last is None:
            return False
        extent = last - first - 1 if trips.step > 0 else first - last - 1
        if not (ranges.is_parametric(scope, extent) and ranges.holds_everywhere(scope, extent)):
            return False
    return True
