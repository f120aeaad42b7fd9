"""Functions of whole arrays as JAX expressions, with or without leading batch axes.

    sum(a), axis (0,)           -->    jnp.sum(a)                          batched:  jnp.sum(a, axis=-1)
    matmul(a, v)                -->    a @ v                               batched:  jnp.einsum('...ij,...j->...i', a, v)
    kron(a, b)                  -->    jnp.kron(a, b)                      batched:  jax.vmap(lambda u, v: ...)(a, b)

A batched operand has `batch_rank` more axes in front of its own, the same ones for all; the result has them too.
Axes are counted from the end, so that most functions take a batch as they are; the rest go through `jax.vmap`.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from autovec.emit.operations import arranging, contractions, named, reducing
from autovec.emit.operations.nodes import call as call_node
from autovec.emit.operations.operand import Operands
from autovec.ir.affine import Affine
from autovec.ir.types import Type

Rule = Callable[[Operands], "ast.expr | None"]
FRESH = ("u", "v", "w", "p", "q", "r", "s", "t", "z", "y", "x")


@dataclass(frozen=True, slots=True)
class Rules:
    plain: Mapping[str, Rule]  # without a batch
    batched: Mapping[str, Rule]  # with one, where the rule knows how; None or missing: vmap


RULES = Rules(
    {**reducing.PLAIN, **arranging.PLAIN, **contractions.PLAIN, **named.PLAIN},
    {**reducing.BATCHED, **arranging.BATCHED, **contractions.BATCHED, **named.BATCHED},
)


def call(
    function: str,
    args: Sequence[ast.expr],
    arg_types: Sequence[Type],
    statics: Mapping[str, object],
    type: Type,
    batch: Sequence[bool],
    batch_rank: int,
    *,
    size: Callable[[Affine], ast.expr],
) -> ast.expr | None:
    """The call as an expression; None where there is no rule for the function."""
    plain = RULES.plain.get(function)
    if plain is None:
        return None
    given = Operands(list(args), list(arg_types), dict(statics), type, list(batch), batch_rank, size)
    if not given.is_batched:
        return plain(given)
    rule = RULES.batched.get(function)
    made = rule(given) if rule is not None else None
    return made if made is not None else mapped(plain, given)


def mapped(rule: Rule, given: Operands) -> ast.expr | None:
    """`jax.vmap(lambda u: <the plain form>)(a)`, once for each batch axis; operands without one are closed over."""
    inner = [ast.Name("", ast.Load()) if b else a for a, b in zip(given.args, given.batch, strict=True)]
    taken = {n.id for a in given.args for n in ast.walk(a) if isinstance(n, ast.Name)}
    for s in given.type.shape + tuple(s for t in given.types for s in t.shape):
        taken |= {n.id for n in ast.walk(given.size(s)) if isinstance(n, ast.Name)}
    names = iter([n for n in FRESH if n not in taken] + [f"u{k}" for k in range(len(inner))])
    parameters = [next(names) for b in given.batch if b]
    fresh = iter(parameters)
    inner = [ast.Name(next(fresh), ast.Load()) if b else a for a, b in zip(inner, given.batch, strict=True)]
    body = rule(given.unbatched(inner))
    if body is None:
        return None
    arguments = ast.arguments([], [ast.arg(p) for p in parameters], None, [], [], None, [])
    function: ast.expr = ast.Lambda(arguments, body)
    for _ in range(given.batch_rank):
        function = call_node("jax.vmap", function)
    return ast.Call(function, [a for a, b in zip(given.args, given.batch, strict=True) if b], [])
