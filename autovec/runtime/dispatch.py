"""Which rewrite serves a call: the last one if it can, else one of the others, else a new one.

The stub asks `entry`, the last variant's own generated test and call. Only where that misses does anything here run:
the other variants are asked, then the arguments are described and the function is rewritten for them, under a lock.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from time import perf_counter
from typing import Any

from autovec.diagnostics import AutovecError, Blocked, Code
from autovec.options import Options
from autovec.runtime.arguments import ArrayArgument, Signature, describe, is_tracer
from autovec.runtime.notices import Notices
from autovec.runtime.parameters import MISS, Parameters
from autovec.runtime.rewrite import Derived, Rewrite
from autovec.runtime.traced import Traced, stand_in
from autovec.runtime.variant import Divided, Variant
from autovec.runtime.verify import verified
from autovec.runtime.worth import Compiled

REWRITES_PER_SIGNATURE = 8
VERIFIED_CALLS = 3
_VARIANTS_KEPT = 64
_OTHER_DTYPES = Blocked(
    Code.UNSUPPORTED_ARGUMENT,
    None,
    "ints of jax.Arrays become floats, by another table than NumPy's",
    "convert them to floats first",
)

# ISL's context and the caches of the compiler are shared by all functions; a rewrite may call others
_rewriting = threading.RLock()


def _always_miss(*arguments: object) -> Any:
    return MISS


class Dispatch:
    """The state of one decorated function. `entry` is read by its stub at every call.

    `original` answers what the compiled programs don't; `reference` computes the same on other arguments, to compare
    with. `divided` gives what runs instead where a refusal keeps the function from compiling whole, if anything does.
    `served` is the variant of the last call that came through `slow`; None where there the original ran.
    """

    __slots__ = (
        "_compile",
        "_compiled",
        "_counts",
        "_divided",
        "_options",
        "_original",
        "_reference",
        "_refused",
        "_seconds",
        "entry",
        "last",
        "notices",
        "parameters",
        "served",
        "traced",
        "variants",
    )  # fmt: skip

    def __init__(
        self,
        parameters: Parameters,
        original: Callable[[Sequence[object]], Any],
        compile: Callable[[Mapping[str, object]], Rewrite],
        options: Options,
        notices: Notices,
        name: str,
        reference: Callable[[Sequence[object]], Any] | None = None,
        divided: Divided | None = None,
    ) -> None:
        self.entry: Callable[..., Any] = _always_miss
        self.last: Rewrite | None = None
        self.parameters = parameters
        self.notices = notices
        self.variants: tuple[Variant, ...] = ()
        self.traced = Traced(parameters, self._rewritten, name)
        self._original = original
        self._reference = reference or original
        self._divided = divided
        self._compile = compile
        self._compiled = Compiled()
        self._options = options
        self._counts: dict[Signature, int] = {}
        self._refused: set[tuple[type, ...]] = set()
        self._seconds: dict[Variant, float] = {}
        self.served: Variant | None = None

    def slow(self, arguments: tuple[object, ...]) -> Any:
        """A call that the last variant doesn't serve."""
        self.served = None
        if tuple(map(type, arguments)) in self._refused:
            return self._original(arguments)
        while True:
            variants = self.variants
            for variant in variants:
                answer = self._ask(variant, arguments)
                if answer is not MISS:
                    return answer
            try:
                signature = self._describe(arguments)
            except Blocked as blocked:
                refusal = blocked
                break
            begin = perf_counter()
            with _rewriting:
                if self.variants is not variants:
                    continue  # another thread was faster
                new = self._new_variant(signature, arguments)
            if new is None:
                return self._original(arguments)
            answer = self._ask(new, arguments)
            kept = {variant: seconds for variant, seconds in self._seconds.items() if variant in self.variants}
            self._seconds = {**kept, new: perf_counter() - begin}
            # a rewrite that doesn't serve the call that it was made for: what it read has changed meanwhile
            return self._original(arguments) if answer is MISS else answer
        return self._refuse(refusal, arguments)

    def _ask(self, variant: Variant, arguments: tuple[object, ...]) -> Any:
        if variant.unverified > 0:
            return self._verify(variant, arguments)
        answer = variant.entry(*arguments)
        if answer is not MISS:
            self.served = variant
        if answer is not MISS and self.entry is not variant.entry:
            self.entry = variant.entry
            self.last = variant.rewrite
            self.variants = (variant, *(v for v in self.variants if v is not variant))
        return answer

    def first_seconds(self) -> float | None:
        """How long the call took that made the variant of the last call."""
        return None if self.served is None else self._seconds.get(self.served)

    def _describe(self, arguments: Sequence[object]) -> Signature:
        unread, appended = self.parameters.unread, self.parameters.appended
        pairs = zip(self.parameters.names, arguments, strict=True)
        return tuple(describe(n, a, n in unread, n in appended) for n, a in pairs)

    def _refuse(self, blocked: Blocked, arguments: tuple[object, ...]) -> Any:
        """Arguments of types that aren't compiled for: a trace goes to the pure function, the rest to the original."""
        if any(map(is_tracer, arguments)):
            return self._call_traced(arguments)
        if any(type(a) in (list, tuple) and not a for a in arguments):
            return self._original(arguments)  # an empty list has no type, and nothing to gain
        if self.last is None:
            self.last = Rewrite(None, blocked=blocked)
        host = self._divided(blocked, arguments) if self._divided else None
        if host is not None:
            return host(arguments)
        self.notices.say(blocked)
        contents_matter = any(type(a) in (list, tuple) for a in arguments) or "array of" in blocked.construct
        if blocked.code is Code.UNSUPPORTED_ARGUMENT and not contents_matter:
            self._refused.add(tuple(map(type, arguments)))
        return self._original(arguments)

    def _call_traced(self, arguments: tuple[object, ...]) -> Any:
        try:
            writes = self.traced.writes(arguments)
        except (AutovecError, Blocked) as error:
            self.notices.say(Blocked(Code.UNSUPPORTED_ARGUMENT, None, f"under a JAX trace, {error}"))
            writes = None
        if writes is None:
            return self._original(arguments)
        if writes:
            raise AutovecError(
                f"{self.traced.name} writes to {', '.join(writes)}, and traced arrays can't be written to: "
                f"use {self.traced.name}.jax, which returns (value, writes)"
            )
        return self.traced.call(arguments)

    def _rewritten(self, arguments: Mapping[str, object]) -> Rewrite:
        """The pipeline's answer; an error of its own is an answer too."""
        try:
            with _rewriting:
                return self._compile(arguments)
        except Blocked as blocked:
            return Rewrite(None, blocked=blocked)
        except Exception as error:
            return Rewrite(None, blocked=_internal(error))

    def _new_variant(self, signature: Signature, arguments: Sequence[object]) -> Variant | None:
        """Rewrite for these arguments; None where this signature was rewritten too often already."""
        count = self._counts[signature] = self._counts.get(signature, 0) + 1
        blocked = [v for v in self.variants if v.rewrite.blocked is not None and not v.final]
        if count > REWRITES_PER_SIGNATURE and blocked:
            for variant in blocked:  # enough sizes were tried
                variant.final = True
            return None
        if count > REWRITES_PER_SIGNATURE:
            self.notices.say(
                Blocked(
                    Code.NOT_PROFITABLE,
                    None,
                    "a global or an argument that is compiled in keeps changing",
                    "pass what changes as a number or an array",
                )
            )
            return None
        names, unread = self.parameters.names, self.parameters.unread
        shown = {n: None if n in unread else stand_in(a) for n, a in zip(names, arguments, strict=True)}
        rewrite = self._rewritten(shown)
        if rewrite.numpys and any(isinstance(a, ArrayArgument) and a.device for a in signature):
            rewrite = replace(rewrite, program=None, sequential=None, blocked=_OTHER_DTYPES)
        try:
            variant = self._make(rewrite, signature, arguments)
        except Exception as error:
            rewrite = Rewrite(None, blocked=_internal(error), guards=rewrite.guards, constants=rewrite.constants)
            variant = self._make(rewrite, signature, arguments)
        if rewrite.program is not None and self._options.verify and not _writes_outside(rewrite):
            variant.unverified = VERIFIED_CALLS
        self.last = rewrite
        self.variants = (variant, *self.variants)[:_VARIANTS_KEPT]
        return variant

    def _make(self, rewrite: Rewrite, signature: Signature, arguments: Sequence[object]) -> Variant:
        return Variant(
            rewrite,
            signature,
            self.parameters,
            arguments,
            self._original,
            self.notices,
            self._compiled,
            self._divided,
        )

    def _verify(self, variant: Variant, arguments: tuple[object, ...]) -> Any:
        answer, difference = verified(variant.entry, self._reference, arguments, MISS)
        if answer is MISS:
            return answer
        variant.unverified -= 1
        if difference:
            variant.unverified = 0
            variant.withdraw()
            self.notices.mention(Blocked(Code.INTERNAL, None, f"the rewrite differs from the original: {difference}"))
        return answer


def _writes_outside(rewrite: Rewrite) -> bool:
    """Does it write to what no copy can be made of for the original to run on: globals, captured arrays?"""
    outside = {c.name for c in rewrite.captured if not (isinstance(c, Derived) and c.argument)}
    return rewrite.program is not None and not outside.isdisjoint(rewrite.program.writes)


def _internal(error: Exception) -> Blocked:
    text = str(error).splitlines()
    what = f"{type(error).__name__}: {text[0]}" if text else type(error).__name__
    return Blocked(Code.INTERNAL, None, f"autovec failed to rewrite it ({what})")
