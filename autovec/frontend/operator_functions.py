"""The functions of `operator`, as the operators they are.

operator.add(a, b)    -->    a + b
operator.not_(a)      -->    not a
"""

from __future__ import annotations

import ast
import functools
import operator
from collections.abc import Callable

BINARY: dict[object, type[ast.operator]] = {
    operator.add: ast.Add,
    operator.sub: ast.Sub,
    operator.mul: ast.Mult,
    operator.truediv: ast.Div,
    operator.floordiv: ast.FloorDiv,
    operator.mod: ast.Mod,
    operator.pow: ast.Pow,
    operator.matmul: ast.MatMult,
    operator.and_: ast.BitAnd,
    operator.or_: ast.BitOr,
    operator.xor: ast.BitXor,
    operator.lshift: ast.LShift,
    operator.rshift: ast.RShift,
}
COMPARISONS: dict[object, type[ast.cmpop]] = {
    operator.eq: ast.Eq,
    operator.ne: ast.NotEq,
    operator.lt: ast.Lt,
    operator.le: ast.LtE,
    operator.gt: ast.Gt,
    operator.ge: ast.GtE,
}
UNARY: dict[object, type[ast.unaryop]] = {
    operator.neg: ast.USub,
    operator.pos: ast.UAdd,
    operator.invert: ast.Invert,
    operator.not_: ast.Not,
}


@functools.lru_cache(maxsize=256)
def written(function: Callable[..., object], node: ast.Call) -> ast.expr | None:
    """The operator that such a call stands for; None for any other function."""
    made: ast.expr
    match node:
        case ast.Call(args=[left, right], keywords=[]) if function in BINARY:
            made = ast.BinOp(left, BINARY[function](), right)
        case ast.Call(args=[left, right], keywords=[]) if function in COMPARISONS:
            made = ast.Compare(left, [COMPARISONS[function]()], [right])
        case ast.Call(args=[operand], keywords=[]) if function in UNARY:
            made = ast.UnaryOp(UNARY[function](), operand)
        case _:
            return None
    return ast.copy_location(made, node)
