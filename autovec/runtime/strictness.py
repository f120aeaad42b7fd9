"""Would one of NumPy's floating-point warnings be an exception here? Then the original must run: it may raise."""

from __future__ import annotations

import warnings
from collections.abc import Callable

import numpy as np

# NumPy's own record of a changed error state: None where nobody changed it. Private, so it may be gone.
_state = getattr(getattr(getattr(np, "_core", None), "umath", None), "_extobj_contextvar", None)
_changed: Callable[[None], object] = getattr(_state, "get", lambda _: True)

# the list of filters that was judged last, its length and first entry, and the judgement
_judged: tuple[object, int, object, bool] = (None, 0, None, False)


def warnings_raise() -> bool:
    """True under `np.errstate(...="raise")`, `"call"`, or a warnings filter that makes errors of RuntimeWarning."""
    if _changed(None) is not None and not {"raise", "call", "print", "log"}.isdisjoint(np.geterr().values()):
        return True
    filters = warnings.filters
    seen, length, first, judgement = _judged
    if filters is seen and len(filters) == length and (not length or filters[0] is first):
        return judgement
    return _judge(filters)


def _judge(filters: object) -> bool:
    global _judged
    entries = list(warnings.filters)
    judgement = False
    for action, message, category, module, line in entries:
        if not issubclass(RuntimeWarning, category):
            continue
        if action == "error":
            judgement = True
            break
        if message is None and module is None and not line:
            break  # hides whatever comes after it
    _judged = (filters, len(entries), entries[0] if entries else None, judgement)
    return judgement
