"""The state of a lowering: the statements written so far, what names are bound to, and what has been assumed.

`Ledger` is one per unit (names, cells, facts, guards); `Scope` is one per block: statements, environment, guard.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from types import CellType, FunctionType, MethodType
from typing import Any

import numpy as np

from autovec.analysis.in_range import RangeProof
from autovec.diagnostics import Blocked, Code, Span
from autovec.frontend.looked_up import Assumption
from autovec.frontend.source import SourceFunction
from autovec.frontend.structures import NOTHING
from autovec.frontend.values import Level, Static, Value
from autovec.ir.affine import Affine
from autovec.ir.conditions import affine_form, conditions_of, conjunction, conjuncts, negation
from autovec.ir.names import fresh_name
from autovec.ir.nodes import (
    Alloc,
    Cast,
    Const,
    Def,
    Expr,
    Fault,
    Load,
    Ref,
    Size,
    Stmt,
    Store,
    Subscript,
)
from autovec.ir.types import INT, ArrayType, Kind, ScalarType, Type

Namespace = dict[str, object] | CellType | type | FunctionType | MethodType


@dataclass(frozen=True, slots=True)
class Read:
    """What was read while lowering: a global, a closure cell, an attribute of a module, class or function.

    `NOTHING` is the value of a global that isn't there.
    """

    namespace: Namespace
    name: str
    value: object


@dataclass(frozen=True, slots=True)
class LoopRange:
    """A loop around the statement being lowered, for proofs: empty bounds are unknown."""

    variable: str
    lower: tuple[Affine, ...]
    upper: tuple[Affine, ...]
    step: int
    over: str = ""  # the cell of a list that the loop goes through


@dataclass(frozen=True, slots=True)
class ListInfo:
    """A list under construction: the type of its elements, and its length where that is a size."""

    element: Type | None
    length: Affine | None
    depth: int  # loops around its creation
    key: tuple[int, int, str] = (0, 0, "list")  # of the join of its kinds
    tags: str = ""  # a list beside it: which of its kinds each element is
    rows: tuple[ScalarType, int] | None = None  # elements that are lists: the kinds of their numbers, how deep
    shares: bool = False  # do elements share memory with other arrays?


# what a lowering has learned stays known when it starts again
LEARNED = (
    "joins",
    "returns",
    "guesses",
    "filled",
    "columns",
    "rows",
    "rebound_attributes",
    "appended_attributes",
    "plans",
    "picked",
    "late_arrays",
)


@dataclass
class Ledger:
    """What belongs to the unit as a whole."""

    sizes: dict[str, Size] = field(default_factory=dict)
    facts: list[Affine] = field(default_factory=list)
    values: dict[str, int] = field(default_factory=dict)  # of sizes and int parameters, at this call
    scalars: set[str] = field(default_factory=set)  # parameters that are numbers of which no value is known here
    taken: set[str] = field(default_factory=set)
    cells: dict[str, Type] = field(default_factory=dict)
    affine: dict[str, Affine] = field(default_factory=dict)  # of integer values in single assignment
    joins: dict[tuple[int, int, str], ScalarType] = field(default_factory=dict)  # types of carried scalars
    joins_of: dict[str, tuple[int, int, str]] = field(default_factory=dict)  # a list's cell -> the join of its kinds
    owners: dict[str, tuple[int, int, str]] = field(default_factory=dict)  # a carried scalar's cell -> its join
    stored: set[str] = field(default_factory=set)  # cells written to
    lists: dict[str, ListInfo] = field(default_factory=dict)  # lists under construction, by cell
    fresh_lists: set[str] = field(default_factory=set)  # array cells that are lists
    elements: set[str] = field(default_factory=set)  # cells that the person writes into
    rebinds: set[str] = field(default_factory=set)  # cells of names that a loop rebinds
    snapshots: set[str] = field(default_factory=set)  # cells that a copy stands for, where NumPy has a view
    viewed: set[str] = field(default_factory=set)  # cells that become snapshots when they are stored to
    roots: dict[str, str] = field(default_factory=dict)  # cells that stand for a view -> what it is a view of
    # cells of names that a loop rebinds (never written to in place): what the name stood for before, what else the loop has bound it to, and
    # whether the loop has bound it at all: surely, or as a flag says
    starts: dict[str, str] = field(default_factory=dict)
    bindings: dict[str, frozenset[str]] = field(default_factory=dict)
    moving: set[str] = field(default_factory=set)
    owned: set[str] = field(default_factory=set)  # of those, the ones that their name alone reaches (owned.py)
    trades: dict[str, frozenset[str]] = field(default_factory=dict)  # a cell -> the owned ones whose contents it took
    anew: set[str] = field(default_factory=set)
    begun: dict[str, Expr] = field(default_factory=dict)
    overlapping: set[str] = field(default_factory=set)  # cells of lists whose elements may share memory
    read_only: set[str] = field(default_factory=set)  # names for views that NumPy doesn't let anybody write to
    returned: set[str] = field(default_factory=set)  # cells that the caller gets
    views: set[tuple[str, tuple[Subscript, ...], tuple[int, ...] | None]] = field(
        default_factory=set
    )  # of arguments, that the caller gets
    arguments: set[str] = field(default_factory=set)  # cells that are the caller's arrays
    reads: dict[tuple[int, str], Read] = field(default_factory=dict)  # by namespace and name
    assumptions: dict[Assumption, None] = field(default_factory=dict)  # in their order
    proofs: list[RangeProof] = field(default_factory=list)
    notes: list[tuple[int, str]] = field(default_factory=list)
    renamed: dict[str, str] = field(default_factory=dict)  # a size, by the person's name for it
    depth: int = 0  # of inlined calls
    activations: int = 0  # of functions, so far
    returns: dict[tuple[int, ...], object] = field(default_factory=dict)  # shapes of results, by frame
    filled: dict[tuple[int, int, str], Type] = field(default_factory=dict)  # elements of lists of known length
    guesses: dict[tuple[int, int, str], int] = field(default_factory=dict)  # types guessed for names read too early
    frozen: set[str] = field(default_factory=set)  # cells of the caller's lists: not to be written to
    captured: dict[tuple[int, str], Value] = field(default_factory=dict)  # arrays outside the function, by place
    stand_ins: set[str] = field(default_factory=set)  # cells that are one of several arrays, by the data
    columns: dict[tuple[int, int, str], tuple[int, type]] = field(default_factory=dict)  # lists of tuples: how many
    rows: dict[tuple[int, int, str], tuple[ScalarType, int]] = field(default_factory=dict)  # lists of lists (ListInfo)
    sharing: set[str] = field(default_factory=set)  # cells of lists whose elements share memory with other arrays
    given: set[str] = field(default_factory=set)  # lists and arrays that are elements of a list
    passed: dict[str, str] = field(default_factory=dict)  # cells of the caller's lists -> the argument, if it is one
    changeable: dict[str, Any] = field(default_factory=dict)  # cells of lists that may be written to (passed.py)
    longer: dict[str, Value] = field(default_factory=dict)  # arguments that are only appended to
    attributes: dict[tuple[str, str], Value] = field(default_factory=dict)  # that were set: what they are now
    attribute_flags: dict[tuple[str, str], tuple[str, bool]] = field(
        default_factory=dict
    )  # cell: set? a number before?
    appended_attributes: set[tuple[str, str]] = field(default_factory=set)  # lists that are only appended to
    rebound_attributes: set[tuple[str, str]] = field(default_factory=set)  # arrays that loops or branches set
    plans: dict[tuple[int, int, str], Any] = field(default_factory=dict)  # lists that are buffers (buffers.py)
    limits: dict[str, Affine] = field(default_factory=dict)  # lengths that the data says -> what they never pass
    definitions: dict[str, Expr] = field(default_factory=dict)  # what values in single assignment are
    late_arrays: dict[tuple[int, int, str], ArrayType] = field(default_factory=dict)  # first bound inside a loop
    picked: set[tuple[int, int, str]] = field(default_factory=set)  # masked arrays whose elements are asked for
    buffer_keys: dict[str, tuple[int, int, str]] = field(default_factory=dict)  # a buffer's cell -> its plan's key
    depths: dict[str, int] = field(default_factory=dict)  # cells -> loops around their creation

    def fresh(self, hint: str) -> str:
        """A name that nothing else in the unit has; the hint itself where it is free."""
        return fresh_name(hint, self.taken)


@dataclass
class Frame:
    """A function body being lowered: where its early returns put their value (see flow.py)."""

    key: tuple[int, ...]
    depth: int  # loops around it
    flag: str = ""
    shape: Any = None
    cells: tuple[tuple[str, str], ...] = ()


@dataclass
class Scope:
    """A block being lowered."""

    ledger: Ledger
    home: SourceFunction
    env: dict[str, Value]
    statements: list[Stmt] = field(default_factory=list)
    guard: Expr | None = None
    loops: tuple[LoopRange, ...] = ()
    conditions: tuple[Affine, ...] = ()
    live: tuple[str, ...] = ()  # the flag cells of the function's loops around: false once left
    skip: str = ""  # the flag cell of `continue` in the innermost loop
    nest: int = 1  # how many loops of the IR the innermost loop is
    repeated: bool = False  # the innermost loop is written out, round by round
    rounds: tuple[int, ...] = ()  # which round this is of each such loop around
    frame: Frame | None = None  # of the function around
    filling: dict[str, Expr] = field(default_factory=dict)  # lists of known length -> where this round's append goes
    left: dict[str, frozenset[Kind]] = field(default_factory=dict)  # kinds of cells where the loop's rounds were left
    left_unbound: set[str] = field(default_factory=set)  # names that were not surely bound there
    outer_reads: frozenset[str] = frozenset()  # names read outside the loops around
    foreign: frozenset[str] = frozenset()  # cells that the callers of the function around can reach
    levels: tuple[Level, ...] = (Level(0, {}),)  # the functions around, of this one the last
    callers: Mapping[int, dict[str, Value]] = field(default_factory=dict)  # names in the functions that wait for this

    def span(self, node: ast.AST) -> Span:
        line = getattr(node, "lineno", 0)
        column = getattr(node, "col_offset", 0)
        return Span(
            self.home.file,
            line,
            column,
            getattr(node, "end_lineno", None) or line,
            getattr(node, "end_col_offset", None) or column,
        )

    def blocked(self, node: ast.AST, code: Code, construct: str, remedy: str = "") -> Blocked:
        return Blocked(code, self.span(node), construct, remedy)

    # ------------------------------------------------------------ functions inside functions

    def levels_now(self) -> tuple[Level, ...]:
        """The functions around a definition at this place."""
        return (*self.levels[:-1], replace(self.levels[-1], env=self.env))

    def names_around(self, levels: Sequence[Level]) -> dict[str, Value]:
        """What a function defined inside those sees when it is called here: the names as they are by now."""
        waiting = {**self.callers, self.levels[-1].activation: self.env}
        found: dict[str, Value] = {}
        for level in levels:
            now = waiting.get(level.activation, level.env)
            if level.names is None:
                found = dict(now)
            else:
                found = {n: v for n, v in found.items() if n not in level.names}
                found |= {n: v for n, v in now.items() if n in level.names}
        return found

    def enter(self, around: Sequence[Level], env: dict[str, Value], names: frozenset[str]) -> None:
        """A function's body, or a comprehension, begins: its caller's names wait until it ends."""
        self.ledger.activations += 1
        self.callers = {**self.callers, self.levels[-1].activation: self.env}
        self.levels = (*around, Level(self.ledger.activations, env, names))
        self.env = env

    # ------------------------------------------------------------ writing statements

    def emit(self, statement: Stmt) -> None:
        self.statements.append(statement)
        if isinstance(statement, Store):
            if statement.cell in self.ledger.frozen:
                raise Blocked(
                    Code.UNSUPPORTED_STATEMENT, statement.span, "writing to a list that was passed in", "pass an array"
                )
            if statement.cell in self.ledger.given:
                raise Blocked(
                    Code.UNSUPPORTED_STATEMENT,
                    statement.span,
                    "writing to what is an element of a list",
                    "copy it first",
                )
            self.ledger.stored.add(statement.cell)
            apart = statement.cell in self.ledger.roots and statement.cell not in self.ledger.rebinds
            if apart or statement.cell in self.ledger.viewed:
                self.ledger.snapshots.add(statement.cell)

    def define(self, hint: str, expr: Expr, span: Span) -> Expr:
        """Name a value, unless it is a name or a constant already, or an affine form of what has names."""
        if isinstance(expr, Const | Ref):
            return expr
        form = self.affine(expr)
        if form is not None and (expr.type == INT or isinstance(expr, Cast)):
            if form.names <= {r.variable for r in self.loops} | set(self.ledger.values):
                from autovec.frontend.subscripts import affine_expr

                return affine_expr(form) if expr.type == INT else Cast(affine_expr(form), expr.type)
        hint = hint.replace(" ", "_")  # names that no person writes have spaces
        name = self.ledger.fresh(hint or "item")
        self.emit(Def(name, expr, span, hint))
        self.ledger.definitions[name] = expr
        return Ref(name, expr.type)

    def allocate(self, hint: str, init: Expr, type: Type, span: Span) -> str:
        hint = hint.replace(" ", "_")
        name = self.ledger.fresh(hint)
        self.ledger.cells[name] = type
        self.ledger.depths[name] = len(self.loops)
        self.emit(Alloc(name, init, type, span, hint))
        return name

    def store(self, cell: str, index: tuple[Subscript, ...], value: Expr, span: Span) -> None:
        self.emit(Store(cell, index, value, self.guard, span))

    def fault(self, condition: Expr, reason: str, span: Span) -> None:
        if isinstance(condition, Const) and not condition.value:
            return
        if negation(condition) in conjuncts(self.guard):
            return  # just tested: `best is None or v < best`
        self.emit(Fault(condition, self.guard, span, reason))

    def load(self, cell: str, type: ScalarType) -> Expr:
        """The current value of a rank-0 cell, as the (possibly narrower) type says."""
        held = self.ledger.cells[cell]
        whole = Load(cell, (), held)
        return whole if held.dtype == type.dtype and held == type else Cast(whole, type)

    # ------------------------------------------------------------ conditions

    @contextmanager
    def under(self, condition: Expr) -> Generator[None]:
        """Statements written inside happen only where the condition holds as well."""
        before, conditions = self.guard, self.conditions
        self.guard = conjunction(before, condition)
        self.conditions = conditions + affine_conditions(self, condition)
        try:
            yield
        finally:
            self.guard, self.conditions = before, conditions

    # ------------------------------------------------------------ integers

    def affine(self, expr: Expr) -> Affine | None:
        return affine_form(expr, self.ledger.affine)

    def affine_conditions(self, condition: Expr) -> tuple[Affine, ...]:
        return affine_conditions(self, condition)

    def interval_value(self, form: Affine) -> int | None:
        """The form's value at this call, where it holds sizes and integer parameters alone."""
        try:
            return form.evaluate(self.ledger.values)
        except KeyError:
            return None

    # ------------------------------------------------------------ names outside the function

    def outside(self, node: ast.Name) -> Value:
        """A closure cell, a global or a builtin, as it is now (and guarded at later calls)."""
        name = node.id
        cell = self.home.closure.get(name)
        if cell is not None:
            try:
                value = cell.cell_contents
            except ValueError:
                raise self.blocked(node, Code.UNKNOWN_NAME, f"the name {name!r} is not bound yet") from None
            if (id(cell), "") in self.ledger.captured:
                return self.ledger.captured[id(cell), ""]
            return self.read(node, cell, name, value)
        if name in self.home.globals:
            value = self.home.globals[name]
            if (id(self.home.globals), name) in self.ledger.captured:
                return self.ledger.captured[id(self.home.globals), name]
            return self.read(node, self.home.globals, name, value)
        if hasattr(builtins, name):
            self.note(self.home.globals, name, NOTHING)  # a global of that name may come
            return Static(getattr(builtins, name))
        raise self.blocked(node, Code.UNKNOWN_NAME, f"the name {name!r} is not defined")

    def read(self, node: ast.expr, namespace: Namespace, name: str, value: object, held: object = None) -> Static:
        """What is compiled in: the same object at later calls; an array could have other contents by then.

        `held`: what the namespace has under the name, where that isn't the value itself (a static method).
        """
        if isinstance(value, np.ndarray):
            raise self.blocked(node, Code.UNKNOWN_NAME, f"the array {name!r} from outside the function")
        self.note(namespace, name, value if held is None else held)
        return Static(value)

    def note(self, namespace: Namespace, name: str, value: object) -> None:
        """Later calls must find this there."""
        self.ledger.reads[id(namespace), name] = Read(namespace, name, value)


def affine_conditions(scope: Scope, condition: Expr) -> tuple[Affine, ...]:
    """The affine conditions (each >= 0) that a boolean expression implies."""
    return conditions_of(condition, scope.ledger.affine)


__all__ = ["affine_form", "conditions_of", "conjunction", "negation"]
