"""Explanation of an amount: the formula with its numbers, the row of the pay table, the facts.

The formula is a sum of terms. A settlement creates the terms from the values by which it decides,
and the payout of a line *is* their sum, so an explanation cannot contradict the payment. The
deciding facts (cards, numbers, places) are computed on request, because most are never needed.
Amounts are haler, in a tournament hand hundredths of a chip.

`Reason` is a stable code of the deciding event; the catalogues of texts have a sentence for each.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct

from ledger.games.api.facts import Facts

if TYPE_CHECKING:
    from collections.abc import Callable


class Reason(StrEnum):
    """The reason that decided a stake; the set is closed."""

    # Of every game: the stake did not play.
    DECLARED_VOID = "declared_void"
    DISCONNECTED = "disconnected"
    LATE = "late"
    NOT_CONCLUDED = "not_concluded"

    # Wheels and roulette.
    NUMBER_WON = "number_won"
    NUMBER_LOST = "number_lost"
    ZERO_HALVES = "zero_halves"
    ZERO_IMPRISONS = "zero_imprisons"
    FIELD_WON = "field_won"
    FIELD_LOST = "field_lost"

    # Baccarat.
    COUP_WON = "coup_won"
    COUP_LOST = "coup_lost"
    COUP_TIED = "coup_tied"

    # Blackjack.
    BUST = "bust"
    EVEN_MONEY = "even_money"
    BOTH_BLACKJACK = "both_blackjack"
    BLACKJACK = "blackjack"
    NUMBER_OF_CARDS = "number_of_cards"
    DOUBLED_RETURNED = "doubled_returned"
    TWENTY_ONE_TIES = "twenty_one_ties"
    DEALER_BLACKJACK = "dealer_blackjack"
    DEALER_TOTAL_RETURNS = "dealer_total_returns"
    EQUAL_TOTALS = "equal_totals"
    DEALER_BUST = "dealer_bust"
    HIGHER_TOTAL = "higher_total"
    LOWER_TOTAL = "lower_total"
    INSURANCE_WON = "insurance_won"
    INSURANCE_LOST = "insurance_lost"
    COMBINATION_MADE = "combination_made"
    COMBINATION_MISSED = "combination_missed"
    RETURNED_WITH_BLACKJACK = "returned_with_blackjack"

    # Poker against the dealer.
    FOLDED = "folded"
    FOLDED_UNQUALIFIED = "folded_unqualified"
    UNQUALIFIED = "unqualified"
    BETTER_HAND = "better_hand"
    WORSE_HAND = "worse_hand"
    EQUAL_HANDS = "equal_hands"
    HAND_PAYS = "hand_pays"
    HAND_PAYS_NOTHING = "hand_pays_nothing"
    BLIND_PAYS_NOTHING = "blind_pays_nothing"

    # Among players and tournaments.
    POTS_WON = "pots_won"
    NO_POT = "no_pot"
    POINTS = "points"
    PLACE_PAID = "place_paid"
    PLACE_NOT_PAID = "place_not_paid"
    DEAL_SHARED = "deal_shared"
    ENTRY_NOT_LAST = "entry_not_last"
    WITHDRAWN = "withdrawn"


class Term(Struct, frozen=True, tag_field="kind", gc=False):
    """One term of a formula; `amount` is added, or subtracted if it is negative."""

    amount: int


class StakeBack(Term, frozen=True, tag="stake"):
    """A stake, or its winning part, is returned."""


class Winnings(Term, frozen=True, tag="winnings"):
    """Stake times odds, rounded half up; `odds` in their printed form, such as "3:2"."""

    stake: int
    odds: str


class ChipsBack(Term, frozen=True, tag="chips"):
    """Some chips of a stake are returned: the half after a zero, or a chip released later."""

    chips: int
    chip: int
    released: bool = False


class PotShare(Term, frozen=True, tag="pot_share"):
    """Share of a pot: (money - rake) / winners in whole units, plus odd chips; pot 0: main pot."""

    pot: int
    money: int
    rake: int
    winners: int
    odd: int


class UncalledBack(Term, frozen=True, tag="uncalled"):
    """Uncalled money is returned."""


class RakeTaken(Term, frozen=True, tag="rake"):
    """The casino's rake from a stack."""


class PointsPaid(Term, frozen=True, tag="points"):
    """Points times value against one opponent, limited to `most` by the stacks."""

    opponent: str
    points: int
    value: int
    most: int


class PrizeShare(Term, frozen=True, tag="prize"):
    """The prizes of places divided among tied players: prizes / players, and the remainder."""

    first_place: int
    prizes: tuple[int, ...]
    players: int
    left_over: int


class DealShare(Term, frozen=True, tag="deal"):
    """The agreed share of a deal of the remaining players."""


class PlayedFor(Term, frozen=True, tag="played_for"):
    """The percentage of a deal's prizes that was still played for, rounded down."""

    percent: str
    prizes: int


AnyTerm = (
    StakeBack
    | Winnings
    | ChipsBack
    | PotShare
    | UncalledBack
    | RakeTaken
    | PointsPaid
    | PrizeShare
    | DealShare
    | PlayedFor
)


FactsProvider: TypeAlias = "Callable[[], Facts | None]"


def no_facts() -> None:
    """Return no facts, for a reason that needs none."""


class Why(Struct, frozen=True, eq=False, gc=False):
    """The decision on a line: its reason, a function for its facts, the row of the pay table."""

    reason: Reason
    facts: FactsProvider = no_facts
    row: str = ""


class Explanation(Struct, frozen=True):
    """The explanation of an amount: `rule` is the paragraph, the amount is the sum of `terms`.

    `row` is the key in the pay table of the plan, empty if none applied.
    """

    rule: str
    reason: Reason
    row: str
    terms: tuple[AnyTerm, ...]
    facts: Facts | None

    @property
    def amount(self) -> int:
        """Return the amount that is due."""
        return sum(term.amount for term in self.terms)
