import jax.numpy as jnp


def relu(x, out):
    condition = x > 0.0
    out = jnp.where(condition, x, out)
    out = jnp.where(jnp.logical_not(condition), 0.0, out)
    return None, {"out": out}
