"""What cells are held in: their contents as they are now, and new contents under the cell's own name."""

from __future__ import annotations

import ast
from dataclasses import replace

from autovec.emit.operations.nodes import name
from autovec.emit.state import Held, State
from autovec.emit.values import Value
from autovec.ir.affine import Affine
from autovec.ir.types import ArrayType


def cell_shape(state: State, cell: str) -> tuple[Affine, ...]:
    """The sizes of a cell's own axes."""
    kind = state.cells[cell].value.type
    return kind.shape if isinstance(kind, ArrayType) else ()


def settled(state: State, cell: str) -> Value:
    """The cell as it is, its lazy initial value written down."""
    held = state.cells[cell]
    if held.lazy and not held.value.literal:
        state.assign(state.names_of(cell), held.value.node)
        held = Held(replace(held.value, base=name(state.names_of(cell)), items=()), False, held.pending)
        state.cells[cell] = held
    return held.value


def assign_cell(state: State, cell: str, node: ast.expr, like: Value) -> None:
    """Give a cell new contents, with the axes and the type of `like`; the program's text calls it by its own name."""
    identifier = state.names_of(cell)
    state.assign(identifier, node)
    state.cells[cell] = Held(replace(like, base=name(identifier), items=(), literal=False))
