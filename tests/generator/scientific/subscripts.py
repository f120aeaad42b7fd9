"""Subscripts and slices: parts of an array that have the same length, in as many ways as people write them."""

from __future__ import annotations

from tests.generator.scientific.scope import Held, Scope

# by the length that they have of an axis of size {n}; {i} is a loop variable along it
SLICES: dict[str, tuple[str, ...]] = {
    "all": (":", ":", ":", "::-1", ":{n}", "0:"),
    "one less": ("1:", ":-1", ":0:-1", "-2::-1", ":{n} - 1", "1:{n}"),
    "two less": ("2:", ":-2", "1:-1", "-3::-1", ":{n} - 2"),
    "even": ("::2", "::-2", ":({n} + 1) // 2"),
    "odd": ("1::2", "-2::-2", ":{n} // 2", "{n} - {n} // 2:"),
    "two": (":2", "-2:", ":-3:-1", "1::-1"),
    "before": (":{i}", "{n} - {i}:", "{n} - {i}:{n}"),
    "up to": (":{i} + 1", "{i}::-1", "-{i} - 1:", "{n} - {i} - 1:"),
    "from": ("{i}:", ":{n} - {i}", ":{i} - 1 if {i} else None:-1"),
    "after": ("{i} + 1:", ":{n} - {i} - 1", ":{i}:-1", ":-{i} - 1"),
    "here": ("{i}:{i} + 1", "{n} - 1 - {i}:{n} - {i}"),
}
FIXED = ("all",) * 8 + ("one less",) * 4 + ("two less", "even", "odd", "two")
MOVING = ("before", "up to", "from", "after", "before", "after", "here")
PLACES = (
    ("{i}",) * 8
    + ("{n} - 1 - {i}", "-{i} - 1", "-{i}", "{i} - 1", "({i} + 1) % {n}", "min({i} + 1, {n} - 1)", "max({i} - 1, 0)")
    + ("{i} // 2", "({i} * 2) % {n}", "~{i}", "({i} - 2) % {n}", "{i} - {n}")
)


def place(scope: Scope, axis: str) -> str:
    """A position along an axis."""
    choices, around = scope.choices, scope.along(axis)
    if not around or choices.rarely(12):
        return choices.pick([f"{axis} - 1", "0", "-1", f"{axis} // 2"])
    if scope.positions and axis == "n" and choices.rarely(6):
        return f"{choices.pick(scope.positions)}[{choices.pick(around)}]"
    if scope.integers and choices.rarely(12):
        return f"{choices.pick(scope.integers)} % {axis}"
    return choices.pick(PLACES).format(i=choices.pick(around), n=axis)


def length(scope: Scope, axis: str) -> str:
    """A kind of slice that makes sense here."""
    return scope.choices.pick(FIXED + MOVING if scope.along(axis) else FIXED)


def part(scope: Scope, axis: str, how: str) -> str:
    """A slice of that length."""
    around = scope.along(axis)
    how = how if around or "{i}" not in "".join(SLICES[how]) else "all"
    text = scope.choices.pick(SLICES[how])
    return text.format(n=axis, i=scope.choices.pick(around)) if around else text.format(n=axis, i="0")


def element(scope: Scope, array: Held) -> str:
    return f"{array.name}[{', '.join(place(scope, axis) for axis in array.axes)}]" if array.axes else array.name


def vectors(scope: Scope, axis: str) -> list[str]:
    """Vectors, rows and columns along an axis, with a field for the slice."""
    found: list[str] = []
    for a in scope.of():
        match a.axes:
            case (only,) if only == axis:
                found.append(f"{a.name}[{{part}}]")
            case (first, second):
                if second == axis:
                    at = place(scope, first)
                    found += [f"{a.name}[{at}, {{part}}]", f"{a.name}[{at}][{{part}}]"]
                if first == axis:
                    at = place(scope, second)
                    found += [f"{a.name}[{{part}}, {at}]", f"{a.name}.T[{at}, {{part}}]"]
            case (first, second, third):
                if third == axis:
                    found.append(f"{a.name}[{place(scope, first)}, {place(scope, second)}, {{part}}]")
                if second == axis:
                    found.append(f"{a.name}[{place(scope, first)}, {{part}}, {place(scope, third)}]")
            case _:
                pass
    return found


def vector_part(scope: Scope, axis: str, how: str) -> str | None:
    """A part of memory along an axis, of some length; None where there is no array."""
    found = vectors(scope, axis)
    return scope.choices.pick(found).replace("{part}", part(scope, axis, how)) if found else None
