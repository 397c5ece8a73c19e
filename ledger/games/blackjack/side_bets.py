"""Side bets of blackjack: the combinations of cards, and the payout of the best one.

Each kind of side bet defines its combinations; a plan gives odds for some of them. Of all
combinations with odds in the cards, only the highest is paid. Trips, pairs and 7-7-7 go by rank,
not by point value.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import TYPE_CHECKING

from msgspec import field

from ledger.games.api.cards import RANKS
from ledger.games.api.explanation import Reason, Why
from ledger.games.api.facts import CombinationFacts, texts
from ledger.games.api.payouts import Odds, lost, pushed, won
from ledger.games.api.plan_table import PlanTable, wrong
from ledger.games.api.typed import Haler, Text
from ledger.games.blackjack.cards import ACE, TWENTY_ONE, best_total, card_value

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ledger.games.api.cards import Card
    from ledger.games.api.contract import ResultLine, Wager

_RED = "DH"
_BUST_CARDS_MIN, _BUST_CARDS_MAX = 3, 8
_LUCKY_TOTALS = (TWENTY_ONE, 20, 19)


@dataclass(frozen=True, slots=True)
class SideBetCards:
    """Cards for side bets: the box's first two, the dealer's hand; `has_blackjack`: of the box."""

    box: tuple[Card, ...]
    dealer: tuple[Card, ...]
    has_blackjack: bool


class Bet(PlanTable, frozen=True, kw_only=True):
    """One bet of a plan; None for a bound without a figure."""

    words: Text = field(name="name")
    haler_min: Haler = field(name="minimum", default=0)
    haler_max: Haler | None = field(name="maximum", default=None)


class SideBet(Bet, frozen=True):
    """Rules of one side bet of a plan.

    `is_returned_with_blackjack`: the stake is returned to a player with a blackjack, whatever the
    dealer's hand.
    """

    kind: str
    odds: dict[str, Odds] = field(name="pays")
    rule: Text
    is_returned_with_blackjack: bool = field(name="returned_with_blackjack", default=False)

    def __post_init__(self) -> None:
        """Reject an unknown kind or combination."""
        if self.kind not in _KINDS:
            raise wrong("kind", f"must be one of {', '.join(_KINDS)}")
        for name in self.odds:
            if name not in _KINDS[self.kind].names:
                raise wrong(f"pays.{name}", f"is no combination of {self.kind}")

    def needs_whole_dealer_hand(self, *, has_blackjack: bool) -> bool:
        """Return whether the dealer must draw for this bet although no hand is open."""
        if has_blackjack and self.is_returned_with_blackjack:
            return False
        return self.kind in ("dealer_bust", "dealer_total")

    def decide(self, wager: Wager, dealt: SideBetCards) -> ResultLine:
        """Decide a wager from the cards."""
        kind, facts = _KINDS[self.kind], partial(self._facts, dealt)
        if dealt.has_blackjack and self.is_returned_with_blackjack:
            why = Why(Reason.RETURNED_WITH_BLACKJACK, facts)
            return pushed(wager.id, wager.stake_haler, self.rule, why)
        combinations_shown = [name for name in kind.find(dealt) if name in self.odds]
        if not combinations_shown:
            why = Why(Reason.COMBINATION_MISSED, facts)
            return lost(wager.id, wager.stake_haler, self.rule, why)
        dearest = max(combinations_shown, key=lambda name: self.odds[name])
        why = Why(Reason.COMBINATION_MADE, facts, dearest)
        return won(wager.id, wager.stake_haler, self.odds[dearest], self.rule, why)

    def _facts(self, dealt: SideBetCards) -> CombinationFacts:
        return CombinationFacts(self.kind, texts(_KINDS[self.kind].looks_at(dealt)))


@dataclass(frozen=True, slots=True)
class _Kind:
    """One kind of side bet: its combinations, how they are found, and in which cards."""

    names: frozenset[str]
    find: Callable[[SideBetCards], Sequence[str]]
    looks_at: Callable[[SideBetCards], Sequence[Card]]


def _poker_hands(dealt: SideBetCards) -> Sequence[str]:
    cards = _three(dealt)
    ranks = sorted(RANKS.index(card.rank) for card in cards)
    suited, trips = _is_suited(cards), ranks[0] == ranks[2]
    low_ace = ranks == [0, 1, len(RANKS) - 1]
    straight = ranks[0] + 1 == ranks[1] and ranks[1] + 1 == ranks[2]
    combinations_shown = {
        "suited_trips": suited and trips,
        "straight_flush": suited and (straight or low_ace),
        "trips": trips,
        "straight": straight,
        "low_ace_straight": low_ace,
        "flush": suited,
    }
    return [name for name, is_made in combinations_shown.items() if is_made]


def _pairs(first: Card, second: Card) -> Sequence[str]:
    if first.rank != second.rank:
        return ()
    if first.suit == second.suit:
        return ("perfect",)
    return ("coloured",) if (first.suit in _RED) == (second.suit in _RED) else ("mixed",)


def _three_card_totals(dealt: SideBetCards) -> Sequence[str]:
    cards = _three(dealt)
    ranks = "".join(sorted(card.rank for card in cards))
    values = ((1, card_value(card)) if card.rank == ACE else (card_value(card),) for card in cards)
    totals = {sum(choice) for choice in product(*values)}
    totals_shown = [ranks] if ranks in ("777", "678") else []
    totals_shown += [str(total) for total in _LUCKY_TOTALS if total in totals]
    return (
        [*totals_shown, *(f"{name}_suited" for name in totals_shown)]
        if _is_suited(cards)
        else totals_shown
    )


def _dealer_bust(dealt: SideBetCards) -> Sequence[str]:
    if best_total(dealt.dealer) <= TWENTY_ONE:
        return ()
    count = str(min(len(dealt.dealer), _BUST_CARDS_MAX))
    return (count, f"blackjack_{count}") if dealt.has_blackjack else (count,)


def _dealer_total(dealt: SideBetCards) -> Sequence[str]:
    return (str(best_total(dealt.dealer)),)


def _three(dealt: SideBetCards) -> tuple[Card, ...]:
    return (*dealt.box, dealt.dealer[0])


def _is_suited(cards: Sequence[Card]) -> bool:
    return len({card.suit for card in cards}) == 1


_POKER_HANDS = frozenset(
    {"suited_trips", "straight_flush", "trips", "straight", "low_ace_straight", "flush"}
)
_PAIRS = frozenset({"perfect", "coloured", "mixed"})
_BUST_COUNTS = [str(count) for count in range(_BUST_CARDS_MIN, _BUST_CARDS_MAX + 1)]
_TOTAL_NAMES = ["777", "678", *(str(total) for total in _LUCKY_TOTALS)]


def _box(dealt: SideBetCards) -> tuple[Card, ...]:
    return dealt.box


def _dealers_two(dealt: SideBetCards) -> tuple[Card, ...]:
    return dealt.dealer[:2]


def _dealers_hand(dealt: SideBetCards) -> tuple[Card, ...]:
    return dealt.dealer


_KINDS: Mapping[str, _Kind] = {
    "poker_hand": _Kind(_POKER_HANDS, _poker_hands, _three),
    "player_pair": _Kind(_PAIRS, lambda dealt: _pairs(*_box(dealt)), _box),
    "dealer_pair": _Kind(_PAIRS, lambda dealt: _pairs(*_dealers_two(dealt)), _dealers_two),
    "three_card_total": _Kind(
        frozenset({*_TOTAL_NAMES, *(f"{name}_suited" for name in _TOTAL_NAMES)}),
        _three_card_totals,
        _three,
    ),
    "dealer_bust": _Kind(
        frozenset({*_BUST_COUNTS, *(f"blackjack_{count}" for count in _BUST_COUNTS)}),
        _dealer_bust,
        _dealers_hand,
    ),
    "dealer_total": _Kind(
        frozenset(str(total) for total in range(17, 27)), _dealer_total, _dealers_hand
    ),
}


def combinations() -> dict[str, frozenset[str]]:
    """Return all combinations that side bets can pay, by the kind of bet."""
    return {name: kind.names for name, kind in _KINDS.items()}
