"""The last writer of what each read sees, against brute force."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autovec.analysis.model import Statement
from autovec.analysis.value_flow import ValueFlow, value_flow
from tests.enumeration import actual_values, grid
from tests.test_dependence import CONTEXT, LARGEST, NAMED, programs


def said(flow: ValueFlow) -> tuple[set[tuple[Any, ...]], set[Any]]:
    flows = {(d.source, d.sink, d.source_access.key, d.sink_access.key, d.level) for d in flow.flows}
    return flows, {access.key for _, access in flow.live_in}


def cells_of_one_rank(statements: list[Statement]) -> set[str]:
    ranks: dict[str, set[int]] = {}
    for access in (a for s in statements for a in s.accesses):
        ranks.setdefault(access.cell, set()).add(len(access.subscripts))
    return {cell for cell, found in ranks.items() if len(found) == 1}


@pytest.mark.parametrize("name", [name for name in NAMED if name != "rows"])
def test_exact_where_affine(name: str) -> None:
    statements = NAMED[name]
    flow = value_flow(statements, cells_of_one_rank(statements), CONTEXT)
    assert flow is not None
    happened = [actual_values(statements, sizes) for sizes in grid("nm", LARGEST.get(name, 7))]
    flows, live_in = said(flow)
    seen = {f for found, _ in happened for f in found}
    assert flows >= seen
    assert live_in == {key for _, keys in happened for key in keys}
    # two writes in one statement are never the last for sure
    assert flows == seen or name == "constant elements"


def test_a_scalar_set_anew_is_private() -> None:
    flow = value_flow(NAMED["symm"], {"s"}, CONTEXT)
    assert flow is not None
    assert flow.carried("s") == {2}
    assert not flow.live_in


def test_out_of_operations() -> None:
    assert value_flow(NAMED["symm"], {"s"}, CONTEXT, max_operations=100) is None


@settings(max_examples=120, deadline=None)
@given(programs(), st.integers(0, 10**6))
def test_none_is_missed(statements: list[Statement], seed: int) -> None:
    cells = cells_of_one_rank(statements)
    flow = value_flow(statements, cells, CONTEXT)
    assert flow is not None
    flows, live_in = said(flow)
    cell_of = {a.key: a.cell for s in statements for a in s.accesses}
    for sizes in grid("nm", 3):
        values, before = actual_values(statements, sizes, seed)
        assert {v for v in values if cell_of[v[3]] in cells} <= flows
        assert {key for key in before if cell_of[key] in cells} <= live_in
