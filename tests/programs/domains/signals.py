"""Signals and images, as people who work there write them."""

from __future__ import annotations

import math

import numpy as np

from tests.programs.domains.maker import Maker, programs


def threshold_crossings(x, level):
    found = []
    for i in range(1, len(x)):
        if x[i - 1] < level <= x[i]:
            found.append(i - 1 + (level - x[i - 1]) / (x[i] - x[i - 1]))
    return found


def biquad(x, b0, b1, b2, a1, a2):
    y = np.zeros(len(x))
    x1 = x2 = y1 = y2 = 0.0
    for n in range(len(x)):
        y[n] = b0 * x[n] + b1 * x1 + b2 * x2 - a1 * y1 - a2 * y2
        x2, x1 = x1, x[n]
        y2, y1 = y1, y[n]
    return y


def peaks(x, least):
    """Local maxima no closer to each other than `least`."""
    found = []
    last = -least
    for i in range(1, len(x) - 1):
        if x[i] > x[i - 1] and x[i] >= x[i + 1] and i - last >= least:
            found.append(i)
            last = i
    return np.array(found, dtype=int)


def envelope(x, attack, release):
    e = 0.0
    out = np.empty_like(x)
    for i, v in enumerate(x):
        a = abs(v)
        if a > e:
            e = attack * (e - a) + a
        else:
            e = release * (e - a) + a
        out[i] = e
    return out


def median_of_five(x):
    out = x.copy()
    for i in range(2, len(x) - 2):
        out[i] = np.median(x[i - 2 : i + 3])
    return out


def slow_dft(x):
    n = len(x)
    out = np.zeros(n, dtype=complex)
    for k in range(n):
        s = 0j
        for t in range(n):
            s += x[t] * np.exp(-2j * np.pi * k * t / n)
        out[k] = s
    return out


def first_silence(x, quiet, length):
    """Where the first long enough stretch below a level begins; -1 if there is none."""
    run = 0
    for i in range(len(x)):
        if abs(x[i]) < quiet:
            run += 1
            if run == length:
                return i - length + 1
        else:
            run = 0
    return -1


def sobel(img):
    h, w = img.shape
    out = np.zeros((h, w))
    kx = np.array([[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]])
    for i in range(1, h - 1):
        for j in range(1, w - 1):
            gx = gy = 0.0
            for a in range(3):
                for b in range(3):
                    gx += kx[a, b] * img[i + a - 1, j + b - 1]
                    gy += kx[b, a] * img[i + a - 1, j + b - 1]
            out[i, j] = math.sqrt(gx * gx + gy * gy)
    return out


def bilinear(img, rows, cols):
    h, w = img.shape
    out = np.zeros((rows, cols))
    for i in range(rows):
        for j in range(cols):
            y = i * (h - 1) / (rows - 1)
            x = j * (w - 1) / (cols - 1)
            y0, x0 = int(y), int(x)
            y1, x1 = min(y0 + 1, h - 1), min(x0 + 1, w - 1)
            dy, dx = y - y0, x - x0
            top = img[y0, x0] * (1 - dx) + img[y0, x1] * dx
            low = img[y1, x0] * (1 - dx) + img[y1, x1] * dx
            out[i, j] = top * (1 - dy) + low * dy
    return out


def dilate(mask, radius):
    h, w = mask.shape
    out = np.zeros_like(mask)
    for i in range(h):
        for j in range(w):
            hit = False
            for a in range(max(0, i - radius), min(h, i + radius + 1)):
                for b in range(max(0, j - radius), min(w, j + radius + 1)):
                    if mask[a, b]:
                        hit = True
                        break
                if hit:
                    break
            out[i, j] = hit
    return out


def box_blur(img, r):
    h, w = img.shape
    out = np.empty(img.shape)
    for i in range(h):
        for j in range(w):
            total = 0.0
            count = 0
            for di in range(-r, r + 1):
                for dj in range(-r, r + 1):
                    if 0 <= i + di < h and 0 <= j + dj < w:
                        total += img[i + di, j + dj]
                        count += 1
            out[i, j] = total / count
    return out


def integral_image(img):
    h, w = img.shape
    table = np.zeros((h + 1, w + 1))
    for i in range(h):
        row = 0.0
        for j in range(w):
            row += img[i, j]
            table[i + 1, j + 1] = table[i, j + 1] + row
    return table


def floyd_steinberg(img):
    out = img.astype(float)
    h, w = out.shape
    for y in range(h - 1):
        for x in range(1, w - 1):
            old = out[y, x]
            new = 255.0 if old > 127 else 0.0
            out[y, x] = new
            err = old - new
            out[y, x + 1] += err * 7 / 16
            out[y + 1, x - 1] += err * 3 / 16
            out[y + 1, x] += err * 5 / 16
            out[y + 1, x + 1] += err / 16
    return out


def otsu(hist):
    total = sum(hist)
    moment = 0.0
    for i in range(len(hist)):
        moment += i * hist[i]
    weight = partial = 0.0
    best, cut = -1.0, 0
    for t in range(len(hist)):
        weight += hist[t]
        if weight == 0:
            continue
        rest = total - weight
        if rest == 0:
            break
        partial += t * hist[t]
        between = weight * rest * (partial / weight - (moment - partial) / rest) ** 2
        if between > best:
            best, cut = between, t
    return cut, best


def life(board, rounds):
    h, w = board.shape
    for _ in range(rounds):
        new = board.copy()
        for i in range(h):
            for j in range(w):
                alive = 0
                for di in (-1, 0, 1):
                    for dj in (-1, 0, 1):
                        if di != 0 or dj != 0:
                            alive += board[(i + di) % h, (j + dj) % w]
                if board[i, j] == 1 and (alive < 2 or alive > 3):
                    new[i, j] = 0
                elif board[i, j] == 0 and alive == 3:
                    new[i, j] = 1
        board = new
    return board


def bilateral(img, r, ss, sr):
    h, w = img.shape
    out = np.zeros_like(img)
    for i in range(r, h - r):
        for j in range(r, w - r):
            total = norm = 0.0
            for a in range(-r, r + 1):
                for b in range(-r, r + 1):
                    g = math.exp(-(a * a + b * b) / (2 * ss * ss)) * math.exp(
                        -((img[i + a, j + b] - img[i, j]) ** 2) / (2 * sr * sr)
                    )
                    total += g * img[i + a, j + b]
                    norm += g
            out[i, j] = total / norm
    return out


def label_regions(mask):
    h, w = mask.shape
    labels = np.arange(1, h * w + 1).reshape(h, w) * mask
    changed = True
    while changed:
        changed = False
        for i in range(h):
            for j in range(w):
                if labels[i, j]:
                    best = labels[i, j]
                    if i > 0 and labels[i - 1, j] and labels[i - 1, j] < best:
                        best = labels[i - 1, j]
                    if j > 0 and labels[i, j - 1] and labels[i, j - 1] < best:
                        best = labels[i, j - 1]
                    if i < h - 1 and labels[i + 1, j] and labels[i + 1, j] < best:
                        best = labels[i + 1, j]
                    if j < w - 1 and labels[i, j + 1] and labels[i, j + 1] < best:
                        best = labels[i, j + 1]
                    if best < labels[i, j]:
                        labels[i, j] = best
                        changed = True
    return labels


def flood_fill(grid, si, sj):
    h, w = grid.shape
    seen = np.zeros((h, w), dtype=bool)
    stack = [(si, sj)]
    count = 0
    while stack:
        i, j = stack.pop()
        if i < 0 or j < 0 or i >= h or j >= w or seen[i, j] or grid[i, j] == 0:
            continue
        seen[i, j] = True
        count += 1
        stack.append((i + 1, j))
        stack.append((i - 1, j))
        stack.append((i, j + 1))
        stack.append((i, j - 1))
    return count


def frames_energy(x, size, hop):
    energies = []
    crossings = []
    for start in range(0, len(x) - size + 1, hop):
        e = 0.0
        z = 0
        for k in range(size):
            e += x[start + k] ** 2
            if k > 0 and (x[start + k] >= 0) != (x[start + k - 1] >= 0):
                z += 1
        energies.append(e / size)
        crossings.append(z / size)
    return np.array(energies), np.array(crossings)


def moving_max(x, k):
    out = []
    for i in range(len(x) - k + 1):
        m = x[i]
        for j in range(i + 1, i + k):
            if x[j] > m:
                m = x[j]
        out.append(m)
    return out


PROGRAMS = programs(
    Maker(threshold_crossings, lambda r, n: (r.normal(size=n), 0.3), 12, 500000),
    Maker(biquad, lambda r, n: (r.normal(size=n), 0.2, 0.3, 0.2, -0.4, 0.1), 9, 300000),
    Maker(peaks, lambda r, n: (r.normal(size=n), 4), 20, 400000),
    Maker(envelope, lambda r, n: (r.normal(size=n), 0.2, 0.9), 9, 400000),
    Maker(median_of_five, lambda r, n: (r.normal(size=n),), 9, 4000),
    Maker(slow_dft, lambda r, n: (r.normal(size=n),), 6, 300),
    Maker(first_silence, lambda r, n: (np.where(np.arange(n) < n - 9, 1 + r.random(n), 0.0), 0.5, 8), 20, 1000000),
    Maker(sobel, lambda r, n: (r.random((n, n)),), 6, 120),
    Maker(bilinear, lambda r, n: (r.random((n, n)), 2 * n, 2 * n), 5, 150),
    Maker(dilate, lambda r, n: (r.random((n, n)) < 0.03, 2), 6, 110),
    Maker(box_blur, lambda r, n: (r.random((n, n)), 2), 6, 110),
    Maker(integral_image, lambda r, n: (r.random((n, n)),), 6, 700),
    Maker(floyd_steinberg, lambda r, n: (r.integers(0, 256, (n, n)),), 6, 250),
    Maker(otsu, lambda r, n: (r.integers(0, 50, n),), 9, 300000),
    Maker(life, lambda r, n: (r.integers(0, 2, (n, n)), 4), 6, 90),
    Maker(bilateral, lambda r, n: (r.random((n, n)), 2, 1.5, 0.3), 7, 60),
    Maker(label_regions, lambda r, n: (r.integers(0, 2, (n, n)),), 6, 100),
    Maker(flood_fill, lambda r, n: ((r.random((n, n)) < 0.8).astype(int), n // 2, n // 2), 6, 250),
    Maker(frames_energy, lambda r, n: (r.normal(size=n), 64, 32), 200, 60000),
    Maker(moving_max, lambda r, n: (r.normal(size=n), 10), 20, 40000),
)
