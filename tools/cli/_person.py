"""``person``: what concerns personal data."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer

from ledger.core.clock import SystemClock
from ledger.core.errors import AuthorizationError
from ledger.core.events import PersonErased
from ledger.decisions.accounts.registration import ErasePerson
from ledger.decisions.decider import decide
from ledger.state.world import World
from tools.cli._options import Data, DryRun, Json  # noqa: TC001 - typer reads the annotations
from tools.cli._output import emit, say
from tools.data import DataDirectory

if TYPE_CHECKING:
    from ledger.core.refusals import Refusal

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
    directory, command = DataDirectory(data), ErasePerson(account=account, source="cli")
    if dry_run:
        with closing(directory.read()) as log, closing(directory.keys()) as keys:
            decided = decide(World(log, keys), command, SystemClock().now())
        _require_allowed(decided.refusal)
        (erased,) = (event for event in decided.events if isinstance(event, PersonErased))
        if as_json:
            emit({"dry_run": True, "account": account, "person": erased.person})
        else:
            say(f"Would destroy the key of the person who held account {account}.")
        return
    with directory.write() as ledger:
        receipt = ledger.execute(command)
    if as_json:
        emit(msgspec.to_builtins(receipt))
    _require_allowed(receipt.refused)
    if not as_json:
        say(f"The person of account {account} is erased: position {receipt.last_position}.")


def _require_allowed(refused: Refusal | None) -> None:
    if refused is not None:
        raise AuthorizationError(f"{refused.sentence} ({refused.paragraph})")
