"""The recorded outcome of one game of Open Face Chinese Poker: table, sets, point values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct, field

from ledger.core.phrases import Phrase
from ledger.games.api.cards import check_copies, parse_cards
from ledger.games.api.contract import Code, SettlementError
from ledger.games.api.typed import Haler, OptionalField
from ledger.games.open_face.rows import ROW_SIZES
from ledger.games.poker.outcome import TableOutcome

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from ledger.games.api.cards import Card

    Sets = Mapping[str, Mapping[str, tuple[Card, ...]]]

_DISCARDED = 4


class PointValue(Struct, frozen=True):
    """Agreed value of a point in haler: for all, and for single pairs written "p1|p2"."""

    default_haler: OptionalField[Haler] = field(name="default", default=None)
    by_pair: dict[str, Haler] = field(name="pairs", default_factory=dict)

    def between(self, one: str, other: str) -> int:
        """Return the value between two players, in either order of the pair.

        Raises:
            SettlementError: MALFORMED_REQUEST, there is no value.

        """
        default = self.by_pair.get(f"{other}|{one}", self.default_haler)
        haler = self.by_pair.get(f"{one}|{other}", default)
        if haler is None:
            raise SettlementError(
                Code.MALFORMED_REQUEST,
                Phrase("POINT_VALUE_MISSING", player=one, other=other),
            )
        return haler


class OfcOutcome(TableOutcome, frozen=True):
    """Record of a game; cards are texts until they are needed."""

    sets: dict[str, dict[str, tuple[str, ...]]] = field(default_factory=dict)
    discards: dict[str, tuple[str, ...]] = field(default_factory=dict)
    point_value: PointValue = PointValue()
    stop_loss_haler: dict[str, Haler] = field(name="stop_loss", default_factory=dict)
    in_fantasyland: tuple[str, ...] = ()


def check_names(outcome: OfcOutcome, seats: Collection[str]) -> None:
    """Refuse agreements that name players who do not take part; raises INVALID_OUTCOME."""
    pairs = {f"{one}|{other}" for one in seats for other in seats if one != other}
    known = (
        pairs.issuperset(outcome.point_value.by_pair)
        and all(player in seats for player in outcome.stop_loss_haler)
        and all(player in seats for player in outcome.in_fantasyland)
    )
    if not known:
        raise SettlementError(
            Code.INVALID_OUTCOME,
            Phrase("NAMES_NOT_AT_TABLE"),
        )


def deal_sets(outcome: OfcOutcome, seats: Collection[str]) -> Sets:
    """Convert the recorded text to cards; return a set for every seat.

    Raises:
        SettlementError: PLAYER_CARDS_MISMATCH, OUTCOME_INCOMPLETE, INVALID_CARD, TOO_MANY_COPIES
            or INVALID_HAND.

    """
    for player in seats:
        if not outcome.sets.get(player, {}).keys() >= ROW_SIZES.keys():
            raise SettlementError(Code.OUTCOME_INCOMPLETE, Phrase("ROWS_NOT_SET", player=player))
    for player in (*outcome.sets, *outcome.discards):
        if player not in seats:
            raise SettlementError(
                Code.PLAYER_CARDS_MISMATCH, Phrase("CARDS_WITHOUT_SEAT", player=player)
            )
    sets = {player: _deal_set(outcome, player) for player in seats}
    discards = {player: parse_cards(cards) for player, cards in outcome.discards.items()}
    set_cards = (card for rows in sets.values() for row in rows.values() for card in row)
    check_copies((*set_cards, *(card for cards in discards.values() for card in cards)), 1)
    for player, rows in sets.items():
        if any(len(rows[row]) != size for row, size in ROW_SIZES.items()):
            raise SettlementError(Code.INVALID_HAND, Phrase("ROWS_OF_WRONG_LENGTH", player=player))
    for player, cards in discards.items():
        low = 1 if player in outcome.in_fantasyland else _DISCARDED
        if not low <= len(cards) <= _DISCARDED:
            raise SettlementError(
                Code.INVALID_HAND,
                Phrase("DISCARDS_OF_WRONG_COUNT", player=player, count=len(cards)),
            )
    return sets


def _deal_set(outcome: OfcOutcome, player: str) -> dict[str, tuple[Card, ...]]:
    rows = outcome.sets[player]
    if len(rows) != len(ROW_SIZES):
        raise SettlementError(Code.PLAYER_CARDS_MISMATCH, Phrase("ROW_TOO_MANY", player=player))
    return {row: parse_cards(cards) for row, cards in rows.items()}
