"""The state of an emission: the lines of the block being written, what cells and values are held in, names, flags."""

from __future__ import annotations

import ast
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from autovec.analysis.statements import Leaf, Nest, Program
from autovec.emit.operations.nodes import name
from autovec.emit.values import Value, summed
from autovec.ir.affine import Affine
from autovec.ir.names import fresh_name
from autovec.ir.nodes import Expr, For, Subscript
from autovec.plan.boxes import Boxes


@dataclass(frozen=True, slots=True, eq=False)
class Pending:
    """A store that isn't written yet: later loads of the same elements take the value."""

    cell: str
    index: tuple[Subscript, ...]
    places: tuple[Any, ...]  # of forwarding.Place
    items: tuple[ast.expr, ...]  # the subscript as it is written
    leaf: Leaf
    axes: tuple[str, ...]
    value: Value
    write: ast.expr  # the whole cell with the store done


@dataclass(frozen=True, slots=True)
class Held:
    """What a cell is held in; `lazy`: an initial value that nobody has needed yet."""

    value: Value
    lazy: bool = False
    pending: tuple[Pending, ...] = ()
    fill: Value | None = None  # the one number that every element is, while it is lazy


@dataclass
class Names:
    """Python names of one function of the program: those of the functions around it are taken too."""

    taken: set[str]
    hints: Mapping[str, str]  # what the person calls a loop variable, a value or a cell
    shown: dict[str, str] = field(default_factory=dict)
    made: set[str] = field(default_factory=set)  # names that are the compiler's own: free to vanish
    carry: str = "carry"  # what a loop's body calls the carry

    def fresh(self, hint: str) -> str:
        """The hint, or the hint with a number."""
        return fresh_name(hint, self.taken)

    def temporary(self, hint: str) -> str:
        """A name of the compiler's own."""
        identifier = self.fresh(hint)
        self.made.add(identifier)
        return identifier

    def of(self, name: str) -> str:
        """The Python name of a cell, a value or a loop variable of the IR."""
        if name not in self.shown:
            self.shown[name] = self.fresh(self.hints.get(name, name))
        return self.shown[name]

    def inner(self) -> Names:
        """The names of a function defined in this one."""
        return Names(set(self.taken), self.hints, dict(self.shown), self.made, self.carry)


@dataclass
class State:
    """One block of emitted code: a function's body, or a loop's."""

    program: Program
    boxes: Boxes
    names: Names
    values: Mapping[str, int]  # sizes at this call
    printed: Mapping[str, str]  # size -> the name it is printed by
    lines: list[ast.stmt] = field(default_factory=list)
    cells: dict[str, Held] = field(default_factory=dict)
    defined: dict[str, Value] = field(default_factory=dict)
    running: dict[str, ast.expr] = field(default_factory=dict)  # variables of the loops around: their expression
    exact: frozenset[str] = frozenset()  # running loops that have their exact bounds
    pinned: Mapping[str, Affine] = field(default_factory=dict)  # loops of which one iteration is emitted: which
    aranges: dict[str, str] = field(default_factory=dict)  # axis -> name of its index vector
    flags: dict[str, ast.expr | None] = field(default_factory=dict)
    static: set[str] = field(default_factory=set)  # sizes that must be known when traced
    used_sizes: set[str] = field(default_factory=set)
    requires: list[Affine] = field(default_factory=list)
    collapsed: dict[str, Value] = field(default_factory=dict)  # axes that a pack made one: their indices
    flag_names: dict[str, str] = field(default_factory=dict)
    patched: dict[tuple[Any, ...], Value] = field(default_factory=dict)  # rows with waiting stores in them
    counts: dict[str, ast.expr] = field(default_factory=dict)  # lengths of lists that depend on data
    selected: tuple[Value, ...] = ()  # the masks that will select what is being evaluated
    holding: tuple[Expr, ...] = ()  # conditions that are true here: the block is their branch
    not_zero_outside: dict[str, str] = field(default_factory=dict)  # values that aren't zero outside of these masks
    differentiable: bool = False  # loops run over ranges known from the shapes, what isn't theirs under a mask
    differs: list[bool] = field(default_factory=list)  # not empty: the differentiable program is another

    def child(self) -> State:
        """The block of a loop's body: its own lines and bindings, everything else shared."""
        return replace(
            self,
            names=self.names.inner(),
            lines=[],
            cells=dict(self.cells),
            defined=dict(self.defined),
            running=dict(self.running),
            aranges=dict(self.aranges),
            flags=dict(self.flags),
            patched={},
        )

    def names_of(self, cell: str) -> str:
        """The Python name that holds a cell."""
        return self.names.of(cell)

    # ------------------------------------------------------------ lines

    def assign(self, target: str, node: ast.expr) -> None:
        self.lines.append(ast.Assign([ast.Name(target, ast.Store())], node))

    # ------------------------------------------------------------ sizes

    def size(self, form: Affine) -> ast.expr:
        """A size where JAX needs a number at tracing time."""
        self.static |= form.names
        return self.size_text(form)

    def size_text(self, form: Affine) -> ast.expr:
        """A size as it is printed, where a traced number will do too."""
        self.used_sizes |= form.names
        terms = sorted(form.terms, key=lambda t: t[1] < 0)
        return summed(((name(self.printed.get(term, term)), factor) for term, factor in terms), form.constant)

    def require(self, form: Affine) -> bool:
        """form >= 0 at this call: then it is required of later calls too."""
        if not form.names <= set(self.values):
            return False
        if form.evaluate(self.values) < 0:
            return False
        if form.names and form not in self.requires:
            self.requires.append(form)
        return True

    @contextmanager
    def pinning(self, values: Mapping[str, Affine]) -> Generator[None]:
        """A statement of which one iteration does anything runs in that iteration."""
        before = (self.running, self.pinned)
        if values:
            self.running = {**self.running, **{v: self.size_text(form) for v, form in values.items()}}
            self.pinned = values
        try:
            yield
        finally:
            self.running, self.pinned = before

    @contextmanager
    def axes_free(self, axes: set[str]) -> Generator[None]:
        """A fused loop may run for one statement while its variable is an axis of another."""
        running, exact = self.running, self.exact
        if axes & running.keys():
            self.running = {k: v for k, v in running.items() if k not in axes}
            self.exact = exact - axes
        try:
            yield
        finally:
            self.running, self.exact = running, exact

    @contextmanager
    def collapsing(self, indices: Mapping[str, Value]) -> Generator[None]:
        """These axes are one for a while, the positions along each of them given."""
        before = self.collapsed
        self.collapsed = {**before, **indices}
        try:
            yield
        finally:
            self.collapsed = before


def loop_of(leaf: Leaf, variable: str) -> tuple[For, tuple[Nest, ...]]:
    """The loop of a leaf with this variable, and those around it."""
    for k, loop in enumerate(leaf.loops):
        if isinstance(loop, For) and loop.variable == variable:
            return loop, leaf.loops[:k]
    raise KeyError(variable)
