"""A hand among players settled again from its recorded facts, and compared with the record.

Pure: a course and what was changed after settlement come in; findings and corrections go
out. Amounts are haléř; hands of tournaments are compared in hundredths of a chip.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from ledger import games
from ledger.decisions.hands.play import ACTED_FOR_MISDEAL
from ledger.state.hand_family import ofc_rules_of
from ledger.state.hand_record import outcome_of, settle
from projections.facts.words import crowns
from projections.reconciliation.findings import Found
from projections.reconciliation.rounds import UNTOUCHED, Amendment, Correction, Judgement

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ledger.state.hand import HandState
    from ledger.state.hand_record import PointsDue, PotDue, SettledHand
    from projections.resettlement.hands import HandCourse, Placed

__all__ = ["judge_hand"]


def judge_hand(course: HandCourse, amendments: Mapping[str, Amendment]) -> Judgement:
    """Settle a hand again and compare."""
    hand = course.hand
    if hand is None:
        return Judgement(0, [*_strange(course)], [])
    findings = [*_strange(course), *_sets(course, hand), *_misdeal(course, hand)]
    if course.resulted is None:
        return Judgement(0, findings, [])
    position = course.resulted.position
    try:
        settled = settle(hand)
    except (games.SettlementError, ValueError) as error:
        found = Found(
            "OUTCOME_IMPOSSIBLE", position=position, round=course.round, detail=str(error)
        )
        return Judgement(0, [*findings, found], [])
    findings += _outcome(course, hand)
    findings += _uncalled(course, settled)
    findings += _rake(course, settled)
    findings += [*_pots(course, settled), *_points(course, settled)]
    money, corrected = _money(course, hand, settled, amendments)
    return Judgement(len(hand.payers), findings + money, corrected)


def _outcome(course: HandCourse, hand: HandState) -> Iterator[Found]:
    """Compare the recorded outcome with the facts of the hand."""
    assert course.resulted is not None  # noqa: S101 - only then is there an outcome
    try:
        recorded = json.loads(course.resulted.event.outcome)
    except (ValueError, RecursionError):
        recorded = None
    again = outcome_of(hand)
    if recorded == again:
        return
    shown = recorded if isinstance(recorded, dict) else {}
    names = [name for name in {**again, **shown} if again.get(name) != shown.get(name)]
    yield Found(
        "OUTCOME_DIFFERS",
        position=course.resulted.position,
        round=course.round,
        detail=", ".join(sorted(names)) or "all of it",
    )


def _uncalled(course: HandCourse, settled: SettledHand) -> Iterator[Found]:
    due = settled.uncalled or ("", 0)
    back: dict[str, int] = {}
    for _, event in course.uncalled:
        back[event.account] = back.get(event.account, 0) + event.amount
    for name in sorted({due[0], *back} - {""}):
        right, recorded = (due[1] if name == due[0] else 0), back.get(name, 0)
        if right != recorded:
            yield _found(
                course,
                "UNCALLED_WRONG",
                course.uncalled,
                account=name,
                amount=recorded - right,
                detail=f"{crowns(recorded)} against {crowns(right)}",
                paragraph=settled.rule,
            )


def _rake(course: HandCourse, settled: SettledHand) -> Iterator[Found]:
    due = sum(event.due for _, event in course.rake)
    taken = sum(event.amount for _, event in course.rake)
    if due != settled.rake:
        yield _found(
            course,
            "RAKE_WRONG",
            course.rake,
            amount=due - settled.rake,
            detail=f"{crowns(due)} against {crowns(settled.rake)}",
        )
    if taken > settled.rake:
        yield _found(course, "RAKE_TOO_MUCH", course.rake, amount=taken - settled.rake)
    elif taken < settled.rake:
        yield _found(course, "RAKE_TOO_LITTLE", course.rake, amount=settled.rake - taken)


def _pots(course: HandCourse, settled: SettledHand) -> Iterator[Found]:
    recorded = {event.pot: (position, event) for position, event in course.pots}
    for number, pot in enumerate(settled.pots):
        position, event = recorded.pop(number, (0, None))
        faults = ["is not recorded"] if event is None else list(_pot_faults(event, pot))
        if faults:
            yield _found(
                course,
                "POT_WRONG",
                course.pots,
                position=position,
                amount=(event.amount if event is not None else 0) - pot.amount,
                detail=f"{_pot_name(number)}: {'; '.join(faults)}",
                paragraph=settled.rule,
            )
    for number, (position, event) in recorded.items():
        yield _found(
            course,
            "POT_WRONG",
            course.pots,
            position=position,
            amount=event.amount,
            detail=f"{_pot_name(number)}: there is no such pot",
            paragraph=settled.rule,
        )


def _pot_name(number: int) -> str:
    return f"side pot {number}" if number else "main pot"


def _pot_faults(event: Any, pot: PotDue) -> Iterator[str]:
    if (event.amount, event.rake) != (pot.amount, pot.rake):
        yield f"{crowns(event.amount)} against {crowns(pot.amount)}"
    if event.eligible != pot.eligible:
        yield f"open to {_names(event.eligible)} against {_names(pot.eligible)}"
    if event.winners != pot.winners:
        yield f"won by {_names(event.winners)} against {_names(pot.winners)}"
    stakes = dict(zip(event.accounts, event.stakes, strict=False))
    if {name: stake for name, stake in stakes.items() if stake} != pot.stakes:
        yield "made of other stakes"


def _names(names: tuple[str, ...]) -> str:
    return " and ".join(names) or "nobody"


def _points(course: HandCourse, settled: SettledHand) -> Iterator[Found]:
    points: PointsDue | None = settled.points
    if points is None:
        return
    recorded: dict[str, tuple[int, int]] = {}
    for _, event in course.points:
        for pair, count, amount in zip(event.pairs, event.points, event.amounts, strict=False):
            recorded[pair] = (count, amount)
    for pair, count in points.points.items():
        was = recorded.get(pair, (0, 0))
        right = (count, points.amounts[pair])
        if was != right:
            yield _found(
                course,
                "POINTS_WRONG",
                course.points,
                amount=was[1] - right[1],
                detail=f"{pair.replace('|', ' against ')}: {was[0]:+d} against {right[0]:+d}",
                paragraph=settled.rule,
            )


def _money(
    course: HandCourse,
    hand: HandState,
    settled: SettledHand,
    amendments: Mapping[str, Amendment],
) -> tuple[list[Found], list[Correction]]:
    """Compare what each player was paid, with what was changed since, with what is due."""
    ends = [*course.pots, *course.points]
    recorded, paid = _sums(ends, "due"), _sums(ends, "paid")
    right: dict[str, int] = dict(settled.points.due) if settled.points else {}
    for pot in settled.pots:
        for name, share in pot.due.items():
            right[name] = right.get(name, 0) + share
    findings: list[Found] = []
    corrected: list[Correction] = []
    for name in dict.fromkeys((*hand.payers, *paid)):
        bet = hand.bet_of(name) if name in hand.started.accounts else ""
        change = amendments.get(bet, UNTOUCHED)
        due = max(right.get(name, 0) - change.withheld, 0)
        got = paid.get(name, 0) + change.win - change.collected
        if got == due and change.last_position:
            before, now = paid.get(name, 0), got
            corrected.append(
                Correction(change.last_position, name, course.round, bet, before, now, due)
            )
            continue
        for code, amount, detail in _faults(
            recorded.get(name, 0), right.get(name, 0), got - due, change
        ):
            findings.append(
                _found(
                    course,
                    code,
                    ends,
                    account=name,
                    bet=bet,
                    amount=amount,
                    detail=detail,
                    paragraph=settled.rule,
                )
            )
    return findings, corrected


def _sums(ends: list[Placed], field: str) -> dict[str, int]:
    sums: dict[str, int] = {}
    for _, event in ends:
        for name, amount in zip(event.accounts, getattr(event, field), strict=False):
            sums[name] = sums.get(name, 0) + amount
    return sums


def _faults(
    recorded: int, right: int, excess: int, change: Amendment
) -> Iterator[tuple[str, int, str]]:
    if recorded != right:
        yield "DUE_WRONG", recorded - right, f"{crowns(recorded)} against {crowns(right)}"
    if excess < 0:
        yield "PAID_TOO_LITTLE", -excess, ""
    elif 0 < excess <= change.withheld - change.collected:
        yield "PRIZE_NOT_COLLECTED", excess, ""
    elif excess > 0:
        yield "PAID_TOO_MUCH", excess, ""


def _sets(course: HandCourse, hand: HandState) -> Iterator[Found]:
    """Judge the rows of every set again: foul, royalties, Fantasyland."""
    started = hand.started
    rules = None
    if course.sets:
        try:
            rules = ofc_rules_of(games.plan(started.game, started.plan_version))
        except games.SettlementError:
            return  # PLAN_UNKNOWN is found with the result
    for position, event in course.sets if rules is not None else ():
        assert rules is not None  # noqa: S101 - the loop is empty otherwise
        try:
            rows = {
                row: games.parse_cards(getattr(event, row)) for row in ("front", "middle", "back")
            }
            ranked = games.rank_set(rules.rows, rows)
        except (games.SettlementError, ValueError, KeyError, IndexError):
            continue  # the settlement names what is wrong with the cards
        cards = games.fantasyland_cards(
            rules.rows.fantasyland, ranked, is_there=event.account in started.in_fantasyland
        )
        right = (ranked.fouled, ranked.royalties, cards or 0)
        was = (event.foul, event.royalties, event.fantasyland)
        if was != right:
            words = ("foul", "royalties", "Fantasyland")
            differ = [
                f"{word} {old} against {new}"
                for word, old, new in zip(words, was, right, strict=True)
                if old != new
            ]
            yield Found(
                "SET_WRONG",
                position=position,
                account=event.account,
                round=course.round,
                detail=", ".join(differ),
                paragraph=rules.rule,
            )


def _strange(course: HandCourse) -> Iterator[Found]:
    """Find money that moved outside the hand: put in after its end, paid without a result."""
    for position, event in course.late:
        yield Found(
            "ACTION_OUTSIDE_HAND",
            position=position,
            account=event.account,
            round=course.round,
            bet=event.bet,
            amount=event.amount,
        )
    if course.hand is not None and course.resulted is not None:
        return
    for position, event in (*course.pots, *course.points):
        amount = sum(event.paid)
        yield Found("POT_WITHOUT_RESULT", position=position, round=course.round, amount=amount)
    for position, event in (*course.uncalled, *course.rake):
        yield Found(
            "POT_WITHOUT_RESULT", position=position, round=course.round, amount=event.amount
        )


def _misdeal(course: HandCourse, hand: HandState) -> Iterator[Found]:
    """After a misdeal everything is back; it is declared before two players have acted."""
    void = course.misdeal or course.voided
    if void is None:
        return
    position, event = void
    back: dict[str, int] = {}
    if course.misdeal is not None:
        back = dict(zip(event.accounts, event.amounts, strict=False))
    for name in dict.fromkeys((*hand.payers, *back)):
        difference = back.get(name, 0) - hand.total(name)
        if difference:
            yield Found(
                "MISDEAL_WRONG",
                position=position,
                account=name,
                round=course.round,
                amount=difference,
                detail=f"{crowns(back.get(name, 0))} against {crowns(hand.total(name))}",
            )
    if len(hand.acted) >= ACTED_FOR_MISDEAL:
        yield Found(
            "MISDEAL_TOO_LATE",
            position=position,
            round=course.round,
            detail=str(len(hand.acted)),
        )


def _found(course: HandCourse, code: str, at: list[Placed], **facts: Any) -> Found:
    """Make a finding at the last event that shows it, or else at the result."""
    assert course.resulted is not None  # noqa: S101 - nothing is compared before
    shown = at[-1].position if at else course.resulted.position
    position = facts.pop("position", 0) or shown
    return Found(code, position=position, round=course.round, **facts)
