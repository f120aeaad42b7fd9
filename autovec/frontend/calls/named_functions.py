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
from autovec.frontend.calls.faults import anywhere
from autovec.frontend.calls.lowered import (
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
from autovec.frontend.calls.resolution import operate
from autovec.frontend.calls.shapes import roll
from autovec.ir.nodes import Call, Expr
from autovec.ir.types import BOOL

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
        q = cast(operands["q"], np.float64)
        outside = either((test("less", q, const(0.0)), test("greater", q, const(top))))
        return ((anywhere(outside), f"a share outside 0 to {top}"), *infinite(operands[name]))

    return look


def enough(longer: str, shorter: str) -> Callable[[Operands, Statics], Faults]:
    return lambda operands, _: at_least(operands[longer].type.shape[-1] - operands[shorter].type.shape[-1], 0)


def of_vectors(operands: Operands, statics: Statics) -> Faults:
    """No fault: what isn't a vector is refused."""
    if any(len(one.type.shape) != 1 for one in operands.values()):
        raise unsupported("what isn't a vector, convolved")
    return ()


SHARED: tuple[Asked, ...] = (
    # element by element
    Asked(np.sinc, "x", "x", cast="x", elementwise=True),
    Asked(np.i0, "x", "x", cast="x", elementwise=True),
    Asked(np.fix, "x", "x", name="jnp.trunc", cast="x", elementwise=True),
    Asked(np.isposinf, "x", "x", elementwise=True),
    Asked(np.isneginf, "x", "x", elementwise=True),
    Asked(np.isreal, "x", "x", elementwise=True),
    Asked(np.iscomplex, "x", "x", elementwise=True),
    Asked(np.modf, "x", "x", elementwise=True),
    Asked(np.frexp, "x", "x", elementwise=True),
    Asked(np.ldexp, "x1 x2", "x1 x2", cast="x1", elementwise=True),
    Asked(np.bitwise_count, "x", "x", elementwise=True),
    Asked(np.angle, "z deg", "z", elementwise=True),
    # along an axis
    Asked(np.percentile, "a q axis", "a q", cast="a q", zeros="q", faults=quantile_faults(100.0)),
    Asked(np.quantile, "a q axis", "a q", cast="a q", zeros="q", faults=quantile_faults(1.0)),
    Asked(np.nanpercentile, "a q axis", "a q", cast="a q", zeros="q", faults=quantile_faults(100.0)),
    Asked(np.nanquantile, "a q axis", "a q", cast="a q", zeros="q", faults=quantile_faults(1.0)),
    Asked(np.nanmedian, "a axis", "a", cast="a", faults=without_infinities("a")),
    Asked(np.nanargmax, "a axis", "a", faults=all_missing),
    Asked(np.nanargmin, "a axis", "a", faults=all_missing),
    Asked(np.nancumsum, "a axis", "a", cast="a"),
    Asked(np.nancumprod, "a axis", "a", cast="a"),
    Asked(np.cumulative_sum, "x axis", "x", cast="x"),
    Asked(np.trapezoid, "y x dx axis", "y x", cast="y x"),
    Asked(np.gradient, "f varargs", "f", cast="f", unnamed="varargs"),
    Asked(np.ediff1d, "ary to_end to_begin", "ary", cast="ary"),
    Asked(np.unwrap, "p discont axis", "p", cast="p"),
    # two sequences
    Asked(np.interp, "x xp fp left right", "x xp fp", cast="x xp fp", faults=is_sorted("xp", "xp", "fp")),
    Asked(np.digitize, "x bins right", "x bins", faults=is_sorted("bins")),
    Asked(np.isin, "element test_elements assume_unique invert", "element test_elements"),
    Asked(np.cov, "m y rowvar bias ddof", "m y", cast="m y", faults=without_infinities("m", "y")),
    Asked(np.corrcoef, "x y rowvar", "x y", cast="x y", faults=without_infinities("x", "y")),
    Asked(np.vecdot, "x1 x2", "x1 x2", cast="x1 x2"),
    # polynomials
    Asked(np.polyval, "p x", "p x", cast="p x"),
    Asked(np.polyfit, "x y deg", "x y", cast="x y", faults=of_finite("x", "y")),
    Asked(np.polyder, "p m", "p", cast="p"),
    Asked(np.polymul, "a1 a2", "a1 a2", cast="a1 a2"),
    Asked(np.vander, "x N increasing", "x", cast="x"),
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
    Asked(np.insert, "arr obj values axis", "arr values", cast="arr values"),
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
    spec = Asked(function, "a v mode", "a v", cast="a v", faults=of_vectors)

    def slide(a: object, v: object, mode: object = None) -> Lowered:
        chosen = mode if mode is not None else usual
        if static(chosen) == "full":
            return ask(spec, a, v, "full")
        known = replace(spec, longer="a", faults=lambda o, s: (*of_vectors(o, s), *enough("a", "v")(o, s)))
        return ask(known, a, v, chosen)

    return slide


RULES: dict[object, Callable[..., Lowered]] = {
    **{spec.function: partial(ask, spec) for spec in SHARED},
    np.nan_to_num: nan_to_num,
    np.average: average,
    np.diff: diff,
    np.roll: rolled,
    np.convolve: sliding(np.convolve, "full"),
    np.correlate: sliding(np.correlate, "valid"),
}
