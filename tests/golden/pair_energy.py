import jax.numpy as jnp


def pair_energy(x):
    n = x.shape[0]
    inside = jnp.arange(n) > jnp.arange(n)[:, None]
    total = jnp.sum(
        jnp.where(
            inside,
            1.0 / jnp.sqrt(jnp.where(inside, jnp.sum((x[:, None] - x) ** 2, axis=-1), 1.0)),
            0.0,
        )
    )
    return total
