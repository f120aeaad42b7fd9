"""Names that a loop both rebinds and writes into: what they stand for changes hands, and is never anybody else's.

    prev = cur                                the contents of `cur` are copied to the cell of `prev`
    prev, cur = cur, [0] * n                  so are they here, and those of the new list to the cell of `cur`

In: a name, its list or array and the names around. Out: the cell that the loop carries for it. A cell is *owned* by
its name as long as no other name reaches what it holds: then a store into it is seen by nobody else, and the name may
be bound anew. Where that isn't known the name may be rebound or written into, not both.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from autovec.diagnostics import Code
from autovec.frontend import liveness, ranges, sequences, sharing, subscripts
from autovec.frontend.carried import Widened
from autovec.frontend.expressions import as_expr, load
from autovec.frontend.scope import Scope
from autovec.frontend.tags import joined
from autovec.frontend.values import (
    Buffer,
    Closure,
    Computed,
    DictValue,
    Elements,
    GrownArray,
    ListArray,
    ListCell,
    Masked,
    MaybeUnbound,
    Method,
    ObjectValue,
    Packed,
    Partial,
    Static,
    TupleList,
    TupleValue,
    Value,
    Variable,
    View,
    sequence_type,
)
from autovec.ir.nodes import Call, Const, Expr, Load, Range
from autovec.ir.types import INT, ArrayType, ScalarType
from autovec.ir.walk import loads


def reached(value: Value) -> Iterator[str]:
    """The cells that a value reads or stands for; "" for what can't be looked into."""
    match value:
        case View(cell=cell) | ListCell(cell=cell) | Variable(cell=cell) | Buffer(cell=cell):
            yield cell
        case ListArray(view=view):
            yield view.cell
        case Masked(elements=None):
            pass
        case Computed(expr=expr, shares=shares):
            yield from (one.cell for one in loads(expr))
            if shares:
                yield shares
        case MaybeUnbound(value=inner) | GrownArray(items=inner) | Packed(items=inner):
            yield from reached(inner)
        case TupleValue(items=items) | TupleList(columns=items):
            if isinstance(value, TupleValue):
                yield f"object {id(value)}"
            yield from (c for item in items for c in reached(item))
        case DictValue(entries=entries):
            yield from (c for item in entries.values() for c in reached(item))
        case ObjectValue(attributes=attributes):
            yield from (c for item in attributes.values() for c in reached(item))
        case Method(owner=owner):
            yield from reached(owner)
        case Closure(defaults=defaults):  # the names around are read when it is called
            yield from (c for item in defaults.values() for c in reached(item))
        case Partial(args=args, keywords=words):
            yield from (c for item in (*args, *words.values()) for c in reached(item))
        case Elements() | Masked():
            yield ""
        case Static():
            pass


def cells_around(env: dict[str, Value], apart: Iterable[str] = ()) -> frozenset[str]:
    """The cells that the names around reach, but for some names."""
    names = set(env) - set(apart)
    return frozenset(c for name in names for c in reached(env[name]))


def is_unshared(scope: Scope, cell: str, apart: Iterable[str] = ()) -> bool:
    """Can nothing but the names `apart` reach what the cell holds?"""
    ledger = scope.ledger
    if cell in ledger.arguments | ledger.given | ledger.viewed | ledger.snapshots | ledger.overlapping | ledger.sharing:
        return False
    if cell in ledger.passed or cell in ledger.roots or cell in ledger.starts or cell in ledger.stand_ins:
        return False
    outside = {c for value in (*ledger.attributes.values(), *ledger.captured.values()) for c in reached(value)}
    around = cells_around(scope.env, apart)
    return not {cell, ""} & (around | scope.foreign | outside)


def takes(scope: Scope, name: str, value: View | ListArray, node: ast.AST) -> bool:
    """May the loop's cell for a name be rebound and written into? Not if the loop goes through what it was."""
    if isinstance(node, ast.For) and name in liveness.loaded([node.iter]):
        return False
    view = value.view if isinstance(value, ListArray) else value
    held = scope.ledger.cells.get(view.cell)
    whole = isinstance(held, ArrayType) and view.index == subscripts.whole(view.cell, held).index
    return whole and view.order is None and is_unshared(scope, view.cell, (name,))


# ---------------------------------------------------------------- lists


def carried_list(scope: Scope, name: str, value: ListArray | TupleValue, node: ast.AST) -> ListArray:
    """The cells of a list that a loop rebinds."""
    if isinstance(value, TupleValue) and (value.origin or not is_unshared(scope, f"object {id(value)}", (name,))):
        raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, f"the name {name!r} of a list that others know, rebound")
    made = value if isinstance(value, ListArray) else list_of(scope, value, node)
    if made.view.cell in scope.ledger.passed or made.view.cell in scope.ledger.arguments:
        raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, f"the name {name!r}, a list that was passed in, rebound")
    own = takes(scope, name, made, node)
    view = subscripts.new_cell(scope, name, load(scope, made.view, node), node)
    tags = ""
    if made.tags:
        which = Load(made.tags, made.view.index, ArrayType(INT.dtype, made.view.type.shape))
        tags = subscripts.new_cell(scope, f"{name}_kind", which, node).cell
    if not own:
        sharing.starts(scope, view.cell, made.view)
    scope.ledger.moving.add(view.cell)
    if own:
        scope.ledger.owned.add(view.cell)
    if made.view.cell in scope.ledger.joins_of:
        scope.ledger.joins_of[view.cell] = scope.ledger.joins_of[made.view.cell]
    return replace(made, view=replace(view, rebound=True), tags=tags)


def list_of(scope: Scope, value: Value, node: ast.AST) -> ListArray:
    """A list as an array that knows it is one."""
    if isinstance(value, TupleValue) and value.constructor is list:
        value = sequences.displayed_rows(scope, value, node) or sequences.displayed(scope, value, node) or value
    if isinstance(value, ListCell):
        view, info = sequences.list_view(scope, value, node), scope.ledger.lists[value.cell]
        if info.rows is None and not info.shares:
            element = None if isinstance(info.element, ArrayType) else info.element
            return ListArray(view, element, tags=info.tags)
    if not isinstance(value, ListArray) or value.element is None:
        raise scope.blocked(node, Code.UNSTABLE_TYPE, "a name of a list, bound to something else in a loop")
    return value


def rebind_list(scope: Scope, name: str, current: ListArray, value: Value, node: ast.AST) -> None:
    """`row = new_row` of a name that a loop carries: the contents are copied to its cells."""
    if value == current:
        keep(scope, current.view.cell, node)
        return
    if isinstance(value, TupleValue) and (value.origin or not is_unshared(scope, f"object {id(value)}")):
        raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, f"the name {name!r} bound to a list that others know")
    made = list_of(scope, value, node)
    alike(scope, name, current, made, node)
    release(scope, name, current.view.cell, made.view, node)
    for cell, held in ((current.tags, made.tags), (current.view.cell, made.view.cell)):
        if cell:
            dtype = INT.dtype if cell == current.tags else made.view.type.dtype
            whole = Load(held, made.view.index, ArrayType(dtype, made.view.type.shape))
            scope.store(cell, current.view.index, whole, scope.span(node))


def alike(scope: Scope, name: str, current: ListArray, made: ListArray, node: ast.AST) -> None:
    """Of one depth, length and kind of numbers; where the kinds differ, the lowering starts again with both."""
    pairs = [*zip(current.view.type.shape, made.view.type.shape, strict=False)]
    kinds = [(one.depth, one.constructor, one.rows) for one in (current, made)]
    same = kinds[0] == kinds[1] and len(current.view.type.shape) == len(made.view.type.shape)
    if not same or not all(ranges.require(scope, a - b) and ranges.require(scope, b - a) for a, b in pairs):
        raise scope.blocked(
            node, Code.UNSTABLE_TYPE, f"the name {name!r}, a list of one length before the loop and of another in it"
        )
    if current.element == made.element:
        return
    keys = [scope.ledger.joins_of.get(one.view.cell) for one in (current, made)]
    if None in keys or current.element is None or made.element is None:
        raise scope.blocked(node, Code.UNSTABLE_TYPE, f"the name {name!r}, lists of several kinds of numbers")
    both = joined(scope, current.element, made.element, node)
    before = [scope.ledger.joins.get(key) for key in keys if key is not None]
    scope.ledger.joins.update({key: both for key in keys if key is not None})
    if before == [both, both]:
        raise scope.blocked(node, Code.UNSTABLE_TYPE, f"the name {name!r}, lists of several kinds of numbers")
    raise Widened(keys[0])


def concatenated(scope: Scope, a: Value, b: Value, node: ast.expr) -> ListArray:
    """`[0] + row`: the elements of both, of the kinds of either; lists go with lists, tuples with tuples."""
    constructor = sequence_type(a)
    if constructor is None or constructor is not sequence_type(b):
        raise scope.blocked(node, Code.RAISES, "a list and a tuple put together")
    listed = [TupleValue(v.items, list) if isinstance(v, TupleValue) else v for v in (a, b)]
    parts = [list_of(scope, v, node) for v in listed]
    kinds = frozenset(k for part in parts if part.element is not None for k in part.element.kinds)
    element = sequences.joined_element(scope, node, ScalarType(kinds))
    if any(part.depth != 1 for part in parts):
        raise scope.blocked(node, Code.UNSUPPORTED_EXPRESSION, "lists of lists put together")
    for part in parts:
        if part.element != element:
            widen(scope, part, element, node)
    first, second = (part.view.type.shape[0] for part in parts)
    places = (Range(Const(0, INT), first), Range(ranges.to_expr(first), second))
    cells: list[View] = []
    for held in ("view", "tags") if element.only is None else ("view",):
        kind = ArrayType(element.dtype if held == "view" else INT.dtype, (first + second,))
        whole = subscripts.new_cell(scope, "items", Call("zeros", (), (), kind), node)
        for part, place in zip(parts, places, strict=True):
            cell = part.view.cell if held == "view" else part.tags
            items = Load(cell, part.view.index, ArrayType(kind.dtype, part.view.type.shape))
            scope.store(whole.cell, (place,), items, scope.span(node))
        cells.append(whole)
    scope.ledger.joins_of[cells[0].cell] = (0, id(node), "list")
    return ListArray(cells[0], element, 1, cells[1].cell if len(cells) > 1 else "", constructor)


def widen(scope: Scope, part: ListArray, element: ScalarType, node: ast.AST) -> None:
    """A list must hold other kinds too: the lowering starts again with that known."""
    key = scope.ledger.joins_of.get(part.view.cell)
    if key is None or scope.ledger.joins.get(key) == element:
        raise scope.blocked(node, Code.UNSTABLE_TYPE, "lists of several kinds of numbers put together")
    scope.ledger.joins[key] = element
    raise Widened(key)


def copied(scope: Scope, value: ListArray, node: ast.AST) -> ListArray:
    """`items.copy()`, `list(items)` of a list of numbers."""
    now = Computed(as_expr(scope, replace(value.view, rebound=False), node))
    return replace(held_list(scope, value, now, node), constructor=list)


# ---------------------------------------------------------------- changing hands


def release(scope: Scope, name: str, cell: str, value: Value, node: ast.AST) -> None:
    """The cell of a name takes other contents: it stays the name's own if those are nobody else's."""
    source = value.cell if isinstance(value, View) else value.shares if isinstance(value, Computed) else ""
    if cell in scope.ledger.owned:
        if cell in cells_around(scope.env, (name,)) | scope.foreign or "" in cells_around(scope.env):
            raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, f"the name {name!r} rebound while others know it")
        if not source or (isinstance(value, View) and is_unshared(scope, source)):
            return
    sharing.bound(scope, cell, value)
    for one in {cell, source} & (scope.ledger.owned | {cell}):
        disown(scope, one, node)


def keep(scope: Scope, cell: str, node: ast.AST) -> None:
    """A name is bound to what it is: if that isn't its own, a store must be seen by others, and its cell is a copy."""
    if cell not in scope.ledger.owned:
        disown(scope, cell, node)


def disown(scope: Scope, cell: str, node: ast.AST) -> None:
    """Another name has the list or array too: it may be rebound, not written into; so has who took it over."""
    ledger = scope.ledger
    ledger.owned.discard(cell)
    ledger.rebinds.add(cell)
    for target in [t for t, sources in ledger.trades.items() if cell in sources]:
        ledger.bindings[target] = ledger.bindings.get(target, frozenset()) | {cell}
        if target in ledger.owned:
            disown(scope, target, node)
    if cell in scope.ledger.elements:
        raise scope.blocked(
            node,
            Code.UNSUPPORTED_STATEMENT,
            "a name both rebound and written into inside a loop",
            "write into it with name[:] = ..., or use another name",
        )


def snapshot(scope: Scope, target: ast.expr, value: Value, node: ast.expr) -> Value:
    """Hold the lists and arrays of a tuple that a swap is about to overwrite."""
    if not isinstance(value, TupleValue):
        return value
    apart = traded(scope, target, value.items)
    held: list[Value] = []
    for item in value.items:
        view = item.view if isinstance(item, ListArray) else item
        if not isinstance(view, View) or not view.rebound:
            held.append(item)
            continue
        now = scope.define("held", load(scope, view, node), scope.span(node))
        own = Computed(now, shares="" if view.cell in apart else view.cell)
        held.append(held_list(scope, item, own, node) if isinstance(item, ListArray) else own)
    return TupleValue(tuple(held), value.constructor)


def held_list(scope: Scope, item: ListArray, now: Computed, node: ast.AST) -> ListArray:
    copied = subscripts.new_cell(scope, "held", now.expr, node, now.shares)
    tags = ""
    if item.tags:
        which: Expr = Load(item.tags, item.view.index, ArrayType(INT.dtype, item.view.type.shape))
        tags = subscripts.new_cell(scope, "held_kind", which, node).cell
    if item.view.cell in scope.ledger.joins_of:
        scope.ledger.joins_of[copied.cell] = scope.ledger.joins_of[item.view.cell]
    return replace(item, view=copied, tags=tags)


def traded(scope: Scope, target: ast.expr, items: Sequence[Value]) -> frozenset[str]:
    """The cells whose contents go from one name of `a, b = b, a` to another, and stay with neither."""
    parts = target.elts if isinstance(target, ast.Tuple | ast.List) else []
    names = [p.id for p in parts if isinstance(p, ast.Name)]
    if len(names) != len(items) or len(names) != len(parts) or len(set(names)) != len(names):
        return frozenset()
    cells = [cell_of(item) for item in items]
    bound = [cell_of(scope.env.get(name)) for name in names]
    apart = frozenset(c for c in cells if c in scope.ledger.owned and cells.count(c) == 1 and c in bound)
    for into, cell in zip(bound, cells, strict=True):
        if cell in apart:
            scope.ledger.trades[into] = scope.ledger.trades.get(into, frozenset()) | {cell}
    return apart


def cell_of(value: Value | None) -> str:
    """The cell of a list or array; "" for anything else."""
    view = value.view if isinstance(value, ListArray) else value
    return view.cell if isinstance(view, View) else ""


def named(scope: Scope, name: str, value: ListArray, node: ast.AST) -> ListArray:
    """Another name for a list that a loop rebinds: it keeps what the list holds now."""
    scope.ledger.snapshots |= {value.view.cell} & scope.ledger.elements
    now = Computed(as_expr(scope, replace(value.view, rebound=False), node), shares=value.view.cell)
    return held_list(scope, value, now, node)


def gone_through(scope: Scope, node: ast.For) -> Scope:
    """The scope to find what a loop goes through: what its names stand for now, if the body rebinds them."""
    names = liveness.loaded([node.iter]) & liveness.assigned(node.body)
    env, changed = dict(scope.env), False
    for name in names:
        value = env.get(name)
        view = value.view if isinstance(value, ListArray) else value
        if not isinstance(view, View) or not view.rebound:
            continue
        if sequences.is_written(scope, name) or any(
            isinstance(n, ast.AugAssign) and isinstance(n.target, ast.Name) and n.target.id == name
            for n in ast.walk(node)
        ):
            raise scope.blocked(
                node, Code.UNSUPPORTED_STATEMENT, f"the name {name!r} rebound while a loop goes through it"
            )
        now = Computed(scope.define("held", load(scope, view, node), scope.span(node)), shares=view.cell)
        made = subscripts.new_cell(scope, "held", now.expr, node)
        env[name] = held_list(scope, value, now, node) if isinstance(value, ListArray) else made
        changed = True
    return replace(scope, env=env) if changed else scope
