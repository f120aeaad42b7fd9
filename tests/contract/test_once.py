"""Every expression is evaluated once, and in Python's order: seen by a function that counts, in each place it may stand.

Those under `PYTHON` don't compile.
"""

from __future__ import annotations

import itertools
import linecache
import math

import numpy as np
import pytest

from autovec import autovec
from tests.same import assert_same

COMPILED = """
s += w[following()] * x[i]
s += wt[following()] * x[i]
s += ww[following()][1] * x[i]
s += ww[1][following()] * x[i]
s += ww[following()][following()] * x[i]
s += pairs[following()][0]
a1, b1 = pairs[following()]; s += a1 * b1
lst[following()] += 1; s += lst[0]
lst[following()] = 5; s += lst[1]
y[following()] += 1
y[following()] = y[following()] + 1
y[following():] += 1
y[following():following() + 2] = 1
s += y[following():].sum()
s += len(y[following():])
for j in range(following()): s += j
for j in range(following(), following() + 2): s += j
for j, v in enumerate(y, following()): s += j * v
for j, v in zip(range(following()), y): s += j * v
for v in y[following():]: s += v
for v in (following(), following()): s += v
for v in [following() for _ in range(3)]: s += v
s += min(following(), 1)
s += max(following(), following(), 1)
s += sum(following() for _ in range(3))
s += sum([following(), following()])
s += (following() if x[i] > 2 else 7)
s += (7 if following() > 1 else following())
s += 0 <= following() < 2
s += 0 < following() < following()
s += (following() and 5)
s += (following() or following())
s += not following()
s += (q := following()) + q
s += abs(following())
s += following() ** 2
s += following() ** following()
s += divmod(following(), 2)[1]
d1, m1 = divmod(following() + 5, 2); s += d1 + m1
s += int(following() * 1.5)
s += round(following() * 1.5)
s += float(following())
s += following() in (1, 2)
s += following() not in [0, 2]
s += np.sqrt(following())
s += np.maximum(following(), 1)
s += np.clip(following(), 0, 1)
s += np.where(following() > 1, x[i], following())
s += twice_and(following(), following())
s += twice_and(b=following(), a=following())
s += twice_and(*(following(), following()))
s += np.array([following(), following()]).sum()
s += np.full(2, following()).sum()
s += np.zeros(3)[following()]
s += [following(), 4][0]
s += (following(), 4)[1]
s += [following(), 4, 5][following()]
s += A[following(), following()]
A[following(), following()] += 1
A[following()] += 1
A[following()] = A[following()] * 2
A[following()][following()] = 3
A[following()][following()] += 3
A[:, following()] += x[:3]
s += A[following()].sum()
s += A[following()][following():].sum()
s += A.T[following()].max()
row = A[following()]; row[0] += 1; row[following()] = 2
B = A[following()].copy(); s += B[following()]
y[0], y[following()] = y[following()], y[0]
k1, y[following()] = following(), 4; s += k1
while following() and s < 1e9: s += 1
if following() > 1: s += 1
out.append(following())
out.append((following(), following())[0])
out += [following()]
out.extend([following(), following()])
s += (lambda v: v + v)(following())
s += x[following()] if following() else x[0]
s -= -following()
s += +following()
s += ~following()
s += following() << following()
s += following() // (following() + 1)
s += following() / (following() + 1.0)
s += following() == following()
s = following() if s > following() else s
s += any(following() > 1 for _ in range(3))
s += all(following() < 2 for _ in range(3))
s += max(following() for _ in range(3))
s += min([following() for _ in range(3)])
s += len([following() for _ in range(2)])
s += sum(v * following() for v in y)
s += x[i] * (following() - following())
y[:] = following()
y[y > following()] = 0
y *= following()
A[following(), :] = following()
A[following(), 0:following()] = following()
s += twice_and(following(), twice_and(following(), following()))
s += np.round(following() * 1.26, 1)
assert following() < 5
s += math.floor(following() / 2)
s += math.hypot(following(), following())
s += isinstance(following(), int)
s += x[-following() - 1]
s += x.take(following())
s += y[[following(), following()]].sum()
s += np.linspace(0, following(), 3)[1]
s += x.reshape(2, -1)[following() % 2].sum()
""".strip().splitlines()

PYTHON = """
s += np.arange(following() + 2)[-1]
z = np.zeros(following() + 1); s += len(z)
s += sorted([following(), following()])[0]
s += np.dot([following(), following()], [1, 2])
s += np.sum([following(), following()])
z = y if following() else x; s += z[0]
s += str(following()) == '1'
s += min(following(), following(), key=lambda v: -v)
""".strip().splitlines()

BEGIN = """
def f(x, y, A, pairs, lst):
    w = [1, 2, 3]
    wt = (1, 2, 3)
    ww = [[1, 2, 3], [4, 5, 6], [7, 8, 9]]
    c = np.zeros(1, int)
    out = []

    def following():
        c[0] += 1
        return c[0] % 3

    def twice_and(a, b):
        return a * 2 + b

    s = 0.0
    for i in range(len(x) - 2):
"""

ARGUMENTS = (
    np.arange(6.0) + 0.5,
    np.arange(4.0),
    np.arange(9.0).reshape(3, 3),
    [(1, 2), (3, 4), (5, 6)],
    [1, 2, 3],
)
names = itertools.count()


def function_of(form: str):
    """The form as the body of a loop."""
    parts = [form] if form.startswith(("for ", "while ", "if ")) else form.split("; ")
    text = BEGIN.lstrip() + "".join(f"        {part}\n" for part in parts) + "    return s, c, out\n"
    name = f"<form {next(names)}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    space: dict = {"np": np, "math": math, "__name__": "forms"}
    exec(compile(text, name, "exec"), space)
    return space["f"]


@pytest.mark.parametrize("form", COMPILED)
def test_each_is_evaluated_once_and_in_order(form):
    f = autovec(function_of(form), fallback="silent")
    assert_same(f, *ARGUMENTS, calls=1)
    assert f.report().blocked is None, f.report().blocked


@pytest.mark.parametrize("form", PYTHON)
def test_so_are_those_that_stay_python(form):
    assert_same(autovec(function_of(form), fallback="silent"), *ARGUMENTS, calls=1)
