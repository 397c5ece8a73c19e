"""``person``: what concerns personal data."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import msgspec
import typer

from ledger.accounts.registration import ErasePerson
from ledger.errors import AuthorizationError
from tools.cli._options import Data, DryRun, Json  # noqa: TC001 - typer reads the annotations
from tools.cli._output import emit, say
from tools.data import DataDirectory

__all__ = ["app"]

app = typer.Typer(
    help="Personal data: erase.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",
)


@app.callback()
def person() -> None:
    """Personal data."""


@app.command()
def erase(
    *,
    account: Annotated[str, typer.Argument(help="A closed account of the person.")],
    data: Data = Path("data"),
    as_json: Json = False,
    dry_run: DryRun = False,
) -> None:
    """Destroy the key of a person's data; every hash stays valid, the plain text is gone.

    The account has to be closed, exit code 5 otherwise. This can't be taken back.

    Example: `gameledger person erase a-0121`
    """
    if dry_run:
        log = DataDirectory(data).read()
        log.close()
        say(f"Would destroy the key of the person who held account {account}.")
        return
    with DataDirectory(data).write() as ledger:
        receipt = ledger.execute(ErasePerson(account=account, source="cli"))
    if as_json:
        emit(msgspec.to_builtins(receipt))
    if receipt.refused is not None:
        raise AuthorizationError(f"{receipt.refused.sentence} ({receipt.refused.paragraph})")
    if not as_json:
        say(f"The person of account {account} is erased: position {receipt.last_position}.")
