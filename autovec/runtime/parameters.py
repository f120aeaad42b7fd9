"""The parameters of a person's function: how a call's arguments are bound, and how the original is called with them.

Both are generated from the signature, since `inspect.Signature.bind` costs forty times as much:

    def energy(x, n=..., *, k=...):                 # the stub: what is called under the person's name
        result = state.entry(x, n, k)
        return slow((x, n, k)) if result is MISS else result
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import FunctionType
from typing import Any

from autovec.frontend.parts import appended
from autovec.runtime.generated import define, unused_name

MISS: Any = type("Miss", (), {"__repr__": lambda self: "MISS", "__slots__": ()})()
PYTHON: Any = type("Python", (), {"__repr__": lambda self: "PYTHON", "__slots__": ()})()  # a kernel was called off


@dataclass(frozen=True, slots=True)
class Parameters:
    """Names in order, with how each is declared.

    `unread` are those that the function's body never mentions, `appended` those of lists that it only appends to.
    """

    names: tuple[str, ...]
    kinds: tuple[inspect._ParameterKind, ...]  # pyright: ignore[reportPrivateUsage]
    unread: frozenset[str]
    appended: frozenset[str] = frozenset()

    @staticmethod
    def of(function: FunctionType, node: ast.AST | None) -> Parameters:
        code = function.__code__
        positional, keyword = code.co_argcount, code.co_kwonlyargcount
        kind = inspect.Parameter
        names = list(code.co_varnames[: positional + keyword])
        kinds = [kind.POSITIONAL_OR_KEYWORD] * positional + [kind.KEYWORD_ONLY] * keyword
        kinds[: code.co_posonlyargcount] = [kind.POSITIONAL_ONLY] * code.co_posonlyargcount
        starred = positional + keyword
        if code.co_flags & inspect.CO_VARARGS:
            names.insert(positional, code.co_varnames[starred])
            kinds.insert(positional, kind.VAR_POSITIONAL)
            starred += 1
        if code.co_flags & inspect.CO_VARKEYWORDS:
            names.append(code.co_varnames[starred])
            kinds.append(kind.VAR_KEYWORD)
        only = appended(node) if node is not None else frozenset[str]()
        return Parameters(tuple(names), tuple(kinds), _unread(names, node), only)

    def call(self, function: str, arguments: Sequence[str]) -> str:
        """The text of a call of the original with these expressions, one for each parameter."""
        kind = inspect.Parameter
        form = {kind.VAR_POSITIONAL: "*{1}", kind.VAR_KEYWORD: "**{1}", kind.KEYWORD_ONLY: "{0}={1}"}
        triples = zip(self.names, self.kinds, arguments, strict=True)
        return f"{function}({', '.join(form.get(k, '{1}').format(n, a) for n, k, a in triples)})"

    def declaration(self, defaults: Sequence[object], keyword_defaults: dict[str, object]) -> str:
        """The text between the parentheses of a `def`; defaults are placeholders."""
        kind = inspect.Parameter
        text: list[str] = []
        positional = [n for n, k in zip(self.names, self.kinds, strict=True) if k <= kind.POSITIONAL_OR_KEYWORD]
        optional = {*positional[len(positional) - len(defaults) :], *keyword_defaults}
        open_positional = starred = False
        for name, k in zip(self.names, self.kinds, strict=True):
            if open_positional and k is not kind.POSITIONAL_ONLY:
                text.append("/")
            open_positional = k is kind.POSITIONAL_ONLY
            if k is kind.KEYWORD_ONLY and not starred:
                text.append("*")
            starred = starred or k in (kind.VAR_POSITIONAL, kind.KEYWORD_ONLY)
            star = {kind.VAR_POSITIONAL: "*", kind.VAR_KEYWORD: "**"}.get(k, "")
            text.append(f"{star}{name}" + ("=None" if name in optional else ""))
        if open_positional:
            text.append("/")
        return ", ".join(text)


def _unread(names: Sequence[str], node: ast.AST | None) -> frozenset[str]:
    if node is None:
        return frozenset()
    body = node.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) else [node]
    statements = body if isinstance(body, list) else [body]
    used = {n.id for statement in statements for n in ast.walk(statement) if isinstance(n, ast.Name)}
    # these see parameters without naming them
    if used & {"locals", "vars", "eval", "exec", "super", "dir"}:
        return frozenset()
    return frozenset(names) - used


def make_stub(
    function: FunctionType, parameters: Parameters, state: object, slow: Callable[[tuple[object, ...]], Any]
) -> FunctionType:
    """A function with the person's signature that asks `state.entry` first, then `slow`."""
    return _like(
        function,
        parameters,
        {"state": state, "slow": slow, "MISS": MISS},
        "{result} = {state}.entry({arguments})\n    return {slow}(({arguments},)) if {result} is {MISS} else {result}",
        "{result} = {state}.entry()\n    return {slow}(()) if {result} is {MISS} else {result}",
    )


def make_collector(
    function: FunctionType, parameters: Parameters, call: Callable[[tuple[object, ...]], Any]
) -> FunctionType:
    """A function with the person's signature that passes its arguments on as one tuple."""
    return _like(function, parameters, {"call": call}, "return {call}(({arguments},))", "return {call}(())")


def _like(
    function: FunctionType, parameters: Parameters, space: dict[str, object], body: str, empty_body: str
) -> FunctionType:
    taken = set(parameters.names)
    free = {name: unused_name(name, taken) for name in ("result", *space)}
    body = (body if parameters.names else empty_body).format(**free, arguments=", ".join(parameters.names))
    defaults, keyword_defaults = function.__defaults__ or (), function.__kwdefaults__ or {}
    name = function.__name__ if function.__name__.isidentifier() else "function"
    name = unused_name(name, taken | set(free.values()))
    text = f"def {name}({parameters.declaration(defaults, keyword_defaults)}):\n    {body}\n"
    made = define(name, text, {free[n]: v for n, v in space.items()}, function.__name__)
    # messages about wrong arguments name the qualified name and read these
    made.__name__, made.__qualname__ = function.__name__, function.__qualname__
    made.__defaults__, made.__kwdefaults__ = function.__defaults__, function.__kwdefaults__
    return made


def make_caller(parameters: Parameters, function: Callable[..., Any]) -> Callable[[Sequence[object]], Any]:
    """Calls the original with a sequence of arguments, one for each parameter."""
    text = (
        f"def call(v):\n    return {parameters.call('original', [f'v[{i}]' for i in range(len(parameters.names))])}\n"
    )
    return define("call", text, {"original": function})
