"""Memory in common: what in NumPy is a view of another array, and here a copy of it.

    v = a.reshape(3, 4)         v is a cell of its own: neither may be written to from here on, and a caller
                                who gets both would see that they are apart

Basic slices and transposes don't come here: those are `View`s of the cell itself.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace

from autovec.diagnostics import Code
from autovec.frontend.scope import Scope, negation
from autovec.frontend.values import Computed, Value, View
from autovec.ir.nodes import Expr, Point, Ref, Stmt, Store
from autovec.ir.types import ArrayType


def cell_of(value: Value) -> str:
    """The cell whose memory an array is, or may be; "" for one of its own."""
    if isinstance(value, View):
        return value.cell
    return value.shares if isinstance(value, Computed) else ""


def viewed(scope: Scope, cell: str) -> None:
    """A copy of the cell stands for a view of it: a later store would have to be seen in both."""
    if len(scope.loops) > scope.ledger.depths.get(cell, 0):  # what stands before it in a body runs after it, too
        scope.ledger.snapshots.add(cell)
    scope.ledger.viewed.add(cell)


def view_of(base: Value, made: Value) -> Value:
    """The result of an operation that may be a view of its operand; it matters once it has a name or is held."""
    cell = cell_of(base)
    if not cell or not isinstance(made, Computed) or not isinstance(made.type, ArrayType):
        return made
    return replace(made, shares=cell)


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


def give(scope: Scope, cell: str, node: ast.AST) -> None:
    """An array leaves the function, and isn't an argument: the only one with its memory."""
    ledger = scope.ledger
    if cell in ledger.begun and owners(scope, cell) & ledger.arguments:
        scope.fault(negation(ledger.begun[cell]), "a name that may still be an argument's", scope.span(node))
        ledger.anew.add(cell)
    found = owners(scope, cell)
    if found & (ledger.arguments | ledger.passed.keys()):
        raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, "a view of an argument returned", "return a copy of it")
    if found & ledger.returned or cell in ledger.overlapping:
        raise scope.blocked(
            node, Code.UNSUPPORTED_STATEMENT, "arrays returned that have memory in common", "return copies"
        )
    ledger.returned |= found


def listed(scope: Scope, items: str, element: Value, variable: str) -> None:
    """A comprehension over `variable` whose elements are views; they have memory of their own if each is another row."""
    viewed(scope, cell_of(element))
    scope.ledger.roots[items] = cell_of(element)
    rows = isinstance(element, View) and any(
        isinstance(one, Point) and isinstance(one.at, Ref) and one.at.name == variable for one in element.index
    )
    if not rows:
        scope.ledger.overlapping.add(items)
