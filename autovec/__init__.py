"""autovec: decorate a function with loops over arrays, and it runs as JAX: same answer, compiled, source to read."""

from autovec.decorator import autovec as autovec
from autovec.diagnostics import AutovecError as AutovecError
from autovec.diagnostics import AutovecWarning as AutovecWarning

__all__ = ["AutovecError", "AutovecWarning", "autovec"]
__version__ = "0.1.0"
