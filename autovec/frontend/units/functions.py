"""Functions made from AST in the place of a person's: the same file and lines, globals, free variables and defaults."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import replace
from types import CellType, CodeType, FunctionType

from autovec.frontend.source import FUTURES, SourceFunction


def function_of(
    home: SourceFunction, node: ast.FunctionDef, given: Mapping[str, object]
) -> tuple[FunctionType, SourceFunction]:
    """The function of a node that was made from `home`'s; `given` are free variables that it has besides."""
    free = {**home.closure, **{name: CellType(value) for name, value in given.items()}}
    # free variables are what a function around the function binds
    around = ast.parse("def around(): pass").body[0]
    assert isinstance(around, ast.FunctionDef)
    around.args.args = [ast.arg(name) for name in free]
    # its own name is the person's, wherever that is bound: it isn't one that the function around binds
    around.body = [node] if node.name in free else [ast.Global([node.name]), node]
    module = ast.fix_missing_locations(ast.Module([ast.copy_location(around, node)], []))
    whole = compile(module, home.file, "exec", home.code.co_flags & FUTURES, dont_inherit=True)
    made_code = _inner(_inner(whole))
    code = _named(made_code, made_code.co_qualname, home.qualname)
    closure = {name: free[name] for name in code.co_freevars}
    made = FunctionType(code, home.globals, node.name, None, tuple(closure.values()))
    if node.args.defaults or node.args.kw_defaults:
        person = home.function
        assert isinstance(person, FunctionType)
        made.__defaults__, made.__kwdefaults__ = person.__defaults__, person.__kwdefaults__
    made.__qualname__, made.__module__ = home.qualname, home.function.__module__
    return made, replace(home, function=made, node=node, code=code, closure=closure)


def _named(code: CodeType, old: str, new: str) -> CodeType:
    """The code, and that of the functions inside it, under the person's qualified names: by these they are found."""
    inside = (_named(c, old, new) if isinstance(c, CodeType) else c for c in code.co_consts)
    return code.replace(co_qualname=new + code.co_qualname.removeprefix(old), co_consts=tuple(inside))


def _inner(code: CodeType) -> CodeType:
    return next(c for c in code.co_consts if isinstance(c, CodeType))


def has_private_names(node: ast.AST) -> bool:
    """Names such as `self.__x`, which mean another name inside a class."""
    names = (getattr(n, "attr", None) or getattr(n, "id", "") for n in ast.walk(node))
    return any(n.startswith("__") and not n.endswith("__") for n in names)
