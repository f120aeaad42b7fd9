"""Functions that make, rearrange and join arrays: `np.zeros`, `reshape`, `.T`, `np.concatenate`, `np.where`."""

from __future__ import annotations

from autovec.frontend.calls.lowered import raises, unsupported
from autovec.ir.affine import Affine
from autovec.ir.nodes import Call, Expr
from autovec.ir.types import ArrayType, numpy_scalar


def only_element(a: Expr, what: str) -> Expr:
    """The element of an array known to have one."""
    if not isinstance(a.type, ArrayType):
        return a
    for size in a.type.shape:
        if size != Affine.number(1):
            raise raises(what) if size.is_constant else unsupported(what)
    return Call("element", (a,), (("index", (0,) * len(a.type.shape)),), numpy_scalar(a.type.dtype))
