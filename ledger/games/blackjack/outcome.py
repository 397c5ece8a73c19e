"""The recorded outcome of a blackjack round: the dealer's cards, final hands, box owners.

`check_owners` and `read_cards` check the content of a played round: no card is missing or invalid,
no card has too many copies, and shared cards are consistent.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import field

from ledger.core.phrases import Phrase
from ledger.games.api.cards import parse_cards
from ledger.games.api.contract import Code, Outcome, SettlementError, Wager
from ledger.games.api.typed import OptionalField
from ledger.games.blackjack.cards import CARDS_DEALT, TableCards, lay_cards
from ledger.games.blackjack.rules import Boxes, Rules

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping


class BlackjackOutcome(Outcome, frozen=True):
    """Cards as text, the dealer's open card first; None where nothing was recorded."""

    dealer: OptionalField[tuple[str, ...]] = None
    hands: OptionalField[dict[str, tuple[str, ...]]] = None
    owners: dict[str, str] = field(default_factory=dict)


def check_owners(owners: Mapping[str, str], boxes: Mapping[str, Mapping[str, Wager]]) -> None:
    """Refuse an owner without a main bet on the box; raises INVALID_OUTCOME."""
    for box, player in owners.items():
        if player not in boxes.get(box, {}):
            raise SettlementError(
                Code.INVALID_OUTCOME,
                Phrase("DECISION_WITHOUT_MAIN_BET", player=player, box=box),
            )


def read_cards(
    outcome: BlackjackOutcome, rules: Rules, boxes: Collection[str], played: Collection[str]
) -> TableCards:
    """Parse the cards of a played round.

    Args:
        outcome: the record.
        rules: the plan's rules.
        boxes: all boxes with a main bet.
        played: those of them on which a bet is decided; the others need no cards.

    Raises:
        SettlementError: OUTCOME_INCOMPLETE, INVALID_CARD, TOO_MANY_COPIES or
            SHARED_CARDS_MISMATCH.

    """
    if outcome.dealer is None or outcome.hands is None:
        raise SettlementError(Code.OUTCOME_INCOMPLETE, Phrase("CARDS_MISSING"))
    dealer = parse_cards(outcome.dealer)
    hands = {hand: parse_cards(texts) for hand, texts in outcome.hands.items()}
    if len(dealer) < rules.dealer.cards_dealt:
        raise SettlementError(Code.OUTCOME_INCOMPLETE, Phrase("DEALER_CARDS_MISSING"))
    table = lay_cards(dealer, hands, boxes)
    for box in played:
        names = table.names.get(box, ())
        if not names or any(len(hands[name]) < CARDS_DEALT for name in names):
            raise SettlementError(Code.OUTCOME_INCOMPLETE, Phrase("BOX_CARDS_MISSING", box=box))
    shared = rules.seats.boxes is Boxes.SHARED
    table.check_copies(rules.seats.decks, shared=shared)
    if shared:
        table.check_shared(played)
    return table
