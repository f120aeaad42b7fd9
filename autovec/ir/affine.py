"""Affine forms over named integers: subscripts, bounds and sizes.

    2*i + n - 1      is      Affine((("i", 2), ("n", 1)), -1)

Equal forms are equal objects, whatever they were made from.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Affine:
    """`sum(coefficient * name) + constant`; terms sorted by name, no zero coefficient: equal forms compare equal."""

    terms: tuple[tuple[str, int], ...] = ()
    constant: int = 0

    @staticmethod
    def of(terms: Mapping[str, int], constant: int = 0) -> Affine:
        return Affine(tuple(sorted((n, c) for n, c in terms.items() if c)), constant)

    @staticmethod
    def name(name: str) -> Affine:
        return Affine(((name, 1),), 0)

    @staticmethod
    def number(value: int) -> Affine:
        return Affine((), value)

    @property
    def names(self) -> frozenset[str]:
        return frozenset(n for n, _ in self.terms)

    @property
    def is_constant(self) -> bool:
        return not self.terms

    def coefficient(self, name: str) -> int:
        return dict(self.terms).get(name, 0)

    def __add__(self, other: Affine | int) -> Affine:
        if isinstance(other, int):
            return Affine(self.terms, self.constant + other)
        total = dict(self.terms)
        for n, c in other.terms:
            total[n] = total.get(n, 0) + c
        return Affine.of(total, self.constant + other.constant)

    def __neg__(self) -> Affine:
        return self * -1

    def __sub__(self, other: Affine | int) -> Affine:
        return self + (-other)

    def __mul__(self, factor: int) -> Affine:
        return Affine.of({n: c * factor for n, c in self.terms}, self.constant * factor)

    def without(self, names: Iterable[str]) -> Affine:
        """The form with these names dropped."""
        gone = set(names)
        return Affine(tuple((n, c) for n, c in self.terms if n not in gone), self.constant)

    def substitute(self, values: Mapping[str, Affine]) -> Affine:
        """The form with forms in the place of names."""
        total = Affine.number(self.constant)
        for n, c in self.terms:
            total = total + values.get(n, Affine.name(n)) * c
        return total

    def evaluate(self, values: Mapping[str, int]) -> int:
        return self.constant + sum(c * values[n] for n, c in self.terms)

    def __str__(self) -> str:
        text = ""
        for n, c in self.terms:
            sign = "-" if c < 0 else "+"
            text += f" {sign} " + (n if abs(c) == 1 else f"{abs(c)}*{n}")
        if self.constant or not text:
            text += f" {'-' if self.constant < 0 else '+'} {abs(self.constant)}"
        text = text.strip()
        return text[2:] if text.startswith("+ ") else "-" + text[2:] if text.startswith("- ") else text
