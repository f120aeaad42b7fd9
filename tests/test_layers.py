"""A module imports only from layers below its own, and only `runtime/` imports JAX."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent / "autovec"

# from the bottom; modules of one layer may import one another
LAYERS = (
    {"diagnostics", "options"},
    {"ir"},
    {"report"},
    {"analysis"},
    {"frontend", "plan", "emit"},
    {"pipeline", "runtime"},
    {"decorator"},
    {"cli", "__main__", "__init__"},
)
HEIGHT = {name: height for height, names in enumerate(LAYERS) for name in names}

# the typing of intrinsics may ask JAX for shapes
JAX_ALLOWED = ("runtime",)


def modules():
    return sorted(ROOT.rglob("*.py"))


def layer(path):
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


def imported(path):
    """(module, line) of every import, those inside functions too; those for type checking only are left out."""
    tree = ast.parse(path.read_text())
    hidden = {
        id(n)
        for block in ast.walk(tree)
        if isinstance(block, ast.If) and ast.unparse(block.test) == "TYPE_CHECKING"
        for n in ast.walk(block)
    }
    for node in ast.walk(tree):
        if id(node) in hidden:
            continue
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            if node.module == "autovec":
                yield from ((f"autovec.{alias.name}", node.lineno) for alias in node.names)
            else:
                yield node.module, node.lineno


@pytest.mark.parametrize("path", modules(), ids=lambda p: str(p.relative_to(ROOT)))
def test_imports_point_downwards(path):
    own = HEIGHT[layer(path)]
    for name, line in imported(path):
        parts = name.split(".")
        if parts[0] == "autovec" and len(parts) > 1 and parts[1] in HEIGHT:
            assert HEIGHT[parts[1]] <= own, f"{path.name}:{line} imports {name} from a layer above its own"
        if parts[0] == "jax":
            assert layer(path) in JAX_ALLOWED, f"{path.name}:{line} imports {name}: only runtime/ does"


def test_every_module_has_a_layer():
    assert {layer(p) for p in modules()} <= set(HEIGHT)
