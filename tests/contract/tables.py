"""Tables of expressions: many expressions in one function, each done in a loop, each compared by itself.

    agree(["a[i] + b[i]", "a[i] // b[i]"], {"a": ..., "b": ...})

makes and decorates

    def table(n, a, b):
        r0 = np.array([a[i] + b[i] for i in range(n)])
        r1 = np.array([a[i] // b[i] for i in range(n)])
        return [r0, r1]

and holds where compiled code, and not the original, gives the original's dtypes and values. One function for many
expressions, since it is the compiler that takes the time.
"""

from __future__ import annotations

import cmath
import functools
import itertools
import linecache
import math
import operator
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from autovec import autovec
from tests.copying import copy_arguments
from tests.generator.check import internal
from tests.same import Comparison

NAMES = {"np": np, "math": math, "cmath": cmath, "operator": operator, "functools": functools, "__name__": "tables"}
TOGETHER = 80  # expressions in one function

_number = itertools.count()


def written(text: str, **names: object) -> Callable[..., Any]:
    """The function `table` of this text, with a source that can be found."""
    file = f"<table {next(_number)}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    namespace: dict[str, Any] = {**NAMES, **names}
    exec(compile(text, file, "exec"), namespace)
    return namespace["table"]


def table_of(expressions: Sequence[str], parameters: Sequence[str], form: str, names: Mapping[str, object]) -> Any:
    lines = [f"    r{k} = {form.format(e)}\n" for k, e in enumerate(expressions)]
    results = ", ".join(f"r{k}" for k in range(len(expressions)))
    return written(f"def table(n, {', '.join(parameters)}):\n{''.join(lines)}    return [{results}]\n", **names)


def agree(
    expressions: Sequence[str],
    given: Mapping[str, Any],
    *,
    ops: int = 4,
    scale: float = 0.0,
    signed_zeros: bool = False,
    form: str = "np.array([{} for i in range(n)])",
    trips: int | None = None,
    names: Mapping[str, object] | None = None,
) -> None:
    """Every expression compiled, and answered as the original does."""
    for begin in range(0, len(expressions), TOGETHER):
        some = expressions[begin : begin + TOGETHER]
        used = [p for p in given if any(mentions(e, p) for e in some)]
        original = table_of(some, used, form, names or {})
        f = autovec(original, fallback="silent")
        n = trips if trips is not None else min(len(v) for v in given.values() if isinstance(v, np.ndarray | list))
        args = (n, *(given[p] for p in used))
        expected, actual = quietly(original, args), quietly(f, args)
        assert f.report().blocked is None, f"it doesn't compile: {f.report().blocked}"
        assert internal(f) is None, internal(f)
        assert not any(v.faults for v in f._dispatch.variants), f"a fault: the original answers\n{f.source}"
        for text, e, a in zip(some, expected, actual, strict=True):
            with np.errstate(invalid="ignore"):  # inf - inf in the comparison itself
                Comparison(None, ops, scale, scale or None, signed_zeros).compare(e, a, text)


def mentions(expression: str, name: str) -> bool:
    return name in set("".join(c if c.isidentifier() or c.isdigit() else " " for c in expression).split())


def quietly(function: Callable[..., Any], args: tuple[Any, ...]) -> Any:
    """The value; NumPy's warnings are no part of the contract."""
    copies, _ = copy_arguments((args, {}))
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        return function(*copies)


def is_allowed(expression: str, names: Mapping[str, object]) -> bool:
    """Does Python do this on ones of these kinds at all?"""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            eval(expression, {**NAMES, **names})
        except TypeError:
            return False
    return True
