"""The conditions under which Python or NumPy would raise: an operation and its operands in, (condition, reason) out.

Only what the operands' kinds allow is asked: NumPy's ints divided by zero give 0, Python's raise.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from autovec.analysis.promotion import kinds_of
from autovec.frontend.calls.lowered import EXACT_FLOAT, Faults, cast, const, raises, test
from autovec.ir.nodes import Apply, Call, Const, Expr
from autovec.ir.types import BOOL, FLOAT, PY_INT


def limits(dtype: np.dtype) -> tuple[int, int]:
    """The least and the greatest number of an integer dtype."""
    info = np.iinfo(dtype)
    return int(info.min), int(info.max)


def outside(value: Expr, low: int, high: int, reason: str) -> Faults:
    """Faults where the value isn't in `low..high`; bounds that its dtype keeps anyway aren't asked."""
    dtype = value.type.dtype
    if isinstance(value, Const) and isinstance(value.value, int):
        if low <= value.value <= high:
            return ()
        raise raises(f"{value.value}, {reason}")
    conditions: list[Expr] = []
    if dtype.kind not in "iu" or low > limits(dtype)[0]:
        conditions.append(test("less", value, cast(const(low), dtype)))
    if dtype.kind not in "iu" or high < limits(dtype)[1]:
        conditions.append(test("greater", value, cast(const(high), dtype)))
    return tuple((c, reason) for c in conditions)


def anywhere(condition: Expr) -> Expr:
    """Whether a condition holds for any element."""
    shape = condition.type.shape
    if not shape:
        return condition
    return Call("any", (condition,), (("axis", tuple(range(len(shape)))), ("keepdims", False)), BOOL)


def weak_int_faults(value: Expr, dtype: np.dtype) -> Faults:
    """A Python int that meets a NumPy int has to fit its dtype."""
    if dtype.kind not in "iu" or PY_INT not in kinds_of(value.type):
        return ()
    return outside(value, *limits(dtype), f"a Python int that doesn't fit {dtype}")


def not_finite(value: Expr) -> Expr:
    return test("logical_not", test("isfinite", value))


def became_infinite(result: Expr, *args: Expr) -> Expr:
    """Finite operands, and a result that isn't: where Python raises OverflowError."""
    condition = not_finite(result)
    for a in args:
        if not isinstance(a, Const):
            condition = test("logical_and", condition, test("isfinite", a))
    return condition


def operator_faults(op: str, operands: Sequence[Expr], args: Sequence[Expr], result: Expr, python: bool) -> Faults:
    """What `op` raises; `operands` as the person wrote them, `args` in the dtype of the operation.

    `python` says that the result may be a Python number, so that Python's own arithmetic may be meant.
    """
    if not python:
        return ()
    if op in ("Div", "FloorDiv", "Mod"):
        return division_faults(op, operands, args)
    if op in ("LShift", "RShift"):
        return shift_faults(op, args)
    if op == "abs" and args[0].type.dtype.kind == "c":
        return ((became_infinite(result, args[0]), "absolute value too large"),)
    return ()


def shift_faults(op: str, args: Sequence[Expr]) -> Faults:
    """Negative counts; a Python int shifted out of int64, estimated by floats."""
    value, count = args
    faults: Faults = ()
    if not is_constant_from(count, 0):
        faults += ((test("less", count, const(0)), "a negative shift count"),)
    if op == "LShift" and value.type.dtype.kind == "i":
        scale = Apply("exp2", (cast(count, np.float64, to_python=True),), FLOAT)
        estimate = Apply("multiply", (cast(value, np.float64, to_python=True), scale), FLOAT)
        beyond = test("greater_equal", Apply("absolute", (estimate,), FLOAT), const(2.0**62))
        faults += ((beyond, "a Python int beyond int64"),)
    return faults


def division_faults(op: str, operands: Sequence[Expr], args: Sequence[Expr]) -> Faults:
    """Zero divisors; ints that a float64 doesn't hold, since Python rounds their exact quotient."""
    divisor = operands[1]
    faults: Faults = ()
    if not isinstance(divisor, Const):
        faults += ((test("equal", divisor, cast(const(0), divisor.type.dtype)), "division by zero"),)
    elif not divisor.value:
        raise raises("division by zero")
    if op == "Div" and all(PY_INT in kinds_of(a.type) for a in operands):
        for a in dict.fromkeys(operands):
            if a.type.dtype.kind == "i":
                faults += outside(a, -EXACT_FLOAT, EXACT_FLOAT, "a Python int too large for a float")
    return faults


def is_constant_from(value: Expr, low: int) -> bool:
    """A constant known to be at least `low`."""
    return isinstance(value, Const) and not isinstance(value.value, complex) and value.value >= low
