from jax import lax


def seidel_2d(tsteps, n, A):
    def step(t, A):
        def step(i, A):
            def step(j, A):
                new_A = (
                    (
                        A[i - 1, j - 1]
                        + A[i - 1, j]
                        + A[i - 1, j + 1]
                        + A[i, j - 1]
                        + A[i, j]
                        + A[i, j + 1]
                        + A[i + 1, j - 1]
                        + A[i + 1, j]
                        + A[i + 1, j + 1]
                    )
                    / 9.0
                )
                return A.at[i, j].set(new_A)

            return lax.fori_loop(1, n - 1, step, A)

        return lax.fori_loop(1, n - 1, step, A)

    A = lax.fori_loop(0, tsteps, step, A)
    return None, {"A": A}
