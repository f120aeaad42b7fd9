"""A program under construction: its lines, the names in reach, and templates to be filled."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from tests.generator.choices import Choices

FIELD = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class Held:
    """An array by name, or a part of a holder (`body.x`): the names of its axes, and its dtype."""

    name: str
    axes: tuple[str, ...]
    dtype: str = "float64"
    positions: bool = False

    @property
    def kind(self) -> str:
        return "i" if self.dtype[0] == "u" else self.dtype[0]


@dataclass
class Scope:
    """One block. Blocks inside share the text, and have names of their own."""

    choices: Choices
    lines: list[str] = field(default_factory=list)
    arrays: list[Held] = field(default_factory=list)
    numbers: list[str] = field(default_factory=list)
    integers: list[str] = field(default_factory=list)
    flags: list[str] = field(default_factory=list)
    carried: dict[str, str] = field(default_factory=dict)  # scalars that are returned: name -> "f", "i", "b"
    results: list[str] = field(default_factory=list)  # what else is returned
    functions: dict[str, str] = field(default_factory=dict)  # of one number ("x"), of a vector ("v"), a pair ("p")
    loops: tuple[tuple[str, str], ...] = ()  # variable, axis
    indent: int = 1
    budget: list[int] = field(default_factory=lambda: [9])  # statements still to be written
    count: list[int] = field(default_factory=lambda: [0])  # of names made

    def write(self, text: str) -> None:
        self.lines += ["    " * self.indent + line for line in text.split("\n")]

    def inside(self, **changes: Any) -> Scope:
        """A block below this one."""
        own = {n: list(getattr(self, n)) for n in ("arrays", "numbers", "integers", "flags")}
        return replace(self, **{**own, "indent": self.indent + 1, **changes})

    def fresh(self, hint: str) -> str:
        self.count[0] += 1
        return f"{hint}{self.count[0]}"

    def along(self, axis: str) -> list[str]:
        """Loop variables along an axis, the innermost first."""
        return [v for v, a in reversed(self.loops) if a == axis]

    def of(self, rank: int | None = None, kinds: str = "f", axes: tuple[str, ...] | None = None) -> list[Held]:
        return [
            a
            for a in self.arrays
            if not a.positions
            and a.kind in kinds
            and (rank is None or len(a.axes) == rank)
            and (axes is None or a.axes == axes)
        ]

    @property
    def positions(self) -> list[str]:
        return [a.name for a in self.arrays if a.positions]


def filled(template: str, fields: Mapping[str, Callable[[], str]]) -> str:
    """The template with each field replaced by a text of its own."""
    return FIELD.sub(lambda found: fields[found.group(1)](), template)


def chosen(choices: Choices, table: Sequence[tuple[int, str]], fields: Mapping[str, Callable[[], str]]) -> str:
    """One of (weight, template), filled."""
    return filled(choices.weighted(table), fields)


def bracketed(text: str) -> str:
    return text if text.replace("_", "").replace(".", "").isalnum() else f"({text})"
