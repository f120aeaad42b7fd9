"""Generated programs that leave early and know one object by two names.

if k < 2: return -1            before, between and in loops, beside the result at the end or instead of it
w = w_too = []                 what is done by one name is seen by the other
"""

from __future__ import annotations

import ast
from dataclasses import replace
from random import Random

from tests.generator.programs import Program

CONDITIONS = ("k < 1", "k == 2", "k > 1", "t > 0.5", "not t < 1.0", "n < 3", "k % 2 == 0", "n == 7", "k < 0 or t > 1.0")
RESULTS = ("-1", "0.5", "None", "k", "t", "(0, t)", "True", "n")


def with_exits(program: Program, seed: int) -> Program:
    """The program with one to three more places that it leaves from, and now and then other names."""
    random = Random(seed)
    tree = ast.parse(program.text)
    function = next(n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == "f")
    for _ in range(random.choice((1, 1, 2, 3))):
        leave(random, function)
    if random.random() < 0.5:
        rename(random, function)
    return replace(program, text=ast.unparse(ast.fix_missing_locations(tree)) + "\n")


def leave(random: Random, function: ast.FunctionDef) -> None:
    """One more exit."""
    loops = [n for n in ast.walk(function) if isinstance(n, ast.For | ast.While)]
    match random.choice(("guard", "guard", "guard", "inside", "inside", "else", "end")):
        case "inside" if loops:
            block = random.choice([b for n in loops for b in blocks(n)])
            names = [n.target.id for n in loops if isinstance(n, ast.For) and isinstance(n.target, ast.Name)]
            tests = (*CONDITIONS, *(f"{name} == {random.randrange(4)}" for name in names))
            block.insert(random.randrange(len(block) + 1), exit_under(random, random.choice(tests), function))
        case "else" if loops:
            loop = random.choice(loops)
            loop.orelse = [*loop.orelse, ast.parse(f"return {result(random, function)}").body[0]]
        case "end" if isinstance(function.body[-1], ast.Return):
            function.body[-1] = exit_under(random, random.choice(CONDITIONS), function)
        case _:
            at = random.randrange(first(function), len(function.body))
            function.body.insert(at, exit_under(random, random.choice(CONDITIONS), function))


def first(function: ast.FunctionDef) -> int:
    """The place after the sizes: `n = len(a)`."""
    sizes = [k for k, s in enumerate(function.body) if isinstance(s, ast.Assign) and ast.unparse(s.targets[0]) in "nm"]
    return max(sizes, default=-1) + 1


def exit_under(random: Random, test: str, function: ast.FunctionDef) -> ast.stmt:
    way = "raise ValueError('early')" if random.random() < 0.15 else f"return {result(random, function)}"
    return ast.parse(f"if {test}:\n    {way}").body[0]


def result(random: Random, function: ast.FunctionDef) -> str:
    """The program's own result, a part of it, or something else."""
    own = next((n.value for n in reversed(function.body) if isinstance(n, ast.Return) and n.value is not None), None)
    if own is not None and random.random() < 0.5:
        parts = own.elts if isinstance(own, ast.Tuple) else [own]
        return ast.unparse(own if random.random() < 0.5 else random.choice(parts))
    return random.choice(RESULTS)


def rename(random: Random, function: ast.FunctionDef) -> None:
    """Another name for a list or array that the program makes, and something done by it."""
    made = [
        (block, k, s.targets[0].id)
        for node in ast.walk(function)
        for block in blocks(node)
        for k, s in enumerate(block)
        if isinstance(s, ast.Assign) and isinstance(s.targets[0], ast.Name) and is_object(s.value)
    ]
    if not made:
        return
    block, at, name = random.choice(made)
    other = f"{name}_too"
    block[at + 1 : at + 1] = ast.parse(f"{other} = {name}").body
    for _ in range(random.choice((1, 2))):
        step = random.choice((f"{other}.append(0.5)", f"{other}[0] = 1", f"k += len({other})", f"t = {other}[-1]"))
        inside = random.choice([block, *(b for s in block[at + 2 :] for n in ast.walk(s) for b in blocks(n))])
        place = random.randrange(at + 2 if inside is block else 0, len(inside) + 1)
        inside.insert(place, ast.parse(step).body[0])


def is_object(node: ast.expr) -> bool:
    return isinstance(node, ast.List | ast.ListComp) or any(word in ast.unparse(node) for word in ("zeros(", "ones("))


def blocks(node: ast.AST) -> list[list[ast.stmt]]:
    found = [getattr(node, name, None) for name in ("body", "orelse")]
    return [b for b in found if isinstance(b, list) and b and isinstance(b[0], ast.stmt)]
