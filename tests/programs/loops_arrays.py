"""NumPy on whole arrays around and inside loops, and dtypes other than float64."""

import math

import numpy as np

from tests.programs.registry import Arguments, matrices, normal, programs, squares, vectors

# ---------------------------------------------------------------- whole arrays and slices


def before_and_after(x):
    y = np.exp(-x * x)
    y = y / (1.0 + y.sum())
    for i in range(1, len(y)):
        y[i] += 0.5 * y[i - 1]
    return np.cumsum(y) - y.mean()


def between_loops(x):
    out = np.zeros_like(x)
    for i in range(len(x)):
        out[i] = x[i] * x[i]
    scale = np.sqrt(out.sum() + 1.0)
    out = out / scale
    for i in range(len(x)):
        out[i] -= scale
    return out


def power_iteration(a, steps):
    v = np.ones(a.shape[0])
    for _ in range(steps):
        v = a @ v
        v = v / np.linalg.norm(v)
    return v @ a @ v, v


def gradient_descent(a, b, steps):
    x = np.zeros(a.shape[1])
    for _ in range(steps):
        r = a @ x - b
        x -= 0.01 * (a.T @ r)
    return x


def heat_slices(u, steps):
    for _ in range(steps):
        u[1:-1] = u[1:-1] + 0.1 * (u[2:] - 2.0 * u[1:-1] + u[:-2])
    return u


def row_slices(a):
    for i in range(1, a.shape[0]):
        a[i, :] -= a[i - 1, :] * 0.5


def gauss_elimination(a):
    n = a.shape[0]
    for k in range(n):
        for i in range(k + 1, n):
            a[i, k:] -= a[k, k:] * (a[i, k] / a[k, k])


def gram_matrix(a):
    n = a.shape[0]
    g = np.empty((n, n))
    for i in range(n):
        for j in range(n):
            g[i, j] = np.dot(a[i], a[j])
    return g


def moving_average(x, w):
    n = len(x) - w + 1
    out = np.zeros(max(n, 0))
    for i in range(n):
        out[i] = np.mean(x[i : i + w])
    return out


def convolution(x, k):
    out = np.zeros(len(x) + len(k) - 1)
    for i in range(len(x)):
        for j in range(len(k)):
            out[i + j] += x[i] * k[j]
    return out


def image_blur(a):
    out = np.zeros_like(a)
    for i in range(1, a.shape[0] - 1):
        for j in range(1, a.shape[1] - 1):
            out[i, j] = a[i - 1 : i + 2, j - 1 : j + 2].sum() / 9.0
    return out


def shapes(a):
    b = np.reshape(a, (-1,))
    c = np.concatenate([b, np.ones(2)])
    s = 0.0
    for i in range(len(c)):
        s += c[i] * i
    return s, np.vstack([a, a]).T, np.arange(a.shape[0]), np.linspace(0.0, 1.0, 5)


def eigenvalues(a):
    s = 0.0
    for v in np.linalg.eigvalsh(a + a.T):
        s += v * v
    return s


def solves(a, b):
    out = np.zeros_like(b)
    for j in range(b.shape[1]):
        out[:, j] = np.linalg.solve(a, b[:, j])
    return out


def softmax_rows(a):
    out = np.empty_like(a)
    for i in range(a.shape[0]):
        e = np.exp(a[i] - a[i].max())
        out[i] = e / e.sum()
    return out


def where_and_clip(x):
    y = np.where(x > 0, x, 0.1 * x)
    for i in range(len(y)):
        y[i] = np.clip(y[i], -0.05, 0.5) + np.maximum(x[i], 0.0)
    return y


def view_of_row(a):
    for i in range(a.shape[0]):
        row = a[i]
        for j in range(1, len(row)):
            row[j] += row[j - 1]


def returns_view(a):
    for i in range(a.shape[0]):
        a[i, 0] = i
    return a[:, 0]


def returns_argument(x):
    for i in range(len(x)):
        x[i] *= 2.0
    return x


def math_functions(x, out):
    for i in range(len(x)):
        out[i] = math.exp(-abs(x[i])) + math.sin(x[i]) * math.pi


def trapezoid_rule(lower, upper, n):
    h = (upper - lower) / n
    s = 0.0
    for i in range(1, n):
        x = lower + i * h
        s += x * x * np.exp(-x)
    return s * h


def n_body(position, mass):
    force = np.zeros_like(position)
    for i in range(len(position)):
        for j in range(len(position)):
            if i != j:
                r = position[j] - position[i]
                force[i] += mass[j] * r / (np.sum(r**2) + 0.01) ** 1.5
    return force


def one_hot(labels, k):
    out = np.zeros((len(labels), k))
    for i in range(len(labels)):
        out[i, labels[i]] = 1.0
    return out


# ---------------------------------------------------------------- dtypes


def float32_sum(x):
    s = 0.0
    for v in x:
        s += v * v
    return s


def float32_scaled(x):
    for i in range(len(x)):
        x[i] = x[i] * 1.1 + 2
    return x


def int_sum(x):
    s = 0
    for i in range(len(x)):
        s += x[i] * x[i]
    return s


def int32_ratio(x, y):
    out = np.zeros(len(x))
    for i in range(len(x)):
        out[i] = x[i] / y[i]
    return out


def floor_divisions(x, y):
    return [(x[i] // y[i], x[i] % y[i]) for i in range(len(x))]


def int_matrix(n):
    a = np.zeros((n, n), dtype=int)
    for i in range(n):
        for j in range(n):
            a[i, j] = (i * n + j) % 7
    return a


def sieve(n):
    prime = np.ones(n + 1, dtype=bool)
    prime[:2] = False
    for i in range(2, int(n**0.5) + 1):
        if prime[i]:
            for j in range(i * i, n + 1, i):
                prime[j] = False
    return prime


def bool_logic(a, b):
    out = np.zeros(len(a), dtype=bool)
    n = 0
    for i in range(len(a)):
        out[i] = a[i] and not b[i]
        n += a[i]
    return out, n


def life(cells):
    n, m = cells.shape
    out = np.zeros_like(cells)
    for i in range(n):
        for j in range(m):
            alive = 0
            for di in range(-1, 2):
                for dj in range(-1, 2):
                    if di != 0 or dj != 0:
                        alive += cells[(i + di) % n, (j + dj) % m]
            out[i, j] = 1 if alive == 3 or (alive == 2 and cells[i, j] == 1) else 0
    return out


def complex_polynomial(z):
    out = np.zeros(len(z), dtype=complex)
    for i in range(len(z)):
        out[i] = z[i] ** 2 + 1j * z[i].conjugate() - z[i].real
    return out


def dft(x):
    n = len(x)
    out = np.zeros(n, dtype=complex)
    for k in range(n):
        for t in range(n):
            out[k] += x[t] * np.exp(-2j * np.pi * k * t / n)
    return out


def bits(x):
    parity = 0
    for v in x:
        parity ^= v & 3
    return parity


def rounding(x):
    n = np.zeros(len(x), dtype=np.int64)
    for i in range(len(x)):
        n[i] = np.floor(x[i] * 49.0 / 49.0)
    return n


def pairs_of(dtype: object) -> object:
    return lambda: [(normal(n, dtype=dtype), normal(n + 1, dtype=dtype)[:-1]) for n in (9, 2, 1, 0)]


def nonzero_pairs() -> list[Arguments]:
    cases = [
        (normal(n, dtype=d), normal(n + 3, dtype=d)[3:]) for n in (9, 2, 1, 0) for d in (np.int32, np.int64, float)
    ]
    return [*cases, (np.array([7, -7, 0]), np.array([-2, 2, 0]))]


ARRAYS = programs(
    (before_and_after, vectors(sizes=(9, 2, 1))),
    (between_loops, vectors()),
    (power_iteration, squares(20)),
    (
        gradient_descent,
        lambda: [(normal(6, 3), normal(6), 30), (normal(2, 2), normal(2), 1), (normal(2, 2), normal(2), 0)],
    ),
    (heat_slices, vectors(1, 10)),
    (row_slices, matrices()),
    (gauss_elimination, lambda: [(normal(n, n) + 9.0 * np.eye(n),) for n in (6, 2, 1)]),
    (gram_matrix, matrices()),
    (moving_average, vectors(1, 3)),
    (convolution, lambda: [(normal(9), normal(3)), (normal(1), normal(1)), (normal(0), normal(3))]),
    (image_blur, matrices()),
    (shapes, matrices(shapes=((5, 7), (2, 2), (1, 3)))),
    (eigenvalues, squares()),
    (
        solves,
        lambda: [(normal(n, n) + 9.0 * np.eye(n), normal(n, 3)) for n in (5, 1)] + [(np.zeros((2, 2)), normal(2, 3))],
    ),
    (softmax_rows, matrices()),
    (where_and_clip, vectors()),
    (view_of_row, matrices()),
    (returns_view, matrices(shapes=((5, 7), (2, 2), (1, 1)))),
    (returns_argument, vectors()),
    (math_functions, vectors(2)),
    (trapezoid_rule, lambda: [(0.0, 2.0, 100), (0.0, 2.0, 1), (0.0, 2.0, 0), (0, 2, 10)]),
    (n_body, lambda: [(normal(n, 3), normal(n)) for n in (7, 2, 1)]),
    (one_hot, lambda: [(np.array(v, dtype=np.int64), 3) for v in ([0, 2, 1, -1], [1], [], [0, 3])]),
    (float32_sum, vectors(dtype=np.float32)),
    (float32_scaled, vectors(dtype=np.float32)),
    (int_sum, lambda: [(normal(n, dtype=d),) for n in (9, 1, 0) for d in (np.int8, np.int32, np.int64, np.uint8)]),
    (int32_ratio, nonzero_pairs),
    (floor_divisions, nonzero_pairs),
    (int_matrix, lambda: [(5,), (1,), (0,)]),
    (sieve, lambda: [(60,), (2,), (1,)]),
    (bool_logic, pairs_of(bool)),
    (life, lambda: [((normal(*s) > 0).astype(np.int64),) for s in ((6, 7), (2, 2), (1, 1))]),
    (complex_polynomial, vectors(dtype=np.complex128)),
    (dft, vectors()),
    (bits, lambda: [(normal(n, dtype=d),) for n in (9, 1, 0) for d in (np.int64, np.int32, np.uint8)]),
    (rounding, lambda: [(np.arange(float(n)) - 3.0,) for n in (40, 1, 0)]),
)
