from __future__ import annotations

from autovec.frontend.calls.lowered import Lowered, unsupported


def matmul(left: object, right: object) -> Lowered:
    raise unsupported("@")
