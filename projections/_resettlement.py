"""A round settled again by its plan version.

What comes in: the course of a round with a result, and the limits of its table at the
opening. What goes out: what the plan gives for each bet, and what it can't settle. The
record is never trusted: what is wrong with it is named, not raised.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ledger import games

if TYPE_CHECKING:
    from projections._course import BetCourse, RoundCourse

__all__ = ["Problem", "Settled", "settle", "settle_one"]

NO_LIMITS = games.TableLimits()
OUTCOME_CODES = frozenset(
    {games.Code.MALFORMED_REQUEST, games.Code.INVALID_OUTCOME, games.Code.OUTCOME_INCOMPLETE}
)


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a round, or one of its bets, can't be settled as recorded; a code of ``findings``."""

    code: str
    bet: str
    detail: str


@dataclass(frozen=True, slots=True)
class Settled:
    """What the plan gives for each bet that it can decide, and its problems with the rest."""

    lines: dict[str, games.ResultLine]
    problems: tuple[Problem, ...] = ()


def settle(course: RoundCourse, limits: games.TableLimits) -> Settled:
    """Settle the wagers of a round with a result; ``limits`` are those at its opening."""
    try:
        plan = games.plan(course.game, course.plan_version)
    except games.SettlementError as error:
        return Settled({}, (Problem("PLAN_UNKNOWN", "", str(error)),))
    try:
        outcome = _outcome(plan, course.outcome)
    except (games.SettlementError, ValueError, RecursionError) as error:
        return Settled({}, (Problem("OUTCOME_IMPOSSIBLE", "", str(error)),))
    wagers, problems = _wagers(course.wagers())
    if not wagers:
        return Settled({}, tuple(problems))
    try:
        result = games.settle_round(plan, wagers, (), outcome, table=limits)
    except games.SettlementError as error:
        again = _one_by_one(plan, wagers, outcome, limits, error)
        return Settled(again.lines, (*problems, *again.problems))
    return Settled({line.id: line for line in result.lines}, tuple(problems))


def _outcome(plan: games.GamePlan, text: str) -> games.Outcome:
    document = json.loads(text)
    if not isinstance(document, dict):
        raise ValueError("the outcome is no JSON object")  # noqa: TRY004 - the text is at fault
    return plan.read_outcome(document, None, ())


def _wagers(bets: list[BetCourse]) -> tuple[list[games.Wager], list[Problem]]:
    wagers, problems = [], []
    for bet in bets:
        try:
            wagers.append(_wager(bet, bet.stake))
        except (ValueError, RecursionError) as error:
            problems.append(Problem("BET_NOT_ALLOWED", bet.bet, f"the selection is {error}"))
    return wagers, problems


def _wager(bet: BetCourse, stake: int) -> games.Wager:
    return games.Wager(
        id=bet.bet,
        player=bet.account,
        bet=bet.code,
        stake_haler=stake,
        selection=json.loads(bet.selection) if bet.selection else None,
        box=bet.box or None,
    )


def _one_by_one(
    plan: games.GamePlan,
    wagers: list[games.Wager],
    outcome: games.Outcome,
    limits: games.TableLimits,
    error: games.SettlementError,
) -> Settled:
    """Find out what the plan does not allow, and settle what it does."""
    if error.code in OUTCOME_CODES:
        return Settled({}, (Problem("OUTCOME_IMPOSSIBLE", "", str(error)),))
    problems = []
    is_limits_wrong = games.table_problem(plan, limits) is not None
    if is_limits_wrong:
        problems.append(Problem("TABLE_LIMITS_WRONG", "", str(error)))
    lines, is_explained = {}, is_limits_wrong
    for wager in wagers:
        table = NO_LIMITS if is_limits_wrong else limits
        problem = games.wager_problem(plan, wager, table=table)
        if problem is not None:
            is_explained = True
            problems.append(Problem("BET_NOT_ALLOWED", wager.id, str(problem)))
        line = _line(plan, wager, outcome)
        if line is not None:
            lines[wager.id] = line
    if not is_explained:
        problems.append(Problem("STAKES_NOT_ALLOWED", "", str(error)))
    return Settled(lines, tuple(problems))


def _line(
    plan: games.GamePlan, wager: games.Wager, outcome: games.Outcome
) -> games.ResultLine | None:
    """Settle a wager alone, without limits of the table; None where the plan can't."""
    try:
        (line,) = games.settle_round(plan, [wager], (), outcome).lines
    except games.SettlementError:
        return None
    return line


def settle_one(course: RoundCourse, bet: BetCourse, stake: int) -> int | None:
    """Tell what is due on a bet had its stake been another; None where the plan can't."""
    if not stake:
        return 0
    try:
        plan = games.plan(course.game, course.plan_version)
        line = _line(plan, _wager(bet, stake), _outcome(plan, course.outcome))
    except (games.SettlementError, ValueError, RecursionError):
        return None
    return None if line is None else line.payout_haler
