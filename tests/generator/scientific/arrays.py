"""Programs over arrays: views that have names, slices, whole-array calls in loops, masks, names that change hands."""

from __future__ import annotations

from tests.generator.choices import Choices
from tests.generator.scientific.arguments import Parameter
from tests.generator.scientific.changes import exchanged, given, masked, matrices, moved, named, rebound, viewed, write
from tests.generator.scientific.heads import loop
from tests.generator.scientific.locals import changed_local, local_array
from tests.generator.scientific.scope import Held, Scope
from tests.generator.scientific.subscripts import element, length, vector_part
from tests.generator.scientific.values import condition, integer, number, plain, vector

FUNCTIONS = {
    "limited": ("x", "def limited(x, lo):\n    if x < lo:\n        return lo\n    if x > 2:\n        return 2\n    return x"),
    "ordered": ("p", "def ordered(x, y):\n    if x > y:\n        return y, x\n    return x, y + 0.5"),
    "search": ("x", "def search(x, y):\n    for q in range(5):\n        if x > y:\n            return q\n        x += 1\n    return -1"),
    "raised": ("w", "def raised(v, x):\n    for q in range(len(v)):\n        v[q] += x\n        if v[q] > 3:\n            break"),
    "shifted": ("w", "def shifted(v, x=0.5):\n    if len(v) > 1:\n        v[0] = x\n        v[1:] -= x"),
    "all_raised": ("w", "def all_raised(v, x):\n    v += x"),
}  # fmt: skip
CARRIED = {
    "f": ("{s} += {x}", "{s} = {x}", "{s} = max({s}, {x})", "{s} = min({x}, {s})", "{s} = {s} * 0.5 + {f}", "{s} *= -1", "{s} //= 2", "{s} = {s} if {c} else {x}", "{s} = {i}",
          "if {x} > {s}:\n    {s} = {x}"),
    "i": ("{s} += 1", "{s} = ({s} * 3 + {i}) % 11", "{s} = {i}", "{s} ^= {i}", "{s} = {s} // 2", "{s} = ({s} << 1) & 63", "{s} += bool({c})", "{s} = -{s}"),
    "b": ("{s} = {c}", "{s} = not {s}", "{s} = {s} and {c}", "{s} = {s} or {c}", "{s} ^= bool({c})", "{s} |= bool({c})"),
}  # fmt: skip


def program(choices: Choices) -> tuple[str, list[Parameter]]:
    """A function over vectors, matrices and perhaps an array of three axes."""
    scope = Scope(choices)
    parameters = [Parameter("a", ("n",), some_dtype(choices))]
    for name, axes, one_in in (
        ("b", ("n",), 2),
        ("A", ("n", "n"), 2),
        ("B", ("n", "n"), 4),
        ("R", ("n", "m"), 5),
        ("T", ("m", "n", "n"), 6),
    ):
        if choices.rarely(one_in):
            parameters.append(Parameter(name, axes, some_dtype(choices)))
    if choices.rarely(3):
        parameters.append(Parameter("at", ("n",), "positions"))
    scope.arrays = [
        Held(p.name, p.axes, "int64" if p.dtype == "positions" else p.dtype, p.dtype == "positions") for p in parameters
    ]
    parameters += [Parameter("m", (), "size"), Parameter("t", (), "float"), Parameter("k", (), "int")]
    scope.numbers, scope.integers = ["t"], ["k"]
    above = some_functions(scope)
    beginning(scope)
    for _ in range(choices.integer(1, 3)):
        statement(scope) if choices.rarely(4) else nest(scope)
    values = [
        *scope.carried,
        *scope.results,
        *[n for n in scope.numbers if n[1:].isdigit()][:2],
        *[a.name for a in scope.arrays if a.name[0] == "v"][:1],
    ]
    scope.write("return " + (", ".join(values) or "None"))
    return "\n\n".join(
        [*above, f"def f({', '.join(p.name for p in parameters)}):\n" + "\n".join(scope.lines)]
    ) + "\n", parameters


def some_dtype(choices: Choices) -> str:
    return choices.weighted([(8, "float64"), (1, "float32"), (1, "int64"), (1, "int32")])


def some_functions(scope: Scope) -> list[str]:
    found: list[str] = []
    for _ in range(scope.choices.weighted([(4, 0), (2, 1), (1, 2)])):
        name = scope.choices.pick(list(FUNCTIONS))
        if name not in scope.functions:
            scope.functions[name] = FUNCTIONS[name][0]
            found.append(FUNCTIONS[name][1])
    return found


def beginning(scope: Scope) -> None:
    scope.write("n = len(a)")
    starts = {"f": ["0.0", "0", "t", "1.0"], "i": ["0", "k", "1"], "b": ["True", "False"]}
    for name, kind in zip(("s", "q", "c1"), scope.choices.pick(["f", "ff", "fi", "", "fb", "fib"]), strict=False):
        scope.write(f"{name} = {scope.choices.pick(starts[kind])}")
        scope.carried[name] = kind
        {"f": scope.numbers, "i": scope.integers, "b": scope.flags}[kind].append(name)
    if scope.choices.rarely(3):
        local_array(scope)
    if scope.choices.rarely(5):
        within = scope.choices.pick(
            [
                "inner = lambda x, y: x + t",
                "def inner(x, y):\n    a[-1] += x\n    return a[-1]",
                "def inner(x, y):\n    return 1 if x > t else x * 0.5 + a[0]",
            ]
        )
        scope.write(within)
        scope.functions["inner"] = "x"


def block(scope: Scope, most: int = 2) -> None:
    for _ in range(scope.choices.integer(1, most)):
        statement(scope)


def nest(scope: Scope) -> None:
    block(loop(scope), 3)
    if scope.choices.rarely(12):
        scope.write("else:")
        statement(scope.inside())


def statement(scope: Scope) -> None:
    scope.budget[0] -= 1
    deeper = scope.budget[0] > 0 and len(scope.loops) < 3
    inside = bool(scope.loops)
    ways = [(6 * inside, stored), (5, sliced), (4, changed), (3, named), (4, viewed), (3 * deeper, branched), (4 * deeper, nest), (2 * inside, left), (2, masked), (2, moved), (2, rebound),
            (2, matrices), (2, changed_local), (1, local_array), (2 * inside, exchanged), (1, given)]  # fmt: skip
    scope.choices.weighted([w for w in ways if w[0]])(scope)


def stored(scope: Scope) -> None:
    arrays = scope.of(kinds="ffi")
    array = scope.choices.pick(arrays)
    to = element(scope, array)
    if array.kind == "i":
        scope.write(f"{to} {scope.choices.pick(['=', '+=', '^='])} ({integer(scope)}) % 7")
    else:
        operator, value = scope.choices.weighted(
            [
                (6, ("=", "")),
                (4, ("+=", "")),
                (1, ("-=", "")),
                (1, ("*=", "0.5")),
                (1, ("/=", "2")),
                (1, ("//=", "1.5")),
            ]
        )
        scope.write(f"{to} {operator} {value or number(scope)}")


def sliced(scope: Scope) -> None:
    axis = scope.choices.pick("nnnm")
    how = length(scope, axis)
    to = vector_part(scope, axis, how)
    if to is None:
        return named(scope)
    operator = scope.choices.pick(["=", "+=", "-=", "*="])
    scope.write(f"{to} {operator} {'0.5' if operator == '*=' else vector(scope, axis, how)}")


def changed(scope: Scope) -> None:
    if not scope.carried:
        return named(scope)
    name = scope.choices.pick(list(scope.carried))
    same = [n for n, kind in scope.carried.items() if kind == scope.carried[name] and n != name]
    if same and scope.choices.rarely(6):
        return scope.write(f"{name}, {same[0]} = {same[0]}, {scope.choices.pick([name, plain(scope)])}")
    write(scope, scope.choices.pick(CARRIED[scope.carried[name]]), s=name)


def branched(scope: Scope) -> None:
    scope.write(f"if {condition(scope)}:")
    block(scope.inside())
    if scope.choices.rarely(3):
        scope.write("else:")
        block(scope.inside())


def left(scope: Scope) -> None:
    values = ", ".join([*scope.carried, *scope.results]) or "None"
    way = scope.choices.weighted(
        [(5, "break"), (5, "continue"), (1, f"return {values}"), (1, "return None"), (1, "raise ValueError('bad')")]
    )
    scope.write(f"if {condition(scope)}:\n    {way}")
