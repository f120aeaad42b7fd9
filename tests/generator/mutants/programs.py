"""Whole programs of the third family, by number: `mutant_of(7)`."""

from __future__ import annotations

import ast
import copy
import hashlib
import itertools
import warnings
from dataclasses import dataclass
from typing import Any, ClassVar

from tests.generator.choices import Choices, seeded
from tests.generator.mutants import blocks, trials, values
from tests.generator.mutants.arguments import varied
from tests.generator.mutants.corpus import Source, corpus
from tests.generator.mutants.places import Unfit
from tests.generator.programs import VALUES, Program

ROUNDS = 4  # all that it is ever called with has been tried
ATTEMPTS = 60  # at changes of one program

WAYS = (
    (2, values.constant),
    (2, values.name),
    (2, values.range_),
    (2, values.subscript),
    (1, values.operator),
    (1, values.comparison),
    (1, values.connective),
    (1, values.negation),
    (1, values.result),
    (1, blocks.assignment),
    (1, blocks.deletion),
    (1, blocks.doubling),
    (1, blocks.swap),
    (1, blocks.outwards),
    (1, blocks.inwards),
    (1, blocks.guard),
    (1, blocks.leaving),
    (1, blocks.otherwise),
    (1, blocks.counter),
)


@dataclass(frozen=True, repr=False)
class Mutant(Program):
    """A program of the corpus, changed. `sizes` are (which of its arguments, variation) of each call."""

    ops: ClassVar[int] = 3000  # these are whole programs

    origin: str = ""

    @property
    def source(self) -> Source:
        return corpus()[self.origin]

    @property
    def name(self) -> str:
        return self.source.fn.__name__

    def namespace(self) -> dict[str, Any]:
        return self.source.namespace()

    def calls(self, rounds: int = 1) -> list[tuple[Any, ...]]:
        first = VALUES.index(self.values)
        made = self.source.make()
        return [
            varied(made[which], variation, self.seed + k + 7 * r, VALUES[(first + r) % len(VALUES)])
            for r in range(rounds)
            for k, (which, variation) in enumerate(self.sizes)
        ]

    def is_endless(self) -> bool:
        return not trials.ends(self.function(), self.calls(ROUNDS))

    def is_chaotic(self, args: tuple[Any, ...]) -> bool:
        return trials.is_chaotic(self.function(), args)

    def __repr__(self) -> str:
        made = "".join(f"# {args!r}\n" for args in self.calls()).replace("\n ", "\n#  ")
        return f"\n{self.text}# {self.origin}; {list(self.sizes)}; {self.values} values, seed {self.seed}\n{made}"


def mutant_of(number: int) -> Mutant:
    """The program of a number: the first of its tries that can be run."""
    for attempt in itertools.count():
        program = tried(f"{number} {attempt}")
        if program is not None:
            return program
    raise AssertionError


def tried(key: str) -> Mutant | None:
    """A program, unless it has lost its loops or doesn't end soon."""
    # by a rank of their own: the others keep theirs when a program is new
    origin = max(corpus(), key=lambda name: hashlib.blake2b(f"{key} {name}".encode()).digest())
    choices = seeded(key)
    source = corpus()[origin]
    text = changed(choices, source.text(), choices.pick((1, 1, 2, 2, 3, 4)))
    if "for " not in text and "while " not in text:
        return None
    count = len(source.make())
    sizes = [(which, 0 if choices.rarely(3) else choices.integer(1, 10**6)) for which in picked(choices, count)]
    kind = choices.weighted([(6, "plain"), (1, "zeros"), (1, "special")])
    program = Mutant(text, (), tuple(sizes), 0, kind, origin)
    return None if program.is_endless() else program


def picked(choices: Choices, count: int) -> list[int]:
    """The first arguments, and up to two others."""
    others = list(range(1, count))
    return [0, *(others.pop(choices.integer(0, len(others) - 1)) for _ in range(min(2, len(others))))]


def changed(choices: Choices, text: str, count: int) -> str:
    """The function with so many changes, fewer where they don't fit."""
    (function,) = ast.parse(text).body
    for _ in range(ATTEMPTS):
        if count == 0:
            break
        fresh = copy.deepcopy(function)
        try:
            choices.weighted(list(WAYS))(choices, fresh)  # type: ignore[arg-type]
            made = compiled(fresh)
        except (Unfit, SyntaxError, SyntaxWarning):
            continue
        if made != text:
            text = made
            (function,) = ast.parse(text).body
            count -= 1
    return text


def compiled(function: ast.FunctionDef) -> str:
    """The text of a function, if it is one."""
    text = ast.unparse(ast.fix_missing_locations(function)) + "\n"
    with warnings.catch_warnings():
        warnings.simplefilter("error", SyntaxWarning)
        compile(text, "<mutant>", "exec")
    return text
