"""Memory in common: what in NumPy is a view of another array, and here a copy of it.

    v = a.reshape(3, 4)         v is a cell of its own: neither may be written to from here on, and a caller
                                who gets both would see that they are apart

Basic slices and transposes don't come here: those are `View`s of the cell itself.
"""

from __future__ import annotations

import ast
from dataclasses import replace

from autovec.diagnostics import Code
from autovec.frontend.scope import Scope
from autovec.frontend.values import Computed, Value, View
from autovec.ir.nodes import Point, Ref
from autovec.ir.types import ArrayType


def cell_of(value: Value) -> str:
    """The cell whose memory an array is, or may be; "" for one of its own."""
    if isinstance(value, View):
        return value.cell
    return value.shares if isinstance(value, Computed) else ""


def viewed(scope: Scope, cell: str) -> None:
    """A copy of the cell stands for a view of it: a later store would have to be seen in both."""
    if scope.loops:  # what stands before it in the body runs after it, too
        scope.ledger.snapshots.add(cell)
    scope.ledger.viewed.add(cell)


def view_of(scope: Scope, base: Value, made: Value) -> Value:
    """The result of an operation that may be a view of its operand."""
    cell = cell_of(base)
    if not cell or not isinstance(made, Computed) or not isinstance(made.type, ArrayType):
        return made
    viewed(scope, cell)
    return replace(made, shares=cell)


def root(scope: Scope, cell: str) -> str:
    """The cell that owns the memory."""
    while cell in scope.ledger.roots:
        cell = scope.ledger.roots[cell]
    return cell


def give(scope: Scope, cell: str, node: ast.AST) -> None:
    """An array leaves the function, and isn't an argument: the only one with its memory."""
    owner = root(scope, cell)
    if owner in scope.ledger.arguments:
        raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, "a view of an argument returned", "return a copy of it")
    if owner in scope.ledger.returned or cell in scope.ledger.overlapping:
        raise scope.blocked(
            node, Code.UNSUPPORTED_STATEMENT, "arrays returned that have memory in common", "return copies"
        )
    scope.ledger.returned.add(owner)


def listed(scope: Scope, items: str, element: Value, variable: str) -> None:
    """A comprehension over `variable` whose elements are views; they have memory of their own if each is another row."""
    viewed(scope, cell_of(element))
    scope.ledger.roots[items] = cell_of(element)
    rows = isinstance(element, View) and any(
        isinstance(one, Point) and isinstance(one.at, Ref) and one.at.name == variable for one in element.index
    )
    if not rows:
        scope.ledger.overlapping.add(items)
