"""``suspicion``: reports of suspicion, which stand in a chain apart."""

from __future__ import annotations

from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from ledger.core.clock import SystemClock, day_of
from ledger.decisions.suspicion import RecordCommitment
from tools.cli._help import Commands
from tools.cli._options import DATA, Data, Json
from tools.cli._output import counted, echo, emit, moment, number, table
from tools.data.confidential_chain import ConfidentialChain, Suspicion

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


@app.command("list")
def list_command(*, apart: Folder = Path("apart"), as_json: Json = False) -> None:
    """List what was reported; nothing of it is anywhere else. Exit code 1 if a report was late.

    A report is late if it was not recorded within 24 hours of the suspicion.

    Example: `gameledger suspicion list --apart /srv/apart`
    """
    with ConfidentialChain.at(apart) as chain:
        reports = chain.reports()
    late = sum(one.is_late for one in reports)
    if as_json:
        emit(reports)
    else:
        _print_reports(reports, late)
    if late:
        raise typer.Exit(1)


def _print_reports(reports: list[Suspicion], late: int) -> None:
    table(
        (
            *("report", "account", "suspected (Prague)", "reported (Prague)", "sent"),
            *("transactions~", "grounds~"),
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
    if late:
        echo(
            f"{counted(late, 'report was', 'reports were')} not made without delay.",
            style="bold red",
        )


@app.command()
def commit(*, apart: Folder = Path("apart"), data: Data = DATA, as_json: Json = False) -> None:
    """Bind the chain apart to the main one; for the night job, every day, whatever was reported.

    Example: `gameledger suspicion commit --apart /srv/apart --data data`
    """
    day = day_of(SystemClock().now())
    with ConfidentialChain.at(apart) as chain:
        commitment = chain.commitment(day)
    command = RecordCommitment(day=date.fromisoformat(day), commitment=commitment)
    with data.write() as ledger:
        receipt = ledger.execute(command)
    if as_json:
        emit(msgspec.to_builtins(receipt))
    else:
        echo(f"Bound for {day}: position {receipt.last_position}.")


@app.command()
def verify(*, apart: Folder = Path("apart"), data: Data = DATA, as_json: Json = False) -> None:
    """Check that the chain apart is the one that was bound to the main one, day by day.

    Example: `gameledger suspicion verify --apart /srv/apart --data data`
    """
    with ConfidentialChain.at(apart) as chain, closing(data.read()) as main:
        covered = chain.verify(main)
    if as_json:
        emit(covered)
    else:
        text = f"{number(covered.commitments)} commitments, all made of this chain; "
        echo(f"{text}the last covers {number(covered.covered)} of {number(covered.size)} messages.")
