"""Products of vectors and matrices in a loop that became an axis: dots of rows, matrix by each column.

    np.dot(a[:, m], w[:, m]), m an axis       -->    jnp.sum(a * w, axis=0)
    a[i] @ x, i an axis                       -->    jnp.einsum("ij,j->i", a, x)

Letters name the axes, so that operands needn't be transposed first.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from autovec.emit.operations.nodes import call, literal
from autovec.emit.values import Value
from autovec.ir.types import Type

PRODUCTS = ("matmul", "dot", "inner")


def batched_product(left: Value, right: Value, axes: Sequence[str], kind: Type) -> Value | None:
    """The product of two operands of own rank one or two, over the named axes; None for other ranks."""
    if not (1 <= left.rank <= 2 and 1 <= right.rank <= 2) or kind.dtype.kind == "b":
        return None
    if left.rank == right.rank == 1 and left.axes == right.axes and len(left.axes) == 1 and kind.dtype.kind in "fc":
        return rowwise(left, right, kind)
    named = letters(axes, "abcdefghmnopq", nameless="b")
    free = iter(c for c in "ijklmnpqrstuvw" if c not in named.values())
    summed = next(free)
    first = [next(free), summed] if left.rank == 2 else [summed]
    second = [summed, next(free)] if right.rank == 2 else [summed]
    result = [*(named[a] for a in axes), *first[:-1], *second[1:]]
    texts: list[str] = []
    nodes: list[ast.expr] = []
    for value, own in ((left, first), (right, second)):
        text = "".join(named[a] for a in value.axes) + "".join(own)
        plain = untransposed(value.node) if value.dims == 2 else None
        texts.append(text[::-1] if plain is not None else text)
        nodes.append(plain if plain is not None else value.node)
    node = call("jnp.einsum", ast.Constant(f"{texts[0]},{texts[1]}->{''.join(result)}"), *nodes)
    return Value(node, tuple(axes), left.rank + right.rank - 2, kind)


def letters(axes: Sequence[str], spare: str, nameless: str) -> dict[str, str]:
    """One letter an axis: the person's own where it is one letter and free, else a spare one."""
    found: dict[str, str] = {}
    for a in axes:
        own = a[0] if a[0].isalpha() and a[0].isascii() else nameless
        found[a] = next(c for c in (own, *spare) if c not in found.values())
    return found


def rowwise(left: Value, right: Value, kind: Type) -> Value:
    """Dots of the rows of two matrices: the sum of an elementwise product."""
    plain = [untransposed(left.node), untransposed(right.node)]
    if all(p is not None for p in plain):
        a, b = (p for p in plain if p is not None)
        axis = 0
    else:
        a, b, axis = left.node, right.node, 1
    node = call("jnp.sum", ast.BinOp(a, ast.Mult(), b), axis=literal(axis))
    return Value(node, left.axes, 0, kind)


def untransposed(node: ast.expr) -> ast.expr | None:
    """The matrix whose transpose this is, through products with numbers."""
    match node:
        case ast.Attribute(value=value, attr="T"):
            return value
        case ast.BinOp(left=ast.Constant() | ast.UnaryOp() as left, op=op, right=right):
            inner = untransposed(right)
            return None if inner is None or not is_number(left) else ast.BinOp(left, op, inner)
        case ast.Call(func=ast.Attribute(value=ast.Name(id="jnp"), attr="conj") as func, args=[arg]):
            inner = untransposed(arg)
            return None if inner is None else ast.Call(func, [inner], [])
        case _:
            return None


def is_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) or (isinstance(node, ast.UnaryOp) and is_number(node.operand))
