import jax.numpy as jnp


def trmm(m, n, alpha, A, B):
    i = jnp.arange(m)
    total = jnp.einsum("ki,kj->ij", jnp.where((jnp.arange(m) > i[:, None]).T, A, 0.0), B)
    retry = ~jnp.all(jnp.isfinite(total))
    B = B + total
    B = alpha * B
    return None, {"B": B}, jnp.stack([retry])
