"""The two programs that the project started from, their sisters, and an expert's NumPy beside them.

(a) a loop over the pairs of points of a 100 x 3 array, which keeps nothing, and variants that keep something;
(b) a function around a list comprehension of dot products, with an inverse where a solve would do.
"""

# ruff: noqa: F841 (the program allocates what it never uses)

from __future__ import annotations

from typing import Any

import numpy as np

from tests.programs.registry import Arguments, normal, programs

# ---------------------------------------------------------------- (a) pairs of points


def pair_loop(x):
    for i in range(len(x)):
        for j in range(i + 1, len(x)):
            x[i] + x[j]
    return 0


def pair_sum(x):
    total = np.zeros(x.shape[1])
    for i in range(len(x)):
        for j in range(i + 1, len(x)):
            total += x[i] + x[j]
    return total


def pair_norms(x):
    total = 0.0
    for i in range(len(x)):
        for j in range(i + 1, len(x)):
            total += np.sqrt(((x[i] - x[j]) ** 2).sum())
    return total


def pair_norms_linalg(x):
    total = 0.0
    for i in range(len(x)):
        for j in range(i + 1, len(x)):
            total += np.linalg.norm(x[i] - x[j])
    return total


def pair_energy(x):
    total = 0.0
    for i in range(len(x)):
        for j in range(i + 1, len(x)):
            total += 1.0 / np.sqrt(((x[i] - x[j]) ** 2).sum())
    return total


def distance_matrix(x):
    n = len(x)
    d = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1, n):
            d[i, j] = np.sqrt(((x[i] - x[j]) ** 2).sum())
            d[j, i] = d[i, j]
    return d


def distance_matrix_elements(x):
    n = x.shape[0]
    d = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1, n):
            s = 0.0
            for k in range(x.shape[1]):
                s += (x[i, k] - x[j, k]) ** 2
            d[i, j] = np.sqrt(s)
            d[j, i] = d[i, j]
    return d


def pair_list(x):
    sums = []
    for i in range(len(x)):
        for j in range(i + 1, len(x)):
            sums.append(x[i] + x[j])
    return sums


def pair_list_comprehension(x):
    return [x[i] + x[j] for i in range(len(x)) for j in range(i + 1, len(x))]


def pair_count(x, r):
    count = 0
    for i in range(len(x)):
        for j in range(i + 1, len(x)):
            if np.sqrt(((x[i] - x[j]) ** 2).sum()) < r:
                count += 1
    return count


# ---------------------------------------------------------------- (b) the comprehension


def projections(C, Mi, C_new, Mi_new):
    unused = np.zeros((len(Mi), len(Mi[0])))
    unused_too = np.zeros(len(Mi[0]))
    W = np.dot(np.linalg.inv(C_new), Mi_new)
    S = [np.dot(-0.5 * Mi_new[:, m].conj().T, W[:, m]) for m in range(0, len(Mi[0]))]
    return C_new, Mi_new, W, S


def projections_loop(C, Mi, C_new, Mi_new):
    W = np.dot(np.linalg.inv(C_new), Mi_new)
    S = []
    for m in range(0, len(Mi[0])):
        S.append(np.dot(-0.5 * Mi_new[:, m].conj().T, W[:, m]))
    return C_new, Mi_new, W, S


def projections_array(C, Mi, C_new, Mi_new):
    S = np.zeros(len(Mi[0]))
    W = np.dot(np.linalg.inv(C_new), Mi_new)
    for m in range(len(Mi[0])):
        S[m] = np.dot(-0.5 * Mi_new[:, m].conj().T, W[:, m])
    return W, S


# ---------------------------------------------------------------- the expert's NumPy


def expert_pair_loop(x):
    return 0


def expert_pair_sum(x):
    # every point is in len(x) - 1 pairs
    return (len(x) - 1) * x.sum(0)


def _pair_distances(x):
    i, j = np.triu_indices(len(x), 1)
    return np.sqrt(((x[i] - x[j]) ** 2).sum(1))


def expert_pair_norms(x):
    return _pair_distances(x).sum()


def expert_pair_energy(x):
    return (1.0 / _pair_distances(x)).sum()


def expert_distance_matrix(x):
    return np.sqrt(((x[:, None] - x[None]) ** 2).sum(-1))


def expert_pair_list(x):
    i, j = np.triu_indices(len(x), 1)
    return list(x[i] + x[j])


def expert_pair_count(x, r):
    return int((_pair_distances(x) < r).sum())


def expert_projections(C, Mi, C_new, Mi_new):
    W = np.linalg.solve(C_new, Mi_new)
    return C_new, Mi_new, W, list(-0.5 * (Mi_new.conj() * W).sum(0))


EXPERTS: dict[str, Any] = {
    "pair_loop": expert_pair_loop,
    "pair_sum": expert_pair_sum,
    "pair_norms": expert_pair_norms,
    "pair_norms_linalg": expert_pair_norms,
    "pair_energy": expert_pair_energy,
    "distance_matrix": expert_distance_matrix,
    "distance_matrix_elements": expert_distance_matrix,
    "pair_list": expert_pair_list,
    "pair_list_comprehension": expert_pair_list,
    "pair_count": expert_pair_count,
    "projections": expert_projections,
}

# ---------------------------------------------------------------- inputs


def points(*extra: Any) -> Any:
    """The 100 x 3 array, then few points, one, none, and points in the plane."""
    return lambda: [(normal(*shape), *extra) for shape in ((100, 3), (5, 3), (2, 3), (1, 3), (0, 3), (6, 2))]


def matrices_of(n: int, n_new: int, m: int, dtype: Any = np.float64) -> Arguments:
    """C (n x n), Mi (n x m), C_new (n_new x n_new), Mi_new (n_new x m); C and C_new symmetric, well conditioned."""

    def covariance(k: int) -> np.ndarray:
        a = normal(k, k, dtype=dtype)
        return a @ a.conj().T / k + np.eye(k, dtype=dtype)

    return covariance(n), normal(n, m, dtype=dtype), covariance(n_new), normal(n_new, m, dtype=dtype)


def projection_inputs() -> list[Arguments]:
    small = matrices_of(5, 4, 3), matrices_of(2, 1, 1), matrices_of(3, 2, 2, np.float32)
    singular = (*small[0][:2], np.zeros((4, 4)), small[0][3])
    return [matrices_of(483, 198, 8), *small, singular]


def complex_projection_inputs() -> list[Arguments]:
    return [*projection_inputs(), matrices_of(5, 4, 3, np.complex128)]


STARTING = programs(
    (pair_loop, points()),
    (pair_sum, points()),
    (pair_norms, points()),
    (pair_norms_linalg, points()),
    (pair_energy, points()),
    (distance_matrix, points()),
    (distance_matrix_elements, points()),
    (pair_list, points()),
    (pair_list_comprehension, points()),
    (pair_count, points(1.5)),
    (projections, complex_projection_inputs),
    (projections_loop, complex_projection_inputs),
    (projections_array, projection_inputs),
)
