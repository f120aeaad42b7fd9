"""From a call to an answer, with programs written by hand: types of results, writes, faults, signatures."""

import gc
import threading
import warnings
import weakref

import numpy as np
import pytest

from autovec import AutovecError, AutovecWarning, autovec
from autovec.diagnostics import Blocked, Code
from autovec.emit.program import ArgumentOut, ArrayOut, ConstantOut, Flag, ListOut, ScalarOut, TupleOut
from autovec.ir.types import PY_FLOAT, PY_INT, numpy_kind
from autovec.runtime.rewrite import Guard, Rewrite
from tests.handwritten import (
    F8,
    FakePipeline,
    array,
    install,
    integer,
    np_float,
    program,
    scalar,
    serving,
    size,
)

pytestmark = pytest.mark.filterwarnings("default::RuntimeWarning")

N = size("n", ("x", 0))


def never(*args):
    pytest.fail("the original ran")


def original(x):
    return ("original", x)[0]


def original3(x, n, m):
    return ("original", x, n, m)[0]


def decorate(body, monkeypatch, made, **options):
    """Decorate `body` for a program or rewrite; the fake pipeline comes back too."""
    fake = made if isinstance(made, FakePipeline) else serving(monkeypatch, made)
    if isinstance(made, FakePipeline):
        install(monkeypatch, fake)
    return autovec(body, **options) if options else autovec(body), fake


# ---------------------------------------------------------------- answers


def test_scalars_have_their_kind(monkeypatch):
    out = TupleOut((np_float(), ScalarOut((PY_FLOAT,)), ScalarOut((PY_INT,)), np_float(np.float32), ConstantOut(None)))
    text = "def p(x):\n    s = jnp.sum(x)\n    return s, s, x.shape[0], s.astype(jnp.float32), None\n"
    f, _ = decorate(lambda x: never(x), monkeypatch, program(text, array("x", "n"), returns=out, sizes=(N,)))
    got = f(np.arange(4.0))
    assert got == (6.0, 6.0, 4, 6.0, None)
    assert [type(g) for g in got] == [np.float64, float, int, np.float32, type(None)]


def test_tagged_scalar(monkeypatch):
    out = ScalarOut((PY_INT, numpy_kind(F8)))
    text = "def p(x):\n    m = jnp.max(x)\n    return jnp.where(m > 0, m, 0.0), m > 0\n"
    f, _ = decorate(lambda x: never(x), monkeypatch, program(text, array("x", "n"), returns=out, sizes=(N,)))
    assert type(f(np.array([1.0, 2.5]))) is np.float64
    assert f(np.array([1.0, 2.5])) == 2.5
    assert type(f(np.array([-1.0, -2.5]))) is int


@pytest.mark.parametrize("length", [3, 5000])
def test_arrays_are_writable_and_fresh(monkeypatch, length):
    text = "def p(x):\n    return x + 1.0\n"
    f, _ = decorate(lambda x: never(x), monkeypatch, program(text, array("x", "n"), sizes=(N,)))
    x = np.arange(float(length))
    a = f(x)
    a[0] = 7
    b = f(x)
    assert b[0] == 1 and a[0] == 7 and a.flags.writeable and type(a) is np.ndarray
    kept = a[1:]
    gone = weakref.ref(a.base) if hasattr(a.base, "__weakref__") else None
    del a
    gc.collect()
    assert kept[0] == 2 and gone is None


def test_lists(monkeypatch):
    out = TupleOut(
        (
            ListOut(ScalarOut((PY_FLOAT,)), counted=True),
            ListOut(np_float()),
            ListOut(ArrayOut()),
            ListOut(ListOut(ScalarOut((PY_INT,)))),
            ListOut(ScalarOut((PY_INT, numpy_kind(F8)))),
        ),
        list,
    )
    text = (
        "def p(x):\n"
        "    rows = jnp.outer(x, x)\n"
        "    return [(x, 2), x, rows, rows.astype(int), (x, (x > 1).astype(int))]\n"
    )
    f, _ = decorate(lambda x: never(x), monkeypatch, program(text, array("x", "n"), returns=out, sizes=(N,)))
    a, b, c, d, e = f(np.array([1.0, 2.0, 3.0]))
    assert a == [1.0, 2.0] and type(a[0]) is float
    assert b == [1.0, 2.0, 3.0] and type(b[0]) is np.float64
    assert c[1].tolist() == [2, 4, 6] and c[1].flags.writeable
    assert d == [[1, 2, 3], [2, 4, 6], [3, 6, 9]] and type(d[0][0]) is int
    assert e == [1, 2.0, 3.0] and [type(v) for v in e] == [int, np.float64, np.float64]


def test_returned_argument_and_view(monkeypatch):
    out = TupleOut((ArgumentOut("x"), ArgumentOut("x", (slice(1, None),))))
    text = "def p(x):\n    return (x, x), {'x': x.at[0].set(9.0)}\n"
    made = program(text, array("x", "n"), returns=out, sizes=(N,), writes=("x",))
    f, _ = decorate(lambda x: never(x), monkeypatch, made)
    x = np.arange(3.0)
    whole, view = f(x)
    assert whole is x and x[0] == 9 and np.shares_memory(view, x) and view.tolist() == [1, 2]


# ---------------------------------------------------------------- writes and layouts

SET = "def p(x, a):\n    return None, {'x': x.at[..., 0].set(a)}\n"


def set_first(x, a):
    x[..., 0] = -1.0  # what the original does differs, so that one sees who ran
    return None


def writer(monkeypatch, *sizes, **options):
    made = program(
        SET,
        array("x", *(s.name for s in sizes)),
        scalar("a"),
        returns=ConstantOut(None),
        sizes=sizes,
        writes=("x",),
    )
    return decorate(set_first, monkeypatch, made, **options)[0]


@pytest.mark.parametrize("order", ["C", "F"])
def test_written_matrix_keeps_its_layout(monkeypatch, order):
    f = writer(monkeypatch, size("n", ("x", 0)), size("m", ("x", 1)))
    x = np.array([[1.0, 2, 3], [4, 5, 6]], order=order)
    f(x, 9.0)
    assert x.tolist() == [[9, 2, 3], [9, 5, 6]]


def test_written_strided_view(monkeypatch):
    f = writer(monkeypatch, N)
    base = np.arange(6.0)
    f(base[::-2], 9.0)
    assert base.tolist() == [0, 1, 2, 3, 4, 9]


def test_read_only_target_is_the_originals_matter(monkeypatch):
    f = writer(monkeypatch, N)
    x = np.arange(3.0)
    x.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        f(x, 9.0)


def test_self_overlapping_target(monkeypatch):
    f = writer(monkeypatch, N)
    x = np.lib.stride_tricks.as_strided(np.arange(3.0), (3,), (0,))
    f(x, 9.0)
    assert x[0] == -1


def test_write_of_another_dtype_is_refused(monkeypatch):
    text = "def p(x, a):\n    return None, {'x': x.astype(jnp.float32)}\n"
    made = program(text, array("x", "n"), scalar("a"), returns=ConstantOut(None), sizes=(N,), writes=("x",))
    f, _ = decorate(set_first, monkeypatch, made)
    x = np.arange(3.0)
    with pytest.warns(AutovecWarning, match="internal"):
        f(x, 9.0)
    assert x[0] == -1


def test_overlapping_arguments(monkeypatch):
    def shift(x, y):
        x[:] = y
        return "original"

    made = program(
        "def p(x, y):\n    return None, {'x': y}\n",
        array("x", "n"),
        array("y", "n"),
        returns=ConstantOut("rewritten"),
        sizes=(size("n", ("x", 0), ("y", 0)),),
        writes=("x",),
    )
    f, _ = decorate(shift, monkeypatch, made)
    base = np.arange(6.0)
    assert f(base[:3], base[3:]) == "rewritten"
    assert f(base[::2], base[1::2]) == "rewritten"
    with pytest.warns(AutovecWarning, match="overlapping-arguments") as said:
        assert f(base[:5], base[1:]) == "original"
        assert f(base, base) == "original"
    assert len(said) == 1 and said[0].filename == __file__
    strict = autovec(shift, fallback="error")
    with pytest.raises(AutovecError, match="overlapping"):
        strict(base, base)


# ---------------------------------------------------------------- faults

CHECKED = "def p(x, i):\n    return x[i], {}, jnp.stack([(i >= x.shape[0]) | (i < -x.shape[0])])\n"


def pick(x, i):
    return x[i] if i != 2 else -1.0


def test_fault_runs_the_original_and_repeats_withdraw(monkeypatch):
    made = program(
        CHECKED,
        array("x", "n"),
        scalar("i", integer("i").type),
        returns=np_float(),
        sizes=(N,),
        flags=(Flag.FAULT,),
    )
    f, _ = decorate(pick, monkeypatch, made)
    x = np.arange(3.0)
    assert f(x, 2) == 2.0
    for _ in range(4):
        with pytest.raises(IndexError, match="index 7 is out of bounds"):
            f(x, 7)
    assert f(x, 2) == 2.0  # a good call between them starts the count again
    with pytest.warns(AutovecWarning, match="fault"):
        for _ in range(5):
            with pytest.raises(IndexError):
                f(x, 7)
    assert f(x, 2) == -1.0  # withdrawn


def test_retry_runs_the_sequential_program(monkeypatch):
    fast = program(
        "def p(x):\n    return jnp.max(x), {}, jnp.stack([jnp.any(x != x), jnp.any(x != x)])\n",
        array("x", "n"), returns=np_float(), sizes=(N,), flags=(Flag.RETRY, Flag.FAULT),
    )  # fmt: skip
    slow = program("def p(x):\n    return x[0]\n", array("x", "n"), returns=np_float(), sizes=(N,))
    made = []
    f, _ = decorate(lambda x: never(x), monkeypatch, Rewrite(fast, sequential=lambda: made.append(1) or slow))
    assert f(np.array([1.0, 2.0])) == 2.0 and not made
    for _ in range(7):
        assert f(np.array([1.0, np.nan])) == 1.0
    assert made == [1]


def test_sizes_that_are_not_accepted(monkeypatch):
    fast = program("def p(x):\n    return jnp.max(x)\n", array("x", "n"), returns=np_float(), sizes=(N,))
    slow = program("def p(x):\n    return x[0]\n", array("x", "n"), returns=np_float(), sizes=(N,))
    asked = []
    rewrite = Rewrite(
        fast,
        sequential=lambda: slow,
        accepts=lambda s: asked.append(s["n"]) or s["n"] > 3,
        sequential_accepts=lambda s: s["n"] > 2,
    )
    f, _ = decorate(original, monkeypatch, rewrite)
    assert f(np.arange(4.0)) == 3.0 and f(np.arange(4.0)) == 3.0
    assert f(np.arange(3.0)) == 0.0
    assert f(np.arange(2.0)) == "original"
    assert asked == [4, 3, 2]


def test_error_while_compiling(monkeypatch):
    text = "def p(x):\n    raise RuntimeError('no such thing')\n"
    f, _ = decorate(original, monkeypatch, program(text, array("x", "n"), sizes=(N,)))
    with pytest.warns(AutovecWarning, match=r"internal.*no such thing") as said:
        assert f(np.arange(3.0)) == "original"
        assert f(np.arange(4.0)) == "original"
    assert len(said) == 1


def test_error_in_the_pipeline(monkeypatch):
    def broken(arguments):
        raise KeyError("oops")

    f, _ = decorate(original, monkeypatch, FakePipeline(broken))
    with pytest.warns(AutovecWarning, match="KeyError"):
        assert f(np.arange(3.0)) == "original"


def test_text_that_does_not_compile(monkeypatch):
    f, _ = decorate(original, monkeypatch, program("def p(x) oops\n", array("x", "n"), sizes=(N,)))
    with pytest.warns(AutovecWarning, match="SyntaxError"):
        assert f(np.arange(3.0)) == "original"


# ---------------------------------------------------------------- which rewrite serves a call

TOTAL = program("def p(x):\n    return jnp.sum(x)\n", array("x", "n"), returns=np_float(), sizes=(N,))


def test_one_rewrite_for_all_lengths(monkeypatch):
    f, fake = decorate(lambda x: never(x), monkeypatch, TOTAL)
    for n in (2, 3, 5, 3):
        assert f(np.ones(n)) == n
    assert len(fake.calls) == 1
    f(np.ones(1))  # an axis of length 1 broadcasts: a signature of its own
    f(np.ones(3))
    f(np.ones(1))
    assert len(fake.calls) == 2


def test_signatures(monkeypatch):
    def make(arguments):
        kind = arguments["x"].dtype
        text = "def p(x, a):\n    return jnp.sum(x) * a\n"
        sizes = tuple(f"n{i}" for i in range(arguments["x"].ndim))
        found = tuple(size(s, ("x", i)) for i, s in enumerate(sizes))
        return Rewrite(program(text, array("x", *sizes, dtype=kind), scalar("a"), returns=np_float(kind), sizes=found))

    f, fake = decorate(lambda x, a: never(x, a), monkeypatch, FakePipeline(make))
    calls = [np.ones(3), np.ones((3, 2)), np.ones(3, np.float32), np.asfortranarray(np.ones((3, 2))), np.ones(6)[::2]]
    for _ in range(3):
        for x in calls:
            got = f(x, 2.0)
            assert got == 2 * x.size and got.dtype == x.dtype
    assert len(fake.calls) == len(calls)


def test_pattern_of_sizes(monkeypatch):
    def make(arguments):
        x, y = arguments["x"], arguments["y"]
        text = "def p(x, y):\n    return jnp.sum(x) + jnp.sum(y)\n"
        sizes = (size("n", ("x", 0), ("y", 0)),)
        if len(x) != len(y):
            sizes = (size("n", ("x", 0)), size("m", ("y", 0)))
        return Rewrite(program(text, array("x", "n"), array("y", "m"), returns=np_float(), sizes=sizes))

    f, fake = decorate(lambda x, y: never(x, y), monkeypatch, FakePipeline(make))
    assert f(np.ones(3), np.ones(3)) == 6
    assert f(np.ones(4), np.ones(4)) == 8
    assert len(fake.calls) == 1
    assert f(np.ones(3), np.ones(4)) == 7
    assert f(np.ones(5), np.ones(5)) == 10
    assert len(fake.calls) == 2


def test_integer_sizes_static_and_not(monkeypatch):
    made = program(
        "def p(x, n, m):\n    return jnp.sum(x[:m]) + n\n",
        array("x", "k"), integer("n"), integer("m"),
        returns=np_float(), sizes=(size("k", ("x", 0)), size("n", ("n", None)), size("m", ("m", None))), static=("m",),
    )  # fmt: skip
    f, fake = decorate(original3, monkeypatch, made)
    assert f(np.ones(4), 10, 2) == 12 and f(np.ones(4), 11, 3) == 14
    assert len(fake.calls) == 1
    assert f(np.ones(4), 2**63, 2) == "original"
    assert f(np.ones(4), -(2**63) - 1, 2) == "original"


def test_constants_are_part_of_the_signature(monkeypatch):
    def make(arguments):
        assert isinstance(arguments["mode"], str | int | float | None)
        text = f"def p(x):\n    return {arguments['mode'] == 'max'} * jnp.max(x)\n"
        return Rewrite(program(text, array("x", "n"), returns=np_float(), sizes=(N,)), constants=("mode",))

    f, fake = decorate(lambda x, mode: never(x, mode), monkeypatch, FakePipeline(make))
    x = np.arange(1.0, 4.0)
    assert [f(x, m) for m in ("max", "no", "max", 1, True, 1.0, 0.0, -0.0, None)] == [3, 0, 3, 0, 0, 0, 0, 0, 0]
    assert len(fake.calls) == 8


def test_guards(monkeypatch):
    space = {"K": 2.0}
    cell = (lambda: space).__closure__[0]

    def make(arguments):
        text = f"def p(x):\n    return jnp.sum(x) * {space['K']}\n"
        made = program(text, array("x", "n"), returns=np_float(), sizes=(N,))
        return Rewrite(made, guards=(Guard(space, "K", space["K"]), Guard(cell, "space", space)))

    f, fake = decorate(original, monkeypatch, FakePipeline(make))
    x = np.ones(3)
    assert f(x) == 6 and f(x) == 6
    space["K"] = 3.0
    assert f(x) == 9 and len(fake.calls) == 2
    with pytest.warns(AutovecWarning, match="keeps changing"):
        for k in range(20):
            space["K"] = float(k)
            f(x)
    assert f(x) == "original" and len(fake.calls) == 8


def test_captured_arrays_are_read_and_written_at_each_call(monkeypatch):
    space = {"W": np.arange(3.0)}

    def make(arguments):
        made = program(
            "def p(x, W):\n    return jnp.sum(x * W), {'W': W.at[0].add(1.0)}\n",
            array("x", "n"),
            array("W", "n"),
            returns=np_float(),
            sizes=(size("n", ("x", 0), ("W", 0)),),
            writes=("W",),
        )
        return Rewrite(made, captured=(Guard(space, "W", space["W"]),))

    f, fake = decorate(original, monkeypatch, FakePipeline(make))
    assert f(np.ones(3)) == 3 and f(np.ones(3)) == 4
    assert space["W"].tolist() == [2, 1, 2]
    space["W"] = np.zeros(4)
    assert f(np.ones(4)) == 0 and f(np.ones(4)) == 1 and len(fake.calls) == 1
    with pytest.warns(AutovecWarning, match="overlapping"):
        assert f(space["W"]) == "original"
    assert f.jax(np.ones(4))[0] == 2
    del space["W"]
    with pytest.warns(AutovecWarning, match="internal"):
        assert f(np.ones(4)) == "original"


def test_blocked_rewrite(monkeypatch):
    blocked = Blocked(Code.OPAQUE_CALL, None, "print is called", "take it out")
    f, fake = decorate(original, monkeypatch, Rewrite(None, blocked=blocked))
    with pytest.warns(AutovecWarning, match="print is called.*take it out") as said:
        assert f(np.ones(3)) == "original" and f(np.ones(4)) == "original"
    assert len(said) == 1 and len(fake.calls) == 1
    quiet, _ = decorate(original, monkeypatch, Rewrite(None, blocked=blocked), fallback="silent")
    assert quiet(np.ones(3)) == "original"
    strict, _ = decorate(original, monkeypatch, Rewrite(None, blocked=blocked), fallback="error")
    for _ in range(2):
        with pytest.raises(AutovecError, match="print is called"):
            strict(np.ones(3))


class Vector(np.ndarray):
    pass


@pytest.mark.parametrize(
    "x",
    [
        {1.0}, object(), np.ones(3).view(Vector), np.ma.ones(3), np.ones(3, ">f8"),
        np.ones(3, np.longdouble), np.array(["a"]), np.ones(3, object), np.ones(3, np.longlong),
    ],
)  # fmt: skip
def test_types_that_are_not_compiled(monkeypatch, x):
    f, fake = decorate(original, monkeypatch, TOTAL)
    with pytest.warns(AutovecWarning, match="argument 'x'") as said:
        assert f(x) == "original" and f(x) == "original"
    assert len(said) == 1 and not fake.calls
    assert f(np.ones(3)) == 3


def test_unread_argument_may_be_anything(monkeypatch):
    class Thing:
        def total(self, x):
            return x.sum()

    f, _ = decorate(Thing.total, monkeypatch, TOTAL)
    Thing.total = f
    assert Thing().total(np.ones(3)) == 3 and f.original is not f


def test_empty_arrays_run_the_original(monkeypatch):
    f, _ = decorate(original, monkeypatch, TOTAL)
    assert f(np.ones(3)) == 3 and f(np.ones(0)) == "original"


def test_strict_numpy_runs_the_original(monkeypatch):
    f, _ = decorate(original, monkeypatch, TOTAL)
    x = np.ones(3)
    assert f(x) == 3
    with np.errstate(all="raise"):
        assert f(x) == "original"
    with np.errstate(over="ignore"):
        assert f(x) == 3
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert f(x) == "original"
        warnings.simplefilter("default", RuntimeWarning)
        assert f(x) == 3
        warnings.filterwarnings("error", message="overflow", category=RuntimeWarning)
        assert f(x) == "original"
    assert f(x) == 3


def test_keywords_defaults_and_stars(monkeypatch):
    made = program(
        "def p(x, b):\n    return jnp.sum(x) + b\n", array("x", "n"), scalar("b"), returns=np_float(), sizes=(N,)
    )

    def body(x, /, a=1, *rest, b=2.0, **more):
        return ("original", a, rest, b, more) if x is not None else x

    f, _ = decorate(body, monkeypatch, made)
    assert f(np.ones(3), 5, 6, b=7.0, c=8) == 10 and f(np.ones(3)) == 5

    def keyword(x, *, b=2.0):
        return never(x, b)

    g, _ = decorate(keyword, monkeypatch, made)
    assert g(np.ones(3)) == 5 and g(np.ones(3), b=4.0) == 7
    with pytest.raises(TypeError, match=r"keyword\(\) takes 1 positional argument but 2 were given"):
        g(np.ones(3), 4.0)


def test_names_that_the_stub_uses_too(monkeypatch):
    def body(result, state, slow, MISS, call):
        return ("original", result, state, slow, MISS, call)[0]

    f, _ = decorate(body, monkeypatch, Rewrite(None))
    assert f(1, 2, 3, 4, 5) == "original" and f(result=1, state=2, slow=3, MISS=4, call=5) == "original"


def test_no_arguments(monkeypatch):
    made = program("def p():\n    return jnp.arange(3.0)\n")
    f, _ = decorate(lambda: never(), monkeypatch, made)
    assert f().tolist() == [0, 1, 2]


def test_x64_of_the_person_is_untouched(monkeypatch):
    import jax

    text = "jax.config.update('jax_enable_x64', True)\n\n\ndef p(x):\n    return x + 1.0\n"
    f, _ = decorate(lambda x: never(x), monkeypatch, program(text, array("x", "n"), sizes=(N,)))
    assert f(np.ones(3)).dtype == np.float64
    assert not jax.config.jax_enable_x64 and jax.numpy.ones(1).dtype == np.float32


def test_arguments_may_be_overwritten_at_once(monkeypatch):
    f, _ = decorate(
        lambda x: never(x), monkeypatch, program("def p(x):\n    return x * 2.0\n", array("x", "n"), sizes=(N,))
    )
    x = np.ones(100_000)
    for i in range(50):
        x[:] = i
        y = f(x)
        x[:] = -1
        assert (y == 2 * i).all()


def test_threads(monkeypatch):
    f, fake = decorate(lambda x: never(x), monkeypatch, TOTAL)
    wrong = []

    def work(n):
        for _ in range(20):
            if f(np.ones(n)) != n:
                wrong.append(n)

    threads = [threading.Thread(target=work, args=(n,)) for n in (2, 3, 4, 5)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not wrong and len(fake.calls) == 1


# ---------------------------------------------------------------- verify


def test_verify_finds_a_difference_and_puts_it_right(monkeypatch):
    f = writer(monkeypatch, N, verify=True)
    x = np.arange(3.0)
    with pytest.warns(AutovecWarning, match="differs from the original"):
        f(x, 9.0)
    assert x.tolist() == [-1, 1, 2]
    f(x, 9.0)
    assert x.tolist() == [-1, 1, 2]


def test_verify_is_content_and_stops(monkeypatch):
    ran = []

    def body(x):
        ran.append(1)
        return x.sum()

    f, _ = decorate(body, monkeypatch, TOTAL, verify=True)
    for _ in range(6):
        assert f(np.ones(3)) == 3
    assert len(ran) == 3
