"""`np.linalg` and `np.fft` on typed arrays.

Where NumPy raises LinAlgError (an exact zero pivot) JAX goes on. Two factorisations may disagree on whether a pivot is
exactly zero, so a call is already void when a pivot is within rounding of it: the original decides.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from autovec.frontend.calls.asked import Asked, ask
from autovec.frontend.calls.axes import (
    as_array,
    as_axes,
    as_axis,
    as_int,
    dynamic,
    in_dtype,
    node,
    same_size,
    tried,
    tried_dtype,
)
from autovec.frontend.calls.faults import anywhere
from autovec.frontend.calls.lowered import Faults, Lowered, cast, const, static, test, typed, unsupported
from autovec.frontend.calls.products import cross, matmul, outer, trace
from autovec.frontend.calls.reductions import reduction
from autovec.frontend.calls.resolution import ufunc
from autovec.frontend.calls.shapes import ravel
from autovec.ir.affine import Affine
from autovec.ir.nodes import Call, Expr
from autovec.ir.types import BOOL, ArrayType


def square_matrix(a: object) -> Expr:
    """A stack of square matrices, of floats."""
    e = as_array(a)
    if len(e.type.shape) < 2:
        raise unsupported("linear algebra of a vector")
    same_size(e.type.shape[-2], e.type.shape[-1])
    return e


def single(e: Expr) -> Expr:
    if len(e.type.shape) != 2:
        raise unsupported("linear algebra of stacked matrices")
    return e


def inv(a: object) -> Lowered:
    e = single(square_matrix(a))
    dtype = tried_dtype(np.linalg.inv, [e])
    operand = cast(e, dtype)
    made = node("linalg_inv", [operand], ArrayType(dtype, e.type.shape))
    return Lowered(made.value, ((singular(operand), "a singular matrix"),))


def singular(e: Expr) -> Expr:
    return Call("linalg_is_singular", (e,), (), BOOL)


def solve(a: object, b: object) -> Lowered:
    e, right = single(square_matrix(a)), as_array(b)
    if len(right.type.shape) not in (1, 2):
        raise unsupported("linear algebra of stacked matrices")
    same_size(e.type.shape[-1], right.type.shape[0])
    dtype = tried_dtype(np.linalg.solve, [e, right])
    operands = in_dtype([e, right], dtype)
    made = node("linalg_solve", operands, ArrayType(dtype, right.type.shape))
    return Lowered(made.value, ((singular(operands[0]), "a singular matrix"),))


def det(a: object) -> Lowered:
    e = square_matrix(a)
    dtype = tried_dtype(np.linalg.det, [e])
    return node("linalg_det", [cast(e, dtype)], typed(dtype, e.type.shape[:-2]))


def cholesky(a: object, upper: object = False) -> Lowered:
    e = single(square_matrix(a))
    if static(upper):
        raise unsupported("the upper Cholesky factor")
    dtype = tried_dtype(np.linalg.cholesky, [e])
    made = node("linalg_cholesky", [cast(e, dtype)], ArrayType(dtype, e.type.shape))
    bad = Call("linalg_is_indefinite", (made.expr,), (), BOOL)
    return Lowered(made.value, ((bad, "a matrix that isn't positive definite"),))


def norm(x: object, ord: object = None, axis: object = None, keepdims: object = False) -> Lowered:
    e = as_array(x)
    known, keep = static(ord), bool(static(keepdims))
    if known is not None and known != "fro" and not isinstance(known, int | float):
        raise unsupported(f"the norm {known!r}")
    if isinstance(known, float) and abs(known) != float("inf"):
        raise unsupported(f"the norm {known!r}")
    axes = as_axes(axis, len(e.type.shape))
    if known is not None and len(axes) > 2:
        raise unsupported("a norm over more than two axes")
    dtype = tried_dtype(np.linalg.norm, [e])
    operand = e if e.type.dtype.kind in "fc" else cast(e, dtype)
    one = Affine.number(1)
    shape = tuple(one if k in axes else s for k, s in enumerate(e.type.shape) if keep or k not in axes)
    made = node("linalg_norm", [operand], typed(dtype, shape), ord=known, axis=axes, keepdims=keep)
    by_singular_values = len(axes) == 2 and known in (2, -2)
    return Lowered(made.value, not_finite(e) if by_singular_values else ())


def matrix_power(a: object, n: object) -> Lowered:
    e, power = square_matrix(a), as_int(n)
    if e.type.dtype.kind == "b":
        raise unsupported("a power of a matrix of booleans")
    if power < 0:
        inverse = inv(e)
        raised = matrix_power(inverse.value, const(-power))
        return Lowered(raised.value, inverse.faults + raised.faults)
    return node("linalg_matrix_power", [e], e.type, n=power)


def eigvalsh(a: object, UPLO: object = "L") -> Lowered:
    e = single(square_matrix(a))
    dtype = tried_dtype(np.linalg.eigvalsh, [e])
    operand = e if e.type.dtype.kind in "fc" else cast(e, dtype)
    made = node("linalg_eigvalsh", [operand], ArrayType(dtype, e.type.shape[:1]), uplo=static(UPLO))
    return Lowered(made.value, not_finite(operand))


def not_finite(e: Expr) -> Faults:
    """NumPy's iterative methods raise LinAlgError where a NaN or an infinity keeps them from converging."""
    if e.type.dtype.kind not in "fc":
        return ()
    return ((anywhere(test("logical_not", test("isfinite", e))), "a matrix of numbers that aren't finite"),)


def svd(a: object, full_matrices: object = True, compute_uv: object = True) -> Lowered:
    """Singular values only: the vectors aren't determined by the matrix."""
    e = single(as_array(a))
    if static(compute_uv) is not False:
        raise unsupported("singular vectors, whose signs two libraries may choose differently")
    rows, columns = e.type.shape
    if not (rows - columns).is_constant:
        raise dynamic("singular values of a matrix whose longer side isn't known")
    size = rows if (rows - columns).constant <= 0 else columns
    values = tried(partial(np.linalg.svd, compute_uv=False), [e])
    operand = e if e.type.dtype.kind in "fc" else cast(e, values.dtype)
    made = node("linalg_svdvals", [operand], ArrayType(values.dtype, (size,)))
    return Lowered(made.value, not_finite(e))


def qr(a: object) -> Lowered:
    """The reduced factors as a pair; void where a column depends on others, since then Q isn't determined."""
    e = single(as_array(a))
    rows, columns = e.type.shape
    if not (rows - columns).is_constant:
        raise dynamic("QR of a matrix whose longer side isn't known")
    size = rows if (rows - columns).constant <= 0 else columns
    dtype = tried_dtype(lambda x: np.linalg.qr(x)[0], [e])
    operand = cast(e, dtype)
    q = node("linalg_qr_q", [operand], ArrayType(dtype, (rows, size)))
    r = node("linalg_qr_r", [operand], ArrayType(dtype, (size, columns)))
    bad = Call("linalg_is_indefinite", (r.expr,), (), BOOL)
    pair = type(np.linalg.qr(np.ones((1, 1))))
    return Lowered(pair(q.value, r.value), ((bad, "a matrix of deficient rank"),))  # type: ignore[call-arg]


def fourier(name: str, a: object, n: object = None, axis: object = -1) -> Lowered:
    """`np.fft.fft` and `ifft` of the whole axis."""
    e = as_array(a)
    if static(n) is not None:
        return ask(TRANSFORMS[name], a, n, axis)
    k = as_axis(axis, len(e.type.shape))
    dtype = tried_dtype(getattr(np.fft, name), [e])
    if e.type.dtype == np.dtype(np.float16):
        raise unsupported("a transform of float16")
    operand = e if e.type.dtype.kind in "fc" else cast(e, np.float64)
    size = e.type.shape[k]
    if name == "rfft":
        if not size.is_constant:
            raise dynamic("rfft of a size not known")
        size = Affine.number(size.constant // 2 + 1)
    shape = tuple(size if j == k else s for j, s in enumerate(e.type.shape))
    return node(f"fft_{name}", [operand], ArrayType(dtype, shape), axis=k)


def singular_values(x: object) -> Lowered:
    return svd(x, compute_uv=False)


def pseudo_inverse(a: object) -> Lowered:
    """Void for singular values so small that NumPy might leave them out."""
    made = ask(PINV, a)
    found = singular_values(a)
    values = found.expr
    least, most = (reduction(name, values, const(-1)).expr for name in ("min", "max"))
    bound = ufunc("multiply", (most, const(1e-8 if values.type.dtype.itemsize > 4 else 1e-3))).expr
    small = test("logical_not", test("greater", least, bound))
    return Lowered(made.value, (*made.faults, *found.faults, (anywhere(small), "singular values close to zero")))


def condition(x: object) -> Lowered:
    e = single(square_matrix(x))
    made = ask(COND, e)
    regular = (singular(cast(e, made.expr.type.dtype)), "a singular matrix")
    return Lowered(made.value, (*made.faults, *not_finite(e), regular))


def vector_norm(x: object, *, axis: object = None, keepdims: object = False, ord: object = const(2)) -> Lowered:
    """`np.linalg.vector_norm`: of all elements unless told otherwise."""
    e = as_array(x)
    return norm(ravel(e).expr if static(axis) is None else e, ord, axis, keepdims)


def matrix_norm(x: object, *, keepdims: object = False, ord: object = "fro") -> Lowered:
    return norm(x, ord, (const(-2), const(-1)), keepdims)


def multi_dot(arrays: object) -> Lowered:
    """A product of matrices, from left to right."""
    if not isinstance(arrays, tuple | list) or not arrays:
        raise unsupported("np.linalg.multi_dot of what isn't a list of matrices")
    total = Lowered(arrays[0])
    for a in arrays[1:]:
        total = matmul(total.value, a)
    return total


PINV = Asked(np.linalg.pinv, "a rcond", "a", name="jnp.linalg.pinv", cast="a")
COND = Asked(np.linalg.cond, "x p", "x", name="jnp.linalg.cond", cast="x")
TRANSFORMS: dict[str, Asked] = {
    name: Asked(getattr(np.fft, name), parameters, "a", name=f"jnp.fft.{name}", floats="a")
    for parameters, names in (
        ("a n axis norm", "fft ifft rfft irfft hfft ihfft"),
        ("a s axes norm", "fft2 ifft2 rfft2 irfft2 fftn ifftn rfftn irfftn"),
    )
    for name in names.split()
}
TRANSFORMS["fftshift"] = Asked(np.fft.fftshift, "x axes", "x", name="jnp.fft.fftshift")
TRANSFORMS["ifftshift"] = Asked(np.fft.ifftshift, "x axes", "x", name="jnp.fft.ifftshift")
FREQUENCIES = [Asked(getattr(np.fft, name), "n d", "", name=f"jnp.fft.{name}") for name in ("fftfreq", "rfftfreq")]

RULES: dict[object, Callable[..., Lowered]] = {
    np.linalg.inv: inv,
    np.linalg.solve: solve,
    np.linalg.det: det,
    np.linalg.cholesky: cholesky,
    np.linalg.norm: norm,
    np.linalg.vector_norm: vector_norm,
    np.linalg.matrix_norm: matrix_norm,
    np.linalg.svdvals: singular_values,
    np.linalg.pinv: pseudo_inverse,
    np.linalg.cond: condition,
    np.linalg.slogdet: partial(ask, Asked(np.linalg.slogdet, "a", "a", name="jnp.linalg.slogdet", floats="a")),
    np.linalg.multi_dot: multi_dot,
    np.linalg.outer: outer,
    np.linalg.trace: trace,
    np.linalg.matmul: matmul,
    np.linalg.cross: cross,
    **{spec.function: partial(ask, spec) for spec in (*TRANSFORMS.values(), *FREQUENCIES)},
    np.linalg.matrix_power: matrix_power,
    np.linalg.eigvalsh: eigvalsh,
    np.linalg.svd: svd,
    np.linalg.qr: qr,
    np.fft.fft: partial(fourier, "fft"),
    np.fft.ifft: partial(fourier, "ifft"),
    np.fft.rfft: partial(fourier, "rfft"),
}
