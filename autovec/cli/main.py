"""The command `autovec`: report, rewrite and compare the functions of a file, and a demo.

Exit codes: 0 done; 1 something disagrees, fell back under `--check`, or raised; 2 the command line is wrong.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from autovec.cli.load import Target, UsageError, load
from autovec.cli.programs import PROGRAMS
from autovec.report.as_html import html_of
from autovec.report.report import Report
from autovec.report.verdicts import Status

INPUTS = """{file} has no example arguments for {name}; define one of these beside it:

    def inputs_{flat}():
        return np.random.rand(100, 3), 0.5     # the positional arguments, as a tuple

    def example_inputs(): ...                  # the same, for every function of the file"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; what a person can mend is said in a line, an exception of their code is shown whole."""
    options = parser().parse_args(arguments)
    try:
        return options.run(options)
    except UsageError as error:
        print(f"autovec: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:  # `| head`
        sys.stderr.close()
        return 0
    except Exception:
        traceback.print_exc()
        return 1


def parser() -> argparse.ArgumentParser:
    """The command line, one sub-parser a command."""
    top = argparse.ArgumentParser(prog="autovec", description="Rewrite Python loops over NumPy arrays as JAX.")
    commands = top.add_subparsers(required=True, metavar="command")

    report = commands.add_parser("report", help="what becomes of each loop, and why")
    _target(report, "FILE[:FUNCTION]")
    form = report.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="as JSON, a list of reports")
    form.add_argument("--html", metavar="PAGE", type=Path, help="write a page: the function beside its rewrite")
    report.add_argument("--check", action="store_true", help="exit with 1 where a loop stays in Python")
    report.set_defaults(run=run_report)

    rewrite = commands.add_parser("rewrite", help="print the JAX source")
    _target(rewrite, "FILE[:FUNCTION]")
    rewrite.add_argument("-o", "--output", metavar="FILE", type=Path, help="write it to a file instead")
    rewrite.set_defaults(run=run_rewrite)

    compare = commands.add_parser("compare", help="original against rewritten: values and times")
    _target(compare, "FILE:FUNCTION")
    compare.set_defaults(run=run_compare)

    demo = commands.add_parser("demo", help="loops, rewrites and times of nine short programs")
    demo.add_argument("programs", nargs="*", metavar="PROGRAM", help=", ".join(p.name for p in PROGRAMS))
    demo.add_argument("--no-source", action="store_true", help="leave out the rewritten source")
    demo.set_defaults(run=run_demo)
    return top


def _target(command: argparse.ArgumentParser, form: str) -> None:
    command.add_argument("target", metavar=form, help="a Python file, and a function in it (Class.method for a method)")


def run_report(options: argparse.Namespace) -> int:
    """Reports of the functions asked for; for their example arguments, where the file gives some."""
    reports: list[Report] = [_decorated(target).report() for target in load(options.target)]
    if options.json:
        print("[" + ",\n".join(report.to_json() for report in reports) + "]")
    elif options.html:
        options.html.write_text(html_of(*reports), encoding="utf-8")
        print(f"wrote {options.html}")
    else:
        print("\n".join(map(str, reports)), end="")
    kept = any(report.blocked is not None or report.count(Status.FALLBACK) for report in reports)
    return int(options.check and kept)


def run_rewrite(options: argparse.Namespace) -> int:
    """The JAX source; a function without one is named on stderr with its reason."""
    sources: list[str] = []
    for target in load(options.target):
        decorated = _decorated(target)
        report: Report = decorated.report()
        if report.blocked is None:
            sources.append(decorated.source.rstrip() + "\n")
        else:
            print(f"autovec: {target.name} stays in Python\n\n{report}", file=sys.stderr)
    text = "\n\n".join(sources)
    if options.output and text:
        options.output.write_text(text, encoding="utf-8")
        print(f"wrote {options.output}")
    else:
        print(text, end="")
    return int(not sources)


def run_compare(options: argparse.Namespace) -> int:
    """Values and times for the file's example arguments; what the function prints, again at every call, is dropped."""
    agree = True
    named = ":" in options.target
    compared = 0
    for target in load(options.target):
        inputs = target.inputs()
        if inputs is None and not named:
            continue
        if inputs is None:
            flat = target.name.replace(".", "_")
            raise UsageError(INPUTS.format(file=options.target.rpartition(":")[0], name=target.name, flat=flat))
        with contextlib.redirect_stdout(io.StringIO()):
            comparison = _autovec(target).compare(*inputs[0], **inputs[1])
        print(comparison)
        agree, compared = agree and comparison.agrees, compared + 1
    if not compared:
        raise UsageError(INPUTS.format(file=options.target, name="any function", flat="NAME"))
    return int(not agree)


def run_demo(options: argparse.Namespace) -> int:
    from autovec.cli.demo import demo

    known = [program.name for program in PROGRAMS]
    if unknown := [name for name in options.programs if name not in known]:
        raise UsageError(f"no demo program is called {', '.join(unknown)}; there are: {', '.join(known)}")
    return int(not demo(options.programs, source=not options.no_source))


def _autovec(target: Target) -> Any:
    from autovec import autovec  # here: it is what takes time, and `--help` needs none of it

    return autovec(target.function, fallback="silent")


def _decorated(target: Target) -> Any:
    """The decorated function, called once where the file says with what: the verdicts are then of real arguments.

    What the function prints goes to stderr: stdout is for the report, which a program may read.
    """
    decorated = _autovec(target)
    if (inputs := target.inputs()) is not None:
        with contextlib.redirect_stdout(sys.stderr):
            decorated(*inputs[0], **inputs[1])
    return decorated


if __name__ == "__main__":
    sys.exit(main())
