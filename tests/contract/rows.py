"""A row of the contract as a table of probes: small functions with the calls on which both ways must agree.

    row = Row("numbers")

    @row.probe((A, 2.0), (EMPTY, 2.0))
    def scaled(a, t): ...                       it compiles, and compiled code answers at least one of the calls

    @row.probe((A,), open="lists are not written to yet")
    def ...                                     the same, whatever runs; counted as not compiled

    @row.probe((A,), python="it prints")
    def ...                                     meant to stay Python: the same, and not counted

    test_row = row.test()
    test_share = row.share_test()               at least 60 % of what should compile does

What a probe declares is checked, so the share is that of loops that did compile.
"""

from __future__ import annotations

import contextlib
import copy
import io
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from autovec import autovec
from tests.copying import copy_arguments
from tests.generator.check import internal
from tests.same import assert_same

LEAST_SHARE = 0.6


@dataclass(frozen=True, slots=True)
class Probe:
    """`open`: why it doesn't compile today; `python`: why it never should."""

    function: Callable[..., Any]
    calls: tuple[tuple[Any, ...], ...]
    open: str = ""
    python: str = ""
    signed_zeros: bool = False
    answers: bool = True  # False: every call ends in the original, by a fault or for what the arguments are

    @property
    def compiles(self) -> bool:
        return not self.open and not self.python

    def check(self) -> None:
        f = autovec(self.function, fallback="silent")
        answered = False
        for args in self.calls:
            assert_same(f, *args, signed_zeros=self.signed_zeros)
            same_place(f, args)
            failure = internal(f)
            assert failure is None, f"the compiler failed: {failure}\n{f.source}"
            answered = answered or not original_runs(f, args)
        blocked = f.report().blocked
        if self.compiles:
            assert blocked is None, f"it doesn't compile: {blocked}"
            assert answered or not self.answers, f"the original answers every call\n{f.source}"
        if self.open:
            assert blocked is not None or not answered, f"it compiles by now: {self.open}"
        if self.python:
            assert not answered, f"it compiles, and was meant to stay Python: {self.python}"


@dataclass(slots=True)
class Row:
    name: str
    probes: list[Probe] = field(default_factory=list)

    def probe(self, *calls: tuple[Any, ...], **declared: Any) -> Callable[[Any], Any]:
        def note(function: Any) -> Any:
            self.probes.append(Probe(function, calls, **declared))
            return function

        return note

    def test(self) -> Any:
        names = [p.function.__name__ for p in self.probes]
        assert len(set(names)) == len(names), f"two probes of one name in {self.name}"

        @pytest.mark.parametrize("probe", self.probes, ids=names)
        def test_row(probe: Probe) -> None:
            probe.check()

        return test_row

    def share_test(self) -> Any:
        def test_share() -> None:
            counted = [p for p in self.probes if not p.python]
            compiled = sum(p.compiles for p in counted)
            assert compiled >= LEAST_SHARE * len(counted), f"{self.name}: {compiled} of {len(counted)} probes compile"

        return test_share


def original_runs(f: Any, args: tuple[Any, ...]) -> bool:
    """Does this call, once more, come to the original?"""
    code, ran = f.original.__code__, []

    def watch(frame: Any, event: str, _: object) -> None:
        if event == "call" and frame.f_code is code:
            ran.append(True)

    copies = copy_arguments(args)
    with np.errstate(all="ignore"):
        sys.setprofile(watch)
        try:
            f(*copies)
        except Exception:
            pass
        finally:
            sys.setprofile(None)
    return bool(ran)


def same_place(f: Any, args: tuple[Any, ...]) -> None:
    """An exception comes through the same lines of the same functions, which the traceback shows, and for the same cause."""
    expected = _raised(f.original, args)
    actual = _raised(f, args)
    if expected is not None and actual is not None:
        files = {frame[0] for frame in expected[0]}
        actual = ([frame for frame in actual[0] if frame[0] in files], *actual[1:])
    assert expected == actual, f"raised at {actual}, expected {expected}"


def _raised(f: Callable[..., Any], args: tuple[Any, ...]) -> tuple[Any, ...] | None:
    """The frames below this one; what the exception holds, comes from and came while handling."""
    with np.errstate(all="ignore"), contextlib.redirect_stdout(io.StringIO()):
        try:
            f(*copy_arguments(args))
        except Exception as error:
            frames = [(s.filename, s.lineno, s.name, s.line) for s in traceback.extract_tb(error.__traceback__)[1:]]
            others = (repr(error.__cause__), repr(error.__context__), error.__suppress_context__)
            return frames, repr(error), *others
    return None


def both(make: Callable[[Any], tuple[Any, Any]], *calls: tuple[Any, ...]) -> None:
    """Original and decorated function, each made with surroundings of its own; what they return, raise and leave there.

    `make(decorate)` gives the function, as `decorate` makes it, and what reads the state around it.
    """
    plain, plain_state = make(lambda function: function)
    fast, fast_state = make(lambda function: autovec(function, fallback="silent"))
    for args in calls:
        for _ in range(2):

            def step(f: Any, state: Any, args: tuple[Any, ...] = args) -> Any:
                return lambda *copies: (f(*copies), copy.deepcopy(state()))

            assert_same(step(fast, fast_state), *args, original=step(plain, plain_state), calls=1)
