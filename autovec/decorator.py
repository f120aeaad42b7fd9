"""`autovec` itself: a function goes in, an object that is called like it comes out, and shows its work."""

from __future__ import annotations

import ast
import functools
import inspect
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import FunctionType, MethodType
from typing import TYPE_CHECKING, Any, TypeVar, overload

from autovec.diagnostics import AutovecError, Blocked, Code
from autovec.frontend.source import SourceFunction, find, has_loops
from autovec.options import Fallback, Options
from autovec.report.verdicts import Note
from autovec.runtime.dispatch import Dispatch
from autovec.runtime.division import Divisions
from autovec.runtime.hosts import Host
from autovec.runtime.notices import Notices
from autovec.runtime.parameters import Parameters, make_caller, make_collector, make_stub
from autovec.runtime.rewrite import Rewrite

if TYPE_CHECKING:
    from autovec.report.compare import Comparison
    from autovec.report.report import Report

F = TypeVar("F")

GUESSED = "# Guessed from how the arguments are used: the first call decides.\n"


class Decorated(functools.partial[Any]):
    """A function whose loops are rewritten as JAX. Call it as the original; `original` is the original itself.

    It is a `functools.partial` because that is the one callable object whose call costs no more than a function's.
    """

    original: Callable[..., Any]
    options: Options
    _source: SourceFunction | None
    _blocked: Blocked | None
    _dispatch: Dispatch | None
    _divisions: Divisions | None
    _jax: Callable[..., Any] | None

    def __get__(self, instance: object, owner: type | None = None) -> Any:
        return self if instance is None else MethodType(self, instance)

    def __repr__(self) -> str:
        name = getattr(self.original, "__qualname__", repr(self.original))
        return f"<autovec {name}{_signature_text(self.original)}: {self._state()}>"

    def __reduce__(self) -> Any:
        # by reference, as functions are pickled: the module holds this object under the function's name
        return getattr(self.original, "__qualname__", "")

    def _state(self) -> str:
        rewrite = self._dispatch.last if self._dispatch else None
        host = self._divisions.last if self._divisions else None
        if rewrite and rewrite.program is None and host is not None:
            count = len(host.kernels)
            return f"compiled in part, {count} kernel{'s' if count > 1 else ''}"
        if self._blocked or (rewrite and rewrite.program is None):
            return "runs as ordinary Python"
        if rewrite is None or self._dispatch is None:
            return "not called yet"
        count = len(self._dispatch.variants)
        return f"compiled for {count} signature{'s' if count > 1 else ''}"

    # ------------------------------------------------------------ what it shows

    @property
    def source(self) -> str:
        """The JAX program of the last call; before any call, a guess that says so; else the original and the reason."""
        rewrite, guessed = self._shown()
        if rewrite.program is not None or rewrite.text:
            return (GUESSED if guessed else "") + (rewrite.program.source if rewrite.program else rewrite.text)
        blocked = rewrite.blocked
        why = f"# Runs as ordinary Python ({blocked.code.value}): {blocked.construct}\n" if blocked else ""
        return why + (self._source.text if self._source else "")

    def report(self) -> Report:
        """Every loop of the function: what became of it, and why."""
        from autovec.report.report import Report

        rewrite, guessed = self._shown()
        source = self._source
        loops = rewrite.loops
        if not loops and source is not None and rewrite.blocked is not None:
            from autovec.plan.verdicts import fallbacks

            blocked = rewrite.blocked
            loops = fallbacks(ast.walk(source.node), source.file, lambda loop: blocked)
        return Report(
            function_name=getattr(self.original, "__qualname__", repr(self.original)),
            file=source.file if source else "",
            first_line=source.first_line if source else 1,
            lines=tuple(source.text.split("\n")) if source else (),
            loops=loops,
            notes=(*rewrite.notes, *self._left_alone()),
            source=rewrite.program.source if rewrite.program else rewrite.text,
            blocked=rewrite.blocked,
            guessed=guessed,
        )

    def _left_alone(self) -> list[Note]:
        """Said where the calls seen so far were too small to pay, or turned out not to."""
        variants = self._dispatch.variants if self._dispatch is not None else ()
        if any(v.slower for v in variants):
            return [Note(None, "calls of some sizes run the original: it was faster when both were timed")]
        if not any(v.worth.small for v in variants) or not all(v.worth.small for v in variants if v.rewrite.program):
            return []
        return [
            Note(None, "calls as small as those so far run the original: it takes less time than to call a program")
        ]

    def compare(self, *args: Any, **kwargs: Any) -> Comparison:
        """Run original and rewritten on copies of these arguments: values, times, when it pays."""
        from autovec.report.compare import compare

        dispatch = self._dispatch
        if dispatch is not None:
            dispatch.served = dispatch.variants[0] if dispatch.variants else None
        comparison = compare(self.original, self, args, kwargs, compiled=True)
        return replace(comparison, first=dispatch.first_seconds() if dispatch is not None else None)

    @property
    def jax(self) -> Callable[..., Any]:
        """The pure JAX function: composes with `jax.jit`, `grad` and `vmap`; returns the value, or `(value, writes)`
        where the function writes to its arguments. Faults are not looked for, and x64 is as the caller has it."""
        if self._jax is None:
            self._jax = self._make_jax()
        return self._jax

    def _make_jax(self) -> Callable[..., Any]:
        if self._dispatch is None or not isinstance(self.original, FunctionType):
            reason = self._blocked.construct if self._blocked else "it has no source"
            raise AttributeError(f"{self.original!r} has no JAX function: {reason}")
        stub = make_collector(self.original, self._dispatch.parameters, self._dispatch.traced.call)
        functools.update_wrapper(stub, self.original)
        return stub

    def _shown(self) -> tuple[Rewrite, bool]:
        """The rewrite to show, and whether it is only a guess."""
        if self._dispatch is not None and self._dispatch.last is not None:
            compiled = (v.rewrite for v in self._dispatch.variants if v.rewrite.program is not None)
            last = self._dispatch.last
            if last.program is None and self._divisions is not None and self._divisions.last is not None:
                return self._shown_host(self._divisions.last), False
            return (last if last.program is not None else next(compiled, last)), False
        if self._blocked is not None or self._source is None:
            return Rewrite(None, blocked=self._blocked), False
        rewrite = _guess(self.options, self._source)
        host = self._divisions.guessed(rewrite.blocked) if rewrite.blocked and self._divisions else None
        return (rewrite if host is None else self._shown_host(host)), True

    def _shown_host(self, host: Host) -> Rewrite:
        from autovec.runtime.hosted import shown

        assert self._source is not None
        return shown(host, self._source, functools.partial(_guess, self.options))


def _signature_text(function: Callable[..., Any]) -> str:
    try:
        return str(inspect.signature(function))
    except (TypeError, ValueError):
        return ""


@overload
def autovec(
    fn: F,
    *,
    fallback: Fallback = ...,
    reassociate: bool = ...,
    memory_limit: int | str | None = ...,
    verify: bool = ...,
) -> F | Any: ...
@overload
def autovec(
    fn: None = None,
    *,
    fallback: Fallback = ...,
    reassociate: bool = ...,
    memory_limit: int | str | None = ...,
    verify: bool = ...,
) -> Callable[[Any], Any]: ...
def autovec(
    fn: Any = None,
    *,
    fallback: Fallback = "warn",
    reassociate: bool = True,
    memory_limit: int | str | None = None,
    verify: bool = False,
) -> Any:
    """Rewrite a function's loops over arrays as JAX: same answer, compiled.

    Bare (`@autovec`) or with options (`@autovec(fallback="error")`). On a class it decorates the methods that have
    loops; on a decorated function it gives one with the new options.

    `fallback`: "warn" (once, where the original must run), "error" or "silent". `reassociate`: may sums be taken in
    another order? `memory_limit`: bytes for temporaries, or a string such as "2GB". `verify`: compare with the
    original on the first three calls of each signature. Raises `AutovecError` for an option that isn't valid.
    """
    options = Options.of(fallback=fallback, reassociate=reassociate, memory_limit=memory_limit, verify=verify)
    return functools.partial(_apply, options=options) if fn is None else _apply(fn, options)


def _apply(thing: Any, options: Options) -> Any:
    """Decorate whatever a decorator may stand on; raises `AutovecError` for what can't be called."""
    if isinstance(thing, Decorated):
        return thing if options in (Options(), thing.options) else _decorate(thing.original, options)
    if isinstance(thing, type):
        return _decorate_class(thing, options)
    if isinstance(thing, staticmethod | classmethod):
        return type(thing)(_apply(thing.__func__, options))
    if isinstance(thing, property):
        return property(_apply(thing.fget, options), thing.fset, thing.fdel, thing.__doc__) if thing.fget else thing
    if isinstance(thing, MethodType):
        return MethodType(_apply(thing.__func__, options), thing.__self__)
    if not callable(thing):
        raise AutovecError(f"autovec decorates functions, methods and classes, not {thing!r}")
    return _decorate(thing, options)


def _decorate_class(cls: type, options: Options) -> type:
    """Decorate the functions of a class that have something to gain; the others stay as they are, in silence."""
    for name, member in list(vars(cls).items()):
        function = member.__func__ if isinstance(member, staticmethod | classmethod) else member
        if isinstance(function, FunctionType) and _has_something_to_gain(function):
            setattr(cls, name, _apply(member, options))
    return cls


def _decorate(function: Callable[..., Any], options: Options) -> Decorated:
    source, blocked = _never_compiles(function)
    code = getattr(function, "__code__", None)
    name = getattr(function, "__qualname__", repr(function))
    notices = Notices(name, getattr(code, "co_filename", ""), getattr(code, "co_firstlineno", 0), options)
    dispatch: Dispatch | None = None
    divisions: Divisions | None = None
    stub = function
    if blocked is not None:
        notices.say(blocked)
    elif source is not None and isinstance(function, FunctionType):
        parameters = Parameters.of(function, source.node)
        compile = functools.partial(_rewrite, options, source)
        divisions = Divisions(source, parameters, functools.partial(_rewrite, options), options, notices)
        original = make_caller(parameters, function)
        dispatch = Dispatch(parameters, original, compile, options, notices, name, divided=divisions.host)
        stub = make_stub(function, parameters, dispatch, dispatch.slow)
    decorated = Decorated(stub)
    functools.update_wrapper(decorated, function)
    decorated.original = function
    decorated.options = options
    decorated._source = source  # pyright: ignore[reportPrivateUsage]
    decorated._blocked = blocked  # pyright: ignore[reportPrivateUsage]
    decorated._dispatch = dispatch  # pyright: ignore[reportPrivateUsage]
    decorated._divisions = divisions  # pyright: ignore[reportPrivateUsage]
    decorated._jax = None  # pyright: ignore[reportPrivateUsage]
    return decorated


def _rewrite(options: Options, source: SourceFunction, arguments: Mapping[str, object]) -> Rewrite:
    from autovec import pipeline

    return pipeline.rewrite(source, arguments, options)


def _guess(options: Options, source: SourceFunction) -> Rewrite:
    from autovec import pipeline

    try:
        return pipeline.guess(source, options)
    except Blocked as blocked:
        return Rewrite(None, blocked=blocked)


def _has_something_to_gain(function: FunctionType) -> bool:
    source, blocked = _never_compiles(function)
    return blocked is None and source is not None and has_loops(source.node)


def _never_compiles(function: Callable[..., Any]) -> tuple[SourceFunction | None, Blocked | None]:
    """The proved source, and why the function is known, before any call, to stay Python."""
    if inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function):
        return None, Blocked(Code.UNSUPPORTED_STATEMENT, None, "it is a coroutine", "decorate an ordinary function")
    if inspect.isgeneratorfunction(function):
        return None, Blocked(Code.UNSUPPORTED_STATEMENT, None, "it is a generator", "return an array or a list instead")
    try:
        return find(function), None
    except Blocked as blocked:
        return None, blocked
