"""Loops over single numbers are compiled as one function on the CPU, whatever XLA finds out about them."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from autovec import autovec
from autovec.runtime import native_loops
from autovec.runtime.native_loops import with_native_loops
from tests.same import assert_same

X = np.linspace(0.5, 2.0, 6)


def text(function: Any, *arguments: Any) -> str:
    return jax.jit(with_native_loops(function)).lower(*arguments).as_text()


def is_marked(function: Any, *arguments: Any) -> bool:
    return "xla_cpu_small_call" in text(function, *arguments)


def elements(x: Any) -> Any:
    def step(i: Any, x: Any) -> Any:
        for k in range(1, 8):
            x = x.at[i].set(jnp.where(x[i - k] > 1.0, x[i] * 0.5, x[i] + x[i - k]))
        return x

    return lax.fori_loop(0, x.shape[0], step, x)


def whole_arrays(x: Any) -> Any:
    def step(i: Any, x: Any) -> Any:
        for k in range(1, 12):
            x = jnp.sin(x) + x[i] * k
        return x

    return lax.fori_loop(0, x.shape[0], step, x)


def one_operation(x: Any) -> Any:
    return lax.fori_loop(0, x.shape[0], lambda i, x: x.at[i].set(x[i - 1] * 0.5), x)


def elements_within_arrays(x: Any) -> Any:
    return lax.fori_loop(0, 3, lambda _, x: elements(jnp.sin(x) + jnp.max(x)), x)


def several_places(x: Any) -> Any:
    def step(i: Any, x: Any) -> Any:
        places = jnp.stack([i, i + 1, i + 2])
        for k in range(10):
            x = x.at[places].add(x[k])
        return x

    return lax.fori_loop(0, x.shape[0], step, x)


def test_loops_over_elements_are_marked():
    large = np.ones(100)
    assert is_marked(elements, large)
    assert is_marked(elements_within_arrays, large)
    assert not is_marked(whole_arrays, large)
    assert not is_marked(one_operation, large)
    assert not is_marked(several_places, large)
    assert not is_marked(elements, np.ones(1))


def test_only_where_it_was_tried(monkeypatch: pytest.MonkeyPatch):
    assert native_loops.is_tried("0.10.2") and native_loops.is_tried("0.12.0.1")
    assert not native_loops.is_tried("0.13.0") and not native_loops.is_tried("1.0.0")
    monkeypatch.setenv("AUTOVEC_NATIVE_LOOPS", "0")
    assert not is_marked(elements, np.ones(100))


@pytest.mark.parametrize("function", [elements, elements_within_arrays, whole_arrays, several_places])
def test_values(function: Any):
    for n in (1, 2, 6, 100):
        x = np.linspace(0.5, 2.0, n)
        np.testing.assert_allclose(jax.jit(with_native_loops(function))(x), function(jnp.asarray(x)), rtol=1e-5)


# ---------------------------------------------------------------- what XLA takes to pieces

CONSTANTS: dict[str, Any] = {
    "nothing changes": lambda x, n: lax.fori_loop(0, n, lambda i, c: c, (2.0, False)),
    "always the same": lambda x, n: lax.fori_loop(0, n, lambda i, c: (0.0, False), (0.0, False)),
    "an array of no use": lambda x, n: lax.fori_loop(0, n, lambda i, c: (c[0] + 1, x[i]), (0, 0.0))[0],
    "no trip": lambda x, n: lax.fori_loop(0, n * 0, lambda i, c: (c[0] + x[i], c[1]), (0.0, False)),
    "no trip inside": lambda x, n: lax.fori_loop(
        0, n, lambda i, c: lax.fori_loop(0, 0, lambda j, c: (c[0] + x[j], c[1]), c), (0.0, False)
    ),
    "one trip": lambda x, n: lax.fori_loop(0, 1, lambda i, c: (c[0] + x[i], c[1]), (0.0, False)),
    "a branch never taken": lambda x, n: lax.fori_loop(
        0, n, lambda i, c: (lax.cond(c[1], lambda: x[i], lambda: 0.0), False), (0.0, False)
    ),
    "constants given": lambda x, n: lax.fori_loop(
        0, n, lambda i, c: (c[0] + jnp.array([1.0, 2.0])[i], c[1]), (0.0, jnp.array(3))
    ),
    "an array as it was": lambda x, n: lax.fori_loop(0, n, lambda i, c: (c[0], c[1] + x[i]), (x, 0.0)),
    "arrays exchanged": lambda x, n: lax.fori_loop(0, n, lambda i, c: (c[1], c[0].at[i].set(1.0)), (x, x * 2)),
    "overwritten": lambda x, n: lax.fori_loop(0, 2, lambda i, c: (x[i], c[1] * 0), (x[3], n)),
}


@pytest.mark.parametrize("name", CONSTANTS)
def test_every_argument_has_a_use(name: str, monkeypatch: pytest.MonkeyPatch):
    # XLA would abort the process
    monkeypatch.setattr(native_loops, "FEW", 0)
    function = CONSTANTS[name]
    for n in (0, 1, 2):
        expected = jax.tree.leaves(jax.jit(function)(X, n))
        actual = jax.tree.leaves(jax.jit(with_native_loops(function))(X, n))
        for one, other in zip(actual, expected, strict=True):
            np.testing.assert_array_equal(one, other)
            assert one.dtype == other.dtype
    plain = jax.jit(lambda x: function(x, 2))(X)
    still = jax.jit(with_native_loops(lambda x: function(x, 2)))(X)
    for one, other in zip(jax.tree.leaves(still), jax.tree.leaves(plain), strict=True):
        np.testing.assert_array_equal(one, other)


# ---------------------------------------------------------------- whole programs


def topples(grid):
    moved = 0
    for i in range(1, len(grid) - 1):
        for j in range(1, grid.shape[1] - 1):
            if grid[i, j] >= 4:
                grid[i, j] -= 4
                grid[i - 1, j] += 1
                grid[i + 1, j] += 1
                grid[i, j - 1] += 1
                grid[i, j + 1] += 1
                moved += 1
    return moved


def unites(parent, a, b):
    for x, y in zip(a, b, strict=True):
        while parent[x] != x:
            parent[x] = parent[parent[x]]
            x = parent[x]
        while parent[y] != y:
            y = parent[y]
        if x != y:
            parent[x] = y


def test_programs():
    rng = np.random.default_rng(1)
    for n in (2, 3, 6):
        assert_same(autovec(topples), rng.integers(0, 9, (n, n)))
    for n in (1, 2, 9):
        assert_same(autovec(unites), np.arange(n), rng.integers(0, n, n), rng.integers(0, n, n))
