"""Functions of NumPy, math and Python: types and values against the originals, plain and with one and two batch axes."""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autovec.diagnostics import Blocked, Code, Span
from autovec.emit.operations.arrays import RULES
from autovec.frontend import calls, operator_functions
from autovec.frontend.calls.lowered import EXPRESSIONS, PYTHON_KINDS, const
from autovec.ir.affine import Affine
from autovec.ir.intrinsics import ARRAY_FUNCTIONS
from autovec.ir.nodes import Const, Expr, Ref
from autovec.ir.types import BOOL, COMPLEX, FLOAT, INT, PY_INT, ArrayType, ScalarType, numpy_kind, scalar
from tests.emitted import array, close, emit, names, number, quietly, run, shape_of, source

SPAN = Span("here.py", 1)
SIZES = {"n": 4, "m": 3, "k": 5}
RANDOM = np.random.default_rng(3)


def values_of(e: Ref, lead: tuple[int, ...] = ()) -> np.ndarray:
    shape = lead + shape_of(e.type, SIZES)
    dtype = e.type.dtype
    x = RANDOM.normal(size=shape) * 3
    if dtype.kind == "c":
        return (x + 1j * RANDOM.normal(size=shape)).astype(dtype)
    return (x > 0) if dtype.kind == "b" else np.abs(x).astype(dtype) if dtype.kind == "u" else x.astype(dtype)


def operands(args: Any) -> list[Ref]:
    found: list[Ref] = []
    for a in args:
        if isinstance(a, Ref) and a.name not in SIZES:
            found.append(a)
        elif isinstance(a, tuple | list):
            found += operands(a)
    return list(dict.fromkeys(found))


def with_values(a: Any, values: dict[str, Any]) -> Any:
    if isinstance(a, Ref):
        return values[a.name]
    if isinstance(a, Const):
        return a.value
    return type(a)(with_values(x, values) for x in a) if isinstance(a, tuple | list) else a


def by_original(function: Callable[..., Any], args: Any, kwargs: Any, values: dict[str, Any]) -> Any:
    given = values | SIZES
    return quietly(function, *with_values(tuple(args), given), **{k: with_values(v, given) for k, v in kwargs.items()})


def agree(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], ulps: int = 400) -> None:
    """The lowered call against the original: type, and value plain and under every batch of its operands."""
    made = calls.call(function, [lift(a) for a in args], {k: lift(v) for k, v in kwargs.items()}, SPAN)
    assert made is not None, function
    value = made.expr
    refs = operands((*args, *kwargs.values()))
    values = {r.name: values_of(r) for r in refs}
    want = by_original(function, args, kwargs, values)
    assert value.type.dtype == np.asarray(want).dtype
    assert shape_of(value.type, SIZES) == np.shape(want)
    assert isinstance(value.type, ArrayType) == isinstance(want, np.ndarray)
    check(source(value), values, want, ulps)
    for lead in ((2,), (2, 3)):
        for batched in (refs, refs[:1], refs[1:]):
            which = frozenset(r.name for r in batched) & names(value)
            if not which:
                continue
            values = {r.name: values_of(r, lead if r.name in which else ()) for r in refs}
            text = ast.unparse(emit(value, which, len(lead)))
            want = np.array(
                [
                    by_original(function, args, kwargs, {k: v[at] if k in which else v for k, v in values.items()})
                    for at in np.ndindex(lead)
                ]
            )
            check(text, values, want.reshape(lead + want.shape[1:]), ulps)


def lift(a: Any) -> Any:
    """Numbers as the frontend hands them over."""
    if type(a) in (bool, int, float, complex):
        return const(a)
    return type(a)(lift(x) for x in a) if type(a) in (tuple, list) else a


def check(text: str, values: dict[str, Any], want: Any, ulps: int) -> None:
    got = run(text, values | SIZES)
    want = np.asarray(want)
    assert got.dtype == want.dtype, text
    assert got.shape == want.shape, text
    if want.dtype.kind in "fc":
        scale = float(np.max(np.abs(want[np.isfinite(want)]), initial=1.0)) * float(np.finfo(want.dtype).eps)
        assert np.allclose(
            got, want, rtol=1e-12 if want.dtype.itemsize > 4 else 1e-4, atol=ulps * scale, equal_nan=True
        ), text
    else:
        assert np.array_equal(got, want), (text, got, want)


A, B, V, W = array("A", "f8", "n", "m"), array("B", "f8", "m", "k"), array("v", "f8", "m"), array("w", "f8", "m")
S, U, T3 = array("S", "f8", "n", "n"), array("u", "f8", "n"), array("T", "f8", "n", "m", "k")
I4, I8, MASK, F4 = array("i", "i4", "n", "m"), array("I", "i8", "m"), array("M", bool, "n", "m"), array("f", "f4", "m")
Z, X3, Y3 = array("z", "c16", "n", "m"), array("X", "f8", 3), array("Y", "f8", 3)
N, M, R22 = Ref("n", INT), Ref("m", INT), array("R", "f8", 2, 6)
x, y = number("x", "f8"), number("y", "f8")

REDUCTIONS = "sum prod min max mean any all argmin argmax count_nonzero ptp median var std nansum nanmin nanmax nanmean"
CASES: list[tuple[Any, ...]] = [
    *[
        (getattr(np, f), (e,), k)
        for f in REDUCTIONS.split()
        for e in (A, V, I4)
        for k in ({}, {"axis": 0}, {"axis": -1})
    ],
    *[(getattr(np, f), (A,), {"axis": 1, "keepdims": True}) for f in REDUCTIONS.split()],
    *[(getattr(np, f), (e,), {}) for f in ("sum", "mean", "any", "prod") for e in (MASK, F4, Z)],
    (np.sum, (T3,), {"axis": (0, 2)}),
    (np.std, (A,), {"ddof": 1, "axis": 0}),
    (np.var, (I4,), {"ddof": 1}),
    *[(f, (e,), k) for f in (np.cumsum, np.cumprod) for e in (A, I4) for k in ({"axis": 0}, {"axis": 1})],
    (np.cumsum, (I8,), {}),
    (np.cumsum, (array("q", "i2", "m"),), {}),
    *[(f, (e,), {}) for f in (np.sort, np.argsort) for e in (A, V)],
    (np.sort, (A,), {"axis": 0}),
    (np.diff, (A,), {}),
    (np.diff, (V,), {"n": 2}),
    (np.diff, (A,), {"axis": 0}),
    # products
    (np.dot, (A, V), {}),
    (np.dot, (V, B), {}),
    (np.dot, (V, W), {}),
    (np.dot, (A, B), {}),
    (np.dot, (I4, I8), {}),
    (np.dot, (I4, V), {}),
    (np.dot, (F4, V), {}),
    (np.matmul, (A, B), {}),
    (np.matmul, (Z, V), {}),
    (np.inner, (V, W), {}),
    (np.inner, (A, V), {}),
    (np.outer, (V, U), {}),
    (np.vdot, (V, W), {}),
    (np.einsum, ("ij,jk->ik", A, B), {}),
    (np.einsum, ("ij,j", A, V), {}),
    (np.einsum, ("ii->", S), {}),
    (np.tensordot, (A, B), {"axes": 1}),
    (np.tensordot, (T3, A), {"axes": ((0, 1), (0, 1))}),
    (np.kron, (X3, Y3), {}),
    (np.cross, (X3, Y3), {}),
    (np.trace, (S,), {}),
    # linear algebra
    (np.linalg.inv, (S,), {}),
    (np.linalg.solve, (S, U), {}),
    (np.linalg.solve, (S, A), {}),
    (np.linalg.det, (S,), {}),
    *[(np.linalg.norm, (e,), k) for e in (A, V, I4, Z) for k in ({}, {"axis": 0})],
    (np.linalg.norm, (V,), {"ord": 1}),
    (np.linalg.norm, (V,), {"ord": float("inf")}),
    (np.linalg.norm, (A,), {"axis": 1, "keepdims": True}),
    (np.linalg.norm, (T3,), {}),
    (np.linalg.matrix_power, (S, 3), {}),
    (np.linalg.eigvalsh, (S,), {}),
    (np.linalg.svd, (S,), {"compute_uv": False}),
    (np.fft.fft, (A,), {}),
    (np.fft.ifft, (Z,), {"axis": 0}),
    (np.fft.rfft, (X3,), {}),
    (np.isclose, (A, 1.0), {}),
    (np.average, (A,), {"axis": 0}),
    (np.moveaxis, (T3, 0, 2), {}),
    (np.amax, (A,), {"axis": 1}),
    (np.max, (Z,), {}),
    (np.sort, (Z,), {}),
    (np.max, (MASK,), {"axis": 0}),
    (np.linalg.norm, (S,), {"ord": 1}),
    (np.linalg.norm, (S,), {"ord": "fro"}),
    # creation
    *[(f, ((N, 3),), {}) for f in (np.zeros, np.ones)],
    (np.zeros, (N,), {"dtype": int}),
    (np.ones, ((N, M),), {"dtype": np.float32}),
    (np.zeros_like, (A,), {}),
    (np.ones_like, (I4,), {}),
    (np.full, ((N, M), 2.5), {}),
    (np.full, (N, x), {}),
    (np.full_like, (I4, 3), {}),
    (np.eye, (N,), {}),
    (np.eye, (N, M), {"k": 1}),
    (np.identity, (N,), {"dtype": int}),
    (np.arange, (N,), {}),
    (np.arange, (N,), {"dtype": float}),
    (np.arange, (2, 7), {}),
    (np.arange, (2, 12, 3), {}),
    (np.arange, (0.0, 1.0, 0.25), {}),
    (np.linspace, (0, 1, N), {}),
    (np.linspace, (x, y, 7), {}),
    (np.linspace, (-1.0, 1.0, 21), {"endpoint": False}),
    # shape
    (np.array, (A,), {}),
    (np.array, ((x, y, 1),), {}),
    (np.array, (((x, y), (y, x)),), {}),
    (np.reshape, (A, (M, N)), {}),
    (np.reshape, (R22, (3, -1)), {}),
    (np.reshape, (V, (-1, 1)), {}),
    (np.ravel, (R22,), {}),
    (np.transpose, (A,), {}),
    (np.transpose, (T3,), {}),
    (np.transpose, (T3, (1, 0, 2)), {}),
    (np.transpose, (T3, (0, 2, 1)), {}),
    (np.swapaxes, (T3, 0, 2), {}),
    (np.concatenate, ((V, W),), {}),
    (np.concatenate, ((A, I4),), {"axis": 1}),
    (np.stack, ((V, W),), {"axis": 1}),
    (np.stack, ((V, W, V),), {}),
    (np.vstack, ((V, W),), {}),
    (np.vstack, ((A, V),), {}),
    (np.hstack, ((V, W),), {}),
    (np.hstack, ((A, A),), {}),
    (np.column_stack, ((V, W),), {}),
    (np.expand_dims, (A, 1), {}),
    (np.expand_dims, (A, 0), {}),
    (np.expand_dims, (A, -1), {}),
    (np.squeeze, (array("q", "f8", "n", 1),), {"axis": 1}),
    (np.broadcast_to, (V, (N, M)), {}),
    (np.tile, (V, 3), {}),
    (np.tile, (V, (2, 2)), {}),
    (np.repeat, (V, 2), {}),
    (np.repeat, (A, 2), {"axis": 0}),
    (np.flip, (V,), {}),
    (np.flip, (A,), {}),
    (np.flip, (A,), {"axis": 0}),
    (np.fliplr, (A,), {}),
    (np.roll, (V, 1), {}),
    (np.roll, (A, -1), {"axis": 0}),
    (np.diag, (V,), {}),
    (np.diag, (V,), {"k": -1}),
    (np.diag, (S,), {}),
    (np.diagonal, (S,), {"offset": 1}),
    (np.triu, (S,), {}),
    (np.tril, (A,), {"k": -1}),
    # elementwise
    (np.where, (MASK, A, 0.0), {}),
    (np.where, (MASK, 1, 2), {}),
    (np.clip, (A, 0.0, 1.0), {}),
    (np.clip, (I4, -1, 2), {}),
    (np.round, (A,), {}),
    (np.round, (A, 2), {}),
    (np.abs, (A,), {}),
    (np.abs, (Z,), {}),
    (np.sqrt, (I4,), {}),
    (np.exp, (F4,), {}),
    (np.maximum, (A, 0), {}),
    (np.arctan2, (V, W), {}),
    (np.real, (Z,), {}),
    (np.imag, (Z,), {}),
    (np.angle, (Z,), {}),
    (np.conj, (Z,), {}),
    (np.add, (V, 1), {}),
    (np.logical_and, (MASK, A), {}),
    (np.isnan, (A,), {}),
    (np.hypot, (V, W), {}),
    (np.float32, (x,), {}),
]


@pytest.mark.parametrize(
    "case", CASES, ids=lambda c: f"{c[0].__name__}-{'-'.join(getattr(a, 'name', str(a)) for a in c[1])}-{c[2]}"[:60]
)
def test_numpy(case: tuple[Any, ...]) -> None:
    if any(isinstance(a, Ref) and a.type.dtype.kind == "c" for a in case[1]) and case[0] in (np.median,):
        pytest.skip("no order")
    agree(*case)


def positive_definite() -> np.ndarray:
    q = RANDOM.normal(size=(4, 4))
    return q @ q.T + np.eye(4)


def test_cholesky_and_its_fault() -> None:
    made = calls.call(np.linalg.cholesky, [S], {}, SPAN)
    assert made is not None
    good = positive_definite()
    assert close(run(source(made.expr), {"S": good}), np.linalg.cholesky(good), np.dtype(float), 200)
    condition = source(made.faults[0][0])
    assert not run(condition, {"S": good})
    assert run(condition, {"S": good - 10 * np.eye(4)})
    assert run(condition, {"S": np.ones((4, 4))})


def test_singular_matrices_void_the_call() -> None:
    made = calls.call(np.linalg.solve, [S, U], {}, SPAN)
    assert made is not None
    condition = source(made.faults[0][0])
    for bad in (np.zeros((4, 4)), np.ones((4, 4)), np.arange(16.0).reshape(4, 4), np.full((4, 4), np.nan)):
        assert run(condition, {"S": bad})
    assert not run(condition, {"S": positive_definite()})
    stacked = np.stack([np.ones((4, 4)), positive_definite()])
    text = ast.unparse(emit(made.faults[0][0], frozenset("S"), 1))
    assert run(text, {"S": stacked}).tolist() == [True, False]


def test_every_array_function_is_written() -> None:
    assert set(RULES.plain) == set(ARRAY_FUNCTIONS)


def test_qr() -> None:
    made = calls.call(np.linalg.qr, [S], {}, SPAN)
    assert made is not None
    assert isinstance(made.value, tuple)
    a = positive_definite()
    for part, want in zip(made.value, np.linalg.qr(a), strict=True):
        assert close(run(source(part), {"S": a}), want, np.dtype(float), 400)
    assert run(source(made.faults[0][0]), {"S": np.ones((4, 4))})
    assert not run(source(made.faults[0][0]), {"S": a})


def test_allclose_is_a_python_bool() -> None:
    for function in (np.allclose, np.array_equal):
        made = calls.call(function, [V, W], {}, SPAN)
        assert made is not None
        assert made.expr.type == BOOL
        v = np.array([1.0, 2.0, np.inf])
        assert run(source(made.expr), {"v": v, "w": v})
        assert not run(source(made.expr), {"v": v, "w": v + 1})


def test_powers_of_python_ints_void_the_call_beyond_int64() -> None:
    for op in ("Pow", "LShift"):
        made = calls.binary(op, Const(3, INT), J)
        conditions = [source(c) for c, _ in made.faults]
        assert not any(bool(run(c, {"i": 20})) for c in conditions)
        assert any(bool(run(c, {"i": 70})) for c in conditions)


def test_a_root_chosen_at_run_time() -> None:
    made = calls.binary("Pow", V, P)
    v = np.array([4.0, -np.inf, 2.0])
    for p in (0.5, 2.0, 1.5):
        assert np.allclose(run(source(made.expr), {"v": v, "p": p}), quietly(operator.pow, v, p), equal_nan=True)


def test_searchsorted() -> None:
    made = calls.call(np.searchsorted, [V, U], {"side": "right"}, SPAN)
    assert made is not None
    a, v = np.array([1.0, 2.0, 2.0]), np.array([0.0, 2.0, 2.5, 1.0])
    assert np.array_equal(run(source(made.expr), {"v": a, "u": v}), np.searchsorted(a, v, "right"))
    assert run(source(made.faults[0][0]), {"v": a[::-1].copy()})


# ---------------------------------------------------------------- scalars

F, J, P, PC = number("x", "f8"), Ref("i", INT), Ref("p", FLOAT), Ref("c", COMPLEX)
NUMBERS = [-2.5, -1.0, -0.5, 0.0, 0.3, 1.0, 2.5, 1e3, math.inf, -math.inf, math.nan, 1e300]


def outcome(function: Any, *args: Any) -> Any:
    try:
        return quietly(function, *args)
    except (ValueError, OverflowError, ZeroDivisionError, TypeError):
        return None


def called(function: Any, args: list[Expr]) -> calls.Lowered:
    """The call; `operator`'s functions are the operators."""
    if function in operator_functions.BINARY:
        return calls.binary(operator_functions.BINARY[function].__name__, *args)
    made = calls.call(function, args, {}, SPAN)
    assert made is not None
    return made


def agree_on(function: Any, args: list[Expr], values: list[dict[str, Any]]) -> None:
    """Value, class and faults of a scalar function for many arguments."""
    made = called(function, args)
    assert isinstance(made.value, EXPRESSIONS)
    text, conditions = source(made.value), [source(c) for c, _ in made.faults]
    for v in values:
        want = outcome(function, *(with_values(a, v) for a in args))
        if isinstance(want, complex) and not isinstance(want, np.generic) and made.value.type != COMPLEX:
            want = None  # Python's power of a negative number
        if want is None:
            assert any(bool(run(c, v)) for c in conditions), (function, v, conditions)
        elif not any(bool(run(c, v)) for c in conditions):
            assert kind_matches(made.value.type, want), (function, v)
            got = run(text, v)
            assert np.allclose(got, want, rtol=1e-13, equal_nan=True), (function, v, got, want)
        else:
            assert not isinstance(want, float) or not math.isfinite(want) or abs(want) > 2**52, (function, v, want)


def kind_matches(t: Any, value: Any) -> bool:
    assert isinstance(t, ScalarType)
    return PYTHON_KINDS.get(type(value), numpy_kind(np.asarray(value).dtype)) in t.kinds


UNARY_MATH = [
    getattr(math, f)
    for f in "sqrt exp expm1 log log2 log10 log1p sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh fabs "
    "degrees radians erf erfc floor ceil trunc isnan isinf isfinite".split()
]


@pytest.mark.parametrize("function", [*UNARY_MATH, abs, int, float, bool, round], ids=lambda f: f.__name__)
@pytest.mark.parametrize("arg", [F, P], ids=["numpy", "python"])
def test_functions_of_one_number(function: Any, arg: Ref) -> None:
    make = np.float64 if arg is F else float
    agree_on(function, [arg], [{arg.name: make(v)} for v in NUMBERS])


@pytest.mark.parametrize(
    "function", [math.atan2, math.hypot, math.fmod, math.copysign, math.pow], ids=lambda f: f.__name__
)
def test_functions_of_two_numbers(function: Any) -> None:
    q = Ref("q", FLOAT)
    agree_on(function, [P, q], [{"p": a, "q": b} for a in NUMBERS[::2] for b in NUMBERS[1::2]])


PYTHON_OPERATORS = [
    operator.add,
    operator.mul,
    operator.truediv,
    operator.floordiv,
    operator.mod,
    operator.pow,
    max,
    min,
]


@pytest.mark.parametrize("function", PYTHON_OPERATORS, ids=lambda f: f.__name__)
def test_python_floats(function: Any) -> None:
    q = Ref("q", FLOAT)
    agree_on(function, [P, q], [{"p": a, "q": b} for a in NUMBERS[::2] for b in (-1.0, 0.0, 0.5, 2.0, 3.0, math.nan)])


@pytest.mark.parametrize(
    "function", [*PYTHON_OPERATORS, math.gcd, operator.lshift, operator.rshift, operator.and_], ids=lambda f: f.__name__
)
def test_python_ints(function: Any) -> None:
    j = Ref("j", INT)
    values = [{"i": a, "j": b} for a in (-7, -1, 0, 1, 2, 9) for b in (-3, -1, 0, 1, 2, 5)]
    if function is operator.pow:
        values = [v for v in values if v["j"] >= 0]
    agree_on(function, [J, j], values)


def test_max_keeps_both_kinds() -> None:
    made = calls.call(max, [const(0), F], {}, SPAN)
    assert made is not None
    assert made.expr.type == scalar(PY_INT, numpy_kind(np.dtype(float)))
    for v in NUMBERS:
        assert np.array_equal(run(source(made.expr), {"x": np.float64(v)}), max(0, v), equal_nan=True)


@pytest.mark.parametrize("function", [max, min, sum], ids=lambda f: f.__name__)
def test_builtins_over_a_vector(function: Any) -> None:
    vectors = [[1.0, 3.0, 2.0], [math.nan, 1.0, 2.0], [1.0, math.nan, 0.5], [-math.inf, 1.0, 2.0]]
    made = calls.call(function, [X3], {}, SPAN)
    assert made is not None
    for v in map(np.array, vectors):
        assert np.array_equal(run(source(made.expr), {"X": v}), function(v), equal_nan=True), v
    small = calls.call(sum, [array("s", "i1", 3)], {}, SPAN)
    assert small is not None
    assert small.expr.type == scalar(numpy_kind(np.dtype(np.int8)))


def test_stores_of_one_element_are_checked() -> None:
    made = calls.cast_for_store(F, np.dtype(np.int64), whole=False)
    assert run(source(made.expr), {"x": np.float64(-2.7)}) == -2
    conditions = [source(c) for c, _ in made.faults]
    for bad in (math.nan, 1e300):
        assert any(bool(run(c, {"x": np.float64(bad)})) for c in conditions)
    assert not any(bool(run(c, {"x": np.float64(7.0)})) for c in conditions)
    narrow = calls.cast_for_store(J, np.dtype(np.int8), whole=False)
    assert any(bool(run(source(c), {"i": 300})) for c, _ in narrow.faults)
    assert not calls.cast_for_store(A, np.dtype(np.int64), whole=True).faults
    with pytest.raises(Blocked):
        calls.cast_for_store(PC, np.dtype(float), whole=False)


def test_truth() -> None:
    assert source(calls.truth(F).expr) == "x != 0.0"
    assert calls.truth(number("b", bool)).expr.type == BOOL
    with pytest.raises(Blocked):
        calls.truth(V)
    assert calls.truth(array("o", "f8", 1)).expr.type == BOOL


def test_methods_and_attributes() -> None:
    made = calls.method("mean", A, [], {"axis": const(0)}, SPAN)
    assert made is not None
    assert source(made.expr) == "jnp.mean(A, axis=0)"
    cast = calls.method("astype", A, [np.float32], {}, SPAN)
    assert cast is not None
    assert source(cast.expr) == "A.astype(jnp.float32)"
    turned = calls.attribute("T", A)
    assert turned is not None
    assert source(turned.expr) == "A.T"
    assert calls.method("append", A, [], {}, SPAN) is None
    column = calls.method("reshape", V, [const(-1), const(1)], {}, SPAN)
    assert column is not None
    assert column.expr.type == ArrayType(np.dtype(float), (Affine.name("m"), Affine.number(1)))


def test_what_blocks_says_where() -> None:
    with pytest.raises(Blocked) as caught:
        calls.call(np.sum, [A], {"where": MASK}, SPAN)
    assert caught.value.span == SPAN
    with pytest.raises(Blocked) as caught:
        calls.call(np.dot, [A, A], {}, SPAN)
    assert caught.value.code == Code.UNSUPPORTED_EXPRESSION
    assert calls.call(print, [], {}, SPAN) is None
