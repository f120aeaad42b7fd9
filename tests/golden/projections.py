import jax.numpy as jnp
from jax import lax


def projections(C, Mi, C_new, Mi_new):
    pivots = jnp.abs(jnp.diagonal(lax.linalg.lu(C_new)[0], axis1=-2, axis2=-1))
    fault = ~(jnp.min(pivots, axis=-1) > 1e-13 * jnp.max(pivots, axis=-1))
    fault = fault | ~jnp.all(jnp.isfinite(Mi_new))
    W = jnp.linalg.solve(C_new, Mi_new)
    items = jnp.sum(-0.5 * Mi_new * W, axis=0)
    return (C_new, Mi_new, W, items), {}, jnp.stack([fault])
