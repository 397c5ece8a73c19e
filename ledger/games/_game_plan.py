"""What the plans of all game families have in common.

A `GamePlan` is one version of the approved rules of one game, loaded and checked. Its header says
where the rules come from and which paragraph decides which kind of line; each family adds its pay
table and its rules as a subclass.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ledger.games._plan_reader import PlanError, Section

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

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


@dataclass(frozen=True, slots=True)
class Reading:
    """One place where the source is silent or contradicts itself, and what the ledger does."""

    paragraph: str
    question: str
    taken: str


@dataclass(frozen=True, slots=True)
class PlanHeader:
    """Identity of a plan version and the paragraphs that every game cites.

    `version` is the day on which the plan took effect, or "unknown" where the source has no date.
    `rule_disconnected` is there for streamed games only.
    `rule_late` None: chips after the close cannot exist; otherwise they are void by that rule.
    `void_reasons` maps each reason for which stakes may come back to its paragraph.
    """

    game: str
    version: str
    name: str
    source: str
    streamed: bool
    rule_settled: str
    rule_disconnected: str | None
    rule_late: str | None
    void_reasons: Mapping[str, str]
    readings: tuple[Reading, ...]


class GamePlan(ABC):
    """One version of the rules of one game, able to judge wagers and rounds."""

    header: PlanHeader

    @abstractmethod
    def read_outcome(
        self, document: Document, void: Void | None, disconnects: tuple[Disconnect, ...]
    ) -> Outcome:
        """Read the family's fields of the outcome; raises MALFORMED_REQUEST."""

    @abstractmethod
    def settle_round(
        self,
        wagers: Sequence[Wager],
        actions: Sequence[Action],
        outcome: Outcome,
        table: TableLimits,
    ) -> RoundResult:
        """Decide every wager of a round; raises `SettlementError`."""

    @abstractmethod
    def wager_problem(
        self, wager: Wager, lying: Sequence[Wager], table: TableLimits
    ) -> SettlementError | None:
        """Say why the wager may not be placed beside the player's lying ones, or None."""

    @abstractmethod
    def table_problem(self, table: TableLimits) -> SettlementError | None:
        """Say why a table may not have these limits, or None."""

    @abstractmethod
    def describe(self, bet: str, selection: object) -> str:
        """Say in words where the chips of a bet lie; raises `SettlementError`."""


def read_header(section: Section) -> PlanHeader:
    """Read the part of a plan file that all families share.

    Raises:
        PlanError: a field is missing or has a wrong type.

    """
    rules = section.section("rules")
    reasons = section.section("void_reasons")
    header = PlanHeader(
        game=section.text("game"),
        version=section.text("version"),
        name=section.text("name"),
        source=section.text("source"),
        streamed=section.flag("streamed"),
        rule_settled=rules.text("settled"),
        rule_disconnected=rules.optional_text("disconnected"),
        rule_late=rules.optional_text("late"),
        void_reasons={reason: reasons.text(reason) for reason in reasons},
        readings=tuple(_read_reading(entry) for entry in section.sections("readings")),
    )
    rules.close()
    if header.streamed != (header.rule_disconnected is not None):
        raise PlanError(
            rules.place("disconnected"), "must be given for streamed games and for no other"
        )
    return header


def _read_reading(section: Section) -> Reading:
    reading = Reading(section.text("paragraph"), section.text("question"), section.text("taken"))
    section.close()
    return reading
