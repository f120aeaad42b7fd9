"""What the pipeline hands to the runtime: the programs of one signature, and what must hold for them to be used."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from types import CellType

import numpy as np

from autovec.analysis.work import Work
from autovec.diagnostics import Blocked
from autovec.emit.program import Program
from autovec.frontend.looked_up import Assumption
from autovec.frontend.parts import Tangle
from autovec.frontend.scope import Namespace
from autovec.frontend.structures import NOTHING, class_entry
from autovec.report.verdicts import LoopVerdict, Note


@dataclass(frozen=True, slots=True, eq=False)
class Guard:
    """A global, free variable or attribute that was read while compiling: it must still be the same object."""

    namespace: Namespace
    name: str
    value: object
    contents: object = None  # of a list, tuple or dict, as they were

    def read(self) -> object:
        """What the variable is now; `MISSING` where it was deleted."""
        namespace = self.namespace
        if isinstance(namespace, dict):
            return namespace.get(self.name, MISSING)
        if isinstance(namespace, type):
            return class_entry(namespace, self.name)
        if not isinstance(namespace, CellType):
            return getattr(namespace, self.name, MISSING)
        try:
            return namespace.cell_contents
        except ValueError:  # the cell is empty
            return MISSING

    def holds(self) -> bool:
        return self.read() is self.value and (self.contents is None or self.contents == contents(self.value))


@dataclass(frozen=True, slots=True, eq=False)
class Derived:
    """A parameter that is part of an argument (a list as an array, an attribute), or that is captured (no argument).

    `value` is what it was at the call that was compiled for, `read` finds it at a later one; `shown`: its name for a person.
    """

    name: str
    value: object
    argument: str
    read: Callable[[object], object]
    shown: str

    def of(self, arguments: Mapping[str, object]) -> object:
        return self.read(arguments.get(self.argument))


MISSING = NOTHING


def contents(value: object) -> object:
    """What a list, tuple, dict or set holds, all the way down, to compare with later; None for what can't change."""
    if isinstance(value, partial):
        return partial, id(value.func), contents(value.args), contents(value.keywords)
    if not isinstance(value, list | tuple | dict | set | bytearray):
        return None
    if isinstance(value, tuple) and all(v is None or isinstance(v, int | float | complex | str) for v in value):
        return None
    if isinstance(value, dict):
        return dict, tuple((k, held(v)) for k, v in value.items())
    return type(value), tuple(map(held, value))


def held(value: object) -> object:
    """An element with its type: 1, 1.0 and True are equal; arrays by their contents, objects by identity."""
    inner = contents(value)
    if inner is not None:
        return inner
    if isinstance(value, np.ndarray):
        return id(value), value.dtype, value.shape, value.tobytes()
    if isinstance(value, int | float | complex | str | np.generic):
        return type(value), repr(value)
    return id(value)


def accept_all(sizes: Mapping[str, int]) -> bool:
    """The answer of a program that is right for any sizes."""
    return True


def unknown_work(sizes: Mapping[str, int]) -> float:
    """As much as to be worth any program."""
    return math.inf


@dataclass(frozen=True, slots=True, eq=False)
class Rewrite:
    """The outcome of compiling a function for one signature; `program` is None where the original runs.

    `sequential` makes the universal lowering, which runs where a speculation failed or the sizes are not accepted.
    `constants` names the parameters whose values were compiled in, `captured` the arrays among
    the globals and free variables, and what is inside arguments: parameters of the program, read at each call, which
    may be among its `writes`. `accepts` and `sequential_accepts` take the values
    of the sizes by `Size.name`: are the facts true, are all indices in range? `work` tells how many statements the
    original executes. `differentiable` and
    `differentiable_sequential` make the same programs for `f.jax`: their loops can be gone through backwards.
    """

    program: Program | None
    sequential: Callable[[], Program] | None = None
    loops: tuple[LoopVerdict, ...] = ()
    notes: tuple[Note, ...] = ()
    blocked: Blocked | None = None
    guards: tuple[Guard, ...] = ()
    constants: tuple[str, ...] = ()
    captured: tuple[Guard | Derived, ...] = ()
    accepts: Callable[[Mapping[str, int]], bool] = accept_all
    sequential_accepts: Callable[[Mapping[str, int]], bool] = accept_all
    work: Work = unknown_work
    text: str = ""  # of kernels and host, where the function is cut
    tangle: Tangle = field(default_factory=Tangle)  # lists that must be apart at a call
    assumptions: tuple[Assumption, ...] = ()  # about arguments
    pays: bool = True  # False: no loop was rewritten, calls run the original
    numpys: bool = False  # its dtypes are NumPy's alone: not for `jax.Array`s
    differentiable: Callable[[], Program] | None = None
    differentiable_sequential: Callable[[], Program] | None = None
