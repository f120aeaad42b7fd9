"""Emitted operations against NumPy on edge values, for each operand dtype; whole-array functions with and without batches."""

from __future__ import annotations

import ast
import itertools
from typing import Any

import jax
import numpy as np
import pytest

from autovec.diagnostics import Blocked
from autovec.emit import operations
from autovec.frontend import calls
from autovec.frontend.calls.lowered import const
from autovec.frontend.calls.resolution import ufunc
from autovec.ir.intrinsics import BINARY_UFUNCS, UNARY_UFUNCS
from autovec.ir.nodes import Apply, Call, Cast, Const, Ref
from autovec.ir.types import FLOAT, INT, ArrayType
from tests.emitted import DTYPES, SCOPE, array, close, emit, number, quietly, run, source

TINY = np.finfo(np.float32).tiny


def edges(dtype: np.dtype) -> list[Any]:
    """The values where operations disagree if they do."""
    match dtype.kind:
        case "b":
            return [False, True]
        case "i":
            info = np.iinfo(dtype)
            return [info.min, info.min + 1, -7, -2, -1, 0, 1, 2, 3, 10, info.max]
        case "u":
            info = np.iinfo(dtype)
            return [0, 1, 2, 3, 10, info.max // 2 + 1, info.max]
        case "f":
            return [-np.inf, -300.7, -2.0, -1.0, -0.3, 0.0, 0.5, 1.0, 2.5, 3.0, 7.0, 300.2, np.inf, np.nan]
        case _:
            return [0j, 1 + 0j, -1 + 2j, 0.5 - 0.25j, 3 + 0j, 2j, -2.5 - 1j]


def together(texts: dict[str, str], values: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Many expressions compiled as one program."""
    body = ast.parse("{" + ", ".join(f"{k!r}: {t}" for k, t in texts.items()) + "}", mode="eval")
    code = compile(ast.fix_missing_locations(body), "<emitted>", "eval")
    with jax.enable_x64(True), jax.numpy_dtype_promotion("strict"):
        options = {"xla_disable_hlo_passes": "algsimp"}
        program = jax.jit(lambda given: eval(code, {**SCOPE, **given}), compiler_options=options)
        return {k: np.asarray(v) for k, v in program(values).items()}


SKIPPED = {"nextafter", "heaviside", "float_power", "logaddexp2"}  # checked apart, or not lowered by operators
COMPLEX_EDGES = {"power", "divide", "reciprocal"}


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_binary_ufuncs(dtype: np.dtype) -> None:
    values = np.array(edges(dtype), dtype)
    a, b = (g.ravel() for g in np.meshgrid(values, values, indexing="ij"))
    left, right = array("a", dtype, len(a)), array("b", dtype, len(a))
    texts, wanted, masks = {}, {}, {}
    for name in sorted(BINARY_UFUNCS - SKIPPED):
        try:
            made = ufunc(name, (left, right)).expr
        except Blocked:  # NumPy has no such loop
            continue
        if name in ("power",) and dtype.kind == "i":
            fine = b >= 0
        elif dtype.kind == "c":
            fine = (b != 0) & (a != 0) if name in COMPLEX_EDGES else np.ones(len(a), bool)
        else:
            fine = np.ones(len(a), bool)
        texts[name], masks[name] = source(made), fine
        wanted[name] = quietly(getattr(np, name), np.where(fine, a, 1), np.where(fine, b, 1).astype(dtype))
    got = together(texts, {"a": a, "b": b})
    wrong = []
    for name, want in wanted.items():
        fine = masks[name]
        if not close(got[name][fine], want.astype(got[name].dtype)[fine], got[name].dtype, 64) or (
            got[name].dtype != np.asarray(quietly(getattr(np, name), np.ones(1, dtype), np.ones(1, dtype))).dtype
        ):
            bad = [
                (x, y, g, w)
                for x, y, g, w, f in zip(a, b, got[name], want, fine, strict=True)
                if f and not close(np.asarray(g), w, np.asarray(g).dtype, 64)
            ]
            wrong.append((name, texts[name], bad[:5], got[name].dtype))
    assert not wrong, "\n".join(map(str, wrong))


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_unary_ufuncs(dtype: np.dtype) -> None:
    a = np.array(edges(dtype), dtype)
    texts, wanted = {}, {}
    for name in sorted(UNARY_UFUNCS):
        try:
            made = ufunc(name, (array("a", dtype, len(a)),)).expr
        except Blocked:
            continue
        texts[name], wanted[name] = source(made), quietly(getattr(np, name), a)
    got = together(texts, {"a": a})
    wrong = [
        (name, texts[name], got[name], want)
        for name, want in wanted.items()
        if not close(got[name], want, got[name].dtype, 32)
    ]
    assert not wrong, "\n".join(map(str, wrong))


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_casts(dtype: np.dtype) -> None:
    values = edges(dtype)
    if dtype.kind == "f":
        values += [1e4, 3e9, -3e9, 1e10, 1e19, -1e19, 1.9e19, 2147483647.5, -2147483648.5, 2.0**63, 2.0**64, -(2.0**63)]
    a = quietly(np.array, values, dtype)
    texts = {
        str(d): source(Cast(array("a", dtype, len(values)), ArrayType(d, array("a", d, len(values)).type.shape)))
        for d in DTYPES
    }
    got = together(texts, {"a": a})
    wrong = []
    for d in DTYPES:
        want = quietly(a.astype, d)  # type: ignore[union-attr]
        with np.errstate(all="ignore"):  # NumPy's own vector and scalar loops disagree on what fits no uint32
            fine = (
                (a.real > -(2.0**31)) & (a.real < 2.0**32)
                if d == np.uint32 and dtype.kind in "fc"
                else np.ones(len(a), bool)
            )
        if not close(got[str(d)][fine], want[fine], d, 1):
            wrong.append((str(d), texts[str(d)], got[str(d)][fine], want[fine]))
    assert not wrong, "\n".join(map(str, wrong))


def test_int64_against_uint64() -> None:
    a = np.array([-1, 0, 2**63 - 1, -(2**63), 5], np.int64)
    b = np.array([2**63, 0, 2**63 - 1, 1, 2**64 - 1], np.uint64)
    for op, function in {
        "Lt": np.less,
        "LtE": np.less_equal,
        "Gt": np.greater,
        "Eq": np.equal,
        "NotEq": np.not_equal,
    }.items():
        for x, y in itertools.product((a,), (b,)):
            got = calls.compare(op, array("a", "i8", 5), array("b", "u8", 5)).expr
            assert np.array_equal(run(source(got), {"a": x, "b": y}), function(x, y)), op
            got = calls.compare(op, array("b", "u8", 5), array("a", "i8", 5)).expr
            assert np.array_equal(run(source(got), {"a": x, "b": y}), function(y, x)), op
        for value in (-3, 0, 5):
            got = calls.compare(op, array("b", "u8", 5), Const(value, INT)).expr
            assert np.array_equal(run(source(got), {"b": b}), function(b, value)), (op, value)


@pytest.mark.parametrize("base", [-3, -2, -1, 0, 1, 2, 3, 5])
def test_integer_powers_wrap_for_any_exponent(base: int) -> None:
    e = np.array([0, 1, 2, 5, 63, 64, 65, 70, 200], np.int64)
    got = calls.binary("Pow", Const(base, INT), array("e", "i8", len(e))).expr
    assert np.array_equal(run(source(got), {"e": e}), quietly(np.power, base, e))
    b = np.full(len(e), base, np.int64)
    got = calls.binary("Pow", array("k", "i8", len(e)), array("s", "i8", len(e))).expr
    assert np.array_equal(run(source(got), {"s": e, "k": b}), quietly(np.power, b, e))


def test_a_mask_chooses_and_does_not_multiply() -> None:
    m, x = np.array([True, False, False]), np.array([1.5, np.nan, np.inf])
    got = calls.binary("Mult", array("m", bool, 3), array("x", "f8", 3)).expr
    assert source(got) == "jnp.where(m, x, x * 0.0)"
    assert np.array_equal(run(source(got), {"m": m, "x": x}), quietly(np.multiply, m, x), equal_nan=True)


@pytest.mark.parametrize(
    ("op", "right", "text"),
    [
        ("Add", array("y", "f8", "n"), "x + y"),
        ("Mult", Const(2, INT), "x * 2.0"),
        ("Pow", Const(2, INT), "x ** 2"),
        ("Pow", Const(0.5, FLOAT), "jnp.sqrt(x)"),
        ("Pow", Const(3, INT), "x ** 3"),
        ("Div", Ref("n", INT), "x / jnp.float64(n)"),
        ("Mod", Const(3, INT), "x % 3.0"),
    ],
)
def test_reads_as_a_person_would_write(op: str, right: Any, text: str) -> None:
    assert source(calls.binary(op, array("x", "f8", "n"), right).expr) == text


def test_large_operands_are_bound_once() -> None:
    x = array("x", "i8", "n")
    e: Any = x
    for _ in range(6):
        e = calls.binary("FloorDiv", x, calls.binary("Add", e, e).expr).expr
    assert len(source(e)) < 6000


def test_small_floats_keep_their_literals() -> None:
    got = calls.binary("Mult", array("x", "f4", "n"), Const(0.1, FLOAT)).expr
    assert source(got) == "x * 0.1"
    assert ast.unparse(operations.constant(0.1, number("x", "f4").type)) == "jnp.float32(0.1)"
    assert isinstance(emit(got), ast.BinOp)


def test_constants_are_canonical() -> None:
    for value in (-1, -2.5, 1 + 2j, -1j, float("inf"), float("-inf"), -0.0, 3 - 1j):
        node = operations.constant(value, const(value).type)
        assert ast.dump(ast.parse(ast.unparse(node), mode="eval").body) == ast.dump(node)
        assert eval(ast.unparse(node), dict(SCOPE)) == value


def test_apply_and_call_are_ir() -> None:
    assert isinstance(calls.binary("Add", array("x", "f8", 3), array("y", "f8", 3)).value, Apply)
    assert isinstance(calls.binary("MatMult", array("x", "f8", 3), array("y", "f8", 3)).value, Call)
