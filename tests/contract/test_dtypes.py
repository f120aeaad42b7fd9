"""The contract's row "dtypes": NumPy's promotion in compiled loops, for operators, ufuncs, reductions, casts and stores.

Every pair of dtypes and every Python number meets every operator under `--slow`; without it each operator meets a
share of the pairs, another for each, so that all dtypes meet. Values are the edges of each dtype. Not asked, since it is
documented (docs/semantics.md): signs of zeros, subnormals, complex division and powers at infinities and NaN.
"""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from autovec import autovec
from autovec.ir.intrinsics import BINARY_UFUNCS, UNARY_UFUNCS
from tests.contract.tables import agree, is_allowed, quietly, written
from tests.generator.check import internal
from tests.same import assert_same

DTYPES = [np.dtype(c) for c in ("?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16")]
ARITHMETIC = "+ - * / // % **".split()
COMPARISONS = "== != < <= > >=".split()
BITS = "& | ^ << >>".split()
OPERATORS = [*ARITHMETIC, *COMPARISONS, *BITS]
PYTHON = {"whole": 3, "real": 2.5, "flag": True, "pair": 1 + 2j}
TRIPS = 70
RANDOM = np.random.default_rng(11)


def edges(dtype: np.dtype, finite: bool = False) -> np.ndarray:
    """The values at which operations disagree if they do."""
    match dtype.kind:
        case "b":
            return np.array([False, True])
        case "i":
            least, most = np.iinfo(dtype).min, np.iinfo(dtype).max
            return np.array([least, least + 1, -7, -2, -1, 0, 1, 2, 3, most], dtype)
        case "u":
            most = np.iinfo(dtype).max
            return np.array([0, 1, 2, 3, 10, most // 2 + 1, most], dtype)
        case "f":
            numbers = [-300.7, -2.0, -1.0, -0.0, 0.0, 0.5, 2.5, 7.0]
            return np.array(numbers if finite else [*numbers, -np.inf, np.inf, np.nan], dtype)
        case _:
            return np.array([0j, 1 + 0j, -1 + 2j, 0.5 - 0.25j, 2j, -2.5 - 1j], dtype)


def operands(op: str) -> dict[str, np.ndarray]:
    """For each dtype a left and a right operand; the right one within what the documents leave open."""
    given: dict[str, np.ndarray] = {}
    for d in DTYPES:
        left = edges(d, finite=op in ("**", "power", "float_power"))
        right = left
        if op in ("**", "<<", ">>", "power", "ldexp"):
            right = left[(left >= 0) & (left <= 70)] if d.kind in "iu" else left[np.abs(left) < 8]
        if op in ("/", "**", "divide", "power", "float_power", "reciprocal") and d.kind in "fc":
            right = right[(right != 0) & np.isfinite(right)]
        given[f"l_{d.name}"] = RANDOM.choice(left, TRIPS)
        given[f"r_{d.name}"] = RANDOM.choice(right, TRIPS)
    return given


def share(items: list[str], slow: bool, number: int, one_of: int) -> list[str]:
    """All of them, or one in so many, beginning elsewhere for each number."""
    return items if slow else items[number % one_of :: one_of]


@pytest.fixture
def slow(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--slow"))


@pytest.mark.parametrize("op", OPERATORS)
def test_operators_on_pairs_of_dtypes(op: str, slow: bool) -> None:
    pairs = [
        f"l_{p.name}[i] {op} r_{q.name}[i]"
        for p, q in itertools.product(DTYPES, repeat=2)
        if is_allowed(f"a {op} b", {"a": p.type(1), "b": q.type(1)})
    ]
    agree(share(pairs, slow, OPERATORS.index(op), 11), operands(op))


@pytest.mark.parametrize("op", OPERATORS)
def test_operators_with_python_numbers(op: str, slow: bool) -> None:
    given = operands(op)
    if op == "/":  # a complex number by 0.0 raises ZeroDivisionError, though the 0.0 is NumPy's
        given = {
            k: v[v != 0][:1].repeat(TRIPS) if k[0] == "l" and v.dtype.kind in "fc" else v for k, v in given.items()
        }
    mixed: list[str] = []
    for d in DTYPES:
        for name, value in PYTHON.items():
            if is_allowed(f"a {op} b", {"a": d.type(1), "b": value}):
                mixed.append(f"l_{d.name}[i] {op} {name}")
            if is_allowed(f"b {op} a", {"a": d.type(1), "b": value}):
                mixed.append(f"{name} {op} r_{d.name}[i]")
    agree(share(mixed, slow, OPERATORS.index(op), 9), {**given, **PYTHON})


def test_what_python_refuses_is_refused():
    """No dtype does these: the original runs, and raises what it raises."""
    x = {d.name: np.ones(3, d) for d in DTYPES}
    for expression in ("-bool[i]", "bool[i] - bool[i]", "float32[i] & int8[i]", "complex64[i] < int8[i] // complex64[i]",
                       "complex64[i] % 2", "float64[i] << 1", "~float16[i]", "int8[i] + 200", "uint8[i] + whole",
                       "int8[i] ** whole", "uint64[i] - 2**70"):  # fmt: skip
        names = [k for k in x if k in expression]
        text = expression
        for k in names:
            text = text.replace(f"{k}[", f"x_{k}[")
        f = written(
            f"def table(n, whole, {', '.join('x_' + k for k in names)}):\n    return [{text} for i in range(n)]\n"
        )
        assert_same(autovec(f, fallback="silent"), 3, -1, *(x[k] for k in names), calls=1)


# ---------------------------------------------------------------- ufuncs

APART = {"nextafter"}  # the number after zero is a subnormal


def test_ufuncs_of_one_operand(slow: bool) -> None:
    names = sorted(UNARY_UFUNCS)
    calls = [
        f"np.{u}({'r' if u == 'reciprocal' else 'l'}_{d.name}[i])"
        for u in names
        for d in DTYPES
        if is_allowed(f"np.{u}(a)", {"a": d.type(1)})
    ]
    agree(share(calls, slow, 0, 7), operands("reciprocal"), ops=16, scale=1e-6)


def test_ufuncs_of_two_operands(slow: bool) -> None:
    chosen: dict[str, list[str]] = {}  # by what the right operands may be
    for number, u in enumerate(sorted(BINARY_UFUNCS - APART)):
        pairs = [
            f"np.{u}(l_{p.name}[i], r_{q.name}[i])"
            for p, q in itertools.product(DTYPES, repeat=2)
            if is_allowed(f"np.{u}(a, b)", {"a": p.type(1), "b": q.type(1)})
        ]
        kind = "power" if "power" in u else "divide" if u == "divide" else "<<" if "shift" in u else "+"
        chosen.setdefault(kind, []).extend(share(pairs, slow, 3 * number, 41))
    for kind, pairs in chosen.items():
        agree(pairs, operands(kind), ops=16)


# ---------------------------------------------------------------- reductions

REDUCTIONS = (
    "sum prod min max mean var std any all cumsum cumprod argmin argmax ptp median count_nonzero nansum nanprod nanmin "
    "nanmax nanmean nanvar nanstd".split()
)


def rows(finite: bool) -> dict[str, np.ndarray]:
    """For each dtype a matrix; means of ints that cancel to less than their rounding aren't asked for."""
    given: dict[str, np.ndarray] = {}
    for d in DTYPES:
        values = edges(d, finite=True)
        if d.kind in "iu" and finite:
            values = values[np.abs(values.astype(float)) < 200]
        given[f"m_{d.name}"] = RANDOM.choice(values, (6, 9))
        if d.kind == "f" and not finite:
            given[f"m_{d.name}"][1:3, 4] = np.nan
            given[f"m_{d.name}"][3] = np.nan
            given[f"m_{d.name}"][4, 2] = np.inf
    return given


@pytest.mark.parametrize("finite", [True, False])
def test_reductions(finite: bool, slow: bool) -> None:
    of_means = ("mean", "var", "std", "nanmean", "nanvar", "nanstd", "median", "prod", "cumprod", "nanprod")
    names = [r for r in REDUCTIONS if finite or r not in of_means]
    calls = [
        f"np.{r}(m_{d.name}[i])"
        for r in names
        for d in DTYPES
        if is_allowed(f"np.{r}(a)", {"a": np.ones(2, d)})
        and not (d.kind == "c" and r in ("argmin", "argmax", "median"))  # these stay Python
        and not (d == np.float16 and r in ("nanvar", "nanstd"))
    ]
    agree(share(calls, slow, 2 * finite, 3), rows(finite), ops=64, scale=1.0, trips=6)


def test_accumulation_by_loops(slow: bool) -> None:
    """`s += x`: the dtype is that of the first addition; typed ints wrap."""
    given = rows(finite=True)
    cases = ["0", "0.0", "1", "True"]
    for number, op in enumerate(("+", "*", "-")):
        some = list(itertools.product(cases, DTYPES))
        for k, (start, d) in enumerate(some):
            if (not slow and (k + number) % 4) or (op == "-" and d.kind == "b"):
                continue
            x = given[f"m_{d.name}"].ravel()[: 6 if op == "*" else None]
            f = written(f"def table(x):\n    s = {start}\n    for v in x:\n        s {op}= v\n    return s\n")
            g = autovec(f, fallback="silent")
            assert_same(g, x, ops=len(x), scale=1.0, calls=1)
            assert g.report().blocked is None


# ---------------------------------------------------------------- in place

IN_PLACE = {
    "elements": "    for i in range(6):\n        {a}[i] {op}= {b}[i]\n",
    "slices": "    for i in range(2):\n        {a}[1:] {op}= {b}[:-1]\n",
    "numbers": "    for i in range(6):\n        {a}[i] {op}= 2\n",
}


@pytest.mark.parametrize("form", IN_PLACE)
@pytest.mark.parametrize("op", [*ARITHMETIC, *BITS])
def test_in_place(op: str, form: str, slow: bool) -> None:
    """`a op= b` keeps the dtype of a: numbers are stored checked, arrays cast as ufuncs do; what NumPy refuses apart."""
    given = {name: values[:6] for name, values in operands(op).items()}
    pairs = [f"l_{p.name} r_{q.name}" for p, q in itertools.product(DTYPES, repeat=2)]
    chosen = pairs if slow else pairs[3 * [*ARITHMETIC, *BITS].index(op) % 17 :: 17]
    lines: list[str] = []
    arrays: list[np.ndarray] = []
    for names in map(str.split, chosen):
        k, both = len(lines), [given[n] for n in names]
        line = IN_PLACE[form].format(a=f"a{k}", b=f"b{k}", op=op)
        alone = IN_PLACE[form].format(a="a", b="b", op=op)
        f = written(f"def table(a, b):\n{alone}    return a\n")
        try:
            quietly(f, tuple(both))
        except (TypeError, OverflowError, ValueError):
            assert_same(autovec(f, fallback="silent"), *both, calls=1)
        else:
            lines.append(line)
            arrays += both
    parameters = ", ".join(f"a{k}, b{k}" for k in range(len(lines)))
    f = autovec(written(f"def table({parameters}):\n{''.join(lines)}"), fallback="silent")
    assert_same(f, *arrays, calls=1)
    assert internal(f) is None, internal(f)


# ---------------------------------------------------------------- conversions


def test_conversions(slow: bool) -> None:
    """`np.float32(x)` is checked, `x.astype(...)` casts in silence, both as NumPy on this machine does."""
    given = operands("+")
    small = {f"s_{d.name}": np.array([0, 1, 3] * 20).astype(d) for d in DTYPES}
    calls = [f"l_{p.name}[i].astype(np.{q.name})" for p, q in itertools.product(DTYPES, repeat=2)]
    calls += [
        f"np.{q.name}(s_{p.name}[i])" for p, q in itertools.product(DTYPES, repeat=2) if p.kind != "c" or q.kind in "cb"
    ]
    agree(share(calls, slow, 0, 4), {**given, **small}, ops=1)


def test_stores(slow: bool) -> None:
    """A store casts; what doesn't fit raises in the original, which then runs."""
    pairs = [(p, q) for p, q in itertools.product(DTYPES, repeat=2) if p.kind != "c" or q.kind in "c"]
    some = pairs if slow else pairs[::4]
    body = "".join(f"        o{k}[i] = x_{p.name}[i]\n" for k, (p, _) in enumerate(some))
    outputs = [np.zeros(9, q) for _, q in some]
    inputs = [np.array([0, 1, 3, 2, 1, 0, 5, 7, 1]).astype(p) for p in DTYPES]
    parameters = [f"o{k}" for k in range(len(some))] + [f"x_{p.name}" for p in DTYPES]
    f = autovec(
        written(f"def table({', '.join(parameters)}):\n    for i in range(len(o0)):\n{body}"), fallback="silent"
    )
    assert_same(f, *outputs, *inputs, calls=1)
    assert f.report().blocked is None and not f._dispatch.variants[0].faults
