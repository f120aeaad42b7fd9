"""The programs that are changed: those of `tests/programs`, each with arguments small enough to run them often."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from tests.programs.domains import DOMAINS
from tests.programs.domains.maker import Maker
from tests.programs.loops import PROGRAMS
from tests.programs.polybench import KERNELS
from tests.programs.starting import STARTING

KERNEL_SIZES = (5, 2, 1)


@dataclass(frozen=True, slots=True)
class Source:
    """`make()` gives argument tuples: a normal one first."""

    fn: Callable[..., Any]
    make: Callable[[], list[tuple[Any, ...]]]

    def text(self) -> str:
        """The function alone, without docstring and decorators; memory that it allocates has known values."""
        text = textwrap.dedent(inspect.getsource(self.fn)).replace("np.empty", "np.zeros")
        (function,) = ast.parse(text).body
        assert isinstance(function, ast.FunctionDef)
        function.decorator_list = []
        if ast.get_docstring(function) is not None:
            function.body = function.body[1:] or [ast.Pass()]
        return ast.unparse(function) + "\n"

    def namespace(self) -> dict[str, Any]:
        """What the names that aren't its own stand for."""
        return {**self.fn.__globals__, "__name__": "generated"}


@cache
def corpus() -> dict[str, Source]:
    """By kind and name. Closures are left out: text alone doesn't make them."""
    found = {f"loops {name}": Source(p.fn, p.make) for name, p in PROGRAMS.items()}
    found |= {f"domains {name}": Source(p.fn, lambda p=p: _of_domain(p)) for name, p in DOMAINS.items()}
    found |= {f"kernels {k}": Source(p.fn, lambda p=p: [p.make(n) for n in KERNEL_SIZES]) for k, p in KERNELS.items()}
    # the first arguments of these are the size of the question that they came with
    found |= {f"starting {name}": Source(p.fn, lambda p=p: p.make()[1:]) for name, p in STARTING.items()}
    return {name: source for name, source in found.items() if _is_alone(source.fn)}


def _of_domain(maker: Maker) -> list[tuple[Any, ...]]:
    """A little less than the usual size, for ends that meet or don't."""
    return [maker.arguments(n) for n in (maker.small, maker.small - 1)]


def _is_alone(fn: Callable[..., Any]) -> bool:
    return fn.__name__ != "<lambda>" and not fn.__code__.co_freevars
