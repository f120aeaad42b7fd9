"""What is computed: numbers, integers, conditions and vectors, mostly exact in any order of operations."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tests.generator.scientific.scope import Scope, bracketed, chosen
from tests.generator.scientific.subscripts import element, length, part, vector_part, vectors

Fields = Mapping[str, Callable[[], str]]
Table = list[tuple[int, str]]

# {x} {f}: a number, {f} in brackets; {i}: an integer; {c}: a condition; {v} {w}: vectors of one length, {w} a plain one
NUMBERS: Table = [
    (24, "{e}"), (8, "{name}"), (12, "{x} + {f}"), (8, "{x} - {f}"), (4, "{f} * 0.5"), (3, "{f} * -1"), (3, "{f} * 2"), (5, "{f} * {f}"),
    (5, "abs({x})"), (5, "max({x}, {x})"), (3, "min({x}, {x})"), (4, "({x} if {c} else {x})"), (6, "np.sum({v})"), (4, "np.dot({w}, {w})"),
    (3, "({w} * {w}).sum()"), (3, "np.max({v}, initial=0.0)"), (3, "{i}"), (3, "float({x})"), (2, "{f} / 4"), (2, "{f} // 2"), (2, "{f} % 3"),
    (2, "np.sqrt(abs({x}))"), (3, "np.where({c}, {x}, {x})"), (3, "sorted([{x}, {x}, {x}])[1]"), (3, "sum({x} for g in range(n) if {c})"),
    (2, "max([{x} for g in range(n)], default=0.5)"), (2, "sum(g * 0.5 for g in a)"), (1, "np.mean({w})"), (1, "np.float32({x})"), (1, "int({x})"),
    (1, "({x} or {x})"), (1, "max({x}, {x}, key=lambda z: -z)"), (1, "({c}) + {x}"), (1, "math.floor({x})"), (1, "divmod({x}, 2)[1]"),
    (2, "({x}, {x})[{i} % 2]"), (1, "np.array([{x}, {x}, {x}]).max()"), (1, "round({x})"), (1, "-{f}"), (1, "np.linalg.norm({w})"), (2, "{call}"),
]  # fmt: skip
INTEGERS: Table = [
    (5, "{name}"), (3, "{e}"), (3, "{i} + {i}"), (2, "{i} - {i}"), (1, "({i}) * 2"), (1, "({i}) % 5"), (1, "({i}) // -2"), (1, "(({i}) & 3)"),
    (1, "(({i}) ^ 1)"), (1, "int({x})"), (1, "np.argmax({w})"), (1, "np.sum({w} > {x})"), (1, "len({w})"), (1, "(({i}) << 1)"), (1, "~({i})"),
    (1, "np.int32(({i}) % 50)"), (1, "np.count_nonzero({w})"), (1, "int({c})"),
]  # fmt: skip
CONDITIONS: Table = [
    (6, "{x} > {x}"), (4, "{x} <= {x}"), (2, "{x} == {x}"), (3, "{u} < n - 1"), (2, "{u} % 2 == 0"), (1, "{u} % 3"), (1, "({i}) & 1"), (2, "{flag}"),
    (2, "({c} and {c})"), (1, "({c} or {c})"), (1, "not ({c})"), (1, "-1.0 < {x} <= {x}"), (1, "np.any({w} > {x})"), (1, "np.all({w} >= {x})"),
    (1, "{x}"), (1, "np.isnan({x})"), (1, "({x} > 0) ^ ({x} > 0)"), (1, "any({c} for g in range(n))"),
]  # fmt: skip
VECTORS: Table = [
    (12, "{w}"), (6, "{v} + {vf}"), (4, "{v} - {vf}"), (4, "{vf} * 0.5"), (3, "{vf} * {f}"), (3, "{v} - {f}"), (3, "np.abs({v})"), (3, "np.where({v} > {x}, {v}, {x})"),
    (2, "np.maximum({v}, {x})"), (3, "np.cumsum({v})"), (2, "np.roll({v}, 1)"), (2, "np.sort({v})"), (3, "np.clip({v}, -1.0, 1.5)"), (2, "np.maximum.accumulate({v})"),
    (2, "{vf}[::-1]"), (2, "{vf}.copy()"), (2, "np.minimum({v}, {v})"), (1, "np.diff({v}, prepend=0.0)"), (1, "-{vf}"), (1, "{vf} ** 2 * 0.125"), (1, "np.floor({v})"),
    (1, "({v} > {x}) * 0.5"), (1, "{vf} // 2"), (1, "np.isnan({v}) + 0.5"), (1, "np.argsort({v}, kind='stable') * 0.5"), (1, "np.fmax({v}, {x})"), (1, "np.zeros_like({w})"),
]  # fmt: skip
WHOLE: Table = [  # of an axis's own length
    (2, "np.concatenate([{w}[1:], {w}[:1]])"), (1, "np.append({w}[1:], {x})"), (1, "np.array([{x} for g in range({axis})], dtype=float)"), (1, "np.full({axis}, {x})"),
    (1, "np.arange({axis}) * 0.5"), (1, "np.stack([{w}, {w}])[1]"), (1, "np.outer({w}, {w})[{at}]"), (1, "np.vstack([{w}, {w}]).sum(axis=0)"),
]  # fmt: skip


def number(scope: Scope, depth: int = 2) -> str:
    if depth <= 0:
        return plain(scope)
    return chosen(scope.choices, NUMBERS, fields(scope, depth - 1, "n", length(scope, "n")))


def plain(scope: Scope) -> str:
    """An element, or a name."""
    return some_element(scope, "f") if scope.choices.rarely(2) else name(scope)


def name(scope: Scope) -> str:
    return scope.choices.pick([*scope.numbers, *scope.numbers, *scope.integers, "0.5"])


def some_element(scope: Scope, kinds: str) -> str:
    arrays = scope.of(kinds=kinds)
    return element(scope, scope.choices.pick(arrays)) if arrays else "2"


def integer(scope: Scope, depth: int = 1) -> str:
    names = [v for v, _ in reversed(scope.loops)] + scope.integers
    if depth <= 0:
        return scope.choices.pick([*names, "1", "n"])
    own = {"name": lambda: scope.choices.pick([*names, "1"]), "e": lambda: some_element(scope, "i")}
    return chosen(scope.choices, INTEGERS, {**fields(scope, depth - 1, "n", length(scope, "n")), **own})


def condition(scope: Scope, depth: int = 1) -> str:
    return chosen(scope.choices, CONDITIONS[: None if depth > 0 else 7], fields(scope, min(depth - 1, 0), "n", "all"))


def vector(scope: Scope, axis: str, how: str, depth: int = 2) -> str:
    """A vector along an axis, as long as slices of that kind."""
    if depth <= 0 or not vectors(scope, axis):
        return vector_part(scope, axis, how) or number(scope, 1)
    table = VECTORS + WHOLE if how == "all" else VECTORS
    return chosen(scope.choices, table, fields(scope, depth - 1, axis, how))


def called(scope: Scope, depth: int) -> str:
    """A call of a function of the program's own."""
    known = [f for f, kind in scope.functions.items() if kind in "xp"]
    if not known:
        return plain(scope)
    one = scope.choices.pick(known)
    pair = scope.functions[one] == "p"
    return f"{one}({number(scope, depth)}, {number(scope, depth)})" + ("[1]" if pair else "")


def fields(scope: Scope, depth: int, axis: str, how: str) -> Fields:
    """What fills the templates above."""
    return {
        "x": lambda: number(scope, depth),
        "f": lambda: bracketed(number(scope, depth)),
        "e": lambda: some_element(scope, "f"),
        "i": lambda: integer(scope, min(depth, 1)),
        "c": lambda: condition(scope, min(depth, 1)),
        "v": lambda: vector(scope, axis, how, depth),
        "vf": lambda: bracketed(vector(scope, axis, how, depth)),
        "w": lambda: vector(scope, axis, how, 0),
        "u": lambda: scope.choices.pick([v for v, _ in reversed(scope.loops)] or ["n"]),
        "name": lambda: name(scope),
        "flag": lambda: scope.choices.pick(scope.flags or ["t > 0"]),
        "call": lambda: called(scope, min(depth, 1)),
        "axis": lambda: axis,
        "at": lambda: scope.choices.pick([*scope.along(axis), "0", "-1"]),
        "part": lambda: part(scope, axis, how),
    }
