"""From `FILE[:FUNCTION]` on the command line to functions.

The file is imported under its own name, with its folder first in the path, as if it were imported from there.
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any


class UsageError(Exception):
    """What was asked can't be found or doesn't fit; the text says what to do."""


@dataclass(frozen=True, slots=True)
class Target:
    """A function of a file, undecorated, with the name it is asked for by."""

    name: str
    function: Callable[..., Any]
    module: ModuleType

    def inputs(self) -> tuple[tuple[Any, ...], dict[str, Any]] | None:
        """Arguments from `inputs_NAME` or `example_inputs` of the same file: a tuple, a dict, or a tuple with both."""
        maker = getattr(self.module, f"inputs_{self.name.replace('.', '_')}", None)
        maker = maker or getattr(self.module, "example_inputs", None)
        if maker is None:
            return None
        made = maker()
        if isinstance(made, dict):
            return (), made
        if not isinstance(made, tuple):
            return (made,), {}
        if len(made) == 2 and isinstance(made[0], tuple) and isinstance(made[1], dict):
            return made
        return made, {}


def split(target: str) -> tuple[Path, str]:
    """`file.py:f` into the path and the name; no name, empty. A drive letter's colon is part of the path."""
    file, colon, name = target.rpartition(":")
    if colon and name.replace(".", "").isidentifier() and len(file) > 1:
        return Path(file), name
    return Path(target), ""


def load(target: str) -> list[Target]:
    """The function asked for, or every function that the file itself defines at its top level."""
    path, name = split(target)
    module = _import(path)
    if name:
        return [Target(name, _find(module, name, path), module)]
    found = [Target(name, function, module) for name, function in _functions(module).items()]
    if not found:
        raise UsageError(f"{path} defines no function at its top level")
    return found


def _import(path: Path) -> ModuleType:
    if not path.is_file():
        raise UsageError(f"there is no file {path}")
    folder, parts = path.resolve().parent, [path.stem]
    while (folder / "__init__.py").is_file():  # a module of a package is imported as one: it may import its neighbours
        folder, parts = folder.parent, [folder.name, *parts]
    sys.path.insert(0, str(folder))
    if len(parts) > 1:
        return importlib.import_module(".".join(parts))
    name = path.stem if path.stem not in sys.modules else f"{path.stem}_file"  # never in the place of a module in use
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise UsageError(f"{path} isn't a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # pickles and dataclasses of the file look themselves up
    spec.loader.exec_module(module)
    return module


def _functions(module: ModuleType) -> dict[str, Callable[..., Any]]:
    helpers = ("inputs_", "_")
    return {
        name: undecorated(value)
        for name, value in vars(module).items()
        if not name.startswith(helpers) and name not in ("example_inputs", "main") and _is_ours(value, module)
    }


def _is_ours(value: object, module: ModuleType) -> bool:
    function = undecorated(value)
    return inspect.isfunction(function) and function.__module__ == module.__name__


def _find(module: ModuleType, name: str, path: Path) -> Callable[..., Any]:
    value: Any = module
    for part in name.split("."):
        value = getattr(value, part, None)
    if callable(value) and not inspect.isclass(value):
        return undecorated(value)
    known = ", ".join(_functions(module)) or "none"
    raise UsageError(f"{path} has no function {name}; it defines: {known}")


def undecorated(value: Any) -> Any:
    """The function under `@autovec`, else the value itself."""
    return getattr(value, "original", None) or value
