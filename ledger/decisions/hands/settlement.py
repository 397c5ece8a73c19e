"""Settle a hand: result, pots or points, rake; and collect time money.

The settlement is computed from the recorded hand by its plan version; the due amounts are recorded
next to the amounts that the table paid, so that they can be compared later.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

from msgspec import Meta, Struct, field

from ledger import games
from ledger.core.clock import from_datetime
from ledger.core.errors import InputError
from ledger.core.phrases import Phrase
from ledger.core.refusals import RefusedError, refuses
from ledger.decisions.hands.play import running_hand
from ledger.decisions.operator.setup import Moment, open_table_of
from ledger.decisions.payments.funds import require_funds
from ledger.decisions.rounds.studio import require_agreement
from ledger.events import event_types as e
from ledger.events.command import Amount, Command, Id, Name, OptionalText
from ledger.games import ofc_rules_of, poker_rules_of
from ledger.state.hand import BOARD
from ledger.state.hand_record import outcome_of, settle

if TYPE_CHECKING:
    from ledger.games.poker import TimeCollection
    from ledger.state.hand import HandState
    from ledger.state.hand_record import PointsDue, PotDue, SettledHand
    from ledger.state.ledger_state import LedgerState
    from ledger.state.round import RoundState

__all__ = [
    "AnnounceTimeCollection",
    "Payment",
    "SettleHand",
    "TakeTimeCollection",
    "announce_time_collection",
    "settle_hand",
    "take_time_collection",
]

Haler = Annotated[int, Meta(ge=0, le=10**15)]


class Payment(Struct, frozen=True, forbid_unknown_fields=True):
    """A payment of the table out of a pot; 0 is the main pot, and all of open-face."""

    account: Id
    amount: Haler
    pot: Annotated[int, Meta(ge=0, le=20)] = 0


class SettleHand(Command, frozen=True):
    """Settle a hand: shown cards, due amounts, payments.

    Players not named in ``payments`` were paid what is due; ``rake`` defaults to the due one.
    """

    round: Id
    payments: Annotated[list[Payment], Meta(max_length=100)] = field(default_factory=list)
    rake: Haler | None = None
    wording: OptionalText = ""


class AnnounceTimeCollection(Command, frozen=True):
    """Record that the floorman announced the price of half an hour at a table, haléř."""

    table: Id
    amount: Amount
    by: Name


class TakeTimeCollection(Command, frozen=True):
    """Take time money for half an hour from a player, before the first deal."""

    table: Id
    account: Id
    amount: Amount
    period_from: Moment | None = None


@refuses("WRONG_ORDER", "RESULT_CONTRADICTS", "HAND_NOT_FINISHED")
def settle_hand(ledger_state: LedgerState, command: SettleHand, _: int) -> list[e.Event]:
    """Decide :class:`SettleHand`."""
    state, hand = running_hand(ledger_state, command.round)
    require_agreement(ledger_state, state)
    try:
        settled = settle(hand)
    except games.SettlementError as error:
        raise RefusedError("HAND_NOT_FINISHED", reason=error.phrase) from error
    paid = _paid(hand, settled, command.payments)
    return [
        e.RoundResulted(
            round=command.round,
            table=state.table,
            outcome=json.dumps(outcome_of(hand), separators=(",", ":"), sort_keys=True),
            wording=command.wording or _in_words(hand, settled),
            streamed=state.streamed,
            accounts=tuple(hand.payers),
        ),
        *_uncalled(state, hand, settled),
        *(_award(state, hand, settled, number, paid) for number in range(len(settled.pots))),
        *_points(state, hand, settled, paid),
        *_rake(state, hand, settled, command.rake),
    ]


def _paid(
    hand: HandState, settled: SettledHand, payments: list[Payment]
) -> dict[tuple[int, str], int]:
    """Return the payments that differ from the due ones, by pot and player."""
    pots = 1 if settled.points is not None else len(settled.pots)
    paid: dict[tuple[int, str], int] = {}
    for payment in payments:
        key = (payment.pot, payment.account)
        if payment.account not in hand.payers or payment.pot >= pots or key in paid:
            raise InputError(
                f"pot {payment.pot} of round {hand.started.round} pays {payment.account} nothing: "
                "name a pot of the hand and a player with money in it, once"
            )
        paid[key] = payment.amount
    return paid


def _in_words(hand: HandState, settled: SettledHand) -> str:
    if settled.points is not None:
        points = settled.points.points.items()
        return "; ".join(f"{pair.replace('|', ' against ')}: {count:+d}" for pair, count in points)
    winners = [" and ".join(pot.winners) for pot in settled.pots]
    if not winners:
        return "nobody called"
    board = " ".join(card for card in hand.cards_of(BOARD) if card)
    return f"{board or 'no board'}: {', '.join(dict.fromkeys(winners))}"


def _uncalled(state: RoundState, hand: HandState, settled: SettledHand) -> list[e.Event]:
    if settled.uncalled is None:
        return []
    name, back = settled.uncalled
    return [
        e.UncalledReturned(
            round=state.round,
            table=state.table,
            tournament=hand.started.tournament,
            bet=hand.bet_of(name),
            account=name,
            amount=back,
        )
    ]


def _award(
    state: RoundState,
    hand: HandState,
    settled: SettledHand,
    number: int,
    paid: dict[tuple[int, str], int],
) -> e.Event:
    pot: PotDue = settled.pots[number]
    named = {*pot.stakes, *pot.due, *(name for of, name in paid if of == number)}
    names = [name for name in hand.payers if name in named]
    due = [pot.due.get(name, 0) for name in names]
    return e.PotAwarded(
        round=state.round,
        table=state.table,
        tournament=hand.started.tournament,
        pot=number,
        amount=pot.amount,
        rake=pot.rake,
        eligible=pot.eligible,
        winners=pot.winners,
        accounts=tuple(names),
        bets=tuple(hand.bet_of(name) for name in names),
        stakes=tuple(pot.stakes.get(name, 0) for name in names),
        due=tuple(due),
        paid=tuple(
            paid.get((number, name), amount) for name, amount in zip(names, due, strict=True)
        ),
        rule=settled.rule,
    )


def _points(
    state: RoundState, hand: HandState, settled: SettledHand, paid: dict[tuple[int, str], int]
) -> list[e.Event]:
    points: PointsDue | None = settled.points
    if points is None:
        return []
    names = hand.payers
    return [
        e.PointsSettled(
            round=state.round,
            table=state.table,
            tournament=hand.started.tournament,
            accounts=tuple(names),
            bets=tuple(hand.bet_of(name) for name in names),
            stakes=tuple(points.stakes[name] for name in names),
            due=tuple(points.due[name] for name in names),
            paid=tuple(paid.get((0, name), points.due[name]) for name in names),
            pairs=tuple(points.points),
            points=tuple(points.points.values()),
            amounts=tuple(points.amounts[pair] for pair in points.points),
            fouled=points.fouled,
            rule=settled.rule,
        )
    ]


def _rake(
    state: RoundState, hand: HandState, settled: SettledHand, taken: int | None
) -> list[e.Event]:
    """Record the rake; nothing is recorded if none is due or taken."""
    if hand.started.fee != "rake":
        if taken:
            raise InputError(f"round {state.round} bears no rake: leave out `rake`")
        return []
    closed = sum(pot.amount for pot in settled.pots)
    if settled.points is not None:
        closed = sum(settled.points.stakes.values())
    return [
        e.RakeTaken(
            round=state.round,
            table=state.table,
            amount=settled.rake if taken is None else taken,
            due=settled.rake,
            cap=settled.cap,
            pot=closed,
            players=len(hand.started.accounts),
        )
    ]


@refuses("TABLE_NOT_OPEN", "NO_RULES_IN_FORCE", "FEE_OUT_OF_RANGE")
def announce_time_collection(
    ledger_state: LedgerState, command: AnnounceTimeCollection, now: int
) -> list[e.Event]:
    """Decide :class:`AnnounceTimeCollection`; from then on that amount is taken at the table."""
    table = open_table_of(ledger_state, command.table)
    _require_amount(_time_of(ledger_state, table.game, now), command.amount)
    return [command.as_event(e.TimeCollectionAnnounced)]


def _time_of(ledger_state: LedgerState, game: str, now: int) -> TimeCollection:
    """Return the time collection of the plan that is in force."""
    version = ledger_state.operator_state.games[game].plan_version(now)
    if not version:
        raise RefusedError("NO_RULES_IN_FORCE")
    plan = games.plan(game, version)
    rules = poker_rules_of(plan) or ofc_rules_of(plan)
    if rules is None or rules.time is None:
        raise InputError(f"game {game} has no time collection")
    return rules.time


def _require_amount(time: TimeCollection, amount: int) -> None:
    try:
        time.check(amount)
    except games.SettlementError as error:
        raise RefusedError("FEE_OUT_OF_RANGE", reason=error.phrase) from error


@refuses(
    "TABLE_NOT_OPEN",
    "NO_RULES_IN_FORCE",
    "ROUND_RUNNING",
    "ACCOUNT_CLOSED",
    "NOT_SEATED",
    "FEE_OUT_OF_RANGE",
    "INSUFFICIENT_FUNDS",
)
def take_time_collection(
    ledger_state: LedgerState, command: TakeTimeCollection, now: int
) -> list[e.Event]:
    """Decide :class:`TakeTimeCollection`; between hands, the amount that was announced."""
    table = open_table_of(ledger_state, command.table)
    account = ledger_state.account(command.account)
    time = _time_of(ledger_state, table.game, now)
    if table.round:
        raise RefusedError("ROUND_RUNNING", round=table.round)
    if account.status == "closed":
        raise RefusedError("ACCOUNT_CLOSED")
    if command.table not in account.tables:
        raise RefusedError("NOT_SEATED")
    _require_amount(time, command.amount)
    announced = ledger_state.last_event_of(("TimeCollectionAnnounced",), f"table:{command.table}")
    if not isinstance(announced, e.TimeCollectionAnnounced):
        raise RefusedError("FEE_OUT_OF_RANGE", reason=Phrase("TIME_FEE_NOT_ANNOUNCED"))
    if announced.amount != command.amount:
        reason = Phrase("TIME_FEE_ANNOUNCED", amount=announced.amount)
        raise RefusedError("FEE_OUT_OF_RANGE", reason=reason)
    require_funds(account, command.amount)
    return [
        e.TimeCollectionTaken(
            table=command.table,
            account=command.account,
            amount=command.amount,
            period_from=from_datetime(command.period_from) if command.period_from else now,
        )
    ]
