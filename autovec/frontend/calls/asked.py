"""Functions that NumPy and `jax.numpy` share: what comes out is asked of NumPy, on small arrays of the operands' dtypes.

np.percentile(row, 30)    (row: int32[n])    -->    named("jnp.percentile", cast(row, float64), 30): np.float64

In: a function, which of its parameters are operands and which have to be known before the call. Out: the typed call.
The dtype is NumPy's answer. So is the shape: it is tried at several sizes, and has to be affine in them at all; one that
depends on what is in the operands shows as soon as the trials hold other numbers.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from inspect import Parameter, Signature, signature
from typing import Any

import numpy as np

from autovec.analysis.promotion import kind_of, sample
from autovec.diagnostics import Blocked, Code
from autovec.frontend.calls.axes import dynamic
from autovec.frontend.calls.lowered import Faults, Lowered, cast, expression, raises, static, unsupported
from autovec.frontend.calls.shapes import array
from autovec.ir.affine import Affine
from autovec.ir.nodes import Call, Expr
from autovec.ir.types import ArrayType, ScalarType, Type, scalar

Trial = dict[str, int]  # a number for every symbolic size


@dataclass(frozen=True, slots=True)
class Asked:
    """A function of NumPy whose namesake in JAX does the same on operands of one dtype.

    `parameters` in order, `operands` among them; those in `cast` are converted to the result's dtype, ints
    in `floats` to float64, those in `common` to the dtype that holds them all, the others keep theirs. Those in `zeros` are indices or the like, tried as zeros. `faults`: where the call is void, from operands and constants.
    """

    function: Callable[..., Any]
    parameters: str
    operands: str
    name: str = ""  # in JAX, if it isn't jnp's of the same name
    cast: str = ""
    floats: str = ""
    common: str = ""
    zeros: str = ""
    unnamed: str = ""  # parameters that have no name in JAX
    longer: str = ""  # an operand at least as long as the others
    elementwise: bool = False
    faults: Callable[[Mapping[str, Expr], Mapping[str, object]], Faults] | None = None

    @property
    def written(self) -> str:
        return self.name or f"jnp.{self.function.__name__}"


@dataclass(frozen=True, slots=True)
class Parts:
    """The types of the parts of a tuple, and what puts them together."""

    types: tuple[Type, ...]
    together: Callable[..., Any]


def ask(spec: Asked, *args: object, **kwargs: object) -> Lowered:
    """The call of such a function."""
    given = bound(spec, args, kwargs)
    names = spec.operands.split()
    operands: dict[str, Expr] = {}
    statics: dict[str, object] = {}
    for name, value in given.items():
        if name in names and value is not None:
            operands[name] = array(value).expr if isinstance(value, tuple | list) else expression(value)
        elif name in names and name in needed(spec.function):
            raise raises(f"None as the {name} of {spec.function.__name__}")
        else:
            statics[name] = static(value)
    outcome = answered(spec, given, operands, statics)
    faults = spec.faults(operands, statics) if spec.faults is not None else ()
    if isinstance(outcome, Parts):
        parts = [made(spec, given, operands, statics, t, k) for k, t in enumerate(outcome.types)]
        return Lowered(outcome.together(*parts), faults)
    return Lowered(made(spec, given, operands, statics, outcome, None), faults)


@cache
def needed(function: Callable[..., Any]) -> frozenset[str]:
    """The parameters of a function of NumPy that have no default."""
    try:
        return frozenset(n for n, p in signature(function).parameters.items() if p.default is Parameter.empty)
    except ValueError:
        return frozenset()


def bound(spec: Asked, args: Sequence[object], kwargs: Mapping[str, object]) -> dict[str, object]:
    """The arguments by name, in the order of the parameters; what isn't known here blocks."""
    parameters = [Parameter(n, Parameter.POSITIONAL_OR_KEYWORD, default=None) for n in spec.parameters.split()]
    try:
        return dict(Signature(parameters).bind(*args, **kwargs).arguments)
    except TypeError as error:
        raise unsupported(f"{spec.function.__name__}: {error}") from None


def made(
    spec: Asked,
    given: Mapping[str, object],
    operands: Mapping[str, Expr],
    statics: Mapping[str, object],
    result: Type,
    part: int | None,
) -> Call:
    """The node: operands first, then how the arguments are to be written, in order."""
    layout: list[tuple[str, bool, object]] = []
    positional = True
    for name, expected in zip(given, spec.parameters.split(), strict=False):
        positional = positional and name == expected
        is_operand = name in operands
        nameless = is_operand or name in spec.operands.split() or name in spec.unnamed.split()
        word = "" if positional and nameless else name
        positional = positional and not word
        layout.append((word, is_operand, list(operands).index(name) if is_operand else statics[name]))
    values = [cast(v, dtype_for(spec, name, operands, result)) for name, v in operands.items()]
    return named_call(spec.written, values, layout, result, part, spec.elementwise)


def dtype_for(spec: Asked, name: str, operands: Mapping[str, Expr], result: Type) -> np.dtype:
    """The dtype in which an operand is given."""
    own = operands[name].type.dtype
    if name in spec.cast.split():
        return result.dtype
    if name in spec.common.split():
        return np.result_type(*(v.type.dtype for n, v in operands.items() if n in spec.common.split()))
    return np.dtype(np.float64) if name in spec.floats.split() and own.kind not in "fc" else own


def named_call(
    function: str,
    operands: Sequence[Expr],
    layout: Sequence[tuple[str, bool, object]],
    result: Type,
    part: int | None = None,
    elementwise: bool = False,
) -> Call:
    """A function of JAX by its name; `layout` has for each argument its keyword, and its operand's place or its value."""
    statics = (("elementwise", elementwise), ("function", function), ("layout", tuple(layout)), ("part", part))
    return Call("named", tuple(operands), statics, result)


# ---------------------------------------------------------------- asking


def answered(
    spec: Asked, given: Mapping[str, object], operands: Mapping[str, Expr], statics: Mapping[str, object]
) -> Type | Parts:
    """The type of what comes out, or the types of the parts of a tuple."""

    def attempt(trial: Trial, rising: bool) -> Any:
        values = {n: content(v, trial, rising, n in spec.zeros.split()) for n, v in operands.items()}
        arguments = {n: values[n] if n in values else statics[n] for n in given}
        return called(spec, arguments)

    sizes = sorted({n for v in operands.values() for s in v.type.shape for n in s.names})
    base = {n: 7 + 2 * k for k, n in enumerate(sizes)}
    if spec.longer:
        for n in {n for s in operands[spec.longer].type.shape for n in s.names}:
            base[n] += 40
    first = attempt(base, False)
    if not isinstance(first, tuple | list):
        return type_of(first, shape_of(lambda t, r: np.shape(attempt(t, r)), sizes, base))
    types = [
        type_of(item, shape_of(lambda t, r, k=k: np.shape(attempt(t, r)[k]), sizes, base))
        for k, item in enumerate(first)
    ]
    kind: Any = type(first)
    return Parts(tuple(types), kind if hasattr(kind, "_make") else lambda *parts: kind(parts))


def called(spec: Asked, arguments: Mapping[str, object]) -> Any:
    """NumPy's answer; Blocked where it raises."""
    positional: list[object] = []
    words = dict(arguments)
    for name in spec.parameters.split():
        if name not in words:
            break
        positional.append(words.pop(name))
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return spec.function(*positional, **words)
        except Exception as error:
            raise raises(f"{spec.function.__name__}: {error}") from None


def content(value: Expr, trial: Trial, rising: bool, zeros: bool) -> object:
    """An operand for a trial: ones, or 1, 2, 3 ..., so that a shape that depends on what is in there shows."""
    kind = value.type
    if isinstance(kind, ScalarType):
        if kind.only is None:
            raise Blocked(Code.UNSTABLE_TYPE, None, "a function of a number whose kind depends on the data")
        return sample(kind.only)
    shape = tuple(evaluated(s, trial) for s in kind.shape)
    if zeros:
        return np.zeros(shape, kind.dtype)
    if not rising:
        return np.ones(shape, kind.dtype)
    return np.arange(1, 1 + int(np.prod(shape))).reshape(shape).astype(kind.dtype)


def evaluated(size: Affine, trial: Trial) -> int:
    value = size.constant + sum(c * trial[n] for n, c in size.terms)
    if value < 1:
        raise dynamic(f"a size {size} that may be too small")
    return value


def shape_of(shape: Callable[[Trial, bool], tuple[int, ...]], sizes: Sequence[str], base: Trial) -> tuple[Affine, ...]:
    """The shape as affine forms: their coefficients from steps of one, checked far away and with other contents."""
    start = shape(base, False)
    steps = {n: shape({**base, n: base[n] + 1}, False) for n in sizes}
    forms: list[Affine] = []
    if any(len(s) != len(start) for s in steps.values()):
        raise dynamic("a rank that depends on the sizes")
    for axis, size in enumerate(start):
        terms = {n: s[axis] - size for n, s in steps.items()}
        forms.append(Affine.of(terms, size - sum(c * base[n] for n, c in terms.items())))
    backwards = {n: base[n] - 2 + 3 * (len(sizes) - k) for k, n in enumerate(sizes)}
    for trial in (base, {n: 2 * v + 1 for n, v in base.items()}, backwards):
        for rising in (False, True):
            if shape(trial, rising) != tuple(evaluated(f, trial) if f.terms else f.constant for f in forms):
                raise dynamic("a shape that depends on the data, or not linearly on the sizes")
    return tuple(forms)


def type_of(value: object, shape: tuple[Affine, ...]) -> Type:
    if isinstance(value, np.ndarray):
        return ArrayType(value.dtype, shape)
    kind = kind_of(value)
    if kind is None:
        raise unsupported(f"a function that gives a {type(value).__name__}")
    return scalar(kind)
