"""Rendered text is the AST it came from, reads well, and keeps its comments."""

from __future__ import annotations

import ast
import inspect
import textwrap
from pathlib import Path

import numpy as np
import pytest

from autovec.emit import render as render_module
from autovec.emit.render import RenderError, comment, render

SOURCES = sorted((Path(__file__).parent.parent / "autovec").rglob("*.py"))


def text(source: str) -> str:
    return textwrap.dedent(source).lstrip("\n")


def rendered(source: str) -> str:
    return render(ast.parse(text(source)))


@pytest.mark.parametrize(
    "source",
    [
        "y = -x ** 2 + (-1) ** n - (a - (b - c)) / (d * e)\n",
        'C = jnp.einsum("ik,kj->ij", alpha * A[:, :n], B) + beta * C\n',
        "a, (b, *c) = d[::2, 1:-1, ..., None], {k: v for k, v in e if k < v}\n",
        "z = 1e-300 + 1.0j * 2 + 0.1 + 1e+16\n",
        "if (n := len(x)) > 3 and not flag:\n    pass\n",
    ],
)
def test_what_is_already_fine_stays(source: str) -> None:
    assert rendered(source) == source


def test_a_whole_module_reads_as_written() -> None:
    source = '''
        import jax.numpy as jnp
        from jax import lax


        def lu(n, A):
            """Factor A in place."""

            def step(k, A):
                column = A[:, k] / A[k, k]
                return A.at[:, k].set(column)

            A = lax.fori_loop(0, n, step, A)
            return A, {"A": A}


        def other(x):
            return x
    '''
    assert rendered(source) == text(source)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (
            "total = jnp.sum(1.0 / jnp.sqrt(jnp.sum((x[:, None, :] - x[None, :, :]) ** 2, axis=-1)), "
            "where=jnp.triu(jnp.ones((n, n), bool), k=1))",
            """
            total = jnp.sum(
                1.0 / jnp.sqrt(jnp.sum((x[:, None, :] - x[None, :, :]) ** 2, axis=-1)),
                where=jnp.triu(jnp.ones((n, n), bool), k=1),
            )
            """,
        ),
        (
            "s, t = lax.fori_loop(0, n, lambda i, c: (c[0].at[i].set(c[0][i - 1] * x[i]), c[1] + c[0][i - 1]), (y, z))",
            """
            s, t = lax.fori_loop(
                0, n, lambda i, c: (c[0].at[i].set(c[0][i - 1] * x[i]), c[1] + c[0][i - 1]), (y, z)
            )
            """,
        ),
        (
            "E = first_array[1:-1, 1:-1] * second_array[1:-1, :-2] + third_array[1:-1, 2:] * fourth_array[2:, 1:-1]",
            """
            E = (
                first_array[1:-1, 1:-1] * second_array[1:-1, :-2]
                + third_array[1:-1, 2:] * fourth_array[2:, 1:-1]
            )
            """,
        ),
        (
            "return the_first_of_the_results, jnp.stack([jnp.any(path < 0), jnp.any(jnp.isnan(path)), jnp.any(i >= n)])",
            """
            return (
                the_first_of_the_results,
                jnp.stack([jnp.any(path < 0), jnp.any(jnp.isnan(path)), jnp.any(i >= n)]),
            )
            """,
        ),
        (
            "x = a_name_so_long_that_no_bracket_can_help_to_break_it_and_so_the_line_stays_long_"
            "as_it_is_and_that_is_all_right",
            "x = a_name_so_long_that_no_bracket_can_help_to_break_it_and_so_the_line_stays_long_"
            "as_it_is_and_that_is_all_right\n",
        ),
    ],
)
def test_long_lines_break_at_brackets(source: str, expected: str) -> None:
    assert render(ast.parse(source)) == text(expected)


def test_comments_and_blank_lines() -> None:
    module = ast.parse(
        "def f(x):\n    y = x\n    def g(z):\n        return z\n    if y:\n        pass\n    return g(y)"
    )
    function = module.body[0]
    assert isinstance(function, ast.FunctionDef)
    branch = function.body[2]
    assert isinstance(branch, ast.If)
    branch.body = [comment("nothing is left of this")]
    function.body.insert(1, comment("rows below k,\nall at once"))
    function.body.insert(0, comment("first"))
    function.body.insert(-1, comment(""))
    module.body.insert(0, comment("the loops of f"))
    assert render(module) == text(
        """
        # the loops of f
        def f(x):
            # first
            y = x

            # rows below k,
            # all at once
            def g(z):
                return z

            if y:
                # nothing is left of this
                pass

            return g(y)
        """
    )


def test_a_comment_is_no_docstring() -> None:
    scope: dict[str, object] = {}
    module = ast.parse("def f():\n    return 1")
    assert isinstance(module.body[0], ast.FunctionDef)
    module.body[0].body.insert(0, comment("not the doc"))
    exec(render(module), scope)
    assert inspect.getdoc(scope["f"]) is None


def test_nodes_made_by_hand_may_leave_out_what_is_empty() -> None:
    arguments = ast.arguments(args=[ast.arg("x")])
    body: list[ast.stmt] = [ast.Return(ast.Call(func=ast.Name("g"), args=[ast.Name("x")]))]
    module = ast.Module(body=[ast.FunctionDef(name="f", args=arguments, body=body)])
    assert render(module) == "def f(x):\n    return g(x)\n"


@pytest.mark.parametrize(
    "value", [-1, -0.0, -2.5, float("nan"), float("inf"), 1 + 2j, np.float64(1.5), np.True_, np.int32(3), (1, 2)]
)
def test_constants_that_print_wrong_are_refused(value: object) -> None:
    module = ast.Module(body=[ast.Assign([ast.Name("x", ast.Store())], ast.Constant(value))], type_ignores=[])  # type: ignore[arg-type]
    with pytest.raises(RenderError, match=r"Constant\(value=.* isn't canonical"):
        render(module)


def test_one_operand_of_and_is_refused() -> None:
    with pytest.raises(RenderError, match="BoolOp"):
        render(ast.Module(body=[ast.Expr(ast.BoolOp(ast.And(), [ast.Name("x", ast.Load())]))], type_ignores=[]))


@pytest.mark.parametrize(
    "source",
    [
        "match x:\n    case [1, *_]:\n        pass\n",
        "try:\n    f()\nexcept* ValueError:\n    g()\n",
        "y = f'{ {1: 2}[1] }'\n",
    ],
)
def test_where_astor_fails_the_standard_library_renders(source: str) -> None:
    assert ast.dump(ast.parse(rendered(source))) == ast.dump(ast.parse(source))


def test_a_renderer_that_changes_the_program_is_not_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(render_module, "_by_astor", lambda module: "x = 2\n")
    assert rendered("x = 1") == "x = 1\n"


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: "/".join(p.parts[-2:]))
def test_our_own_modules_come_back(path: Path) -> None:
    module = ast.parse(path.read_text())
    printed = render(module)
    assert ast.dump(ast.parse(printed)) == ast.dump(module)
