"""`a[mask]`: as many elements as the data says, without an array of unknown length where none is needed.

    len(a[mask])              -->    count_nonzero(mask)
    a[mask] * b[mask]         -->    (a * b)[mask]
    a[mask].mean(axis=0)      -->    sum(where(mask, a, 0), axis=0) / count      fault: no element
    a[mask] += 1              -->    a[:] = where(mask, a + 1, a)
    np.flatnonzero(mask)      -->    arange(n)[mask]

What needs the elements themselves has them in a cell with room for all (picked.py).
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

import numpy as np

from autovec.diagnostics import Code
from autovec.frontend import calls, picked, ragged, ranges, subscripts
from autovec.frontend.expressions import as_expr, load, lower, take
from autovec.frontend.operators import operate
from autovec.frontend.scope import Scope
from autovec.frontend.truth import one_comparison
from autovec.frontend.values import Computed, Elements, Masked, Static, TupleValue, Value, Variable, View
from autovec.ir.affine import Affine
from autovec.ir.nodes import Alloc, Call, Cast, Const, Def, Expr, For, Gather, Ref, Select, Stmt, Store, While
from autovec.ir.types import FLOAT, INT, ArrayType, rank
from autovec.ir.walk import loads


def chosen(scope: Scope, view: View, mask: Expr, node: ast.AST) -> Masked:
    """`view[mask]`, as both are now."""
    if not rank(mask.type) or mask.type.shape != view.type.shape[: rank(mask.type)]:
        raise refused(scope, node)
    span = scope.span(node)
    return Masked(scope.define("held", load(scope, view, node), span), scope.define("mask", mask, span))


# ---------------------------------------------------------------- subscripts


def test_of(scope: Scope, node: ast.Subscript) -> Masked | None:
    """The subscript of `y[y > t]`."""
    if isinstance(node.slice, ast.Slice | ast.Constant | ast.Tuple):
        return None
    before = len(scope.statements)
    value = lower(scope, node.slice)
    if isinstance(value, Masked):
        return value
    del scope.statements[before:]
    return None


def array_subscript(scope: Scope, view: View, node: ast.Subscript) -> tuple[View, Expr] | Masked | Elements | None:
    """The mask of `a[mask]` and `a[mask, 1:]`, with what it picks from; indices of unknown number; None for others."""
    first, *others = node.slice.elts if isinstance(node.slice, ast.Tuple) and node.slice.elts else [node.slice]
    if isinstance(first, ast.Slice | ast.Constant | ast.Starred | ast.Tuple):
        return None
    before = len(scope.statements)
    value = lower(scope, first)
    if isinstance(value, Masked | Elements) and not others:
        return value
    if isinstance(value, Computed | View) and isinstance(value.type, ArrayType) and value.type.dtype.kind == "b":
        mask = as_expr(scope, value, node)
        if not others:
            return view, mask
        if rank(mask.type) == 1:
            rest = ast.Tuple([ast.Slice(), *others], ast.Load())
            part, new = subscripts.select(
                scope, view, ast.copy_location(ast.Subscript(node.value, rest, node.ctx), node)
            )
            if not new and not any(isinstance(i, Gather) for i in part.index):
                return part, mask
        raise scope.blocked(node, Code.UNSUPPORTED_INDEX, "a boolean mask among other subscripts")
    del scope.statements[before:]  # it is lowered again as what it is, and must not happen twice
    return None


# ---------------------------------------------------------------- element by element


def alike(scope: Scope, values: Sequence[Value]) -> Expr | None:
    """The one mask of those values that have one, where the others are numbers; None where there are several."""
    masks = [v.mask for v in values if isinstance(v, Masked)]
    others = [v for v in values if not isinstance(v, Masked)]
    if not masks or not all(is_number(v) for v in others):
        return None
    axes = {rank(v.values.type) for v in values if isinstance(v, Masked)}
    return masks[0] if len(axes) == 1 and all(is_same(scope, masks[0], m) for m in masks[1:]) else None


def is_number(value: Value) -> bool:
    if isinstance(value, Static):
        return isinstance(value.value, bool | int | float | complex | np.generic)
    return isinstance(value, Variable) or (isinstance(value, Computed) and not isinstance(value.type, ArrayType))


def is_same(scope: Scope, a: Expr, b: Expr) -> bool:
    """Do two names of this block stand for one mask: of one expression, with no store in between?"""
    if a == b:
        return True
    found = {s.name: (k, s.expr) for k, s in enumerate(scope.statements) if isinstance(s, Def)}
    if not (isinstance(a, Ref) and isinstance(b, Ref) and a.name in found and b.name in found):
        return False
    (first, one), (second, other) = sorted((found[a.name], found[b.name]), key=lambda f: f[0])
    read = {load.cell for load in loads(one)}
    return one == other and not read & changed(scope.statements[first:second])


def changed(body: Sequence[Stmt]) -> set[str]:
    """The cells that the statements store to."""
    cells: set[str] = set()
    for statement in body:
        match statement:
            case Store(cell=cell):
                cells.add(cell)
            case Alloc(name=name):
                cells.add(name)
            case For(body=inner) | While(body=inner):
                cells |= changed(inner)
            case _:
                pass
    return cells


def values_of(values: Sequence[Value]) -> list[Value]:
    return [Computed(v.values) if isinstance(v, Masked) else v for v in values]


def again(scope: Scope, made: Value, mask: Expr, node: ast.AST) -> Masked | None:
    """The elements of a result that the mask picks; None where the result isn't an array of its axes."""
    if not isinstance(made, Computed) or not isinstance(made.type, ArrayType):
        return None
    if mask.type.shape != made.type.shape[: rank(mask.type)]:
        return None
    return Masked(scope.define("held", made.expr, scope.span(node)), mask)


def operated(scope: Scope, node: ast.AST, op: str, a: Value, b: Value) -> Value:
    """`a[mask] * b[mask]`."""
    mask = alike(scope, (a, b))
    if mask is not None:
        left, right = values_of((a, b))
        if op == "MatMult":
            return product(scope, node, left, right, mask)
        made = again(scope, operate(scope, node, op, left, right), mask, node)
        if made is not None:
            return made
    left, right = apart(scope, (a, b), node)
    return operate(scope, node, op, left, right)


def product(scope: Scope, node: ast.AST, left: Value, right: Value, mask: Expr) -> Value:
    """`a[mask] @ b[mask]` of vectors."""
    both = again(scope, operate(scope, node, "Mult", left, right), mask, node)
    if both is None or rank(both.values.type) != 1 or both.values.type.dtype.kind not in "fc":
        raise refused(scope, node)
    return Computed(call(scope, np.sum, [filled(scope, both, 0, node)], node))


def compared(scope: Scope, node: ast.expr, op: ast.cmpop, a: Value, b: Value) -> Value:
    """`a[mask] > t`."""
    mask = alike(scope, (a, b))
    if mask is not None:
        left, right = values_of((a, b))
        made = again(scope, one_comparison(scope, node, op, left, right), mask, node)
        if made is not None:
            return made
    left, right = apart(scope, (a, b), node)
    return one_comparison(scope, node, op, left, right)


def applied(scope: Scope, node: ast.Call, function: object, values: Sequence[Value]) -> Masked | None:
    """`np.sqrt(a[mask])`; None for what isn't done element by element."""
    mask = alike(scope, values)
    function = np.absolute if function is abs else function
    if mask is None or not isinstance(function, np.ufunc) or function is np.matmul or node.keywords:
        return None
    args = [as_expr(scope, v, node) for v in values_of(values)]
    return again(scope, Computed(call(scope, function, list(args), node)), mask, node)


def apart(scope: Scope, values: Sequence[Value], node: ast.AST) -> list[Value]:
    """The values with the elements that masks pick."""
    return [picked.elements(scope, v, node) if isinstance(v, Masked) else v for v in values]


def further(scope: Scope, value: Masked, test: Value, node: ast.AST) -> Masked | None:
    """`y[y > t]` of a masked array: both masks must hold; None where the subscript is something else."""
    if not isinstance(test, Masked) or test.values.type.dtype.kind != "b" or test.values.type != test.mask.type:
        return None
    if not is_same(scope, value.mask, test.mask):
        return None
    both = call(scope, np.logical_and, [value.mask, test.values], node)
    return Masked(value.values, scope.define("mask", both, scope.span(node)), places=value.places)


# ---------------------------------------------------------------- indices


def positions(scope: Scope, mask: Expr, node: ast.AST) -> TupleValue:
    """`np.nonzero(mask)`: for each axis the places where the mask holds."""
    kind = mask.type
    if not isinstance(kind, ArrayType) or not kind.shape:
        raise refused(scope, node)
    if kind.dtype.kind != "b":
        mask = call(scope, np.not_equal, [mask, Const(0, INT)], node)
    mask = scope.define("mask", mask, scope.span(node))
    found: list[Value] = []
    for axis, extent in enumerate(kind.shape):
        along = call(scope, np.arange, [calls.size_expr(extent)], node)
        if len(kind.shape) > 1:
            ones = tuple(extent if k == axis else Affine.number(1) for k in range(len(kind.shape)))
            new = tuple(k for k in range(len(kind.shape)) if k != axis)
            along = Call("expand_dims", (along,), (("axis", new),), ArrayType(along.type.dtype, ones))
            along = call(scope, np.broadcast_to, [along, tuple(map(calls.size_expr, kind.shape))], node)
        found.append(Masked(scope.define("places", along, scope.span(node)), mask, places=len(kind.shape) == 1))
    return TupleValue(tuple(found))


def by_places(scope: Scope, view: View, index: Value, node: ast.AST) -> Value:
    """`x[np.flatnonzero(mask)]`, and other indices of which the data says how many there are."""
    if isinstance(index, Masked) and index.places and index.mask.type.shape == view.type.shape[:1]:
        return chosen(scope, view, index.mask, node)
    (index,) = apart(scope, (index,), node)
    assert isinstance(index, Elements)
    return picked.gathered(scope, view, index, node)


def count(scope: Scope, value: Masked, node: ast.AST) -> Value:
    """How many elements the mask picks (along its own axes)."""
    return Computed(value.number if value.number is not None else number_of(scope, value.mask, node))


def number_of(scope: Scope, mask: Expr, node: ast.AST) -> Expr:
    return Cast(call(scope, np.count_nonzero, [mask], node), INT)


def shape(scope: Scope, value: Masked, node: ast.AST) -> TupleValue:
    rest = value.values.type.shape[rank(value.mask.type) :]
    return TupleValue((count(scope, value, node), *(Computed(ranges.to_expr(s)) for s in rest)))


# ---------------------------------------------------------------- storing


def store(scope: Scope, base: View, mask: Expr, value: Value, node: ast.AST) -> None:
    """`a[mask] = value`."""
    from autovec.frontend import assignment

    if not rank(mask.type) or mask.type.shape != base.type.shape[: rank(mask.type)]:
        raise refused(scope, node)
    mask = scope.define("mask", mask, scope.span(node))
    axes = rank(base.type)
    if isinstance(value, Masked) and rank(value.values.type) == axes and is_same(scope, mask, value.mask):
        value = Computed(value.values)
    elif isinstance(value, Masked | Elements) or is_long(as_expr(scope, value, node), axes - rank(mask.type)):
        number = number_of(scope, mask, node)
        one = ragged.elements_of(scope, apart(scope, (value,), node)[0], node)
        picked.store(scope, base, mask, one, number, node)
        return
    expr = as_expr(scope, value, node)
    if rank(expr.type) > axes:
        raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, "an assignment of an array of more axes than its target")
    for have, want in zip(expr.type.shape[::-1], base.type.shape[::-1], strict=False):
        if have != want and have != Affine.number(1):
            raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, f"an assignment of shape {have} to {want}")
    fitted = take(scope, calls.cast_for_store(expr, base.type.dtype, True), node)
    old = load(scope, base, node)
    assignment.store(scope, base, Computed(Select(spread(mask, axes), fitted, old, base.type)), node)


def is_long(expr: Expr, axes: int) -> bool:
    """Has an array a value for each place that is picked, and not one for all?"""
    shape = expr.type.shape
    return len(shape) > axes and any(extent != Affine.number(1) for extent in shape[: len(shape) - axes])


def in_place(scope: Scope, base: View, mask: Expr, op: str, value: Value, node: ast.AST) -> None:
    """`a[mask] op= value`."""
    old = chosen(scope, base, mask, node)
    if isinstance(value, Computed | View) and isinstance(value.type, ArrayType):
        inner = rank(value.type) <= rank(base.type) - rank(mask.type)
        made = again(scope, operate(scope, node, op, Computed(old.values), value), old.mask, node) if inner else None
        made = operate(scope, node, op, picked.elements(scope, old, node), value) if made is None else made
    else:
        made = operate(scope, node, op, old, value)
    dtype = made.values.type.dtype if isinstance(made, Masked) else ragged.elements_of(scope, made, node).dtype
    if not np.can_cast(dtype, base.type.dtype, "same_kind"):
        raise scope.blocked(
            node, Code.UNSUPPORTED_STATEMENT, f"an in-place operation of {dtype} into {base.type.dtype}"
        )
    store(scope, base, old.mask, made, node)


# ---------------------------------------------------------------- all of an array, and its mask


def filled(scope: Scope, value: Masked, neutral: float, node: ast.AST) -> Expr:
    """The array with something else where the mask doesn't hold."""
    array = value.values
    kind = FLOAT if isinstance(neutral, float) else INT
    return call(scope, np.where, [spread(value.mask, rank(array.type)), array, Const(neutral, kind)], node)


def spread(mask: Expr, axes: int) -> Expr:
    """The mask with an axis of one for each axis of the array that it doesn't have."""
    own = rank(mask.type)
    if own == axes:
        return mask
    new = tuple(range(own, axes))
    kind = ArrayType(mask.type.dtype, (*mask.type.shape, *(Affine.number(1) for _ in new)))
    return Call("expand_dims", (mask,), (("axis", new),), kind)


def call(
    scope: Scope, function: object, args: list[object], node: ast.AST, words: Mapping[str, object] | None = None
) -> Expr:
    made = calls.call(function, args, words or {}, scope.span(node))
    if made is None:
        raise refused(scope, node)
    return take(scope, made, node)


def refused(scope: Scope, node: ast.AST) -> Exception:
    return scope.blocked(
        node,
        Code.DYNAMIC_SHAPE,
        "a boolean mask as a subscript (the size of the result depends on the data)",
        "use np.where(mask, values, otherwise), or a loop that counts",
    )
