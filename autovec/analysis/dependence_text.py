"""A dependence in words: `a[i - 1] reads what a[i] wrote in the iteration before`."""

from __future__ import annotations

from collections.abc import Hashable, Mapping

from autovec.analysis.model import Dependence, DependenceKind

VERBS = {
    DependenceKind.FLOW: ("reads", "wrote"),
    DependenceKind.ANTI: ("overwrites", "read"),
    DependenceKind.OUTPUT: ("overwrites", "wrote"),
}


def describe(dependence: Dependence, texts: Mapping[Hashable, str], loop: str | None = None) -> str:
    """What the sink does to what the source did, and when; `texts` by access key, `loop` the carrying loop's name."""
    sink = texts.get(dependence.sink_access.key, dependence.sink_access.cell)
    source = texts.get(dependence.source_access.key, dependence.source_access.cell)
    does, did = VERBS[dependence.kind]
    what = "it" if source == sink else source
    return f"{sink} {does} what {what} {did} {distance_text(dependence, loop)}"


def distance_text(dependence: Dependence, loop: str | None = None) -> str:
    """How long before the sink the source ran."""
    if dependence.level is None:
        return "earlier in the same iteration" if dependence.distance else "earlier"
    of_loop = f" of {loop}" if loop else ""
    match dependence.distance[dependence.level]:
        case None:
            return f"in an earlier iteration{of_loop}"
        case 1:
            return f"in the iteration{of_loop} before"
        case count:
            return f"{count} iterations{of_loop} before"
