import jax.numpy as jnp


def pair_sum(x):
    n = x.shape[0]
    m = x.shape[1]
    j = jnp.arange(n)
    i = jnp.arange(n)
    total = jnp.zeros(m)
    total = (
        total + jnp.sum(jnp.where((j > i[:, None])[:, :, None], x[:, None] + x, 0.0), axis=(0, 1))
    )
    return total
