"""Intervals of Python ints: sound on random programs, and never a wrapped answer from what is compiled."""

from __future__ import annotations

import inspect
import itertools
import linecache
import random

import numpy as np
import pytest

from autovec import autovec
from autovec.analysis.integer_values import has_python_int, is_integer
from autovec.analysis.intervals import BINARY, INT64, UNARY, Interval
from autovec.analysis.value_ranges import value_ranges
from autovec.diagnostics import Blocked
from autovec.frontend import source
from autovec.frontend.unit import describe, lower_function
from autovec.ir.nodes import Def, Fault
from autovec.plan.dead_code import remove_dead_code
from autovec.plan.overflow import check_overflow
from autovec.plan.substitution import substitute_single_uses
from tests.exact_runs import TooLong, run
from tests.same import assert_same

# ---------------------------------------------------------------- operations

EXACT = {
    "negative": lambda a: -a,
    "absolute": abs,
    "invert": lambda a: ~a,
    "square": lambda a: a * a,
    "sign": np.sign,
    "add": lambda a, b: a + b,
    "subtract": lambda a, b: a - b,
    "multiply": lambda a, b: a * b,
    "floor_divide": lambda a, b: a // b if b else 0,
    "remainder": lambda a, b: a % b if b else 0,
    "fmod": lambda a, b: int(np.fmod(a, b)) if b else 0,
    "power": lambda a, b: a**b if b >= 0 else 1,
    "left_shift": lambda a, b: a << max(b, 0),
    "right_shift": lambda a, b: a >> max(b, 0),
    "bitwise_and": lambda a, b: a & b,
    "bitwise_or": lambda a, b: a | b,
    "bitwise_xor": lambda a, b: a ^ b,
    "gcd": lambda a, b: int(np.gcd(a, b)),
    "lcm": lambda a, b: int(np.lcm(a, b)),
    "maximum": max,
    "minimum": min,
}


@pytest.mark.parametrize("op", sorted(EXACT))
def test_operations_hold_every_result(op):
    ends = (-6, -5, -2, -1, 0, 1, 2, 3, 7)
    intervals = [Interval(a, b) for a, b in itertools.combinations_with_replacement(ends, 2)]
    if op in UNARY:
        for a in intervals:
            found = UNARY[op](a)
            assert all(found.low <= EXACT[op](x) <= found.high for x in range(a.low, a.high + 1)), (op, a, found)
        return
    for a, b in itertools.product(intervals, intervals):
        found = BINARY[op](a, b)
        results = [EXACT[op](x, y) for x in range(a.low, a.high + 1) for y in range(b.low, b.high + 1)]
        assert found.low <= min(results) and max(results) <= found.high, (op, a, b, found)


def test_huge_exponents_take_no_time():
    assert BINARY["power"](Interval(2, 2), Interval(0, 2**63)).high >= 2**63
    assert BINARY["left_shift"](Interval(1, 1), Interval(0, 2**63)).high >= 2**63


# ---------------------------------------------------------------- random programs

NAMES = ("a", "b", "c")
FACTORS = ("n", "m", "i", "2", "3", "7", "-1", "10", "1000003", "int(x[i])", "int(y[i])")


class Writer:
    """A function of two ints and two arrays, made of assignments, branches and loops."""

    def __init__(self, seed: int) -> None:
        self.pick = random.Random(seed)
        self.lines = ["def program(n, m, x, y):", "    a = 1", "    b = n", "    c = m"]

    def text(self) -> str:
        for _ in range(self.pick.randint(1, 2)):
            self.loop(1)
        self.lines.append("    return a + 0, b, c")
        return "\n".join(self.lines) + "\n"

    def add(self, depth: int, line: str) -> None:
        self.lines.append("    " * depth + line)

    def atom(self, i: str) -> str:
        return self.named(self.pick.choice((*NAMES, *NAMES, *FACTORS)), i)

    def named(self, factor: str, i: str) -> str:
        return i if factor == "i" else factor.replace("[i]", f"[{i}]")

    def expression(self, i: str) -> str:
        a, b = self.atom(i), self.atom(i)
        form = self.pick.choice(
            (
                "{a} + {b}",
                "{a} - {b}",
                "{a} * {b}",
                "{a} // 3",
                "{a} % 7",
                "({a} * {b}) % 1009",
                "-{a}",
                "abs({a})",
                "{a} ** 2",
                "min({a}, {b})",
                "max({a}, {b})",
                "{a} & {b}",
                "{a} ^ {b}",
                "{a} >> 1",
                "{a} << 2",
                "{a} if {a} < {b} else {b}",
                "{a} * 31 + {b}",
                "{a}",
            )
        )
        return form.format(a=a, b=b)

    def test(self, i: str) -> str:
        a, b = self.atom(i), self.atom(i)
        op = self.pick.choice(("<", "<=", ">", "==", "!="))
        return self.pick.choice((f"{a} {op} {b}", f"0 <= {a} < {b}", f"{a} % 2 == 0", f"{a} > 0 and {b} * 2 < 100"))

    def statement(self, depth: int, i: str) -> None:
        name = self.pick.choice(NAMES)
        match self.pick.randint(0, 7):
            case 0 | 1:
                self.add(depth, f"{name} = {self.expression(i)}")
            case 2:
                self.add(depth, f"{name} += {self.expression(i)}")
            case 3:
                self.add(depth, f"{name} -= {self.atom(i)}")
            case 4:
                self.add(depth, f"{name} *= {self.atom(i)}")
            case 5:
                self.add(depth, f"if {self.test(i)}:")
                self.statement(depth + 1, i)
            case 6:
                self.add(depth, f"x[{i}] = {self.expression(i)} % 50")
            case 7:
                self.add(depth, f"t = {self.expression(i)}")
                self.add(depth, f"{name} = t * 3 - t")

    def loop(self, depth: int) -> None:
        i = "ijk"[depth - 1]
        bounds = self.pick.choice(("len(x)", "1, len(x)", "len(x) - 1, -1, -1", "0, len(x), 2"))
        if self.pick.random() < 0.2:
            self.add(depth, "w = 0")
            self.add(depth, f"while w < {self.pick.choice(('len(x)', 'n', '5'))}:")
            for _ in range(self.pick.randint(1, 2)):
                self.statement(depth + 1, "w % len(x)")
            self.add(depth + 1, f"w += {self.pick.choice(('1', '2'))}")
            return
        self.add(depth, f"for {i} in range({bounds}):")
        for _ in range(self.pick.randint(1, 3)):
            self.statement(depth + 1, i)
        if depth < 2 and self.pick.random() < 0.4:
            self.loop(depth + 1)


def made(text: str):
    """The function of a program's text, so that its source is found."""
    name = f"<program {hash(text)}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    space: dict[str, object] = {}
    exec(compile(text, name, "exec"), space)
    return space["program"]


def lowered(function, arguments):
    """The unit as the pass gets it."""
    found = source.find(function)
    names = list(inspect.signature(function).parameters)
    unit = lower_function(found, {n: describe(a) for n, a in zip(names, arguments, strict=True)}).unit
    return remove_dead_code(substitute_single_uses(remove_dead_code(unit)))


def random_arguments(seed: int):
    pick = np.random.default_rng(seed)
    top = int(pick.choice([3, 40, 10**6, 2**40]))
    n, m = (int(v) for v in pick.integers(-top, top + 1, 2))
    length = int(pick.integers(2, 7))
    x = pick.integers(-100, 100, length) * int(pick.choice([1, 2**20, 2**50]))
    return n, m, x, pick.integers(-128, 128, length).astype(np.int8)


SEEDS = range(300)


@pytest.mark.parametrize("seed", SEEDS)
def test_intervals_hold_what_runs_see(seed):
    text = Writer(seed).text()
    function, arguments = made(text), random_arguments(seed)
    try:
        unit = lowered(function, arguments)
    except Blocked:
        pytest.skip("not compiled")
    ranges = value_ranges(unit)

    def look(statement, guard, expression, value):
        if not is_integer(expression.type) or isinstance(value, np.ndarray):
            return
        facts = ranges.before[id(statement)].assuming(guard)
        held = facts.value(expression)
        if isinstance(value, int) and not isinstance(value, bool) and not INT64.low <= value <= INT64.high:
            raise TooLong  # checked by the pass: nothing is said of what comes after
        if abs(int(value)) > 2**62 and isinstance(value, int):
            raise TooLong
        part = held.numpy if isinstance(value, np.generic) else held.python
        part = part if part is not None else held.whole
        assert part is not None and part.low <= int(value) <= part.high, (str(part), value, expression, text)

    try:
        run(unit, dict(zip(("n", "m", "x", "y"), arguments, strict=True)), look)
    except (TooLong, NotImplementedError):
        pass


@pytest.mark.parametrize("seed", SEEDS)
def test_no_int_leaves_int64_without_a_fault(seed):
    text = Writer(seed).text()
    function, arguments = made(text), random_arguments(seed)
    try:
        unit, limits = check_overflow(lowered(function, arguments))
    except Blocked:
        pytest.skip("not compiled")
    by_name = dict(zip(("n", "m", "x", "y"), arguments, strict=True))
    sizes = {s.name: s.value for s in unit.sizes}
    outside: list[object] = []

    def look(statement, guard, expression, value):
        # a definition may be computed where nothing uses it: the interpreter's later statements tell
        if not isinstance(value, int) or not has_python_int(expression.type):
            return
        if not INT64.low <= value <= INT64.high and not isinstance(statement, Def | Fault):
            outside.append((value, expression))

    try:
        finished = run(unit, by_name, look)
    except (TooLong, NotImplementedError):
        return
    if finished and all(limit.holds(sizes) for limit in limits):
        assert not outside, (outside[0], text)


@pytest.mark.parametrize("seed", range(24))
def test_random_programs_agree(seed):
    function, arguments = made(Writer(1000 + seed).text()), random_arguments(seed)
    assert_same(autovec(function, fallback="silent"), *arguments)


def test_most_random_programs_compile():
    compiled = 0
    for seed in SEEDS:
        try:
            lowered(made(Writer(seed).text()), random_arguments(seed))
            compiled += 1
        except Blocked:
            pass
    assert compiled > len(SEEDS) // 2
