import jax
import jax.numpy as jnp
from jax import lax


def cholesky(n, A):
    def step(i, A):
        def step(j, A):
            new_A = (A[i, j] - jnp.sum(jnp.where(jnp.arange(n) < j, A[i] * A[j], 0.0))) / A[j, j]
            return A.at[i, j].set(new_A)

        A = lax.fori_loop(0, i, step, A)

        # loads first, behind a branch: stores among them would copy the array at every step
        def values():
            return jnp.sqrt(A[i, i] - jnp.sum(jnp.where(jnp.arange(n) < i, A[i] * A[i], 0.0)))

        new_A_1 = lax.cond(
            i >= 0, values, lambda: jax.tree.map(jnp.zeros_like, jax.eval_shape(values))
        )
        return A.at[i, i].set(new_A_1)

    A = lax.fori_loop(0, n, step, A)
    return None, {"A": A}
