"""The person's x64 setting: read, and left as it is."""

from __future__ import annotations


def x64_enabled() -> bool:
    """Does JAX use 64-bit dtypes in this thread, outside autovec's own calls?"""
    import jax

    return bool(jax.config.jax_enable_x64)  # pyright: ignore[reportAttributeAccessIssue]


def is_tracing() -> bool:
    """Is a JAX trace of the person's own under way in this thread?"""
    import jax.numpy as jnp
    from jax.core import Tracer

    return isinstance(jnp.zeros(()), Tracer)
