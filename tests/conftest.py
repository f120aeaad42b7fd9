"""What all tests share: JAX on the CPU, and the options for long runs."""

from __future__ import annotations

import os

import pytest

# before anything imports jax
os.environ.setdefault("JAX_PLATFORMS", "cpu")

# most of the time of a small random program is XLA's: it works less hard on those (`XLA_FLAGS=` in front of a run for
# the compiler as it is)
CHEAP = "--xla_backend_optimization_level=0 --xla_cpu_use_fusion_emitters=false"

FAMILIES = ("first", "scientific", "mutants", "exits", "kinds")  # of random programs


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="run the tests marked slow too")
    parser.addoption("--fuzz-seconds", type=float, default=20.0, help="how long to try random programs")
    parser.addoption("--fuzz-first", type=int, help="the number of the first random program (drawn unless given)")
    parser.addoption("--fuzz-family", default="first", choices=FAMILIES, help="which random programs")
    parser.addoption("--fuzz-log", help="a file to which random programs that differ are added")


def pytest_configure(config: pytest.Config) -> None:
    if "fuzz" in config.getoption("-m"):
        from importlib.metadata import version

        older = version("jax").startswith("0.10.")  # XLA aborts at a flag that it doesn't know
        os.environ.setdefault("XLA_FLAGS", CHEAP if older else CHEAP.split()[0])


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--slow") or "slow" in config.getoption("-m"):
        return
    for item in items:
        if "slow" in item.keywords:
            item.add_marker(pytest.mark.skip(reason="slow: run with --slow"))


@pytest.fixture
def fuzz_seconds(request: pytest.FixtureRequest) -> float:
    return request.config.getoption("--fuzz-seconds")
