"""Products and linear algebra as JAX expressions."""

from __future__ import annotations

import ast
from collections.abc import Callable

import numpy as np

from autovec.emit.operations.nodes import binop, call, fill, literal
from autovec.emit.operations.operand import Operands

Rule = Callable[[Operands], "ast.expr | None"]


def matmul(given: Operands) -> ast.expr:
    return binop(given.args[0], "@", given.args[1])


def batched_matmul(given: Operands) -> ast.expr | None:
    """`@` takes batches of matrices; vectors go through einsum."""
    left, right = given.rank(0), given.rank(1)
    if left > 2 or right > 2:
        return None
    if left == 2 and right == 2:
        return matmul(given)
    if left == 2 and right == 1:
        return einsum_text(given, "ij,j->i")
    return einsum_text(given, "i,ij->j" if right == 2 else "i,i->")


def inner(given: Operands) -> ast.expr:
    return call("jnp.inner", *given.args)


def batched_inner(given: Operands) -> ast.expr | None:
    left, right = given.rank(0), given.rank(1)
    if left > 2 or right > 2:
        return None
    a, b = ("i" if left == 2 else ""), ("j" if right == 2 else "")
    return einsum_text(given, f"{a}k,{b}k->{a}{b}")


def outer(given: Operands) -> ast.expr:
    return call("jnp.outer", *given.args)


def batched_outer(given: Operands) -> ast.expr:
    return fill("a[..., :, None] * b[..., None, :]", a=given.args[0], b=given.args[1])


def einsum(given: Operands) -> ast.expr:
    text = given.statics["subscripts"]
    assert isinstance(text, str)
    return einsum_text(given, text)


def einsum_text(given: Operands, text: str) -> ast.expr:
    """With an ellipsis in front of each batched operand and of the result."""
    terms, _, out = text.partition("->")
    if given.is_batched:
        terms = ",".join(("..." if b else "") + t for t, b in zip(terms.split(","), given.batch, strict=True))
        out = "..." + out
    return call("jnp.einsum", literal(f"{terms}->{out}"), *given.args)


def cross(given: Operands) -> ast.expr:
    return call("jnp.cross", *given.args)


def kron(given: Operands) -> ast.expr:
    return call("jnp.kron", *given.args)


def trace(given: Operands) -> ast.expr:
    k = given.static_int("offset")
    ends = (literal(-2), literal(-1)) if given.is_batched else (None, None)
    return call("jnp.trace", given.args[0], offset=literal(k) if k else None, axis1=ends[0], axis2=ends[1])


def linalg(name: str) -> Rule:
    """A function of one stack of matrices."""

    def write(given: Operands) -> ast.expr:
        return call(f"jnp.linalg.{name}", given.args[0])

    return write


def solve(given: Operands) -> ast.expr:
    return call("jnp.linalg.solve", *given.args)


def batched_solve(given: Operands) -> ast.expr | None:
    """A vector on the right is a column under a batch."""
    if given.rank(1) == 2:
        return solve(given)
    return fill("jnp.linalg.solve(a, b[..., None])[..., 0]", a=given.args[0], b=given.args[1])


def cholesky(given: Operands) -> ast.expr:
    return fill("jnp.linalg.cholesky(a, symmetrize_input=False)", a=given.args[0])


def eigvalsh(given: Operands) -> ast.expr:
    """Of the triangle that NumPy reads, not of the mean of both."""
    uplo = None if given.statics["uplo"] == "L" else literal(given.statics["uplo"])
    made = call("jnp.linalg.eigh", given.args[0], UPLO=uplo, symmetrize_input=literal(False))
    return ast.Attribute(made, "eigenvalues", ast.Load())


def svdvals(given: Operands) -> ast.expr:
    return fill("jnp.linalg.svd(a, compute_uv=False)", a=given.args[0])


def qr(part: int) -> Rule:
    def write(given: Operands) -> ast.expr:
        return fill(f"jnp.linalg.qr(a)[{part}]", a=given.args[0])

    return write


def matrix_power(given: Operands) -> ast.expr:
    return call("jnp.linalg.matrix_power", given.args[0], literal(given.static_int("n")))


def tolerance(dtype: np.dtype) -> ast.expr:
    """Pivots this far under the largest may be zeros that rounding hid."""
    return literal(1e-5 if np.finfo(dtype).bits == 32 else 1e-13)


def is_singular(given: Operands) -> ast.expr:
    """Whether the smallest pivot is within rounding of zero; true of NaN."""
    pivots = fill("jnp.abs(jnp.diagonal(lax.linalg.lu(a)[0], axis1=-2, axis2=-1))", a=given.args[0])
    return small_pivot(pivots, tolerance(given.types[0].dtype))


def small_pivot(pivots: ast.expr, limit: ast.expr) -> ast.expr:
    return fill("(lambda d: ~(jnp.min(d, axis=-1) > limit * jnp.max(d, axis=-1)))(pivots)", pivots=pivots, limit=limit)


def is_indefinite(given: Operands) -> ast.expr:
    """Of a Cholesky factor: whether a pivot is NaN, or within rounding of zero."""
    pivots = fill("jnp.abs(jnp.diagonal(a, axis1=-2, axis2=-1)) ** 2", a=given.args[0])
    return small_pivot(pivots, tolerance(given.types[0].dtype))


PLAIN: dict[str, Rule] = {
    "matmul": matmul,
    "inner": inner,
    "outer": outer,
    "einsum": einsum,
    "kron": kron,
    "cross": cross,
    "trace": trace,
    "linalg_inv": linalg("inv"),
    "linalg_det": linalg("det"),
    "linalg_solve": solve,
    "linalg_cholesky": cholesky,
    "linalg_eigvalsh": eigvalsh,
    "linalg_svdvals": svdvals,
    "linalg_qr_q": qr(0),
    "linalg_qr_r": qr(1),
    "linalg_matrix_power": matrix_power,
    "linalg_is_singular": is_singular,
    "linalg_is_indefinite": is_indefinite,
}
BATCHED: dict[str, Rule] = {
    **{k: v for k, v in PLAIN.items() if k.startswith("linalg_") or k in ("einsum", "trace")},
    "matmul": batched_matmul,
    "inner": batched_inner,
    "outer": batched_outer,
    "linalg_solve": batched_solve,
}
