"""The person's own functions, run in place: their arguments bound, their names their own."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace
from types import FunctionType, MethodType

from autovec.diagnostics import Blocked, Code
from autovec.frontend import liveness, owned, source, subscripts
from autovec.frontend.expressions import lower, settled
from autovec.frontend.looked_up import original_of
from autovec.frontend.scope import Scope
from autovec.frontend.values import (
    Computed,
    DictValue,
    Level,
    ListArray,
    Static,
    TupleValue,
    Value,
    View,
)
from autovec.ir.types import ArrayType

MAX_DEPTH = 8


def run_helper(scope: Scope, node: ast.Call, helper: FunctionType | MethodType, owner: Value | None = None) -> Value:
    """A Python function of the person's, run in place; `owner` is its first argument where it is a method."""
    try:
        home = source.find(helper)
    except Blocked as e:
        raise scope.blocked(
            node, Code.OPAQUE_CALL, f"a call of {ast.unparse(node.func)}, whose source is not known: {e.construct}"
        ) from None
    if not (home.function.__module__ or "").startswith("autovec."):
        for part in ("__code__", "__defaults__", "__kwdefaults__"):  # reloading a module replaces them in place
            scope.note(home.function, part, getattr(home.function, part))
    return inline(scope, node, home.node, (), home, owner)


def python_function(function: object) -> FunctionType | None:
    """The Python function behind an object: itself, a method's, an `@autovec` function's original."""
    function = original_of(function)
    if isinstance(function, MethodType) and isinstance(function.__func__, FunctionType):
        return function.__func__
    return function if isinstance(function, FunctionType) else None


LIBRARIES = ("numpy", "scipy", "math", "cmath", "operator", "functools", "itertools", "jax", "statistics", "random")


def from_a_library(function: FunctionType) -> bool:
    return (function.__module__ or "").split(".")[0] in LIBRARIES


def inline(
    scope: Scope,
    node: ast.Call,
    function: ast.Lambda | ast.FunctionDef | ast.AsyncFunctionDef,
    around: Sequence[Level],
    home: source.SourceFunction,
    owner: Value | None = None,
    defaults: dict[str, Value] | None = None,
) -> Value:
    """Run a helper's body in place; its names are its own, and it sees those of the functions `around` it."""
    if scope.ledger.depth >= MAX_DEPTH:
        raise scope.blocked(
            node, Code.OPAQUE_CALL, f"a call of {ast.unparse(node.func)} that calls itself, or calls too deep,"
        )
    if isinstance(function, ast.AsyncFunctionDef) or any(
        isinstance(n, ast.Yield | ast.YieldFrom) for n in ast.walk(function)
    ):
        raise scope.blocked(node, Code.OPAQUE_CALL, f"a call of {ast.unparse(node.func)}, a generator or coroutine,")
    outer = scope.names_around(around)
    if defaults is None:
        defaults = defaults_of(home.function)
    parameters = bind_arguments(scope, node, function, defaults, owner)
    body = [function.body] if isinstance(function, ast.Lambda) else function.body
    assigned = liveness.assigned(body)
    for name in assigned:
        outer.pop(name, None)
    if around:
        own = {*parameters, *assigned}
        unbound = (liveness.loaded(body) & names_of(home, around)) - {*outer, *own}
        if unbound:
            raise scope.blocked(node, Code.UNKNOWN_NAME, f"the name {min(unbound)!r}, which is not bound yet")
    inner = replace(
        scope,
        home=with_node(home, function),
        outer_reads=frozenset(),
        foreign=scope.foreign | owned.cells_around(scope.env),
        live=(),
        skip="",
        nest=1,
        repeated=False,
        frame=None,
    )
    inner.enter(around, {**outer, **parameters}, frozenset({*assigned, *parameters}))
    inner.statements = scope.statements
    scope.ledger.depth += 1
    try:
        if isinstance(function, ast.Lambda):
            return lower(inner, function.body)
        return run_body(inner, function, node)
    except Blocked as blocked:
        blocked.site = scope.span(node)
        raise
    finally:
        scope.ledger.depth -= 1


def names_of(home: source.SourceFunction, around: Sequence[Level]) -> set[str]:
    """The names of the functions around a definition, bound or not: no global or builtin is meant by them."""
    found = {n for level in around for n in level.names or ()}
    if isinstance(home.node, ast.FunctionDef):
        found |= set(liveness.assigned(home.node.body))
    return found


def run_body(scope: Scope, function: ast.FunctionDef, site: ast.AST) -> Value:
    """The value that a function's body returns, called at this place."""
    from autovec.frontend import flow

    end = ast.copy_location(ast.Return(None), function.body[-1])
    body = [*function.body] if liveness.always_jumps(function.body) else [*function.body, end]
    return flow.run(scope, body, (id(function), id(site), scope.ledger.depth))


def with_node(home: source.SourceFunction, node: ast.AST) -> source.SourceFunction:
    return home if home.node is node else replace(home, node=node)  # type: ignore[arg-type]


def bind_arguments(
    scope: Scope,
    node: ast.Call,
    function: ast.Lambda | ast.FunctionDef,
    defaults: dict[str, Value],
    owner: Value | None = None,
) -> dict[str, Value]:
    spec = function.args
    names = [a.arg for a in (*spec.posonlyargs, *spec.args)]
    given: dict[str, Value] = {}
    if owner is not None and names:
        given[names[0]] = owner
    shift = len(given)
    for name, value in zip(names[shift:], node.args, strict=False):
        given[name] = held(scope, name, value)
    extra = tuple(held(scope, "item", a) for a in node.args[len(names) - shift :]) if spec.vararg else ()
    for keyword in node.keywords:
        if keyword.arg is None:
            raise scope.blocked(node, Code.UNSUPPORTED_EXPRESSION, "a call with **keywords")
        if keyword.arg in given or keyword.arg in {a.arg for a in spec.posonlyargs}:
            raise scope.blocked(node, Code.RAISES, f"{keyword.arg!r}, given twice or by name,")
        given[keyword.arg] = held(scope, keyword.arg, keyword.value)
    more = given_beyond(spec, given, extra)
    everything = [*names, *(a.arg for a in spec.kwonlyargs)]
    missing = [n for n in everything if n not in given and n not in defaults]
    if missing or set(given) - set(everything) or (len(node.args) + shift > len(names) and not spec.vararg):
        raise scope.blocked(node, Code.RAISES, f"a call of {ast.unparse(node.func)} with other arguments than it takes")
    return {name: given.get(name, defaults.get(name)) for name in everything} | more  # type: ignore[misc]


def given_beyond(spec: ast.arguments, given: dict[str, Value], extra: tuple[Value, ...]) -> dict[str, Value]:
    """`*args` as a tuple, `**kwargs` as a dict; what goes there is taken out of `given`."""
    found: dict[str, Value] = {}
    if spec.vararg:
        found[spec.vararg.arg] = TupleValue(extra)
    if spec.kwarg:
        own = {a.arg for a in (*spec.args, *spec.kwonlyargs)}
        words = [name for name in given if name not in own | {a.arg for a in spec.posonlyargs}]  # in their order
        found[spec.kwarg.arg] = DictValue({name: given.pop(name) for name in words})
    return found


def defaults(scope: Scope, function: ast.Lambda | ast.FunctionDef) -> dict[str, Value]:
    """The defaults of a function that is being defined, as they are now."""
    spec = function.args
    names = [a.arg for a in (*spec.posonlyargs, *spec.args)]
    pairs = [*zip(names[::-1], spec.defaults[::-1], strict=False)][::-1]
    pairs += [(a.arg, d) for a, d in zip(spec.kwonlyargs, spec.kw_defaults, strict=True) if d is not None]
    return {name: held(scope, name, value) for name, value in pairs}


def defaults_of(function: FunctionType | MethodType) -> dict[str, Value]:
    """The defaults of a function that exists."""
    code, values = function.__code__, function.__defaults__ or ()
    names = code.co_varnames[code.co_argcount - len(values) : code.co_argcount]
    found: dict[str, Value] = {n: Static(v) for n, v in zip(names, values, strict=True)}
    return found | {n: Static(v) for n, v in (getattr(function, "__kwdefaults__", None) or {}).items()}


def held(scope: Scope, name: str, node: ast.expr) -> Value:
    """An argument's value when the call is made."""
    value = settled(scope, node)
    if isinstance(value, Computed) and isinstance(value.type, ArrayType):
        return subscripts.new_cell(scope, name, value.expr, node, value.shares)
    if isinstance(value, View) and value.rebound:
        return replace(value, rebound=False)
    if isinstance(value, ListArray) and value.view.rebound:
        return replace(value, view=replace(value.view, rebound=False))
    return value
