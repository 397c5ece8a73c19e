"""Send one command on behalf of the program, or only decide it (``--dry-run``)."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import msgspec

from ledger.core.clock import SystemClock
from ledger.core.errors import AuthorizationError
from tools.cli._output import echo, emit
from tools.data import DataDirectory

if TYPE_CHECKING:
    from ledger.core.refusals import Refusal
    from ledger.events.command import Command

__all__ = ["execute_or_rehearse"]


def execute_or_rehearse(
    data: DataDirectory, command: Command, *, done: str, would: str, as_json: bool, dry_run: bool
) -> None:
    """Send a command and print its result, or the expected result in a dry run.

    ``done`` is the message without its position, ``would`` the message of a dry run.

    Raises:
        AuthorizationError: the rules do not allow it; the refusal is recorded.

    """
    if dry_run:
        from ledger.decisions.decider import decide
        from ledger.state.ledger_state import LedgerState

        with closing(data.read()) as log, closing(data.keys()) as keys:
            decided = decide(LedgerState(log, keys), command, SystemClock().now())
        _require_allowed(decided.refusal)
        if as_json:
            emit({"dry_run": True, "events": [event.type for event in decided.events]})
        else:
            echo(f"{would}.")
        return
    with data.write() as ledger:
        receipt = ledger.execute(command)
    if as_json:
        emit(msgspec.to_builtins(receipt))
    _require_allowed(receipt.refused)
    if not as_json:
        echo(f"{done}: position {receipt.last_position}.")


def _require_allowed(refused: Refusal | None) -> None:
    if refused is not None:
        raise AuthorizationError(f"{refused.sentence} ({refused.paragraph})")
