"""What a function has to say to its user: each thing once, at the caller's line, as the options ask."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

from autovec.diagnostics import AutovecError, AutovecWarning, Blocked
from autovec.options import Options

_OURS = (str(Path(__file__).resolve().parent.parent), "<autovec ")


class Notices:
    """The warnings of one decorated function. A thing said is not said again."""

    def __init__(self, name: str, file: str, line: int, options: Options) -> None:
        self._name = name
        self._place = f"{file}:{line}: " if file else ""
        self._options = options
        self._said: set[tuple[object, ...]] = set()

    def say(self, blocked: Blocked, what: str = "") -> None:
        """Warn that the original runs, and why; under `fallback="error"` raise instead, each time.

        `what` of the function it is that runs, where it isn't the whole.
        """
        if self._options.fallback == "error":
            raise AutovecError(self.text(blocked, what))
        self.mention(blocked, what)

    def mention(self, blocked: Blocked, what: str = "") -> None:
        """Warn, and never raise: for what a person cannot change in the code, such as a data-dependent fault."""
        key = (blocked.code, blocked.span, blocked.construct)
        if key in self._said:
            return
        self._said.add(key)
        if self._options.fallback != "silent":
            warnings.warn(self.text(blocked, what), AutovecWarning, stacklevel=_caller())

    def text(self, blocked: Blocked, what: str = "") -> str:
        place = f"{blocked.span}: " if blocked.span is not None else self._place
        remedy = f" To change that: {blocked.remedy}." if blocked.remedy else ""
        return f"{place}{what}{self._name} runs as ordinary Python ({blocked.code.value}): {blocked.construct}.{remedy}"


def _caller() -> int:
    """How many frames above the one that calls this the person's own code is."""
    level = 1
    frame = sys._getframe(1)  # pyright: ignore[reportPrivateUsage]
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_OURS):
        frame = frame.f_back
        level += 1
    return level
