"""Rules in which the plans of the blackjack family differ, as data.

Each table of a plan file has its struct here. Where a source is silent or contradictory, one of
these switches selects the interpretation, and the plan's `readings` document it.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from msgspec import Meta, field

from ledger.games.api.game_plan import HousePlan
from ledger.games.api.payouts import Odds
from ledger.games.api.plan_table import PlanTable, Word, wrong
from ledger.games.api.typed import Count, Decks, Text

DrawnTotal = Annotated[int, Meta(ge=0, le=20)]
"""Total up to which cards are drawn; above 20 even a hand of 21 would be drawn to."""


class Boxes(StrEnum):
    """Names of a table's boxes: numbers, free names, or one shared box named after its player."""

    NUMBERED = "numbered"
    NAMED = "named"
    SHARED = "shared"


class InsuranceTerms(StrEnum):
    """Amounts that may be insured.

    HALF: exactly half of the main stake, rounded down. UP_TO_HALF: any amount up to half.
    TABLE_HALVES: multiples of half the table minimum, in total at most half of the player's own
    money on the box; several insurances are possible after a paid split or double.
    """

    HALF = "half"
    UP_TO_HALF = "up_to_half"
    TABLE_HALVES = "table_halves"


class SeatRules(PlanTable, frozen=True):
    """The table: decks in the shoe, names of the boxes, maximum number of main wagers on a box."""

    decks: Decks
    boxes: Word[Boxes]
    mains_per_box: Count = field(name="main_wagers_per_box")
    numbers_max: Count = field(name="numbers_maximum", default=0)

    def __post_init__(self) -> None:
        """Require the number of boxes if boxes are numbered."""
        if (self.boxes is Boxes.NUMBERED) != bool(self.numbers_max):
            raise wrong("numbers_maximum", "must be given for numbered boxes and for no other")


class DealerRules(PlanTable, frozen=True):
    """The dealer's hand.

    `cards_dealt` is the number of cards before the players act. `draws_to` is the total up to which
    the dealer draws. `pushes_on` is a total that ties with every hand except a blackjack. Against a
    dealer's blackjack: `blackjack_returns_doubled` returns a doubled stake if the dealer's open
    card is a ten and the other one an ace; `blackjack_ties_with_21` makes any 21 a tie.
    """

    cards_dealt: Annotated[int, Meta(ge=1, le=2)]
    draws_to: DrawnTotal
    blackjack_returns_doubled: bool
    blackjack_ties_with_21: bool
    pushes_on: Count | None = None


class PlayRules(PlanTable, frozen=True):
    """Rules of the players' actions.

    `draws_forced_to`: at this total or less a player must draw. `stand_needed_to`: at this total or
    less a hand ends only by an action of the player. `automatic_hits_to`: the machine or the
    supervisor draws to this total and stands above it. `automatic_win_cards`: this number of cards
    within 21 wins at once.
    """

    splits_max: Count = field(name="splits_maximum")
    aces_split_again: bool
    hits_on_21: bool
    automatic_win_beats_blackjack: bool
    has_even_money: bool = field(name="even_money")
    has_free_bets: bool = field(name="free_bets")
    draws_forced_to: DrawnTotal = 0
    stand_needed_to: Count = 0
    automatic_words: frozenset[str] = frozenset()
    automatic_hits_to: DrawnTotal = 0
    automatic_win_cards: Count | None = None


class InsuranceRules(PlanTable, frozen=True):
    """Insurance against a dealer's blackjack."""

    terms: Word[InsuranceTerms]
    odds: Odds = field(name="pays")


class MainOdds(PlanTable, frozen=True):
    """Odds of a main hand; even money is paid like an ordinary win."""

    win: Odds
    blackjack: Odds


class Citations(PlanTable, frozen=True):
    """The paragraph that decides each kind of line; None means the one of `evaluation`."""

    evaluation: Text
    bust: Text
    insurance: Text
    doubled_returned: Text | None = None
    automatic_win: Text | None = None
    free_split: Text | None = None
    free_double: Text | None = None


class Rules(HousePlan, frozen=True):
    """All tables of a plan except its bets and limits."""

    seats: SeatRules
    dealer: DealerRules
    play: PlayRules
    insurance: InsuranceRules
    odds: MainOdds
    citations: Citations
