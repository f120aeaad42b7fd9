"""Answers rebuilt from what a kernel returned: writable arrays, scalars of the right kind, lists."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from autovec.emit.program import ArgumentOut, ArrayOut, ListOut, ScalarOut, Stretch, Told
from autovec.ir.types import Kind, Origin

COPIED_BELOW = 16384  # bytes: a copy is cheaper than a wrapper


class Keep:
    """Lets an ndarray own a jax.Array: writable, without a copy; only for arrays on the CPU that have been awaited."""

    __slots__ = ("__array_interface__", "array")

    def __init__(self, array: Any) -> None:
        self.array = array
        self.__array_interface__ = {
            "data": (array.unsafe_buffer_pointer(), False),
            "shape": array.shape,
            "typestr": array.dtype.str,
            "version": 3,
        }


def take(array: Any) -> np.ndarray:
    """A fresh, writable ndarray with the contents of a jax.Array that nobody else holds."""
    if array.nbytes < COPIED_BELOW or next(iter(array.devices())).platform != "cpu":
        return np.array(array)
    return np.asarray(Keep(array))


def leading(array: Any, count: int) -> np.ndarray:
    """The first elements of an array."""
    return np.array(np.asarray(array)[:count])


def of_list(array: Any, count: int) -> np.ndarray:
    """The first elements of an array, as NumPy makes an array of a list: of no elements it is one of floats."""
    return leading(array, count) if count else np.array([])


def view(array: Any, out: ArgumentOut, numbers: Sequence[Any]) -> Any:
    """A view of an argument, by the numbers that the program gives."""
    told, index = iter(numbers), list[Any]()
    for one in out.index or ():
        match one:
            case Told():
                index.append(next(told))
            case Stretch(step=step):
                start, length = next(told), next(told)
                stop = start + length * step
                index.append(slice(start, None if stop < 0 else stop, step))  # -1 would count from the end
            case int() | slice():
                index.append(one)
    made = array[(*index, ...)]  # an array, of no axes too
    return made if out.order is None else made.transpose(out.order)


def converter(kind: Kind) -> Callable[[Any], object]:
    """Makes a scalar of a kind from the Python number that `tolist` gave for it."""
    make: Callable[[Any], object]
    if kind.origin is Origin.NUMPY:
        make = kind.dtype.type
    else:
        make = {"b": bool, "i": int, "f": float, "c": complex}[kind.dtype.kind]
    if kind.dtype.kind == "c":
        return make
    # a real member of a set of kinds that a complex number represents
    return lambda v: make(v.real if isinstance(v, complex | np.complexfloating) else v)


def is_plain(kind: Kind, holder: np.dtype) -> bool:
    """Does `tolist` of the holding dtype give this kind by itself?"""
    return kind.origin is Origin.PYTHON and kind.dtype.kind == holder.kind


Tree = Any  # an array, or a pair (values, tags) or (items, count), nested as `ListOut` is


class UnknownKind(Exception):
    """A tag that says nothing: the program can't tell which kind of number this is."""


class Makers(dict[int, Callable[[Any], object]]):
    """By its tag, what makes a scalar of each kind."""

    def __init__(self, kinds: Iterable[Kind]) -> None:
        super().__init__(enumerate(map(converter, kinds)))

    def __missing__(self, tag: int) -> Callable[[Any], object]:
        raise UnknownKind(tag)


def listed(out: ListOut, tree: Tree) -> list[object]:
    """The list that a stacked result stands for; leaves of the tree are ndarrays.

    ListOut(ScalarOut((PY_FLOAT,)), counted=True), (array([1., 2., 0.]), 2)   -->   [1.0, 2.0]
    """
    items, count = tree if out.counted else (tree, None)
    length = _length(items) if count is None else int(count)
    match out.item:
        case ScalarOut(kinds=(kind,)):
            return numbers(kind, items[:length])
        case ScalarOut(kinds=kinds):
            values, tags = items[0][:length], items[1][:length]
            if (tags < 0).any():
                raise UnknownKind
            if length and (tags == tags[0]).all():
                return numbers(kinds[int(tags[0])], values)
            mixed: list[object] = [None] * length
            for tag, kind in enumerate(kinds):
                places = np.flatnonzero(tags == tag)
                for place, number in zip(places.tolist(), numbers(kind, values[places]), strict=True):
                    mixed[place] = number
            return mixed
        case ArrayOut():
            return list(items[:length]) if items.ndim > 1 else [items[i, ...] for i in range(length)]
        case ListOut() as inner:
            return [listed(inner, _at(items, i)) for i in range(length)]


def numbers(kind: Kind, values: np.ndarray) -> list[object]:
    """Elements of an array as numbers of one kind."""
    if is_plain(kind, values.dtype):
        return values.tolist()
    if kind.origin is Origin.NUMPY and kind.dtype == values.dtype:
        return list(values)
    return [*map(converter(kind), values.tolist())]


def _length(tree: Tree) -> int:
    while isinstance(tree, tuple):
        tree = tree[0]
    return len(tree)


def _at(tree: Tree, i: int) -> Tree:
    return tuple(_at(t, i) for t in tree) if isinstance(tree, tuple) else tree[i, ...]
