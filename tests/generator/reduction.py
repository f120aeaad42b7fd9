"""Make a program that differs small: `python -m tests.generator.reduction NUMBER-OR-FILE` prints what is left of it.

    whole program  -->  fewer calls, statements and operands, as long as it still differs

Greedy, and by trial: every candidate is run both ways, so what it is about needn't be known.
"""

from __future__ import annotations

import ast
import contextlib
import copy
import io
import pickle
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from tests.generator.check import check, unplanned
from tests.generator.programs import VALUES, Program, program_of

TRIALS = 1500
ROUNDS = 4


def difference(program: Program, rounds: int = 1, sequential: bool = False) -> str:
    """How the program differs from its rewrite; "" where it doesn't, or takes too long to tell."""
    if program.is_endless():
        return ""
    with unplanned() if sequential else contextlib.nullcontext():
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                check(program, None, rounds)
        except Exception as error:
            return f"{type(error).__name__}: {error}"
    return ""


def kind_of(program: Program, rounds: int = 1, sequential: bool = False) -> str:
    """The same in a word."""
    text = difference(program, rounds, sequential).split("rewritten source")[0]
    return next((k for k in ("raised", "the compiler failed", "differ", "dtype", "shape") if k in text), text[:20])


def reduced(program: Program, fails: Callable[[Program], bool], trials: int = TRIALS) -> Program:
    """The smallest program met that still fails."""
    found = True
    while found:
        found = False
        for candidate in candidates(program):
            trials -= 1
            if trials < 0:
                return program
            if fails(candidate):
                program, found = candidate, True
                break
    return program


def single_call(program: Program, fails: Callable[[Program], bool], rounds: int = ROUNDS) -> Program | None:
    """The program with one call that fails by itself."""
    first = VALUES.index(program.values)
    for r in range(rounds):
        for k, sizes in enumerate(program.sizes):
            values = VALUES[(first + r) % len(VALUES)]
            one = replace(program, sizes=(sizes,), seed=program.seed + k + 7 * r, values=values)
            if fails(one):
                return one
    return None


def candidates(program: Program) -> Iterator[Program]:
    """Programs with a little less in them, those with much less first."""
    if len(program.sizes) > 1:
        yield from (replace(program, sizes=(one,)) for one in program.sizes)
    tree = ast.parse(program.text)
    for change in changes(tree):
        fresh = copy.deepcopy(tree)
        change(fresh)
        try:
            text = ast.unparse(ast.fix_missing_locations(fresh)) + "\n"
            ast.parse(text)
        except Exception:
            continue
        if len(text) < len(program.text):
            yield replace(program, text=text)
    for n in (1, 2, 3, 5):
        if any(n < most for pair in program.sizes for most in pair):
            yield replace(program, sizes=tuple((min(n, a), min(n, b)) for a, b in program.sizes))
    if program.values != "plain":
        yield replace(program, values="plain")
    for p in program.parameters[1:]:
        if p.name not in {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}:
            yield without(program, p.name)


def without(program: Program, name: str) -> Program:
    """The program without a parameter that it doesn't use."""
    tree = ast.parse(program.text)
    for function in tree.body:
        if isinstance(function, ast.FunctionDef) and function.name == program.name:
            function.args.args = [a for a in function.args.args if a.arg != name]
    kept = tuple(p for p in program.parameters if p.name != name)
    return replace(program, text=ast.unparse(tree) + "\n", parameters=kept)


def changes(tree: ast.Module) -> Iterator[Callable[[ast.Module], None]]:
    """Ways to shorten a tree; each works on a copy of it."""
    nodes = list(ast.walk(tree))
    for at, node in enumerate(nodes):
        for block in ("body", "orelse"):
            statements = getattr(node, block, None)
            if not isinstance(statements, list) or isinstance(node, ast.Module):
                continue
            for k, statement in enumerate(statements):
                yield lambda fresh, at=at, block=block, k=k: put(fresh, at, block, k, None)
                for inside in ("body", "orelse"):
                    if getattr(statement, inside, None):
                        yield lambda fresh, at=at, block=block, k=k, inside=inside: put(fresh, at, block, k, inside)
    for at, node in enumerate(nodes):
        for name, value in ast.iter_fields(node):
            if isinstance(value, ast.expr) and not isinstance(value, ast.Name | ast.Constant):
                children = [c for c in ast.iter_child_nodes(value) if isinstance(c, ast.expr)]
                for k in range(len(children)):
                    yield lambda fresh, at=at, name=name, k=k: lift(fresh, at, name, None, k)
                yield lambda fresh, at=at, name=name: lift(fresh, at, name, None, None)
            for j, item in enumerate(value) if isinstance(value, list) else ():
                if isinstance(item, ast.expr) and not isinstance(item, ast.Name | ast.Constant):
                    children = [c for c in ast.iter_child_nodes(item) if isinstance(c, ast.expr)]
                    for k in range(len(children)):
                        yield lambda fresh, at=at, name=name, j=j, k=k: lift(fresh, at, name, j, k)


def put(tree: ast.Module, at: int, block: str, k: int, inside: str | None) -> None:
    """Statement k of a block away, or one of its own blocks in its place."""
    owner = list(ast.walk(tree))[at]
    statements = getattr(owner, block)
    kept = getattr(statements[k], inside) if inside else []
    statements[k : k + 1] = kept
    if not statements and block == "body":
        statements.append(ast.Pass())


def lift(tree: ast.Module, at: int, name: str, j: int | None, k: int | None) -> None:
    """An expression's k-th operand, or the number 1, in the place of the expression."""
    owner = list(ast.walk(tree))[at]
    value = getattr(owner, name) if j is None else getattr(owner, name)[j]
    children = [c for c in ast.iter_child_nodes(value) if isinstance(c, ast.expr)]
    new = ast.Constant(1) if k is None else children[k]
    if isinstance(new, ast.Name | ast.Subscript) and isinstance(getattr(value, "ctx", None), ast.Store):
        new.ctx = ast.Store()
    if j is None:
        setattr(owner, name, new)
    else:
        getattr(owner, name)[j] = new


def shown(program: Program) -> str:
    """The program made small, with how it differs."""
    for sequential in (False, True):
        kind = kind_of(program, ROUNDS, sequential)
        if not kind:
            continue
        one = single_call(program, lambda p, s=sequential: bool(kind_of(p, 1, s)))
        rounds = ROUNDS if one is None else 1
        program = one or program
        kind = kind_of(program, rounds, sequential)
        small = reduced(program, lambda p, s=sequential, r=rounds, k=kind: kind_of(p, r, s) == k)
        how = f"{', every plan refused' if sequential else ''}, {rounds} rounds"
        return f"{small}{kind}{how}\n{difference(small, rounds, sequential)}"
    return f"{program!r}doesn't differ"


def main(sources: list[str]) -> None:
    for source in sources:
        print(shown(program_of(int(source)) if source.isdigit() else pickle.loads(Path(source).read_bytes())))


if __name__ == "__main__":
    main(sys.argv[1:])
