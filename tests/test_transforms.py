"""jit, vmap, grad, jvp and their compositions over decorated functions, for each role that a plan can give a loop.

Values are compared with the original, derivatives with its central differences in float64; where a mask or a partial
function is about, at points where a careless rewrite gives NaN.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from autovec import autovec
from autovec.diagnostics import AutovecError
from tests.programs import polybench
from tests.programs.loops_arrays import n_body, solves
from tests.programs.loops_building import comprehension_triangle, reversed_horner
from tests.programs.loops_control import gather, masked_update, safe_division, scatter_add, sparse_product
from tests.programs.loops_dependences import matrix_product, smooth
from tests.programs.starting import pair_energy, pair_list, pair_norms, pair_norms_linalg, pair_sum


@pytest.fixture(autouse=True)
def in_double_precision() -> Iterator[None]:
    with jax.enable_x64(True):
        yield


# ---------------------------------------------------------------- programs that the shared ones lack


def total_of_sines(x, a):
    s = 0.0
    for i in range(len(x)):
        s += np.sin(x[i]) * a
    return s


def largest(x):
    m = x[0]
    for i in range(1, len(x)):
        if x[i] > m:
            m = x[i]
    return m


def triangular_recurrence(L, b):
    n = len(b)
    x = np.zeros(n)
    for i in range(n):
        s = b[i]
        for j in range(i):
            s = s * 0.9 + L[i, j] * x[j] * s
        x[i] = s / L[i, i]
    return x


def backwards(x):
    n = len(x)
    y = x.copy()
    for i in range(n):
        for j in range(i - 1, -1, -1):
            y[j] = y[j] * np.cos(y[j + 1]) + x[i]
    return y


def until_negative(x):
    s = 0.0
    for i in range(len(x)):
        if x[i] < 0:
            break
        s += np.sqrt(x[i]) * s + x[i]
    return s


def positives(x):
    found = []
    for i in range(len(x)):
        if x[i] > 0:
            found.append(x[i] * x[i])
    return found


def newton(a):
    x = a
    while abs(x * x - a) > 1e-12 * a:
        x = 0.5 * (x + a / x)
    return x


def mixed(x, n):
    y = x.copy()
    for _ in range(n):
        for i in range(1, len(x)):
            y[i] = np.sin(y[i - 1]) * x[i] + y[i]
    return y.sum()


def lennard_jones(x, cutoff):
    e = 0.0
    for i in range(len(x)):
        for j in range(i + 1, len(x)):
            r = np.sqrt(((x[i] - x[j]) ** 2).sum())
            if r < cutoff:
                t = 1.0 / r**6
                e += t * t - t
    return e


def masked_logarithm(x):
    s = 0.0
    for i in range(len(x)):
        if x[i] > 0:
            s += x[i] * np.log(x[i])
    return s


def softplus(x):
    s = 0.0
    for i in range(len(x)):
        s += np.log(1.0 + np.exp(x[i])) if x[i] < 30.0 else x[i]
    return s


def powers(x, p):
    out = np.zeros(len(x))
    for i in range(len(x)):
        if x[i] > 0:
            out[i] = x[i] ** p
    return out


def root_used_twice(x, y):
    for i in range(len(x)):
        if x[i] > 0:
            s = np.sqrt(x[i])
            y[i] = s + 1.0 / s


def reciprocal_of_columns(x):
    n = len(x)
    s = 0.0
    for i in range(n):
        for j in range(i + 1, n):
            s += x[i] / x[j]
    return s


def elements(n: int, *shape: int) -> np.ndarray:
    return np.random.default_rng(n).normal(size=shape)


def well_conditioned(n: int) -> np.ndarray:
    return elements(n, n, n) + 3.0 * np.eye(n)


# ---------------------------------------------------------------- one program under all transforms


@dataclass(frozen=True)
class Case:
    """A program with its arguments; derivatives are taken by those that are float arrays or floats."""

    fn: Callable[..., Any]
    make: Callable[[], tuple[Any, ...]]
    reverse: str = ""  # what stops reverse mode
    pick: Callable[[Any], Any] = lambda value: value  # from what both return, what is compared

    @cached_property
    def arguments(self) -> tuple[Any, ...]:
        return self.make()

    @cached_property
    def decorated(self) -> Any:
        return autovec(self.fn, fallback="error")

    @cached_property
    def by(self) -> tuple[int, ...]:
        return tuple(
            k
            for k, a in enumerate(self.arguments)
            if type(a) is float or (isinstance(a, np.ndarray) and a.dtype.kind == "f")
        )

    def given(self, values: Any) -> list[Any]:
        """The arguments with these in the places of the differentiated ones."""
        arguments = list(copy.deepcopy(self.arguments))
        for k, value in zip(self.by, values, strict=True):
            arguments[k] = value
        return arguments

    def original(self, *values: Any) -> np.ndarray:
        """All that the original returns and writes, as one vector."""
        values = tuple(float(v) if np.ndim(v) == 0 else np.array(v) for v in values)
        arguments = self.given(values)
        before = copy.deepcopy(arguments)
        value = self.pick(self.fn(*arguments))
        names = self.fn.__code__.co_varnames
        written = {
            names[k]: a
            for k, a in enumerate(arguments)
            if isinstance(a, np.ndarray) and not np.array_equal(a, before[k])
        }
        return flat((value, written) if written else value, np)

    def rewritten(self, *values: Any) -> jax.Array:
        return flat(self.pick(self.decorated.jax(*self.given(values))), jnp)

    def weighted(self, *values: Any) -> jax.Array:
        results = self.rewritten(*values)
        return jnp.sum(results * weights(results.size))

    @cached_property
    def points(self) -> tuple[Any, ...]:
        return tuple(self.arguments[k] for k in self.by)

    @cached_property
    def directions(self) -> tuple[Any, ...]:
        return tuple(elements(k + 1, *np.shape(p)) for k, p in enumerate(self.points))

    @cached_property
    def slope(self) -> float:
        """The central difference of the weighted results along the directions."""

        def at(step: float) -> float:
            results = self.original(*(p + step * d for p, d in zip(self.points, self.directions, strict=True)))
            return float(results @ weights(results.size))

        return (at(1e-6) - at(-1e-6)) / 2e-6


def flat(tree: Any, xp: Any) -> Any:
    leaves = [xp.ravel(xp.asarray(leaf, dtype=float)) for leaf in jax.tree.leaves(tree)]
    return xp.concatenate(leaves)


@cache
def weights(n: int) -> np.ndarray:
    return np.random.default_rng(7).normal(size=n)


CASES = {
    "map": Case(masked_update, lambda: (np.abs(elements(0, 5)) + 0.1, elements(1, 5))),
    "reduce": Case(total_of_sines, lambda: (elements(0, 5), 1.5)),
    "reduce triangle": Case(pair_sum, lambda: (elements(0, 5, 3),)),
    "reduce extreme": Case(largest, lambda: (elements(0, 6),)),
    "contract": Case(matrix_product, lambda: (elements(0, 3, 4), elements(1, 4, 2))),
    "contract in place": Case(polybench.gemm, lambda: polybench.KERNELS["gemm"].make(3)),
    "contract triangle": Case(polybench.trmm, lambda: polybench.KERNELS["trmm"].make(4)),
    "seq static": Case(smooth, lambda: (elements(0, 5), elements(1, 5), 0.3)),
    "seq scalar": Case(reversed_horner, lambda: (elements(0, 4), 0.7)),
    "seq time steps": Case(mixed, lambda: (elements(0, 4), 3)),
    "seq triangular": Case(triangular_recurrence, lambda: (well_conditioned(4), elements(1, 4))),
    "seq backwards": Case(backwards, lambda: (elements(0, 4),)),
    "seq factorisation": Case(polybench.lu, lambda: polybench.KERNELS["lu"].make(4)),
    "seq break": Case(until_negative, lambda: (np.array([1.0, 0.5, 0.3, -1.0, 0.2, 0.7]),)),
    "scatter": Case(scatter_add, lambda: (elements(0, 4), np.array([1, 3, 1, 0, 1]), elements(1, 5))),
    "gather": Case(gather, lambda: (elements(0, 6), np.array([3, 0, 5, 3, -1]))),
    "pack triangle": Case(comprehension_triangle, lambda: (elements(0, 5),)),
    "pack rows": Case(pair_list, lambda: (elements(0, 4, 2),)),
    "linalg": Case(solves, lambda: (well_conditioned(3), elements(1, 3, 2))),
    "while": Case(newton, lambda: (2.0,), reverse=r"the while loop in line \d+"),
    "bounds from data": Case(
        sparse_product,
        lambda: (np.array([0, 2, 2, 5]), np.array([0, 3, 1, 2, 3]), elements(0, 5), elements(1, 4), elements(2, 3)),
        reverse=r"the loop over k in line \d+",
    ),
    # at these points a masked element has an infinite slope
    "nan map": Case(masked_update, lambda: (np.array([1.0, 0.0, -1.0, 4.0]), elements(1, 4))),
    "nan norm": Case(pair_norms, lambda: (elements(0, 4, 3),)),
    "nan norm of linalg": Case(pair_norms_linalg, lambda: (elements(0, 4, 3),)),
    "nan energy": Case(pair_energy, lambda: (elements(0, 4, 3),)),
    "nan potential": Case(lennard_jones, lambda: (2.0 * elements(0, 4, 3), 3.0)),
    "nan logarithm": Case(masked_logarithm, lambda: (np.array([1.0, 0.0, -2.0, 3.0]),)),
    "nan overflow": Case(softplus, lambda: (np.array([1.0, 1000.0, -800.0]),)),
    "nan power": Case(powers, lambda: (np.array([2.0, 0.0, -1.0, 3.0]), 0.5)),
    "nan used twice": Case(root_used_twice, lambda: (np.array([2.0, 0.0, -1.0, 3.0]), elements(1, 4))),
    "nan column": Case(reciprocal_of_columns, lambda: (np.array([0.0, 2.0, 3.0, -1.0]),)),
    "nan division": Case(safe_division, lambda: (elements(0, 4), np.array([1.0, 0.0, 2.0, -3.0]), elements(1, 4))),
    "nan forces": Case(n_body, lambda: (elements(0, 4, 3), np.abs(elements(1, 4)) + 0.5)),
}
DIFFERENTIABLE = [name for name, case in CASES.items() if not case.reverse]
# differences across the step of a condition mean nothing
KINKED = {"nan map", "nan logarithm", "nan power", "nan used twice", "nan division"}


def is_smooth(name: str) -> bool:
    return name not in KINKED


@pytest.mark.parametrize("name", CASES)
def test_jit(name: str):
    case = CASES[name]
    np.testing.assert_allclose(
        jax.jit(case.rewritten)(*case.points), case.original(*case.points), rtol=1e-9, atol=1e-12
    )


@pytest.mark.parametrize("name", CASES)
def test_vmap(name: str):
    """Batched in every argument at once, and in the first alone."""
    case = CASES[name]
    batches = tuple(np.stack([p, p * 1.25]) for p in case.points)
    expected = [case.original(*(b[k] for b in batches)) for k in range(2)]
    np.testing.assert_allclose(jax.jit(jax.vmap(case.rewritten))(*batches), expected, rtol=1e-9, atol=1e-12)
    if len(batches) > 1:
        first, *rest = batches
        axes = (1, *(None for _ in rest))
        moved = np.moveaxis(first, 0, -1) if first.ndim == 1 else np.swapaxes(first, 0, 1)
        axes = (0, *axes[1:]) if first.ndim == 1 else axes
        made = jax.vmap(case.rewritten, in_axes=axes)(moved, *(r[0] for r in rest))
        second = case.original(first[1], *(r[0] for r in rest))
        np.testing.assert_allclose(made[1], second, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("name", CASES)
def test_jvp(name: str):
    case = CASES[name]
    value, slope = jax.jit(lambda: jax.jvp(case.weighted, case.points, case.directions))()
    assert np.isfinite(value) and np.isfinite(slope)
    if is_smooth(name):
        np.testing.assert_allclose(slope, case.slope, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("name", DIFFERENTIABLE)
def test_grad(name: str):
    """Alone and of a batch; along the directions it is the slope, by which its elements are all tested."""
    case = CASES[name]
    gradient = jax.grad(case.weighted, argnums=tuple(range(len(case.points))))
    batches = tuple(np.stack([p, p]) for p in case.points)
    alone, batched = jax.jit(lambda: (gradient(*case.points), jax.vmap(gradient)(*batches)))()
    slope = sum(float(np.sum(g * d)) for g, d in zip(alone, case.directions, strict=True))
    forward = jax.jvp(case.weighted, case.points, case.directions)[1]
    np.testing.assert_allclose(slope, forward, rtol=1e-9, atol=1e-12)
    for one, many in zip(alone, batched, strict=True):
        assert np.isfinite(one).all()
        np.testing.assert_allclose(many, [one, one], rtol=1e-9, atol=1e-12)
    if is_smooth(name):
        np.testing.assert_allclose(slope, case.slope, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case.reverse])
def test_what_has_no_gradient_names_the_loop(name: str):
    case = CASES[name]
    for transformed in (jax.grad(case.weighted), jax.grad(jax.jit(case.weighted)), jax.jit(jax.grad(case.weighted))):
        with pytest.raises(AutovecError, match=case.reverse):
            transformed(*case.points)
    jacobian = jax.jacfwd(case.weighted)(*case.points)
    slope = jax.jvp(lambda x: case.weighted(x, *case.points[1:]), case.points[:1], case.directions[:1])[1]
    np.testing.assert_allclose(np.sum(jacobian * case.directions[0]), slope, rtol=1e-9)


# ---------------------------------------------------------------- beside the gradient of hand-written JAX


def energy_by_hand(x):
    i, j = np.triu_indices(len(x), 1)
    return jnp.sum(1.0 / jnp.sqrt(jnp.sum((x[i] - x[j]) ** 2, axis=1)))


def smooth_by_hand(x, alpha):
    def step(s, v):
        s = alpha * v + (1 - alpha) * s
        return s, s

    return jnp.sum(jnp.concatenate([x[:1], jax.lax.scan(step, x[0], x[1:])[1]]) ** 2)


def smooth_energy(x, alpha):
    out = np.zeros(len(x))
    out[0] = x[0]
    for i in range(1, len(x)):
        out[i] = alpha * x[i] + (1 - alpha) * out[i - 1]
    return (out**2).sum()


@pytest.mark.parametrize(
    ("fn", "by_hand", "arguments"),
    [
        (pair_energy, energy_by_hand, (elements(0, 4, 3),)),
        (smooth_energy, smooth_by_hand, (elements(0, 5), 0.3)),
    ],
)
def test_derivatives_of_hand_written_jax(fn: Any, by_hand: Any, arguments: tuple[Any, ...]):
    f = autovec(fn, fallback="error")
    for derivative in (jax.grad, jax.jacfwd, jax.jacrev, jax.hessian):
        # f itself stands under the traces as f.jax does
        made, made_by_f = jax.jit(lambda d=derivative: (d(f.jax)(*arguments), d(f)(*arguments)))()
        expected = jax.jit(derivative(by_hand))(*arguments)
        np.testing.assert_allclose(made, expected, rtol=1e-8, atol=1e-9)
        np.testing.assert_allclose(made_by_f, expected, rtol=1e-8, atol=1e-9)


def test_einsum_gradient():
    f = autovec(matrix_product, fallback="error")
    a, b, g = elements(0, 3, 4), elements(1, 4, 2), elements(2, 3, 2)
    assert "einsum" in (f(a, b), f.source)[1] or "@" in f.source
    da, db = jax.vjp(f.jax, a, b)[1](g)
    np.testing.assert_allclose(da, g @ b.T)
    np.testing.assert_allclose(db, a.T @ g)


# ---------------------------------------------------------------- what comes out


def test_written_arguments_come_as_results():
    f = autovec(scatter_add, fallback="error")
    out, idx, w = np.zeros(3), np.array([2, 0, 2]), elements(0, 3)
    value, writes = jax.jit(f.jax)(out, idx, w)
    assert value is None and list(writes) == ["out"] and not out.any()
    np.testing.assert_allclose(writes["out"], [w[1], 0.0, w[0] + w[2]])
    with pytest.raises(AutovecError, match=r"scatter_add\.jax"):
        jax.jit(f)(out, idx, w)
    with pytest.raises(AutovecError, match=r"scatter_add\.jax"):
        jax.grad(lambda v: f(out, idx, v))(w)


def test_lists_are_stacked_and_counted():
    x = np.array([1.0, -2.0, 3.0])
    assert autovec(comprehension_triangle, fallback="error").jax(x).ndim == 1
    items, count = jax.jit(autovec(positives, fallback="error").jax)(x)
    assert items.shape == (3,) and count == 2
    np.testing.assert_allclose(items[:2], [1.0, 9.0])
    gradient = jax.grad(lambda v: autovec(positives).jax(v)[0][:2].sum())(x)
    np.testing.assert_allclose(gradient, [2.0, 0.0, 6.0])


def test_scalars_are_numpys_outside_and_traced_inside():
    f = autovec(total_of_sines, fallback="error")
    x = elements(0, 5)
    assert type(f(x, 1.0)) is np.float64
    seen = []

    @jax.jit
    def traced(x: Any) -> Any:
        seen.append(f(x, 1.0))
        return seen[-1]

    np.testing.assert_allclose(traced(x), f(x, 1.0))
    assert isinstance(seen[0], jax.core.Tracer) and seen[0].shape == ()


def test_the_source_shown_is_the_fast_one():
    f = autovec(triangular_recurrence, fallback="error")
    f(well_conditioned(4), elements(1, 4))
    jax.grad(lambda L: f.jax(L, elements(1, 4)).sum())(well_conditioned(4))
    assert "within" not in f.source and "fori_loop(0, i, " in f.source


def first_of(x, n):
    out = np.zeros(n)
    for i in range(n):
        out[i] = x[i] * x[i]
    return out


def test_batched_integers():
    """One that only says how often a loop runs may differ in a batch; one that gives a shape may not."""
    f = autovec(mixed, fallback="error")
    x = elements(0, 4)
    ns = np.array([3, 2])
    made = jax.vmap(f.jax)(np.stack([x, x]), ns)
    np.testing.assert_allclose(made, [mixed(x, 3), mixed(x, 2)])
    with pytest.raises(AutovecError, match="the loop over _ in line"):
        jax.vmap(jax.grad(f.jax))(np.stack([x, x]), ns)
    with pytest.raises(AutovecError, match="in_axes=None"):
        jax.vmap(autovec(first_of, fallback="error").jax)(np.stack([x, x]), ns)


def test_integers_that_are_sizes_stay_known():
    f = autovec(mixed, fallback="error")
    x = elements(0, 4)
    with pytest.raises(AutovecError, match=r"static_argnames='n'.*in_axes=None"):
        jax.jit(f.jax)(x, 3)
    np.testing.assert_allclose(jax.grad(jax.jit(f.jax, static_argnames="n"))(x, 3), jax.grad(f.jax)(x, 3))
    np.testing.assert_allclose(
        jax.vmap(jax.grad(f.jax), in_axes=(0, None))(np.stack([x, 2 * x]), 3)[1], jax.grad(f.jax)(2 * x, 3)
    )
