"""Attributes that the function sets on objects of its caller's.

    self.total += x[i]           -->    self_total = self_total + x[i]; after the call: self.total = self_total

Outside loops and branches an attribute is bound to a value, as a name is. One that is set inside them is a cell from
the start of the function: a first lowering finds out which those are. In: assignments. Out: updates.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from functools import partial
from types import MemberDescriptorType
from typing import Any

from autovec.diagnostics import Code
from autovec.frontend import assignment, carried, growing, structures
from autovec.frontend.expressions import as_expr, load, lower
from autovec.frontend.looked_up import Settable
from autovec.frontend.results import returned
from autovec.frontend.scope import Scope, negation
from autovec.frontend.subscripts import whole
from autovec.frontend.tags import fitted, tag_expr, tag_of, widened
from autovec.frontend.values import (
    Buffer,
    Computed,
    ListArray,
    ListCell,
    ObjectValue,
    Static,
    TupleList,
    TupleValue,
    Value,
    Variable,
    View,
)
from autovec.ir.nodes import Const, Load, TupleResult, Update, ValueResult
from autovec.ir.types import BOOL, INT, PY_BOOL, ScalarType

GROUP = (0, 2)


def key_of(base: str, name: str) -> tuple[int, int, str]:
    return (*GROUP, f"{base}.{name}")


def prepare(scope: Scope, base: ObjectValue, held: Mapping[str, Value]) -> None:
    """Cells for the attributes that are known to be set inside loops or branches."""
    prefix = f"{base.name}."
    for key in sorted(k for k in scope.ledger.joins if k[:2] == GROUP and k[2].startswith(prefix)):
        name = key[2].removeprefix(prefix)
        scope.ledger.attributes[base.name, name] = scalar_cell(scope, base, name, key, held.get(name))
    for owner, name in sorted(scope.ledger.appended_attributes):
        if owner == base.name:
            made = growing.empty_list(scope, f"{owner}_{name}", (0, 3, f"{owner}.{name}"), scope.home.node)
            scope.ledger.attributes[owner, name] = made
    for owner, name in sorted(scope.ledger.rebound_attributes):
        value = held.get(name)
        if owner == base.name and isinstance(value, View):
            cell = scope.allocate(
                f"{owner}_{name}", load(scope, value, scope.home.node), value.type, scope.span(scope.home.node)
            )
            scope.ledger.attributes[owner, name] = View(cell, whole(cell, value.type).index, value.type, rebound=True)


def scalar_cell(scope: Scope, base: ObjectValue, name: str, key: tuple[int, int, str], value: Value | None) -> Value:
    node, kinds, hint = scope.home.node, scope.ledger.joins[key], f"{base.name}_{name}"
    span = scope.span(node)
    nothing = value is None or (isinstance(value, Static) and type(value.value) not in structures.NUMBERS)
    first = None if value is None or nothing else as_expr(scope, value, node)
    if first is not None and not isinstance(first.type, ScalarType):
        raise scope.blocked(node, Code.UNSTABLE_TYPE, f"the attribute {name}, an array that becomes a number")
    if first is not None and isinstance(first.type, ScalarType):
        kinds = ScalarType(kinds.kinds | first.type.kinds)
    zero = Const(False, BOOL) if kinds.dtype.kind == "b" else Const(0, INT)
    init = widened(zero, kinds) if first is None else fitted(scope, first, kinds, node)
    cell, tag = scope.allocate(hint, init, kinds, span), ""
    if kinds.only is None:
        which = Const(0, INT) if value is None or first is None else tag_expr(scope, value, first, kinds)
        tag = scope.allocate(f"{hint}_kind", which, INT, span)
    if nothing or not is_own(base.value, name):
        flag = scope.allocate(f"{hint}_set", Const(False, BOOL), BOOL, span)
        scope.ledger.attribute_flags[base.name, name] = (flag, not nothing)
    scope.ledger.owners[cell] = key
    return Variable(cell, kinds, tag)


def is_own(value: object, name: str) -> bool:
    """Is it the object's own (not its class's), so that setting it again to what it is changes nothing?"""
    return name in getattr(value, "__dict__", {}) or isinstance(
        structures.class_entry(type(value), name), MemberDescriptorType
    )


def can_be_set(value: object, name: str) -> bool:
    """Does `value.name = v` do nothing but that?"""
    kind = type(value)
    if kind.__setattr__ is not object.__setattr__:
        return False
    found = structures.class_entry(kind, name)
    if isinstance(found, MemberDescriptorType):
        return hasattr(value, name)
    return not hasattr(type(found), "__set__") and hasattr(value, "__dict__")


def read(scope: Scope, base: ObjectValue, node: ast.Attribute) -> Value | None:
    """The attribute as the function has set it; None where it hasn't."""
    value = scope.ledger.attributes.get((base.name, node.attr))
    if (base.name, node.attr) in scope.ledger.appended_attributes:
        raise scope.blocked(node, Code.UNSUPPORTED_EXPRESSION, f"the list {node.attr}, both appended to and read")
    if not isinstance(value, Variable):
        return value
    flag = scope.ledger.attribute_flags.get((base.name, node.attr))
    if flag is not None and not flag[1]:
        scope.fault(negation(Load(flag[0], (), BOOL)), "an attribute that isn't set", scope.span(node))
    tag = tag_of(scope, value)
    if tag is not None:
        tag = scope.define("kind", tag, scope.span(node))
    return Computed(scope.define("held", scope.load(value.cell, value.type), scope.span(node)), tag)


def assign(scope: Scope, target: ast.Attribute, value: Value, node: ast.AST) -> None:
    """`base.name = value`."""
    base = lower(scope, target.value)
    if not isinstance(base, ObjectValue):
        raise scope.blocked(target, Code.UNSUPPORTED_STATEMENT, "an assignment to an attribute of this value")
    where = (base.name, target.attr)
    if not base.name.isidentifier():
        raise scope.blocked(
            target, Code.UNSUPPORTED_STATEMENT, "an assignment to an attribute of a part of an argument"
        )
    if not can_be_set(base.value, target.attr):
        raise scope.blocked(target, Code.UNSUPPORTED_STATEMENT, f"an assignment to {target.attr}, which runs code")
    own = is_own(base.value, target.attr)
    scope.ledger.assumptions[Settable(base.argument, target.attr, own, can_be_set, is_own)] = None
    current = scope.ledger.attributes.get(where)
    if isinstance(current, Variable):
        carried.assign_variable(scope, target.attr, current, value, node)
        if where in scope.ledger.attribute_flags:
            scope.store(scope.ledger.attribute_flags[where][0], (), Const(True, BOOL), scope.span(node))
        return
    if isinstance(current, View) and current.rebound:
        assignment.rebind_array(scope, target.attr, current, value, node)
        return
    if scope.loops or scope.guard is not None or any(scope.live):
        learn(scope, base, target, value, node)
    name = f"{base.name}_{target.attr}"
    if isinstance(value, TupleValue) and value.constructor is list and is_appended_to(scope, target.attr):
        scope.ledger.attributes[where] = growing.new_list(scope, name, value.items, node)
        return
    before = scope.env.pop(name, None)
    assignment.bind_name(scope, name, value, node)
    scope.ledger.attributes[where] = scope.env.pop(name)
    if before is not None:
        scope.env[name] = before


def is_appended_to(scope: Scope, name: str) -> bool:
    """Does the function append to an attribute of this name?"""
    return any(
        isinstance(n, ast.Attribute)
        and n.attr in ("append", "extend")
        and isinstance(n.value, ast.Attribute)
        and n.value.attr == name
        for n in ast.walk(scope.home.node)
    )


def grown(scope: Scope, node: ast.Attribute) -> Value | None:
    """The list of `base.name.append(...)`; None where it isn't one that can grow."""
    base = lower(scope, node.value)
    if not isinstance(base, ObjectValue) or not base.name.isidentifier():
        return None
    where = (base.name, node.attr)
    held = scope.ledger.attributes.get(where)
    if held is None and type(structures.attributes(base.value).get(node.attr)) is list:
        if not isinstance(base.attributes.get(node.attr), ObjectValue | None):
            raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, f"the list {node.attr}, both appended to and read")
        scope.ledger.appended_attributes.add(where)
        raise carried.Widened(GROUP)
    return held if isinstance(held, ListCell | Buffer | TupleList) else None


def learn(scope: Scope, base: ObjectValue, target: ast.Attribute, value: Value, node: ast.AST) -> None:
    """It is set in a loop or branch: a cell next time."""
    if not isinstance(value, Computed | Variable | Static | View):
        raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, f"the attribute {target.attr}, set in a loop or branch,")
    kind = as_expr(scope, value, node).type
    if isinstance(kind, ScalarType):
        scope.ledger.joins[key_of(base.name, target.attr)] = kind
        raise carried.Widened(GROUP)
    if isinstance(base.attributes.get(target.attr), View) and (base.name, target.attr) not in scope.ledger.attributes:
        scope.ledger.rebound_attributes.add((base.name, target.attr))
        raise carried.Widened(GROUP)
    raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, f"the attribute {target.attr}, set in a loop or branch,")


def augmented(scope: Scope, target: ast.Attribute, node: ast.AugAssign, op: str) -> None:
    """`base.name op= value`: arrays are changed in place."""
    old = lower(scope, ast.copy_location(ast.Attribute(target.value, target.attr, ast.Load()), target))
    if isinstance(old, ListArray | ListCell | TupleList):
        raise scope.blocked(node, Code.UNSUPPORTED_STATEMENT, "an in-place operation on a list that is an attribute")
    new = lower(scope, node.value)
    if isinstance(old, View):
        assignment.in_place(scope, old, op, new, node)
        return
    assign(scope, target, assignment.operated(scope, node, op, old, new), node)


# ---------------------------------------------------------------- afterwards


def updates(scope: Scope) -> list[Update]:
    """The attributes as they are at the end."""
    found = (update(scope, owner, name, value) for (owner, name), value in scope.ledger.attributes.items())
    return [one for one in found if one is not None]


def update(scope: Scope, owner: str, name: str, value: Value) -> Update | None:
    """What becomes of one attribute; None where it stays what it was."""
    node, ledger = scope.home.node, scope.ledger
    shown, grows = f"{owner}.{name}", (owner, name) in ledger.appended_attributes
    match value:
        case View(rebound=True, cell=cell) if cell not in ledger.rebinds:
            if cell in ledger.elements:
                raise scope.blocked(
                    node, Code.UNSUPPORTED_STATEMENT, f"the attribute {name}, both set and written into"
                )
            return None
        case Variable(cell=cell) if cell not in ledger.stored:
            return None
        case ListCell(cell=cell) if grows and ledger.lists[cell].element is None and not scope.loops:
            return None
        case _:
            result = returned(scope, value, node)
    if grows:
        return Update(shown, owner, partial(extend, name), result)
    flag = ledger.attribute_flags.get((owner, name))
    if flag is None:
        return Update(shown, owner, partial(put, name), result)
    pair = TupleResult((ValueResult(Load(flag[0], (), BOOL), (PY_BOOL,)), result))
    return Update(shown, owner, partial(put_if, name), pair)


def put(name: str, owner: Any, value: Any) -> None:
    setattr(owner, name, value)


def extend(name: str, owner: Any, items: list[Any]) -> None:
    getattr(owner, name).extend(items)


def put_if(name: str, owner: Any, pair: tuple[bool, Any]) -> None:
    if pair[0]:
        setattr(owner, name, pair[1])


def written(scope: Scope) -> tuple[str, ...]:
    """The objects whose attributes are set or whose lists are written to."""
    return tuple(sorted({owner for owner, _ in scope.ledger.attributes}))
