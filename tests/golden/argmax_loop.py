import jax.numpy as jnp
from jax import lax


def argmax_loop(x):
    n = x.shape[0]
    best = x[0]

    def step(i, carry):
        best, where = carry
        condition = x[i] > best
        best = jnp.where(condition, x[i], best)
        where = jnp.where(condition, i, where)
        return best, where

    best, where = lax.fori_loop(1, n, step, (best, 0))
    return where, best
