"""Generated programs with a scalar whose kind the data says, and with lists and tuples for arrays.

u = 1; for ...: u = a[i] > 0; ... u ** -1, a[u], u.dtype     a Python int or NumPy's bool, by whether the loop ran
f(a.tolist(), tuple(b), ...)                                  the same numbers, as Python holds them
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from tests.generator.programs import Program

BEGIN = ("1", "2", "0", "-1", "1.5", "True", "{a}[0]", "{a}[-1]", "None", "k", "t", "np.float32(2)", "np.int8(2)")
NEXT = (
    "{a}[{i}]",
    "int({a}[{i}])",
    "float({a}[{i}])",
    "{a}[{i}] > 0",
    "bool({a}[{i}] > 0)",
    "{i}",
    "{i} * 0.5",
    "u + 1",
    "u * 0.5",
    "-u",
    "u // 2 + 1",  # without the sign of a zero
    "{a}[{i}] * 2",
    "min(u, {a}[{i}])",
    "max(u, {i})",
    "k",
)
USES = (
    """
u|u + 1|u ** -1|u ** 2|2 ** u|{a}[u]|{a}[u:]|{a}[:u].copy()|-u|+u|abs(u)|~u|u // 2|u % 3|u / 2|7 // u|7 % u|u << 2
1 if u else 2|not u|u and 2|u or 3|u == 1|u < 2|u is None|u is not None|max(u, 1)|min(u, 0.5)|round(u)|int(u)|float(u)
bool(u)|complex(u)|u.dtype|u.real|u.shape|u.item()|isinstance(u, int)|isinstance(u, float)|isinstance(u, np.integer)
[u, 1]|(u, u + 1)|np.full(2, u)|np.array([u, 1])|np.zeros(u)|[0] * u|(3, 4, 5)[u]|[3, 4, 5][u]|range(u)|np.sqrt(abs(u))
np.add(u, 300)|np.maximum(u, 1)|np.power(u, 2)|np.sign(u)|u + {a}|{a} * u|u * {a}[0]|{a}[0] - u|sum([u, u])|str(u)
math.floor(u)|math.sqrt(abs(u))|divmod(u, 2)|pow(u, 2)|np.uint8(u)|np.float32(u)|u in (1, 2)|[u, 2, 1].index(u)|u.sum()
""".replace("\n", "|")
    .strip("|")
    .split("|")
)


@dataclass(frozen=True, repr=False)
class OfSequences(Program):
    """A program that gets lists or tuples in place of the vectors that `lists` and `tuples` name."""

    lists: frozenset[str] = frozenset()
    tuples: frozenset[str] = frozenset()

    def calls(self, rounds: int = 1) -> list[tuple[Any, ...]]:
        return [self.converted(args) for args in super().calls(rounds)]

    def converted(self, args: tuple[Any, ...]) -> tuple[Any, ...]:
        made: dict[int, Any] = {}  # an array passed twice is one list
        for p, arg in zip(self.parameters, args, strict=True):
            if p.name in self.lists:
                made.setdefault(id(arg), arg.tolist())
            elif p.name in self.tuples:
                made.setdefault(id(arg), tuple(arg.tolist()))
        return tuple(made.get(id(arg), arg) for arg in args)

    def __repr__(self) -> str:
        return f"{super().__repr__()}# lists: {sorted(self.lists)}, tuples: {sorted(self.tuples)}\n"


def with_kinds(program: Program, seed: int) -> Program:
    """The program with such a scalar in one of its loops; now and then with lists and tuples for its vectors."""
    random = Random(seed)
    tree = ast.parse(program.text)
    function = next(n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == "f")
    loops = [n for n in ast.walk(function) if isinstance(n, ast.For) and isinstance(n.target, ast.Name)]
    vectors = [p.name for p in program.parameters if p.axes == ("n",) and not p.positions]
    if loops and vectors:
        add_scalar(random, function, random.choice(loops), random.choice(vectors))
    text = ast.unparse(ast.fix_missing_locations(tree)) + "\n"
    if random.random() < 0.6:
        return replace(program, text=text)
    chosen = frozenset(name for name in vectors if random.random() < 0.6)
    lists, tuples = (frozenset[str](), chosen) if random.random() < 0.3 else (chosen, frozenset[str]())
    return OfSequences(text, program.parameters, program.sizes, program.seed, program.values, lists, tuples)


def add_scalar(random: Random, function: ast.FunctionDef, loop: ast.For, array: str) -> None:
    """`u`, of one kind before the loop and perhaps of another after an iteration, and `v`, something made of it."""
    assert isinstance(loop.target, ast.Name)
    names = {"a": array, "i": loop.target.id}
    at = next(k for k, s in enumerate(function.body) if any(n is loop for n in ast.walk(s)))
    step = f"u = {random.choice(NEXT)}"
    if random.random() < 0.4:
        step = f"if {random.choice(('k > 1', '{a}[0] > 0', '{i} > 1'))}:\n    {step}"
    insert(random, loop.body, step, names)
    if random.random() < 0.5:
        insert(random, loop.body, f"v = {random.choice(USES)}", names)
    after = at + 1
    for begin in (f"u = {random.choice(BEGIN)}", f"v = {random.choice(('0', '0.5', 'None', '1'))}"):
        function.body.insert(at, statement(begin, names))
        after += 1
    if random.random() < 0.5:
        function.body.insert(after, statement(f"v = {random.choice(USES)}", names))
    last = function.body[-1]
    if isinstance(last, ast.Return) and last.value is not None:
        more = ast.parse(f"(u, v, {random.choice(USES)})".format(**names), mode="eval").body
        last.value = ast.Tuple([last.value, more], ast.Load())


def insert(random: Random, block: list[ast.stmt], text: str, names: dict[str, str]) -> None:
    block.insert(random.randrange(len(block) + 1), statement(text, names))


def statement(text: str, names: dict[str, str]) -> ast.stmt:
    return ast.parse(text.format(**names)).body[0]
