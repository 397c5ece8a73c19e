"""``person``: what concerns personal data."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import msgspec
import typer

from ledger import events as e
from ledger.accounts.registration import ErasePerson
from ledger.encoding import decode
from ledger.errors import AuthorizationError, InputError
from ledger.log.port import Query
from ledger.refusals import REFUSALS
from tools.cli._options import Data, DryRun, Json  # noqa: TC001 - typer reads the annotations
from tools.cli._output import emit, say
from tools.data import DataDirectory

if TYPE_CHECKING:
    from ledger.log.port import Log

__all__ = ["app"]

OneEvent = TypeVar("OneEvent", bound=e.Event)

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
        with closing(DataDirectory(data).read()) as log:
            person = _erasable(log, account)
        if as_json:
            emit({"dry_run": True, "account": account, "person": person})
        else:
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


def _erasable(log: Log, account: str) -> str:
    """Give the person of an account if the ledger would erase it; see ``erase_person``."""
    opened = _facts(log, e.AccountOpened, f"account:{account}")
    if not opened:
        raise InputError(f"account {account} is unknown; open it with open_account first")
    person = opened[0].person
    if _facts(log, e.PersonErased, f"person:{person}"):
        raise InputError(f"the person of account {account} was erased already")
    newest = _facts(log, e.AccountOpened, f"person:{person}")[-1].account
    for name in (account, newest):
        if not _facts(log, e.AccountClosed, f"account:{name}"):
            rule = REFUSALS["ACCOUNT_NOT_CLOSED"]
            raise AuthorizationError(f"{rule.sentence} ({rule.paragraph})")
    return person


def _facts(log: Log, kind: type[OneEvent], tag: str) -> list[OneEvent]:
    found = log.find(Query(types=(kind.__name__,), tags=(tag,)))
    events = [decode(message).event for one in found for _, message in log.read(one, one + 1)]
    return [event for event in events if isinstance(event, kind)]
