"""Where a function that doesn't compile whole is cut: the refusals that its calls meet, one after the other.

A refusal names a statement that stays Python. The function's next call runs a host that is cut there too; in the call at
hand the kernel that was refused is itself run as a host. A kernel that is refused for some types of its inputs and
compiles for others (`best = None` at first, a number later) is no reason to cut the function.
"""

from __future__ import annotations

import ast
import functools
import math
import threading
from collections.abc import Callable, Mapping, Sequence

from autovec.diagnostics import Blocked, Code
from autovec.frontend import liveness
from autovec.frontend.source import SourceFunction
from autovec.frontend.units.blockers import blocking, reading
from autovec.frontend.units.runs import Inline, Run
from autovec.options import Options
from autovec.runtime.arguments import describe, dtype_of, shape_of
from autovec.runtime.dispatch import Dispatch
from autovec.runtime.hosts import Call, Host, Kernels, make_host
from autovec.runtime.notices import Notices
from autovec.runtime.parameters import PYTHON, Parameters, make_caller
from autovec.runtime.rewrite import Rewrite
from autovec.runtime.staying import left_alone

Compile = Callable[[SourceFunction, Mapping[str, object]], Rewrite]
Types = tuple[object, ...]
KEPT = 16


class Divisions:
    """The divisions of one decorated function, by the types of its arguments."""

    def __init__(
        self, source: SourceFunction, parameters: Parameters, compile: Compile, options: Options, notices: Notices
    ) -> None:
        self._source = source
        self._notices, self._options = notices, options
        self._new = functools.partial(Division, source, parameters, compile, options, {})
        self._original = make_caller(parameters, source.function)
        self._made: dict[Types, Division] = {}
        self._served: Division | None = None

    def host(self, blocked: Blocked, arguments: Sequence[object]) -> Call | None:
        """What runs instead of the original, for arguments of these types; None where nothing of it compiles."""
        key = types_of(arguments)
        division = self._made.get(key)
        if division is None:
            if len(self._made) >= KEPT:
                self._made.clear()
            division = self._made.setdefault(key, self._new())
        before, made = division.made, division.host(blocked, arguments)
        if made is None:
            return None
        if made is not before or self._options.fallback == "error":
            for left in left_alone(self._source, [k.run for k in made.kernels], made.reasons):
                self._notices.say(left, "a loop of ")
        self._served = division
        return self._original if division.rests(made, arguments) else made.call

    @property
    def last(self) -> Host | None:
        """The host of the last call, as the next one will find it."""
        return None if self._served is None else self._served.latest()

    def guessed(self, blocked: Blocked) -> Host | None:
        """The host that a refusal before any call suggests."""
        return self._new().host(blocked, ())


class Division:
    """A function for arguments of one kind: the statements that stay, with why, and the host cut there."""

    def __init__(
        self,
        source: SourceFunction,
        parameters: Parameters,
        compile: Compile,
        options: Options,
        spoken: dict[str, Notices],
    ) -> None:
        self._source, self._parameters = source, parameters
        self._spoken = spoken  # what was said of some lines isn't said again where they are cut another way
        self._compile, self._options = compile, options
        self.lock = threading.RLock()
        self.stays: dict[ast.stmt, Blocked] = {}
        self.pending: list[tuple[Dispatch, dict[ast.stmt, Blocked]]] = []  # refusals of kernels
        self.kernels = Kernels(self._dispatching)
        self.made: Host | None = None
        self._cut_for: dict[ast.stmt, Blocked] = {}
        self._idle = (0, 0)  # calls in a row that no kernel was worth, and the largest of them

    def rests(self, made: Host, arguments: Sequence[object]) -> bool:
        """Was no call as large as this worth a kernel? Then only every so often one is asked again."""
        variants = [v for kernel in made.kernels for v in kernel.dispatch.variants]
        if not variants or not all(v.worth.small for v in variants):
            self._idle = (0, 0)
            return False
        count, largest = self._idle
        size = sum(map(extent, arguments))
        self._idle = (count + 1, max(size, largest))
        return size <= largest and count & (count - 1) != 0  # after 1, 2, 4, 8 ... calls

    def host(self, blocked: Blocked, arguments: Sequence[object]) -> Host | None:
        with self.lock:
            if not self.stays:
                self.stays = refused(self._source.body, self._source.file, self._parameters, blocked, arguments)
            return self.latest()

    def latest(self) -> Host | None:
        """The host that is cut wherever a refusal has said so by now."""
        with self.lock:
            for dispatch, stays in self.pending:
                if all(variant.rewrite.program is None for variant in dispatch.variants):
                    self.stays = {**stays, **self.stays}
            self.pending.clear()
            if self.stays != self._cut_for:
                self._cut_for = self.stays
                self.made = make_host(self.kernels, self._source, self._parameters, self._source.body, self.stays)
            return self.made

    def _dispatching(
        self, run: Run | Inline, lines: str, source: SourceFunction, parameters: Parameters, reference: Call
    ) -> tuple[Dispatch, Callable[[], Host | None]]:
        """A kernel's dispatch: like a decorated function's, but where that would run the original this says PYTHON."""
        part = Part(self, run, source, parameters)
        notices = Notices(f"{source.qualname}, {lines},", source.file, run.nodes[0].lineno, self._options)
        dispatch = part.dispatch = Dispatch(
            parameters,
            lambda arguments: PYTHON,
            functools.partial(self._compile, source),
            self._options,
            self._spoken.setdefault(lines, notices),
            lines,
            reference=reference,
            divided=part.host,
        )
        return dispatch, lambda: part.last


class Part:
    """A kernel that may be refused in its turn: it is then a host itself, by the types of its inputs."""

    dispatch: Dispatch

    def __init__(self, division: Division, run: Run | Inline, source: SourceFunction, parameters: Parameters) -> None:
        self._division, self._run = division, run
        self._source, self._parameters = source, parameters
        self._hosts: dict[Types, Host | None] = {}
        self.last: Host | None = None

    def host(self, blocked: Blocked, arguments: Sequence[object]) -> Call | None:
        """The host for inputs of these types; None where cutting leaves no loop to compile."""
        run = self._run
        if not isinstance(run, Run):
            return None
        key, division = types_of(arguments), self._division
        with division.lock:
            if key not in self._hosts:
                stays = refused(run.statements, self._source.file, self._parameters, blocked, arguments)
                division.pending.append((self.dispatch, stays))
                stays = {**division.stays, **stays}
                make = functools.partial(make_host, division.kernels, self._source, self._parameters)
                # super() asks for the first parameter, which here isn't the method's
                can_be = run.is_whole and "super" not in liveness.loaded(run.statements)
                self._hosts[key] = make(run.statements, stays) if can_be else None
            self.last = host = self._hosts[key]
        return None if host is None else host.call


def extent(argument: object) -> int:
    """How large an argument is, as a size or as something of a size."""
    if type(argument) is int:
        return abs(argument)
    shape = shape_of(argument)
    if shape is not None:
        return math.prod(shape)
    return len(argument) if isinstance(argument, list | tuple | dict) else 0


def types_of(arguments: Sequence[object]) -> Types:
    return tuple((type(a), dtype_of(a), None if (shape := shape_of(a)) is None else len(shape)) for a in arguments)


def refused(
    statements: Sequence[ast.stmt], file: str, parameters: Parameters, blocked: Blocked, arguments: Sequence[object]
) -> dict[ast.stmt, Blocked]:
    """The statements that a refusal is about: those at its place, or those that read an argument of a wrong type."""
    if blocked.span is None and blocked.code is Code.UNSUPPORTED_ARGUMENT:
        pairs = zip(parameters.names, arguments, strict=False)
        return dict.fromkeys(reading(statements, [n for n, a in pairs if not _is_described(n, a)]), blocked)
    found = blocking(statements, file, blocked)
    return {} if found is None else {found: blocked}


def _is_described(name: str, value: object) -> bool:
    try:
        describe(name, value)
    except Blocked:
        return False
    return True
