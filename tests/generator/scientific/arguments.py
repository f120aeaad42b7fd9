"""Arguments for a program: arrays of small multiples of a half, with edges among them, laid out and shared in every way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np

from tests.generator.arguments import filled

LAYOUTS = ("", "", "", "F", "strided", "reversed", "offset")


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter: the axes and dtype of an array, or the kind of something else."""

    name: str
    axes: tuple[str, ...]
    dtype: str  # of an array; "positions", "size", "float", "int", "flag", "maybe", "list", "rows", "vectors", "body", "record"


class Body:
    """An object with attributes."""

    def __init__(self, **attributes: Any) -> None:
        self.__dict__.update(attributes)

    def __repr__(self) -> str:
        return f"Body({self.__dict__})"


def arguments(parameters: Sequence[Parameter], n: int, m: int, seed: int, values: str) -> tuple[Any, ...]:
    """One set; a third of them share memory, a quarter are laid out in some other way."""
    rng, random = np.random.default_rng(seed), Random(seed)
    sizes = {"n": n, "m": m, "2n": 2 * n}
    made: dict[tuple[object, ...], np.ndarray] = {}
    sharing, laid = seed % 3 == 2, seed % 4 == 3
    result: list[Any] = []
    for p in parameters:
        if p.axes and p.dtype != "positions":
            array = filled(rng, tuple(sizes[a] for a in p.axes), p.dtype, values)
            array = laid_out(array, random.choice(LAYOUTS)) if laid else array
            other = made.setdefault((p.axes, p.dtype), array)
            if sharing and other is not array and random.random() < 0.6:
                array = random.choice([other, other, other[::-1] if other.ndim == 1 else other])
            result.append(array)
        else:
            result.append(other_than_array(p, n, m, rng, random, values))
    return tuple(result)


def other_than_array(p: Parameter, n: int, m: int, rng: np.random.Generator, random: Random, values: str) -> Any:
    def vector() -> np.ndarray:
        return filled(rng, (n,), "float64", values)

    match p.dtype:
        case "positions":
            return rng.integers(0, max(n, 1), n)
        case "size":
            return m
        case "float":
            return random.choice([0.5, -1.5, 1.0, 0.0, 2.0, np.float64(0.5), 1])
        case "int":
            return random.choice([0, 1, 2, 3, 3, np.int64(2)])
        case "flag":
            return random.choice(["sum", "max", None])
        case "maybe":
            return random.choice([None, 0.5, 1])
        case "list":
            return vector().tolist()
        case "rows":
            return filled(rng, (n, m), "float64", "plain").tolist()
        case "vectors":
            first = vector()
            return [first, *(vector() for _ in range(m - 1))]
        case _:
            held = {
                "x": vector(),
                "y": vector(),
                "rate": random.choice([0.5, -1.0, 2.0]),
                "hits": random.choice([0, 3]),
            }
            return Body(**held) if p.dtype == "body" else held


def laid_out(array: np.ndarray, how: str) -> np.ndarray:
    match how:
        case "F":
            return np.asfortranarray(array)
        case "strided":
            wide = np.zeros((*array.shape[:-1], 2 * array.shape[-1]), array.dtype)
            wide[..., ::2] = array
            return wide[..., ::2]
        case "reversed":
            return np.ascontiguousarray(array[::-1])[::-1]
        case "offset":
            wide = np.zeros((array.shape[0] + 2, *array.shape[1:]), array.dtype)
            wide[1:-1] = array
            return wide[1:-1]
        case _:
            return array
