"""Memory in common: what in NumPy is a view of another array, and here a copy of it.

    v = a.reshape(3, 4)         v is a cell of its own: neither may be written to from here on, and a caller
                                who gets both would see that they are apart

Basic slices and transposes don't come here: those are `View`s of the cell itself.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterable, Sequence
from dataclasses import replace

from autovec.diagnostics import Code
from autovec.frontend.scope import Scope, negation
from autovec.frontend.values import (
    Buffer,
    Closure,
    Computed,
    DictValue,
    ListArray,
    ListCell,
    MaybeUnbound,
    Method,
    ObjectValue,
    Partial,
    TupleList,
    TupleValue,
    Value,
    View,
)
from autovec.ir.nodes import Expr, Point, Ref, Stmt, Store
from autovec.ir.types import ArrayType, rank


def cell_of(value: Value) -> str:
    """The cell whose memory an array or list is, or may be; "" for one of its own."""
    match value:
        case View(cell=cell) | ListCell(cell=cell) | Buffer(cell=cell) | ListArray(view=View(cell=cell)):
            return cell
        case Computed(shares=shares) if rank(value.type):
            return shares
        case _:
            return ""


def cells_in(value: Value) -> list[str]:
    """The cells of the arrays and lists that a result holds, one for each place."""
    if isinstance(value, TupleValue):
        return [c for item in value.items for c in cells_in(item)]
    return [cell for cell in (cell_of(value),) if cell]


def viewed(scope: Scope, cell: str) -> None:
    """A copy of the cell stands for a view of it: a later store would have to be seen in both."""
    if len(scope.loops) > scope.ledger.depths.get(cell, 0):  # what stands before it in a body runs after it, too
        scope.ledger.snapshots.add(cell)
    scope.ledger.viewed.add(cell)


def either(scope: Scope, cells: Sequence[str]) -> str:
    """A name for the memory of one of several arrays; "" where they have their own."""
    if len(set(cells)) < 2:
        return cells[0] if cells else ""
    name = scope.ledger.fresh("either")
    scope.ledger.bindings[name] = frozenset(cells)
    return name


def object_name(value: Value) -> str:
    """What a list or dict of a few values is called among the cells."""
    return f"object {id(value)}"


def view_of(base: Value, made: Value) -> Value:
    """The result of an operation that may be a view of its operand; it matters once it has a name or is held."""
    cell = cell_of(base)
    if not cell or not isinstance(made, Computed) or not isinstance(made.type, ArrayType):
        return made
    return replace(made, shares=cell)


def read_only(scope: Scope, made: Value) -> Value:
    """A view that NumPy lets nobody write to: what would show that ours can be is the original's."""
    if not isinstance(made, Computed) or not isinstance(made.type, ArrayType):
        return made
    name = scope.ledger.fresh("read_only")
    scope.ledger.read_only.add(name)
    if made.shares:
        scope.ledger.bindings[name] = frozenset({made.shares})
        viewed(scope, made.shares)
    return replace(made, shares=name)


# ---------------------------------------------------------------- names that a loop rebinds


def starts(scope: Scope, name: str, value: Value) -> None:
    """The cell of a name that a loop will rebind takes the contents of the array that it stands for."""
    cell = cell_of(value)
    if cell:
        viewed(scope, cell)
        scope.ledger.starts[name] = cell


def bound(scope: Scope, name: str, value: Value) -> None:
    """The cell of a rebound name takes the contents of an array, which is another name's too."""
    cell = cell_of(value)
    if not cell:
        return
    if cell not in scope.ledger.moving:
        viewed(scope, cell)
    scope.ledger.bindings[name] = scope.ledger.bindings.get(name, frozenset()) | {cell}


def begins(scope: Scope, body: Sequence[Stmt], begun: Expr) -> None:
    """A `while` binds these names anew in every trip; whether there is a trip, the data says."""
    for statement in body:
        if isinstance(statement, Store) and statement.guard is None and statement.cell in scope.ledger.starts:
            scope.ledger.begun[statement.cell] = begun


# ---------------------------------------------------------------- what the caller gets


def owners(scope: Scope, cell: str) -> frozenset[str]:
    """The cells whose memory an array may have.

    A name that its loop has bound anew isn't the array before the loop, unless that came back through another name.
    """
    found, left = set[str](), {*behind(scope, cell)}
    if cell not in scope.ledger.anew:
        left |= before(scope, cell)
    while left:
        one = left.pop()
        found.add(one)
        left |= (behind(scope, one) | before(scope, one)) - found
    return frozenset(found | {cell})


def behind(scope: Scope, cell: str) -> frozenset[str]:
    """What a cell is a view of, or its name was bound to."""
    roots = {scope.ledger.roots[cell]} if cell in scope.ledger.roots else set[str]()
    return scope.ledger.bindings.get(cell, frozenset()) | roots


def before(scope: Scope, cell: str) -> set[str]:
    """What its name stood for before the loop."""
    return {scope.ledger.starts[cell]} if cell in scope.ledger.starts else set()


def is_the_callers(scope: Scope, cell: str) -> bool:
    """May the caller have an array with its memory, under another name?"""
    return not owners(scope, cell).isdisjoint(scope.ledger.arguments | scope.ledger.passed.keys())


def give(scope: Scope, cell: str, node: ast.AST) -> None:
    """An array leaves the function, and isn't an argument: the only one with its memory."""
    ledger = scope.ledger
    if cell in ledger.begun and owners(scope, cell) & ledger.arguments:
        scope.fault(negation(ledger.begun[cell]), "a name that may still be an argument's", scope.span(node))
        ledger.anew.add(cell)
    found = owners(scope, cell)
    if is_the_callers(scope, cell):
        raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, "a view of an argument returned", "return a copy of it")
    if found & ledger.read_only:
        raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, "a read-only array returned", "return a copy of it")
    if found & ledger.returned or cell in ledger.overlapping:
        raise scope.blocked(
            node, Code.UNSUPPORTED_STATEMENT, "arrays returned that have memory in common", "return copies"
        )
    ledger.returned |= found


def listed(scope: Scope, items: str, element: Value, variable: str) -> None:
    """A comprehension over `variable` whose elements may be views, or rows of lists, that are there without it.

    They have memory of their own if each is another row.
    """
    cell = cell_of(element)
    if not cell or scope.ledger.depths.get(cell, 0) > len(scope.loops):
        return
    viewed(scope, cell)
    scope.ledger.roots[items] = cell
    view = element.view if isinstance(element, ListArray) else element
    rows = isinstance(view, View) and any(
        isinstance(one, Point) and isinstance(one.at, Ref) and one.at.name == variable for one in view.index
    )
    if not rows:
        scope.ledger.overlapping.add(items)


def held(scope: Scope, items: str, element: Value) -> None:
    """An array or a list becomes an element of a list: who gets both would see that they are apart."""
    cell, known = cell_of(element), scope.ledger.bindings.get(items, frozenset())
    if cell in known:
        scope.ledger.overlapping.add(items)
    if cell:
        scope.ledger.bindings[items] = known | {cell}


# ---------------------------------------------------------------- lists of a few values


def is_new(scope: Scope, value: Value, node: ast.AST) -> bool:
    """Does an expression make the list, and the lists in it, or may they have other names or places?"""
    if not isinstance(value, TupleValue) or value.constructor is not list:
        return True
    inside = [i for i in value.items if isinstance(i, TupleValue) and i.constructor is list]
    match node:
        case ast.List(elts=parts) if len(parts) == len(value.items):
            return all(is_new(scope, i, p) for i, p in zip(value.items, parts, strict=True))
        case ast.ListComp(elt=part):
            return all(is_new(scope, i, part) for i in inside)
        case ast.List() | ast.BinOp() | ast.Starred():
            return not inside
        case ast.Call():
            return not inside and not any(held_in(v, value) for v in scope.env.values())
        case _:
            return False


@functools.lru_cache(maxsize=256)
def an_element(of: ast.expr) -> ast.expr:
    """Stands for what a loop takes from an expression: it is there already, and may have other names."""
    return ast.copy_location(ast.Name("", ast.Load()), of)


def held_in(value: Value, sought: Value) -> bool:
    """Is a value, or one inside it, this very object?"""
    return value is sought or any(held_in(i, sought) for i in inside(value))


def inside(value: Value) -> Iterable[Value]:
    """What a value holds, one step deep."""
    match value:
        case TupleValue(items=items) | TupleList(columns=items):
            return items
        case DictValue(entries=entries):
            return entries.values()
        case ObjectValue(attributes=attributes):
            return attributes.values()
        case Method(owner=owner):
            return (owner,)
        case Partial(function=function, args=args, keywords=keywords):
            return (function, *args, *keywords.values())
        case Closure(defaults=defaults):
            return defaults.values()
        case MaybeUnbound(value=held):
            return (held,)
        case _:
            return ()


def places(scope: Scope, value: Value) -> int:
    """Under how many names, and in how many places of what has names, is a list, in all functions that are being run?"""
    environments = [scope.env, *(level.env for level in scope.levels[:-1]), *scope.callers.values()]
    distinct = {id(e): e for e in environments}.values()
    return sum(count(held, value) for env in distinct for held in env.values())


def count(value: Value, sought: Value) -> int:
    return (value == sought) + sum(count(i, sought) for i in inside(value))
