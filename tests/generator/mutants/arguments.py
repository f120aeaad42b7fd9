"""The arguments of a program of the corpus, varied: other numbers at the same places, other kinds of the same numbers.

A variation is a number; 0 is none. The values are those of the corpus or, by a seed, these in another order, or with
zeros, or NaN and infinities among them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.copying import array_leaves, copy_arguments
from tests.generator.choices import Choices, seeded

AS_MADE = 7  # seeds below leave the numbers as they are


def varied(args: tuple[Any, ...], variation: int, seed: int, values: str) -> tuple[Any, ...]:
    """Arguments of their own; the same ones every time."""
    args = copy_arguments(args)
    rng = np.random.default_rng([variation, seed])
    for leaf in array_leaves(args):
        if leaf.flags.writeable and leaf.size:
            renumber(leaf, rng, seed, values)
    if variation == 0:
        return args
    choices = seeded(variation)
    made: list[Any] = []
    for arg in args:
        made.append(another_kind(choices, arg, made))
    return tuple(made)


def renumber(a: np.ndarray, rng: np.random.Generator, seed: int, values: str) -> None:
    """Other numbers in place: no dtype, shape or layout changes."""
    if seed >= AS_MADE:
        a[...] = rng.permutation(a.reshape(-1)).reshape(a.shape)
    if values == "zeros":
        a[rng.random(a.shape) < 0.3] = 0
    if values == "special" and a.dtype.kind == "f":
        place = np.unravel_index(rng.integers(a.size), a.shape)
        a[place] = rng.choice([np.nan, np.inf, -np.inf, -0.0, 0.0])


def another_kind(choices: Choices, arg: Any, before: list[Any]) -> Any:
    """An argument of another dtype, type or layout, or an array passed before; mostly as it is."""
    if type(arg) is np.ndarray and arg.dtype.kind in "fiub":
        return another_array(choices, arg, before)
    if type(arg) is int and abs(arg) < 2**31 - 1:
        return choices.weighted([(16, arg), (1, arg - 1), (1, arg + 1), (1, np.int64(arg)), (1, np.int32(arg))])
    if type(arg) is float and abs(arg) < 1e9:
        return choices.weighted([(17, arg), (2, int(arg)), (1, np.float64(arg)), (1, np.float32(arg))])
    return arg


def another_array(choices: Choices, a: np.ndarray, before: list[Any]) -> Any:
    same = [x for x in before if type(x) is np.ndarray and x.shape == a.shape]
    way = choices.integer(0, 29)
    if way < 2 and a.dtype == np.float64:
        return a.astype(np.float32)
    if way < 4 and a.dtype == np.int64:
        return a.astype(choices.pick((np.int32, np.uint8, np.float64)))
    if way < 6 and a.ndim:
        return a.tolist()
    if way < 8 and a.dtype == np.float64 and np.all(np.abs(a) < 1e9):
        return np.round(a * 2).astype(np.int64)
    if way < 10 and a.ndim == 2:
        return np.asfortranarray(a)
    if way < 12 and a.ndim:
        return np.repeat(a, 2, axis=-1)[..., ::2]
    if way < 13 and same:
        return choices.pick(same)
    return a
