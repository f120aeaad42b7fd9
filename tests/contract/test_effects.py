"""Effects: as many, in the same order, and the surroundings are left as they were."""

from __future__ import annotations

import random
import warnings

import jax
import numpy as np
import pytest

from autovec import autovec
from tests.contract.rows import Row, both

row = Row("effects")

A = np.array([1.5, -2.0, 3.0, 0.5])


@row.probe((A, 3), (A, 0), (A, 9), python="a printing loop stays Python")
def prints_in_the_loop(a, n):
    for i in range(n):
        print(i, a[i])
    return n


@row.probe((A, 2), (A, 7))
def prints_around_the_loop(a, n):
    print("begin", n)
    s = 0.0
    for i in range(n):
        s += a[i]
        a[i] = s
    print("end", s)
    return s


@row.probe((A, 1.0), (A, 9.0), python="a loop that may print stays Python")
def prints_sometimes(a, t):
    s = 0.0
    for x in a:
        if x > t:
            print("large", x)
        s += x
    return s


@row.probe((A,))
def prints_between_loops(a):
    for i in range(len(a)):
        a[i] += 1
    print(a.sum())
    for i in range(len(a)):
        a[i] *= 2
    print(list(a))
    return a


@row.probe((A, 4), (A, 6))
def second_loop_faults_after_print(a, n):
    for i in range(len(a)):
        a[i] += 1
    print("once")
    for i in range(n):
        a[i] *= 2


@row.probe((A, 0.0), (A, 3.0))
def function_that_prints(a, t):
    def told(x):
        print("told", x)
        return x

    s = told(t)
    for x in a:
        s += x
    return told(s)


@row.probe((A,), open="an effect inside")
def default_argument_effects(a, seen=[]):  # noqa: B006
    for x in a:
        seen.append(float(x))
    return len(seen) % 4


@row.probe((A, 4), (A, 6), (A[:0], 0))
def prints_what_it_found(a, n):
    s = 0.0
    found = []
    for i in range(n):
        s += a[i]
        found.append(a[i] * 2)
    print(s, type(s), repr(s), [s], found, f"{s:.3f}", sep="|", end="!\n")
    return found


@row.probe((A,), (A.astype(np.int8),))
def prints_between_inner_loops(a):
    s = 0
    for i in range(2):
        print("row", i)
        for x in a:
            s += x * i
        print(s)
    return s


@row.probe((A, 4), (A, 5))
def raises_after_it_has_printed(a, n):
    s = 0.0
    for x in a:
        s += x
    print("sum", s)
    for i in range(n):
        a[i] = s
    print("done")


@row.probe((A, 2.0), (A, 0.0))
def prints_what_it_caught(a, t):
    s = 0.0
    try:
        for i in range(4):
            a[i] = i
            s += float(a[i]) / t
    except ZeroDivisionError as error:
        print("caught", error)
        s = -1.0
    return s


@row.probe((A, 0), (A, 3))
def prints_in_the_end_whatever_happens(a, k):
    s = 0.0
    try:
        for i in range(k + 2):
            s += a[i]
    finally:
        print("sum", s)
    return s


test_row = row.test()
test_share = row.share_test()


# ---------------------------------------------------------------- state outside of the function


def appends_to_an_outer_list(decorate):
    seen = []

    @decorate
    def f(a):
        s = 0.0
        for x in a:
            seen.append(float(x))
            s += x
        return s

    return f, lambda: seen


def counts_in_a_dict(decorate):
    counts = {}

    @decorate
    def f(a):
        for x in a:
            counts[float(x)] = counts.get(float(x), 0) + 1
        return len(counts)

    return f, lambda: counts


def random_numbers(decorate):
    np.random.seed(3)
    random.seed(3)

    @decorate
    def f(a):
        s = 0.0
        for x in a:
            s += x * np.random.rand() + random.random()
        return s + np.random.normal()

    return f, lambda: (np.random.get_state()[2], random.getstate()[1][-1])


def generator_passed(decorate):
    rng = np.random.default_rng(5)

    @decorate
    def f(a):
        s = 0.0
        for i in range(len(a)):
            s += a[i] * rng.random()
        return s

    return f, lambda: rng.bit_generator.state["state"]["state"]


def iterator_outside(decorate):
    numbers = iter(range(100))

    @decorate
    def f(a):
        s = 0.0
        for x in a:
            s += x * next(numbers)
        return s

    return f, lambda: next(numbers)


def attribute_set(decorate):
    class Box:
        total = 0.0

    box = Box()

    @decorate
    def f(a):
        for x in a:
            box.total += x
        return box.total

    return f, lambda: box.total


def attributes_that_count(decorate):
    """Asking for them is an effect: the compiler doesn't."""

    class Counting:
        def __init__(self):
            self.asked = 0

        def __get__(self, instance, owner):
            self.asked += 1
            return float(self.asked)

    class Body:
        own, other = Counting(), Counting()

        def __init__(self):
            self.reads = 0

        @property
        def read(self):
            self.reads += 1
            return self.reads

    body = Body()

    @decorate
    def f(o, a):
        s = 0.0
        for x in a:
            s += x * o.own + o.read
        return s

    @decorate
    def g(a):
        s = 0.0
        for x in a:
            s += x * Body.other
        return s

    return lambda a: (f(body, a), g(a)), lambda: (body.reads, [Body.__dict__[n].asked for n in ("own", "other")])


@pytest.mark.parametrize(
    "make",
    [
        appends_to_an_outer_list,
        counts_in_a_dict,
        generator_passed,
        iterator_outside,
        attribute_set,
        attributes_that_count,
    ],
)
def test_outer_state(make):
    both(make, (A,), (A[:2],), (A[:0],))


def test_the_global_random_state():
    def f(a):
        s = 0.0
        for x in a:
            s += x * np.random.rand() + random.random()
        return s + np.random.normal()

    g = autovec(f, fallback="silent")
    outcomes = []
    for one in (f, g):
        np.random.seed(3)
        random.seed(3)
        outcomes.append([[one(A) for _ in range(3)], np.random.rand(), random.random()])
    assert outcomes[0] == outcomes[1]


def test_files(tmp_path):
    def f(a, path):
        with open(path, "a") as file:
            for x in a:
                file.write(f"{x}\n")
        s = 0.0
        for x in a:
            s += x
        return s

    for name, one in (("plain", f), ("fast", autovec(f, fallback="silent"))):
        assert [one(A, tmp_path / name) for _ in range(2)] == [3.0, 3.0]
    assert (tmp_path / "plain").read_text() == (tmp_path / "fast").read_text()


# ---------------------------------------------------------------- settings of the person


def total(a, n):
    s = 0.0
    for i in range(n):
        s += a[i] / a[0]
    return s


@pytest.mark.parametrize("x64", [False, True])
def test_settings_are_left_alone(x64):
    before = jax.config.jax_enable_x64
    filters = list(warnings.filters)
    errors = np.geterr()
    printed = np.get_printoptions()
    jax.config.update("jax_enable_x64", x64)
    try:
        f = autovec(total, fallback="silent")
        for n in (4, 9):  # an answer, and a fault
            try:
                f(A, n)
            except IndexError:
                pass
            assert jax.config.jax_enable_x64 is x64
        assert f.source and f.report().text if hasattr(f.report(), "text") else f.source
        f.jax(A, 4)
        f.compare(A, 4)
        assert jax.config.jax_enable_x64 is x64
        assert f(A, 4) == total(A, 4)
    finally:
        jax.config.update("jax_enable_x64", before)
    assert list(warnings.filters) == filters and np.geterr() == errors and np.get_printoptions() == printed


@pytest.mark.parametrize("state", ["raise", "call", "ignore", "warn"])
def test_numpy_error_states(state):
    def f(a, t):
        out = np.zeros(len(a))
        for i in range(len(a)):
            out[i] = a[i] / t
        return out

    g = autovec(f, fallback="silent")
    heard = []
    with np.errstate(all=state, call=lambda kind, flag: heard.append(kind)), warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        g(A, 2.0)
        outcomes = []
        for one in (f, g):
            heard.clear()
            try:
                outcomes.append((one(A, 0.0).tolist(), list(heard)))
            except FloatingPointError as error:
                outcomes.append((str(error), list(heard)))
        assert np.geterr()["divide"] == state
    assert outcomes[0] == outcomes[1]


def test_warnings_as_errors():
    f = autovec(total, fallback="silent")
    f(A, 4)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(RuntimeWarning):
            f(np.array([0.0, 1.0]), 2)


def test_the_warning_of_the_original_comes_at_its_own_line():
    def f(a, n):
        for i in range(n):
            a[i] = 1.0
        warnings.warn("mine", UserWarning, stacklevel=1)
        return a

    lines = []
    for one in (f, autovec(f, fallback="silent")):
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always")
            one(A.copy(), 3)
        lines.append([(str(w.message), w.filename, w.lineno) for w in heard])
    assert lines[0] == lines[1] and len(lines[0]) == 1
