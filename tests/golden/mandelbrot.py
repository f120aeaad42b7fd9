import jax.numpy as jnp
from jax import lax


def mandelbrot(re, im, limit):
    m = re.shape[0]
    out = jnp.zeros(m, dtype=jnp.int64)

    def step(k, out):
        def going(carry):
            x, y, n, go = carry
            return go

        def step(carry):
            x, y, n, go = carry
            held = 2.0 * x * y + im[k]
            x = x * x - y * y + re[k]
            y = held
            n = n + 1
            go = go & ((n < limit) & (x * x + y * y < 4.0))
            return x, y, n, go

        x, y, n, go = lax.while_loop(
            going, step, (0.0, 0.0, 0, (0 < limit) & (0.0 * 0.0 + 0.0 * 0.0 < 4.0))
        )
        return out.at[k].set(n)

    out = lax.fori_loop(0, m, step, out)
    return out
