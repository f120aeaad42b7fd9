"""An operation over every combination of the kinds its operands may have, as one `Apply` with the faults of any.

{int, np.int8} + np.int8    -->    add(cast int8, int8): {np.int8}    fault: the int doesn't fit int8
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np

from autovec.analysis.promotion import Resolution, kinds_of, operator_kind, ufunc_resolution
from autovec.diagnostics import Blocked, Code
from autovec.frontend.calls.faults import limits, operator_faults, outside, weak_int_faults
from autovec.frontend.calls.lowered import (
    EXACT_FLOAT,
    Faults,
    Lowered,
    broadcast,
    cast,
    const,
    describe,
    expression,
    raises,
    test,
)
from autovec.ir.intrinsics import COMPARISONS
from autovec.ir.nodes import Apply, Cast, Expr
from autovec.ir.types import PY_INT, ArrayType, Kind, Origin, Type, numpy_kind, numpy_scalar, scalar

OF_BITS = frozenset({"bitwise_and", "bitwise_or", "bitwise_xor", "left_shift", "right_shift"})

UFUNC_OF: dict[str, str] = {
    "Add": "add",
    "Sub": "subtract",
    "Mult": "multiply",
    "Div": "divide",
    "FloorDiv": "floor_divide",
    "Mod": "remainder",
    "Pow": "power",
    "BitAnd": "bitwise_and",
    "BitOr": "bitwise_or",
    "BitXor": "bitwise_xor",
    "LShift": "left_shift",
    "RShift": "right_shift",
    "Eq": "equal",
    "NotEq": "not_equal",
    "Lt": "less",
    "LtE": "less_equal",
    "Gt": "greater",
    "GtE": "greater_equal",
    "USub": "negative",
    "UAdd": "positive",
    "Invert": "invert",
    "abs": "absolute",
}


def ufunc(name: str, args: Sequence[object]) -> Lowered:
    """`np.<name>(*args)`: NumPy's meaning even on Python numbers, which count as default dtypes when all are."""
    operands = [expression(a) for a in args]
    if name == "reciprocal" and operands[0].type.dtype.kind in "iub":
        return integer_reciprocal(operands[0])
    combinations = []
    for kinds in product(*(kinds_of(a.type) for a in operands)):
        resolution = ufunc_resolution(name, *kinds)
        if resolution is None:
            raise raises(f"np.{name} of {', '.join(map(describe, operands))}")
        combinations.append((exact_comparison(name, kinds, resolution), numpy_kind(resolution.result)))
    return assemble(name, operands, combinations)


def integer_reciprocal(a: Expr) -> Lowered:
    """NumPy divides in float64 and converts back, an infinity too."""
    resolutions = {ufunc_resolution("reciprocal", k) for k in kinds_of(a.type)}
    resolution = resolutions.pop()
    if resolutions or resolution is None:
        raise Blocked(Code.UNSTABLE_TYPE, None, "np.reciprocal of a value whose dtype depends on the data")
    quotient = ufunc("divide", (const(1.0), cast(cast(a, resolution.result), np.float64)))
    result = ArrayType(resolution.result, a.type.shape) if a.type.shape else numpy_scalar(resolution.result)
    return Lowered(Cast(quotient.expr, result), quotient.faults)


def operate(op: str, operands: Sequence[Expr], name: str = "") -> Lowered:
    """An operator over every combination of the kinds its operands may have, as one operation."""
    name = name or UFUNC_OF[op]
    with_array = any(isinstance(a.type, ArrayType) for a in operands)
    combinations: list[tuple[Resolution, Kind]] = []
    for kinds in product(*(kinds_of(a.type) for a in operands)):
        result = None if with_array else operator_kind(op, *kinds)
        if result is not None and result.origin is Origin.PYTHON:
            combinations.append((python_resolution(op, kinds, result), result))
            continue
        resolution = ufunc_resolution(name, *kinds)
        if resolution is None or (result is None and not with_array):
            raise raises(f"{op} of {', '.join(map(describe, operands))}")
        combinations.append((exact_comparison(name, kinds, resolution), result or numpy_kind(resolution.result)))
    return assemble(name, operands, combinations, op)


def python_resolution(op: str, kinds: Sequence[Kind], result: Kind) -> Resolution:
    """The dtype that computes a Python operation: bools count as ints but under `& | ^` and comparisons."""
    common = np.result_type(*(k.dtype for k in kinds))
    if result.dtype.kind != "b" or (len(kinds) == 1 and common.kind == "b"):
        common = np.result_type(common, result.dtype) if op != "abs" else np.result_type(common, np.int64)
    return Resolution((common,) * len(kinds), result.dtype)


def exact_comparison(name: str, kinds: Sequence[Kind], resolution: Resolution) -> Resolution:
    """NumPy compares its ints with Python's exactly, whatever their dtype: `u1 < 300` holds for all."""
    if name not in COMPARISONS or PY_INT not in kinds or any(k.dtype.kind not in "iu" for k in kinds):
        return resolution
    operands = tuple(k.dtype if k.dtype == np.dtype(np.uint64) else np.dtype(np.int64) for k in kinds)
    return Resolution(operands, resolution.result)


def weak_dtypes(operands: Sequence[Expr], resolutions: Sequence[Resolution]) -> list[list[np.dtype]]:
    """For each operand the dtypes that a Python int in its place takes, whatever kinds the others are of."""
    found: list[list[np.dtype]] = [[] for _ in operands]
    for kinds, resolution in zip(product(*(kinds_of(a.type) for a in operands)), resolutions, strict=True):
        for dtypes, kind, dtype in zip(found, kinds, resolution.operands, strict=True):
            if kind == PY_INT and dtype not in dtypes:
                dtypes.append(dtype)
    return found


def assemble(
    name: str, operands: Sequence[Expr], combinations: Sequence[tuple[Resolution, Kind]], op: str = ""
) -> Lowered:
    """One Apply for all combinations, with the faults of any of them."""
    shape = broadcast(a.type.shape for a in operands)
    resolutions = {r for r, _ in combinations}
    kinds = frozenset(k for _, k in combinations)
    chosen = next(iter(resolutions)) if len(resolutions) == 1 else common_resolution(name, resolutions)
    faults: Faults = ()
    if name not in COMPARISONS:
        for a, dtypes in zip(operands, weak_dtypes(operands, [r for r, _ in combinations]), strict=True):
            faults += tuple(f for dtype in dtypes for f in weak_int_faults(a, dtype))
    args = [cast(a, d) for a, d in zip(operands, chosen.operands, strict=True)]
    result: Type
    if shape:
        if len({k.dtype for k in kinds}) > 1:
            raise Blocked(Code.UNSTABLE_TYPE, None, "an array whose dtype depends on the data")
        result = ArrayType(next(iter(kinds)).dtype, shape)
    else:
        result = scalar(*kinds)
        if result.dtype != chosen.result:
            raise Blocked(Code.UNSTABLE_TYPE, None, f"{name} of a value whose dtype depends on the data")
    value = Apply(name, tuple(args), result)
    if op:
        faults += operator_faults(op, operands, args, value, any(k.origin is Origin.PYTHON for k in kinds))
    return Lowered(value, faults + mixture_faults(name, value, resolutions, chosen))


def common_resolution(name: str, resolutions: set[Resolution]) -> Resolution:
    """Several loops may be meant: the widest, if its results are the others' (checked by `mixture_faults`)."""
    operands = tuple(np.result_type(*group) for group in zip(*(r.operands for r in resolutions), strict=True))
    if name in OF_BITS and any(d.kind == "f" for d in operands):  # what holds int64 and uint64 alike
        raise Blocked(Code.UNSTABLE_TYPE, None, f"{name} of a value that is signed or unsigned, by the data")
    dtypes = {d for r in resolutions for d in r.operands}
    rounding = {d for d in dtypes if d.kind in "fc"}
    if len(rounding) > 1 or (any(d.kind == "b" for d in dtypes) and name not in COMPARISONS):
        raise Blocked(Code.UNSTABLE_TYPE, None, f"{name} of a value whose precision depends on the data")
    return Resolution(operands, np.result_type(*(r.result for r in resolutions)))


def mixture_faults(name: str, value: Apply, resolutions: set[Resolution], chosen: Resolution) -> Faults:
    """Where a narrow int and a wide one are possible, only results that both would give are kept."""
    if len(resolutions) == 1 or chosen.result.kind not in "iufc" or name in COMPARISONS:
        return ()
    faults: Faults = ()
    for other in resolutions:
        if other.operands == chosen.operands or other.result.kind not in "iu":
            continue
        low, high = limits(other.result)
        if chosen.result.kind in "fc":
            low, high = max(low, -EXACT_FLOAT), min(high, EXACT_FLOAT)
        if name in ("floor_divide", "remainder"):
            faults += ((test("equal", value.args[1], cast(const(0), chosen.operands[1])), "division by zero"),)
        faults += outside(value, low, high, "a number whose width depends on the data")
    return faults
