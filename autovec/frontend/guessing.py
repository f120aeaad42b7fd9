"""Arguments that a function's source suggests, for a look at the rewrite before any call.

A parameter with k subscripts is a float64 array of rank k; one that bounds a range, or stands in a shape, is an int;
others are floats.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping

import numpy as np

from autovec.frontend.source import SourceFunction
from autovec.frontend.unit import Argument, ArrayArgument, ConstantArgument, ScalarArgument
from autovec.ir.types import FLOAT, INT

EXTENT = 97  # a size that no constant of a program is likely to be


def guessed_arguments(source: SourceFunction, rows: int = 0) -> Mapping[str, Argument]:
    """One argument for each parameter; with `rows`, elements of arrays have so many axes themselves."""
    spec = source.node.args
    defaults = dict(
        zip(
            [a.arg for a in (*spec.posonlyargs, *spec.args)][::-1],
            (source.function.__defaults__ or ())[::-1],
            strict=False,
        )
    )
    ranks = array_ranks(source.node)
    ints = int_names(source.node)
    found: dict[str, Argument] = {}
    for a in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs):
        name = a.arg
        if name in ranks:
            found[name] = ArrayArgument(np.dtype(np.float64), (EXTENT,) * (ranks[name] + rows))
        elif name in ints:
            found[name] = ScalarArgument(INT, EXTENT)
        elif name in defaults and not isinstance(defaults[name], float):
            found[name] = ConstantArgument(defaults[name])
        else:
            found[name] = ScalarArgument(FLOAT)
    return found


def array_ranks(node: ast.AST) -> dict[str, int]:
    """Parameters that are subscripted or asked for their shape, with the most subscripts seen."""
    found: dict[str, int] = {}

    def note(name: str, rank: int) -> None:
        found[name] = max(found.get(name, 0), rank)

    for n in ast.walk(node):
        if isinstance(n, ast.Subscript):
            base, count = n, 0
            inner: ast.expr = n
            while isinstance(inner, ast.Subscript):
                count += len(inner.slice.elts) if isinstance(inner.slice, ast.Tuple) else 1
                inner = inner.value
            if isinstance(inner, ast.Name):
                note(inner.id, count)
            elif isinstance(inner, ast.Attribute) and inner.attr == "shape" and isinstance(inner.value, ast.Name):
                if isinstance(base.slice, ast.Constant) and isinstance(base.slice.value, int):
                    note(inner.value.id, base.slice.value + 1)
        elif isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id == "len" and n.args:
            if isinstance(n.args[0], ast.Name):
                note(n.args[0].id, 1)
        elif (
            isinstance(n, ast.Attribute)
            and n.attr in ("shape", "T", "sum", "mean", "copy", "size")
            and isinstance(n.value, ast.Name)
        ):
            note(n.value.id, 1)
        elif isinstance(n, ast.For) and isinstance(n.iter, ast.Name):
            note(n.iter.id, 1)
    return found


def int_names(node: ast.AST) -> set[str]:
    """Names in bounds of ranges, in subscripts and in shapes."""
    found: set[str] = set()
    for n in ast.walk(node):
        if isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id == "range":
            found |= {m.id for a in n.args for m in ast.walk(a) if isinstance(m, ast.Name)}
        elif isinstance(n, ast.Subscript):
            found |= {m.id for m in ast.walk(n.slice) if isinstance(m, ast.Name)}
        elif (
            isinstance(n, ast.Call)
            and isinstance(n.func, ast.Attribute)
            and n.func.attr in ("zeros", "ones", "empty", "eye")
        ):
            found |= {m.id for a in n.args for m in ast.walk(a) if isinstance(m, ast.Name)}
    return found
