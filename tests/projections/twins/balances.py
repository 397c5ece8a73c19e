"""Balances in plain Python: each event moves money between an account's pockets."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from ledger.events import event_types as e
from ledger.events.encoding import decode

if TYPE_CHECKING:
    from collections.abc import Sequence

POCKETS = ("wallet", "reserved", "in_play", "withdrawals", "claims")


def balances_of(messages: Sequence[bytes]) -> dict[str, dict[str, int]]:
    """Fold all messages; return the pockets of each account that money touched."""
    accounts: dict[str, dict[str, int]] = defaultdict(lambda: dict.fromkeys(POCKETS, 0))
    for message in messages:
        event: Any = decode(message).event
        for account, pocket, amount in _all_moves(event):
            if amount:
                accounts[account][pocket] += amount
    return dict(accounts)


def first_below_zero(messages: Sequence[bytes]) -> set[tuple[str, str, int]]:
    """Give account, pocket and position where each pocket first fell below zero."""
    accounts: dict[tuple[str, str], int] = defaultdict(int)
    found: dict[tuple[str, str], int] = {}
    for position, message in enumerate(messages):
        event: Any = decode(message).event
        for account, pocket, amount in _all_moves(event):
            accounts[account, pocket] += amount
            if amount and accounts[account, pocket] < 0:
                found.setdefault((account, pocket), position)
    return {(*key, position) for key, position in found.items()}


def _all_moves(event: Any) -> list[tuple[str, str, int]]:
    """List account, pocket and amount; in the order of the postings where one event has many."""
    if getattr(event, "tournament", "") and not event.type.startswith("Tournament"):
        return []
    moved = _moves_of_hand(event)
    if moved is not None:
        return moved
    return [(event.account, *move) for move in _moves(event).items()]


def _moves_of_hand(event: Any) -> list[tuple[str, str, int]] | None:
    match event:
        case e.HandAction() | e.TournamentEntryPaid():
            return [
                (event.account, "in_play", event.amount),
                (event.account, "wallet", -event.amount),
            ]
        case e.UncalledReturned() | e.TournamentEntryReturned():
            return [
                (event.account, "wallet", event.amount),
                (event.account, "in_play", -event.amount),
            ]
        case e.TimeCollectionTaken():
            return [(event.account, "wallet", -event.amount)]
        case e.TournamentPrizePaid():
            return [(event.account, "wallet", event.paid)]
        case e.MisdealDeclared():
            both = _pairs(event.accounts, event.amounts)
            return [
                move
                for account, amount in both
                for move in ((account, "wallet", amount), (account, "in_play", -amount))
            ]
        case e.TournamentEnded():
            return [(a, "in_play", -amount) for a, amount in _pairs(event.accounts, event.stakes)]
        case e.PotAwarded() | e.PointsSettled():
            stakes = _pairs(event.accounts, event.stakes)
            paid = _pairs(event.accounts, event.paid)
            return [
                move
                for (account, amount), (_, stake) in zip(paid, stakes, strict=True)
                for move in ((account, "wallet", amount), (account, "in_play", -stake))
            ]
    return None


def _pairs(accounts: tuple[str, ...], amounts: tuple[int, ...]) -> list[tuple[str, int]]:
    missing = (0,) * max(len(accounts) - len(amounts), 0)
    return list(zip(accounts, (*amounts, *missing), strict=False))


def _moves(event: Any) -> dict[str, int]:
    match event:
        case e.DepositCredited() | e.FeeReturned():
            return {"wallet": event.amount}
        case e.DepositReturned():
            if not event.credited:
                return {}
            return {"wallet": event.claimed - event.amount, "claims": event.claimed}
        case e.ClaimSettled():
            wallet = -event.amount if event.way == "wallet" else 0
            return {"claims": -event.amount, "wallet": wallet}
        case e.WriteOffConfirmed(item="claim"):
            return {"claims": event.amount}
        case e.FeeCharged() | e.BalanceReturned():
            return {"wallet": -event.amount}
        case e.WithdrawalRequested():
            return {"wallet": -event.amount, "withdrawals": event.amount}
        case e.WithdrawalCancelled():
            return {"wallet": event.amount, "withdrawals": -event.amount}
        case e.WithdrawalPaid():
            return {"withdrawals": -event.amount}
        case _:
            return _moves_of_bet(event)


def _moves_of_bet(event: Any) -> dict[str, int]:
    match event:
        case e.BetPlaced():
            return {"wallet": -event.stake, "reserved": event.stake}
        case e.BetWithdrawn() | e.BetReturned():
            return {"wallet": event.amount, "reserved": -event.amount}
        case e.BetConcluded():
            return {"reserved": -event.amount, "in_play": event.amount}
        case e.BetVoided():
            return {"wallet": event.amount, "in_play": -event.amount}
        case e.BetSettled():
            return {"wallet": event.paid, "in_play": -event.stake}
        case e.WinCorrected():
            return {"wallet": event.difference + event.claimed, "claims": event.claimed}
        case e.BetCorrected():
            return {"wallet": event.claimed - event.difference, "claims": event.claimed}
        case e.PrizeWithheld():
            return {"wallet": -event.collected, "claims": event.claimed}
    return {}
