"""Every check with a header is run, and detects only what its header names."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ledger.log.memory import MemoryLog
from projections.findings.headers import CHECKS, headers, known_duties, known_findings
from projections.reconciliation.checks import python_checks, views_of_findings
from projections.reconciliation.reconcile import examine, reconcile
from projections.store.definitions import statements
from projections.store.projector import Projector
from tests.projections.history_cases import emptied
from tests.projections.projection_cases import ListLog
from tests.search import sample
from tools.simulator import START, breaches

if TYPE_CHECKING:
    from projections.store.tables import Store

ROOT = Path(__file__).parents[3]


def test_every_python_check_runs_or_is_part_of_a_settlement() -> None:
    run = {check.name for check in python_checks()}
    python = {name: header for name, header in headers().items() if name.endswith(".py")}
    alone = {name for name, header in python.items() if not header.settled and not header.duty}
    assert run == alone | known_duties().keys()


@pytest.mark.parametrize("name", [name for name in headers() if name.endswith(".py")])
def test_a_check_has_no_other_codes_than_its_header(name: str) -> None:
    tree = ast.parse((ROOT / CHECKS / name).read_text(encoding="utf-8"))
    constants = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)}
    assert constants & known_findings().keys() <= headers()[name].codes


@pytest.mark.parametrize("name", [name for name in headers() if name.endswith(".sql")])
def test_every_sql_check_is_in_its_view(name: str) -> None:
    view = headers()[name].view
    (text,) = (one for one in statements() if one.startswith(f"CREATE VIEW IF NOT EXISTS {view}\n"))
    assert f"'{name.removesuffix('.sql')}'" in text
    assert "{checks}" not in text


def test_a_run_of_some_codes_has_their_findings_of_a_complete_run(tables: Store) -> None:
    store, log = emptied(tables), MemoryLog()
    breaches(log, START)
    Projector(log, store).catch_up()
    whole = examine(store)
    codes = sorted(whole.by_code)
    for only in ({codes[0]}, {codes[-1]}, set(codes[::3]), set(codes), {"BET_WITHOUT_ACCOUNT"}):
        found = examine(store, only=frozenset(only)).findings
        assert found == tuple(one for one in whole.findings if one.code in only)
    settled = examine(store, only=frozenset({"PAID_TOO_LITTLE"}))
    queried = examine(store, only=frozenset({"CLOCK_APART"}))
    assert (settled.bets, settled.corrected) == (whole.bets, whole.corrected)
    assert queried.bets == 0


def test_a_check_that_is_left_out_has_no_finding(tables: Store) -> None:
    """While the events of a chain come, a run finds what the views find with all checks."""
    store, log = emptied(tables), MemoryLog()
    breaches(log, START)
    messages = [message for _, message in log.read()]
    codes = frozenset().union(*(view.codes for view in views_of_findings()))
    for size in (*sorted(sample(range(20, len(messages)), 2)), len(messages)):
        Projector(ListLog(messages[:size]), store).catch_up()
        found = {(one.code, one.position) for one in reconcile(store, only=codes)}
        sql = "SELECT code, position FROM findings(size = {size:Int64})"
        rows = store.rows(sql, size=store.position)
        assert {(row["code"], row["position"]) for row in rows} <= found, size
    assert rows
