"""Calls: builtins and NumPy by what they mean, the person's own helpers by running their body in place."""

from __future__ import annotations

import ast
import functools
import inspect
from collections.abc import Sequence
from dataclasses import replace
from types import FunctionType, MethodType

import numpy as np

from autovec.diagnostics import Code
from autovec.frontend import (
    buffers,
    definitions,
    folds,
    masked,
    masked_reductions,
    operator_functions,
    picked,
    running,
    sequences,
    sharing,
    starred,
    subscripts,
    tags,
)
from autovec.frontend.builtins_of_sequences import (
    is_instance,
    of_elements,
    of_sequence,
    sequence_of,
    shape,
)
from autovec.frontend.expressions import as_expr, in_order, keywords, lower, settled
from autovec.frontend.inlining import from_a_library, inline, python_function, run_helper
from autovec.frontend.methods import known_objects, method
from autovec.frontend.operands import argument, guarded_call, hashable, one_type, result
from autovec.frontend.operators import is_array, operate
from autovec.frontend.scope import Scope
from autovec.frontend.values import (
    Buffer,
    Closure,
    Computed,
    Elements,
    ListArray,
    ListCell,
    Masked,
    Method,
    ObjectValue,
    Packed,
    Partial,
    Static,
    TupleValue,
    Value,
    View,
    sequence_type,
)
from autovec.ir.nodes import Expr
from autovec.ir.types import INT, ArrayType, ScalarType, element

REDUCERS = (*folds.TOTALS, min, max, any, all)
EFFECTS = (print, input, open, exec, eval)
OF_PYTHON = ("builtins", "math", "cmath", "_operator")  # modules whose functions take no list for an array
FILLED = (np.zeros, np.ones, np.empty)
ARRAY_MAKERS = (np.array, np.asarray, np.asanyarray, np.ascontiguousarray)
ARRAY_VIEWS = (
    np.asarray,
    np.asanyarray,
    np.ascontiguousarray,
    np.asfortranarray,
    np.diag,
    np.fliplr,
    np.flipud,
    np.rot90,
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
    np.matrix_transpose,
    np.linalg.matrix_transpose,
)


def call(scope: Scope, node: ast.Call) -> Value:
    if starred.is_starred(node):
        scope, node = starred.written_out(scope, node)
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
        return inline(scope, node, function.node, function.around, function.home, defaults=function.defaults)
    if isinstance(function, Method):
        return run_helper(scope, node, function.function, function.owner)
    if isinstance(function, Partial):
        return of_partial(scope, node, function)
    if not isinstance(function, Static):
        raise scope.blocked(node, Code.OPAQUE_CALL, f"a call of {ast.unparse(node.func)}")
    if type(function.value) is functools.partial:
        bound = function.value
        words: dict[str, Value] = {k: Static(v) for k, v in bound.keywords.items()}
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


def known(scope: Scope, node: ast.Call, function: object) -> Value:
    """A call of an object known before the call."""
    if function in EFFECTS:
        raise scope.blocked(
            node, Code.EFFECT, f"{ast.unparse(node.func)}(...)", "move it out of the function, or out of the loops"
        )
    if not takes(function, node):
        raise scope.blocked(node, Code.RAISES, f"{ast.unparse(node.func)} of these arguments")
    special = by_form(scope, node, function)
    if special is not None:
        return special
    meaning = definitions.definition(function, len(node.args)) if not node.keywords else None
    if meaning is not None:
        return of_ints(scope, node, meaning)
    helper = python_function(function)
    if helper is not None and not from_a_library(helper):
        if isinstance(function, MethodType):
            raise scope.blocked(node, Code.OPAQUE_CALL, f"a call of the method {function.__name__}")
        return run_helper(scope, node, helper)
    values = in_order(scope, [*node.args, *(w.value for w in node.keywords)], len(node.args))
    special = by_values(scope, node, function, values)
    return of_arrays(scope, node, function, values) if special is None else special


def takes(function: object, node: ast.Call) -> bool:
    """Has the function places for the arguments? True where that isn't known."""
    try:
        places = inspect.signature(function)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return True
    try:
        places.bind(*node.args, **{word.arg: word.value for word in node.keywords if word.arg is not None})
    except TypeError:
        return False
    return True


def by_form(scope: Scope, node: ast.Call, function: object) -> Value | None:
    """A call whose arguments aren't just evaluated, or need not be arrays; None for any other."""
    operation = operator_functions.written(function, node) if hashable(function) else None
    if operation is not None:
        return lower(scope, operation)
    if hashable(function) and function in REDUCERS and node.args:
        if isinstance(node.args[0], ast.GeneratorExp | ast.ListComp):
            return folds.consumed(scope, function, node, node.args[0])
    if function is functools.reduce:
        return running.reduced(scope, node)
    if function is functools.partial and node.args:
        first, *rest = (settled(scope, a) for a in node.args)
        return Partial(first, tuple(rest), {k: v for k, v in keywords(scope, node).items()})
    if function is len and len(node.args) == 1:
        return sequences.length(scope, lower(scope, node.args[0]), node)
    if function is isinstance:
        return is_instance(scope, node)
    if (function is list or function is tuple) and len(node.args) == 1:
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
        if isinstance(items, View) and len(items.type.shape) == 1:
            items = ListArray(items, element(items.type))
        if isinstance(items, TupleValue) and items.items:
            items = sequences.displayed(scope, items, node) or items
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
    return None


def by_values(scope: Scope, node: ast.Call, function: object, values: list[Value]) -> Value | None:
    """A call that looks into lists, or at what a mask has left; None for any other."""
    words = keywords(scope, node) if hashable(function) and function in FILLED else {}
    if function in (np.array, np.asarray) and not node.keywords:
        match values:
            case [Buffer() as items]:
                return buffers.array(scope, items, node)
            case [ListCell() as items] if buffers.is_packed(scope, items):
                return Packed(items)
            case _:
                pass
    if values and hashable(function) and function in REDUCERS and (function in folds.TOTALS or not node.keywords):
        starts = [*values[1:], *keywords(scope, node).values()]
        reduced = of_sequence(scope, function, [values[0], *starts], node)
        if reduced is not None:
            return reduced
    if values and isinstance(values[0], Masked) and hashable(function):
        found = masked_reductions.by_function(scope, node, function, values[0], values[1:])
        if found is not None:
            return found
    if hashable(function) and function in FILLED and len(values) in (1, 2) and set(words) <= {"dtype"}:
        found = picked.filled(scope, function, values[0], [*values[1:], *words.values(), Static(None)][0], node)
        if found is not None:
            return found
    if function is pow and len(values) == 2 and not node.keywords:
        return operate(scope, node, "Pow", *values)
    if function in (np.transpose, np.swapaxes) and values and isinstance(values[0], View) and not node.keywords:
        name = "transpose" if function is np.transpose else "swapaxes"
        view = subscripts.arranged(name, values[0], known_objects(values[1:]))
        if view is not None:
            return view
    if function in (np.nonzero, np.flatnonzero, np.where) and len(values) == 1 and not node.keywords:
        if isinstance(values[0], View | Computed):
            found = masked.positions(scope, as_expr(scope, values[0], node), node)
            return found if function is not np.flatnonzero else one_axis(scope, found, node)
    return None


def one_axis(scope: Scope, found: TupleValue, node: ast.AST) -> Value:
    """`np.flatnonzero` of a vector."""
    if len(found.items) != 1:
        raise scope.blocked(node, Code.DYNAMIC_SHAPE, "np.flatnonzero of a matrix", "use np.nonzero")
    return found.items[0]


def of_arrays(scope: Scope, node: ast.Call, function: object, values: list[Value]) -> Value:
    """A call of numbers and arrays, lists as the arrays that NumPy makes of them."""
    if getattr(function, "__module__", "") in OF_PYTHON and any(map(sequence_type, values)):
        raise scope.blocked(node, Code.UNSUPPORTED_EXPRESSION, f"{ast.unparse(node.func)} of a list or tuple")
    values = [buffers.array(scope, v, node) if isinstance(v, Buffer) else v for v in values]
    if any(isinstance(v, Masked) for v in values):
        found = masked.applied(scope, node, function, values)
        if found is not None:
            return found
        values = masked.apart(scope, values, node)
    if any(isinstance(v, Elements) for v in values):
        return of_elements(scope, function, values, node)
    args = [argument(scope, v, a) for v, a in zip(values, node.args, strict=True)]
    named = {k: argument(scope, v, node) for k, v in keywords(scope, node).items()}
    lowered = guarded_call(scope, node, function, args, named)
    if lowered is None:
        name = ast.unparse(node.func)
        raise scope.blocked(node, Code.OPAQUE_CALL, f"a call of {name}, which autovec doesn't know,")
    if function in ARRAY_MAKERS and values and sequence_type(values[0]) and isinstance(args[0], Expr):
        sequences.check_elements(scope, args[0], lowered.expr.type.dtype, node)
    one_type(scope, node, function, args, named, lowered)
    made = result(scope, lowered, node)
    if isinstance(function, type) and issubclass(function, np.generic) and same_array(values, made):
        return values[0]
    views = function in ARRAY_VIEWS and values and not (function is np.diag and is_vector(values[0]))
    if views or ("copy" in named and values):
        made = sharing.view_of(values[0], made)
        if is_read_only(function, values[0]):
            made = sharing.read_only(scope, made)
    if function is np.einsum and len(values) == 2 and sums_nothing(values[0]):
        made = sharing.view_of(values[1], made)
    if function in (min, max) and isinstance(made, Computed):
        operands = [as_expr(scope, v, node) for v in values]
        return Computed(made.expr, tags.of_extreme(scope, made.expr, values, operands))
    if isinstance(made, Computed) and not named and isinstance(made.type, ScalarType) and made.type.only is None:
        operands = [as_expr(scope, v, node) for v in values]

        def of_kinds(exprs: Sequence[Expr]) -> object:
            asked = guarded_call(scope, node, function, list(exprs), {})
            return None if asked is None else asked.value

        return Computed(made.expr, tags.of_call(scope, of_kinds, made.expr, values, operands))
    return made


def same_array(values: Sequence[Value], made: Value) -> bool:
    """`np.float32(x)` of an array of float32 is that array."""
    return len(values) == 1 and is_array(values[0]) and getattr(values[0], "type", None) == getattr(made, "type", None)


def is_read_only(function: object, base: Value) -> bool:
    """Does NumPy give a view of the base that can't be written to?"""
    return function in (np.diagonal, np.broadcast_to) or (function is np.diag and not is_vector(base))


def is_vector(value: Value) -> bool:
    return isinstance(value, Computed | View) and isinstance(value.type, ArrayType) and len(value.type.shape) == 1


def sums_nothing(subscripts: Value) -> bool:
    """`ii->i`, `ij->ji`: NumPy gives a view."""
    text = subscripts.value if isinstance(subscripts, Static) else None
    if not isinstance(text, str) or "->" not in text:
        return True
    before, after = text.split("->")
    return set(before) - {" "} == set(after) - {" "}


def of_ints(scope: Scope, node: ast.Call, meaning: FunctionType) -> Value:
    """A function of Python's ints, by its definition."""
    names = [f"number {k}" for k in range(len(node.args))]
    numbers = [settled(scope, a) for a in node.args]
    if all(isinstance(v, Static) and type(v.value) is int for v in numbers):
        raise scope.blocked(node, Code.OPAQUE_CALL, f"a call of {ast.unparse(node.func)} of constants")
    if any(as_expr(scope, v, node).type != INT for v in numbers):
        raise scope.blocked(node, Code.UNSUPPORTED_EXPRESSION, f"{ast.unparse(node.func)} of other than Python's ints")
    inner = replace(scope, env={**scope.env, **dict(zip(names, numbers, strict=True))})
    inner.statements = scope.statements
    return run_helper(inner, starred.call_of(node, tuple(names)), meaning)


# ---------------------------------------------------------------- the person's own functions
