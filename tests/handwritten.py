"""Programs as the emitter would write them, by hand, and a pipeline that hands them out: for tests of the runtime."""

from __future__ import annotations

import sys
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from autovec.emit.program import ArrayOut, Flag, Out, Program, ScalarOut
from autovec.ir.affine import Affine
from autovec.ir.nodes import Param, Role, Size
from autovec.ir.types import FLOAT, INT, ArrayType, numpy_kind, numpy_scalar
from autovec.runtime.rewrite import Guard, Rewrite

F8 = np.dtype(np.float64)
HEAD = "import jax\nimport jax.numpy as jnp\nfrom jax import lax\n\n\n"


def array(name: str, *sizes: str, dtype: object = F8) -> Param:
    return Param(name, ArrayType(np.dtype(dtype), tuple(Affine.name(s) for s in sizes)), Role.ARRAY)


def scalar(name: str, type=FLOAT) -> Param:
    return Param(name, type, Role.SCALAR)


def integer(name: str) -> Param:
    return Param(name, INT, Role.SIZE)


def numpy(name: str, dtype: object) -> Param:
    return Param(name, numpy_scalar(np.dtype(dtype)), Role.SCALAR)


def np_float(dtype: object = F8) -> ScalarOut:
    return ScalarOut((numpy_kind(np.dtype(dtype)),))


def size(name: str, *origins: tuple[str, int | None], value: int = 5) -> Size:
    return Size(name, origins, value)


def program(
    text: str,
    *parameters: Param,
    returns: Out | None = None,
    sizes: tuple[Size, ...] = (),
    writes: tuple[str, ...] = (),
    flags: tuple[Flag, ...] = (),
    static: tuple[str, ...] = (),
) -> Program:
    """The text defines the function `p`."""
    return Program("p", HEAD + text, parameters, static, sizes, returns or ArrayOut(), writes, flags)


@dataclass
class FakePipeline:
    """Answers like `autovec.pipeline`: `make` gives the rewrite for the arguments; calls are kept."""

    make: Callable[[Mapping[str, object]], Rewrite]
    calls: list[Mapping[str, object]] = field(default_factory=list)

    def rewrite(self, source, arguments, options):
        self.calls.append(dict(arguments))
        return self.make(arguments)

    def guess(self, source, options):
        return self.make({})


def install(monkeypatch, fake: FakePipeline) -> FakePipeline:
    """Put it in the place of the real pipeline."""
    import autovec

    module = types.ModuleType("autovec.pipeline")
    module.rewrite, module.guess = fake.rewrite, fake.guess
    monkeypatch.setitem(sys.modules, "autovec.pipeline", module)
    monkeypatch.setattr(autovec, "pipeline", module, raising=False)
    return fake


def serving(monkeypatch, made: Program | Rewrite) -> FakePipeline:
    """A pipeline that answers everything with this program."""
    rewrite = made if isinstance(made, Rewrite) else Rewrite(made)
    return install(monkeypatch, FakePipeline(lambda arguments: rewrite))


__all__ = [
    "F8", "FakePipeline", "Guard", "array", "install", "integer", "np_float", "numpy", "program", "scalar", "serving",
    "size",
]  # fmt: skip
