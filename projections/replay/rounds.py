"""List rounds, newest first.

Money is haléř, timestamps are microseconds.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from ledger.core.errors import InputError
from ledger.core.phrases import Phrase
from projections.replay.round_line import MOVES, Moves, RoundLine, Status, round_line
from projections.store.as_of import size_at, size_of
from projections.store.known_positions import require_known

if TYPE_CHECKING:
    from collections.abc import Iterator

    from projections.store.tables import Store

__all__ = ["Rounds", "list_rounds"]


@dataclass(frozen=True, slots=True)
class Rounds:
    """A page of rounds, newest first; ``before`` requests the next page, None on the last one."""

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
        opened_from: only those opened at this time (microseconds) or later.
        opened_before: only those opened before this time (microseconds).
        status: only those with this current status.
        since: only those opened at this position or later.
        before: ``before`` of the page before this one.
        limit: rounds on the page, 1 to 1000.
        at: count the messages below this position only.

    Raises:
        InputError: the limit or position is out of range, or account, game or table is unknown.

    """
    if not 1 <= limit <= LIMIT_MAX:
        raise InputError(Phrase("LIMIT_OUT_OF_RANGE", limit=limit, most=LIMIT_MAX))
    size = size_of(store, at)
    wanted = _Wanted(
        table=table,
        game=game,
        account=account,
        status=status or "",
        first=max(since, 0 if opened_from is None else size_at(store, opened_from, size)),
        end=min(
            size if before is None else before,
            size if opened_before is None else size_at(store, opened_before, size),
        ),
    )
    rows: list[dict[str, Any]] = []
    for part in _parts(store, wanted, size, limit + 1):
        rows += part
        if len(rows) > limit:
            break
    if not rows:
        require_known(store, size, account=account, game=game, table=table)
    lines = tuple(_with_money(store, rows[:limit], size))
    return Rounds(size, lines, lines[-1].opened_position if len(rows) > limit else None)


@dataclass(frozen=True, slots=True)
class _Wanted:
    """Filter of rounds: a range of positions of the opening; empty texts match any value."""

    table: str
    game: str
    account: str
    status: str
    first: int
    end: int


def _parts(store: Store, wanted: _Wanted, size: int, number: int) -> Iterator[list[dict[str, Any]]]:
    """Read rounds, newest opening first, in parts of growing size.

    Only the events of the rounds of a part are read.
    """
    keys = OF_ACCOUNT if wanted.account else OPENED
    asked = {**asdict(wanted), "size": size, "number": number, "limit": number}
    while True:
        yield store.rows(LINES.format(keys=keys, status=STATUS[wanted.status]), **asked)
        (part,) = store.rows(PART.format(keys=keys), **asked)
        if part["rounds"] < asked["number"]:
            return
        asked["end"], asked["number"] = part["oldest"], GROWTH * asked["number"]


LIMIT_MAX = 1000
GROWTH = 8
"""Factor by which each part is larger than the one before."""
OPENED = """
    SELECT round, position FROM RoundOpened
    WHERE position >= {first:Int64} AND position < {end:Int64} AND position < {size:Int64}
        AND ({table:String} = '' OR table = {table:String})
        AND ({game:String} = '' OR game = {game:String})
    ORDER BY position DESC
    LIMIT {number:Int64}"""
OF_ACCOUNT = """
    SELECT round, position FROM facts_of_rounds
    WHERE position >= {first:Int64} AND position < {end:Int64} AND position < {size:Int64}
        AND fact = 'opened'
        AND ({table:String} = '' OR table = {table:String})
        AND ({game:String} = '' OR game = {game:String})
        AND round IN
        (
            SELECT round FROM BetPlaced
            WHERE account = {account:String} AND position < {size:Int64}
            UNION ALL
            SELECT round FROM HandAction
            WHERE account = {account:String} AND position < {size:Int64}
        )
    ORDER BY position DESC
    LIMIT {number:Int64}"""
PART = "SELECT count() AS rounds, min(position) AS oldest FROM ({keys})"
LINES = """
    WITH keys AS ({keys})
    SELECT
        round, table, game, plan_version, streamed, opened_position, opened_at,
        if(closed > 0, closed_at, NULL) AS closed_at,
        if(resulted > 0, resulted_at, NULL) AS resulted_at,
        if(voided > 0, voided_at, NULL) AS voided_at,
        wording
    FROM rounds(size = {{size:Int64}})
    WHERE round IN (SELECT round FROM keys)
        AND opened_position IN (SELECT position FROM keys) AND {status}
    ORDER BY opened_position DESC
    LIMIT {{limit:Int64}}"""
UNSETTLED = """
    (SELECT round FROM facts_of_bets
    WHERE position < {size:Int64} AND round IN (SELECT round FROM keys)
    GROUP BY round
    HAVING countIf(fact = 'concluded') > countIf(fact IN ('voided', 'settled')))"""
STATUS = {
    "": "true",
    "open": "closed + resulted + voided = 0",
    "closed": "closed > 0 AND resulted + voided = 0",
    "resulted": f"resulted > 0 AND round IN {UNSETTLED}",
    "settled": f"resulted > 0 AND round NOT IN {UNSETTLED}",
    "voided": "voided > 0 AND resulted = 0",
}
"""Condition that the rounds of each status meet."""


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
