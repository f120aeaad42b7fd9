"""Generated programs with statements in them that stay Python: a `print`, a `try`, a `with`.

What surrounds them must be cut into kernels so that everything else is as it was.
"""

from __future__ import annotations

import ast
from dataclasses import replace
from random import Random

from tests.generator.programs import Program


def cut(program: Program, seed: int) -> Program:
    """The program with one to three statements in random places that no kernel can hold."""
    random = Random(seed)
    tree = ast.parse(program.text)
    for _ in range(random.choice((1, 1, 2, 3))):
        (function,) = (n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == "f")
        blocks = [function.body, function.body]  # twice: cuts between loops are the commonest
        blocks += [b for n in ast.walk(function) for b in _blocks(n) if n is not function]
        block = random.choice(blocks)
        at = random.randrange(len(block) + 1)
        names = sorted({n.id for n in ast.walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)})
        match random.choice(("print", "print", "print", "try", "with", "known")):
            case "print":
                block.insert(at, ast.parse(f"print({at})").body[0])
            case "known" if names:
                # what is unbound here says so, in the original and in the host
                name = random.choice(names)
                block.insert(at, ast.parse(f"print(type({name}).__name__)").body[0])
            case "try" if block[at:]:
                inside = block[at : at + 2]
                made = ast.parse(
                    "try:\n    pass\nexcept (IndexError, ZeroDivisionError) as e:\n    print(type(e).__name__)"
                )
                block[at : at + 2] = made.body
                made.body[0].body = inside  # type: ignore[attr-defined]
            case "with" if block[at:]:
                inside = block[at : at + 2]
                made = ast.parse("with np.errstate(all='ignore'):\n    pass")
                block[at : at + 2] = made.body
                made.body[0].body = inside  # type: ignore[attr-defined]
            case _:
                block.insert(at, ast.parse("print('here')").body[0])
    return replace(program, text=ast.unparse(ast.fix_missing_locations(tree)) + "\n")


def _blocks(node: ast.AST) -> list[list[ast.stmt]]:
    found = [getattr(node, name, None) for name in ("body", "orelse")]
    return [b for b in found if isinstance(b, list) and b and isinstance(b[0], ast.stmt)]
