"""Physics and chemistry, as people who work there write them."""

from __future__ import annotations

import math

import numpy as np

from tests.programs.domains.maker import Maker, programs


def escape_counts(xs, ys, most):
    out = np.zeros((len(ys), len(xs)), dtype=np.int64)
    for r in range(len(ys)):
        for c in range(len(xs)):
            z = complex(0, 0)
            point = complex(xs[c], ys[r])
            n = 0
            while abs(z) <= 2 and n < most:
                z = z * z + point
                n += 1
            out[r, c] = n
    return out


def julia_escape(width, height, most):
    counts = np.zeros((height, width), dtype=int)
    for py in range(height):
        for px in range(width):
            x = 3.0 * px / width - 1.5
            y = 2.0 * py / height - 1.0
            steps = 0
            while x * x + y * y < 4.0 and steps < most:
                x, y = x * x - y * y - 0.8, 2 * x * y + 0.156
                steps += 1
            counts[py, px] = steps
    return counts


def kepler_anomalies(mean, eccentricity):
    """Newton's iteration on Kepler's equation, for each planet until it is exact enough."""
    result = []
    for m, e in zip(mean, eccentricity):
        big = m if e < 0.8 else math.pi
        for _ in range(50):
            step = (big - e * math.sin(big) - m) / (1 - e * math.cos(big))
            big -= step
            if abs(step) < 1e-10:
                break
        result.append(big)
    return np.array(result)


def ising_energy(spins, coupling, field):
    rows, cols = spins.shape
    energy = 0.0
    for i in range(rows):
        for j in range(cols):
            s = spins[i, j]
            near = spins[(i + 1) % rows, j] + spins[i, (j + 1) % cols]
            energy -= coupling * s * near + field * s
    return energy / (rows * cols)


def metropolis_sweeps(spins, chances, beta):
    n = spins.shape[0]
    flips = 0
    for t in range(chances.shape[0]):
        for i in range(n):
            for j in range(n):
                s = spins[i, j]
                near = spins[(i + 1) % n, j] + spins[i - 1, j] + spins[i, (j + 1) % n] + spins[i, j - 1]
                cost = 2 * s * near
                if cost < 0 or chances[t, i, j] < math.exp(-beta * cost):
                    spins[i, j] = -s
                    flips += 1
    return flips


def lennard_jones(pos, box, cut):
    """Energy and forces with periodic images."""
    n = len(pos)
    force = np.zeros_like(pos)
    energy = 0.0
    for i in range(n - 1):
        for j in range(i + 1, n):
            d = pos[i] - pos[j]
            d = d - box * np.round(d / box)
            r2 = np.dot(d, d)
            if r2 < cut * cut:
                r6 = (1.0 / r2) ** 3
                energy += 4 * r6 * (r6 - 1)
                f = 48 * r6 * (r6 - 0.5) / r2 * d
                force[i] += f
                force[j] -= f
    return energy, force


def radial_distribution(pos, box, bins, reach):
    counts = np.zeros(bins)
    width = reach / bins
    for i in range(len(pos)):
        for j in range(i + 1, len(pos)):
            r2 = 0.0
            for k in range(3):
                d = pos[i, k] - pos[j, k]
                if d > box / 2:
                    d -= box
                elif d < -box / 2:
                    d += box
                r2 += d * d
            r = math.sqrt(r2)
            if r < reach:
                counts[int(r / width)] += 2
    return counts


def projectile_ranges(speeds, angles, drag, dt):
    """Each shot flies until it lands."""
    ranges = np.zeros(len(speeds))
    for k in range(len(speeds)):
        vx = speeds[k] * np.cos(angles[k])
        vy = speeds[k] * np.sin(angles[k])
        x, y = 0.0, 0.0
        while y >= 0:
            v = np.sqrt(vx**2 + vy**2)
            vx -= drag * v * vx * dt
            vy -= (9.81 + drag * v * vy) * dt
            x += vx * dt
            y += vy * dt
        ranges[k] = x
    return ranges


def wave_string(u, steps, c):
    prev = u.copy()
    now = u.copy()
    for t in range(steps):
        new = np.zeros_like(now)
        for i in range(1, len(u) - 1):
            new[i] = 2 * now[i] - prev[i] + c * c * (now[i + 1] - 2 * now[i] + now[i - 1])
        prev, now = now, new
    return now


def gray_scott(u, v, feed, kill, steps):
    n = u.shape[0]
    for s in range(steps):
        un = u.copy()
        vn = v.copy()
        for i in range(n):
            for j in range(n):
                up, down, left, right = (i - 1) % n, (i + 1) % n, (j - 1) % n, (j + 1) % n
                lu = u[up, j] + u[down, j] + u[i, left] + u[i, right] - 4 * u[i, j]
                lv = v[up, j] + v[down, j] + v[i, left] + v[i, right] - 4 * v[i, j]
                r = u[i, j] * v[i, j] ** 2
                un[i, j] = u[i, j] + 0.16 * lu - r + feed * (1 - u[i, j])
                vn[i, j] = v[i, j] + 0.08 * lv + r - (feed + kill) * v[i, j]
        u = un
        v = vn
    return u, v


def random_walk_returns(steps):
    """For each walk, the first time it is back at the start (-1: never), and how far it got."""
    walks, length = steps.shape
    first = np.full(walks, -1)
    farthest = np.zeros(walks, dtype=int)
    for w in range(walks):
        at = 0
        for t in range(length):
            at += steps[w, t]
            if abs(at) > farthest[w]:
                farthest[w] = abs(at)
            if at == 0:
                first[w] = t
                break
    return first, farthest


def predator_prey(x0, y0, a, b, c, d, dt, steps):
    xs = np.zeros(steps + 1)
    ys = np.zeros(steps + 1)
    xs[0], ys[0] = x0, y0
    for t in range(steps):
        xs[t + 1] = xs[t] + dt * (a * xs[t] - b * xs[t] * ys[t])
        ys[t + 1] = ys[t] + dt * (d * xs[t] * ys[t] - c * ys[t])
    return xs, ys


def rule_rows(width, rule, steps):
    state = np.zeros(width, dtype=int)
    state[width // 2] = 1
    rows = [state]
    for _ in range(steps):
        new = np.zeros(width, dtype=int)
        for i in range(width):
            left, mid, right = state[i - 1], state[i], state[(i + 1) % width]
            new[i] = (rule >> (4 * left + 2 * mid + right)) & 1
        state = new
        rows.append(state)
    return np.array(rows)


def sandpile(grid):
    h, w = grid.shape
    topples = 0
    again = True
    while again:
        again = False
        for i in range(h):
            for j in range(w):
                if grid[i, j] >= 4:
                    grid[i, j] -= 4
                    topples += 1
                    again = True
                    if i > 0:
                        grid[i - 1, j] += 1
                    if i < h - 1:
                        grid[i + 1, j] += 1
                    if j > 0:
                        grid[i, j - 1] += 1
                    if j < w - 1:
                        grid[i, j + 1] += 1
    return topples


def brownian_msd(pos):
    steps, n, _ = pos.shape
    msd = np.zeros(steps // 2)
    for lag in range(1, steps // 2):
        total = 0.0
        count = 0
        for t in range(steps - lag):
            for p in range(n):
                dx = pos[t + lag, p, 0] - pos[t, p, 0]
                dy = pos[t + lag, p, 1] - pos[t, p, 1]
                total += dx * dx + dy * dy
                count += 1
        msd[lag] = total / count
    return msd


def heat_2d(T, alpha, tol, most):
    n, m = T.shape
    for it in range(most):
        new = T.copy()
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                new[i, j] = T[i, j] + alpha * (T[i + 1, j] + T[i - 1, j] + T[i, j + 1] + T[i, j - 1] - 4 * T[i, j])
        diff = abs(new - T).max()
        T = new
        if diff < tol:
            break
    return T, it


PROGRAMS = programs(
    Maker(escape_counts, lambda r, n: (np.linspace(-2, 1, n), np.linspace(-1, 1, n), 60), 6, 130),
    Maker(julia_escape, lambda r, n: (n, n, 80), 6, 130),
    Maker(kepler_anomalies, lambda r, n: (r.uniform(0, 6, n), r.uniform(0, 0.95, n)), 20, 60000),
    Maker(ising_energy, lambda r, n: (r.choice([-1, 1], (n, n)), 1.0, 0.1), 6, 500),
    Maker(metropolis_sweeps, lambda r, n: (r.choice([-1, 1], (n, n)), r.random((4, n, n)), 0.4), 5, 150),
    Maker(lennard_jones, lambda r, n: (r.uniform(0, 10, (n, 3)), 10.0, 3.0), 8, 200),
    Maker(radial_distribution, lambda r, n: (r.uniform(0, 10, (n, 3)), 10.0, 50, 5.0), 8, 400),
    Maker(projectile_ranges, lambda r, n: (r.uniform(5, 40, n), r.uniform(0.2, 1.4, n), 0.01, 0.02), 5, 400),
    Maker(wave_string, lambda r, n: (np.sin(np.linspace(0, 3.14, n)), n, 0.5), 9, 700),
    Maker(gray_scott, lambda r, n: (r.random((n, n)), r.random((n, n)), 0.03, 0.06, 5), 5, 120),
    Maker(random_walk_returns, lambda r, n: (r.choice([-1, 1], (n, 300)),), 6, 12000),
    Maker(predator_prey, lambda r, n: (10.0, 5.0, 1.1, 0.4, 0.4, 0.1, 0.001, n), 20, 300000),
    Maker(rule_rows, lambda r, n: (n, 110, n), 9, 300),
    Maker(sandpile, lambda r, n: (r.integers(0, 6, (n, n)),), 6, 60),
    Maker(brownian_msd, lambda r, n: (np.cumsum(r.normal(size=(n, 4, 2)), axis=0),), 8, 250),
    Maker(heat_2d, lambda r, n: (r.random((n, n)), 0.2, 1e-6, 20), 6, 90),
)
