"""Movements of each event: the one table from which postings are generated.

A kind is a place of money. Kinds of a player: wallet, reserved (chips that may still be taken
back), in_play, withdrawals (requested, not paid) and claims (negative: what the player owes the
operator). Other kinds: ``channel_<class>`` (payments in and out), game_result and charges of the
house, prize_pool, claims_settled (paid outside the account or waived), and write_offs.

On the floor of a casino a kind is a physical place of cash or chips, by currency, such as
``cash_CZK:cage:main``, ``cash_CZK:table:rou-1`` (its box) or ``chips_CZK:tronc:kasino``. In other
kinds the word after the colon names a stock: of ``guests`` or ``staff``, stored separately
(``apart``), ``missing``, or from ``other`` movements; a count books its difference against
``stock``, ``differences`` or ``guests``.

A movement pairs kinds with sums of columns, which cancel out for any values. A posting takes
account, round and bet from the columns of these names, empty if the event lacks them; the bet of a
tournament's movement is ``tournament:`` and its name. Chips of a tournament are not money.

``tools.workshop.generate`` writes ``projections/sql/0210_movements.sql`` from the table;
``balance``
compares it with the folds. The folds never use it, so that a difference reveals a fault (ADR 0018).
"""

from __future__ import annotations

import re
from typing import NamedTuple

from ledger.events import event_types as e

__all__ = ["MOVEMENTS", "PLAYERS", "If", "Leg", "Movement", "terms"]

PLAYERS = frozenset({"wallet", "reserved", "in_play", "withdrawals", "claims"})
"""Kinds that hold the money of one player."""


class If(NamedTuple):
    """A kind that depends on the value of a column."""

    column: str
    value: str
    kind: str
    otherwise: str


Leg = tuple[str | If, str]
"""A kind, which may contain columns in braces, and the amount added, such as ``-paid``."""


class Movement(NamedTuple):
    """The postings of an event, in order; those of 0 are left out.

    Args:
        legs: one posting each.
        each: a posting per item of ``accounts``, from columns that are parallel arrays; they
            precede those of ``legs``, which then name no account.
        when: column and the value that it must have for the movement to apply.
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
"""A pot is cleared of the contributions of players and the payments from it, so that the game
result of a hand is its rake, which RakeTaken moves to the charges."""

CHIPS, CASH = "chips_{currency}", "cash_{currency}"


def _over(kind: str, amount: str, to: str, source: str) -> Movement:
    """Move cash or chips from one place of the floor to another."""
    return _moves((f"{kind}:{to}", amount), (f"{kind}:{source}", f"-{amount}"))


def _counts(kind: str | If, against: str | If) -> Movement:
    return _moves((kind, "amount - expected"), (against, "expected - amount"))


def _of_means(place: str) -> If:
    return If("means", "cash", f"{CASH}:{place}", f"{CHIPS}:{place}")


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
    e.WriteOffConfirmed: _moves(
        ("write_offs", "amount"), (If("item", "claim", "claims", CHANNEL), "-amount")
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
    # The floor of a casino
    e.CageCounted: _counts(_of_means("{till}"), _of_means("{against}")),
    e.TableFloatCounted: _counts(f"{CHIPS}:{{till}}", f"{CHIPS}:{{against}}"),
    e.DropCounted: _counts(f"{CASH}:{{till}}", f"{CASH}:{{against}}"),
    e.ChipsSold: _moves(
        (f"{CHIPS}:guests", "amount"),
        (f"{CHIPS}:{{till}}", "-amount"),
        ("{method}_{currency}:{till}", "amount"),
        ("{method}_{currency}:guests", "-amount"),
    ),
    e.ChipsRedeemed: _moves(
        (f"{CHIPS}:{{till}}", "amount"),
        (f"{CHIPS}:{{holder}}", "-amount"),
        ("{method}_{currency}:{holder}", "amount"),
        ("{method}_{currency}:{till}", "-amount"),
    ),
    e.CageFunded: _over(CASH, "amount", "{till}", "apart"),
    e.CageWithdrawn: _over(CASH, "amount", "apart", "{till}"),
    e.CageOtherIn: _over(CASH, "amount", "{till}", "other"),
    e.CurrencyExchanged: _moves(
        (f"{CASH}:{{till}}", "amount"),
        (f"{CASH}:guests", "-amount"),
        ("cash_{given_currency}:guests", "given"),
        ("cash_{given_currency}:{till}", "-given"),
    ),
    e.FillReceived: _over(CHIPS, "amount", "{till}", "{cage_till}"),
    e.CreditReturned: _over(CHIPS, "amount", "{cage_till}", "{till}"),
    e.DropMovedToCage: _over(CASH, "amount", "{cage_till}", "{till}"),
    e.TipReceived: _over(CHIPS, "amount", "{till}", "guests"),
    e.TipGiven: _over(CHIPS, "amount", "staff", "guests"),
    e.TroncMovedToCage: _over(CHIPS, "amount", "{cage_till}", "{till}"),
    e.ChipsMissing: _over(CHIPS, "amount", "missing", "guests"),
    e.AccountCashIn: _over(CASH, "amount", "{till}", "guests"),
    e.AccountCashOut: _over(CASH, "amount", "guests", "{till}"),
    e.ChipBetSettled: _moves(
        (f"{CHIPS}:{{till}}", "amount - paid"), (f"{CHIPS}:guests", "paid - amount")
    ),
}


def terms(amount: str) -> tuple[tuple[int, str], ...]:
    """Parse a sum of columns: sign and name of each.

    >>> terms("stake - paid")
    ((1, 'stake'), (-1, 'paid'))
    """
    found = re.findall(r"([+-]?) *(\w+)", amount)
    return tuple((-1 if sign == "-" else 1, column) for sign, column in found)
