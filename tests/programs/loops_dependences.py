"""Recurrences, reductions and dependence oddities: loops whose order matters, or only seems to."""

import numpy as np

from tests.programs.registry import Arguments, normal, programs, squares, vectors, with_nan

# ---------------------------------------------------------------- reductions


def total(x):
    s = 0.0
    for i in range(len(x)):
        s += x[i]
    return s


def total_from_int(x):
    s = 0
    for v in x:
        s += v
    return s


def product(x):
    p = 1.0
    for i in range(len(x)):
        p *= x[i]
    return p


def row_sums(a, out):
    for i in range(a.shape[0]):
        out[i] = 0.0
        for j in range(a.shape[1]):
            out[i] += a[i, j]


def matrix_product(a, b):
    c = np.zeros((a.shape[0], b.shape[1]))
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            for k in range(a.shape[1]):
                c[i, j] += a[i, k] * b[k, j]
    return c


def variance(x):
    n = len(x)
    mean = 0.0
    for i in range(n):
        mean += x[i]
    mean /= n
    square = 0.0
    for i in range(n):
        square += (x[i] - mean) ** 2
    return mean, square / n


def running_max(x):
    m = x[0]
    for i in range(1, len(x)):
        if x[i] > m:
            m = x[i]
    return m


def builtin_max(x):
    m = -1.0
    for i in range(len(x)):
        m = max(m, x[i])
    return m


def argmax_loop(x):
    best, where = x[0], 0
    for i in range(1, len(x)):
        if x[i] > best:
            best = x[i]
            where = i
    return where, best


def argmin_last(x):
    where = 0
    for i in range(len(x)):
        if x[i] <= x[where]:
            where = i
    return where


def count_inside(x, low, high):
    n = 0
    for v in x:
        if low < v < high:
            n += 1
    return n


# ---------------------------------------------------------------- recurrences


def prefix_sums(x, out):
    s = 0.0
    for i in range(len(x)):
        s += x[i]
        out[i] = s


def prefix_sums_in_place(x):
    for i in range(1, len(x)):
        x[i] += x[i - 1]


def prefix_maxima(x, out):
    m = x[0]
    for i in range(len(x)):
        if x[i] > m:
            m = x[i]
        out[i] = m


def smooth(x, out, alpha):
    y = 0.0
    for i in range(len(x)):
        y = alpha * x[i] + (1.0 - alpha) * y
        out[i] = y


def fibonacci_like(x):
    for i in range(2, len(x)):
        x[i] = x[i - 1] + 0.5 * x[i - 2]


def logistic(x0, r, n):
    x = x0
    for _ in range(n):
        x = r * x * (1.0 - x)
    return x


def thomas(a, b, c, d):
    n = len(d)
    for i in range(1, n):
        w = a[i] / b[i - 1]
        b[i] = b[i] - w * c[i - 1]
        d[i] = d[i] - w * d[i - 1]
    x = np.zeros(n)
    x[n - 1] = d[n - 1] / b[n - 1]
    for i in range(n - 2, -1, -1):
        x[i] = (d[i] - c[i] * x[i + 1]) / b[i]
    return x


def edit_distance(s, t):
    d = np.zeros((len(s) + 1, len(t) + 1), dtype=np.int64)
    for i in range(len(s) + 1):
        d[i, 0] = i
    for j in range(len(t) + 1):
        d[0, j] = j
    for i in range(1, len(s) + 1):
        for j in range(1, len(t) + 1):
            cost = 0 if s[i - 1] == t[j - 1] else 1
            d[i, j] = min(d[i - 1, j] + 1, d[i, j - 1] + 1, d[i - 1, j - 1] + cost)
    return d[len(s), len(t)]


# ---------------------------------------------------------------- oddities


def shift_left(a):
    for i in range(len(a) - 1):
        a[i] = a[i + 1]


def shift_right(a):
    for i in range(1, len(a)):
        a[i] = a[i - 1]


def reverse_onto_itself(a):
    n = len(a)
    for i in range(n):
        a[i] = a[n - 1 - i]


def wrap_around(x, out):
    prev = x[-1]
    for i in range(len(x)):
        out[i] = x[i] - prev
        prev = x[i]


def induction(x, out):
    k = 0
    for i in range(len(out)):
        out[i] = x[k]
        k += 2


def induction_nested(a, flat):
    k = 0
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            flat[k] = a[i, j]
            k += 1


def transpose_in_place(a):
    n = a.shape[0]
    for i in range(n):
        for j in range(i + 1, n):
            t = a[i, j]
            a[i, j] = a[j, i]
            a[j, i] = t


def symmetrise_wrongly(a):
    n = a.shape[0]
    for i in range(n):
        for j in range(n):
            a[i, j] = a[j, i]


def negative_indices(a):
    a[-1] = 0.5
    for i in range(len(a) // 2):
        a[-i - 1] += a[i]
    return a[-1]


def stencil_in_place(u):
    for i in range(1, len(u) - 1):
        u[i] = 0.5 * (u[i - 1] + u[i + 1])


def stencil_copied(u):
    old = u.copy()
    for i in range(1, len(u) - 1):
        u[i] = 0.5 * (old[i - 1] + old[i + 1])


def red_black(u):
    for colour in range(2):
        for i in range(1 + colour, len(u) - 1, 2):
            u[i] = 0.5 * (u[i - 1] + u[i + 1])


def statements_in_order(x, y, z):
    for i in range(1, len(x)):
        y[i] = x[i] * 2.0
        z[i] = y[i - 1] + x[i]
        x[i] = z[i] * 0.5


def distributable(x, y, z):
    for i in range(len(x) - 1):
        y[i] = x[i + 1] + 1.0
        x[i] = z[i] * 2.0
        z[i + 1] = y[i] - 3.0


def same_element(x, out):
    for i in range(len(x)):
        out[0] = x[i]


def scalar_reused(x, y):
    for i in range(len(x)):
        t = x[i] + 1.0
        x[i] = t * t
        t = y[i] - 1.0
        y[i] = t * t
    return t


def copied_across(a, b):
    for i in range(1, len(a)):
        a[i] = b[i - 1] * 2.0


def overlapping() -> list[Arguments]:
    x = normal(9)
    return [(normal(9), normal(9)), (x, x), (x[1:], x[:-1]), (x[:-1], x[1:]), (x, x[::-1])]


def strings_of_ints() -> list[Arguments]:
    rng = np.random.default_rng(3)
    return [(rng.integers(0, 3, n), rng.integers(0, 3, m)) for n, m in ((6, 8), (1, 1), (0, 2))]


def tridiagonal() -> list[Arguments]:
    return [(normal(n), 9.0 + normal(n), normal(n) + 0.5, normal(n) - 0.5) for n in (7, 2, 1)]


DEPENDENCES = programs(
    (total, with_nan()),
    (total_from_int, with_nan()),
    (product, vectors()),
    (row_sums, lambda: [(normal(4, 3), normal(4)), (normal(1, 1), normal(1)), (normal(2, 0), normal(2))]),
    (
        matrix_product,
        lambda: [(normal(4, 3), normal(3, 5)), (normal(1, 2), normal(2, 1)), (normal(2, 0), normal(0, 2))],
    ),
    (variance, vectors()),
    (running_max, with_nan()),
    (builtin_max, with_nan()),
    (argmax_loop, with_nan()),
    (argmin_last, with_nan()),
    (count_inside, with_nan(1, -0.5, 0.5)),
    (prefix_sums, with_nan(2)),
    (prefix_sums_in_place, vectors()),
    (prefix_maxima, with_nan(2)),
    (smooth, vectors(2, 0.3)),
    (fibonacci_like, vectors()),
    (logistic, lambda: [(0.3, 2.9, 50), (0.3, 2.9, 1), (0.3, 2.9, 0), (np.float64(0.3), 2.9, 3)]),
    (thomas, tridiagonal),
    (edit_distance, strings_of_ints),
    (shift_left, vectors()),
    (shift_right, vectors()),
    (reverse_onto_itself, vectors()),
    (wrap_around, vectors(2)),
    (
        induction,
        lambda: [(normal(12), normal(6)), (normal(1), normal(1)), (normal(9), normal(6)), (normal(0), normal(0))],
    ),
    (induction_nested, lambda: [(normal(3, 4), normal(12)), (normal(1, 1), normal(1)), (normal(3, 4), normal(10))]),
    (transpose_in_place, squares()),
    (symmetrise_wrongly, squares()),
    (negative_indices, vectors()),
    (stencil_in_place, vectors()),
    (stencil_copied, vectors()),
    (red_black, vectors()),
    (statements_in_order, vectors(3)),
    (distributable, vectors(3)),
    (same_element, vectors(2)),
    (scalar_reused, vectors(2)),
    (copied_across, overlapping),
)
