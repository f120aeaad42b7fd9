"""Numerics, as people who work there write them."""

from __future__ import annotations

import math

import numpy as np

from tests.programs.domains.maker import Maker, programs


def simpson(a, b, n):
    h = (b - a) / n
    s = math.exp(-a * a) + math.exp(-b * b)
    for i in range(1, n):
        x = a + i * h
        s += (4 if i % 2 else 2) * math.exp(-x * x)
    return s * h / 3


def runge_kutta(y0, dt, steps):
    def slope(t, y):
        return -2 * y + math.sin(t)

    y = y0
    t = 0.0
    ys = [y]
    for _ in range(steps):
        k1 = slope(t, y)
        k2 = slope(t + dt / 2, y + dt / 2 * k1)
        k3 = slope(t + dt / 2, y + dt / 2 * k2)
        k4 = slope(t + dt, y + dt * k3)
        y += dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        t += dt
        ys.append(y)
    return ys


def newton_fractal(re, im, most):
    which = np.zeros((len(im), len(re)), dtype=int)
    for i in range(len(im)):
        for j in range(len(re)):
            z = complex(re[j], im[i])
            for k in range(most):
                f = z**3 - 1
                if abs(f) < 1e-6:
                    break
                z = z - f / (3 * z * z + 1e-12)
            which[i, j] = k
    return which


def square_roots(x):
    """Heron's iteration until it stands still."""
    out = np.zeros(len(x))
    for i in range(len(x)):
        guess = x[i] if x[i] > 1 else 1.0
        while True:
            better = 0.5 * (guess + x[i] / guess)
            if abs(better - guess) < 1e-12 * guess:
                break
            guess = better
        out[i] = better
    return out


def horner(coefficients, points):
    values = []
    for x in points:
        v = 0.0
        for c in coefficients:
            v = v * x + c
        values.append(v)
    return np.array(values)


def thomas(a, b, c, d):
    n = len(d)
    cp = np.zeros(n)
    dp = np.zeros(n)
    cp[0] = c[0] / b[0]
    dp[0] = d[0] / b[0]
    for i in range(1, n):
        m = b[i] - a[i] * cp[i - 1]
        cp[i] = c[i] / m
        dp[i] = (d[i] - a[i] * dp[i - 1]) / m
    x = np.zeros(n)
    x[-1] = dp[-1]
    for i in range(n - 2, -1, -1):
        x[i] = dp[i] - cp[i] * x[i + 1]
    return x


def gauss_seidel(A, b, tol, most):
    n = len(b)
    x = np.zeros(n)
    for sweep in range(most):
        worst = 0.0
        for i in range(n):
            s = b[i]
            for j in range(n):
                if j != i:
                    s -= A[i, j] * x[j]
            new = s / A[i, i]
            worst = max(worst, abs(new - x[i]))
            x[i] = new
        if worst < tol:
            break
    return x, sweep


def eliminate(A, b):
    """Gaussian elimination with partial pivoting, on copies."""
    A = A.copy()
    b = b.copy()
    n = len(b)
    for k in range(n):
        p = k
        for i in range(k + 1, n):
            if abs(A[i, k]) > abs(A[p, k]):
                p = i
        if p != k:
            A[[k, p]] = A[[p, k]]
            b[k], b[p] = b[p], b[k]
        for i in range(k + 1, n):
            f = A[i, k] / A[k, k]
            for j in range(k, n):
                A[i, j] -= f * A[k, j]
            b[i] -= f * b[k]
    x = np.zeros(n)
    for i in range(n - 1, -1, -1):
        x[i] = (b[i] - sum(A[i, j] * x[j] for j in range(i + 1, n))) / A[i, i]
    return x


def power_iteration(A, tol, most):
    v = np.ones(len(A)) / math.sqrt(len(A))
    old = 0.0
    for k in range(most):
        w = np.zeros(len(A))
        for i in range(len(A)):
            for j in range(len(A)):
                w[i] += A[i, j] * v[j]
        value = math.sqrt(sum(u * u for u in w))
        v = w / value
        if abs(value - old) < tol:
            break
        old = value
    return value, k


def jacobi_rotations(A, sweeps):
    """Eigenvalues of a symmetric matrix by Jacobi's rotations."""
    A = A.copy()
    n = A.shape[0]
    for _ in range(sweeps):
        for p in range(n - 1):
            for q in range(p + 1, n):
                if abs(A[p, q]) > 1e-12:
                    theta = 0.5 * math.atan2(2 * A[p, q], A[q, q] - A[p, p])
                    c, s = math.cos(theta), math.sin(theta)
                    for k in range(n):
                        x, y = A[k, p], A[k, q]
                        A[k, p] = c * x - s * y
                        A[k, q] = s * x + c * y
                    for k in range(n):
                        x, y = A[p, k], A[q, k]
                        A[p, k] = c * x - s * y
                        A[q, k] = s * x + c * y
    return np.sort(np.diag(A))


def _dominant(r, n):
    return r.random((n, n)) + n * np.eye(n)


def _symmetric(r, n):
    a = r.normal(size=(n, n))
    return a + a.T


def gram_schmidt(A):
    m, n = A.shape
    Q = np.zeros((m, n))
    R = np.zeros((n, n))
    for j in range(n):
        v = A[:, j].copy()
        for i in range(j):
            R[i, j] = Q[:, i] @ A[:, j]
            v -= R[i, j] * Q[:, i]
        R[j, j] = np.sqrt((v**2).sum())
        Q[:, j] = v / R[j, j]
    return Q, R


def conjugate_gradient(A, b, tol):
    n = len(b)
    x = np.zeros(n)
    r = b.copy()
    p = r.copy()
    rs = r @ r
    k = 0
    while k < 10 * n:
        Ap = np.zeros(n)
        for i in range(n):
            for j in range(n):
                Ap[i] += A[i, j] * p[j]
        alpha = rs / (p @ Ap)
        x = x + alpha * p
        r = r - alpha * Ap
        new = r @ r
        k += 1
        if math.sqrt(new) < tol:
            break
        p = r + new / rs * p
        rs = new
    return x, k


def romberg(a, b, levels):
    R = np.zeros((levels, levels))
    h = b - a
    R[0, 0] = 0.5 * h * (math.sin(a) + math.sin(b))
    for i in range(1, levels):
        h /= 2
        total = 0.0
        for k in range(1, 2**i, 2):
            total += math.sin(a + k * h)
        R[i, 0] = 0.5 * R[i - 1, 0] + h * total
        for j in range(1, i + 1):
            R[i, j] = R[i, j - 1] + (R[i, j - 1] - R[i - 1, j - 1]) / (4**j - 1)
    return R[-1, -1]


PROGRAMS = programs(
    Maker(simpson, lambda r, n: (0.0, 3.0, n), 10, 600000),
    Maker(runge_kutta, lambda r, n: (1.0, 0.001, n), 9, 150000),
    Maker(newton_fractal, lambda r, n: (np.linspace(-2, 2, n), np.linspace(-2, 2, n), 30), 5, 110),
    Maker(square_roots, lambda r, n: (r.uniform(0.01, 1000, n),), 9, 40000),
    Maker(horner, lambda r, n: (r.normal(size=12), r.normal(size=n)), 9, 100000),
    Maker(thomas, lambda r, n: (r.random(n), 3 + r.random(n), r.random(n), r.random(n)), 9, 150000),
    Maker(gauss_seidel, lambda r, n: (_dominant(r, n), r.random(n), 1e-9, 20), 6, 200),
    Maker(eliminate, lambda r, n: (r.normal(size=(n, n)), r.normal(size=n)), 5, 110),
    Maker(power_iteration, lambda r, n: (_symmetric(r, n), 1e-12, 15), 5, 250),
    Maker(jacobi_rotations, lambda r, n: (_symmetric(r, n), 3), 4, 40),
    Maker(gram_schmidt, lambda r, n: (r.normal(size=(n + 3, n)),), 5, 150),
    Maker(conjugate_gradient, lambda r, n: (r.random((n, n)) * 0.1 + n * np.eye(n), r.random(n), 1e-10), 6, 200),
    Maker(romberg, lambda r, n: (0.0, 2.0, n), 5, 19),
)
