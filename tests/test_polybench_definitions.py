"""The kernels compute what their names say: against NumPy's own answers, so that the loops tested are the right ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.copying import copy_arguments
from tests.programs.polybench import KERNELS, Kernel

N = 9


def run(name: str) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """Arguments before and after the kernel."""
    kernel = KERNELS[name]
    before = kernel.make(N)
    after = copy_arguments(before)
    assert kernel.fn(*after) is None
    return before, after


def assert_close(actual: np.ndarray, expected: np.ndarray) -> None:
    np.testing.assert_allclose(actual, expected, rtol=1e-11, atol=1e-13)


def test_data_mining():
    before, after = run("correlation")
    assert_close(after[4], np.corrcoef(before[3].T))
    before, after = run("covariance")
    assert_close(after[4], np.cov(before[3].T))


def test_products_of_matrices():
    (*_, alpha, beta, c, a, b), after = run("gemm")
    assert_close(after[5], beta * c + alpha * a @ b)
    (_, _, alpha, beta, c, a, b), after = run("symm")
    symmetric = np.tril(a) + np.tril(a, -1).T
    assert_close(after[4], beta * c + alpha * symmetric @ b)
    (_, _, alpha, beta, c, a), after = run("syrk")
    assert_close(np.tril(after[4]), np.tril(beta * c + alpha * a @ a.T))
    (_, _, alpha, beta, c, a, b), after = run("syr2k")
    assert_close(np.tril(after[4]), np.tril(beta * c + alpha * (a @ b.T + b @ a.T)))
    (_, _, alpha, a, b), after = run("trmm")
    assert_close(after[4], alpha * (np.tril(a, -1) + np.eye(N)).T @ b)
    (*_, alpha, beta, _, a, b, c, d), after = run("2mm")
    assert_close(after[-1], beta * d + alpha * a @ b @ c)
    (*_, a, b, _, c, d, _), after = run("3mm")
    assert_close(after[-1], (a @ b) @ (c @ d))
    (*_, a, c4, _), after = run("doitgen")
    assert_close(after[3], np.einsum("rqs,sp->rqp", a, c4))


def test_products_with_vectors():
    (_, _, a, x, _, _), after = run("atax")
    assert_close(after[4], a.T @ (a @ x))
    (_, _, a, _, _, p, r), after = run("bicg")
    assert_close(after[3], a.T @ r)
    assert_close(after[4], a @ p)
    (_, x1, x2, y1, y2, a), after = run("mvt")
    assert_close(after[1], x1 + a @ y1)
    assert_close(after[2], x2 + a.T @ y2)
    (_, alpha, beta, a, b, _, x, _), after = run("gesummv")
    assert_close(after[7], alpha * a @ x + beta * b @ x)
    (_, alpha, beta, a, u1, v1, u2, v2, w, x, y, z), after = run("gemver")
    a = a + np.outer(u1, v1) + np.outer(u2, v2)
    x = x + beta * a.T @ y + z
    assert_close(after[8], w + alpha * a @ x)


def test_solvers():
    (_, a), (_, factor) = run("cholesky")
    assert_close(np.tril(factor), np.linalg.cholesky(a))
    (_, a), (_, factor) = run("lu")
    assert_close((np.tril(factor, -1) + np.eye(N)) @ np.triu(factor), a)
    (_, a, b, _, _), after = run("ludcmp")
    assert_close(after[3], np.linalg.solve(a, b))
    (_, lower, _, b), after = run("trisolv")
    assert_close(after[2], np.linalg.solve(lower, b))
    (_, _, a, _, _), (_, _, _, r, q) = run("gramschmidt")
    assert_close(q @ r, a)
    assert_close(q.T @ q, np.eye(N))
    (_, r, _), (_, _, y) = run("durbin")
    lags = np.abs(np.subtract.outer(range(N), range(N)))
    assert_close(y, np.linalg.solve(np.concatenate([[1.0], r])[lags], -r))


def test_shortest_paths():
    (_, path), (_, shortest) = run("floyd_warshall")
    expected = path.copy()
    for _ in range(4):  # squared four times: paths of up to 16 edges
        expected = np.minimum(expected, (expected[:, :, None] + expected[None]).min(1))
    assert_close(shortest, expected)


def test_stencils_keep_constants():
    for name in ("jacobi_2d", "heat_3d", "seidel_2d"):
        t, n, *arrays = KERNELS[name].make(N)
        arrays = [np.full_like(a, 2.5) for a in arrays]
        KERNELS[name].fn(t, n, *arrays)
        assert_close(arrays[0], np.full_like(arrays[0], 2.5))


@pytest.mark.parametrize("kernel", KERNELS.values(), ids=KERNELS)
def test_every_kernel_changes_its_outputs_and_stays_finite(kernel: Kernel):
    before, after = run(kernel.name)
    arrays = [(b, a) for b, a in zip(before, after, strict=True) if isinstance(b, np.ndarray)]
    assert any(not np.array_equal(b, a) for b, a in arrays)
    assert all(np.isfinite(a).all() for _, a in arrays)
