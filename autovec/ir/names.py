"""Names that nothing else has."""

from __future__ import annotations

MODULES = frozenset({"jax", "jnp", "lax", "np", "special"})  # what programs import


def fresh_name(hint: str, taken: set[str]) -> str:
    """The hint itself where it is free, else `hint_1`, `hint_2` ...; it is taken from now on."""
    name, k = hint, 1
    while name in taken:
        name, k = f"{hint}_{k}", k + 1
    taken.add(name)
    return name
