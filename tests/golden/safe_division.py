import jax.numpy as jnp


def safe_division(x, y, out):
    out = jnp.where(y != 0.0, x / jnp.where(y != 0.0, y, 1.0), 0.0)
    return None, {"out": out}
