"""The differential harness: `assert_same(f, *args)` holds where a decorated function does what its original does.

A decorated function and arguments in; nothing out, or an `AssertionError` that says which call, where in the value or
in which argument, what was expected and what came. Both run on copies of the arguments that keep aliasing.

Compared: values, exact types at every level, dtypes, shapes, writability, what became of every argument, identity and
shared memory (a returned argument is that argument, a returned view is a view of it), exception type and message,
and what was printed. Not compared: signs of zeros (unless `signed_zeros`), strides of fresh results, NumPy's warnings.
"""

from __future__ import annotations

import contextlib
import io
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tests.copying import array_leaves, copy_arguments, is_jax_array

IMMUTABLE = (type(None), bool, int, float, complex, str, bytes, np.generic, range, slice, type)


@dataclass(slots=True)
class Outcome:
    """What one run did."""

    arguments: tuple[Any, ...]
    value: Any = None
    exception: Exception | None = None
    printed: str = ""


def assert_same(
    f: Callable[..., Any],
    *args: Any,
    original: Callable[..., Any] | None = None,
    keywords: Mapping[str, Any] | None = None,
    rtol: float | None = None,
    ops: int = 100,
    scale: float | None = None,
    signed_zeros: bool = False,
    calls: int = 2,
) -> None:
    """Run `original` (`f.original` unless given) and `f`, `calls` times each, and compare all that can be seen.

    A float may differ by `rtol * (|expected| + scale)`. `rtol` is 4 eps for each of `ops`, the number of operations
    that went into an element; the eps is that of the element's dtype or of the coarsest float argument (a float64
    array may hold what float32 matrices were solved to); `scale` is the size of the terms that could have cancelled: unless given,
    the largest value of the same array, and at least that of the arguments up to 1.
    The second call goes the way of warm calls, where other things can break.
    """
    reference = original if original is not None else f.original  # type: ignore[attr-defined]
    for call in range(1, calls + 1):
        expected = run_once(reference, args, keywords or {})
        actual = run_once(f, args, keywords or {})
        least = _input_scale(args) if scale is None else scale
        comparison = Comparison(rtol, ops, least, scale, signed_zeros, _coarsest(args))
        try:
            comparison.compare_outcomes(expected, actual)
        except AssertionError as error:
            name = getattr(reference, "__name__", repr(reference))
            raise AssertionError(f"{name}, call {call} of {calls}: {error}{_source_of(f)}") from actual.exception


def run_once(f: Callable[..., Any], args: tuple[Any, ...], keywords: Mapping[str, Any]) -> Outcome:
    """On copies of the arguments."""
    copies, named = copy_arguments((args, dict(keywords)))
    outcome = Outcome((*copies, *named.values()))
    out = io.StringIO()
    with warnings.catch_warnings(), contextlib.redirect_stdout(out):
        # NumPy's warnings are no part of the contract; an "error" filter would make exceptions of them
        warnings.simplefilter("ignore", RuntimeWarning)
        try:
            outcome.value = f(*copies, **named)
        except Exception as error:
            outcome.exception = error
    outcome.printed = out.getvalue()
    return outcome


def _input_scale(args: tuple[Any, ...]) -> float:
    largest = max((_largest(np.asarray(leaf)) for leaf in array_leaves(args)), default=0.0)
    return min(1.0, largest)


def _coarsest(args: tuple[Any, ...]) -> float:
    """The largest eps among the float arguments' dtypes."""
    dtypes = [np.asarray(leaf).dtype for leaf in array_leaves(args)]
    return max((float(np.finfo(d).eps) for d in dtypes if d.kind in "fc"), default=0.0)


def _largest(values: np.ndarray) -> float:
    """The largest finite magnitude; 0 where there is none."""
    if values.dtype.kind not in "fcbiu" or values.size == 0:
        return 0.0
    # exact for every dtype: abs(INT_MIN) and differences of unsigned numbers overflow in their own
    magnitude = np.abs(values.astype(np.complex128 if values.dtype.kind == "c" else np.float64))
    return float(np.max(magnitude, where=np.isfinite(magnitude), initial=0.0))


def _source_of(f: object) -> str:
    source = getattr(f, "source", None)
    return f"\n--- rewritten source ---\n{source}" if isinstance(source, str) and source else ""


@dataclass(slots=True)
class Comparison:
    """One pair of runs under comparison, with the objects found so far to be each other's counterparts."""

    rtol: float | None
    ops: int
    least_scale: float
    scale: float | None
    signed_zeros: bool
    coarsest: float = 0.0  # eps
    counterpart: dict[int, tuple[Any, Any]] = field(default_factory=dict)
    original_of: dict[int, tuple[Any, Any]] = field(default_factory=dict)

    def compare_outcomes(self, expected: Outcome, actual: Outcome) -> None:
        self._compare_exceptions(expected, actual)
        if expected.printed != actual.printed:
            raise AssertionError(f"printed {actual.printed!r}, expected {expected.printed!r}")
        for position, (e, a) in enumerate(zip(expected.arguments, actual.arguments, strict=True)):
            self.compare(e, a, f"argument {position} after the call")
        self.compare(expected.value, actual.value, "value")
        self._compare_memory(expected, actual)

    def _compare_exceptions(self, expected: Outcome, actual: Outcome) -> None:
        e, a = expected.exception, actual.exception
        if e is None and a is None:
            return
        if e is None:
            raise AssertionError(f"raised {_describe(a)}, expected the value {expected.value!r}")
        if a is None:
            raise AssertionError(f"returned {actual.value!r}, expected {_describe(e)}")
        if type(e) is not type(a) or str(e) != str(a):
            raise AssertionError(f"raised {_describe(a)}, expected {_describe(e)}")

    # ------------------------------------------------------------ values

    def compare(self, expected: Any, actual: Any, where: str) -> None:
        """Raise where two values, at any depth, can be told apart."""
        if is_jax_array(expected) or is_jax_array(actual):
            if not (is_jax_array(expected) and is_jax_array(actual)):
                raise AssertionError(f"{where}: is a {_name(actual)}, expected a {_name(expected)}")
            self._compare_numbers(np.asarray(expected), np.asarray(actual), where)
            return
        if type(expected) is not type(actual):
            raise AssertionError(
                f"{where}: is a {_name(actual)} ({actual!r}), expected a {_name(expected)} ({expected!r})"
            )
        if not isinstance(expected, (*IMMUTABLE, tuple)) and self._is_met(expected, actual, where):
            return
        self._compare_contents(expected, actual, where)

    def _is_met(self, expected: Any, actual: Any, where: str) -> bool:
        """Note that two objects correspond; True where that was known. Different partners are a fault."""
        e, a = self.counterpart.get(id(expected)), self.original_of.get(id(actual))
        if e is None and a is None:
            # the pair is kept, so that no id is given to another object
            self.counterpart[id(expected)] = self.original_of[id(actual)] = (expected, actual)
            return False
        if e is None or a is None or e[1] is not actual or a[0] is not expected:
            met = "is one seen before, expected another" if e is None else "is another, expected the one seen before"
            raise AssertionError(f"{where}: the object {met} (an argument, or a part of the value)")
        return True

    def _compare_contents(self, expected: Any, actual: Any, where: str) -> None:
        if isinstance(expected, np.ndarray):
            self._compare_arrays(expected, actual, where)
        elif isinstance(expected, (bool, int, float, complex, np.number, np.bool_)):
            self._compare_scalars(expected, actual, where)
        elif isinstance(expected, (list, tuple)):
            if len(expected) != len(actual):
                raise AssertionError(f"{where}: has length {len(actual)}, expected {len(expected)}")
            for k, (e, a) in enumerate(zip(expected, actual, strict=True)):
                self.compare(e, a, f"{where}[{k}]")
        elif isinstance(expected, dict):
            if list(expected) != list(actual):
                raise AssertionError(f"{where}: has keys {list(actual)}, expected {list(expected)}")
            for key in expected:
                self.compare(expected[key], actual[key], f"{where}[{key!r}]")
        elif hasattr(expected, "__dict__") and not callable(expected):
            for name in sorted(vars(expected).keys() | vars(actual).keys()):
                missing = object()
                e, a = vars(expected).get(name, missing), vars(actual).get(name, missing)
                if (e is missing) != (a is missing):
                    raise AssertionError(f"{where}.{name}: {'missing' if a is missing else 'not expected'}")
                self.compare(e, a, f"{where}.{name}")
        elif expected != actual:
            raise AssertionError(f"{where}: is {actual!r}, expected {expected!r}")

    def _compare_scalars(self, expected: Any, actual: Any, where: str) -> None:
        if isinstance(expected, (bool, int)):  # unbounded: no dtype holds them all
            if expected != actual:
                raise AssertionError(f"{where}: is {actual!r}, expected {expected!r}")
            return
        self._compare_numbers(np.asarray(expected), np.asarray(actual), where)

    def _compare_arrays(self, expected: np.ndarray, actual: np.ndarray, where: str) -> None:
        if expected.flags.writeable != actual.flags.writeable:
            state = {True: "writable", False: "read-only"}
            raise AssertionError(
                f"{where}: is {state[actual.flags.writeable]}, expected {state[expected.flags.writeable]}"
            )
        if expected.dtype.hasobject and expected.dtype == actual.dtype and expected.shape == actual.shape:
            self.compare(expected.tolist(), actual.tolist(), where)
            return
        if isinstance(expected, np.ma.MaskedArray) and expected.shape == actual.shape:
            self._compare_numbers(np.ma.getmaskarray(expected), np.ma.getmaskarray(actual), f"{where}.mask")
        self._compare_numbers(np.asarray(expected), np.asarray(actual), where)

    def _compare_numbers(self, expected: np.ndarray, actual: np.ndarray, where: str) -> None:
        if expected.dtype != actual.dtype:
            raise AssertionError(f"{where}: has dtype {actual.dtype}, expected {expected.dtype}")
        if expected.shape != actual.shape:
            raise AssertionError(f"{where}: has shape {actual.shape}, expected {expected.shape}")
        wrong = self._differs(expected, actual)
        if not wrong.any():
            return
        places = np.argwhere(wrong)
        lines = [f"{where}: {len(places)} of {expected.size} differ ({expected.dtype})"]
        for place in places[:5]:
            index = tuple(int(k) for k in place)
            lines.append(f"  {list(index) or ''}: is {actual[index]!r}, expected {expected[index]!r}")
        raise AssertionError("\n".join(lines))

    def _differs(self, expected: np.ndarray, actual: np.ndarray) -> np.ndarray:
        if expected.dtype.kind == "c":
            whole = np.isfinite(expected) & np.isfinite(actual)
            scale = self._scale_of(expected)
            parts = self._floats_differ(expected.real, actual.real, scale) | self._floats_differ(
                expected.imag, actual.imag, scale
            )
            # a rotation by rounding may move a small part by an ulp of the large one
            e, a = np.where(whole, expected, 0), np.where(whole, actual, 0)
            near = np.abs(e - a) <= self._tolerance(expected.dtype) * (np.abs(e) + scale)
            return np.where(whole, ~near, parts)
        if expected.dtype.kind == "f":
            return self._floats_differ(expected, actual, self._scale_of(expected))
        return np.asarray(expected != actual)

    def _floats_differ(self, expected: np.ndarray, actual: np.ndarray, scale: float) -> np.ndarray:
        """NaN meets NaN, an infinity itself; the rest within the tolerance."""
        finite = np.isfinite(expected) & np.isfinite(actual)
        equal = (expected == actual) | (np.isnan(expected) & np.isnan(actual))
        e, a = (np.where(finite, x, 0).astype(np.longdouble) for x in (expected, actual))
        near = finite & (np.abs(e - a) <= self._tolerance(expected.dtype) * (np.abs(e) + scale))
        wrong = ~(equal | near)
        if self.signed_zeros:
            wrong |= (expected == 0) & (actual == 0) & (np.signbit(expected) != np.signbit(actual))
        return wrong

    def _tolerance(self, dtype: np.dtype) -> float:
        return self.rtol if self.rtol is not None else 4.0 * self.ops * max(self.coarsest, float(np.finfo(dtype).eps))

    def _scale_of(self, expected: np.ndarray) -> float:
        return self.scale if self.scale is not None else max(self.least_scale, _largest(expected))

    # ------------------------------------------------------------ memory

    def _compare_memory(self, expected: Outcome, actual: Outcome) -> None:
        """Every array of the value shares memory with the arguments, and with the others, just where it should."""
        e_all = [a for a in array_leaves((expected.arguments, expected.value)) if isinstance(a, np.ndarray)]
        a_all = [a for a in array_leaves((actual.arguments, actual.value)) if isinstance(a, np.ndarray)]
        e_value = [a for a in array_leaves(expected.value) if isinstance(a, np.ndarray)]
        a_value = [a for a in array_leaves(actual.value) if isinstance(a, np.ndarray)]
        if len(e_all) * len(e_value) > 10_000:  # a list of many arrays: the pairs with the arguments are enough
            e_all = [a for a in array_leaves(expected.arguments) if isinstance(a, np.ndarray)]
            a_all = [a for a in array_leaves(actual.arguments) if isinstance(a, np.ndarray)]
        for k, (e, a) in enumerate(zip(e_value, a_value, strict=True)):
            for other_e, other_a in zip(e_all, a_all, strict=True):
                if e is not other_e and np.shares_memory(e, other_e) != np.shares_memory(a, other_a):
                    state = "shares" if np.shares_memory(a, other_a) else "doesn't share"
                    raise AssertionError(
                        f"value: array {k} in it (shape {e.shape}) {state} memory with an argument or another part "
                        f"(shape {other_e.shape}), unlike the original's"
                    )


def _name(x: object) -> str:
    return f"{type(x).__module__}.{type(x).__qualname__}".removeprefix("builtins.")


def _describe(error: Exception | None) -> str:
    return f"{type(error).__name__}: {error}"
