"""Graphs and sparse matrices, as people who work there write them."""

from __future__ import annotations

import numpy as np

from tests.programs.domains.maker import Maker, programs


def page_rank(src, dst, n, damping, rounds):
    out = np.zeros(n)
    for s in src:
        out[s] += 1
    rank = np.full(n, 1 / n)
    for _ in range(rounds):
        new = np.full(n, (1 - damping) / n)
        for e in range(len(src)):
            new[dst[e]] += damping * rank[src[e]] / out[src[e]]
        if np.abs(new - rank).sum() < 1e-10:
            break
        rank = new
    return rank


def dijkstra_dense(w, start):
    n = len(w)
    dist = [float("inf")] * n
    done = [False] * n
    dist[start] = 0.0
    for _ in range(n):
        u = -1
        for v in range(n):
            if not done[v] and (u == -1 or dist[v] < dist[u]):
                u = v
        done[u] = True
        for v in range(n):
            if w[u, v] > 0 and dist[u] + w[u, v] < dist[v]:
                dist[v] = dist[u] + w[u, v]
    return dist


def reach_levels(indptr, indices, start):
    """Breadth-first levels over a matrix in compressed rows, frontier by frontier."""
    n = len(indptr) - 1
    level = np.full(n, -1)
    level[start] = 0
    depth = 0
    grew = True
    while grew:
        grew = False
        for u in range(n):
            if level[u] == depth:
                for k in range(indptr[u], indptr[u + 1]):
                    v = indices[k]
                    if level[v] < 0:
                        level[v] = depth + 1
                        grew = True
        depth += 1
    return level


def components(src, dst, n):
    parent = np.arange(n)
    for a, b in zip(src, dst):
        while parent[a] != a:
            parent[a] = parent[parent[a]]
            a = parent[a]
        while parent[b] != b:
            parent[b] = parent[parent[b]]
            b = parent[b]
        if a != b:
            parent[a] = b
    count = 0
    for i in range(n):
        if parent[i] == i:
            count += 1
    return count


def triangles(adj):
    n = adj.shape[0]
    count = 0
    for i in range(n):
        for j in range(i + 1, n):
            if adj[i, j]:
                for k in range(j + 1, n):
                    if adj[i, k] and adj[j, k]:
                        count += 1
    return count


def sparse_product(data, indices, indptr, x):
    y = np.zeros(len(indptr) - 1)
    for i in range(len(indptr) - 1):
        for k in range(indptr[i], indptr[i + 1]):
            y[i] += data[k] * x[indices[k]]
    return y


def _csr(r, n, degree=8):
    counts = r.integers(0, degree, n)
    indptr = np.concatenate([[0], np.cumsum(counts)])
    return indptr, r.integers(0, n, indptr[-1])


def _sparse(r, n):
    indptr, indices = _csr(r, n)
    return r.normal(size=len(indices)), indices, indptr, r.normal(size=n)


def floyd_paths(w):
    n = len(w)
    dist = w.copy()
    nxt = np.full((n, n), -1)
    for i in range(n):
        for j in range(n):
            if w[i, j] < np.inf:
                nxt[i, j] = j
    for k in range(n):
        for i in range(n):
            for j in range(n):
                if dist[i, k] + dist[k, j] < dist[i, j]:
                    dist[i, j] = dist[i, k] + dist[k, j]
                    nxt[i, j] = nxt[i, k]
    return dist, nxt


PROGRAMS = programs(
    Maker(page_rank, lambda r, n: (r.integers(0, n, 5 * n), r.integers(0, n, 5 * n), n, 0.85, 10), 6, 4000),
    Maker(dijkstra_dense, lambda r, n: (r.random((n, n)) * (r.random((n, n)) < 0.4), 0), 6, 500),
    Maker(reach_levels, lambda r, n: (*_csr(r, n), 0), 9, 20000),
    Maker(components, lambda r, n: (r.integers(0, n, n), r.integers(0, n, n), n), 9, 100000),
    Maker(triangles, lambda r, n: (r.random((n, n)) < 0.5,), 7, 150),
    Maker(sparse_product, _sparse, 9, 60000),
    Maker(floyd_paths, lambda r, n: (np.where(r.random((n, n)) < 0.4, r.random((n, n)) * 9, np.inf),), 6, 80),
)
