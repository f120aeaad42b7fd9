"""What a cut function shows: a verdict for each loop, notes on what stays Python, the source of kernels and host."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from types import ModuleType

from autovec.frontend.source import SourceFunction
from autovec.frontend.units.blockers import nested
from autovec.plan.verdicts import fallbacks, in_order
from autovec.report.hosted import joined, replaced
from autovec.report.verdicts import LoopVerdict, Note
from autovec.runtime.hosts import Host, Kernel
from autovec.runtime.rewrite import Rewrite
from autovec.runtime.shown_calls import X64, call_of, jitted
from autovec.runtime.staying import staying

Guess = Callable[[SourceFunction], Rewrite]


def shown(host: Host, home: SourceFunction, guess: Guess) -> Rewrite:
    """The host as a rewrite to show: `program` is None, the text is `text`."""
    host = _flat(host)
    rewrites = {kernel: kernel.dispatch.last or guess(kernel.source) for kernel in host.kernels}
    loops = [loop for kernel in host.kernels for loop in _loops(kernel, rewrites[kernel], home)]
    loops += staying(home, [k.run for k in host.kernels], host.reasons)
    about = [note for r in rewrites.values() if r.program is not None for note in r.notes]
    notes = [note for note in (*about, *_kept(host, home)) if note.line is not None]
    return Rewrite(
        None,
        loops=in_order(loops),
        notes=tuple(sorted(notes, key=lambda n: n.line or 0)),
        text=_text(host, home, rewrites),
    )


def _flat(host: Host) -> Host:
    """The host with kernels that were hosts themselves in the last call as what they were."""
    kernels: list[Kernel] = []
    reasons = dict(host.reasons)
    for kernel in host.kernels:
        last = kernel.dispatch.last
        within = kernel.within() if last is not None and last.program is None else None
        if within is None:
            kernels.append(kernel)
        else:
            flat = _flat(within)
            kernels += flat.kernels
            reasons |= flat.reasons
    return Host(host.call, tuple(kernels), reasons)


def _loops(kernel: Kernel, rewrite: Rewrite, home: SourceFunction) -> tuple[LoopVerdict, ...]:
    """The verdicts of a kernel's loops."""
    if rewrite.program is not None or rewrite.blocked is None:
        return rewrite.loops
    blocked = rewrite.blocked
    nodes = [n for s in kernel.run.nodes for n in ast.walk(s)]
    return fallbacks(nodes, home.file, lambda node: blocked)


def _kept(host: Host, home: SourceFunction) -> list[Note]:
    """A note for each statement that stays though it is no loop."""
    simple = [s for s in host.reasons if not isinstance(s, ast.For | ast.While)]
    own = {*nested(home.body)}
    return [Note(s.lineno, f"stays Python: {host.reasons[s].construct}") for s in simple if s in own]


# ---------------------------------------------------------------- the source


def _text(host: Host, home: SourceFunction, rewrites: Mapping[Kernel, Rewrite]) -> str:
    node = home.node
    assert isinstance(node, ast.FunctionDef)
    programs = {k: r.program for k, r in rewrites.items() if r.program is not None}
    runs = [call_of(k, program) for k, program in programs.items()]
    names = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
    modules = {n: home.globals[n] for n in sorted(names) if isinstance(home.globals.get(n), ModuleType)}
    imports = [
        f"import {m.__name__}" if m.__name__ == name else f"import {m.__name__} as {name}"
        for name, m in modules.items()
        if isinstance(m, ModuleType)
    ]
    own = replaced(home.lines, node, runs)
    needed = ["import jax", *(["import numpy as np"] if "np." in own else []), *imports]
    return joined([jitted(p) for p in programs.values()], own, needed, X64)
