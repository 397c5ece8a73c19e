"""What differs between the hands of two poker plans: cards, seats, fees, showdown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ledger.games.poker.fee import read_pot_rake, read_time_collection

if TYPE_CHECKING:
    from ledger.games.api.plan_reader import Section
    from ledger.games.poker.fee import PotRake, TimeCollection


@dataclass(frozen=True, kw_only=True, slots=True)
class HandRules:
    """What a plan says about a hand; `rake` and `time` None where the casino takes nothing.

    `rule` is the paragraph that decides a pot. `exactly_two` is Omaha. `muck_beside_all_in` tells
    whether a claim may be given up at a showdown with a player who is all-in, `short_all_in_is_bet`
    whether the next minimum raise is measured by an all-in that was less than a raise.
    """

    rule: str
    hole_cards: int
    exactly_two: bool
    muck_beside_all_in: bool
    short_all_in_is_bet: bool
    rake: PotRake | None
    time: TimeCollection | None

    @property
    def players_max(self) -> int | None:
        """Most seats at a table: those for which there is a cap of the rake."""
        return None if self.rake is None else self.rake.players_max


def read_hand_rules(section: Section, rule: str | None = None) -> HandRules:
    """Read the rules of a hand from a plan file.

    Args:
        section: the whole file; `hand` is needed, `rake` and `time_collection` go together.
        rule: the paragraph that decides a pot; None where `hand.rule` gives it.

    Raises:
        PlanError: a field is missing, misspelt or impossible.

    """
    hand, fees = section.section("hand"), "rake" in section
    rules = HandRules(
        rule=rule or hand.text("rule"),
        hole_cards=hand.integer("hole_cards"),
        exactly_two=hand.flag("exactly_two"),
        muck_beside_all_in=hand.flag("muck_beside_all_in"),
        short_all_in_is_bet=hand.flag("short_all_in_is_bet"),
        rake=read_pot_rake(section.section("rake")) if fees else None,
        time=read_time_collection(section.section("time_collection")) if fees else None,
    )
    hand.close()
    return rules
