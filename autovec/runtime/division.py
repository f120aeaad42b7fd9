"""A function that doesn't compile whole: what stays Python of it, and the kernels of the rest.

In: refusals, one after the other, as calls meet them. Out: hosts, functions of the person's statements that ask a kernel
first where there is one (frontend/units). A refusal names one statement more that stays; the next call runs a host cut
there too, and in the call at hand the kernel that was refused is itself run as a host.
"""

from __future__ import annotations

import ast
import functools
import itertools
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from autovec.diagnostics import Blocked, Code
from autovec.frontend.source import SourceFunction
from autovec.frontend.units.blockers import blocking, nested, reading
from autovec.frontend.units.functions import function_of, has_private_names
from autovec.frontend.units.outline import Names, host_function, kernel_function
from autovec.frontend.units.runs import Inline, Run, find_runs
from autovec.options import Options
from autovec.runtime.arguments import describe
from autovec.runtime.dispatch import Dispatch
from autovec.runtime.generated import unused_name
from autovec.runtime.notices import Notices
from autovec.runtime.parameters import Parameters, make_caller, make_stub
from autovec.runtime.rewrite import Rewrite
from autovec.runtime.staying import left_alone
from autovec.runtime.variant import Divided

PYTHON: Any = type("Python", (), {"__repr__": lambda self: "PYTHON", "__slots__": ()})()  # a kernel was called off

Compile = Callable[[SourceFunction, Mapping[str, object]], Rewrite]
Call = Callable[[Sequence[object]], Any]
KEPT = 16


@dataclass(frozen=True, slots=True, eq=False)
class Kernel:
    """A run that is compiled like a function of its own; `call` answers PYTHON where the person's statements must run."""

    run: Run | Inline
    name: str
    lines: str  # in words
    source: SourceFunction
    dispatch: Dispatch
    call: Callable[..., Any]


@dataclass(frozen=True, slots=True, eq=False)
class Host:
    """A function cut at what stays: `call` runs it. `reasons`: the statements that stay because of a refusal."""

    call: Call
    kernels: tuple[Kernel, ...]
    reasons: Mapping[ast.stmt, Blocked]


class Divisions:
    """The divisions of one decorated function, by the types of its arguments."""

    def __init__(
        self, source: SourceFunction, parameters: Parameters, compile: Compile, options: Options, notices: Notices
    ) -> None:
        self._source, self._parameters = source, parameters
        self._body = source.node.body if isinstance(source.node, ast.FunctionDef) else []
        self._notices, self._options = notices, options
        self._new = functools.partial(Division, compile, options)
        self._made: dict[tuple[object, ...], Divisible] = {}
        self._served: Divisible | None = None

    def host(self, blocked: Blocked, arguments: Sequence[object]) -> Call | None:
        """What runs instead of the original, for arguments of these types; None where nothing of it compiles."""
        key = tuple((type(a), getattr(a, "dtype", None), getattr(a, "ndim", None)) for a in arguments)
        known = self._made.get(key)
        if known is None:
            if len(self._made) >= KEPT:
                self._made.clear()
            known = self._made[key] = Divisible(self._new(), self._source, self._parameters, self._body)
        before, call = known.made, known.host(blocked, arguments)
        made = known.latest()
        if call is None:
            return None
        if made is not before or self._options.fallback == "error":
            for left in left_alone(self._source, [k.run for k in made.kernels], made.reasons):
                self._notices.say(left, "a loop of ")
        self._served = known
        return call

    @property
    def last(self) -> Host | None:
        """The host of the last call, as the next one will find it."""
        return None if self._served is None else self._served.latest()

    def guessed(self, blocked: Blocked) -> Host | None:
        """The host that a refusal before any call suggests."""
        divisible = Divisible(self._new(), self._source, self._parameters, self._body)
        return None if divisible.host(blocked, [None] * len(self._parameters.names)) is None else divisible.made


class Division:
    """What the hosts for arguments of the same types share: why statements stay, and the kernels by what they are."""

    def __init__(self, compile: Compile, options: Options) -> None:
        self.stays: dict[ast.stmt, Blocked] = {}
        self.compile = compile
        self.options = options
        self.lock = threading.RLock()
        self.kernels: dict[tuple[object, ...], Kernel] = {}
        self.names: dict[str, tuple[int, int]] = {}  # with the place of their kernels

    def kernel(self, home: SourceFunction, run: Run | Inline) -> Kernel:
        """The kernel of a run; the same one for the same statements, inputs and outputs."""
        outputs = () if isinstance(run, Inline) else (run.outputs, run.ends)
        key = (run.nodes, run.declared, run.inputs, outputs)
        known = self.kernels.get(key)
        if known is None:
            known = self.kernels[key] = self._make(home, run)
        return known

    def _make(self, home: SourceFunction, run: Run | Inline) -> Kernel:
        first, last = run.nodes[0].lineno, run.nodes[-1].end_lineno
        lines = f"line {first}" if first == last else f"lines {first} to {last}"
        name = self._named(lines.replace(" ", "_"), run, home)
        function, source = function_of(home, kernel_function(run, name), {})
        title = f"{home.qualname}, {lines},"
        notices = Notices(title, home.file, first, self.options)
        parameters = Parameters.of(function, source.node)
        dispatch = Dispatch(
            parameters,
            lambda arguments: PYTHON,
            functools.partial(self.compile, source),
            self.options,
            notices,
            name,
            reference=make_caller(parameters, function),
            divided=self._divided(source, parameters, run),
        )
        return Kernel(run, name, lines, source, dispatch, make_stub(function, parameters, dispatch, dispatch.slow))

    def _named(self, name: str, run: Run | Inline, home: SourceFunction) -> str:
        """A name for the kernel of these lines; a number tells those of one line apart."""
        place = (run.nodes[0].lineno, run.nodes[0].col_offset)
        for number in itertools.count(1):
            numbered = unused_name(name if number == 1 else f"{name}_{number}", home.code.co_names)
            if self.names.setdefault(numbered, place) == place:
                return numbered
        raise AssertionError

    def _divided(self, source: SourceFunction, parameters: Parameters, run: Run | Inline) -> Divided | None:
        """How the kernel is cut in its turn, where it may be."""
        if isinstance(run, Run) and run.is_whole:
            return Divisible(self, source, parameters, run.statements).host
        return None


class Divisible:
    """A function, or a run of one, that may become a host: `host` gives the one that is cut where is known by now."""

    def __init__(
        self, division: Division, source: SourceFunction, parameters: Parameters, statements: Sequence[ast.stmt]
    ) -> None:
        self._division = division
        self._source = source
        self._parameters = parameters
        self._statements = statements  # the person's
        self.made: Host | None = None

    def host(self, blocked: Blocked, arguments: Sequence[object]) -> Call | None:
        """The host for a call that met this refusal; None where cutting leaves no loop to compile."""
        division = self._division
        with division.lock:
            if self.made is None:
                for statement in self._refused(blocked, arguments):
                    division.stays.setdefault(statement, blocked)
            made = self.latest()
            return made.call if made.kernels else None

    def latest(self) -> Host:
        """The host that is cut wherever a refusal has said so by now."""
        with self._division.lock:
            if self.made is None or self.made.reasons != self._division.stays:
                self.made = self._make()
            return self.made

    def _refused(self, blocked: Blocked, arguments: Sequence[object]) -> Sequence[ast.stmt]:
        """The statements that a refusal is about."""
        body = self._statements
        if blocked.span is None and blocked.code is Code.UNSUPPORTED_ARGUMENT:
            names = [n for n, a in zip(self._parameters.names, arguments, strict=True) if not _is_described(n, a)]
            return reading(body, names)
        found = blocking(body, self._source.file, blocked)
        return () if found is None else (found,)

    def _make(self) -> Host:
        division, source = self._division, self._source
        stays = dict(division.stays)
        node, code = source.node, source.code
        if (
            not isinstance(node, ast.FunctionDef)
            or has_private_names(node)
            or stays.keys().isdisjoint(nested(self._statements))
        ):
            return Host(_never, (), stays)
        own = {*code.co_varnames, *code.co_cellvars}
        runs = find_runs(node, own, code.co_cellvars, stays)
        kernels = tuple(division.kernel(source, run) for run in runs)
        if not kernels or any(k.source is source for k in kernels):  # nothing was cut off
            return Host(_never, (), stays)
        taken = {*own, *code.co_names, *code.co_freevars}
        called: dict[Run | Inline, str] = {}
        for kernel in kernels:
            called[kernel.run] = unused_name(kernel.name, {*taken, *called.values()})
        names = Names(called, unused_name("PYTHON", taken), unused_name("values", taken))
        given = {**{called[k.run]: k.call for k in kernels}, names.python: PYTHON}
        function, _ = function_of(source, host_function(node, names), given)
        return Host(make_caller(self._parameters, function), kernels, stays)


def _never(arguments: Sequence[object]) -> Any:
    raise AssertionError("a host without kernels isn't called")


def _is_described(name: str, value: object) -> bool:
    try:
        describe(name, value)
    except Blocked:
        return False
    return True
