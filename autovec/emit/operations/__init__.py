"""How each operation of the IR is written in JAX: canonical AST in, canonical AST out; nothing here imports jax."""

from __future__ import annotations

from autovec.emit.operations.arrays import call as call
from autovec.emit.operations.casts import cast as cast
from autovec.emit.operations.casts import constant as constant
from autovec.emit.operations.elementwise import apply as apply
from autovec.emit.operations.elementwise import select as select
from autovec.emit.operations.elementwise import without_errors as without_errors
