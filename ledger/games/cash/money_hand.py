"""Common base of the plans of games among players for money.

One wager is all the money that a player put into one hand or game; `kinds` settles it.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, ClassVar

from ledger.games.api.game_plan import GamePlan
from ledger.games.cash.kinds import (
    ChipRules,
    check_chips,
    chip_words,
    read_chip_outcome,
    settle_chips,
)
from ledger.games.poker.fee import TimeCollection
from ledger.games.poker.placement import describe_bet, table_problem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ledger.games.api.contract import (
        Action,
        Disconnect,
        Outcome,
        RoundResult,
        SettlementError,
        TableLimits,
        Void,
        Wager,
    )
    from ledger.games.api.typed import Document


class HandPlan(GamePlan, frozen=True, eq=False):
    """A plan of games among players."""

    ranks_hands: ClassVar[bool] = True

    @property
    @abstractmethod
    def played(self) -> ChipRules:
        """Return the rules of a hand."""


class MoneyHandPlan(HandPlan, frozen=True):
    """A plan with the rules of one hand and without limits."""

    time_collection: TimeCollection

    def read_outcome(
        self, document: Document, void: Void | None, disconnects: tuple[Disconnect, ...]
    ) -> Outcome:
        """Parse table, cards, agreements and fee; raises MALFORMED_REQUEST."""
        return read_chip_outcome(self.played, document, void, disconnects)

    def settle_round(
        self,
        wagers: Sequence[Wager],
        actions: Sequence[Action],
        outcome: Outcome,
        table: TableLimits,
    ) -> RoundResult:
        """Settle one hand."""
        return settle_chips(self.header, self.played, wagers, actions, outcome, table=table)

    def check_placed(self, wager: Wager, placed: Sequence[Wager], table: TableLimits) -> None:
        """Check the money that a player puts into the hand; no limits apply."""
        del table
        check_chips(self.header, self.played, wager, placed)

    def table_problem(self, table: TableLimits) -> SettlementError | None:
        """Return why a table may not have these limits, or None."""
        return table_problem(table, chip_words(self.played))

    def describe(self, bet: str, selection: object) -> str:
        """Describe a bet code, the use of its chips; raises UNKNOWN_BET."""
        del selection
        return describe_bet(bet, chip_words(self.played))
