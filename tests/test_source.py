"""The proof of the source: what is found is what runs, and what isn't proved is refused."""

import ast
import doctest
import functools
import importlib.util
import linecache
import sys

import pytest

from autovec.diagnostics import Blocked, Code
from autovec.frontend.source import find


def load(tmp_path, text, name="victim"):
    path = tmp_path / f"{name}.py"
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return path, module


def plain(x):
    return x + 1


def asserting(x, *, k=1):
    assert x > 0, "positive"
    return x + k


def test_plain():
    found = find(plain)
    assert isinstance(found.node, ast.FunctionDef) and found.node.name == "plain"
    assert found.file == __file__
    assert found.text == "def plain(x):\n    return x + 1"
    assert found.lines[found.first_line - 1] == "def plain(x):"
    assert found.globals is globals() and found.qualname == "plain"


def test_asserts_are_rewritten_by_pytest():
    found = find(asserting)
    assert found.text.startswith("def asserting")


def test_nested_with_closure():
    k = 3

    def inner(x):
        return x * k

    found = find(inner)
    assert found.closure["k"].cell_contents == 3
    assert found.text.strip().startswith("def inner")


def test_lambdas_on_one_line():
    f, g, h = lambda x: x + 1, lambda x: x + 2, lambda x: x + 1
    for function, column in ((f, 14), (g, 31), (h, 48)):
        assert find(function).node.col_offset == column
    assert ast.unparse(find(g).node) == "lambda x: x + 2"


def test_lambda_in_lambda():
    f = lambda x: lambda y: x + y  # noqa: E731
    assert ast.unparse(find(f).node) == "lambda x: lambda y: x + y"
    assert ast.unparse(find(f(1)).node) == "lambda y: x + y"


def test_lambda_over_lines():
    f = sorted(
        [lambda x: (
            x +
            1
        )],
        key=id,
    )[0]  # fmt: skip
    assert ast.unparse(find(f).node) == "lambda x: x + 1"


class Box:
    def method(self, x):
        """Text
        that is not indented.
        """
        return self.__hidden(x) + __class__.one

    def __hidden(self, x):
        return x

    @staticmethod
    def static(x):
        return x

    @classmethod
    def klass(cls, x):
        return x

    one = 1


def test_methods():
    for function in (Box.method, Box.static, Box.klass.__func__, Box._Box__hidden):
        assert find(function).node.name == function.__name__


def test_decorators_are_included():
    def mark(f):
        return f

    @mark
    @functools.wraps(plain)
    def decorated(x):
        return x

    assert find(decorated).text.strip().startswith("@mark")


def test_async_and_generators():
    async def later(x):
        return x

    assert isinstance(find(later).node, ast.AsyncFunctionDef)


def test_edited_file_is_stale(tmp_path):
    path, module = load(tmp_path, "def f(x):\n    return x + 1\n")
    assert find(module.f).node.name == "f"
    path.write_text("def f(x):\n    return x + 2\n")
    linecache.checkcache(str(path))
    with pytest.raises(Blocked) as refused:
        find(module.f)
    assert refused.value.code is Code.STALE_SOURCE and "import it again" in refused.value.remedy


def test_shifted_file_is_stale(tmp_path):
    path, module = load(tmp_path, "def f(x):\n    return x + 1\n")
    path.write_text("\ndef f(x):\n    return x + 1\n")
    with pytest.raises(Blocked) as refused:
        find(module.f)
    assert refused.value.code is Code.STALE_SOURCE


def test_broken_file_is_stale(tmp_path):
    path, module = load(tmp_path, "def f(x):\n    return x + 1\n")
    path.write_text("def f(x:\n")
    with pytest.raises(Blocked) as refused:
        find(module.f)
    assert refused.value.code is Code.STALE_SOURCE


def test_reloaded_file_is_found_again(tmp_path):
    _, module = load(tmp_path, "def f(x):\n    return x + 1\n")
    find(module.f)
    _, module = load(tmp_path, "\n\ndef f(x):\n    return x + 22\n")
    assert find(module.f).text == "def f(x):\n    return x + 22"


def test_deleted_file(tmp_path):
    path, module = load(tmp_path, "def f(x):\n    return x + 1\n", "gone")
    path.unlink()
    with pytest.raises(Blocked) as refused:
        find(module.f)
    assert refused.value.code is Code.NO_SOURCE


def test_exec_with_and_without_linecache():
    text = "from __future__ import annotations\ndef f(x: int):\n    return x\n"
    space = {}
    exec(compile(text, "<cell 1>", "exec"), space)
    with pytest.raises(Blocked) as refused:
        find(space["f"])
    assert refused.value.code is Code.NO_SOURCE
    linecache.cache["<cell 1>"] = (len(text), None, text.splitlines(True), "<cell 1>")
    try:
        assert find(space["f"]).node.name == "f"
    finally:
        del linecache.cache["<cell 1>"]


def test_future_import_of_an_earlier_cell():
    text = "def f(x: int):\n    return x\n"
    import __future__

    space = {}
    exec(compile(text, "<cell 2>", "exec", __future__.annotations.compiler_flag), space)
    linecache.cache["<cell 2>"] = (len(text), None, text.splitlines(True), "<cell 2>")
    try:
        assert find(space["f"]).node.name == "f"
    finally:
        del linecache.cache["<cell 2>"]


@pytest.mark.parametrize("thing", [len, print, functools.partial(plain, 1), 3, Box])
def test_without_source(thing):
    with pytest.raises(Blocked) as refused:
        find(thing)
    assert refused.value.code is Code.NO_SOURCE


def test_doctest():
    example = ">>> from autovec.frontend.source import find\n>>> def f(x):\n...     return x\n>>> find(f).text\n'def f(x):\\n    return x'\n"
    test = doctest.DocTestParser().get_doctest(example, {}, "sample", "sample.txt", 0)
    assert doctest.DocTestRunner().run(test).failed == 0


def test_file_is_parsed_once(monkeypatch):
    find(plain)
    monkeypatch.setattr(ast, "parse", lambda *a: pytest.fail("parsed again"))
    find(asserting)
    assert sys.modules[__name__]
