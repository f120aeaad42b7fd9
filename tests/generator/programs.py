"""Whole programs: a function's text and the arguments to call it with, twice, at different sizes."""

from __future__ import annotations

import itertools
import linecache
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from hypothesis import strategies as st

from tests.generator.arguments import SIZES, Parameter, arguments
from tests.generator.choices import Choices, drawn, seeded
from tests.generator.expressions import condition, real
from tests.generator.functions import above, within
from tests.generator.state import Array, State, Variable
from tests.generator.statements import ending, loop, rows, statement

VALUES = ("plain", "special", "zeros")

_number = itertools.count()


@dataclass(frozen=True)
class Program:
    """A function as text, and what its arguments are made of."""

    name: ClassVar[str] = "f"  # of the function
    ops: ClassVar[int] = 200  # that go into an element, at most

    text: str
    parameters: tuple[Parameter, ...]
    sizes: tuple[tuple[int, int], ...]  # (n, m) of each call
    seed: int
    values: str  # of the first round, one of VALUES

    def function(self) -> Callable[..., Any]:
        """The function, with a source that can be found."""
        name = f"<generated {next(_number)}>"
        linecache.cache[name] = (len(self.text), None, self.text.splitlines(keepends=True), name)
        namespace = self.namespace()
        exec(compile(self.text, name, "exec"), namespace)
        return namespace[self.name]

    def namespace(self) -> dict[str, Any]:
        """What the names that aren't its own stand for."""
        return {"np": np, "math": math, "__name__": "generated"}

    def calls(self, rounds: int = 1) -> list[tuple[Any, ...]]:
        """Arguments of each pair of sizes; more rounds at the same sizes, which compile nothing new, have other values."""
        first = VALUES.index(self.values)
        return [
            arguments(self.parameters, n, m, self.seed + k + 7 * r, VALUES[(first + r) % len(VALUES)])
            for r in range(rounds)
            for k, (n, m) in enumerate(self.sizes)
        ]

    def is_endless(self) -> bool:
        """Does a call of the original take too long?"""
        return False

    def is_chaotic(self, args: tuple[Any, ...]) -> bool:
        """May a rounding change all that the original does with these arguments?"""
        return False

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(repr(self))

    def __repr__(self) -> str:
        made = ", ".join(
            f"{p.name}: {p.dtype}{list(p.axes)}{' of ' + p.shares if p.shares else ''}" for p in self.parameters
        )
        return f"\n{self.text}# {made}; n, m = {list(self.sizes)}; {self.values} values, seed {self.seed}\n"


@st.composite
def programs(draw: Callable[[Any], Any]) -> Program:
    """Programs of hypothesis, which shrinks what fails."""
    return written(drawn(draw))


def program_of(seed: int) -> Program:
    """The program of a number."""
    return written(seeded(seed))


def written(choices: Choices) -> Program:
    square = not choices.rarely(3)
    storing = choices.rarely(6)
    parameters = two_arrays(choices, square) if storing else arrays(choices, square)
    sizes = (choices.pick(SIZES), choices.pick(SIZES))
    others = sizes if square else (choices.pick(SIZES), choices.pick(SIZES))
    state = State(
        choices,
        [],
        [Array(p.name, p.axes, p.dtype, positions=p.positions) for p in parameters],
        square,
        wild=choices.rarely(8),
        dividing=choices.rarely(8),
        storing=storing,
    )
    extra = [Parameter("t", (), "float"), Parameter("k", (), "int")]
    functions = above(state)
    beginning(state)
    within(state)
    middle(state)
    results = () if state.returned[0] else tuple(n for n, kind in state.local.items() if kind == "result")
    state.write(ending(state, results))
    signature = ", ".join(p.name for p in (*parameters, *extra))
    axes = ["    n = len(a)"] + ([] if square else ["    m = A.shape[1]"])
    text = "\n".join([*functions, f"def f({signature}):", *axes, *state.lines]) + "\n"
    values = choices.weighted([(6, "plain"), (1, "zeros"), (2, "special")])
    return Program(text, (*parameters, *extra), tuple(zip(sizes, others, strict=True)), choices.integer(0, 99), values)


def arrays(choices: Choices, square: bool) -> tuple[Parameter, ...]:
    """Vectors a, b, c; matrices A, B; positions `at`. What shares memory names what it is a part of."""
    dtypes = [(8, "float64"), (2, "int64"), (1, "float32"), (1, "int32"), (1, "bool"), (1, "complex128"), (1, "uint8")]
    found = [Parameter("a", ("n",), choices.weighted(dtypes))]
    for name in "bc"[: choices.integer(0, 2)]:
        axis = "n" if square or choices.rarely(2) else "m"
        shares = choices.weighted([(12, ""), (1, "same"), (1, "reversed"), (1, "shifted")]) if axis == "n" else ""
        dtype = found[0].dtype if shares else choices.weighted(dtypes)
        found.append(Parameter(name, (axis,), dtype, shares=shares))
    axes = ("n", "n") if square else ("n", "m")
    least = 0 if square else 1
    for name in "AB"[: choices.integer(least, 2)]:
        found.append(
            Parameter(name, axes, choices.weighted(dtypes), order=choices.weighted([(6, ""), (1, "F"), (1, "strided")]))
        )
    if choices.rarely(3):
        found.append(Parameter("at", ("n",), "int64", positions=True))
    return tuple(found)


def two_arrays(choices: Choices, square: bool) -> tuple[Parameter, ...]:
    """A vector and a matrix of one dtype, so that all that is stored meets all that is loaded."""
    dtype = choices.weighted([(4, "float64"), (1, "int64"), (1, "float32")])
    return Parameter("a", ("n",), dtype), Parameter("A", ("n", "n") if square else ("n", "m"), dtype)


def beginning(state: State) -> None:
    """Scalars to carry, arrays and lists to fill."""
    choices = state.choices
    state.local |= {"t": "f", "k": "i"}
    inits = {"f": ["0.0", "1.0", "0", "t", "-0.5"], "i": ["0", "k", "1"], "b": ["True", "False"]}
    for name, kind in zip(("s", "q", "c1", "ok"), choices.pick(["f", "ff", "fi", "", "i", "fb", "fif"]), strict=False):
        state.write(f"{name} = {choices.pick(inits[kind])}")
        state.carried[name] = kind
    if choices.rarely(3):
        axes = choices.pick([("n",), ("n", "n")]) if state.square else ("n", "m")
        shape = axes[0] if len(axes) == 1 else f"({', '.join(axes)})"
        make = choices.pick(
            [f"np.zeros({shape})", f"np.ones({shape})", f"np.full({shape}, 0.5)", f"np.zeros({shape}, dtype=np.int64)"]
        )
        state.write(f"z = {make}")
        state.arrays.append(Array("z", axes, "int64" if "int64" in make else "float64", argument=False))
    if choices.rarely(5):
        state.write("out = []")
        state.lists.append("out")
    if choices.rarely(12):
        state.write(choices.pick(["w = [0.0] * n", "w = [t] * n", "w = [0.5 for _ in range(n)]"]))
        state.arrays.append(Array("w", ("n",), "float64", argument=False, listed=True))


def middle(state: State) -> None:
    """One to three pieces: loops, whole-array statements, comprehensions."""
    choices = state.choices
    for piece in range(choices.integer(1, 3)):
        way = choices.weighted(
            [(8, loop), (1 if piece else 0, rows), (1, comprehension), (1 if piece else 0, statement)]
        )
        way(state)


def comprehension(state: State) -> None:
    """A list, an array of one, or a reduction over a generator."""
    choices = state.choices
    inner = state.inside(variables=(Variable("i", "n"),))
    inner.in_loop = True
    clauses = "for i in range(n)"
    if choices.rarely(3):
        clauses += " for j in range(i + 1)"
        inner.variables = (*inner.variables, Variable("j", "n"))
    test = f" if {condition(inner)}" if choices.rarely(3) else ""
    item = real(inner)
    name = state.fresh("r")
    state.write(
        f"{name} = {choices.pick([f'[{item} {clauses}{test}]', f'sum({item} {clauses}{test})', f'np.array([{item} {clauses}])', f'any({condition(inner)} {clauses}{test})', f'max([{item} {clauses}])'])}"
    )
    state.local[name] = "result"
