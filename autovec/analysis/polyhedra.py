"""The border to ISL: coordinates for affine forms, the limit on work, and sets brought back as plain data.

In: `Affine` forms over a person's names. Out: ISL objects whose names are our own (`p0`, `S0`: a person's names may be
ISL's keywords), and `ParameterSet`, which needs no ISL. Objects are built from affine expressions, never from text:
parsing costs 20 times as much. islpy is imported at the first question, as it takes a tenth of a second.

ISL objects live in its default context, which is not for several threads at a time: the caller holds a lock.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from autovec.diagnostics import Blocked, Code
from autovec.ir.affine import Affine

if TYPE_CHECKING:
    import islpy as isl

MAX_OPERATIONS = 10**7


class OutOfOperations(Exception):
    """A question to ISL took more steps than allowed; the answer is then the cautious one."""


@contextmanager
def operation_limit(limit: int) -> Generator[None]:
    """Bound the steps ISL may take inside; not to be nested.

    Raises `OutOfOperations` beyond the limit, and `Blocked` for any other error of ISL, which is our mistake.
    """
    import islpy as isl

    context = isl.DEFAULT_CONTEXT
    context.reset_operations()
    context.set_max_operations(limit)
    try:
        yield
    except isl.Error as error:
        if "maximal number of operations exceeded" in str(error):
            raise OutOfOperations from None
        raise Blocked(Code.INTERNAL, None, f"integer set library: {error}") from error
    finally:
        context.set_max_operations(0)
        context.reset_operations()


@dataclass(frozen=True, slots=True)
class Coordinates:
    """The space of one statement's iterations: its loop variables by position, then the parameters by position.

    A variable of `None` is a coordinate that no form can name.
    """

    space: isl.Space
    axes: Mapping[str, isl.Aff]
    one: isl.Aff

    @staticmethod
    def of(parameters: Sequence[str], variables: Sequence[str | None], name: str = "S") -> Coordinates:
        import islpy as isl

        kinds = isl.dim_type
        context = isl.DEFAULT_CONTEXT
        space = isl.Space.params_alloc(context, len(parameters))
        for position in range(len(parameters)):
            space = space.set_dim_name(kinds.param, position, f"p{position}")
        space = space.add_named_tuple_id_ui(isl.Id(name, context=context), len(variables))
        local = isl.LocalSpace.from_space(space)
        axes = {p: isl.Aff.var_on_domain(local, kinds.param, i) for i, p in enumerate(parameters)}
        axes |= {v: isl.Aff.var_on_domain(local, kinds.set, i) for i, v in enumerate(variables) if v is not None}
        return Coordinates(space, axes, isl.Aff.zero_on_domain(local).set_constant_val(1))

    @property
    def zero(self) -> isl.Aff:
        return self.one.set_constant_val(0)

    def dimension(self, position: int) -> isl.Aff:
        """The loop at this depth as an expression, whether a form can name it or not."""
        import islpy as isl

        return isl.Aff.var_on_domain(isl.LocalSpace.from_space(self.space), isl.dim_type.set, position)

    def expression(self, form: Affine) -> isl.Aff | None:
        """The form in this space; `None` if it names something that has no coordinate."""
        total = self.one.set_constant_val(form.constant)
        for name, coefficient in form.terms:
            axis = self.axes.get(name)
            if axis is None:
                return None
            total = total.add(axis if coefficient == 1 else axis * coefficient)
        return total

    def universe(self) -> isl.Set:
        import islpy as isl

        return isl.Set.universe(self.space)

    def where(self, forms: Iterable[Affine]) -> isl.Set:
        """The points at which every one of these forms is >= 0; forms that aren't known are left out."""
        points = self.universe()
        for form in forms:
            expression = self.expression(form)
            if expression is not None:
                points = points.intersect(at_least(expression, self.zero))
        return points


def at_least(left: isl.Aff, right: isl.Aff) -> isl.Set:
    """Where `left >= right`."""
    import islpy as isl

    return isl.Set.from_basic_set(left.ge_basic_set(right))


def equal(left: isl.Aff, right: isl.Aff) -> isl.Set:
    """Where `left == right`."""
    import islpy as isl

    return isl.Set.from_basic_set(left.eq_basic_set(right))


def image(coordinates: Coordinates, expressions: Sequence[isl.Aff | None]) -> isl.Map:
    """The map from each point to the tuple of these expressions, any number standing for `None`."""
    import islpy as isl

    kinds = isl.dim_type
    space = isl.Space.map_from_domain_and_range(coordinates.space, anonymous(coordinates.space, len(expressions)))
    tuple_of = isl.MultiAff.zero(space)
    for position, expression in enumerate(expressions):
        if expression is not None:
            tuple_of = tuple_of.set_aff(position, expression)
    relation = isl.BasicMap.from_multi_aff(tuple_of)
    for position, expression in enumerate(expressions):
        if expression is None:
            relation = relation.drop_constraints_involving_dims(kinds.out, position, 1)
    return isl.Map.from_basic_map(relation)


def anonymous(space: isl.Space, count: int) -> isl.Space:
    """A set space of so many dimensions without a name, over the same parameters."""
    return space.params().add_unnamed_tuple_ui(count)


def constant(value: isl.Val) -> int | None:
    """A finite integer as Python's, `None` for infinities and what isn't a number."""
    return value.to_python() if value.is_int() else None


@dataclass(frozen=True, slots=True)
class Disjunct:
    """One convex piece: quotients named `floor0`, ... (floor of form / divisor), then forms that are 0 or >= 0."""

    quotients: tuple[tuple[str, Affine, int], ...]
    zero: tuple[Affine, ...]
    at_least_zero: tuple[Affine, ...]

    def contains(self, values: Mapping[str, int]) -> bool:
        known = dict(values)
        for name, form, divisor in self.quotients:
            known[name] = form.evaluate(known) // divisor
        return all(f.evaluate(known) == 0 for f in self.zero) and all(
            f.evaluate(known) >= 0 for f in self.at_least_zero
        )

    def __str__(self) -> str:
        parts = [f"{name} == ({form}) // {divisor}" for name, form, divisor in self.quotients]
        parts += [f"{form} == 0" for form in self.zero] + [f"{form} >= 0" for form in self.at_least_zero]
        return " and ".join(parts) or "True"


@dataclass(frozen=True, slots=True)
class ParameterSet:
    """A set of parameter values as plain data: it pickles, and a membership test takes microseconds."""

    disjuncts: tuple[Disjunct, ...]

    def contains(self, values: Mapping[str, int]) -> bool:
        """Raises KeyError if a parameter it depends on has no value."""
        return any(d.contains(values) for d in self.disjuncts)

    def __str__(self) -> str:
        return " or ".join(f"({d})" if len(self.disjuncts) > 1 else str(d) for d in self.disjuncts) or "False"


EVERYTHING = ParameterSet((Disjunct((), (), ()),))


def parameter_set(points: isl.Set, parameters: Sequence[str]) -> ParameterSet:
    """An ISL set over parameters alone, in a person's names."""
    pieces = points.coalesce().compute_divs().get_basic_sets()
    return ParameterSet(tuple(_disjunct(piece, parameters) for piece in pieces))


def _disjunct(piece: isl.BasicSet, parameters: Sequence[str]) -> Disjunct:
    import islpy as isl

    kinds = isl.dim_type
    piece = piece.remove_redundancies()
    names = [f"floor{i}" for i in range(piece.dim(kinds.div))]

    def form(terms: isl.Aff | isl.Constraint, divisor: int) -> Affine:
        found = {p: terms.get_coefficient_val(kinds.param, i) for i, p in enumerate(parameters)}
        found |= {q: terms.get_coefficient_val(kinds.div, i) for i, q in enumerate(names)}
        whole = {name: (value * divisor).to_python() for name, value in found.items()}
        return Affine.of(whole, (terms.get_constant_val() * divisor).to_python())

    quotients: list[tuple[str, Affine, int]] = []
    for position, name in enumerate(names):
        quotient = piece.get_div(position)
        divisor = quotient.get_denominator_val().to_python()
        quotients.append((name, form(quotient, divisor), divisor))
    constraints = [(form(c, 1), c.is_equality()) for c in piece.get_constraints()]
    return Disjunct(
        tuple(quotients),
        tuple(f for f, is_equality in constraints if is_equality),
        tuple(f for f, is_equality in constraints if not is_equality),
    )
