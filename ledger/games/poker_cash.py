"""Poker cash tables of 69GAMES: Texas Hold'em and Omaha Hold'em.

Players play against each other, the casino takes rake or time money. One wager is all that a player
put into one hand. What differs between the two plans is data; `poker_hand` has the course.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ledger.games._game_plan import GamePlan, PlanHeader
from ledger.games.poker_hand import settle_hand
from ledger.games.poker_outcome import PokerOutcome, read_poker_outcome
from ledger.games.poker_placement import describe_bet, table_problem
from ledger.games.poker_rules import HandRules, read_hand_rules
from ledger.games.poker_streets import POT_WORDS, pot_wager_problem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ledger.games._plan_reader import Section
    from ledger.games._shapes import Document
    from ledger.games.contract import (
        Action,
        Disconnect,
        Outcome,
        RoundResult,
        SettlementError,
        TableLimits,
        Void,
        Wager,
    )


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class PokerCashPlan(GamePlan):
    """Rules and fee of one poker cash game."""

    header: PlanHeader
    hand: HandRules

    def read_outcome(
        self, document: Document, void: Void | None, disconnects: tuple[Disconnect, ...]
    ) -> PokerOutcome:
        """Read table, cards, blind and fee; raises MALFORMED_REQUEST."""
        return read_poker_outcome(document, void, disconnects)

    def settle_round(
        self,
        wagers: Sequence[Wager],
        actions: Sequence[Action],
        outcome: Outcome,
        table: TableLimits,
    ) -> RoundResult:
        """Settle one hand.

        Raises:
            SettlementError: the first problem, in the order of the contract.
            TypeError: the outcome is of another family.

        """
        if not isinstance(outcome, PokerOutcome):
            message = "a poker hand needs a PokerOutcome"
            raise TypeError(message)
        return settle_hand(self.header, self.hand, wagers, actions, outcome, table=table)

    def wager_problem(
        self, wager: Wager, lying: Sequence[Wager], table: TableLimits
    ) -> SettlementError | None:
        """Say why a player's money may not go into the hand, or None; no limits apply to it."""
        del table
        return pot_wager_problem(self.header, wager, lying)

    def table_problem(self, table: TableLimits) -> SettlementError | None:
        """Say why a table may not have these limits, or None."""
        return table_problem(table, POT_WORDS)

    def describe(self, bet: str, selection: object) -> str:
        """Say in words what the money is for; raises UNKNOWN_BET."""
        del selection
        return describe_bet(bet, POT_WORDS)


def read_plan(header: PlanHeader, section: Section) -> PokerCashPlan:
    """Read the poker part of a plan file.

    Raises:
        PlanError: a field is missing, misspelt or impossible.

    """
    return PokerCashPlan(header=header, hand=read_hand_rules(section, header.rule_settled))
