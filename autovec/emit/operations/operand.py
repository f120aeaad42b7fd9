"""What a rule for a whole-array function sees: its operands as AST, their types, the batch they carry."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from autovec.emit.operations.casts import dtype_name
from autovec.emit.operations.nodes import literal
from autovec.ir.affine import Affine
from autovec.ir.types import Type, rank


@dataclass(frozen=True, slots=True)
class Operands:
    args: list[ast.expr]
    types: list[Type]
    statics: dict[str, object]
    type: Type  # of the result, without the batch
    batch: list[bool]
    batch_rank: int
    size: Callable[[Affine], ast.expr]

    @property
    def is_batched(self) -> bool:
        return self.batch_rank > 0 and any(self.batch)

    @property
    def all_batched(self) -> bool:
        return all(self.batch)

    def rank(self, k: int = 0) -> int:
        """The number of axes of an operand, without its batch."""
        return rank(self.types[k])

    def unbatched(self, args: Sequence[ast.expr]) -> Operands:
        return replace(self, args=list(args), batch=[False] * len(args), batch_rank=0)

    def static_int(self, name: str) -> int:
        value = self.statics[name]
        assert isinstance(value, int)
        return value

    def axes(self, name: str = "axis") -> tuple[int, ...]:
        value = self.statics[name]
        assert isinstance(value, tuple)
        return value

    def last_axis(self, name: str = "axis", of: int | None = None) -> int:
        """A static axis counted from the end."""
        return self.static_int(name) - (self.rank() if of is None else of)

    def dtype(self) -> ast.expr | None:
        """The result's dtype where it isn't float64, which is what JAX makes by itself."""
        return None if self.type.dtype == np.dtype(float) else dtype_name(self.type.dtype)

    def shape(self) -> ast.expr:
        """The result's shape: `n` or `(n, m)`."""
        sizes = [self.size(s) for s in self.type.shape]
        return sizes[0] if len(sizes) == 1 else ast.Tuple(sizes, ast.Load())


def numbers(value: object) -> ast.expr:
    """A static int, or a tuple of them, as a literal; a tuple of one as its element."""
    return literal(value[0]) if isinstance(value, tuple) and len(value) == 1 else literal(value)
