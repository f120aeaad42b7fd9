"""A loop over all pairs of rows, and its sisters that keep something: as written, in eager JAX, and decorated.

    python examples/pair_loop.py [--quick] [--plot FILE]

Prints what became of each loop and a table of times, and draws the times over the number of rows.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

import jax.numpy as jnp
import numpy as np

from autovec import autovec


def pair_loop(x):
    """Every pair is added and nothing kept."""
    for i in range(len(x)):
        for j in range(i + 1, len(x)):
            x[i] + x[j]
    return 0


def pair_sum(x):
    total = np.zeros(x.shape[1])
    for i in range(len(x)):
        for j in range(i + 1, len(x)):
            total = total + x[i] + x[j]
    return total


def pair_norms(x):
    total = 0.0
    for i in range(len(x)):
        for j in range(i + 1, len(x)):
            total += np.sqrt(((x[i] + x[j]) ** 2).sum())
    return total


def distances(x):
    n = len(x)
    d = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            d[i, j] = np.sqrt(((x[i] - x[j]) ** 2).sum())
    return d


def pair_list(x):
    return [x[i] + x[j] for i in range(len(x)) for j in range(i + 1, len(x))]


def close_pairs(x):
    count = 0
    for i in range(len(x)):
        for j in range(i + 1, len(x)):
            if np.sqrt(((x[i] - x[j]) ** 2).sum()) < 0.5:
                count += 1
    return count


FUNCTIONS = (pair_loop, pair_sum, pair_norms, distances, pair_list, close_pairs)


def seconds(call: Callable[[], object], budget: float = 0.3) -> float:
    """The least time of a call; a slow one is made once."""
    best, spent = float("inf"), 0.0
    while spent < budget:
        begin = perf_counter()
        call()
        took = perf_counter() - begin
        best, spent = min(best, took), spent + took
    return best


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--quick", action="store_true", help="smaller arrays, one point in the plot less")
    options.add_argument("--plot", default=Path(__file__).with_suffix(".png"), help="where the plot goes")
    chosen = options.parse_args()
    rows = 40 if chosen.quick else 100
    x = np.random.default_rng(0).random((rows, 3))

    decorated = {fn.__name__: autovec(fn) for fn in FUNCTIONS}
    print(f"{rows} x 3 array; milliseconds a call\n")
    print(f"{'':12}{'NumPy':>10}{'autovec':>10}{'speed-up':>10}")
    for fn in FUNCTIONS:
        fast = decorated[fn.__name__]
        same = np.allclose(np.asarray(fast(x)), np.asarray(fn(x)))
        slow, warm = seconds(lambda fn=fn: fn(x)), seconds(lambda fast=fast: fast(x))
        said = "" if same else "  DIFFERENT"
        print(f"{fn.__name__:12}{1e3 * slow:10.3f}{1e3 * warm:10.3f}{slow / warm:9.0f}x{said}")
        assert same

    y = jnp.asarray(x)
    decorated["pair_loop"](y)
    eager = seconds(lambda: pair_loop(y))
    warm = seconds(lambda: decorated["pair_loop"](y))
    print(
        f"\npair_loop on a jax.Array: eager {1e3 * eager:.0f} ms, decorated {1e3 * warm:.4f} ms, {eager / warm:.0f}x\n"
    )
    print(decorated["pair_loop"].report())
    print(decorated["distances"].report())
    print(decorated["distances"].source)

    sizes = (10, 20, 40) if chosen.quick else (10, 30, 100, 300)
    draw(chosen.plot, sizes, decorated["distances"])


def draw(file: str | Path, sizes: tuple[int, ...], decorated: Callable[[np.ndarray], np.ndarray]) -> None:
    """Times of `distances` over the number of rows, both axes logarithmic."""
    try:
        import matplotlib
    except ImportError:
        print("no plot: pip install '.[examples]' in a clone brings matplotlib")
        return
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    arrays = [np.random.default_rng(n).random((n, 3)) for n in sizes]
    for x in arrays:
        decorated(x)  # the first call of each size compiles
    figure, axes = plt.subplots(figsize=(6, 4), layout="constrained")
    for label, function in (("as written", distances), ("decorated", decorated)):
        axes.loglog(sizes, [1e3 * seconds(lambda f=function, x=x: f(x), 0.1) for x in arrays], "o-", label=label)
    axes.set(xlabel="rows", ylabel="milliseconds a call", title="distances between all rows")
    axes.set_xticks(sizes, [str(n) for n in sizes])
    axes.minorticks_off()
    axes.legend()
    figure.savefig(file, dpi=120)
    print(f"wrote {file}")


if __name__ == "__main__":
    main()
