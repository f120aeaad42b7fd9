from jax import lax


def prefix_sums(x, out):
    n = x.shape[0]

    def step(i, carry):
        s, out = carry
        s = s + x[i]
        out = out.at[i].set(s)
        return s, out

    s, out = lax.fori_loop(0, n, step, (0.0, out))
    return None, {"out": out}
