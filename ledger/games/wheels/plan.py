"""Wheels of fortune: Lucky Wheel and Lucky Wheel II of 69GAMES.

One mechanical wheel, fields of a few kinds, one bet for each kind. A wager wins exactly when the
pointer shows a field of its kind. Which kinds there are, how many fields each has and what it pays
is plan data; so are the limits and the reasons for which a game is void, always for everybody.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ledger.games.api import round_checks as checks
from ledger.games.api.contract import (
    Action,
    Code,
    Disconnect,
    Outcome,
    ResultLine,
    RoundResult,
    SettlementError,
    TableLimits,
    Void,
    Wager,
)
from ledger.games.api.game_plan import GamePlan, PlanHeader
from ledger.games.api.payouts import lost, read_odds, voided, won
from ledger.games.api.plan_reader import PlanError, Section
from ledger.games.api.shapes import Document, optional_text, shown
from ledger.games.api.stake_limits import PlacedStakes, StakeLimits, check_stake, read_limits

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from fractions import Fraction

    from ledger.games.api.seen import RoundFacts

_NOBODY: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class WheelField:
    """One kind of field: how many the wheel has and what a bet on it pays."""

    count: int
    odds: Fraction


@dataclass(frozen=True, kw_only=True, slots=True)
class WheelOutcome(Outcome):
    """The kind of field that the pointer shows."""

    field: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class WheelPlan(GamePlan):
    """Fields and limits of one wheel; `turns_needed` is for the casino floor."""

    needs_spin: ClassVar[bool] = True
    closes_before_spin: ClassVar[bool] = True
    without_reconstruction: ClassVar[frozenset[str]] = frozenset(
        {"too_few_revolutions", "pointer_between_fields"}
    )
    header: PlanHeader
    fields: Mapping[str, WheelField]
    limits: StakeLimits
    turns_needed: int

    def read_outcome(
        self, document: Document, void: Void | None, disconnects: tuple[Disconnect, ...]
    ) -> WheelOutcome:
        """Read the field; raises MALFORMED_REQUEST."""
        return WheelOutcome(
            void=void,
            disconnects=disconnects,
            field=optional_text(document, "field", "outcome"),
        )

    def describe(self, bet: str, selection: object) -> str:
        """Name the field; raises UNKNOWN_BET."""
        del selection  # No bet on a wheel has one.
        self._check_bet(bet)
        times, _underscore, colour = bet.removeprefix("x").partition("_")
        return f"field {times}x {colour}".rstrip()

    def outcome_seen(self, facts: RoundFacts) -> Document:
        """Read the field at which the wheel stopped; raises OUTCOME_INCOMPLETE."""
        if not facts.field:
            raise SettlementError(Code.OUTCOME_INCOMPLETE, "the pointer shows no field")
        return {"field": facts.field}

    def spin_fault(self, turns: int, *, against: bool) -> str:
        """Return why a turn of the wheel does not count, or nothing."""
        del against  # There is no ball.
        if turns >= self.turns_needed:
            return ""
        return f"The wheel made {turns} turns, {self.turns_needed} are needed."

    def may_void(self, reason: str, *, everybody: bool) -> bool:
        """Return whether a turn of the wheel is void by a reason: for all players or for none."""
        return everybody and reason in self.header.void_reasons

    def result_in_words(self, document: Document) -> str:
        """Name the field."""
        return self.describe(str(document.get("field")), None)

    def table_problem(self, table: TableLimits) -> SettlementError | None:
        """Return why a table may not have these limits, or None."""
        return self.limits.table_problem(table)

    def check_placed(self, wager: Wager, placed: Sequence[Wager], table: TableLimits) -> None:
        """Check a wager beside the player's other wagers; raises `SettlementError`."""
        self._check_wager(wager)
        self.limits.check_wager(wager, PlacedStakes((*placed, wager)), table)

    def settle_round(
        self,
        wagers: Sequence[Wager],
        actions: Sequence[Action],
        outcome: Outcome,
        table: TableLimits,
    ) -> RoundResult:
        """Decide every wager of one turn of the wheel.

        Raises:
            SettlementError: the first problem, in the order wagers, limits, void, outcome, actions.
            TypeError: the outcome is of another family.

        """
        if not isinstance(outcome, WheelOutcome):
            message = "a turn of the wheel needs a WheelOutcome"
            raise TypeError(message)
        checks.judge_wagers(self.header, wagers, self._check_wager)
        self.limits.check_round(wagers, _NOBODY, table)
        checks.check_void(self.header, outcome)
        checks.check_participants(self.header, wagers, outcome)
        self._check_field(outcome)
        if actions:
            raise SettlementError(
                Code.ACTION_NOT_ALLOWED, "a wheel has no decisions after the close of bets"
            )
        lines = tuple(self._line(wager, outcome) for wager in wagers)
        return RoundResult(self.header.game, self.header.version, lines)

    def _check_wager(self, wager: Wager) -> None:
        """Judge a wager by itself: bet and stake."""
        self._check_bet(wager.bet)
        check_stake(wager)

    def _check_bet(self, code: str) -> None:
        if code not in self.fields:
            raise SettlementError(Code.UNKNOWN_BET, f"{self.header.game} has no bet {shown(code)}")

    def _check_field(self, outcome: WheelOutcome) -> None:
        if outcome.void is not None and outcome.void.players is not None:
            raise SettlementError(
                Code.INVALID_OUTCOME, "a game on a wheel is void for all players or for none"
            )
        if outcome.field is not None and outcome.field not in self.fields:
            raise SettlementError(
                Code.INVALID_OUTCOME, f"the wheel has no field {shown(outcome.field)}"
            )
        if outcome.field is None and outcome.void is None:
            raise SettlementError(
                Code.OUTCOME_INCOMPLETE, "the field is missing and the game is not void"
            )

    def _line(self, wager: Wager, outcome: WheelOutcome) -> ResultLine:
        void_rule = checks.void_rule(self.header, wager, outcome, _NOBODY)
        if void_rule is not None:
            return voided(wager.id, wager.stake_haler, void_rule)
        rule = self.header.rule_settled
        if wager.bet != outcome.field:
            return lost(wager.id, wager.stake_haler, rule)
        return won(wager.id, wager.stake_haler, self.fields[wager.bet].odds, rule)


def read_plan(header: PlanHeader, section: Section) -> WheelPlan:
    """Read the wheel part of a plan file.

    Raises:
        PlanError: a field is missing, misspelt or impossible.

    """
    wheel, kinds = section.section("wheel"), section.section("fields")
    fields = {code: _read_field(kinds.section(code)) for code in kinds}
    if wheel.integer("fields") != sum(field.count for field in fields.values()):
        raise PlanError(wheel.place("fields"), "must be the sum of the fields of all kinds")
    plan = WheelPlan(
        header=header,
        fields=fields,
        limits=read_limits(section.section("limits"), fields),
        turns_needed=wheel.integer("turns_needed"),
    )
    wheel.close()
    return plan


def _read_field(section: Section) -> WheelField:
    field = WheelField(section.integer("count"), read_odds(section, "pays"))
    section.close()
    return field
