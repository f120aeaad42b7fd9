import jax.numpy as jnp
from jax import lax


def trisolv(n, L, x, b):
    x = b

    def step(i, x):
        return x.at[i].set((x[i] - jnp.sum(jnp.where(jnp.arange(n) < i, L[i] * x, 0.0))) / L[i, i])

    x = lax.fori_loop(0, n, step, x)
    return None, {"x": x}
