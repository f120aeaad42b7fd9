"""Calls: builtins and NumPy by what they mean, the person's own helpers by running their body in place."""

from __future__ import annotations

import ast
import functools
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import FunctionType, MethodType, ModuleType

import numpy as np

from autovec.diagnostics import Blocked, Code
from autovec.frontend import calls, comprehensions, liveness, ragged, sequences, source, subscripts, tags
from autovec.frontend.expressions import as_expr, condition_of, keywords, load, lower, operate, settled, take
from autovec.frontend.scope import Scope, negation
from autovec.frontend.values import (
    Closure,
    Computed,
    Elements,
    ListArray,
    ListCell,
    Method,
    ObjectValue,
    Partial,
    Static,
    TupleValue,
    Value,
    Variable,
    View,
)
from autovec.ir.nodes import Apply, Call, Cast, Const, Expr, Load, Ref, Select
from autovec.ir.types import BOOL, INT, ArrayType, ScalarType

REDUCERS = (sum, min, max, any, all)
EFFECTS = (print, input, open, exec, eval)
SEQUENCE_MAKERS = (list, tuple)
ARRAY_VIEWS = (
    np.asarray,
    np.ravel,
    np.reshape,
    np.transpose,
    np.squeeze,
    np.real,
    np.imag,
    np.diagonal,
    np.atleast_1d,
    np.atleast_2d,
    np.broadcast_to,
    np.expand_dims,
    np.flip,
    np.swapaxes,
    np.moveaxis,
)
MAX_DEPTH = 8


def call(scope: Scope, node: ast.Call) -> Value:
    if any(isinstance(a, ast.Starred) for a in node.args):
        raise scope.blocked(node, Code.UNSUPPORTED_EXPRESSION, "a call with *arguments")
    if isinstance(node.func, ast.Attribute):
        target = lower(scope, node.func.value)
        if isinstance(target, ObjectValue):
            function = lower(scope, node.func)
            if isinstance(function, Method):
                return run_helper(scope, node, function.function, function.owner)
            return known(scope, node, function.value) if isinstance(function, Static) else called(scope, node, function)
        if not isinstance(target, Static) or not hasattr(target.value, node.func.attr):
            return method(scope, node, node.func.attr, target)
    return called(scope, node, lower(scope, node.func))


def called(scope: Scope, node: ast.Call, function: Value) -> Value:
    if isinstance(function, Closure):
        return inline(scope, node, function.node, function.env, function.home)
    if isinstance(function, Method):
        return run_helper(scope, node, function.function, function.owner)
    if isinstance(function, Partial):
        return of_partial(scope, node, function)
    if not isinstance(function, Static):
        raise scope.blocked(node, Code.OPAQUE_CALL, f"a call of {ast.unparse(node.func)}")
    if type(function.value) is functools.partial:
        bound = function.value
        words = {k: Static(v) for k, v in bound.keywords.items()}
        return of_partial(scope, node, Partial(Static(bound.func), tuple(map(Static, bound.args)), words))
    return known(scope, node, function.value)


def of_partial(scope: Scope, node: ast.Call, function: Partial) -> Value:
    """A call of a partial function: the arguments that it holds come first."""
    held_ones = {f"partial {k}": v for k, v in enumerate(function.args)}
    own = {w.arg for w in node.keywords}
    words = {k: v for k, v in function.keywords.items() if k not in own}
    inner = replace(scope, env={**scope.env, **held_ones, **{f"partial {k}": v for k, v in words.items()}})
    args = [*(ast.Name(n, ast.Load()) for n in held_ones), *node.args]
    more = [ast.keyword(k, ast.Name(f"partial {k}", ast.Load())) for k in words]
    whole = ast.fix_missing_locations(ast.copy_location(ast.Call(node.func, args, [*more, *node.keywords]), node))
    return called(inner, whole, function.function)


def run_helper(scope: Scope, node: ast.Call, helper: FunctionType, owner: Value | None = None) -> Value:
    """A Python function of the person's, run in place; `owner` is its first argument where it is a method."""
    try:
        home = source.find(helper)
    except Blocked as e:
        raise scope.blocked(
            node, Code.OPAQUE_CALL, f"a call of {ast.unparse(node.func)}, whose source is not known: {e.construct}"
        ) from None
    return inline(scope, node, home.node, None, home, owner)


def known(scope: Scope, node: ast.Call, function: object) -> Value:
    """A call of an object known before the call."""
    if function in EFFECTS:
        raise scope.blocked(
            node, Code.EFFECT, f"{ast.unparse(node.func)}(...)", "move it out of the function, or out of the loops"
        )
    if hashable(function) and function in REDUCERS and node.args:
        if isinstance(node.args[0], ast.GeneratorExp | ast.ListComp):
            return comprehensions.consumed(scope, function, node, node.args[0])
    if function is functools.partial and node.args:
        first, *rest = (settled(scope, a) for a in node.args)
        return Partial(first, tuple(rest), {k: v for k, v in keywords(scope, node).items()})
    if function is len and len(node.args) == 1:
        return sequences.length(scope, lower(scope, node.args[0]), node)
    if function is isinstance:
        return is_instance(scope, node)
    if function in SEQUENCE_MAKERS and len(node.args) == 1:
        return sequence_of(scope, node, function)
    if function in (np.array, np.asarray, np.fromiter) and node.args and isinstance(node.args[0], ast.GeneratorExp):
        raise scope.blocked(
            node,
            Code.UNSUPPORTED_EXPRESSION,
            "np.array of a generator (a 0-d object array)",
            "use a list comprehension",
        )
    if function is sorted and len(node.args) == 1 and not node.keywords:
        items = lower(scope, node.args[0])
        if isinstance(items, ListArray | ListCell):
            return sequences.in_order(scope, items, node)
    if function is np.size and len(node.args) == 1:
        total: Value = Static(1)
        for extent in shape(scope, lower(scope, node.args[0]), node).items:
            total = operate(scope, node, "Mult", total, extent)
        return total
    if function is np.ndim and len(node.args) == 1:
        return Static(len(shape(scope, lower(scope, node.args[0]), node).items))
    if function is np.shape and len(node.args) == 1:
        return shape(scope, lower(scope, node.args[0]), node)
    helper = python_function(function)
    if helper is not None and not from_a_library(helper):
        if isinstance(function, MethodType):
            raise scope.blocked(node, Code.OPAQUE_CALL, f"a call of the method {function.__name__}")
        return run_helper(scope, node, helper)
    values = [lower(scope, a) for a in node.args]
    if hashable(function) and function in REDUCERS and not node.keywords:
        reduced = of_sequence(scope, function, values, node)
        if reduced is not None:
            return reduced
    if any(isinstance(v, Elements) for v in values):
        return of_elements(scope, function, values, node)
    args = [argument(scope, v, a) for v, a in zip(values, node.args, strict=True)]
    named = {k: argument(scope, v, node) for k, v in keywords(scope, node).items()}
    lowered = guarded_call(scope, node, function, args, named)
    if lowered is None:
        name = ast.unparse(node.func)
        raise scope.blocked(node, Code.OPAQUE_CALL, f"a call of {name}, which autovec doesn't know,")
    if function in ARRAY_VIEWS:
        note_view(scope, node.args[0])
    made = result(scope, lowered, node)
    if function in (min, max) and isinstance(made, Computed):
        operands = [as_expr(scope, v, node) for v in values]
        return Computed(made.expr, tags.of_extreme(scope, made.expr, values, operands))
    return made


REDUCED = {getattr(np, n): n for n in "sum prod mean min max any all count_nonzero".split()}
REDUCED |= {np.amin: "min", np.amax: "max"}
PRODUCTS = (np.dot, np.inner, np.matmul, np.vdot)


def of_elements(scope: Scope, function: object, values: list[Value], node: ast.Call) -> Value:
    """NumPy's functions of slices whose length changes."""
    if isinstance(function, np.ufunc) and not node.keywords and function not in PRODUCTS:

        def one(s: Scope, parts: Sequence[Value]) -> Value:
            lowered = guarded_call(s, node, function, [as_expr(s, p, node) for p in parts], {})
            if lowered is None:
                raise s.blocked(node, Code.OPAQUE_CALL, f"a call of {ast.unparse(node.func)}, which autovec doesn't know,")
            return result(s, lowered, node)

        return ragged.elementwise(scope, node, values, one)
    if hashable(function) and function in REDUCED and len(values) == 1 and not node.keywords:
        return ragged.reduced(scope, node, REDUCED[function], ragged.elements_of(scope, values[0], node))
    if function in PRODUCTS and len(values) == 2:
        if function is np.vdot and any(ragged.elements_of(scope, v, node).dtype.kind == "c" for v in values):
            raise scope.blocked(node, Code.DYNAMIC_SHAPE, "np.vdot of complex slices whose length changes")
        return ragged.product(scope, node, values[0], values[1])
    if function is np.outer and len(values) == 2:
        return ragged.outer(scope, node, values[0], values[1])
    raise scope.blocked(
        node,
        Code.DYNAMIC_SHAPE,
        f"{ast.unparse(node.func)} of a slice whose length changes from one iteration to the next",
        "write the loop over its elements, or use a fixed length",
    )


def of_sequence(scope: Scope, function: object, values: list[Value], node: ast.Call) -> Value | None:
    """`sum`, `min`, `max`, `any`, `all` of a list or tuple, element by element."""
    items, start = values[0], values[1:]
    if isinstance(items, ListArray | ListCell):
        if function in (min, max):
            return comprehensions.extreme_of(scope, function, items, node) if not start else None
        clause = ast.comprehension(ast.Name("", ast.Store()), ast.Name("a list", ast.Load()), [], 0)
        elements = ast.GeneratorExp(ast.Name("", ast.Load()), [clause])
        call = ast.Call(node.func, [elements, *node.args[1:]], [])
        for made in (elements, call):
            ast.fix_missing_locations(ast.copy_location(made, node))
        inner = replace(scope, env={**scope.env, "a list": items})
        return comprehensions.consumed(inner, function, call, elements)
    if not isinstance(items, TupleValue):
        return None
    if function is sum:
        total: Value = start[0] if start else Static(0)
        for item in items.items:
            total = operate(scope, node, "Add", total, item)
        return total
    if function in (any, all):
        op = "logical_or" if function is any else "logical_and"
        tests = [condition_of(scope, item, node) for item in items.items]
        return Computed(functools.reduce(lambda a, b: Apply(op, (a, b), BOOL), tests, Const(function is all, BOOL)))
    if start or len(items.items) < 2:
        return None
    args = [argument(scope, v, node) for v in items.items]
    lowered = guarded_call(scope, node, function, args, {})
    made_ = result(scope, lowered, node) if lowered is not None else None
    if not isinstance(made_, Computed):
        return made_
    return Computed(made_.expr, tags.of_extreme(scope, made_.expr, items.items, [as_expr(scope, v, node) for v in items.items]))


def hashable(function: object) -> bool:
    try:
        hash(function)
    except TypeError:
        return False
    return True


def guarded_call(scope: Scope, node: ast.Call, function: object, args: list, named: Mapping[str, object]):
    try:
        return calls.call(function, args, named, scope.span(node))
    except Blocked as e:
        raise e if e.span is not None else Blocked(e.code, scope.span(node), e.construct, e.remedy) from None


def note_view(scope: Scope, node: ast.expr) -> None:
    """The result may share memory with this argument in NumPy: neither may be written to afterwards."""
    base = lower(scope, node)
    if isinstance(base, View):
        scope.ledger.snapshots.add(base.cell)


def result(scope: Scope, lowered: calls.Lowered, node: ast.AST) -> Value:
    for condition, reason in lowered.faults:
        scope.fault(condition, reason, scope.span(node))
    return as_value(lowered.value)


def as_value(value: object) -> Value:
    if isinstance(value, Const | Ref | Load | Apply | Cast | Select | Call):
        return Computed(value)
    if isinstance(value, tuple | list):
        return TupleValue(tuple(as_value(v) for v in value), type(value))
    return Static(value)


def argument(scope: Scope, value: Value, node: ast.AST) -> object:
    """An argument as the typed calls take it: an expression, or a Python object known before the call."""
    match value:
        case Static(value=constant):
            if isinstance(constant, bool | int | float | complex | np.generic):
                return as_expr(scope, value, node)
            return constant
        case TupleValue(items=items, constructor=constructor):
            return constructor(argument(scope, item, node) for item in items)
        case ListArray(view=view):
            return load(scope, view, node)
        case ListCell():
            return load(scope, sequences.list_view(scope, value, node), node)
        case _:
            return as_expr(scope, value, node)


# ---------------------------------------------------------------- methods


COPIES = (
    "copy",
    "astype",
    "sum",
    "mean",
    "min",
    "max",
    "prod",
    "std",
    "var",
    "any",
    "all",
    "argmin",
    "argmax",
    "dot",
    "conj",
    "conjugate",
    "cumsum",
    "cumprod",
    "round",
    "item",
    "tolist",
    "flatten",
    "clip",
    "trace",
    "ptp",
    "nonzero",
    "repeat",
    "sort",
)


def method(scope: Scope, node: ast.Call, name: str, target: Value) -> Value:
    if name == "index" and isinstance(target, TupleValue) and len(node.args) == 1 and target.items:
        return position(scope, target, lower(scope, node.args[0]), node)
    if name == "sort" or isinstance(target, TupleValue | ListCell | ListArray):
        raise scope.blocked(node, Code.UNSUPPORTED_EXPRESSION, f"the method {name} here")
    if name == "tolist" and isinstance(target, View | Computed) and isinstance(target.type, ArrayType):
        return to_list(scope, target, node)
    values = [lower(scope, a) for a in node.args]
    if isinstance(target, Elements) and not values and not node.keywords:
        if name == "copy":
            return ragged.materialised(scope, target, node)
        return ragged.reduced(scope, node, name, target)
    if name == "dot" and len(values) == 1 and any(isinstance(v, Elements) for v in (target, *values)):
        return ragged.product(scope, node, target, values[0])
    args = [argument(scope, v, a) for v, a in zip(values, node.args, strict=True)]
    named = {k: argument(scope, v, node) for k, v in keywords(scope, node).items()}
    try:
        lowered = calls.method(name, as_expr(scope, target, node), args, named, scope.span(node))
    except Blocked as e:
        raise e if e.span is not None else Blocked(e.code, scope.span(node), e.construct, e.remedy) from None
    if lowered is None:
        raise scope.blocked(node, Code.OPAQUE_CALL, f"the method {name}, which autovec doesn't know,")
    if name not in COPIES and isinstance(target, View):
        scope.ledger.snapshots.add(target.cell)
    return result(scope, lowered, node)


def position(scope: Scope, items: TupleValue, wanted: Value, node: ast.AST) -> Value:
    """`items.index(wanted)`: the first that is equal; none is the original's ValueError."""
    tests: list[Expr] = []
    for item in items.items:
        equal = calls.compare("Eq", as_expr(scope, item, node), as_expr(scope, wanted, node))
        tests.append(scope.define("equal", condition_of(scope, Computed(take(scope, equal, node)), node), scope.span(node)))
    missing = functools.reduce(lambda a, b: Apply("logical_or", (a, b), BOOL), tests)
    scope.fault(negation(missing), "not in the list", scope.span(node))
    found: Expr = Const(len(tests) - 1, INT)
    for k, test in reversed([*enumerate(tests)][:-1]):
        found = Select(test, Const(k, INT), found, INT)
    return Computed(found)


def to_list(scope: Scope, target: Value, node: ast.AST) -> Value:
    from autovec.ir.types import BOOL, COMPLEX, FLOAT, INT

    view = subscripts.new_cell(scope, "items", as_expr(scope, target, node), node)
    scope.ledger.fresh_lists.add(view.cell)
    kind = {"b": BOOL, "i": INT, "u": INT, "f": FLOAT, "c": COMPLEX}.get(view.type.dtype.kind)
    if kind is None or kind.dtype != view.type.dtype:
        raise scope.blocked(node, Code.UNSUPPORTED_EXPRESSION, f"tolist of {view.type}")
    return ListArray(view, kind, len(view.type.shape))


def sequence_of(scope: Scope, node: ast.Call, function: object) -> Value:
    """`list(generator)`, `tuple(...)`."""
    inner = node.args[0]
    if isinstance(inner, ast.GeneratorExp | ast.ListComp) and function is list:
        return comprehensions.as_list(scope, inner)
    value = lower(scope, inner)
    if isinstance(value, TupleValue):
        return TupleValue(value.items, function)  # type: ignore[arg-type]
    raise scope.blocked(node, Code.UNSUPPORTED_EXPRESSION, f"{ast.unparse(node.func)} of this value")


def shape(scope: Scope, value: Value, node: ast.AST) -> TupleValue:
    from autovec.frontend import ranges

    view = value.view if isinstance(value, ListArray) else value
    if isinstance(view, View | Computed | Variable):
        return TupleValue(tuple(Computed(ranges.to_expr(s)) for s in view.type.shape))
    raise scope.blocked(node, Code.UNSUPPORTED_EXPRESSION, "the shape of this value")


def is_instance(scope: Scope, node: ast.Call) -> Value:
    """`isinstance(x, T)`: the types are known."""
    value, kinds = lower(scope, node.args[0]), lower(scope, node.args[1])
    if isinstance(kinds, TupleValue):
        kinds = Static(tuple(k.value for k in kinds.items if isinstance(k, Static)))
    if not isinstance(kinds, Static):
        raise scope.blocked(node, Code.UNSUPPORTED_EXPRESSION, "this isinstance")
    try:
        if isinstance(value, Static):
            return Static(isinstance(value.value, kinds.value))  # type: ignore[arg-type]
        if isinstance(value, View):
            return Static(issubclass(np.ndarray, kinds.value))  # type: ignore[arg-type]
        if isinstance(value, ListArray | ListCell):
            return Static(issubclass(list, kinds.value))  # type: ignore[arg-type]
        if isinstance(value, Computed | Variable):
            return Static(issubclass(python_type(value.type), kinds.value))  # type: ignore[arg-type]
    except TypeError:
        pass
    raise scope.blocked(node, Code.UNSUPPORTED_EXPRESSION, "this isinstance")


def python_type(kind: object) -> type:
    from autovec.ir.types import Origin

    if isinstance(kind, ArrayType):
        return np.ndarray
    assert isinstance(kind, ScalarType)
    if kind.only is None:
        raise TypeError
    if kind.only.origin is Origin.NUMPY:
        return kind.only.dtype.type
    return {"b": bool, "i": int, "f": float, "c": complex}[kind.only.dtype.kind]


# ---------------------------------------------------------------- the person's own functions


def python_function(function: object) -> FunctionType | None:
    """The Python function behind an object: itself, a method's, an `@autovec` function's original."""
    original = getattr(function, "original", None)
    if isinstance(original, FunctionType):
        return original
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
    env: dict[str, Value] | None,
    home: source.SourceFunction,
    owner: Value | None = None,
) -> Value:
    """Run a helper's body in place; its names are its own."""
    if scope.ledger.depth >= MAX_DEPTH:
        raise scope.blocked(
            node, Code.OPAQUE_CALL, f"a call of {ast.unparse(node.func)} that calls itself, or calls too deep,"
        )
    if isinstance(function, ast.AsyncFunctionDef) or any(
        isinstance(n, ast.Yield | ast.YieldFrom) for n in ast.walk(function)
    ):
        raise scope.blocked(node, Code.OPAQUE_CALL, f"a call of {ast.unparse(node.func)}, a generator or coroutine,")
    outer = dict(env) if env is not None else {}
    parameters = bind_arguments(scope, node, function, home, env is None, owner)
    for name in liveness.assigned([function.body] if isinstance(function, ast.Lambda) else function.body):
        outer.pop(name, None)
    inner = replace(
        scope,
        home=with_node(home, function),
        env={**outer, **parameters},
        outer_reads=frozenset(),
        live=(),
        skip="",
        nest=1,
        repeated=False,
        frame=None,
    )
    inner.statements = scope.statements
    scope.ledger.depth += 1
    try:
        if isinstance(function, ast.Lambda):
            return lower(inner, function.body)
        value = run_body(inner, function, node)
    finally:
        scope.ledger.depth -= 1
    return value


def run_body(scope: Scope, function: ast.FunctionDef, site: ast.AST) -> Value:
    """The value that a function's body returns, called at this place."""
    from autovec.frontend import flow

    end = ast.copy_location(ast.Return(None), function.body[-1])
    body = [*function.body] if liveness.always_jumps(function.body) else [*function.body, end]
    return flow.run(scope, body, (id(function), id(site), scope.ledger.depth))


def with_node(home: source.SourceFunction, node: ast.AST) -> source.SourceFunction:
    return home if home.node is node else replace(home, node=node)  # type: ignore[arg-type]


def bind_arguments(
    scope: Scope, node: ast.Call, function: ast.Lambda | ast.FunctionDef, home: source.SourceFunction, by_object: bool,
    owner: Value | None = None,
) -> dict[str, Value]:
    spec = function.args
    if spec.vararg or spec.kwarg:
        raise scope.blocked(
            node, Code.OPAQUE_CALL, f"a call of {ast.unparse(node.func)}, which takes *args or **kwargs,"
        )
    names = [a.arg for a in (*spec.posonlyargs, *spec.args)]
    given: dict[str, Value] = {}
    if owner is not None and names:
        given[names[0]] = owner
    shift = len(given)
    for name, value in zip(names[shift:], node.args, strict=False):
        given[name] = held(scope, name, value)
    for keyword in node.keywords:
        if keyword.arg is None:
            raise scope.blocked(node, Code.UNSUPPORTED_EXPRESSION, "a call with **keywords")
        given[keyword.arg] = held(scope, keyword.arg, keyword.value)
    defaults: dict[str, Value] = {}
    if by_object:
        function_object = home.function
        for name, value in zip(names[::-1], (function_object.__defaults__ or ())[::-1], strict=False):
            defaults[name] = Static(value)
        for name, value in (function_object.__kwdefaults__ or {}).items():
            defaults[name] = Static(value)
    else:
        for name, default in zip(names[::-1], spec.defaults[::-1], strict=False):
            defaults[name] = lower(scope, default)
    everything = [*names, *(a.arg for a in spec.kwonlyargs)]
    missing = [n for n in everything if n not in given and n not in defaults]
    if missing or set(given) - set(everything) or len(node.args) + shift > len(names):
        raise scope.blocked(node, Code.RAISES, f"a call of {ast.unparse(node.func)} with other arguments than it takes")
    return {name: given.get(name, defaults.get(name)) for name in everything}  # type: ignore[misc]


def held(scope: Scope, name: str, node: ast.expr) -> Value:
    """An argument's value when the call is made."""
    value = settled(scope, node)
    if isinstance(value, Computed) and isinstance(value.type, ArrayType):
        return subscripts.new_cell(scope, name, value.expr, node)
    if isinstance(value, View) and value.rebound:
        return View(value.cell, value.index, value.type, value.order)
    return value


def module_of(value: object) -> bool:
    return isinstance(value, ModuleType)


__all__ = ["condition_of"]
