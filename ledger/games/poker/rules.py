"""The differences between the hands of two poker plans: cards, seats, fees, showdown."""

from __future__ import annotations

from msgspec import structs

from ledger.games.api.plan_table import PlanTable
from ledger.games.api.typed import Count, Text
from ledger.games.poker.fee import PotRake, TimeCollection


class HandTable(PlanTable, frozen=True):
    """The table `hand` of a plan.

    `exactly_two` is Omaha. `muck_beside_all_in`: a claim may be given up at a showdown with a
    all-in player. `short_all_in_is_bet`: the next minimum raise is based on an all-in that
    was less than a raise.
    """

    hole_cards: Count
    exactly_two: bool
    muck_beside_all_in: bool
    short_all_in_is_bet: bool


class RuledHandTable(HandTable, frozen=True):
    """The table `hand` of a tournament; `rule` is the paragraph that decides a pot."""

    rule: Text


class HandRules(HandTable, frozen=True):
    """A plan's rules of a hand; `rake` and `time` are None where the casino takes nothing."""

    rule: str
    rake: PotRake | None
    time: TimeCollection | None

    @property
    def players_max(self) -> int | None:
        """Maximum seats at a table: those with a cap of the rake."""
        return None if self.rake is None else self.rake.players_max


def hand_rules(
    hand: HandTable, rule: str, rake: PotRake | None = None, time: TimeCollection | None = None
) -> HandRules:
    """Combine a plan's rules of a hand; `rule` is the paragraph that decides a pot."""
    return HandRules(**structs.asdict(hand) | {"rule": rule, "rake": rake, "time": time})
