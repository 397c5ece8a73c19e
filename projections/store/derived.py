"""Compute the tables that the projector derives from others after each step, before the watermark.

What comes in: the log, and a range of messages whose rows are stored. What goes out: the
evaluations of continuous play in that range, and for each day that ended in it the sums, the
house's win on each kind of bet, and the evidence against wheels, dealers and shoes. A derived row
has a position in the range and depends only on messages up to that position. So it is deleted with
the others above a watermark, it can be read as of any position, and a rebuild gives the same rows.
Memory is bounded by a few times ``PART_MAX`` messages.
"""

from __future__ import annotations

from datetime import date
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

from ledger.core.clock import day_of, midnight_after
from ledger.events.encoding import decode_envelope
from ledger.log.port import envelope_at, size_before
from projections.store.as_of import event_tables
from projections.store.definitions import inlined
from projections.store.two_connections import FEW, do_all

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from ledger.log.port import ReadableLog
    from projections.store.tables import Store

__all__ = ["derive"]

PART_MAX = 1_000_000
"""Greatest number of messages that are derived from at once."""

WATCHED = frozenset({"RoundResulted", "CardDealt"})

RESULTS = """
SELECT count() FROM RoundResulted WHERE position >= {first:Int64} AND position < {end:Int64}"""
PLAYED = """
INSERT INTO evaluated_play (account, round, position, evaluated_at, first_placed_at, bets)
WITH ended AS
(
    SELECT round FROM RoundResulted
    WHERE position >= {first:Int64} AND position < {end:Int64}
)
SELECT
    bet.account AS account, bet.round AS round, round.resulted_position AS position,
    any(round.resulted_at) AS evaluated_at, min(bet.placed_at) AS first_placed_at, count() AS bets
FROM bets(size = {end:Int64}, account = '') AS bet
INNER JOIN rounds(size = {end:Int64}) AS round ON bet.round = round.round
WHERE bet.round IN (SELECT round FROM ended) AND round.round IN (SELECT round FROM ended)
    AND round.streamed
    AND round.opened_position < round.resulted_position
    AND round.resulted_position >= {first:Int64}
    AND bet.placed_position > 0
    AND bet.concluded_position > bet.placed_position
    AND bet.concluded_position < round.resulted_position
    AND (bet.given_back_position = 0 OR bet.given_back_position > round.resulted_position)
    AND (bet.voided_position = 0 OR bet.voided_position > round.resulted_position)
GROUP BY account, round, position"""

ENDED = """
INSERT INTO day_ends (position, day)
SELECT tupleElement(ended, 1), tupleElement(ended, 2)
FROM (SELECT arrayJoin(arrayZip({positions:Array(Int64)}, {days:Array(Date)})) AS ended)"""
OF_DAYS = """
    (
        SELECT position, posting, kind, account, round, bet, event, amount, 1 AS one
        FROM postings
        WHERE position >= {first:Int64} AND position < {end:Int64}
    ) AS moved
    ASOF INNER JOIN
    (
        SELECT position, day, 1 AS one
        FROM day_ends
        WHERE position > {first:Int64} AND position <= {end:Int64}
    ) AS ended ON moved.one = ended.one AND moved.position < ended.position"""
MOVED = f"""
INSERT INTO daily_postings (position, kind, account, amount, least, check)
SELECT
    ended.position AS position, moved.kind AS kind, moved.account AS account,
    sum(moved.amount) AS amount,
    arrayMin(arrayCumSum(arrayMap(one -> one.3, arraySort(groupArray((
        moved.position, moved.posting, if(moved.kind = 'claims', -moved.amount, moved.amount)
    )))))) AS least,
    sum(toUInt64(moved.amount) * sipHash64(moved.position)) AS check
FROM {OF_DAYS}
GROUP BY position, kind, account"""  # noqa: S608 - own text
BOOKED = f"""
INSERT INTO daily_movements
    (position, day, kind, event, game, table, streamed, plus, minus, times)
SELECT
    ended.position AS position, any(ended.day) AS day, moved.kind AS kind, moved.event AS event,
    if(games.opened_at < ended.position, games.game, '') AS game,
    if(games.opened_at < ended.position, games.table, '') AS table,
    games.opened_at < ended.position AND games.streamed AS streamed,
    sumIf(moved.amount, moved.amount > 0) AS plus, -sumIf(moved.amount, moved.amount < 0) AS minus,
    count() AS times
FROM {OF_DAYS}
LEFT JOIN
(
    SELECT
        round AS name, argMin(game, position) AS game, argMin(table, position) AS table,
        argMin(streamed, position) AS streamed, min(position) AS opened_at
    FROM facts_of_rounds
    WHERE fact = 'opened' AND round IN
    (
        SELECT round FROM postings
        WHERE position >= {{first:Int64}} AND position < {{end:Int64}} AND round != ''
    )
    GROUP BY round
    UNION ALL
    SELECT concat('tournament:', tournament), argMin(game, position), '', false, min(position)
    FROM TournamentAnnounced
    WHERE position < {{end:Int64}}
    GROUP BY tournament
) AS games ON games.name = if(moved.round = '', moved.bet, moved.round)
GROUP BY position, kind, event, game, table, streamed"""  # noqa: S608 - own text


def derive(store: Store, log: ReadableLog, first: int, end: int, moment: int) -> None:
    """Derive rows from the messages from ``first`` up to, but not including, ``end``.

    All rows of these messages must be stored.

    Args:
        store: the tables; their watermark is ``first``.
        log: the chain.
        first: position of the first message.
        end: position after the last message.
        moment: when the last message was recorded (microseconds).

    Raises:
        AvailabilityError, IntegrityError: the log or the tables cannot be read.

    """
    filled = event_tables(store)
    works: list[Callable[[Store], None]] = []
    if "RoundResulted" in filled:
        works.append(partial(_derive_play, first=first, end=end))
    if ends := _day_ends(log, end, (_recorded_before(store, log, first), moment)):
        before = store.value("SELECT max(position) FROM day_ends")
        store.command(ENDED, positions=list(ends), days=list(ends.values()))
        days = [
            (begin, [end for end in ends if begin < end <= until])
            for begin, until in pairwise(_parts(before, list(ends)))
        ]
        works += (partial(_derive_days, days=days, one=one) for one in _of_days(filled))
    do_all(store, works, is_much=end - first > FEW)


def _derive_play(store: Store, first: int, end: int) -> None:
    for begin in range(first, end, PART_MAX):
        part = {"first": begin, "end": min(begin + PART_MAX, end)}
        if store.value(RESULTS, **part):
            store.command(inlined(PLAYED), **part)


def _derive_days(
    store: Store,
    days: Iterable[tuple[int, list[int]]],
    one: Callable[[Store, int, Sequence[int]], None],
) -> None:
    for begin, ends in days:
        one(store, begin, ends)


def _of_days(filled: Collection[str]) -> Iterator[Callable[[Store, int, Sequence[int]], None]]:
    """Yield what derives the rows of some days, the first of which begins at a position."""
    yield from (partial(_derive_sums, statement=statement) for statement in (MOVED, BOOKED))
    if WATCHED.intersection(filled):
        from projections.store.device_days import derive_devices

        yield derive_devices
    if "BetPlaced" in filled:
        from projections.store.house_days import derive_house

        yield derive_house


def _derive_sums(store: Store, first: int, ends: Sequence[int], statement: str) -> None:
    store.command(statement, first=first, end=ends[-1])


def _recorded_before(store: Store, log: ReadableLog, first: int) -> int:
    """Return when the message before a range was recorded, or the first message of the chain."""
    if first:
        return int(store.value("SELECT recorded_at FROM watermark ORDER BY size DESC LIMIT 1"))
    return next(decode_envelope(message).recorded_at for _, message in log.read(0, 1))


def _day_ends(log: ReadableLog, end: int, moments: tuple[int, int]) -> dict[int, date]:
    """Return the days that ended between two times, by the first position of the next day."""
    found: dict[int, date] = {}
    moment, last = moments
    while moment < (midnight := midnight_after(moment)) <= last:
        position = size_before(log, midnight, end)
        if position == end:
            break
        found[position] = date.fromisoformat(day_of(moment))
        moment = envelope_at(log, position).recorded_at
    return found


def _parts(begin: int, ends: list[int]) -> list[int]:
    """Return the bounds of parts: whole days with at most ``PART_MAX`` messages, or one day."""
    bounds = [begin]
    for end, following in zip(ends, [*ends[1:], None], strict=True):
        if following is None or following - bounds[-1] > PART_MAX:
            bounds.append(end)
    return bounds
