"""`scipy.special`, where the person has imported it: functions that `jax.scipy.special` has too, of finite numbers.

special.expit(x)    -->    special.expit(x)      (from jax.scipy import special)
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache, partial

from autovec.frontend.calls.asked import Asked, ask
from autovec.frontend.calls.lowered import Lowered
from autovec.frontend.calls.named_functions import of_finite

OTHER_NAMES = {"psi": "digamma"}
PARAMETERS = {
    **dict.fromkeys("expit logit gammaln digamma erf erfc erfinv ndtr entr i0e i1e".split(), "x"),
    **dict.fromkeys("xlogy xlog1py betaln".split(), "x y"),
    "logsumexp": "a axis",
    "softmax": "x axis",
    "log_softmax": "x axis",
}


def rule_for(function: object) -> Callable[..., Lowered] | None:
    """The rule for a function of SciPy; None for everything else, and where SciPy isn't loaded."""
    name = getattr(function, "__name__", "")
    name = OTHER_NAMES.get(name, name)
    if name not in PARAMETERS or getattr(sys.modules.get("scipy.special"), name, None) is not function:
        return None
    return rule(name, function)  # type: ignore[arg-type]


@cache
def rule(name: str, function: Callable[..., object]) -> Callable[..., Lowered]:
    operands = " ".join(p for p in PARAMETERS[name].split() if p != "axis")
    return partial(
        ask,
        Asked(
            function,
            PARAMETERS[name],
            operands,
            name=f"special.{name}",
            cast=operands,
            elementwise="axis" not in PARAMETERS[name],
            faults=of_finite(*operands.split()),
        ),
    )
