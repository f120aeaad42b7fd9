"""Nests of counted loops: sums of their variables as subscripts, conditions across them, stores that meet."""

from __future__ import annotations

from tests.generator.choices import Choices
from tests.generator.scientific.arguments import Parameter
from tests.generator.scientific.scope import Scope, filled

# {u} and {v} are loop variables, perhaps the same one
SINGLE = ("{u}",) * 4 + ("n - 1 - {u}", "({u} + {v}) % n", "{u} - {v}", "max({u} - {v}, 0)", "{u} // 2", "-{u} - 1", "min({u} + 1, n - 1)", "{u} - 1", "abs({u} - {v})", "({u} - {v}) % n",
         "min({u}, {v})", "(2 * {u}) % n")  # fmt: skip
DOUBLE = ("{u} + {v}", "{u} + {v}", "{u} + {v} + 1", "2 * {u}", "2 * {u} + 1", "n + {u} - {v}", "{u} - {v}", "n - 1 + {u} - {v}", "2 * n - 1 - {u} - {v}", "-{u} - {v} - 1", "{u}", "n + {u}",
          "({u} + 2 * {v}) % (2 * n)", "3 * {u} // 2", "max({u}, {v})", "abs({u} - {v})", "min({u} + {v}, n)")  # fmt: skip
CONDITIONS = ("{u} == {v}", "{u} != {v}", "{u} - {v} == 1", "{u} == 2 * {v}", "{u} + {v} < n", "{u} + {v} == n - 1", "{u} > {v}", "{u} % 2 == 0", "{u} < n - 1", "{u} > 0", "{u} == k", "b[{u}] > 0",
              "{u} + {v} < n - 1 and {u} > 0", "b[{u}] > t", "{u} >= {v} and b[{v}] < 1", "{u} == 0 or {v} == n - 1", "({u} + {v}) % 2 == 0", "{u} < n // 2", "abs({u} - {v}) <= 1", "0 < {u} < n - 1")  # fmt: skip
VALUES = (
    "b[{u}]",
    "b[{u}] * 0.5",
    "{cell} + 1",
    "{cell}",
    "{cell} - {cell}",
    "{u} + {v}",
    "t",
    "{u} * 2.0",
    "{cell} * 0.5 + b[{u}]",
    "1",
)
STATEMENTS = ((8, "{cell} = {value}"), (4, "{cell} += {value}"), (2, "{cell} -= {value}"), (1, "s += {u} - {v}"), (1, "s += 1"), (1, "m = max(m, {value})"), (1, "m = m * 0.5 + {value}"),
              (1, "m = {value}"), (2, "{cell}, {cell} = {cell}, {cell}"), (1, "if {c}:\n    continue"), (1, "if {c}:\n    break"))  # fmt: skip
RANGES = ("range(n)",) * 4 + (
    "range(1, n)",
    "range(n - 1)",
    "range(n - 1, -1, -1)",
    "range(0, n, 2)",
    "range(1, n - 1)",
    "range(n // 2)",
    "range(n - 1, 0, -2)",
)
INNER = (
    "range({u})",
    "range({u} + 1)",
    "range({u}, n)",
    "range({u} + 1, n)",
    "range({u}, -1, -1)",
    "range(n - {u})",
    "range(max(0, {u} - 1), min(n, {u} + 2))",
    "range({u} % 2, n, 2)",
)


def program(choices: Choices) -> tuple[str, list[Parameter]]:
    """A function of a vector of 2n elements, a square matrix and a vector to read."""
    dtype = choices.pick(["float64", "float64", "int64", "float32"])
    parameters = [
        Parameter("a", ("2n",), dtype),
        Parameter("A", ("n", "n"), dtype),
        Parameter("b", ("n",), choices.pick(["float64", "int64"])),
    ]
    parameters += [Parameter("t", (), "float"), Parameter("k", (), "int")]
    scope = Scope(choices)
    scope.write("n = len(b)\ns, m, z = 0, 0.0, np.zeros(2 * n)")
    for _ in range(choices.integer(1, 2)):
        nest(scope, choices.integer(1, 3))
    scope.write("return s, m, z")
    return f"def f({', '.join(p.name for p in parameters)}):\n" + "\n".join(scope.lines) + "\n", parameters


def nest(scope: Scope, depth: int) -> None:
    choices, name = scope.choices, "ijp"[len(scope.loops)]
    text = choices.pick(RANGES + INNER if scope.loops else RANGES)
    scope.write(f"for {name} in {written(scope, text)}:")
    inner = scope.inside(loops=(*scope.loops, (name, "n")))
    for _ in range(choices.integer(1, 2)):
        if depth > 1 and not choices.rarely(4):
            nest(inner, depth - 1)
        elif choices.rarely(2):
            inner.write(f"if {written(inner, choices.pick(CONDITIONS))}:")
            statement(inner.inside())
        else:
            statement(inner)


def statement(scope: Scope) -> None:
    scope.write(written(scope, scope.choices.weighted(list(STATEMENTS))))


def written(scope: Scope, template: str) -> str:
    names = [v for v, _ in reversed(scope.loops)]

    def cell() -> str:
        place = scope.choices.pick([("a[{p}]", DOUBLE), ("A[{p}, {p}]", SINGLE), ("z[{p}]", DOUBLE)])
        return filled(place[0], {"p": lambda: written(scope, scope.choices.pick(place[1]))})

    return filled(
        template,
        {
            "u": lambda: scope.choices.pick(names),
            "v": lambda: scope.choices.pick(names),
            "cell": cell,
            "value": lambda: written(scope, scope.choices.pick(VALUES)),
            "c": lambda: written(scope, scope.choices.pick(CONDITIONS)),
        },
    )
