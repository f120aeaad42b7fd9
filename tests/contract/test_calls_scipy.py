"""`scipy.special` in loops: by `jax.scipy.special`, for finite numbers; everything else of SciPy stays Python."""

from __future__ import annotations

import numpy as np
import pytest

from autovec import autovec
from tests.contract.tables import agree, written
from tests.generator.check import internal
from tests.same import assert_same

special = pytest.importorskip("scipy.special")

RANDOM = np.random.default_rng(5)
GIVEN = {
    "x": RANDOM.normal(size=(6, 5)),
    "k": RANDOM.integers(0, 4, (6, 5)),
    "f4": RANDOM.random((6, 5)).astype(np.float32),
}
CALLS = """
special.expit(x[i]) | special.expit(f4[i]) | special.logit(f4[i, 0]) | special.gammaln(x[i] + 5) | special.psi(x[i] + 5) | special.erf(x[i])
special.erfc(x[i, 1]) | special.erfinv(x[i] / 10) | special.ndtr(x[i]) | special.entr(abs(x[i])) | special.xlogy(k[i], abs(x[i]) + 1)
special.xlog1py(x[i], abs(x[0])) | special.betaln(abs(x[i]) + 1, 2.0) | special.logsumexp(x[i]) | special.softmax(x[i]) | special.i0e(x[i])
special.log_softmax(x, axis=1)[i]
"""


def test_special_functions() -> None:
    calls = [c.strip() for line in CALLS.strip().splitlines() for c in line.split(" | ")]
    agree(calls, GIVEN, ops=200, scale=1.0, names={"special": special})


@pytest.mark.parametrize(
    "call", ["special.cbrt(x[i])", "special.log1p(k[i])", "special.expit(x[i] / 0.0)", "special.jv(1, x[i])"]
)
def test_other_functions_are_the_originals(call: str) -> None:
    """The ufuncs of the same names as NumPy's have dtypes of their own."""
    f = autovec(
        written(f"def table(x, k):\n    return [{call} for i in range(len(x))]\n", special=special), fallback="silent"
    )
    assert_same(f, GIVEN["x"], GIVEN["k"], calls=1)
    assert internal(f) is None
