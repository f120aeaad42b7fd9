"""Changes of what is computed: constants, operators, names, subscripts, ranges.

Each takes the function's tree and changes it in one place, or raises `Unfit`. The result may be no program at all: who
calls compiles it.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TypeVar

from tests.generator.choices import Choices
from tests.generator.mutants.places import Unfit, load, names, number, places

T = TypeVar("T")

ARITHMETIC = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod)
COMPARISONS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)


def one_of(choices: Choices, options: Sequence[T]) -> T:
    if not options:
        raise Unfit
    return choices.pick(options)


def constant(choices: Choices, function: ast.FunctionDef) -> None:
    """A number is another one, mostly near it."""
    found = [p for p in places(function, ast.Constant) if type(p.node.value) in (int, float)]
    place = one_of(choices, found)
    v = place.node.value
    ints = (v + 1, v - 1, 0, -v, v * 2, 1, -1, 2)
    floats = (v * 2, -v, 0.0, 1.0, v + 0.5, int(v) if abs(v) < 1e9 else 0)
    place.put(number(choices.pick(ints if type(v) is int else floats)))


def operator(choices: Choices, function: ast.FunctionDef) -> None:
    one_of(choices, places(function, ast.BinOp)).node.op = choices.pick(ARITHMETIC)()


def comparison(choices: Choices, function: ast.FunctionDef) -> None:
    one_of(choices, places(function, ast.Compare)).node.ops[0] = choices.pick(COMPARISONS)()


def connective(choices: Choices, function: ast.FunctionDef) -> None:
    """`and` is `or`, and the other way round."""
    node = one_of(choices, places(function, ast.BoolOp)).node
    node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()


def negation(choices: Choices, function: ast.FunctionDef) -> None:
    place = one_of(choices, places(function, ast.Compare))
    place.put(ast.UnaryOp(ast.Not(), place.node))


def name(choices: Choices, function: ast.FunctionDef) -> None:
    """A name of the function is another of its names, where it is read or where it is bound."""
    own = names(function)
    place = one_of(choices, [p for p in places(function, ast.Name) if p.node.id in own])
    place.put(ast.Name(choices.pick(own), place.node.ctx))


def range_(choices: Choices, function: ast.FunctionDef) -> None:
    """A range is reversed, shifted at an end, has a step, or runs down."""
    calls = [p for p in places(function, ast.Call) if isinstance(p.node.func, ast.Name) and p.node.func.id == "range"]
    place = one_of(choices, calls)
    args = place.node.args
    stop = 0 if len(args) == 1 else 1
    shift = choices.pick((ast.Add, ast.Sub))()
    match choices.integer(0, 5):
        case 0:
            place.put(ast.Call(load("reversed"), [place.node], []))
        case 1:
            args[stop] = ast.BinOp(args[stop], shift, ast.Constant(1))
        case 2 if len(args) == 1:
            args.insert(0, ast.Constant(1))
        case 3 if len(args) < 3:
            args[:] = [*([ast.Constant(0)] if len(args) == 1 else []), *args, ast.Constant(2)]
        case 4 if len(args) == 2:
            args[0] = ast.BinOp(args[0], shift, ast.Constant(1))
        case 5 if len(args) == 1:
            args += [number(-1), number(-1)]
        case _:
            raise Unfit


def subscript(choices: Choices, function: ast.FunctionDef) -> None:
    """A position is shifted, negated, halved, another name or 0; a slice has another end."""
    node = one_of(choices, places(function, ast.Subscript)).node
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    at = choices.integer(0, len(parts) - 1)
    part = one_of(choices, parts[at:])
    if isinstance(part, ast.Slice):
        if choices.rarely(2):
            part.lower = choices.pick((None, ast.Constant(1), ast.Constant(2), number(-2)))
        else:
            part.upper = choices.pick((None, ast.Constant(3), number(-1)))
        return
    shift = choices.pick((ast.Add, ast.Sub))()
    ways: list[tuple[int, ast.expr]] = [
        (5, ast.BinOp(part, shift, ast.Constant(1))),
        (1, ast.UnaryOp(ast.USub(), part)),
        (2, load(choices.pick(names(function)))),
        (1, ast.BinOp(part, ast.FloorDiv(), ast.Constant(2))),
        (1, ast.Constant(0)),
    ]
    new = choices.weighted(ways)
    if isinstance(node.slice, ast.Tuple):
        node.slice.elts[at] = new
    else:
        node.slice = new


def result(choices: Choices, function: ast.FunctionDef) -> None:
    """What is returned has one or two more names beside it."""
    returns = [p.node for p in places(function, ast.Return) if p.node.value is not None]
    node = one_of(choices, returns)
    own = names(function)
    more = dict.fromkeys(one_of(choices, own) for _ in range(2))
    node.value = ast.Tuple([node.value, *(load(n) for n in more)], ast.Load())
