"""Functions of JAX written under their own names: the frontend has asked NumPy what comes out.

named("jnp.percentile", a, 30)    -->    jnp.percentile(a, 30)      batched:  jax.vmap(lambda u: jnp.percentile(u, 30))(a)
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from autovec.emit.operations.casts import astype
from autovec.emit.operations.nodes import call, literal
from autovec.emit.operations.operand import Operands
from autovec.ir.affine import Affine
from autovec.ir.types import rank

Rule = Callable[[Operands], "ast.expr | None"]


def named(given: Operands) -> ast.expr:
    """The call as the person wrote it: operands and constants in their order, cast to NumPy's dtype."""
    layout, function = given.statics["layout"], given.statics["function"]
    assert isinstance(layout, tuple) and isinstance(function, str)
    positional: list[ast.expr] = []
    words: dict[str, ast.expr] = {}
    for word, is_operand, value in layout:
        node = given.args[value] if is_operand else given.size(value) if isinstance(value, Affine) else literal(value)
        if word:
            words[word] = node
        else:
            positional.append(node)
    made: ast.expr = call(function, *positional, **words)
    part = given.statics["part"]
    if part is not None:
        made = ast.Subscript(made, literal(part), ast.Load())
    dtype = given.type.dtype
    sure = dtype.kind == "b" or (dtype.kind in "fc" and any(t.dtype == dtype for t in given.types))
    return made if sure else astype(made, dtype)


def batched(given: Operands) -> ast.expr | None:
    """Elementwise functions take a batch as they are."""
    if given.statics["elementwise"] and given.all_batched and len({rank(t) for t in given.types}) == 1:
        return named(given)
    return None


PLAIN: dict[str, Rule] = {"named": named}
BATCHED: dict[str, Rule] = {"named": batched}
