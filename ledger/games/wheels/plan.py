"""Wheels of fortune: Lucky Wheel and Lucky Wheel II of 69GAMES.

One mechanical wheel, fields of a few kinds, one bet for each kind. A wager wins exactly when the
pointer shows a field of its kind. The kinds, the number of fields of each and their odds are plan
data, as are the limits and the reasons for which a game is void, always for all players.
"""

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING, ClassVar

from msgspec import field

from ledger.core.phrases import Phrase
from ledger.games.api import round_checks as checks
from ledger.games.api.contract import (
    Action,
    Code,
    Outcome,
    ResultLine,
    SettlementError,
    TableLimits,
    Wager,
)
from ledger.games.api.explanation import Reason, Why
from ledger.games.api.facts import FieldFacts
from ledger.games.api.payouts import Odds, lost, voided, won
from ledger.games.api.plan_table import PlanTable, wrong
from ledger.games.api.stake_limits import LimitedPlan
from ledger.games.api.typed import Count, OptionalField

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ledger.games.api.round_facts import RoundFacts
    from ledger.games.api.typed import Document

_NOBODY: frozenset[str] = frozenset()


class WheelField(PlanTable, frozen=True):
    """One kind of field: the number of such fields on the wheel, and the odds of a bet on it."""

    count: Count
    odds: Odds = field(name="pays")


class Wheel(PlanTable, frozen=True):
    """Number of fields of a wheel, and the turns that the studio must give it."""

    fields: Count
    turns_needed: Count


class WheelOutcome(Outcome, frozen=True):
    """The kind of field that the pointer shows."""

    field: OptionalField[str] = None


class WheelPlan(LimitedPlan, frozen=True):
    """Fields and limits of one wheel."""

    outcome_type: ClassVar[type[Outcome]] = WheelOutcome
    needs_spin: ClassVar[bool] = True
    made_by: ClassVar[frozenset[str]] = frozenset({"wheel", "machine"})
    closes_before_spin: ClassVar[bool] = True
    wheel: Wheel
    fields: dict[str, WheelField]

    def __post_init__(self) -> None:
        """Reject a wheel whose number of fields is not the sum over its kinds."""
        super().__post_init__()
        if self.wheel.fields != sum(kind.count for kind in self.fields.values()):
            raise wrong("wheel.fields", "must be the sum of the fields of all kinds")

    @cached_property
    def bet_words(self) -> dict[str, str]:
        """Return the names of the fields by their codes."""
        parts = {code: code.removeprefix("x").partition("_") for code in self.fields}
        return {
            code: f"field {times}x {colour}".rstrip() for code, (times, _, colour) in parts.items()
        }

    @cached_property
    def each_field(self) -> tuple[str, ...]:
        """Return the kind of every field of the wheel."""
        return tuple(code for code, kind in self.fields.items() for _ in range(kind.count))

    @property
    def turns_needed(self) -> int:
        """Return the full turns of a valid spin."""
        return self.wheel.turns_needed

    @property
    def voiding_causes(self) -> frozenset[str]:
        """Return the cause of an invalid turn that voids the round."""
        return frozenset({"too_few_revolutions"} & self.header.void_reasons.keys())

    def outcome_from_facts(self, facts: RoundFacts) -> Document:
        """Derive the field at which the wheel stopped; raises OUTCOME_INCOMPLETE."""
        if not facts.field:
            raise SettlementError(Code.OUTCOME_INCOMPLETE, Phrase("POINTER_SHOWS_NO_FIELD"))
        return {"field": facts.field}

    def spin_fault(self, turns: int, *, against: bool, again: bool) -> Phrase | None:
        """Return why a turn of the wheel is invalid, or None."""
        del against, again  # There is no ball, and the wheel has one way.
        if turns >= self.turns_needed:
            return None
        return Phrase("TURNS_OF_WHEEL", turns=turns, needed=self.turns_needed)

    def refutes(
        self, cause: str, turns: int, *, against: bool, again: bool, stopped_at: str
    ) -> bool:
        """Return whether the turns suffice, or the pointer showed a field."""
        if cause == "pointer_between_fields":
            return bool(stopped_at)
        fault = self.spin_fault(turns, against=against, again=again)
        return cause == "too_few_revolutions" and fault is None

    def may_void(self, reason: str, *, everybody: bool) -> bool:
        """Return whether a turn of the wheel is void for a reason: for all players or for none."""
        return everybody and reason in self.header.void_reasons

    def describe_result(self, document: Document) -> str:
        """Return the name of the field."""
        return self.describe(str(document.get("field")), None)

    def decide(
        self,
        wagers: Sequence[Wager],
        actions: Sequence[Action],
        outcome: WheelOutcome,
        table: TableLimits,
    ) -> Iterable[ResultLine]:
        """Settle every wager of one turn of the wheel."""
        checks.check_each_wager(self.header, wagers, self.check_wager)
        self.check_limits(wagers, _NOBODY, table)
        checks.check_void(self.header, outcome)
        checks.check_participants(self.header, wagers, outcome)
        self._check_field(outcome)
        if actions:
            raise SettlementError(Code.ACTION_NOT_ALLOWED, Phrase("WHEEL_WITHOUT_DECISIONS"))
        return tuple(self._line(wager, outcome) for wager in wagers)

    def _check_field(self, outcome: WheelOutcome) -> None:
        if outcome.void is not None and outcome.void.players is not None:
            raise SettlementError(Code.INVALID_OUTCOME, Phrase("WHEEL_VOID_FOR_ALL"))
        if outcome.field is not None and outcome.field not in self.fields:
            raise SettlementError(
                Code.INVALID_OUTCOME, Phrase("FIELD_UNKNOWN", field=outcome.field)
            )
        if outcome.field is None and outcome.void is None:
            raise SettlementError(Code.OUTCOME_INCOMPLETE, Phrase("FIELD_MISSING"))

    def _line(self, wager: Wager, outcome: WheelOutcome) -> ResultLine:
        unplayed = checks.return_ground(self.header, wager, outcome, _NOBODY)
        if unplayed is not None:
            return voided(wager.id, wager.stake_haler, *unplayed)
        rule, facts = self.header.rule_settled, partial(FieldFacts, outcome.field or "")
        if wager.bet != outcome.field:
            return lost(wager.id, wager.stake_haler, rule, Why(Reason.FIELD_LOST, facts))
        why = Why(Reason.FIELD_WON, facts, wager.bet)
        return won(wager.id, wager.stake_haler, self.fields[wager.bet].odds, rule, why)
