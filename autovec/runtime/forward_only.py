"""Loops whose derivative exists in forward mode alone: who asks for it backwards is told which loop is in the way.

JAX can't go backwards through a loop whose number of trips it learns while it runs; its own message names none.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from autovec.diagnostics import AutovecError


def only_forward(results: Any, loop: str) -> Any:
    """The results of a loop as they are; their transposition raises an `AutovecError` that names the loop."""
    import jax
    import jax.numpy as jnp

    message = (
        f"no derivative in reverse mode through {loop}: how often it runs depends on the data. "
        "Use forward mode (jax.jvp, jax.jacfwd), or a for loop that ends by break"
    )
    mark = _primitive()
    return jax.tree.map(
        lambda x: mark.bind(x, message=message) if jnp.issubdtype(jnp.result_type(x), jnp.inexact) else x, results
    )


@cache
def _primitive() -> Any:
    """The identity, linear, without a transpose."""
    from jax.extend.core import Primitive
    from jax.interpreters import ad, batching, mlir

    mark: Any = Primitive("autovec_only_forward")

    def transposed(cotangent: Any, operand: Any, *, message: str) -> Any:
        raise AutovecError(message)

    def batched(operands: Any, axes: Any, *, message: str) -> Any:
        return mark.bind(operands[0], message=message), axes[0]

    mark.def_impl(lambda operand, *, message: operand)
    mark.def_abstract_eval(lambda operand, *, message: operand)
    mlir.register_lowering(mark, lambda context, operand, *, message: [operand])  # pyright: ignore
    batching.primitive_batchers[mark] = batched
    ad.deflinear2(mark, transposed)  # pyright: ignore
    return mark
