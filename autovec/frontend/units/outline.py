"""The functions that a cut function becomes, as AST: one for each run, and the host that calls them.

    def report(x):                      def report(x):
        print("start")                      print("start")
        total = 0.0                         values = kernel_1(x)
        for v in x:              -->        if values is PYTHON:
            total += v                          total = 0.0
        print(total)                            for v in x:
                                                    total += v
                                            else:
                                                total = values
                                            print(total)

The person's statements are the other branch, at their places in their file: a kernel that is called off leaves them to
run, and what they raise is raised where it always was.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar, cast

from autovec.frontend.units.blockers import nested
from autovec.frontend.units.runs import Inline, Run

T = TypeVar("T", bound=ast.AST)


def kernel_function(run: Run | Inline, name: str) -> ast.FunctionDef:
    """The run as a function of its inputs; each output stands at the place where it was last bound.

    The statements are the person's own nodes, shared.
    """
    body: list[ast.stmt] = [*run.declared]
    if isinstance(run, Inline):
        body.append(ast.copy_location(ast.Return(run.expression), run.expression))
    else:
        body += [*run.statements] if run.ends else [*run.statements, _returned(run)]
    function = ast.parse(f"def {name}({', '.join(run.inputs)}): pass").body[0]
    assert isinstance(function, ast.FunctionDef)
    _place(function, run.nodes[0]).body = body
    last = run.nodes[-1]
    function.end_lineno, function.end_col_offset = last.end_lineno, last.end_col_offset
    return function


def _returned(run: Run) -> ast.Return:
    last = run.statements[-1]
    places = {n: s for s in nested(run.statements) for n in _bound_by(s)}
    values: list[ast.expr] = []
    for name in run.outputs:
        value = ast.Name(name, ast.Load())
        values.append(_place(value, places.get(name, last)))
    whole = values[0] if len(values) == 1 else ast.Tuple(values, ast.Load()) if values else None
    returned = ast.Return(whole)
    for node in (returned, *([whole] if isinstance(whole, ast.Tuple) else [])):
        _place_one(node, last)
    return returned


def _bound_by(statement: ast.stmt) -> set[str]:
    """Names that a statement binds, by itself or in the statements inside it."""
    return {n.id for n in ast.walk(statement) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}


@dataclass(frozen=True, slots=True)
class Names:
    """What the host calls things: the kernels, the answer of a kernel that was called off, the values of one."""

    kernels: Mapping[Run | Inline, str]
    python: str
    values: str

    def run_at(self, statement: ast.stmt) -> tuple[Run, str] | None:
        """The run that begins with a statement."""
        found = ((run, name) for run, name in self.kernels.items() if isinstance(run, Run))
        return next((one for one in found if one[0].covered[0] is statement), None)

    def inline_at(self, expression: ast.AST) -> tuple[Inline, str] | None:
        """The run that is an expression."""
        found = ((run, name) for run, name in self.kernels.items() if isinstance(run, Inline))
        return next((one for one in found if one[0].expression is expression), None)


def host_function(function: ast.FunctionDef, names: Names) -> ast.FunctionDef:
    """The function with each run asked of its kernel first."""
    host = copy.copy(function)
    host.decorator_list, host.returns = [], None
    host.args = _without_annotations(function.args)
    host.body = _block(function.body, names)
    return host


def _without_annotations(spec: ast.arguments) -> ast.arguments:
    """The same parameters; their defaults are set on the function that is made."""

    def bare(argument: ast.arg | None) -> ast.arg | None:
        return None if argument is None else ast.copy_location(ast.arg(argument.arg), argument)

    def all_bare(arguments: Sequence[ast.arg]) -> list[ast.arg]:
        return [ast.copy_location(ast.arg(a.arg), a) for a in arguments]

    nothing: list[ast.expr] = [_place(ast.Constant(None), d) for d in spec.defaults]
    keywords: list[ast.expr | None] = [None if d is None else _place(ast.Constant(None), d) for d in spec.kw_defaults]
    return ast.arguments(
        all_bare(spec.posonlyargs), all_bare(spec.args), bare(spec.vararg), all_bare(spec.kwonlyargs), keywords,
        bare(spec.kwarg), nothing,
    )  # fmt: skip


def _block(body: Sequence[ast.stmt], names: Names) -> list[ast.stmt]:
    made: list[ast.stmt] = []
    at = 0
    while at < len(body):
        found = names.run_at(body[at])
        if found is None:
            made.append(_inside(body[at], names))
            at += 1
            continue
        run, name = found
        made += [s for s in run.covered if s not in run.statements]
        made += [_place(s, run.statements[0]) for s in _call(run, name, names)]
        made.append(_either(run, names))
        at += len(run.covered)
    return made


def _inside(statement: ast.stmt, names: Names) -> ast.stmt:
    """The statement with the runs inside it replaced; the person's own node where there are none."""
    firsts: set[ast.AST] = {run.nodes[0] for run in names.kernels}
    if isinstance(statement, ast.FunctionDef | ast.ClassDef) or firsts.isdisjoint(ast.walk(statement)):
        return statement
    made = copy.copy(statement)
    for name, value in ast.iter_fields(statement):
        if name in ("body", "orelse", "finalbody"):
            setattr(made, name, _block(value, names))
        elif name in ("handlers", "cases"):
            copies = [copy.copy(holder) for holder in value]
            for holder in copies:
                holder.body = _block(holder.body, names)
            setattr(made, name, copies)
        else:
            setattr(made, name, _asked(value, names))
    return made


def _asked(part: object, names: Names) -> object:
    """A part of a statement with its loops asked of their kernels: `values if (values := k(x)) is not PYTHON else [...]`."""
    if isinstance(part, list):
        return [_asked(one, names) for one in cast(list[object], part)]
    if not isinstance(part, ast.AST):
        return part
    found = names.inline_at(part)
    if found is not None:
        run, name = found
        called = ast.NamedExpr(ast.Name(names.values, ast.Store()), _called(run, name))
        test = ast.Compare(called, [ast.IsNot()], [ast.Name(names.python, ast.Load())])
        values = ast.Name(names.values, ast.Load())
        return ast.copy_location(ast.IfExp(_place(test, part), _place(values, part), run.expression), part)
    made = copy.copy(part)
    for name, value in ast.iter_fields(part):
        setattr(made, name, _asked(value, names))
    return made


def _called(run: Run | Inline, name: str) -> ast.Call:
    return ast.Call(ast.Name(name, ast.Load()), [ast.Name(n, ast.Load()) for n in run.inputs], [])


def _call(run: Run, name: str, names: Names) -> list[ast.stmt]:
    asked = ast.Assign([ast.Name(names.values, ast.Store())], _called(run, name))
    if not run.unsure:
        return [asked]
    # an input that is unbound is the person's statements' to complain about
    unbound = ast.Assign([ast.Name(names.values, ast.Store())], ast.Name(names.python, ast.Load()))
    handler = ast.ExceptHandler(ast.Name("NameError", ast.Load()), None, [unbound])
    return [ast.Try([asked], [handler], [], [])]


def _either(run: Run, names: Names) -> ast.If:
    """The person's statements where the kernel was called off, else its values under their names."""
    given: list[ast.stmt] = []
    if run.ends:
        given.append(ast.Return(ast.Name(names.values, ast.Load())))
    elif run.outputs:
        targets: list[ast.expr] = [ast.Name(n, ast.Store()) for n in run.outputs]
        target = targets[0] if len(targets) == 1 else ast.Tuple(targets, ast.Store())
        given.append(ast.Assign([target], ast.Name(names.values, ast.Load())))
    if not run.ends:
        given.append(ast.Assign([ast.Name(names.values, ast.Store())], ast.Constant(None)))  # keeps no array alive
    test = ast.Compare(ast.Name(names.values, ast.Load()), [ast.Is()], [ast.Name(names.python, ast.Load())])
    first = run.statements[0]
    either = ast.If(_place(test, first), [*run.statements], [_place(s, first) for s in given])
    return ast.copy_location(either, first)


def _place(node: T, at: ast.AST) -> T:
    """Put a new node, and all of its parts, at the first line of another."""
    for part in ast.walk(node):
        _place_one(part, at)
    return node


def _place_one(node: ast.AST, at: ast.AST) -> None:
    line, column = getattr(at, "lineno", 1), getattr(at, "col_offset", 0)
    for name, value in (("lineno", line), ("col_offset", column), ("end_lineno", line), ("end_col_offset", column + 1)):
        setattr(node, name, value)
