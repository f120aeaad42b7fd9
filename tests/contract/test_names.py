"""Names: loop variables afterwards, unbound names, types that change, shadowed and odd names, what is read at each call."""

# ruff: noqa: B007, B020, F811, F821, F841
from __future__ import annotations

from types import FunctionType, ModuleType

import numpy as np

from autovec import autovec
from tests.contract.rows import Row
from tests.generator.check import internal
from tests.same import assert_same

row = Row("names")

A = np.array([1.5, -2.0, 3.0, 0.5])
EMPTY = np.zeros(0)
M = np.arange(12.0).reshape(3, 4)


@row.probe((A, 3), (A, 0), (A, 1))
def loop_variable_afterwards(a, n):
    for i in range(n):
        a[i] = i
    return i


@row.probe((A,), (EMPTY,))
def element_afterwards(a):
    s = 0.0
    for x in a:
        s += x
    return s, x


@row.probe((A, 3), (A, 0))
def set_only_in_the_loop(a, n):
    for i in range(n):
        y = a[i] * 2
    return y


@row.probe((A, 3), (A, 0), (A, -2))
def bound_before(a, n):
    i = y = -7
    for i in range(n):
        y = a[i]
    return i, y


@row.probe((M, 2, 3), (M, 0, 3), (M, 2, 0))
def nested_variables_afterwards(m, p, q):
    s = 0.0
    for i in range(p):
        for j in range(q):
            s += m[i, j]
    return s, i, j


@row.probe((A, 0.0), (A, 100.0))
def set_under_a_condition(a, t):
    for x in a:
        if x > t:
            found = x
    return found


@row.probe((A, 2.0), (A, 100.0))
def for_else(a, t):
    for i in range(len(a)):
        if a[i] > t:
            where = i
            break
    else:
        where = -1
    return where, i


@row.probe((A, 3.0), (A, 100.0))
def while_else(a, t):
    i = 0
    while i < len(a):
        if a[i] == t:
            break
        i += 1
    else:
        i = -5
    return i


@row.probe((A,), (EMPTY,))
def changes_its_type(a):
    x = 0
    for i in range(len(a)):
        x = x + a[i] if i % 2 else x * 2
    return x


@row.probe((A, 3), (A, 1), (A, 0))
def int_then_float(a, n):
    s = 1
    for i in range(n):
        s = s / 2
    return s


@row.probe(
    (A,),
)
def loop_variable_is_rebound(a):
    s = 0.0
    for i in range(len(a)):
        s += a[i]
        i = i * 10
        s += i
    return s, i


@row.probe((A,), (A[:1],))
def bound_twice_by_nested_loops(a):
    s = 0.0
    for i in range(len(a)):
        for i in range(2):
            s += a[i] if i < len(a) else 0.0
    return s, i


@row.probe((A,))
def deleted_name(a):
    s = 0.0
    for i in range(len(a)):
        t = a[i]
        s += t
    del t
    return s


@row.probe((A, A * 2))
def shadows_builtins(sum, len):
    max = 0.0
    for abs in range(4):
        max += sum[abs] * len[abs]
    print = max
    return print


@row.probe((A, A * 2, 3), open="arguments named as the modules of the program")
def names_of_the_program(jnp, jax, lax):
    np_ = 0.0
    for step in range(lax):
        carry = jnp[step] - jax[step]
        np_ += carry
    n = lax
    return np_, carry, n


@row.probe((A, A + 1))
def program_names_in_a_recurrence(a, values):
    lax = 0.5
    for step in range(1, len(a)):
        a[step] = a[step - 1] * lax + values[step]
        jnp = a[step]
    return a, jnp


@row.probe((A, 2.0))
def unicode_names(größe, λ):
    Σ = 0.0
    for ĩ in range(len(größe)):
        Σ += größe[ĩ] * λ
    return Σ


@row.probe((A, 2.0))
def underscores(_, __):
    _s = 0.0
    for _i in range(4):
        _s += _[_i] * __
    return _s, _i


@row.probe((A,))
def keyword_like(a):
    match, case, type = 0.0, 1, 2
    for print in range(len(a)):
        match += a[print] * case + type
    return match


@row.probe((A, A), (A, A[1:]), open="a name that may still be an argument's, returned")
def a_new_array_under_an_old_name(a, b):
    b = a * 2
    for i in range(len(a)):
        b[i] += 1
        a = a
    return b, a


@row.probe((A,), (EMPTY,))
def array_becomes_number(a):
    for i in range(3):
        b = a + i
    b = len(b)
    return b


@row.probe((A, 3), (A, 1), (A, 0))
def arrays_of_the_last_round(a, n):
    for k in range(n):
        rest = a - k
        for i in range(len(a)):
            rest[i] += i
        if k > 0:
            change = rest - old
        old = rest * 1.0
    return rest, change.sum(), old


@row.probe((M, 1.0), (M, 30.0), (M, 99.0))
def row_before_a_break(m, t):
    for i in range(len(m)):
        if m[i].sum() > t:
            found = m[i] * 2
            break
    else:
        found = np.zeros(4)
    return found, i


@row.probe((M, 1.0), (M, 99.0))
def array_or_none(m, t):
    best = None
    for i in range(len(m)):
        if m[i].sum() > t:
            best, t = m[i].copy(), m[i].sum()
    return best, t


@row.probe((A, 3), (A, 0), open="the caller or a later store would tell a copy from the view")
def row_of_the_last_round(a, n):
    for k in range(n):
        part = a[1:]
        part[k] = k
    return part


@row.probe((A, 3), (A, 2), open="a shape that changes from one round to the next")
def shape_of_the_last_round(a, n):
    for k in range(1, n):
        part = a[:k] * 2
    return part


@row.probe((A, 3), (A, 0), open="arrays returned that have memory in common")
def two_names_of_the_last_round(a, n):
    for k in range(n):
        one = a * k
        other = one
    return one, other


@row.probe((A,))
def used_before_it_is_bound(a):
    for i in range(len(a)):
        if i > 0:
            a[i] = a[i] + previous
        previous = a[i]
    return a


@row.probe((A, 0), (A, 1))
def used_before_it_is_bound_by_data(a, k):
    s = 0.0
    for i in range(len(a)):
        if i == k:
            t = a[i]
        s += t
    return s


@row.probe((A,))
def comprehension_has_its_own_names(a):
    i = 10
    x = [i * a[i] for i in range(len(a))]
    y = [x[i] + j for i in range(2) for j in range(3)]
    return x, y, i


@row.probe((A,))
def walrus(a):
    n = 0
    for x in a:
        if (y := x * 2) > 1.0:
            n += 1
    return n, y, (z := n + 1), z


@row.probe((A, 3), (A, 0))
def unpacked(a, n):
    p, q = 0, 1
    for i in range(n):
        p, q = q, p + q
        (u, v), w = (p, a[i]), q
    return p, q, u, v, w


@row.probe((A,))
def outer_argument_is_shadowed(a):
    def inner(a, b=2.0):
        return a * b

    s = 0.0
    for x in a:
        s += inner(x)
    return s, a


@row.probe((A,))
def inner_function_has_its_own_names(a):
    x = 5.0

    def inner(x):
        y = x * 2
        return y

    s = 0.0
    for i in range(len(a)):
        s += inner(a[i]) + x
    return s, x


@row.probe((A,))
def defaults_of_inner_functions(a):
    k = 1.0

    def inner(x, d=k, *, e=k + 1):
        return x + d * e + k

    k = 5.0
    s = 0.0
    for x in a:
        s += inner(x)
    return s


@row.probe((np.array([1.0, -2.0, 3.0]),), (EMPTY,), open="what a comprehension leaves to its function")
def walrus_in_a_comprehension(a):
    last, t = None, 0
    doubled = [last := q * 2 for q in a]
    running = [t := t + q for q in a]
    return doubled, last, running, t


@row.probe((np.array([1.0, -2.0, 3.0]),), (EMPTY,), open="what a comprehension leaves to its function")
def walrus_in_a_generator(a):
    y, s, first = -1, 0.0, 0.0
    for i in range(2):
        s += sum((y := q * i) for q in a)
    if any((first := q) > 2 for q in a):
        s += first
    return s, y, first


@row.probe((np.array([1.0, -2.0, 3.0]),), (EMPTY,))
def walrus_that_stays_in_its_iteration(a):
    s = 0.0
    for v in [y * y for q in a if (y := q * 2) > 1]:
        s += v
    return s


test_row = row.test()
test_share = row.share_test()


# ---------------------------------------------------------------- read at each call

GAIN = 2.0
TABLE = np.array([1.0, 2.0, 3.0, 4.0])


def helper(x):
    return x * GAIN


def with_globals(a):
    s = 0.0
    for i in range(len(a)):
        s += helper(a[i]) + GAIN + TABLE[i]
    return s


def test_globals_and_helpers_are_read_at_each_call(monkeypatch):
    f = autovec(with_globals, fallback="silent")
    for gain in (2.0, 3.0, 5, np.float32(2.5), True):
        monkeypatch.setitem(globals(), "GAIN", gain)
        assert_same(f, A)
    monkeypatch.setitem(globals(), "TABLE", np.ones(4))
    assert_same(f, A)
    TABLE[2] = 50.0  # the new one, in place
    assert_same(f, A)
    monkeypatch.setitem(globals(), "TABLE", np.arange(9))
    assert_same(f, A)
    monkeypatch.setitem(globals(), "TABLE", [5.0, 6.0, 7.0, 8.0])
    assert_same(f, A)
    monkeypatch.setitem(globals(), "helper", lambda x: x - GAIN)
    assert_same(f, A)
    monkeypatch.delitem(globals(), "GAIN")
    assert_same(f, A)  # NameError


def test_a_helper_redefined_in_place_is_read_anew():
    def part(x):
        return x * 2

    def whole(a):
        s = 0.0
        for x in a:
            s += part(x)
        return s

    f = autovec(whole)
    assert_same(f, A)

    def part(x):
        return x * 3

    assert_same(f, A)
    assert f.report().blocked is None


def test_closures_are_read_at_each_call():
    k = 2.0

    def scaled(a):
        s = 0.0
        for x in a:
            s += x * k
        return s

    f = autovec(scaled, fallback="silent")
    assert_same(f, A)
    k = 3
    assert_same(f, A)
    k = np.arange(4.0)
    assert_same(f, A[:1])
    k = -0.0
    assert_same(f, A, signed_zeros=True)
    k = 0.0
    assert_same(f, A, signed_zeros=True)


def test_defaults_are_those_of_each_call():
    def scaled(a, k=2.0, *, d=1):
        s = 0.0
        for x in a:
            s += x * k + d
        return s

    f = autovec(scaled)
    assert_same(f, A)
    assert_same(f, A, 3)
    assert_same(f, A, keywords={"d": np.float32(0.5)})
    assert f.report().blocked is None


def test_defaults_that_are_written_to():
    def remembers(a, seen=np.zeros(4)):  # noqa: B008
        for i in range(len(a)):
            seen[i] += a[i]
        return seen

    outcomes = []
    for f in (FunctionType(remembers.__code__, globals(), "remembers", (np.zeros(4),)), autovec(remembers)):
        outcomes.append([f(A).tolist() for _ in range(3)])
    assert outcomes[0] == outcomes[1]


def test_attributes_of_modules_are_read_at_each_call():
    settings = ModuleType("settings")
    settings.gain, settings.scale = 2.0, lambda x: x * 2

    def scaled(a):
        s = 0.0
        for x in a:
            s += settings.scale(x) * settings.gain
        return s

    f = autovec(scaled, fallback="silent")
    assert_same(f, A)
    settings.gain = 3.0
    assert_same(f, A)
    settings.scale = lambda x: x - 1
    assert_same(f, A)


def rows_in_place_of_an_array(m):
    row = np.zeros(4)
    for row in m:
        row += 1
    return row


def rows_in_place_of_one_of_them(m):
    row = m[0]
    for row in m:
        row -= row[0]
    row += 100
    return m


def rows_in_place_of_the_argument(m):
    for m in m:
        m *= 2
    return m


def rows_under_a_condition(m):
    row = m.copy()
    for row in m[1:]:
        if row[0] > 5:
            row += 1
            break
    return row


def test_the_target_of_a_loop_is_its_last_row():
    """Also where it was bound before, and the loop changes it in place."""
    for function in (
        rows_in_place_of_an_array,
        rows_in_place_of_one_of_them,
        rows_in_place_of_the_argument,
        rows_under_a_condition,
    ):
        f = autovec(function, fallback="silent")
        for m in (M, M[:1], np.asfortranarray(M)):
            assert_same(f, m)


def test_attributes_of_a_class_of_any_kind():
    class Body:
        levels = [0, 10]  # noqa: RUF012
        table = {"a": 2}  # noqa: RUF012
        pair = (1.0, 3.0)

        def run(self, a):
            s = 0.0
            for x in a:
                s += x * self.levels[1] + self.table["a"] - self.pair[0]
            return s

    f = autovec(Body.run, fallback="silent")
    assert_same(f, Body(), A)
    assert internal(f) is None
