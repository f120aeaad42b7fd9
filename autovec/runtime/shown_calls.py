"""Kernels and their calls as a person would write them: what `f.source` shows of a cut function, ready to be pasted.

In: a kernel and its program. Out: the program under `jax.jit`, and the lines that stand for the person's statements.

    total = 0.0                         # lines 3 to 5
    for v in x:             -->         total = float(lines_3_to_5(x))
        total += v

Between kernels the values are Python's and NumPy's again, as the statements there expect.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import count
from typing import assert_never

from autovec.emit.program import (
    ArgumentOut,
    ArrayOut,
    ConstantOut,
    ListOut,
    OptionalOut,
    Out,
    Program,
    ScalarOut,
    Stretch,
    Told,
    TupleOut,
    UpdatingOut,
)
from autovec.frontend.units.runs import Inline
from autovec.ir.types import Origin
from autovec.report.hosted import Replaced
from autovec.runtime.hosts import Kernel

X64 = 'jax.config.update("jax_enable_x64", True)'


def jitted(program: Program) -> str:
    """The program's text with its function compiled, as it is when it runs; on NumPy's arrays `jnp` alone isn't."""
    statics = ", ".join(f'"{name}"' for name in program.static)
    decorator = f"@jax.jit(static_argnames=({statics},))" if statics else "@jax.jit"
    return re.sub(rf"^def {program.name}\(", rf"{decorator}\n\g<0>", program.source, count=1, flags=re.MULTILINE)


def call_of(kernel: Kernel, program: Program) -> Replaced:
    """What stands for a kernel's statements, or for its expression: values under their names, written arrays written."""
    run = kernel.run
    first, last = run.nodes[0], run.nodes[-1]
    begin, end = (first.lineno, first.col_offset), (last.end_lineno or 0, last.end_col_offset or 0)
    call = f"{program.name}({', '.join(p.name for p in program.parameters)})"
    if isinstance(run, Inline):
        lines = [_given(f"{call}[0]" if program.writes or program.flags else call, program.returns)]
    else:
        flagged = ", which run as they were written where a flag is set" if program.flags else ""
        names = ("value",) if run.ends else run.outputs
        lines = [f"# {kernel.lines}{flagged}", *_assigned(call, names, program)]
        if run.ends:
            lines = _returning(lines)
    return Replaced(begin, end, tuple(lines))


def _assigned(call: str, names: Sequence[str], program: Program) -> list[str]:
    """The call, its values under these names, the written arrays written."""
    out = program.returns.value if isinstance(program.returns, UpdatingOut) else program.returns
    parts = [*(["updates"] if program.updates else []), *(["writes"] if program.writes or program.flags else [])]
    parts += ["flags"] if program.flags else []
    if not parts and len(names) == 1:
        return [f"{names[0]} = {_given(call, out)}"]
    target = ", ".join(names) or "_"
    if parts and len(names) > 1:
        target = f"({target})"
    if program.updates and len(parts) > 1:
        target, parts = f"({target}, updates)", parts[1:]
    outs = out.items if isinstance(out, TupleOut) and len(names) > 1 else (out,) * len(names)
    lines = [f"{', '.join([target, *parts])} = {call}" if parts or names else call]
    lines += [f'{name}[...] = writes["{name}"]' for name in program.writes]
    lines += _converted(names, [as_python(name, one) for name, one in zip(names, outs, strict=True)])
    if program.updates:
        lines.append(f"# updates: what {', '.join(u.name for u in program.updates)} come to hold")
    return lines


def _returning(lines: list[str]) -> list[str]:
    """The lines with the value returned that the last one assigns."""
    *before, last = lines
    assigned = last.startswith("value = ")
    return [*before, f"return {last.removeprefix('value = ')}"] if assigned else [*lines, "return value"]


def _converted(names: Sequence[str], made: Sequence[str]) -> list[str]:
    changed = [(name, text) for name, text in zip(names, made, strict=True) if name != text]
    return [f"{', '.join(n for n, _ in changed)} = {', '.join(t for _, t in changed)}"] if changed else []


def _given(call: str, out: Out) -> str:
    """What a call comes to for the person's code, the call standing there once."""
    once = as_python(call, out)
    return once if once.count(call) == 1 else f"(lambda value: {as_python('value', out)})({call})"


def as_python(value: str, out: Out) -> str:
    """The expression for what a program's value stands for: a writable array, a scalar of its kind, a list.

    "n", ScalarOut((PY_INT,))   -->   "int(n)"
    """
    match out:
        case ArrayOut(counted=counted):
            return f"np.array({value}[0][: {value}[1]])" if counted else f"np.array({value})"
        case ScalarOut(kinds=(kind,)):
            return f"{kind}({value})"
        case ScalarOut(kinds=kinds):
            return f"({', '.join(map(str, kinds))})[int({value}[1])]({value}[0].item())"
        case ListOut(item=item, counted=counted):
            items = f"{value}[0][: {value}[1]]" if counted else value
            match item:
                case ScalarOut(kinds=(kind,)) if kind.origin is Origin.PYTHON:
                    return f"{items}.tolist()"
                case ScalarOut(kinds=(_,)) | ArrayOut(counted=False):
                    return f"[*np.array({items})]"
                case _:
                    return value
        case ArgumentOut(name=name, index=index, order=order):
            told = count()
            view = name if index is None else f"{name}[{', '.join(_subscript(i, value, told) for i in index)}]"
            return view if order is None else f"{view}.transpose({order})"
        case TupleOut(items=items, constructor=constructor):
            inner = ", ".join(as_python(f"{value}[{at}]", item) for at, item in enumerate(items))
            return f"[{inner}]" if constructor is list else f"({inner}{',' * (len(items) == 1)})"
        case OptionalOut(item=item):
            return f"({as_python(f'{value}[0]', item)} if {value}[1] else None)"
        case ConstantOut(value=constant):
            return repr(constant) if isinstance(constant, bool | int | float | str | None) else value
        case UpdatingOut(value=inner):
            return as_python(f"{value}[0]", inner)
        case _:
            assert_never(out)


def _subscript(index: int | slice | Told | Stretch, value: str, told: Iterator[int]) -> str:
    if isinstance(index, int):
        return str(index)
    if isinstance(index, Told):
        return f"int({value}[{next(told)}])"
    if isinstance(index, Stretch):
        start, length = f"int({value}[{next(told)}])", f"int({value}[{next(told)}])"
        if index.step == 1:
            return f"{start}:{start} + {length}"
        return f"range({start}, {start} + {index.step} * {length}, {index.step})"
    ends = ["" if end is None else str(end) for end in (index.start, index.stop)]
    return ":".join([*ends, *([] if index.step in (None, 1) else [str(index.step)])])
