import jax.numpy as jnp


def generator_sum(x, y):
    total = jnp.sum(x * y)
    return total
