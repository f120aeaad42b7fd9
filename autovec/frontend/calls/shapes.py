"""Functions that rearrange and join arrays: `reshape`, `.T`, `np.concatenate`.

Views come out as values: whether a later write may be seen through one is the caller's question.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence

import numpy as np

from autovec.frontend.calls.axes import (
    Shape,
    as_array,
    as_axes,
    as_axis,
    as_dtype,
    as_int,
    as_shape,
    as_size,
    dynamic,
    in_dtype,
    node,
    product,
    same_size,
)
from autovec.frontend.calls.lowered import (
    Lowered,
    broadcast,
    cast,
    const,
    expression,
    raises,
    static,
    unsupported,
)
from autovec.frontend.calls.stores import checked
from autovec.ir.affine import Affine
from autovec.ir.nodes import Call, Expr
from autovec.ir.types import ArrayType, ScalarType, numpy_scalar

ONE = Affine.number(1)


def converts_any_rank() -> bool:
    """Does this NumPy make a Python number of an array of one element that has axes?"""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        try:
            float(np.zeros(1))
        except TypeError:
            return False
    return True


ANY_RANK = converts_any_rank()


def as_number(a: Expr, what: str) -> Expr:
    """What `float` and the like make a number of: a scalar, an array of no axes, or as older NumPy had it."""
    if isinstance(a.type, ArrayType) and a.type.shape and not ANY_RANK:
        raise raises(what)
    return only_element(a, what)


def only_element(a: Expr, what: str) -> Expr:
    """The element of an array known to have one; a scalar as it is."""
    if not isinstance(a.type, ArrayType):
        return a
    for size in a.type.shape:
        if size != ONE:
            raise raises(what) if size.is_constant else dynamic(what)
    return Call("element", (a,), (("index", (0,) * len(a.type.shape)),), numpy_scalar(a.type.dtype))


def array(value: object, dtype: object = None, copy: object = None) -> Lowered:
    """`np.array(value)`: an array copied or cast, or nested lists of values joined."""
    wanted = as_dtype(dtype)
    if isinstance(value, tuple | list):
        items = [array(v).expr for v in value]
        if not items:
            raise unsupported("an array of nothing")
        common = wanted or np.result_type(*(i.type.dtype for i in items))
        made = joined("stack", in_dtype(items, common), 0)
        numbers = [i for i in items if isinstance(i.type, ScalarType) and i.type.may_be_python]
        return Lowered(made.value, tuple(fault for i in numbers for fault in checked(i, common).faults))
    e = expression(value)
    dtype = wanted or e.type.dtype
    return Lowered(cast(e, dtype))


def as_numpy(value: object, dtype: object = None) -> Lowered:
    """`np.array` as a call of the person's: a lone scalar becomes a 0-d array."""
    made = array(value, dtype).expr
    if isinstance(made.type, ArrayType):
        return Lowered(made)
    return node("broadcast_to", [made], ArrayType(made.type.dtype, ()))


def contiguous(a: object, dtype: object = None) -> Lowered:
    """`np.ascontiguousarray`: of one axis at least."""
    return at_least(1)(as_numpy(a, dtype).expr)


def joined(function: str, items: Sequence[Expr], axis: int) -> Lowered:
    """`stack` (a new axis) or `concatenate` (a longer one)."""
    shape = items[0].type.shape
    for i in items[1:]:
        if len(i.type.shape) != len(shape):
            raise raises("arrays of several ranks joined")
        for k, (a, b) in enumerate(zip(shape, i.type.shape, strict=True)):
            if function == "stack" or k != axis:
                same_size(a, b)
    dtype = items[0].type.dtype
    if function == "stack":
        whole: Shape = (*shape[:axis], Affine.number(len(items)), *shape[axis:])
    else:
        total = Affine.number(0)
        for i in items:
            total = total + i.type.shape[axis]
        whole = (*shape[:axis], total, *shape[axis + 1 :])
    return node(function, items, ArrayType(dtype, whole), axis=axis)


def arrays_of(values: object) -> list[Expr]:
    """The operands of a joining function, in NumPy's common dtype."""
    if not isinstance(values, tuple | list) or not values:
        raise unsupported("joining what isn't a tuple or list of arrays")
    items = [array(v).expr for v in values]
    return in_dtype(items, np.result_type(*(i.type.dtype for i in items)))


def concatenate(values: object, axis: object = const(0)) -> Lowered:
    items = arrays_of(values)
    if not items[0].type.shape:
        raise raises("0-d arrays concatenated")
    return joined("concatenate", items, as_axis(axis, len(items[0].type.shape)))


def stack(values: object, axis: object = const(0)) -> Lowered:
    items = arrays_of(values)
    return joined("stack", items, as_axis(axis, len(items[0].type.shape) + 1))


def vstack(values: object) -> Lowered:
    items = arrays_of(values)
    if all(len(i.type.shape) == 1 for i in items):
        return joined("stack", items, 0)
    return joined("concatenate", [at_least_2d(i) for i in items], 0)


def hstack(values: object) -> Lowered:
    items = arrays_of(values)
    if not items[0].type.shape:
        return joined("stack", items, 0)
    return joined("concatenate", items, 0 if len(items[0].type.shape) == 1 else 1)


def column_stack(values: object) -> Lowered:
    items = arrays_of(values)
    if all(len(i.type.shape) == 1 for i in items):
        return joined("stack", items, 1)
    return joined("concatenate", items, 1)


def dstack(values: object) -> Lowered:
    """Along a third axis."""
    items = [at_least_2d(i) for i in arrays_of(values)]
    deep = [i if len(i.type.shape) > 2 else expand_dims(i, const(2)).expr for i in items]
    return joined("concatenate", deep, 2)


def at_least(rank: int) -> Callable[..., Lowered]:
    """`np.atleast_1d` and `np.atleast_2d`, of one argument."""

    def widened(a: object) -> Lowered:
        e = array(a).expr if isinstance(a, tuple | list) else expression(a)
        missing = rank - len(e.type.shape)
        return Lowered(e) if missing <= 0 else expand_dims(e, tuple(const(k) for k in range(missing)))

    return widened


def matrix_transpose(x: object) -> Lowered:
    return swapaxes(x, const(-1), const(-2))


def at_least_2d(a: Expr) -> Expr:
    return a if len(a.type.shape) > 1 else expand_dims(a, const(0)).expr


def reshape(a: object, *shape: object, order: object = None) -> Lowered:
    """The new shape, with one -1 solved for by cancelling equal sizes."""
    e = expression(a)
    if static(order) not in (None, "C"):
        raise unsupported("reshape in another order")
    if len(shape) == 1:
        whole = shape[0] if isinstance(shape[0], tuple | list) else (shape[0],)
    else:
        whole = shape
    sizes = [as_size(v) for v in whole]
    unknown = [k for k, s in enumerate(sizes) if s == Affine.number(-1)]
    known = [s for k, s in enumerate(sizes) if k not in unknown]
    rest = cancelled(list(e.type.shape), known)
    if unknown:
        sizes[unknown[0]] = rest
    elif rest != ONE:
        raise dynamic("a reshape whose sizes aren't known to fit")
    return node("reshape", [e], ArrayType(e.type.dtype, tuple(sizes)))


def cancelled(top: list[Affine], bottom: list[Affine]) -> Affine:
    """The product of some sizes over the product of others."""
    for s in list(bottom):
        if s in top:
            top.remove(s)
            bottom.remove(s)
    numerator = product(top)
    divisor = 1
    for s in bottom:
        if not s.is_constant:
            raise dynamic("a reshape whose sizes aren't known to fit")
        divisor *= s.constant
    if divisor == 0 or numerator.constant % divisor or any(c % divisor for _, c in numerator.terms):
        raise dynamic("a reshape whose sizes aren't known to fit")
    return Affine(tuple((n, c // divisor) for n, c in numerator.terms), numerator.constant // divisor)


def ravel(a: object) -> Lowered:
    e = as_array(a)
    return Lowered(e) if len(e.type.shape) == 1 else reshape(e, const(-1))


def transpose(a: object, *axes: object) -> Lowered:
    e = expression(a)
    rank = len(e.type.shape)
    given = axes[0] if len(axes) == 1 else axes
    order = tuple(reversed(range(rank))) if not axes or given is None else as_axes(given, rank)
    if sorted(order) != list(range(rank)):
        raise raises("axes that aren't a permutation")
    if order == tuple(range(rank)):
        return Lowered(e)
    return node("transpose", [e], ArrayType(e.type.dtype, tuple(e.type.shape[k] for k in order)), axes=order)


def swapaxes(a: object, axis1: object, axis2: object) -> Lowered:
    e = as_array(a)
    order = list(range(len(e.type.shape)))
    i, j = as_axis(axis1, len(order)), as_axis(axis2, len(order))
    order[i], order[j] = order[j], order[i]
    return transpose(e, tuple(const(k) for k in order))


def moveaxis(a: object, source: object, destination: object) -> Lowered:
    e = as_array(a)
    rank = len(e.type.shape)
    start, end = as_axis(source, rank), as_axis(destination, rank)
    order = [k for k in range(rank) if k != start]
    order.insert(end, start)
    return transpose(e, tuple(order))


def expand_dims(a: object, axis: object) -> Lowered:
    e = expression(a)
    known = static(axis)
    count = len(known) if isinstance(known, tuple) else 1
    rank = len(e.type.shape) + count
    axes = tuple(sorted(as_axes(axis, rank)))
    rest = iter(e.type.shape)
    shape = tuple(ONE if k in axes else next(rest) for k in range(rank))
    return node("expand_dims", [e], ArrayType(e.type.dtype, shape), axis=axes)


def squeeze(a: object, axis: object = None) -> Lowered:
    e = as_array(a)
    known = static(axis)
    if known is None:
        axes = tuple(k for k, s in enumerate(e.type.shape) if s == ONE)
        if any(not s.is_constant for s in e.type.shape):
            raise dynamic("squeeze of sizes that may be one")
    else:
        axes = tuple(sorted(as_axes(axis, len(e.type.shape))))
        for k in axes:
            same_size(e.type.shape[k], ONE)
    shape = tuple(s for k, s in enumerate(e.type.shape) if k not in axes)
    return node("squeeze", [e], ArrayType(e.type.dtype, shape), axis=axes) if axes else Lowered(e)


def broadcast_to(a: object, shape: object) -> Lowered:
    e, whole = expression(a), as_shape(shape)
    if broadcast((e.type.shape, whole)) != whole:
        raise raises("broadcast to a smaller shape")
    return node("broadcast_to", [e], ArrayType(e.type.dtype, whole))


def tile(a: object, reps: object) -> Lowered:
    e, known = as_array(a), static(reps)
    counts = tuple(map(as_int, known)) if isinstance(known, tuple) else (as_int(known),)
    rank = max(len(counts), len(e.type.shape))
    counts = (1,) * (rank - len(counts)) + counts
    shape = (ONE,) * (rank - len(e.type.shape)) + e.type.shape
    return node(
        "tile", [e], ArrayType(e.type.dtype, tuple(s * c for s, c in zip(shape, counts, strict=True))), reps=counts
    )


def repeat(a: object, repeats: object, axis: object = None) -> Lowered:
    e = as_array(a)
    if static(axis) is None:
        e, axis = ravel(e).expr, const(0)
    k, count = as_axis(axis, len(e.type.shape)), as_int(repeats)
    shape = tuple(s * count if j == k else s for j, s in enumerate(e.type.shape))
    return node("repeat", [e], ArrayType(e.type.dtype, shape), repeats=count, axis=k)


def flip(a: object, axis: object = None) -> Lowered:
    e = as_array(a)
    return node("flip", [e], e.type, axis=as_axes(axis, len(e.type.shape)))


def roll(a: object, shift: object, axis: object = None) -> Lowered:
    e = as_array(a)
    if static(axis) is None and len(e.type.shape) > 1:
        raise unsupported("roll of the flattened array", "give an axis")
    k = as_axis(const(0) if static(axis) is None else axis, len(e.type.shape))
    amount = expression(shift)
    if amount.type.dtype.kind not in "iu" or amount.type.shape:
        raise unsupported("roll by several amounts")
    return node("roll", [e, amount], e.type, axis=k)


def triangle(function: str) -> Callable[..., Lowered]:
    """`np.triu` and `np.tril`."""

    def make(m: object, k: object = const(0)) -> Lowered:
        e = as_array(m)
        if len(e.type.shape) < 2:
            raise unsupported("a triangle of a vector")
        return node(function, [e], e.type, k=as_int(k))

    return make


def diag(v: object, k: object = const(0)) -> Lowered:
    e, offset = as_array(v), as_int(k)
    if len(e.type.shape) == 1:
        size = e.type.shape[0] + abs(offset)
        return node("diag", [e], ArrayType(e.type.dtype, (size, size)), k=offset)
    return diagonal(e, k)


def diagonal(a: object, offset: object = const(0)) -> Lowered:
    e, k = as_array(a), as_int(offset)
    if len(e.type.shape) != 2:
        raise unsupported("the diagonal of what isn't a matrix")
    rows, columns = e.type.shape
    if (rows - columns).is_constant:  # the shorter of what is left of both
        left, right = rows + min(k, 0), columns - max(k, 0)
        size = left if (left - right).constant <= 0 else right
    else:
        raise dynamic("the diagonal of a matrix not known to be square")
    return node("diagonal", [e], ArrayType(e.type.dtype, (size,)), offset=k)


RULES: dict[object, Callable[..., Lowered]] = {
    np.array: as_numpy,
    np.asarray: as_numpy,
    np.ascontiguousarray: contiguous,
    np.copy: as_numpy,
    np.concatenate: concatenate,
    np.stack: stack,
    np.vstack: vstack,
    np.hstack: hstack,
    np.column_stack: column_stack,
    np.dstack: dstack,
    np.atleast_1d: at_least(1),
    np.atleast_2d: at_least(2),
    np.matrix_transpose: matrix_transpose,
    np.linalg.matrix_transpose: matrix_transpose,
    np.reshape: reshape,
    np.ravel: ravel,
    np.transpose: transpose,
    np.swapaxes: swapaxes,
    np.moveaxis: moveaxis,
    np.expand_dims: expand_dims,
    np.squeeze: squeeze,
    np.broadcast_to: broadcast_to,
    np.tile: tile,
    np.repeat: repeat,
    np.flip: flip,
    np.flipud: lambda m: flip(m, const(0)),
    np.fliplr: lambda m: flip(m, const(1)),
    np.roll: roll,
    np.triu: triangle("triu"),
    np.tril: triangle("tril"),
    np.diag: diag,
    np.diagonal: diagonal,
}
