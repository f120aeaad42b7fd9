import jax.numpy as jnp
from jax import lax


def edit_distance(s, t):
    n = s.shape[0]
    m = t.shape[0]
    d = jnp.zeros((n + 1, m + 1), dtype=jnp.int64)
    d = d.at[:, 0].set(jnp.arange(n + 1))
    d = d.at[0].set(jnp.arange(m + 1))

    def step(i, d):
        def step(j, d):
            cost = jnp.where(s[i - 1] == t[j - 1], 0, 1)
            new_d = jnp.where(
                d[i - 1, j - 1] + cost
                < jnp.where(d[i, j - 1] + 1 < d[i - 1, j] + 1, d[i, j - 1] + 1, d[i - 1, j] + 1),
                d[i - 1, j - 1] + cost,
                jnp.where(d[i, j - 1] + 1 < d[i - 1, j] + 1, d[i, j - 1] + 1, d[i - 1, j] + 1),
            )
            return d.at[i, j].set(new_d)

        return lax.fori_loop(1, m + 1, step, d)

    d = lax.fori_loop(1, n + 1, step, d)
    return d[n, m]
