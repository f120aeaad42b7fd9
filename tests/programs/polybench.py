"""The thirty PolyBench kernels with inputs: a size goes in, a kernel and its arguments come out.

`make(n)` derives every size of a kernel from `n` and keeps them apart (`ni`, `nj`, `nk` are never all equal), so that
a mixed-up axis shows. Inputs are seeded and well conditioned: results can be compared to a few ulp an operation.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from tests.programs.polybench_algebra import (
    atax,
    bicg,
    correlation,
    covariance,
    doitgen,
    gemm,
    gemver,
    gesummv,
    k2mm,
    k3mm,
    mvt,
    symm,
    syr2k,
    syrk,
    trmm,
)
from tests.programs.polybench_solvers import (
    cholesky,
    deriche,
    durbin,
    floyd_warshall,
    gramschmidt,
    lu,
    ludcmp,
    nussinov,
    trisolv,
)
from tests.programs.polybench_stencils import adi, fdtd_2d, heat_3d, jacobi_1d, jacobi_2d, seidel_2d

Arguments = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Kernel:
    """`large` is the size at which the Python loops take 0.3 to 1 s."""

    name: str
    fn: Callable[..., None]
    make: Callable[[int], Arguments]
    large: int


ALPHA, BETA = 1.5, 1.2


def _random(*shape: int) -> np.ndarray:
    """Uniform in 0.1 .. 1.1, the same at every call with the same shape; positive, so that sums don't cancel."""
    return np.random.default_rng([7, *shape]).random(shape) + 0.1


def _dominant(n: int) -> np.ndarray:
    """Diagonally dominant: LU needs no pivots."""
    return _random(n, n) + 2.0 * n * np.eye(n)


def _correlation(n: int) -> Arguments:
    m, n = n, n + 2
    return m, n, float(n), _random(n, m), np.zeros((m, m)), np.zeros(m), np.zeros(m)


def _covariance(n: int) -> Arguments:
    m, n = n, n + 2
    return m, n, float(n), _random(n, m), np.zeros((m, m)), np.zeros(m)


def _gemm(n: int) -> Arguments:
    ni, nj, nk = n, n + 1, n + 2
    return ni, nj, nk, ALPHA, BETA, _random(ni, nj), _random(ni, nk), _random(nk, nj)


def _gemver(n: int) -> Arguments:
    vectors = _random(8, n)
    return n, ALPHA, BETA, _random(n, n), *(v.copy() for v in vectors)


def _gesummv(n: int) -> Arguments:
    return n, ALPHA, BETA, _random(n, n), _random(n, n)[::-1].copy(), np.zeros(n), _random(n), np.zeros(n)


def _symm(n: int) -> Arguments:
    m, n = n, n + 1
    return m, n, ALPHA, BETA, _random(m, n), _random(m, m), _random(m, n)[::-1].copy()


def _syr2k(n: int) -> Arguments:
    m = n + 1
    return n, m, ALPHA, BETA, _random(n, n), _random(n, m), _random(n, m)[::-1].copy()


def _syrk(n: int) -> Arguments:
    m = n + 1
    return n, m, ALPHA, BETA, _random(n, n), _random(n, m)


def _trmm(n: int) -> Arguments:
    m, n = n, n + 1
    return m, n, ALPHA, _random(m, m), _random(m, n)


def _k2mm(n: int) -> Arguments:
    ni, nj, nk, nl = n, n + 1, n + 2, n + 3
    arrays = np.zeros((ni, nj)), _random(ni, nk), _random(nk, nj), _random(nj, nl), _random(ni, nl)
    return ni, nj, nk, nl, ALPHA, BETA, *arrays


def _k3mm(n: int) -> Arguments:
    ni, nj, nk, nl, nm = n, n + 1, n + 2, n + 3, n + 4
    first = np.zeros((ni, nj)), _random(ni, nk), _random(nk, nj)
    second = np.zeros((nj, nl)), _random(nj, nm), _random(nm, nl)
    return ni, nj, nk, nl, nm, *first, *second, np.zeros((ni, nl))


def _atax(n: int) -> Arguments:
    m, n = n, n + 1
    return m, n, _random(m, n), _random(n), np.zeros(n), np.zeros(m)


def _bicg(n: int) -> Arguments:
    m, n = n, n + 1
    return m, n, _random(n, m), np.zeros(m), np.zeros(n), _random(m), _random(n)


def _doitgen(n: int) -> Arguments:
    nr, nq, ns = n, n + 1, n + 2
    return nr, nq, ns, _random(nr, nq, ns), _random(ns, ns), np.zeros(ns)


def _mvt(n: int) -> Arguments:
    vectors = _random(4, n)
    return n, *(v.copy() for v in vectors), _random(n, n)


def _cholesky(n: int) -> Arguments:
    a = _random(n, n)
    return n, a @ a.T + n * np.eye(n)


def _durbin(n: int) -> Arguments:
    # autocorrelations that sum to less than one half: the Toeplitz matrix is positive definite
    return n, 0.25 * _random(n) / np.arange(1.0, n + 1.0) ** 2, np.zeros(n)


def _gramschmidt(n: int) -> Arguments:
    m = n + 2
    return m, n, _random(m, n) + n * np.eye(m, n), np.zeros((n, n)), np.zeros((m, n))


def _lu(n: int) -> Arguments:
    return n, _dominant(n)


def _ludcmp(n: int) -> Arguments:
    return n, _dominant(n), _random(n), np.zeros(n), np.zeros(n)


def _trisolv(n: int) -> Arguments:
    return n, np.tril(_dominant(n)), np.zeros(n), _random(n)


def _deriche(n: int) -> Arguments:
    w, h = n, n + 1
    return w, h, 0.25, _random(w, h), np.zeros((w, h)), np.zeros((w, h)), np.zeros((w, h))


def _floyd_warshall(n: int) -> Arguments:
    return n, _random(n, n) ** 4


def _nussinov(n: int) -> Arguments:
    return n, np.random.default_rng([7, n]).integers(0, 4, n), np.zeros((n, n), dtype=np.int64)


def _adi(n: int) -> Arguments:
    return n // 8 + 2, n, _random(n, n), np.zeros((n, n)), np.zeros((n, n)), np.zeros((n, n))


def _fdtd_2d(n: int) -> Arguments:
    tmax, nx, ny = n // 4 + 2, n, n + 1
    return tmax, nx, ny, _random(nx, ny), _random(nx, ny)[::-1].copy(), _random(nx, ny) ** 2, np.arange(float(tmax))


def _heat_3d(n: int) -> Arguments:
    return n // 4 + 2, n, _random(n, n, n), np.zeros((n, n, n))


def _jacobi_1d(n: int) -> Arguments:
    return n // 4 + 2, n, _random(n), np.zeros(n)


def _jacobi_2d(n: int) -> Arguments:
    return n // 4 + 2, n, _random(n, n), np.zeros((n, n))


def _seidel_2d(n: int) -> Arguments:
    return n // 4 + 2, n, _random(n, n)


KERNELS: dict[str, Kernel] = {
    kernel.name: kernel
    for kernel in (
        Kernel("correlation", correlation, _correlation, 125),
        Kernel("covariance", covariance, _covariance, 125),
        Kernel("gemm", gemm, _gemm, 100),
        Kernel("gemver", gemver, _gemver, 600),
        Kernel("gesummv", gesummv, _gesummv, 800),
        Kernel("symm", symm, _symm, 105),
        Kernel("syr2k", syr2k, _syr2k, 100),
        Kernel("syrk", syrk, _syrk, 120),
        Kernel("trmm", trmm, _trmm, 130),
        Kernel("2mm", k2mm, _k2mm, 90),
        Kernel("3mm", k3mm, _k3mm, 80),
        Kernel("atax", atax, _atax, 800),
        Kernel("bicg", bicg, _bicg, 800),
        Kernel("doitgen", doitgen, _doitgen, 35),
        Kernel("mvt", mvt, _mvt, 800),
        Kernel("cholesky", cholesky, _cholesky, 180),
        Kernel("durbin", durbin, _durbin, 1200),
        Kernel("gramschmidt", gramschmidt, _gramschmidt, 100),
        Kernel("lu", lu, _lu, 160),
        Kernel("ludcmp", ludcmp, _ludcmp, 170),
        Kernel("trisolv", trisolv, _trisolv, 1700),
        Kernel("deriche", deriche, _deriche, 400),
        Kernel("floyd_warshall", floyd_warshall, _floyd_warshall, 100),
        Kernel("nussinov", nussinov, _nussinov, 160),
        Kernel("adi", adi, _adi, 100),
        Kernel("fdtd_2d", fdtd_2d, _fdtd_2d, 100),
        Kernel("heat_3d", heat_3d, _heat_3d, 28),
        Kernel("jacobi_1d", jacobi_1d, _jacobi_1d, 1500),
        Kernel("jacobi_2d", jacobi_2d, _jacobi_2d, 100),
        Kernel("seidel_2d", seidel_2d, _seidel_2d, 110),
    )
}
