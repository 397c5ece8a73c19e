"""Balances: sums of postings, as of any position.

Money is haléř. A balance is the sum of the wallet, chips that are not a bet yet (``reserved``),
unsettled bets (``in_play``) and requested withdrawals; ``claims`` are the player's debts. Every
result counts the messages below its ``position``; ``at`` selects an earlier one.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ledger.core.units import Count, Haler
from projections.store.as_of import size_of
from projections.store.known_positions import require_known

if TYPE_CHECKING:
    from projections.store.tables import Store

__all__ = [
    "CURRENCY",
    "ON_THE_FLOOR",
    "Balance",
    "OpenStake",
    "OpenStakes",
    "TrialBalance",
    "all_balances",
    "balance",
    "currency_of",
    "held_by_all",
    "money_faults",
    "open_stakes",
    "trial_balance",
]

CURRENCY = "CZK"
ON_THE_FLOOR = re.compile(r"(?!channel_)(?P<means>.*?)_(?P<currency>.*?):(?P<place>.*)", re.DOTALL)
"""A kind of postings that is a place on the floor of a casino."""

SUMS = """
    sumIf(amount, kind = 'wallet') AS wallet,
    sumIf(amount, kind = 'reserved') AS reserved,
    sumIf(amount, kind = 'in_play') AS in_play,
    sumIf(amount, kind = 'withdrawals') AS withdrawals,
    -sumIf(amount, kind = 'claims') AS claims"""
OF_PLAYERS = "kind IN ('wallet', 'reserved', 'in_play', 'withdrawals', 'claims')"


@dataclass(frozen=True, slots=True)
class Balance:
    """Money of one account, and ``claims`` of the operator against the player."""

    position: Count
    account: str
    wallet: Haler
    reserved: Haler
    in_play: Haler
    withdrawals: Haler
    claims: Haler


@dataclass(frozen=True, slots=True)
class TrialBalance:
    """Sums of all postings by kind, in hundredths of its currency.

    ``total`` is the sum over all kinds, whatever their currency: it must be zero, as must the
    ``sums`` of each currency. ``uneven`` are the positions whose own postings do not sum to zero,
    ``negative`` the accounts with the position at which a balance of a kind first became negative.
    """

    position: int
    totals: dict[str, int]
    total: int
    sums: dict[str, int]
    uneven: tuple[int, ...] = ()
    negative: tuple[tuple[str, str, int], ...] = field(default=())

    @property
    def is_sound(self) -> bool:
        """Return whether all postings balance, and no balance is negative."""
        return not (any(self.sums.values()) or self.uneven or self.negative)


@dataclass(frozen=True, slots=True)
class OpenStake:
    """Chips placed (``reserved``) or an unsettled bet (``in_play``)."""

    account: str
    round: str
    bet: str
    kind: str
    amount: int
    since_position: int


@dataclass(frozen=True, slots=True)
class OpenStakes:
    """All open stakes, oldest first, and their sum."""

    position: int
    stakes: tuple[OpenStake, ...]
    total: int


def currency_of(kind: str) -> str:
    """Return the currency of a kind of postings."""
    floor = ON_THE_FLOOR.fullmatch(kind)
    return floor["currency"] if floor else CURRENCY


def balance(store: Store, account: str, *, at: int | None = None) -> Balance:
    """Return the balance of an account.

    Raises:
        InputError: the account is not in the counted messages.

    """
    size = size_of(store, at)
    sql = (
        f"SELECT count() AS known, {SUMS} FROM postings "  # noqa: S608 - own text
        f"WHERE {OF_PLAYERS} AND account = {{account:String}} AND position < {{size:Int64}}"
    )
    (row,) = store.rows(sql, size=size, account=account)
    if not row.pop("known"):
        require_known(store, size, account=account)
    return Balance(size, account, **row)


def all_balances(store: Store, *, at: int | None = None) -> list[Balance]:
    """Return the balance of every account with a posting, by name."""
    size = size_of(store, at)
    sql = (
        f"SELECT account, {SUMS} FROM money_by_day(size = {{size:Int64}}) "  # noqa: S608 - own text
        f"WHERE {OF_PLAYERS} GROUP BY account ORDER BY account"
    )
    return [Balance(position=size, **row) for row in store.rows(sql, size=size)]


def held_by_all(store: Store, *, at: int) -> dict[str, int]:
    """Return wallet and reserved chips of every account, as statements of account have them."""
    return {one.account: one.wallet + one.reserved for one in all_balances(store, at=at)}


def trial_balance(store: Store, *, at: int | None = None) -> TrialBalance:
    """Sum all postings by kind, and check that they balance at every position."""
    size = size_of(store, at)
    totals = store.rows(
        "SELECT kind, sum(amount) AS amount FROM money_by_day(size = {size:Int64}) "
        "GROUP BY kind ORDER BY kind",
        size=size,
    )
    sums: Counter[str] = Counter()
    for row in totals:
        sums[currency_of(row["kind"])] += row["amount"]
    faults = money_faults(store, size)
    return TrialBalance(
        position=size,
        totals={row["kind"]: row["amount"] for row in totals},
        total=sum(row["amount"] for row in totals),
        sums=dict(sorted(sums.items())),
        uneven=tuple(row["position"] for row in faults if row["code"] == "POSTINGS_UNEVEN"),
        negative=tuple(
            (row["account"], row["detail"], row["position"])
            for row in faults
            if row["code"] == "BALANCE_NEGATIVE"
        ),
    )


def money_faults(store: Store, size: int) -> list[dict[str, Any]]:
    """Return the positions that do not sum to zero and the first negative balances, by position.

    Finished days are checked by their sums; single postings are read only if those show a fault.
    """
    faults: list[dict[str, Any]] = []
    if store.value(f"SELECT sum(check) FROM {DAYS}", size=size):  # noqa: S608 - own text
        faults += store.rows(UNEVEN, size=size)
    below = store.rows(BELOW, size=size)
    if below:
        faults += store.rows(
            FIRST_BELOW,
            size=size,
            kinds=sorted({row["kind"] for row in below}),
            accounts=sorted({row["account"] for row in below}),
        )
    return sorted(
        faults, key=lambda row: (row["position"], row["code"], row["account"], row["detail"])
    )


DAYS = "money_by_day(size = {size:Int64})"
UNEVEN = """
    SELECT 'POSTINGS_UNEVEN' AS code, position, any(account) AS account, '' AS detail
    FROM postings
    WHERE position < {size:Int64}
    GROUP BY position
    HAVING sum(amount) != 0"""
OWED = "if(kind = 'claims', -amount, amount)"
HELD = f"""sum({OWED}) OVER
            (
                PARTITION BY kind, account ORDER BY position, posting
                ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
            )"""
"""Balance of a kind of an account after a row; for claims, the amount owed."""
BELOW = f"""
    SELECT DISTINCT kind, account
    FROM
    (
        SELECT kind, account, least, {HELD} - {OWED} AS before
        FROM {DAYS}
        WHERE {OF_PLAYERS}
    )
    WHERE before + least < 0"""  # noqa: S608 - own text
FIRST_BELOW = f"""
    SELECT 'BALANCE_NEGATIVE' AS code, position, account, kind AS detail
    FROM
    (
        SELECT kind, account, position, {HELD} AS balance
        FROM postings
        WHERE position < {{size:Int64}} AND kind IN {{kinds:Array(String)}}
            AND account IN {{accounts:Array(String)}}
    )
    WHERE balance < 0
    ORDER BY position
    LIMIT 1 BY kind, account"""  # noqa: S608 - own text


def open_stakes(store: Store, *, account: str = "", at: int | None = None) -> OpenStakes:
    """List placed chips and unsettled bets, of all accounts or of one."""
    size = size_of(store, at)
    rows = store.rows(
        "SELECT account, round, bet, kind, sum(amount) AS amount, "
        "min(postings.position) AS since_position FROM postings "
        "WHERE kind IN ('reserved', 'in_play') AND postings.position < {size:Int64} "
        "AND ({account:String} = '' OR account = {account:String}) "
        "GROUP BY account, round, bet, kind HAVING amount != 0 "
        "ORDER BY since_position, bet",
        size=size,
        account=account,
    )
    stakes = tuple(OpenStake(**row) for row in rows)
    return OpenStakes(size, stakes, sum(stake.amount for stake in stakes))
