"""From the function object that is called, or the name of a method, to the rule that knows it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from inspect import signature
from typing import Any

import numpy as np

from autovec.diagnostics import Blocked, Code, Span
from autovec.frontend.calls import (
    answers,
    complex_mathematics,
    counting,
    creation,
    linalg,
    mathematics,
    methods,
    named_functions,
    numpy_functions,
    products,
    reductions,
    scalars,
    scipy_special,
    shapes,
    ufunc_methods,
)
from autovec.frontend.calls.lowered import EXPRESSIONS, Lowered, UnknownSize, unsupported
from autovec.frontend.calls.resolution import ufunc
from autovec.ir.intrinsics import ELEMENTWISE

Rule = Callable[..., Lowered]


@cache
def rules() -> Mapping[object, Rule]:
    """Every function known, with its rule."""
    modules = (
        creation,
        shapes,
        reductions,
        products,
        linalg,
        numpy_functions,
        named_functions,
        counting,
        ufunc_methods,
    )
    table: dict[object, Rule] = {}
    for module in modules:
        table.update(module.RULES)
    return table | scalars.rules() | mathematics.rules() | complex_mathematics.rules()


def call(function: object, args: Sequence[object], kwargs: Mapping[str, object], span: Span) -> Lowered | None:
    """`function(*args, **kwargs)`; None where the function isn't known."""
    rule = rule_for(function)
    if rule is None:
        return None
    return placed(rule, function, getattr(function, "__name__", "a call"), args, kwargs, span)


def rule_for(function: object) -> Rule | None:
    try:
        known = rules().get(function)
    except TypeError:  # unhashable
        return None
    if known is not None:
        return known
    name = getattr(function, "__name__", "")
    if isinstance(function, np.ufunc) and name in ELEMENTWISE and getattr(np, name, None) is function:
        return partial(apply_ufunc, function)
    return scipy_special.rule_for(function)


def apply_ufunc(function: np.ufunc, *args: object) -> Lowered:
    """A call with its operands alone."""
    if len(args) != function.nin:
        raise unsupported(f"np.{function.__name__} into an array of the caller's", "assign the result instead")
    return ufunc(function.__name__, args)


def method(
    name: str, target: object, args: Sequence[object], kwargs: Mapping[str, object], span: Span
) -> Lowered | None:
    """`target.name(*args, **kwargs)` of an array or a NumPy scalar."""
    if not isinstance(target, EXPRESSIONS):
        return None
    rule = methods.rule_for(name, target)
    if rule is None:
        return None

    def itself(one: object, *rest: object, **words: object) -> object:
        return getattr(one, name)(*rest, **words)

    return placed(rule, itself, name, (target, *args), kwargs, span)


def attribute(name: str, target: object) -> Lowered | None:
    """`target.T`, `.real`, `.imag`."""
    return methods.attribute(name, target) if isinstance(target, EXPRESSIONS) else None


def placed(
    rule: Rule, function: Any, name: str, args: Sequence[object], kwargs: Mapping[str, object], span: Span
) -> Lowered:
    """The rule applied, its type checked; what blocks it is put at the call, and so are arguments it doesn't take."""
    try:
        signature(rule).bind(*args, **kwargs)
    except TypeError as error:
        raise Blocked(Code.UNSUPPORTED_EXPRESSION, span, f"{name}: {error}") from None
    try:
        made = rule(*args, **kwargs)
        answers.check(function, args, kwargs, made)
        return made
    except Blocked as blocked:
        if isinstance(blocked, UnknownSize) and not blocked.sizes:
            blocked.sizes = sizes_of((*args, *kwargs.values()))
        if blocked.span is None:
            blocked.span = span
        raise


def sizes_of(values: Sequence[object]) -> frozenset[str]:
    """The names in the shapes of all operands."""
    found: frozenset[str] = frozenset()
    for v in values:
        if isinstance(v, tuple | list):
            found |= sizes_of(v)
        elif isinstance(v, EXPRESSIONS):
            found |= frozenset(n for s in v.type.shape for n in s.names)
    return found
