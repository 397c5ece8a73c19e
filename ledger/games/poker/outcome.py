"""The recorded outcome of one poker hand: table, cards, big blind, fee."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from msgspec import UNSET, field

from ledger.core.phrases import Phrase
from ledger.games.api.cards import check_copies, parse_cards
from ledger.games.api.contract import Code, Outcome, SettlementError
from ledger.games.api.typed import Haler, OptionalField
from ledger.games.poker.fee import Rake, TimeMoney

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from ledger.games.api.cards import Card

_BOARD_SIZES = (0, 3, 4, 5)


class TableOutcome(Outcome, frozen=True):
    """Common fields of the outcome of any hand among players.

    `seats` are all players at the table, clockwise; only a misdeal has none.
    """

    seats: tuple[str, ...] = ()
    button: str = ""
    fee: Rake | TimeMoney = Rake()


class PokerOutcome(TableOutcome, frozen=True):
    """Record of a hand; cards are text until they are parsed."""

    hands: dict[str, tuple[str, ...]] = field(default_factory=dict)
    board: tuple[str, ...] = ()
    burn: tuple[str, ...] = ()
    big_blind_haler: OptionalField[Haler] = field(name="big_blind", default=None)

    @property
    def acted_players(self) -> int | None:
        """Return how many players had acted when a misdeal was found; None without a misdeal."""
        if self.void is None or self.void.acted_players is UNSET:
            return None
        acted: int = self.void.acted_players
        return acted


@dataclass(frozen=True, slots=True)
class PokerDeal:
    """The cards of a hand, checked against one deck."""

    hands: Mapping[str, tuple[Card, ...]]
    board: tuple[Card, ...]


def check_table(
    seats: tuple[str, ...], button: str, players: Collection[str], *, players_max: int | None
) -> None:
    """Refuse an impossible table; raises PLAYER_COUNT or INVALID_OUTCOME."""
    if len(seats) < 2 or (players_max is not None and len(seats) > players_max):  # noqa: PLR2004 - nobody plays alone
        raise SettlementError(Code.PLAYER_COUNT, Phrase("PLAYERS_COUNT_WRONG", count=len(seats)))
    if len(set(seats)) != len(seats):
        raise SettlementError(Code.INVALID_OUTCOME, Phrase("PLAYER_WITH_TWO_SEATS"))
    for player in (*players, button):
        if player not in seats:
            raise SettlementError(Code.INVALID_OUTCOME, Phrase("PLAYER_NOT_SEATED", player=player))


def deal(outcome: PokerOutcome, seats: Collection[str]) -> PokerDeal:
    """Convert the recorded texts to cards.

    Raises:
        SettlementError: PLAYER_CARDS_MISMATCH, INVALID_CARD, TOO_MANY_COPIES or INVALID_OUTCOME.

    """
    for player in outcome.hands:
        if player not in seats:
            raise SettlementError(
                Code.PLAYER_CARDS_MISMATCH, Phrase("CARDS_WITHOUT_SEAT", player=player)
            )
    hands = {player: parse_cards(cards) for player, cards in outcome.hands.items()}
    board, burn = parse_cards(outcome.board), parse_cards(outcome.burn)
    if len(board) not in _BOARD_SIZES:
        raise SettlementError(Code.INVALID_OUTCOME, Phrase("BOARD_COUNT_WRONG", count=len(board)))
    check_copies((*(card for hand in hands.values() for card in hand), *board, *burn), 1)
    return PokerDeal(hands, board)
