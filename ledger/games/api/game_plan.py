"""Common base of the plans of all game families.

A `GamePlan` is one version of the approved rules of one game, loaded and checked. Its header names
the source of the rules and the paragraphs that decide each kind of line; each family adds its pay
table and its rules in a subclass.
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
from ledger.games.api.round_facts import not_allowed
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
    from ledger.games.api.round_facts import RoundFacts, ShownHand
    from ledger.games.api.typed import Document


class PlanInterpretation(PlanTable, frozen=True):
    """A passage where the source is silent or contradictory, and the interpretation used."""

    paragraph: Text
    question: Text
    taken: Text


class CommonRules(PlanTable, frozen=True):
    """Paragraphs that every game cites.

    `disconnected` is set for streamed games only. `late` is the paragraph that makes chips after
    the close of betting void; None if such chips cannot exist.
    """

    settled: Text
    disconnected: Text | None = None
    late: Text | None = None


class PlanHeader(PlanTable, frozen=True):
    """Identity of a plan version and the paragraphs that every game cites.

    `version` is the day on which the plan took effect, or "unknown" if the source has no date.
    `name` is Czech, as in the source; `name_en` is its English translation; shipped plans have it
    in the catalogues of texts instead. `void_reasons` maps each reason for which stakes may be
    returned to its paragraph.
    """

    game: Text
    version: Text
    name: Text
    source: Text
    streamed: bool
    rules: CommonRules
    void_reasons: dict[str, Text]
    readings: tuple[PlanInterpretation, ...] = ()
    name_en: Text | None = None

    def __post_init__(self) -> None:
        """Require a paragraph on disconnections if the game is streamed."""
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

    The tables of its file are its fields; those common to all games are in its `header`. The class
    attributes describe the game to the ledger:

    `ranks_hands`: a settlement needs the extra `poker`. `unseen_fields` of an outcome cannot be
    derived from the facts of each round; `optional_fields` may be left out by the caller.
    `early_actions` are made before betting closes, all other actions after it. `needs_spin`: a ball
    or a wheel must have come to rest after a valid spin; with `closes_before_spin`, betting must be
    closed before the spin. `made_by` are the kinds of device that produce the result: a table has
    one of them, or none if people deal by hand. `bets_depend`: some bets require other bets.
    `additional_wagers` are the actions that add chips. Before a round is voided for a reason in
    `announced_before_void`, participants must be informed of the fault; for a reason in
    `reconstructed_first`, a reconstruction must have been tried.
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
        """Check a wager together with the player's other wagers; raises `SettlementError`."""

    @abstractmethod
    def table_problem(self, table: TableLimits) -> SettlementError | None:
        """Return why a table may not have these limits, or None."""

    @abstractmethod
    def describe(self, bet: str, selection: object) -> str:
        """Return a description of a bet's positions; raises `SettlementError`."""

    def wager_problem(
        self, wager: Wager, placed: Sequence[Wager], table: TableLimits
    ) -> SettlementError | None:
        """Return why a wager may not be placed together with the player's other wagers, or None."""
        try:
            self.check_placed(wager, placed, table)
        except SettlementError as problem:
            return problem
        return None

    def outcome_from_facts(self, facts: RoundFacts) -> Document | None:
        """Derive the outcome from the facts of a round; None if the game does not support this.

        Raises:
            SettlementError: OUTCOME_INCOMPLETE, or facts that contradict each other.

        """
        del facts
        return None

    def outcome_for(self, document: Document, wagers: Sequence[Wager]) -> Document:
        """Return an outcome without the parts of bets that are not among `wagers`.

        Such bets are void; their parts of the outcome may be missing.
        """
        del wagers
        return document

    def stakes_added(
        self, facts: RoundFacts, action: Action, table: TableLimits
    ) -> tuple[Wager, ...]:
        """Return the stakes that an action adds at this time, each with its id.

        Raises:
            SettlementError: the action is not possible, whatever cards are still unknown.

        """
        del facts, table
        raise not_allowed(
            Phrase("NO_DECISION_AFTER_CLOSE", game=self.header.game, action=action.type)
        )

    def box_problem(
        self, wager: Wager, on_box: Sequence[Wager], table: TableLimits
    ) -> SettlementError | None:
        """Return why a wager may not join the wagers of all players on its box, or None."""
        del wager, on_box, table
        return None

    def may_conclude(self, wager: Wager, others: Sequence[Wager]) -> bool:
        """Return whether chips may become a bet, given the player's other chips."""
        del wager, others
        return True

    @property
    def turns_needed(self) -> int:
        """Return the number of full turns that a valid spin requires; 0 if nothing spins."""
        return 0

    @property
    def repeated_spins(self) -> frozenset[str]:
        """Return the reasons for which a spin is invalid: it is repeated, or the round is void."""
        return frozenset(self.header.void_reasons)

    @property
    def voiding_causes(self) -> frozenset[str]:
        """Return the causes of an invalid spin that void the round, so that no spin follows."""
        return frozenset()

    @property
    def alternates(self) -> bool:
        """Return whether the wheel changes direction with each valid spin."""
        return False

    def spin_fault(self, turns: int, *, against: bool, again: bool) -> Phrase | None:
        """Return why the plan makes a spin invalid, or None.

        Args:
            turns: full turns of the ball, or of the wheel if there is no ball.
            against: whether the ball ran against the direction of the wheel.
            again: whether the wheel turned in the same direction as in the last valid spin.

        """
        del turns, against, again
        return None

    def refutes(
        self, cause: str, turns: int, *, against: bool, again: bool, stopped_at: str
    ) -> bool:
        """Return whether the record of a spin at rest contradicts a cause of its invalidity.

        Args:
            cause: the cause of an invalid spin, or the ground of a void that follows from it.
            turns: as for :meth:`spin_fault`, like ``against`` and ``again``.
            against: see there.
            again: see there.
            stopped_at: the field at which a wheel of fortune stopped; empty if none is known.

        """
        del cause, turns, against, again, stopped_at
        return False

    @property
    def plays_in_colours(self) -> bool:
        """Return whether players may have chips of a colour of their own."""
        return False

    def needs_chip(self, bet: str) -> bool:
        """Return whether a result may divide the stake of a bet by chips, whose value it needs."""
        del bet
        return False

    @property
    def seats_max(self) -> int:
        """Return the number of seats at a table; 0 if the plan gives no number."""
        return 0

    @property
    def payouts_inspected(self) -> bool:
        """Return whether an inspector checks every payout of a winning bet."""
        return False

    @property
    def shares_boxes(self) -> bool:
        """Return whether several players may bet on one box, on which one of them decides."""
        return False

    @property
    def stake_range(self) -> tuple[int, int]:
        """Return the smallest and the largest stake of the plan, in haler; 0 for no bound."""
        return 0, 0

    def imprisoned(self, wager: Wager, document: Document) -> int:
        """Return the value of the chip that waits for the next spin after this outcome, in haler.

        The result is 0 if the wager has no such chip.
        """
        del wager, document
        return 0

    def releases(self, wager: Wager, number: int) -> bool:
        """Return whether a spin releases a chip in prison to the player."""
        del wager, number
        return False

    def may_void(self, reason: str, *, everybody: bool) -> bool:
        """Return whether a reason may void the bets of all players, or those of single players.

        `everybody` selects which of the two is asked.
        """
        del everybody
        return reason in self.header.void_reasons

    def needs_reconstruction(self, reason: str) -> bool:
        """Return whether a reconstruction must have failed before a reason makes a round void."""
        return reason in self.reconstructed_first

    def hands_shown(self, document: Document) -> Iterable[ShownHand]:
        """Yield the hands of an outcome with their values."""
        del document
        return ()

    def describe_result(self, document: Document) -> str:
        """Return a description of an outcome."""
        return json.dumps(document)


class HousePlan(GamePlan, frozen=True, eq=False):
    """A plan of a game against the house; its outcomes are of type `outcome_type`."""

    outcome_type: ClassVar[type[Outcome]]

    def read_outcome(
        self, document: Document, void: Void | None, disconnects: tuple[Disconnect, ...]
    ) -> Outcome:
        """Parse the family's fields of the outcome; raises MALFORMED_REQUEST."""
        outcome = read(document, self.outcome_type, "outcome")
        return replace(outcome, void=void, disconnects=disconnects)

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
        """Return the result lines of all wagers and of the stakes that actions added.

        Raises:
            SettlementError: the first problem, in the order of the contract.

        """
