"""Pineapple Open Face Chinese Poker of 69GAMES for money: two or three players, points, a rake."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ledger.games._game_plan import GamePlan, PlanHeader
from ledger.games.ofc_game import STACK_WORDS, settle_game, stack_wager_problem
from ledger.games.ofc_outcome import OfcOutcome, read_ofc_outcome
from ledger.games.ofc_rules import OfcRules, read_ofc_rules
from ledger.games.poker_placement import describe_bet, table_problem

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
class OfcCashPlan(GamePlan):
    """Rules and fee of Open Face Chinese Poker for money."""

    header: PlanHeader
    rules: OfcRules

    def read_outcome(
        self, document: Document, void: Void | None, disconnects: tuple[Disconnect, ...]
    ) -> OfcOutcome:
        """Read table, sets, agreements and fee; raises MALFORMED_REQUEST."""
        return read_ofc_outcome(document, void, disconnects)

    def settle_round(
        self,
        wagers: Sequence[Wager],
        actions: Sequence[Action],
        outcome: Outcome,
        table: TableLimits,
    ) -> RoundResult:
        """Settle one game.

        Raises:
            SettlementError: the first problem, in the order of the contract.
            TypeError: the outcome is of another family.

        """
        if not isinstance(outcome, OfcOutcome):
            message = "a game of Open Face Chinese Poker needs an OfcOutcome"
            raise TypeError(message)
        return settle_game(self.header, self.rules, wagers, actions, outcome, table=table)

    def wager_problem(
        self, wager: Wager, lying: Sequence[Wager], table: TableLimits
    ) -> SettlementError | None:
        """Say why a player may not bring these chips, or None; no limits apply to them."""
        del table
        return stack_wager_problem(self.header, wager, lying)

    def table_problem(self, table: TableLimits) -> SettlementError | None:
        """Say why a table may not have these limits, or None."""
        return table_problem(table, STACK_WORDS)

    def describe(self, bet: str, selection: object) -> str:
        """Say in words what the chips are for; raises UNKNOWN_BET."""
        del selection
        return describe_bet(bet, STACK_WORDS)


def read_plan(header: PlanHeader, section: Section) -> OfcCashPlan:
    """Read the part of a plan file that is Open Face Chinese Poker.

    Raises:
        PlanError: a field is missing, misspelt or impossible.

    """
    return OfcCashPlan(header=header, rules=read_ofc_rules(section, header.rule_settled))
