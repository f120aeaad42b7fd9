"""Comparisons, `and`, `or`, `not`: what may not be evaluated is evaluated under a guard."""

from __future__ import annotations

import ast
import builtins

from autovec.diagnostics import Code
from autovec.frontend import calls, tags
from autovec.frontend.expressions import as_expr, held, in_order, lower, may_write, select, take
from autovec.frontend.looked_up import answers_alike, is_constant
from autovec.frontend.operators import fold
from autovec.frontend.scope import Scope, conjunction, negation
from autovec.frontend.values import (
    Buffer,
    Computed,
    Elements,
    ListArray,
    ListCell,
    Masked,
    MaybeUnbound,
    Static,
    TupleList,
    TupleValue,
    Value,
    Variable,
)
from autovec.ir.nodes import Apply, Const, Expr, Select, Store
from autovec.ir.types import BOOL, INT, ScalarType
from autovec.ir.walk import loads, statements

IDENTITY = (ast.Is, ast.IsNot)
COMPARISONS = ("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__")


def compare(scope: Scope, node: ast.Compare) -> Value:
    """`a < b < c` is `a < b and b < c`, b evaluated once and c only where a < b."""
    from autovec.frontend import optional

    presence = optional.tested(scope, node)
    if presence is not None:
        return presence
    left = in_order(scope, (node.left, *node.comparators), 1)[0]
    result: Value | None = None
    for op, comparator in zip(node.ops, node.comparators, strict=True):
        if isinstance(result, Computed | Variable) and may_write(comparator):
            result = held(scope, result, "held", node)
        if result is None:
            right = lower(scope, comparator)
            result = one_comparison(scope, node, op, left, right)
        else:
            before = condition_of(scope, result, node)
            with scope.under(before):
                right = lower(scope, comparator)
                after = one_comparison(scope, node, op, left, right)
            result = join_conditions(scope, "logical_and", before, result, after, node)
        if len(node.ops) > 1 and isinstance(right, Computed):
            right = Computed(scope.define("middle", right.expr, scope.span(comparator)), right.tag)
        left = right
    assert result is not None
    return result


def one_comparison(scope: Scope, node: ast.expr, op: ast.cmpop, a: Value, b: Value) -> Value:
    if isinstance(a, Static) and isinstance(b, Static) and is_known(op, a.value, b.value):
        tree = ast.Expression(ast.Compare(ast.Name("a", ast.Load()), [op], [ast.Name("b", ast.Load())]))
        code = compile(ast.fix_missing_locations(tree), "<constant>", "eval")
        folded = fold(lambda: eval(code, {"a": a.value, "b": b.value}))
        if folded is not None:
            return folded
    if isinstance(op, IDENTITY):
        sides = [v for v in (a, b) if isinstance(v, Static)]
        if len(sides) == 1 and sides[0].value is None:  # an array or a number is never None
            return Static(isinstance(op, ast.IsNot))
        raise scope.blocked(node, Code.UNSUPPORTED_EXPRESSION, "a test of identity")
    if isinstance(op, ast.In | ast.NotIn):
        return membership(scope, node, op, a, b)
    from autovec.frontend import lexicographic

    sequences = lexicographic.compared(scope, node, op, a, b)
    if sequences is not None:
        return sequences
    if isinstance(a, Masked) or isinstance(b, Masked):
        from autovec.frontend import masked

        return masked.compared(scope, node, op, a, b)
    if isinstance(a, Elements) or isinstance(b, Elements):
        from autovec.frontend import ragged

        return ragged.elementwise(scope, node, (a, b), lambda s, v: one_comparison(s, node, op, v[0], v[1]))
    left, right = as_expr(scope, a, node), as_expr(scope, b, node)
    name_ = type(op).__name__
    result = take(scope, calls.compare(name_, left, right), node)
    return Computed(result, tags.of_operation(scope, name_, result, (a, b), (left, right)))


def is_known(op: ast.cmpop, a: object, b: object) -> bool:
    """Does this comparison of two objects have one answer for all calls?"""
    if isinstance(op, IDENTITY):
        return True
    if isinstance(op, ast.In | ast.NotIn):
        return is_constant(b) and answers_alike(a, "__eq__")
    return all(answers_alike(v, *COMPARISONS) for v in (a, b))


def membership(scope: Scope, node: ast.expr, op: ast.cmpop, a: Value, b: Value) -> Value:
    """`x in (1, 2, 3)` for a few items."""
    if isinstance(b, Static) and isinstance(b.value, tuple | list | frozenset | range) and len(b.value) <= 16:
        b = TupleValue(tuple(Static(v) for v in b.value))
    if isinstance(b, ListArray | ListCell | Buffer):
        from autovec.frontend import folds

        hit = condition_of(scope, folds.contained(scope, a, b, node), node)
        return Computed(hit if isinstance(op, ast.In) else negation(hit))
    if not isinstance(b, TupleValue) or not b.items:
        raise scope.blocked(node, Code.UNSUPPORTED_EXPRESSION, "a test of membership")
    from autovec.frontend import lexicographic

    hit: Expr | None = None
    for item in b.items:
        one = lexicographic.equal(scope, node, a, item)
        hit = one if hit is None else Apply("logical_or", (hit, one), BOOL)
    assert hit is not None
    return Computed(hit if isinstance(op, ast.In) else negation(hit))


def condition_of(scope: Scope, value: Value, node: ast.AST) -> Expr:
    """The value as an `if` sees it: a boolean scalar."""
    if isinstance(value, MaybeUnbound) and value.none:
        return conjunction(value.bound, condition_of(scope, value.value, node))
    if isinstance(value, Static):
        if not answers_alike(value.value, "__bool__", "__len__"):
            raise scope.blocked(node, Code.UNSUPPORTED_EXPRESSION, "the truth of an object from outside the function")
        return Const(bool(value.value), BOOL)
    if isinstance(value, TupleValue):
        return Const(bool(value.items), BOOL)
    if isinstance(value, Buffer | ListArray | ListCell | TupleList):
        from autovec.frontend import sequences

        size = as_expr(scope, sequences.length(scope, value, node), node)
        return Apply("greater", (size, Const(0, INT)), BOOL)
    return take(scope, calls.truth(as_expr(scope, value, node)), node)


def condition(scope: Scope, node: ast.expr) -> Expr:
    from autovec.frontend import optional

    value = optional.named(scope, node)
    if value is not None:
        return condition_of(scope, value, node)
    if isinstance(node, ast.BoolOp):
        return condition_of(scope, boolean(scope, node, test=True), node)
    return condition_of(scope, lower(scope, node), node)


def boolean(scope: Scope, node: ast.BoolOp, test: bool = False) -> Value:
    """`a and b`, `a or b`: the second only where the first lets it; the result is one of the operands.

    `test`: it only matters whether that is true.
    """
    op = "logical_and" if isinstance(node.op, ast.And) else "logical_or"

    def operand(item: ast.expr) -> Value:
        value = lower(scope, item)
        is_list = isinstance(value, Buffer | ListArray | ListCell | TupleList)
        return Computed(condition_of(scope, value, item)) if test and is_list else value

    result = operand(node.values[0])
    for item in node.values[1:]:
        if isinstance(result, Computed | Variable) and calls_own(item):
            result = held(scope, result, "held", node)
        before = condition_of(scope, result, node)
        if isinstance(before, Const):
            if bool(before.value) is (op == "logical_and"):
                result = operand(item)
            continue
        begin = len(scope.statements)
        with scope.under(before if op == "logical_and" else negation(before)):
            after = operand(item)
        read = {load.cell for load in loads(before)}
        if any(isinstance(s, Store) and s.cell in read for s in statements(scope.statements[begin:])):
            raise scope.blocked(node, Code.UNSUPPORTED_EXPRESSION, "a condition that a later part of it changes")
        result = join_conditions(scope, op, before, result, after, node)
    return result


def calls_own(node: ast.expr) -> bool:
    """Is a function called that may be the person's own?"""
    return any(
        isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and not hasattr(builtins, n.func.id)
        for n in ast.walk(node)
    )


def join_conditions(scope: Scope, op: str, before: Expr, first: Value, second: Value, node: ast.AST) -> Value:
    a, b = as_expr(scope, first, node), as_expr(scope, second, node)
    yes, no = (second, first) if op == "logical_and" else (first, second)
    if a.type.dtype.kind == "b" and b.type.dtype.kind == "b":
        kinds = union(scope, a.type, b.type, node)
        tag: Expr | None = None
        if kinds.only is None:
            sides = {id(first): a, id(second): b}
            yes_tag, no_tag = (tags.tag_expr(scope, v, sides[id(v)], kinds) for v in (yes, no))
            tag = Select(before, yes_tag, no_tag, INT)
        if isinstance(b, Const) and bool(b.value) is (op == "logical_and"):
            return Computed(tags.widened(a, kinds), tag)
        return Computed(Apply(op, (a, b), kinds), tag)
    return select(scope, before, yes, no, node)


def union(scope: Scope, a: object, b: object, node: ast.AST) -> ScalarType:
    if not isinstance(a, ScalarType) or not isinstance(b, ScalarType):
        raise scope.blocked(node, Code.UNSUPPORTED_EXPRESSION, "an array where a condition is expected")
    return ScalarType(a.kinds | b.kinds)
