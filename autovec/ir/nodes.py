"""The loop IR: what a unit does, typed, with every name in single assignment and every write to memory explicit.

Two kinds of things have names:

- a **value** (`Def`) is defined once per iteration of its loops and never changes: a private scalar, a whole-array
  result. Reading one is `Ref`.
- a **cell** (`Alloc`, or an argument array) is memory: an array, or a rank-0 cell for a scalar that a loop carries.
  Reading is `Load`, writing is `Store`. A cell allocated inside loops is private to their iteration.

Views don't exist here: `row = a[i]` was resolved to its base by the frontend. Conditions are guards of stores
(if-conversion is done); a loop under a condition carries the guard too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from autovec.diagnostics import Span
from autovec.ir.affine import Affine
from autovec.ir.constants import is_alike
from autovec.ir.types import ArrayType, Kind, ScalarType, Type

# ---------------------------------------------------------------- expressions


@dataclass(frozen=True, slots=True)
class Const:
    """A Python bool, int, float or complex. 0.0 and -0.0 are not equal."""

    value: bool | int | float | complex
    type: ScalarType

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Const) and self.type == other.type and is_alike(self.value, other.value)


@dataclass(frozen=True, slots=True)
class Ref:
    """The value of a `Def`, a loop variable, a size or a scalar parameter."""

    name: str
    type: Type


@dataclass(frozen=True, slots=True)
class Point:
    """One integer subscript, already counted from the front unless `wraps` (a negative one may occur)."""

    at: Expr
    wraps: bool = False
    checked: bool = False  # True once in-range is proved or a Fault looks after it


@dataclass(frozen=True, slots=True)
class Range:
    """A slice: `length` elements from `start`, `step` apart (negative: downwards)."""

    start: Expr
    length: Affine
    step: int = 1


@dataclass(frozen=True, slots=True)
class Gather:
    """An integer array used as a subscript (one axis, of its own shape)."""

    at: Expr


Subscript = Point | Range | Gather


@dataclass(frozen=True, slots=True)
class Load:
    """Elements of a cell: one subscript for each axis of the cell; the axes that remain are Range and Gather's."""

    cell: str
    index: tuple[Subscript, ...]
    type: Type
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Apply:
    """An elementwise operation, broadcasting as NumPy does; the operands have been cast to the operation's dtype."""

    op: str  # a name of ir/intrinsics.py: add, subtract, multiply, sqrt, less, logical_and ...
    args: tuple[Expr, ...]
    type: Type


@dataclass(frozen=True, slots=True)
class Cast:
    arg: Expr
    type: Type


@dataclass(frozen=True, slots=True)
class Select:
    """`yes if condition else no`, elementwise; both are evaluated, neither can fault."""

    condition: Expr
    yes: Expr
    no: Expr
    type: Type


@dataclass(frozen=True, slots=True)
class Call:
    """A function of whole arrays: reductions, dot, linalg, creation and shape functions; `statics` by keyword."""

    function: str  # a name of ir/intrinsics.py
    args: tuple[Expr, ...]
    statics: tuple[tuple[str, object], ...]
    type: Type
    span: Span | None = field(default=None, compare=False)


Expr = Const | Ref | Load | Apply | Cast | Select | Call

# ---------------------------------------------------------------- statements


@dataclass(frozen=True, slots=True)
class SourceLoop:
    """A loop or a comprehension clause of the person's: what a verdict is about."""

    variable: str
    span: Span
    kind: str  # "for", "while", "comprehension"


@dataclass(frozen=True, slots=True)
class Def:
    name: str
    expr: Expr
    span: Span
    hint: str = ""  # the person's name for it


@dataclass(frozen=True, slots=True)
class Alloc:
    """A new cell with its initial contents; `source` names the argument it copies, if that is where it comes from."""

    name: str
    init: Expr
    type: Type
    span: Span
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Store:
    cell: str
    index: tuple[Subscript, ...]
    value: Expr
    guard: Expr | None
    span: Span


@dataclass(frozen=True, slots=True)
class Append:
    """Add one element to the end of a list under construction."""

    cell: str
    value: Expr
    guard: Expr | None
    span: Span


@dataclass(frozen=True, slots=True)
class ListAlloc:
    """An empty list; its length is known when its appends are."""

    name: str
    span: Span
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Fault:
    """If the condition is met where the guard holds, the call is void: the original runs instead."""

    condition: Expr
    guard: Expr | None
    span: Span
    reason: str


@dataclass(frozen=True, slots=True)
class For:
    """`for variable in range(start, stop, step)`: the variable takes the person's values, in their order.

    `start` is `max` of its forms and `stop` is `min` of its forms (the other way round for a negative step).
    With `live`, a boolean cell, the loop also stops before the first trip at which the cell is false (`break`).
    """

    variable: str
    start: tuple[Expr, ...]
    stop: tuple[Expr, ...]
    step: int
    body: tuple[Stmt, ...]
    guard: Expr | None
    source: SourceLoop
    live: str = ""


@dataclass(frozen=True, slots=True)
class While:
    """Runs `body` while `condition`, evaluated before each trip from cells, holds."""

    condition: Expr
    body: tuple[Stmt, ...]
    guard: Expr | None
    source: SourceLoop


Stmt = Def | Alloc | Store | Append | ListAlloc | Fault | For | While

# ---------------------------------------------------------------- units


class Role(Enum):
    """How a parameter enters the compiled program."""

    ARRAY = "array"
    SCALAR = "scalar"  # traced
    SIZE = "size"  # an int that bounds loops or shapes


@dataclass(frozen=True, slots=True)
class Param:
    """A parameter of the unit; an array is a cell, a scalar is a value of the same name."""

    name: str
    type: Type
    role: Role
    hint: str = ""


# What the unit returns, rebuilt by the runtime from the flat outputs of the program.


@dataclass(frozen=True, slots=True)
class ValueResult:
    """An array, or a scalar of one kind, or (with a tag) of one of several: kinds in the order of the tag."""

    expr: Expr
    kinds: tuple[Kind, ...] = ()  # none for arrays
    tag: Expr | None = None


@dataclass(frozen=True, slots=True)
class ArgumentResult:
    """An argument itself, or a basic slice of it, its axes in another order."""

    name: str
    index: tuple[Subscript, ...] | None = None
    order: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class CellResult:
    """The final contents of a cell: a fresh array."""

    cell: str
    type: ArrayType


@dataclass(frozen=True, slots=True)
class ListResult:
    """A list built by appends: scalars of the kinds of `element` (`tags`: a cell that says which), or arrays."""

    cell: str
    element: Type
    shape: tuple[Affine, ...] = ()
    tags: str = ""
    count: Expr | None = None  # so many, where the cell has room for more


@dataclass(frozen=True, slots=True)
class PrefixResult:
    """The first elements of a cell: a fresh array whose length depends on the data.

    Without a count the cell is a list that appends have built; an array of none is one of floats.
    """

    cell: str
    count: Expr | None


@dataclass(frozen=True, slots=True)
class TupleResult:
    items: tuple[Result, ...]
    constructor: type = tuple


@dataclass(frozen=True, slots=True)
class OptionalResult:
    """The value where `present` holds, else None."""

    present: Expr
    value: Result


@dataclass(frozen=True, slots=True)
class ConstantResult:
    """None, a string, True ...: known before the call."""

    value: object


@dataclass(frozen=True, slots=True)
class PassedResult:
    """An argument that isn't an array: the object itself."""

    name: str


@dataclass(frozen=True, slots=True)
class Update:
    """What one of the caller's objects (a list, an attribute, a global) holds when the call is done.

    `put(owner, value)` makes it so; `owner` names the argument, "" where there is none. `name` is for people.
    """

    name: str
    owner: str
    put: Callable[[Any, Any], None]
    value: Result


@dataclass(frozen=True, slots=True)
class UpdatingResult:
    """A value, and what is changed before it is returned."""

    value: Result
    updates: tuple[Update, ...]


Result = (
    ValueResult
    | ArgumentResult
    | CellResult
    | ListResult
    | PrefixResult
    | TupleResult
    | OptionalResult
    | ConstantResult
    | PassedResult
    | UpdatingResult
)


@dataclass(frozen=True, slots=True)
class Size:
    """A symbolic size: where its value comes from, and its value at the first call (a hint to the planner).

    `origins` are `("n", None)` for an integer parameter or `("A", 0)` for an axis; they are equal at every call that
    this unit serves. A derived size has an expression over other sizes instead (`n // 2`). A `fixed` one is part of
    the signature: the function names its value (`np.zeros(3)`), so the unit is for that value alone.
    """

    name: str
    origins: tuple[tuple[str, int | None], ...]
    value: int
    derived: Expr | None = None
    fixed: bool = False


@dataclass(frozen=True, slots=True)
class Unit:
    """A run of statements that compiles, with what goes in and what comes out."""

    name: str
    params: tuple[Param, ...]
    sizes: tuple[Size, ...]
    facts: tuple[Affine, ...]  # each >= 0: what is known of the sizes and required of every call
    body: tuple[Stmt, ...]
    result: Result
    written: tuple[str, ...]  # parameters whose arrays are stored to
