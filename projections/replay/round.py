"""One round replayed: every fact in order, and the settlement made again.

The round is settled by its own plan version, with the limits that its table had at the
opening; beside each bet stands what was recorded. Each fact carries the hash of its message,
so that it can be compared with the log. Money is haléř, moments are microseconds.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from ledger import games
from ledger.core.errors import InputError
from projections.facts.facts import Fact, facts_of
from projections.reconciliation.findings import Finding, told
from projections.reconciliation.hands import judge_hand
from projections.reconciliation.rounds import UNTOUCHED, Amendment, judge
from projections.replay.hand import HandReplay, replay_hand
from projections.replay.round_line import RoundLine, line_of_facts
from projections.resettlement.course import RoundCourse, follow, line_of
from projections.resettlement.hands import hands_in
from projections.resettlement.limits import LimitsBook
from projections.resettlement.settle import settle
from projections.store.as_of import as_of
from projections.store.operator import operator_rules

if TYPE_CHECKING:
    from projections.resettlement.course import BetCourse
    from projections.store.tables import Store

__all__ = ["Fact", "Hand", "Replay", "Wager", "replay"]

BetStatus = Literal["placed", "concluded", "given_back", "voided", "settled"]
CORRECTIONS = frozenset({"WinCorrected", "BetCorrected", "PrizeWithheld"})
CONTRADICTIONS = frozenset({"ContradictionRecorded"})
RETURNS = frozenset({"BetReturned", "BetWithdrawn"})
VOIDS = frozenset({"RoundVoided", "BetVoided"})
REFUSALS = frozenset({"BetRefused", "CommandRefused"})
DECISIONS = frozenset({"PlayerDecided"})


@dataclass(frozen=True, slots=True)
class Wager:
    """One bet of a replay: as recorded, and as the plan gives it.

    ``due`` and ``result`` are recorded, ``due_again``, ``result_again`` and ``rule_again``
    those of the settlement made now; ``None`` where there is none. ``paid`` is what was paid
    at settlement, ``paid_now`` that with corrections and prizes taken back.
    """

    bet: str
    account: str
    box: str
    bet_code: str
    wording: str
    stake: int
    parent: str
    status: BetStatus
    result: str | None
    due: int | None
    paid: int | None
    paid_now: int | None
    rule: str | None
    result_again: str | None
    due_again: int | None
    rule_again: str | None


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand of cards in the order of dealing; ``words`` say what it is worth."""

    name: str
    cards: tuple[str, ...]
    words: str


@dataclass(frozen=True, slots=True)
class Replay:
    """One round, fact by fact, and settled again.

    ``hands`` are those of the result, or all cards by recipient while there is none. The
    groups repeat facts of ``facts``: what players decided, what was refused, given back before it
    was a bet, voided, contradicted, corrected. ``findings`` are those of the settlement;
    ``status`` is as in a list. ``among_players`` is the hand of a round in which players play
    against each other, with its own money; there are no wagers then.
    """

    position: int
    head: str
    round: RoundLine
    facts: tuple[Fact, ...]
    hands: tuple[Hand, ...]
    decisions: tuple[Fact, ...]
    wagers: tuple[Wager, ...]
    refusals: tuple[Fact, ...]
    returned: tuple[Fact, ...]
    voids: tuple[Fact, ...]
    contradictions: tuple[Fact, ...]
    corrections: tuple[Fact, ...]
    findings: tuple[Finding, ...]
    among_players: HandReplay | None = None


def replay(store: Store, round_name: str, *, at: int | None = None) -> Replay:
    """Replay a round.

    Raises:
        InputError: no message that counts opened it.

    """
    place = as_of(store, at)
    facts = facts_of(store, place, tag="round", name=round_name)
    line = line_of_facts(round_name, facts)
    if line is None:
        raise InputError(f"round {round_name} is unknown below position {place.position}")
    course = RoundCourse(round_name)
    for fact in facts:
        follow(course, line_of(fact.event, fact.position, fact.recorded_at, fact.facts))
    limits = LimitsBook(store, place.position).at_opening(course)
    amendments = _amendments(facts)
    has_result = bool(course.resulted_position)
    again = settle(course, limits).lines if has_result else {}
    found = judge(course, limits, amendments).findings if has_result else []
    played = hands_in(((fact.position, fact.event, fact.facts) for fact in facts), round_name)
    if played is not None:
        found = judge_hand(played, amendments).findings

    def group(names: frozenset[str]) -> tuple[Fact, ...]:
        return tuple(fact for fact in facts if fact.event in names)

    return Replay(
        position=place.position,
        head=place.head,
        round=line,
        facts=tuple(facts),
        hands=() if played is not None else _hands(course),
        decisions=group(DECISIONS),
        wagers=_wagers(course, facts, amendments, again),
        refusals=group(REFUSALS),
        returned=group(RETURNS),
        voids=group(VOIDS),
        contradictions=group(CONTRADICTIONS),
        corrections=group(CORRECTIONS),
        findings=tuple(told(found, operator_rules(store))),
        among_players=replay_hand(played) if played is not None else None,
    )


def _hands(course: RoundCourse) -> tuple[Hand, ...]:
    """Show the hands of the recorded result, or the cards where it can't be read."""
    try:
        plan = games.plan(course.game, course.plan_version)
        document = json.loads(course.outcome)
        hands = tuple(Hand(*shown) for shown in plan.hands_shown(document))
    except (games.SettlementError, ValueError, RecursionError, AttributeError, TypeError):
        hands = ()
    if hands:
        return hands
    dealt = course.facts(()).by_recipient()
    return tuple(Hand(name, tuple(cards), "") for name, cards in dealt.items())


def _amendments(facts: list[Fact]) -> dict[str, Amendment]:
    """Add up what was changed after settlement, by bet."""
    found: dict[str, Amendment] = {}
    for fact in facts:
        if fact.event not in CORRECTIONS:
            continue
        change, before = fact.facts, found.get(fact.facts["bet"], UNTOUCHED)
        difference = change.get("difference", 0)
        found[change["bet"]] = Amendment(
            last_position=fact.position,
            win=before.win + (difference if fact.event == "WinCorrected" else 0),
            stake=before.stake + (difference if fact.event == "BetCorrected" else 0),
            withheld=before.withheld + change.get("amount", 0),
            collected=before.collected
            + change.get("collected", 0)
            + (change["claimed"] if fact.event == "PrizeWithheld" else 0),
        )
    return found


def _wagers(
    course: RoundCourse,
    facts: list[Fact],
    amendments: dict[str, Amendment],
    again: dict[str, games.ResultLine],
) -> tuple[Wager, ...]:
    placed = {fact.facts["bet"]: fact.facts for fact in facts if fact.event == "BetPlaced"}
    rules = {fact.facts["bet"]: fact.facts["rule"] for fact in facts if fact.event == "BetSettled"}
    given_back = {fact.facts["bet"] for fact in facts if fact.event in RETURNS}
    wagers = []
    for name, bet in course.bets.items():
        line, change = again.get(name), amendments.get(name, UNTOUCHED)
        is_settled = bool(bet.settled_position)
        wagers.append(
            Wager(
                bet=name,
                account=bet.account,
                box=bet.box,
                bet_code=bet.code,
                wording=placed[name]["wording"],
                stake=bet.stake,
                parent=placed[name]["parent"],
                status=_bet_status(bet, is_given_back=name in given_back),
                result=bet.result if is_settled else None,
                due=bet.due if is_settled else None,
                paid=bet.paid if is_settled else None,
                paid_now=bet.paid + change.win - change.collected if is_settled else None,
                rule=rules.get(name),
                result_again=str(line.result) if line else None,
                due_again=line.payout_haler if line else None,
                rule_again=line.rule if line else None,
            )
        )
    return tuple(wagers)


def _bet_status(bet: BetCourse, *, is_given_back: bool) -> BetStatus:
    if bet.settled_position:
        return "settled"
    if bet.is_voided:
        return "voided"
    if bet.is_concluded:
        return "concluded"
    return "given_back" if is_given_back else "placed"
