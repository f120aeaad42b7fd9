"""What the package offers: its names, their signatures, and how little an import costs."""

import inspect
import subprocess
import sys

import autovec

ATTRIBUTES = {"source", "report", "compare", "original", "jax", "options"}


def test_names():
    assert sorted(autovec.__all__) == ["AutovecError", "AutovecWarning", "autovec"]
    assert issubclass(autovec.AutovecWarning, UserWarning) and issubclass(autovec.AutovecError, Exception)
    assert autovec.__version__


def test_signature():
    parameters = inspect.signature(autovec.autovec).parameters
    assert list(parameters) == ["fn", "fallback", "reassociate", "memory_limit", "verify"]
    assert all(p.kind is p.KEYWORD_ONLY for n, p in parameters.items() if n != "fn")
    assert [p.default for p in parameters.values()] == [None, "warn", True, None, False]


def test_attributes_of_a_decorated_function():
    f = autovec.autovec(len, fallback="silent")
    assert set(dir(f)) >= ATTRIBUTES | {"__wrapped__", "__name__", "__doc__"}
    public = {n for n in dir(type(f)) if not n.startswith("_")} - set(dir(type(f).__mro__[1]))
    assert public | {"original", "options"} == ATTRIBUTES


def test_import_is_light():
    code = "import sys, autovec; print([m for m in ('jax', 'islpy', 'astor') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
