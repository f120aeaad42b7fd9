"""`sum`, `min`, `any` ... of lists and tuples, NumPy's functions of slices of changing length, `isinstance`, `list`."""

from __future__ import annotations

import ast
import functools
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from autovec.diagnostics import Code
from autovec.frontend import (
    comprehensions,
    folds,
    iteration,
    lexicographic,
    owned,
    ragged,
    ragged_reductions,
    subscripts,
    tags,
)
from autovec.frontend.expressions import as_expr, lower
from autovec.frontend.operands import argument, guarded_call, hashable, result
from autovec.frontend.operators import operate
from autovec.frontend.scope import Scope, negation
from autovec.frontend.truth import condition_of
from autovec.frontend.values import (
    Buffer,
    Computed,
    Elements,
    ListArray,
    ListCell,
    Masked,
    Static,
    TupleValue,
    Value,
    Variable,
    View,
    sequence_type,
)
from autovec.ir.nodes import Apply, Const, Expr, Select
from autovec.ir.types import BOOL, INT, ArrayType, ScalarType

NAMES = "sum prod mean min max amin amax any all count_nonzero"
REDUCED = {getattr(np, n): n.removeprefix("a") if n in ("amin", "amax") else n for n in NAMES.split()}


PRODUCTS = (np.dot, np.inner, np.matmul, np.vdot)


def of_elements(scope: Scope, function: object, values: list[Value], node: ast.Call) -> Value:
    """NumPy's functions of slices whose length changes."""
    function = np.absolute if function is abs else function
    if isinstance(function, np.ufunc) and not node.keywords and function not in PRODUCTS:

        def one(s: Scope, parts: Sequence[Value]) -> Value:
            lowered = guarded_call(s, node, function, [as_expr(s, p, node) for p in parts], {})
            if lowered is None:
                raise s.blocked(
                    node, Code.OPAQUE_CALL, f"a call of {ast.unparse(node.func)}, which autovec doesn't know,"
                )
            return result(s, lowered, node)

        return ragged.elementwise(scope, node, values, one)
    if hashable(function) and function in REDUCED and len(values) == 1 and not node.keywords:
        return ragged_reductions.reduced(scope, node, REDUCED[function], ragged.elements_of(scope, values[0], node))
    if function in PRODUCTS and len(values) == 2:
        if function is np.vdot and any(ragged.elements_of(scope, v, node).dtype.kind == "c" for v in values):
            raise scope.blocked(node, Code.DYNAMIC_SHAPE, "np.vdot of complex slices whose length changes")
        return ragged_reductions.product(scope, node, values[0], values[1])
    if function is np.outer and len(values) == 2:
        return ragged_reductions.outer(scope, node, values[0], values[1])
    raise scope.blocked(
        node,
        Code.DYNAMIC_SHAPE,
        f"{ast.unparse(node.func)} of a slice whose length changes from one iteration to the next",
        "write the loop over its elements, or use a fixed length",
    )


def of_sequence(scope: Scope, function: object, values: list[Value], node: ast.Call) -> Value | None:
    """`sum`, `math.prod`, `min`, `max`, `any`, `all` of a list or tuple, element by element."""
    items, start = values[0], values[1:]
    if isinstance(items, ListArray | ListCell | Buffer):
        if function in (min, max):
            return folds.extreme_of(scope, function, items, node) if not start else None
        clause = ast.comprehension(ast.Name("", ast.Store()), ast.Name("a list", ast.Load()), [], 0)
        elements = ast.GeneratorExp(ast.Name("", ast.Load()), [clause])
        call = ast.Call(node.func, [elements, *(ast.Name("a start", ast.Load()) for _ in start)], [])
        for made in (elements, call):
            ast.fix_missing_locations(ast.copy_location(made, node))
        known = {"a list": items, "a start": start[0]} if start else {"a list": items}
        inner = replace(scope, env={**scope.env, **known})
        return folds.consumed(inner, function, call, elements)
    if not isinstance(items, TupleValue):
        return None
    if function in folds.TOTALS:
        begin, op = folds.TOTALS[function]
        first = start[0] if start else Static(begin)
        return functools.reduce(lambda total, item: operate(scope, node, op, total, item), items.items, first)
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
    return Computed(
        made_.expr, tags.of_extreme(scope, made_.expr, items.items, [as_expr(scope, v, node) for v in items.items])
    )


def position(scope: Scope, items: TupleValue, wanted: Value, node: ast.expr) -> Value:
    """`items.index(wanted)`: the first that is equal; none is the original's ValueError."""
    tests: list[Expr] = []
    for item in items.items:
        tests.append(scope.define("equal", lexicographic.equal(scope, node, item, wanted), scope.span(node)))
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


@functools.lru_cache(maxsize=256)
def each_of(items: ast.expr, name: str = "") -> ast.ListComp:
    """`[item for item in items]`, one for each place in the source: what is learned of a list is kept by its node."""
    source = ast.Name(name, ast.Load()) if name else items
    made = ast.ListComp(ast.Name("", ast.Load()), [ast.comprehension(ast.Name("", ast.Store()), source, [], 0)])
    return ast.fix_missing_locations(ast.copy_location(made, items))


def sequence_of(scope: Scope, node: ast.Call, function: object) -> Value:
    """`list(generator)`, `tuple(...)`."""
    inner = node.args[0]
    if isinstance(inner, ast.GeneratorExp | ast.ListComp) and function is list:
        return comprehensions.as_list(scope, inner)
    if function is list and isinstance(inner, ast.Call) and iteration.is_iteration(scope, inner):
        return comprehensions.as_list(scope, each_of(inner))
    value = lower(scope, inner)
    if isinstance(value, TupleValue):
        return TupleValue(value.items, function)  # type: ignore[arg-type]
    if function is list and isinstance(value, ListArray) and value.depth == 1 and value.element is not None:
        return owned.copied(scope, value, node)
    if function is list and isinstance(value, View) and len(value.type.shape) == 1:
        return comprehensions.as_list(replace(scope, env={**scope.env, "an array": value}), each_of(inner, "an array"))
    raise scope.blocked(node, Code.UNSUPPORTED_EXPRESSION, f"{ast.unparse(node.func)} of this value")


def shape(scope: Scope, value: Value, node: ast.AST) -> TupleValue:
    from autovec.frontend import masked, ranges

    if isinstance(value, Elements):
        return TupleValue(tuple(map(Computed, value.lengths)))
    if isinstance(value, Masked):
        return masked.shape(scope, value, node)
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
        if isinstance(value, ListArray | ListCell | Buffer):
            return Static(issubclass(sequence_type(value) or list, kinds.value))  # type: ignore[arg-type]
        if isinstance(value, Computed | Variable):
            return Static(issubclass(python_type(value.type), kinds.value))  # type: ignore[arg-type]
    except TypeError:
        pass
    raise scope.blocked(node, Code.UNSUPPORTED_EXPRESSION, "this isinstance")


def python_type(kind: object) -> type:
    if isinstance(kind, ArrayType):
        return np.ndarray
    if not isinstance(kind, ScalarType) or kind.only is None:
        raise TypeError
    return kind.only.type
