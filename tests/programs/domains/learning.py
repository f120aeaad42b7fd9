"""Machine learning, as people who work there write them."""

from __future__ import annotations

import math

import numpy as np

from tests.programs.domains.maker import Maker, programs


def perceptron(X, y, rate, epochs):
    w = np.zeros(X.shape[1])
    b = 0.0
    for _ in range(epochs):
        errors = 0
        for i in range(len(X)):
            s = b
            for f in range(X.shape[1]):
                s += w[f] * X[i, f]
            guess = 1 if s >= 0 else -1
            if guess != y[i]:
                for f in range(X.shape[1]):
                    w[f] += rate * y[i] * X[i, f]
                b += rate * y[i]
                errors += 1
        if errors == 0:
            break
    return w, b


def nearest_neighbour_labels(train, labels, test):
    guess = []
    for t in test:
        best_d = None
        best = -1
        for i in range(len(train)):
            d = np.sum((train[i] - t) ** 2)
            if best_d is None or d < best_d:
                best_d = d
                best = labels[i]
        guess.append(best)
    return guess


def confusion(true, guess, classes):
    m = np.zeros((classes, classes), dtype=int)
    for t, g in zip(true, guess):
        m[t][g] += 1
    precision = [m[c][c] / max(1, sum(m[r][c] for r in range(classes))) for c in range(classes)]
    return m, precision


def softmax_rows(scores):
    out = np.zeros_like(scores)
    for i in range(scores.shape[0]):
        top = max(scores[i])
        total = 0.0
        for j in range(scores.shape[1]):
            out[i, j] = math.exp(scores[i, j] - top)
            total += out[i, j]
        for j in range(scores.shape[1]):
            out[i, j] /= total
    return out


def convolve_layer(x, w, b):
    """Forward pass of a convolution with a rectifier and pooling of two."""
    ch, h, wd = x.shape
    f, _, k, _ = w.shape
    out = np.zeros((f, h - k + 1, wd - k + 1))
    for n in range(f):
        for i in range(h - k + 1):
            for j in range(wd - k + 1):
                s = b[n]
                for c in range(ch):
                    for p in range(k):
                        for q in range(k):
                            s += w[n, c, p, q] * x[c, i + p, j + q]
                out[n, i, j] = max(s, 0)
    pooled = np.zeros((f, out.shape[1] // 2, out.shape[2] // 2))
    for n in range(f):
        for i in range(pooled.shape[1]):
            for j in range(pooled.shape[2]):
                pooled[n, i, j] = out[n, 2 * i : 2 * i + 2, 2 * j : 2 * j + 2].max()
    return pooled


def roc_area(score, label):
    order = np.argsort(-score)
    positives = hits = 0
    area = 0.0
    for k in order:
        if label[k] == 1:
            positives += 1
        else:
            area += positives
            hits += 1
    return area / (positives * hits)


def best_split(x, y):
    """The threshold of one feature with the least squared error, trying each."""
    best = math.inf
    where = None
    for i in range(len(x)):
        left = right = 0.0
        nl = nr = 0
        for j in range(len(x)):
            if x[j] <= x[i]:
                left += y[j]
                nl += 1
            else:
                right += y[j]
                nr += 1
        if nl == 0 or nr == 0:
            continue
        score = -(left * left / nl + right * right / nr)
        if score < best:
            best = score
            where = x[i]
    return best, where


def logistic_sgd(X, y, rate, epochs):
    n, d = X.shape
    w = np.zeros(d)
    for e in range(epochs):
        loss = 0.0
        for i in range(n):
            z = np.dot(X[i], w)
            p = 1 / (1 + np.exp(-z))
            w -= rate * (p - y[i]) * X[i]
            loss -= y[i] * np.log(p + 1e-12) + (1 - y[i]) * np.log(1 - p + 1e-12)
    return w, loss / n


def naive_bayes(X, y, classes, test):
    n, d = X.shape
    count = np.zeros(classes)
    mean = np.zeros((classes, d))
    var = np.zeros((classes, d))
    for i in range(n):
        count[y[i]] += 1
        for f in range(d):
            mean[y[i], f] += X[i, f]
    for c in range(classes):
        mean[c] /= count[c]
    for i in range(n):
        for f in range(d):
            var[y[i], f] += (X[i, f] - mean[y[i], f]) ** 2
    for c in range(classes):
        var[c] /= count[c]
    out = []
    for t in test:
        best, label = -math.inf, -1
        for c in range(classes):
            s = math.log(count[c] / n)
            for f in range(d):
                s -= 0.5 * math.log(2 * math.pi * var[c, f]) + (t[f] - mean[c, f]) ** 2 / (2 * var[c, f])
            if s > best:
                best, label = s, c
        out.append(label)
    return out


PROGRAMS = programs(
    Maker(perceptron, lambda r, n: (r.normal(size=(n, 6)), r.choice([-1, 1], n), 0.1, 5), 9, 8000),
    Maker(
        nearest_neighbour_labels,
        lambda r, n: (r.normal(size=(n, 4)), r.integers(0, 3, n), r.normal(size=(n // 2 + 1, 4))),
        6,
        400,
    ),
    Maker(confusion, lambda r, n: (r.integers(0, 5, n), r.integers(0, 5, n), 5), 20, 400000),
    Maker(softmax_rows, lambda r, n: (r.normal(size=(n, 20)),), 5, 12000),
    Maker(
        convolve_layer,
        lambda r, n: (r.normal(size=(2, n, n)), r.normal(size=(3, 2, 3, 3)), r.normal(size=3)),
        6,
        45,
    ),
    Maker(roc_area, lambda r, n: (r.normal(size=n), r.integers(0, 2, n)), 12, 600000),
    Maker(best_split, lambda r, n: (r.normal(size=n), r.normal(size=n)), 9, 1000),
    Maker(logistic_sgd, lambda r, n: (r.normal(size=(n, 5)), r.integers(0, 2, n), 0.05, 3), 6, 10000),
    Maker(naive_bayes, lambda r, n: (r.normal(size=(n, 4)), r.integers(0, 3, n), 3, r.normal(size=(n, 4))), 30, 6000),
)
