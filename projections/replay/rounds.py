"""List rounds, newest first, or those nearest to a time first.

Money is haléř, timestamps are microseconds.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

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
    """A page of rounds, newest first; ``before`` requests the next page, None on the last one.

    Of rounds near a time there is one page, with the nearest opening first.
    """

    position: int
    rounds: tuple[RoundLine, ...]
    before: int | None


def list_rounds(
    store: Store,
    *,
    table: str = "",
    game: str = "",
    account: str = "",
    dealer: str = "",
    device: str = "",
    shoe: str = "",
    near: int | None = None,
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
        dealer: only of this dealer.
        device: only those with this device of the table, such as its wheel.
        shoe: only of this shoe.
        near: those opened nearest to this time (microseconds), the nearest first.
        opened_from: only those opened at this time (microseconds) or later.
        opened_before: only those opened before this time (microseconds).
        status: only those with this current status.
        since: only those opened at this position or later.
        before: ``before`` of the page before this one.
        limit: rounds on the page, 1 to 1000.
        at: count the messages below this position only.

    Raises:
        InputError: the limit or position is out of range, or a name is unknown.

    """
    if not 1 <= limit <= LIMIT_MAX:
        raise InputError(Phrase("LIMIT_OUT_OF_RANGE", limit=limit, most=LIMIT_MAX))
    size = size_of(store, at)
    names = {"table": table, "game": game, "account": account}
    names |= {"dealer": dealer, "device": device, "shoe": shoe}
    wanted = _Wanted(
        **names,
        status=status or "",
        first=max(since, 0 if opened_from is None else size_at(store, opened_from, size)),
        end=min(
            size if before is None else before,
            size if opened_before is None else size_at(store, opened_before, size),
        ),
    )
    if near is None:
        rows = _rows(store, wanted, size, limit + 1)
    else:
        middle = size_at(store, near, size)
        earlier = replace(wanted, end=min(wanted.end, middle))
        later = replace(wanted, first=max(wanted.first, middle))
        rows = _rows(store, earlier, size, limit) + _rows(store, later, size, limit, order="ASC")
        rows = sorted(rows, key=lambda row: abs(row["opened_at"] - near))[:limit]
    if not rows:
        require_known(store, size, **names)
    lines = tuple(_with_money(store, rows[:limit], size))
    return Rounds(size, lines, lines[-1].opened_position if len(rows) > limit else None)


@dataclass(frozen=True, slots=True)
class _Wanted:
    """Filter of rounds: a range of positions of the opening; empty texts match any value."""

    table: str
    game: str
    account: str
    dealer: str
    device: str
    shoe: str
    status: str
    first: int
    end: int


def _rows(
    store: Store, wanted: _Wanted, size: int, number: int, *, order: Literal["ASC", "DESC"] = "DESC"
) -> list[dict[str, Any]]:
    """Return ``number`` rounds or all, in the order of their openings."""
    rows: list[dict[str, Any]] = []
    for part in _parts(store, wanted, size, number, order):
        rows += part
        if len(rows) >= number:
            break
    return rows[:number]


def _parts(
    store: Store, wanted: _Wanted, size: int, number: int, order: str
) -> Iterator[list[dict[str, Any]]]:
    """Read rounds in the order of their openings, in parts of growing size.

    Only the events of the rounds of a part are read.
    """
    if wanted.account:
        has_setting = wanted.dealer or wanted.device or wanted.shoe
        keys = OF_ACCOUNT.format(setting=IN_SETTING % SETTING if has_setting else "", order=order)
    else:
        keys = OPENED.format(setting=SETTING, order=order)
    asked = {**asdict(wanted), "size": size, "number": number, "limit": number}
    lines = LINES.format(keys=keys, status=STATUS[wanted.status], order=order)
    while True:
        yield store.rows(lines, **asked)
        (part,) = store.rows(PART.format(keys=keys), **asked)
        if part["rounds"] < asked["number"]:
            return
        if order == "DESC":
            asked["end"] = part["oldest"]
        else:
            asked["first"] = part["newest"] + 1
        asked["number"] *= GROWTH


LIMIT_MAX = 1000
GROWTH = 8
"""Factor by which each part is larger than the one before."""
SETTING = """
        AND ({dealer:String} = '' OR dealer = {dealer:String})
        AND ({shoe:String} = '' OR shoe = {shoe:String})
        AND ({device:String} = '' OR has(devices, {device:String}))"""
"""Conditions on what only the opening of a round names."""
IN_SETTING = """
        AND position IN
        (
            SELECT position FROM RoundOpened
            WHERE position >= {first:Int64} AND position < {end:Int64}%s
        )"""
OPENED = """
    SELECT round, position FROM RoundOpened
    WHERE position >= {{first:Int64}} AND position < {{end:Int64}} AND position < {{size:Int64}}
        AND ({{table:String}} = '' OR table = {{table:String}})
        AND ({{game:String}} = '' OR game = {{game:String}}){setting}
    ORDER BY position {order}
    LIMIT {{number:Int64}}"""
OF_ACCOUNT = """
    SELECT round, position FROM facts_of_rounds
    WHERE position >= {{first:Int64}} AND position < {{end:Int64}} AND position < {{size:Int64}}
        AND fact = 'opened'
        AND ({{table:String}} = '' OR table = {{table:String}})
        AND ({{game:String}} = '' OR game = {{game:String}}){setting}
        AND round IN
        (
            SELECT round FROM BetPlaced
            WHERE account = {{account:String}} AND position < {{size:Int64}}
            UNION ALL
            SELECT round FROM HandAction
            WHERE account = {{account:String}} AND position < {{size:Int64}}
        )
    ORDER BY position {order}
    LIMIT {{number:Int64}}"""
PART = "SELECT count() AS rounds, min(position) AS oldest, max(position) AS newest FROM ({keys})"
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
    ORDER BY opened_position {order}
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
