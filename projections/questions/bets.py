"""List bets against the house: stake, selection and result of each.

A bet belongs to the day of its record, which is that of its conclusion at the close (SAZKA 13(5));
chips that did not become a bet belong to the day of their placement. Money is haléř, timestamps are
microseconds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ledger.core.errors import InputError
from ledger.core.phrases import Phrase
from ledger.core.units import Count, Haler, Moment
from projections.store.as_of import size_of
from projections.store.known_positions import require_known

if TYPE_CHECKING:
    from projections.store.tables import Store

__all__ = ["BetLine", "Bets", "list_bets"]

LIMIT_MAX = 10_000


@dataclass(frozen=True, slots=True)
class BetLine:
    """One bet; ``position`` is that of its conclusion, or without one that of its placement.

    ``occurred_at`` is the time of the placement by its source, ``placed_at`` that of its record;
    ``concluded_at`` is ``None`` for chips that did not become a bet (yet). ``stake`` and ``paid``
    include corrections; ``paid`` is ``None`` before settlement. ``wording`` is what was recorded in
    English of what is bet on, ``bet_code`` and ``selection`` (JSON, or empty) the same for
    programs; ``parent`` is the bet to which an action added this one, or empty.
    """

    position: Count
    bet: str
    account: str
    round: str
    table: str
    wording: str
    status: str
    stake: Haler
    paid: Haler | None
    occurred_at: Moment
    placed_at: Moment
    concluded_at: Moment | None
    bet_code: str
    selection: str
    parent: str


@dataclass(frozen=True, slots=True)
class Bets:
    """A page of bets, newest first; ``before`` requests the next page, None on the last one."""

    position: int
    bets: tuple[BetLine, ...]
    before: int | None


def list_bets(
    store: Store,
    *,
    account: str = "",
    round: str = "",  # noqa: A002 - the domain's word
    since: int = 0,
    before: int | None = None,
    limit: int = 100,
    at: int | None = None,
) -> Bets:
    """List bets, newest record first.

    Args:
        store: the tables.
        account: only of this account.
        round: only of this round.
        since: only those recorded at this position or later.
        before: only those recorded before this position.
        limit: bets on the page, 1 to 10,000.
        at: count the messages below this position only.

    Raises:
        InputError: the limit or position is out of range, or account or round is unknown.

    """
    if not 1 <= limit <= LIMIT_MAX:
        raise InputError(Phrase("LIMIT_OUT_OF_RANGE", limit=limit, most=LIMIT_MAX))
    size = size_of(store, at)
    found = {
        "size": size,
        "account": account,
        "round": round,
        "since": since,
        "before": size if before is None else min(before, size),
    }
    rows = _newest(store, found, limit + 1)
    if not rows:
        require_known(store, size, account=account, round=round)
    page = rows[:limit]
    asked = {
        "size": size,
        "bets": [row["bet"] for row in page],
        "positions": [row[name] for row in page for name in ("placed_position", "position")],
    }
    placed = {row["bet"]: row for row in store.rows(PLACED, **asked)}
    concluded = {row["bet"]: row["recorded_at"] for row in store.rows(CONCLUDED, **asked)}
    changes = {row["bet"]: row for row in store.rows(CHANGES, **asked)}
    lines = tuple(
        BetLine(
            **{name: row[name] for name in ("position", "bet", "account", "round", "table")},
            wording=placed[row["bet"]]["wording"],
            status=_status(row),
            stake=row["stake"] + changes.get(row["bet"], UNCHANGED)["stake"],
            paid=row["paid"] + changes.get(row["bet"], UNCHANGED)["paid"]
            if row["settled"]
            else None,
            occurred_at=placed[row["bet"]]["occurred_at"],
            placed_at=row["placed_at"],
            concluded_at=concluded.get(row["bet"]),
            **{name: placed[row["bet"]][name] for name in ("bet_code", "selection", "parent")},
        )
        for row in page
    )
    return Bets(size, lines, lines[-1].position if len(rows) > limit else None)


def _status(row: dict[str, Any]) -> str:
    for status in ("settled", "voided", "given_back", "concluded"):
        if row[status]:
            return status
    return "placed"


def _newest(store: Store, asked: dict[str, Any], number: int) -> list[dict[str, Any]]:
    """Return the ``number`` newest bets by the position of their record.

    The newest placements and the newest conclusions are read by position, and then all events of
    bets in their rounds. Every bet recorded above the oldest of both is among them.
    """
    many = number
    while True:
        keys = store.rows(KEYS, **asked, number=many)
        full = [row["oldest"] for row in keys if len(row["rounds"]) == many]
        oldest = max(full, default=0)
        names = sorted({name for row in keys for name in row["rounds"]})
        rows = store.rows(PAGE, **asked, rounds=names, oldest=oldest, limit=number)
        if len(rows) == number or not full:
            return rows
        many *= GROWTH


UNCHANGED = {"stake": 0, "paid": 0}
GROWTH = 4
"""Factor by which more placements and conclusions are read if those read were too few."""
NEWEST = """
    SELECT groupArray(round) AS rounds, min(position) AS oldest
    FROM
    (
        SELECT round, position FROM {table}
        WHERE position >= {{since:Int64}} AND position < {{before:Int64}}
            AND ({{account:String}} = '' OR account = {{account:String}})
            AND ({{round:String}} = '' OR round = {{round:String}})
        ORDER BY position DESC
        LIMIT {{number:Int64}}
    )"""
KEYS = " UNION ALL ".join(NEWEST.format(table=table) for table in ("BetPlaced", "BetConcluded"))
PAGE = """
    SELECT
        if(concluded_position > 0, concluded_position, placed_position) AS position,
        bet, account, round, table, stake, paid, placed_at, placed_position,
        concluded, given_back, voided, settled
    FROM bets(size = {size:Int64}, account = {account:String})
    WHERE placed > 0 AND ({round:String} = '' OR round = {round:String})
        AND round IN {rounds:Array(String)}
        AND position >= {since:Int64} AND position >= {oldest:Int64} AND position < {before:Int64}
    ORDER BY position DESC
    LIMIT {limit:Int64}
"""
PLACED = """
    SELECT bet, wording, occurred_at, bet_code, selection, parent FROM BetPlaced
    WHERE position IN {positions:Array(Int64)} AND bet IN {bets:Array(String)}
"""
CONCLUDED = """
    SELECT bet, recorded_at FROM BetConcluded
    WHERE position IN {positions:Array(Int64)} AND bet IN {bets:Array(String)}
"""
CHANGES = """
    SELECT bet, sum(changes.stake) AS stake, sum(changes.paid) AS paid
    FROM
    (
        SELECT bet, toInt64(0) AS stake, difference AS paid FROM WinCorrected
        WHERE position < {size:Int64} AND bet IN {bets:Array(String)}
        UNION ALL
        SELECT bet, difference, 0 FROM BetCorrected
        WHERE position < {size:Int64} AND bet IN {bets:Array(String)}
        UNION ALL
        SELECT bet, 0, -collected - claimed FROM PrizeWithheld
        WHERE position < {size:Int64} AND bet IN {bets:Array(String)}
    ) AS changes
    GROUP BY bet
"""
