"""What is recorded of one poker hand: table, cards, blind, fee."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ledger.games.api.cards import card_text_lists, card_texts, check_copies, parse_cards
from ledger.games.api.contract import Code, Disconnect, Outcome, SettlementError, Void
from ledger.games.api.shapes import Document, optional_integer, optional_text, shown
from ledger.games.poker.fee import RAKE, Fee, read_fee
from ledger.games.poker.shapes import names, optional_amount, optional_object

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from ledger.games.api.cards import Card

_BOARD_SIZES = (0, 3, 4, 5)


@dataclass(frozen=True, kw_only=True, slots=True)
class PokerOutcome(Outcome):
    """Record of a hand; cards are texts until their turn comes.

    `seats` are all players at the table, clockwise; only a misdeal goes without. `acted_players`
    counts who had acted when it was found.
    """

    seats: tuple[str, ...] = ()
    button: str = ""
    hands: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    board: tuple[str, ...] = ()
    burn: tuple[str, ...] = ()
    big_blind_haler: int | None = None
    fee: Fee = RAKE
    acted_players: int | None = None


@dataclass(frozen=True, slots=True)
class Dealt:
    """The cards of a hand, checked against one deck."""

    hands: Mapping[str, tuple[Card, ...]]
    board: tuple[Card, ...]


def read_poker_outcome(
    document: Document, void: Void | None, disconnects: tuple[Disconnect, ...]
) -> PokerOutcome:
    """Read the fields of a hand; raises MALFORMED_REQUEST."""
    misdeal = optional_object(document, "void", "outcome")
    seats, button = read_table(document, void)
    return PokerOutcome(
        void=void,
        disconnects=disconnects,
        seats=seats,
        button=button,
        hands=card_text_lists(document, "hands", "outcome") or {},
        board=card_texts(document, "board", "outcome") or (),
        burn=card_texts(document, "burn", "outcome") or (),
        big_blind_haler=optional_amount(document, "big_blind", "outcome"),
        fee=read_fee(document),
        acted_players=optional_integer(misdeal, "acted_players", "outcome.void"),
    )


def read_table(document: Document, void: Void | None) -> tuple[tuple[str, ...], str]:
    """Read seats and button, which only a void hand may leave out; raises MALFORMED_REQUEST."""
    seats = names(document, "seats", "outcome")
    button = optional_text(document, "button", "outcome")
    if void is None and (seats is None or button is None):
        raise SettlementError(Code.MALFORMED_REQUEST, "outcome must give seats and button")
    return seats or (), button or ""


def check_table(
    seats: tuple[str, ...], button: str, players: Collection[str], *, players_max: int | None
) -> None:
    """Refuse a table that cannot be; raises PLAYER_COUNT or INVALID_OUTCOME."""
    if len(seats) < 2 or (players_max is not None and len(seats) > players_max):  # noqa: PLR2004 - nobody plays alone
        raise SettlementError(
            Code.PLAYER_COUNT, f"{len(seats)} players at the table are too few or too many"
        )
    if len(set(seats)) != len(seats):
        raise SettlementError(Code.INVALID_OUTCOME, "a player has two seats")
    for player in (*players, button):
        if player not in seats:
            raise SettlementError(
                Code.INVALID_OUTCOME, f"{shown(player)} does not sit at the table"
            )


def deal(outcome: PokerOutcome, seats: Collection[str]) -> Dealt:
    """Turn the recorded texts into cards.

    Raises:
        SettlementError: PLAYER_CARDS_MISMATCH, INVALID_CARD, TOO_MANY_COPIES or INVALID_OUTCOME.

    """
    for player in outcome.hands:
        if player not in seats:
            raise SettlementError(
                Code.PLAYER_CARDS_MISMATCH, f"cards for {shown(player)}, who has no seat"
            )
    hands = {player: parse_cards(cards) for player, cards in outcome.hands.items()}
    board, burn = parse_cards(outcome.board), parse_cards(outcome.burn)
    if len(board) not in _BOARD_SIZES:
        raise SettlementError(Code.INVALID_OUTCOME, f"a board never has {len(board)} cards")
    check_copies((*(card for hand in hands.values() for card in hand), *board, *burn), 1)
    return Dealt(hands, board)
