"""Copies of arguments for one call, that share memory exactly where the arguments do.

`f(a, a[1:])` must see its two arguments overlap after copying too; `copy.deepcopy` keeps identity (`f(a, a)`) but
gives each view memory of its own. So the owner of the memory is copied once, and the views are laid over the copy.
"""

from __future__ import annotations

import copy
from typing import Any

import numpy as np


def fresh(value: Any) -> Any:
    """Copy containers and arrays; immutable things and what can't be copied are passed as they are."""
    return _copy(value, {}, {})


def _copy(value: Any, done: dict[int, Any], owners: dict[int, np.ndarray]) -> Any:
    if id(value) in done:
        return done[id(value)]
    if type(value) is np.ndarray:
        copied: Any = _copy_array(value, owners)
    elif type(value) is list:
        copied = done[id(value)] = []
        copied.extend(_copy(item, done, owners) for item in value)
    elif type(value) is tuple:
        copied = tuple(_copy(item, done, owners) for item in value)
    elif type(value) is dict:
        copied = done[id(value)] = {}
        copied.update((key, _copy(item, done, owners)) for key, item in value.items())
    elif hasattr(value, "block_until_ready"):
        copied = value  # an array of JAX can't be written to
    else:
        try:
            copied = copy.deepcopy(value, done)
        except Exception:
            copied = value
    done[id(value)] = copied
    return copied


def _copy_array(array: np.ndarray, owners: dict[int, np.ndarray]) -> np.ndarray:
    owner = _owner(array)
    if array.dtype.hasobject or not (owner.flags.c_contiguous or owner.flags.f_contiguous):
        return copy.deepcopy(array)
    if id(owner) not in owners:
        owners[id(owner)] = owner.copy(order="K")
    copied = owners[id(owner)]
    if owner is not array:
        offset = array.__array_interface__["data"][0] - owner.__array_interface__["data"][0]
        copied = np.ndarray(array.shape, array.dtype, _bytes(copied), offset, array.strides)
    elif copied.dtype != array.dtype:
        copied = copied.view(array.dtype)
    if not array.flags.writeable:
        copied = copied.view()
        copied.flags.writeable = False
    return copied


def _bytes(array: np.ndarray) -> memoryview:
    """The whole memory of a contiguous array, whatever its order and dtype."""
    flat = array.reshape(-1, order="A" if array.flags.c_contiguous else "F")
    return flat.view(np.uint8).data


def _owner(array: np.ndarray) -> np.ndarray:
    """The array at the bottom of a chain of views, as far as it is arrays."""
    while type(array.base) is np.ndarray:
        array = array.base
    return array
