"""The rules of postings in plain Python: what the view of each event must give."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ledger import events as e

if TYPE_CHECKING:
    from ledger.encoding import Recorded


class Posting(NamedTuple):
    """One row of the table ``postings``."""

    position: int
    posting: int
    recorded_at: int
    kind: str
    account: str
    round: str
    bet: str
    event: str
    amount: int


def postings_of(recorded: Recorded) -> list[Posting]:
    """Tell the postings of an event; they sum to zero."""
    event = recorded.event
    return [
        Posting(
            position=recorded.position,
            posting=number,
            recorded_at=recorded.envelope.recorded_at,
            kind=kind,
            account=event.account,  # type: ignore[attr-defined]
            round=getattr(event, "round", ""),
            bet=getattr(event, "bet", ""),
            event=event.type,
            amount=amount,
        )
        for number, (kind, amount) in enumerate(_legs(event))
        if amount
    ]


def _legs(event: e.Event) -> list[tuple[str, int]]:
    match event:
        case e.DepositCredited():
            return _move(f"channel_{event.method_class}", "wallet", event.amount)
        case e.DepositReturned():
            amount = event.amount if event.credited else 0
            return _move("wallet", f"channel_{event.method_class}", amount)
        case e.WithdrawalRequested():
            return _move("wallet", "withdrawals", event.amount)
        case e.WithdrawalPaid():
            return _move("withdrawals", f"channel_{event.method_class}", event.amount)
        case e.WithdrawalCancelled():
            return _move("withdrawals", "wallet", event.amount)
        case e.FeeCharged():
            return _move("wallet", "charges", event.amount)
        case e.FeeReturned():
            return _move("charges", "wallet", event.amount)
        case e.BalanceReturned():
            return _move("wallet", f"channel_{event.way}", event.amount)
        case _:
            return _legs_of_bet(event)


def _legs_of_bet(event: e.Event) -> list[tuple[str, int]]:
    match event:
        case e.BetPlaced():
            return _move("wallet", "reserved", event.stake)
        case e.BetWithdrawn() | e.BetReturned():
            return _move("reserved", "wallet", event.amount)
        case e.BetConcluded():
            return _move("reserved", "in_play", event.amount)
        case e.BetSettled():
            house = event.stake - event.paid
            return [("game_result", house), ("wallet", event.paid), ("in_play", -event.stake)]
        case e.BetVoided():
            return _move("in_play", "wallet", event.amount)
        case e.WinCorrected():
            return _move("game_result", "wallet", event.difference)
        case e.BetCorrected():
            return _move("wallet", "game_result", event.difference)
        case e.PrizeWithheld():
            return _move("wallet", "game_result", event.collected)
        case _:
            return []


def _move(source: str, target: str, amount: int) -> list[tuple[str, int]]:
    return [(target, amount), (source, -amount)]
