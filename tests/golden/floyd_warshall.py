import jax.numpy as jnp
from jax import lax


def floyd_warshall(n, path):
    def step(k, carry):
        path, retry = carry
        retry = retry | ~((path[k, k] >= 0.0) & (path[k, k] < jnp.inf))
        path = jnp.where(path < path[:, k, None] + path[k], path, path[:, k, None] + path[k])
        return path, retry

    path, retry = lax.fori_loop(0, n, step, (path, False))
    return None, {"path": path}, jnp.stack([retry])
