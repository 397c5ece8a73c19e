# also = ["RESULT_ON_CONTRADICTION", "CARD_NOT_BURNT", "DEALING_ORDER_WRONG"]
# settled = true
#
# [DUE_WRONG]
# name.en = "Amount due recorded wrongly"
# name.cs = "Náležející částka je zaznamenána chybně"
# text.en = """\
#   The payment recorded as due differs by {amount:money} from what the plan gives: \
#   {detail:phrase}."""
# text.cs = """\
#   Částka zaznamenaná jako náležející se liší o {amount} od té, kterou dává herní plán: \
#   {detail}."""
# identity = "moving"
#
# [RESULT_WRONG]
# name.en = "Result of a bet recorded wrongly"
# name.cs = "Výsledek sázky je zaznamenán chybně"
# text.en = "The result of the bet is recorded wrongly: {detail:phrase}."
# text.cs = "Výsledek sázky je zaznamenán chybně: {detail}."
# identity = "moving"
#
# [PAID_TOO_LITTLE]
# name.en = "Paid too little"
# name.cs = "Vyplaceno méně, než náleží"
# text.en = "{amount:money} less were paid than is due."
# text.cs = "Bylo vyplaceno o {amount} méně, než náleží."
# identity = "moving"
#
# [PAID_TOO_MUCH]
# name.en = "Paid too much"
# name.cs = "Vyplaceno více, než náleží"
# text.en = "{amount:money} more were paid than is due."
# text.cs = "Bylo vyplaceno o {amount} více, než náleží."
# identity = "moving"
#
# [PRIZE_NOT_COLLECTED]
# name.en = "Prize that is not due not taken back"
# name.cs = "Výhra, která nenáleží, nebyla vzata zpět"
# text.en = "{amount:money} of a prize that is not due were not taken back."
# text.cs = "Z výhry, která nenáleží, nebylo vzato zpět {amount}."
# identity = "moving"
#
# [BET_NOT_ALLOWED]
# name.en = "Bet that the plan does not allow"
# name.cs = "Sázka, kterou herní plán nedovoluje"
# text.en = "The plan does not allow the bet: {detail:phrase}."
# text.cs = "Herní plán sázku nedovoluje: {detail}."
#
# [STAKES_NOT_ALLOWED]
# name.en = "Stakes that the plan does not allow"
# name.cs = "Vklady v kole, které herní plán nedovoluje"
# text.en = "The plan does not allow the stakes of the round together: {detail:phrase}."
# text.cs = "Herní plán nedovoluje vklady kola v jejich souhrnu: {detail}."
#
# [TABLE_LIMITS_WRONG]
# name.en = "Limits of a table beyond the plan"
# name.cs = "Limity stolu mimo herní plán"
# text.en = "The limits of the table are not within those of the plan: {detail:phrase}."
# text.cs = "Limity stolu nejsou v mezích herního plánu: {detail}."
#
# [OUTCOME_IMPOSSIBLE]
# name.en = "Outcome that can't be settled"
# name.cs = "Zaznamenaný výsledek nelze vyhodnotit"
# text.en = "The recorded outcome can't be settled: {detail:phrase}."
# text.cs = "Zaznamenaný výsledek nelze vyhodnotit: {detail}."
#
# [RAISE_MISSING]
# name.en = "Stake of a decision missing"
# name.cs = "Chybí vklad k rozhodnutí hráče"
# text.en = "The decision asks for a stake of {detail:money} that is no bet."
# text.cs = "Rozhodnutí vyžaduje vklad {detail}, který není sázkou."
#
# [RAISE_WITHOUT_DECISION]
# name.en = "Stake without a decision"
# name.cs = "Vklad bez rozhodnutí hráče"
# text.en = "{detail:money} were staked after the close, and no decision asks for it."
# text.cs = "{detail} bylo vsazeno po konci sázek a žádné rozhodnutí to nežádá."
#
# [RAISE_NOT_ALLOWED]
# name.en = "Raise that the plan does not allow"
# name.cs = "Navýšení, které herní plán nedovoluje"
# text.en = "The plan did not allow the raise when it was decided: {detail:phrase}."
# text.cs = "Herní plán navýšení v době rozhodnutí nedovoloval: {detail}."
#
# [RAISE_STAKE_WRONG]
# name.en = "Raise with a wrong stake"
# name.cs = "Navýšení v jiné výši, než žádá rozhodnutí"
# text.en = "The decision asks for another stake than the bet has: {detail:phrase}."
# text.cs = "Rozhodnutí vyžaduje jiný vklad, než sázka má: {detail}."
#
# [PLAN_UNKNOWN]
# name.en = "Round that can't be settled again"
# name.cs = "Kolo nelze znovu vyhodnotit"
# text.en = "The round can't be settled again: {detail:phrase}."
# text.cs = "Kolo nelze znovu vyhodnotit: {detail}."
#
# [ROUND_KIND_WRONG]
# name.en = "Round of a wrong kind"
# name.cs = "Kolo je zaznamenáno jako jiný druh hry"
# text.en = "The game is {detail:phrase} by its plan, the round was recorded otherwise."
# text.cs = "Podle herního plánu je hra {detail}, kolo je zaznamenáno jinak."
#
# [RESULT_NOT_LANDED]
# name.en = "Result is not where the ball fell"
# name.cs = "Výsledek neodpovídá místu, kde se kulička zastavila"
# text.en = "The result is not where the ball fell: {detail:phrase}."
# text.cs = "Výsledek neodpovídá místu, kde se kulička zastavila: {detail}."
#
# [RESULT_NOT_SEEN]
# name.en = "Result is not what the studio recorded"
# name.cs = "Výsledek neodpovídá záznamu studia"
# text.en = "The result is not what the studio recorded: {detail:phrase}."
# text.cs = "Výsledek neodpovídá záznamu studia: {detail}."
#
# [RESULT_WITHOUT_SPIN]
# name.en = "Result without a valid spin"
# name.cs = "Výsledek bez platného roztočení"
# text.en = "The result has no valid spin before it with a ball, or wheel, at rest."
# text.cs = "Výsledku nepředchází platné roztočení s kuličkou nebo kolem v klidu."
#
# [SPIN_TOO_SHORT]
# name.en = "Spin too short"
# name.cs = "Příliš krátké roztočení"
# text.en = "The spin that counted had too few turns: {detail:phrase}."
# text.cs = "Rozhodné roztočení mělo příliš málo otáček: {detail}."
# paragraph = "game plan, valid spin"
#
# [SPIN_NOT_CHANGED]
# name.en = "Direction of the spin not changed"
# name.cs = "Kolo se točilo stejným směrem jako předtím"
# text.en = "The wheel turned the way of the spin before, {detail}."
# text.cs = "Kolo se točilo stejným směrem jako předtím: {detail}."
# paragraph = "game plan, valid spin"
#
# [SPIN_WRONG_DIRECTION]
# name.en = "Wheel and ball in one direction"
# name.cs = "Kolo a kulička se točily stejným směrem"
# text.en = "Wheel and ball of the spin that counted ran in one direction."
# text.cs = "Při rozhodném roztočení se kolo a kulička točily stejným směrem."
# paragraph = "game plan, valid spin"
#
# [SPIN_NOT_RULED_ON]
# name.en = "Short spin without a ruling"
# name.cs = "Krátké roztočení bez rozhodnutí"
# text.en = """\
#   The spin that counted had too few turns, and neither inspector nor management decided on \
#   it: {detail:phrase}."""
# text.cs = "Roztočení, které platilo, bylo příliš krátké a nikdo o něm nerozhodl: {detail}."
# paragraph = "game plan, valid spin"
#
# [PRISON_CHIPS_WRONG]
# name.en = "Other chips in prison than the odd one"
# name.cs = "Ve vězení jsou jiné žetony než lichý"
# text.en = "Zero imprisons the odd chip of the bet and no other: {detail:phrase}."
# text.cs = "Nula uvězní lichý žeton sázky a žádný jiný: {detail}."
# paragraph = "Czech Casinos, simple chance"
#
# [BET_ON_KNOWN_FACT]
# name.en = "Chips moved when the number or a card was known"
# name.cs = "Pohyb žetonů po zjištění čísla nebo karty"
# text.en = "Chips were moved when the number or a card was known: {detail:phrase}."
# text.cs = "Žetony se pohnuly, když už bylo známo číslo nebo karta: {detail}."

"""Compare a round settled again with the record: findings and corrections.

Pure functions: the history, the limits of its table and later changes come in.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Generic, TypeVar

from ledger import games
from ledger.core.phrases import Phrase
from projections.checks.after_result import late_facts_of_round, unseen_fields
from projections.checks.dealing import dealing_faults
from projections.findings.finding import DetectedFinding
from projections.resettlement.amendments import UNTOUCHED, Amendment
from projections.resettlement.faults import fault_of
from projections.resettlement.settle import PlayedRound, RoundSettlement, settle

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ledger.events import event_types as e
    from projections.resettlement.round_history import BetHistory, RoundHistory

__all__ = ["CheckResult", "Correction", "check_round", "money_faults"]

Again = TypeVar("Again")


@dataclass(frozen=True, slots=True)
class Correction:
    """A bet that was changed after settlement and is right now; amounts in haléř.

    ``paid_before`` and ``paid`` are the payments at settlement and now, ``due`` is the amount due;
    ``position`` is that of the last change.
    """

    position: int
    account: str
    round: str
    bet: str
    paid_before: int
    paid: int
    due: int


@dataclass(frozen=True, slots=True)
class CheckResult(Generic[Again]):
    """Result of checking a round.

    ``bets`` is the number of bets settled again; ``again`` is that settlement, None if it is
    impossible.
    """

    bets: int
    findings: list[DetectedFinding]
    corrected: list[Correction]
    again: Again | None = None


def check_round(
    history: RoundHistory, limits: games.TableLimits, amendments: Mapping[str, Amendment]
) -> CheckResult[RoundSettlement]:
    """Settle a round again and return its findings and corrections.

    The play of a hand among players is compared by ``projections.checks.hands``.
    """
    found = partial(DetectedFinding, position=history.resulted_position, round=history.round)
    try:
        plan = games.plan(history.game, history.plan_version)
    except games.SettlementError as error:
        return CheckResult(0, [found("PLAN_UNKNOWN", detail=fault_of(error))], [])
    stakes = {
        name: bet.placed.stake + change.stake
        for name, bet in history.bets.items()
        if (change := amendments.get(name, UNTOUCHED)).stake
    }
    settled = settle(history, plan, limits, stakes)
    played = settled.played
    findings = [*_kind(history, plan)]
    if not games.is_among_players(history.game, history.plan_version):
        findings += _studio(history, played)
        findings += late_facts_of_round(history, played)
        findings += _dealing(history)
    findings += [
        *_known(history),
        *_chips_not_stated(history, plan),
        *_additional_wagers(history, played, limits),
    ]
    for problem in settled.problems:
        bet = history.bets.get(problem.bet) or history.bets.get(problem.bet.partition(":")[0])
        account = bet.placed.account if bet is not None else ""
        findings.append(
            found(problem.code, account=account, bet=problem.bet, detail=problem.detail or "")
        )
    corrected = []
    for name, result in settled.results.items():
        bet, change = history.bets[name], amendments.get(name, UNTOUCHED)
        if bet.settled is None:
            continue
        settled_now = settled.corrected.get(name) if change.stake else result
        due = max((settled_now.payout_haler if settled_now else 0) - change.withheld, 0)
        if change.last_position and bet.settled.paid + change.win - change.collected == due:
            corrected.append(_correction(bet.placed, bet.settled.paid, change, due))
        else:
            findings += _faults(bet, bet.settled, result, due, change)
    return CheckResult(len(settled.results), findings, corrected, settled)


def _correction(bet: e.BetPlaced, paid_before: int, change: Amendment, due: int) -> Correction:
    return Correction(
        position=change.last_position,
        account=bet.account,
        round=bet.round,
        bet=bet.bet,
        paid_before=paid_before,
        paid=due,
        due=due,
    )


def _faults(
    bet: BetHistory, settled: e.BetSettled, result: games.ResultLine, due: int, change: Amendment
) -> Iterator[DetectedFinding]:
    """Compare one settlement: the recorded with the computed amount due, and payments with it."""
    found = partial(
        DetectedFinding,
        position=bet.settled_position,
        account=bet.placed.account,
        round=bet.placed.round,
        bet=bet.placed.bet,
        paragraph=result.rule,
    )
    if settled.due != result.payout_haler:
        detail = Phrase("MONEY_AGAINST", recorded=settled.due, right=result.payout_haler)
        yield found("DUE_WRONG", amount=settled.due - result.payout_haler, detail=detail)
    if settled.result != result.result:
        detail = Phrase("RESULT_AGAINST", became=settled.result, due_result=result.result)
        yield found("RESULT_WRONG", detail=detail)
    for code, amount in money_faults(settled.paid + change.win - change.collected - due, change):
        yield found(code, amount=amount)


def money_faults(excess: int, change: Amendment) -> Iterator[tuple[str, int]]:
    """Yield code and amount of the fault if the money paid differs from the money due.

    ``excess`` is the paid less the due amount, in haléř: above 0 too much was paid, which can be a
    withheld prize that was not reclaimed yet; below 0 too little.
    """
    if excess < 0:
        yield "PAID_TOO_LITTLE", -excess
    elif 0 < excess <= change.withheld - change.collected:
        yield "PRIZE_NOT_COLLECTED", excess
    elif excess > 0:
        yield "PAID_TOO_MUCH", excess


def _kind(history: RoundHistory, plan: games.GamePlan) -> Iterator[DetectedFinding]:
    """Compare the kind of the table with the plan."""
    if plan.header.streamed != history.is_streamed:
        kind = Phrase("STREAMED" if plan.header.streamed else "LAND_BASED")
        yield DetectedFinding(
            "ROUND_KIND_WRONG", position=history.opened_position, round=history.round, detail=kind
        )


def _studio(history: RoundHistory, played: PlayedRound) -> Iterator[DetectedFinding]:
    """Compare the recorded result with the earlier events of the studio."""
    plan = played.plan
    try:
        document = json.loads(history.outcome)
    except (ValueError, RecursionError):
        return
    if not isinstance(document, dict):
        return
    found = partial(DetectedFinding, position=history.resulted_position, round=history.round)
    if history.doubts and not history.is_reconstructed:
        yield found("RESULT_ON_CONTRADICTION", detail=tuple(sorted(history.doubts, key=str)))
    spin, landed = history.landed
    if plan.needs_spin and (spin != "landed" or plan.voiding_causes & history.invalid_for):
        if not history.is_reconstructed and not document.keys().isdisjoint({"number", "field"}):
            yield found("RESULT_WITHOUT_SPIN")
        return
    if not history.is_reconstructed:
        if plan.needs_spin and landed != document.get("number", landed):
            detail = Phrase("VALUE_AGAINST", recorded=str(document["number"]), right=str(landed))
            yield found("RESULT_NOT_LANDED", detail=detail)
        if not plan.needs_spin or "field" in document:
            for name, difference in unseen_fields(history, played, document):
                yield found("RESULT_NOT_SEEN", detail=difference, about=name)
    if plan.needs_spin and history.spin_position:
        yield from _spin(history, plan)


def _known(history: RoundHistory) -> Iterator[DetectedFinding]:
    """Find chips that moved after the number or a card of the round was known."""
    for one in history.known:
        yield DetectedFinding(
            "BET_ON_KNOWN_FACT",
            position=one.position,
            account=one.account,
            round=history.round,
            bet=one.bet,
            amount=one.amount,
            detail=Phrase(one.how),
        )


def _chips_not_stated(history: RoundHistory, plan: games.GamePlan) -> Iterator[DetectedFinding]:
    """Find bets that a result may divide by chips, without the value of a chip."""
    for bet in history.bets.values():
        if bet.is_concluded and not bet.chip and plan.needs_chip(bet.placed.bet_code):
            yield DetectedFinding(
                "BET_NOT_ALLOWED",
                position=history.resulted_position,
                account=bet.placed.account,
                round=history.round,
                bet=bet.placed.bet,
                detail=Phrase("CHIP_NOT_STATED", bet=bet.placed.bet_code),
                about="chip",
            )


def _dealing(history: RoundHistory) -> Iterator[DetectedFinding]:
    """Compare the order of the cards and the burnt cards with the plan."""
    if history.is_reconstructed:
        return
    recipients = [card.recipient for card in history.cards.values()]
    for code, detail, paragraph in dealing_faults(history.game, recipients):
        yield DetectedFinding(
            code,
            position=history.resulted_position,
            round=history.round,
            detail=detail,
            paragraph=paragraph,
            about=str(detail),
        )


def _additional_wagers(
    history: RoundHistory, played: PlayedRound, limits: games.TableLimits
) -> Iterator[DetectedFinding]:
    """Check each additional wager against the state of the table at its action."""
    wagers = played.facts.wagers
    players = {wager.player for wager in wagers}
    for position, action, before, cards, owners in history.additional:
        if action.player not in players:
            continue
        own = [one for one in before if one.player in players]
        facts = games.RoundFacts(wagers, own, cards, owners=owners)
        try:
            played.plan.stakes_added(facts, action, limits)
        except games.SettlementError as error:
            yield DetectedFinding(
                "RAISE_NOT_ALLOWED",
                position=position,
                account=action.player,
                round=history.round,
                detail=fault_of(error),
            )


def _spin(history: RoundHistory, plan: games.GamePlan) -> Iterator[DetectedFinding]:
    """Check revolutions and direction of the valid spin, where the plan has rules for them."""
    found = partial(DetectedFinding, position=history.spin_position, round=history.round)
    repeated, needed = plan.repeated_spins, plan.turns_needed
    if history.turns < needed:
        turns = Phrase("PARTS_OF", count=history.turns, due=needed)
        if "too_few_revolutions" in repeated:
            yield found("SPIN_TOO_SHORT", detail=turns)
        elif history.ruled_position < history.spin_position:
            yield found("SPIN_NOT_RULED_ON", detail=turns)
    if history.one_direction and (plan.alternates or "wrong_direction" in repeated):
        yield found("SPIN_WRONG_DIRECTION")
    if plan.alternates and history.turned == history.turned_before:
        yield found("SPIN_NOT_CHANGED", detail=history.turned)
