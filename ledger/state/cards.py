"""Cards on a table, folded from the studio's events; used for rounds and for hands.

The fold never rejects an event: the log records what happened. The last event of a card applies. An
earlier event with another value makes the record of the card contradictory until it is corrected.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from msgspec import Struct

from ledger.core.dispatch import on, table
from ledger.core.phrases import Phrase
from ledger.events import event_types as e

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["CARD_CHANGES", "CardOnTable"]


class CardOnTable(Struct, gc=False):
    """A card and its recipient; ``card`` is empty while it lies face down."""

    recipient: str
    card: str


class _OnTable(Protocol):
    """A state with cards by running number and, in ``doubts``, the contradictory records."""

    cards: dict[int, CardOnTable]
    doubts: set[Phrase]


def _dealt(on_table: _OnTable, event: e.CardDealt) -> None:
    known = on_table.cards.get(event.index)
    if known is not None and known.recipient != event.recipient:
        on_table.doubts.add(Phrase("RECIPIENT_OF_CARD", number=event.index))
    if known is not None and known.card not in {"", event.card}:
        on_table.doubts.add(_name(event.index))
    on_table.cards[event.index] = CardOnTable(event.recipient, event.card)


def _revealed(on_table: _OnTable, event: e.CardRevealed) -> None:
    dealt = on_table.cards.get(event.index)
    if dealt is None or dealt.card not in {"", event.card}:
        on_table.doubts.add(_name(event.index))
    if dealt is not None:
        dealt.card = event.card


def _corrected(on_table: _OnTable, event: e.CardRecordCorrected) -> None:
    dealt = on_table.cards.get(event.index)
    if dealt is None:
        on_table.doubts.add(_name(event.index))
        return
    dealt.card = event.actual
    on_table.doubts.discard(_name(event.index))


def _name(index: int) -> Phrase:
    return Phrase("CARD_NUMBERED", number=index)


CARD_CHANGES: dict[type[e.Event], Callable[[Any, Any], None]] = table(
    on(e.CardDealt, _dealt),
    on(e.CardRevealed, _revealed),
    on(e.CardRecordCorrected, _corrected),
)
