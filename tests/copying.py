"""Deep copies of arguments that keep what plain `copy.deepcopy` loses of arrays.

Arguments in, equal arguments out, in memory of their own: two views of one buffer stay views of one buffer, one object
passed twice stays one object, and layout, alignment of views within their base, and writability are kept.
"""

from __future__ import annotations

import copy
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np


def copy_arguments(args: Any) -> Any:
    """A deep copy of a tree of containers, objects and arrays; `jax.Array`s, which can't change, are shared."""
    memo: dict[int, Any] = {}
    roots: dict[int, np.ndarray] = {}
    for leaf in array_leaves(args):
        if id(leaf) not in memo:
            memo[id(leaf)] = leaf if is_jax_array(leaf) else _copy_array(leaf, roots)
    return copy.deepcopy(args, memo)


def is_jax_array(x: object) -> bool:
    jax = sys.modules.get("jax")
    return jax is not None and isinstance(x, jax.Array)


def array_leaves(tree: Any) -> Iterator[Any]:
    """Every array reachable through lists, tuples, dicts and attributes; exact ndarrays of numbers, and jax's."""
    seen: set[int] = set()
    stack = [tree]
    while stack:
        x = stack.pop()
        if id(x) in seen:
            continue
        seen.add(id(x))
        if is_jax_array(x) or (type(x) is np.ndarray and not x.dtype.hasobject):
            yield x
        elif isinstance(x, (list, tuple)):
            stack.extend(reversed(x))
        elif isinstance(x, dict):
            stack.extend(x.values())
        elif hasattr(x, "__dict__") and not isinstance(x, type) and not callable(x):
            stack.extend(vars(x).values())


def _copy_array(a: np.ndarray, roots: dict[int, np.ndarray]) -> np.ndarray:
    """A copy of the array as the same window on a copy of the memory that it is a window on."""
    root = _owner(a)
    if id(root) not in roots:
        roots[id(root)] = root.copy(order="K")
    fresh = roots[id(root)]
    if a is root:
        fresh.flags.writeable = a.flags.writeable
        return fresh
    if fresh.strides != root.strides:
        raise ValueError(f"the base of an argument is itself strided oddly: shape {root.shape}, strides {root.strides}")
    was_writeable, fresh.flags.writeable = fresh.flags.writeable, True
    window = np.ndarray(a.shape, a.dtype, _memory(fresh), _address(a) - _address(root), a.strides)
    fresh.flags.writeable = was_writeable
    window.flags.writeable = a.flags.writeable
    return window


def _owner(a: np.ndarray) -> np.ndarray:
    """The last ndarray along the chain of bases (`as_strided` puts an object that isn't one in between)."""
    owner, base = a, a.base
    while base is not None:
        if type(base) is np.ndarray:
            owner = base
        base = getattr(base, "base", None)
    return owner


def _memory(owner: np.ndarray) -> np.ndarray:
    """The bytes of an array that fills its memory, in the order of the memory."""
    by_stride = sorted(range(owner.ndim), key=lambda axis: -owner.strides[axis])
    return owner.transpose(by_stride).reshape(-1).view(np.uint8)


def _address(a: np.ndarray) -> int:
    return a.__array_interface__["data"][0]
