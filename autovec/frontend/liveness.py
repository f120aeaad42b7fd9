"""Which names a block assigns, and which it reads before it has surely assigned them (on the AST).

A name that a loop's body assigns and may read first is carried by the loop; the others are private to the iteration.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence


def assigned(nodes: Iterable[ast.AST]) -> set[str]:
    """Names bound anywhere inside, comprehension variables and nested functions' own names aside."""
    found: set[str] = set()
    for node in nodes:
        for child in walk_scope(node):
            if isinstance(child, ast.Name) and isinstance(child.ctx, ast.Store | ast.Del):
                found.add(child.id)
            elif isinstance(child, ast.FunctionDef):
                found.add(child.name)
            elif isinstance(child, ast.alias):
                found.add(child.asname or child.name.split(".")[0])
    return found


def loaded(nodes: Iterable[ast.AST]) -> set[str]:
    """Names read anywhere inside, also by nested functions and comprehensions."""
    found: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
            own = assigned([clause.target for clause in node.generators])
            found |= loaded(ast.iter_child_nodes(node)) - own
            found |= loaded([node.generators[0].iter])  # evaluated outside, where `x` of `[x for x in x]` is another
            continue
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load | ast.Del):
            found.add(node.id)
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            found.add(node.target.id)
        found |= loaded(ast.iter_child_nodes(node))
    return found


def walk_scope(node: ast.AST) -> Iterable[ast.AST]:
    """`ast.walk` that stays in this scope: not into comprehensions, lambdas and nested functions."""
    yield node
    if isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
        for child in ast.walk(node):  # a walrus in a comprehension binds in the enclosing scope
            if isinstance(child, ast.NamedExpr):
                yield child.target
        return
    if isinstance(node, ast.Lambda | ast.FunctionDef):
        return
    for child in ast.iter_child_nodes(node):
        yield from walk_scope(child)


def exposed(body: Sequence[ast.stmt]) -> set[str]:
    """Names that may be read in the block before the block has assigned them."""
    return _block(body)[0]


def surely_assigned(body: Sequence[ast.stmt]) -> set[str]:
    """Names that are bound whenever the block ends by reaching its end."""
    return _block(body)[1]


def parameters(function: ast.FunctionDef | ast.Lambda) -> set[str]:
    """The names of a function's arguments."""
    spec = function.args
    starred = [a for a in (spec.vararg, spec.kwarg) if a is not None]
    return {a.arg for a in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs, *starred)}


def _block(body: Sequence[ast.stmt]) -> tuple[set[str], set[str]]:
    read: set[str] = set()
    sure: set[str] = set()
    for statement in body:
        r, s = _statement(statement)
        read |= r - sure
        sure |= s
    return read, sure


def _statement(node: ast.stmt) -> tuple[set[str], set[str]]:
    match node:
        case ast.If():
            test = loaded([node.test])
            yes_read, yes_sure = _block(node.body)
            no_read, no_sure = _block(node.orelse)
            # a branch that jumps away assigns everything, as far as what follows it is concerned
            if always_jumps(node.body):
                sure = no_sure
            elif always_jumps(node.orelse):
                sure = yes_sure
            else:
                sure = yes_sure & no_sure
            return test | yes_read | no_read, sure | assigned([node.test])
        case ast.For():
            read, _ = _block(node.body)
            inner = read - assigned([node.target])  # bound at each iteration
            after, _ = _block(node.orelse)
            return loaded([node.iter]) | inner | after, set()
        case ast.While():
            read, _ = _block(node.body)
            after, _ = _block(node.orelse)
            return loaded([node.test]) | read | after, set()
        case ast.Assign():
            return loaded([node.value, *node.targets]), assigned(node.targets) | assigned([node.value])
        case ast.AnnAssign() if node.value is not None:
            return loaded([node.value, node.target]), assigned([node.target])
        case ast.AugAssign():
            return loaded([node.value, node]), assigned([node.target])
        case ast.With() | ast.Try() | ast.Match():
            return loaded([node]), set()
        case _:
            return loaded([node]), assigned([node])


def live_after(function: ast.AST, loop: ast.AST) -> set[str]:
    """Names whose value after the loop the function may still read; what nested functions read is always live."""
    body = getattr(function, "body", [])
    nested = [n for n in ast.walk(function) if isinstance(n, ast.FunctionDef | ast.Lambda) and n is not function]
    found = _live(body if isinstance(body, list) else [], loop, set())
    inner = set[str]().union(*(free(n) for n in nested))
    if found is None:  # not one of the function's own statements: everything may be read
        return loaded([function])
    return found | inner


def free(function: ast.FunctionDef | ast.Lambda) -> set[str]:
    """Names that a nested function may read from the ones around it."""
    spec = function.args
    own = {a.arg for a in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs)}
    body = function.body if isinstance(function.body, list) else [function.body]
    defaults = [d for d in (*spec.defaults, *spec.kw_defaults) if d is not None]
    return (loaded(body) - own - assigned(body)) | loaded(defaults)


def _live(body: Sequence[ast.stmt], loop: ast.AST, after: set[str]) -> set[str] | None:
    for k, statement in enumerate(body):
        if not any(n is loop for n in ast.walk(statement)):
            continue
        read, sure = _block(body[k + 1 :])
        rest = read | (after - sure)
        if statement is loop:
            return rest | loaded(getattr(statement, "orelse", []))
        inner: set[str] | None = None
        match statement:
            case ast.For() | ast.While():
                again, _ = _block(statement.body)
                test = loaded([statement.test]) if isinstance(statement, ast.While) else set()
                again -= assigned([statement.target]) if isinstance(statement, ast.For) else set()
                inner = _live(statement.body, loop, rest | again | test)
                if inner is not None and may_jump(
                    statement.body, (ast.Break, ast.Continue, ast.Return), inner_loops=True
                ):
                    inner = inner | rest | again | test | loaded(statement.orelse)
                if inner is None:
                    inner = _live(statement.orelse, loop, rest)
                else:
                    inner |= loaded(statement.orelse)
            case ast.Match():
                for case in statement.cases:
                    inner = inner if inner is not None else _live(case.body, loop, rest)
            case ast.If():
                inner = _live(statement.body, loop, rest)
                if inner is None:
                    inner = _live(statement.orelse, loop, rest)
            case _:
                pass
        if inner is not None:
            return inner
    return None


def rebound(body: Iterable[ast.AST]) -> set[str]:
    """Names that the block binds anew, not only changes by `name op= value`."""
    found: set[str] = set()
    for node in body:
        changed = {id(n.target) for n in walk_scope(node) if isinstance(n, ast.AugAssign)}
        for child in walk_scope(node):
            if isinstance(child, ast.Name) and isinstance(child.ctx, ast.Store | ast.Del) and id(child) not in changed:
                found.add(child.id)
            elif isinstance(child, ast.FunctionDef):
                found.add(child.name)
    return found


def always_jumps(body: Sequence[ast.stmt]) -> bool:
    """Does the block always end by leaving the one around it (break, continue, return, raise)?"""
    if not body:
        return False
    match body[-1]:
        case ast.Break() | ast.Continue() | ast.Return() | ast.Raise():
            return True
        case ast.If() as last:
            return bool(last.orelse) and always_jumps(last.body) and always_jumps(last.orelse)
        case ast.While(test=ast.Constant(value=value)) as last if value:
            return not may_jump(last.body, (ast.Break,))
        case _:
            return False


def may_return(body: Iterable[ast.AST]) -> bool:
    return may_jump(body, (ast.Return,), inner_loops=True)


def may_jump(body: Iterable[ast.AST], kinds: tuple[type[ast.stmt], ...], *, inner_loops: bool = False) -> bool:
    """Is there a statement of these kinds in the block, outside nested functions (and inner loops)?"""
    for node in body:
        if isinstance(node, kinds):
            return True
        if isinstance(node, ast.FunctionDef | ast.Lambda | ast.ClassDef):
            continue
        if isinstance(node, ast.For | ast.While) and not inner_loops:
            if may_jump(node.orelse, kinds, inner_loops=inner_loops):
                return True
            continue
        if may_jump(ast.iter_child_nodes(node), kinds, inner_loops=inner_loops):
            return True
    return False


def jumps_to_the_end(body: Sequence[ast.stmt]) -> list[ast.stmt]:
    """Move what follows a branch that always jumps into the other branch.

    if c:                          if c:
        continue          -->          continue
    rest                           else:
                                       rest
    """
    result: list[ast.stmt] = []
    for k, statement in enumerate(body):
        if not isinstance(statement, ast.If):
            result.append(statement)
            continue
        yes, no, rest = list(statement.body), list(statement.orelse), list(body[k + 1 :])
        if rest and always_jumps(yes):
            no, rest = no + rest, []
        elif rest and always_jumps(no):
            yes, rest = yes + rest, []
        moved = ast.If(statement.test, jumps_to_the_end(yes), jumps_to_the_end(no))
        result.append(ast.copy_location(moved, statement))
        if len(rest) < len(body) - k - 1:
            return result
    return result
