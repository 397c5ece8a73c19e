"""What each event moves: the one table that the postings are made from.

A kind is a place where money is. Those of a player: wallet, reserved (chips that may still be taken
back), in_play, withdrawals (asked for, not paid) and claims (below zero: what the player owes the
operator). Outside: ``channel_<class>`` (payments in and out), game_result and charges of the house,
prize_pool, claims_settled (paid or given up outside the account).

A movement pairs kinds with sums of columns, which cancel out whatever the columns hold. A posting
takes account, round and bet from the columns of these names, empty where the event has none; that
of what a tournament moves is ``tournament:`` and its name. Chips of a tournament are no money.

``tools.generate`` writes ``projections/sql/0210_movements.sql`` from the table; ``balance`` weighs
it against what the folds did. The folds never ask for it: their difference is a check (ADR 0018).
"""

from __future__ import annotations

import re
from typing import NamedTuple

from ledger.core import events as e

__all__ = ["MOVEMENTS", "PLAYERS", "If", "Leg", "Movement", "terms"]

PLAYERS = frozenset({"wallet", "reserved", "in_play", "withdrawals", "claims"})
"""Kinds that hold what is one player's."""


class If(NamedTuple):
    """A kind that depends on the value of a column."""

    column: str
    value: str
    kind: str
    otherwise: str


Leg = tuple[str | If, str]
"""A kind, in which a column may stand in braces, and what is added to it, such as ``-paid``."""


class Movement(NamedTuple):
    """The postings of an event, in their order; those of 0 are left out.

    Args:
        legs: one posting each.
        each: a posting for each of ``accounts``, from columns that are parallel arrays; they come
            before those of ``legs``, which then name no account.
        when: column and the value that it must have for anything to move.
    """

    legs: tuple[Leg, ...] = ()
    each: tuple[Leg, ...] = ()
    when: tuple[str, str | bool] | None = None


def _moves(*legs: Leg, when: tuple[str, str | bool] | None = None) -> Movement:
    return Movement(legs, when=when)


CHANNEL = "channel_{method_class}"
MONEY = ("tournament", "")
SHARED = Movement(
    each=(("game_result", "stakes - paid"), ("wallet", "paid"), ("in_play", "-stakes")), when=MONEY
)
"""A pot clears what each player put into it against what was paid out of it, so that the game
result of a hand is its rake, which RakeTaken moves to the charges."""

MOVEMENTS: dict[type[e.Event], Movement] = {
    # Payments
    e.DepositCredited: _moves(("wallet", "amount"), (CHANNEL, "-amount")),
    e.DepositReturned: _moves(
        (CHANNEL, "amount"),
        ("wallet", "claimed - amount"),
        ("claims", "-claimed"),
        when=("credited", True),
    ),
    e.WithdrawalRequested: _moves(("withdrawals", "amount"), ("wallet", "-amount")),
    e.WithdrawalPaid: _moves((CHANNEL, "amount"), ("withdrawals", "-amount")),
    e.WithdrawalCancelled: _moves(("wallet", "amount"), ("withdrawals", "-amount")),
    e.FeeCharged: _moves(("charges", "amount"), ("wallet", "-amount")),
    e.FeeReturned: _moves(("wallet", "amount"), ("charges", "-amount")),
    e.BalanceReturned: _moves(("channel_{way}", "amount"), ("wallet", "-amount")),
    e.ClaimSettled: _moves(
        ("claims", "amount"), (If("way", "wallet", "wallet", "claims_settled"), "-amount")
    ),
    # Bets against the house
    e.BetPlaced: _moves(("reserved", "stake"), ("wallet", "-stake")),
    e.BetWithdrawn: _moves(("wallet", "amount"), ("reserved", "-amount")),
    e.BetReturned: _moves(("wallet", "amount"), ("reserved", "-amount")),
    e.BetConcluded: _moves(("in_play", "amount"), ("reserved", "-amount")),
    e.BetSettled: _moves(
        ("game_result", "stake - paid"), ("wallet", "paid"), ("in_play", "-stake")
    ),
    e.BetVoided: _moves(("wallet", "amount"), ("in_play", "-amount")),
    e.WinCorrected: _moves(
        ("wallet", "difference + claimed"), ("game_result", "-difference"), ("claims", "-claimed")
    ),
    e.BetCorrected: _moves(
        ("game_result", "difference"), ("wallet", "claimed - difference"), ("claims", "-claimed")
    ),
    e.PrizeWithheld: _moves(
        ("game_result", "collected + claimed"), ("wallet", "-collected"), ("claims", "-claimed")
    ),
    # Hands among players: money put into one is in play at once
    e.HandAction: _moves(("in_play", "amount"), ("wallet", "-amount"), when=MONEY),
    e.UncalledReturned: _moves(("wallet", "amount"), ("in_play", "-amount"), when=MONEY),
    e.MisdealDeclared: Movement(each=(("wallet", "amounts"), ("in_play", "-amounts")), when=MONEY),
    e.PotAwarded: SHARED,
    e.PointsSettled: SHARED,
    e.RakeTaken: _moves(("charges", "amount"), ("game_result", "-amount")),
    e.TimeCollectionTaken: _moves(("charges", "amount"), ("wallet", "-amount")),
    # Tournaments: entries are in play until the end, then they are the prize pool and the fee
    e.TournamentEntryPaid: _moves(("in_play", "amount"), ("wallet", "-amount")),
    e.TournamentEntryReturned: _moves(("wallet", "amount"), ("in_play", "-amount")),
    e.TournamentEnded: Movement(
        each=(("prize_pool", "stakes"), ("in_play", "-stakes")),
        legs=(
            ("charges", "fee"),
            ("prize_pool", "-fee"),
            ("prize_pool", "top_up"),
            ("game_result", "-top_up"),
        ),
    ),
    e.TournamentPrizePaid: _moves(("wallet", "paid"), ("prize_pool", "-paid")),
}


def terms(amount: str) -> tuple[tuple[int, str], ...]:
    """Take a sum of columns apart: sign and name of each.

    >>> terms("stake - paid")
    ((1, 'stake'), (-1, 'paid'))
    """
    found = re.findall(r"([+-]?) *(\w+)", amount)
    return tuple((-1 if sign == "-" else 1, column) for sign, column in found)
