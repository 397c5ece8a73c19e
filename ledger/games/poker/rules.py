"""Rules in which hands differ between two poker plans: cards, seats, fees, showdown."""

from __future__ import annotations

from msgspec import structs

from ledger.games.api.plan_table import PlanTable
from ledger.games.api.typed import Count, Text
from ledger.games.poker.fee import PotRake, TimeCollection


class HandTable(PlanTable, frozen=True):
    """The table `hand` of a plan.

    `exactly_two`: a hand uses exactly two own cards, as in Omaha. `muck_beside_all_in`: a player
    may muck at a showdown with an all-in player. `short_all_in_is_bet`: the next minimum raise is
    based on an all-in that was less than a raise.
    """

    hole_cards: Count
    exactly_two: bool
    muck_beside_all_in: bool
    short_all_in_is_bet: bool


class RuledHandTable(HandTable, frozen=True):
    """The table `hand` of a tournament; `rule` is the paragraph that decides a pot."""

    rule: Text


class HandRules(HandTable, frozen=True):
    """A plan's rules of a hand; `rake` and `time` are None if the casino charges no such fee."""

    rule: str
    rake: PotRake | None
    time: TimeCollection | None

    @property
    def players_max(self) -> int | None:
        """Maximum number of players at a table: the largest for which the rake has a cap."""
        return None if self.rake is None else self.rake.players_max


def hand_rules(
    hand: HandTable, rule: str, rake: PotRake | None = None, time: TimeCollection | None = None
) -> HandRules:
    """Return a plan's rules of a hand; `rule` is the paragraph that decides a pot."""
    return HandRules(**structs.asdict(hand) | {"rule": rule, "rake": rake, "time": time})
