"""Reject commands for games against the house where players play a hand among themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.core.errors import InputError
from ledger.games import is_among_players

if TYPE_CHECKING:
    from ledger.events.command import Command
    from ledger.state.ledger_state import LedgerState

__all__ = ["require_against_house"]


def require_against_house(ledger_state: LedgerState, command: Command, now: int) -> None:
    """Reject opening, betting on, settling or voiding a hand as a round against the house.

    Raises:
        InputError: the table or round belongs to a game among players.

    """
    name = getattr(command, "table", "")
    if name:
        _require_table(ledger_state, name, now)
    elif ledger_state.round(command.round).hand is not None:  # type: ignore[attr-defined]
        raise InputError(
            f"round {command.round} is a hand among players: "  # type: ignore[attr-defined]
            "use act_in_hand, settle_hand, declare_misdeal"
        )


def _require_table(ledger_state: LedgerState, name: str, now: int) -> None:
    table = ledger_state.operator_state.tables.get(name)
    version = (
        ledger_state.operator_state.games[table.game].plan_version(now) if table is not None else ""
    )
    if table is not None and version and is_among_players(table.game, version):
        raise InputError(
            f"players of {table.game} play against each other: "
            "begin a hand with start_hand or start_open_face"
        )
