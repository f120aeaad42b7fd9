"""Whole programs of the second family, by number: `scientific_of(7)`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tests.generator.choices import seeded
from tests.generator.programs import VALUES, Program
from tests.generator.scientific import arrays, holders, inside, nests
from tests.generator.scientific.arguments import arguments

SIZES = ((5, 3), (3, 2), (4, 4), (1, 2), (2, 1), (7, 2))
WAYS = ((4, arrays.program), (2, holders.program), (1, nests.program), (2, inside.program))


@dataclass(frozen=True, repr=False)
class Scientific(Program):
    """A program whose arguments are of this family."""

    def calls(self, rounds: int = 1) -> list[tuple[Any, ...]]:
        first = VALUES.index(self.values)
        return [
            arguments(self.parameters, n, m, self.seed + k + 7 * r, VALUES[(first + r) % len(VALUES)])  # type: ignore[arg-type]
            for r in range(rounds)
            for k, (n, m) in enumerate(self.sizes)
        ]

    def __repr__(self) -> str:
        made = ", ".join(f"{p.name}: {p.dtype}{list(p.axes)}" for p in self.parameters)
        return f"\n{self.text}# {made}; n, m = {list(self.sizes)}; {self.values} values, seed {self.seed}\n"


def scientific_of(number: int) -> Scientific:
    """The program of a number."""
    choices = seeded(number)
    text, parameters = choices.weighted(list(WAYS))(choices)
    sizes = tuple(choices.pick(SIZES) for _ in range(3))
    values = choices.weighted([(6, "plain"), (1, "zeros"), (2, "special")])
    return Scientific(text, tuple(parameters), sizes, choices.integer(0, 99), values)  # type: ignore[arg-type]
