"""Python statements -> statements of the IR.

A block is run over the environment; `return` at its end ends it with a value, elsewhere it sets a flag (flow.py).
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Sequence

from autovec.diagnostics import Code
from autovec.frontend import assignment, attributes, branches, flow, growing, inlining, loops, optional
from autovec.frontend.expressions import as_expr, lower, settled
from autovec.frontend.scope import Scope, negation
from autovec.frontend.truth import condition
from autovec.frontend.values import Closure, Static, TupleValue, Value, View
from autovec.frontend.wording import in_words
from autovec.ir.nodes import Const
from autovec.ir.types import BOOL, rank


def block(scope: Scope, body: Sequence[ast.stmt]) -> Value | None:
    """Run a block; the value where it returns (on all its ways, after `jumps_to_the_end`), else None."""
    for node in body:
        result = statement(scope, node)
        if result is not None:
            return result
        if isinstance(node, ast.Return | ast.Break | ast.Continue | ast.Raise):
            return None
        if node is not body[-1]:
            flow.after_jump(scope, node)
    return None


def statement(scope: Scope, node: ast.stmt) -> Value | None:
    match node:
        case ast.Assign(targets=targets, value=value):
            assignment.assign(scope, targets, value)
        case ast.AnnAssign(target=target, value=value) if value is not None:
            assignment.assign(scope, [target], value)
        case ast.AnnAssign() | ast.Pass():
            pass
        case ast.AugAssign():
            assignment.augmented(scope, node)
        case ast.For():
            return loops.for_statement(scope, node)
        case ast.While():
            return loops.while_statement(scope, node)
        case ast.If():
            return branches.branch(scope, node)
        case ast.Match():
            return matched(scope, node)
        case ast.Return(value=value):
            result = to_return(scope, value)
            if not scope.live:
                return result
            flow.put(scope, result, node)
        case ast.Break():
            flow.leave_round(scope)
            for live in scope.live[-scope.nest :]:
                scope.store(live, (), Const(False, BOOL), scope.span(node))
        case ast.Continue():
            flow.leave_round(scope)
            if scope.skip:
                scope.store(scope.skip, (), Const(True, BOOL), scope.span(node))
        case ast.Raise():
            scope.fault(Const(True, BOOL), "raise", scope.span(node))
            return flow.NEVER if not scope.live else None
        case ast.Assert(test=test):
            scope.fault(negation(condition(scope, test)), "assert", scope.span(node))
        case ast.Expr(value=value):
            effect(scope, value)
        case ast.Import() | ast.ImportFrom():
            imported(scope, node)
        case ast.FunctionDef(name=name) if not node.decorator_list:
            scope.env[name] = Closure(node, scope.levels_now(), scope.home, inlining.defaults(scope, node))
        case _:
            raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, in_words(node))
    return None


def imported(scope: Scope, node: ast.Import | ast.ImportFrom) -> None:
    """An import of a library that is there already."""
    for alias in node.names:
        path = alias.name if isinstance(node, ast.Import) else node.module or ""
        module = sys.modules.get(path)
        if (
            module is None
            or path.split(".")[0] not in attributes.PINNED
            or (isinstance(node, ast.ImportFrom) and node.level)
        ):
            raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, f"an import of {path or alias.name} in a function")
        if isinstance(node, ast.ImportFrom):
            if not hasattr(module, alias.name):
                raise scope.blocked(node, Code.RAISES, f"an import of {alias.name}, which {path} lacks,")
            scope.env[alias.asname or alias.name] = Static(getattr(module, alias.name))
        elif alias.asname is None and "." in path:
            scope.env[path.split(".")[0]] = Static(sys.modules[path.split(".")[0]])
        else:
            scope.env[alias.asname or path] = Static(module)


def matched(scope: Scope, node: ast.Match) -> Value | None:
    """`match` on numbers as a chain of `if`s; the subject is evaluated once."""
    subject = f"_subject_{id(node)}"
    assignment.bind_name(scope, subject, settled(scope, node.subject), node.subject)
    chain: list[ast.stmt] = []
    for case in reversed(node.cases):
        test = pattern_test(scope, case.pattern, ast.Name(subject, ast.Load()))
        if case.guard is not None:
            test = ast.BoolOp(ast.And(), [test, case.guard])
        chain = [ast.copy_location(ast.If(test, case.body, chain), case.body[0])]
    ast.fix_missing_locations(ast.copy_location(chain[0], node))
    result = statement(scope, chain[0])
    scope.env.pop(subject, None)
    return result


def pattern_test(scope: Scope, pattern: ast.pattern, subject: ast.Name) -> ast.expr:
    """The condition under which a pattern matches."""
    match pattern:
        case ast.MatchValue(value=value):
            return ast.Compare(subject, [ast.Eq()], [value])
        case ast.MatchSingleton(value=value):
            return ast.Compare(subject, [ast.Is()], [ast.Constant(value)])
        case ast.MatchOr(patterns=patterns):
            return ast.BoolOp(ast.Or(), [pattern_test(scope, p, subject) for p in patterns])
        case ast.MatchAs(pattern=None, name=None):
            return ast.Constant(True)
        case _:
            raise scope.blocked(pattern, Code.UNSUPPORTED_STATEMENT, "a pattern that isn't a number")


def effect(scope: Scope, node: ast.expr) -> None:
    """An expression for its effect: a call that appends or fills; a value that nobody takes."""
    if isinstance(node, ast.Constant):
        return
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        if growing.mutating_call(scope, node):
            return
        if node.func.attr == "fill" and len(node.args) == 1:
            target = lower(scope, node.func.value)
            if isinstance(target, View):
                value = lower(scope, node.args[0])
                if rank(as_expr(scope, value, node).type):
                    raise scope.blocked(node, Code.RAISES, "an array filled with what isn't a number")
                assignment.store(scope, target, value, node)
                return
    lower(scope, node)


def to_return(scope: Scope, node: ast.expr | None) -> Value:
    """The value of a `return`; what may be None is returned as that."""
    if node is None:
        return Static(None)
    value = optional.named(scope, node)
    if value is not None:
        return optional.kept(scope, value, "result", node)
    if isinstance(node, ast.Tuple) and any(optional.named(scope, n) is not None for n in node.elts):
        return TupleValue(tuple(to_return(scope, n) for n in node.elts))
    return settled(scope, node)
