"""Where a decorator may stand: on properties, methods of all sorts, functions made in loops; private names; recursion.

Each maker gives what to call, as it is decorated, and the state that it leaves; both ways go through the same calls.
"""

from __future__ import annotations

import functools
import threading

import numpy as np
import pytest

from autovec import autovec
from tests.contract.rows import both

A = np.array([1.5, -2.0, 3.0, 0.5])


def properties(decorate):
    class Body:
        def __init__(self):
            self.x = np.arange(4.0)

        @property
        @decorate
        def inside(self):
            s = 0.0
            for v in self.x:
                s += v
            return s

        @decorate
        @property
        def around(self):
            s = 0.0
            for v in self.x:
                s -= v
            return s

        @around.setter
        def around(self, value):
            self.x[0] = value

        @functools.cached_property
        @decorate
        def once(self):
            s = 0.0
            for v in self.x:
                s += v * v
            return s

    body = Body()

    def call(a):
        body.around = body.around + a[0]
        return body.inside, body.around, body.once

    return call, lambda: vars(body)


def methods_of_classes(decorate):
    class Body:
        gain = 2.0

        @decorate
        @classmethod
        def outside(cls, a):
            s = 0.0
            for x in a:
                s += x * cls.gain
            return s

        @classmethod
        @decorate
        def inside(cls, a):
            s = 0.0
            for x in a:
                s += x * cls.gain
            return s

        @decorate
        @staticmethod
        def alone(a):
            s = 0.0
            for x in a:
                s += x
            return s

        @decorate
        def __call__(self, a):
            s = 0.0
            for x in a:
                s += x * self.gain
            return s

        @decorate
        def __add__(self, a):
            s = 0.0
            for x in a:
                s += x + self.gain
            return s

    class Child(Body):
        gain = 3.0

    def call(a):
        return [(c.outside(a), c.inside(a), c.alone(a), c()(a), c() + a, c().outside(a)) for c in (Body, Child)]

    return call, lambda: None


def bound_methods(decorate):
    class Body:
        def __init__(self):
            self.k = 2.0

        def go(self, a):
            s = 0.0
            for x in a:
                s += x * self.k
            self.k += 1
            return s

    body = Body()
    return decorate(body.go), lambda: vars(body)


def methods_above(decorate):
    class Parent:
        def base(self):
            return 2.0

        def go(self, a):
            return sum(float(x) for x in a)

    class Child(Parent):
        @decorate
        def go(self, a):
            t = 0.0
            for x in a:
                t += x
            print(__class__.__name__)
            t += super().base() + super().go(a)
            for x in a:
                t += x * t
            return t

    return Child().go, lambda: None


def private_names(decorate):
    class _Body:
        class __Law:
            gain = 3.0

        def __init__(self):
            self.__k, self.__x, self.shown = 2.0, np.ones(4), 0.0

        def __scaled(self, v):
            return v * self.__k

        @property
        def __twice(self):
            return self.__k * 2

        @decorate
        def whole(self, a):
            t = 0.0
            for x in a:
                t += self.__k * x + self.__scaled(x) + self.__twice
            for i in range(len(a)):
                self.__x[i] += a[i]
                self.__k += 1
            return t

        @decorate
        def cut(self, __a, *, __d=2.0):
            __t = 0.0
            for x in __a:
                __t += x * __d
            print(self.__k, _Body.__Law.gain)
            self.shown += __t
            for x in __a:
                __t += self.__scaled(x)
            return __t

    body = _Body()
    return lambda a: (body.whole(a), body.cut(a)), lambda: vars(body)


def private_definitions(decorate):
    class Body:
        def of(self, v, *, __k=2.0):
            return v * __k

        @decorate
        def go(self, a):
            def __twice(v):
                return v * 2

            t = 0.0
            for x in a:
                t += __twice(x) + self.of(x)
            print(__twice.__name__)
            return t

        @decorate
        def refused(self, a):
            t = 0.0
            for x in a:
                t += self.of(x, __k=3.0)
            return t

    body = Body()

    def call(a):
        try:
            return body.go(a), body.refused(a)
        except TypeError as error:
            return body.go(a), str(error)

    return call, lambda: None


def made_in_a_loop(decorate):
    functions = []
    for k in range(3):

        def f(a):
            s = 0.0
            for x in a:
                s += x * k  # noqa: B023
            return s

        functions.append(decorate(f))
    return lambda a: [f(a) for f in functions], lambda: None


def made_by_a_factory(decorate):
    def factory(k):
        @decorate
        def f(a):
            s = 0.0
            for x in a:
                s += x * k
            return s

        return f

    functions = [factory(k) for k in (1, 2.0, np.float32(3), True, 1j)]
    return lambda a: [f(a) for f in functions], lambda: None


def of_halves(decorate):
    @decorate
    def f(a):
        if len(a) < 2:
            return a.sum()
        s = 0.0
        for x in a:
            s += x
        return s + f(a[: len(a) // 2]) + f(a[len(a) // 2 :])

    return f, lambda: None


def of_each_other(decorate):
    @decorate
    def even(n, a):
        s = 0.0
        for x in a:
            s += x
        return s if n == 0 else s + odd(n - 1, a)

    @decorate
    def odd(n, a):
        s = 1.0
        for x in a:
            s -= x
        return s if n == 0 else s + even(n - 1, a)

    return lambda a: (even(4, a), odd(3, a)), lambda: None


def order_of_keywords(decorate):
    @decorate
    def f(a, **more):
        s = 0.0
        for x in a:
            for k in more:
                s = s * 2 + more[k] * x
        return s, list(more)

    return lambda a: (f(a, p=1.0, q=2.0), f(a, q=2.0, p=1.0), f(p=3.0, a=a)), lambda: None


def things_to_go_through(decorate):
    @decorate
    def f(items):
        s = 0.0
        for x in items:
            s += x
        return s

    kinds = (
        iter,
        tuple,
        list,
        reversed,
        memoryview,
        lambda a: (x for x in a),
        lambda a: map(abs, a),
        lambda a: range(len(a)),
    )
    return lambda a: [f(kind(a)) for kind in kinds], lambda: None


MAKERS = [
    properties, methods_of_classes, bound_methods, methods_above, private_names, private_definitions, made_in_a_loop,
    made_by_a_factory, of_halves, of_each_other, order_of_keywords, things_to_go_through,
]  # fmt: skip


@pytest.mark.filterwarnings("ignore::autovec.AutovecWarning")
@pytest.mark.parametrize("make", MAKERS)
def test_forms(make):
    both(make, (A,), (A[:2],))


def test_exceptions_in_threads():
    """Each thread gets the exception of its own call, with what was written before."""

    def f(a, n):
        for i in range(n):
            a[i] += 1
        return a

    g, found = autovec(f, fallback="silent"), {}

    def work(n):
        a = A.copy()
        try:
            g(a, n)
            found[n] = (None, a.tolist())
        except IndexError as error:
            found[n] = (str(error), a.tolist())

    threads = [threading.Thread(target=work, args=(n,)) for n in range(7)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    for n in range(7):
        a = A.copy()
        a[:n] += 1
        assert found[n] == (None if n <= 4 else "index 4 is out of bounds for axis 0 with size 4", a.tolist())
