"""Arguments for a program: arrays of small multiples of a half (exact in any order of addition), with edges among them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

SIZES = (3, 7, 2, 5, 1, 16, 0)


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter: axes by the names of their sizes, and how its memory lies."""

    name: str
    axes: tuple[str, ...]
    dtype: str
    shares: str = ""  # "same", "reversed", "shifted": a part of the first array's memory
    order: str = ""
    positions: bool = False


def arguments(parameters: Sequence[Parameter], n: int, m: int, seed: int, values: str) -> tuple[Any, ...]:
    rng = np.random.default_rng(seed)
    sizes = {"n": n, "m": m}
    made: list[Any] = []
    base: np.ndarray | None = None
    for p in parameters:
        if p.dtype == "float":
            made.append(float(rng.integers(-3, 4)) / 2)
        elif p.dtype == "int":
            made.append(int(rng.integers(0, 4)))
        elif p.positions:
            made.append(rng.integers(-1 if values == "special" and n else 0, max(n, 1), n))
        elif p.shares and base is not None:
            made.append(
                {"same": base[:-1], "reversed": base[:-1][::-1], "shifted": base[1:]}[p.shares]
                if p.shares != "same"
                else made[0]
            )
        elif base is None:
            base = filled(rng, (n + 1,), p.dtype, values)
            made.append(base[:-1])
        else:
            made.append(laid_out(filled(rng, tuple(sizes[a] for a in p.axes), p.dtype, values), p.order))
    return tuple(made)


def filled(rng: np.random.Generator, shape: tuple[int, ...], dtype: str, values: str) -> np.ndarray:
    if dtype == "bool":
        return rng.random(shape) < 0.5
    if dtype.startswith(("int", "uint")):
        found = rng.integers(0 if dtype[0] == "u" else -5, 6, shape).astype(dtype)
        return np.where(rng.random(shape) < 0.5, 0, found).astype(dtype) if values == "zeros" else found
    found = rng.integers(-8, 9, shape) / 2.0
    if dtype == "complex128":
        found = found + 1j * rng.integers(-8, 9, shape) / 2.0
    if values == "zeros":
        found = np.where(rng.random(shape) < 0.6, rng.choice([0.0, -0.0], shape), found)
    if values == "special" and dtype != "complex128":  # XLA makes 0 of a complex x - x, whatever x is
        found = np.where(rng.random(shape) < 0.25, rng.choice([np.nan, np.inf, -np.inf, -0.0, 0.0], shape), found)
    return found.astype(dtype)


def laid_out(array: np.ndarray, order: str) -> np.ndarray:
    if order == "F":
        return np.asfortranarray(array)
    if order == "strided":
        wide = np.zeros((*array.shape[:-1], 2 * array.shape[-1]), array.dtype)
        wide[..., ::2] = array
        return wide[..., ::2]
    return array
