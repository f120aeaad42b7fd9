"""`for` and `while` -> loops of the IR, with the cells that carry values from one iteration to the next.

A name that the body assigns is carried if an iteration may read what an earlier one (or the code before) assigned, or
if the code after the loop reads it. A carried scalar becomes a rank-0 cell, a carried array a cell of its own. The
type of a carried scalar is found by lowering the body again with a wider one, until it holds.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, replace

from autovec.analysis import in_range as proofs
from autovec.analysis.model import LoopDomain
from autovec.diagnostics import Code
from autovec.frontend import liveness, ranges
from autovec.frontend.expressions import (
    as_expr,
    condition,
    load,
    ordered_kinds,
    representable,
    select,
    tag_expr,
    widened,
)
from autovec.frontend.iteration import Items, Nest, Trips, iteration
from autovec.frontend.scope import LoopRange, Scope, affine_form, conjunction
from autovec.frontend.values import Computed, MaybeUnbound, Static, Value, Variable, View
from autovec.ir.affine import Affine
from autovec.ir.nodes import Apply, Cast, Const, Expr, For, Load, Ref, SourceLoop, Stmt, Store, While
from autovec.ir.types import BOOL, INT, ArrayType, Kind, ScalarType


class Widened(Exception):
    """A carried scalar was assigned a kind that its cell doesn't hold; the loop that owns the cell starts again."""

    def __init__(self, owner: int) -> None:
        super().__init__(owner)
        self.owner = owner


# ---------------------------------------------------------------- for


def for_statement(scope: Scope, node: ast.For) -> None:
    if node.orelse:
        raise scope.blocked(node.orelse[0], Code.UNSUPPORTED_STATEMENT, "for ... else", "set a flag before the break")
    counted = iteration(scope, node.iter)
    if isinstance(counted, Items):
        unrolled(scope, node, counted)
        return
    if isinstance(counted, Nest):
        if liveness.may_jump(node.body, (ast.Break,)):
            raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, "break inside a product of ranges")
        nested(scope, node, counted)
        return
    source = SourceLoop(ast.unparse(node.target), scope.span(node), "for")
    body = liveness.jumps_to_the_end(node.body)

    def lower_body(inner: Scope, variable: Expr) -> None:
        from autovec.frontend import statements

        statements.bind(inner, node.target, counted.at(inner, variable), node.iter)
        statements.block(inner, body)

    loop(scope, node, counted, source, lower_body, hint=target_hint(node.target))


def target_hint(target: ast.expr) -> str:
    """A name for a position: the person's, where the loop binds a name that isn't the element itself."""
    if isinstance(target, ast.Name) and target.id != "_":
        return target.id
    if isinstance(target, ast.Tuple) and isinstance(target.elts[0], ast.Name):
        return target.elts[0].id
    return "i"


def unrolled(scope: Scope, node: ast.For, items: Items) -> None:
    from autovec.frontend import statements

    if liveness.may_jump(node.body, (ast.Break, ast.Continue)):
        raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, "break or continue in a loop over separate values")
    for value in items.values:
        statements.bind(scope, node.target, value, node.iter)
        statements.block(scope, liveness.jumps_to_the_end(node.body))


def nested(scope: Scope, node: ast.For, nest: Nest) -> None:
    """`for i, j in product(range(n), range(m))` as one loop in another."""
    names = [ast.copy_location(ast.Name(f"_{k}_{id(node)}", ast.Store()), node) for k in range(len(nest.parts))]
    together = ast.Tuple([ast.Name(n.id, ast.Load()) for n in names], ast.Load())
    bind_all = ast.copy_location(ast.Assign([node.target], ast.copy_location(together, node)), node)
    ast.fix_missing_locations(bind_all)

    def level(inner: Scope, k: int) -> None:
        from autovec.frontend import statements

        if k == len(nest.parts):
            statements.block(inner, liveness.jumps_to_the_end([bind_all, *node.body]))
            return
        part = nest.parts[k]
        source = SourceLoop(ast.unparse(node.target), inner.span(node), "for")

        def lower_body(deeper: Scope, variable: Expr) -> None:
            statements.bind(deeper, names[k], part.at(deeper, variable), node.iter)
            level(deeper, k + 1)

        loop(inner, node, part, source, lower_body, hint="ijk"[k] if k < 3 else "i", key=k)

    level(scope, 0)


def loop(
    scope: Scope,
    node: ast.For,
    trips: Trips,
    source: SourceLoop,
    lower_body: Callable[[Scope, Expr], None],
    hint: str,
    key: int = 0,
) -> None:
    breaks = liveness.may_jump(node.body, (ast.Break,)) or liveness.may_jump(node.body, (ast.Return,), inner_loops=True)
    restart = Checkpoint(scope)
    for _ in range(8):
        carried = carry(scope, node, node.body, [node.target])
        live = scope.allocate("live", Const(True, BOOL), BOOL, source.span) if breaks else ""
        variable = scope.ledger.fresh(hint)
        inner = inner_scope(scope, node, trips_range(scope, variable, trips), live)
        any_kind(inner, node)
        try:
            lower_body(inner, Ref(variable, INT))
            body = tuple(inner.statements)
            scope.emit(For(variable, trips.start, trips.stop, trips.step, body, scope.guard, source, live))
            after_loop(scope, inner, node, carried, runs_once(scope, trips), trips, live)
            return
        except Widened as widened_:
            if widened_.owner != id(node):
                raise
            restart.undo(scope)
    raise scope.blocked(node, Code.UNSTABLE_TYPE, "a name whose type keeps changing from one iteration to the next")


def any_kind(inner: Scope, node: ast.For | ast.While) -> None:
    """At the start of an iteration a carried scalar may be of any kind that its cell holds."""
    for name in liveness.assigned(node.body):
        value = inner.env.get(name)
        if isinstance(value, Variable):
            held = inner.ledger.cells[value.cell]
            assert isinstance(held, ScalarType)
            inner.env[name] = Variable(value.cell, held, value.tag_cell)


def trips_range(scope: Scope, variable: str, trips: Trips) -> LoopRange:
    lower = tuple(f for f in map(scope.affine, trips.start) if f is not None and ranges.is_parametric(scope, f))
    upper = tuple(f for f in map(scope.affine, trips.stop) if f is not None and ranges.is_parametric(scope, f))
    return LoopRange(variable, lower, upper, trips.step)


def runs_once(scope: Scope, trips: Trips) -> bool:
    """Does the loop surely run at least once (at sizes like this call's)?"""
    forms = [(scope.affine(a), scope.affine(b)) for a in trips.start for b in trips.stop]
    for first, last in forms:
        if first is None or last is None:
            return False
        extent = last - first - 1 if trips.step > 0 else first - last - 1
        if not (ranges.is_parametric(scope, extent) and ranges.holds_everywhere(scope, extent)):
            return False
    return True


def inner_scope(scope: Scope, node: ast.AST, around: LoopRange | None, live: str) -> Scope:
    return replace(
        scope,
        env=dict(scope.env),
        statements=[],
        guard=None,
        loops=scope.loops + ((around,) if around is not None else ()),
        live=(*scope.live, live),
        skip="",
    )


# ---------------------------------------------------------------- while


def while_statement(scope: Scope, node: ast.While) -> None:
    """`while test: body`: the test is evaluated into a flag before the loop and at the end of each iteration."""
    from autovec.frontend import statements

    if node.orelse:
        raise scope.blocked(node.orelse[0], Code.UNSUPPORTED_STATEMENT, "while ... else", "set a flag before the break")
    source = SourceLoop(ast.unparse(node.test), scope.span(node), "while")
    body = liveness.jumps_to_the_end(node.body)
    restart = Checkpoint(scope)
    for _ in range(8):
        carried = carry(scope, node, [ast.copy_location(ast.Expr(node.test), node), *node.body], [])
        go = scope.allocate("go", Const(True, BOOL), BOOL, source.span)
        inner = inner_scope(scope, node, LoopRange(scope.ledger.fresh("trip"), (Affine.number(0),), (), 1), go)
        any_kind(inner, node)
        try:
            scope.emit(Store(go, (), condition(scope, node.test), None, source.span))
            statements.block(inner, body)
            with inner.under(Load(go, (), BOOL)):
                again = condition(inner, node.test)
            inner.emit(Store(go, (), conjunction(Load(go, (), BOOL), again), None, source.span))
            scope.emit(While(Load(go, (), BOOL), tuple(inner.statements), scope.guard, source))
            after_loop(scope, inner, node, carried, False, None, go)
            return
        except Widened as widened_:
            if widened_.owner != id(node):
                raise
            restart.undo(scope)
    raise scope.blocked(node, Code.UNSTABLE_TYPE, "a name whose type keeps changing from one iteration to the next")


# ---------------------------------------------------------------- what is carried


class Checkpoint:
    """The state before a loop, to start its lowering again."""

    def __init__(self, scope: Scope) -> None:
        self.length = len(scope.statements)
        self.env = dict(scope.env)
        self.ledger = {f.name: copy.copy(getattr(scope.ledger, f.name)) for f in fields(scope.ledger)}

    def undo(self, scope: Scope) -> None:
        del scope.statements[self.length :]
        scope.env.clear()
        scope.env.update(self.env)
        joins = scope.ledger.joins
        for name, value in self.ledger.items():
            setattr(scope.ledger, name, copy.copy(value))
        scope.ledger.joins = joins


def read_outside(scope: Scope, node: ast.AST, names: set[str]) -> set[str]:
    """Names whose value after the loop may be read."""
    return names & (liveness.live_after(scope.home.node, node) | scope.outer_reads)


def carry(scope: Scope, node: ast.AST, body: Sequence[ast.stmt], targets: list[ast.expr]) -> dict[str, Value]:
    """Make cells for the names that the loop carries; their values before the loop."""
    targeted = liveness.assigned(targets)
    assigned = liveness.assigned(body)
    exposed = liveness.exposed(body) - targeted
    outside = read_outside(scope, node, assigned | targeted)
    only_changed = assigned - liveness.rebound(body)
    before: dict[str, Value] = {}
    for name in sorted(assigned | targeted):
        value = scope.env.get(name)
        if name in targeted and name not in assigned and name in outside:
            before[name] = value if value is not None else Static(None)
            continue  # its last value is known without a cell, or `after_loop` asks for one
        if name not in outside and name not in exposed:
            continue
        if value is None:
            if name in outside:
                before[name] = Static(None)
                late(scope, node, name)
            continue
        if isinstance(value, View) and not value.rebound and name in only_changed:
            continue  # `total += row` changes the array in place
        before[name] = value
        scope.env[name] = carried_cell(scope, node, name, value)
    return before


def late(scope: Scope, node: ast.AST, name: str) -> None:
    """A name that is first bound inside the loop and read after it: a cell that remembers the last value."""
    known = scope.ledger.joins.get((id(node), 0, name))
    if known is None:
        return  # made when the first assignment has told its type
    zero = Const(False, BOOL) if known.dtype.kind == "b" else Const(0, INT)
    cell = scope.allocate(name, widened(zero, known), known, scope.span(node))
    scope.ledger.owners[cell] = (id(node), 0, name)
    tag = scope.allocate(f"{name}_kind", Const(0, INT), INT, scope.span(node)) if known.only is None else ""
    bound = scope.allocate(f"{name}_bound", Const(False, BOOL), BOOL, scope.span(node))
    scope.env[name] = MaybeUnbound(Variable(cell, known, tag), Load(bound, (), BOOL))


def carried_cell(scope: Scope, node: ast.AST, name: str, value: Value) -> Value:
    if isinstance(value, Variable) or (isinstance(value, View) and value.rebound):
        return value  # an outer loop carries it already
    if isinstance(value, MaybeUnbound):
        if isinstance(value.value, Variable):
            return value
        raise scope.blocked(node, Code.UNKNOWN_NAME, f"the name {name!r}, which may be unbound before the loop,")
    if isinstance(value, View):
        expr = load(scope, value, node)
        cell = scope.allocate(name, expr, value.type, scope.span(node))
        return View(cell, whole_index(value.type), value.type, rebound=True)
    if not isinstance(value, Computed | Static):
        raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, f"the name {name!r} rebound inside the loop")
    expr = as_expr(scope, value, node)
    if isinstance(expr.type, ArrayType):
        cell = scope.allocate(name, expr, expr.type, scope.span(node))
        return View(cell, whole_index(expr.type), expr.type, rebound=True)
    key = (id(node), 0, name)
    kinds = scope.ledger.joins.get(key, expr.type)
    scope.ledger.joins[key] = kinds
    cell = scope.allocate(name, widened(expr, kinds), kinds, scope.span(node))
    tag = ""
    if kinds.only is None:
        tag = scope.allocate(f"{name}_kind", tag_expr(scope, value, expr, kinds), INT, scope.span(node))
    scope.ledger.owners[cell] = key
    return Variable(cell, expr.type, tag)


def whole_index(kind: ArrayType) -> tuple:
    from autovec.frontend.subscripts import whole

    return whole("", kind).index


def assign_variable(scope: Scope, name: str, variable: Variable, value: Value, node: ast.AST) -> Variable:
    """Store into the cell of a carried scalar; a kind it doesn't hold starts the owning loop again."""
    expr = as_expr(scope, value, node)
    if isinstance(expr.type, ArrayType):
        raise scope.blocked(node, Code.UNSTABLE_TYPE, f"the name {name!r}, a number that becomes an array")
    held = scope.ledger.cells[variable.cell]
    assert isinstance(held, ScalarType)
    if not expr.type.kinds <= held.kinds:
        key = scope.ledger.owners[variable.cell]
        representable(scope, Load(variable.cell, (), initial_type(scope, variable, held)), expr, node)
        scope.ledger.joins[key] = ScalarType(held.kinds | expr.type.kinds)
        raise Widened(key[0])
    if variable.tag_cell:
        scope.store(variable.tag_cell, (), tag_expr(scope, value, expr, held), scope.span(node))
    scope.store(variable.cell, (), widened(expr, held), scope.span(node))
    return Variable(variable.cell, expr.type, variable.tag_cell)


def initial_type(scope: Scope, variable: Variable, held: ScalarType) -> ScalarType:
    """Python ints that start a carried value are small constants: they fit any float."""
    small = frozenset(k for k in held.kinds if k.dtype.kind not in "iu")
    return ScalarType(small) if small else ScalarType(frozenset(k for k in BOOL.kinds))


def after_loop(
    scope: Scope, inner: Scope, node: ast.AST, carried: dict[str, Value], once: bool, trips: Trips | None, live: str
) -> None:
    """What the names are bound to once the loop is done."""
    assert isinstance(node, ast.For | ast.While)
    inside = liveness.assigned(node.body)
    targeted = liveness.assigned([node.target]) if isinstance(node, ast.For) else set()
    for name in inside | targeted:
        end = inner.env.get(name)
        if name not in carried:
            if name not in scope.env or not isinstance(scope.env[name], Variable | View):
                scope.env.pop(name, None)
            continue
        start = scope.env.get(name)
        if isinstance(start, Variable) and isinstance(end, Variable):
            kinds = end.type if once else ScalarType(start.type.kinds | end.type.kinds)
            if kinds.only is None and not scope.loops:
                kinds = stored_kinds(scope, start.cell) or kinds
            scope.env[name] = Variable(start.cell, kinds, start.tag_cell)
        elif isinstance(start, MaybeUnbound):
            if once and not live and isinstance(end, Variable):
                scope.env[name] = end
        elif name in targeted and name not in inside:
            scope.env[name] = last_value(scope, node, name, carried[name], trips, live, inner)
        elif start is None and end is not None:
            first_bound_inside(scope, node, name, end)
        elif not (isinstance(start, View) and start.rebound):
            raise scope.blocked(
                node, Code.UNSUPPORTED_STATEMENT, f"the name {name!r}, read after the loop that binds it,"
            )


def stored_kinds(scope: Scope, cell: str) -> ScalarType | None:
    """The kinds that the last loop has stored, if it surely stored at least once (at sizes like this call's)."""
    last = scope.statements[-1]
    stores = list(nested_stores((last,), cell, ()))
    held = scope.ledger.cells[cell]
    sure = any(
        ranges.assume(scope, proofs.non_empty(domains, tuple(scope.ledger.facts), conditions))
        for _, domains, conditions in stores
        if domains is not None
    )
    if not sure or not isinstance(held, ScalarType):
        return None
    kinds = frozenset[Kind]()
    for store, _, _ in stores:
        value = store.value
        inner = value.arg.type if isinstance(value, Cast) and value.type == held else value.type
        assert isinstance(inner, ScalarType)
        kinds |= inner.kinds
    return ScalarType(kinds)


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


def first_bound_inside(scope: Scope, node: ast.AST, name: str, end: Value) -> None:
    """Now the type of a late name is known: start again with a cell for it."""
    if isinstance(end, Computed | Static):
        expr = as_expr(scope, end, node)
        if isinstance(expr.type, ScalarType):
            scope.ledger.joins[(id(node), 0, name)] = expr.type
            raise Widened(id(node))
    raise scope.blocked(
        node, Code.UNSUPPORTED_STATEMENT, f"the name {name!r}, first bound inside the loop and read after it,"
    )


def last_value(
    scope: Scope, node: ast.AST, name: str, before: Value, trips: Trips | None, live: str, inner: Scope
) -> Value:
    """The loop variable after the loop."""
    assert trips is not None
    start, stop = scope.affine(trips.start[0]), scope.affine(trips.stop[0])
    simple = trips.ranged and len(trips.start) == len(trips.stop) == 1 and abs(trips.step) == 1 and not live
    if not simple or start is None or stop is None:
        raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, f"the loop variable {name!r} read after the loop")
    last = Computed(ranges.to_expr(stop - trips.step))
    if runs_once(scope, trips):
        return last
    ran = Apply("less", (trips.start[0], trips.stop[0]) if trips.step > 0 else (trips.stop[0], trips.start[0]), BOOL)
    if isinstance(before, Static) and before.value is None:
        return MaybeUnbound(last, ran)
    return select(scope, ran, last, before, node)


__all__ = ["Stmt", "assign_variable", "for_statement", "ordered_kinds", "while_statement"]
