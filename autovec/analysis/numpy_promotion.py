"""Does a unit mix dtypes in a way that only NumPy answers so?

In: a unit. Out: yes or no. JAX has a table of its own (int32 * float32 is float32, int32 / int32 too), so what is typed
for NumPy isn't what a `jax.Array` would have given. Floats of two precisions, ints of two widths, and Python numbers
of any kind agree; ints that become floats beside NumPy's numbers don't.
"""

from __future__ import annotations

from autovec.ir.nodes import Apply, Call, Cast, Expr, Unit
from autovec.ir.types import ArrayType, ScalarType
from autovec.ir.walk import expressions, statements, walk

# whose results JAX widens as NumPy does
SAME_RESULTS = frozenset({"sum", "prod", "any", "all", "argmin", "argmax", "min", "max"})


def is_numpys(unit: Unit) -> bool:
    """Would a `jax.Array` among the arguments have given other dtypes?"""
    found = (e for s in statements(unit.body) for e in expressions(s))
    return any(_is_numpys(part) for e in found for part in walk(e))


def _is_numpys(expr: Expr) -> bool:
    match expr:
        case Apply(args=args):
            return any(map(_int_as_float, args)) and not any(map(_python_float, args))
        case Call(function=function, args=args) if function not in SAME_RESULTS:
            ints = any(isinstance(a.type, ArrayType) and a.type.dtype.kind in "iu" for a in args)
            return any(map(_int_as_float, args)) or (ints and expr.type.dtype.kind in "fc") or function == "cumsum"
        case _:
            return False


def _int_as_float(expr: Expr) -> bool:
    """An int of NumPy's (or JAX's) that NumPy has made a float."""
    if not isinstance(expr, Cast) or expr.type.dtype.kind not in "fc":
        return False
    return expr.arg.type.dtype.kind in "iu" and not _is_python(expr.arg)


def _python_float(expr: Expr) -> bool:
    while isinstance(expr, Cast):
        expr = expr.arg
    return _is_python(expr) and expr.type.dtype.kind in "fc"


def _is_python(expr: Expr) -> bool:
    return isinstance(expr.type, ScalarType) and expr.type.is_python
