"""Common parts of the poker games against the dealer: pay tables, card counts, places of bets.

A `PayTable` gives the odds of a hand by its category; for its lowest category a minimum rank of the
pair may be set. `ledger.games.poker.ranking` compares hands. The two games are in `holdem` and
`ultimate`.
"""

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING, NamedTuple

from msgspec import field

from ledger.core.phrases import Phrase
from ledger.games.api import round_checks as checks
from ledger.games.api.cards import Rank
from ledger.games.api.contract import Code, SettlementError
from ledger.games.api.explanation import Reason, Why
from ledger.games.api.facts import MadeFacts, ShowdownFacts
from ledger.games.api.payouts import Odds, lost, won
from ledger.games.api.plan_table import PlanTable, wrong
from ledger.games.api.typed import Decks, Text
from ledger.games.poker.ranking import CATEGORIES, HandCategory, HandRank

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ledger.games.api.cards import Card
    from ledger.games.api.contract import ResultLine, Wager
    from ledger.games.api.payouts import PrintedOdds
    from ledger.games.api.stake_limits import LimitedPlan

HOLE_CARDS = 2
FLOP_CARDS = 3
BOARD_CARDS = 5


class Place(NamedTuple):
    """Identifies chips by player, box and bet; `box` is empty if all players share one."""

    player: str
    box: str
    bet: str


class PayTable(PlanTable, frozen=True, dict=True):
    """Odds by category; `pair_min` is the lowest rank of a pair that pays, None for any."""

    pays: dict[str, Odds]
    rule: Text
    pair_min: Rank | None = None

    def __post_init__(self) -> None:
        """Reject unknown categories of hands."""
        for name in self.pays:
            if name not in CATEGORIES:
                raise wrong(f"pays.{name}", "is not a category of hands")

    @cached_property
    def odds(self) -> Mapping[HandCategory, PrintedOdds]:
        """Return the odds by category."""
        return {CATEGORIES[name]: odds for name, odds in self.pays.items()}

    def odds_of(self, hand: HandRank) -> PrintedOdds | None:
        """Return the odds of a hand; None if the table does not pay it."""
        if self.pair_min is not None and not hand.is_at_least_pair_of(self.pair_min):
            return None
        return self.odds.get(hand.category)


class FullPayTable(PayTable, frozen=True):
    """A pay table in which every hand pays."""

    def __post_init__(self) -> None:
        """Reject a table without one of the categories."""
        super().__post_init__()
        for name in CATEGORIES:
            if name not in self.pays:
                raise wrong(f"pays.{name}", "is missing: every hand must pay")


class BetOdds(PlanTable, frozen=True):
    """Odds of a bet and the paragraph that decides it."""

    odds: Odds = field(name="pays")
    rule: Text


class Deck(PlanTable, frozen=True):
    """The decks in use."""

    decks: Decks


class DealerRules(PlanTable, frozen=True):
    """The lowest pair with which the dealer qualifies."""

    pair_min: Rank = field(name="qualifies_with_pair")
    rule: Text


def check_places(
    plan: LimitedPlan, wagers: Sequence[Wager], places: Sequence[Place]
) -> Iterator[Place]:
    """Check every wager in turn; yield the places of the wagers that take part.

    Raises:
        SettlementError: UNKNOWN_BET, INVALID_STAKE, BET_AFTER_CLOSE or DUPLICATE_WAGER.

    """
    identifiers: set[str] = set()
    seen: set[Place] = set()
    for wager, place in zip(wagers, places, strict=True):
        plan.check_wager(wager)
        checks.check_late(plan.header, wager)
        checks.check_identifiers(wager, identifiers)
        check_single(place, seen)
        yield place


def check_single(place: Place, seen: set[Place]) -> None:
    """Refuse a second wager of a player on one bet of a box; otherwise add the place to `seen`."""
    if place in seen:
        raise SettlementError(
            Code.DUPLICATE_WAGER,
            Phrase("TWO_WAGERS_ON_BET", player=place.player, bet=place.bet),
        )
    seen.add(place)


def made_line(table: PayTable, wager: Wager, hand: HandRank) -> ResultLine:
    """Return the line of a bet on a hand alone, regardless of the dealer."""
    facts = partial(_made_facts, hand)
    odds = table.odds_of(hand)
    if odds is None:
        why = Why(Reason.HAND_PAYS_NOTHING, facts)
        return lost(wager.id, wager.stake_haler, table.rule, why)
    why = Why(Reason.HAND_PAYS, facts, hand.category.name.lower())
    return won(wager.id, wager.stake_haler, odds, table.rule, why)


def _made_facts(hand: HandRank) -> MadeFacts:
    return MadeFacts(hand.shown())


def showdown_facts(own: HandRank, dealer: HandRank, *, qualified: bool) -> ShowdownFacts:
    """Return the facts of a hand compared with the dealer's."""
    return ShowdownFacts(own.shown(), dealer.shown(), qualified)


def check_card_count(cards: Sequence[Card], *, smallest: int, largest: int, what: Phrase) -> None:
    """Refuse a hand or board of a wrong size; raises OUTCOME_INCOMPLETE or INVALID_OUTCOME."""
    if len(cards) < smallest:
        raise SettlementError(
            Code.OUTCOME_INCOMPLETE,
            Phrase("CARDS_TOO_FEW", what=what, count=len(cards), least=smallest),
        )
    if len(cards) > largest:
        raise SettlementError(
            Code.INVALID_OUTCOME,
            Phrase("CARDS_TOO_MANY", what=what, count=len(cards), most=largest),
        )
