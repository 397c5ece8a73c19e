"""What a round settled again says about the record: findings and corrections.

Pure: a course, the limits of its table and what was changed after settlement come in.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ledger import games
from projections.facts.words import crowns
from projections.reconciliation.findings import Found
from projections.resettlement.settle import facts_of, settle, settle_one

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from projections.resettlement.course import BetCourse, RoundCourse

__all__ = ["UNTOUCHED", "Amendment", "Correction", "Judgement", "judge"]


@dataclass(frozen=True, slots=True)
class Amendment:
    """Changes of one bet after settlement, added up; haléř, ``win`` from the wallet's side.

    ``withheld`` is not due, ``collected`` the part of it that was taken back or claimed.
    """

    last_position: int
    win: int
    stake: int
    withheld: int
    collected: int


UNTOUCHED = Amendment(0, 0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Correction:
    """A bet that was changed after settlement and now is right.

    ``paid_before`` and ``paid`` are what was paid at settlement and is now, ``due`` what is
    due; ``position`` is that of the last change. Haléř.
    """

    position: int
    account: str
    round: str
    bet: str
    paid_before: int
    paid: int
    due: int


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a round led to; ``bets`` were settled again."""

    bets: int
    findings: list[Found]
    corrected: list[Correction]


def judge(
    course: RoundCourse, limits: games.TableLimits, amendments: Mapping[str, Amendment]
) -> Judgement:
    """Settle a round again and compare."""
    settled = settle(course, limits)
    findings, corrected = [*_studio(course), *_raises(course, limits)], []
    for problem in settled.problems:
        bet = course.bets.get(problem.bet) or course.bets.get(problem.bet.partition(":")[0])
        findings.append(
            Found(
                problem.code,
                position=course.resulted_position,
                account=bet.account if bet else "",
                round=course.round,
                bet=problem.bet,
                detail=problem.detail,
            )
        )
    for name, line in settled.lines.items():
        bet = course.bets[name]
        if not bet.settled_position:
            continue
        found, correction = _compare(course, bet, line, amendments.get(name, UNTOUCHED))
        findings += found
        if correction is not None:
            corrected.append(correction)
    return Judgement(len(settled.lines), findings, corrected)


def _compare(
    course: RoundCourse, bet: BetCourse, line: games.ResultLine, change: Amendment
) -> tuple[list[Found], Correction | None]:
    """Compare one settlement: due with due, and money paid by now with money due by now."""
    due = line.payout_haler
    if change.stake:
        due = settle_one(course, bet, bet.stake + change.stake) or 0
    due = max(due - change.withheld, 0)
    paid = bet.paid + change.win - change.collected
    is_right = bet.due == line.payout_haler and bet.result == line.result
    if paid == due and (is_right or change.last_position):
        if not change.last_position:
            return [], None
        corrected = Correction(
            position=change.last_position,
            account=bet.account,
            round=course.round,
            bet=bet.bet,
            paid_before=bet.paid,
            paid=paid,
            due=due,
        )
        return [], corrected
    facts = [
        *_record_faults(bet, line),
        *_money_faults(paid - due, change),
    ]
    return [
        Found(
            code,
            position=bet.settled_position,
            account=bet.account,
            round=course.round,
            bet=bet.bet,
            amount=amount,
            detail=detail,
            paragraph=line.rule,
        )
        for code, amount, detail in facts
    ], None


def _record_faults(bet: BetCourse, line: games.ResultLine) -> Iterator[tuple[str, int, str]]:
    if bet.due != line.payout_haler:
        detail = f"{crowns(bet.due)} against {crowns(line.payout_haler)}"
        yield "DUE_WRONG", bet.due - line.payout_haler, detail
    if bet.result != line.result:
        yield "RESULT_WRONG", 0, f"{bet.result} against {line.result}"


def _money_faults(excess: int, change: Amendment) -> Iterator[tuple[str, int, str]]:
    if excess < 0:
        yield "PAID_TOO_LITTLE", -excess, ""
    elif 0 < excess <= change.withheld - change.collected:
        yield "PRIZE_NOT_COLLECTED", excess, ""
    elif excess > 0:
        yield "PAID_TOO_MUCH", excess, ""


def _studio(course: RoundCourse) -> Iterator[Found]:
    """Compare the result with what the studio recorded before it."""
    try:
        plan = games.plan(course.game, course.plan_version)
        document = json.loads(course.outcome)
    except (games.SettlementError, ValueError, RecursionError):
        return
    if plan.header.streamed != course.is_streamed:
        kind = "streamed" if plan.header.streamed else "land-based"
        place = {"position": course.opened_position, "round": course.round}
        yield Found("ROUND_KIND_WRONG", **place, detail=kind)  # type: ignore[arg-type]
    if not isinstance(document, dict):
        return
    if not plan.needs_spin:
        if not course.is_reconstructed:
            yield from _seen(course, plan, document)
        return
    place = {"position": course.resulted_position, "round": course.round}
    spin, landed = course.landed
    if spin != "landed":
        if not course.is_reconstructed and not document.keys().isdisjoint({"number", "field"}):
            yield Found("RESULT_WITHOUT_SPIN", **place)  # type: ignore[arg-type]
        return
    if "number" in document and landed != document["number"] and not course.is_reconstructed:
        detail = f"{document['number']} against {landed}"
        yield Found("RESULT_NOT_LANDED", **place, detail=detail)  # type: ignore[arg-type]
    if "field" in document and not course.is_reconstructed:
        yield from _seen(course, plan, document)
    if course.spin_position:
        yield from _spin(course, plan)


def _seen(
    course: RoundCourse, plan: games.GamePlan, document: dict[str, object]
) -> Iterator[Found]:
    """Compare the outcome with the cards, or the field, field by field."""
    facts = facts_of(plan, course)
    if course.has_voided:
        document = plan.outcome_for(document, facts.wagers)
    try:
        seen = plan.outcome_seen(facts)
    except games.SettlementError as error:
        details = [str(error)]
    else:
        if seen is None:
            return
        optional = plan.optional_fields - document.keys()
        details = [
            f"{name} {document.get(name)} against {seen.get(name)}"
            for name in sorted((seen.keys() | document.keys()) - plan.unseen_fields - optional)
            if document.get(name) != seen.get(name)
        ]
    for detail in details:
        yield Found(
            "RESULT_NOT_SEEN", position=course.resulted_position, round=course.round, detail=detail
        )


def _raises(course: RoundCourse, limits: games.TableLimits) -> Iterator[Found]:
    """Judge each stake that was added by what lay on the table when it was decided."""
    if not course.raises:
        return
    try:
        plan = games.plan(course.game, course.plan_version)
    except games.SettlementError:
        return
    wagers = facts_of(plan, course).wagers
    players = {wager.player for wager in wagers}
    for position, action, before, cards in course.raises:
        facts = games.RoundFacts(wagers, [a for a in before if a.player in players], cards)
        try:
            if action.player in players:
                plan.stakes_added(facts, action, limits)
        except games.SettlementError as error:
            yield Found(
                "RAISE_NOT_ALLOWED",
                position=position,
                account=action.player,
                round=course.round,
                detail=str(error),
            )


def _spin(course: RoundCourse, plan: games.GamePlan) -> Iterator[Found]:
    """Look at the spin that counted, where the plan has such a spin repeated or void."""
    repeated, needed = plan.repeated_spins, plan.turns_needed
    place = {"position": course.spin_position, "round": course.round}
    if "too_few_revolutions" in repeated and course.turns < needed:
        detail = f"{course.turns} of {needed}"
        yield Found("SPIN_TOO_SHORT", **place, detail=detail)  # type: ignore[arg-type]
    if "wrong_direction" in repeated and course.one_direction:
        yield Found("SPIN_WRONG_DIRECTION", **place)  # type: ignore[arg-type]
