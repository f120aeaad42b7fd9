"""The first plan: by levels over strongly connected components of the dependences.

A component without a cycle is done for all iterations at once. One with a cycle makes the loop that carries it
sequential, at the outermost level that carries anything, and is planned again inside; loops further out that carry
nothing stay axes, which is interchange for nothing (Allen & Kennedy, 2001, ch. 2.4 and 5.2).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from autovec.analysis.statements import Edge, Leaf, Nest, Program, all_expressions
from autovec.ir.affine import Affine
from autovec.ir.conditions import affine_form, conjuncts
from autovec.ir.nodes import Alloc, Append, Apply, Def, Expr, Fault, For, ListAlloc, Load, Point, Ref, Store, While
from autovec.ir.walk import expressions, index_exprs, walk
from autovec.plan.boxes import Boxes
from autovec.plan.nodes import Accumulation, AxisRole, PlanNode, Sequential, Together
from autovec.plan.reductions import accumulation_of, bare
from autovec.plan.speculation import Speculation, speculation_of

SCATTERED = ("add", "multiply", "minimum", "maximum")
TOO_LARGE = "all iterations at once would take more memory than they may"
Running = frozenset[int]  # ids of the loops that are sequential around


@dataclass
class Planner:
    program: Program
    boxes: Boxes
    reassociate: bool
    memory_limit: int = 2**31  # bytes that one statement's axes may take
    accumulations: dict[int, Accumulation] = field(default_factory=dict)
    packs: dict[str, int] = field(default_factory=dict)  # list -> number of its appends
    speculations: dict[int, Speculation] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for leaf in self.program.leaves:
            statement = leaf.statement
            if isinstance(statement, Store):
                found = accumulation_of(statement, leaf.guard, self.reassociate)
                if found is not None:
                    self.accumulations[leaf.key] = found
                guess = speculation_of(leaf, self.program.affine)
                if guess is not None:
                    self.speculations[leaf.key] = guess
            elif isinstance(statement, Append):
                self.packs[statement.cell] = self.packs.get(statement.cell, 0) + 1

    def plan(self) -> tuple[PlanNode, ...]:
        return self.region(self.program.leaves, frozenset())

    # ------------------------------------------------------------ regions

    def region(self, leaves: Sequence[Leaf], running: Running) -> tuple[PlanNode, ...]:
        """The leaves in an order that keeps what the running loops don't."""
        keys = {leaf.key for leaf in leaves}
        edges = [e for e in self.program.edges if e.source in keys and e.sink in keys and not self.kept(e, running)]
        edges += list(self.bindings(leaves, running))
        nodes: list[PlanNode] = []
        edges += self.scopes(leaves, edges, running)
        components = self.pull_in(condense(leaves, edges), edges, running)
        for component in components:
            inside = {leaf.key for leaf in component}
            own = [e for e in edges if e.source in inside and e.sink in inside]
            nodes.append(self.component(component, own, running))
        return self.fused(nodes, edges, running)

    def kept(self, edge: Edge, running: Running) -> bool:
        """Is the dependence carried by a loop that runs in order anyway?"""
        return edge.level is not None and id(self.program.leaf(edge.source).loops[edge.level]) in running

    def bindings(self, leaves: Sequence[Leaf], running: Running) -> Iterable[Edge]:
        """Cycles for loops that can't be an axis: their range isn't known, or the body decides when they end."""
        together: dict[int, list[tuple[Leaf, int]]] = {}
        for leaf in leaves:
            for level, loop in enumerate(leaf.loops):
                if id(loop) in running:
                    continue
                if isinstance(loop, While) or loop.live:
                    together.setdefault(id(loop), []).append((leaf, level))
                elif self.boxes.box(loop, leaf.loops[:level]) is None:
                    yield Edge(leaf.key, leaf.key, level, "", kind="trip")
                else:
                    continue
                for outer in range(level):  # what ends an inner loop is known in one iteration of the outer
                    if id(leaf.loops[outer]) not in running:
                        yield Edge(leaf.key, leaf.key, outer, "", kind="trip")
        for members in together.values():
            (first, level), *rest = members
            yield Edge(first.key, first.key, level, "", kind="trip")
            for leaf, _ in rest:
                yield Edge(first.key, leaf.key, level, "", kind="trip")
                yield Edge(leaf.key, first.key, level, "", kind="trip")

    def scopes(self, leaves: Sequence[Leaf], edges: Sequence[Edge], running: Running) -> list[Edge]:
        """Cycles that keep together whatever touches a private name that a sequential component writes.

        A name that is private to the iterations of a loop has one place at a time once the loop runs, so nothing that
        reads or writes it may be left outside.
        """
        added: list[Edge] = []
        while True:
            new: list[Edge] = []
            for component in condense(leaves, [*edges, *added]):
                inside = {leaf.key for leaf in component}
                own = [e for e in (*edges, *added) if e.source in inside and e.sink in inside]
                loop = self.chosen_loop(component, own, running)
                if loop is None:
                    continue
                level = component[0].loops.index(loop)
                private = {n for leaf in component for n in writes(leaf) if self.program.depth_of.get(n, 0) > level}
                for leaf in leaves:
                    if leaf.key not in inside and loop in leaf.loops and private & touches(leaf):
                        new.append(Edge(component[0].key, leaf.key, level, "", kind="scope"))
                        new.append(Edge(leaf.key, component[0].key, level, "", kind="scope"))
            if not new:
                return added
            added += new

    # ------------------------------------------------------------ components

    def component(self, component: Sequence[Leaf], edges: Sequence[Edge], running: Running) -> PlanNode:
        if len(component) == 1:
            done = self.at_once(component[0], edges, running)
            if done is not None:
                return done
        edge = self.carrier(edges)
        loop = self.chosen_loop(component, edges, running)
        assert loop is not None
        reason = "no array form" if edge is None else ""
        if self.only_memory_objects(component, edges, running):
            edge, reason = None, TOO_LARGE
        return Sequential(loop, self.region(component, running | {id(loop)}), edge, reason)

    def only_memory_objects(self, component: Sequence[Leaf], edges: Sequence[Edge], running: Running) -> bool:
        """Would each statement be done at once, were it not too large?"""
        together = all(e.source == e.sink or e.kind in ("value", "scope") or e.level is None for e in edges)
        sizes = [tuple(n for n in leaf.loops if id(n) not in running and isinstance(n, For)) for leaf in component]
        return together and any(self.is_too_large(axes) for axes in sizes)

    def chosen_loop(self, component: Sequence[Leaf], edges: Sequence[Edge], running: Running) -> Nest | None:
        """The loop that a component makes sequential; None where it needs none."""
        if len(component) == 1 and self.at_once(component[0], edges, running) is not None:
            return None
        edge = self.carrier(edges)
        if edge is None:  # nothing objects, but there is no form for it: the outermost loop runs
            return next((n for n in component[0].loops if id(n) not in running), None)
        assert edge.level is not None
        return self.program.leaf(edge.source).loops[edge.level]

    def carrier(self, edges: Sequence[Edge]) -> Edge | None:
        """The dependence carried by the outermost loop: one of data, if there is one."""
        carried = [e for e in edges if e.level is not None]
        if not carried:
            return None
        return min(carried, key=lambda e: (self.rank(e), e.kind in ("trip", "scope")))

    def rank(self, edge: Edge) -> int:
        assert edge.level is not None
        return edge.level

    def at_once(self, leaf: Leaf, edges: Sequence[Edge], running: Running) -> Together | None:
        """The leaf for all iterations of its other loops, if its own dependences allow."""
        axes = tuple(n for n in leaf.loops if id(n) not in running)
        if any(isinstance(n, While) or n.live for n in axes):
            return None
        loops = tuple(n for n in axes if isinstance(n, For))
        if self.is_too_large(loops):
            return None
        own = [e for e in edges if e.kind != "anti"]
        if any(e.kind == "trip" for e in own):
            return None
        statement = leaf.statement
        if isinstance(statement, Def | Fault | Alloc | ListAlloc):
            return Together(leaf, loops, (AxisRole.MAP,) * len(loops)) if not own else None
        if isinstance(statement, Append):
            return self.packed(leaf, statement, loops)
        if not own:
            pins = self.pins(leaf, loops)
            free = tuple(n for n in loops if n.variable not in pins)
            if not self.can_place(leaf, statement, free):
                return None
            return Together(leaf, free, (AxisRole.MAP,) * len(free), pinned=tuple(pins.items()))
        return self.accumulated(leaf, statement, loops, own) or self.speculated(leaf, statement, loops, own)

    def is_too_large(self, loops: Sequence[For]) -> bool:
        """Would these axes together take more memory than they may? The outermost then runs."""
        elements = 1
        for loop in loops:
            box = self.boxes.known.get(id(loop))
            elements *= box.count(self.boxes.values) if box is not None else 1
        return len(loops) > 1 and 8 * elements > self.memory_limit

    def speculated(self, leaf: Leaf, statement: Store, loops: tuple[For, ...], own: Sequence[Edge]) -> Together | None:
        """At once, if the dependences that object are between the store and reads that it leaves alone."""
        found = self.speculations.get(leaf.key)
        if found is None or not loops or {n.variable for n in loops} != found.axes:
            return None
        if any(not found.covers(e) for e in own) or not self.can_place(leaf, statement, loops):
            return None
        return Together(leaf, loops, (AxisRole.MAP,) * len(loops), speculation=found)

    def packed(self, leaf: Leaf, statement: Append, loops: tuple[For, ...]) -> Together | None:
        if not loops:
            return Together(leaf, (), ())
        if self.packs[statement.cell] > 1 or self.program.depth_of[statement.cell] > leaf.depth - len(loops):
            return None
        if self.program.depth_of[statement.cell] != leaf.depth - len(loops):
            return None
        return Together(leaf, loops, (AxisRole.PACK,) * len(loops), sizes=frozenset(self.boxes.values))

    def pins(self, leaf: Leaf, loops: Sequence[For]) -> dict[str, Affine]:
        """Variables of these loops that the guard allows one value, over sizes alone, that the loop surely takes."""
        found: dict[str, Affine] = {}
        variables = {n.variable: n for n in loops}
        for part in conjuncts(leaf.guard):
            match part:
                case Apply(op="equal", args=(Ref(name=name), value)) if name in variables and name not in found:
                    form = affine_form(value, self.program.affine)
                    loop = variables[name]
                    box = self.boxes.box(loop, leaf.loops[: leaf.loops.index(loop)])
                    if form is None or not self.boxes.sizes_only(form) or box is None or abs(box.step) != 1:
                        continue
                    ends = (form - box.least, box.greatest - form)
                    if all(end.evaluate(self.boxes.values) >= 0 for end in ends):
                        found[name] = form
                case _:
                    continue
        return found

    def can_place(self, leaf: Leaf, statement: Store, loops: Sequence[For]) -> bool:
        """Does each axis pick elements of its own?"""
        exprs = list(index_exprs(statement.index))
        return all(
            any(self.varies(leaf, e, loop) for e in exprs) or self.is_private(leaf, statement, loop) for loop in loops
        )

    def is_private(self, leaf: Leaf, statement: Store, loop: For) -> bool:
        return loop in leaf.loops[: self.program.depth_of.get(statement.cell, 0)]

    def varies(self, leaf: Leaf, expr: Expr, loop: For) -> bool:
        """May the expression change from one iteration of the loop to the next?"""
        level = leaf.loops.index(loop)
        for e in walk(expr):
            if isinstance(e, Ref) and (e.name == loop.variable or self.program.depth_of.get(e.name, 0) > level):
                return True
            if isinstance(e, Load):
                return True
        return False

    def accumulated(self, leaf: Leaf, statement: Store, loops: tuple[For, ...], own: Sequence[Edge]) -> Together | None:
        """All dependences of the store on itself go through its accumulator: the axes it doesn't name are reduced."""
        found = self.accumulations.get(leaf.key)
        if found is None or not loops:
            return None
        for edge in own:
            for access in (edge.source_access, edge.sink_access):
                if access is None or not self.is_accumulator(access, statement):
                    return None
        roles: list[AxisRole] = []
        for loop in loops:
            role = self.axis_role(leaf, statement, loop)
            if role is None:
                return None
            roles.append(role)
        if AxisRole.SCATTER in roles and found.op not in SCATTERED:
            return None
        return Together(leaf, loops, tuple(roles), found)

    def is_accumulator(self, access: object, statement: Store) -> bool:
        key = getattr(access, "key", ())
        if key[1] == "write":
            return True
        load = key[3] if len(key) > 3 else None
        return load is not None and load.cell == statement.cell and load.index == statement.index

    def axis_role(self, leaf: Leaf, statement: Store, loop: For) -> AxisRole | None:
        """MAP where the axis names one subscript by itself, REDUCE where it names none, else SCATTER."""
        if self.is_private(leaf, statement, loop):
            return AxisRole.MAP
        used = [one for one in statement.index if any(self.varies(leaf, e, loop) for e in index_exprs([one]))]
        if not used:
            return AxisRole.REDUCE
        (first, *others) = used
        if not others and isinstance(first, Point):
            form = affine_form(first.at, self.program.affine)
            if form is not None and abs(form.coefficient(loop.variable)) == 1:
                rest = form.without([loop.variable])
                if not (rest.names & self.variables(leaf)) and not self.moves(leaf, rest.names, loop):
                    return AxisRole.MAP
        if all(isinstance(one, Point) for one in statement.index):
            return AxisRole.SCATTER
        return None

    def moves(self, leaf: Leaf, names: Iterable[str], loop: For) -> bool:
        level = leaf.loops.index(loop)
        return any(self.program.depth_of.get(n, 0) > level for n in names)

    def variables(self, leaf: Leaf) -> set[str]:
        return {n.variable for n in leaf.loops if isinstance(n, For)}

    # ------------------------------------------------------------ order and fusion

    def pull_in(self, components: list[list[Leaf]], edges: Sequence[Edge], running: Running) -> list[list[Leaf]]:
        """Bring a value that only one sequential component uses into it, as the person wrote it.

        Otherwise the value of every iteration would be kept in an array until the loop comes.
        """
        changed = True
        while changed:
            changed = False
            for k, component in enumerate(components):
                if len(component) != 1 or not isinstance(component[0].statement, Def | Alloc) or not component[0].loops:
                    continue
                target = self.only_user(component[0], components, edges, k)
                if target is None or not self.is_sequential(components[target], edges, running, component[0]):
                    continue
                if self.reaches_by_others(k, target, components, edges):
                    continue
                merged = sorted([*components[target], *component], key=lambda leaf: leaf.key)
                components = [merged if i == target else c for i, c in enumerate(components) if i != k]
                changed = True
                break
        return components

    def only_user(self, leaf: Leaf, components: list[list[Leaf]], edges: Sequence[Edge], k: int) -> int | None:
        users = {
            i
            for e in edges
            if e.source == leaf.key and e.kind in ("value", "flow", "output")
            for i, c in enumerate(components)
            if i != k and any(member.key == e.sink for member in c)
        }
        return users.pop() if len(users) == 1 else None

    def is_sequential(self, component: Sequence[Leaf], edges: Sequence[Edge], running: Running, leaf: Leaf) -> bool:
        """Is the component a cycle carried by a loop that the leaf is in too?"""
        inside = {member.key for member in component}
        own = [e for e in edges if e.source in inside and e.sink in inside]
        loop = self.chosen_loop(component, own, running)
        return loop is not None and loop in leaf.loops

    def reaches_by_others(self, k: int, target: int, components: list[list[Leaf]], edges: Sequence[Edge]) -> bool:
        """Is there a way from component k to the target through a third one?"""
        home = {leaf.key: i for i, c in enumerate(components) for leaf in c}
        after: dict[int, set[int]] = {}
        for e in edges:
            a, b = home[e.source], home[e.sink]
            if a != b:
                after.setdefault(a, set()).add(b)
        seen: set[int] = set()
        todo = [i for i in after.get(k, ()) if i != target]
        while todo:
            i = todo.pop()
            if i == target:
                return True
            if i not in seen:
                seen.add(i)
                todo += after.get(i, ())
        return False

    def fused(self, nodes: list[PlanNode], edges: Sequence[Edge], running: Running) -> tuple[PlanNode, ...]:
        """Put neighbouring sequential pieces over one loop together again, where nothing between them objects."""
        result: list[PlanNode] = []
        for node in nodes:
            last = result[-1] if result else None
            if isinstance(node, Sequential) and isinstance(last, Sequential) and node.loop is last.loop:
                if self.may_fuse(last, node, edges):
                    result[-1] = Sequential(node.loop, (*last.body, *node.body), last.because, last.reason)
                    continue
            result.append(node)
        return tuple(result)

    def may_fuse(self, first: Sequential, second: Sequential, edges: Sequence[Edge]) -> bool:
        """No dependence from the first to the second that a loop further out, now an axis, carries."""
        from autovec.plan.nodes import leaves_of

        a = {t.leaf.key for t in leaves_of(first.body)}
        b = {t.leaf.key for t in leaves_of(second.body)}
        for e in edges:
            if e.source in a and e.sink in b and e.level is not None:
                loops = self.program.leaf(e.source).loops
                if first.loop in loops and e.level < loops.index(first.loop):
                    return False
        return True


def writes(leaf: Leaf) -> set[str]:
    """The name that a leaf makes or changes."""
    match leaf.statement:
        case Def(name=name) | Alloc(name=name) | ListAlloc(name=name):
            return {name}
        case Store(cell=cell) | Append(cell=cell):
            return {cell}
        case Fault():
            return set()


def touches(leaf: Leaf) -> set[str]:
    """Every name that a leaf or the loops around it read or write."""
    found = writes(leaf)
    for expr in all_expressions(leaf):
        for e in walk(expr):
            if isinstance(e, Ref):
                found.add(e.name)
            elif isinstance(e, Load):
                found.add(e.cell)
    return found | {n.live for n in leaf.loops if isinstance(n, For) and n.live}


def condense(leaves: Sequence[Leaf], edges: Sequence[Edge]) -> list[list[Leaf]]:
    """Strongly connected components in an order that keeps the edges, as near to the person's as that allows."""
    order = {leaf.key: leaf for leaf in leaves}
    after: dict[int, set[int]] = {key: set() for key in order}
    for e in edges:
        after[e.source].add(e.sink)
    component_of: dict[int, int] = {}
    groups = tarjan(list(order), after)
    for i, group in enumerate(groups):
        for key in group:
            component_of[key] = i
    waiting: dict[int, set[int]] = {i: set() for i in range(len(groups))}
    for source, sinks in after.items():
        for sink in sinks:
            if component_of[source] != component_of[sink]:
                waiting[component_of[sink]].add(component_of[source])
    done: list[list[Leaf]] = []
    left = set(waiting)
    while left:
        ready = [i for i in left if not waiting[i] & left]
        best = min(ready, key=lambda i: min(groups[i]))
        left.remove(best)
        done.append([order[key] for key in sorted(groups[best])])
    return done


def tarjan(nodes: Sequence[int], after: dict[int, set[int]]) -> list[list[int]]:
    """Strongly connected components (Tarjan, 1972), without recursion."""
    index: dict[int, int] = {}
    low: dict[int, int] = {}
    on_stack: set[int] = set()
    stack: list[int] = []
    found: list[list[int]] = []
    for root in nodes:
        if root in index:
            continue
        work = [(root, iter(sorted(after[root])))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on_stack.add(root)
        while work:
            node, children = work[-1]
            advanced = False
            for child in children:
                if child not in index:
                    index[child] = low[child] = len(index)
                    stack.append(child)
                    on_stack.add(child)
                    work.append((child, iter(sorted(after[child]))))
                    advanced = True
                    break
                if child in on_stack:
                    low[node] = min(low[node], index[child])
            if advanced:
                continue
            work.pop()
            if work:
                low[work[-1][0]] = min(low[work[-1][0]], low[node])
            if low[node] == index[node]:
                group: list[int] = []
                while True:
                    member = stack.pop()
                    on_stack.discard(member)
                    group.append(member)
                    if member == node:
                        break
                found.append(group)
    return found


def sequential_plan(program: Program) -> tuple[PlanNode, ...]:
    """The universal plan: every loop as the person wrote it, every statement in its place."""

    def region(leaves: Sequence[Leaf], depth: int) -> tuple[PlanNode, ...]:
        nodes: list[PlanNode] = []
        k = 0
        while k < len(leaves):
            leaf = leaves[k]
            if len(leaf.loops) == depth:
                nodes.append(Together(leaf, (), ()))
                k += 1
                continue
            loop: Nest = leaf.loops[depth]
            inside = [x for x in leaves[k:] if len(x.loops) > depth and x.loops[depth] is loop]
            nodes.append(Sequential(loop, region(inside, depth + 1)))
            k += len(inside)
        return tuple(nodes)

    return region(program.leaves, 0)


__all__ = ["bare", "expressions"]
