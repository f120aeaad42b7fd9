"""What the documents promise: examples run, commands are those of CI, every code is explained, links lead somewhere."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path

import pytest

from autovec.cli.main import parser
from autovec.cli.programs import PROGRAMS
from autovec.diagnostics import Code

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()
CODES = (ROOT / "docs" / "codes.md").read_text()
DOCUMENTS = [ROOT / "README.md", ROOT / "autovec" / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]
DOCUMENTS += sorted((ROOT / "docs").glob("*.md"))
COMPILES = find_spec("autovec.pipeline") is not None


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, re.S)


@pytest.mark.parametrize("number", range(2))
def test_the_examples_are_short_and_run(number: int, tmp_path: Path) -> None:
    assert len(blocks("python")) == 2
    example = blocks("python")[number]
    assert len(example.splitlines()) <= 25
    compile(example, "README.md", "exec")
    if not COMPILES:
        pytest.skip("no compiler in this tree")
    script = tmp_path / "example.py"
    script.write_text(example)
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "VECTORIZED" in done.stdout and "import jax" in done.stdout


def test_the_two_commands_are_the_ones_checked() -> None:
    demo, tests = (block.strip() for block in blocks("sh"))
    assert demo == "python3 -m venv .venv && .venv/bin/pip install . && .venv/bin/autovec demo"
    assert tests == "python3 -m venv .venv && .venv/bin/pip install -e '.[test]' && .venv/bin/python -m pytest -n 2"
    assert "README.md" in (ROOT / ".ci" / "run").read_text()  # it reads the command from here
    facts = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert set(facts["optional-dependencies"]) == {"test", "examples"}
    assert facts["scripts"] == {"autovec": "autovec.cli.main:main"}


def test_the_commands_of_the_command_line_are_named() -> None:
    usage = parser().format_help()
    for command in ("report", "rewrite", "compare", "demo"):
        assert command in usage and f"`autovec {command}" in README.replace("\n", " ")
    assert len(PROGRAMS) == 9 and "nine short" in README.replace("\n", " ") and "nine short" in usage


def test_every_code_is_explained() -> None:
    sections = dict(re.findall(r"^### (\S+)\n(.*?)(?=^##|\Z)", CODES, re.S | re.M))
    assert sorted(sections) == sorted(code.value for code in Code)
    for code, text in sections.items():
        paragraphs = [p for p in text.split("\n\n") if p.strip()]
        assert any(p.startswith("    ") for p in paragraphs), f"{code} has no example"
        assert len(paragraphs) >= 3, f"{code} needs its meaning, an example and what to do"


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda p: str(p.relative_to(ROOT)))
def test_links_lead_somewhere(document: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", document.read_text()):
        assert (document.parent / target).exists(), target


def test_the_tour_names_what_is_there() -> None:
    tour = (ROOT / "autovec" / "README.md").read_text()
    for folder in (ROOT / "autovec").iterdir():
        if folder.is_dir() and (folder / "__init__.py").exists():
            assert f"`{folder.name}/`" in tour, folder.name


def test_contributing_is_a_page() -> None:
    assert len((ROOT / "CONTRIBUTING.md").read_text().splitlines()) <= 45


@pytest.mark.parametrize("example", sorted((ROOT / "examples").glob("*.py")), ids=lambda p: p.stem)
def test_examples_run(example: Path, tmp_path: Path) -> None:
    if not COMPILES:
        pytest.skip("no compiler in this tree")
    command = [sys.executable, str(example), "--quick", "--plot", str(tmp_path / "plot.png")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "milliseconds a call" in done.stdout and "VECTORIZED" in done.stdout
    assert ("wrote" in done.stdout) == (tmp_path / "plot.png").exists()
