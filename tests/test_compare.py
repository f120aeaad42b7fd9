"""Comparison: what is called a difference, what is copied, and what the numbers say."""

from __future__ import annotations

import math
import textwrap
import time
from typing import Any

import numpy as np
import pytest

from autovec.report.agreement import Agreement
from autovec.report.compare import Comparison, compare, seconds_text, speedup_text
from autovec.report.copies import fresh

X = np.arange(6.0)


def returns(value: object) -> Any:
    return lambda *_: value


def mismatch(wanted: object, got: object, **options: Any) -> str:
    found = compare(returns(wanted), returns(got), (1,), **options)
    assert found.agrees == (not found.agreement.mismatches)
    return "; ".join(found.agreement.mismatches)


@pytest.mark.parametrize(
    ("wanted", "got", "said"),
    [
        (1, 1, ""),
        (1, True, "result is bool, original int"),
        (1.0, np.float64(1.0), "result is float64, original float"),
        (X, X.astype(np.float32), "result has dtype float32, original float64"),
        (X, X[:5], "result has shape (5,), original (6,)"),
        (X, X.astype(int), "result has dtype int64, original float64"),
        (X.astype(int), X.astype(int) + (X > 4), "result[5] is 6, original 5"),
        (X.astype(int), X.astype(int) + 1, "result[0] is 1, original 0 (6 differ)"),
        ([1, (2, {"a": X})], [1, (2, {"a": X * 2})], "result[1][1]['a'] differs by 5.0e+00 (relative 1.0e+00)"),
        ([1], [1, 2], "result has 2 items, original 1"),
        ({"a": 1}, {"b": 1}, "result has keys ['b'], original ['a']"),
        (math.nan, math.nan, ""),
        (math.nan, 1.0, "result differs where it is nan or infinite"),
        (1.0, math.inf, "result differs where it is nan or infinite"),
        (math.inf, -math.inf, "result differs where it is nan or infinite"),
        (np.array([1.0, 1e-30]), np.array([1.0, 2e-30]), ""),
        (np.zeros(0), np.zeros(0), ""),
        (None, None, ""),
        ("a", "b", "result differs"),
        (1 + 2j, 1 + 2j, ""),
    ],
)
def test_what_is_a_difference(wanted: object, got: object, said: str) -> None:
    assert mismatch(wanted, got) == said


def test_largest_difference_and_tolerance() -> None:
    found = compare(returns(X), returns(X + 1e-12), ())
    assert found.agrees
    assert found.agreement.absolute == pytest.approx(1e-12, rel=1e-3)
    assert found.agreement.relative == pytest.approx(2e-13, rel=1e-3)
    assert "largest difference 1.0e-12" in str(found)
    assert mismatch(X, X + 1e-12, rtol=1e-14).startswith("result differs by")


def test_exceptions_are_compared() -> None:
    def index(x: np.ndarray) -> object:
        return x[10]

    def other(x: np.ndarray) -> object:
        raise IndexError("other words")

    assert compare(index, index, (X,)).agrees
    assert "other words" in str(compare(index, other, (X,)))
    assert "raised None, original IndexError" in str(compare(index, returns(1), (X,)))


def test_written_arguments_are_compared_and_the_callers_stay() -> None:
    def add(x: np.ndarray, n: int = 1) -> None:
        x += n

    x = X.copy()
    assert compare(add, add, (x,), {"n": 2}).agrees
    assert "arguments[0][0] differs" in str(compare(add, returns(None), (x,)))
    assert np.array_equal(x, X)


def test_both_draw_the_same_random_numbers() -> None:
    assert compare(np.random.rand, np.random.rand, (3,)).agrees


def test_copies_share_what_the_originals_share() -> None:
    base = np.asfortranarray(np.arange(12.0).reshape(3, 4))
    views = [base, base, base[1:, ::-1], base.T, np.broadcast_to(base[0], (2, 4))]
    copied = fresh(views)
    assert copied[0] is copied[1] and copied[0] is not base
    for old, new in zip(views, copied, strict=True):
        assert np.array_equal(old, new) and old.strides == new.strides and old.flags.writeable == new.flags.writeable
    copied[0][:] = 7
    assert all((new == 7).all() for new in copied) and base[2, 3] == 11
    rows = [[0] * 2] * 2
    again = fresh(rows)
    assert again[0] is again[1] and again[0] is not rows[0]


@pytest.mark.parametrize(
    "array",
    [
        np.array(1.5),
        np.zeros((0, 3)),
        np.arange(3, dtype=">i4"),
        np.array([None, "a"]),
        np.arange(10)[3:7:2],
        np.frombuffer(b"\0" * 16),
        np.arange(4).astype("datetime64[s]"),
    ],
)
def test_odd_arrays_are_copied(array: np.ndarray) -> None:
    copied = fresh(array)
    assert copied is not array and copied.dtype == array.dtype and np.array_equal(copied, array)
    assert not np.shares_memory(copied, array)


def test_what_cannot_be_copied_is_passed() -> None:
    lock = (item for item in ())
    assert fresh([lock])[0] is lock


def test_times_come_from_the_calls() -> None:
    calls: list[int] = []

    def rewritten(x: int) -> int:
        calls.append(x)
        time.sleep(0.05 if len(calls) == 1 else 0.001)
        return x

    def original(x: int) -> int:
        time.sleep(0.01)
        return x

    found = compare(original, rewritten, (3,), name="sleepy")
    assert found.first is not None and found.first > 0.04
    assert found.warm < 0.02 <= found.first
    assert compare(original, rewritten, (3,), compiled=True).first is None


def made(original: float = 0.01, first: float | None = 0.5, warm: float = 0.001) -> Comparison:
    return Comparison("energy", Agreement(0.0, 0.0, ()), original, first, warm)


def test_break_even_is_the_first_count_that_pays() -> None:
    count = made().break_even
    assert count is not None
    assert 0.5 + (count - 1) * 0.001 <= count * 0.01
    assert 0.5 + (count - 2) * 0.001 > (count - 1) * 0.01
    assert made(warm=0.02).break_even is None
    assert made(first=None).break_even is None


def test_table() -> None:
    assert str(made()) == textwrap.dedent(
        """\
        energy
          original    10.0 ms
          rewritten   1.00 ms  10x faster
          first call   500 ms  rewrite and compile; paid back after 56 calls
          agreement       yes  values equal; types, dtypes and exceptions equal"""
    )
    assert "never paid back" in str(made(warm=0.02))
    assert "first call" not in str(made(first=None))


def test_numbers_read_well() -> None:
    said = [seconds_text(s) for s in (0.00000042, 0.0000042, 0.00123, 0.0999999, 0.9999, 12.34, 123.4)]
    assert said == ["0.42 us", "4.20 us", "1.23 ms", "100 ms", "1.00 s", "12.3 s", "123 s"]
    assert [speedup_text(s) for s in (1.0, 9.87, 1234.5, 0.5)] == [
        "as fast",
        "9.9x faster",
        "1,234x faster",
        "2.0x slower",
    ]
