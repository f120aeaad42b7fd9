"""A program and its inputs, and the inputs that many programs share: sizes with their edges, in seeded arrays."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

Arguments = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Program:
    """`make()` gives fresh argument tuples: a normal one first, then the edges."""

    name: str
    fn: Callable[..., Any]
    make: Callable[[], list[Arguments]]


def programs(*pairs: tuple[Callable[..., Any], Callable[[], list[Arguments]]]) -> dict[str, Program]:
    """A registry of functions with the makers of their inputs, by the name of the function."""
    return {fn.__name__: Program(fn.__name__, fn, make) for fn, make in pairs}


def normal(*shape: int, dtype: Any = np.float64) -> np.ndarray:
    """Seeded by the shape; of both signs, and for integers within -9 .. 9."""
    rng = np.random.default_rng([11, *shape])
    kind = np.dtype(dtype).kind
    if kind in "iu":
        return rng.integers(-9 if kind == "i" else 0, 10, shape).astype(dtype)
    if kind == "b":
        return rng.random(shape) < 0.5
    if kind == "c":
        return (rng.standard_normal(shape) + 1j * rng.standard_normal(shape)).astype(dtype)
    return rng.standard_normal(shape).astype(dtype)


def vectors(count: int = 1, *extra: Any, sizes: tuple[int, ...] = (9, 2, 1, 0), dtype: Any = np.float64) -> Any:
    """A maker: `count` different vectors of each size, then the extra arguments."""

    def make() -> list[Arguments]:
        return [(*(normal(n, dtype=dtype) + np.array(k, dtype) for k in range(count)), *extra) for n in sizes]

    return make


def with_nan(count: int = 1, *extra: Any) -> Any:
    """As `vectors`, and a vector with a NaN first, in the middle, last, and nothing else."""

    def make() -> list[Arguments]:
        cases = vectors(count, *extra)()
        for places in ([0], [4], [8], range(9)):
            case = vectors(count, *extra, sizes=(9,))()[0]
            case[0][list(places)] = np.nan
            cases.append(case)
        return cases

    return make


def matrices(*extra: Any, shapes: tuple[tuple[int, ...], ...] = ((5, 7), (2, 2), (1, 3), (3, 1), (0, 2))) -> Any:
    """A maker: one matrix of each shape, then the extra arguments."""
    return lambda: [(normal(*shape), *extra) for shape in shapes]


def squares(*extra: Any) -> Any:
    return matrices(*extra, shapes=((6, 6), (2, 2), (1, 1)))
