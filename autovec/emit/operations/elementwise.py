"""Elementwise operations as JAX expressions: an operation's name and its operands in, canonical AST out.

    add(x, y)              -->    x + y
    floor_divide(a, b)     -->    jnp.where(b == 0, 0, a // b)      NumPy's ints; Python's have faulted
    less(i, u)             -->    (i < 0) | (i.astype(jnp.uint64) < u)

The operands have the operation's dtype already. Where JAX's value differs from NumPy's on that dtype, the exact form
is written; where the difference is documented (signs of zeros), it isn't.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Sequence

import numpy as np

from autovec.emit.operations.casts import astype, constant, dtype_name, is_traced, plain
from autovec.emit.operations.nodes import binop, call, fill, is_literal, literal, literal_value, negative
from autovec.ir.intrinsics import COMPARISONS, INFIX
from autovec.ir.types import ArrayType, ScalarType, Type

RENAMED: dict[str, str] = {
    "absolute": "jnp.abs",
    "conjugate": "jnp.conj",
    "erf": "lax.erf",
    "erfc": "lax.erfc",
}
DIVISIONS = frozenset({"divide", "floor_divide", "remainder"})
MAY_RAISE = DIVISIONS | {"power", "square", "reciprocal"}


def apply(op: str, args: Sequence[ast.expr], type: Type, arg_types: Sequence[Type]) -> ast.expr:
    """The operation on operands of one dtype (int64 beside uint64 in comparisons)."""
    operands = weaken(args)
    rule = RULES.get(op)
    if rule is not None:
        made = rule(operands, type, arg_types)
        if made is not None:
            return made
    if op in INFIX:
        if op in COMPARISONS and len({t.dtype for t in arg_types}) > 1:
            return mixed_comparison(op, args, arg_types)
        return binop(operands[0], INFIX[op], operands[1])
    return call(RENAMED.get(op, f"jnp.{op}"), *operands)


def without_errors(op: str, args: Sequence[ast.expr], type: Type, arg_types: Sequence[Type]) -> list[ast.expr]:
    """
    1.0 / 0.0    -->    jnp.float64(1.0) / 0.0

    Operands that are numbers before the program runs, so that Python would compute it, and not always can.
    """
    if op not in MAY_RAISE:
        return list(args)
    made = apply(op, args, type, arg_types)
    if is_literal(made):
        try:
            literal_value(made)
        except (ZeroDivisionError, OverflowError):
            return [ast.Call(dtype_name(arg_types[0].dtype), [args[0]], []), *args[1:]]
    elif op in DIVISIONS and not is_literal(plain(args[1])):  # sizes
        return [ast.Call(dtype_name(arg_types[0].dtype), [args[0]], []), *args[1:]]
    return list(args)


def select(condition: ast.expr, yes: ast.expr, no: ast.expr, type: Type) -> ast.expr:
    """`jnp.where(condition, yes, no)`."""
    yes, no = weaken((yes, no))
    return call("jnp.where", condition, yes, no)


def weaken(args: Sequence[ast.expr]) -> list[ast.expr]:
    """Constants as plain literals where another operand carries the dtype."""
    bare = [plain(a) for a in args]
    return bare if any(not is_literal(b) for b in bare) else list(args)


Rule = Callable[[Sequence[ast.expr], Type, Sequence[Type]], "ast.expr | None"]


def add(args: Sequence[ast.expr], type: Type, arg_types: Sequence[Type]) -> ast.expr | None:
    return binop(args[0], "|", args[1]) if type.dtype.kind == "b" else None


def multiply(args: Sequence[ast.expr], type: Type, arg_types: Sequence[Type]) -> ast.expr | None:
    return binop(args[0], "&", args[1]) if type.dtype.kind == "b" else None


def both(args: Sequence[ast.expr], type: Type, arg_types: Sequence[Type]) -> ast.expr | None:
    return binop(args[0], "&", args[1]) if all(t.dtype.kind == "b" for t in arg_types) else None


def any_of(args: Sequence[ast.expr], type: Type, arg_types: Sequence[Type]) -> ast.expr | None:
    return binop(args[0], "|", args[1]) if all(t.dtype.kind == "b" for t in arg_types) else None


def negation(args: Sequence[ast.expr], type: Type, arg_types: Sequence[Type]) -> ast.expr | None:
    """`~x` of a traced boolean; a comparison of sizes is a Python bool, of which `~` is an int."""
    arg, dtype = args[0], arg_types[0].dtype
    if dtype.kind != "b":
        return None
    if is_literal(arg):
        return literal(not literal_value(arg))
    if isinstance(arg, ast.Compare) and len(arg.ops) == 1 and isinstance(arg.ops[0], ast.Eq | ast.NotEq):
        flipped = ast.NotEq() if isinstance(arg.ops[0], ast.Eq) else ast.Eq()
        return ast.Compare(arg.left, [flipped], arg.comparators)
    if isinstance(arg_types[0], ArrayType) or is_traced(arg):
        return ast.UnaryOp(ast.Invert(), arg)
    return call("jnp.logical_not", arg)


def invert(args: Sequence[ast.expr], type: Type, arg_types: Sequence[Type]) -> ast.expr | None:
    return negation(args, type, arg_types) or ast.UnaryOp(ast.Invert(), args[0])


def negated(args: Sequence[ast.expr], type: Type, arg_types: Sequence[Type]) -> ast.expr | None:
    if isinstance(args[0], ast.Constant):
        return None if type.dtype.kind in "ub" else negative(args[0])
    return negative(args[0])


def itself(args: Sequence[ast.expr], type: Type, arg_types: Sequence[Type]) -> ast.expr | None:
    return args[0]


def square(args: Sequence[ast.expr], type: Type, arg_types: Sequence[Type]) -> ast.expr | None:
    return binop(args[0], "**", literal(2))


def reciprocal(args: Sequence[ast.expr], type: Type, arg_types: Sequence[Type]) -> ast.expr | None:
    return binop(literal(1.0), "/", args[0])


def real(args: Sequence[ast.expr], type: Type, arg_types: Sequence[Type]) -> ast.expr | None:
    return None if arg_types[0].dtype.kind == "c" else args[0]


def divide(args: Sequence[ast.expr], type: Type, arg_types: Sequence[Type]) -> ast.expr | None:
    """Of a zero by what may be a zero: the LLVM of jaxlib 0.10 makes 0.0 of `(0.0 / d) * 3` for a d that isn't NaN."""
    zero = is_literal(args[0]) and literal_value(args[0]) == 0
    if not zero or is_literal(args[1]) or type.dtype.kind != "f" or is_python(type):
        return None
    return fill("jnp.where(d == 0, jnp.nan, 0.0 / d)", d=args[1])


def is_python(type: Type) -> bool:
    return isinstance(type, ScalarType) and type.is_python


def integer_quotient(args: Sequence[ast.expr], type: Type, arg_types: Sequence[Type], symbol: str) -> ast.expr | None:
    """NumPy's ints: 0 for a zero divisor; a Python number has faulted before."""
    if arg_types[0].dtype.kind not in "iu" or is_python(type):
        return None
    if is_literal(args[1]):
        return literal(0) if not literal_value(args[1]) else None
    return fill(f"jnp.where(b == 0, 0, a {symbol} b)", a=args[0], b=args[1])


def floor_divide(args: Sequence[ast.expr], type: Type, arg_types: Sequence[Type]) -> ast.expr | None:
    return integer_quotient(args, type, arg_types, "//") or float_quotient(args, type, arg_types)


def float_quotient(args: Sequence[ast.expr], type: Type, arg_types: Sequence[Type]) -> ast.expr | None:
    """A float by zero is inf or NaN, by `/`; JAX has NaN."""
    if arg_types[0].dtype.kind != "f" or is_python(type):
        return None
    if is_literal(args[1]):
        return None if literal_value(args[1]) else binop(args[0], "/", args[1])
    return fill("jnp.where(b == 0, a / b, a // b)", a=args[0], b=args[1])


def remainder(args: Sequence[ast.expr], type: Type, arg_types: Sequence[Type]) -> ast.expr | None:
    return integer_quotient(args, type, arg_types, "%")


def power(args: Sequence[ast.expr], type: Type, arg_types: Sequence[Type]) -> ast.expr | None:
    """Integer powers wrap for any exponent; `x ** 3.0` is printed `x ** 3`, which multiplies."""
    base, exponent = args
    if arg_types[0].dtype.kind in "iu":
        return integer_power(base, exponent, type)
    if type.dtype.kind == "c" and not (isinstance(type, ScalarType) and type.may_be_python):
        return complex_power(base, exponent)
    if is_literal(exponent):
        value = literal_value(exponent)
        if not isinstance(value, complex) and abs(value) <= 4 and value == int(value):
            return binop(base, "**", literal(int(value)))
        if isinstance(value, complex) and not value.imag and abs(value.real) <= 4 and value.real == int(value.real):
            return binop(base, "**", literal(int(value.real)))
    return None


def complex_power(base: ast.expr, exponent: ast.expr) -> ast.expr | None:
    """Zero to a power is 0, 1 or NaN by the exponent's real part, where JAX has NaN; of Python's numbers NaN faults."""
    if is_literal(exponent):
        value = complex(literal_value(exponent))
        if not value.imag and abs(value.real) <= 4 and value.real == int(value.real):
            return binop(base, "**", literal(int(value.real)))
        at_zero = literal(0.0 if value.real > 0 else complex(math.nan, math.nan))
        return fill("jnp.where(b == 0, z, b ** e)", b=base, e=exponent, z=at_zero)
    if is_literal(base):
        if literal_value(base):
            return None
        return fill(
            "jnp.where(e == 0, 1, jnp.where(jnp.real(e) > 0, 0, complex(jnp.nan, jnp.nan))).astype(e.dtype)", e=exponent
        )
    at_zero = fill("jnp.where(e == 0, 1.0, jnp.where(jnp.real(e) > 0, 0.0, complex(jnp.nan, jnp.nan)))", e=exponent)
    return fill("jnp.where(b == 0, z, b ** e)", b=base, e=exponent, z=at_zero)


def float_power(args: Sequence[ast.expr], type: Type, arg_types: Sequence[Type]) -> ast.expr | None:
    return complex_power(*args) if type.dtype.kind == "c" else None


def integer_power(base: ast.expr, exponent: ast.expr, type: Type) -> ast.expr | None:
    """By squaring over every bit of the exponent: `**` of JAX looks at six of them."""
    if is_literal(exponent):
        return None
    if is_literal(base):
        value = literal_value(base)
        if value == 2:
            return fill("1 << e", e=exponent)
        if value == -1:
            return fill("1 - 2 * (e & 1)", e=exponent)
        if value in (0, 1):
            return fill("jnp.where(e == 0, 1, b).astype(d)", e=exponent, b=base, d=dtype_name(type.dtype))
        base = constant(value, type)
    return fill(
        f"lax.fori_loop(0, {8 * type.dtype.itemsize}, lambda k, s: (s[0] * jnp.where((e >> k.astype(d)) & 1 == 1, s[1], 1), s[1] * s[1]), "
        "(jnp.ones_like(b + e), b + jnp.zeros_like(e)))[0]",
        b=base,
        e=exponent,
        d=dtype_name(type.dtype),
    )


def complex_extreme(name: str, passes_nan: bool) -> Rule:
    """Of complex numbers, in order of real and then imaginary parts: JAX's don't know NaN."""

    def write(args: Sequence[ast.expr], type: Type, arg_types: Sequence[Type]) -> ast.expr | None:
        if type.dtype.kind != "c":
            return None
        best = call(f"jnp.{name}", *args)
        template = "jnp.where(jnp.isnan(a), a, jnp.where(jnp.isnan(b), b, best))"
        if not passes_nan:
            template = "jnp.where(jnp.isnan(b), a, jnp.where(jnp.isnan(a), b, best))"
        return fill(template, a=args[0], b=args[1], best=best)

    return write


def common_divisor(args: Sequence[ast.expr], type: Type, name: str) -> ast.expr | None:
    """On magnitudes, unsigned: JAX's loop doesn't end at the least int."""
    if type.dtype.kind == "u":
        return None
    unsigned = np.dtype(f"u{type.dtype.itemsize}")
    magnitudes = [astype(call("jnp.abs", a), unsigned) for a in args]
    return astype(call(name, *magnitudes), type.dtype)


def gcd(args: Sequence[ast.expr], type: Type, arg_types: Sequence[Type]) -> ast.expr | None:
    return common_divisor(args, type, "jnp.gcd")


def lcm(args: Sequence[ast.expr], type: Type, arg_types: Sequence[Type]) -> ast.expr | None:
    return common_divisor(args, type, "jnp.lcm")


RULES: dict[str, Rule] = {
    "add": add,
    "multiply": multiply,
    "logical_and": both,
    "logical_or": any_of,
    "logical_not": negation,
    "invert": invert,
    "negative": negated,
    "positive": itself,
    "square": square,
    "reciprocal": reciprocal,
    "real": real,
    "conjugate": real,
    "divide": divide,
    "floor_divide": floor_divide,
    "remainder": remainder,
    "power": power,
    "float_power": float_power,
    "maximum": complex_extreme("maximum", True),
    "minimum": complex_extreme("minimum", True),
    "fmax": complex_extreme("maximum", False),
    "fmin": complex_extreme("minimum", False),
    "gcd": gcd,
    "lcm": lcm,
}


def mixed_comparison(op: str, args: Sequence[ast.expr], arg_types: Sequence[Type]) -> ast.expr:
    """int64 against uint64, exactly: JAX would go through float64."""
    signed = 0 if arg_types[0].dtype.kind == "i" else 1
    s, u = args[signed], args[1 - signed]
    below = {"less": signed == 0, "less_equal": signed == 0, "greater": signed == 1, "greater_equal": signed == 1}
    result = below.get(op, op == "not_equal")  # when the signed one is negative
    if is_literal(plain(s)):
        value = int(literal_value(plain(s)).real)
        if value < 0:
            return binop(plain(u), ">=" if result else "<", literal(0))
        whole: list[ast.expr] = [plain(s), plain(u)]
    else:
        whole = [astype(s, np.dtype(np.uint64)), plain(u)]
    if signed == 1:
        whole.reverse()
    comparison = binop(whole[0], INFIX[op], whole[1])
    if is_literal(plain(s)):
        return comparison
    sign = binop(s, "<" if result else ">=", literal(0))
    return binop(sign, "|" if result else "&", comparison)
