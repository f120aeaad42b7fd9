"""`verify=True` and AUTOVEC_VERIFY=1: a difference withdraws the rewrite, is said once, and the original's answer stands."""

from __future__ import annotations

import dataclasses
import warnings

import numpy as np
import pytest

from autovec import AutovecWarning, autovec, pipeline
from autovec.options import Options

A = np.array([1.5, -2.0, 3.0, 0.5])


class Box:
    def __init__(self):
        self.x = np.arange(4.0)
        self.count = 0


def total(a, items, box):
    s = 0.0
    for i in range(len(a)):
        a[i] = a[i] * 2
        s += a[i]
    for i in range(len(a)):
        items[i] = 3.0
        box.x[i] += a[i]
    return s


def arguments():
    return A.copy(), [0.0, 1.0, 2.0, 4.0], Box()


@pytest.fixture
def wrong(monkeypatch):
    """Programs that double what they should add."""
    compiled = pipeline.rewrite

    def altered(source, given, options, *more):
        made = compiled(source, given, options, *more)
        if made.program is None:
            return made
        text = made.program.source.replace("2.0", "4.0").replace("3.0", "5.0")
        assert text != made.program.source
        return dataclasses.replace(made, program=dataclasses.replace(made.program, source=text), sequential=None)

    monkeypatch.setattr(pipeline, "rewrite", altered)


def outcome(f):
    a, items, box = given = arguments()
    return f(*given), a.tolist(), items, box.x.tolist(), box.count


def test_a_difference_is_put_right_said_once_and_withdrawn(wrong):
    f = autovec(total, verify=True)
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        answers = [outcome(f) for _ in range(5)]
    assert answers == [outcome(total)] * 5
    said = [str(w.message) for w in heard if w.category is AutovecWarning]
    assert len(said) == 1 and "differs from the original" in said[0] and "result differs by" in said[0]


def test_without_it_the_wrong_program_would_have_answered(wrong):
    f = autovec(total, fallback="silent")
    assert outcome(f) != outcome(total)


@pytest.mark.parametrize(("value", "on"), [("1", True), ("yes", True), ("0", False), ("", False)])
def test_the_environment_turns_it_on(monkeypatch, value, on):
    monkeypatch.setenv("AUTOVEC_VERIFY", value)
    assert autovec(total).options == Options(verify=on)
    assert autovec(fallback="silent")(total).options.verify is on


def test_the_environment_finds_a_difference(monkeypatch, wrong):
    monkeypatch.setenv("AUTOVEC_VERIFY", "1")
    f = autovec(total)
    with pytest.warns(AutovecWarning, match="differs from the original"):
        assert outcome(f) == outcome(total)


def test_what_agrees_stays_compiled():
    f = autovec(total, verify=True)
    assert [outcome(f) for _ in range(5)] == [outcome(total)] * 5
    assert f.report().blocked is None


def test_exceptions_and_writes_outside():
    def fails(a, n):
        for i in range(n):
            a[i] += 1
        return a

    f = autovec(fails, verify=True, fallback="silent")
    assert f(A.copy(), 4).tolist() == (A + 1).tolist()
    a = A.copy()
    with pytest.raises(IndexError, match="index 4 is out of bounds"):
        f(a, 5)
    assert a.tolist() == (A + 1).tolist()

    table = np.zeros(4)

    @autovec(verify=True, fallback="silent")
    def adds(a):
        for i in range(len(a)):
            table[i] += a[i]

    for _ in range(5):
        adds(A)
    assert table.tolist() == (5 * A).tolist()  # once for each call
