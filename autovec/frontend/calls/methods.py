"""Methods and attributes of arrays and NumPy scalars: `a.sum(axis=0)`, `a.T`, `x.item()`."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from autovec.frontend.calls import named_functions, numpy_functions, products, reductions, shapes
from autovec.frontend.calls.axes import as_dtype
from autovec.frontend.calls.lowered import Lowered, cast, expression, retype, unsupported
from autovec.frontend.calls.scalars import to_complex, to_float, to_int
from autovec.frontend.calls.shapes import only_element
from autovec.ir.nodes import Expr
from autovec.ir.types import BOOL, ArrayType, ScalarType, numpy_scalar

Rule = Callable[..., Lowered]


def astype(a: object, dtype: object, copy: object = True) -> Lowered:
    e = expression(a)
    wanted = as_dtype(dtype)
    if wanted is None:
        raise unsupported("astype without a dtype")
    made = cast(e, wanted)
    if isinstance(e.type, ScalarType):
        made = retype(made, numpy_scalar(wanted))
    return Lowered(made)


def item(a: object) -> Lowered:
    """`a.item()`: the one element as a Python number."""
    e = only_element(expression(a), "item of several elements")
    kind = e.type.dtype.kind
    if kind == "b":
        return Lowered(retype(e, BOOL))
    return to_complex(e) if kind == "c" else to_float(e) if kind == "f" else to_int(e)


METHODS: dict[str, Rule] = {
    "astype": astype,
    "take": named_functions.RULES[np.take],
    "item": item,
    "conj": numpy_functions.conjugate,
    "conjugate": numpy_functions.conjugate,
    "copy": lambda a, order=None: Lowered(expression(a)),
    "transpose": shapes.transpose,
    "reshape": shapes.reshape,
    "ravel": shapes.ravel,
    "flatten": shapes.ravel,
    "squeeze": shapes.squeeze,
    "swapaxes": shapes.swapaxes,
    "repeat": shapes.repeat,
    "diagonal": shapes.diagonal,
    "dot": products.dot,
    "trace": products.trace,
    "round": numpy_functions.around,
    "clip": numpy_functions.clip,
    "argsort": reductions.argsort,
    "searchsorted": reductions.searchsorted,
    **{
        name: reductions.RULES[getattr(np, name)]
        for name in "sum prod min max mean any all argmin argmax var std cumsum cumprod".split()
    },
}
# what Python's own numbers have too
OF_PYTHON = frozenset({"conjugate"})


def rule_for(name: str, target: Expr) -> Rule | None:
    """The rule for a method of this value; None where it has none that is known."""
    if isinstance(target.type, ScalarType) and target.type.may_be_python and name not in OF_PYTHON:
        return None
    return METHODS.get(name)


def attribute(name: str, target: Expr) -> Lowered | None:
    if name == "T" and isinstance(target.type, ArrayType):
        return shapes.transpose(target)
    if name in ("real", "imag"):
        return numpy_functions.part(name)(target)
    return None
