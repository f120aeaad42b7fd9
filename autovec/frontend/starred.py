"""Starred arguments and targets, written out: as many values as are known before the call.

f(*point)               -->    f(point[0], point[1])
f(**options)            -->    f(k=options["k"])
first, *rest = xs       -->    first = xs[0]; rest = [xs[1], xs[2]]
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Sequence
from dataclasses import replace

from autovec.diagnostics import Code
from autovec.frontend.expressions import lower
from autovec.frontend.scope import Scope
from autovec.frontend.values import DictValue, ListArray, Static, TupleValue, Value, View
from autovec.ir.types import ArrayType

MOST = 16


def is_starred(node: ast.Call) -> bool:
    return any(isinstance(a, ast.Starred) for a in node.args) or any(k.arg is None for k in node.keywords)


def written_out(scope: Scope, node: ast.Call) -> tuple[Scope, ast.Call]:
    """The call with a name for every value of its starred arguments, and a scope that has these names."""
    env: dict[str, Value] = {}
    counts: list[int] = []
    words: list[tuple[str, ...]] = []
    for k, arg in enumerate(node.args):
        if isinstance(arg, ast.Starred):
            items = values_of(scope, lower(scope, arg.value), arg.value)
            env |= {f"star {k} {n}": item for n, item in enumerate(items)}
            counts.append(len(items))
    for k, keyword in enumerate(node.keywords):
        if keyword.arg is None:
            options = lower(scope, keyword.value)
            if not isinstance(options, DictValue) or not all(isinstance(n, str) for n in options.entries):
                raise scope.blocked(node, Code.UNSUPPORTED_EXPRESSION, "a call with **keywords")
            env |= {f"star {k} {n}": item for n, item in options.entries.items()}
            words.append(tuple(options.entries))
    inner = replace(scope, env={**scope.env, **env})
    inner.statements = scope.statements
    return inner, without_stars(node, tuple(counts), tuple(words))


@functools.lru_cache(maxsize=256)
def without_stars(node: ast.Call, counts: tuple[int, ...], words: tuple[tuple[str, ...], ...]) -> ast.Call:
    """One call for each place in the source: what is learned of a call is kept by its node."""
    args: list[ast.expr] = []
    named: list[ast.keyword] = []
    left, names = list(counts), list(words)
    for k, arg in enumerate(node.args):
        if isinstance(arg, ast.Starred):
            args += [ast.Name(f"star {k} {n}", ast.Load()) for n in range(left.pop(0))]
        else:
            args.append(arg)
    for k, keyword in enumerate(node.keywords):
        if keyword.arg is None:
            named += [ast.keyword(n, ast.Name(f"star {k} {n}", ast.Load())) for n in names.pop(0)]
        else:
            named.append(keyword)
    return ast.fix_missing_locations(ast.copy_location(ast.Call(node.func, args, named), node))


@functools.lru_cache(maxsize=256)
def call_of(node: ast.Call, names: tuple[str, ...]) -> ast.Call:
    """The call with names for its arguments."""
    args: list[ast.expr] = [ast.Name(n, ast.Load()) for n in names]
    return ast.fix_missing_locations(ast.copy_location(ast.Call(node.func, args, []), node))


def values_of(scope: Scope, value: Value, node: ast.expr, least: int = 0) -> Sequence[Value]:
    """The values of a sequence one by one; how many, this call tells and later calls are asked."""
    from autovec.frontend import assignment

    if isinstance(value, TupleValue):
        return value.items
    if isinstance(value, Static) and isinstance(value.value, tuple | list):
        return [Static(v) for v in value.value]
    held = value.view.type if isinstance(value, ListArray) else getattr(value, "type", None)
    if not isinstance(value, ListArray | View) or not isinstance(held, ArrayType) or not held.shape:
        raise scope.blocked(node, Code.UNSUPPORTED_EXPRESSION, "a star before this value")
    count = scope.interval_value(held.shape[0])
    if count is None or not least <= count <= MOST:
        raise scope.blocked(
            node, Code.UNSUPPORTED_EXPRESSION, "a star before so many values, or as many as the data says"
        )
    return assignment.unpacked(scope, [ast.Name("", ast.Store())] * count, value, node)


def spread(scope: Scope, parts: Sequence[ast.expr], value: Value, node: ast.expr) -> Sequence[Value]:
    """`first, *rest, last = value`: the value of each target; what a star takes is a list of its own."""
    at = next(k for k, p in enumerate(parts) if isinstance(p, ast.Starred))
    items = values_of(scope, value, node, len(parts) - 1)
    after = len(parts) - 1 - at
    if len(items) < len(parts) - 1:
        raise scope.blocked(node, Code.RAISES, "too few values to unpack")
    middle = TupleValue(tuple(items[at : len(items) - after]), list)
    return [*items[:at], middle, *items[len(items) - after :]]
