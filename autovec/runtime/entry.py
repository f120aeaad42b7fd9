"""The generated way into a variant: is the call its own, and may the compiled program run it?

`entry` answers `MISS` for a call that isn't the variant's, before anything has happened:

    def entry(a0, a1):
        if not (type(a0) is ndarray and a0.dtype is d0 and a0.flags.c_contiguous and type(a1) is int and g0.get("K") is k0):
            return MISS
        decision = decisions.get((a0.shape, a1))
        if decision is not RUN: ...
        result = run(a0, a1)
        return failed(result, (a0, a1)) if type(result) is Failed else result

Tests that cost 0.03 us each stand inline; a loop over the arguments would cost ten times as much.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from types import FunctionType
from typing import Any, Protocol

import numpy as np

from autovec.diagnostics import Code
from autovec.frontend.structures import description
from autovec.runtime.arguments import (
    ArrayArgument,
    Layout,
    ScalarArgument,
    Signature,
    Unread,
    Whole,
    folded,
    known_dtype,
    overlap,
    same_constant,
)
from autovec.runtime.generated import define
from autovec.runtime.kernel import Failed, Kernel
from autovec.runtime.parameters import MISS
from autovec.runtime.precision import x64_enabled
from autovec.runtime.rewrite import MISSING, Derived, Rewrite
from autovec.runtime.strictness import warnings_raise


class Decision(Enum):
    """What a variant does with a call of certain shapes."""

    RUN = "run"
    SEQUENTIAL = "sequential"
    ORIGINAL = "original"
    ANOTHER = "another"  # a rewrite of its own
    TIMED = "timed"  # run, and look how long it takes
    COMPARED = "compared"  # the original, to look how long that takes


class Owner(Protocol):
    """What the generated code calls where the quick way ends: the variant."""

    faults: int
    retries: int

    def decide(self, key: tuple[object, ...], arguments: Sequence[object]) -> Decision: ...
    def other(self, decision: Decision, arguments: Sequence[object]) -> Any: ...
    def overlapping(self, arguments: Sequence[object]) -> Any: ...
    def refused(self, arguments: Sequence[object]) -> Any: ...
    def failed(self, result: Failed, arguments: Sequence[object]) -> Any: ...


@dataclass(frozen=True, slots=True)
class Calls:
    """Which calls are the variant's: those like the one with `arguments`.

    Names, signature and arguments go on with the arrays that the function captures. `scalars`: the positions of
    integers that are sizes.
    """

    rewrite: Rewrite
    names: Sequence[str]
    signature: Signature
    arguments: Sequence[object]
    scalars: frozenset[int]

    @property
    def locals(self) -> list[str]:
        """What the generated code calls them."""
        return [f"a{i}" for i in range(len(self.signature))]

    @property
    def passed(self) -> int:
        """How many are arguments."""
        return len(self.names) - len(self.rewrite.captured)

    def tangled(self, arguments: Sequence[object]) -> bool:
        """Is a list or object that is written to reached by two names?"""
        return self.rewrite.tangle.holds(dict(zip(self.names, arguments, strict=False)))

    @property
    def device(self) -> bool:
        return any(isinstance(a, ArrayArgument) and a.device for a in self.signature)


def make_entry(
    calls: Calls,
    kernel: Kernel | None,
    decisions: Mapping[tuple[object, ...], Decision],
    owner: Owner,
    original: Callable[[Sequence[object]], Any],
) -> Callable[..., Any]:
    """Generate `entry`; without a kernel it only tells whose call it is, and the original runs."""
    names = calls.locals
    space: dict[str, object] = {
        "MISS": MISS, "MISSING": MISSING, "Failed": Failed, "RUN": Decision.RUN, "ndarray": np.ndarray, "known_dtype": known_dtype,
        "same_constant": same_constant, "warnings_raise": warnings_raise, "overlap": overlap, "folded": folded,
        "original": original, "owner": owner, "decisions": decisions, "x64_enabled": x64_enabled,
    }  # fmt: skip
    passed = f"({''.join(f'{n}, ' for n in names[: calls.passed])})"
    everything = f"({''.join(f'{n}, ' for n in names)})"
    lines = [f"def entry({', '.join(names[: calls.passed])}):"]
    for local, captured in zip(names[calls.passed :], calls.rewrite.captured, strict=True):
        space[f"read_{local}"] = captured.read
        of = names[calls.names.index(captured.argument)] if isinstance(captured, Derived) and captured.argument else ""
        lines.append(f" {local} = read_{local}({of or ('None' if isinstance(captured, Derived) else '')})")
    tests = _tests(calls, space)
    if tests:
        lines += [f" if not ({' and '.join(tests)}):", "  return MISS"]
    if kernel is None:
        return define("entry", "\n".join([*lines, f" return owner.refused({everything})\n"]), space)
    space["run"] = kernel.run
    key = _key(calls)
    lines += [
        f" decision = decisions.get({key})",
        " if decision is not RUN:",
        f"  decision = owner.decide({key}, {everything})",
        "  if decision is not RUN:",
        f"   return owner.other(decision, {everything})",
    ]
    unsafe = _unsafe(calls, kernel)
    if unsafe:
        lines += [f" if {' or '.join(unsafe)}:", f"  return original({passed})"]
    overlaps = _overlaps(calls, kernel, space)
    if overlaps:
        lines += [f" if {' or '.join(overlaps)}:", f"  return owner.overlapping({everything})"]
    if calls.rewrite.tangle.matters:
        space["tangled"] = calls.tangled
        lines += [f" if tangled({passed}):", f"  return owner.overlapping({everything})"]
    lines += [
        f" result = run({', '.join(names)})",
        " if type(result) is Failed:",
        f"  return owner.failed(result, {everything})",
        " if owner.faults or owner.retries: owner.faults = owner.retries = 0",
        " return result",
    ]
    return define("entry", "\n".join(lines) + "\n", space)


def _tests(calls: Calls, space: dict[str, object]) -> list[str]:
    """The conditions under which a call is the variant's, as text."""
    tests: list[str] = []
    rows = zip(calls.locals, calls.names, calls.arguments, calls.signature, strict=True)
    for i, (local, name, value, described) in enumerate(rows):
        match described:
            case ArrayArgument(dtype=dtype, layout=layout, device=device):
                space[f"d{i}"], space[f"t{i}"] = dtype, type(value)
                tests.append(f"type({local}) is {f't{i}' if device else 'ndarray'}")
                tests.append(f"({local}.dtype is d{i} or known_dtype({local}.dtype) is d{i})")
                if not device:
                    tests.append(_layout_test(local, layout))
            case ScalarArgument(type=kind):
                space[f"t{i}"] = kind
                tests.append(f"type({local}) is t{i}")
            case Whole(type=kind, contents=contents):
                space[f"t{i}"] = kind
                tests.append(f"type({local}) is t{i}")
                blocked = calls.rewrite.blocked
                if blocked is not None and blocked.code is Code.NOT_PROFITABLE and kind in (list, tuple) and value:
                    # the original is right for any list: a look at the first item is enough, and costs nothing
                    space[f"e{i}"] = type(value[0])  # type: ignore[index]
                    tests.append(f"{local} and type({local}[0]) is e{i}")
                elif contents is not None and blocked is not None:
                    space["description"], space[f"w{i}"] = description, contents
                    tests.append(f"description({local}) == w{i}")
            case Unread():
                continue
        if name in calls.rewrite.constants:
            space[f"c{i}"] = value
            exact = type(value) in (int, str, bool)
            tests.append(f"{local} == c{i}" if exact else f"same_constant({local}, c{i})")
    for i, guard in enumerate(calls.rewrite.guards):
        if isinstance(guard.namespace, dict | FunctionType) and guard.contents is None:
            space[f"g{i}"], space[f"v{i}"] = guard.namespace, guard.value
            read = f"g{i}.get({guard.name!r}, MISSING)" if isinstance(guard.namespace, dict) else f"g{i}.{guard.name}"
            tests.append(f"{read} is v{i}")
        else:
            space[f"h{i}"] = guard.holds
            tests.append(f"h{i}()")
    for i, assumption in enumerate(calls.rewrite.assumptions):
        space[f"u{i}"] = assumption.holds
        tests.append(f"u{i}({calls.locals[calls.names.index(assumption.argument)]})")
    if calls.device:
        tests.append(f"x64_enabled() is {x64_enabled()}")
    return tests


def _layout_test(name: str, layout: Layout) -> str:
    match layout:
        case Layout.C:
            return f"{name}.flags.c_contiguous"
        case Layout.FORTRAN:
            return f"{name}.flags.f_contiguous and not {name}.flags.c_contiguous"
        case Layout.OTHER:
            return f"not {name}.flags.forc"


def _key(calls: Calls) -> str:
    """The text of the key of a decision: all shapes, and the integers that are sizes."""
    parts = [
        f"{n}.shape" if isinstance(a, ArrayArgument) else n
        for i, (n, a) in enumerate(zip(calls.locals, calls.signature, strict=True))
        if isinstance(a, ArrayArgument) or i in calls.scalars
    ]
    return f"({''.join(f'{p}, ' for p in parts)})"


def _unsafe(calls: Calls, kernel: Kernel) -> list[str]:
    """Conditions under which the original runs, and nothing is to be said about it."""
    program = kernel.program
    local = dict(zip(calls.names, calls.locals, strict=True))
    described = dict(zip(calls.names, calls.signature, strict=True))
    conditions = [] if calls.device else ["warnings_raise()"]
    for parameter in program.parameters:
        if described.get(parameter.name) == ScalarArgument(int):
            bits = 63 if not calls.device or x64_enabled() else 31
            conditions.append(f"{local[parameter.name]}.bit_length() > {bits}")
    for name in program.writes:
        conditions.append(f"not {local[name]}.flags.writeable")
        array = described[name]
        if isinstance(array, ArrayArgument) and array.layout is Layout.OTHER:
            conditions.append(f"folded({local[name]})")
    return conditions


def _overlaps(calls: Calls, kernel: Kernel, space: dict[str, object]) -> list[str]:
    """Tests of each written array against each other one; owners of their memory share it with no other owner."""
    writes = kernel.program.writes
    arrays = [
        (name, local)
        for name, local, a in zip(calls.names, calls.locals, calls.signature, strict=True)
        if isinstance(a, ArrayArgument)
    ]
    for i, array in enumerate(calls.rewrite.tangle.arrays):
        space[f"x{i}"] = array
    fixed = [
        f"overlap({a}, x{i})"
        for i in range(len(calls.rewrite.tangle.arrays))
        for a_name, a in arrays
        if a_name in writes
    ]
    return fixed + [
        f"({a} is {b} or (({a}.base is not None or {b}.base is not None) and overlap({a}, {b})))"
        for i, (a_name, a) in enumerate(arrays)
        for b_name, b in arrays[i + 1 :]
        if a_name in writes or b_name in writes
    ]
