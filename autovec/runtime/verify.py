"""The original beside the rewrite, on copies: for a person who wants to see for themselves before trusting.

What goes in is a way to run each and the arguments; what comes out is the answer, and where they differed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autovec.report.agreement import agreement
from autovec.report.copies import fresh


def verified(
    rewritten: Callable[..., Any],
    original: Callable[[Sequence[object]], Any],
    arguments: Sequence[object],
    miss: object,
) -> tuple[Any, str]:
    """The answer, and a description of the differences ("" where there are none).

    Where they differ the arguments are put back as they were, and the answer (or the exception) is the original's.
    `rewritten` answers `miss` for a call that it doesn't serve.
    """
    copies, saved = list(fresh(tuple(arguments))), list(fresh(tuple(arguments)))
    answer = rewritten(*arguments)
    if answer is miss:
        return answer, ""
    expected: object = None
    error: Exception | None = None
    try:
        expected = original(copies)
    except Exception as raised:
        error = raised
    found = agreement((expected, copies, error), (answer, list(arguments), None))
    if found.holds:
        return answer, ""
    _put_back(list(arguments), saved)
    return original(arguments), str(found)


def _put_back(now: object, before: object) -> object:
    """What `now` was: itself with its old contents where it can be written to, else the old value."""
    if type(now) is not type(before):
        return before
    if isinstance(now, np.ndarray) and isinstance(before, np.ndarray):
        if now.shape != before.shape or not now.flags.writeable:
            return now
        np.copyto(now, before)
        return now
    if isinstance(now, list) and isinstance(before, list):
        kept = [_put_back(a, b) for a, b in zip(now, before, strict=False)]
        now[:] = [*kept, *before[len(kept) :]]
        return now
    if isinstance(now, tuple) and isinstance(before, tuple):
        for a, b in zip(now, before, strict=True):
            _put_back(a, b)
        return now
    if isinstance(now, dict) and isinstance(before, dict):
        old = {k: _put_back(now[k], v) if k in now else v for k, v in before.items()}
        now.clear()
        now.update(old)
        return now
    if hasattr(now, "__dict__") and not isinstance(now, type) and not callable(now):
        _put_back(vars(now), vars(before))
        return now
    return before
