"""Arrays that `np.append` and `np.concatenate` make longer."""

from __future__ import annotations

import numpy as np

from autovec import autovec
from tests.same import assert_same

X = np.random.default_rng(3).normal(size=9)


def compiles(f, *calls):
    made = autovec(f, fallback="silent")
    for args in calls:
        assert_same(made, *args)
    assert "FALLBACK" not in str(made.report()), str(made.report())


def test_appended_and_joined():
    def chosen(x, y):
        out = np.array([])
        places = np.zeros(0)
        for i, v in enumerate(x):
            if v > 0:
                out = np.append(out, v)
                places = np.append(places, i)
        for v in y:
            out = np.concatenate((out, [v, 0.5]))
        out = np.hstack([out, x[:3]])
        return out, places, len(out)

    def squares(x):
        out = np.empty(0)
        for v in x:
            out = np.append(out, v * v)
        return out.sum(), out

    def running(x):
        out = np.array([])
        for i in range(len(x)):
            out = np.append(out, x[i] + (out[-1] if i > 0 else 0.0))
        return out * 2

    compiles(chosen, (X, np.arange(4)), (-abs(X), np.arange(3, dtype=np.int32)))
    compiles(squares, (X,), (X.astype(np.float32),))
    compiles(running, (X,))


def test_what_the_original_must_do():
    def written(x):
        out = np.array([])
        for v in x:
            out = np.append(out, v)
            out[0] = 5.0
        return out

    def begun_again(x):
        out = np.array([])
        for v in x:
            if v < 0:
                out = np.array([])
            out = np.append(out, v)
        return out

    def complex_too(x):
        out = np.array([])
        for v in x:
            out = np.append(out, v * 1j)
        return out

    def earlier(x):
        out = np.array([])
        before = out
        for v in x:
            if v > 0:
                before = out
            out = np.append(out, v)
        return before, out

    for f in (written, begun_again, complex_too, earlier):
        assert_same(autovec(f, fallback="silent"), X)
