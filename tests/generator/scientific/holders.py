"""Programs over what holds several values: objects, dicts, lists of lists, strings and None; functions that write."""

from __future__ import annotations

from tests.generator.choices import Choices
from tests.generator.scientific.arguments import Parameter
from tests.generator.scientific.scope import Scope, filled

# by the kind of parameter: its name, numbers that it gives, statements that change it; {i} is the loop variable
HOLDERS: dict[str, tuple[str, tuple[str, ...], tuple[str, ...]]] = {
    "body": ("o", ("o.x[{i}]", "o.rate", "o.hits", "o.y[{i} - 1]"),
             ("o.x[{i}] = {x}", "o.rate = {x}", "o.hits += 1", "o.x += {x}", "o.x = o.x * 0.5", "o.x[:] = o.y", "o.y[1:] += o.x[:-1]", "o.x, o.y = o.y, o.x", "part = o.x\npart[{i}] += 1")),
    "record": ("d", ("d['x'][{i}]", "d['rate']", "d['hits']", "d['y'][{i} - 1]"),
               ("d['x'][{i}] = {x}", "d['rate'] = {x}", "d['hits'] += 1", "d['x'] += 1", "d['x'][:] = d['y'][::-1]", "d['x'] = d['x'] + 1")),
    "list": ("items", ("items[{i}]", "items[-1]", "items[{i} // 2]", "sum(items)", "max(items)", "sum(items[:{i}])", "len(items)"),
             ("items[{i}] = {x}", "items[{i}] += {x}", "items[-1] = {x}", "items[{i}], items[0] = items[0], items[{i}]", "items = [e * 2 for e in items]", "items[{i}] = items[{i} - 1]")),
    "rows": ("rows", ("rows[{i}][0]", "rows[{i}][-1]", "sum(rows[{i}])", "max(rows[{i}])", "len(rows[{i}])"),
             ("rows[{i}][0] = {x}", "rows[{i}][m - 1] += {x}", "row = rows[{i}]\nrow[0] = {x}", "for q in range(m):\n    rows[{i}][q] = {x}")),
    "vectors": ("many", ("many[0][{i}]", "many[{i} % m][{i}]", "many[-1].sum()"),
                ("many[0][{i}] = {x}", "many[{i} % m][{i}] += 1", "many[0] += 1", "for w in many:\n    w[{i}] *= 0.5", "many[0][:] = many[-1]")),
    "maybe": ("best", (), ("best = {x}", "if best is None or {x} < best:\n    best = {x}", "if best is not None:\n    s += best")),
    "flag": ("mode", (), ("if mode == 'sum':\n    s += {x}", "if mode is None:\n    {stop}", "if mode in ('max', 'last'):\n    s = max(s, {x})")),
}  # fmt: skip
FUNCTIONS = {
    "def moved(x, v, dt=0.5):\n    x = x + v * dt\n    if x > 2:\n        return 2.0, -v\n    return x, v": ("b[{i}], s = moved(b[{i}], {x})", "p, v = moved({x}, {x}, dt=0.25)\ns += p - v"),
    "def ordered(x, y):\n    return (x, y) if x < y else (y, x)": ("b[{i}], b[{i} - 1] = ordered(b[{i}], b[{i} - 1])", "s = ordered(s, {x})[0]"),
    "def put(v, i, x):\n    v[i] = x\n    v[-1] += 1\n    return len(v)": ("count += put(b, {i}, {x})", "put(b[{i}:], 0, {x})", "put(b[::-1], {i}, {x})"),
    "def first_above(v, x):\n    for e in v:\n        if e > x:\n            return e\n    return None": ("low = first_above(b, {x})", "e = first_above(b, {x})\nif e is not None:\n    s += e"),
    "def sizes(v):\n    found = []\n    for e in v:\n        if e > 0:\n            found.append(e)\n        else:\n            found.append(-e)\n    return found": ("s += sum(sizes(b))", "for e in sizes(b):\n    s += e"),
}  # fmt: skip
NUMBERS = ("a[{i}]", "b[{i}]", "a[{i} - 1]", "b[n - 1 - {i}]", "s", "count", "t", "0.5", "1", "{i}")
MADE = ("{y} + {y}", "{y} - {y}", "{y} * 0.5", "abs({y})", "max({y}, {y})", "({y} if {c} else {y})", "float({y})", "sum(e * 0.5 for e in b)", "sum(e for e in b if e > {y})", "len([e for e in b if e > {y}])",
        "sorted([{y}, {y}, {y}])[1]", "sum(p * q for p, q in zip(a, b))", "[{y}, {y}][{i} % 2]")  # fmt: skip
CONDITIONS = (
    "{y} > {y}",
    "{y} <= {y}",
    "{i} % 2 == 0",
    "{y} > 0",
    "{i} > 0 and {y} < b[{i} - 1]",
    "low is None",
    "low is not None",
    "low is None or {y} < low",
    "0 < {y} < 2",
    "not {y}",
    "len(out) < 3",
)
STATEMENTS = (
    "s += {x}",
    "s = {x}",
    "count += 1",
    "a[{i}] = {x}",
    "b[{i}] += {x}",
    "out.append({x})",
    "low = {x}",
    "s, count = {x}, count + 1",
    "b[{i}], b[{i} - 1] = b[{i} - 1], b[{i}]",
)
HEADS = ("for i in range(n):", "for i in range(n - 1, -1, -1):", "for i, e in enumerate(a):", "for i in range(1, n):")
STOPS = ("break", "continue", "return s", "return None", "return low", "return s, count")


def program(choices: Choices) -> tuple[str, list[Parameter]]:
    """A function of two vectors and two or three holders."""
    kinds = [k for k in HOLDERS if choices.rarely(3)] or ["body"]
    parameters = [
        Parameter("a", ("n",), choices.pick(["float64", "float64", "int64"])),
        Parameter("b", ("n",), "float64"),
    ]
    parameters += [Parameter(HOLDERS[k][0], (), k) for k in kinds]
    parameters += [Parameter("m", (), "size"), Parameter("t", (), "float"), Parameter("k", (), "int")]
    functions = [f for f in FUNCTIONS if choices.rarely(4)]
    scope = Scope(choices)
    scope.write(f"n = len(a)\ns = {choices.pick(['0.0', '0', 't'])}\ncount, low, out = 0, None, []")
    numbers = [*NUMBERS, *(t for k in kinds for t in HOLDERS[k][1])]
    changes = [*STATEMENTS, *(t for k in kinds for t in HOLDERS[k][2]), *(t for f in functions for t in FUNCTIONS[f])]
    for _ in range(choices.integer(1, 2)):
        scope.write(choices.pick(HEADS))
        inner = scope.inside()
        for _ in range(choices.integer(1, 4)):
            statement(inner, numbers, changes)
    held = [HOLDERS[k][0] for k in kinds if k in ("list", "maybe") and choices.rarely(2)]
    scope.write("return " + choices.pick(["{}", "[{}]"]).format(", ".join(["s", "count", "low", "out", *held])))
    return "\n\n".join(
        [*functions, f"def f({', '.join(p.name for p in parameters)}):\n" + "\n".join(scope.lines)]
    ) + "\n", parameters


def statement(scope: Scope, numbers: list[str], changes: list[str], depth: int = 0) -> None:
    choices = scope.choices
    if depth >= 2 or not choices.rarely(3):
        return scope.write(written(scope, choices.pick(changes), numbers))
    scope.write(written(scope, f"if {choices.pick(CONDITIONS)}:", numbers))
    if choices.rarely(3):
        return scope.inside().write(choices.pick(STOPS))
    statement(scope.inside(), numbers, changes, depth + 1)
    if choices.rarely(2):
        scope.write("else:")
        statement(scope.inside(), numbers, changes, depth + 1)


def written(scope: Scope, template: str, numbers: list[str]) -> str:
    """The template filled: {x} a number, {y} a simple one, {c} a condition."""
    choices = scope.choices
    return filled(
        template,
        {
            "i": lambda: "i",
            "y": lambda: written(scope, choices.pick(numbers), numbers),
            "x": lambda: written(scope, choices.pick([*numbers, *MADE]), numbers),
            "c": lambda: written(scope, choices.pick(CONDITIONS), numbers),
            "stop": lambda: choices.pick(STOPS),
        },
    )
