"""PolyBench: each kernel at its large size, Python loops against autovec, and against Numba where asked.

python benchmarks/polybench.py                  all thirty
python benchmarks/polybench.py gemm lu --numba  these two, with Numba beside
"""

from __future__ import annotations

import argparse
import math
from typing import Any

from measuring import best, call, geometric_mean, largest_error, milliseconds, row, statuses

from autovec import autovec
from tests.programs.polybench import KERNELS, Kernel

WIDTHS = (15, 5, 9, 9, 9, 8, 8)
WIDTHS_WITH_NUMBA = (*WIDTHS[:5], 9, *WIDTHS[5:])


def main() -> None:
    parser = argparse.ArgumentParser(description="PolyBench kernels: Python, autovec, Numba; times in ms")
    parser.add_argument("names", nargs="*", metavar="kernel", help=f"of {', '.join(KERNELS)}")
    parser.add_argument("--numba", action="store_true", help="time numba.njit too")
    parser.add_argument("--scale", type=float, default=1.0, help="multiply the sizes by this")
    options = parser.parse_args()
    unknown = [name for name in options.names if name not in KERNELS]
    if unknown:
        parser.error(f"no kernel named {', '.join(unknown)}")
    numba, widths = (["numba"], WIDTHS_WITH_NUMBA) if options.numba else ([], WIDTHS)
    print(row(["kernel", "n", "python", "first", "warm", *numba, "speed-up", "error", "loops"], widths))
    speedups, against_numba = [], []
    for kernel in (KERNELS[name] for name in options.names or KERNELS):
        cells, speedup, ratio = measure(kernel, max(1, int(kernel.large * options.scale)), options.numba)
        print(row(cells, widths), flush=True)
        speedups.append(speedup)
        against_numba.append(ratio)
    done = finite(speedups)
    print(f"\ngeometric mean of the speed-ups: {geometric_mean(done):.1f} ({len(done)} of {len(speedups)} kernels)")
    if options.numba:
        print(f"geometric mean of Numba's time over autovec's: {geometric_mean(finite(against_numba)):.2f}")


def finite(ratios: list[float]) -> list[float]:
    return [r for r in ratios if not math.isnan(r)]


def measure(kernel: Kernel, n: int, with_numba: bool) -> tuple[list[str], float, float]:
    """The cells of one kernel's row, its speed-up, and Numba's time over autovec's (NaN where there is none)."""
    args = kernel.make(n)
    python, _, expected = min((call(kernel.fn, args) for _ in range(2)), key=lambda run: run[0])
    numba = numba_time(kernel, args) if with_numba else math.nan
    numba_cell = [milliseconds(numba)] if with_numba else []
    f = autovec(kernel.fn, fallback="silent")
    try:
        first, _, actual = call(f, args)
        warm = best(f, args)
    except Exception as error:  # a table with a hole says more than a traceback
        failure = f"{type(error).__name__}: {error}".splitlines()[0]
        return [kernel.name, str(n), milliseconds(python), "-", "-", *numba_cell, "-", "-", failure], math.nan, math.nan
    error = largest_error(expected, actual)
    times = [milliseconds(t) for t in (python, first, warm)]
    cells = [kernel.name, str(n), *times, *numba_cell, f"{python / warm:.1f}", f"{error:.1g}", statuses(f)]
    return cells, python / warm, numba / warm


def numba_time(kernel: Kernel, args: tuple[Any, ...]) -> float:
    import numba

    compiled = numba.njit(kernel.fn)
    try:
        call(compiled, args)
    except numba.core.errors.NumbaError:
        return math.nan
    return best(compiled, args)


if __name__ == "__main__":
    main()
