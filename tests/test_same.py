"""The harness fails where it should: planted differences, one kind each, and equal functions that must pass."""

from __future__ import annotations

import numpy as np
import pytest

from tests.copying import copy_arguments
from tests.same import assert_same

A = np.array([1.0, 2.0, 3.0])


def returns(value):
    """A function of anything that returns this very value."""
    return lambda *_: value


def differs(original, rewritten, *args, match, **options):
    with pytest.raises(AssertionError, match=match):
        assert_same(rewritten, *args, original=original, **options)


@pytest.mark.parametrize(
    ("expected", "actual", "match"),
    [
        (1.0, np.float64(1.0), r"value: is a numpy.float64 .* expected a float"),
        (np.float64(1.0), 1.0, r"is a float .* expected a numpy.float64"),
        (1, True, r"is a bool .* expected a int"),
        (np.float64(1.0), np.array(1.0), "is a numpy.ndarray"),
        (np.float32(1.0), np.float64(1.0), "is a numpy.float64"),
        ([1], (1,), "is a tuple"),
        ([1, (2, [3.0])], [1, (2, [np.float64(3.0)])], r"value\[1\]\[1\]\[0\]"),
        ([1, 2], [1], "has length 1, expected 2"),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, "has keys"),
        (None, 0, "expected a NoneType"),
        ("a", "b", "is 'b', expected 'a'"),
        (2**70, 2**70 + 1, "expected 1180591620717411303424"),
        (np.int64(2**62), np.int64(2**62 + 1), "1 of 1 differ"),
        (1.0, 1.0 + 1e-12, "1 of 1 differ"),
        (np.nan, 0.0, "differ"),
        (0.0, np.nan, "differ"),
        (np.inf, 1e308, "differ"),
        (1e308, np.inf, "differ"),
        (np.inf, -np.inf, "differ"),
        (complex(1, np.nan), complex(np.nan, 1), "differ"),
        (1 + 1e-9j, 1 + 2e-9j, "differ"),
        (np.zeros(3), np.zeros(3, np.float32), "has dtype float32, expected float64"),
        (np.zeros(3, ">f8"), np.zeros(3), "has dtype float64"),
        (np.zeros(3), np.zeros((1, 3)), r"has shape \(1, 3\), expected \(3,\)"),
        (np.array([1, 2, 3]), np.array([1, 2, 4]), r"1 of 3 differ .*\n  \[2\]: is np.int64\(4\)"),
        (np.array([True]), np.array([False]), "differ"),
        (np.array([1.0, np.nan]), np.array([np.nan, 1.0]), "2 of 2 differ"),
        (np.ma.array([1.0, 2.0], mask=[0, 1]), np.ma.array([1.0, 2.0], mask=[0, 0]), r"value\.mask"),
        (np.array([1, "a"], object), np.array([2, "a"], object), r"value\[0\]"),
    ],
)
def test_different_values(expected, actual, match):
    differs(returns(expected), returns(actual), match=match)
    assert_same(returns(expected), original=returns(expected))


def test_float_tolerance_comes_from_dtype_and_operations():
    close = returns(1.0 + 1e-13)
    differs(returns(1.0), close, match="differ", ops=10)
    assert_same(close, original=returns(1.0), ops=1000)
    assert_same(returns(np.float32(1.00001)), original=returns(np.float32(1.0)))
    differs(returns(np.float32(1.001)), returns(np.float32(1.0)), match="differ")
    assert_same(returns(1.1), original=returns(1.0), rtol=0.2)


def test_cancelled_sums_are_measured_by_their_terms():
    # 1e-9 left of terms of size 1: the last bits of the terms are the first of the sum
    assert_same(returns(1e-9 + 1e-15), np.ones(3), original=returns(1e-9))
    differs(returns(1e-9), returns(1e-9 + 1e-15), match="differ")
    differs(returns(1e-9), returns(2e-9), np.ones(3), match="differ")


def test_signs_of_zeros_on_request():
    assert_same(returns(-0.0), original=returns(0.0))
    differs(returns(0.0), returns(-0.0), match="differ", signed_zeros=True)


def test_writability():
    frozen = A.copy()
    frozen.flags.writeable = False
    differs(returns(A), returns(frozen), match="is read-only, expected writable")


def set_first(x, *_):
    x[0] = 9.0


def test_mutation_of_arguments():
    differs(set_first, returns(None), A.copy(), match=r"argument 0 after the call: 1 of 3 differ")
    differs(returns(None), set_first, [1.0, 2.0], match=r"argument 0 after the call\[0\]")
    differs(returns(None), lambda x: x.append(1), [], match="has length 1, expected 0")
    assert_same(set_first, A.copy(), original=set_first)


class Box:
    def __init__(self, data):
        self.data = data


def test_mutation_of_attributes():
    def write(box):
        box.data[0] = 9.0

    def add(box):
        box.more = 1

    differs(write, returns(None), Box(A.copy()), match=r"argument 0 after the call\.data: 1 of 3 differ")
    differs(add, returns(None), Box(A), match=r"\.more: missing")
    assert_same(write, Box(A.copy()), original=write)


def test_arguments_of_the_caller_are_untouched():
    x = A.copy()
    assert_same(set_first, x, original=set_first)
    assert x.tolist() == A.tolist()


def test_identity():
    differs(lambda x: x, lambda x: x.copy(), A, match="the object is another, expected the one seen before")
    differs(lambda x: x.copy(), lambda x: x, A, match="the object is one seen before, expected another")
    differs(lambda x: [x, x], lambda x: [x, x[:]], A, match="object is another")
    differs(lambda x, y: x, lambda x, y: y, [1], [1], match="object is another")
    differs(lambda: [[0]] * 2, lambda: [[0], [0]], match="object is another")
    assert_same(lambda x: x, A, original=lambda x: x)


def test_shared_memory():
    differs(lambda x: x[1:], lambda x: x[1:].copy(), A, match="doesn't share memory")
    differs(lambda x: x[1:].copy(), lambda x: x[1:], A, match="shares memory")
    assert_same(lambda x: x[1:], A, original=lambda x: x[1:])


def test_exceptions():
    def index_error(text):
        def fail(*_):
            raise IndexError(text)

        return fail

    def value_error(*_):
        raise ValueError("a")

    differs(index_error("a"), index_error("b"), match="raised IndexError: b, expected IndexError: a")
    differs(index_error("a"), value_error, match="raised ValueError: a, expected IndexError: a")
    differs(index_error("a"), returns(1), match="returned 1, expected IndexError: a")
    differs(returns(1), index_error("a"), match="raised IndexError: a, expected the value 1")
    assert_same(index_error("a"), original=index_error("a"))

    def write_and_fail(x):
        x[0] = 9.0
        raise IndexError("a")

    differs(write_and_fail, index_error("a"), A.copy(), match="argument 0 after the call")


def test_printing():
    differs(lambda: print("a"), lambda: print("b"), match=r"printed 'b\\n', expected 'a\\n'")
    differs(lambda: print("a"), returns(None), match="printed ''")


def test_the_second_call_counts():
    count = iter(range(1, 100))
    differs(returns(1), lambda: next(count), match="call 2 of 2")


def test_numpy_warnings_are_not_compared():
    assert_same(lambda x: 1.0 / x, np.zeros(2), original=lambda x: np.array([np.inf, np.inf]))


def test_the_source_is_shown():
    class Rewritten:
        original = staticmethod(returns(1))
        source = "def f(): ..."

        def __call__(self):
            return 2

    with pytest.raises(AssertionError, match=r"rewritten source ---\ndef f"):
        assert_same(Rewritten())


# ---------------------------------------------------------------- copies


def test_copies_keep_aliasing_views_and_layout():
    base = np.asfortranarray(np.arange(24.0).reshape(4, 6))
    args = (
        base,
        base,
        base[1:, ::2],
        base.T,
        base[::-1],
        [base[0]],
        {"k": Box(base[:, 1])},
        np.broadcast_to(A, (2, 3)),
    )
    copies = copy_arguments(args)
    base_copy, same, rows, transposed, reverse, listed, named, broadcast = copies
    assert base_copy is same and base_copy is not base and base_copy.flags.f_contiguous and base_copy.base is None
    for old, new in zip(args[2:5], (rows, transposed, reverse), strict=True):
        assert old.strides == new.strides and np.array_equal(old, new) and not np.shares_memory(old, new)
        assert np.shares_memory(new, base_copy)
    base_copy[0, 1] = -1.0
    assert listed[0][1] == -1.0 and named["k"].data[0] == -1.0 and transposed[1, 0] == -1.0
    assert base[0, 1] == 1.0
    assert broadcast.strides[0] == 0 and not broadcast.flags.writeable


def test_copies_keep_writability_and_kinds():
    frozen = A.copy()
    frozen.flags.writeable = False
    window = frozen[1:]
    strided = np.lib.stride_tricks.as_strided(A, (2, 2), (8, 8))
    empty, scalar, buffer = np.zeros((0, 3)), np.array(2.0), np.frombuffer(b"abcd", np.uint8)
    objects, permuted = np.array([[1], 2], object), np.zeros((2, 3, 4)).transpose(1, 2, 0).copy(order="K")
    args = (frozen, window, strided, empty, scalar, buffer, objects, permuted, permuted[1], range(3), "a", None, len)
    copies = copy_arguments(args)
    for old, new in zip(args, copies, strict=True):
        if isinstance(old, np.ndarray):
            assert old.flags.writeable == new.flags.writeable and old.strides == new.strides and old.dtype == new.dtype
            assert np.array_equal(old, new) and old is not new
        else:
            assert old is new or old == new
    copies[2][0, 1] = 7.0
    assert copies[2][1, 0] == 7.0


def test_jax_arrays():
    jnp = pytest.importorskip("jax.numpy")
    x = jnp.arange(3.0)
    assert copy_arguments((x,))[0] is x
    assert_same(lambda x: x + 1, x, original=lambda x: 1 + x)
    differs(lambda x: x, lambda x: np.asarray(x), x, match="is a numpy.ndarray")
    differs(lambda x: x, lambda x: x + 1, x, match="3 of 3 differ")
