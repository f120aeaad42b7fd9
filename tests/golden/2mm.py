import jax.numpy as jnp


def k2mm(ni, nj, nk, nl, alpha, beta, tmp, A, B, C, D):
    tmp = alpha * jnp.einsum("ik,kj->ij", A, B)
    D = D * beta
    D = D + jnp.einsum("ik,kj->ij", tmp, C)
    return None, {"tmp": tmp, "D": D}
