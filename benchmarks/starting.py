"""The programs that the project started from: as written, in eager JAX, under autovec, and as an expert writes them.

python benchmarks/starting.py [names] [--no-eager]
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable
from typing import Any

import jax
import numpy as np
from measuring import best, call, largest_error, milliseconds, row, statuses

from autovec import autovec
from tests.copying import copy_arguments
from tests.programs.registry import Program
from tests.programs.starting import EXPERTS, STARTING

WIDTHS = (25, 9, 9, 9, 9, 9, 9, 9, 9, 8)
HEADS = ["program", "numpy", "eager", "first", "autovec", "on jax", "expert", "speed-up", "/ expert", "error", "loops"]


def main() -> None:
    parser = argparse.ArgumentParser(description="the starting programs; times in ms, float64 throughout")
    parser.add_argument("names", nargs="*", metavar="program", help=f"of {', '.join(STARTING)}")
    parser.add_argument("--no-eager", action="store_true", help="leave out eager JAX, which takes seconds")
    options = parser.parse_args()
    unknown = [name for name in options.names if name not in STARTING]
    if unknown:
        parser.error(f"no program named {', '.join(unknown)}")
    print(row(HEADS, WIDTHS))
    for name in options.names or STARTING:
        print(row(measure(STARTING[name], not options.no_eager), WIDTHS), flush=True)


def measure(program: Program, with_eager: bool) -> list[str]:
    """The cells of one row; a form that fails has the error's name for a time."""
    args = program.make()[0]
    numpy, expected, _ = call(program.fn, args)
    numpy = min(numpy, best(program.fn, args))
    expert = EXPERTS.get(program.name)
    expert_time = best(expert, args) if expert else math.nan

    f = autovec(program.fn, fallback="silent")
    try:
        first, value, _ = call(f, args)
        warm, error, loops = best(f, args), f"{largest_error(expected, value):.1g}", statuses(f)
    except Exception as failure:
        first = warm = math.nan
        error, loops = "-", f"{type(failure).__name__}: {failure}".splitlines()[0]
    with jax.enable_x64(True):
        on_device = tuple(jax.numpy.asarray(a) if isinstance(a, np.ndarray) else a for a in copy_arguments(args))
        eager = attempt(lambda: call(program.fn, on_device)[0]) if with_eager else "-"
        on_jax = attempt(lambda: best(autovec(program.fn, fallback="silent"), on_device))
    times = [milliseconds(t) for t in (first, warm)]
    ratios = [f"{numpy / warm:.1f}", f"{warm / expert_time:.2f}"]
    return [program.name, milliseconds(numpy), eager, *times, on_jax, milliseconds(expert_time), *ratios, error, loops]


def attempt(measured: Callable[[], Any]) -> str:
    try:
        return milliseconds(measured())
    except Exception as error:
        return type(error).__name__[:9]


if __name__ == "__main__":
    main()
