"""Evaluates typed expressions: IR in, the emitted AST run by JAX out, beside what NumPy or Python gives."""

from __future__ import annotations

import ast
import itertools
import warnings
from collections.abc import Mapping, Sequence

import jax
import numpy as np
from jax import lax
from jax import numpy as jnp

from autovec.emit import operations
from autovec.ir.affine import Affine
from autovec.ir.nodes import Apply, Call, Cast, Const, Expr, Ref, Select
from autovec.ir.types import ArrayType, Type, numpy_scalar

DTYPES = [np.dtype(c) for c in ("?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16")]
SCOPE = {"jnp": jnp, "lax": lax, "jax": jax}


def size(form: Affine) -> ast.expr:
    return ast.parse(str(form), mode="eval").body


def emit(e: Expr, batched: frozenset[str] = frozenset(), batch_rank: int = 0) -> ast.expr:
    """The AST of an expression; the arrays named in `batched` have leading axes."""
    match e:
        case Const(value, kind):
            return operations.constant(value, kind)
        case Ref(name, _):
            return ast.Name(name, ast.Load())
        case Apply(op, args, kind):
            return operations.apply(op, [emit(a, batched, batch_rank) for a in args], kind, [a.type for a in args])
        case Cast(arg, kind):
            return operations.cast(emit(arg, batched, batch_rank), arg.type, kind)
        case Select(condition, yes, no, kind):
            return operations.select(*(emit(x, batched, batch_rank) for x in (condition, yes, no)), kind)
        case Call(function, args, statics, kind):
            made = operations.call(
                function,
                [emit(a, batched, batch_rank) for a in args],
                [a.type for a in args],
                dict(statics),
                kind,
                [bool(names(a) & batched) for a in args],
                batch_rank,
                size=size,
            )
            assert made is not None, f"{function} isn't emitted"
            return made
    raise AssertionError(e)


def names(e: Expr) -> frozenset[str]:
    match e:
        case Ref(name, _):
            return frozenset({name})
        case Apply(_, args) | Call(_, args):
            return frozenset(itertools.chain.from_iterable(map(names, args)))
        case Cast(arg, _):
            return names(arg)
        case Select(c, y, n):
            return names(c) | names(y) | names(n)
    return frozenset()


def source(e: Expr, *batch: object) -> str:
    return ast.unparse(emit(e, *batch))  # type: ignore[arg-type]


def run(text: str, values: Mapping[str, object]) -> np.ndarray:
    """The emitted text evaluated with x64 on, strict about dtypes."""
    with jax.enable_x64(True), jax.numpy_dtype_promotion("strict"):
        tree = ast.parse(text, mode="eval").body
        assert ast.dump(tree) == ast.dump(ast.parse(ast.unparse(tree), mode="eval").body)
        given = {
            k: jnp.asarray(v) if isinstance(v, np.ndarray | np.generic | float | complex) else v
            for k, v in values.items()
        }
        return np.asarray(eval(text, {**SCOPE, **given}))


def array(name: str, dtype: object, *sizes: str | int) -> Ref:
    forms = tuple(Affine.number(s) if isinstance(s, int) else Affine.name(s) for s in sizes)
    return Ref(name, ArrayType(np.dtype(dtype), forms))  # type: ignore[call-overload]


def number(name: str, dtype: object) -> Ref:
    return Ref(name, numpy_scalar(np.dtype(dtype)))  # type: ignore[call-overload]


def shape_of(t: Type, sizes: Mapping[str, int]) -> tuple[int, ...]:
    return tuple(s.evaluate(sizes) for s in t.shape)


def quietly(function: object, *args: object, **keywords: object) -> object:
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        return function(*args, **keywords)  # type: ignore[operator]


def close(got: np.ndarray, expected: object, dtype: np.dtype, ulps: int = 4) -> bool:
    """Ints equal; floats within a few ulp, zeros of either sign alike, NaN where NaN is."""
    want = np.asarray(expected)
    if got.dtype != want.dtype or got.shape != want.shape:
        return False
    if dtype.kind not in "fc":
        return bool(np.array_equal(got, want))
    with np.errstate(all="ignore"):
        tolerance = ulps * float(np.finfo(dtype).eps)
        return bool(np.allclose(got, want, rtol=tolerance, atol=0, equal_nan=True))


def grid(values: Sequence[object], dtype: np.dtype) -> tuple[np.ndarray, np.ndarray]:
    """All pairs of the values, as two arrays."""
    v = np.array(values, dtype)
    a, b = np.meshgrid(v, v, indexing="ij")
    return a.ravel(), b.ravel()
