"""Operands of partial functions where a mask will select the value: 1.0 wherever the mask is false.

    if x[i] > 0: y[i] = sqrt(x[i])     -->    y = jnp.where(x > 0, jnp.sqrt(jnp.where(x > 0, x, 1.0)), y)

The value is right without it. The derivative is not: an element that isn't selected passes back 0.0 times an infinite
slope, a NaN that reaches whatever the element was made from.
"""

from __future__ import annotations

import ast
from collections.abc import Generator, Sequence
from contextlib import contextmanager

from autovec.emit import operations
from autovec.emit.axes import Here, aligned, all_of
from autovec.emit.operations.nodes import call, literal, name, weight
from autovec.emit.state import State
from autovec.emit.values import Value
from autovec.ir.nodes import Apply, Call, Cast, Const, Expr, Load, Ref
from autovec.ir.types import BOOL, ArrayType
from autovec.ir.walk import children

# the operand that is made safe, and a value at which function and slope are finite
SAFE: dict[str, tuple[int, float]] = {
    **dict.fromkeys(("divide", "floor_divide", "remainder", "fmod", "arctan2"), (1, 1.0)),
    **dict.fromkeys(("sqrt", "reciprocal", "cbrt", "power", "float_power", "hypot"), (0, 1.0)),
    **dict.fromkeys(("log", "log2", "log10", "log1p"), (0, 1.0)),
    **dict.fromkeys(("exp", "exp2", "expm1", "sinh", "cosh"), (0, 1.0)),
    **dict.fromkeys(("arccos", "arcsin", "arctanh"), (0, 0.0)),
    "arccosh": (0, 2.0),
}
NOT_ZERO = frozenset({"sqrt", "reciprocal", "cbrt", "power", "float_power", "hypot"})  # at the safe operand
SAFE_VECTORS = frozenset({"linalg_norm"})
SAFE_MATRICES = frozenset({"linalg_inv", "linalg_solve", "linalg_det", "linalg_cholesky"})
NAMED_FROM = 8  # nodes of a mask that is given a name instead of being printed again


# ---------------------------------------------------------------- what needs it


def is_partial(expr: Expr) -> bool:
    """Has the expression's own function operands at which its slope isn't finite?"""
    if expr.type.dtype.kind not in "fc":
        return False
    if isinstance(expr, Call):
        return expr.function in SAFE_VECTORS | SAFE_MATRICES
    if not isinstance(expr, Apply) or expr.op not in SAFE:
        return False
    if expr.op in ("power", "float_power") and is_polynomial(expr.args[1]):
        return False
    return not is_constant(expr.args[SAFE[expr.op][0]])


def is_polynomial(exponent: Expr) -> bool:
    value = exponent.value if isinstance(exponent, Const) else None
    return isinstance(value, int | float) and value >= 0 and value == int(value)


def is_constant(expr: Expr) -> bool:
    return isinstance(expr, Const) or (isinstance(expr, Cast) and is_constant(expr.arg))


def has_partial(expr: Expr) -> bool:
    """Does the value of a partial function go into that of the expression (not its conditions and subscripts)?"""
    if expr.type.dtype.kind not in "fc" or isinstance(expr, Load):
        return False
    return is_partial(expr) or any(has_partial(c) for c in children(expr))


# ---------------------------------------------------------------- the masks in force


@contextmanager
def selecting(state: State, masks: Sequence[Value]) -> Generator[None]:
    """What is evaluated inside is selected where all the masks hold."""
    before = state.selected
    state.selected = (*before, *masks)
    try:
        yield
    finally:
        state.selected = before


@contextmanager
def selecting_nothing(state: State) -> Generator[None]:
    """What is evaluated inside has no derivative: a condition, a subscript."""
    before = state.selected
    state.selected = ()
    try:
        yield
    finally:
        state.selected = before


def printed_again(state: State, mask: Value) -> Value:
    """A mask that is used more than once has a name, unless it is short."""
    if weight(mask.node) < NAMED_FROM:
        return mask
    target = named_before(state, mask.node)
    if target is None:
        target = state.names.temporary("inside")
        state.assign(target, mask.node)
    return Value(name(target), mask.axes, mask.rank, BOOL)


def named_before(state: State, mask: ast.expr) -> str | None:
    """The name that this block has for the mask, if nothing it is made from has been assigned since."""
    text, reads = ast.dump(mask), {n.id for n in ast.walk(mask) if isinstance(n, ast.Name)}
    for line in reversed(state.lines):
        match line:
            case ast.Assign(targets=[ast.Name(id=target)], value=value) if target in state.names.made:
                if ast.dump(value) == text:
                    return target
            case _:
                pass
        if any(isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store) and n.id in reads for n in ast.walk(line)):
            return None
    return None


# ---------------------------------------------------------------- safe operands


def safe_operands(state: State, here: Here, expr: Apply | Call, values: list[Value]) -> list[Value]:
    """The operands of an operation, the one that may be out of its domain made safe outside the masks."""
    if not state.selected or not is_partial(expr):
        return values
    if isinstance(expr, Call):
        return [safe_array(state, here, expr, values[0]), *values[1:]]
    place, harmless = SAFE[expr.op]
    operand = values[place]
    if (
        operand.literal
        or is_fixed(state, expr.args[place])
        or (place == 1 and harmless == 1.0 and is_not_zero_outside(state, expr.args[place]))
    ):
        return values
    made = safe_operand(state, here, operand, literal(harmless))
    return [*values[:place], made, *values[place + 1 :]]


def safe_operand(state: State, here: Here, operand: Value, harmless: ast.expr) -> Value:
    mask = all_of(state, here, state.selected)
    assert mask is not None
    axes, own, (m, x) = aligned(state, here, [mask, operand])
    return Value(operations.select(m, x, harmless, operand.type), axes, own, operand.type)


def safe_array(state: State, here: Here, expr: Call, operand: Value) -> Value:
    """A vector of ones, an identity matrix."""
    if expr.function in SAFE_VECTORS:
        return safe_operand(state, here, operand, literal(1.0))
    assert isinstance(operand.type, ArrayType)
    return safe_operand(state, here, operand, call("jnp.eye", state.size(operand.type.shape[-1])))


def is_fixed(state: State, expr: Expr) -> bool:
    """A number that is given: it is the same for all elements, so none of them can be a masked one."""
    return isinstance(expr, Ref) and expr.name not in state.defined and expr.name not in state.cells


def is_not_zero_outside(state: State, expr: Expr) -> bool:
    """Is the value known not to be zero where the masks don't hold, because its own operand was made safe?"""
    match expr:
        case Apply(op="multiply", args=args):
            return all(is_not_zero_outside(state, a) or (isinstance(a, Const) and a.value != 0) for a in args)
        case Apply(op="square", args=(arg,)) | Cast(arg=arg):
            return is_not_zero_outside(state, arg)
        case Apply(op="power", args=(base, Const())) if is_not_zero_outside(state, base):
            return True
        case Apply(op=op):
            return op in NOT_ZERO and is_partial(expr)
        case Ref(name=identifier):
            return state.not_zero_outside.get(identifier) == outside(state)
        case _:
            return False


def outside(state: State) -> str:
    return " & ".join(sorted(ast.dump(m.node) for m in state.selected))
