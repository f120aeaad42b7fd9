"""The caller's own lists: what they are at the start, and what they hold when the call is done.

    def scale(xs, c):                        xs_items = the items of xs
        for i in range(len(xs)):     -->     ... xs_items[i] = xs_items[i] * c
            xs[i] = xs[i] * c                and after the call: xs[:] = xs_items

A list that the function only appends to is never read: it is an empty list here, and what was appended is appended to
the caller's at the end. In: parts and arguments. Out: values for the environment, then updates.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import Any

import numpy as np

from autovec.diagnostics import Code
from autovec.frontend import attribute_writes, growing, looked_up, parts
from autovec.frontend.calls.lowered import EXACT_FLOAT
from autovec.frontend.expressions import load
from autovec.frontend.results import list_of_array, returned
from autovec.frontend.scope import Scope
from autovec.frontend.structures import Step
from autovec.frontend.subscripts import whole
from autovec.frontend.tags import ordered_kinds
from autovec.frontend.values import ListArray, ListCell, TupleList, Value
from autovec.ir.nodes import Apply, Call, Cast, Const, Expr, Update
from autovec.ir.types import BOOL, INT, ArrayType, ScalarType


def changeable(scope: Scope, part: parts.Part, value: ListArray) -> ListArray:
    """The list with room for the kinds of what is stored into it; tuples stay as they are."""
    items, kind = part.items, value.element
    if items is None or items.container is not list or items.rows is tuple or kind is None:
        return value
    key = (0, 0, part.name)
    held = ScalarType(kind.kinds | scope.ledger.joins.get(key, kind).kinds)
    made = value if held == kind else widened(scope, part, value, held)
    scope.ledger.frozen.discard(part.name)
    scope.ledger.joins_of[made.view.cell] = key
    scope.ledger.passed[made.view.cell] = part.argument if not part.path else ""
    scope.ledger.changeable[made.view.cell] = (part, made)
    return made


def widened(scope: Scope, part: parts.Part, value: ListArray, held: ScalarType) -> ListArray:
    """A copy in the dtype of several kinds, and beside it which kind each element is."""
    node, kind = scope.home.node, value.element
    assert kind is not None and kind.only is not None
    expr: Expr = load(scope, value.view, node)
    if held.dtype != kind.dtype:
        exact(scope, expr, held, node)
        expr = Cast(expr, ArrayType(held.dtype, value.view.type.shape))
    span, hint = scope.span(node), part.argument or part.key
    shape = value.view.type.shape
    cell = scope.allocate(hint, expr, ArrayType(held.dtype, shape), span)
    which = ArrayType(INT.dtype, shape)
    number = Const(ordered_kinds(held).index(kind.only), INT)
    tags = scope.allocate(f"{hint}_kind", Call("full", (number,), (), which), which, span)
    return ListArray(whole(cell, ArrayType(held.dtype, shape)), held, value.depth, tags)


def exact(scope: Scope, expr: Expr, held: ScalarType, node: ast.AST) -> None:
    """Ints among floats: a wide one isn't held exactly, the original looks after it."""
    if expr.type.dtype.kind not in "iu" or held.dtype.kind not in "fc" or not isinstance(expr.type, ArrayType):
        return
    flat = ArrayType(np.dtype(bool), expr.type.shape)
    limit = Const(EXACT_FLOAT, INT)
    wide = Apply(
        "logical_or", (Apply("greater", (expr, limit), flat), Apply("less", (expr, negative(limit)), flat)), flat
    )
    axes = tuple(range(len(expr.type.shape)))
    fault = Call("any", (wide,), (("axis", axes), ("keepdims", False)), BOOL)
    scope.fault(fault, "a wide int among floats", scope.span(node))


def negative(limit: Const) -> Const:
    return Const(-limit.value, INT)  # type: ignore[operator]


def appended_to(scope: Scope, name: str, node: ast.AST) -> Value:
    """An argument that the function only appends to."""
    made = growing.empty_list(scope, name, (0, 1, name), node)
    scope.ledger.longer[name] = made
    for cell in cells_of(made):
        scope.ledger.passed[cell] = name
    return made


def cells_of(value: Value) -> Iterable[str]:
    match value:
        case TupleList(columns=columns):
            for column in columns:
                yield from cells_of(column)
        case ListCell(cell=cell):
            yield cell
        case _:
            return


# ---------------------------------------------------------------- afterwards


def updates(scope: Scope) -> tuple[Update, ...]:
    """What the function has changed of its caller's lists."""
    node, found = scope.home.node, list[Update]()
    for cell, (part, value) in scope.ledger.changeable.items():
        if cell in scope.ledger.stored:
            found.append(Update(part.shown, part.argument, part.put_items, list_of_array(scope, value, node, True)))
    for name in scope.ledger.longer:
        value = scope.env.get(name)
        if value is None or not isinstance(value, ListCell | ListArray | TupleList):
            raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, f"the list {name!r}, appended to and bound anew")
        if isinstance(value, ListCell) and scope.ledger.lists[value.cell].element is None:
            continue  # nothing is ever appended
        scope.ledger.passed = {k: v for k, v in scope.ledger.passed.items() if v != name}
        found.append(Update(name, name, extend, returned(scope, value, node)))
    return tuple(found)


def extend(owner: Any, items: list[Any]) -> None:
    owner.extend(items)


def tangle(scope: Scope, found: Iterable[parts.Part]) -> parts.Tangle:
    """Which lists must be apart at a call."""
    ledger = scope.ledger
    written = [part for cell, (part, _) in ledger.changeable.items() if cell in ledger.stored]
    read = tuple(p for p in found if p.items is not None and p not in written)
    longer = [parts.Part(name, None, name) for name in ledger.longer]
    for owner, name in sorted(ledger.appended_attributes):
        longer.append(parts.Part(f"{owner}.{name}", None, owner, (Step(name),)))
    held = [leaf for r in ledger.reads.values() for leaf in looked_up.leaves(r.value)]
    fixed = frozenset(id(leaf) for leaf in held if type(leaf) is list)
    arrays = tuple(leaf for leaf in held if isinstance(leaf, np.ndarray))
    objects = attribute_writes.written(scope)
    others = {(p.argument, p.path[:k]) for p in found if p.argument for k in range(len(p.path))}
    seen = tuple(parts.Part("", None, a, path) for a, path in sorted(others, key=str) if path or a not in objects)
    return parts.Tangle((*written, *longer), read, fixed, objects, seen, arrays)
