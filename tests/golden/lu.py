import jax.numpy as jnp
from jax import lax


def lu(n, A):
    def step(i, A):
        def step(j, A):
            def step(k, total):
                return total - A[i, k] * A[k, j]

            return A.at[i, j].set(lax.fori_loop(0, j, step, A[i, j]) / A[j, j])

        A = lax.fori_loop(0, i, step, A)
        j = jnp.arange(n)
        k = jnp.arange(n)
        new_A = jnp.where(
            j >= i,
            A[i] - jnp.sum(jnp.where((k < i)[:, None], A[i, :, None] * A, 0.0), axis=0),
            A[i],
        )
        return A.at[i].set(new_A)

    A = lax.fori_loop(0, n, step, A)
    return None, {"A": A}
