"""One rewrite in use: its compiled programs, and what happens when they aren't enough for a call.

A call that is this variant's comes in through `entry` (entry.py). It ends in one of the main program, the sequential
one and the original; whatever was called off on the way has written nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Any

import numpy as np

from autovec.diagnostics import Blocked, Code
from autovec.emit.program import Flag
from autovec.runtime.acceptance import Acceptance, Fit
from autovec.runtime.arguments import ArrayArgument, Signature, describe, folded, overlap, shape_of
from autovec.runtime.entry import Calls, Decision, make_entry
from autovec.runtime.kernel import Failed, Kernel, build
from autovec.runtime.notices import Notices
from autovec.runtime.parameters import MISS, PYTHON, Parameters
from autovec.runtime.precision import is_tracing
from autovec.runtime.rewrite import Derived, Rewrite
from autovec.runtime.strictness import warnings_raise
from autovec.runtime.trial import Step, Trial
from autovec.runtime.worth import Compiled, Worth

# from a refusal and the arguments of the call to what runs in the place of the original; None where the original does
Divided = Callable[[Blocked, Sequence[object]], Callable[[Sequence[object]], Any] | None]

FAULTS_ALLOWED = 5
_KEPT = 4096
PATIENCE = 16  # decisions
LONGEST_REST = 1024  # calls


# what blocks a function for any sizes of its arguments
WHATEVER_THE_SIZES = frozenset(
    {Code.EFFECT, Code.NO_SOURCE, Code.STALE_SOURCE, Code.OPAQUE_CALL, Code.UNKNOWN_NAME, Code.INTERNAL}
    | {Code.NOT_PROFITABLE}
)


def sizes_of(arguments: Sequence[object]) -> tuple[object, ...]:
    """The shapes of the arrays and the values of the ints."""
    return tuple(a if type(a) is int else shape_of(a) for a in arguments)


def is_of_nothing(error: Exception) -> bool:
    """Did JAX refuse to index or reduce an array without elements, in a loop that has no iteration?"""
    text = str(error)
    signs = (
        (IndexError, "size 0"),
        (TypeError, "[0, 0 + 1)"),
        (ValueError, "zero-size array to reduction"),
        (ValueError, "of an empty sequence"),
    )
    return any(isinstance(error, kind) and sign in text for kind, sign in signs)


class Variant:
    """A rewrite of one signature, its compiled programs, and the original to fall back to."""

    def __init__(
        self,
        rewrite: Rewrite,
        signature: Signature,
        parameters: Parameters,
        arguments: Sequence[object],
        original: Callable[[Sequence[object]], Any],
        notices: Notices,
        compiled: Compiled,
        divided: Divided | None = None,
    ) -> None:
        self.rewrite = rewrite
        self.signature = signature
        self.withdrawn = False
        self.unverified = 0  # calls that are still to be compared with the original
        self.faults = 0  # in a row
        self.retries = 0  # in a row
        captured = rewrite.captured
        names = self._names = (*parameters.names, *(c.name for c in captured))
        full = self._signature = (*signature, *(describe(c.name, c.value) for c in captured))
        self._passed = len(parameters.names)
        self._call = original
        self._notices = notices
        self._divided = divided
        self._sizes = sizes_of(arguments)
        self.final = rewrite.blocked is None or rewrite.blocked.code in WHATEVER_THE_SIZES
        self._decisions: dict[tuple[object, ...], Decision] = {}
        self._trials: dict[tuple[object, ...], Trial] = {}
        self._trial = Trial(0.0)  # that of the call at hand
        self._pays = False  # was the program faster in a trial?
        self.slower = False  # was it slower?
        self._declined = 0  # decisions in a row for the original
        self._unasked = 0  # so many shapes that aren't known run the original
        self._empty: set[tuple[object, ...]] = set()  # sizes at which an array that the program makes has no elements
        self._sequential: tuple[Kernel, Acceptance] | None = None
        program = rewrite.program
        # a jax.Array can't be written to: the original says so itself
        device = any(isinstance(a, ArrayArgument) and a.device for a in full)
        self._kernel = (
            build(program, names, full) if program and not (device and (program.writes or program.updates)) else None
        )
        self._acceptance = Acceptance(program.sizes if program else (), rewrite.accepts, names)
        self.worth = Worth(
            rewrite.work,
            self._acceptance,
            [i for i, n in enumerate(names) if program and n in program.static],
            compiled,
        )
        self.entry: Callable[..., Any] = make_entry(
            Calls(rewrite, names, full, (*arguments, *(c.value for c in captured)), self._acceptance.scalars),
            self._kernel,
            self._decisions,
            self,
            original,
        )

    def _original(self, arguments: Sequence[object]) -> Any:
        """The original with what was passed, without what it captures."""
        return self._call(arguments[: self._passed])

    def decide(self, key: tuple[object, ...], arguments: Sequence[object]) -> Decision:
        """What to do with arguments of these shapes; kept by the key."""
        known = self._decisions.get(key)
        if known is None and key in self._trials:
            known = self._tried(key)
            if known is not None:
                return known
        if known is None and self._unasked:
            self._unasked -= 1
            return Decision.ORIGINAL
        if known is None:
            known = self._decide(arguments)
            self._rest(known)
            if self.worth.undecided:
                return known
            if known is Decision.RUN and self.worth.estimate > 0.0 and not self._pays:
                self._trials[key] = Trial(self.worth.estimate)
                return known
            if len(self._decisions) >= _KEPT:
                self._decisions.clear()
            self._decisions[key] = known
        return known

    def _tried(self, key: tuple[object, ...]) -> Decision | None:
        """What comes next in the trial of these shapes; None where they have to be decided on anew."""
        trial = self._trial = self._trials[key]
        step = trial.next()
        if self.withdrawn or step is Step.KEEP or step is Step.DROP:
            del self._trials[key]
        if self.withdrawn:
            return None
        match step:
            case Step.PROGRAM:
                return Decision.TIMED
            case Step.ORIGINAL:
                return Decision.COMPARED
            case Step.KEEP:
                self._pays = trial.asked
                self._decisions[key] = Decision.RUN
            case Step.DROP:
                self.slower = True
                self._decisions[key] = Decision.ORIGINAL
        return self._decisions[key]

    def _timed(self, arguments: Sequence[object]) -> Any:
        """A run of the program, timed."""
        assert self._kernel is not None
        trial = self._trial
        if self._must_be_original(arguments):
            trial.ran(0.0)
            return self._original(arguments)
        begin = perf_counter()
        for one in self.rewrite.captured:  # they were read before: how long that takes belongs to the program's time
            if isinstance(one, Derived):
                one.read(arguments[self._names.index(one.argument)] if one.argument else None)
        result = self._kernel.run(*arguments)
        trial.ran(perf_counter() - begin)
        if type(result) is Failed:
            return self.failed(result, arguments)
        self.faults = self.retries = 0
        return result

    def _compared(self, arguments: Sequence[object]) -> Any:
        """A run of the original, timed; the statements that a host runs in place of a kernel aren't."""
        trial = self._trial
        trial.asked = True
        begin = perf_counter()
        answer = self._original(arguments)
        if answer is not PYTHON:
            trial.original = perf_counter() - begin
        return answer

    def _rest(self, decision: Decision) -> None:
        """A decision takes as long as a small call: where one shape after the other was declined, ask ever more rarely."""
        self._declined = self._declined + 1 if decision is Decision.ORIGINAL else 0
        if self._declined > PATIENCE:
            self._unasked = min(2 ** (self._declined - PATIENCE), LONGEST_REST)

    def _decide(self, arguments: Sequence[object]) -> Decision:
        if not self.rewrite.pays:
            return Decision.ORIGINAL
        for argument, described in zip(arguments, self._signature, strict=True):
            if isinstance(described, ArrayArgument):
                shape: tuple[int, ...] = argument.shape  # type: ignore[attr-defined]
                if tuple(n == 1 for n in shape) != described.ones:
                    return Decision.ANOTHER
                if 0 in shape:
                    return Decision.ORIGINAL
        if self.withdrawn or sizes_of(arguments) in self._empty:
            return Decision.ORIGINAL
        fit = self._acceptance.test(arguments)
        if fit is Fit.ANOTHER:
            return Decision.ANOTHER
        if not self.worth.compiling(arguments):
            return Decision.ORIGINAL
        return Decision.SEQUENTIAL if fit is Fit.REFUSED or self.retries >= FAULTS_ALLOWED else Decision.RUN

    def other(self, decision: Decision, arguments: Sequence[object]) -> Any:
        """A call that the main program doesn't serve."""
        match decision:
            case Decision.ANOTHER:
                return MISS
            case Decision.SEQUENTIAL:
                return self._run_sequential(arguments)
            case Decision.TIMED:
                return self._timed(arguments)
            case Decision.COMPARED:
                return self._compared(arguments)
            case _:
                answer = self._original(arguments)
                if answer is not PYTHON:
                    self.worth.ended()
                return answer

    def refused(self, arguments: Sequence[object]) -> Any:
        """The call of a function that isn't compiled for this signature; other sizes may be another matter."""
        blocked = self.rewrite.blocked
        if blocked is not None and blocked.code is Code.NOT_PROFITABLE:
            self._notices.mention(blocked)  # nothing is wrong with the function: it is no error, and isn't cut
            return self._original(arguments)
        host = self._divided(blocked, arguments[: self._passed]) if self._divided and blocked else None
        if host is not None:
            return host(arguments[: self._passed])
        if not self.final and sizes_of(arguments) != self._sizes:
            return MISS
        if blocked is not None:
            self._notices.say(blocked)
        return self._original(arguments)

    def overlapping(self, arguments: Sequence[object]) -> Any:
        program = self._kernel.program if self._kernel else None
        shown = {c.name: c.shown for c in self.rewrite.captured if isinstance(c, Derived)}
        names = (*program.writes, *(u.name for u in program.updates)) if program else ()
        written = ", ".join(dict.fromkeys(shown.get(n, n) for n in names))
        self._notices.say(
            Blocked(
                Code.OVERLAPPING_ARGUMENTS,
                None,
                f"arguments share memory with {written}, which the function writes to",
                "pass copies of what is only read",
            )
        )
        return self._original(arguments)

    def failed(self, result: Failed, arguments: Sequence[object]) -> Any:
        """A run that was called off; nothing has been written."""
        if result.flag is Flag.RETRY:
            self.retries += 1
            if self.retries == FAULTS_ALLOWED:
                self._decisions.clear()  # this data is not what was speculated on: stop trying
            return self._run_sequential(arguments)
        self._called_off(result, arguments)
        return self._original(arguments)

    def _called_off(self, result: Failed, arguments: Sequence[object]) -> None:
        """Remember what a run failed of."""
        if result.error is None or isinstance(result.error, OverflowError):  # a Python int that int64 doesn't hold
            self._fault()
        elif is_of_nothing(result.error):
            self._empty.add(sizes_of(arguments))
            self._decisions.clear()
        else:
            self._broken(result.error)

    def _run_sequential(self, arguments: Sequence[object]) -> Any:
        assert self._kernel is not None
        if self._sequential is None and self.rewrite.sequential is not None:
            try:
                program = self.rewrite.sequential()
            except Blocked:
                self._sequential = None  # what needs the arrays of the main program, such as a list: the original then
            except Exception as error:
                self._broken(error)
            else:
                accepts = Acceptance(program.sizes, self.rewrite.sequential_accepts, self._names)
                self._sequential = (build(program, self._names, self._signature), accepts)
        if self.withdrawn or self._sequential is None or self._must_be_original(arguments):
            return self._original(arguments)
        kernel, acceptance = self._sequential
        if acceptance.test(arguments) is not Fit.FITS:
            return self._original(arguments)
        result = kernel.run(*arguments)
        if type(result) is not Failed:
            self.faults = 0
            return result
        self._called_off(result, arguments)
        return self._original(arguments)

    def _must_be_original(self, arguments: Sequence[object]) -> bool:
        """The tests that `entry` makes before a run, for a call that comes another way."""
        assert self._kernel is not None
        writes = self._kernel.program.writes
        named = dict(zip(self._names, arguments, strict=True))
        arrays = {n: a for n, a in named.items() if isinstance(a, np.ndarray)}
        return (
            warnings_raise()
            or (self.rewrite.tangle.matters and self.rewrite.tangle.holds(named))
            or any(type(a) is int and a.bit_length() > 63 for a in arguments)
            or any(not arrays[w].flags.writeable or folded(arrays[w]) for w in writes)
            or any(overlap(arrays[w], a) for w in writes for n, a in arrays.items() if n != w)
            or any(overlap(arrays[w], a) for w in writes for a in self.rewrite.tangle.arrays)
        )

    def _fault(self) -> None:
        self.faults += 1
        if self.faults == FAULTS_ALLOWED:
            self.withdraw()
            self._notices.mention(
                Blocked(
                    Code.FAULT,
                    None,
                    f"{FAULTS_ALLOWED} calls in a row met what only the original can answer (an exception, a value out of range)",
                )
            )

    def _broken(self, error: Exception) -> None:
        """JAX or the compiler itself failed: said once, and not tried again unless memory was the matter."""
        if is_tracing():
            return  # under the person's own trace a jitted call with compiler options can't be made
        if "RESOURCE_EXHAUSTED" in str(error) or isinstance(error, MemoryError):
            self.faults += 1
        else:
            self.faults = FAULTS_ALLOWED
        if self.faults >= FAULTS_ALLOWED:
            self.withdraw()
        if isinstance(error, TypeError) and "Shapes must be 1D sequences of concrete" in str(error):
            self._notices.mention(Blocked(Code.DYNAMIC_SHAPE, None, "an array whose size depends on the data"))
            return
        what = f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"
        self._notices.mention(Blocked(Code.INTERNAL, None, f"the compiled program failed ({what})"))

    def withdraw(self) -> None:
        """Never run this rewrite again: the original answers in its place."""
        self.withdrawn = True
        self._decisions.clear()
