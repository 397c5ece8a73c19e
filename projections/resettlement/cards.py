"""Track the cards of a round or hand by the studio's events, independently of the write side.

The last event about a card counts. An earlier, different one is reported as contradictory until the
record of the card is corrected. The write side's counterpart is ``ledger.state.cards``.
"""

from __future__ import annotations

from ledger import games
from ledger.core.phrases import Phrase
from ledger.events import event_types as e

__all__ = ["OfTheCards", "follow_card"]

OfTheCards = e.CardDealt | e.CardRevealed | e.CardRecordCorrected


def follow_card(
    cards: dict[int, games.RecordedCard], doubts: set[Phrase], event: OfTheCards
) -> None:
    """Apply one event to the cards by running number, kept in the order of dealing.

    Contradictions are added to ``doubts``; a correction removes that about the face of its card. A
    correction before its card is a contradiction itself.
    """
    dealt = cards.get(event.index)
    match event:
        case e.CardDealt():
            if dealt is not None and dealt.recipient != event.recipient:
                doubts.add(Phrase("RECIPIENT_OF_CARD", number=event.index))
            if dealt is not None and dealt.card not in {"", event.card}:
                doubts.add(_card(event))
            is_next = event.index > next(reversed(cards), -1)
            cards[event.index] = games.RecordedCard(event.recipient, event.card)
            if not is_next:
                in_order = sorted(cards.items())
                cards.clear()
                cards.update(in_order)
        case e.CardRevealed():
            if dealt is None or dealt.card not in {"", event.card}:
                doubts.add(_card(event))
            if dealt is not None:
                cards[event.index] = games.RecordedCard(dealt.recipient, event.card)
        case e.CardRecordCorrected():
            if dealt is None:
                doubts.add(_card(event))
            else:
                doubts.discard(_card(event))
                cards[event.index] = games.RecordedCard(dealt.recipient, event.actual)


def _card(event: OfTheCards) -> Phrase:
    return Phrase("CARD_NUMBERED", number=event.index)
