import jax.numpy as jnp


def correlation(m, n, float_n, data, corr, mean, stddev):
    mean = jnp.sum(data, axis=0)
    mean = mean / float_n
    stddev = jnp.sum((data - mean) * (data - mean), axis=0)
    stddev = stddev / float_n
    stddev = jnp.sqrt(stddev)
    stddev = jnp.where(stddev <= 0.1, 1.0, stddev)
    data = data - mean
    data = data / (jnp.sqrt(float_n) * stddev)
    i = jnp.arange(m - 1)
    corr = corr.at[i, i].set(1.0)
    j = jnp.arange(m)
    corr = corr.at[:-1].set(jnp.where(j > i[:, None], 0.0, corr[:-1]))
    corr = corr.at[:-1].set(
        jnp.where(
            j > i[:, None], corr[:-1] + jnp.einsum("ki,kj->ij", data[:, :-1], data), corr[:-1]
        )
    )
    corr = corr.at[:, :-1].set(jnp.where(j > i[:, None], corr[:-1], corr[:, :-1].T).T)
    corr = corr.at[m - 1, m - 1].set(1.0)
    return None, {"data": data, "corr": corr, "mean": mean, "stddev": stddev}
