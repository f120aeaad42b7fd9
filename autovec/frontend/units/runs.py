"""Which consecutive statements of a function can be a kernel, and what goes in and out of each.

In: the function's AST and the statements that stay Python. Out: the maximal runs of other statements that hold a loop,
with the names that each needs and the names that are read after it.

    print("start")               stays
    total = 0.0                  a run:
    for v in x:                      x goes in,
        total += v                   total comes out
    print(total)                 stays

Liveness and definite assignment are those of Appel, Modern Compiler Implementation, ch. 10, on the AST: what may be
read is overestimated, what is surely assigned underestimated.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from autovec.diagnostics import Blocked
from autovec.frontend import liveness
from autovec.frontend.source import has_loops
from autovec.frontend.units.blockers import is_about, own_parts
from autovec.frontend.wording import in_words

Declaration = ast.FunctionDef | ast.Assign | ast.Import | ast.ImportFrom

WRITERS = frozenset({"print", "input", "open"})
SEES_ALL_NAMES = frozenset({"locals", "vars", "eval", "exec", "dir"})


@dataclass(frozen=True, slots=True)
class Run:
    """Statements that are a kernel together.

    `covered` is the part of a block that the run takes the place of: its `statements`, and functions defined among
    them, which are defined first. `declared` are the functions, lambdas and imports that it uses: copied into it.
    `unsure`: an input may be unbound when the run begins. `ends`: the function returns what the run returns; otherwise
    `outputs` come out.
    """

    covered: tuple[ast.stmt, ...]
    statements: tuple[ast.stmt, ...]
    declared: tuple[Declaration, ...]
    inputs: tuple[str, ...]
    unsure: bool
    outputs: tuple[str, ...]
    ends: bool

    @property
    def nodes(self) -> tuple[ast.stmt, ...]:
        return self.covered

    @property
    def is_whole(self) -> bool:
        """May it be cut further? Every input and output must surely be bound, whatever the data."""
        bound = liveness.surely_assigned(self.statements) | set(self.inputs)
        return not self.unsure and set(self.outputs) <= bound


@dataclass(frozen=True, slots=True)
class Inline:
    """An expression with a loop in it (a comprehension, `sum(... for ...)`) in a statement that stays Python."""

    expression: ast.expr
    declared: tuple[Declaration, ...]
    inputs: tuple[str, ...]

    @property
    def nodes(self) -> tuple[ast.expr, ...]:
        return (self.expression,)


@dataclass(frozen=True, slots=True)
class Around:
    """What holds around a block.

    `sure`: names bound when it begins. `after`: names read after its end; `always`: names read wherever it is left
    (by an exception, a jump, the next iteration). `ends`: nothing of the function runs after its end. `repeated`: a
    loop that stays is around it.
    """

    sure: frozenset[str]
    after: frozenset[str]
    always: frozenset[str]
    ends: bool = False
    repeated: bool = False


@dataclass(frozen=True, slots=True)
class Cut:
    """The function that is cut: its body and own names, the statements that stay, its declarations by name."""

    body: Sequence[ast.stmt]
    names: frozenset[str]
    stays: Mapping[ast.stmt, Blocked]
    foreign: frozenset[str]  # declared global or nonlocal
    unbound: frozenset[str]  # deleted somewhere
    seen: Mapping[ast.AST, frozenset[str]]  # by nested functions that may be called through another name
    declarations: Mapping[str, Declaration]

    def declares(self, statement: ast.stmt) -> bool:
        """Is it the definition of a function, which may as well be made a little earlier?"""
        return isinstance(statement, ast.FunctionDef | ast.Assign) and statement in self.declarations.values()

    def done(self, statements: Sequence[ast.stmt]) -> tuple[ast.stmt, ...]:
        """Those that do something where they stand."""
        return tuple(s for s in statements if not self.declares(s))

    def may_bind(self, name: str, statements: Sequence[ast.stmt], around: Around) -> bool:
        """Can something else than the statements bind the name before they begin?"""
        return around.repeated or _bound_outside(self.body, name, statements)


def _bound_outside(body: Sequence[ast.stmt], name: str, statements: Sequence[ast.stmt]) -> bool:
    inside = {n for s in statements for n in ast.walk(s) if isinstance(n, ast.Name)}
    names = (n for s in body for n in ast.walk(s) if isinstance(n, ast.Name) and n not in inside)
    return any(n.id == name and isinstance(n.ctx, ast.Store) for n in names)


def find_runs(
    function: ast.FunctionDef, names: Collection[str], captured: Collection[str], stays: Mapping[ast.stmt, Blocked]
) -> tuple[Run | Inline, ...]:
    """The runs of a function with these names of its own, of which its nested functions read the captured ones."""
    inside = [n for s in function.body for n in ast.walk(s)]
    if any(isinstance(n, ast.Name) and n.id in SEES_ALL_NAMES for n in inside):
        return ()
    foreign = {name for n in inside if isinstance(n, ast.Global | ast.Nonlocal) for name in n.names}
    deleted = {n.id for n in inside if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Del)}
    deleted |= {n.name for n in inside if isinstance(n, ast.ExceptHandler) and n.name}
    cut = Cut(
        function.body,
        frozenset(names),
        stays,
        frozenset(foreign),
        frozenset(deleted),
        _seen(function),
        declarations(function),
    )
    around = Around(frozenset(liveness.parameters(function)), frozenset(), frozenset(captured), ends=True)
    return tuple(_block(cut, function.body, around))


def _seen(function: ast.FunctionDef) -> dict[ast.AST, frozenset[str]]:
    """Nested functions that are used otherwise than by calling them by name, with the names that they read from around."""
    plain = declarations(function)
    nodes = [n for s in function.body for n in ast.walk(s)]
    called = {n.func for n in nodes if isinstance(n, ast.Call)}
    passed = {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load) and n not in called}
    safe = {d for name, d in plain.items() if name not in passed}
    safe |= {d.value for d in safe if isinstance(d, ast.Assign)}
    functions = (n for n in nodes if isinstance(n, ast.FunctionDef | ast.Lambda) and n not in safe)
    return {f: frozenset(liveness.free(f)) for f in functions}


def declarations(function: ast.FunctionDef) -> dict[str, Declaration]:
    """Functions, lambdas and modules that a function makes at its top level, under names that it binds only once."""
    bound = [name for s in function.body for name in _bindings(s)] + [*liveness.parameters(function)]
    found: dict[str, Declaration] = {}
    for statement in function.body:
        match statement:
            case ast.FunctionDef(name=name) if _is_plain(statement):
                names = [name]
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Lambda(args=spec)) if not _defaults(spec):
                names = [name]
            case ast.Import() | ast.ImportFrom():
                names = [*liveness.assigned([statement])]
            case _:
                continue
        if all(bound.count(n) == 1 for n in names):
            found |= dict.fromkeys(names, statement)
    return found


def _bindings(statement: ast.stmt) -> Iterable[str]:
    """Every binding of a name inside, as often as it is bound."""
    for node in liveness.walk_scope(statement):
        match node:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()) | ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.alias(name=name, asname=own):
                yield own or name.split(".")[0]
            case (
                ast.ExceptHandler(name=str() as name)
                | ast.MatchAs(name=str() as name)
                | ast.MatchStar(name=str() as name)
                | ast.MatchMapping(rest=str() as name)
            ):
                yield name
            case _:
                pass


def _is_plain(function: ast.FunctionDef) -> bool:
    writes = any(isinstance(n, ast.Global | ast.Nonlocal) for n in ast.walk(function))
    return not function.decorator_list and not writes and not _defaults(function.args)


def _defaults(spec: ast.arguments) -> list[ast.expr]:
    """Default values that aren't constants: they are evaluated where the function is made."""
    return [d for d in (*spec.defaults, *spec.kw_defaults) if d is not None and not isinstance(d, ast.Constant)]


# ---------------------------------------------------------------- from block to block


def _block(cut: Cut, body: Sequence[ast.stmt], around: Around) -> Iterable[Run | Inline]:
    at = 0
    while at < len(body):
        end = _reach(cut, body, at, around)
        if end == at:
            yield from _inside(cut, body, at, around)
            at += 1
            continue
        run = _run(cut, body, at, end, around)
        if run is not None:
            yield run
        at = end


def _reach(cut: Cut, body: Sequence[ast.stmt], at: int, around: Around) -> int:
    """Where the longest run that begins at `at` ends; `at` itself where there is none."""
    end = at
    while end < len(body) and (cut.declares(body[end]) or _compiles(cut, body[end])):
        if cut.declares(body[end]) and body[end] in _declared(cut, cut.done(body[at:end]), cut.declarations):
            break  # it is used before it is made
        end += 1
    if (end == len(body) and around.ends) or liveness.always_jumps(body[at:end]):
        return end
    # a return ends the function: what follows it must be in the run
    return next((k for k in range(at, end) if liveness.may_return([body[k]])), end)


def _compiles(cut: Cut, statement: ast.stmt) -> bool:
    """May it be part of a kernel, as far as is known?"""
    if any(node in cut.stays or why_python(node) for node in liveness.walk_scope(statement)):
        return False
    leaves = liveness.may_jump([statement], (ast.Break, ast.Continue))
    return not leaves and not liveness.assigned([statement]) & cut.foreign


def why_python(node: ast.AST) -> str:
    """Why a node, and what holds it, is never part of a kernel; empty where it may be."""
    match node:
        case ast.Expr(value=ast.Call(func=ast.Name(id=name))) if name in WRITERS:
            return f"a call of {name}"
        case ast.Import() | ast.ImportFrom():
            return "an import"
        case ast.With() | ast.Try() | ast.TryStar() | ast.ClassDef() | ast.Delete() | ast.Global() | ast.Nonlocal():
            return in_words(node)
        case ast.AsyncWith() | ast.AsyncFor() | ast.AsyncFunctionDef() | ast.Await() | ast.Yield() | ast.YieldFrom():
            return in_words(node)
        case _:
            return ""


def _run(cut: Cut, body: Sequence[ast.stmt], at: int, end: int, around: Around) -> Run | None:
    """The run of these statements, if there is a loop among them."""
    covered = tuple(body[at:end])
    statements = cut.done(covered)
    if not any(map(has_loops, statements)):
        return None
    sure = sure_at(cut, body, at, around)
    own = liveness.assigned(statements)
    inside = {n for s in statements for n in ast.walk(s)}
    if any(not own.isdisjoint(names) for function, names in cut.seen.items() if function not in inside):
        return None  # called inside, such a function would see what the names were before
    declared = _declared(cut, statements, sure | liveness.assigned(covered))
    read = liveness.exposed(statements) | {n for d in declared for n in _free(d)}
    ends = liveness.may_return(statements) or liveness.always_jumps(statements)
    live = live_at(body, end, around)
    outputs = () if ends else tuple(n for n in _in_order(statements) if n in live and n in cut.names)
    kept = (set(outputs) - liveness.surely_assigned(statements)) & sure
    # a name of its own that nothing else can have bound begins unbound, as it does in a function
    needed = {n for n in read & cut.names if n in sure or n not in own or cut.may_bind(n, statements, around)} | kept
    inputs = tuple(sorted(needed - liveness.assigned(declared)))
    return Run(covered, statements, declared, inputs, not set(inputs) <= sure, outputs, ends)


def _inlines(cut: Cut, statement: ast.stmt, sure: frozenset[str]) -> Iterable[Inline]:
    """The expressions of a statement that are loops; the one that keeps the statement in Python aside."""
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        return
    reason = cut.stays.get(statement)
    for part in own_parts(statement):
        for expression in _loop_expressions(part):
            if reason is not None and is_about(expression, reason):
                continue
            declared = _declared(cut, [expression], sure)
            read = liveness.loaded([expression]) | {n for d in declared for n in _free(d)}
            inputs = tuple(sorted((read & cut.names) - liveness.assigned(declared)))
            if set(inputs) <= sure:  # over nothing, the original doesn't read what is unbound
                yield Inline(expression, declared, inputs)


def _loop_expressions(node: ast.AST) -> Iterable[ast.expr]:
    """The outermost comprehensions, and calls that use up a generator; not those in other scopes."""
    match node:
        case (
            ast.ListComp()
            | ast.Call(func=ast.Name(id="sum" | "min" | "max" | "any" | "all"), args=[ast.GeneratorExp()])
        ):
            if not any(isinstance(n, ast.NamedExpr | ast.Await | ast.Yield | ast.YieldFrom) for n in ast.walk(node)):
                yield node
        case ast.Lambda() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            return
        case _:
            for child in ast.iter_child_nodes(node):
                yield from _loop_expressions(child)


def _declared(cut: Cut, statements: Sequence[ast.AST], bound: Collection[str]) -> tuple[Declaration, ...]:
    """The declarations that the statements use, and those that these use, in the order of the lines."""
    found: list[Declaration] = []
    names = liveness.loaded(statements)
    while names:
        new = [cut.declarations[n] for n in names if n in cut.declarations and n in bound]
        new = [d for d in dict.fromkeys(new) if d not in found]
        found += new
        names = {n for d in new for n in _free(d)}
    return tuple(sorted(found, key=lambda d: d.lineno))


def _free(declaration: Declaration) -> set[str]:
    match declaration:
        case ast.FunctionDef():
            return liveness.free(declaration)
        case ast.Assign():
            assert isinstance(declaration.value, ast.Lambda)
            return liveness.free(declaration.value)
        case _:
            return set()


def _in_order(statements: Sequence[ast.stmt]) -> list[str]:
    """The names that the statements bind, in the order in which they do."""
    return [*dict.fromkeys(name for s in statements for name in _bindings(s))]


# ---------------------------------------------------------------- liveness


def live_at(body: Sequence[ast.stmt], at: int, around: Around) -> frozenset[str]:
    """Names that may be read once the statements before `at` are done."""
    rest = body[at:]
    jumps = (ast.Break, ast.Continue, ast.Return, ast.Raise)
    straight = next((k for k, s in enumerate(rest) if liveness.may_jump([s], jumps, inner_loops=True)), len(rest))
    after = around.after - liveness.surely_assigned(rest[:straight])
    return around.always | liveness.exposed(rest) | after


def sure_at(cut: Cut, body: Sequence[ast.stmt], at: int, around: Around) -> frozenset[str]:
    """Names that are bound once the statements before `at` are done."""
    return (around.sure | liveness.surely_assigned(body[:at])) - cut.unbound


def _inside(cut: Cut, body: Sequence[ast.stmt], at: int, around: Around) -> Iterable[Run | Inline]:
    """The runs in the blocks of a statement that stays Python, and the loops in its own expressions."""
    statement = body[at]
    sure = sure_at(cut, body, at, around)
    yield from _inlines(cut, statement, sure)
    after = live_at(body, at + 1, around)
    here = replace(around, sure=sure, after=after, ends=around.ends and at == len(body) - 1)
    match statement:
        case ast.For(target=target):
            again = _left_by_a_jump(here, statement)
            yield from _block(cut, statement.body, replace(again, sure=sure | liveness.assigned([target])))
            yield from _block(cut, statement.orelse, replace(here, ends=False))
        case ast.While():
            yield from _block(cut, statement.body, _left_by_a_jump(here, statement))
            yield from _block(cut, statement.orelse, replace(here, ends=False))
        case ast.If():
            yield from _block(cut, statement.body, here)
            yield from _block(cut, statement.orelse, here)
        case ast.Match():
            for case in statement.cases:
                yield from _block(cut, case.body, here)
        case ast.With():
            bound = liveness.assigned([i.optional_vars for i in statement.items if i.optional_vars is not None])
            # a context manager may swallow an exception
            yield from _block(
                cut, statement.body, replace(here, sure=sure | bound, always=around.always | after, ends=False)
            )
        case ast.Try() | ast.TryStar():
            yield from _try(cut, statement, here)
        case _:
            return


def _left_by_a_jump(here: Around, loop: ast.For | ast.While) -> Around:
    """Around a loop's body: from its end, as from a jump, the next iteration or what follows the loop may come."""
    again = liveness.exposed([loop]) | liveness.loaded([loop.test] if isinstance(loop, ast.While) else [])
    after = here.after | again | liveness.exposed(loop.orelse)
    return Around(here.sure, after, here.always | after, repeated=True)


def _try(cut: Cut, statement: ast.Try | ast.TryStar, here: Around) -> Iterable[Run | Inline]:
    """A handler may run after any statement of the body, and what follows after any statement at all."""
    handlers = [h for h in statement.handlers]
    caught = here.always | here.after | liveness.loaded([*handlers, *statement.orelse, *statement.finalbody])
    inside = replace(here, after=caught, always=caught, ends=False)
    yield from _block(cut, statement.body, inside)
    for handler in handlers:
        yield from _block(cut, handler.body, inside)
    yield from _block(cut, statement.orelse, inside)
    yield from _block(cut, statement.finalbody, replace(here, ends=False))
