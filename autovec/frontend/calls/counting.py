"""Counts and choices: `np.bincount`, `np.histogram`, `np.select`, `np.meshgrid`.

np.bincount(k, minlength=m)           -->    jnp.bincount(k, length=m)                fault: k < 0, or k >= m
np.histogram(x, 8, (0.0, 1.0))        -->    jnp.histogram(x, edges), edges           fault: NaN
np.select([c, d], [x, y], z)          -->    where(c, x, where(d, y, z))
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from autovec.frontend.calls.asked import named_call
from autovec.frontend.calls.axes import as_array, as_int, as_size, dynamic
from autovec.frontend.calls.creation import linspace
from autovec.frontend.calls.faults import anywhere
from autovec.frontend.calls.lowered import (
    Faults,
    Lowered,
    broadcast,
    cast,
    const,
    either,
    expression,
    raises,
    size_expr,
    static,
    test,
    unsupported,
)
from autovec.frontend.calls.numpy_functions import common_dtype
from autovec.frontend.calls.reductions import differences, reduction
from autovec.frontend.calls.shapes import array, broadcast_to, expand_dims
from autovec.ir.affine import Affine
from autovec.ir.nodes import Call, Expr, Select
from autovec.ir.types import BOOL, ArrayType

FLOAT64, INT64 = np.dtype(np.float64), np.dtype(np.int64)


def bincount(x: object, weights: object = None, minlength: object = const(0)) -> Lowered:
    """How often each number occurs; the length has to be known, so a number beyond it voids the call."""
    e, size = as_array(x), as_size(minlength)
    if len(e.type.shape) != 1 or not np.can_cast(e.type.dtype, INT64, "safe"):
        raise raises(f"np.bincount of {e.type}")
    if size == Affine.number(0):
        raise dynamic("np.bincount without minlength")
    operand = cast(e, INT64)
    outside = either((test("less", operand, const(0)), test("greater_equal", operand, size_expr(size))))
    faults: Faults = ((anywhere(outside), "a number that isn't below minlength"),)
    operands: list[Expr] = [operand]
    layout: list[tuple[str, bool, object]] = [("", True, 0)]
    if weights is not None:
        operands.append(cast(as_array(weights), FLOAT64))
        layout.append(("weights", True, 1))
    layout.append(("length", False, size))
    dtype = INT64 if weights is None else FLOAT64
    return Lowered(named_call("jnp.bincount", operands, layout, ArrayType(dtype, (size,))), faults)


def histogram(a: object, bins: object = const(10), range: object = None) -> Lowered:
    """Counts and edges; the edges are NumPy's own, since a count depends on their last bit."""
    e = as_array(a)
    if e.type.dtype != FLOAT64 and e.type.dtype.kind not in "iu":
        raise unsupported(f"np.histogram of {e.type}")
    faults: Faults = ()
    if isinstance(bins, tuple | list) or expression(bins).type.shape:
        edges = cast(array(bins).expr, FLOAT64)
        faults += ((Call("is_unsorted", (edges,), (), BOOL), "edges that aren't sorted"),)
    else:
        count = as_int(bins)
        if isinstance(range, tuple | list) and len(range) == 2:
            low, high = (cast(expression(v), np.float64) for v in range)
        elif static(range) is None:
            low, high = (cast(reduction(name, e).expr, np.float64) for name in ("min", "max"))
        else:
            raise unsupported("np.histogram with this range")
        faults += ((test("logical_not", test("less", low, high)), "a range of nothing"),)
        made = linspace(low, high, const(count + 1))
        edges, faults = made.expr, faults + made.faults
        steps = differences(edges).expr
        faults += ((anywhere(test("less_equal", steps, const(0.0))), "bins that are too narrow"),)
    values = cast(e, FLOAT64)
    faults += ((anywhere(test("isnan", values)), "NaN in a histogram"),)
    result = ArrayType(INT64, (edges.type.shape[0] - 1,))
    counts = named_call("jnp.histogram", (values, edges), (("", True, 0), ("", True, 1)), result, part=0)
    return Lowered((counts, edges), faults)


def select(condlist: object, choicelist: object, default: object = const(0)) -> Lowered:
    """The first choice whose condition holds."""
    if not isinstance(condlist, tuple | list) or not isinstance(choicelist, tuple | list):
        raise unsupported("np.select of what aren't lists")
    conditions, choices = [expression(c) for c in condlist], [expression(c) for c in choicelist]
    if len(conditions) != len(choices) or not conditions or any(c.type.dtype.kind != "b" for c in conditions):
        raise raises("np.select of these conditions")
    dtype = common_dtype(*choices, expression(default))
    shape = broadcast(e.type.shape for e in (*conditions, *choices, expression(default)))
    value = cast(expression(default), dtype)
    for c, choice in zip(reversed(conditions), reversed(choices), strict=True):
        value = Select(c, cast(choice, dtype), value, ArrayType(dtype, shape))
    return Lowered(value)


def meshgrid(*xi: object, indexing: object = "xy") -> Lowered:
    """Coordinates over a grid; "xy" has the first two axes the other way round."""
    vectors = [as_array(x) for x in xi]
    if any(len(v.type.shape) != 1 for v in vectors) or static(indexing) not in ("xy", "ij"):
        raise unsupported("np.meshgrid of these arguments")
    axes: list[int] = np.arange(len(vectors)).tolist()
    order = list(axes)
    if static(indexing) == "xy" and len(vectors) > 1:
        order[:2] = [1, 0]
    shape = tuple(vectors[k].type.shape[0] for k in order)
    grids: list[object] = []
    for k, v in enumerate(vectors):
        others = tuple(const(axis) for axis in axes if order[axis] != k)
        apart = expand_dims(v, others).expr if others else v
        grids.append(broadcast_to(apart, tuple(size_expr(s) for s in shape)).expr)
    return Lowered(tuple(grids))


RULES: dict[object, Callable[..., Lowered]] = {
    np.bincount: bincount,
    np.histogram: histogram,
    np.select: select,
    np.meshgrid: meshgrid,
}
