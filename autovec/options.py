"""What a person may ask for when decorating: checked at once, immutable afterwards."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, fields
from typing import Literal

from autovec.diagnostics import AutovecError

Fallback = Literal["warn", "error", "silent"]
FALLBACKS: tuple[Fallback, ...] = ("warn", "error", "silent")

_UNITS = {"": 1, "b": 1}
for _power, _prefix in enumerate("kmgt", start=1):
    _UNITS[_prefix] = _UNITS[_prefix + "b"] = 1000**_power
    _UNITS[_prefix + "ib"] = 1024**_power
_AMOUNT = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([A-Za-z]*)\s*")


@dataclass(frozen=True, slots=True)
class Options:
    """How a function is rewritten.

    `fallback`: what to do where the original Python must run: "warn" once, raise an "error", or be "silent".
    `reassociate`: may sums be taken in another order? `memory_limit`: bytes that a temporary array may take, or None.
    `verify`: on the first three calls of a signature, run the original too and compare; on for all functions where the
    environment says AUTOVEC_VERIFY=1 when they are decorated.
    """

    fallback: Fallback = "warn"
    reassociate: bool = True
    memory_limit: int | None = None
    verify: bool = False

    @staticmethod
    def of(**given: object) -> Options:
        """Options from what a person wrote; raises `AutovecError` that lists what is valid."""
        names = [f.name for f in fields(Options)]
        for name in given:
            if name not in names:
                raise AutovecError(f"autovec has no option {name!r}; the options are {', '.join(names)}")
        fallback = given.get("fallback", "warn")
        if fallback not in FALLBACKS:
            raise AutovecError(f"fallback is one of {', '.join(map(repr, FALLBACKS))}, not {fallback!r}")
        return Options(
            fallback=FALLBACKS[FALLBACKS.index(fallback)],
            reassociate=_flag("reassociate", given.get("reassociate", True)),
            memory_limit=_bytes(given.get("memory_limit")),
            verify=_flag("verify", given.get("verify", False)) or _verify_all(),
        )


def _verify_all() -> bool:
    return os.environ.get("AUTOVEC_VERIFY", "") not in ("", "0")


def _flag(name: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise AutovecError(f"{name} is True or False, not {value!r}")
    return value


def _bytes(value: object) -> int | None:
    """A number of bytes from an int or a string such as "2GB" or "512 MiB"."""
    if value is None:
        return None
    amount = 0
    if isinstance(value, int) and not isinstance(value, bool):
        amount = value
    elif isinstance(value, str):
        match = _AMOUNT.fullmatch(value)
        if match and match[2].lower() in _UNITS:
            amount = int(float(match[1]) * _UNITS[match[2].lower()])
    if amount <= 0:
        raise AutovecError(
            f'memory_limit is a positive number of bytes or a string such as "2GB" or "512MiB", not {value!r}'
        )
    return amount
