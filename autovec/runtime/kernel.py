"""One program, compiled: a function of the person's arguments that commits its writes and returns the answer.

The function is made from text for each program, since a loop over arguments would cost as much as the call saves:

    def run(a0, a1, a2):
        try:
            with x64(True):
                o0, o1 = kernel(a0, array((a1, a2), t0))
            v0 = asarray(o0).tolist()            # awaits: jit reads NumPy arguments after it has returned
            w0 = asarray(o1)
            if v0[1]: return RETRY
            if v0[2]: return FAULT
        except Exception as error:
            return Failed(error)
        copyto(a0, w0)                           # from here on nothing fails
        return v0[0]
"""

from __future__ import annotations

import functools
import re
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from autovec.emit.program import ArgumentOut, ConstantOut, Flag, Program
from autovec.ir.types import Origin
from autovec.runtime.adapter import (
    Adapter,
    Leaf,
    LeafTree,
    Leaves,
    ListLeaves,
    OptionalLeaves,
    PrefixLeaves,
    ScalarLeaves,
    TupleLeaves,
    UpdatingLeaves,
    ViewLeaves,
    write_adapter,
)
from autovec.runtime.arguments import ArrayArgument, Layout, ScalarArgument, Signature
from autovec.runtime.generated import define
from autovec.runtime.native_loops import with_native_loops
from autovec.runtime.precision import x64_enabled
from autovec.runtime.results import Makers, UnknownKind, converter, is_plain, leading, listed, of_list, take, view


@dataclass(frozen=True, slots=True)
class Failed:
    """A run that has changed nothing: a flag was raised, or JAX raised an error."""

    flag: Flag | None = None
    error: Exception | None = None


FAULT = Failed(Flag.FAULT)
RETRY = Failed(Flag.RETRY)

# an array is written back whole: what another thread has written to another part of it meanwhile would be lost
_writing = threading.RLock()

COMPILER_OPTIONS: dict[str, str | bool] = {"xla_disable_hlo_passes": "algsimp"}
COMPLEX_TEXT = re.compile(r"complex|fft|eig|\dj\b")
NUMBER = (complex, np.number)


@dataclass(frozen=True, slots=True)
class Kernel:
    """`run` takes all of the person's arguments, positionally; it returns the answer or `Failed`."""

    program: Program
    adapter: Adapter
    run: Callable[..., Any]


def load(program: Program, given: Mapping[str, object] | None = None) -> Callable[..., Any]:
    """The program as a plain JAX function, without a jit; the person's x64 setting stays as it is.

    `given`: names that the text uses and doesn't import.
    """
    import jax

    before = x64_enabled()
    try:
        return define(
            program.name,
            program.source,
            {"__name__": f"autovec_{program.name}", **(given or {})},
            f"source of {program.name}",
        )
    finally:
        if x64_enabled() != before:
            jax.config.update("jax_enable_x64", before)


def build(program: Program, names: Sequence[str], signature: Signature) -> Kernel:
    """Compile nothing yet: jit does at the first call of each shape. `names` are all parameters, in order."""
    import jax
    import jax.numpy as jnp

    described = dict(zip(names, signature, strict=True))
    layouts = {n: a.layout for n, a in described.items() if isinstance(a, ArrayArgument)}
    device = any(isinstance(a, ArrayArgument) and a.device for a in signature)
    narrow = device and not x64_enabled()
    adapter = write_adapter(program, layouts, device, narrow)
    namespace = {program.name: _checked(program), "jnp": jnp, "narrow": _narrow}
    kernel = jax.jit(
        with_native_loops(define(adapter.name, adapter.text, namespace, f"adapter of {program.name}")),
        static_argnames=adapter.statics,
        compiler_options=options_for(program, signature),
    )
    return Kernel(program, adapter, _runner(program, adapter, names, layouts, device, kernel))


def options_for(program: Program, signature: Signature) -> dict[str, str | bool]:
    """What the compiler is told: no algebra but the program's.

    The fusions of XLA's CPU compiler are made of operations whose complex kind cancels `z + c - c` to z, until jax 0.11.
    """
    import jax

    arrays = (a.dtype for a in signature if isinstance(a, ArrayArgument))
    numbers = (np.dtype(a.type) for a in signature if isinstance(a, ScalarArgument) and issubclass(a.type, NUMBER))
    complex_ones = any(d.kind == "c" for d in (*arrays, *numbers)) or COMPLEX_TEXT.search(program.source)
    older = jax.__version__.startswith("0.10.")  # a compiler refuses what it doesn't know
    return {**COMPILER_OPTIONS, "xla_cpu_use_fusion_emitters": False} if complex_ones and older else COMPILER_OPTIONS


def _checked(program: Program) -> Callable[..., Any]:
    """The program, refusing while it is traced to return a written array of another dtype or shape."""
    function = load(program)
    if not program.writes:
        return function

    @functools.wraps(function)
    def checked(**arguments: Any) -> Any:
        results = function(**arguments)
        for name in program.writes:
            old, new = arguments[name], results[1][name]
            if (old.dtype, old.shape) != (new.dtype, new.shape):
                raise TypeError(f"{name} is {old.dtype}{old.shape}, the program writes {new.dtype}{new.shape}")
        return results

    return checked


def _narrow(x: Any) -> Any:
    """A result in the dtype that JAX would give it with x64 off."""
    name = {"float64": "float32", "complex128": "complex64", "int64": "int32", "uint64": "uint32"}.get(x.dtype.name)
    return x.astype(name) if name else x


def _runner(
    program: Program,
    adapter: Adapter,
    names: Sequence[str],
    layouts: Mapping[str, Layout],
    device: bool,
    kernel: Callable[..., Any],
) -> Callable[..., Any]:
    """Generate `run` (see the module's head)."""
    import jax

    local = {name: f"a{i}" for i, name in enumerate(names)}
    space: dict[str, object] = {
        "array": np.array, "asarray": np.asarray, "copyto": np.copyto, "take": take, "leading": leading, "of_list": of_list, "listed": listed, "view": view,
        "x64": jax.enable_x64, "kernel": kernel, "Failed": Failed, "FAULT": FAULT, "RETRY": RETRY, "Unknown": UnknownKind,
    }  # fmt: skip
    inputs = [f"{local[n]}.T" if layouts.get(n) is Layout.FORTRAN else local[n] for n in adapter.arrays]
    for i, (dtype, members) in enumerate(adapter.packs):
        space[f"t{i}"] = dtype if len(members) > 1 else dtype.type
        values = ", ".join(local[n] for n in members)
        inputs.append(f"array(({values}), t{i})" if len(members) > 1 else f"t{i}({values})")
    inputs += [local[n] for n in adapter.statics]
    targets = "".join(f"o{i}, " for i in range(adapter.outputs))

    lines = [f"def run({', '.join(local.values())}):", " try:", "  with x64(True):"]
    lines += [f"   {targets + '= ' if targets else ''}kernel({', '.join(inputs)})"]
    lines += [f"  v{i} = asarray(o{i}).tolist()" for i in range(adapter.packed)]
    if not adapter.packed and adapter.outputs:
        lines += ["  o0.block_until_ready()"]
    commits: list[str] = []
    for i, (name, leaf) in enumerate(adapter.writes):
        lines += [f"  w{i} = asarray({_place(adapter, leaf)})"]
        commits += [f" copyto({inputs[adapter.arrays.index(name)]}, w{i})"]
    answer = _Answer(adapter, local, space, device)
    expression = answer.build(adapter.value)
    # a failed speculation comes first: what it computed on the way may look like a fault, and be no number of its kind
    for flag, result in ((Flag.RETRY, "RETRY"), (Flag.FAULT, "FAULT")):
        raised = [_place(adapter, f) for f, kind in zip(adapter.flags, program.flags, strict=True) if kind is flag]
        if raised:
            lines += [f"  if {' or '.join(raised)}:", f"   return {result}"]
    lines += [f"  {line}" for line in answer.before]
    lines += [" except Unknown:", "  return FAULT", " except Exception as error:", "  return Failed(None, error)"]
    lines += [*commits, *answer.after, f" return {expression}"]
    if commits or answer.after:
        space["writing"] = _writing
        lines = [lines[0], " with writing:", *(f" {line}" for line in lines[1:])]
    return define("run", "\n".join(lines) + "\n", space, f"call of {program.name}")


def _place(adapter: Adapter, leaf: Leaf) -> str:
    slot = adapter.slots[leaf]
    return f"o{slot.output}" if slot.index is None else f"v{slot.output}[{slot.index}]"


@dataclass(slots=True)
class _Answer:
    """Writes the expression that rebuilds the value; `before` holds what must happen while errors are still caught."""

    adapter: Adapter
    local: Mapping[str, str]
    space: dict[str, object]
    device: bool
    before: list[str] = field(default_factory=list)
    after: list[str] = field(default_factory=list)  # the caller's own objects, once nothing can fail

    def build(self, value: Leaves) -> str:
        match value:
            case Leaf():
                place = _place(self.adapter, value)
                return place if self.device else self.early(f"take({place})")
            case PrefixLeaves(items=items, count=count, listed=from_list):
                place, length = _place(self.adapter, items), f"int({_place(self.adapter, count)}.real)"
                made = "of_list" if from_list else "leading"
                return f"{place}[:{length}]" if self.device else self.early(f"{made}({place}, {length})")
            case ScalarLeaves():
                return self.scalar(value)
            case ListLeaves(out=out, tree=tree):
                return self.early(f"listed({self.constant(out)}, {self.tree(tree)})")
            case TupleLeaves(items=items, constructor=constructor):
                inside = ", ".join(map(self.build, items))
                if constructor is list:
                    return f"[{inside}]"
                comma = "," if len(items) == 1 else ""
                return f"({inside}{comma})" if constructor is tuple else f"{self.constant(constructor)}({inside})"
            case OptionalLeaves(value=inner, present=present):
                return f"({self.build(inner)} if {_place(self.adapter, present)} else None)"
            case UpdatingLeaves(value=inner, updates=updates):
                expression = self.build(inner)
                for update, leaves in updates:
                    new = self.early(self.build(leaves))
                    owner = self.local[update.owner] if update.owner else "None"
                    self.after.append(f" {self.constant(update.put)}({owner}, {new})")
                return expression
            case ArgumentOut(name=name, index=index, order=order):
                view = self.local[name] if index is None else f"{self.local[name]}[{self.constant((*index, ...))}]"
                return view if order is None else f"{view}.transpose({order})"
            case ViewLeaves(out=out, numbers=numbers):
                told = "".join(f"int({_place(self.adapter, leaf)}), " for leaf in numbers)
                return f"view({self.local[out.name]}, {self.constant(out)}, ({told}))"
            case ConstantOut(value=constant):
                return self.constant(constant)

    def scalar(self, scalar: ScalarLeaves) -> str:
        value = _place(self.adapter, scalar.value)
        kinds = scalar.out.kinds
        if scalar.tag is not None:
            makers = self.constant(Makers(kinds))
            return self.early(f"{makers}[int({_place(self.adapter, scalar.tag)}.real)]({value})")
        if self.device and kinds[0].origin is Origin.NUMPY:
            return value
        return value if is_plain(kinds[0], scalar.holder) else f"{self.constant(converter(kinds[0]))}({value})"

    def tree(self, tree: LeafTree) -> str:
        if isinstance(tree, tuple):
            return f"({', '.join(map(self.tree, tree))})"
        place = _place(self.adapter, tree)
        # elements that stay on the device are unstacked there; everything else is taken to the host once
        return place if self.device or "[" in place else f"take({place})"

    def constant(self, value: object) -> str:
        name = f"c{len(self.space)}"
        self.space[name] = value
        return name

    def early(self, expression: str) -> str:
        name = f"r{len(self.before)}"
        self.before.append(f"{name} = {expression}")
        return name
