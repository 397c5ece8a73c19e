"""Replay one round: every recorded event in order, and a new settlement.

The round is settled by its own plan version, with the limits of its table at the opening; each bet
also has the recorded values. Each event carries the hash of its message, so that it can be compared
with the log. Money is haléř, timestamps are microseconds.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from ledger import games
from ledger.core.errors import InputError
from ledger.core.phrases import Phrase
from ledger.events import event_types as e
from projections.checks.hands import check_hand
from projections.checks.legal_holds import Hold
from projections.checks.rounds import check_round
from projections.facts.facts import Fact
from projections.findings.finding import DetectedFinding, Finding, render_findings
from projections.replay.hand import HandReplay, replay_hand
from projections.replay.in_chips import InChips, bets_in_chips
from projections.replay.round_line import RoundLine, line_of_events
from projections.resettlement.amendments import AMENDING, UNTOUCHED, amendments_in
from projections.resettlement.hands import hand_in
from projections.resettlement.round_history import STUDIO_FACTS, replay_round
from projections.resettlement.settle import shown_outcome
from projections.store.events import EventAt

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ledger.rules.operator import OperatorRules
    from projections.resettlement.amendments import Amendment
    from projections.resettlement.round_history import BetHistory, RoundHistory
    from projections.store.as_of import AsOf

__all__ = ["Fact", "Hand", "Hold", "Replay", "ShownResult", "Wager", "explained", "replayed"]

EXCESS = {"PAID_TOO_LITTLE": -1, "PAID_TOO_MUCH": 1, "PRIZE_NOT_COLLECTED": 1}
"""Findings about money paid, with the sign of their amount: above 0 it is more than is due."""

OVER = "ROUND_OVER"
"""Code of the contradiction of a fact behind the end of its round."""

BetStatus = Literal["placed", "concluded", "given_back", "voided", "settled"]


@dataclass(frozen=True, slots=True)
class Wager:
    """One bet of a replay: as recorded, and as settled again.

    ``due`` and ``result`` are recorded; ``due_again``, ``result_again`` and ``rule_again`` belong
    to the new settlement, ``None`` if there is none. ``paid`` is the payment at settlement,
    ``paid_now`` includes corrections and reclaimed prizes. ``explanation`` is the reason for
    ``due_again``, or for the return of the stake.

    ``stake_corrected`` is the stake with its corrections, and ``explanation_corrected`` the reason
    for what is due on it; ``None`` if it was not corrected, and a reason also where nothing was
    staked or the plan can't compute one.
    """

    bet: str
    account: str
    box: str
    bet_code: str
    selection: str
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
    explanation: games.Explanation | None
    stake_corrected: int | None = None
    explanation_corrected: games.Explanation | None = None


@dataclass(frozen=True, slots=True)
class Hand:
    """Cards of one recipient in the order of dealing; ``words`` describes their value."""

    name: str
    cards: tuple[str, ...]
    words: str


@dataclass(frozen=True, slots=True)
class ShownResult:
    """Facts between which the result of a round was recorded, whose own record is withheld.

    ``shown_by`` is the fact with which cards, ball and actions showed the result, or the close of
    bets; ``settled_by`` is the first settlement of a bet among the facts, None before it.
    """

    shown_by: Fact
    settled_by: Fact | None


@dataclass(frozen=True, slots=True)
class Replay:
    """One round, event by event, and settled again.

    ``hands`` are those of the result, or all cards by recipient before there is one. The groups
    repeat facts of ``facts``: players' actions, refusals, chips returned before they were a bet,
    voids, contradictions, corrections. ``findings`` are those of the settlement with their state,
    including closed ones; ``status`` is as in a list, ``holds`` are the legal holds in force on the
    round. ``among_players`` is the hand of a round in which players play against each other, with
    its own money; there are no wagers then. ``in_chips`` are bets of guests without account: they
    are in no other sum and are not settled again. ``shown_result`` is there if the record of the
    result is withheld, and the result is what cards, ball and actions show.
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
    holds: tuple[Hold, ...]
    among_players: HandReplay | None = None
    in_chips: tuple[InChips, ...] = ()
    shown_result: ShownResult | None = None

    def due_now(self, wager: Wager) -> int | None:
        """Return what is due on a bet with its corrections, in haléř; None without a settlement.

        A corrected stake and a withheld prize change it. The findings have the difference to what
        was paid.
        """
        if wager.due_again is None or wager.paid_now is None:
            return None
        own = [one for one in self.findings if one.bet == wager.bet]
        return wager.paid_now - sum(EXCESS.get(one.code, 0) * (one.amount or 0) for one in own)


def replayed(
    round_name: str,
    facts: Sequence[Fact],
    place: AsOf,
    *,
    limits: Callable[[RoundHistory], games.TableLimits],
    rules: OperatorRules,
    holds: tuple[Hold, ...] = (),
    stated: Callable[[Sequence[Finding]], tuple[Finding, ...]] = tuple,
    is_part: bool = False,
) -> Replay:
    """Replay a round from its facts.

    Args:
        round_name: the round.
        facts: its facts in the order of the chain.
        place: position up to which they were read.
        limits: returns the limits of the round's table at its opening.
        rules: rules of the operator.
        holds: legal holds in force on the round.
        stated: sets the state of findings from the chain; by default they are new.
        is_part: whether facts that name other participants are withheld, such as the record of the
            result, which is then derived from the cards, the ball and the actions.

    Raises:
        InputError: none of the facts opened it.

    """
    events = [fact.typed() for fact in facts]
    line = line_of_events(events)
    if line is None:
        raise InputError(Phrase("ROUND_UNKNOWN", name=round_name, size=place.position))
    history, hand = replay_round(round_name, events), hand_in(events)
    amendments = amendments_in(events)
    shown = None
    if is_part and hand is None and not history.resulted_position:
        end = next(
            (at for at, one in enumerate(events) if isinstance(one.event, e.BetSettled)), None
        )
        outcome = _outcome_shown(round_name, events[:end], line)
        if outcome:
            settled_by = None if end is None else facts[end]
            shown = ShownResult(facts[_shown_with(round_name, events[:end], outcome)], settled_by)
            if end is not None:
                history = _with_result(round_name, events, end, outcome)
        line = _line_of_part(line, history, outcome, is_settled=end is not None)
    found: list[DetectedFinding] = []
    results: Mapping[str, games.ResultLine] = {}
    corrected: Mapping[str, games.ResultLine] = {}
    among_players = None
    if hand is not None:
        judged = check_hand(hand, amendments)
        found = judged.findings
        among_players = replay_hand(hand, judged.again)
    elif history.resulted_position:
        judgement = check_round(history, limits(history), amendments)
        found = judgement.findings
        if shown is not None:  # the dealer's play depends on hands that are withheld
            found = [one for one in found if one.bet]
        if judgement.again is not None:
            results, corrected = judgement.again.results, judgement.again.corrected

    findings = render_findings(found, rules)

    def group(*names: str) -> tuple[Fact, ...]:
        return tuple(fact for fact in facts if fact.event in names)

    return Replay(
        position=place.position,
        head=place.head,
        round=line,
        facts=tuple(facts),
        hands=_hands(history) if hand is None else (),
        decisions=group("PlayerDecided"),
        wagers=tuple(
            _wager(bet, amendments.get(name, UNTOUCHED), results.get(name), corrected.get(name))
            for name, bet in history.bets.items()
        ),
        refusals=group("BetRefused", "CommandRefused"),
        returned=group("BetReturned", "BetWithdrawn"),
        voids=group("RoundVoided", "BetVoided"),
        contradictions=group("ContradictionRecorded"),
        corrections=group(*AMENDING),
        findings=stated(findings) if findings else (),
        holds=holds,
        among_players=among_players,
        in_chips=bets_in_chips(events),
        shown_result=shown,
    )


def _outcome_shown(
    round_name: str, events: Sequence[EventAt[Any]], line: RoundLine
) -> dict[str, Any] | None:
    """Return the outcome that the facts before the first settlement show.

    Returns None if they show none, and where the record of the result may differ from them: after a
    reconstruction, a contradiction, or a fact of the studio behind the result.
    """
    history = replay_round(round_name, events)
    if history.is_voided or history.is_reconstructed or history.doubts or line.closed_at is None:
        return None
    if any(
        isinstance(one.event, e.ContradictionRecorded) and one.event.code == OVER for one in events
    ):
        return None
    try:
        return shown_outcome(history, games.plan(history.game, history.plan_version))
    except games.SettlementError:
        return None


def _with_result(
    round_name: str, events: Sequence[EventAt[Any]], settled: int, outcome: dict[str, Any]
) -> RoundHistory:
    """Replay a round with a result before its first settlement, which is at this index."""
    first = events[settled]
    resulted = e.RoundResulted(
        round=round_name,
        table="",
        outcome=json.dumps(outcome),
        wording="",
        streamed=False,
        accounts=(),
    )
    at = EventAt(first.position - 1, first.recorded_at, resulted)
    return replay_round(round_name, [*events[:settled], at, *events[settled:]])


def _shown_with(round_name: str, events: Sequence[EventAt[Any]], outcome: dict[str, Any]) -> int:
    """Return the index of the event with which a round showed its outcome: no later one has to."""
    first = next(at for at, one in enumerate(events) if isinstance(one.event, e.BetsClosed))
    for number in reversed(range(first + 1, len(events))):
        if not isinstance(events[number].event, STUDIO_FACTS):
            continue
        before = replay_round(round_name, events[:number])
        plan = games.plan(before.game, before.plan_version)
        if shown_outcome(before, plan) != outcome:
            return number
    return first


def _line_of_part(
    line: RoundLine, history: RoundHistory, outcome: dict[str, Any] | None, *, is_settled: bool
) -> RoundLine:
    """Add a shown outcome; behind a settlement the status is that of the bets among the facts."""
    if outcome:
        plan = games.plan(history.game, history.plan_version)
        line = replace(line, wording=plan.describe_result(outcome))
    if not is_settled:
        return line
    return replace(line, status="resulted" if history.in_play else "settled")


def _hands(history: RoundHistory) -> tuple[Hand, ...]:
    """Return the hands of the recorded result, or the cards if it is unreadable."""
    try:
        plan = games.plan(history.game, history.plan_version)
        hands = tuple(Hand(*shown) for shown in plan.hands_shown(json.loads(history.outcome)))
    except (games.SettlementError, ValueError, RecursionError, AttributeError, TypeError):
        hands = ()
    if hands:
        return hands
    dealt = games.RoundFacts(cards=tuple(history.cards.values())).by_recipient()
    return tuple(Hand(name, tuple(cards), "") for name, cards in dealt.items())


def _wager(
    bet: BetHistory,
    change: Amendment,
    again: games.ResultLine | None,
    corrected: games.ResultLine | None,
) -> Wager:
    placed, settled = bet.placed, bet.settled
    return Wager(
        bet=placed.bet,
        account=placed.account,
        box=placed.box,
        bet_code=placed.bet_code,
        selection=placed.selection,
        wording=placed.wording,
        stake=placed.stake,
        parent=placed.parent,
        status=_bet_status(bet),
        result=settled.result if settled else None,
        due=settled.due if settled else None,
        paid=settled.paid if settled else None,
        paid_now=settled.paid + change.win - change.collected if settled else None,
        rule=settled.rule if settled else None,
        result_again=str(again.result) if again else None,
        due_again=again.payout_haler if again else None,
        rule_again=again.rule if again else None,
        explanation=explained(bet, again),
        stake_corrected=placed.stake + change.stake if change.stake else None,
        explanation_corrected=corrected.explanation() if corrected else None,
    )


def explained(bet: BetHistory, again: games.ResultLine | None) -> games.Explanation | None:
    """Explain the amount due on a bet; None while it is open, or if the player took it back.

    A settled bet is explained by the new settlement, a stake returned without settlement by its
    event, in the same form.
    """
    if again is not None:
        return again.explanation()
    match bet.back:
        case e.BetVoided(ground=ground):
            reason = games.Reason.DECLARED_VOID
        case e.BetReturned(cause=ground):
            reason = games.Reason.NOT_CONCLUDED
        case None:
            return None
    back = games.StakeBack(bet.back.amount)
    return games.Explanation(bet.back.paragraph, reason, "", (back,), games.VoidFacts(ground))


def _bet_status(bet: BetHistory) -> BetStatus:
    if bet.settled:
        return "settled"
    if bet.is_voided:
        return "voided"
    if bet.is_concluded:
        return "concluded"
    return "given_back" if bet.is_given_back else "placed"
