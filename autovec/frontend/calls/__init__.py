"""What operators, builtins, math and NumPy mean: typed operands in, a typed value and its faults out."""

from __future__ import annotations

from autovec.frontend.calls.dispatch import attribute as attribute
from autovec.frontend.calls.dispatch import call as call
from autovec.frontend.calls.dispatch import method as method
from autovec.frontend.calls.elementwise import binary as binary
from autovec.frontend.calls.elementwise import compare as compare
from autovec.frontend.calls.elementwise import truth as truth
from autovec.frontend.calls.elementwise import unary as unary
from autovec.frontend.calls.lowered import Lowered as Lowered
from autovec.frontend.calls.lowered import size_expr as size_expr
from autovec.frontend.calls.stores import cast_for_store as cast_for_store
from autovec.frontend.calls.stores import checked_elements as checked_elements
