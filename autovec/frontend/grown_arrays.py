"""Arrays that grow: `np.append` and `np.concatenate` in loops, as lists.

    out = np.array([])                     out = []
    for v in x:                   -->      for v in x:
        out = np.append(out, f(v))             out.append(np.float64(f(v)))
    return out                             return np.array(out)

Only one-dimensional arrays of float64 that start empty: what is appended to them is float64 afterwards.
"""

from __future__ import annotations

import ast

import numpy as np

from autovec.diagnostics import Code
from autovec.frontend import buffers, calls, growing, ragged, sequences
from autovec.frontend.expressions import as_expr, load, lower, settled, take
from autovec.frontend.scope import Scope
from autovec.frontend.values import (
    Buffer,
    Computed,
    Elements,
    GrownArray,
    ListArray,
    ListCell,
    Packed,
    Static,
    TupleValue,
    Value,
    Variable,
    View,
)
from autovec.ir.types import rank

JOINS = (np.concatenate, np.hstack)


def starts(scope: Scope, name: str, node: ast.expr) -> Value | None:
    """`out = np.array([])`, where the function makes it longer."""
    if not isinstance(node, ast.Call) or not is_grown(scope, name):
        return None
    function = called(scope, node)
    empty = False
    if function is np.array and len(node.args) == 1 and not node.keywords:
        empty = isinstance(node.args[0], ast.List) and not node.args[0].elts
    elif function in (np.zeros, np.empty, np.ones) and len(node.args) == 1 and not node.keywords:
        size = lower(scope, node.args[0])
        size = size.items[0] if isinstance(size, TupleValue) and len(size.items) == 1 else size
        empty = isinstance(size, Static) and size.value == 0 and type(size.value) is int
    return GrownArray(growing.new_list(scope, name, (), node)) if empty else None


def called(scope: Scope, node: ast.Call) -> object:
    value = lower(scope, node.func) if isinstance(node.func, ast.Name | ast.Attribute) else None
    return value.value if isinstance(value, Static) else None


def is_grown(scope: Scope, name: str) -> bool:
    """Is there a `name = np.append(name, ...)`, or a `np.concatenate`?"""
    return any(
        isinstance(n, ast.Assign)
        and len(n.targets) == 1
        and isinstance(n.targets[0], ast.Name)
        and n.targets[0].id == name
        and isinstance(n.value, ast.Call)
        and first_argument(n.value) == name
        for n in ast.walk(scope.home.node)
    )


def first_argument(node: ast.Call) -> str:
    """The name that a call joins others to."""
    first = node.args[0] if node.args else None
    if isinstance(first, ast.List | ast.Tuple) and first.elts:
        first = first.elts[0]
    return first.id if isinstance(first, ast.Name) else ""


def grows(scope: Scope, name: str, node: ast.expr) -> bool:
    """`out = np.append(out, v)` done as an append; False where it isn't one."""
    held = scope.env.get(name)
    if not isinstance(held, GrownArray) or not isinstance(node, ast.Call) or node.keywords:
        return False
    function = called(scope, node)
    if first_argument(node) != name or not (function is np.append or function in JOINS):
        return False
    if function is np.append:
        added = node.args[1:]
    else:
        joined = node.args[0]
        added = joined.elts[1:] if isinstance(joined, ast.List | ast.Tuple) and len(node.args) == 1 else []
    if not added:
        raise scope.blocked(node, Code.UNSUPPORTED_EXPRESSION, "this way to make an array longer")
    for value, part in [(settled(scope, part), part) for part in added]:
        append(scope, held.items, value, part)
    return True


def append(scope: Scope, items: Value, value: Value, node: ast.AST) -> None:
    """The elements of one more part."""
    if isinstance(value, TupleValue):
        for item in value.items:
            append_number(scope, items, item, node)
        return
    part = elements_of(scope, value, node)
    if part is None:
        append_number(scope, items, value, node)
        return
    if len(part.lengths) != 1:
        raise scope.blocked(node, Code.UNSUPPORTED_EXPRESSION, "an array of several axes appended")
    ragged.each(scope, node, part, lambda s, at: append_number(s, items, part.at(s, at), node))


def elements_of(scope: Scope, value: Value, node: ast.AST) -> Elements | None:
    """What is in a list or an array; None for a number."""
    match value:
        case Buffer():
            return buffers.array(scope, value, node)
        case ListArray() | ListCell():
            return ragged.elements_of(scope, sequences.list_view(scope, value, node), node)
        case Computed(type=kind) | View(type=kind) | Variable(type=kind) if rank(kind):
            return ragged.elements_of(scope, value, node)
        case _:
            return None


def append_number(scope: Scope, items: Value, value: Value, node: ast.AST) -> None:
    expr = as_expr(scope, value, node)
    if rank(expr.type) or expr.type.dtype.kind not in "biuf" or expr.type.dtype.itemsize > 8:
        raise scope.blocked(node, Code.UNSUPPORTED_EXPRESSION, f"a {expr.type} appended to an array of float64")
    lowered = calls.call(np.float64, [expr], {}, scope.span(node))
    if lowered is None:
        raise scope.blocked(node, Code.UNSUPPORTED_EXPRESSION, f"a {expr.type} appended to an array of float64")
    growing.append(scope, items, Computed(take(scope, lowered, node)), node)


def read(scope: Scope, held: GrownArray, node: ast.AST) -> Value:
    """The array as it is now; until it grows again each reading is the same one."""
    items = held.items
    if isinstance(items, Buffer):
        made = buffers.array(scope, items, node)
        scope.ledger.roots[made.prefix] = items.cell
        return made
    if isinstance(items, ListCell) and buffers.is_packed(scope, items):
        return Packed(items)
    view = sequences.list_view(scope, items, node)
    return Computed(load(scope, view, node), shares=view.cell)
