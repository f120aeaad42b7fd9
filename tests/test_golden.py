"""The rewritten source and the report of whole programs, as files to be read: a change of them shows as a diff of code.

`python -m tests.test_golden` writes them anew: read the diff before it is committed
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from autovec import pipeline
from autovec.frontend import source
from autovec.options import Options
from autovec.report.report import Report
from tests.programs.loops import PROGRAMS
from tests.programs.polybench import KERNELS
from tests.programs.starting import STARTING

FOLDER = Path(__file__).parent / "golden"
SIZE = 60  # of the kernels: large enough that the forms are those of large arrays

NAMES = [
    *("pair_loop", "pair_sum", "pair_energy", "distance_matrix", "distance_matrix_elements", "pair_list"),
    *("pair_count", "projections"),
    *("gemm", "2mm", "doitgen", "syr2k", "trmm", "correlation", "lu", "cholesky", "trisolv", "durbin"),
    *("floyd_warshall", "nussinov", "deriche", "jacobi_2d", "seidel_2d"),
    *("comprehension_filtered_by_data", "generator_sum", "argmax_loop", "prefix_sums", "histogram", "mandelbrot"),
    *("search_break", "edit_distance", "collatz", "relu", "safe_division"),
]


def program(name: str) -> tuple[Callable[..., object], tuple[object, ...]]:
    if name in KERNELS:
        return KERNELS[name].fn, KERNELS[name].make(SIZE)
    chosen = STARTING.get(name) or PROGRAMS[name]
    return chosen.fn, chosen.make()[0]


def golden(name: str) -> tuple[str, str]:
    """The source and the report, with no path of this machine in them."""
    fn, args = program(name)
    found = source.find(fn)
    made = pipeline.rewrite(found, dict(zip(inspect.signature(fn).parameters, args, strict=True)), Options.of())
    assert made.program is not None, made.blocked
    report = Report(
        function_name=fn.__name__,
        file=found.file,
        first_line=found.first_line,
        lines=tuple(found.text.split("\n")),
        loops=made.loops,
        notes=made.notes,
        source=made.program.source,
    )
    return made.program.source, re.sub(r"\S*tests/programs/(\w+\.py):\d+(:\d+)?", r"\1", renumbered(str(report)))


def renumbered(text: str) -> str:
    """Lines counted from the function's first, so that the report doesn't change when the file above it does."""
    numbers = [int(n) for n in re.findall(r"^ *(\d+) \|", text, re.MULTILINE)]
    if not numbers:
        return re.sub(r"\(line \d+\)", "", text)
    first = min(numbers) - 1
    text = re.sub(r"^( *)(\d+) \|", lambda m: f"{m[1]}{int(m[2]) - first} |", text, flags=re.MULTILINE)
    return re.sub(r"\(line (\d+)\)", lambda m: f"(line {int(m[1]) - first})", text)


@pytest.mark.parametrize("name", NAMES)
def test_reads_as_it_did(name: str) -> None:
    text, report = golden(name)
    assert text == (FOLDER / f"{name}.py").read_text(), "python -m tests.test_golden writes the files anew"
    assert report.rstrip() == (FOLDER / f"{name}.txt").read_text().rstrip()


def test_no_file_is_stale() -> None:
    assert {f.stem for f in FOLDER.iterdir() if f.suffix in (".py", ".txt")} == set(NAMES)


if __name__ == "__main__":
    for one in NAMES:
        for suffix, content in zip((".py", ".txt"), golden(one), strict=True):
            (FOLDER / f"{one}{suffix}").write_text(content.rstrip() + "\n")
