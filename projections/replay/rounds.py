"""The list of rounds, newest first.

Money is haléř, moments are microseconds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ledger.core.errors import InputError
from projections.replay.round_line import MOVES, Moves, RoundLine, Status, round_line
from projections.store.as_of import size_of
from projections.store.known_positions import require_known

if TYPE_CHECKING:
    from projections.store.tables import Store

__all__ = ["Rounds", "list_rounds"]


@dataclass(frozen=True, slots=True)
class Rounds:
    """A page of rounds, newest first; ``before`` asks for the next page, if there is one."""

    position: int
    rounds: tuple[RoundLine, ...]
    before: int | None


def list_rounds(
    store: Store,
    *,
    table: str = "",
    game: str = "",
    account: str = "",
    opened_from: int | None = None,
    opened_before: int | None = None,
    status: Status | None = None,
    since: int = 0,
    before: int | None = None,
    limit: int = 100,
    at: int | None = None,
) -> Rounds:
    """List rounds, newest first.

    Args:
        store: the tables.
        table: only of this table.
        game: only of this game.
        account: only those in which the account placed chips or acted in a hand.
        opened_from: only those opened at this moment (microseconds) or later.
        opened_before: only those opened before this moment.
        status: only those with this current status.
        since: only those opened at this position or later.
        before: ``before`` of the page before this one.
        limit: rounds on the page, 1 to 1000.
        at: count the messages below this position only.

    Raises:
        InputError: the limit or position is out of range, or account, game or table is unknown.

    """
    if not 1 <= limit <= LIMIT_MAX:
        raise InputError(f"limit {limit} is out of range: give 1 to {LIMIT_MAX}")
    size = size_of(store, at)
    asked = {
        "table = {table:String}": table,
        "game = {game:String}": game,
        IN_ROUND: account,
        "opened_at >= {opened_from:Int64}": opened_from is not None,
        "opened_at < {opened_before:Int64}": opened_before is not None,
        "opened_position >= {since:Int64}": since,
        "opened_position < {before:Int64}": before is not None,
        STATUS[status or ""]: status,
    }
    conditions = " AND ".join(
        ["opened > 0", *(text for text, is_asked in asked.items() if is_asked)]
    )
    rows = store.rows(
        f"SELECT {COLUMNS} FROM rounds(size = {{size:Int64}}) WHERE {conditions} "  # noqa: S608 - own text
        "ORDER BY opened_position DESC LIMIT {limit:Int64}",
        size=size,
        table=table,
        game=game,
        account=account,
        opened_from=opened_from or 0,
        opened_before=opened_before or 0,
        since=since,
        before=before or 0,
        limit=limit + 1,
    )
    if not rows:
        require_known(store, size, account=account, game=game, table=table)
    lines = _with_money(store, rows[:limit], size)
    return Rounds(size, tuple(lines), lines[-1].opened_position if len(rows) > limit else None)


LIMIT_MAX = 1000
COLUMNS = """
    round, table, game, plan_version, streamed, opened_position, opened_at,
    if(closed > 0, closed_at, NULL) AS closed_at,
    if(resulted > 0, resulted_at, NULL) AS resulted_at,
    if(voided > 0, voided_at, NULL) AS voided_at,
    wording"""
IN_ROUND = """round IN (SELECT round FROM BetPlaced
    WHERE account = {account:String} AND position < {size:Int64}
    UNION ALL SELECT round FROM HandAction
    WHERE account = {account:String} AND position < {size:Int64})"""
UNSETTLED = """(SELECT round FROM postings WHERE kind = 'in_play' AND position < {size:Int64}
    GROUP BY round HAVING sum(amount) != 0)"""
STATUS = {
    "": "",
    "open": "closed + resulted + voided = 0",
    "closed": "closed > 0 AND resulted + voided = 0",
    "resulted": f"resulted > 0 AND round IN {UNSETTLED}",
    "settled": f"resulted > 0 AND round NOT IN {UNSETTLED}",
    "voided": "voided > 0 AND resulted = 0",
}


def _with_money(store: Store, rows: list[dict[str, Any]], size: int) -> list[RoundLine]:
    """Add bets, stakes and payments to the rows of a page."""
    where = "WHERE position < {size:Int64} AND round IN {rounds:Array(String)}"
    sums = store.rows(
        "SELECT round, sum(bets) AS bets, sum(stakes) AS stakes, sum(paid) AS paid, "  # noqa: S608 - own text
        f"sum(open) AS open FROM ({MOVES.format(where=where)}) GROUP BY round",
        size=size,
        rounds=[row["round"] for row in rows],
    )
    moves = {row.pop("round"): Moves(**row) for row in sums}
    return [round_line(row, moves.get(row["round"], Moves())) for row in rows]
