"""What is made inside of loops: work arrays of each iteration, values of outer loops, lists of chosen elements.

The loops begin, end and step in every way, so that where something lies is not what its loop variable says.
"""

from __future__ import annotations

from tests.generator.choices import Choices
from tests.generator.scientific.arguments import Parameter
from tests.generator.scientific.scope import Scope, filled

RANGES = ("range(n)",) * 3 + (
    "range(1, n)",
    "range(2, n)",
    "range(1, n, 2)",
    "range(n - 1, 0, -1)",
    "range(n - 1, -1, -2)",
    "range(n - 1)",
)
INNER = ("range(3)", "range({u})", "range({u} + 1)", "range({u}, n)", "range({u} + 1, n)", "range({u}, -1, -1)", "range(at[{u}])")  # fmt: skip
MADE = (
    "np.zeros(3)",
    "np.zeros(3)",
    "np.ones(3)",
    "np.full(3, a[{u}])",
    "np.arange(3.0)",
    "np.zeros(3, dtype=int)",
    "np.array([a[{u}], 0.5, {u}])",
)
PLACES = ("{u} % 3", "{u} % 3", "0", "1", "-1", "at[{u}] % 3", "({u} + 1) % 3", "2 - {u} % 3", "k % 3")
VALUES = ("a[{u}]", "{u}", "b[{u}]", "A[{u}, 0]", "a[{u} - n]", "0.5", "k", "a[n - 1 - {u}]", "A[{v}, {u}]", "{known}", "{known}", "{known}")  # fmt: skip
CONDITIONS = (
    "{value} > 0",
    "{u} > 1",
    "{u} != k",
    "{u} < n - 2",
    "{value} > {value}",
    "{u} % 2 == 0",
    "b[{u}] > 0 and {u} < n - 1",
    "a[0] > 0",
)
STATEMENTS = (
    (4, "t = {value} {op} {value}"),
    (3, "{row} = {made}"),
    (6, "{row}[{place}] {to} {value}"),
    (1, "{row}[:] = {value}"),
    (1, "{row}[1:] += {row}[:-1]"),
    (1, "{row} = {row} * 2 + {value}"),
    (3, "out.append({value} {op} {value})"),
    (4, "if {c}:\n    out.append({value})"),
    (2, "s += {value}"),
    (2, "s = s * 0.5 + {value}"),
    (2, "o[{u}] {to} {value}"),
    (2, "if {c}:\n    {row}[{place}] {to} {value}"),
    (1, "if {c}:\n    continue"),
)
ENDS = ("", "s += sum(out)\n", "s += len(out)\n", "for v in out:\n    s = s * 0.5 + v\n", "for q in range(len(out)):\n    s += out[q] * q\n")  # fmt: skip


def program(choices: Choices) -> tuple[str, list[Parameter]]:
    """A function of vectors and a square matrix, of n elements a side."""
    parameters = [
        Parameter("a", ("n",), "float64"),
        Parameter("b", ("n",), "int64"),
        Parameter("A", ("n", "n"), "float64"),
        Parameter("at", ("n",), "int64"),
        Parameter("k", (), "int"),
    ]
    scope = Scope(choices)
    scope.write("n = len(a)\ns = 0.0\nout = []\no = np.zeros(n)")
    for _ in range(choices.integer(1, 2)):
        nest(scope, ["r"], [], choices.integer(1, 3))
    scope.write(choices.pick(ENDS) + "return s, out, o")
    return f"def f({', '.join(p.name for p in parameters)}):\n" + "\n".join(scope.lines) + "\n", parameters


def nest(scope: Scope, rows: list[str], known: list[str], depth: int) -> None:
    """A loop; `known`: the names that were bound in those around it."""
    choices, name = scope.choices, "ijp"[len(scope.loops)]
    text = choices.pick(RANGES + INNER if scope.loops else RANGES)
    scope.write(f"for {name} in {written(scope, text, rows, known)}:")
    inner = scope.inside(loops=(*scope.loops, (name, "n")))
    if not scope.loops:
        inner.write(written(inner, "r = {made}", rows, known))
    known = list(known)
    for _ in range(choices.integer(1, 4)):
        if depth > 1 and choices.rarely(3):
            nest(inner, rows, known, depth - 1)
            continue
        text = written(inner, choices.weighted(list(STATEMENTS)), rows, known)
        if text.startswith("t = "):
            known.append(scope.fresh("t"))
            text = known[-1] + text.removeprefix("t")
        inner.write(text)


def written(scope: Scope, template: str, rows: list[str], known: list[str]) -> str:
    choices, names = scope.choices, [v for v, _ in reversed(scope.loops)]

    def again(options: tuple[str, ...]) -> str:
        return written(scope, choices.pick(options), rows, known)

    def name_or_element() -> str:
        if known and not choices.rarely(3):
            return choices.pick(known)
        return choices.pick(["r[1]", "r.sum()", f"r[{names[0]} % 3]"])

    fields = {
        "u": lambda: choices.pick(names),
        "v": lambda: choices.pick(names),
        "row": lambda: choices.pick(rows),
        "made": lambda: again(MADE),
        "place": lambda: again(PLACES),
        "value": lambda: again(VALUES),
        "known": name_or_element,
        "c": lambda: again(CONDITIONS),
        "op": lambda: choices.pick(["+", "*", "-"]),
        "to": lambda: choices.pick(["=", "+=", "-=", "*="]),
    }
    return filled(template, fields)
