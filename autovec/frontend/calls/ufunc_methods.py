"""Methods of ufuncs: `np.add.reduce`, `np.maximum.accumulate`, `np.subtract.outer`.

np.add.reduce(a)            -->    sum(a, axis 0)
np.multiply.outer(a, b)     -->    multiply(a[:, None], b)
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from autovec.frontend.calls.asked import Asked, ask
from autovec.frontend.calls.axes import as_array
from autovec.frontend.calls.lowered import Lowered, const, expression, own_dtype
from autovec.frontend.calls.powers import numpy_power
from autovec.frontend.calls.reductions import reduction, running
from autovec.frontend.calls.resolution import ufunc
from autovec.frontend.calls.shapes import expand_dims
from autovec.ir.intrinsics import BINARY_UFUNCS

METHODS = ("reduce", "accumulate", "outer")
REDUCERS = {
    np.add: "sum",
    np.multiply: "prod",
    np.maximum: "max",
    np.minimum: "min",
    np.logical_and: "all",
    np.logical_or: "any",
}


def reduced(
    name: str, array: object, axis: object = const(0), dtype: object = None, keepdims: object = False
) -> Lowered:
    """`np.add.reduce`: along the first axis unless told otherwise."""
    if name in ("sum", "prod"):
        return reduction(name, array, axis, dtype, keepdims)
    return reduction(name, array, axis, None, keepdims)


def accumulated(name: str, array: object, axis: object = const(0), dtype: object = None) -> Lowered:
    return running(name, array, axis, dtype)


def outer(name: str, a: object, b: object) -> Lowered:
    """Every element of one with every element of the other."""
    left, right = as_array(a), own_dtype(expression(b))
    rank = len(left.type.shape)
    axes = tuple(const(rank + k) for k in range(len(right.type.shape)))
    spread = expand_dims(left, axes).expr if axes else left
    return numpy_power(spread, right) if name == "power" else ufunc(name, (spread, right))


RULES: dict[object, Callable[..., Lowered]] = {
    **{function.reduce: partial(reduced, name) for function, name in REDUCERS.items()},
    np.add.accumulate: partial(accumulated, "cumsum"),
    np.multiply.accumulate: partial(accumulated, "cumprod"),
    **{
        function.accumulate: partial(
            ask, Asked(function.accumulate, "array axis", "array", name=f"jnp.{name}.accumulate")
        )
        for name, function in (("maximum", np.maximum), ("minimum", np.minimum))
    },
    **{getattr(np, name).outer: partial(outer, name) for name in sorted(BINARY_UFUNCS)},
}
