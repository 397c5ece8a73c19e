"""Results, settlement and voids (SAZKA 14, 15).

The result is recorded once and is final. A settlement records the amounts due by the plan version
of the round and the amounts that the platform paid; a void returns the stakes.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

from msgspec import Meta, field

from ledger import games
from ledger.core.phrases import Phrase
from ledger.core.refusals import RefusedError, refuses
from ledger.decisions.protection.continuous_play import break_after_result
from ledger.decisions.rounds.studio import require_agreement, require_invalid_spin
from ledger.events import event_types as e
from ledger.events.command import BetId, Command, Id, Name, OptionalText, Text, Word, round_of
from ledger.state.round_wagers import plan_of, played_facts, wager_of

if TYPE_CHECKING:
    from ledger.state.ledger_state import LedgerState
    from ledger.state.round import RoundBet, RoundState

__all__ = [
    "ReconstructRound",
    "RecordResult",
    "SettleRound",
    "VoidBets",
    "VoidRound",
    "reconstruct_round",
    "record_result",
    "settle_round",
    "void_bets",
    "void_round",
]

TAMPERING = "tampering"


class RecordResult(Command, frozen=True):
    """Record the result.

    ``outcome`` has the form of the game's settlement. It is derived from the cards, ball or wheel;
    if it is given it must agree with them, unless the round was reconstructed.
    """

    round: Id
    outcome: dict[str, Any] | None = None
    wording: OptionalText = ""


class SettleRound(Command, frozen=True):
    """Settle every bet of the round.

    ``payments`` is what the platform paid in haléř, by bet; the default of a bet is what is due.
    """

    round: Id
    payments: Annotated[
        dict[BetId, Annotated[int, Meta(ge=0, le=10**15)]], Meta(max_length=20_000)
    ] = field(default_factory=dict)


class VoidRound(Command, frozen=True):
    """Declare a round void; ``ground`` is one of the plan's."""

    round: Id
    ground: Word


class VoidBets(Command, frozen=True):
    """Declare the bets of one participant void: a ground of the plan, or ``tampering``."""

    round: Id
    account: Id
    ground: Word


class ReconstructRound(Command, frozen=True):
    """Record an attempt to reconstruct a round."""

    round: Id
    how: Text
    by: Name
    succeeded: bool


@refuses("RESULT_STANDS", "WRONG_ORDER", "RESULT_CONTRADICTS", "NO_VALID_SPIN")
def record_result(ledger_state: LedgerState, command: RecordResult, now: int) -> list[e.Event]:
    """Decide :class:`RecordResult`; the same decision imposes breaks after continuous play."""
    state = ledger_state.round(command.round)
    if state.status in {"resulted", "settled"}:
        raise RefusedError("RESULT_STANDS")
    if state.status != "closed":
        raise RefusedError("WRONG_ORDER", what=Phrase("RESULT"), status=state.status)
    plan = plan_of(state)
    try:
        outcome = _outcome(ledger_state, plan, state, command.outcome)
        ledger_state.due_by_bet(state, outcome)
    except games.SettlementError as error:
        raise RefusedError("RESULT_CONTRADICTS", reason=error.phrase) from error
    first_placed = _first_placements(ledger_state, state)
    resulted = e.RoundResulted(
        round=command.round,
        table=state.table,
        outcome=json.dumps(outcome, separators=(",", ":"), sort_keys=True),
        wording=command.wording or plan.describe_result(outcome),
        streamed=state.streamed,
        accounts=tuple(first_placed),
    )
    if not state.streamed:
        return [
            resulted,
            *_imprisoned(plan, state, outcome),
            *_released(ledger_state, state, outcome),
        ]
    breaks = (
        break_after_result(
            ledger_state.participant(ledger_state.account(name), now),
            placed_at,
            now,
            ledger_state.rules.figures,
        )
        for name, placed_at in first_placed.items()
    )
    return [resulted, *(event for event in breaks if event is not None)]


def _outcome(
    ledger_state: LedgerState,
    plan: games.GamePlan,
    state: RoundState,
    entered: dict[str, Any] | None,
) -> dict[str, Any]:
    """Return the outcome derived from the facts; a given one must agree with it in every field.

    Raises:
        RefusedError: NO_VALID_SPIN or RESULT_CONTRADICTS.
        games.SettlementError: the facts are not complete.

    """
    if entered is not None and not entered.keys().isdisjoint(games.SHARED_FIELDS):
        reason = Phrase("VOID_IN_RESULT")
        raise RefusedError("RESULT_CONTRADICTS", reason=reason)
    if entered is not None and "next_number" in entered:
        reason = Phrase("NEXT_NUMBER_IN_RESULT")
        raise RefusedError("RESULT_CONTRADICTS", reason=reason)
    if state.reconstructed and entered is not None:
        return entered
    require_agreement(ledger_state, state)
    again = state.turned == state.turned_before
    if plan.needs_spin and (
        state.spin != "landed"
        or plan.voiding_causes & state.invalid_for
        or plan.spin_fault(state.turns, against=state.against, again=again)
    ):
        raise RefusedError("NO_VALID_SPIN")
    facts, _ = played_facts(state)
    seen = plan.outcome_from_facts(facts)
    if seen is None and entered is None:
        raise RefusedError("RESULT_CONTRADICTS", reason=Phrase("OUTCOME_MISSING"))
    if seen is None or entered is None:
        return seen or entered or {}
    for name in sorted((seen.keys() | entered.keys()) - plan.unseen_fields):
        differs = name not in entered or name not in seen or entered[name] != seen[name]
        if differs and not (name in plan.optional_fields and name not in entered):
            reason = Phrase(
                "RESULT_DIFFERS",
                name=name,
                recorded=_value(seen, name),
                given=_value(entered, name),
            )
            raise RefusedError("RESULT_CONTRADICTS", reason=reason)
    return {**entered, **seen}


def _value(outcome: dict[str, Any], name: str) -> Phrase:
    return Phrase("VALUE", value=str(outcome[name])) if name in outcome else Phrase("NOTHING")


def _imprisoned(plan: games.GamePlan, state: RoundState, outcome: dict[str, Any]) -> list[e.Event]:
    """Return the events that put odd chips into prison after a zero."""
    wagers = [wager_of(name, bet) for name, bet in state.bets_in("concluded")]
    waiting = [(wager, chip) for wager in wagers if (chip := plan.imprisoned(wager, outcome))]
    return [
        e.BetImprisoned(
            bet=wager.id,
            account=wager.player,
            round=state.round,
            table=state.table,
            chip=chip,
            paragraph=plan.header.rule_settled,
        )
        for wager, chip in waiting
    ]


def _released(
    ledger_state: LedgerState, state: RoundState, outcome: dict[str, Any]
) -> list[e.Event]:
    """Return the events that decide chips in prison from an earlier round of the table."""
    decided: list[e.Event] = []
    for name in ledger_state.operator_state.tables[state.table].imprisoned:
        earlier, number = ledger_state.round(round_of(name)), outcome.get("number")
        if not isinstance(number, int):
            continue
        bet = earlier.bets[name]
        decided.append(
            e.PrisonDecided(
                bet=name,
                account=bet.account,
                round=earlier.round,
                table=state.table,
                next_round=state.round,
                next_number=number,
                released=plan_of(earlier).releases(wager_of(name, bet), number),
            )
        )
    return decided


def _first_placements(ledger_state: LedgerState, state: RoundState) -> dict[str, int]:
    """Return each participant's first placement that became a bet of the round."""
    first: dict[str, int] = {}
    for name, bet in state.bets_in("concluded"):
        account = bet.account
        placed_at = ledger_state.account(account).bets[name].placed_at
        if placed_at < first.setdefault(account, placed_at):
            first[account] = placed_at
    return first


@refuses("BET_NOT_ON_TABLE", "WRONG_ORDER", "BET_IN_PRISON", "PAYOUT_ON_HOLD")
def settle_round(ledger_state: LedgerState, command: SettleRound, _: int) -> list[e.Event]:
    """Decide :class:`SettleRound`; bets on hold, or with a chip in prison, stay unsettled."""
    state = ledger_state.round_or_new(command.round)
    if state.status == "unknown":
        raise RefusedError("BET_NOT_ON_TABLE")
    if state.status != "resulted":
        raise RefusedError("WRONG_ORDER", what=Phrase("SETTLEMENT"), status=state.status)
    due = ledger_state.due_by_bet(state, state.outcome)
    if not command.payments.keys() <= due.keys():
        raise RefusedError("BET_NOT_ON_TABLE")
    free = [
        (name, bet) for name, bet in state.bets_in("concluded") if bet.account not in state.held
    ]
    bets = [(name, bet) for name, bet in free if name in due]
    if free and not bets:
        raise RefusedError("BET_IN_PRISON")
    if not bets or any(state.bets[name].account in state.held for name in command.payments):
        raise RefusedError("PAYOUT_ON_HOLD")
    return [_settled(command, name, bet, due[name]) for name, bet in bets]


def _settled(
    command: SettleRound, name: str, bet: RoundBet, line: games.ResultLine
) -> e.BetSettled:
    due = line.payout_haler
    return e.BetSettled(
        bet=name,
        account=bet.account,
        round=command.round,
        result=line.result.value,
        stake=bet.stake,
        due=due,
        paid=command.payments.get(name, due),
        rule=line.rule,
    )


@refuses(
    "RESULT_STANDS",
    "WRONG_ORDER",
    "VOID_REASON_UNKNOWN",
    "RECONSTRUCTION_FIRST",
    "FAULT_NOT_ANNOUNCED",
    "SPIN_IS_VALID",
)
def void_round(ledger_state: LedgerState, command: VoidRound, _: int) -> list[e.Event]:
    """Decide :class:`VoidRound` (SAZKA 14(1), 14(3))."""
    state = ledger_state.round(command.round)
    if state.status in {"resulted", "settled"}:
        raise RefusedError("RESULT_STANDS")
    if state.status == "voided":
        raise RefusedError("WRONG_ORDER", what=Phrase("VOID"), status=state.status)
    paragraph = _paragraph_of(state, command.ground, everybody=True)
    voided = e.RoundVoided(
        round=command.round, table=state.table, ground=command.ground, paragraph=paragraph
    )
    returned = [
        e.BetReturned(
            bet=name,
            account=bet.account,
            round=command.round,
            amount=bet.stake,
            cause="voided",
            paragraph=paragraph,
        )
        for name, bet in state.bets_in("placed")
    ]
    concluded = [name for name, _bet in state.bets_in("concluded")]
    return [voided, *returned, *_void(state, concluded, command.ground, paragraph)]


@refuses(
    "RESULT_STANDS",
    "VOID_REASON_UNKNOWN",
    "RECONSTRUCTION_FIRST",
    "FAULT_NOT_ANNOUNCED",
    "SPIN_IS_VALID",
    "BET_NOT_ON_TABLE",
)
def void_bets(ledger_state: LedgerState, command: VoidBets, _: int) -> list[e.Event]:
    """Decide :class:`VoidBets` (SAZKA 14(3), 17(2))."""
    state = ledger_state.round(command.round)
    ledger_state.account(command.account)
    if command.ground == TAMPERING:
        paragraph = ledger_state.rules.tampering
    elif state.status == "resulted":
        raise RefusedError("RESULT_STANDS")
    else:
        paragraph = _paragraph_of(state, command.ground, everybody=False)
    bets = [name for name, _bet in state.bets_of(command.account, "concluded")]
    if not bets:
        raise RefusedError("BET_NOT_ON_TABLE")
    return _void(state, bets, command.ground, paragraph)


def _paragraph_of(state: RoundState, ground: str, *, everybody: bool) -> str:
    plan = plan_of(state)
    if not plan.may_void(ground, everybody=everybody):
        raise RefusedError("VOID_REASON_UNKNOWN", ground=ground)
    if plan.needs_reconstruction(ground) and state.reconstructed is not False:
        raise RefusedError("RECONSTRUCTION_FIRST")
    if ground in plan.announced_before_void and not state.is_fault_announced:
        raise RefusedError("FAULT_NOT_ANNOUNCED")
    require_invalid_spin(state, ground)
    return plan.header.void_reasons[ground]


def _void(state: RoundState, bets: list[str], ground: str, paragraph: str) -> list[e.Event]:
    return [
        e.BetVoided(
            bet=name,
            account=state.bets[name].account,
            round=state.round,
            amount=state.bets[name].stake,
            ground=ground,
            paragraph=paragraph,
        )
        for name in bets
    ]


@refuses("WRONG_ORDER")
def reconstruct_round(
    ledger_state: LedgerState, command: ReconstructRound, _: int
) -> list[e.Event]:
    """Decide :class:`ReconstructRound`."""
    state = ledger_state.round(command.round)
    if state.status not in {"open", "closed"}:
        raise RefusedError("WRONG_ORDER", what=Phrase("RECONSTRUCTION"), status=state.status)
    return [
        e.RoundReconstructed(
            round=command.round, how=command.how, by=command.by, succeeded=command.succeeded
        )
    ]
