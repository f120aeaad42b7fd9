"""Whether two values are the same answer: types, dtypes, shapes and exact values equal, floats close.

In: two nested values (lists, tuples, dicts, arrays, scalars, exceptions). Out: an `Agreement` with the largest
difference seen and every mismatch by its place. Differences of floats are measured against the largest magnitude in
their array: a sum that cancels to 1e-17 is not wrong by 100 percent.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

MOST_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Agreement:
    """`absolute` and `relative` are the largest differences; `mismatches` says what is different in kind, and where."""

    absolute: float
    relative: float
    mismatches: tuple[str, ...]

    @property
    def holds(self) -> bool:
        return not self.mismatches

    def __str__(self) -> str:
        if self.absolute == 0:
            size = "values equal"
        else:
            size = f"largest difference {self.absolute:.1e} (relative {self.relative:.1e})"
        if self.holds:
            return f"{size}; types, dtypes and exceptions equal"
        shown = "; ".join(self.mismatches[:MOST_SHOWN])
        more = len(self.mismatches) - MOST_SHOWN
        return f"{shown}; {more} more" if more > 0 else shown


@dataclass(frozen=True, slots=True)
class Difference:
    absolute: float = 0.0
    relative: float = 0.0
    mismatch: str = ""


def agreement(
    wanted: tuple[object, object, BaseException | None],
    got: tuple[object, object, BaseException | None],
    rtol: float | None = None,
) -> Agreement:
    """Compare (value, arguments afterwards, exception) of the original with those of the rewrite."""
    found = [*_errors(wanted[2], got[2])]
    if not found:
        found += _walk("result", wanted[0], got[0], rtol)
    found += _walk("arguments", wanted[1], got[1], rtol)
    return Agreement(
        max((d.absolute for d in found), default=0.0),
        max((d.relative for d in found), default=0.0),
        tuple(d.mismatch for d in found if d.mismatch),
    )


def _errors(wanted: BaseException | None, got: BaseException | None) -> Iterator[Difference]:
    if type(wanted) is not type(got) or str(wanted) != str(got):
        yield Difference(mismatch=f"raised {got!r}, original {wanted!r}" if wanted else f"raised {got!r}")


def _walk(place: str, wanted: object, got: object, rtol: float | None) -> Iterator[Difference]:
    """The differences below one place, containers opened."""
    if type(wanted) is not type(got):
        yield Difference(mismatch=f"{place} is {type(got).__name__}, original {type(wanted).__name__}")
    elif isinstance(wanted, list | tuple) and isinstance(got, list | tuple):
        if len(wanted) != len(got):
            yield Difference(mismatch=f"{place} has {len(got)} items, original {len(wanted)}")
        else:
            for index, (a, b) in enumerate(zip(wanted, got, strict=True)):
                yield from _walk(f"{place}[{index}]", a, b, rtol)
    elif isinstance(wanted, dict) and isinstance(got, dict):
        if list(wanted) != list(got):
            yield Difference(mismatch=f"{place} has keys {list(got)}, original {list(wanted)}")
        else:
            for key in wanted:
                yield from _walk(f"{place}[{key!r}]", wanted[key], got[key], rtol)
    elif isinstance(wanted, bool | int | float | complex | np.generic | np.ndarray) or hasattr(wanted, "__array__"):
        yield _numbers(place, np.asarray(wanted), np.asarray(got), rtol)
    elif type(wanted).__eq__ is object.__eq__ and hasattr(wanted, "__dict__") and not callable(wanted):
        yield from _walk(place, vars(wanted), vars(got), rtol)
    elif not _equal(wanted, got):
        yield Difference(mismatch=f"{place} differs")


def _equal(wanted: object, got: object) -> bool:
    """Equality where it is defined by value; objects that compare by identity are copies of one another here."""
    if type(wanted).__eq__ is object.__eq__:
        return True
    try:
        return bool(wanted == got)
    except Exception:
        return True  # what can't be compared can't be said to differ


def _numbers(place: str, wanted: np.ndarray, got: np.ndarray, rtol: float | None) -> Difference:
    """Arrays or scalars: dtype, shape, where they are not finite, then the size of the difference."""
    if wanted.dtype != got.dtype:
        return Difference(mismatch=f"{place} has dtype {got.dtype}, original {wanted.dtype}")
    if wanted.shape != got.shape:
        return Difference(mismatch=f"{place} has shape {got.shape}, original {wanted.shape}")
    if wanted.dtype.kind not in "fc":
        return _exact(place, wanted, got)
    finite = np.isfinite(wanted)
    if not np.array_equal(wanted[~finite], got[~finite], equal_nan=True) or not np.isfinite(got[finite]).all():
        return Difference(mismatch=f"{place} differs where it is nan or infinite")
    if not finite.any():
        return Difference()
    with np.errstate(all="ignore"):
        absolute = float(np.max(np.abs(wanted[finite] - got[finite])))
        largest = float(np.max(np.abs(wanted[finite])))
    relative = absolute / largest if largest else absolute
    allowed = float(np.sqrt(np.finfo(wanted.dtype).eps)) if rtol is None else rtol
    beyond = f"{place} differs by {absolute:.1e} (relative {relative:.1e})" if relative > allowed else ""
    return Difference(absolute, relative, beyond)


def _exact(place: str, wanted: np.ndarray, got: np.ndarray) -> Difference:
    differ = np.asarray(wanted != got)
    if not differ.any():
        return Difference()
    many = int(differ.sum())
    first = tuple(int(i) for i in np.argwhere(differ)[0]) if wanted.ndim else ()
    at = f"{place}[{', '.join(map(str, first))}]" if first else place
    return Difference(mismatch=f"{at} is {got[first]}, original {wanted[first]}" + f" ({many} differ)" * (many > 1))
