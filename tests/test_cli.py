"""The command line: targets, exit codes, what is printed; with a stand-in for the compiler where it isn't the point."""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import autovec
from autovec.cli.demo import demo, table
from autovec.cli.load import UsageError, load, split
from autovec.cli.main import main
from autovec.cli.programs import PROGRAMS
from autovec.diagnostics import Blocked, Code, Span
from autovec.report.agreement import Agreement
from autovec.report.compare import Comparison, compare
from autovec.report.report import Report
from autovec.report.verdicts import LoopVerdict, Status

FILE = """
import numpy as np
from math import sqrt

def double(x):
    for i in range(len(x)):
        x[i] *= 2
    return x

def wrong(x):
    return x + 1

class Filter:
    def run(self, x):
        return x

def inputs_double():
    return (np.arange(4.0),)

def inputs_wrong():
    return {"x": np.arange(4.0)}

def _private():
    pass
"""


class Stand:
    """Looks like a decorated function; a function called `wrong` is rewritten wrong, `double` has a loop."""

    def __init__(self, function: Callable[..., Any], fallback: str = "warn") -> None:
        self.original = function
        self.source = f"def {function.__name__}(x):\n    return jnp.asarray(x)\n"
        self.blocked = Blocked(Code.OPAQUE_CALL, None, "what?") if function.__name__ == "wrong" else None
        self.calls = 0

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        self.calls += 1
        value = self.original(*args, **kwargs)
        return value + 1 if self.original.__name__ == "wrong" else value

    def report(self) -> Report:
        file = self.original.__code__.co_filename
        status = Status.FALLBACK if self.blocked else Status.VECTORIZED
        verdict = LoopVerdict(5, "i", status, "slices", Code.INDEPENDENT, f"called {self.calls}", Span(file, 5, 4))
        return Report(
            function_name=self.original.__name__,
            file=file,
            first_line=4,
            lines=(),
            loops=(verdict,),
            blocked=self.blocked,
        )

    def compare(self, *args: Any, **kwargs: Any) -> Comparison:
        return compare(self.original, self, args, kwargs)


@pytest.fixture
def stand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(autovec, "autovec", Stand, raising=False)


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    path = tmp_path / "filters_of_a_person.py"
    path.write_text(FILE)
    monkeypatch.setattr(sys, "path", list(sys.path))
    return str(path)


def test_targets() -> None:
    assert split("a/b.py:f") == (Path("a/b.py"), "f")
    assert split("a/b.py") == (Path("a/b.py"), "")
    assert split("b.py:Class.method") == (Path("b.py"), "Class.method")
    assert split("C:/b.py")[1] == ""


def test_load_finds_what_the_file_defines(file: str) -> None:
    assert [target.name for target in load(file)] == ["double", "wrong"]
    assert [target.name for target in load(f"{file}:Filter.run")] == ["Filter.run"]
    (double,) = load(f"{file}:double")
    inputs = double.inputs()
    assert inputs is not None and np.array_equal(inputs[0][0], np.arange(4.0)) and inputs[1] == {}
    with pytest.raises(UsageError, match="has no function tripple; it defines: double, wrong"):
        load(f"{file}:tripple")
    with pytest.raises(UsageError, match="there is no file"):
        load("nowhere.py")


@pytest.mark.usefixtures("stand")
def test_report(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", f"{file}:double"]) == 0
    text = capsys.readouterr().out
    assert "loop i  VECTORIZED  independent  (slices)" in text
    assert "called 1" in text  # its example arguments are used
    assert main(["report", file, "--check"]) == 1
    capsys.readouterr()
    assert main(["report", file, "--json"]) == 0
    assert [r["function"] for r in json.loads(capsys.readouterr().out)] == ["double", "wrong"]


@pytest.mark.usefixtures("stand")
def test_what_the_function_prints_is_not_in_the_report(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = Path(file)
    path.write_text(path.read_text().replace("    return x + 1", "    print('here')\n    return x + 1"))
    assert main(["report", file, "--json"]) == 0
    printed = capsys.readouterr()
    json.loads(printed.out)
    assert "here" in printed.err


@pytest.mark.usefixtures("stand")
def test_report_as_a_page(file: str, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    assert main(["report", file, "--html", str(page)]) == 0
    text = page.read_text()
    assert text.count("<!doctype html>") == 1 and "double, wrong</title>" in text


@pytest.mark.usefixtures("stand")
def test_rewrite(file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rewrite", f"{file}:double"]) == 0
    assert capsys.readouterr().out == "def double(x):\n    return jnp.asarray(x)\n"
    assert main(["rewrite", f"{file}:wrong"]) == 1
    assert "wrong stays in Python" in capsys.readouterr().err
    written = tmp_path / "out.py"
    assert main(["rewrite", file, "-o", str(written)]) == 0
    assert written.read_text().startswith("def double")


@pytest.mark.usefixtures("stand")
def test_compare(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", f"{file}:double"]) == 0
    assert "agreement" in capsys.readouterr().out
    assert main(["compare", f"{file}:wrong"]) == 1
    assert "NO  result differs by" in capsys.readouterr().out
    assert main(["compare", f"{file}:Filter.run"]) == 2
    assert "def inputs_Filter_run():" in capsys.readouterr().err
    assert main(["compare", file]) == 1


def test_mistakes_are_said_in_a_line(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", f"{file}:tripple"]) == 2
    assert capsys.readouterr().err.startswith("autovec: ")
    assert main(["demo", "nothing"]) == 2
    assert "there are: pair_loop, pair_energy" in capsys.readouterr().err
    with pytest.raises(SystemExit) as stopped:
        main(["ponder"])
    assert stopped.value.code == 2


def test_a_file_of_a_package_may_import_its_neighbours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", list(sys.path))
    inner = tmp_path / "package_of_a_person" / "inner"
    inner.mkdir(parents=True)
    for folder in (inner, inner.parent):
        (folder / "__init__.py").touch()
    (inner / "loops.py").write_text("from ..other import one\n\ndef f(x):\n    return x + one\n")
    (inner.parent / "other.py").write_text("one = 1\n")
    (target,) = load(str(inner / "loops.py"))
    assert target.function(1) == 2 and target.function.__module__ == "package_of_a_person.inner.loops"


def test_a_file_does_not_take_the_place_of_a_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", list(sys.path))
    (tmp_path / "json.py").write_text("def f(x):\n    return x\n")
    assert [target.name for target in load(str(tmp_path / "json.py"))] == ["f"]
    assert sys.modules["json"] is json


def test_a_fault_of_the_file_is_shown_whole(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken = tmp_path / "broken_file_of_a_person.py"
    broken.write_text("1 / 0\n")
    assert main(["report", str(broken)]) == 1
    assert "ZeroDivisionError" in capsys.readouterr().err


@pytest.mark.usefixtures("stand")
def test_demo_shows_every_part(capsys: pytest.CaptureFixture[str]) -> None:
    assert demo(["pair_loop", "response_weights"])
    text = capsys.readouterr().out
    assert "pair_loop: a loop over pairs that keeps nothing" in text
    assert "return jnp.asarray(x)" in text
    assert text.rstrip().splitlines()[-1].startswith("response_weights")
    assert demo(["pair_loop"], source=False)
    assert "jnp" not in capsys.readouterr().out


def test_table() -> None:
    agrees, differs = Agreement(1e-12, 3e-15, ()), Agreement(0.0, 0.0, ("result is int, original float",))
    rows = [Comparison("energy", agrees, 0.5, 0.25, 0.001), Comparison("count", differs, 0.5, None, 1.0)]
    assert table(rows) == textwrap.dedent(
        """\
        program  original  rewritten     speed-up  first call  agreement
        energy     500 ms    1.00 ms         500x      250 ms  to 3e-15
        count      500 ms     1.00 s  2.0x slower              NO: result is int, original float"""
    )


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.name)
def test_programs_run_as_they_are(program: Any) -> None:
    assert program.about and program.function.__doc__
    program.function(*program.inputs(np.random.default_rng(0)))


def test_help_is_quick_and_light() -> None:
    code = (
        "import sys; from autovec.cli.main import main\ntry: main(['--help'])\nfinally: assert 'jax' not in sys.modules"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "demo" in done.stdout, done.stderr


def test_the_demo_itself() -> None:
    if find_spec("autovec.pipeline") is None:
        pytest.skip("no compiler in this tree")
    command = [sys.executable, "-m", "autovec", "demo", "pair_loop", "low_pass"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "VECTORIZED" in done.stdout and "SEQUENTIAL" in done.stdout
