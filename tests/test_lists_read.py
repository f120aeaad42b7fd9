"""Lists whose length depends on the data, read while and after they grow."""

from __future__ import annotations

import warnings

import numpy as np

from autovec import autovec
from autovec.frontend import buffers
from tests.programs.domains.integers import run_lengths
from tests.same import assert_same

X = np.random.default_rng(3).normal(size=12)
NONE = -np.ones(12)


def compiles(f, *calls):
    """The same answers, and from a program."""
    made = autovec(f, fallback="silent")
    for args in calls:
        assert_same(made, *args)
    assert "FALLBACK" not in str(made.report()), str(made.report())


def test_runs_and_peaks():
    def durations(x):
        out = []
        run = 0
        for v in x:
            if v > 0:
                run += 1
            else:
                if run > 0:
                    out.append(run)
                run = 0
        if run > 0:
            out.append(run)
        return out

    def peaks(x):
        found = []
        for i in range(1, len(x) - 1):
            if x[i] > x[i - 1] and x[i] > x[i + 1]:
                found.append(i)
        return np.array(found)

    def apart(x, gap):
        found = []
        for i in range(1, len(x) - 1):
            if x[i] > x[i - 1] and x[i] > x[i + 1]:
                if not found or i - found[-1] > gap:
                    found.append(i)
                elif x[i] > x[found[-1]]:
                    found[-1] = i
        return found

    compiles(durations, (X,), (NONE,))
    compiles(peaks, (X,), (NONE,))
    compiles(apart, (X, 2), (NONE, 2))


def test_recurrences_on_the_list_itself():
    def fibonacci(n):
        out = [1.0, 1.0]
        for i in range(2, n):
            out.append(out[i - 1] + out[i - 2])
        return np.array(out)

    def running(x):
        out = [0.0]
        for v in x:
            out.append(out[-1] + v)
        return out

    def euler(t, end, dt):
        times, values = [t], [1.0]
        while t < end:
            values.append(values[-1] - dt * values[-1])
            t += dt
            times.append(t)
        return np.array(times), np.array(values)

    compiles(fibonacci, (12,))
    compiles(running, (X,))
    compiles(euler, (0.0, 1.0, 0.13))


def test_several_appends():
    def both(x):
        out = []
        for v in x:
            out.append(v)
            out.append(-v)
        return out

    def extended(x):
        out = []
        for v in x:
            if v > 0:
                out.extend([v, 2 * v])
            else:
                out += [v]
        return np.array(out), len(out)

    def triangle(n):
        out = []
        for i in range(n):
            for j in range(i + 1, n):
                if (i + j) % 3:
                    out.append((i, j))
        total = 0
        for i, j in out:
            total += i * j
        return total, len(out)

    compiles(both, (X,))
    compiles(extended, (X,), (NONE,))
    compiles(triangle, (7,))


def test_reductions():
    def summary(x):
        out = []
        for v in x:
            if v > 0:
                out.append(v * v)
        return max(out), min(out), len(out), sum(out, 0.0), np.mean(out)

    compiles(summary, (X,), (NONE,))


def test_a_loop_variable_that_static_positions_and_a_compiled_loop_both_read():
    def f(a):
        n = len(a)
        out = []
        s = 0.0
        for i in range(n):
            for j in range(n):
                if j > i:
                    out.append(j)
                elif i != 0:
                    s = s * 0.5 + a[j]
        return out, s

    compiles(f, (X,), (X[:1],))


def test_chosen_elements_of_loops_that_begin_elsewhere():
    def upwards(b):
        out = []
        for i in range(2, len(b)):
            big = b[i] * 2
            for p in range(3):
                if p < i - 2:
                    out.append(big + p)
        return out

    def by_steps(b):
        out = []
        for i in range(2, len(b), 2):
            big = b[i] * 2
            for p in range(4, 0, -1):
                small = big - p
                if p < i - 1:
                    out.append(big + p + small)
        return out

    def downwards(b):
        out = []
        for i in range(len(b) - 1, 0, -2):
            c = b[i] > 0
            r = np.zeros(3)
            r[1] = b[i]
            for p in range(i):
                out.append(p + r[1] if c else r[p % 3])
        return out

    def rows(b):
        out = []
        for i in range(1, len(b)):
            r = np.zeros(len(b))
            for j in range(i, len(b)):
                r[j] = b[j] * b[i]
            for p in range(3, len(b)):
                if b[p] > b[i]:
                    out.append((i, p, r[p]))
        return out

    for f in (upwards, by_steps, downwards, rows):
        compiles(f, (X,), (-X,), (X[:4],))


def test_a_list_that_stays_empty_is_a_new_one_at_each_call():
    @autovec
    def f(x):
        out = []
        total = 0.0
        for i in range(len(x) - 2, 0, -1):
            out.append(x[i])
        for v in x:
            total += v
        return total, out, []

    for _ in range(3):
        _, out, other = f(X[:1])
        assert (out, other) == ([], [])
        out.append(1)
        other.append(2)


def test_a_stack():
    def reached(neighbours, start):
        seen = np.zeros(len(neighbours), dtype=bool)
        stack = [start]
        order = []
        while stack:
            node = stack.pop()
            if seen[node]:
                continue
            seen[node] = True
            order.append(node)
            for k in range(neighbours.shape[1]):
                if not seen[neighbours[node, k]]:
                    stack.append(int(neighbours[node, k]))
        return order, seen

    graph = np.random.default_rng(1).integers(0, 9, size=(9, 2))
    compiles(reached, (graph, 0), (graph, 4))


def test_a_list_that_is_emptied():
    def longest_run(x):
        best = 0
        current = []
        for v in x:
            if v > 0:
                current.append(v)
            else:
                if len(current) > best:
                    best = len(current)
                current = []
        return max(best, len(current))

    compiles(longest_run, (X,), (NONE,))


def test_what_the_original_must_do():
    def grows_while_read(x):
        out = [x[0]]
        for v in out:
            if len(out) < 6:
                out.append(v + 1)
        return out

    def popped_too_often(x):
        out = [1.0]
        for v in x:
            if v < 0:
                out.pop()
        return out

    def more_than_foreseen(n):
        out = []
        k = 0
        while k < n:
            out.append(k)
            k += 1
        return out[-1], len(out)

    for f, args in ((grows_while_read, (X,)), (popped_too_often, (NONE,)), (more_than_foreseen, (70000,))):
        assert_same(autovec(f, fallback="silent"), *args)
    assert_same(autovec(more_than_foreseen), 50)


def test_a_store_through_a_counter_that_moves_on():
    """The place of a store is what it was at the store, also where stores are written down later."""

    def interleaved(x):
        out = np.zeros(2 * len(x))
        k = 0
        for i in range(len(x)):
            out[k] = x[i]
            k += 1
            out[k] = -x[i]
            k += 1
        return out

    compiles(interleaved, (X,))


def push(items, value):
    if value > 0:
        items.append(value)
    return len(items)


def test_helpers_and_inner_functions_append():
    def by_helper(x):
        out = []
        count = 0
        for v in x:
            count += push(out, v)
        push(out, 3.0)
        return out, count

    def by_closure(x):
        out = []

        def add(v):
            out.append(v * 2)

        for v in x:
            if v > 0:
                add(v)
        return out

    compiles(by_helper, (X,), (NONE,))
    compiles(by_closure, (X,), (NONE,))


def test_items_are_written_and_tested():
    def next_greater(x):
        stack = []
        found = [0] * len(x)
        for i in range(len(x)):
            while stack and x[stack[-1]] < x[i]:
                j = stack.pop()
                found[j] = i - j
            stack.append(i)
        return found

    def last_of_each(x):
        out = [(0, 0.0)]
        for i, v in enumerate(x):
            if v > 0:
                out[-1] = (i, v)
            else:
                out.append((i, v))
        return out

    def longest_increasing(a):
        tails = []
        for v in a:
            low, high = 0, len(tails)
            while low < high:
                middle = (low + high) // 2
                if tails[middle] < v:
                    low = middle + 1
                else:
                    high = middle
            if low == len(tails):
                tails.append(v)
            else:
                tails[low] = v
        return len(tails), tails

    compiles(next_greater, (X,), (NONE,))
    compiles(last_of_each, (X,), (NONE,))
    compiles(longest_increasing, ([3, 1, 4, 1, 5, 9, 2, 6],))


def test_kinds_of_elements():
    def mixed(x):
        out = []
        for v in x:
            if v > 0.5:
                out.append(1)
            elif v > 0:
                out.append(2.5)
            else:
                out.append(v)
        return out, len(out), out[0], out[-1]

    def squared(m):
        out = [[0, 0], [0, 0]]
        for i in range(2):
            for j in range(2):
                for k in range(2):
                    out[i][j] += m[i][k] * m[k][j]
        return out

    compiles(mixed, (X,), (NONE,))
    compiles(squared, ([[1, 2], [3, 4]],), ([[1.0, 2.0], [3.0, 4.0]],))


def test_room_for_every_element_of_the_largest_array(monkeypatch):
    monkeypatch.setattr(buffers, "ROOM", 16)
    made = autovec(run_lengths, fallback="silent")
    for n in (100, 3, 200):
        x = np.arange(n)
        assert_same(made, x)
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # the original doesn't run
            assert_same(autovec(run_lengths), x)


def test_numbers_of_several_kinds():
    def mixed(x):
        out = []
        for i in range(len(x)):
            if x[i] > 1.0:
                out.append(x[i])
            elif x[i] > 0.0:
                out.append(i)
            else:
                out.append(0.5)
        return out

    compiles(mixed, (X,), (NONE,), (NONE + 3.0,), (NONE + 1.5,))
