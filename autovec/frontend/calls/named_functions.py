"""The functions that NumPy and JAX share by name, and where one of them can't stand for the other.

np.interp(x, xp, fp)    -->    jnp.interp(x, xp, fp)    fault: xp isn't sorted
np.take(a, k)           -->    jnp.take(a, k)           fault: an index out of range
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

import numpy as np

from autovec.frontend.calls.asked import Asked, ask
from autovec.frontend.calls.axes import as_axis, product
from autovec.frontend.calls.faults import anywhere, outside
from autovec.frontend.calls.lowered import (
    EXACT_FLOAT,
    Faults,
    Lowered,
    cast,
    const,
    either,
    expression,
    size_expr,
    static,
    test,
    typed,
    unsupported,
)
from autovec.frontend.calls.reductions import at_least, differences, reduction
from autovec.frontend.calls.resolution import operate, ufunc
from autovec.frontend.calls.shapes import array, roll
from autovec.ir.nodes import Call, Expr
from autovec.ir.types import BOOL, numpy_scalar

BEYOND = "ints beyond those that a float holds"
Operands = Mapping[str, Expr]
Statics = Mapping[str, object]


def infinite(a: Expr) -> Faults:
    """Void where an element is infinite: interpolation and differences treat that each in its way."""
    return ((anywhere(test("isinf", a)), "an infinite element"),) if a.type.dtype.kind in "fc" else ()


def not_finite(a: Expr) -> Faults:
    if a.type.dtype.kind not in "fc":
        return ()
    return ((anywhere(test("logical_not", test("isfinite", a))), "an element that isn't finite"),)


def of_finite(*names: str) -> Callable[[Operands, Statics], Faults]:
    """For functions that NumPy computes otherwise at infinities and NaN, or not at all."""
    return lambda operands, _: sum((not_finite(operands[n]) for n in names if n in operands), ())


def without_infinities(*names: str) -> Callable[[Operands, Statics], Faults]:
    return lambda operands, _: sum((infinite(operands[n]) for n in names if n in operands), ())


def is_sorted(name: str, *finite: str) -> Callable[[Operands, Statics], Faults]:
    """Void where a table isn't sorted."""

    def look(operands: Operands, statics: Statics) -> Faults:
        if any(v.type.dtype.kind == "c" for v in operands.values()):
            raise unsupported("a table of complex numbers")
        unsorted = Call("is_unsorted", (operands[name],), (), BOOL)
        return ((unsorted, "a table that isn't sorted"), *of_finite(*finite)(operands, statics))

    return look


def in_range(indexed: str) -> Callable[[Operands, Statics], Faults]:
    """Void where an index is outside the axis: JAX fills in what isn't there."""

    def look(operands: Operands, statics: Statics) -> Faults:
        indices, shape = operands["indices"], operands[indexed].type.shape
        if indices.type.dtype.kind not in "iu":
            raise unsupported("indices that aren't ints")
        axis = statics.get("axis")
        if axis is not None:
            shape = (shape[as_axis(axis, len(shape))],)
        count: Expr = size_expr(product(list(shape)))
        wide = cast(indices, np.int64)
        low = test("less", wide, operate("USub", (count,)).expr)
        high = test("greater_equal", wide, count)
        return ((anywhere(either((low, high))), "an index out of range"),)

    return look


def all_missing(operands: Operands, statics: Statics) -> Faults:
    """Void where a row holds nothing but NaN."""
    a = operands["a"]
    if a.type.dtype.kind not in "fc":
        return ()
    axes = tuple(range(len(a.type.shape)))
    if statics.get("axis") is not None:
        axes = (as_axis(statics["axis"], len(axes)),)
    return ((anywhere(all_along(test("isnan", a), axes)), "nothing but NaN"),)


def all_along(condition: Expr, axes: tuple[int, ...]) -> Expr:
    rest = tuple(s for k, s in enumerate(condition.type.shape) if k not in axes)
    result = typed(np.dtype(bool), rest) if rest else BOOL
    return Call("all", (condition,), (("axis", axes), ("keepdims", False)), result)


def quantile_faults(top: float, name: str = "a") -> Callable[[Operands, Statics], Faults]:
    """Void for a share outside 0..top, where NumPy raises, and for infinities."""

    def look(operands: Operands, statics: Statics) -> Faults:
        if len(operands["q"].type.shape) > 1 or operands["q"].type.dtype.itemsize < 8:
            raise unsupported("shares in a matrix, or of a narrow dtype")
        if operands[name].type.dtype.kind == "i" and operands[name].type.dtype.itemsize < 8:
            raise unsupported("shares of narrow ints", "cast them to int64")  # NumPy's differences wrap
        q = cast(operands["q"], np.float64)
        outside = either((test("less", q, const(0.0)), test("greater", q, const(top))))
        return ((anywhere(outside), f"a share outside 0 to {top}"), *infinite(operands[name]))

    return look


def ordered_numbers(operands: Operands, statics: Statics) -> Faults:
    if operands["a"].type.dtype.kind == "c":
        raise unsupported("the median of complex numbers")
    return infinite(operands["a"])


def held_by_floats(bound: int, *names: str) -> Callable[[Operands, Statics], Faults]:
    """For functions that NumPy computes in ints, and JAX in floats: void where a number is beyond the bound."""

    def look(operands: Operands, statics: Statics) -> Faults:
        ints = [operands[n] for n in names if n in operands and operands[n].type.dtype.kind in "iu"]
        return tuple((anywhere(c), reason) for a in ints for c, reason in outside(a, -bound, bound, BEYOND))

    return look


def subtracted(*names: str) -> Callable[[Operands, Statics], Faults]:
    """For functions that NumPy begins with sums and differences in the dtype given: ints that a float holds."""

    def look(operands: Operands, statics: Statics) -> Faults:
        for dtype in (operands[n].type.dtype for n in names if n in operands):
            if dtype != np.int64 and (dtype.kind not in "fc" or dtype.itemsize == 2):
                raise unsupported(f"sums and differences of {dtype}")
        return held_by_floats(EXACT_FLOAT // 2, *names)(operands, statics)

    return look


def of_one_sign(operands: Operands, statics: Statics) -> Faults:
    """No fault: int64 and uint64 have no dtype in common that holds them."""
    dtypes = [v.type.dtype for v in operands.values()]
    if np.result_type(*dtypes).kind == "f" and all(d.kind in "iu" for d in dtypes):
        raise unsupported("signed and unsigned numbers compared")
    return ()


def into_its_dtype(operands: Operands, statics: Statics) -> Faults:
    """No fault: NumPy looks whether the values that are inserted fit."""
    if not np.can_cast(operands["values"].type.dtype, operands["arr"].type.dtype, "safe"):
        raise unsupported("np.insert of another dtype", "cast the values")
    return ()


def columns_of_ints(operands: Operands, statics: Statics) -> Faults:
    """No fault: JAX's powers of ints end at 63."""
    count = statics.get("N") or (
        operands["x"].type.shape[0].constant if operands["x"].type.shape[0].is_constant else 65
    )
    if operands["x"].type.dtype.kind in "iub" and not (isinstance(count, int) and count <= 64):
        raise unsupported("np.vander of ints, of many columns")
    return ()


def enough(longer: str, shorter: str) -> Callable[[Operands, Statics], Faults]:
    return lambda operands, _: at_least(operands[longer].type.shape[-1] - operands[shorter].type.shape[-1], 0)


SHARED: tuple[Asked, ...] = (
    # element by element
    Asked(np.sinc, "x", "x", cast="x", elementwise=True),
    Asked(np.i0, "x", "x", cast="x", elementwise=True),
    Asked(np.fix, "x", "x", name="jnp.trunc", cast="x", elementwise=True),
    Asked(np.isposinf, "x", "x", elementwise=True),
    Asked(np.isneginf, "x", "x", elementwise=True),
    Asked(np.isreal, "x", "x", elementwise=True),
    Asked(np.iscomplex, "x", "x", elementwise=True),
    Asked(np.modf, "x", "x", elementwise=True, faults=without_infinities("x")),
    Asked(np.frexp, "x", "x", elementwise=True),
    Asked(np.ldexp, "x1 x2", "x1 x2", cast="x1", elementwise=True),
    Asked(np.bitwise_count, "x", "x", elementwise=True),
    Asked(np.angle, "z deg", "z", elementwise=True),
    # along an axis
    Asked(np.percentile, "a q axis", "a q", cast="a q", zeros="q", faults=quantile_faults(100.0)),
    Asked(np.quantile, "a q axis", "a q", cast="a q", zeros="q", faults=quantile_faults(1.0)),
    Asked(np.nanpercentile, "a q axis", "a q", cast="a q", zeros="q", faults=quantile_faults(100.0)),
    Asked(np.nanquantile, "a q axis", "a q", cast="a q", zeros="q", faults=quantile_faults(1.0)),
    Asked(np.nanmedian, "a axis", "a", cast="a", faults=ordered_numbers),
    Asked(np.nanargmax, "a axis", "a", faults=all_missing),
    Asked(np.nanargmin, "a axis", "a", faults=all_missing),
    Asked(np.nancumsum, "a axis", "a", cast="a"),
    Asked(np.nancumprod, "a axis", "a", cast="a"),
    Asked(np.cumulative_sum, "x axis", "x", cast="x"),
    Asked(np.trapezoid, "y x dx axis", "y x", cast="y x", faults=subtracted("y", "x")),
    Asked(np.gradient, "f varargs", "f", cast="f", unnamed="varargs"),
    Asked(np.ediff1d, "ary to_end to_begin", "ary", cast="ary"),
    Asked(np.unwrap, "p discont axis", "p", cast="p", faults=subtracted("p")),
    # two sequences
    Asked(np.interp, "x xp fp left right", "x xp fp", cast="x xp fp", faults=is_sorted("xp", "xp", "fp")),
    Asked(np.digitize, "x bins right", "x bins", common="x bins", faults=is_sorted("bins")),
    Asked(
        np.isin,
        "element test_elements assume_unique invert",
        "element test_elements",
        common="element test_elements",
        faults=of_one_sign,
    ),
    Asked(np.cov, "m y rowvar bias ddof", "m y", cast="m y", faults=without_infinities("m", "y")),
    Asked(np.corrcoef, "x y rowvar", "x y", cast="x y", faults=without_infinities("x", "y")),
    Asked(np.vecdot, "x1 x2", "x1 x2", cast="x1 x2"),
    # polynomials
    Asked(np.polyval, "p x", "p x", cast="p x"),
    Asked(np.polyfit, "x y deg", "x y", cast="x y", faults=of_finite("x", "y")),
    Asked(np.polyder, "p m", "p", cast="p", faults=held_by_floats(2**32, "p")),
    Asked(np.vander, "x N increasing", "x", cast="x", faults=columns_of_ints),
    # arrangement
    Asked(np.take, "a indices axis", "a indices", zeros="indices", faults=in_range("a")),
    Asked(
        np.take_along_axis,
        "arr indices axis",
        "arr indices",
        zeros="indices",
        faults=in_range("arr"),
    ),
    Asked(np.pad, "array pad_width mode constant_values", "array"),
    Asked(np.rot90, "m k axes", "m"),
    Asked(np.append, "arr values axis", "arr values", cast="arr values"),
    Asked(np.insert, "arr obj values axis", "arr values", cast="arr values", faults=into_its_dtype),
    Asked(np.delete, "arr obj axis", "arr"),
    Asked(np.tri, "N M k", ""),
    Asked(np.hamming, "M", ""),
    Asked(np.hanning, "M", ""),
    Asked(np.blackman, "M", ""),
    Asked(np.bartlett, "M", ""),
    Asked(np.logspace, "start stop num endpoint base", ""),
    Asked(np.geomspace, "start stop num endpoint", ""),
    Asked(np.indices, "dimensions", ""),
)

REPLACED = Asked(np.nan_to_num, "x copy nan posinf neginf", "x", cast="x", elementwise=True)
WEIGHTED = Asked(np.average, "a axis weights", "a weights", cast="a weights")
EXTENDED = Asked(np.diff, "a n axis prepend append", "a prepend append", cast="a prepend append")
ROLLED = Asked(np.roll, "a shift axis", "a")


def nan_to_num(x: object, copy: object = True, **numbers: object) -> Lowered:
    """`np.nan_to_num`, unless it writes to its operand."""
    if not static(copy):
        raise unsupported("np.nan_to_num in place", "assign its result")
    return ask(REPLACED, x, **numbers)


def average(a: object, axis: object = None, weights: object = None) -> Lowered:
    """`np.average`: a mean, weighted or not."""
    return reduction("mean", a, axis) if weights is None else ask(WEIGHTED, a, axis, weights)


def diff(a: object, n: object = 1, axis: object = -1, **ends: object) -> Lowered:
    """`np.diff`, with what is put before and after."""
    return ask(EXTENDED, a, n=n, axis=axis, **ends) if ends else differences(a, n, axis)


def rolled(a: object, shift: object, axis: object = None) -> Lowered:
    """`np.roll`: along one axis by any amount; else by amounts known before the call."""
    known = static(axis)
    if isinstance(known, tuple) or (known is None and len(expression(a).type.shape) > 1):
        return ask(ROLLED, a, shift, axis)
    return roll(a, shift, axis)


def sliding(function: Callable[..., object], usual: str) -> Callable[..., Lowered]:
    """`np.convolve` and `np.correlate`: but for mode "full" the first is taken to be the longer."""
    spec = Asked(function, "a v mode", "a v", cast="a v")
    longer = replace(spec, longer="a", faults=enough("a", "v"))

    def slide(a: object, v: object, mode: object = None) -> Lowered:
        chosen = mode if mode is not None else usual
        known = spec if static(chosen) == "full" else longer
        return convolved(known, array(a).expr, array(v).expr, chosen)

    return slide


def convolved(spec: Asked, a: Expr, v: Expr, *more: object) -> Lowered:
    """A convolution of vectors. JAX's of ints goes through floats, which hold what is summed up to 2**53."""
    if any(len(e.type.shape) != 1 for e in (a, v)):
        raise unsupported("what isn't a vector, convolved")
    dtype = np.result_type(a.type.dtype, v.type.dtype)
    if dtype.kind == "b":
        raise unsupported("a convolution of bools")
    if dtype.kind not in "iu":
        return ask(spec, a, v, *more)
    floats = [cast(e, np.float64) for e in (a, v)]
    made = ask(spec, *floats, *more)
    largest = operate("Mult", [reduction("sum", ufunc("absolute", (e,)).value).expr for e in floats])
    large = (test("greater_equal", largest.expr, const(float(EXACT_FLOAT))), BEYOND)
    return Lowered(cast(cast(made.expr, np.int64), dtype), (*made.faults, large))


def polynomial_product(a1: object, a2: object) -> Lowered:
    """`np.polymul`: NumPy takes leading zeros away."""
    a, b = array(a1).expr, array(a2).expr
    made = convolved(Asked(np.polymul, "a1 a2", "a1 a2", cast="a1 a2"), a, b)
    first = [Call("element", (e,), (("index", (0,)),), numpy_scalar(e.type.dtype)) for e in (a, b)]
    zero = either([test("equal", e, cast(const(0), e.type.dtype)) for e in first])
    return Lowered(made.value, (*made.faults, (zero, "a polynomial that begins with zeros")))


RULES: dict[object, Callable[..., Lowered]] = {
    **{spec.function: partial(ask, spec) for spec in SHARED},
    np.nan_to_num: nan_to_num,
    np.average: average,
    np.diff: diff,
    np.roll: rolled,
    np.polymul: polynomial_product,
    np.convolve: sliding(np.convolve, "full"),
    np.correlate: sliding(np.correlate, "valid"),
}
