"""Attributes that are set: numbers, arrays, in loops, branches and methods; objects that aren't plain."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from autovec import autovec
from tests.same import assert_same

X = np.random.default_rng(3).normal(size=9)


class Sum:
    count = 0  # the class's own

    def __init__(self):
        self.total, self.n, self.mean = 0.0, 0, None
        self.position, self.velocity = np.zeros(3), np.ones(3)

    def add(self, x):
        for v in x:
            self.total += v
            self.n += 1
        return self.n

    def summarise(self, x):
        self.mean = 0.0
        for v in x:
            self.mean += v
        self.mean /= len(x)
        self.doubled = x * 2
        return self.mean

    def step(self, dt):
        self.total = self.total + dt
        self.n += 1

    def run(self, k):
        for i in range(k):
            self.step(0.5 * i)
        return self.total

    def move(self, k, dt):
        for _ in range(k):
            self.velocity -= dt * self.position
            self.position = self.position + dt * self.velocity
        return self.position.sum()

    def largest(self, x):
        for v in x:
            if v > 0.5:
                self.last = v
                self.count += 1
        return self.count

    def read_early(self, x):
        for v in x:
            if v > 100:
                self.missing = v
        return self.missing


def compiles(f, *args):
    made = autovec(f)
    assert_same(made, *args)
    assert "FALLBACK" not in str(made.report()), str(made.report())


def test_numbers_are_set_in_loops():
    compiles(Sum.add, Sum(), X)
    compiles(Sum.add, Sum(), X[:0])
    compiles(Sum.run, Sum(), 5)
    compiles(Sum.summarise, Sum(), X)


def test_arrays_are_set_anew_and_in_place():
    compiles(Sum.move, Sum(), 4, 0.1)


def test_attributes_that_may_not_be_set():
    compiles(Sum.largest, Sum(), X)
    compiles(Sum.largest, Sum(), X * 0)
    assert_same(autovec(Sum.read_early, fallback="silent"), Sum(), X)
    assert_same(autovec(Sum.read_early, fallback="silent"), Sum(), X * 1000)


def test_a_counter_changes_from_call_to_call():
    made, one, other = autovec(Sum.add), Sum(), Sum()
    for _ in range(12):
        assert made(one, X) == Sum.add(other, X)
    assert abs(one.total - other.total) < 1e-9 and type(one.total) is type(other.total)
    assert len(made.variants if hasattr(made, "variants") else ()) <= 3


@dataclass
class Settings:
    scale: float = 2.0
    used: int = 0


@dataclass(frozen=True)
class Fixed:
    scale: float = 2.0


class Slotted:
    __slots__ = ("scale",)

    def __init__(self):
        self.scale = 2.0


class Watched:
    def __init__(self):
        self._scale = 2.0

    @property
    def scale(self):
        return self._scale

    @scale.setter
    def scale(self, value):
        self._scale = value + 1


class Recorded:
    def __init__(self):
        self.scale = 2.0

    def __setattr__(self, name, value):
        object.__setattr__(self, name, value + 1)


def grow(s, x):
    total = 0.0
    for v in x:
        s.scale = s.scale * 1.5 + v
        total += s.scale
    return total


def test_objects_of_all_kinds():
    compiles(grow, Settings(), X)
    slotted, made = Slotted(), autovec(grow)
    total, expected = made(slotted, X), Settings()
    assert abs(total - grow(expected, X)) < 1e-9 and abs(slotted.scale - expected.scale) < 1e-9
    assert "FALLBACK" not in str(made.report())
    for other in (Fixed(), Watched(), Recorded()):
        assert_same(autovec(grow, fallback="silent"), other, X)


def test_one_object_under_two_names():
    def both(a, b, x):
        for v in x:
            a.scale += v
            b.scale *= 1.1
        return a.scale, b.scale

    made = autovec(both, fallback="silent")
    assert_same(made, Settings(), Settings(), X)
    one = Settings()
    assert_same(made, one, one, X)


def test_set_before_and_after_a_fault():
    def indexed(s, x, n):
        s.used = n
        for i in range(n):
            s.scale += x[i]

    made = autovec(indexed, fallback="silent")
    assert_same(made, Settings(), X, 4)
    assert_same(made, Settings(), X, 40)


class Recorder:
    def __init__(self):
        self.value, self.history, self.kinds = 1.0, [], ["start"]

    def decay(self, n):
        for _ in range(n):
            self.value *= 0.9
            self.history.append(self.value)

    def fresh(self, n):
        self.trace = []
        for i in range(n):
            self.value *= 0.9
            if i % 2:
                self.trace.append((i, self.value))
        return len(self.trace)

    def both(self, n):
        for i in range(n):
            self.history.append(i + 0.5)
            self.kinds.append(i)
        return self.value

    def last(self, n):
        for i in range(n):
            self.history.append(i)
        return self.history[-1]


def test_lists_that_are_attributes_grow():
    compiles(Recorder.decay, Recorder(), 4)
    compiles(Recorder.fresh, Recorder(), 5)
    compiles(Recorder.both, Recorder(), 3)
    assert_same(autovec(Recorder.last, fallback="silent"), Recorder(), 3)
    made, one, other = autovec(Recorder.both, fallback="silent"), Recorder(), Recorder()
    for n in (3, 4, 0, 2):
        made(one, n)
        Recorder.both(other, n)
    assert one.history == other.history and one.kinds == other.kinds
    one.history = other.history = (1.0,)
    for recorder in (one, other):
        try:
            (made if recorder is one else Recorder.both)(recorder, 2)
        except AttributeError as error:
            assert "append" in str(error)


def test_one_list_under_two_attributes():
    def both(r, n):
        for i in range(n):
            r.history.append(i)
            r.kinds.append(-i)

    recorder = Recorder()
    recorder.kinds = recorder.history
    assert_same(autovec(both, fallback="silent"), recorder, 3)
