"""Do the sizes of a call fit a program? All origins of a size must agree, and the proof must hold for its value."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import Enum

from autovec.ir.nodes import Size

_KEPT = 4096


class Fit(Enum):
    FITS = "fits"
    REFUSED = "refused"  # the program was made for this pattern, but isn't right for these values
    ANOTHER = "another"  # sizes that are one in the program differ in the call: it needs a program of its own


class Acceptance:
    """The test for one program; answers are kept by the values of the sizes."""

    def __init__(
        self, sizes: Sequence[Size], accepts: Callable[[Mapping[str, int]], bool], names: Sequence[str]
    ) -> None:
        positions = {name: i for i, name in enumerate(names)}
        # derived sizes follow from the others; so do those that come from elsewhere than an argument
        self._sizes = [
            (s.name, [(positions[name], axis) for name, axis in s.origins if name in positions])
            for s in sizes
            if s.derived is None and any(name in positions for name, _ in s.origins)
        ]
        self._fixed = {s.name: s.value for s in sizes if s.fixed}
        self._accepts = accepts
        self._known: dict[tuple[int, ...], Fit] = {}

    @property
    def scalars(self) -> frozenset[int]:
        """Positions of the integer arguments that are sizes."""
        return frozenset(i for _, origins in self._sizes for i, axis in origins if axis is None)

    def values(self, arguments: Sequence[object]) -> dict[str, int] | None:
        """The sizes of a call by name; None where sizes that are one in the program differ."""
        values: dict[str, int] = {}
        for name, origins in self._sizes:
            position, axis = origins[0]
            value = _read(arguments[position], axis)
            if value is None or self._fixed.get(name, value) != value:
                return None
            if any(_read(arguments[i], a) != value for i, a in origins[1:]):
                return None
            values[name] = value
        return values

    def test(self, arguments: Sequence[object]) -> Fit:
        values = self.values(arguments)
        if values is None:
            return Fit.ANOTHER
        key = tuple(values.values())
        known = self._known.get(key)
        if known is None:
            known = Fit.FITS if self._accepts(values) else Fit.REFUSED
            if len(self._known) >= _KEPT:
                self._known.clear()
            self._known[key] = known
        return known


def _read(argument: object, axis: int | None) -> int | None:
    if axis is None:
        return int(argument)  # type: ignore[call-overload]
    shape: tuple[int, ...] = argument.shape  # type: ignore[attr-defined]
    return shape[axis] if axis < len(shape) else None
