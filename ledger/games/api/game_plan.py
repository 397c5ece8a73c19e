"""Common base of the plans of all game families.

A `GamePlan` is one version of the approved rules of one game, loaded and checked. Its header has
the source of the rules and the paragraphs that decide each kind of line; each family adds its pay
table and its rules as a subclass.
"""

from __future__ import annotations

import json
from abc import ABCMeta, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar

from msgspec import StructMeta
from msgspec.structs import replace

from ledger.core.phrases import Phrase
from ledger.games.api.contract import Outcome, RoundResult, SettlementError, read
from ledger.games.api.plan_table import PlanTable, wrong
from ledger.games.api.seen import not_allowed
from ledger.games.api.typed import Text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ledger.games.api.contract import (
        Action,
        Disconnect,
        ResultLine,
        TableLimits,
        Void,
        Wager,
    )
    from ledger.games.api.seen import RoundFacts, ShownHand
    from ledger.games.api.typed import Document


class Reading(PlanTable, frozen=True):
    """A place where the source is silent or contradictory, and the interpretation used."""

    paragraph: Text
    question: Text
    taken: Text


class CommonRules(PlanTable, frozen=True):
    """Paragraphs that every game cites.

    `disconnected` is set for streamed games only. If `late` is None, chips after the close cannot
    exist; otherwise they are void by that rule.
    """

    settled: Text
    disconnected: Text | None = None
    late: Text | None = None


class PlanHeader(PlanTable, frozen=True):
    """Identity of a plan version and the paragraphs that every game cites.

    `version` is the day on which the plan took effect, or "unknown" where the source has no date.
    `name` is Czech, as in the source; `name_en` is its translation, which plans that ship have in
    the catalogues of texts.
    `void_reasons` maps each reason for which stakes may come back to its paragraph.
    """

    game: Text
    version: Text
    name: Text
    source: Text
    streamed: bool
    rules: CommonRules
    void_reasons: dict[str, Text]
    readings: tuple[Reading, ...] = ()
    name_en: Text | None = None

    def __post_init__(self) -> None:
        """Require a rule for disconnections where they can occur."""
        if self.streamed != (self.rules.disconnected is not None):
            raise wrong("rules.disconnected", "must be given for streamed games and for no other")

    @property
    def rule_settled(self) -> str:
        """Return the paragraph by which a round is settled."""
        return self.rules.settled


class _PlanMeta(StructMeta, ABCMeta):
    """Metaclass of structs with abstract methods."""


class GamePlan(PlanTable, frozen=True, metaclass=_PlanMeta, eq=False, dict=True):
    """One version of the rules of one game; it checks wagers and settles rounds.

    The tables of its file are its fields; those common to all games are its `header`.
    `unseen_fields` of an outcome are not derived from the facts of the round, `optional_fields` may
    be left out by the caller. `early_actions` are made before the close, the others after it.
    `needs_spin`: a ball or a wheel must have come to rest after a valid spin; where the plan says
    so (`closes_before_spin`), bets are closed before it. `made_by`: kinds of device that produce
    the result; a table has one of them, or none where people deal by hand. `bets_depend`: some bets
    require other bets. `additional_wagers` are the actions that add chips. Participants are
    informed of a fault before a round is voided for a reason `announced_before_void`, and its
    reconstruction is tried before that for a reason `reconstructed_first`. `ranks_hands`: a
    settlement needs the extra `poker`.
    """

    ranks_hands: ClassVar[bool] = False
    unseen_fields: ClassVar[frozenset[str]] = frozenset()
    optional_fields: ClassVar[frozenset[str]] = frozenset()
    early_actions: ClassVar[frozenset[str]] = frozenset()
    needs_spin: ClassVar[bool] = False
    closes_before_spin: ClassVar[bool] = False
    made_by: ClassVar[frozenset[str]] = frozenset()
    bets_depend: ClassVar[bool] = False
    additional_wagers: ClassVar[frozenset[str]] = frozenset()
    announced_before_void: ClassVar[frozenset[str]] = frozenset()
    reconstructed_first: ClassVar[frozenset[str]] = frozenset()
    header: PlanHeader

    @abstractmethod
    def read_outcome(
        self, document: Document, void: Void | None, disconnects: tuple[Disconnect, ...]
    ) -> Outcome:
        """Parse the family's fields of the outcome; raises MALFORMED_REQUEST."""

    @abstractmethod
    def settle_round(
        self,
        wagers: Sequence[Wager],
        actions: Sequence[Action],
        outcome: Outcome,
        table: TableLimits,
    ) -> RoundResult:
        """Settle every wager of a round.

        Raises:
            SettlementError: the first problem, in the order of the contract.
            TypeError: the outcome is of another family.

        """

    @abstractmethod
    def check_placed(self, wager: Wager, placed: Sequence[Wager], table: TableLimits) -> None:
        """Check a wager with the player's other wagers; raises `SettlementError`."""

    @abstractmethod
    def table_problem(self, table: TableLimits) -> SettlementError | None:
        """Return why a table may not have these limits, or None."""

    @abstractmethod
    def describe(self, bet: str, selection: object) -> str:
        """Describe the positions of a bet's chips; raises `SettlementError`."""

    def wager_problem(
        self, wager: Wager, placed: Sequence[Wager], table: TableLimits
    ) -> SettlementError | None:
        """Return why the wager may not be placed with the player's other wagers, or None."""
        try:
            self.check_placed(wager, placed, table)
        except SettlementError as problem:
            return problem
        return None

    def outcome_seen(self, facts: RoundFacts) -> Document | None:
        """Derive the outcome from the facts of a round; None where it is recorded otherwise.

        Raises:
            SettlementError: OUTCOME_INCOMPLETE, or facts that cannot be together.

        """
        del facts
        return None

    def outcome_for(self, document: Document, wagers: Sequence[Wager]) -> Document:
        """Remove from an outcome the parts of void bets that were left out."""
        del wagers
        return document

    def stakes_added(
        self, facts: RoundFacts, action: Action, table: TableLimits
    ) -> tuple[Wager, ...]:
        """Return the stakes that an action adds at this moment, each with its id.

        Raises:
            SettlementError: the action is certainly not possible.

        """
        del facts, table
        raise not_allowed(
            Phrase("NO_DECISION_AFTER_CLOSE", game=self.header.game, action=action.type)
        )

    def box_problem(
        self, wager: Wager, on_box: Sequence[Wager], table: TableLimits
    ) -> SettlementError | None:
        """Return why a wager may not join those of all players on its box, or None."""
        del wager, on_box, table
        return None

    def may_conclude(self, wager: Wager, others: Sequence[Wager]) -> bool:
        """Return whether chips may become a bet with the player's other chips."""
        del wager, others
        return True

    @property
    def turns_needed(self) -> int:
        """Return the required full turns of a valid spin; 0 where nothing spins."""
        return 0

    @property
    def repeated_spins(self) -> frozenset[str]:
        """Return the reasons for which a spin does not count: it is repeated, or void."""
        return frozenset(self.header.void_reasons)

    @property
    def no_spins(self) -> frozenset[str]:
        """Return the causes of an invalid spin that void the round: nothing is spun again."""
        return frozenset()

    @property
    def alternates(self) -> bool:
        """Return whether the wheel changes direction with each valid spin."""
        return False

    def spin_fault(self, turns: int, *, against: bool, again: bool) -> Phrase | None:
        """Return why the plan makes a spin invalid, or None.

        Args:
            turns: full turns of the ball, or of a wheel without one.
            against: the ball ran against the wheel.
            again: the wheel turned as in the last valid spin.

        """
        del turns, against, again
        return None

    @property
    def plays_in_colours(self) -> bool:
        """Return whether players may have chips of a colour of their own."""
        return False

    @property
    def seats_max(self) -> int:
        """Return how many players sit at a table; 0 where the plan gives no number."""
        return 0

    @property
    def payouts_inspected(self) -> bool:
        """Return whether an inspector checks every payout of a winning bet."""
        return False

    @property
    def shares_boxes(self) -> bool:
        """Return whether several players may bet on a box, of whom one decides."""
        return False

    @property
    def stake_range(self) -> tuple[int, int]:
        """Return the smallest and the largest stake of the plan, in haler; 0 for no bound."""
        return 0, 0

    def imprisoned(self, wager: Wager, document: Document) -> int:
        """Return the chip of a wager that waits for the next spin after this outcome, in haler."""
        del wager, document
        return 0

    def releases(self, wager: Wager, number: int) -> bool:
        """Return whether a spin gives a chip in prison back to the player."""
        del wager, number
        return False

    def may_void(self, reason: str, *, everybody: bool) -> bool:
        """Return whether a reason of the plan applies to all players, or to single ones."""
        del everybody
        return reason in self.header.void_reasons

    def needs_reconstruction(self, reason: str) -> bool:
        """Return whether a reconstruction must have failed before a reason makes a round void."""
        return reason in self.reconstructed_first

    def hands_shown(self, document: Document) -> Iterable[ShownHand]:
        """Yield the hands of an outcome with their values."""
        del document
        return ()

    def result_in_words(self, document: Document) -> str:
        """Describe an outcome."""
        return json.dumps(document)


class HousePlan(GamePlan, frozen=True, eq=False):
    """A game against the house; the record of a round is an `outcome_type`."""

    outcome_type: ClassVar[type[Outcome]]

    def read_outcome(
        self, document: Document, void: Void | None, disconnects: tuple[Disconnect, ...]
    ) -> Outcome:
        """Parse the family's fields of the outcome; raises MALFORMED_REQUEST."""
        found = read(document, self.outcome_type, "outcome")
        return replace(found, void=void, disconnects=disconnects)

    def settle_round(
        self,
        wagers: Sequence[Wager],
        actions: Sequence[Action],
        outcome: Outcome,
        table: TableLimits,
    ) -> RoundResult:
        """Settle every wager of a round."""
        if not isinstance(outcome, self.outcome_type):
            message = f"{self.header.game} needs a {self.outcome_type.__name__}"
            raise TypeError(message)
        lines = self.decide(wagers, actions, outcome, table)
        return RoundResult(self.header.game, self.header.version, tuple(lines))

    @abstractmethod
    def decide(
        self,
        wagers: Sequence[Wager],
        actions: Sequence[Action],
        outcome: Any,
        table: TableLimits,
    ) -> Iterable[ResultLine]:
        """Settle every wager, and what actions added, by an outcome of the family's type.

        Raises:
            SettlementError: the first problem, in the order of the contract.

        """
