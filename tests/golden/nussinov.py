import jax.numpy as jnp
from jax import lax


def nussinov(n, seq, table):
    def step(trip, table):
        i = n - 1 - trip

        def step(j, table):
            new_table = jnp.where(table[i, j - 1] > table[i, j], table[i, j - 1], table[i, j])
            new_table_1 = jnp.where(table[i + 1, j] > new_table, table[i + 1, j], new_table)
            pair = jnp.where(seq[i] + seq[j] == 3, 1, 0)
            new_table_2 = jnp.where(
                i < j - 1,
                jnp.where(
                    table[i + 1, j - 1] + pair > new_table_1,
                    table[i + 1, j - 1] + pair,
                    new_table_1,
                ),
                new_table_1,
            )
            new_table_3 = jnp.where(
                i >= j - 1,
                jnp.where(table[i + 1, j - 1] > new_table_2, table[i + 1, j - 1], new_table_2),
                new_table_2,
            )

            def step(k, best):
                return jnp.where(
                    table[i, k] + table[k + 1, j] > best, table[i, k] + table[k + 1, j], best
                )

            return table.at[i, j].set(lax.fori_loop(i + 1, j, step, new_table_3))

        return lax.fori_loop(i + 1, n, step, table)

    table = lax.fori_loop(0, n, step, table)
    return None, {"table": table}
