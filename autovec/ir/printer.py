"""The loop IR as text, for tests and for people who work on the compiler."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from autovec.ir.nodes import (
    Alloc,
    Append,
    Apply,
    Call,
    Cast,
    Const,
    Def,
    Expr,
    Fault,
    For,
    Gather,
    ListAlloc,
    Load,
    Point,
    Range,
    Ref,
    Select,
    Stmt,
    Store,
    Subscript,
    While,
)


def expr_text(expr: Expr) -> str:
    """An expression on one line, functions with `!`, casts as `<type>(...)`."""
    match expr:
        case Const(value=value):
            return repr(value)
        case Ref(name=name):
            return name
        case Load(cell=cell, index=index):
            return f"{cell}[{index_text(index)}]"
        case Apply(op=op, args=args):
            return f"{op}({', '.join(map(expr_text, args))})"
        case Cast(arg=arg, type=kind):
            return f"<{kind}>({expr_text(arg)})"
        case Select(condition=condition, yes=yes, no=no):
            return f"select({expr_text(condition)}, {expr_text(yes)}, {expr_text(no)})"
        case Call(function=function, args=args, statics=statics):
            named = [f"{k}={v}" for k, v in statics]
            return f"{function}!({', '.join([*map(expr_text, args), *named])})"
        case _:
            assert_never(expr)


def index_text(index: Iterable[Subscript]) -> str:
    """Subscripts: `~` may count from the end, `:+n` a slice of length n, `@` an index array."""
    parts: list[str] = []
    for one in index:
        match one:
            case Point(at=at, wraps=wraps):
                parts.append(expr_text(at) + ("~" if wraps else ""))
            case Range(start=start, length=length, step=step):
                parts.append(f"{expr_text(start)}:+{length}" + (f":{step}" if step != 1 else ""))
            case Gather(at=at):
                parts.append(f"@{expr_text(at)}")
    return ", ".join(parts)


def block_text(body: Iterable[Stmt], depth: int = 0) -> str:
    """Statements, one a line, bodies of loops indented."""
    pad = "    " * depth
    lines: list[str] = []
    for s in body:
        when = "" if isinstance(s, Def | Alloc | ListAlloc) or s.guard is None else f"  if {expr_text(s.guard)}"
        match s:
            case Def(name=name, expr=expr):
                lines.append(f"{pad}{name} := {expr_text(expr)}  : {expr.type}")
            case Alloc(name=name, init=init, type=kind):
                lines.append(f"{pad}cell {name} = {expr_text(init)}  : {kind}")
            case ListAlloc(name=name):
                lines.append(f"{pad}list {name}")
            case Store(cell=cell, index=index, value=value):
                lines.append(f"{pad}{cell}[{index_text(index)}] <- {expr_text(value)}{when}")
            case Append(cell=cell, value=value):
                lines.append(f"{pad}{cell} append {expr_text(value)}{when}")
            case Fault(condition=condition, reason=reason):
                lines.append(f"{pad}fault {expr_text(condition)}  ({reason}){when}")
            case For(variable=variable, start=start, stop=stop, step=step, live=live):
                ends = f"max({', '.join(map(expr_text, start))}) .. min({', '.join(map(expr_text, stop))}) by {step}"
                lines.append(f"{pad}for {variable} in {ends}{' while ' + live if live else ''}{when}:")
                lines.append(block_text(s.body, depth + 1))
            case While(condition=condition):
                lines.append(f"{pad}while {expr_text(condition)}{when}:")
                lines.append(block_text(s.body, depth + 1))
            case _:
                assert_never(s)
    return "\n".join(lines)
