"""``person``: what concerns personal data."""

from __future__ import annotations

from typing import Annotated

import typer

from ledger.decisions.accounts.erasure import ErasePerson
from tools.cli._answering import sends
from tools.cli._help import Commands

__all__ = ["app"]

app = Commands("Personal data: erase.")


@app.callback()
def person() -> None:
    """Personal data."""


@app.command()
@sends(
    done="The person of account {account} is erased",
    would="Would destroy the key of the person who held account {account}",
)
def erase(
    *,
    account: Annotated[str, typer.Argument(help="A closed account of the person.")],
) -> ErasePerson:
    """Destroy the key of a person's data; every hash stays valid, the plain text is gone.

    The account has to be closed, no legal hold (`hold list`) may cover the person, and the period
    in which the data must be kept has to be over. Otherwise the exit code is 5, the request is
    recorded, and `retention carry-out` sees to it when it is due. This can't be taken back.

    Example: `gameledger person erase a-0121`
    """
    return ErasePerson(account=account, source="cli")
