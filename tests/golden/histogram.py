import jax.numpy as jnp


def histogram(x, bins):
    fault = jnp.any(~(jnp.abs((x + 3.0) / 6.0 * jnp.float64(bins)) < 9.223372036854776e+18))
    b = ((x + 3.0) / 6.0 * jnp.float64(bins)).astype(jnp.int64)
    h = jnp.zeros(bins, dtype=jnp.int64)
    h = h.at[b].add(jnp.where((0 <= b) & (b < bins), 1, 0))
    return h, {}, jnp.stack([fault])
