"""Constants and conversions: numbers and dtypes in, `2.0`, `jnp.float32(0.5)`, `x.astype(jnp.int64)` out.

A float becomes an int as NumPy on x86 converts it (NaN and what is out of range become the least number), where JAX
saturates; a conversion to a Python int has been checked by a fault and is plain.
"""

from __future__ import annotations

import ast
import warnings

import numpy as np

from autovec.emit.operations.nodes import binop, call, fill, is_literal, literal, literal_value, name, negative
from autovec.ir.types import ArrayType, ScalarType, Type

WEAK_DTYPES = frozenset(np.dtype(d) for d in (bool, np.int64, np.float64, np.complex128))


def dtype_name(dtype: np.dtype) -> ast.expr:
    """`jnp.float64`; Python's bool is spelled `bool`."""
    return name("bool" if dtype == np.dtype(bool) else f"jnp.{dtype.name}")


def constant(value: object, value_type: Type) -> ast.expr:
    """A number of this type: a plain literal where that has the dtype by itself, `jnp.float32(...)` elsewhere."""
    dtype = value_type.dtype
    if dtype.kind == "f" and isinstance(value, float) and dtype.itemsize < 8:
        return ast.Call(dtype_name(dtype), [literal(value)], [])  # rounded there, and readable here
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        number = np.asarray(value).astype(dtype)[()].item()
    node = literal(number)
    if dtype in WEAK_DTYPES:
        return node
    return ast.Call(dtype_name(dtype), [node], [])


def plain(node: ast.expr) -> ast.expr:
    """A constant without the dtype that `constant` wrote around it; anything else as it is."""
    wrapped = typed_literal(node)
    return node if wrapped is None else wrapped


def typed_literal(node: ast.expr) -> ast.expr | None:
    """The literal inside `jnp.float32(2.0)`."""
    if not isinstance(node, ast.Call) or len(node.args) != 1 or node.keywords or not is_literal(node.args[0]):
        return None
    function = node.func
    if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name) and function.value.id == "jnp":
        return node.args[0] if function.attr in DTYPE_NAMES else None
    return None


DTYPE_NAMES = frozenset(np.dtype(c).name for c in "?bhilBHILefdFD")


def cast(arg: ast.expr, source: Type, target: Type) -> ast.expr:
    """The expression in the dtype of `target`."""
    a, b = source.dtype, target.dtype
    inner = plain(arg)
    if is_literal(inner):
        return constant(literal_value(inner), target)
    if a == b:
        return arg
    if a.kind == "c" and b.kind in "fiu":
        arg, a = call("jnp.real", arg), np.finfo(a).dtype
        if a == b:
            return arg
    if a.kind == "c" and b.kind == "b":  # JAX would ask the real part alone
        return binop(arg, "!=", literal(0))
    checked = isinstance(target, ScalarType) and target.is_python
    if a.kind == "f" and b.kind in "iu" and not checked:
        if a.itemsize == 2:  # float16 doesn't hold the bounds
            arg = astype(arg, np.dtype(np.float32), isinstance(source, ArrayType))
        return float_to_int(arg, b)
    return astype(arg, b, isinstance(source, ArrayType))


def astype(arg: ast.expr, dtype: np.dtype, is_array: bool = False) -> ast.expr:
    """`x.astype(d)`, or `d(x)` where x may be a Python number (a size)."""
    if is_array or is_traced(arg):
        return ast.Call(ast.Attribute(arg, "astype", ast.Load()), [dtype_name(dtype)], [])
    if dtype.kind == "u" or (dtype.kind == "i" and dtype.itemsize < 4):  # d(x) refuses a number that d doesn't hold
        return ast.Call(ast.Attribute(call("jnp.asarray", arg), "astype", ast.Load()), [dtype_name(dtype)], [])
    function = name("jnp.bool_") if dtype == np.dtype(bool) else dtype_name(dtype)
    return ast.Call(function, [arg], [])


def is_traced(node: ast.expr) -> bool:
    """Whether the node is surely an array of JAX: a call of its functions or methods, or an element of an array."""
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Attribute | ast.Lambda)
    if isinstance(node, ast.Subscript):
        return not (isinstance(node.value, ast.Attribute) and node.value.attr == "shape")
    if isinstance(node, ast.BinOp):
        return is_traced(node.left) or is_traced(node.right)
    if isinstance(node, ast.Compare):
        return is_traced(node.left) or any(is_traced(c) for c in node.comparators)
    return isinstance(node, ast.UnaryOp) and is_traced(node.operand)


def float_to_int(arg: ast.expr, dtype: np.dtype) -> ast.expr:
    """NumPy's conversion on x86: through int32 for narrower ints, through int64 for uint32 and most of uint64."""
    if dtype == np.dtype(np.uint64):
        return uint64(arg)
    wide = np.dtype(np.int32 if dtype.itemsize < 4 or dtype == np.dtype(np.int32) else np.int64)
    bits = wide.itemsize * 8 - 1
    converted = fill(
        f"jnp.where(jnp.abs(x) < 2.0 ** {bits}, x, low).astype(d)",
        x=arg,
        low=negative(fill(f"2.0 ** {bits}")),
        d=dtype_name(wide),
    )
    return converted if wide == dtype else astype(converted, dtype)


def uint64(arg: ast.expr) -> ast.expr:
    """Below 2**63 as int64 would be, above as it is, 0 beyond 2**64."""
    return fill(
        "jnp.where(x >= 2.0 ** 63, jnp.where(x < 2.0 ** 64, x, 0.0).astype(jnp.uint64), "
        "jnp.where(jnp.abs(x) < 2.0 ** 63, x, -(2.0 ** 63)).astype(jnp.int64).astype(jnp.uint64))",
        x=arg,
    )
