"""Protective information shown to a participant, as reported by the platform (ZHH 14).

The platform shows time of play, net result and warnings. The event records what was shown, whether
or not it was correct: the record of the play is independent of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from msgspec import Meta

from ledger.core.errors import InputError
from ledger.events import event_types as e
from ledger.events.command import Command, Id, OptionalText

if TYPE_CHECKING:
    from ledger.state.ledger_state import LedgerState

__all__ = ["ShowInformation", "show_information"]

MINUTES_MAX = 10**7
SHOWN_BY = {
    "play_time": "play_minutes",
    "net_result": "net_result",
    "warning": "text",
    "rules": "text",
}
"""Required fields of each kind."""


class ShowInformation(Command, frozen=True):
    """Record information shown to a participant: time of play, net result, a warning, or rules.

    ``net_result`` is haléř, below zero for a loss; ``text`` names the warning or the rules.
    """

    account: Id
    kind: Literal["play_time", "net_result", "warning", "rules"]
    text: OptionalText = ""
    play_minutes: Annotated[int, Meta(ge=0, le=MINUTES_MAX)] | None = None
    net_result: Annotated[int, Meta(ge=-(10**15), le=10**15)] | None = None


def show_information(ledger_state: LedgerState, command: ShowInformation, _: int) -> list[e.Event]:
    """Decide :class:`ShowInformation`."""
    ledger_state.account(command.account)
    if getattr(command, SHOWN_BY[command.kind]) in {"", None}:
        raise InputError(
            f"{command.kind} was shown: give its content in `{SHOWN_BY[command.kind]}`"
        )
    return [command.as_event(e.InformationShown)]
