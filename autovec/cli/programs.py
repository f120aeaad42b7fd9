"""The programs of `autovec demo`: ordinary NumPy functions with loops, as people write them, and inputs for each.

None is decorated here: the demo shows what becomes of the function as it stands.
"""

# pyright: basic, reportUnusedExpression=false
# the programs are as their authors would leave them: no annotations, one with loops that keep nothing

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True, slots=True)
class Program:
    """A function, what it is in a line, and arguments on which its Python loops take about a tenth of a second."""

    about: str
    function: Callable[..., Any]
    inputs: Callable[[np.random.Generator], tuple[Any, ...]]

    @property
    def name(self) -> str:
        return self.function.__name__


def pair_loop(x):
    """Add every pair of rows, and keep nothing."""
    for i in range(len(x)):
        for j in range(i + 1, len(x)):
            x[i] + x[j]
    return 0


def pair_energy(x):
    """Potential energy of unit charges at the rows of x."""
    energy = 0.0
    for i in range(len(x)):
        for j in range(i + 1, len(x)):
            energy += 1.0 / np.sqrt(((x[i] - x[j]) ** 2).sum())
    return energy


def distance_matrix(x):
    """Distances between all rows of x."""
    n = len(x)
    d = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            d[i, j] = np.sqrt(((x[i] - x[j]) ** 2).sum())
    return d


def close_pairs(x, radius):
    """How many pairs of rows are closer than a radius."""
    count = 0
    for i in range(len(x)):
        for j in range(i + 1, len(x)):
            if np.sqrt(((x[i] - x[j]) ** 2).sum()) < radius:
                count += 1
    return count


def response_weights(C, Mi, C_new, Mi_new):
    """Weights and their responses, one for each column of Mi_new."""
    W = np.zeros(Mi_new.shape, dtype=Mi_new.dtype)
    response = np.zeros(len(Mi[0]))
    W = np.dot(np.linalg.inv(C_new), Mi_new)
    response = [np.dot(-0.5 * Mi_new[:, m].conj().T, W[:, m]) for m in range(0, len(Mi[0]))]
    return C_new, Mi_new, W, response


def gemm(alpha, beta, C, A, B):
    """C becomes beta C + alpha A B."""
    for i in range(C.shape[0]):
        for j in range(C.shape[1]):
            C[i, j] *= beta
            for k in range(A.shape[1]):
                C[i, j] += alpha * A[i, k] * B[k, j]


def heat(u, steps, r):
    """Heat flow in a plate with fixed edges, explicit steps in time."""
    v = u.copy()
    for _ in range(steps):
        for i in range(1, u.shape[0] - 1):
            for j in range(1, u.shape[1] - 1):
                v[i, j] = u[i, j] + r * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - 4.0 * u[i, j])
        for i in range(1, u.shape[0] - 1):
            for j in range(1, u.shape[1] - 1):
                u[i, j] = v[i, j]
    return u


def cholesky(A):
    """The lower Cholesky factor of A, in the place of its lower triangle."""
    n = A.shape[0]
    for i in range(n):
        for j in range(i):
            for k in range(j):
                A[i, j] -= A[i, k] * A[j, k]
            A[i, j] /= A[j, j]
        for k in range(i):
            A[i, i] -= A[i, k] * A[i, k]
        A[i, i] = np.sqrt(A[i, i])


def low_pass(x, a):
    """A first-order recursive filter."""
    y = np.zeros(len(x))
    y[0] = x[0]
    for i in range(1, len(x)):
        y[i] = a * x[i] + (1.0 - a) * y[i - 1]
    return y


def _points(n: int) -> Callable[[np.random.Generator], tuple[Any, ...]]:
    return lambda random: (random.random((n, 3)),)


def _responses(random: np.random.Generator) -> tuple[Any, ...]:
    def kernel(n: int) -> np.ndarray:
        points = random.random((n, 8))
        return points @ points.T + n * np.eye(n)

    return kernel(483), random.random((483, 8)), kernel(198), random.random((198, 8))


def _positive(n: int) -> Callable[[np.random.Generator], tuple[Any, ...]]:
    def inputs(random: np.random.Generator) -> tuple[Any, ...]:
        half = random.random((n, n))
        return (half @ half.T + n * np.eye(n),)

    return inputs


PROGRAMS = (
    Program("a loop over pairs that keeps nothing", pair_loop, _points(100)),
    Program("a sum over pairs", pair_energy, _points(200)),
    Program("a filled matrix", distance_matrix, _points(150)),
    Program("a count under a condition", close_pairs, lambda r: (r.random((200, 3)), 0.3)),
    Program("a list comprehension after linear algebra", response_weights, _responses),
    Program(
        "a matrix product, in place",
        gemm,
        lambda r: (1.5, 1.2, r.random((60, 70)), r.random((60, 80)), r.random((80, 70))),
    ),
    Program("a stencil in time, in place", heat, lambda r: (r.random((60, 60)), 20, 0.1)),
    Program("a factorisation, in place", cholesky, _positive(100)),
    Program("a recurrence", low_pass, lambda r: (r.random(200_000), 0.1)),
)
