"""The text of the function that is jitted: a program between packed arguments and flat outputs.

Each argument of a jitted call costs 3-4 us and each output 3, so scalars of one dtype come in as one array, and
scalars, tags and flags go out as one. Fortran arrays come in as their transposes, which enter without a copy.

    def energy_call(x, float64s):
        value, writes, flags = energy(x=x.T, a=float64s[0], b=float64s[1])
        return jnp.stack([value, flags[0].astype("float64")]), writes["x"].T
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from autovec.emit.program import (
    ArgumentOut,
    ArrayOut,
    ConstantOut,
    ListOut,
    OptionalOut,
    Out,
    Program,
    ScalarOut,
    TupleOut,
    UpdateOut,
    UpdatingOut,
)
from autovec.ir.nodes import Param, Role
from autovec.ir.types import Origin
from autovec.runtime.arguments import Layout
from autovec.runtime.generated import unused_name

# dtypes that hold a count, a tag or a flag exactly, and of which `int` makes one again
_HOLDERS = ("float64", "int64", "uint64")


@dataclass(frozen=True, slots=True)
class Leaf:
    """One value among a program's results, by the group it travels in and its number there.

    `group` is "whole" for an output of its own, "control" for counts, tags and flags, else the dtype of a scalar.
    """

    group: str
    number: int


@dataclass(frozen=True, slots=True)
class Slot:
    """Where a leaf is on the host: element `index` of output `output`, or (index None) the whole output."""

    output: int
    index: int | None = None


@dataclass(frozen=True, slots=True)
class ScalarLeaves:
    """A scalar result: its value, held in dtype `holder`, and its tag where there is one."""

    out: ScalarOut
    holder: np.dtype
    value: Leaf
    tag: Leaf | None


@dataclass(frozen=True, slots=True)
class ListLeaves:
    """`tree` nests leaves as `results.listed` expects arrays."""

    out: ListOut
    tree: LeafTree


@dataclass(frozen=True, slots=True)
class TupleLeaves:
    items: tuple[Leaves, ...]
    constructor: type


@dataclass(frozen=True, slots=True)
class OptionalLeaves:
    """The leaves of a value, and whether there is one."""

    value: Leaves
    present: Leaf


@dataclass(frozen=True, slots=True)
class PrefixLeaves:
    """An array, and how many of its elements are the result; `listed` as of an `ArrayOut`."""

    items: Leaf
    count: Leaf
    listed: bool


@dataclass(frozen=True, slots=True)
class ViewLeaves:
    """A view of an argument, by numbers."""

    out: ArgumentOut
    numbers: tuple[Leaf, ...]


@dataclass(frozen=True, slots=True)
class UpdatingLeaves:
    """The value's leaves, and those of each update."""

    value: Leaves
    updates: tuple[tuple[UpdateOut, Leaves], ...]


LeafTree = Leaf | tuple["LeafTree", "LeafTree"]
Leaves = (
    Leaf
    | ScalarLeaves
    | ListLeaves
    | TupleLeaves
    | OptionalLeaves
    | PrefixLeaves
    | ViewLeaves
    | UpdatingLeaves
    | ArgumentOut
    | ConstantOut
)


@dataclass(frozen=True, slots=True)
class Adapter:
    """The text, and how to call it: positionally, arrays, then packs (groups of scalars by dtype), then statics."""

    name: str
    text: str
    arrays: tuple[str, ...]
    packs: tuple[tuple[np.dtype, tuple[str, ...]], ...]
    statics: tuple[str, ...]
    value: Leaves
    writes: tuple[tuple[str, Leaf], ...]
    flags: tuple[Leaf, ...]
    slots: Mapping[Leaf, Slot]
    packed: int  # so many outputs, the first ones, are vectors of scalars
    outputs: int


@dataclass(slots=True)
class _Outputs:
    """Collects the expressions that the adapter returns, by group."""

    device: bool  # results stay jax.Arrays
    groups: dict[str, list[str]] = field(default_factory=dict)

    def add(self, group: str, expression: str) -> Leaf:
        members = self.groups.setdefault(group, [])
        members.append(expression)
        return Leaf(group, len(members) - 1)


def write_adapter(program: Program, layouts: Mapping[str, Layout], device: bool, narrow: bool) -> Adapter:
    """The adapter for one program. On the `device` results stay jax.Arrays; `narrow` gives them 32-bit dtypes."""
    value_, writes_, flags_ = (unused_name(name, {program.name}) for name in ("value", "writes", "flags"))
    taken = {*(p.name for p in program.parameters), program.name, "jnp", value_, writes_, flags_}
    arrays, packs, statics = _inputs(program)
    pack_names = {dtype: unused_name(f"{dtype.name}s", taken) for dtype, _ in packs}
    inside: dict[str, str] = {}
    for dtype, names in packs:
        for position, name in enumerate(names):
            inside[name] = f"{pack_names[dtype]}[{position}]" if len(names) > 1 else pack_names[dtype]
    for name in arrays:
        inside[name] = f"{name}.T" if layouts.get(name) is Layout.FORTRAN else name
    for name in statics:
        inside[name] = name

    outputs = _Outputs(device)
    value = _collect(program.returns, value_, outputs)
    writes = [
        (name, outputs.add("whole", f"{writes_}[{name!r}]" + (".T" if layouts.get(name) is Layout.FORTRAN else "")))
        for name in program.writes
    ]
    flags = [outputs.add("control", f"{flags_}[{i}]") for i in range(len(program.flags))]
    slots, returned, packed = _pack(outputs, narrow)

    parameters = [*arrays, *pack_names.values(), *statics]
    call = f"{program.name}({', '.join(f'{p.name}={inside[p.name]}' for p in program.parameters)})"
    targets = value_ + (f", {writes_}" if program.writes or program.flags else "")
    targets += f", {flags_}" if program.flags else ""
    name = unused_name(f"{program.name}_call", taken)
    text = (
        f"def {name}({', '.join(parameters)}):\n"
        f"    {targets} = {call}\n"
        f"    return ({''.join(f'{r}, ' for r in returned)})\n"
    )
    return Adapter(
        name=name,
        text=text,
        arrays=arrays,
        packs=packs,
        statics=statics,
        value=value,
        writes=tuple(writes),
        flags=tuple(flags),
        slots=slots,
        packed=packed,
        outputs=len(returned),
    )


def _inputs(
    program: Program,
) -> tuple[tuple[str, ...], tuple[tuple[np.dtype, tuple[str, ...]], ...], tuple[str, ...]]:
    """Parameters by how they enter: arrays, packs of scalars, static ints."""
    arrays: list[str] = []
    statics: list[str] = []
    packs: dict[np.dtype, list[str]] = {}
    for parameter in program.parameters:
        if parameter.name in program.static:
            statics.append(parameter.name)
        elif parameter.role is Role.ARRAY:
            arrays.append(parameter.name)
        else:
            packs.setdefault(_scalar_dtype(parameter), []).append(parameter.name)
    return tuple(arrays), tuple((d, tuple(n)) for d, n in packs.items()), tuple(statics)


def _scalar_dtype(parameter: Param) -> np.dtype:
    return np.dtype(parameter.type.dtype)


def _collect(out: Out, path: str, outputs: _Outputs) -> Leaves:
    """Register the leaves of the value at `path`."""
    match out:
        case ArrayOut(counted=True, listed=listed):
            return PrefixLeaves(outputs.add("whole", f"{path}[0]"), outputs.add("control", f"{path}[1]"), listed)
        case ArrayOut():
            return outputs.add("whole", path)
        case ScalarOut(kinds=kinds):
            value, tag = (f"{path}[0]", outputs.add("control", f"{path}[1]")) if out.tagged else (path, None)
            holder = np.result_type(*(k.dtype for k in kinds))
            stays = outputs.device and not out.tagged and kinds[0].origin is Origin.NUMPY
            return ScalarLeaves(out, holder, outputs.add("whole" if stays else holder.name, value), tag)
        case ListOut():
            return ListLeaves(out, _collect_list(out, path, outputs, True))
        case TupleOut(items=items, constructor=constructor):
            leaves = tuple(_collect(o, f"{path}[{i}]", outputs) for i, o in enumerate(items))
            return TupleLeaves(leaves, constructor)
        case OptionalOut(item=item):
            present = outputs.add("control", f"{path}[1]")
            return OptionalLeaves(_collect(item, f"{path}[0]", outputs), present)
        case UpdatingOut(value=value, updates=updates):
            inner = _collect(value, f"{path}[0]", outputs)
            changed = ((u, _collect(u.out, f"{path}[1][{i}]", outputs)) for i, u in enumerate(updates))
            return UpdatingLeaves(inner, tuple(changed))
        case ArgumentOut(numbers=numbers) if numbers:
            return ViewLeaves(out, tuple(outputs.add("control", f"{path}[{i}]") for i in range(numbers)))
        case ArgumentOut() | ConstantOut():
            return out


def _collect_list(out: ListOut, path: str, outputs: _Outputs, outermost: bool) -> LeafTree:
    """`(items, count)` where counted, `(values, tags)` where tagged, nested; the outermost count is a scalar."""
    items = f"{path}[0]" if out.counted else path
    tree: LeafTree
    match out.item:
        case ScalarOut() as scalar if scalar.tagged:
            tree = (outputs.add("whole", f"{items}[0]"), outputs.add("whole", f"{items}[1]"))
        case ScalarOut() | ArrayOut():
            tree = outputs.add("whole", items)
        case ListOut() as inner:
            tree = _collect_list(inner, items, outputs, False)
    return (tree, outputs.add("control" if outermost else "whole", f"{path}[1]")) if out.counted else tree


def _pack(outputs: _Outputs, narrow: bool) -> tuple[dict[Leaf, Slot], list[str], int]:
    """Lay the outputs out: packed vectors first, one of which is awaited, then whole leaves."""
    slots: dict[Leaf, Slot] = {}
    packs = {group: list(members) for group, members in outputs.groups.items() if group not in ("whole", "control")}
    for output, (group, members) in enumerate(packs.items()):
        slots.update({Leaf(group, i): Slot(output, i) for i in range(len(members))})
    controls = outputs.groups.get("control", [])
    if controls:
        # they ride with scalars that hold them exactly; 32-bit results on a device don't
        home = next((d for d in packs if d in _HOLDERS and not outputs.device), "control")
        dtype = "int64" if home == "control" else home
        riders = packs.setdefault(home, [])
        for i, control in enumerate(controls):
            slots[Leaf("control", i)] = Slot(list(packs).index(home), len(riders))
            riders.append(f'jnp.asarray({control}, "{dtype}")')
    returned = [f"jnp.stack([{', '.join(members)}])" for members in packs.values()]
    for i, leaf in enumerate(outputs.groups.get("whole", ())):
        slots[Leaf("whole", i)] = Slot(len(returned))
        returned.append(f"narrow({leaf})" if narrow else leaf)
    return slots, returned, len(packs)
