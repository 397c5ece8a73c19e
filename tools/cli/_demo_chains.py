"""Parts of the demo with separate chains: a report of suspicion, a careless operator."""

from __future__ import annotations

from contextlib import closing
from datetime import date
from typing import TYPE_CHECKING, Any

from ledger.core.clock import HOUR, StoppedClock, day_of, in_prague
from ledger.core.errors import IntegrityError
from ledger.decisions.suspicion import APART, RecordCommitment, ReportSuspicion
from projections.reconciliation.reconcile import reconcile
from projections.store.projector import Projector
from tools.data import DataDirectory
from tools.data.confidential_chain import ConfidentialChain
from tools.data.locations import LOCAL
from tools.simulator import START, breaches

if TYPE_CHECKING:
    from pathlib import Path

    from projections.findings.finding import Finding
    from projections.store.tables import Store
    from tools.simulator import Breach

__all__ = ["find_breaches", "report_in_confidential_chain"]

PRIVATE = 0o700


def report_in_confidential_chain(
    folder: Path, chain: str, account: str, moment: int
) -> RecordCommitment:
    """Report a suspicion in a chain apart, with keys of its own; return what binds it.

    Args:
        folder: of the chain apart; only its owner may use it.
        chain: name of the main chain, in which nothing of it stands but the commitment.
        account: whose transactions are suspicious.
        moment: when it is reported, in microseconds.

    """
    operator: dict[str, Any] = {"operator": "26493993", "operator_name": "SAZKA a.s."}
    directory = DataDirectory(folder, LOCAL)
    with directory.create(**operator, chain=chain + APART, clock=StoppedClock(moment)) as ledger:
        ledger.execute(
            ReportSuspicion(
                report="s-2026-1",
                account=account,
                transactions="all withdrawals of 20 November 2026",
                grounds="Money that came in was hardly played with.",
                sent="2026-11-21 by data box, 4711",
                suspected_at=in_prague(moment - HOUR),
            )
        )
    folder.chmod(PRIVATE)
    day = day_of(moment)
    with ConfidentialChain.at(folder) as apart:
        return RecordCommitment(day=date.fromisoformat(day), commitment=apart.commitment(day))


def find_breaches(folder: Path, store: Store) -> list[tuple[Breach, Finding]]:
    """Record the breaches of a careless operator in a folder, and find each of them.

    Args:
        folder: empty; keeps the chain.
        store: tables of another chain; those of this one stand beside them for a moment.

    Raises:
        IntegrityError: one was not found, or something else was.

    """
    with closing(DataDirectory(folder, LOCAL).open_log(writable=True)) as log:
        done = breaches(log, START)
        with store.new_generation() as tables:
            Projector(log, tables).catch_up()
            found = reconcile(tables)
    store.drop_unused()
    by_code = {one.code: one for one in found}
    if by_code.keys() != {breach.finding for breach in done} or len(found) != len(done):
        raise IntegrityError(f"the breaches of {folder} and what was found there differ")
    return [(breach, by_code[breach.finding]) for breach in done]
