"""The draw of the button before the first hand at a cash table of Texas or Omaha."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from msgspec import Meta

from ledger import games
from ledger.core.errors import InputError
from ledger.core.phrases import Phrase
from ledger.core.refusals import RefusedError, refuses
from ledger.decisions.operator.setup import open_table_of
from ledger.decisions.rounds.studio import FaceCard
from ledger.events import event_types as e
from ledger.events.command import Command, Id, Word
from ledger.games import poker_rules_of
from ledger.games.poker import drawn_button

if TYPE_CHECKING:
    from ledger.state.ledger_state import LedgerState

__all__ = ["DrawButton", "draw_button"]


class DrawButton(Command, frozen=True):
    """Record the cards that the players at a table drew; the highest one gets the button."""

    table: Id
    cards: Annotated[dict[Word, FaceCard], Meta(min_length=2, max_length=50)]


@refuses("TABLE_NOT_OPEN", "NOT_SEATED", "HAND_NOT_ALLOWED")
def draw_button(ledger_state: LedgerState, command: DrawButton, _: int) -> list[e.Event]:
    """Decide :class:`DrawButton`: by rank, then by suit.

    Source: 69GAMES poker rules, course of the game.
    """
    table = open_table_of(ledger_state, command.table)
    if poker_rules_of(games.plan(table.game)) is None:
        raise InputError(f"table {command.table} has no Texas or Omaha game, but {table.game}")
    for name in command.cards:
        if command.table not in ledger_state.account(name).tables:
            raise RefusedError("NOT_SEATED")
    cards = tuple(command.cards.values())
    if len(set(cards)) != len(cards):
        raise RefusedError("HAND_NOT_ALLOWED", reason=Phrase("SAME_CARD_DRAWN"))
    return [
        e.ButtonDrawn(
            table=command.table,
            accounts=tuple(command.cards),
            cards=cards,
            button=drawn_button(command.cards),
        )
    ]
