"""What a function looks at besides its arguments is read at each call: names, attributes of classes, methods, defaults.

Each maker gives a function, as it is decorated, and a change of its surroundings that the next call must see.
"""

from __future__ import annotations

import functools
from collections import deque, namedtuple
from types import FunctionType, ModuleType

import numpy as np
import pytest

from autovec import autovec
from tests.generator.check import internal
from tests.same import assert_same

A = np.array([1.5, -2.0, 3.0, 0.5])


def class_attribute(decorate):
    class Config:
        GAIN = 2.0
        LIMITS = [1.0, 2.0]  # noqa: RUF012

        class Inner:
            GAIN = 3.0

    @decorate
    def f(a):
        s = 0.0
        for x in a:
            s += x * Config.GAIN + Config.Inner.GAIN + Config.LIMITS[0]
        return s

    def change(step):
        [
            lambda: setattr(Config, "GAIN", 5.0),
            lambda: setattr(Config.Inner, "GAIN", 7),
            lambda: Config.LIMITS.reverse(),
        ][step]()

    return f, change


def static_method(decorate):
    class Laws:
        @staticmethod
        def law(x):
            return x + 1

    @decorate
    def f(a):
        s = 0.0
        for x in a:
            s += Laws.law(x)
        return s

    def change(step):
        Laws.law = staticmethod([lambda x: x * 5, abs, lambda x: x - 2][step])

    return f, change


def uses_builtins(a):
    s = 0.0
    for i in range(len(a)):
        s += max(a[i], 0.0)
    return s


def builtin_that_is_shadowed(decorate):
    space = {"__name__": "elsewhere"}
    f = decorate(FunctionType(uses_builtins.__code__, space))

    def change(step):
        if step == 1:
            del space["max"]
        else:
            space["max"] = [lambda x, y: x, None, min][step]

    return f, change


def code_and_defaults_of_a_helper(decorate):
    """As a notebook does that reloads a module: the function object stays."""

    def helper(x, k=1.0, *, d=0.0):
        return x + k + d

    def other(x, k=1.0, *, d=0.0):
        return x * k - d

    @decorate
    def f(a):
        s = 0.0
        for x in a:
            s += helper(x)
        return s

    def change(step):
        if step == 0:
            helper.__code__ = other.__code__
        elif step == 1:
            helper.__defaults__ = (4.0,)
        else:
            helper.__kwdefaults__["d"] = 2.5

    return f, change


def contents_of_defaults(decorate):
    table, weights = [1.0, 2.0], np.array([1.0, 2.0])

    def helper(x, t=table, w=weights):
        return x * t[0] + w[1]

    @decorate
    def f(a):
        s = 0.0
        for x in a:
            s += helper(x)
        return s

    def change(step):
        [lambda: table.reverse(), lambda: weights.fill(7.0), lambda: table.insert(0, 3)][step]()

    return f, change


def contents_of_a_partial(decorate):
    table = [2.0, 1.0, 5.0]
    helper = functools.partial(lambda t, x: x * t[0] + t[1], table)

    @decorate
    def f(a):
        s = 0.0
        for x in a:
            s += helper(x)
        return s

    def change(step):
        table.append(table.pop(0))

    return f, change


class Law:
    def rate(self, x):
        return x + 1

    @property
    def gain(self):
        return 2.0


class Other(Law):
    def rate(self, x):
        return x * 2

    @property
    def gain(self):
        return 3.0


def method_of_a_class(decorate):
    class Body(Law):
        def rate(self, x):
            return x - 1

    body = Body()

    @decorate
    def f(o, a):
        s = 0.0
        for x in a:
            s += o.rate(x) * o.gain
        return s

    def change(step):
        if step == 0:
            Body.rate = lambda self, x: x * 3
        elif step == 1:
            del Body.rate
        else:
            Body.gain = property(lambda self: 5.0)

    return lambda a: f(body, a), change


def method_of_an_instance(decorate):
    body = Law()

    @decorate
    def f(o, a):
        s = 0.0
        for x in a:
            s += o.rate(x)
        return s

    def change(step):
        if step == 1:
            del body.rate
        else:
            body.rate = lambda x: x * 2

    return lambda a: f(body, a), change


def class_of_a_part(decorate):
    class Whole:
        def __init__(self):
            self.law, self.laws = Law(), [Law(), Law()]

    whole = Whole()

    @decorate
    def f(o, a):
        s = 0.0
        for x in a:
            s += o.law.rate(x) * o.law.gain
        return s

    def change(step):
        whole.law = [Other, Law, Other][step]()

    return lambda a: f(whole, a), change


def class_of_an_item(decorate):
    laws = [Law(), Law()]

    @decorate
    def f(items, a):
        s = 0.0
        for x in a:
            for law in items:
                s += law.rate(x)
        return s

    def change(step):
        [lambda: laws.append(Law()), lambda: laws.__setitem__(1, Other()), lambda: laws.reverse()][step]()

    return lambda a: f(laws, a), change


def hooks_of_a_class(decorate):
    class Counter:
        def __init__(self):
            self.n = 0.0

    class Doubling(Counter):
        def __setattr__(self, name, value):
            object.__setattr__(self, name, value * 2)

    counter = Counter()

    @decorate
    def f(o, a):
        for x in a:
            o.n += x
        return o.n

    def change(step):
        if step == 0:
            Counter.__setattr__ = Doubling.__setattr__
        elif step == 1:
            del Counter.__setattr__
        else:
            counter.__class__ = Doubling

    return lambda a: (f(counter, a), dict(vars(counter))), change


def attribute_of_the_class_or_the_object(decorate):
    """Setting an attribute that only the class has makes one of the object's own: not where no iteration does."""

    class Counter:
        n = 0

    counter, fresh = Counter(), Counter()
    counter.n = 5
    served = [counter]

    @decorate
    def f(o, a):
        for x in a:
            if x > 100:
                o.n += 1
        return o.n

    def change(step):
        served[0] = [fresh, counter, fresh][step]

    return lambda a: (f(served[0], a), dict(vars(served[0]))), change


def module_attribute(decorate):
    outer, inner, other = ModuleType("outer"), ModuleType("inner"), ModuleType("other")
    outer.inner, inner.gain, other.gain, inner.table = inner, 2.0, 5, [1.0, 4.0]
    other.table = (3.0,)

    @decorate
    def f(a):
        s = 0.0
        for x in a:
            s += x * outer.inner.gain + outer.inner.table[0]
        return s

    def change(step):
        [lambda: setattr(inner, "gain", 3.0), lambda: inner.table.reverse(), lambda: setattr(outer, "inner", other)][
            step
        ]()

    return f, change


def tuples_and_dicts(decorate):
    Pair = namedtuple("Pair", "gain table")
    pair, settings = Pair(2.0, [1.0, 2.0]), {"k": 3.0, "rows": [[1.0], [2.0]]}

    @decorate
    def f(a):
        s = 0.0
        for x in a:
            s += x * pair[0] + pair[1][0] + settings["k"] + settings["rows"][1][0]
        return s

    def change(step):
        [lambda: pair[1].reverse(), lambda: settings.update(k=3), lambda: settings["rows"].reverse()][step]()

    return f, change


def something_called_original(decorate):
    """A wrapper's attribute of that name isn't what is called."""

    def helper(x):
        return x + 1

    def wrapper(x):
        return helper(x) * 10

    wrapper.original = helper

    @decorate
    def f(h, a):
        s = 0.0
        for x in a:
            s += wrapper(x) + h(x)
        return s

    def change(step):
        wrapper.original = [abs, helper, None][step]

    return lambda a: f(wrapper, a), change


MAKERS = [
    class_attribute, static_method, builtin_that_is_shadowed, code_and_defaults_of_a_helper, contents_of_defaults,
    contents_of_a_partial, method_of_a_class, method_of_an_instance, class_of_a_part, class_of_an_item,
    hooks_of_a_class, attribute_of_the_class_or_the_object, module_attribute, tuples_and_dicts,
    something_called_original,
]  # fmt: skip


def follow(make):
    """Both ways through the same changes; the decorated function."""
    made = []

    def decorated(function):
        made.append(autovec(function, fallback="silent"))
        return made[-1]

    (plain, change_plain), (fast, change_fast) = make(lambda function: function), make(decorated)
    for step in range(4):
        assert_same(fast, A, original=plain)
        assert_same(fast, A[:2], original=plain)
        assert internal(made[0]) is None, internal(made[0])
        if step < 3:
            change_plain(step)
            change_fast(step)
    return made[0]


@pytest.mark.parametrize("make", MAKERS)
def test_what_is_changed_is_seen(make):
    f = follow(make)
    served = [v for v in f._dispatch.variants if v.rewrite.program is not None]
    assert served, f"nothing compiled: {f.report().blocked}"


# ---------------------------------------------------------------- objects whose answers nothing can be known of


class Shelf:
    def __init__(self):
        self.items = [1.0, 2.0]

    def __getitem__(self, k):
        return self.items[k]

    def __len__(self):
        return len(self.items)

    def __eq__(self, other):
        return len(self.items) == other

    __hash__ = None


def of_item(decorate, shelf):
    @decorate
    def f(a):
        s = 0.0
        for x in a:
            s += x * shelf[0]
        return s

    return f


def of_length(decorate, shelf):
    @decorate
    def f(a):
        s = 0.0
        for x in a:
            s += x * len(shelf)
        return s

    return f


def of_truth(decorate, shelf):
    @decorate
    def f(a):
        s = 0.0
        for x in a:
            s += x if shelf else 1.0
        return s if not shelf else -s

    return f


def of_equality(decorate, shelf):
    @decorate
    def f(a):
        s = 0.0
        for x in a:
            s += x if shelf == 2 else 1.0
        return s

    return f


@pytest.mark.parametrize("read", [of_item, of_length, of_truth, of_equality])
@pytest.mark.parametrize("kind", [Shelf, lambda: deque([1.0, 2.0])], ids=["object", "deque"])
def test_answers_of_objects_are_not_compiled_in(read, kind):
    def make(decorate):
        shelf = kind()
        held = shelf.items if isinstance(shelf, Shelf) else shelf

        def change(step):
            [lambda: held.append(3.0), lambda: held.__setitem__(0, 5.0), lambda: held.clear()][step]()

        return read(decorate, shelf), change

    follow(make)


def test_arrays_in_classes_and_modules_are_not_compiled_in():
    def make(decorate):
        module = ModuleType("tables")
        module.table = np.array([1.0, 2.0])

        class Tables:
            table = module.table

        @decorate
        def f(a):
            s = 0.0
            for x in a:
                s += x * module.table[0] + Tables.table[1]
            return s

        return f, lambda step: module.table.__setitem__(step % 2, step + 5.0)

    follow(make)
