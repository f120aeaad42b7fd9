"""Never worse: what is too small for a compiled program runs as the original does, and the report says so."""

from __future__ import annotations

import math

import numpy as np
import pytest

from autovec import autovec, pipeline
from autovec.frontend.source import find
from autovec.options import Options
from autovec.runtime import worth
from autovec.runtime.entry import Decision
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


def test_work_counts_the_statements_of_the_persons_loops():
    (size,) = work(triangle, np.zeros(7)).__code__.co_freevars and ("x_size0",)
    counted = work(triangle, np.zeros(7))({size: 100})
    assert 5_000 <= counted <= 25_000
    assert work(triangle, np.zeros(7))({size: 1000}) == pytest.approx(100 * counted, rel=0.1)
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
    return variant._decisions.get((x.shape,))


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
    monkeypatch.setattr(worth, "COMPILATION", 2500.0)
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
