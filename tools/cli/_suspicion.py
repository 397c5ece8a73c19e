"""``suspicion``: reports of suspicion, which stand in a chain apart."""

from __future__ import annotations

from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Annotated

import typer

from ledger.core.clock import SystemClock, day_of
from ledger.decisions.suspicion import RecordCommitment
from ledger.receipts import Receipt
from tools.cli._answering import answers
from tools.cli._help import Commands
from tools.cli._options import DATA, Data
from tools.cli._output import counted, echo, moment, number, table, wrapped
from tools.data.confidential_chain import CommitmentCoverage, ConfidentialChain, Suspicion

__all__ = ["app"]

app = Commands("Reports of suspicion, for persons with access to them: list, commit, verify.")

Folder = Annotated[
    Path,
    typer.Option(
        "--apart",
        envvar="GAMELEDGER_APART",
        metavar="DIR",
        help="Data directory of the chain apart; for its owner only.",
    ),
]


def _show_reports(reports: list[Suspicion]) -> None:
    table(
        (
            *("report", "account", "suspected (Prague)", "reported (Prague)", "sent"),
            *(wrapped("transactions"), wrapped("grounds")),
        ),
        [
            (
                one.report,
                one.account or "erased",
                "not recorded" if one.suspected_at is None else moment(one.suspected_at),
                moment(one.recorded_at),
                one.sent or "erased",
                one.transactions or "erased",
                one.grounds or "erased",
            )
            for one in reports
        ],
        nothing="Nothing was reported.",
    )
    if late := _late(reports):
        echo(
            f"{counted(late, 'report was', 'reports were')} not made without delay.",
            style="bold red",
        )


def _late(reports: list[Suspicion]) -> int:
    return sum(one.is_late for one in reports)


@app.command("list")
@answers(_show_reports, end=lambda reports: int(_late(reports) > 0))
def list_command(*, apart: Folder = Path("apart")) -> list[Suspicion]:
    """List what was reported; nothing of it is anywhere else. Exit code 1 if a report was late.

    A report is late if it was not recorded within 24 hours of the suspicion.

    Example: `gameledger suspicion list --apart /srv/apart`
    """
    with ConfidentialChain.at(apart) as chain:
        return chain.reports()


def _show_bound(receipt: Receipt) -> None:
    echo(f"Bound for {day_of(receipt.recorded_at)}: position {receipt.last_position}.")


@app.command()
@answers(_show_bound)
def commit(*, apart: Folder = Path("apart"), data: Data = DATA) -> Receipt:
    """Bind the chain apart to the main one; for the night job, every day, whatever was reported.

    Example: `gameledger suspicion commit --apart /srv/apart --data data`
    """
    day = day_of(SystemClock().now())
    with ConfidentialChain.at(apart) as chain:
        commitment = chain.commitment(day)
    command = RecordCommitment(day=date.fromisoformat(day), commitment=commitment)
    with data.write() as ledger:
        return ledger.execute(command)


def _show_coverage(covered: CommitmentCoverage) -> None:
    text = f"{number(covered.commitments)} commitments, all made of this chain; "
    echo(f"{text}the last covers {number(covered.covered)} of {number(covered.size)} messages.")


@app.command()
@answers(_show_coverage)
def verify(*, apart: Folder = Path("apart"), data: Data = DATA) -> CommitmentCoverage:
    """Check that the chain apart is the one that was bound to the main one, day by day.

    Example: `gameledger suspicion verify --apart /srv/apart --data data`
    """
    with ConfidentialChain.at(apart) as chain, closing(data.read()) as main:
        return chain.verify(main)
