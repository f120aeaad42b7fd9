"""The decorated object: what it keeps of the function, what it shows, and where it may stand."""

import copy
import functools
import inspect
import linecache
import pickle
import warnings

import numpy as np
import pytest

import autovec as package
from autovec import AutovecError, AutovecWarning, autovec
from autovec.diagnostics import Blocked, Code
from autovec.options import Options
from autovec.runtime.rewrite import Rewrite
from tests.handwritten import FakePipeline, array, install, np_float, program, scalar, serving, size

pytestmark = pytest.mark.filterwarnings("default::RuntimeWarning")

TOTAL = program("def p(x):\n    return jnp.sum(x)\n", array("x", "n"), returns=np_float(), sizes=(size("n", ("x", 0)),))
BLOCKED = Rewrite(None, blocked=Blocked(Code.OPAQUE_CALL, None, "print is called", "take it out"))


@pytest.fixture
def total(monkeypatch):
    return serving(monkeypatch, TOTAL)


def summed(x, /, scale: float = 1.0, *, flag=None) -> float:
    """Add them up."""
    return float(x.sum()) if scale else flag


summed.mark = 1


class Shape:
    def __init__(self, n):
        self.n = n

    def loop(self, x):
        return "original", x


decorated_at_top = None


# ---------------------------------------------------------------- identity


def test_keeps_what_a_function_has(total):
    f = autovec(summed)
    assert (f.__name__, f.__qualname__, f.__module__, f.__doc__) == ("summed", "summed", __name__, "Add them up.")
    assert inspect.signature(f) == inspect.signature(summed)
    assert f.__wrapped__ is summed and f.original is summed and f.mark == 1
    assert f.options == Options() and callable(f)
    assert type(f(np.ones(3))) is np.float64  # the program ran, not the original
    assert "Add them up." in inspect.getdoc(f)


def test_repr(total):
    f = autovec(summed)
    assert repr(f) == "<autovec summed(x, /, scale: float = 1.0, *, flag=None) -> float: not called yet>"
    f(np.ones(3))
    f(np.ones(1))
    assert repr(f).endswith("compiled for 2 signatures>")


def test_bare_called_and_twice(total):
    f = autovec(fallback="silent", memory_limit="2GB")(summed)
    assert f.options == Options("silent", True, 2_000_000_000, False)
    assert autovec(f) is f
    g = autovec(f, reassociate=False)
    assert g.original is summed and g.options == Options(reassociate=False)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"fallback": "never"}, "'warn', 'error', 'silent'"),
        ({"reassociate": 1}, "True or False"),
        ({"verify": "yes"}, "True or False"),
        ({"memory_limit": "2 parsecs"}, '"2GB"'),
        ({"memory_limit": -1}, "positive"),
        ({"memory_limit": True}, "positive"),
    ],
)
def test_wrong_options(options, words):
    with pytest.raises(AutovecError, match=words):
        autovec(**options)


@pytest.mark.parametrize(
    ("text", "number"), [("2GB", 2 * 10**9), ("1.5 MiB", 3 * 2**19), ("100", 100), (5, 5), (None, None)]
)
def test_memory_limit(text, number):
    assert Options.of(memory_limit=text).memory_limit == number


def test_pickle_and_copy(total, monkeypatch):
    f = autovec(summed)
    assert copy.copy(f) is f and copy.deepcopy([f])[0] is f
    monkeypatch.setattr(inspect.getmodule(summed), "summed", f)
    assert pickle.loads(pickle.dumps(f)) is f
    method = autovec(Shape.loop)
    monkeypatch.setattr(Shape, "loop", method)
    assert pickle.loads(pickle.dumps(Shape.loop)) is method
    local = autovec(lambda x: x)
    with pytest.raises((pickle.PicklingError, AttributeError)):
        pickle.dumps(local)


def test_partial_of_it(total):
    f = functools.partial(autovec(summed), np.ones(3))
    assert f() == 3 and f(flag=1) == 3


# ---------------------------------------------------------------- where it may stand


def test_methods_in_either_order(total):
    class Thing:
        @autovec
        def plain(self, x):
            return x.sum()

        @autovec
        @staticmethod
        def inside(x):
            return x.sum()

        @staticmethod
        @autovec
        def outside(x):
            return x.sum()

        @autovec
        @classmethod
        def klass(cls, x):
            return x.sum()

        @classmethod
        @autovec
        def outer_klass(cls, x):
            return x.sum()

    x, thing = np.ones(3), Thing()
    for get in ("plain", "inside", "outside", "klass", "outer_klass"):
        assert getattr(thing, get)(x) == 3
    assert Thing.inside(x) == Thing.outside(x) == Thing.klass(x) == Thing.outer_klass(x) == Thing.plain(thing, x) == 3
    assert Thing.plain.original.__name__ == "plain"
    assert autovec(thing.plain)(x) == 3
    assert len(total.calls) == 5


def test_class(monkeypatch):
    install(monkeypatch, FakePipeline(lambda arguments: Rewrite(TOTAL)))

    @autovec(fallback="silent")
    class Thing:
        size = 3

        def loop(self, x):
            return sum(v for v in x)

        @staticmethod
        def still(x):
            return sum([v for v in x])

        def simple(self):
            return 1

        async def later(self):
            pass

    assert Thing().loop(np.ones(3)) == 3 and Thing.still(np.ones(3)) == 3
    assert Thing.loop.options.fallback == "silent" and Thing.size == 3
    assert inspect.iscoroutinefunction(Thing.later) and not hasattr(Thing.later, "original")
    assert inspect.isfunction(Thing.simple)  # nothing to gain


def test_property(total):
    class Thing(dict):
        x = np.ones(3)

        @autovec
        @property
        def total(self):
            return "original", self.x

    with pytest.warns(AutovecWarning, match="'self' is a"):
        assert Thing().total[0] == "original"


def test_nested_and_lambda(total):
    k = 2

    @autovec
    def inner(x):
        return x.sum() * k

    assert inner(np.ones(3)) == 3
    assert autovec(lambda x: x.sum())(np.ones(3)) == 3


def test_recursion(monkeypatch):
    serving(monkeypatch, Rewrite(None))

    @autovec
    def countdown(n):
        return n if n == 0 else countdown(n - 1)

    assert countdown(50) == 0


def test_notebook_cell(total):
    text = "from autovec import autovec\n@autovec\ndef f(x):\n    return x.sum()\n"
    space = {}
    linecache.cache["<cell 9>"] = (len(text), None, text.splitlines(True), "<cell 9>")
    try:
        exec(compile(text, "<cell 9>", "exec"), space)
        assert space["f"](np.ones(3)) == 3
    finally:
        del linecache.cache["<cell 9>"]


# ---------------------------------------------------------------- what never compiles


async def coroutine(x):
    return x


def generator(x):
    yield x


@pytest.mark.parametrize(
    ("function", "words"), [(len, "no Python source"), (coroutine, "coroutine"), (generator, "generator")]
)
def test_things_that_stay_python(total, function, words):
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        f = autovec(function)
    assert len(said) == 1 and said[0].filename == __file__ and said[0].category is AutovecWarning
    assert not str(said[0].message).startswith(":")  # what has no file has no place
    assert inspect.iscoroutinefunction(f) == inspect.iscoroutinefunction(function)
    assert "ordinary Python" in repr(f) and f.source.startswith("# Runs as ordinary Python")
    with pytest.raises(AttributeError):
        _ = f.jax
    with pytest.raises(AutovecError, match=words):
        autovec(function, fallback="error")
    autovec(function, fallback="silent")
    if function is len:
        assert f([1, 2]) == 2


# ---------------------------------------------------------------- what it shows


def test_source_and_report_before_and_after(total):
    f = autovec(summed)
    assert f.source.startswith("# Guessed") and f.report().guessed
    f(np.ones(3))
    assert f.source == TOTAL.source and not f.report().guessed
    report = f.report()
    assert (report.function_name, report.file, report.source) == ("summed", __file__, TOTAL.source)
    assert report.lines[0].startswith("def summed")


def test_source_of_what_is_blocked(monkeypatch):
    serving(monkeypatch, BLOCKED)
    f = autovec(summed, fallback="silent")
    f(np.ones(3))
    assert f.source.startswith("# Runs as ordinary Python (opaque-call): print is called\ndef summed")


def test_compare(total):
    f = autovec(lambda x: x.sum())
    comparison = f.compare(np.ones(3))
    assert comparison.agrees and comparison.first is not None
    assert f.compare(np.ones(3)).first == comparison.first  # known from then


def test_compare_of_what_was_refused_has_no_first_call(total):
    f = autovec(summed, fallback="silent")
    f(np.ones(3))
    assert f.compare(np.ones(3)).first is not None
    assert f.compare(np.ma.ones(3)).first is None


def test_report_of_arguments_that_are_not_compiled_for(total):
    def each(x):
        for value in x:
            value.sort()

    f = autovec(each, fallback="silent")
    f({})
    report = f.report()
    assert report.blocked is not None and report.blocked.code is Code.UNSUPPORTED_ARGUMENT and not report.guessed
    assert [loop.code for loop in report.loops] == [Code.UNSUPPORTED_ARGUMENT]
    assert "ordinary Python" in repr(f)


def test_only_what_can_be_called_is_decorated():
    with pytest.raises(AutovecError, match="not 3"):
        autovec(3)


def test_warning_points_at_the_caller(monkeypatch):
    serving(monkeypatch, BLOCKED)
    f = autovec(summed)
    with pytest.warns(AutovecWarning) as said:
        f(np.ones(3))
    assert said[0].filename == __file__ and said[0].lineno == inspect.currentframe().f_lineno - 1


def test_messages_about_arguments_are_the_functions_own(total):
    f = autovec(summed)
    for call in (lambda g: g(), lambda g: g(1, 2, 3), lambda g: g(x=1), lambda g: g(1, other=2)):
        with pytest.raises(TypeError) as ours:
            call(f)
        with pytest.raises(TypeError) as theirs:
            call(summed)
        assert str(ours.value) == str(theirs.value)


# ---------------------------------------------------------------- JAX

SCALED = program(
    "def p(x, a):\n    return jnp.sum(x * x) * a, {}, jnp.stack([jnp.any(x < 0)])\n",
    array("x", "n"), scalar("a"), returns=np_float(), sizes=(size("n", ("x", 0)),), flags=(package.emit.program.Flag.FAULT,),
)  # fmt: skip


def squares(x, a=2.0):
    return (x * x).sum() * a


def test_jax_composes(monkeypatch):
    import jax
    import jax.numpy as jnp

    serving(monkeypatch, SCALED)
    f = autovec(squares)
    x = jnp.arange(3.0)
    assert inspect.signature(f.jax) == inspect.signature(squares) and f.jax is f.jax
    assert f.jax(x) == 10
    assert jax.jit(f.jax)(x, 3.0) == 15
    assert jax.grad(f.jax)(x).tolist() == [0, 4, 8]
    assert jax.vmap(f.jax, (0, None))(jnp.ones((2, 3)), 1.0).tolist() == [3, 3]
    assert jax.jit(jax.vmap(jax.grad(lambda v: f.jax(v, a=1.0))))(jnp.ones((2, 3))).shape == (2, 3)
    assert jax.jit(f.jax)(x).dtype == np.float32


def test_call_under_a_trace(monkeypatch):
    import jax
    import jax.numpy as jnp

    serving(monkeypatch, SCALED)
    f = autovec(squares)
    assert jax.jit(f)(jnp.arange(3.0), 1.0) == 5
    assert jax.grad(f)(jnp.arange(3.0)).tolist() == [0, 4, 8]


def test_concrete_call_inside_a_trace(monkeypatch):
    import jax

    serving(monkeypatch, SCALED)
    f = autovec(squares)
    x = np.arange(3.0)
    assert f(x) == 10

    @jax.jit
    def outer(y):
        return y + f(x)

    assert outer(1.0) == 11 and f(x) == 10


def test_writes_under_a_trace(monkeypatch):
    import jax
    import jax.numpy as jnp

    made = program(
        "def p(x):\n    return x[0], {'x': x.at[0].set(9.0)}\n",
        array("x", "n"), returns=np_float(), sizes=(size("n", ("x", 0)),), writes=("x",),
    )  # fmt: skip
    serving(monkeypatch, made)

    def put(x):
        first = x[0]
        x[0] = 9.0
        return first

    f = autovec(put)
    value, writes = jax.jit(f.jax)(jnp.arange(3.0))
    assert value == 0 and writes["x"].tolist() == [9, 1, 2]
    with pytest.raises(AutovecError, match=r"use .*put\.jax"):
        jax.jit(f)(jnp.arange(3.0))
    with pytest.raises(TypeError, match="immutable"):
        f(jnp.arange(3.0))


def test_traced_size_needs_a_value(monkeypatch):
    import jax
    import jax.numpy as jnp

    from tests.handwritten import integer

    made = program(
        "def p(x, n):\n    return jnp.sum(x[:n])\n",
        array("x", "m"), integer("n"), returns=np_float(), sizes=(size("m", ("x", 0)), size("n", ("n", None))), static=("n",),
    )  # fmt: skip
    serving(monkeypatch, Rewrite(made, accepts=lambda s: s["n"] <= s["m"]))
    f = autovec(lambda x, n: x[:n].sum())
    assert jax.jit(f.jax, static_argnames="n")(jnp.arange(4.0), 3) == 3
    with pytest.raises(AutovecError, match="static_argnames='n'"):
        jax.jit(f.jax)(jnp.arange(4.0), 3)
    with pytest.raises(AutovecError, match="no program"):
        f.jax(jnp.arange(4.0), 7)


def test_blocked_function_under_a_trace(monkeypatch):
    import jax
    import jax.numpy as jnp

    serving(monkeypatch, BLOCKED)
    f = autovec(squares)
    with pytest.raises(AutovecError, match="print is called"):
        f.jax(jnp.arange(3.0))
    with pytest.warns(AutovecWarning, match="under a JAX trace"):
        assert jax.jit(f)(jnp.arange(3.0)) == 10


def test_jax_arrays_stay_jax_arrays(monkeypatch):
    import jax
    import jax.numpy as jnp

    from autovec.emit.program import ArrayOut, ScalarOut, TupleOut
    from autovec.ir.types import PY_INT

    out = TupleOut((np_float(), ScalarOut((PY_INT,)), ArrayOut(), ArrayOut()))
    text = "def p(x, a):\n    return jnp.sum(x), x.shape[0], x * 2, (x * 2).astype(jnp.float64)\n"
    made = program(text, array("x", "n", dtype=np.float32), scalar("a"), returns=out, sizes=(size("n", ("x", 0)),))
    fake = serving(monkeypatch, made)
    f = autovec(squares)
    s, n, y, z = f(jnp.arange(3.0))
    assert isinstance(s, jax.Array) and s.dtype == np.float32 and s == 3 and type(n) is int and n == 3
    assert isinstance(y, jax.Array) and y.dtype == z.dtype == np.float32
    assert type(fake.calls[0]["x"]) is np.ndarray and fake.calls[0]["x"].dtype == np.float32
    with jax.enable_x64(True):
        assert f(jnp.arange(3.0, dtype=np.float32))[3].dtype == np.float64
    assert len(fake.calls) == 2
