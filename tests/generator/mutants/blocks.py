"""Changes of what is done: statements deleted, doubled, swapped, moved, under a condition; loops left early.

As in `values.py`, each takes the function's tree and changes it in one place, or raises `Unfit`.
"""

from __future__ import annotations

import ast
import copy

from tests.generator.choices import Choices
from tests.generator.mutants.places import Unfit, blocks, load, names, number, places
from tests.generator.mutants.values import one_of

Loop = ast.For | ast.While
NESTED = (ast.For, ast.While, ast.If)


def assignment(choices: Choices, function: ast.FunctionDef) -> None:
    """`=` is an augmented assignment; an augmented one is another, or `=`."""
    block = choices.pick(blocks(function))
    at = choices.integer(0, len(block) - 1)
    match block[at]:
        case ast.AugAssign(target, _, value) as node:
            if choices.rarely(2):
                node.op = choices.pick((ast.Add, ast.Sub, ast.Mult))()
            else:
                block[at] = ast.Assign([target], value)
        case ast.Assign([ast.Name() | ast.Subscript() as target], value):
            block[at] = ast.AugAssign(target, choices.pick((ast.Add, ast.Sub, ast.Mult))(), value)
        case _:
            raise Unfit


def deletion(choices: Choices, function: ast.FunctionDef) -> None:
    block = choices.pick(blocks(function))
    take(block, choices.integer(0, len(block) - 1))


def doubling(choices: Choices, function: ast.FunctionDef) -> None:
    """A statement is done again, somewhere in the same block."""
    block = choices.pick(blocks(function))
    again = copy.deepcopy(choices.pick(block))
    block.insert(choices.integer(0, len(block)), again)


def swap(choices: Choices, function: ast.FunctionDef) -> None:
    """Two neighbours change places."""
    block = one_of(choices, [b for b in blocks(function) if len(b) > 1])
    at = choices.integer(0, len(block) - 2)
    block[at], block[at + 1] = block[at + 1], block[at]


def outwards(choices: Choices, function: ast.FunctionDef) -> None:
    """A statement of a loop or branch comes before it or after it."""
    block, at = one_of(choices, [(b, k) for b in blocks(function) for k, x in enumerate(b) if isinstance(x, NESTED)])
    body = block[at].body  # type: ignore[attr-defined]
    moved = take(body, choices.integer(0, len(body) - 1))
    block.insert(at + choices.integer(0, 1), moved)


def inwards(choices: Choices, function: ast.FunctionDef) -> None:
    """A statement before or after a loop or branch is done in it, first or last."""
    block, at = one_of(choices, [(b, k) for b in blocks(function) for k, x in enumerate(b) if isinstance(x, NESTED)])
    neighbour = at + choices.pick((-1, 1))
    if not 0 <= neighbour < len(block) or isinstance(block[neighbour], ast.Return):
        raise Unfit
    body = block[at].body  # type: ignore[attr-defined]
    body.insert(0 if neighbour < at else len(body), block.pop(neighbour))


def guard(choices: Choices, function: ast.FunctionDef) -> None:
    """A statement is done under a condition."""
    block = choices.pick(blocks(function))
    at = choices.integer(0, len(block) - 1)
    if isinstance(block[at], ast.Return):
        raise Unfit
    block[at] = ast.If(condition(choices, function), [block[at]], [])


def leaving(choices: Choices, function: ast.FunctionDef) -> None:
    """A loop has a break or a continue under a condition."""
    loop = one_of(choices, [n for n in ast.walk(function) if isinstance(n, Loop)])
    out = choices.weighted([(2, ast.Break), (1, ast.Continue)])()
    loop.body.insert(choices.integer(0, len(loop.body)), ast.If(condition(choices, function), [out], []))


def otherwise(choices: Choices, function: ast.FunctionDef) -> None:
    """An `if` has an `else`; one that has it changes its branches over."""
    block, at = one_of(choices, [(b, k) for b in blocks(function) for k, x in enumerate(b) if isinstance(x, ast.If)])
    node = block[at]
    assert isinstance(node, ast.If)
    if node.orelse:
        node.body, node.orelse = node.orelse, node.body
    elif choices.rarely(3):
        node.orelse = [ast.Continue()]
    else:
        others = [x for x in block if not isinstance(x, ast.Return | ast.FunctionDef)]
        node.orelse = [copy.deepcopy(choices.pick(others))]


def counter(choices: Choices, function: ast.FunctionDef) -> None:
    """The loop variable is changed in the loop."""
    loops = [n for n in ast.walk(function) if isinstance(n, ast.For) and isinstance(n.target, ast.Name)]
    loop = one_of(choices, loops)
    change = ast.AugAssign(ast.Name(loop.target.id, ast.Store()), ast.Add(), ast.Constant(1))  # type: ignore[attr-defined]
    loop.body.insert(choices.pick((0, len(loop.body))), change)


def condition(choices: Choices, function: ast.FunctionDef) -> ast.expr:
    """One that the function has, or a comparison of two of its names, or of a name and a number."""
    known = [p.node for p in places(function, ast.Compare)]
    own = names(function)
    if known and not choices.rarely(3):
        found = copy.deepcopy(choices.pick(known))
    else:
        right = choices.pick((number(0), number(2), load(one_of(choices, own))))
        found = ast.Compare(load(one_of(choices, own)), [choices.pick((ast.Gt, ast.Lt, ast.Eq))()], [right])
    return ast.UnaryOp(ast.Not(), found) if choices.rarely(3) else found


def take(block: list[ast.stmt], at: int) -> ast.stmt:
    """A statement out of its block, which isn't left empty."""
    taken = block[at]
    block[at : at + 1] = [] if len(block) > 1 else [ast.Pass()]
    return taken
