"""``person``: what concerns personal data."""

from __future__ import annotations

from typing import Annotated

import typer

from ledger.decisions.accounts.erasure import ErasePerson
from tools.cli._help import Commands
from tools.cli._options import DATA, Data, DryRun, Json
from tools.cli._single_command import execute_or_rehearse

__all__ = ["app"]

app = Commands("Personal data: erase.")


@app.callback()
def person() -> None:
    """Personal data."""


@app.command()
def erase(
    *,
    account: Annotated[str, typer.Argument(help="A closed account of the person.")],
    data: Data = DATA,
    as_json: Json = False,
    dry_run: DryRun = False,
) -> None:
    """Destroy the key of a person's data; every hash stays valid, the plain text is gone.

    The account has to be closed, no legal hold (`hold list`) may cover the person, and the period
    in which the data must be kept has to be over. Otherwise the exit code is 5, the request is
    recorded, and `retention carry-out` sees to it when it is due. This can't be taken back.

    Example: `gameledger person erase a-0121`
    """
    execute_or_rehearse(
        data,
        ErasePerson(account=account, source="cli"),
        done=f"The person of account {account} is erased",
        would=f"Would destroy the key of the person who held account {account}",
        as_json=as_json,
        dry_run=dry_run,
    )
