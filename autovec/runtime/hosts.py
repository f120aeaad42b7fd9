"""Hosts and their kernels, made: from a function and the statements that stay Python to functions that can be called.

A host is the person's function that asks a kernel first where there is one (frontend/units); a kernel is a run of
statements that is compiled like a function of its own.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from autovec.diagnostics import Blocked
from autovec.frontend.source import SourceFunction
from autovec.frontend.units.blockers import nested
from autovec.frontend.units.functions import function_of, has_private_names
from autovec.frontend.units.outline import Names, host_function, kernel_function
from autovec.frontend.units.runs import Inline, Run, find_runs
from autovec.runtime.dispatch import Dispatch
from autovec.runtime.generated import unused_name
from autovec.runtime.parameters import PYTHON, Parameters, make_caller, make_stub

Call = Callable[[Sequence[object]], Any]


@dataclass(frozen=True, slots=True, eq=False)
class Kernel:
    """A compiled run; `call` answers PYTHON where the person's statements must run.

    `lines`: its place, in words. `within` gives the host that it is where it was refused in the last call.
    """

    run: Run | Inline
    name: str
    lines: str
    source: SourceFunction
    dispatch: Dispatch
    call: Callable[..., Any]
    within: Callable[[], Host | None]


@dataclass(frozen=True, slots=True, eq=False)
class Host:
    """A function cut at what stays: `call` runs it. `reasons`: the statements that stay because of a refusal."""

    call: Call
    kernels: tuple[Kernel, ...]
    reasons: Mapping[ast.stmt, Blocked]


class Dispatching(Protocol):
    """Makes the dispatch of a kernel from its run, what it is in words, its function and how it is run as Python.

    With it comes what tells the host that it is where it was refused.
    """

    def __call__(
        self, run: Run | Inline, lines: str, source: SourceFunction, parameters: Parameters, reference: Call
    ) -> tuple[Dispatch, Callable[[], Host | None]]: ...


class Kernels:
    """The kernels of one function: the same one for the same statements, inputs and outputs."""

    def __init__(self, dispatching: Dispatching) -> None:
        self._dispatching = dispatching
        self._known: dict[tuple[object, ...], Kernel] = {}
        self._names: dict[str, tuple[int, int]] = {}  # with the place of their kernels

    def of(self, home: SourceFunction, run: Run | Inline) -> Kernel:
        outputs = () if isinstance(run, Inline) else (run.outputs, run.ends)
        key = (run.nodes, run.declared, run.inputs, outputs)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._make(home, run)
        return known

    def _make(self, home: SourceFunction, run: Run | Inline) -> Kernel:
        first, last = run.nodes[0].lineno, run.nodes[-1].end_lineno
        lines = f"line {first}" if first == last else f"lines {first} to {last}"
        name = self._named(lines.replace(" ", "_"), run, home)
        function, source = function_of(home, kernel_function(run, name), {})
        parameters = Parameters.of(function, source.node)
        dispatch, within = self._dispatching(run, lines, source, parameters, make_caller(parameters, function))
        call = make_stub(function, parameters, dispatch, dispatch.slow)
        return Kernel(run, name, lines, source, dispatch, call, within)

    def _named(self, name: str, run: Run | Inline, home: SourceFunction) -> str:
        """A name for the kernel of these lines; a number tells those of one line apart."""
        place = (run.nodes[0].lineno, run.nodes[0].col_offset)
        for number in itertools.count(1):
            numbered = unused_name(name if number == 1 else f"{name}_{number}", home.code.co_names)
            if self._names.setdefault(numbered, place) == place:
                return numbered
        raise AssertionError


def make_host(
    kernels: Kernels,
    home: SourceFunction,
    parameters: Parameters,
    statements: Sequence[ast.stmt],
    stays: Mapping[ast.stmt, Blocked],
) -> Host | None:
    """The function cut at the statements that stay; None where that leaves no loop to compile, or cuts nothing.

    `statements` are the person's own in the function.
    """
    node, code = home.node, home.code
    if not isinstance(node, ast.FunctionDef) or has_private_names(node):
        return None
    if stays.keys().isdisjoint(nested(statements)):
        return None
    own = {*code.co_varnames, *code.co_cellvars}
    made = tuple(kernels.of(home, run) for run in find_runs(node, own, code.co_cellvars, stays))
    if not made or any(kernel.source is home for kernel in made):
        return None
    taken = {*own, *code.co_names, *code.co_freevars}
    called: dict[Run | Inline, str] = {}
    for kernel in made:
        called[kernel.run] = unused_name(kernel.name, {*taken, *called.values()})
    names = Names(called, unused_name("PYTHON", taken), unused_name("values", taken))
    given = {**{called[k.run]: k.call for k in made}, names.python: PYTHON}
    function, _ = function_of(home, host_function(node, names), given)
    return Host(make_caller(parameters, function), made, stays)
