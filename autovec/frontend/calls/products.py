"""Products of vectors and matrices: `@`, `np.dot`, `np.outer`, `np.einsum`.

a @ v    (a: float32[n, m], v: float64[m])    -->    matmul(cast(a, float64), v): float64[n]
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from autovec.frontend.calls.axes import as_array, as_int, dynamic, in_dtype, node, same_size, scaled, tried_dtype
from autovec.frontend.calls.lowered import (
    Lowered,
    broadcast,
    cast,
    expression,
    own_dtype,
    raises,
    static,
    typed,
    unsupported,
)
from autovec.frontend.calls.resolution import operate, ufunc
from autovec.frontend.calls.shapes import diagonal, ravel
from autovec.ir.affine import Affine
from autovec.ir.nodes import Expr
from autovec.ir.types import ArrayType


def numeric(function: Callable[..., object], *args: Expr) -> tuple[list[Expr], np.dtype]:
    """The operands in the dtype that NumPy multiplies in."""
    dtype = tried_dtype(function, args)
    if dtype.kind == "b":
        raise unsupported("a product of boolean arrays")
    return in_dtype(args, dtype), dtype


def matmul(left: object, right: object) -> Lowered:
    """`left @ right`: leading axes broadcast."""
    a, b = as_array(left), as_array(right)
    if not a.type.shape or not b.type.shape:
        raise raises("@ of a scalar")
    (a, b), dtype = numeric(np.matmul, a, b)
    x, y = a.type.shape, b.type.shape
    same_size(x[-1], y[-2:][0])
    lead = broadcast((x[:-2], y[:-2]))
    shape = (*lead, *x[-2:-1], *(y[-1:] if len(y) > 1 else ()))
    return node("matmul", [a, b], typed(dtype, shape))


def dot(left: object, right: object) -> Lowered:
    """`np.dot`: as `@` up to two axes; scalars multiply."""
    a, b = expression(left), expression(right)
    if not a.type.shape or not b.type.shape:
        return operate("Mult", (own_dtype(a), own_dtype(b)))
    if len(a.type.shape) > 2 or len(b.type.shape) > 2:
        raise unsupported("np.dot of arrays with more than two axes")
    return matmul(a, b)


def inner(left: object, right: object) -> Lowered:
    a, b = expression(left), expression(right)
    if not a.type.shape or not b.type.shape:
        return operate("Mult", (own_dtype(a), own_dtype(b)))
    (a, b), dtype = numeric(np.inner, a, b)
    same_size(a.type.shape[-1], b.type.shape[-1])
    return node("inner", [a, b], typed(dtype, a.type.shape[:-1] + b.type.shape[:-1]))


def outer(left: object, right: object) -> Lowered:
    a, b = ravel(left).expr, ravel(right).expr
    (a, b), dtype = numeric(np.outer, a, b)
    return node("outer", [a, b], ArrayType(dtype, a.type.shape + b.type.shape))


def vdot(left: object, right: object) -> Lowered:
    a, b = ravel(left).expr, ravel(right).expr
    if a.type.dtype.kind == "c":
        a = ufunc("conjugate", (a,)).expr
    return matmul(a, b)


def einsum(subscripts: object, *operands: object, optimize: object = None) -> Lowered:
    """`np.einsum` in explicit or implicit form, one letter an axis."""
    text = static(subscripts)
    if not isinstance(text, str) or "." in text:
        raise unsupported("np.einsum without letters for every axis")
    text = text.replace(" ", "")
    args = [as_array(o) for o in operands]
    terms, _, out = text.partition("->")
    letters = terms.split(",")
    if "->" not in text:
        out = "".join(sorted(c for c in set(terms) - {","} if terms.count(c) == 1))
    sizes: dict[str, Affine] = {}
    for term, a in zip(letters, args, strict=True):
        if len(term) != len(a.type.shape):
            raise raises("einsum subscripts of another rank")
        for letter, size in zip(term, a.type.shape, strict=True):
            sizes[letter] = same_size(sizes.get(letter, size), size)
    dtype = np.result_type(*(a.type.dtype for a in args))
    if dtype.kind == "b":
        raise unsupported("a product of boolean arrays")
    result = typed(dtype, tuple(sizes[c] for c in out))
    return node("einsum", in_dtype(args, dtype), result, subscripts=f"{terms}->{out}")


def tensordot(left: object, right: object, axes: object = 2) -> Lowered:
    """As einsum letters: the contracted axes share theirs."""
    a, b = as_array(left), as_array(right)
    known = static(axes)
    rank_a, rank_b = len(a.type.shape), len(b.type.shape)
    if isinstance(known, tuple) and len(known) == 2:
        pairs = [tuple(k) if isinstance(k, tuple) else (k,) for k in known]
    else:
        count = as_int(axes)
        pairs = [tuple(range(rank_a - count, rank_a)), tuple(range(count))]
    first = [chr(97 + k) for k in range(rank_a)]
    second = [chr(97 + rank_a + k) for k in range(rank_b)]
    for i, j in zip(*pairs, strict=True):
        second[j % rank_b] = first[i % rank_a]
    out = [c for c in first if c not in second] + [c for c in second if c not in first]
    return einsum(f"{''.join(first)},{''.join(second)}->{''.join(out)}", a, b)


def kron(left: object, right: object) -> Lowered:
    a, b = as_array(left), as_array(right)
    if len(a.type.shape) != len(b.type.shape):
        raise unsupported("np.kron of arrays of several ranks")
    (a, b), dtype = numeric(np.kron, a, b)
    shape = tuple(scaled(x, y) for x, y in zip(a.type.shape, b.type.shape, strict=True))
    return node("kron", [a, b], ArrayType(dtype, shape))


def cross(left: object, right: object) -> Lowered:
    a, b = as_array(left), as_array(right)
    three = Affine.number(3)
    if a.type.shape[-1:] != (three,) or b.type.shape[-1:] != (three,):
        if all(s.is_constant for s in a.type.shape[-1:] + b.type.shape[-1:]):
            raise unsupported("np.cross of vectors that don't have three elements")
        raise dynamic("np.cross of vectors not known to have three elements")
    (a, b), dtype = numeric(lambda x, y: np.multiply(x, y), a, b)
    return node("cross", [a, b], ArrayType(dtype, broadcast((a.type.shape, b.type.shape))))


def trace(a: object, offset: object = 0) -> Lowered:
    e = as_array(a)
    d = diagonal(e, offset)
    dtype = tried_dtype(np.trace, [e])
    return node("trace", [cast(e, dtype)], typed(dtype, d.expr.type.shape[1:]), offset=as_int(offset))


RULES: dict[object, Callable[..., Lowered]] = {
    np.matmul: matmul,
    np.dot: dot,
    np.inner: inner,
    np.outer: outer,
    np.vdot: vdot,
    np.einsum: einsum,
    np.tensordot: tensordot,
    np.kron: kron,
    np.cross: cross,
    np.trace: trace,
}
