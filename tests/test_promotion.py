"""Types of operations on every pair of dtypes and Python numbers: as NumPy and Python have them."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
import pytest

from autovec.analysis.promotion import kind_of, operator_kind
from autovec.diagnostics import Blocked
from autovec.frontend.calls import binary, compare, unary
from autovec.ir.nodes import Apply, Cast, Const, Expr, Ref, Select
from autovec.ir.types import BOOL, COMPLEX, FLOAT, INT, PY_INT, ArrayType, numpy_kind, scalar
from tests.emitted import DTYPES, array, number, quietly

OPERATORS: dict[str, Any] = {
    "Add": operator.add,
    "Sub": operator.sub,
    "Mult": operator.mul,
    "Div": operator.truediv,
    "FloorDiv": operator.floordiv,
    "Mod": operator.mod,
    "Pow": operator.pow,
    "BitAnd": operator.and_,
    "BitOr": operator.or_,
    "BitXor": operator.xor,
    "LShift": operator.lshift,
    "RShift": operator.rshift,
}
COMPARISONS: dict[str, Any] = {
    "Lt": operator.lt,
    "LtE": operator.le,
    "Gt": operator.gt,
    "GtE": operator.ge,
    "Eq": operator.eq,
    "NotEq": operator.ne,
}
PYTHON = {"bool": (BOOL, True), "int": (INT, 3), "float": (FLOAT, 2.5), "complex": (COMPLEX, 2 + 1j)}


def by_numpy(e: Expr, values: dict[str, Any]) -> Any:
    """The IR evaluated by NumPy: an Apply is the ufunc of its name."""
    match e:
        case Ref(name, kind):
            return np.asarray(values[name], kind.dtype)
        case Const(value, kind):
            return np.asarray(value, kind.dtype)
        case Cast(arg, kind):
            return by_numpy(arg, values).astype(kind.dtype)
        case Select(c, y, n, _):
            return np.where(by_numpy(c, values), by_numpy(y, values), by_numpy(n, values))
        case Apply(op, args, _):
            return getattr(np, op)(*(by_numpy(a, values) for a in args))
    raise AssertionError(e)


def lowered(op: str, a: Expr, b: Expr) -> Any:
    try:
        return (compare if op in COMPARISONS else binary)(op, a, b)
    except Blocked:
        return None


def attempt(function: Any, *args: Any) -> Any:
    try:
        return quietly(function, *args)
    except (TypeError, OverflowError, ValueError, ZeroDivisionError):
        return None


def same(got: Any, want: Any) -> bool:
    return got.dtype == want.dtype and np.allclose(got, want, rtol=1e-3, equal_nan=True)


@pytest.mark.parametrize("op", [*OPERATORS, *COMPARISONS])
@pytest.mark.parametrize("left", DTYPES, ids=str)
def test_arrays(op: str, left: np.dtype) -> None:
    function = (OPERATORS | COMPARISONS)[op]
    for right in DTYPES:
        a, b = np.array([0, 1, 2, 3, 5]).astype(left), np.array([1, 3, 2, 1, 0]).astype(right)
        want = attempt(function, a, b)
        got = lowered(op, array("a", left, 5), array("b", right, 5))
        assert (got is None) == (want is None), (left, right)
        if got is not None:
            assert isinstance(got.expr.type, ArrayType)
            assert got.expr.type.dtype == want.dtype
            assert same(quietly(by_numpy, got.expr, {"a": a, "b": b}), want), (left, right)


@pytest.mark.parametrize("op", [*OPERATORS, *COMPARISONS])
def test_arrays_and_python_numbers(op: str) -> None:
    function = (OPERATORS | COMPARISONS)[op]
    for dtype in DTYPES:
        a = np.array([1, 2, 3]).astype(dtype)
        for kind, value in PYTHON.values():
            for swapped in (False, True):
                values = (value, a) if swapped else (a, value)
                if op == "Pow" and np.dtype(dtype).kind == "b" and kind == INT and not swapped:
                    continue  # the dtype depends on whether the exponent is 2
                exprs = (Ref("v", kind), array("a", dtype, 3)) if swapped else (array("a", dtype, 3), Ref("v", kind))
                want, got = attempt(function, *values), lowered(op, *exprs)
                assert (got is None) == (want is None), (dtype, value)
                if got is not None:
                    assert same(quietly(by_numpy, got.expr, {"a": a, "v": value}), want), (dtype, value, swapped)


@pytest.mark.parametrize("op", [*OPERATORS, *COMPARISONS])
def test_scalars(op: str) -> None:
    function = (OPERATORS | COMPARISONS)[op]
    operands = [(number("?", d), d.type(1)) for d in DTYPES] + [(Ref("?", t), v) for t, v in PYTHON.values()]
    for left, x in operands:
        for right, y in operands:
            a, b = Ref("a", left.type), Ref("b", right.type)
            want, got = attempt(function, x, y), lowered(op, a, b)
            assert (got is None) == (want is None), (x, y)
            if got is not None:
                assert got.expr.type == scalar(kind_of(want)), (x, y)  # type: ignore[arg-type]
                computed = quietly(by_numpy, got.expr, {"a": x, "b": y})
                assert np.allclose(computed, want, rtol=1e-3), (x, y)
                assert computed.dtype == got.expr.type.dtype


def test_which_class_answers_is_asked_not_known() -> None:
    assert operator_kind("Mult", PY_INT, numpy_kind(np.dtype("f4"))) == numpy_kind(np.dtype("f4"))
    assert operator_kind("Sub", *[numpy_kind(np.dtype(bool))] * 2) is None


def test_a_set_of_kinds_gives_the_union() -> None:
    either = Ref("s", scalar(PY_INT, numpy_kind(np.dtype("f8"))))
    got = binary("Add", either, number("x", "f8"))
    assert got.expr.type == scalar(numpy_kind(np.dtype("f8")))
    assert not got.faults
    both = binary("Add", either, Ref("i", INT))
    assert both.expr.type == scalar(PY_INT, numpy_kind(np.dtype("f8")))
    assert both.faults  # an int beyond 2**53 isn't held by a float
    divided = binary("Div", number("x", "f8"), either)
    assert not divided.faults  # NumPy's division


def test_what_numpy_refuses_is_blocked() -> None:
    with pytest.raises(Blocked):
        unary("USub", number("b", bool))
    with pytest.raises(Blocked):
        binary("Sub", array("a", bool, "n"), array("b", bool, "n"))
