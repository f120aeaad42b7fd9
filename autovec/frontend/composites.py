"""Values for arguments that hold several: put together from the parameters that their parts have become."""

from __future__ import annotations

from collections.abc import Mapping

from autovec.diagnostics import Code
from autovec.frontend import attribute_writes, structures
from autovec.frontend.looked_up import Holds
from autovec.frontend.scope import Scope
from autovec.frontend.structures import Step
from autovec.frontend.values import DictValue, ObjectValue, TupleValue, Value

Path = tuple[Step, ...]


def assembled(scope: Scope, name: str, value: object, parts: Mapping[Path, Value], path: Path = ()) -> Value:
    """The argument, or what lies at a path in it."""
    if path in parts:
        return parts[path]
    shown = name + "".join(map(str, path))
    kind = type(value)
    unread = bool(path) and not any(p[: len(path)] == path for p in parts)
    if unread or len(path) > 4 or not (structures.is_structure(value) or structures.is_object(value)):
        if not path:
            raise scope.blocked(scope.home.node, Code.UNSUPPORTED_ARGUMENT, f"argument {name!r} is a {kind.__name__}")
        return ObjectValue(shown, value, {}, name, path)  # nothing can be done with it
    inside = {s.key: assembled(scope, name, v, parts, (*path, s)) for s, v in structures.children(value)}
    told = {p[len(path)].key for p in parts if p[: len(path)] == path}
    if structures.is_structure(value) and len(told) < len(value):  # type: ignore[arg-type]
        scope.ledger.assumptions[Holds(name, path, kind, structures.keys_of(value))] = None
    if kind is dict:
        return DictValue(inside, shown)
    if structures.is_structure(value):
        if not inside:
            raise scope.blocked(
                scope.home.node, Code.UNSUPPORTED_ARGUMENT, f"argument {name!r} holds a {kind.__name__} of many things"
            )
        return TupleValue(tuple(inside.values()), kind, shown)
    made = ObjectValue(shown, value, {str(k): v for k, v in inside.items()}, name, path)
    if not path:
        attribute_writes.prepare(scope, made, made.attributes)
    return made
