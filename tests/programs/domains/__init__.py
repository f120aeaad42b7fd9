"""Programs by domain, in plain loops, each with a small size to test and a large one to measure."""

from __future__ import annotations

from tests.programs.domains import (
    finance,
    graphs,
    integers,
    learning,
    life,
    numerics,
    physics,
    signals,
    statistics,
)

DOMAINS = {
    name: program
    for module in (physics, life, finance, statistics, learning, signals, integers, graphs, numerics)
    for name, program in module.PROGRAMS.items()
}
