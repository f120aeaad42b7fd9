"""What a program under construction has: arrays, loop variables with the range they run in, scalars, lines of text."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from tests.generator.choices import Choices

FLOATS = ("float64", "float32")
INTEGERS = ("int64", "int32")


@dataclass(frozen=True, slots=True)
class Array:
    """An array by name; `axes` are the names of its sizes, `extra` says that the caller passed it."""

    name: str
    axes: tuple[str, ...]
    dtype: str
    argument: bool = True
    positions: bool = False  # its elements are positions along an axis of size n
    listed: bool = False  # it is a list: elements can be read and stored, and no more

    @property
    def kind(self) -> str:
        return {"f": "f", "i": "i", "u": "i", "b": "b", "c": "c"}[self.dtype[0]]


@dataclass(frozen=True, slots=True)
class Variable:
    """A loop variable: it runs within `low .. size - 1 - high` of the axis, or within half of it.

    `under` is a variable that it stays below (`strict`) or doesn't pass.
    """

    name: str
    axis: str  # "" where it counts something else
    low: int = 0
    high: int = 0
    half: bool = False
    under: str = ""
    strict: bool = False


@dataclass
class State:
    """One block being written. Blocks inside share the text and the arrays, and have scalars of their own."""

    choices: Choices
    lines: list[str]
    arrays: list[Array]
    square: bool  # are all axes of size n?
    wild: bool  # may subscripts go out of range?
    dividing: bool  # may anything be divided by anything?
    storing: bool = False  # is it all about stores to a vector and a matrix, and loads from them?
    carried: dict[str, str] = field(default_factory=dict)  # scalars that exist before the loops, with their kinds
    local: dict[str, str] = field(default_factory=dict)
    lists: list[str] = field(default_factory=list)
    variables: tuple[Variable, ...] = ()
    indent: int = 1
    in_loop: bool = False
    may_continue: bool = False
    budget: list[int] = field(default_factory=lambda: [8])  # statements still to be written
    count: list[int] = field(default_factory=lambda: [0])  # of names made
    returned: list[bool] = field(default_factory=lambda: [False])  # is there a return inside a loop?
    functions: dict[str, str] = field(default_factory=dict)  # that can be called: name -> kinds of its arguments

    def write(self, line: str) -> None:
        self.lines.append("    " * self.indent + line)

    def inside(self, **changes: object) -> State:
        """A block below this one."""
        own = {"local": dict(self.local), "arrays": list(self.arrays), "indent": self.indent + 1}
        return replace(self, **{**own, **changes})  # type: ignore[arg-type]

    def fresh(self, hint: str) -> str:
        self.count[0] += 1
        return f"{hint}{self.count[0]}"

    def scalars(self, kinds: str) -> list[str]:
        return [n for n, k in (*self.local.items(), *self.carried.items()) if k in kinds]

    def of_kind(self, kinds: str) -> list[Array]:
        return [a for a in self.arrays if a.kind in kinds and not a.positions]

    def whole(self, kinds: str) -> list[Array]:
        """Arrays that can be sliced and taken whole."""
        return [a for a in self.of_kind(kinds) if not a.listed]

    def along(self, axis: str) -> list[Variable]:
        """Loop variables that run along an axis, the innermost first."""
        return [v for v in reversed(self.variables) if v.axis == axis or (self.square and v.axis)]
