"""What emission hands to the runtime: the program's text, how to call it, and how to rebuild the answer.

The emitted function takes the person's parameters (those that are arrays, numbers or sizes; constants such as None
or a string are part of the signature) and returns

    value                             where the function writes to no argument and checks nothing
    value, writes                     writes: {"C": C, ...}, the final contents of each written argument
    value, writes, flags              flags: one boolean vector, in the order of `Program.flags`

`value` is a pytree in the shape of `Program.returns`: an array or 0-d array for each `ArrayOut` and `ScalarOut` (a
pair `value, tag` where there is a tag), an array with a leading axis for a `ListOut` (a pair `items, count` where the
length depends on data), a tuple for a `TupleOut`, the array itself for an `ArgumentOut`, None for a `ConstantOut`;
for an `UpdatingOut` it is the pair of the value and what lists and attributes of the caller's come to hold.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any

from autovec.ir.nodes import Param, Size
from autovec.ir.types import Kind


@dataclass(frozen=True, slots=True)
class ArrayOut:
    """A fresh, writable ndarray; `counted`: the first elements of an array, a pair `items, count`.

    `listed`: NumPy makes it of a list, and of no elements one of floats.
    """

    counted: bool = False
    listed: bool = False


@dataclass(frozen=True, slots=True)
class ScalarOut:
    """A scalar of the one kind, or of `kinds[tag]`."""

    kinds: tuple[Kind, ...]

    @property
    def tagged(self) -> bool:
        return len(self.kinds) > 1


@dataclass(frozen=True, slots=True)
class ListOut:
    """A list of scalars of one kind, of arrays, or of lists, unpacked along the leading axis."""

    item: ArrayOut | ScalarOut | ListOut
    counted: bool = False


@dataclass(frozen=True, slots=True)
class Told:
    """A subscript that is the next of the numbers which the program gives."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """A slice from the next of those numbers, of as many elements as the one after says, `step` apart."""

    step: int


@dataclass(frozen=True, slots=True)
class ArgumentOut:
    """The argument object itself, or `argument[index]` where an index is given, its axes in another order.

    Where the call decides what the index is, the program's value is a tuple of `numbers` ints.
    """

    name: str
    index: tuple[int | slice | Told | Stretch, ...] | None = None
    order: tuple[int, ...] | None = None

    @property
    def numbers(self) -> int:
        return sum(isinstance(i, Told) + 2 * isinstance(i, Stretch) for i in self.index or ())


@dataclass(frozen=True, slots=True)
class TupleOut:
    items: tuple[Out, ...]
    constructor: type = tuple  # tuple or list


@dataclass(frozen=True, slots=True)
class OptionalOut:
    """None, or the item: the program's value is a pair, the item and whether there is one."""

    item: Out


@dataclass(frozen=True, slots=True)
class ConstantOut:
    value: object


@dataclass(frozen=True, slots=True)
class UpdateOut:
    """`put(owner, value)` is called once nothing can fail any more (see `ir.nodes.Update`)."""

    name: str
    owner: str
    put: Callable[[Any, Any], None]
    out: Out


@dataclass(frozen=True, slots=True)
class UpdatingOut:
    """The program's value is a pair: the person's value, and a tuple with one for each update."""

    value: Out
    updates: tuple[UpdateOut, ...]


Out = ArrayOut | ScalarOut | ListOut | ArgumentOut | TupleOut | OptionalOut | ConstantOut | UpdatingOut


class Flag(Enum):
    FAULT = "fault"  # the original must run
    RETRY = "retry"  # a speculation failed: the sequential lowering must run


@dataclass(frozen=True, slots=True)
class Program:
    """One compiled unit as text. `static` names the parameters that must be hashable ints to `jax.jit`."""

    name: str
    source: str
    parameters: tuple[Param, ...]
    static: tuple[str, ...]
    sizes: tuple[Size, ...]
    returns: Out
    writes: tuple[str, ...]
    flags: tuple[Flag, ...]

    @property
    def updates(self) -> tuple[UpdateOut, ...]:
        return self.returns.updates if isinstance(self.returns, UpdatingOut) else ()
