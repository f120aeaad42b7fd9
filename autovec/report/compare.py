"""Original against rewritten on the same arguments: do they agree, and what does the rewrite save.

In: the two callables and the arguments. Out: a `Comparison`. Each call gets fresh copies of the arguments, with what
they share still shared; copying is not timed. What a call returns, what it wrote to its arguments and what it raised
are all compared.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np

from autovec.report.agreement import Agreement, agreement
from autovec.report.copies import fresh

BUDGET = 0.5  # seconds of repeats a side, over the call that is needed anyway
REPEATS = 30


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one call did: its value or its exception, the arguments as it left them, the seconds it took."""

    value: object
    error: BaseException | None
    arguments: object
    seconds: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """The answer of `f.compare(*args)`; times in seconds, best of several calls.

    `first` is the first call with this signature (rewrite and compile), None where one had been made before.
    """

    function: str
    agreement: Agreement
    original: float
    first: float | None
    warm: float

    @property
    def agrees(self) -> bool:
        """Types, dtypes, shapes, exceptions and exact values equal, floats within the tolerance."""
        return self.agreement.holds

    @property
    def speedup(self) -> float:
        return self.original / self.warm if self.warm else math.inf

    @property
    def break_even(self) -> int | None:
        """After how many calls the first one is paid for; None where it never is, or wasn't measured."""
        if self.first is None or self.warm >= self.original:
            return None
        return max(1, math.ceil((self.first - self.warm) / (self.original - self.warm)))

    def __str__(self) -> str:
        rows = [
            ("original", seconds_text(self.original), ""),
            ("rewritten", seconds_text(self.warm), speedup_text(self.speedup)),
        ]
        if self.first is not None:
            rows.append(("first call", seconds_text(self.first), self._payback()))
        rows.append(("agreement", "yes" if self.agrees else "NO", str(self.agreement)))
        left, middle = (max(len(row[i]) for row in rows) for i in (0, 1))
        table = [f"  {a:<{left}}  {b:>{middle}}  {c}".rstrip() for a, b, c in rows]
        return "\n".join([self.function, *table])

    def _payback(self) -> str:
        if self.break_even is None:
            return "rewrite and compile; never paid back on these arguments"
        return f"rewrite and compile; paid back after {self.break_even} call{'s' * (self.break_even != 1)}"


def compare(
    original: Callable[..., object],
    rewritten: Callable[..., object],
    args: tuple[object, ...] = (),
    kwargs: dict[str, object] | None = None,
    *,
    compiled: bool = False,
    rtol: float | None = None,
    name: str = "",
) -> Comparison:
    """Call both on fresh copies of the arguments; compare what they did, time several calls of each.

    `compiled` says that this signature has been called before, so that there is no first call to time. `rtol` is the
    difference allowed, relative to the largest magnitude of the array it is in; by default the square root of the
    precision of its dtype. Both start from the same state of NumPy's global random generator. Exceptions are
    compared, not raised.
    """
    arguments = (args, kwargs or {})
    state = np.random.get_state()
    wanted = _call(original, arguments)
    np.random.set_state(state)
    got = _call(rewritten, arguments)
    warm = _best(rewritten, arguments, math.inf)
    return Comparison(
        function=name or getattr(original, "__qualname__", "function"),
        agreement=agreement(
            (wanted.value, wanted.arguments, wanted.error), (got.value, got.arguments, got.error), rtol
        ),
        original=_best(original, arguments, wanted.seconds),
        first=None if compiled else got.seconds,
        warm=min(warm, got.seconds) if compiled else warm,
    )


def _call(function: Callable[..., object], arguments: tuple[tuple[object, ...], dict[str, object]]) -> Outcome:
    """One timed call on copies; it ends when its arrays are computed."""
    args, kwargs = copied = fresh(arguments)
    value: object = None
    error: BaseException | None = None
    begin = perf_counter()
    try:
        value = function(*args, **kwargs)
        _await(value)
    except Exception as raised:
        error = raised
    seconds = perf_counter() - begin
    return Outcome(value, error, copied, seconds)


def _best(function: Callable[..., object], arguments: Any, known: float) -> float:
    """The least time of a call within the budget; a call that is slow by itself isn't repeated."""
    best, spent = known, 0.0 if math.isinf(known) else known
    for _ in range(REPEATS):
        if spent >= BUDGET:
            break
        seconds = _call(function, arguments).seconds
        best, spent = min(best, seconds), spent + seconds
    return best


def _await(value: object) -> None:
    """Wait for arrays that are still being computed (those of JAX)."""
    if isinstance(value, list | tuple):
        for item in value[-1:]:  # the last one dispatched is the last one ready
            _await(item)
    elif isinstance(value, dict):
        for item in value.values():
            _await(item)
    elif callable(ready := getattr(value, "block_until_ready", None)):
        ready()


def seconds_text(seconds: float) -> str:
    """Three digits and a unit: `1.23 ms`."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= 0.9995 * size or unit == "us":
            scaled = seconds / size
            digits = 2 if scaled < 9.995 else 1 if scaled < 99.95 else 0
            return f"{scaled:.{digits}f} {unit}"
    raise AssertionError("unreachable")


def speedup_text(speedup: float) -> str:
    """`12x faster`, `1.3x slower`, `as fast` within a twentieth."""
    if 0.95 < speedup < 1.05:
        return "as fast"
    ratio, word = (speedup, "faster") if speedup >= 1 else (1 / speedup if speedup else math.inf, "slower")
    return f"{ratio:.1f}x {word}" if ratio < 10 else f"{ratio:,.0f}x {word}"
