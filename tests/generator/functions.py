"""Functions that a program calls: of numbers, with branches, with a loop, closures over its arrays, ones that store."""

from __future__ import annotations

from tests.generator.expressions import condition, factor, real
from tests.generator.state import State


def above(state: State) -> list[str]:
    """The lines of functions beside `f`, which are noted in the state."""
    choices = state.choices
    lines: list[str] = []
    for name in ("g", "h")[: choices.weighted([(4, 0), (2, 1), (1, 2)])]:
        inner = State(choices, [], [], state.square, wild=False, dividing=False, local={"x": "f", "y": "f"})
        match choices.integer(0, 4):
            case 0:
                inner.write(f"return {factor(real(inner, 1))} + x")
            case 1:
                inner.write(f"if {condition(inner, 0)}:")
                inner.inside().write(f"return {real(inner, 1)}")
                inner.write(f"return x - {factor(real(inner, 1))}")
            case 2:
                inner.write("for q in range(3):")
                inner.inside().write(f"x = x * 0.5 + {factor(real(inner, 0))}")
                inner.write("return x")
            case 3:
                inner.write(f"z = y if {condition(inner, 0)} else {real(inner, 1)}")
                inner.write("rounds = 0")
                inner.write("while z > 2.0 and rounds < 4:")
                inner.inside().write("z -= 1.5")
                inner.inside().write("rounds += 1")
                inner.write("return z + x")
            case _:
                inner.write("if x == 0.5:")
                inner.inside().write(choices.pick(["x = 1", "y = x", "raise ValueError('half')", "return y"]))
                inner.write("return x + y")
        lines += [f"def {name}(x, y):", *inner.lines, ""]
        state.functions[name] = "ff"
    return lines


def within(state: State) -> None:
    """A function inside `f`, over its arrays."""
    choices = state.choices
    vectors = [a for a in state.whole("f") if a.axes == ("n",)]
    if not vectors or not choices.rarely(3):
        return
    a = choices.pick(vectors)
    match choices.integer(0, 2):
        case 0:
            state.write(f"at_end = lambda p: {a.name}[p] * 0.5")
        case 1:
            state.write("def at_end(p):")
            state.inside().write(f"return {a.name}[p] + t")
        case _:
            state.write("def at_end(p):")
            state.inside().write(f"{a.name}[p] += 0.5")
            state.inside().write(f"return {a.name}[p]")
    state.functions["at_end"] = "p"
