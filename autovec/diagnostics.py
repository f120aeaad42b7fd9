"""Where something is, what it is called, and how it is said: spans, codes, errors and warnings.

Every refusal is data (a `Code`, a `Span`, the construct and a remedy); the words are made here, once.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


@dataclass(frozen=True, slots=True)
class Span:
    """A place in a person's file: lines count from 1, columns from 0, as in `ast`."""

    file: str
    line: int
    column: int = 0
    end_line: int = 0
    end_column: int = 0

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column + 1}"


class Code(Enum):
    """Stable names of reasons; `docs/codes.md` has an example and a remedy for each."""

    # why a loop stays in Python
    NO_SOURCE = "no-source"
    STALE_SOURCE = "stale-source"
    OPAQUE_CALL = "opaque-call"
    UNKNOWN_NAME = "unknown-name"
    UNSUPPORTED_STATEMENT = "unsupported-statement"
    UNSUPPORTED_EXPRESSION = "unsupported-expression"
    UNSUPPORTED_ARGUMENT = "unsupported-argument"
    UNSUPPORTED_INDEX = "unsupported-index"
    UNBOUNDED_INT = "unbounded-int"
    UNSTABLE_TYPE = "unstable-type"
    DYNAMIC_SHAPE = "dynamic-shape"
    EFFECT = "effect"
    OVERLAPPING_ARGUMENTS = "overlapping-arguments"
    NOT_PROFITABLE = "not-profitable"
    FAULT = "fault"
    RAISES = "raises"
    INTERNAL = "internal"
    # why a compiled loop is still a loop
    CARRIED_DEPENDENCE = "carried-dependence"
    UNKNOWN_SUBSCRIPT = "unknown-subscript"
    DATA_DEPENDENT_TRIP = "data-dependent-trip"
    MEMORY_LIMIT = "memory-limit"
    # why a loop is gone
    NO_EFFECT = "no-effect"
    INDEPENDENT = "independent"
    REDUCTION = "reduction"
    CONTRACTION = "contraction"
    BUILDS_ARRAY = "builds-array"


class AutovecWarning(UserWarning):
    """The original Python runs, or something was not done as asked; the text says what and why."""


class AutovecError(Exception):
    """Raised instead of a warning under `fallback="error"`, and for wrong options."""


class Blocked(Exception):
    """A construct that stops a unit from compiling; caught by the pipeline, never by a person.

    `site` is the call in the person's function where the construct is in a function that it calls.
    """

    def __init__(self, code: Code, span: Span | None, construct: str, remedy: str = "") -> None:
        super().__init__(construct)
        self.code = code
        self.span = span
        self.site: Span | None = None
        self.construct = construct
        self.remedy = remedy
