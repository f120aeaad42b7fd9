"""A few rows of numbers, of which the data chooses one.

    weights[p][q]            -->    an element of an array of two axes
    di, dj = moves[k]        -->    di = column 0 at k, dj = column 1 at k

In: displays or arguments of equally long rows. Out: an element, or the row as its elements; None for anything else.
"""

from __future__ import annotations

import ast
import functools
from dataclasses import replace

from autovec.frontend import sharing
from autovec.frontend.expressions import lower, may_write
from autovec.frontend.items_of_sequences import item
from autovec.frontend.scope import Scope
from autovec.frontend.sequences import as_row, displayed, displayed_rows
from autovec.frontend.values import Static, TupleValue, Value


def chosen_row(scope: Scope, base: TupleValue, node: ast.Subscript) -> TupleValue | None:
    """`[(a, b), (c, d)][k]`, by columns; None where these aren't rows of numbers, of one length."""
    rows = [row for i in base.items if (row := as_row(i)) is not None and row.items]
    if not rows or len(rows) != len(base.items) or len({(r.constructor, len(r.items)) for r in rows}) != 1:
        return None
    items: list[Value] = []
    for k, column in enumerate(zip(*(r.items for r in rows), strict=True)):
        held = displayed(scope, TupleValue(column, list), column_node(node, k))
        if held is None:
            return None
        items.append(item(scope, held, node))
    of_arguments = "one of several rows" if any(r.origin for r in rows) else ""
    made = TupleValue(tuple(items), rows[0].constructor, of_arguments)
    scope.ledger.bindings[sharing.object_name(made)] = frozenset(map(sharing.object_name, rows))
    return made


def table_element(scope: Scope, node: ast.Subscript) -> Value | None:
    """`table[j][i]`, an element of a few rows of numbers of one kind; None for anything else."""
    match node.value:
        case ast.Subscript(value=ast.Name(id=name), slice=place) if not isinstance(place, ast.Slice | ast.Constant):
            base = scope.env.get(name)
        case _:
            return None
    if not isinstance(base, TupleValue) or isinstance(node.slice, ast.Slice) or may_write(node.value):
        return None
    rows = [replace(row, constructor=list) for i in base.items if (row := as_row(i)) is not None]
    if len(rows) != len(base.items) or isinstance(lower(scope, node.value.slice), Static):
        return None
    listed = displayed_rows(scope, TupleValue(tuple(rows), list), node)
    return None if listed is None else item(scope, item(scope, listed, node.value), node)


@functools.lru_cache(maxsize=256)
def column_node(node: ast.Subscript, column: int) -> ast.Subscript:
    """What is known of a column is kept by a node of its own."""
    return ast.copy_location(ast.Subscript(node.value, ast.Constant(column), node.ctx), node)
