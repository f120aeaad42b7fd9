"""A list comprehension after linear algebra: as written, as an expert would write it in NumPy, and decorated.

    python examples/comprehension.py [--quick] [--plot FILE]

The function preallocates what it never uses, inverts where it could solve, and takes one dot product a column.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

import numpy as np

from autovec import autovec


def weights(C, Mi, C_new, Mi_new):
    W = np.zeros(Mi_new.shape, dtype=Mi_new.dtype)
    responses = np.zeros(len(Mi[0]))
    W = np.dot(np.linalg.inv(C_new), Mi_new)
    responses = [np.dot(-0.5 * Mi_new[:, m].conj().T, W[:, m]) for m in range(0, len(Mi[0]))]
    return C_new, Mi_new, W, responses


def expert(C, Mi, C_new, Mi_new):
    W = np.linalg.solve(C_new, Mi_new)
    return C_new, Mi_new, W, list(-0.5 * (Mi_new.conj() * W).sum(0))


def inputs(n: int, new: int, m: int = 8) -> tuple[np.ndarray, ...]:
    """Two symmetric positive matrices and their right-hand sides."""
    random = np.random.default_rng(0)

    def matrix(size: int) -> np.ndarray:
        half = random.random((size, size))
        return half @ half.T + size * np.eye(size)

    return matrix(n), random.random((n, m)), matrix(new), random.random((new, m))


def seconds(call: Callable[[], object], budget: float = 0.3) -> float:
    best, spent = float("inf"), 0.0
    while spent < budget:
        begin = perf_counter()
        call()
        took = perf_counter() - begin
        best, spent = min(best, took), spent + took
    return best


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--quick", action="store_true", help="smaller arrays")
    options.add_argument("--plot", default=Path(__file__).with_suffix(".png"), help="where the plot goes")
    chosen = options.parse_args()
    arguments = inputs(100, 40) if chosen.quick else inputs(483, 198)

    decorated = autovec(weights)
    wanted, got = weights(*arguments), decorated(*arguments)
    assert got[0] is arguments[2] and got[1] is arguments[3]
    assert np.allclose(got[2], wanted[2]) and np.allclose(got[3], wanted[3])
    assert isinstance(got[3], list) and all(type(a) is type(b) for a, b in zip(got[3], wanted[3], strict=True))

    named = {"as written": weights, "expert's NumPy": expert, "decorated": decorated}
    times = {name: seconds(lambda f=function: f(*arguments)) for name, function in named.items()}
    print("milliseconds a call\n")
    for name, took in times.items():
        print(f"{name:16}{1e3 * took:9.3f}{times['as written'] / took:8.2f}x")
    print()
    print(decorated.report())
    print(decorated.source)
    draw(chosen.plot, times)


def draw(file: str | Path, times: dict[str, float]) -> None:
    """The three times as bars."""
    try:
        import matplotlib
    except ImportError:
        print("no plot: pip install '.[examples]' in a clone brings matplotlib")
        return
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(6, 2.5), layout="constrained")
    bars = axes.barh(list(times), [1e3 * took for took in times.values()])
    axes.bar_label(bars, fmt="%.3g", padding=3)
    axes.margins(x=0.15)
    axes.invert_yaxis()
    axes.set(xlabel="milliseconds a call")
    figure.savefig(file, dpi=120)
    print(f"wrote {file}")


if __name__ == "__main__":
    main()
