"""Operators on two values or one: of constants now, of numbers and arrays as IR, of slices and masks by their own rules."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from autovec.diagnostics import Code
from autovec.frontend import calls, tags
from autovec.frontend.expressions import as_expr, held, lower, may_write, take
from autovec.frontend.scope import Scope, negation
from autovec.frontend.values import Computed, Elements, Masked, Static, Value, Variable, View, sequence_type
from autovec.ir.nodes import Const, Expr
from autovec.ir.types import INT, ArrayType

NUMBERS = (bool, int, float, complex)


def binary(scope: Scope, node: ast.expr, left: ast.expr, op: ast.operator, right: ast.expr) -> Value:
    from autovec.frontend import sequences

    a = lower(scope, left)
    if isinstance(a, Computed | Variable) and may_write(right):
        a = held(scope, a, "left", left)
    b = lower(scope, right)
    return (
        operate(scope, node, type(op).__name__, a, b)
        if not sequences.is_sequence(a, b)
        else sequences.operate(scope, node, op, a, b)
    )


def operate(scope: Scope, node: ast.AST, op: str, a: Value, b: Value) -> Value:
    if isinstance(a, Masked) or isinstance(b, Masked):
        from autovec.frontend import masked

        return masked.operated(scope, node, op, a, b)
    if isinstance(a, Elements) or isinstance(b, Elements):
        from autovec.frontend import ragged, ragged_reductions

        if op == "MatMult":
            return ragged_reductions.product(scope, node, a, b)
        return ragged.elementwise(scope, node, (a, b), lambda s, v: operate(s, node, op, v[0], v[1]))
    if isinstance(a, Static) and isinstance(b, Static):
        folded = fold_operator(op, a.value, b.value)
        if folded is not None:
            return folded
    if any(sequence_type(v) and not is_array(other) for v, other in ((a, b), (b, a))):
        raise scope.blocked(node, Code.UNSUPPORTED_EXPRESSION, "this operation on a list or tuple")
    left, right = as_expr(scope, a, node), as_expr(scope, b, node)
    result = take(scope, calls.binary(op, left, right), node)
    if op == "Pow":
        tags.refuse_integer_powers(scope, (a, b), (left, right), node)
    if op == "FloorDiv" and result.type == INT:
        part = part_of_size(scope, left, right)
        if part is not None:
            return Computed(part)
    return Computed(result, tags.of_operation(scope, op, result, (a, b), (left, right)))


def part_of_size(scope: Scope, whole: Expr, divisor: Expr) -> Expr | None:
    """`n // 2` of a size of the call is a size of its own, of which more is known than that it is an int."""
    from autovec.frontend import ranges

    form = scope.affine(whole)
    if form is None or not form.terms or not form.names <= set(scope.ledger.values):
        return None
    if not isinstance(divisor, Const) or type(divisor.value) is not int or divisor.value < 2:
        return None
    return ranges.to_expr(ranges.divided(scope, form, divisor.value))


def unary(scope: Scope, node: ast.expr, op: ast.unaryop, operand: ast.expr) -> Value:
    value = lower(scope, operand)
    if isinstance(value, Static) and type(value.value) in NUMBERS:
        v = value.value
        table = {"USub": lambda: -v, "UAdd": lambda: +v, "Not": lambda: not v, "Invert": lambda: ~v}  # type: ignore[operator]
        folded = fold(table[type(op).__name__])
        if folded is not None:
            return folded
    if isinstance(value, Masked):
        from autovec.frontend import masked

        made = masked.again(scope, unary_of(scope, node, op, operand, Computed(value.values)), value.mask, node)
        if made is not None:
            return made
    return unary_of(scope, node, op, operand, value)


def unary_of(scope: Scope, node: ast.expr, op: ast.unaryop, operand: ast.expr, value: Value) -> Value:
    if isinstance(value, Elements):
        from autovec.frontend import ragged

        def one(s: Scope, v: Sequence[Value]) -> Value:
            result = take(s, calls.unary(type(op).__name__, as_expr(s, v[0], operand)), node)
            return Computed(result)

        return ragged.elementwise(scope, node, (value,), one)
    if isinstance(op, ast.Not):
        from autovec.frontend import truth

        condition = truth.condition_of(scope, value, operand)
        return Static(not condition.value) if isinstance(condition, Const) else Computed(negation(condition))
    if sequence_type(value):
        raise scope.blocked(node, Code.RAISES, "the sign of a list or tuple")
    operand_ = as_expr(scope, value, operand)
    result = take(scope, calls.unary(type(op).__name__, operand_), node)
    return Computed(result, tags.of_operation(scope, type(op).__name__, result, (value,), (operand_,)))


def fold(function: object, *args: object) -> Static | None:
    """Arithmetic of Python constants, done now; None where it raises (the original will)."""
    try:
        return Static(function(*args))  # type: ignore[operator]
    except Exception:
        return None


def fold_operator(op: str, a: object, b: object) -> Static | None:
    if type(a) not in NUMBERS or type(b) not in NUMBERS:
        return None
    tree = ast.Expression(ast.BinOp(ast.Name("a", ast.Load()), getattr(ast, op)(), ast.Name("b", ast.Load())))
    if op in ("Pow", "LShift") and max(abs(a), abs(b)) > 10**6:  # type: ignore[arg-type]
        return None
    code = compile(ast.fix_missing_locations(tree), "<constant>", "eval")
    return fold(lambda: eval(code, {"a": a, "b": b}))


def is_array(value: Value) -> bool:
    return isinstance(value, View | Computed) and isinstance(value.type, ArrayType)
