"""Statistics, as people who work there write them."""

from __future__ import annotations

import math

import numpy as np

from tests.programs.domains.maker import Maker, programs


def gini(income):
    n = len(income)
    top = 0.0
    for i in range(n):
        for j in range(n):
            top += abs(income[i] - income[j])
    return top / (2 * n * n * np.mean(income))


def kendall_tau(x, y):
    n = len(x)
    concordant = discordant = 0
    for i in range(n - 1):
        for j in range(i + 1, n):
            s = (x[i] - x[j]) * (y[i] - y[j])
            if s > 0:
                concordant += 1
            elif s < 0:
                discordant += 1
    return (concordant - discordant) / (0.5 * n * (n - 1))


def welford(x):
    mean = 0.0
    m2 = 0.0
    count = 0
    for v in x:
        if np.isnan(v):
            continue
        count += 1
        delta = v - mean
        mean += delta / count
        m2 += delta * (v - mean)
    return mean, m2 / (count - 1), count


def autocorrelation(x, lags):
    n = len(x)
    mean = sum(x) / n
    var = sum((v - mean) ** 2 for v in x)
    out = []
    for k in range(lags):
        s = 0.0
        for t in range(n - k):
            s += (x[t] - mean) * (x[t + k] - mean)
        out.append(s / var)
    return out


def kernel_density(grid, data, h):
    density = np.zeros(len(grid))
    for i in range(len(grid)):
        for x in data:
            u = (grid[i] - x) / h
            if abs(u) <= 1:
                density[i] += 0.75 * (1 - u * u)
    return density / (len(data) * h)


def group_means(keys, values, groups):
    total = np.zeros(groups)
    count = np.zeros(groups)
    low = np.full(groups, np.inf)
    for k, v in zip(keys, values):
        total[k] += v
        count[k] += 1
        low[k] = min(low[k], v)
    for g in range(groups):
        if count[g] > 0:
            total[g] /= count[g]
    return total, low


def ranks_of(x):
    n = len(x)
    ranks = np.zeros(n)
    for i in range(n):
        less = 0
        same = 0
        for j in range(n):
            if x[j] < x[i]:
                less += 1
            elif x[j] == x[i]:
                same += 1
        ranks[i] = less + (same + 1) / 2
    return ranks


def runs_test(x):
    median = np.median(x)
    runs, n1, n2 = 1, 0, 0
    for i in range(len(x)):
        if i > 0 and (x[i] >= median) != (x[i - 1] >= median):
            runs += 1
        if x[i] >= median:
            n1 += 1
        else:
            n2 += 1
    return runs, n1, n2


def gibbs_normal(noise, rho):
    n = len(noise)
    xs = np.empty(n)
    ys = np.empty(n)
    x = y = 0.0
    s = math.sqrt(1 - rho * rho)
    for i in range(n):
        x = rho * y + s * noise[i, 0]
        y = rho * x + s * noise[i, 1]
        xs[i] = x
        ys[i] = y
    return xs, ys


def quantile_positions(sorted_x, probes):
    """Binary search for each probe."""
    out = np.zeros(len(probes), dtype=int)
    for k, p in enumerate(probes):
        lo = 0
        hi = len(sorted_x)
        while lo < hi:
            mid = (lo + hi) // 2
            if sorted_x[mid] < p:
                lo = mid + 1
            else:
                hi = mid
        out[k] = lo
    return out


PROGRAMS = programs(
    Maker(gini, lambda r, n: (r.lognormal(size=n),), 9, 1100),
    Maker(kendall_tau, lambda r, n: (r.normal(size=n), r.normal(size=n)), 9, 1200),
    Maker(welford, lambda r, n: (np.where(r.random(n) < 0.1, np.nan, r.normal(size=n)),), 12, 300000),
    Maker(autocorrelation, lambda r, n: (r.normal(size=n), 6), 12, 100000),
    Maker(kernel_density, lambda r, n: (np.linspace(-2, 2, n), r.normal(size=n + 3), 0.4), 9, 1000),
    Maker(group_means, lambda r, n: (r.integers(0, 7, n), r.normal(size=n), 8), 20, 400000),
    Maker(ranks_of, lambda r, n: (r.integers(0, n, n),), 9, 1000),
    Maker(runs_test, lambda r, n: (r.normal(size=n),), 12, 600000),
    Maker(gibbs_normal, lambda r, n: (r.normal(size=(n, 2)), 0.7), 9, 300000),
    Maker(quantile_positions, lambda r, n: (np.sort(r.normal(size=n)), r.normal(size=n)), 9, 80000),
)
