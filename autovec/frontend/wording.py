"""What kinds of syntax are called, in words, for people who are told that one isn't compiled."""

from __future__ import annotations

import ast

WORDS = {
    "Assert": "an assert", "AsyncFor": "an async for", "AsyncWith": "an async with", "Await": "an await",
    "ClassDef": "a class", "Delete": "a del", "Dict": "a dict", "DictComp": "a dict comprehension",
    "GeneratorExp": "a generator", "Global": "a global statement", "JoinedStr": "an f-string",
    "NamedExpr": "a walrus", "Nonlocal": "a nonlocal statement", "Raise": "a raise", "Set": "a set",
    "SetComp": "a set comprehension", "Starred": "a starred expression", "Try": "a try", "TryStar": "a try",
    "With": "a with", "Yield": "a yield", "YieldFrom": "a yield", "FunctionDef": "a decorated function",
}  # fmt: skip


def in_words(node: ast.AST) -> str:
    kind = type(node).__name__
    return WORDS.get(kind, f"syntax of the kind {kind}")
