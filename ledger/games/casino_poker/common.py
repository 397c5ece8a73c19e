"""What the poker games against the dealer share: pay tables, counts of cards, places of bets.

A `PayTable` gives the odds of a hand by its category; its lowest category may ask for a pair of at
least some rank. Hands are compared by `poker_ranking`. The two games are in `casino_poker_holdem`
and `casino_poker_ultimate`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from ledger.games.api import round_checks as checks
from ledger.games.api.cards import RANKS
from ledger.games.api.contract import Code, SettlementError
from ledger.games.api.payouts import read_odds
from ledger.games.api.plan_reader import PlanError, Section
from ledger.games.api.shapes import shown
from ledger.games.api.stake_limits import check_stake
from ledger.games.poker.ranking import HandCategory, HandRank

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Mapping, Sequence
    from fractions import Fraction

    from ledger.games.api.cards import Card
    from ledger.games.api.contract import Wager
    from ledger.games.api.game_plan import PlanHeader

HOLE_CARDS = 2
FLOP_CARDS = 3
BOARD_CARDS = 5

_CATEGORIES: Mapping[str, HandCategory] = {
    category.name.lower(): category for category in HandCategory
}


class Place(NamedTuple):
    """Where chips lie; `box` is empty where all share one."""

    player: str
    box: str
    bet: str


@dataclass(frozen=True, slots=True)
class PayTable:
    """Odds by category; `pair_min` is the lowest rank of a pair that pays, None for any."""

    odds: Mapping[HandCategory, Fraction]
    pair_min: str | None
    rule: str

    def odds_of(self, hand: HandRank) -> Fraction | None:
        """Return what a hand pays, None when the table does not name it."""
        if self.pair_min is not None and not hand.is_at_least_pair_of(self.pair_min):
            return None
        return self.odds.get(hand.category)


def read_pay_table(section: Section, *, needs_all: bool = False) -> PayTable:
    """Read a table with `rule`, `pays` by category and perhaps `pair_min`.

    Args:
        section: the table, closed afterwards.
        needs_all: whether every category must pay something.

    Raises:
        PlanError: a category, a rank or odds do not exist, or a needed category is missing.

    """
    pays = section.section("pays")
    for name in pays:
        if name not in _CATEGORIES:
            raise PlanError(pays.place(name), "is not a category of hands")
    for name in _CATEGORIES:
        if needs_all and name not in pays:
            raise PlanError(pays.place(name), "is missing: every hand must pay")
    table = PayTable(
        odds={_CATEGORIES[name]: read_odds(pays, name) for name in pays},
        pair_min=read_rank(section, "pair_min") if "pair_min" in section else None,
        rule=section.text("rule"),
    )
    section.close()
    return table


def read_rank(section: Section, key: str) -> str:
    """Read the rank of a card; raises `PlanError`."""
    rank = section.text(key)
    if len(rank) != 1 or rank not in RANKS:
        raise PlanError(section.place(key), f"must be one of {RANKS}")
    return rank


def check_places(
    header: PlanHeader, wagers: Sequence[Wager], places: Sequence[Place], codes: Container[str]
) -> Iterator[Place]:
    """Judge every wager in turn and give the place of each that stands.

    Raises:
        SettlementError: UNKNOWN_BET, INVALID_STAKE, BET_AFTER_CLOSE or DUPLICATE_WAGER.

    """
    identifiers: set[str] = set()
    seen: set[Place] = set()
    for wager, place in zip(wagers, places, strict=True):
        check_bet(header, wager.bet, codes)
        check_stake(wager)
        checks.check_late(header, wager)
        checks.check_identifiers(wager, identifiers)
        check_single(place, seen)
        yield place


def check_bet(header: PlanHeader, code: str, codes: Container[str]) -> None:
    """Refuse a bet that the game has not; raises UNKNOWN_BET."""
    if code not in codes:
        raise SettlementError(Code.UNKNOWN_BET, f"{header.game} has no bet {shown(code)}")


def check_single(place: Place, seen: set[Place]) -> None:
    """Refuse a second wager of a player on one bet of a box, and remember the first."""
    if place in seen:
        raise SettlementError(
            Code.DUPLICATE_WAGER,
            f"{shown(place.player)} has two wagers on {place.bet}; the stake must be one wager",
        )
    seen.add(place)


def check_card_count(cards: Sequence[Card], *, least: int, most: int, what: str) -> None:
    """Refuse a hand or board of a wrong size; raises OUTCOME_INCOMPLETE or INVALID_OUTCOME."""
    if len(cards) < least:
        raise SettlementError(
            Code.OUTCOME_INCOMPLETE, f"{what} has {len(cards)} cards, {least} are needed"
        )
    if len(cards) > most:
        raise SettlementError(
            Code.INVALID_OUTCOME, f"{what} has {len(cards)} cards, more than {most} cannot be"
        )
