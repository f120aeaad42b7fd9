"""Conditions, searches, early exits, while loops, and indices that come from data."""

import math

import numpy as np

from tests.programs.registry import Arguments, matrices, normal, programs, squares, vectors, with_nan

# ---------------------------------------------------------------- conditions


def relu(x, out):
    for i in range(len(x)):
        if x[i] > 0:
            out[i] = x[i]
        else:
            out[i] = 0.0


def three_ways(x, out):
    for i in range(len(x)):
        if x[i] < -0.5:
            out[i] = -1.0
        elif x[i] < 0.5:
            out[i] = x[i] * 2.0
        else:
            out[i] = 1.0


def masked_update(x, y):
    for i in range(len(x)):
        if x[i] > 0.0:
            y[i] += np.sqrt(x[i])


def affine_branches(a):
    n = a.shape[0]
    for i in range(n):
        for j in range(n):
            if i == j:
                a[i, j] = 1.0
            elif i < j:
                a[i, j] *= 2.0
            else:
                a[i, j] = 0.0


def banded(a, width):
    total = 0.0
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            if abs(i - j) <= width:
                total += a[i, j]
    return total


def guarded_neighbour(x, out):
    for i in range(len(x)):
        if i > 0 and x[i - 1] > x[i]:
            out[i] = 1.0
        else:
            out[i] = 0.0


def safe_division(x, y, out):
    for i in range(len(x)):
        out[i] = x[i] / y[i] if y[i] != 0 else 0.0


def modulo_branch(x):
    for i in range(len(x)):
        if i % 2 == 0:
            x[i] = -x[i]


def clip_scalar(x, low, high):
    for i in range(len(x)):
        x[i] = min(max(x[i], low), high)


def boolean_result(x, y):
    close = True
    for i in range(len(x)):
        close = close and abs(x[i] - y[i]) < 2.0
    return close


# ---------------------------------------------------------------- exits


def first_negative(x):
    for i in range(len(x)):
        if x[i] < 0:
            return i
    return -1


def search_break(x, t):
    found = -1
    for i in range(len(x)):
        if x[i] > t:
            found = i
            break
    return found


def search_else(x, t):
    for i in range(len(x)):
        if x[i] > t:
            break
    else:
        return None
    return i, x[i]


def sum_until(x, limit):
    s = 0.0
    for v in x:
        if s > limit:
            break
        s += abs(v)
    return s


def skip_negative(x):
    s = 0.0
    for v in x:
        if v < 0:
            continue
        s += math.sqrt(v)
    return s


def has_duplicate(x):
    for i in range(len(x)):
        for j in range(i + 1, len(x)):
            if x[i] == x[j]:
                return True
    return False


def loop_variable_after(x):
    s = 0.0
    for i in range(len(x)):
        s += x[i]
    return i, s


def raises_inside(x):
    s = 0.0
    for i in range(len(x)):
        if x[i] > 1.0:
            raise ValueError(f"too large at {i}")
        s += x[i]
    return s


def out_of_range(x, out, k):
    for i in range(len(x)):
        out[i] = x[i + k]


def python_division(x, d):
    total = 0.0
    for i in range(len(x)):
        total += x[i] + 1.0 / (i - d)
    return total


def prints(x):
    s = 0.0
    for i in range(len(x)):
        s += x[i]
    print("sum", len(x))
    for i in range(len(x)):
        x[i] /= 2.0
    return s


# ---------------------------------------------------------------- while


def newton_sqrt(a):
    x = a
    while abs(x * x - a) > 1e-12 * a:
        x = 0.5 * (x + a / x)
    return x


def collatz(n):
    steps = 0
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps


def bisection(x, target):
    low, high = 0, len(x)
    while low < high:
        middle = (low + high) // 2
        if x[middle] < target:
            low = middle + 1
        else:
            high = middle
    return low


def while_index(x):
    i = 0
    while i < len(x) and x[i] != 0:
        i += 1
    return i


def euclid(a, b):
    while b:
        a, b = b, a % b
    return a


def jacobi_until(u, tolerance):
    steps = 0
    change = 1.0
    while change > tolerance and steps < 50:
        new = u.copy()
        new[1:-1] = 0.5 * (u[:-2] + u[2:])
        change = np.abs(new - u).sum()
        u[:] = new
        steps += 1
    return steps


def mandelbrot(re, im, limit):
    out = np.zeros(len(re), dtype=np.int64)
    for k in range(len(re)):
        x = y = 0.0
        n = 0
        while n < limit and x * x + y * y < 4.0:
            x, y = x * x - y * y + re[k], 2.0 * x * y + im[k]
            n += 1
        out[k] = n
    return out


# ---------------------------------------------------------------- indices from data


def gather(a, idx):
    out = np.zeros(len(idx))
    for i in range(len(idx)):
        out[i] = a[idx[i]]
    return out


def scatter_add(out, idx, w):
    for i in range(len(idx)):
        out[idx[i]] += w[i]


def scatter_store(out, idx, w):
    for i in range(len(idx)):
        out[idx[i]] = w[i]


def histogram(x, bins):
    h = np.zeros(bins, dtype=np.int64)
    for i in range(len(x)):
        b = int((x[i] + 3.0) / 6.0 * bins)
        if 0 <= b < bins:
            h[b] += 1
    return h


def sparse_product(row, col, val, x, y):
    for i in range(len(row) - 1):
        for k in range(row[i], row[i + 1]):
            y[i] += val[k] * x[col[k]]


def pointer_chase(link, start, n):
    at = start
    for _ in range(n):
        at = link[at]
    return at


def indexed() -> list[Arguments]:
    a = normal(6)
    cases = [[3, 0, 5, 3, 1], [-1, 2], [0], [], [2, 6], [2, -7, 1]]
    return [(a, np.array(idx, dtype=np.int64)) for idx in cases]


def indexed_weights() -> list[Arguments]:
    return [(a, idx, normal(len(idx))) for a, idx in indexed()]


def sparse() -> list[Arguments]:
    row, col = np.array([0, 2, 2, 5]), np.array([0, 3, 1, 2, 3])
    return [(row, col, normal(5), normal(4), normal(3)), (row[:1], col, normal(5), normal(4), normal(3))]


CONTROL = programs(
    (relu, with_nan(2)),
    (three_ways, with_nan(2)),
    (masked_update, with_nan(2)),
    (affine_branches, squares()),
    (banded, matrices(1)),
    (guarded_neighbour, with_nan(2)),
    (safe_division, lambda: [(normal(5), np.array([1.0, 0.0, -0.0, np.nan, 2.0]), normal(5)), *vectors(3)()]),
    (modulo_branch, vectors()),
    (clip_scalar, with_nan(1, -0.5, 0.5)),
    (boolean_result, vectors(2)),
    (first_negative, with_nan()),
    (search_break, with_nan(1, 0.7)),
    (search_else, with_nan(1, 0.7)),
    (sum_until, with_nan(1, 1.5)),
    (skip_negative, with_nan()),
    (has_duplicate, lambda: [*vectors()(), (np.array([1.0, 2.0, 1.0]),), (np.array([np.nan, np.nan]),)]),
    (loop_variable_after, vectors()),
    (raises_inside, lambda: [*with_nan()(), (np.zeros(3),), (np.array([0.5, 2.0, 9.0]),)]),
    (out_of_range, lambda: [(*case, k) for case in vectors(2)() for k in (0, 1, -1, -20)]),
    (python_division, lambda: [(*case, d) for case in vectors()() for d in (3, 100)]),
    (prints, vectors()),
    (newton_sqrt, lambda: [(2.0,), (1e-3,), (1e9,), (np.float64(7.0),)]),
    (collatz, lambda: [(27,), (1,), (97,), (2**61 - 1,)]),
    (bisection, lambda: [(np.sort(normal(n)), t) for n in (9, 2, 1, 0) for t in (0.1, -9.0, 9.0)]),
    (while_index, lambda: [(np.array(v),) for v in ([1.0, 2.0, 0.0, 3.0], [1.0, 2.0], [0.0], [])]),
    (euclid, lambda: [(48, 36), (7, 0), (0, 0), (1071, 462), (-48, 36)]),
    (jacobi_until, lambda: [(normal(9), 1e-3), (normal(3), 1e-3), (normal(2), 1e-3), (normal(1), 1e-3)]),
    (mandelbrot, vectors(2, 30)),
    (gather, indexed),
    (scatter_add, indexed_weights),
    (scatter_store, indexed_weights),
    (histogram, lambda: [(normal(200), 8), (normal(1), 8), (normal(0), 8), (normal(5), 1)]),
    (sparse_product, sparse),
    (pointer_chase, lambda: [(np.array([2, 0, 3, 1]), 0, 7), (np.array([0]), 0, 1), (np.array([1, 5]), 0, 3)]),
)
