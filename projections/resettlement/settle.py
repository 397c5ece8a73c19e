"""A round settled again by its plan version.

What comes in: the course of a round with a result, and the limits of its table at the
opening. What goes out: what the plan gives for each bet, and what it can't settle. Stakes that
decisions added are found again from the decisions. The record is never trusted: what is wrong
with it is named, not raised.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ledger import games
from projections.facts.words import crowns

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from projections.resettlement.course import BetCourse, RoundCourse

__all__ = ["Problem", "Settled", "facts_of", "settle", "settle_one"]

NO_LIMITS = games.TableLimits()
OF_STAKES = frozenset(
    {
        games.Code.UNKNOWN_BET,
        games.Code.INVALID_STAKE,
        games.Code.STAKE_NOT_DIVISIBLE,
        games.Code.STAKE_MISMATCH,
        games.Code.INVALID_SELECTION,
        games.Code.INVALID_BOX,
        games.Code.BOX_LIMIT_EXCEEDED,
        games.Code.DUPLICATE_WAGER,
        games.Code.SIDE_BET_WITHOUT_MAIN,
        games.Code.BET_BELOW_MINIMUM,
        games.Code.BET_ABOVE_MAXIMUM,
        games.Code.TABLE_LIMIT_EXCEEDED,
        games.Code.INVALID_TABLE_LIMITS,
    }
)
"""Codes that blame the wagers; all others blame what was recorded of the round."""


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


@dataclass(frozen=True, slots=True)
class _Round:
    """A round in the form that games take."""

    plan: games.GamePlan
    wagers: list[games.Wager]
    actions: tuple[games.Action, ...]
    outcome: games.Outcome


def settle(course: RoundCourse, limits: games.TableLimits) -> Settled:
    """Settle the bets of a round with a result; ``limits`` are those at its opening."""
    try:
        plan = games.plan(course.game, course.plan_version)
    except games.SettlementError as error:
        return Settled({}, (Problem("PLAN_UNKNOWN", "", str(error)),))
    wagers, void, problems = _wagers(plan, course)
    try:
        document = _document(course.outcome)
        if course.has_voided:
            document = plan.outcome_for(document, wagers)
        outcome = plan.read_outcome(document, void, ())
    except (games.SettlementError, ValueError, RecursionError) as error:
        return Settled({}, (Problem("OUTCOME_IMPOSSIBLE", "", str(error)),))
    if not wagers:
        return Settled({}, (*problems, *_raises(course, {})))
    players = {wager.player for wager in wagers} if course.decisions else ()
    actions = tuple(action for action in course.decisions if action.player in players)
    try:
        result = games.settle_round(plan, wagers, actions, outcome, table=limits)
    except games.SettlementError as error:
        again = _what_can_be(_Round(plan, wagers, actions, outcome), limits, error)
        lines, more = again.lines, again.problems
        raises = _raises(course, lines) if lines else ()
    else:
        lines, more = {line.id: line for line in result.lines}, ()
        raises = _raises(course, lines)
    bets = course.bets
    decided = {
        name: line for name, line in lines.items() if name in bets and not bets[name].is_voided
    }
    return Settled(decided, (*problems, *more, *raises))


def facts_of(plan: games.GamePlan, course: RoundCourse) -> games.RoundFacts:
    """Return the facts of a round with the wagers that can be read."""
    return course.facts(_wagers(plan, course)[0])


def _document(text: str) -> dict[str, object]:
    document = json.loads(text)
    if not isinstance(document, dict):
        raise ValueError("the outcome is no JSON object")  # noqa: TRY004 - the text is at fault
    return document


def _wagers(
    plan: games.GamePlan, course: RoundCourse
) -> tuple[list[games.Wager], games.Void | None, list[Problem]]:
    """Return the main bets, and who of their players has no bets any more."""
    bets = course.main_bets()
    voided = {bet.account for bet in bets if bet.is_voided}
    reason = games.reason_for_single_players(plan) if voided else None
    if reason is None:
        bets = [bet for bet in bets if not bet.is_voided]
    wagers, problems = [], []
    for bet in bets:
        try:
            wagers.append(_wager(bet, bet.stake))
        except (ValueError, RecursionError) as error:
            problems.append(Problem("BET_NOT_ALLOWED", bet.bet, f"the selection is {error}"))
    return wagers, games.Void(reason, tuple(sorted(voided))) if reason else None, problems


def _wager(bet: BetCourse, stake: int) -> games.Wager:
    return games.Wager(
        id=bet.bet,
        player=bet.account,
        bet=bet.code,
        stake_haler=stake,
        selection=json.loads(bet.selection) if bet.selection else None,
        box=bet.box or None,
    )


def _raises(course: RoundCourse, lines: dict[str, games.ResultLine]) -> Iterator[Problem]:
    """Compare the stakes that decisions added with the bets that were made of them."""
    for name, line in lines.items():
        if line.parent is None:
            continue
        bet = course.bets.get(name)
        if bet is None or not bet.is_concluded:
            yield Problem("RAISE_MISSING", name, crowns(line.stake_haler))
        elif bet.stake != line.stake_haler:
            detail = f"{crowns(bet.stake)} against {crowns(line.stake_haler)}"
            yield Problem("RAISE_STAKE_WRONG", name, detail)
    for name, bet in course.bets.items():
        if bet.parent and bet.is_concluded and not bet.is_voided and name not in lines:
            yield Problem("RAISE_WITHOUT_DECISION", name, crowns(bet.stake))


def _what_can_be(found: _Round, limits: games.TableLimits, error: games.SettlementError) -> Settled:
    """Find out what the plan does not allow, and settle what it does."""
    if error.code not in OF_STAKES:
        return Settled({}, (Problem("OUTCOME_IMPOSSIBLE", "", str(error)),))
    problems = []
    is_limits_wrong = games.table_problem(found.plan, limits) is not None
    if is_limits_wrong:
        problems.append(Problem("TABLE_LIMITS_WRONG", "", str(error)))
    table = NO_LIMITS if is_limits_wrong else limits
    bad = dict(_not_allowed(found, table))
    problems += [Problem("BET_NOT_ALLOWED", name, detail) for name, detail in bad.items()]
    if not problems:
        problems.append(Problem("STAKES_NOT_ALLOWED", "", str(error)))
    lines = _together(found, bad) if found.plan.bets_depend else _each(found)
    return Settled(lines, tuple(problems))


def _not_allowed(found: _Round, table: games.TableLimits) -> Iterator[tuple[str, str]]:
    """Name the wagers that the plan does not allow, with the reason."""
    laid: dict[str, list[games.Wager]] = {}
    for wager in found.wagers:
        placed = laid.setdefault(wager.player, []) if found.plan.bets_depend else []
        problem = games.wager_problem(found.plan, wager, placed=placed, table=table)
        placed.append(wager)
        if problem is not None:
            yield wager.id, str(problem)


def _each(found: _Round) -> dict[str, games.ResultLine]:
    """Settle every wager alone, where none needs another, without limits of the table."""
    lines = (_lines(found, [wager]) for wager in found.wagers)
    return {line.id: line for of_one in lines for line in of_one}


def _together(found: _Round, bad: Iterable[str]) -> dict[str, games.ResultLine]:
    """Settle all wagers without limits of the table, or those that are not bad."""
    wrong = set(bad)
    for wagers in (found.wagers, [wager for wager in found.wagers if wager.id not in wrong]):
        lines = _lines(found, wagers)
        if lines:
            return {line.id: line for line in lines}
    return {}


def _lines(found: _Round, wagers: list[games.Wager]) -> tuple[games.ResultLine, ...]:
    players = {wager.player for wager in wagers}
    actions = [action for action in found.actions if action.player in players]
    try:
        return games.settle_round(found.plan, wagers, actions, found.outcome).lines
    except games.SettlementError:
        return ()


def settle_one(course: RoundCourse, bet: BetCourse, stake: int) -> int | None:
    """Return what is due on a bet had its stake been another; None where the plan can't.

    A raise has the stake that the plan gives it, and no other.
    """
    if not stake:
        return 0
    try:
        plan = games.plan(course.game, course.plan_version)
        wagers, void, _ = _wagers(plan, course)
        document = _document(course.outcome)
        if course.has_voided:
            document = plan.outcome_for(document, wagers)
        outcome = plan.read_outcome(document, void, ())
        changed = [_wager(bet, stake) if wager.id == bet.bet else wager for wager in wagers]
    except (games.SettlementError, ValueError, RecursionError):
        return None
    if not plan.bets_depend:
        changed = [wager for wager in changed if wager.id == bet.bet]
    found = _Round(plan, changed, tuple(course.decisions), outcome)
    for line in _lines(found, changed):
        if line.id == bet.bet and line.stake_haler == stake:
            return line.payout_haler
    return None
