import jax.numpy as jnp
from jax import lax


def durbin(n, r, y):
    y = y.at[0].set(-r[0])
    alpha = -r[0]
    z = jnp.zeros(n)

    def step(k, carry):
        beta, alpha, z, y = carry
        beta = (1.0 - alpha * alpha) * beta
        i = jnp.arange(n - 1)
        total = jnp.sum(jnp.where(i < k, r[k - i - 1] * y[:-1], 0.0))
        alpha = -(r[k] + total) / beta
        i_1 = jnp.arange(n - 1)
        z = z.at[:-1].set(jnp.where(i_1 < k, y[:-1] + alpha * y[k - i_1 - 1], z[:-1]))
        y = jnp.where(jnp.arange(n) < k, z, y)
        y = y.at[k].set(alpha)
        return beta, alpha, z, y

    beta, alpha, z, y = lax.fori_loop(1, n, step, (1.0, alpha, z, y))
    return None, {"y": y}
