"""``reconcile --record`` records every finding that can be recorded, with the dates of today."""

from __future__ import annotations

import json
import shutil
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from ledger.core.clock import SystemClock, in_prague
from ledger.decisions.findings.handling import ConcludeReconciliation, NoteFindings
from ledger.decisions.findings.write_offs import ConfirmWriteOff, ProposeWriteOff
from ledger.decisions.operator.matching_rules import SetMatchingRules
from projections.findings.finding import Side
from projections.reconciliation.reconcile import examine
from tests.tools.cli_cases import run, run_here
from tools.cli import _reconcile
from tools.cli._project import up_to_date
from tools.data import DataDirectory, tables
from tools.data.finding_records import (
    not_recorded,
    record_findings,
    recorded_findings,
    recording,
)

if TYPE_CHECKING:
    from pathlib import Path

    from projections.reconciliation.reconcile import Reconciliation
    from tools.service.client import AnyLedger

PROVIDER = """
kind = "PAYMENTS"
format = "csv"
[columns]
booked = "day"
amount = "amount"
reference = "ours"
their_reference = "theirs"
"""


@pytest.fixture
def differing(studio_once: Path, tmp_path: Path) -> Path:
    """A chain whose deposit of 10,000.00 the payment provider reports as 11,000.00."""
    data = shutil.copytree(studio_once, tmp_path / "data")
    (data / "issuers").mkdir()
    (data / "issuers" / "psp.toml").write_text(PROVIDER)
    report = tmp_path / "report.csv"
    long = "x" * 250
    report.write_text(
        "day;amount;ours;theirs\n"
        "2026-11-20;11000.00;d1;p-1\n"
        f"2026-01-20;5.00;;{long}\n"
        "2026-01-21;6.00;;p-3\n"
    )
    done = run("statement", "import", str(report), "--issuer", "psp", data=data)
    assert done.returncode == 0, done.stderr
    return data


def open_findings(data: Path) -> list[str]:
    done = run_here("finding", "list", "--json", data=data)
    assert done.returncode == 0, done.stderr
    return sorted(one["finding"]["code"] for one in json.loads(done.stdout)["findings"])


def test_findings_with_two_sides_and_long_names_are_recorded(differing: Path) -> None:
    with tables.keep_tables_open(differing / "projection"):
        done = run_here("reconcile", "--record", "--json", data=differing)
        assert (done.returncode, done.stderr.count("rror")) == (1, 0), done.stderr
        assert {one["state"] for one in json.loads(done.stdout)["findings"]} == {"open"}
        assert open_findings(differing) == ["AMOUNT_DIFFERS", "NOT_IN_BOOKS", "NOT_IN_BOOKS"]


def write_off(ledger: AnyLedger, finding: str) -> None:
    """Write off a crown of a finding."""
    today = in_prague(SystemClock().now()).date()
    for command in (
        SetMatchingRules(
            first_day=today, bank_days=5, payments_days=2, write_off_max=100, reason="r", by="f"
        ),
        ProposeWriteOff(finding=finding, amount=100, reason="r", by="cage-2"),
        ConfirmWriteOff(write_off=f"{finding}-1", by="risk"),
    ):
        assert ledger.execute(command).refused is None


def spoiled(found: Reconciliation) -> Reconciliation:
    """Give one finding an amount that no command may have."""
    (first, *others) = found.findings
    assert others
    return replace(found, findings=(replace(first, ours=Side("s", 10**17)), *others))


def test_a_finding_that_is_rejected_does_not_lose_the_others(differing: Path) -> None:
    with tables.keep_tables_open(differing / "projection"):
        with up_to_date(DataDirectory(differing)) as (store, _):
            found = spoiled(examine(store))
        with closing(DataDirectory(differing).write()) as ledger:
            (rejected,) = record_findings(ledger, recording(found, {}))
        assert rejected.finding == found.findings[0].identity
        assert "`$.raised[0].ours.amount`" in rejected.error
        assert len(open_findings(differing)) == len(found.findings) - 1
        again = run_here("reconcile", "--since", "last", "--record", "--json", data=differing)
        assert json.loads(again.stdout)["since"] == 0, "a run that lost a finding is not whole"
        assert len(open_findings(differing)) == len(found.findings)


def test_two_runs_at_once_record_each_finding_once_by_the_one_that_knows_more(
    differing: Path,
) -> None:
    directory = DataDirectory(differing)
    with tables.keep_tables_open(differing / "projection"), up_to_date(directory) as (store, _):
        found = examine(store)
    others = tuple(replace(one, fingerprint="0" * 16) for one in found.findings)
    with closing(directory.write()) as ledger:
        assert not record_findings(ledger, recording(found, {}))
        with closing(directory.read()) as log:
            assert log.head().size > found.position
            rejected = record_findings(ledger, recording(found, {}))
            assert {one.finding for one in rejected} == {one.identity for one in found.findings}
            assert not not_recorded(log, rejected), "it is recorded, only not by this run"
            known = recorded_findings(log)
            for before in ((), others):
                (ended,) = recording(replace(found, findings=before), known)
                assert isinstance(ended, ConcludeReconciliation), "what is recorded is newer"
            later = replace(found, findings=(), position=log.head().size)
            gone, _ = recording(later, known)
            assert isinstance(gone, NoteFindings)
            assert set(gone.gone) == set(known)
            line = next(one.identity for one in found.findings if one.code == "NOT_IN_BOOKS")
            write_off(ledger, line)
            known = recorded_findings(log)
            older = replace(found, findings=others, position=later.position)
            raised, _ = recording(older, known)
            assert isinstance(raised, NoteFindings)
            assert {one.finding for one in raised.raised} == set(known) - {line}


def test_the_command_names_a_rejected_finding_and_fails(
    differing: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def with_spoiled(found: Reconciliation, known: Any) -> Any:
        return recording(spoiled(found), known)

    with tables.keep_tables_open(differing / "projection"):
        monkeypatch.setattr(_reconcile, "recording", with_spoiled)
        done = run_here("reconcile", "--record", "--json", data=differing)
        assert done.returncode == 2
        findings = json.loads(done.stdout)["findings"]
        assert [one["state"] for one in findings] == ["new", "open", "open"]
        assert (
            f"1 finding is not recorded, all others are: {findings[0]['identity']}" in done.stderr
        )
