"""Range proofs, emptiness and ranges of forms against brute force over small sizes."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autovec.analysis.domains import EMPTY_RANGE, affine_range
from autovec.analysis.in_range import NOT_PROVED, in_range, non_empty
from autovec.analysis.model import LoopDomain, Statement, Unknown
from autovec.ir.affine import Affine
from tests.enumeration import grid, instances
from tests.test_dependence import forms, loop, one, programs

i, j, n, m = (Affine.name(name) for name in "ijnm")
ZERO = Affine()
SIZES = (n, m)


def values_of(form: Affine, statement: Statement, sizes: dict[str, int], seed: int = 0) -> list[int]:
    return [form.evaluate(dict(instance.values)) for instance in instances(statement, sizes, seed)]


@pytest.mark.parametrize(
    ("statement", "subscript", "size", "proved"),
    [
        (one((loop(0, "i", 0, n),)), i, n, True),
        (one((loop(0, "i", 0, n),)), i + 1, n, False),
        (one((loop(0, "i", 0, n - 1),)), i + 1, n, True),
        (one((loop(0, "i", 0, n),)), i - 1, n, False),
        (one((loop(0, "i", 0, n),)), n - 1 - i, n, True),
        (one((loop(0, "i", n - 1, -1, -1),)), i, n, True),
        (one((loop(0, "i", n - 1, 0, -2),)), i - 1, n, True),
        (one((loop(0, "i", 0, n, 3),)), i + 2, n + 2, True),
        (one((loop(0, "i", 0, n * 2, 2),)), i + 1, n * 2, True),
        (one((loop(0, "i", 0, n * 2, 2),)), i + 2, n * 2, False),
        (one((loop(0, "i", 0, n), loop(1, "j", i + 1, n))), j - i - 1, n, True),
        (one((loop(0, "i", 0, n), loop(1, "j", 0, m))), i + j, n + m - 1, True),
        (one((loop(0, "i", 0, n), loop(1, "j", 0, m))), i, m, False),
        (one((loop(0, "i", 0, n),), conditions=(i - 1,)), i - 1, n, True),
        (one((LoopDomain(0, "i", (ZERO, m - 2), (n, m + 2), 1),)), i, n, True),
        (one((LoopDomain(0, "i", (ZERO, m - 2), (n, m + 2), 1),)), i - m + 2, Affine.number(4), True),
        (one((LoopDomain(0, "i", (ZERO,), (), 1),)), i, n, False),
        (one((LoopDomain(0, "i", (), (n,), 1),)), i, n, False),
        (one((LoopDomain(0, "i", (n - 1,), (), -1),), conditions=(i,)), i, n, True),
        (one((Unknown(0, "i"),)), i, n, False),
        (one((Unknown(0, "i"), loop(1, "j", 0, n))), j, n, True),
        (one(()), ZERO, n, False),
    ],
)
def test_named(statement: Statement, subscript: Affine, size: Affine, proved: bool) -> None:
    proof = in_range(statement, subscript, size, SIZES)
    wrapping = in_range(statement, subscript, size, SIZES, wraps=True)
    known = all(isinstance(x, LoopDomain) and x.lower and x.upper for x in statement.loops)
    assert proof.always is proved
    for sizes in grid("nm", 7):
        reached = values_of(subscript, statement, sizes)
        extent = size.evaluate(sizes)
        inside = all(0 <= v < extent for v in reached)
        wrapped = all(-extent <= v < extent for v in reached)
        assert inside or not proof.holds(sizes)
        assert wrapped or not wrapping.holds(sizes)
        if known:
            assert (proof.holds(sizes), wrapping.holds(sizes)) == (inside, wrapped), sizes
        if proved:
            assert proof.holds(sizes)


def test_the_guard_is_plain_data() -> None:
    proof = in_range(one((loop(0, "i", 1, n - 1),)), i + 1, Affine.name("größe"), SIZES)
    assert str(proof.bad) == "-größe + n - 1 >= 0 and n - 3 >= 0"
    again = pickle.loads(pickle.dumps(proof))
    assert again == proof
    assert again.holds({"n": 4, "größe": 4})
    assert not again.holds({"n": 5, "größe": 4})
    assert not again.holds({"n": 5})


def test_the_guard_is_true_outside_the_context_too() -> None:
    proof = in_range(one((loop(0, "i", 0, n),)), i, m, (m - n,))
    assert proof.always
    assert not proof.holds({"n": 3, "m": 2})


def test_wrapping_is_weaker() -> None:
    statement = one((loop(0, "i", 0, n),))
    assert not in_range(statement, i - 1, n, SIZES).always
    assert in_range(statement, i - 1, n, SIZES, wraps=True).always
    assert not in_range(statement, i - 2, n, SIZES, wraps=True).always


def test_no_answer_is_no_proof() -> None:
    statement = one((loop(0, "i", 0, n),))
    assert in_range(statement, None, n) == NOT_PROVED
    assert in_range(statement, i, n, max_operations=1) == NOT_PROVED
    assert non_empty(statement.loops, max_operations=1) == NOT_PROVED
    assert not NOT_PROVED.holds({"n": 1})


def test_non_empty() -> None:
    assert non_empty((loop(0, "i", 0, n),), (n - 1,)).always
    assert not non_empty((loop(0, "i", 0, n),), (n,)).always
    assert not non_empty((LoopDomain(0, "i", (ZERO,), (), 1),)).always
    assert not non_empty((Unknown(0, "i"),)).always
    assert non_empty(()).always
    nests = [
        (loop(0, "i", 0, n), loop(1, "j", i + 2, n)),
        (loop(0, "i", m, n, 2), loop(1, "j", n, i + 1, -3)),
        (LoopDomain(0, "i", (ZERO, m - 2), (n, m - 1), 3),),
    ]
    for loops in nests:
        proof = non_empty(loops, SIZES)
        for sizes in grid("nm", 7):
            assert proof.holds(sizes) == bool(instances(one(loops), sizes)), sizes
    even = non_empty((loop(0, "i", 0, n),), (), conditions=(i * 2 - n, n - i * 2))
    assert [even.holds({"n": x}) for x in range(5)] == [False, False, True, False, True]


def test_affine_range() -> None:
    box = (loop(0, "i", 0, n), loop(1, "j", m, 0, -2))
    triangle = (loop(0, "i", 0, n), loop(1, "j", i + 1, n, 2))
    open_ended = (LoopDomain(0, "i", (ZERO,), (), 1),)
    assert affine_range(i - j, box, (), {"n": 3, "m": 5}) == (-5, 1)
    assert affine_range(i - j, box, (), {"n": 0, "m": 5}) == EMPTY_RANGE
    assert affine_range(j - i, triangle, (), {"n": 5}) == (1, 3)
    assert affine_range(j - i, triangle, (), {"n": 1}) == EMPTY_RANGE
    assert affine_range(i, open_ended, (), {}) is None
    assert affine_range(i, box, (), {"n": 3}) == (0, 2)
    assert affine_range(j, box, (), {"n": 3}) is None
    assert affine_range(i + n, box, (n - 1, n * -1 + 3), {"m": 2}) == (1, 5)
    assert affine_range(j, triangle, (), {"n": 5}, max_operations=1) is None


@settings(max_examples=120, deadline=None)
@given(programs(), forms("nm"), forms("nm", 0, 3), st.integers(0, 10**6))
def test_random(statements: list[Statement], offset: Affine, size: Affine, seed: int) -> None:
    for statement in statements:
        subscript = offset + sum((Affine.name(x.variable) for x in statement.loops), ZERO)
        proof = in_range(statement, subscript, size, SIZES)
        wrapping = in_range(statement, subscript, size, SIZES, wraps=True)
        runs = non_empty(statement.loops, SIZES, statement.conditions)
        affine = all(isinstance(x, LoopDomain) and x.lower and x.upper for x in statement.loops)
        for sizes in grid("nm", 4):
            reached = values_of(subscript, statement, sizes, seed)
            extent = size.evaluate(sizes)
            inside = all(0 <= v < extent for v in reached)
            assert inside or not proof.holds(sizes)
            assert inside or not proof.always
            assert not affine or proof.holds(sizes) == inside
            assert all(-extent <= v < extent for v in reached) or not wrapping.holds(sizes)
            assert bool(reached) or not (runs.holds(sizes) or runs.always)
            assert not affine or runs.holds(sizes) == bool(reached)
            found = affine_range(subscript, statement.loops, SIZES, sizes, statement.conditions)
            if affine:
                assert found == ((min(reached), max(reached)) if reached else EMPTY_RANGE)
            elif found is not None:
                assert all(found[0] <= v <= found[1] for v in reached)
