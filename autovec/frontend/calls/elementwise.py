"""Operators and ufuncs: Python's and NumPy's meaning of `a + b`, `a < b`, `not a`, `np.sqrt(a)` on typed operands.

x / n    (x: np.float64, n: Python int)    -->    divide(x, cast(n))                   no fault
i / n    (both Python ints)                -->    divide(cast(i), cast(n)), Python     fault: n == 0
"""

from __future__ import annotations

from autovec.analysis.promotion import PYTHON_OPERATORS
from autovec.diagnostics import Blocked, Code
from autovec.frontend.calls.lowered import Lowered, cast, const, expression, raises, retype, test, typed
from autovec.frontend.calls.powers import power
from autovec.frontend.calls.products import matmul
from autovec.frontend.calls.resolution import operate
from autovec.frontend.calls.shapes import only_element
from autovec.ir.nodes import Apply, Const, Expr, Select
from autovec.ir.types import BOOL, ArrayType


def binary(op: str, left: object, right: object) -> Lowered:
    """`left op right`; `op` is the class name of an `ast` operator."""
    if op == "MatMult":
        return matmul(left, right)
    a, b = expression(left), expression(right)
    folded = fold(op, a, b)
    if folded is not None:
        return folded
    if op == "Pow":
        return power(a, b)
    if op == "Mult":
        masked = masked_product(a, b)
        if masked is not None:
            return masked
    return operate(op, (a, b))


def unary(op: str, arg: object) -> Lowered:
    """`-x`, `+x`, `~x` and `not x`."""
    a = expression(arg)
    if op == "Not":
        return Lowered(negated(truth(a).expr))
    return fold(op, a) or operate(op, (a,))


def compare(op: str, left: object, right: object) -> Lowered:
    """One comparison of two values; chains are the caller's."""
    a, b = expression(left), expression(right)
    return fold(op, a, b) or operate(op, (a, b))


def negated(condition: Expr) -> Expr:
    if isinstance(condition, Const):
        return const(not condition.value)
    return Apply("logical_not", (condition,), BOOL)


def truth(arg: object) -> Lowered:
    """What an `if` makes of a value: a Python bool."""
    a = expression(arg)
    if isinstance(a, Const) and a.type.is_python:
        return Lowered(const(bool(a.value)))
    if isinstance(a.type, ArrayType):
        a = only_element(a, "the truth of an array of several elements")
    if a.type == BOOL:
        return Lowered(a)
    if a.type.dtype.kind == "b":
        return Lowered(retype(a, BOOL))
    return Lowered(test("not_equal", a, cast(const(0), a.type.dtype)))


def fold(op: str, *args: Expr) -> Lowered | None:
    """Python numbers known at compile time are computed here, by Python."""
    if not all(isinstance(a, Const) and a.type.is_python for a in args):
        return None
    try:
        value = PYTHON_OPERATORS[op](*(a.value for a in args if isinstance(a, Const)))
    except (ArithmeticError, ValueError, TypeError) as error:
        raise raises(str(error)) from None
    if isinstance(value, int) and not -(2**63) <= value < 2**64:
        raise Blocked(Code.UNBOUNDED_INT, None, f"the number {value}")
    return Lowered(const(value)) if isinstance(value, bool | int | float | complex) else None


def masked_product(a: Expr, b: Expr) -> Lowered | None:
    """`mask * x`: a choice, not a product, since XLA takes `False * nan` for zero (RUNTIME: multiplied masks)."""
    mask, x = (a, b) if a.type.dtype.kind == "b" else (b, a)
    if mask.type.dtype.kind != "b" or x.type.dtype.kind not in "fc" or isinstance(mask, Const):
        return None
    whole = operate("Mult", (a, b))
    if not isinstance(whole.value, Apply):
        return None
    dtype = whole.value.args[0].type.dtype
    wide = cast(x, dtype)
    nothing = Apply("multiply", (wide, cast(const(0), dtype)), typed(dtype, x.type.shape))
    return Lowered(Select(mask, wide, nothing, whole.value.type), whole.faults)
