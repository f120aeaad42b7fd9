"""What the benchmarks share: timing on fresh arguments, agreement of results, tables of text."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

# the programs and the copying of arguments live with the tests; the checkout need not be installed
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.copying import array_leaves, copy_arguments, is_jax_array


def call(fn: Callable[..., Any], args: tuple[Any, ...]) -> tuple[float, Any, tuple[Any, ...]]:
    """Seconds of one call on fresh copies (the copying is not timed), its value, and the arguments after it."""
    fresh = copy_arguments(args)
    start = time.perf_counter()
    value = fn(*fresh)
    wait(value)
    return time.perf_counter() - start, value, fresh


def best(fn: Callable[..., Any], args: tuple[Any, ...], seconds: float = 1.0, at_most: int = 50) -> float:
    """The shortest of several calls: at least three, until `seconds` have gone by."""
    times: list[float] = []
    while len(times) < 3 or (sum(times) < seconds and len(times) < at_most):
        times.append(call(fn, args)[0])
    return min(times)


def wait(value: Any) -> None:
    """Asynchronous results are results once they are there."""
    for leaf in array_leaves(value):
        if is_jax_array(leaf):
            leaf.block_until_ready()


def largest_error(expected: Any, actual: Any) -> float:
    """The largest difference, relative to the largest value of the same array; inf where NaN or shapes differ."""
    worst = 0.0
    for e, a in zip(_arrays(expected), _arrays(actual), strict=True):
        if e.shape != a.shape or not np.array_equal(np.isnan(e), np.isnan(a)):
            return math.inf
        scale = np.max(np.abs(e), where=np.isfinite(e), initial=0.0) or 1.0
        difference = np.where(e == a, 0.0, np.abs(e - a))
        worst = max(worst, float(np.max(difference, where=~np.isnan(e), initial=0.0) / scale))
    return worst


def _arrays(tree: Any) -> Iterable[np.ndarray]:
    if isinstance(tree, (list, tuple)):
        for item in tree:
            yield from _arrays(item)
    elif isinstance(tree, (int, float, complex, np.generic, np.ndarray)) or is_jax_array(tree):
        yield np.asarray(tree)


def geometric_mean(ratios: Sequence[float]) -> float:
    return math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else math.nan


def milliseconds(seconds: float) -> str:
    """Three figures: 0.0123, 1.23, 12.3, 1234."""
    ms = seconds * 1e3
    return "-" if math.isnan(ms) else f"{ms:.0f}" if ms >= 1000 else f"{ms:.3g}"


def row(cells: Sequence[str], widths: Sequence[int]) -> str:
    """The first cell to the left, the others to the right, the last one free."""
    first, *middle, last = cells
    inner = [cell.rjust(width) for cell, width in zip(middle, widths[1:], strict=False)]
    return "  ".join([first.ljust(widths[0]), *inner, last]).rstrip()


def statuses(f: Any) -> str:
    """A letter a loop, in the order of the source: V(ectorized), S(equential), F(allback)."""
    return " ".join(str(loop.status)[0] for loop in f.report().loops) or "no loops"
