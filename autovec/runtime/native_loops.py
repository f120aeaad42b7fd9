"""Loops over single numbers run as one native function on the CPU, however long their bodies are.

XLA's CPU compiler makes one function of a loop whose body touches less than about a kilobyte. Of a larger body it starts
every operation by itself: 2 us a trip where the work is 50 ns. It makes one function of a call, too, that says
`xla_cpu_small_call`, as its own pass does for the small loops.

In: a function as it is traced, under a jit. Out: the same function, whose outermost loops over small values are such
calls. Arrays of any size may be carried, as long as only elements and small pieces are read and stored. On another
platform, with a JAX that this wasn't tried with, or with `AUTOVEC_NATIVE_LOOPS=0` in the environment nothing changes:
the mark is no promise of XLA's.
"""

from __future__ import annotations

import functools
import math
import os
from collections.abc import Callable, Iterator
from typing import Any

SMALL = 64  # elements: whatever works on more is worth an operation of its own
FEW = 20  # operations: XLA makes one function of such a loop by itself
TRIED = ((0, 10), (0, 12))  # the first and last minor versions of JAX
ATTRIBUTES = {"xla_cpu_small_call": "true", "inlineable": "false"}

LOOPS = frozenset({"while", "scan"})
NESTED = LOOPS | {"cond", "jit", "pjit", "closed_call", "custom_jvp_call", "custom_vjp_call"}
PIECES = frozenset({"dynamic_slice", "gather", "slice"})  # read little of an array that may be large
ELEMENTWISE = frozenset(
    "abs acos acosh add and asin asinh atan atan2 atanh bitcast_convert_type cbrt ceil clamp complex conj"
    " convert_element_type cos cosh div eq erf erf_inv erfc exp exp2 expm1 floor ge gt imag integer_pow is_finite"
    " le lgamma log log1p logistic lt max min mul ne neg nextafter not or pow real rem round rsqrt select_n"
    " shift_left shift_right_arithmetic shift_right_logical sign sin sinh sqrt square stop_gradient sub tan tanh"
    " xor".split()
)
SHAPES = frozenset("broadcast_in_dim concatenate expand_dims iota pad reshape rev squeeze transpose".split())
FOLDS = frozenset("reduce_and reduce_max reduce_min reduce_or reduce_prod reduce_sum".split())
WHOLE = ELEMENTWISE | SHAPES | FOLDS  # go through all of their operands


def with_native_loops(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, to be jitted; what it is given that is no array stays as it is."""
    import jax
    import jax.extend as jex

    if not is_tried(jax.__version__):
        return function

    @functools.wraps(function)
    def traced(*arguments: Any) -> Any:
        if jax.default_backend() != "cpu":
            return function(*arguments)
        arrays = [k for k, a in enumerate(arguments) if isinstance(a, jax.Array)]

        def of_arrays(*given: Any) -> Any:
            every = list(arguments)
            for k, value in zip(arrays, given, strict=True):
                every[k] = value
            return function(*every)

        given = [arguments[k] for k in arrays]
        program, shapes = jax.make_jaxpr(of_arrays, return_shape=True)(*given)
        return jax.tree.unflatten(jax.tree.structure(shapes), jex.core.jaxpr_as_fun(replaced(program))(*given))

    return traced


def is_tried(version: str) -> bool:
    """Is it a JAX that is known to take such calls, and does nobody forbid them?"""
    release = tuple(int(part) for part in version.split(".")[:2])
    return TRIED[0] <= release <= TRIED[1] and os.environ.get("AUTOVEC_NATIVE_LOOPS", "1") != "0"


def with_calls(jaxpr: Any) -> Any:
    """The program with its outermost small loops in calls."""
    equations = [e for equation in jaxpr.eqns for e in equation_with_calls(equation)]
    same = len(equations) == len(jaxpr.eqns) and all(a is b for a, b in zip(equations, jaxpr.eqns, strict=True))
    return jaxpr if same else jaxpr.replace(eqns=equations)


def equation_with_calls(equation: Any) -> list[Any]:
    if equation.primitive.name in LOOPS and size_of(equation) > FEW and is_lasting(equation) and is_small(equation):
        return as_call(equation)
    if equation.primitive.name not in NESTED:
        return [equation]
    changed: dict[str, Any] = {}
    for key, value in equation.params.items():
        inside = replaced(value)
        if inside is not value:
            changed[key] = inside
    return [equation.replace(params={**equation.params, **changed}) if changed else equation]


def replaced(value: Any) -> Any:
    """A program inside an operation, or a tuple of them; the same object where nothing changes."""
    if isinstance(value, tuple):
        inside = tuple(map(replaced, value))
        return inside if any(a is not b for a, b in zip(inside, value, strict=True)) else value
    if not is_program(value):
        return value
    jaxpr = with_calls(value.jaxpr)
    if jaxpr is value.jaxpr:
        return value
    return jaxpr if value.jaxpr is value else value.replace(jaxpr=jaxpr)  # newer JAX has one kind of them


def is_program(value: Any) -> bool:
    return hasattr(value, "jaxpr") and hasattr(value, "consts")


def as_call(equation: Any) -> list[Any]:
    """A loop behind a call that is compiled as one function.

    XLA aborts where it has found out that such a function has no use for one of its arguments: it has one for each,
    whatever becomes of the loop. An array that the loop changes is in its results; of the others an element is.
    """
    import jax
    from jax import lax
    from jax.experimental.xla_metadata import set_xla_metadata

    inputs = list(dict.fromkeys(v for v in equation.invars if not is_literal(v)))
    changed = set(carried(equation))

    def loop(*values: Any) -> Any:
        known = dict(zip(inputs, values, strict=True))
        operands = [v.val if is_literal(v) else known[v] for v in equation.invars]
        used = [first(v) for k, v in known.items() if k not in changed or not k.aval.shape]
        return equation.primitive.bind(*operands, **equation.params), used

    def first(value: Any) -> Any:
        return lax.slice(value, (0,) * value.ndim, (1,) * value.ndim)

    def around(*values: Any) -> Any:
        values = lax.optimization_barrier(values)
        with set_xla_metadata(**ATTRIBUTES):
            results = jax.jit(loop, inline=False)(*values)
        return lax.optimization_barrier(results)[0]

    shapes = [jax.ShapeDtypeStruct(v.aval.shape, v.aval.dtype, weak_type=v.aval.weak_type) for v in inputs]
    made = jax.make_jaxpr(around)(*shapes).jaxpr
    names = {
        **dict(zip(made.invars, inputs, strict=True)),
        **dict(zip(made.outvars, equation.outvars, strict=True)),
    }
    return [
        e.replace(invars=[names.get(v, v) for v in e.invars], outvars=[names.get(v, v) for v in e.outvars])
        for e in made.eqns
    ]


def carried(equation: Any) -> list[Any]:
    """What a loop starts from, and changes."""
    if equation.primitive.name == "scan":
        skipped, count = scan_counts(equation)
        given = equation.invars[skipped : skipped + count]
    else:
        given = equation.invars[equation.params["cond_nconsts"] + equation.params["body_nconsts"] :]
    return [v for v in given if not is_literal(v)]


def scan_counts(equation: Any) -> tuple[int, int]:
    """How many operands of a scan are the same at each trip, and how many it changes; they come in this order."""
    if "num_consts" in equation.params:
        return equation.params["num_consts"], equation.params["num_carry"]
    constants, changed, _ = equation.params["ft_in"].unpack()  # newer JAX
    return len(constants), len(changed)


def is_literal(operand: Any) -> bool:
    return hasattr(operand, "val")


# ---------------------------------------------------------------- what is small


def size_of(equation: Any) -> int:
    """The number of operations in an operation."""
    return 1 + sum(size_of(e) for jaxpr in inside(equation) for e in jaxpr.eqns)


def is_lasting(equation: Any) -> bool:
    """Is it a loop of more than one trip, over something?"""
    if any(0 in v.aval.shape for v in (*equation.invars, *equation.outvars)) or all(map(is_literal, equation.invars)):
        return False
    return equation.primitive.name != "scan" or equation.params["length"] > 1


def is_small(equation: Any) -> bool:
    """Does an operation, with all that is inside it, touch little at a time, by means that a native function has?"""
    name = equation.primitive.name
    if name in NESTED:
        constants = all(map(has_small_constants, equation.params.values()))
        return constants and has_small_items(equation) and all(all(map(is_small, j.eqns)) for j in inside(equation))
    if name in WHOLE:
        return all(map(is_little, (*equation.invars, *equation.outvars)))
    if name in PIECES:
        return all(map(is_little, (*equation.outvars, *equation.invars[1:])))
    if name == "dynamic_update_slice":
        return all(map(is_little, equation.invars[1:]))
    if name == "scatter":  # one place; of several places XLA has no native form
        return math.prod(equation.invars[1].aval.shape[:-1]) == 1 and is_little(equation.invars[2])
    return False


def inside(equation: Any) -> Iterator[Any]:
    """The programs in an operation."""
    for value in equation.params.values():
        for one in value if isinstance(value, tuple) else (value,):
            if is_program(one):
                yield one.jaxpr


def has_small_constants(value: Any) -> bool:
    """Those of a program inside an operation."""
    return all(math.prod(getattr(c, "shape", ())) <= SMALL for c in getattr(value, "consts", ()))


def has_small_items(equation: Any) -> bool:
    """What a scan takes and gives at each trip is part of its work."""
    if equation.primitive.name != "scan":
        return True
    skipped, count = scan_counts(equation)
    body = equation.params["jaxpr"].jaxpr
    return all(map(is_little, (*body.invars[skipped + count :], *body.outvars[count:])))


def is_little(operand: Any) -> bool:
    return math.prod(operand.aval.shape) <= SMALL
