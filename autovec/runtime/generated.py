"""Functions made from text: exec'd once, and known to `linecache` so that tracebacks show their lines."""

from __future__ import annotations

import itertools
import linecache
from collections.abc import Collection, Mapping
from typing import Any

_numbers = itertools.count(1)


def define(name: str, text: str, namespace: Mapping[str, object], title: str = "") -> Any:
    """Run the text and return what it calls `name`."""
    file = f"<autovec {title or name} {next(_numbers)}>"
    space = dict(namespace)
    exec(compile(text, file, "exec", dont_inherit=True), space)
    # without a time of modification the entry survives linecache.checkcache
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    return space[name]


def unused_name(name: str, taken: Collection[str]) -> str:
    """The name, with as many underscores after it as it takes to be free."""
    while name in taken:
        name += "_"
    return name
