import jax.numpy as jnp


def comprehension_filtered_by_data(x):
    n = x.shape[0]
    v = x
    chosen = v > 0.5
    items = v[jnp.nonzero(chosen, size=n, fill_value=0)[0]]
    count = jnp.sum(chosen)
    return items, count
