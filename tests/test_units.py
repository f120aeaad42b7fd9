"""Functions that don't compile whole: what compiles of them does, and the rest is untouched.

Each program is run against its original (values, mutation, output, exceptions), and the verdicts of its loops, in the
order of the lines, are counted: V vectorized, S sequential, F stays Python.
"""

from __future__ import annotations

import collections
import contextlib
import copy
import io
import math
import traceback
import warnings

import jax
import numpy as np
import pytest

from autovec import AutovecError, AutovecWarning, autovec
from autovec.diagnostics import Code
from tests.contract.tables import written
from tests.generator.check import internal, magnitude
from tests.generator.cuts import cut
from tests.generator.programs import program_of
from tests.same import assert_same

RNG = np.random.default_rng(7)
X = RNG.random(6)
M = RNG.random((5, 4))
PROGRAMS = []


def program(verdicts, *calls):
    def add(function):
        PROGRAMS.append(pytest.param(function, verdicts, calls, id=function.__name__))
        return function

    return add


@program("VV", (X, 3), (X[:1], 0), (X[:0], 2))
def prints_between(x, n):
    print("start", n)
    total = 0.0
    for v in x:
        for k in range(n):
            total += v * k
    print("total", round(float(total), 6))
    return total


@program("SS", (X, 0.5), (X, 2.0))
def prints_inside_a_branch(x, limit):
    best = -1
    for i in range(len(x)):
        if x[i] > limit:
            best = i
    if best < 0:
        print("none above", limit)
    else:
        print("last above", limit, "is", best)
    total = 0.0
    for v in x[: best + 1]:
        total = total / 2 + v
    return best, total


@program("FV", ({"a": X, "b": X[:3], "c": X[:0]},), ({},))
def sums_of_a_dict(data):
    out = {}
    for key, values in data.items():
        s = 0.0
        for v in values:
            s += v * v
        out[key] = s
    return out


@program("FSVV", (M, X[:5], 4), (M, X[:5], 0))
def training(x, y, epochs):
    w = np.zeros(x.shape[1])
    for e in range(epochs):
        loss = 0.0
        for i in range(len(x)):
            p = 0.0
            for j in range(len(w)):
                p += x[i, j] * w[j]
            loss += (p - y[i]) ** 2
            for j in range(len(w)):
                w[j] -= 0.1 * (p - y[i]) * x[i, j]
        if e % 2 == 0:
            print(f"epoch {e}: {loss:.3f}")
    return w


@program("V", (X, 0), (X, 1))
def caught(x, past):
    try:
        s = 0.0
        for i in range(len(x) + past):
            s += x[i]
    except IndexError as error:
        print("caught", error)
        s = -1.0
    finally:
        print("done")
    return s


@program("VV", (X, False), (X, True))
def reassigned_before_the_exception(x, fail):
    state = 0
    try:
        state = 1
        for i in range(len(x)):
            x[i] = x[i] * 2
        if fail:
            raise ValueError("no")
        state = 2
        for i in range(len(x)):
            x[i] = x[i] + 1
    except ValueError:
        print("state", state)
    return x, state


@program("V", (X,), (X[:0],))
def last_index_is_unbound_without_a_trip(x):
    print("go")
    for i in range(len(x)):
        x[i] += 1
    return i


@program("FS", (M,), (M[:0],))
def bound_in_an_earlier_iteration(rows):
    last = None
    for row in rows:
        print(last)
        for v in row:
            if v > 0.4:
                last = v
    return last


@program("V", (X, 2.0))
def nested_function_is_shared(x, scale):
    def scaled(v):
        return v * scale

    out = np.empty(len(x))
    print(scaled(1.0))
    for i in range(len(x)):
        out[i] = scaled(x[i])
    print(scaled(2.0))
    return out


@program("V", (X,))
def lambda_and_import(x):
    import math as m

    half = lambda v: m.floor(v * 10) / 2  # noqa: E731
    print(half(0.37))
    total = 0.0
    for v in x:
        total += half(v)
    return total


@program("V", (X, 3))
def counter_is_captured(x, n):
    total = 0.0

    def show():
        print("so far", round(float(total), 6))

    show()
    for v in x[:n]:
        total += v
    show()
    return total


@program("F", (X,))
def seen_by_a_function_with_another_name(x):
    total = 0.0

    def peek(v):
        return v + total

    other = peek
    print("go")
    for v in x:
        total += other(v)
    return total


@program("F", (X,))
def seen_by_a_function_with_defaults(x):
    total = 0.0

    def peek(v, scale=[2.0]):  # noqa: B006
        return v + total * scale[0]

    print("go")
    for v in x:
        total += peek(v)
    return total


@autovec
def weighted(f, x):
    s = 0.0
    for v in x:
        s += f(v)
    return s


@program("V", (X, 2.0))
def passes_its_own_function_on(x, k):
    def scaled(v):
        return v * k

    print(round(weighted(scaled, x), 6))
    total = 0.0
    for v in x:
        total += v
    return total


@program("S", (X,))
def returned_by_the_run(x):
    print("begin")
    for i in range(len(x)):
        if x[i] > 0.6:
            return i, x[i]
    return None


@program("FV", (M, 0.9), (M, 5.0))
def return_from_a_loop_that_stays(rows, limit):
    for k, row in enumerate(rows):
        print("row", k)
        s = 0.0
        for v in row:
            s += v
        if s > limit:
            return k
    return -1


@program("VV", (X,))
def file_like(x):
    out = io.StringIO()
    with out as f:
        s = 0.0
        for v in x:
            s += v
        f.write(f"{s:.4f}\n")
        p = 1.0
        for v in x:
            p *= v
        f.write(f"{p:.4f}\n")
        return out.getvalue()


@program("VVF", (X, "name"), (X, None))
def mixed_values(x, label):
    counts = collections.Counter()
    low = 0
    for v in x:
        if v < 0.5:
            low += 1
    counts["low"] = low
    high = 0
    for v in x:
        if v >= 0.5:
            high += 1
    counts["high"] = high
    for key in sorted(counts):
        print(label, key, counts[key])
    return dict(counts)


@program("VV", (M,))
def intermediate_arrays(a):
    means = np.zeros(a.shape[0])
    for i in range(a.shape[0]):
        means[i] = a[i].sum() / a.shape[1]
    print(np.round(means, 3))
    centred = np.zeros(a.shape)
    for i in range(a.shape[0]):
        centred[i] = a[i] - means[i]
    return means, centred


@program("FV", (X, 3), (X, 0))
def continue_and_break_around(x, n):
    total = 0.0
    for k in range(10):
        if k == 1:
            continue
        if k > n:
            print("enough", k)
            break
        for v in x:
            total += v * k
    else:
        print("never")
    return total


@program("VFV", (X, 2))
def while_that_stays(x, n):
    total = 0.0
    for v in x:
        total += v
    while n > 0:
        print("left", n)
        for v in x:
            total += v / n
        n -= 1
    return total


@program("S", (X,), (np.arange(4),))
def kept_value(x):
    found = 0.5
    print(found)
    for v in x:
        if v > 0.7:
            found = v
    return found


@program("V", (X,), (X[::2],))
def writes_to_an_argument(x):
    print(x[0])
    for i in range(1, len(x)):
        x[i] = x[i] - 0.25
    print(x[-1])


@program("V", (2.5, X))
def match_before(kind, x):
    match kind:
        case float(value):
            scale = value
        case _:
            scale = 1.0
    print("scale", scale)
    s = 0.0
    for v in x:
        s += v * scale
    return s


@program("VS", (X, 2), (X, 9))
def may_be_bound_by_a_try(x, n):
    try:
        s = 0.0
        for i in range(n):
            s += x[i]
        k = 0
    except IndexError as error:
        print(error)
        k = 3
    while k < len(x):
        k += 1
        if k % 2:
            continue
        x[k - 1] = x[k - 1] + k
    return x, k


@program("FS", (M,))
def carried_around_by_a_loop_that_stays(rows):
    for row in rows:
        print("row")
        for v in row:
            if v > 0.5:
                previous = current  # noqa: F821, F841
            current = v
    return current


@program("VVV", (X,), (X[:1],))
def loops_in_expressions(x):
    n = len(x)
    report = {"mean": sum(x) / n}
    report["rms"] = round(math.sqrt(sum(v * v for v in x) / n), 9)
    print("scaled", len([2 * v for v in x]), max(round(v, 2) for v in x))
    return report


@program("FVV", ({"a": X, "b": X[:2]},))
def expressions_in_a_loop_that_stays(data):
    out = {}
    for name, values in data.items():
        out[name] = [v + 1.0 for v in values]
        if any(v > 0.8 for v in values):
            out[name].append("high")
    return out


@pytest.mark.parametrize(("function", "verdicts", "calls"), PROGRAMS)
def test_program(function, verdicts, calls):
    f = autovec(function, fallback="silent")
    for args in calls:
        assert_same(f, *args)
    assert_same(f, *calls[0])
    assert "".join(str(loop.status)[0] for loop in f.report().loops) == verdicts, f.report()
    compile(f.source, "shown", "exec")
    if function.__name__ in PASTED:
        assert_runs_when_pasted(f, calls[0])


# of each kind: values, arrays written in place, a return inside, expressions
PASTED = ("prints_between", "training", "writes_to_an_argument", "returned_by_the_run", "loops_in_expressions")


def assert_runs_when_pasted(f, args):
    """The source shown, run by itself with nothing but what the file of the original has."""
    names = dict(f.original.__globals__)
    before = jax.config.jax_enable_x64
    try:
        exec(f.source, names)
        observed = [observe(g, args) for g in (names[f.original.__name__], f.original)]
    finally:
        jax.config.update("jax_enable_x64", before)
    (value, *shown), (expected, *wanted) = observed
    assert shown == wanted and type(value) is type(expected)
    np.testing.assert_allclose(*([v[k] for k in v] if isinstance(v, dict) else v for v in (value, expected)))


def observe(function, args):
    """What a call returns and prints."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        value = function(*copy.deepcopy(args))
    return value if value is not None else 0, said.getvalue()


def raises(x, n):
    print("start")
    total = 0.0
    for i in range(n):
        total += x[i]
    print("never said")
    return total


def test_a_function_made_in_a_host_has_a_source():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        autovec(passes_its_own_function_on)(X, 2.0)
    assert [str(loop.status) for loop in weighted.report().loops] == ["VECTORIZED"]


def test_traceback_is_the_originals():
    f = autovec(raises)
    f(X, 3)
    lines = []
    for g in (raises, f):
        try:
            g(X, 9)
        except IndexError as error:
            frames = traceback.extract_tb(error.__traceback__)
            lines.append([(t.name, t.lineno, t.line) for t in frames if t.filename == __file__][1:])
    assert lines[0] == lines[1] and lines[0][-1][2] == "total += x[i]"


def test_a_loop_left_alone_is_said_once_and_the_others_are_not():
    def function(x):
        for v in x:
            print(v)
        s = 0.0
        for v in x:
            s += v
        return s

    f = autovec(function)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        f(X)
        f(X)
    (one,) = said
    assert one.category is AutovecWarning
    assert "a loop of " in str(one.message) and "(effect)" in str(one.message) and "print" in str(one.message)
    with pytest.raises(AutovecError, match="print"):
        autovec(function, fallback="error")(X)


def test_what_surrounds_kernels_says_nothing():
    def function(x):
        print("start")
        return sum(v * v for v in x)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        autovec(function)(X)


def test_a_kernel_can_be_what_other_types_keep_in_python():
    def function(a, b):
        print("go")
        s = 0.0
        for v in a:
            s += v
        t = 0.0
        for v in b:
            t += v
        return s, t

    f = autovec(function, fallback="silent")
    odd = np.array([1.5, 2], dtype=object)
    assert_same(f, X, odd)
    assert_same(f, X, odd)
    assert_same(f, X, X[:3])
    assert [str(loop.status)[0] for loop in f.report().loops] == ["V", "V"]


def test_globals_are_read_at_each_call(monkeypatch):
    def function(x, n=2, *, scale=1.5):
        print("go")
        s = 0.0
        for v in x[:n]:
            s += v * FACTOR * scale
        return s

    f = autovec(function)
    for factor in (2.0, 3.0, math.pi):
        monkeypatch.setitem(globals(), "FACTOR", factor)
        assert_same(f, X)
    assert_same(f, X, keywords={"scale": 0.5})


FACTOR = 1.0


def test_methods_and_super():
    class Base:
        def start(self):
            return 1.0

    class Model(Base):
        def __init__(self):
            self.w = np.arange(4.0)

        @autovec
        def run(self, x):
            s = super().start()
            print("run")
            for i in range(len(x)):
                s += x[i] * self.w[i]
            return s

    model = Model()
    assert model.run(X[:4]) == pytest.approx(1.0 + float(X[:4] @ model.w))
    assert [str(loop.status)[0] for loop in Model.run.report().loops] == ["V"]


def test_private_names_stay_python():
    class Model:
        def __init__(self):
            self.__w = 2.0

        @autovec(fallback="silent")
        def run(self, x):
            print("run")
            s = 0.0
            for v in x:
                s += v * self.__w
            return s

    assert Model().run(X) == pytest.approx(2.0 * X.sum())


def test_source_is_guessed_before_any_call():
    f = autovec(prints_between)
    assert f.source.startswith("# Guessed") and "print(" in f.source and "def lines_" in f.source


def test_verify_compares_kernels():
    f = autovec(prints_between, verify=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert_same(f, X, 3, calls=5)


CUT_PROGRAMS = 14


def test_generated_programs_that_are_cut():
    """Random programs with a `print`, a `try` or a `with` in a random place: nothing else changes."""
    kernels = loops = compiled = 0
    for number in range(CUT_PROGRAMS):
        program = cut(program_of(7000 + number), number)
        f = autovec(program.function(), fallback="silent")
        for args in program.calls():
            with contextlib.redirect_stdout(io.StringIO()):
                scale = magnitude(program, args)
            assert_same(f, *args, calls=1, ops=200, scale=scale)
        verdicts = f.report().loops
        assert all(verdict.code is not Code.INTERNAL for verdict in verdicts), f.report()
        loops += len(verdicts)
        compiled += sum(str(verdict.status) != "FALLBACK" for verdict in verdicts)
        kernels += len(f._divisions.last.kernels) if f._divisions.last else 0
        compile(f.source, "shown", "exec")
    assert kernels >= CUT_PROGRAMS / 2 and compiled >= 0.4 * loops, (kernels, compiled, loops)


class MakesUp:
    """Answers for any attribute, but not with an AttributeError, and counts how often it is asked."""

    def __init__(self, x):
        self.known = {"x": x}
        self.asked = 0

    def __getattr__(self, name):
        if name.startswith("__") or name == "known":
            raise AttributeError(name)
        self.__dict__["asked"] += 1
        return self.known[name]


def test_an_object_is_asked_for_no_attributes_of_arrays():
    def function(made_up):
        total = 0.0
        for i in range(len(made_up.x)):
            total += made_up.x[i]
        print(made_up.asked)
        for v in [1.0, 2.0]:
            total += v * len(made_up.x)
        return total

    f = autovec(function, fallback="silent")
    assert_same(f, MakesUp(X))
    assert_same(f, MakesUp(X[:0]))


def test_what_is_said_of_some_lines_is_said_once_however_they_are_cut():
    def function(x):
        counts = {}
        seen = set()
        for v in x:
            k = int(v * 4)
            counts[k] = counts.get(k, 0) + 1
            seen.add(k)
        total = 0
        for k in sorted(counts):
            total += counts[k] * k
        return counts, seen, total

    f = autovec(function)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        for x in (X, X[:0], np.arange(4), X[:3].tolist(), X):
            f(x)
    texts = [str(one.message) for one in said]
    assert len(texts) == len(set(texts)), texts


def of_pairs(x):
    total = 0.0
    for i in range(len(x)):
        for j in range(i + 1, len(x)):
            total += ((x[i] - x[j]) ** 2).sum()
    return total


def test_a_guess_takes_rows_where_numbers_do_not_compile():
    assert "jnp.sum" in autovec(of_pairs).source


def halved(x, n):
    y = x / 2
    for i in range(len(y)):
        y[i] += 1
    return halved(y, n - 1) if n > 0 else y


def named(x):
    s = 0.0
    for v in x:
        s += v
    print(named.__name__, s)
    named.calls = getattr(named, "calls", 0) + 1
    return s


def test_functions_that_are_cut_know_their_own_name():
    f, g = autovec(halved, fallback="silent"), autovec(named, fallback="silent")
    for x in (X, X.astype(np.float32)):
        for n in (0, 2):
            assert_same(f, x, n)
        with contextlib.redirect_stdout(io.StringIO()) as said:
            assert g(x) == pytest.approx(x.sum())
        assert said.getvalue().startswith("named ")
    assert named.calls == 2


UNBOUND = [
    """
    n = 0
    def use():
        nonlocal n
        n += 1
    use()
    return [add(v) for v in x], n
    def add(v):
        return v
""",
    """
    n = 0
    def use():
        nonlocal n
        n += 1
    use()
    def twice(v):
        return add(v) + add(v)
    r = [twice(v) for v in x]
    def add(v):
        return v
    return r, n
""",
    """
    if len(x) > 2:
        c = 1
    print([c + v for v in x])
    return x
""",
    """
    if len(x) > 2:
        c = 1
    print(x, sum(c + v for v in x))
    return x
""",
    """
    for v in x:
        c = v
    print([v * c for v in x])
    return x
""",
    """
    if len(x) > 2:
        c = 1
    print(x)
    for v in x:
        c += v
    print([[c + v for v in x] for w in x])
    return x
""",
]


@pytest.mark.parametrize("body", UNBOUND)
def test_names_that_are_bound_later_or_not_at_all(body):
    f = autovec(written(f"def table(x):{body}"), fallback="silent")
    for x in (X, X[:2], X[:0], X.tolist(), [], X, [1, 2], X[:2]):
        assert_same(f, x, calls=1)
        assert internal(f) is None


def test_functions_made_before_the_loop_are_in_the_kernel():
    def table(x):
        n = 0

        def use():
            nonlocal n
            n += 1

        use()

        def add(v):
            return twice(v) + 1

        def twice(v):
            return 2 * v

        return [add(v) for v in x], n

    f = autovec(table, fallback="silent")
    assert_same(f, X)
    assert "* 2" in f.source or "2.0 *" in f.source, f.source
