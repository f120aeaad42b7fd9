"""Building canonical AST: templates in Python's own syntax, filled with expressions.

    fill("jnp.where(b == 0, 0, a // b)", a=x, b=y)

An operand that a template uses more than once is repeated only while it is small; a large one is bound by a lambda.
"""

from __future__ import annotations

import ast
import copy
import math
from functools import cache

SMALL = 12  # nodes that may be printed twice


@cache
def parsed(template: str) -> ast.expr:
    return ast.parse(template, mode="eval").body


def weight(node: ast.AST) -> int:
    return sum(1 for _ in ast.walk(node))


class Filling(ast.NodeTransformer):
    """Replaces names by expressions."""

    def __init__(self, values: dict[str, ast.expr]) -> None:
        self.values = values

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self.values.get(node.id, node)


def fill(template: str, **values: ast.expr) -> ast.expr:
    """The template with its names replaced; names not given (jnp, lax) stay."""
    body = parsed(template)
    uses = [n.id for n in ast.walk(body) if isinstance(n, ast.Name)]
    bound = {k: v for k, v in values.items() if uses.count(k) > 1 and weight(v) > SMALL}
    direct = {k: v for k, v in values.items() if k not in bound}
    inside = {n.id for f in ast.walk(body) if isinstance(f, ast.Lambda) for n in ast.walk(f) if isinstance(n, ast.Name)}
    if bound or any(k in inside and not isinstance(v, ast.Constant) for k, v in values.items()):
        # every operand is bound, so that no name of the person's is captured
        bound = {k: v for k, v in values.items() if not isinstance(v, ast.Constant)}
        direct = {k: v for k, v in values.items() if isinstance(v, ast.Constant)}
        parameters = ast.arguments([], [ast.arg(k) for k in bound], None, [], [], None, [])
        inner = Filling(dict(direct)).visit(copy.deepcopy(body))
        return ast.Call(ast.Lambda(parameters, inner), list(bound.values()), [])
    return Filling(dict(direct)).visit(copy.deepcopy(body))


def name(identifier: str) -> ast.expr:
    """A dotted name: `jnp.sum`."""
    first, *rest = identifier.split(".")
    node: ast.expr = ast.Name(first, ast.Load())
    for part in rest:
        node = ast.Attribute(node, part, ast.Load())
    return node


def call(function: str, *args: ast.expr, **keywords: ast.expr | None) -> ast.expr:
    """`function(*args, **keywords)`; a keyword that is None is left out."""
    given = [ast.keyword(k, v) for k, v in keywords.items() if v is not None]
    return ast.Call(name(function), list(args), given)


def binop(left: ast.expr, symbol: str, right: ast.expr) -> ast.expr:
    """An infix operation or comparison."""
    shape = parsed(f"a {symbol} b")
    if isinstance(shape, ast.Compare):
        return ast.Compare(left, list(shape.ops), [right])
    assert isinstance(shape, ast.BinOp)
    return ast.BinOp(left, shape.op, right)


def literal(value: object) -> ast.expr:
    """A Python constant, tuple or string in canonical nodes: no negative, complex or non-finite Constant."""
    if isinstance(value, tuple):
        return ast.Tuple([literal(v) for v in value], ast.Load())
    if value is None or value is ... or isinstance(value, bool | str):
        return ast.Constant(value)
    if isinstance(value, int):
        return negative(literal(-value)) if value < 0 else ast.Constant(value)
    if isinstance(value, float):
        if math.isnan(value):
            return name("jnp.nan")
        if math.copysign(1.0, value) < 0:
            return negative(literal(-value))
        return name("jnp.inf") if math.isinf(value) else ast.Constant(value)
    if isinstance(value, complex):
        return complex_literal(value)
    raise TypeError(f"no literal for {type(value).__name__}")


def complex_literal(value: complex) -> ast.expr:
    """`1.0 + 2.0j`; by `complex(a, b)` where a sum would lose an inf, a NaN or the sign of a zero."""
    parts = (value.real, value.imag)
    plain = all(math.isfinite(p) and (p or math.copysign(1.0, p) > 0) for p in parts)
    if not plain:
        return ast.Call(name("complex"), [literal(float(p)) for p in parts], [])
    imaginary = ast.Constant(complex(0.0, abs(value.imag)))
    if value.real == 0 and value.imag >= 0:
        return imaginary
    symbol = "-" if value.imag < 0 else "+"
    return binop(literal(value.real), symbol, imaginary)


def negative(node: ast.expr) -> ast.expr:
    return ast.UnaryOp(ast.USub(), node)


def is_literal(node: ast.expr) -> bool:
    """A number written out: weakly typed in JAX."""
    if isinstance(node, ast.Constant):
        return not isinstance(node.value, str) and node.value is not None
    if isinstance(node, ast.UnaryOp):
        return is_literal(node.operand)
    if isinstance(node, ast.BinOp):
        return is_literal(node.left) and is_literal(node.right)
    if isinstance(node, ast.Attribute):
        return isinstance(node.value, ast.Name) and node.value.id == "jnp" and node.attr in ("inf", "nan")
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id == "complex"
    return False


def literal_value(node: ast.expr) -> bool | int | float | complex:
    """The number that a literal is."""
    scope = {"jnp": type("constants", (), {"inf": math.inf, "nan": math.nan}), "complex": complex}
    expression = ast.fix_missing_locations(ast.Expression(copy.deepcopy(node)))
    return eval(compile(expression, "<literal>", "eval"), {"__builtins__": {}}, scope)
