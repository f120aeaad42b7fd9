"""Biology and places, as people who work there write them."""

from __future__ import annotations

import math

import numpy as np

from tests.programs.domains.maker import Maker, programs


def hamming_matrix(seqs):
    n = len(seqs)
    d = np.zeros((n, n), dtype=int)
    for i in range(n):
        for j in range(i + 1, n):
            diff = 0
            for a, b in zip(seqs[i], seqs[j]):
                if a != b:
                    diff += 1
            d[i, j] = d[j, i] = diff
    return d


def smith_waterman(a, b, match, miss, gap):
    score = np.zeros((len(a) + 1, len(b) + 1))
    best, where = 0.0, (0, 0)
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            s = match if a[i - 1] == b[j - 1] else miss
            score[i, j] = max(0, score[i - 1, j - 1] + s, score[i - 1, j] + gap, score[i, j - 1] + gap)
            if score[i, j] > best:
                best = score[i, j]
                where = (i, j)
    return best, where


def kmer_counts(seq, k):
    counts = np.zeros(4**k, dtype=np.int64)
    for i in range(len(seq) - k + 1):
        code = 0
        for j in range(k):
            code = code * 4 + seq[i + j]
        counts[code] += 1
    return counts


def gc_windows(seq, window):
    out = []
    for start in range(0, len(seq) - window + 1):
        gc = 0
        for base in seq[start : start + window]:
            if base == 1 or base == 2:
                gc += 1
        out.append(gc / window)
    return out


def viterbi_path(obs, start, trans, emit):
    steps, states = len(obs), len(start)
    score = np.zeros((steps, states))
    back = np.zeros((steps, states), dtype=int)
    for s in range(states):
        score[0, s] = start[s] + emit[s, obs[0]]
    for t in range(1, steps):
        for s in range(states):
            best = -np.inf
            arg = 0
            for p in range(states):
                v = score[t - 1, p] + trans[p, s]
                if v > best:
                    best, arg = v, p
            score[t, s] = best + emit[s, obs[t]]
            back[t, s] = arg
    path = [int(np.argmax(score[-1]))]
    for t in range(steps - 1, 0, -1):
        path.append(int(back[t, path[-1]]))
    return path[::-1]


def track_length(lat, lon):
    total = 0.0
    for i in range(1, len(lat)):
        p1, p2 = math.radians(lat[i - 1]), math.radians(lat[i])
        dp = p2 - p1
        dl = math.radians(lon[i] - lon[i - 1])
        h = math.sin(dp / 2) ** 2 + math.cos(p1) * math.cos(p2) * math.sin(dl / 2) ** 2
        total += 2 * 6371.0 * math.asin(math.sqrt(h))
    return total


def grid_statistics(lat, lon, value, cells):
    """Count, sum and largest value of each cell of a grid."""
    count = np.zeros((cells, 2 * cells), dtype=int)
    total = np.zeros((cells, 2 * cells))
    peak = np.full((cells, 2 * cells), -np.inf)
    for k in range(len(lat)):
        r = int((lat[k] + 90) / 180 * cells)
        c = int((lon[k] + 180) / 360 * 2 * cells)
        if r == cells:
            r -= 1
        if c == 2 * cells:
            c -= 1
        count[r, c] += 1
        total[r, c] += value[k]
        if value[k] > peak[r, c]:
            peak[r, c] = value[k]
    return count, total, peak


def sinks_filled(height, rounds):
    """Priority-free filling of a terrain: repeated sweeps of neighbours' minima."""
    rows, cols = height.shape
    water = np.full_like(height, 1e9)
    water[0, :] = height[0, :]
    water[-1, :] = height[-1, :]
    water[:, 0] = height[:, 0]
    water[:, -1] = height[:, -1]
    for _ in range(rounds):
        changed = False
        for i in range(1, rows - 1):
            for j in range(1, cols - 1):
                low = min(water[i - 1, j], water[i + 1, j], water[i, j - 1], water[i, j + 1])
                level = max(height[i, j], low)
                if level < water[i, j]:
                    water[i, j] = level
                    changed = True
        if not changed:
            break
    return water


def nearest_station(lat, lon, slat, slon):
    who = np.empty(len(lat), dtype=int)
    far = np.empty(len(lat))
    for i in range(len(lat)):
        best = float("inf")
        for s in range(len(slat)):
            d = (lat[i] - slat[s]) ** 2 + (math.cos(math.radians(lat[i])) * (lon[i] - slon[s])) ** 2
            if d < best:
                best = d
                who[i] = s
        far[i] = math.sqrt(best)
    return who, far


def sir_model(n, i0, beta, gamma, days):
    s, i, r = n - i0, i0, 0.0
    history = []
    for d in range(days):
        new_inf = beta * s * i / n
        new_rec = gamma * i
        s -= new_inf
        i += new_inf - new_rec
        r += new_rec
        history.append((s, i, r))
    return history


def polygon_area(xs, ys):
    area = 0.0
    perimeter = 0.0
    n = len(xs)
    for i in range(n):
        j = (i + 1) % n
        area += xs[i] * ys[j] - xs[j] * ys[i]
        perimeter += ((xs[j] - xs[i]) ** 2 + (ys[j] - ys[i]) ** 2) ** 0.5
    return abs(area) / 2, perimeter


PROGRAMS = programs(
    Maker(hamming_matrix, lambda r, n: (r.integers(0, 4, (n, 60)),), 6, 250),
    Maker(smith_waterman, lambda r, n: (r.integers(0, 4, n), r.integers(0, 4, n + 3), 2.0, -1.0, -1.5), 7, 450),
    Maker(kmer_counts, lambda r, n: (r.integers(0, 4, n), 5), 30, 200000),
    Maker(gc_windows, lambda r, n: (r.integers(0, 4, n), 20), 40, 60000),
    Maker(
        viterbi_path,
        lambda r, n: (r.integers(0, 6, n), r.normal(size=8), r.normal(size=(8, 8)), r.normal(size=(8, 6))),
        9,
        6000,
    ),
    Maker(track_length, lambda r, n: (r.uniform(40, 41, n), r.uniform(2, 3, n)), 10, 300000),
    Maker(
        grid_statistics, lambda r, n: (r.uniform(-90, 90, n), r.uniform(-180, 180, n), r.normal(size=n), 12), 50, 200000
    ),
    Maker(sinks_filled, lambda r, n: (r.random((n, n)), 12), 7, 160),
    Maker(
        nearest_station,
        lambda r, n: (r.uniform(40, 50, n), r.uniform(0, 10, n), r.uniform(40, 50, 25), r.uniform(0, 10, 25)),
        6,
        12000,
    ),
    Maker(sir_model, lambda r, n: (1e6, 10.0, 0.3, 0.1, n), 9, 300000),
    Maker(polygon_area, lambda r, n: (r.random(n), r.random(n)), 6, 200000),
)
