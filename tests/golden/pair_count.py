import jax.numpy as jnp


def pair_count(x, r):
    n = x.shape[0]
    j = jnp.arange(n)
    i = jnp.arange(n)
    count = jnp.sum((j > i[:, None]) & (jnp.sqrt(jnp.sum((x[:, None] - x) ** 2, axis=-1)) < r))
    return count
