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
    for argument, before in zip(arguments, saved, strict=True):
        if isinstance(argument, np.ndarray) and isinstance(before, np.ndarray) and argument.flags.writeable:
            np.copyto(argument, before)
    return original(arguments), str(found)
