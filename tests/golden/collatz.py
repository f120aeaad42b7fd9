import jax.numpy as jnp
from jax import lax


def collatz(n):
    def going(carry):
        n_1, steps, go, fault = carry
        return go & ~fault

    def step(carry):
        n_1, steps, go, fault = carry
        condition = n_1 % 2 == 0
        n_1 = jnp.where(condition, n_1 // 2, n_1)
        fault = (
            fault
            | jnp.logical_not(condition)
            & (jnp.abs(3.0 * jnp.float64(n_1)) >= 4.611686018427388e+18)
        )
        n_1 = jnp.where(jnp.logical_not(condition), 3 * n_1 + 1, n_1)
        steps = steps + 1
        go = go & (n_1 != 1)
        return n_1, steps, go, fault

    n_1, steps, go, fault = lax.while_loop(going, step, (n, 0, n != 1, False))
    return steps, {}, jnp.stack([fault])
