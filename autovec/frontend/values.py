"""What a name is bound to while a function is lowered.

The frontend is an abstract interpreter: it runs the function once over these values and writes the loop IR as it goes.
What is known before the call (None, a dtype, a module, a helper) stays a Python object; the rest is IR.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from types import FunctionType, MethodType
from typing import Any

import numpy as np

from autovec.frontend.source import SourceFunction
from autovec.frontend.structures import Step
from autovec.ir.affine import Affine
from autovec.ir.constants import is_alike
from autovec.ir.nodes import Expr, Subscript
from autovec.ir.types import ArrayType, ScalarType, Type


@dataclass(frozen=True, slots=True)
class Computed:
    """An expression over values in single assignment; `tag` tells the kind where the type has several.

    `shares`: a cell whose memory NumPy's array may be a view of (see sharing.py).
    """

    expr: Expr
    tag: Expr | None = None
    shares: str = ""

    @property
    def type(self) -> Type:
        return self.expr.type


@dataclass(frozen=True, slots=True)
class Variable:
    """A scalar that a loop carries: the current contents of a rank-0 cell."""

    cell: str
    type: ScalarType
    tag_cell: str = ""


@dataclass(frozen=True, slots=True)
class View:
    """Elements of an array cell: one subscript an axis of the cell; `order` permutes the axes that remain.

    `fresh`: a subscript or a transposition made it, so that it is another object than the array, whatever it selects.
    """

    cell: str
    index: tuple[Subscript, ...]
    type: ArrayType
    order: tuple[int, ...] | None = None
    rebound: bool = False  # the cell belongs to the name: assigning to the name stores into it
    fresh: bool = False


@dataclass(frozen=True, slots=True)
class ListCell:
    """A list under construction."""

    cell: str


@dataclass(frozen=True, slots=True)
class Buffer:
    """A list in an array cell with room for more; the rank-0 cell `count` says how many there are (buffers.py).

    `element`: the kinds of its numbers, None where it holds arrays; `depth` > 1: it holds lists of numbers.
    """

    cell: str
    count: str
    element: ScalarType | None
    depth: int = 1
    tags: str = ""


@dataclass(frozen=True, slots=True)
class Packed:
    """`np.array(items)` of a list whose length depends on the data, as long as it is only returned."""

    items: ListCell


@dataclass(frozen=True, slots=True)
class GrownArray:
    """An array that `np.append` makes longer: a list of its elements (grown_arrays.py)."""

    items: Value


@dataclass(frozen=True, slots=True)
class ListArray:
    """A list of known length, held in an array cell: of scalars of `element`, of arrays, or (depth > 1) of lists.

    Or a tuple: `constructor` says which it is, `rows` what the lists in it are.
    """

    view: View
    element: ScalarType | None
    depth: int = 1
    tags: str = ""  # a cell of the same shape: which of the element's kinds each one is
    constructor: type = list
    rows: type = list


@dataclass(frozen=True, slots=True)
class Static:
    """A Python object known before the call. Objects that a program can tell apart (0, 0.0, False) are not equal."""

    value: object

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Static) and is_alike(self.value, other.value)


@dataclass(frozen=True, slots=True)
class TupleValue:
    """A tuple, list or named tuple of a few values; `origin`: the argument, or part of one, that it is."""

    items: tuple[Value, ...]
    constructor: type = tuple
    origin: str = field(default="", compare=False)

    @property
    def plain(self) -> type:
        """What a part of it is, or it and another together: of a named tuple a tuple."""
        return list if self.constructor is list else tuple


@dataclass(frozen=True, slots=True, eq=False)
class DictValue:
    """A dict whose keys are known; `origin` as of a tuple."""

    entries: dict[Any, Value]
    origin: str = ""


@dataclass(frozen=True, slots=True)
class Masked:
    """`a[mask]`: as many elements as the data says, of the array as it was then (see masked.py).

    `key`: where it got a name; `number`: how many; `elements`: they themselves, where they are asked for. `places`: the
    array counts.
    """

    values: Expr
    mask: Expr
    key: tuple[int, int, str] | None = None
    number: Expr | None = None
    elements: Any = None
    places: bool = False


@dataclass(frozen=True, slots=True)
class TupleList:
    """A list of tuples: a list for each place in them."""

    columns: tuple[Value, ...]
    constructor: type = tuple


@dataclass(frozen=True, slots=True)
class Level:
    """A function (or comprehension) that is being run: its own names, None for all there are, and what they were."""

    activation: int
    env: dict[str, Value]
    names: frozenset[str] | None = None


@dataclass(frozen=True, slots=True)
class Closure:
    """A lambda or nested function of the unit itself; `around`: the functions whose names it sees, the outermost first."""

    node: ast.Lambda | ast.FunctionDef
    around: tuple[Level, ...] = field(compare=False, hash=False)
    home: SourceFunction = field(compare=False, hash=False)
    defaults: dict[str, Value] = field(compare=False, hash=False)  # evaluated where it was defined


@dataclass(frozen=True, slots=True)
class MaybeUnbound:
    """Bound only where `bound` holds; reading it elsewhere is the original's UnboundLocalError.

    `none`: elsewhere it is None, and only using it as something else is an error (see optional.py).
    """

    value: Value
    bound: Expr
    none: bool = False


@dataclass(frozen=True, slots=True)
class ObjectValue:
    """An object passed in: its attributes are parameters, its methods can be run in place."""

    name: str
    value: object = field(compare=False, hash=False)
    attributes: dict[str, Value] = field(compare=False, hash=False)
    argument: str = ""  # the argument that it is, or lies in
    path: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class Method:
    """A method of an object that was passed in."""

    function: FunctionType | MethodType
    owner: ObjectValue


@dataclass(frozen=True, slots=True, eq=False)
class Partial:
    """`functools.partial(function, *args, **keywords)`."""

    function: Value
    args: tuple[Value, ...]
    keywords: dict[str, Value]


@dataclass(frozen=True, slots=True, eq=False)
class Elements:
    """An array by its elements, of lengths that may change from one iteration to the next (see ragged.py).

    `limits` are sizes that the lengths never pass; `place` tells where an element lies, for a slice of a cell.
    """

    lengths: tuple[Expr, ...]
    limits: tuple[Affine, ...]
    dtype: np.dtype
    at: Callable[[Any, Sequence[Expr]], Value]
    place: Callable[[Any, Sequence[Expr]], View] | None
    prefix: str = ""  # a cell of which they are the first elements, and which nobody writes to


Value = (
    Masked
    | TupleList
    | ObjectValue
    | Method
    | Partial
    | Elements
    | Computed
    | Variable
    | View
    | ListCell
    | DictValue
    | Buffer
    | Packed
    | GrownArray
    | ListArray
    | Static
    | TupleValue
    | Closure
    | MaybeUnbound
)


def sequence_type(value: Value) -> type | None:
    """list or tuple, where the value is one for Python."""
    match value:
        case TupleValue():
            return value.plain
        case ListArray(constructor=kind):
            return kind
        case ListCell() | Buffer() | TupleList():
            return list
        case Static(value=list()):
            return list
        case Static(value=tuple()):
            return tuple
        case _:
            return None
