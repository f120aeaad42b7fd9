"""Is a program right for the sizes of a call: its facts, asked of numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from autovec.analysis.in_range import RangeProof
from autovec.analysis.integer_values import LONGEST
from autovec.ir.affine import Affine
from autovec.ir.conditions import affine_form
from autovec.ir.nodes import Apply, Unit
from autovec.plan.estimates import SizeLimit


def acceptance(
    unit: Unit, facts: Sequence[Affine], proofs: Sequence[RangeProof | SizeLimit]
) -> Callable[[Mapping[str, int]], bool]:
    """The test of a call's sizes, by name: every fact holds, every proof that leaned on sizes holds.

    Int arguments are within `LONGEST`, which the proof that sums and products fit int64 leans on; the original takes
    wider ones.
    """
    arguments = tuple(size.name for size in unit.sizes if any(axis is None for _, axis in size.origins))

    def accepts(sizes: Mapping[str, int]) -> bool:
        if any(abs(sizes.get(name, 0)) > LONGEST for name in arguments):
            return False
        values = dict(sizes)
        for size in unit.sizes:
            if size.derived is not None:
                assert isinstance(size.derived, Apply)
                one, other = (affine_form(e, {}) for e in size.derived.args)
                assert one is not None and other is not None
                a, b = one.evaluate(values), other.evaluate(values)
                values[size.name] = a * b if size.derived.op == "multiply" else a // b
        if any(fact.evaluate(values) < 0 for fact in facts):
            return False
        return all(proof.holds(values) for proof in proofs)

    return accepts
