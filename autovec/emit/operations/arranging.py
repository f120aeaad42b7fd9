"""Creation and rearrangement of arrays as JAX expressions."""

from __future__ import annotations

import ast
from collections.abc import Callable

import numpy as np

from autovec.emit.operations.casts import constant, dtype_name, plain
from autovec.emit.operations.nodes import binop, call, fill, literal
from autovec.emit.operations.operand import Operands, numbers
from autovec.ir.affine import Affine

Rule = Callable[[Operands], "ast.expr | None"]


def created(name: str) -> Rule:
    """`jnp.zeros((n, m))`."""

    def write(given: Operands) -> ast.expr:
        return call(f"jnp.{name}", given.shape(), dtype=given.dtype())

    return write


def full(given: Operands) -> ast.expr:
    """`jnp.full(n, 1.0)`: the value carries the dtype."""
    return call("jnp.full", given.shape(), given.args[0])


def eye(given: Operands) -> ast.expr:
    rows, columns = given.type.shape
    k = given.static_int("k")
    more = [] if rows == columns else [given.size(columns)]
    return call("jnp.eye", given.size(rows), *more, k=literal(k) if k else None, dtype=given.dtype())


def arange(given: Operands) -> ast.expr:
    """`jnp.arange(n)`, `jnp.arange(a, b)`; `start + step * arange(n)` for other steps."""
    start, step, count = given.statics["start"], given.statics["step"], given.type.shape[0]
    dtype = None if given.type.dtype == np.dtype(np.int64) else dtype_name(given.type.dtype)
    if isinstance(start, int):
        start = Affine.number(start)
    if step == 1 and isinstance(start, Affine):
        bounds = [given.size(count)] if start == Affine.number(0) else [given.size(start), given.size(start + count)]
        return call("jnp.arange", *bounds, dtype=dtype)
    first = start.constant if isinstance(start, Affine) else start
    steps = binop(plain(constant(step, given.type)), "*", call("jnp.arange", given.size(count), dtype=dtype_of(given)))
    return binop(plain(constant(first, given.type)), "+", steps)


def dtype_of(given: Operands) -> ast.expr | None:
    return None if given.type.dtype == np.dtype(np.int64) else dtype_name(given.type.dtype)


def linspace(given: Operands) -> ast.expr:
    """NumPy's own operations: the steps from the start, and the end itself."""
    count = given.size(given.type.shape[0])
    start, stop = given.args
    if not given.statics["endpoint"]:
        return fill("jnp.arange(n, dtype=jnp.float64) * ((b - a) / n) + a", n=count, a=start, b=stop)
    inner = given.size(given.type.shape[0] - 1)
    return fill("jnp.append(jnp.arange(m, dtype=jnp.float64) * ((b - a) / m) + a, b)", m=inner, a=start, b=stop)


def element(given: Operands) -> ast.expr:
    index = [literal(k) for k in given.axes("index")]
    if given.is_batched:
        index.insert(0, literal(...))
    if not index:
        return given.args[0]
    return ast.Subscript(given.args[0], index[0] if len(index) == 1 else ast.Tuple(index, ast.Load()), ast.Load())


def reshape(given: Operands) -> ast.expr:
    if all(s.is_constant for s in given.type.shape) or len(given.type.shape) != 1:
        sizes = [given.size(s) for s in given.type.shape]
    else:
        sizes = [literal(-1)]
    return ast.Call(ast.Attribute(given.args[0], "reshape", ast.Load()), sizes or [ast.Tuple([], ast.Load())], [])


def transpose(given: Operands) -> ast.expr:
    order = given.axes("axes")
    if given.is_batched:
        b, r = given.batch_rank, len(order)
        if order == (*range(r - 2), r - 1, r - 2):
            return call("jnp.swapaxes", given.args[0], literal(-1), literal(-2))
        return call("jnp.transpose", given.args[0], literal((*range(b), *(b + k for k in order))))
    if order == tuple(reversed(range(len(order)))):
        return ast.Attribute(given.args[0], "T", ast.Load())
    return call("jnp.transpose", given.args[0], literal(order))


def joined(name: str) -> Rule:
    """`jnp.stack` and `jnp.concatenate`; operands without the batch of the others go through vmap."""

    def write(given: Operands) -> ast.expr | None:
        if given.is_batched and not given.all_batched:
            return None
        axis = given.static_int("axis")
        if given.is_batched:
            axis -= len(given.type.shape)
        items = ast.List(given.args, ast.Load())
        if name == "stack" and not given.is_batched and not given.rank():
            return call("jnp.array", items, dtype=dtype_name(given.type.dtype))
        return call(f"jnp.{name}", items, axis=literal(axis) if axis else None)

    return write


def expand_dims(given: Operands) -> ast.expr:
    """By `None` subscripts: `a[:, None]`."""
    axes, rank = given.axes(), len(given.type.shape)
    if given.is_batched:
        return call("jnp.expand_dims", given.args[0], numbers(tuple(k - rank for k in axes)))
    if not given.rank():
        return call("jnp.reshape", given.args[0], literal((1,) * rank))
    last = max((k for k in range(rank) if k in axes), default=0)
    parts: list[ast.expr] = [ast.Constant(None) if k in axes else ast.Slice() for k in range(last + 1)]
    return ast.Subscript(given.args[0], parts[0] if len(parts) == 1 else ast.Tuple(parts, ast.Load()), ast.Load())


def squeeze(given: Operands) -> ast.expr:
    return call("jnp.squeeze", given.args[0], axis=numbers(tuple(k - given.rank() for k in given.axes())))


def broadcast_to(given: Operands) -> ast.expr:
    if not given.type.shape:
        return call("jnp.asarray", given.args[0], dtype=dtype_name(given.type.dtype))
    return call("jnp.broadcast_to", given.args[0], ast.Tuple([given.size(s) for s in given.type.shape], ast.Load()))


def tile(given: Operands) -> ast.expr:
    return call("jnp.tile", given.args[0], numbers(given.statics["reps"]))


def repeat(given: Operands) -> ast.expr:
    axis = given.last_axis()
    return call("jnp.repeat", given.args[0], literal(given.statics["repeats"]), axis=literal(axis))


def flip(given: Operands) -> ast.expr:
    axes, rank = given.axes(), given.rank()
    if not given.is_batched and rank == 1:
        return fill("a[::-1]", a=given.args[0])
    return call("jnp.flip", given.args[0], axis=numbers(tuple(k - rank for k in axes)))


def roll(given: Operands) -> ast.expr | None:
    if given.is_batched and given.batch[1]:
        return None
    axis = None if given.rank() == 1 and not given.is_batched else literal(given.last_axis())
    return call("jnp.roll", *given.args, axis=axis)


def triangle(name: str) -> Rule:
    def write(given: Operands) -> ast.expr:
        k = given.static_int("k")
        return call(f"jnp.{name}", given.args[0], k=literal(k) if k else None)

    return write


def diag(given: Operands) -> ast.expr:
    k = given.static_int("k")
    return call("jnp.diag", given.args[0], k=literal(k) if k else None)


def diagonal(given: Operands) -> ast.expr:
    k = given.static_int("offset")
    ends = (literal(-2), literal(-1)) if given.is_batched else (None, None)
    return call("jnp.diagonal", given.args[0], offset=literal(k) if k else None, axis1=ends[0], axis2=ends[1])


PLAIN: dict[str, Rule] = {
    "zeros": created("zeros"),
    "ones": created("ones"),
    "full": full,
    "eye": eye,
    "arange": arange,
    "linspace": linspace,
    "element": element,
    "reshape": reshape,
    "transpose": transpose,
    "stack": joined("stack"),
    "concatenate": joined("concatenate"),
    "expand_dims": expand_dims,
    "squeeze": squeeze,
    "broadcast_to": broadcast_to,
    "tile": tile,
    "repeat": repeat,
    "flip": flip,
    "roll": roll,
    "triu": triangle("triu"),
    "tril": triangle("tril"),
    "diag": diag,
    "diagonal": diagonal,
}
BATCHED: dict[str, Rule] = {
    name: PLAIN[name]
    for name in "element transpose stack concatenate expand_dims squeeze repeat flip roll triu tril diagonal".split()
}
