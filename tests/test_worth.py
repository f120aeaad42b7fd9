"""Never worse: what is too small for a compiled program runs as the original does, and the report says so."""

from __future__ import annotations

import math
import time
from dataclasses import replace

import numpy as np
import pytest

from autovec import AutovecWarning, autovec, pipeline
from autovec.diagnostics import Code
from autovec.frontend.source import find
from autovec.frontend.structures import MOST, description
from autovec.options import Options
from autovec.runtime import worth
from autovec.runtime.entry import Decision
from autovec.runtime.trial import Step, Trial
from tests.same import assert_same


def triangle(x):
    total = 0.0
    for i in range(len(x)):
        for j in range(i, len(x)):
            total += x[i] * x[j]
    return total


def halved(x):
    k = 0
    while x > 1.0:
        x = x / 2
        k += 1
    return k


def rows(a):
    out = np.zeros(len(a))
    for i in range(len(a)):
        out[i] = (a[i] * a[i]).sum()
    return out


def work(function, *args):
    names = function.__code__.co_varnames
    rewrite = pipeline.rewrite(find(function), dict(zip(names, args, strict=False)), Options())
    return rewrite.work


def test_work_counts_the_operations_of_the_persons_loops():
    counted = work(triangle, np.zeros(7))({"x_size0": 100})
    assert 15_000 <= counted <= 35_000
    assert work(triangle, np.zeros(7))({"x_size0": 1000}) == pytest.approx(100 * counted, rel=0.1)
    assert work(halved, 5.0)({}) == math.inf
    few = work(rows, np.zeros((7, 3)))({"a_size0": 10, "a_size1": 1000})
    assert few < 100  # an array operation is one statement, whatever its size


@pytest.fixture
def small(monkeypatch):
    monkeypatch.setattr(worth, "SMALL", 200.0)


def decision(f, x):
    """What was done with a call."""
    assert_same(f, x, calls=1)
    (variant,) = f._dispatch.variants
    return Decision.RUN if (x.shape,) in variant._trials else variant._decisions.get((x.shape,))


def test_a_small_call_is_left_to_the_original(small):
    f = autovec(triangle)
    assert decision(f, np.arange(3.0)) is Decision.ORIGINAL
    assert "run the original" in str(f.report())
    assert decision(f, np.arange(60.0)) is Decision.RUN
    assert "run the original" not in str(f.report())
    assert decision(f, np.arange(4.0)) is Decision.ORIGINAL


def test_many_shapes_must_be_worth_their_compilation(small, monkeypatch):
    monkeypatch.setattr(worth, "SHAPES_COMPILED", 2)
    f = autovec(triangle)
    monkeypatch.setattr(worth, "COMPILATION", 3500.0)
    run, undecided = Decision.RUN, None
    sizes = (30, 31, 32, 33, 32, 30, 32, 34)
    expected = [run, run, undecided, undecided, run, run, run, undecided]
    assert [decision(f, np.arange(float(n))) for n in sizes] == expected


def test_a_device_array_is_never_left_to_eager_operations(small):
    jnp = pytest.importorskip("jax.numpy")
    f = autovec(triangle)
    f(jnp.arange(3.0))
    (variant,) = f._dispatch.variants
    assert not variant.worth.small


def doubled(values):
    return [2.0 * v for v in values]


def summed(values):
    total = 0.0
    for v in values:
        total += v
    return total


def all_pairs(values):
    total = 0.0
    for v in values:
        for w in values:
            total += abs(v - w)
    return total


VALUES = [0.5 * k for k in range(200)]


@pytest.mark.parametrize("function", [doubled, summed])
def test_one_cheap_pass_over_a_list_stays_python(small, function):
    f = autovec(function, fallback="error")  # nothing is wrong with it: a warning at most
    with pytest.warns(AutovecWarning, match="not-profitable"):
        assert_same(f, VALUES)
    assert_same(f, [1.0], calls=1)
    assert_same(f, [1, 2], calls=1)
    assert {loop.code for loop in f.report().loops} == {Code.NOT_PROFITABLE}
    assert f(np.array(VALUES)) is not None and f.report().blocked is None


def test_two_loops_over_a_list_are_compiled(small):
    f = autovec(all_pairs, fallback="error")
    assert_same(f, VALUES)
    assert {str(loop.status) for loop in f.report().loops} == {"VECTORIZED"}


def test_what_stays_python_is_not_looked_through_at_each_call():
    """It is told apart by its first values, and a dict that holds too many to be parameters by its type."""
    numbers = list(range(5000))
    assert description({k: (k, k + 1) for k in numbers}) is dict
    assert description([0.5, *numbers]) == description([0.5, *numbers[: MOST - 1]])
    assert description([*numbers, "end"]) == description(numbers) == (list, int)
    assert description({"a": (1, 2), "b": (1, 2.0)}) != description({"a": (1, 2), "b": (1, 2)})


def average(c, n=5):
    out = [np.nan] * n
    out.append(c[n])
    for i in range(n + 1, len(c)):
        change = sum(abs(c[j] - c[j - 1]) for j in range(i - n + 1, i + 1))
        out.append(out[-1] + change * (c[i] - out[-1]))
    return out


def test_what_is_never_worth_a_kernel_is_asked_ever_more_rarely(monkeypatch):
    """Each i is a size of the kernel in the loop, and would be decided on anew."""
    monkeypatch.setattr(worth, "SMALL", 500.0)
    f = autovec(average, fallback="silent")
    x = np.random.default_rng(1).normal(size=300) * 0.1
    asked = []
    decide = worth.Worth.compiling
    monkeypatch.setattr(worth.Worth, "compiling", lambda self, arguments: asked.append(1) or decide(self, arguments))
    for _ in range(20):
        assert_same(f, x, calls=1)
    assert 0 < len(asked) < 200  # of 20 * 294


def test_a_cut_function_asks_its_kernels_again_where_more_is_to_do(monkeypatch):
    monkeypatch.setattr(worth, "SMALL", 500.0)

    def total(x, log):
        s = 0.0
        for v in x:
            s += v * v
        log.add(len(x))
        return s

    f = autovec(total, fallback="silent")
    for _ in range(40):
        assert_same(f, np.ones(5), set(), calls=1)
    kernel = f._divisions.last.kernels[0]
    assert all(v.worth.small for v in kernel.dispatch.variants)
    assert_same(f, np.ones(5000), set(), calls=1)
    assert any(not v.worth.small for v in kernel.dispatch.variants)


def times(f, n, program, monkeypatch):
    """The decisions of six calls, of a program that takes so many seconds; the original takes some ms."""
    x = np.arange(float(n))
    f(x)
    (variant,) = f._dispatch.variants
    assert variant._kernel is not None
    run = variant._kernel.run

    def slow(*arguments):
        time.sleep(program)
        return run(*arguments)

    monkeypatch.setattr(variant, "_kernel", replace(variant._kernel, run=slow))
    asked = []
    monkeypatch.setattr(variant, "_call", lambda arguments: asked.append(1) or triangle(*arguments))
    found = []
    for _ in range(5):
        asked.clear()
        assert_same(f, x, calls=1)
        found.append("original" if asked else "program")
    return found, variant._decisions.get((x.shape,))


def test_a_program_that_turns_out_slower_is_left(small, monkeypatch):
    f = autovec(triangle)
    found, decision = times(f, 60, 0.2, monkeypatch)
    assert found == ["program", "program", "original", "original", "original"]
    assert decision is Decision.ORIGINAL
    assert "faster when both were timed" in str(f.report())


def test_a_program_that_is_faster_stays(small, monkeypatch):
    f = autovec(triangle)
    found, decision = times(f, 200, 0.0, monkeypatch)
    assert found == ["program", "program", "original", "program", "program"]
    assert decision is Decision.RUN
    assert "original" not in str(f.report())
    assert times(f, 300, 0.0, monkeypatch)[0] == ["program"] * 5  # once is enough


def test_a_long_original_is_not_asked():
    trial = Trial(estimate=10.0)
    for seconds in (0.02, 0.01):
        assert trial.next() is Step.PROGRAM
        trial.ran(seconds)
    assert trial.next() is Step.KEEP


def test_shapes_of_unknown_work_must_be_worth_their_compilation_too(small, monkeypatch):
    def halves(x):
        k = 0
        for v in x:
            while v > 1.0:
                v = v / 2
                k += 1
        return k

    monkeypatch.setattr(worth, "SHAPES_COMPILED", 2)
    monkeypatch.setattr(worth, "COMPILATION", 0.05 / worth.OPERATION)
    f = autovec(halves)
    run, undecided = Decision.RUN, None
    assert [decision(f, np.arange(float(n))) for n in (3, 4, 5, 5)] == [run, run, undecided, undecided]
    (variant,) = f._dispatch.variants
    monkeypatch.setattr(variant, "_call", lambda arguments: time.sleep(0.05) or halves(*arguments))
    assert [decision(f, np.arange(float(n))) for n in (5, 5)] == [undecided, run]


def merged(items):
    """A merge sort from the bottom up, whose kernel meets another pair of slices in each round."""
    width = 1
    while width < len(items):
        for begin in range(0, len(items), 2 * width):
            left, right = items[begin : begin + width], items[begin + width : begin + 2 * width]
            k, i, j = begin, 0, 0
            while i < len(left) or j < len(right):
                if j >= len(right) or (i < len(left) and left[i] <= right[j]):
                    items[k] = left[i]
                    i += 1
                else:
                    items[k] = right[j]
                    j += 1
                k += 1
        width *= 2
    return items


def test_a_kernel_is_not_compiled_for_each_of_many_shapes(small, monkeypatch):
    monkeypatch.setattr(worth, "SHAPES_COMPILED", 3)
    f = autovec(merged, fallback="silent")
    assert_same(f, [(i * 7919) % 1009 for i in range(50)], calls=2)
    host = f._divisions.last
    assert host is not None
    assert [k.dispatch._compiled.shapes for k in host.kernels] == [3]
