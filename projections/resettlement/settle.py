"""Settle a round again by the version of its game plan.

What comes in: the history of a round with a result, the limits of its table at the opening, and
stakes corrected later. What goes out: the plan's result for each bet, and the problems of bets that
it cannot settle. Additional wagers are derived again from their actions. The record is not trusted:
its faults are returned, not raised.
"""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from ledger import games
from ledger.core.phrases import Phrase
from projections.resettlement.faults import fault_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from projections.resettlement.round_history import BetHistory, RoundHistory

__all__ = ["PlayedRound", "Problem", "RoundSettlement", "settle", "shown_outcome"]

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
"""Error codes that concern wagers; all others concern the record of the round."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Reason why a round or one of its bets cannot be settled; ``code`` is that of the finding."""

    code: str
    bet: str
    detail: Phrase | int | None = None


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """A round in the form that the game plans need: valid main bets, actions and facts.

    ``void`` are the players without any valid bet, ``unreadable`` the bets that cannot be read.
    """

    plan: games.GamePlan
    facts: games.RoundFacts
    void: games.Void | None
    unreadable: tuple[Problem, ...]


@dataclass(frozen=True, slots=True)
class RoundSettlement:
    """The plan's result for each bet that it can settle, and the problems of the others.

    ``corrected`` is the result of each bet with a corrected stake, where the plan can compute it; a
    bet whose stake was corrected to nothing has none.
    """

    played: PlayedRound
    results: Mapping[str, games.ResultLine]
    problems: tuple[Problem, ...]
    corrected: Mapping[str, games.ResultLine]


def settle(
    history: RoundHistory,
    plan: games.GamePlan,
    limits: games.TableLimits,
    stakes: Mapping[str, int],
) -> RoundSettlement:
    """Settle the bets of a round with a result.

    Args:
        history: the round.
        plan: the version of its game in force for it.
        limits: limits of its table at the opening.
        stakes: corrected stakes of bets (haléř).

    """
    played = _played(history, plan)
    try:
        document = _document(history, played)
        outcome = plan.read_outcome(document, played.void, ())
    except (games.SettlementError, ValueError, RecursionError) as error:
        return RoundSettlement(
            played, {}, (Problem("OUTCOME_IMPOSSIBLE", "", fault_of(error)),), {}
        )
    problems = [*played.unreadable, *_wrongly_imprisoned(history, played, document)]
    played, early = _without_waiting(history, played, document)
    problems += early
    try:
        results = _results(played, outcome, played.facts.wagers, limits)
    except games.SettlementError as error:
        results, found = _what_can_be(played, outcome, limits, error)
        problems += found
    of_bets = {
        name: result
        for name, result in results.items()
        if name in history.bets and not history.bets[name].is_voided
    }
    corrected = {
        name: result
        for name, stake in stakes.items()
        if name in of_bets and (result := _with_stake(played, outcome, name, stake)) is not None
    }
    if results or not played.facts.wagers:
        problems += _additional_wagers(history, results)
    return RoundSettlement(played, of_bets, tuple(problems), corrected)


def shown_outcome(history: RoundHistory, plan: games.GamePlan) -> dict[str, Any] | None:
    """Return the outcome that the cards, the ball and the actions of a round show.

    Returns None if they show none; hands of bets that are not in the history are left out.
    """
    facts = dataclasses.replace(_played(history, plan).facts, number=history.number)
    try:
        seen = plan.outcome_from_facts(facts)
    except games.SettlementError:
        return None
    if not seen:
        return None
    document = dict(plan.outcome_for(seen, facts.wagers))
    hands = document.get("hands")
    if isinstance(hands, dict):
        roots = {root for wager in facts.wagers for root in (wager.box, wager.player) if root}
        document["hands"] = {
            name: hands[name]
            for name in hands
            if any(name == root or name.startswith(f"{root}.") for root in roots)
        }
    return document


def _played(history: RoundHistory, plan: games.GamePlan) -> PlayedRound:
    """Convert a round to the form of the games."""
    bets = [bet for bet in history.bets.values() if bet.is_concluded and not bet.placed.parent]
    voided = {bet.placed.account for bet in bets if bet.is_voided}
    reason = games.reason_for_single_players(plan) if voided else None
    if reason is None:
        bets = [bet for bet in bets if not bet.is_voided]
    wagers, unreadable = [], []
    for bet in bets:
        try:
            wagers.append(_wager(bet))
        except (ValueError, RecursionError) as error:
            detail = Phrase("SELECTION_UNREADABLE", problem=error)
            unreadable.append(Problem("BET_NOT_ALLOWED", bet.placed.bet, detail))
    facts = games.RoundFacts(
        wagers=wagers,
        actions=_of_players(history.actions, wagers),
        cards=tuple(history.cards.values()),
        number=history.landed[1],
        field=history.stopped_at,
        owners=history.owners,
    )
    void = games.Void(reason, tuple(sorted(voided))) if reason else None
    return PlayedRound(plan, facts, void, tuple(unreadable))


def _wager(bet: BetHistory) -> games.Wager:
    placed = bet.placed
    return games.Wager(
        id=placed.bet,
        player=placed.account,
        bet=placed.bet_code,
        stake_haler=placed.stake,
        selection=json.loads(placed.selection) if placed.selection else None,
        box=placed.box or None,
        chip_haler=bet.chip or None,
    )


def _wrongly_imprisoned(
    history: RoundHistory, played: PlayedRound, document: dict[str, Any]
) -> Iterator[Problem]:
    """Yield the bets of which other chips wait for the next spin than the odd one."""
    at_result = {name: value for name, value in document.items() if name != "next_number"}
    for wager in played.facts.wagers:
        recorded = history.bets[wager.id].imprisoned
        right = played.plan.imprisoned(wager, at_result)
        if recorded != right:
            detail = Phrase("MONEY_AGAINST", recorded=recorded, right=right)
            yield Problem("PRISON_CHIPS_WRONG", wager.id, detail)


def _without_waiting(
    history: RoundHistory, played: PlayedRound, document: dict[str, Any]
) -> tuple[PlayedRound, list[Problem]]:
    """Leave out bets that wait for the next spin; return those settled too early as problems."""
    facts = played.facts
    waiting = {wager.id for wager in facts.wagers if played.plan.imprisoned(wager, document)}
    if not waiting:
        return played, []
    wagers = tuple(wager for wager in facts.wagers if wager.id not in waiting)
    early = [
        Problem("BET_SETTLED_EARLY", name)
        for name in sorted(waiting)
        if history.bets[name].settled is not None
    ]
    return dataclasses.replace(played, facts=dataclasses.replace(facts, wagers=wagers)), early


def _of_players(
    actions: Sequence[games.Action], wagers: Iterable[games.Wager]
) -> list[games.Action]:
    """Return the actions of players who have wagers."""
    players = {wager.player for wager in wagers} if actions else frozenset()
    return [action for action in actions if action.player in players]


def _document(history: RoundHistory, played: PlayedRound) -> dict[str, Any]:
    """Return the recorded outcome, without the parts that belong to void bets."""
    document: Any = json.loads(history.outcome)
    if not isinstance(document, dict):
        raise ValueError("the outcome is no JSON object")  # noqa: TRY004 - the text is at fault
    if history.next_number is not None:
        document["next_number"] = history.next_number
    if history.has_voided:
        return played.plan.outcome_for(document, played.facts.wagers)
    return document


def _additional_wagers(
    history: RoundHistory, results: dict[str, games.ResultLine]
) -> Iterator[Problem]:
    """Compare the additional wagers that follow from actions with the recorded bets."""
    for name, result in results.items():
        if result.parent is None:
            continue
        bet = history.bets.get(name)
        if bet is None or not bet.is_concluded:
            yield Problem("RAISE_MISSING", name, result.stake_haler)
        elif bet.placed.stake != result.stake_haler:
            right = result.stake_haler
            detail = Phrase("MONEY_AGAINST", recorded=bet.placed.stake, right=right)
            yield Problem("RAISE_STAKE_WRONG", name, detail)
    for name, bet in history.bets.items():
        if bet.placed.parent and bet.is_concluded and not bet.is_voided and name not in results:
            yield Problem("RAISE_WITHOUT_DECISION", name, bet.placed.stake)


def _what_can_be(
    played: PlayedRound,
    outcome: games.Outcome,
    limits: games.TableLimits,
    error: games.SettlementError,
) -> tuple[dict[str, games.ResultLine], list[Problem]]:
    """Find what the plan does not allow, and settle the rest as far as possible."""
    if error.code not in OF_STAKES:
        return {}, [Problem("OUTCOME_IMPOSSIBLE", "", fault_of(error))]
    problems = []
    is_limits_wrong = games.table_problem(played.plan, limits) is not None
    if is_limits_wrong:
        problems.append(Problem("TABLE_LIMITS_WRONG", "", fault_of(error)))
    bad = dict(_not_allowed(played, NO_LIMITS if is_limits_wrong else limits))
    problems += [Problem("BET_NOT_ALLOWED", name, detail) for name, detail in bad.items()]
    if not problems:
        problems.append(Problem("STAKES_NOT_ALLOWED", "", fault_of(error)))
    return _without_limits(played, outcome, bad), problems


def _not_allowed(played: PlayedRound, table: games.TableLimits) -> Iterator[tuple[str, Phrase]]:
    """Yield the wagers that the plan does not allow, each with the reason."""
    of_player: dict[str, list[games.Wager]] = {}
    for wager in played.facts.wagers:
        placed = of_player.setdefault(wager.player, []) if played.plan.bets_depend else []
        problem = games.wager_problem(played.plan, wager, placed=placed, table=table)
        placed.append(wager)
        if problem is not None:
            yield wager.id, fault_of(problem)


def _without_limits(
    played: PlayedRound, outcome: games.Outcome, bad: Iterable[str]
) -> dict[str, games.ResultLine]:
    """Settle bets without the limits of the table.

    Independent bets are settled individually. Where bets depend on each other, all are settled
    together, or if that fails only those that are not in ``bad``.
    """
    wagers = played.facts.wagers
    if not played.plan.bets_depend:
        alone = (_results_or_none(played, outcome, [wager]) for wager in wagers)
        return {name: result for of_one in alone for name, result in of_one.items()}
    wrong = set(bad)
    for some in (wagers, [wager for wager in wagers if wager.id not in wrong]):
        results = _results_or_none(played, outcome, some)
        if results:
            return results
    return {}


def _results(
    played: PlayedRound,
    outcome: games.Outcome,
    wagers: Sequence[games.Wager],
    limits: games.TableLimits,
) -> dict[str, games.ResultLine]:
    """Settle some wagers, with the actions of their players."""
    if not wagers:
        return {}
    actions = _of_players(played.facts.actions, wagers)
    found = games.settle_round(played.plan, wagers, actions, outcome, table=limits)
    return {result.id: result for result in found.lines}


def _results_or_none(
    played: PlayedRound, outcome: games.Outcome, wagers: Sequence[games.Wager]
) -> dict[str, games.ResultLine]:
    try:
        return _results(played, outcome, wagers, NO_LIMITS)
    except games.SettlementError:
        return {}


def _with_stake(
    played: PlayedRound, outcome: games.Outcome, bet: str, stake: int
) -> games.ResultLine | None:
    """Return the result of a bet with another stake; None if the plan cannot compute it.

    The stake of an additional wager is determined by the plan.
    """
    if not stake:
        return None
    wagers = [
        replace(wager, stake_haler=stake) if wager.id == bet else wager
        for wager in played.facts.wagers
    ]
    if not played.plan.bets_depend:
        wagers = [wager for wager in wagers if wager.id == bet]
    result = _results_or_none(played, outcome, wagers).get(bet)
    return result if result is not None and result.stake_haler == stake else None
