"""A rewrite as a pure JAX function: what `f.jax` calls, and `f` itself under a trace.

In go a person's arguments, tracers among them; out comes what the function returns, or `(value, writes)` where it
writes to its arguments. No flags are looked at, no options are given to the compiler, x64 is as the caller has it.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from autovec.diagnostics import AutovecError, Blocked
from autovec.emit.program import (
    ArgumentOut,
    ArrayOut,
    ConstantOut,
    ListOut,
    OptionalOut,
    Out,
    Program,
    ScalarOut,
    TupleOut,
    UpdatingOut,
)
from autovec.frontend.results import DictOf, SequenceOf
from autovec.runtime.acceptance import Acceptance, Fit
from autovec.runtime.arguments import Signature, TracedInt, describe, is_device_array, is_tracer, same_constant
from autovec.runtime.forward_only import only_forward
from autovec.runtime.kernel import load
from autovec.runtime.parameters import Parameters
from autovec.runtime.results import view
from autovec.runtime.rewrite import Derived, Guard, Rewrite


def stand_in(value: object) -> object:
    """What the compiler is shown for a traced or device value: an ndarray or scalar of its dtype and shape."""
    if not is_tracer(value) and not is_device_array(value):
        return value
    array: Any = value
    dtype = np.dtype(array.dtype)
    if array.ndim == 0 and is_tracer(value):
        if not array.weak_type:
            return TracedInt(1) if dtype == np.int64 else dtype.type(1)
        return {"b": True, "i": 1, "f": 1.0, "c": 1j}.get(dtype.kind, dtype.type(1))
    return np.broadcast_to(np.zeros((), dtype), array.shape)


def _on_device(value: object) -> object:
    """An ndarray as JAX has it: programs use `.at`, and with x64 off its dtype has 32 bits."""
    if type(value) is not np.ndarray:
        return value
    import jax.numpy as jnp

    return jnp.asarray(value)


def _is_integer(value: object) -> bool:
    array: Any = value
    return array.ndim == 0 and np.dtype(array.dtype).kind in "iu"


def _load(program: Program) -> Callable[..., Any]:
    return load(program, {"only_forward": only_forward})


def present(captured: Guard | Derived, named: Mapping[str, object]) -> object:
    """What a parameter that is no argument holds now."""
    return captured.of(named) if isinstance(captured, Derived) else captured.read()


def _still(captured: Guard | Derived, named: Mapping[str, object]) -> bool:
    if isinstance(captured, Guard):
        return captured.holds()
    try:
        return describe(captured.name, captured.of(named)) == describe(captured.name, captured.value)
    except Blocked:
        return False


@dataclass(frozen=True, slots=True)
class _Loaded:
    """A program with the calls that it serves."""

    signature: Signature
    constants: Mapping[str, object]
    rewrite: Rewrite
    program: Program
    function: Callable[..., Any]
    acceptance: Acceptance


class Traced:
    """The programs of one decorated function that run under traces."""

    def __init__(self, parameters: Parameters, compile: Callable[[Mapping[str, object]], Rewrite], name: str) -> None:
        self._parameters = parameters
        self._compile = compile
        self.name = name
        self._loaded: tuple[_Loaded, ...] = ()

    def call(self, arguments: Sequence[object]) -> Any:
        """`value` or `(value, writes)`; raises AutovecError where the function doesn't compile whole."""
        arguments = [*map(_on_device, arguments)]
        loaded = self._find(arguments)
        program = loaded.program
        named = dict(zip(self._parameters.names, arguments, strict=True))
        named |= {c.name: _on_device(present(c, named)) for c in loaded.rewrite.captured}
        with warnings.catch_warnings():
            # with x64 off the 64-bit dtypes that the program names mean 32 bits, as the caller wishes
            warnings.filterwarnings("ignore", message="Explicitly requested dtype")
            try:
                results = loaded.function(**{p.name: named[p.name] for p in program.parameters})
            except TypeError as error:
                raise self._shaped_by_traced(arguments, error) from error
        if not program.writes and not program.flags:
            results = (results, {})
        value, writes = results[0], dict(results[1])
        if isinstance(program.returns, UpdatingOut):
            changed = zip(program.updates, value[1], strict=True)
            writes |= {u.name: rebuild(u.out, v, named) for u, v in changed}
            value, returns = value[0], program.returns.value
        else:
            returns = program.returns
        answer = rebuild(returns, value, {**named, **writes})
        return (answer, writes) if writes else answer

    def writes(self, arguments: Sequence[object]) -> tuple[str, ...]:
        """The names of the arguments that a call would write to."""
        program = self._find(arguments).program
        return (*program.writes, *(u.name for u in program.updates))

    def _find(self, arguments: Sequence[object]) -> _Loaded:
        names, unread, appended = self._parameters.names, self._parameters.unread, self._parameters.appended
        shown = [stand_in(a) for a in arguments]
        try:
            pairs = zip(names, shown, strict=True)
            signature = tuple(describe(n, a, n in unread, n in appended) for n, a in pairs)
        except Blocked as blocked:
            raise AutovecError(f"{self.name}.jax: {blocked.construct}; {blocked.remedy}") from None
        for loaded in self._loaded:
            if loaded.signature == signature and self._fits(loaded, shown):
                self._check_static(loaded, arguments)
                return loaded
        for loaded in self._load(signature, shown):
            self._check_static(loaded, arguments)
            if self._fits(loaded, shown):
                self._loaded = (loaded, *self._loaded[:63])
                return loaded
        raise AutovecError(f"{self.name}.jax: no program is right for arguments of these sizes")

    def _fits(self, loaded: _Loaded, shown: Sequence[object]) -> bool:
        named = dict(zip(self._parameters.names, shown, strict=True))
        return (
            all(g.holds() for g in loaded.rewrite.guards)
            and all(a.holds(named[a.argument]) for a in loaded.rewrite.assumptions)
            and all(_still(c, named) for c in loaded.rewrite.captured)
            and all(same_constant(named[n], v) for n, v in loaded.constants.items())
            and loaded.acceptance.test([*shown, *(present(c, named) for c in loaded.rewrite.captured)]) is Fit.FITS
        )

    def _load(self, signature: Signature, shown: Sequence[object]) -> list[_Loaded]:
        """The main program, then the sequential one."""
        names, unread = self._parameters.names, self._parameters.unread
        named = dict(zip(names, shown, strict=True))
        rewrite = self._compile({n: None if n in unread else a for n, a in named.items()})
        if rewrite.program is None:
            why = f": {rewrite.blocked.construct}" if rewrite.blocked else ""
            raise AutovecError(f"{self.name} doesn't compile whole, so it has no JAX function{why}")
        constants = {n: named[n] for n in rewrite.constants if n not in unread}
        known = (*names, *(c.name for c in rewrite.captured))
        main = rewrite.differentiable() if rewrite.differentiable else rewrite.program
        accepts = Acceptance(main.sizes, rewrite.accepts, known)
        programs = [_Loaded(signature, constants, rewrite, main, _load(main), accepts)]
        sequential = rewrite.differentiable_sequential or rewrite.sequential
        if sequential is not None and not self._fits(programs[0], shown):
            plain = sequential()
            accepts = Acceptance(plain.sizes, rewrite.sequential_accepts, known)
            programs.append(_Loaded(signature, constants, rewrite, plain, _load(plain), accepts))
        return programs

    def _shaped_by_traced(self, arguments: Sequence[object], error: TypeError) -> Exception:
        """A shape needs a number: the same advice as where a size is known to."""
        for name, argument in zip(self._parameters.names, arguments, strict=True):
            if is_tracer(argument) and "Shapes must be" in str(error) and _is_integer(argument):
                return self._needs(name)
        return error

    def _needs(self, name: str) -> AutovecError:
        return AutovecError(
            f"{self.name}.jax needs the value of {name!r}: make it static, for example "
            f"jax.jit({self.name}.jax, static_argnames={name!r}), or with jax.vmap give it in_axes=None"
        )

    def _check_static(self, loaded: _Loaded, arguments: Sequence[object]) -> None:
        """A size or constant that is traced has no value to prove anything by."""
        names = self._parameters.names
        fixed = (
            {names[i] for i in loaded.acceptance.scalars if i < len(names)}
            | {*loaded.program.static}
            | {*loaded.constants}
        )
        for name, argument in zip(names, arguments, strict=True):
            if name in fixed and is_tracer(argument):
                raise self._needs(name)


def is_tagged(out: ListOut) -> bool:
    """Are the elements of several kinds? An array of JAX has them all in one dtype."""
    return is_tagged(out.item) if isinstance(out.item, ListOut) else isinstance(out.item, ScalarOut) and out.item.tagged


def rebuild(out: Out, value: Any, arguments: Mapping[str, Any]) -> Any:
    """The value as a pytree of JAX arrays: scalars are 0-d, a list is one array along its leading axis.

    A list whose length depends on data is the pair `(items, count)`: a trace has no value to cut it by. So is what may
    be None: `(value, found)`.
    """
    match out:
        case ArrayOut():
            return value
        case ScalarOut():
            return value[0] if out.tagged else value
        case ListOut(counted=counted):
            items, *count = value if counted else (value,)
            items = items[0] if is_tagged(out) else items
            return (items, *count) if counted else items
        case TupleOut(items=items, constructor=constructor):
            made = [rebuild(o, v, arguments) for o, v in zip(items, value, strict=True)]
            if isinstance(constructor, DictOf):
                return constructor(*made)
            if isinstance(constructor, SequenceOf):  # an array, as a list is
                return made[0]
            return made if constructor is list else tuple(made)
        case ArgumentOut(name=name, index=index):
            return arguments[name] if index is None else view(arguments[name], out, value if out.numbers else ())
        case OptionalOut(item=item):
            return (rebuild(item, value[0], arguments), value[1])
        case UpdatingOut(value=inner):
            return rebuild(inner, value[0], arguments)
        case ConstantOut(value=constant):
            return constant
