"""One coup of baccarat: the value of cards, the rule of third cards, and the winning bets.

The value of a hand is the last digit of its sum: "subtract ten" in the plan fails for three cards
that reach twenty. A two-card hand of 8 or 9 ends the coup at once; otherwise Player draws to 5 or
less, and Banker by the table of the plan, which is fixed by the casino and therefore is code.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ledger.core.phrases import Phrase
from ledger.games.api.contract import Code, Result, SettlementError
from ledger.games.api.facts import CoupFacts, texts

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ledger.games.api.cards import Card

_VALUES: Mapping[str, int] = {
    "A": 1,
    "T": 0,
    "J": 0,
    "Q": 0,
    "K": 0,
    **{str(n): n for n in range(2, 10)},
}
_TWO = 2
_NATURAL_MIN = 8
_DRAWS_TO = 5
_SMALL_CARDS = 4

# Player's third cards on which Banker draws too, by the value of Banker's two cards.
_BANKER_DRAWS_ON: tuple[frozenset[int], ...] = (
    frozenset(range(10)),
    frozenset(range(10)),
    frozenset(range(10)),
    frozenset({0, 1, 2, 3, 4, 5, 6, 7, 9}),
    frozenset({2, 3, 4, 5, 6, 7}),
    frozenset({4, 5, 6, 7}),
    frozenset({6, 7}),
    frozenset(),
)


@dataclass(frozen=True, slots=True)
class Coup:
    """The two hands at the end."""

    player: tuple[Card, ...]
    banker: tuple[Card, ...]

    def facts(self) -> CoupFacts:
        """Return both hands with their points."""
        player, banker = self.player, self.banker
        return CoupFacts(texts(player), hand_value(player), texts(banker), hand_value(banker))

    @property
    def is_tie(self) -> bool:
        """Whether both hands have the same value."""
        return hand_value(self.player) == hand_value(self.banker)

    @property
    def is_player_ahead(self) -> bool:
        """Whether Player is nearer to nine."""
        return hand_value(self.player) > hand_value(self.banker)

    @property
    def is_banker_ahead(self) -> bool:
        """Whether Banker is nearer to nine."""
        return hand_value(self.player) < hand_value(self.banker)


def hand_value(cards: tuple[Card, ...]) -> int:
    """Return the value of a hand, 0 to 9."""
    return sum(_VALUES[card.rank] for card in cards) % 10


def does_player_draw(player: int, banker: int) -> bool:
    """Return whether Player takes a third card on these values of two cards each."""
    return max(player, banker) < _NATURAL_MIN and player <= _DRAWS_TO


def does_banker_draw(player: int, banker: int, third: int | None) -> bool:
    """Return whether Banker takes a third card.

    Args:
        player: value of Player's first two cards.
        banker: value of Banker's first two cards.
        third: value of Player's third card, None if Player stood.

    """
    if max(player, banker) >= _NATURAL_MIN:
        return False
    if third is None:
        return banker <= _DRAWS_TO
    return third in _BANKER_DRAWS_ON[banker]


def check_draws(coup: Coup) -> None:
    """Refuse third cards, or missing ones, that violate the rule; raises DRAW_RULE_VIOLATION."""
    player, banker = hand_value(coup.player[:_TWO]), hand_value(coup.banker[:_TWO])
    player_cards = _TWO + does_player_draw(player, banker)
    if len(coup.player) != player_cards:
        raise SettlementError(
            Code.DRAW_RULE_VIOLATION,
            Phrase("PLAYER_CARDS_WRONG", cards=len(coup.player), count=player_cards),
        )
    third = hand_value(coup.player[_TWO:]) if len(coup.player) > _TWO else None
    banker_cards = _TWO + does_banker_draw(player, banker, third)
    if len(coup.banker) != banker_cards:
        raise SettlementError(
            Code.DRAW_RULE_VIOLATION,
            Phrase("BANKER_CARDS_WRONG", cards=len(coup.banker), count=banker_cards),
        )


def _begins_with_pair(hand: tuple[Card, ...]) -> bool:
    return hand[0].rank == hand[1].rank


def _begins_with_twins(hand: tuple[Card, ...]) -> bool:
    return hand[0] == hand[1]


def _is_tie_of(value: int) -> Callable[[Coup], bool]:
    return lambda coup: coup.is_tie and hand_value(coup.player) == value


_WINS: Mapping[str, Callable[[Coup], bool]] = {
    "player": lambda coup: coup.is_player_ahead,
    "banker": lambda coup: coup.is_banker_ahead,
    "tie": lambda coup: coup.is_tie,
    "player_pair": lambda coup: _begins_with_pair(coup.player),
    "banker_pair": lambda coup: _begins_with_pair(coup.banker),
    "any_pair": lambda coup: _begins_with_pair(coup.player) or _begins_with_pair(coup.banker),
    "perfect_pairs": lambda coup: (
        _begins_with_twins(coup.player) or _begins_with_twins(coup.banker)
    ),
    "big": lambda coup: len(coup.player) + len(coup.banker) > _SMALL_CARDS,
    "small": lambda coup: len(coup.player) + len(coup.banker) == _SMALL_CARDS,
    **{f"egalite_{value}": _is_tie_of(value) for value in range(10)},
}
_RETURNED_ON_TIE = frozenset({"player", "banker"})

BETS = frozenset(_WINS)


def result_of(bet: str, coup: Coup) -> Result:
    """Return the result of one of `BETS` in a coup: win, push or lose."""
    if _WINS[bet](coup):
        return Result.WIN
    return Result.PUSH if bet in _RETURNED_ON_TIE and coup.is_tie else Result.LOSE
