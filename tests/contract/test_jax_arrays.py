"""JAX arrays in, JAX arrays out: JAX's own meaning, under the person's own x64 setting."""

# ruff: noqa: B007
from __future__ import annotations

from collections.abc import Iterator

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from autovec import autovec
from tests.contract.rows import Row
from tests.same import assert_same

A = jnp.array([1.5, -2.0, 3.0, 0.5], jnp.float32)
K = jnp.array([3, 1, 0, 2], jnp.int32)
M = jnp.arange(12.0, dtype=jnp.float32).reshape(3, 4)
HOST = np.array([1.5, -2.0, 3.0, 0.5])

# JAX says so itself where it narrows or clamps
pytestmark = [
    pytest.mark.filterwarnings("ignore:Explicitly requested dtype:UserWarning"),
    pytest.mark.filterwarnings("ignore:scatter inputs have incompatible types:FutureWarning"),
]


@pytest.fixture(params=[False, True], ids=["x32", "x64"])
def x64(request: pytest.FixtureRequest) -> Iterator[bool]:
    before = jax.config.jax_enable_x64
    jax.config.update("jax_enable_x64", request.param)
    yield request.param
    jax.config.update("jax_enable_x64", before)


row = Row("jax arrays")


@row.probe((A,), (A[:1],))
def total(a):
    s = 0.0
    for i in range(len(a)):
        s += a[i]
    return s


@row.probe((A, 2.0), (A, 2), (K, 2.5), (A, np.float32(2.0)))
def scaled(a, t):
    s = a[0] * 0
    for i in range(len(a)):
        s = s + a[i] * t
    return s


@row.probe((A, K), (K, A), open="ints among floats: JAX promotes them in its own way")
def mixed(a, b):
    s = a[0] * b[0]
    for i in range(1, len(a)):
        s = s + a[i] * b[i]
    return s


@row.probe((A, HOST), (HOST, A))
def host_and_device(a, b):
    s = 0.0
    for i in range(len(a)):
        s += a[i] * b[i]
    return s


@row.probe((M,))
def row_sums(m):
    return [m[i].sum() for i in range(m.shape[0])]


@row.probe((M,))
def array_of_rows(m):
    s = m[0] * 0
    for i in range(m.shape[0]):
        s = s + m[i] * m[i]
    return s


@row.probe((A,))
def largest(a):
    m = a[0]
    for i in range(1, len(a)):
        if a[i] > m:
            m = a[i]
    return m


@row.probe((A,))
def counted(a):
    n = 0
    for x in a:
        if x > 0:
            n += 1
    return n


@row.probe((A, 2), (A, 7))
def out_of_range(a, k):
    s = 0.0
    for i in range(2):
        s += a[k]
    return s


@row.probe((A,), open="item assignment raises", answers=False)
def item_assignment(a):
    for i in range(len(a)):
        a[i] = 0.0
    return a


@row.probe((A,), open="JAX's own methods")
def functional_update(a):
    for i in range(len(a)):
        a = a.at[i].set(a[i] * 2)
    return a


@row.probe((A,), open="functions of JAX")
def jax_functions(a):
    s = 0.0
    for i in range(len(a)):
        s += jnp.sin(a[i])
    return s


@row.probe((A,))
def recurrence(a):
    s = a[0]
    for i in range(1, len(a)):
        s = s * 0.5 + a[i]
    return s


@row.probe((A, 1), (A, 3))
def argument_comes_back(a, n):
    s = 0.0
    for i in range(n):
        s += a[i]
    return a, s


@row.probe((K,))
def integers(k):
    s = 0
    p = k[0]
    for i in range(len(k)):
        s += k[i] * 3 // 2 - k[i] % 2
        p = p * 2
    return s, p


@pytest.mark.parametrize("probe", row.probes, ids=lambda p: p.function.__name__)
def test_row(probe, x64):
    probe.check()


test_share = row.share_test()


def test_dtypes_follow_the_setting(x64):
    def f(a, n):
        s = a[0]
        for i in range(1, n):
            s = s + a[i]
        return s

    for a in (jnp.arange(4.0), jnp.arange(4), jnp.arange(4.0, dtype=jnp.float16), jnp.arange(4) > 1):
        assert_same(autovec(f, fallback="silent"), a, 4)


def test_ints_that_become_floats_are_jax_s(x64):
    def f(k, x):
        s = k[0] * x[0]
        for i in range(1, len(k)):
            s = s + k[i] * x[i] + k[i] / k[0] + np.float32(0.5)
        return s, k[1] * 2.5, k[1] / 2

    assert_same(autovec(f, fallback="silent"), K, A)
    assert_same(autovec(f, fallback="silent"), K, K)


def test_numpy_functions_count_as_jax_s():
    """Documented: NumPy's function makes a NumPy number of a `jax.Array`; rewritten, it stays one."""

    def f(a):
        s = 0.0
        for i in range(len(a)):
            s += np.sqrt(np.abs(a[i]))
        return s

    found = autovec(f)(A)
    assert isinstance(found, jax.Array) and np.isclose(float(found), float(f(A)))


def test_the_setting_may_change_between_calls():
    def f(a):
        s = 0.0
        for i in range(len(a)):
            s += a[i] * 0.1
        return s

    g = autovec(f, fallback="silent")
    before = jax.config.jax_enable_x64
    try:
        for x64 in (False, True, False):
            jax.config.update("jax_enable_x64", x64)
            assert_same(g, jnp.arange(4.0))
            assert_same(g, np.arange(4.0))
            assert jax.config.jax_enable_x64 is x64
    finally:
        jax.config.update("jax_enable_x64", before)


def test_numpy_and_jax_calls_alternate():
    g = autovec(total, fallback="silent")
    for a in (np.asarray(A), A, np.asarray(A), A):
        assert_same(g, a)
    assert g.report().blocked is None
