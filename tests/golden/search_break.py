import jax.numpy as jnp
from jax import lax


def search_break(x, t):
    n = x.shape[0]

    def going(carry):
        i, found, live = carry
        return (i < n) & live

    def step(carry):
        i, found, live = carry
        condition = x[i] > t
        found = jnp.where(condition, i, found)
        live = jnp.where(condition, False, live)
        return i + 1, found, live

    _, found, live = lax.while_loop(going, step, (0, -1, True))
    return found
