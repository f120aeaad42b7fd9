"""`operator`'s functions are the operators, of lists and tuples as of arrays; what no function takes raises as it does."""

from __future__ import annotations

import operator

import numpy as np
import pytest

from autovec import autovec
from autovec.frontend.operator_functions import BINARY, COMPARISONS, UNARY
from tests.contract.tables import written
from tests.generator.check import internal
from tests.same import assert_same

X = np.array([3.0, -1.0, 2.0])
PAIRS = (
    ([1, 2, 3], [1]),
    ([1, 2, 3], 2),
    ((1, 2), (3, 4)),
    ((1, 2), 2),
    ([True, False], 2),
    (X, X[:1]),
    (X, 2.0),
    (X, [1, 2, 3]),
    (np.array([3, 1, 2]), 2),
)


@pytest.mark.parametrize("name", [f.__name__ for f in (*BINARY, *COMPARISONS)])
def test_functions_of_two(name):
    program = f"""def table(x, y):
    s = 0
    for i in range(3):
        s += i
    return s, operator.{name}(x, y)
"""
    f = autovec(written(program), fallback="silent")
    for x, y in PAIRS:
        assert_same(f, x, y, calls=1)
        assert internal(f) is None


@pytest.mark.parametrize("name", [*(f.__name__ for f in UNARY), "abs", "truth"])
def test_functions_of_one(name):
    program = f"""def table(x):
    r = 0
    for i in range(3):
        r = operator.{name}(x)
    return r
"""
    f = autovec(written(program), fallback="silent")
    for x in ([1, 2], (), [], (1,), X, X[:1], np.array([True, False]), 2, -1.5, True):
        assert_same(f, x, calls=1)
        assert internal(f) is None


def test_they_compile_in_loops():
    def table(x, y):
        total = 0.0
        for i in range(len(x)):
            if operator.gt(x[i], y):
                total = operator.add(total, operator.mul(x[i], operator.neg(y)))
        return total

    f = autovec(table, fallback="silent")
    assert_same(f, X, 1.0)
    assert f.report().blocked is None


CALLS = """
sum(x, 1, 2)
sum(x, foo=1)
sum(x, 1, start=1)
sum(x, None)
sum(x, start=None)
math.prod(x, 2)
math.log(x[0], None)
math.log(x[0], 2)
math.sqrt([x[0]])
math.floor([x[0]])
any(x, 1)
abs(x, 1)
np.sum(x, 0, None, None, False, 0, True, 1)
""".strip().splitlines()


@pytest.mark.parametrize("call", CALLS)
def test_arguments_that_a_function_has_no_place_for(call):
    program = f"""def table(x):
    r = 0
    for i in range(3):
        r = {call}
    return r
"""
    f = autovec(written(program), fallback="silent")
    for x in (X, X.tolist(), (3.0, 1.0)):
        assert_same(f, x, calls=1)
        assert internal(f) is None


def multiplied_in_place(rows, y):
    for i in range(len(rows)):
        rows[i] @= y
    return rows


def multiplied_by_name(rows, y):
    r = rows[0] * 2
    for _ in range(len(rows)):
        r @= y
    return r


@pytest.mark.parametrize("function", [multiplied_in_place, multiplied_by_name])
def test_a_matrix_product_in_place_keeps_the_shape(function):
    f = autovec(function, fallback="silent")
    square = np.arange(9.0).reshape(3, 3)
    for rows, y in (
        (np.ones((2, 3)), X),
        (np.ones((2, 3)), square),
        (np.ones((2, 3, 3)), X),
        (np.ones((2, 3, 3)), square),
    ):
        assert_same(f, rows, y, calls=1)
        assert internal(f) is None


def put_where_positive(x, y):
    for _ in range(3):
        x[x > 0] = y
    return x


def test_a_matrix_put_where_a_mask_holds():
    f = autovec(put_where_positive, fallback="silent")
    for x in (X, X[:1], X[:2]):
        for y in ([[2.0]], [[2.0, 3.0]], [2.0], 2.0, [2.0, 3.0]):
            assert_same(f, x.copy(), y, calls=1)
            assert internal(f) is None
