"""What an original does by itself: does it end soon, and do small changes of its arguments change it much?"""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tests.copying import array_leaves, copy_arguments
from tests.same import Comparison, Outcome, run_once

SECONDS = 0.5  # of the processor
TIMES = 3

# (relative change, what may become of it): where a float changes by a hundred times more, a rounding may too
DOUBLE = (1e-12, 1e-10)
SINGLE = (3e-7, 1e-4)


class Slow(BaseException):
    """Not an `Exception`: a program may catch those."""


@contextlib.contextmanager
def limited(seconds: float = SECONDS) -> Iterator[None]:
    """What is in it raises `Slow` after so long. Only the main thread can be interrupted; elsewhere nothing is."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def interrupt(*_: object) -> None:
        raise Slow

    known = signal.signal(signal.SIGPROF, interrupt)
    # of the processor's time: the same where others work beside
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, known)


def ends(fn: Callable[..., Any], calls: list[tuple[Any, ...]]) -> bool:
    """Are all the calls done soon?"""
    try:
        with limited():
            for args in calls:
                run_once(fn, args, {})
    except Slow:
        return False
    return True


def is_chaotic(fn: Callable[..., Any], args: tuple[Any, ...]) -> bool:
    """Does the function make much of a rounding? Then two right answers may differ by anything."""
    try:
        with limited(10 * SECONDS):
            expected = run_once(fn, args, {})
            return any(differ(expected, run_once(fn, perturbed(args, seed), {})) for seed in range(TIMES))
    except Slow:
        return True


def perturbed(args: tuple[Any, ...], seed: int) -> tuple[Any, ...]:
    """The arguments with every float a little larger or smaller."""
    rng = np.random.default_rng(seed)
    args = copy_arguments(args)
    for leaf in array_leaves(args):
        if leaf.dtype.kind in "fc" and leaf.flags.writeable:
            with np.errstate(all="ignore"):
                leaf *= (1 + near(leaf.dtype)[0] * rng.standard_normal(leaf.shape)).astype(leaf.dtype)
    return tuple(moved(x, rng) for x in args)


def moved(x: Any, rng: np.random.Generator) -> Any:
    """A scalar a little larger or smaller, and those in lists, in place."""
    if isinstance(x, list):
        x[:] = [moved(item, rng) for item in x]
    elif isinstance(x, tuple):
        return tuple(moved(item, rng) for item in x)
    elif isinstance(x, float | np.floating):
        return type(x)(x * (1 + near(np.asarray(x).dtype)[0] * rng.standard_normal()))
    return x


class Rough(Comparison):
    """All that can be told apart, floats by what a chaotic program makes of a rounding."""

    def _tolerance(self, dtype: np.dtype) -> float:
        return near(dtype)[1]


def differ(expected: Outcome, actual: Outcome) -> bool:
    try:
        Rough(None, 1, 1.0, 1.0, False).compare_outcomes(expected, actual)
    except AssertionError:
        return True
    return False


def near(dtype: np.dtype) -> tuple[float, float]:
    return DOUBLE if np.finfo(dtype).eps < 1e-10 else SINGLE
