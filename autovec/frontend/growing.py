"""Lists that grow: a list under construction is a cell of its own, packed at the end.

What is appended becomes an element: a tuple is an item for each of its places in a list of its own, a list or an array
belongs to the list from then on.
"""

from __future__ import annotations

import ast
import builtins
from dataclasses import replace

from autovec.diagnostics import Code
from autovec.frontend import buffers, ranges, sharing, subscripts
from autovec.frontend.carried import Widened
from autovec.frontend.expressions import as_expr, lower
from autovec.frontend.items_of_sequences import subscripts_store
from autovec.frontend.scope import ListInfo, Scope
from autovec.frontend.sequences import as_row, in_order, is_list, list_view
from autovec.frontend.tags import fitted, joined, tag_expr
from autovec.frontend.values import Buffer, ListArray, ListCell, TupleList, TupleValue, Value, View
from autovec.ir.affine import Affine
from autovec.ir.nodes import Append, Expr, ListAlloc, Load
from autovec.ir.types import INT, ArrayType, ScalarType, Type, rank


def new_list(scope: Scope, hint: str, items: tuple[Value, ...], node: ast.AST) -> Value:
    """A list that appends will make longer; one of tuples is a list for each place in them."""
    made = empty_list(scope, hint, (0, id(node), "list"), node)
    for item in items:
        append(scope, made, item, node)
    return made


def empty_list(scope: Scope, hint: str, key: tuple[int, int, str], node: ast.AST) -> Value:
    if key in scope.ledger.columns:
        count, constructor = scope.ledger.columns[key]
        keys = ((*key[:2], f"{key[2]} {k}") for k in range(count))
        return TupleList(tuple(empty_list(scope, hint, k, node) for k in keys), constructor)
    if key in scope.ledger.plans:
        return buffers.create(scope, hint, key, node)
    known = scope.ledger.rows[key][0] if key in scope.ledger.rows else scope.ledger.joins.get(key)
    name, tags = scope.ledger.fresh(hint), ""
    scope.emit(ListAlloc(name, scope.span(node), hint))
    if known is not None and known.only is None:
        tags = scope.ledger.fresh(f"{hint}_kind")
        scope.emit(ListAlloc(tags, scope.span(node), f"{hint}_kind"))
    scope.ledger.lists[name] = ListInfo(None, Affine.number(0), len(scope.loops), key, tags)
    return ListCell(name)


def is_grown(scope: Scope, name: str, empty: bool = False) -> bool:
    """Does the function append to this name?"""
    for node in ast.walk(scope.home.node):
        if isinstance(node, ast.Attribute) and node.attr in ("append", "extend", "insert", "pop"):
            if isinstance(node.value, ast.Name) and node.value.id == name:
                return True
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name) and node.target.id == name:
            return True
        if empty and isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            given = any(isinstance(a, ast.Name) and a.id == name for a in node.args)
            if given and node.func.id not in vars(builtins):
                return True  # a helper may
    return False


def is_emptied(scope: Scope, current: Value | None) -> bool:
    """Does a name that is bound to `[]` hold a list of a loop around?"""
    one = current.columns[0] if isinstance(current, TupleList) else current
    return isinstance(one, Buffer) and scope.ledger.depths[one.cell] < len(scope.loops)


def append(scope: Scope, cell: Value, value: Value, node: ast.AST) -> None:
    """One more element; a list of several kinds of numbers keeps their tags in a list beside it."""
    if isinstance(cell, TupleList):
        append_row(scope, cell, value, node)
        return
    if isinstance(cell, Buffer):
        buffers.append(scope, cell, value, node)
        return
    if not isinstance(cell, ListCell):
        raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, "an append to this list")
    info = scope.ledger.lists[cell.cell]
    row = as_row(value)
    if row is not None:
        if info.element is not None or info.key in scope.ledger.joins or not row.items:
            raise scope.blocked(node, Code.UNSTABLE_TYPE, "a list of numbers and of tuples or lists")
        scope.ledger.columns[info.key] = (len(row.items), row.constructor)
        raise Widened(info.key)
    info = given_away(scope, info, cell.cell, value, node)
    expr = as_expr(scope, list_view(scope, value, node) if is_list(value) else value, node)
    refuse_axisless(scope, expr, node)
    kind: Type = expr.type
    if isinstance(kind, ScalarType) and not isinstance(info.element, ArrayType):
        kind = joined_kinds(scope, info, expr, node)
        if info.tags:
            scope.emit(Append(info.tags, tag_expr(scope, value, expr, kind), scope.guard, scope.span(node)))
        expr = fitted(scope, expr, kind, node)
    elif info.rows is not None and info.rows[0].only is None:
        if not info.tags:
            scope.ledger.rows[info.key] = info.rows
            raise Widened(info.key)
        scope.emit(Append(info.tags, row_tags(scope, value, node), scope.guard, scope.span(node)))
    if not isinstance(kind, ScalarType) and info.element is not None and info.element != kind:
        raise scope.blocked(node, Code.UNSTABLE_TYPE, f"a list of {info.element} and {kind}")
    if rank(kind) and any(s.names & {r.variable for r in scope.loops} for s in kind.shape):
        raise scope.blocked(node, Code.DYNAMIC_SHAPE, "a list of arrays of different lengths")
    scope.emit(Append(cell.cell, expr, scope.guard, scope.span(node)))
    scope.ledger.lists[cell.cell] = replace(info, element=kind, length=grown(scope, info))


def refuse_axisless(scope: Scope, element: Expr, node: ast.AST) -> None:
    """A list of 0-d arrays isn't one of numbers, though it is stacked as such."""
    if isinstance(element.type, ArrayType) and not element.type.shape:
        raise scope.blocked(node, Code.UNSUPPORTED_EXPRESSION, "a 0-d array in a list", "take its number with x[()]")


def given_away(scope: Scope, info: ListInfo, items: str, value: Value, node: ast.AST) -> ListInfo:
    """A list or an array becomes an element of `items`: nobody may write to it any more, and it stays what it is."""
    sharing.held(scope, items, value)
    nested = rows_of(scope, value, node)
    if (info.element is not None or info.key in scope.ledger.joins) and nested != info.rows:
        raise scope.blocked(node, Code.UNSTABLE_TYPE, "a list of lists and of other values")
    cell = value.view.cell if isinstance(value, ListArray) else getattr(value, "cell", "")
    if nested is not None and (
        cell in scope.ledger.arguments or cell in scope.ledger.passed or cell in scope.ledger.given
    ):
        raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, "a list that is an element of two lists", "copy it")
    if nested is None and not isinstance(value, View):
        # what NumPy makes a view of, and is a copy here, stays one of the arrays that have memory in common
        return replace(info, shares=True) if sharing.cell_of(value) else info
    born = scope.ledger.lists[cell].depth if isinstance(value, ListCell) else scope.ledger.depths.get(cell, 0)
    if born < len(scope.loops) or cell in scope.ledger.arguments:
        scope.ledger.snapshots.add(cell)
        if nested is not None:
            raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, "one list as several elements of another", "copy it")
        return replace(info, shares=True)
    whole = isinstance(value, View) and value.index == subscripts.whole(cell, value.type).index
    scope.ledger.given.add(cell)
    return replace(info, rows=nested, shares=info.shares or (nested is None and not whole))


def rows_of(scope: Scope, value: Value, node: ast.AST) -> tuple[ScalarType, int] | None:
    """The kinds of the numbers in an element that is a list, and how many lists deep they are."""
    found: tuple[ScalarType | None, int] | None = None
    if isinstance(value, ListArray):
        if (value.constructor, value.rows) != (list, list):
            raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, "a tuple of this kind in a list")
        found = (value.element, value.depth)
    elif isinstance(value, ListCell):
        element = scope.ledger.lists[value.cell].element
        found = (element if isinstance(element, ScalarType) else None, 1)
    if found is None:
        return None
    kind, depth = found
    if kind is None:
        raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, "a list of lists of this kind")
    return kind, depth


def row_tags(scope: Scope, value: Value, node: ast.AST) -> Expr:
    """The kinds of the elements of a row, beside the row."""
    if isinstance(value, ListCell):
        view = list_view(scope, value, node)
        return Load(scope.ledger.lists[value.cell].tags, view.index, ArrayType(INT.dtype, view.type.shape))
    if not isinstance(value, ListArray) or not value.tags:
        raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, "a list of lists of this kind")
    return Load(value.tags, value.view.index, ArrayType(INT.dtype, value.view.type.shape))


def append_row(scope: Scope, rows: TupleList, value: Value, node: ast.AST) -> None:
    row = as_row(value)
    if row is None or len(row.items) != len(rows.columns) or row.constructor is not rows.constructor:
        raise scope.blocked(node, Code.UNSTABLE_TYPE, "a list of tuples or lists of several lengths")
    for column, item in zip(rows.columns, row.items, strict=True):
        append(scope, column, item, node)


def joined_kinds(scope: Scope, info: ListInfo, expr: Expr, node: ast.AST) -> ScalarType:
    """The kinds of a list's elements; one that is new starts the lowering again."""
    known = scope.ledger.joins.get(info.key)
    if known is None and isinstance(expr.type, ScalarType) and expr.type.only is not None:
        scope.ledger.joins[info.key] = expr.type
        return expr.type
    if known is None:
        known = ScalarType(frozenset())
    both = known
    if known.kinds:
        both = joined(scope, known, expr.type, node)
    elif isinstance(expr.type, ScalarType):
        both = expr.type
    if both != known:
        scope.ledger.joins[info.key] = both
        raise Widened(info.key)
    return both


def grown(scope: Scope, info: ListInfo) -> Affine | None:
    """The length after this append has run in all iterations of the loops around it, where that is a size."""
    if info.length is None or scope.guard is not None or any(scope.live):
        return None
    inside = scope.loops[info.depth :]
    if not inside:
        return info.length + 1
    one, *others = inside
    if others or info.length != Affine.number(0):
        return None
    if len(one.lower) != 1 or len(one.upper) != 1 or abs(one.step) != 1:
        return None
    extent = one.upper[0] - one.lower[0] if one.step > 0 else one.lower[0] - one.upper[0]
    if extent.names & {r.variable for r in scope.loops} or not ranges.require(scope, extent):
        return None
    return extent


def mutating_call(scope: Scope, node: ast.Call) -> bool:
    """`x.append(e)` and its kin on a list under construction; True where it was one."""
    assert isinstance(node.func, ast.Attribute)
    if isinstance(node.func.value, ast.Attribute) and node.func.attr in ("append", "extend") and len(node.args) == 1:
        from autovec.frontend import attribute_writes

        held = attribute_writes.grown(scope, node.func.value)
        if held is None:
            return False
        if node.func.attr == "extend":
            extend_by(scope, held, node.args[0], node)
        else:
            append(scope, held, fresh_row(scope, node.args[0]), node)
        return True
    if not isinstance(node.func.value, ast.Name):
        return False
    target = scope.env.get(node.func.value.id)
    if isinstance(target, ListArray) and node.func.value.id in scope.filling and node.func.attr == "append":
        from autovec.frontend import filling

        filling.put(scope, node.func.value.id, target, fresh_row(scope, node.args[0]), node)
        return True
    if node.func.attr == "sort" and not node.args and not node.keywords and is_list(target):
        sort(scope, node.func.value.id, target, node)
        return True
    if not isinstance(target, ListCell | TupleList | Buffer):
        return False
    if node.func.attr == "pop" and not node.args:
        buffers.pop(scope, target, node)
        return True
    if node.func.attr == "clear" and not node.args:
        buffers.clear(scope, target, node)
        return True
    if node.func.attr == "append" and len(node.args) == 1:
        append(scope, target, fresh_row(scope, node.args[0]), node)
        return True
    if node.func.attr == "extend" and len(node.args) == 1:
        extend_by(scope, target, node.args[0], node)
        return True
    raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, f"the list method {node.func.attr}")


def fresh_row(scope: Scope, node: ast.expr) -> Value:
    """The value of an element; a list of values that has a name can be reached by that too."""
    value = lower(scope, node)
    if isinstance(value, TupleValue) and value.constructor is list and not isinstance(node, ast.List):
        raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, "a list with a name as an element of another")
    return value


def extend(scope: Scope, name: str, old: Value, op: str, node: ast.AugAssign) -> None:
    """`x += [a, b]`."""
    if op != "Add" or not isinstance(old, ListCell | TupleList | Buffer):
        raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, "this in-place operation on a list")
    extend_by(scope, old, node.value, node)


def extend_by(scope: Scope, target: Value, items: ast.expr, node: ast.AST) -> None:
    from autovec.frontend import comprehensions

    if isinstance(items, ast.ListComp | ast.GeneratorExp):
        comprehensions.append_all(scope, target, items)
        return
    value = lower(scope, items)
    if not isinstance(value, TupleValue):
        raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, "extending a list by this value")
    for item in value.items:
        append(scope, target, item, node)


def sort(scope: Scope, name: str, items: Value | None, node: ast.AST) -> None:
    """`x.sort()`: in place; a list that has been built by appends becomes an array, under all its names."""
    if isinstance(items, ListArray) and items.constructor is list:
        ordered = as_expr(scope, list_view(scope, in_order(scope, items, node), node), node)
        subscripts_store(scope, items.view, ordered, node)
        return
    if not isinstance(items, ListCell) or scope.guard is not None or scope.ledger.depth:
        raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, "a list sorted here")
    if scope.ledger.lists[items.cell].depth != len(scope.loops):
        raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, "a list sorted in a loop that goes on with it")
    made = in_order(scope, items, node)
    for other, value in list(scope.env.items()):
        if value == items:
            scope.env[other] = made
    scope.env[name] = made
