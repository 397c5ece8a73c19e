"""Evidence against wheels, dealers and shoes, updated incrementally at the end of each day.

What comes in: the tables, and a range of messages. What goes out: the state of each device as of
any position, and a row of ``daily_devices`` for each device with results on a finished day. A state
is computed from the state at the end of the previous day and later results, so its cost does not
grow with the chain. A result counts once, for the last opening of its round before it; a
card counts once, however often it was recorded.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Any

import numpy as np

from ledger import games
from ledger.games.roulette import RoulettePlan
from ledger.games.wheels import WheelPlan
from projections.evalues.devices import (
    SHOE,
    Cards,
    Device,
    Key,
    Spins,
    add_cards,
    add_spins,
    wheel_shares,
)
from projections.store.as_of import end_of_days
from projections.store.plans import register_plans

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from projections.store.tables import Store

__all__ = ["derive_devices", "devices_at"]

PLAYED = """
SELECT DISTINCT game, plan_version FROM RoundOpened
WHERE position < {end:Int64} AND round IN
    (SELECT round FROM RoundResulted WHERE position >= {first:Int64} AND position < {end:Int64})"""
IN_RANGE = """
    SELECT round FROM RoundResulted WHERE position >= {first:Int64} AND position < {end:Int64}"""
SPINS = f"""
WITH
    results AS
    (
        SELECT round, argMin(outcome, result.position) AS outcome, min(result.position) AS position
        FROM RoundResulted AS result
        WHERE result.position >= {{first:Int64}} AND result.position < {{end:Int64}}
            AND round NOT IN
            (
                SELECT round FROM facts_of_rounds
                WHERE fact = 'resulted' AND position < {{first:Int64}} AND round IN ({IN_RANGE})
            )
        GROUP BY round
    ),
    opened AS
    (
        SELECT
            round, game, plan_version, dealer, position,
            arrayFirst((device, kind) -> kind IN ('wheel', 'machine'), devices, device_kinds)
                AS wheel,
            if(wheel = '', table, wheel) AS made_by
        FROM RoundOpened
        WHERE position < {{end:Int64}} AND game IN {{games:Array(String)}}
            AND position >=
            (
                SELECT min(position) FROM facts_of_rounds
                WHERE fact = 'opened' AND position < {{end:Int64}} AND round IN ({IN_RANGE})
            )
    )
SELECT
    arrayFirst(one -> one > results.position, {{ends:Array(Int64)}}) AS until,
    arrayJoin([('wheel', opened.made_by), ('dealer', opened.dealer)]) AS who,
    opened.game AS game, opened.plan_version AS version,
    sumMap([if(JSONHas(outcome, 'number'), toString(JSONExtractInt(outcome, 'number')),
        JSONExtractString(outcome, 'field'))], [toUInt64(1)]) AS counts,
    max(results.position) AS last
FROM opened
INNER JOIN results ON opened.round = results.round
WHERE who.2 != '' AND opened.position < results.position
GROUP BY until, who, game, version
ORDER BY until, who, game, version"""  # noqa: S608 - own text

LOADED = """
    ASOF INNER JOIN
    (
        SELECT shoe, table, decks, position FROM ShoeLoaded WHERE position < {end:Int64}
    ) AS loaded ON dealt.shoe = loaded.shoe AND dealt.position > loaded.position"""
DAY = "toDate(fromUnixTimestamp64Micro(recorded_at, 'Europe/Prague'))"
FACE_UP = f"""
    (
        SELECT
            first_record.shoe AS shoe, first_record.dealt_at AS position,
            if(corrected.at > first_record.dealt_at, corrected.face, first_record.face) AS card
        FROM
        (
            SELECT
                round, index, shoe, {DAY} AS day,
                min(position) AS dealt_at, argMin(card, position) AS face
            FROM CardDealt
            WHERE position >= {{first:Int64}} AND position < {{end:Int64}}
                AND shoe != '' AND face_up AND card != ''
            GROUP BY round, index, shoe, day
        ) AS first_record
        LEFT JOIN
        (
            SELECT
                round, index, {DAY} AS day, max(position) AS at, argMax(actual, position) AS face
            FROM CardRecordCorrected
            WHERE position >= {{first:Int64}} AND position < {{end:Int64}}
            GROUP BY round, index, day
        ) AS corrected USING (round, index, day)
    ) AS dealt"""  # noqa: S608 - own text
"""Each card counts once, with its face by corrections of its day; later ones change no day."""
LOADS = f"SELECT count() AS cards, min(loaded.position) AS load FROM {FACE_UP} {LOADED}"  # noqa: S608 - own text
CARDS = f"""
SELECT
    loaded.table AS table, loaded.position AS load, any(loaded.decks) AS decks,
    arraySort(groupArray((dealt.position, dealt.card))) AS cards
FROM {FACE_UP} {LOADED}
GROUP BY table, load
HAVING max(dealt.position) >= {{begin:Int64}}
ORDER BY table, load"""  # noqa: S608 - own text

STATES = """
SELECT
    kind, name, game, version, counts, properties,
    arrayMap(bits -> reinterpretAsUInt64(bits), logs) AS logs,
    reinterpretAsUInt64(highest) AS highest, reached
FROM daily_devices
WHERE position <= {size:Int64}
ORDER BY kind, name, game, version, position DESC
LIMIT 1 BY kind, name, game, version"""
PUT = """
INSERT INTO daily_devices
    (position, kind, name, game, version, counts, properties, logs, highest, reached)
SELECT
    row.1, row.2, row.3, row.4, row.5, row.6, row.7,
    arrayMap(bits -> reinterpretAsFloat64(bits), row.8), reinterpretAsFloat64(row.9), row.10
FROM (SELECT arrayJoin(arrayZip(
    {positions:Array(Int64)}, {kinds:Array(String)}, {names:Array(String)},
    {games:Array(String)}, {versions:Array(String)}, {counts:Array(Array(UInt64))},
    {properties:Array(Array(String))}, {logs:Array(Array(UInt64))}, {highest:Array(UInt64)},
    {reached:Array(Int64)})) AS row)"""
COLUMNS = (
    *("positions", "kinds", "names", "games", "versions"),
    *("counts", "properties", "logs", "highest", "reached"),
)
ROWS_AT_ONCE = 200
"""Rows of one insert, some 600 bytes each; on a server they are sent as part of the URL."""


def devices_at(store: Store, size: int) -> dict[Key, Device]:
    """Return the state of every device by the messages below ``size``."""
    first = end_of_days(store, size)
    found = _states(store, size)
    for _ in _advanced(store, found, first, [size]):
        pass
    return found


def derive_devices(store: Store, first: int, ends: Sequence[int]) -> None:
    """Store the state of devices at the end of some days; the first day begins at ``first``."""
    known = _states(store, first)
    rows: list[tuple[Any, ...]] = []
    for end, changed in _advanced(store, known, first, ends):
        rows += [(end, *key, *_evidence(known[key])) for key in sorted(changed)]
    for begin in range(0, len(rows), ROWS_AT_ONCE):
        columns = map(list, zip(*rows[begin : begin + ROWS_AT_ONCE], strict=True))
        store.command(PUT, **dict(zip(COLUMNS, columns, strict=True)))


def _advanced(
    store: Store, known: dict[Key, Device], first: int, ends: Sequence[int]
) -> Iterator[tuple[int, set[Key]]]:
    """Update devices day by day; yield the end of each day and the devices with new results."""
    spins, cards = _spins(store, first, ends), _cards(store, first, ends)
    for end in ends:
        changed = set()
        for one in spins.get(end, ()):
            shares = wheel_shares(one.key.game, one.key.version)
            if shares is not None:
                known[one.key] = add_spins(known.get(one.key), one, shares)
                changed.add(one.key)
        for part in cards.get(end, ()):
            known[part.key] = add_cards(known.get(part.key), part)
            changed.add(part.key)
        yield end, changed


def _spins(store: Store, first: int, ends: Sequence[int]) -> dict[int, list[Spins]]:
    """Return the results of wheels and dealers between positions, by the end of their day."""
    span = {"first": first, "end": ends[-1]}
    register_plans(store)
    played = {row["game"] for row in store.rows(PLAYED, **span)}
    names = [game for game in sorted(played) if _has_wheel(game)]
    found: dict[int, list[Spins]] = {}
    if names:
        for row in store.rows(SPINS, games=names, ends=list(ends), **span):
            kind, name = row["who"]
            key = Key(kind, name, row["game"], row["version"])
            counts = dict(zip(*row["counts"], strict=True))
            found.setdefault(row["until"], []).append(Spins(key, counts, row["last"]))
    return found


def _has_wheel(game: str) -> bool:
    if game not in games.games():
        return False
    return any(isinstance(plan, RoulettePlan | WheelPlan) for plan in games.plans_of(game))


def _cards(store: Store, first: int, ends: Sequence[int]) -> dict[int, list[Cards]]:
    """Return the cards of shoes between positions, by the end of their day, in order of loads."""
    (loads,) = store.rows(LOADS, first=first, end=ends[-1])
    if not loads["cards"]:
        return {}
    found: dict[int, list[Cards]] = {}
    asked = {"first": min(loads["load"], first), "end": ends[-1], "begin": first}
    for row in store.rows(CARDS, **asked):
        positions, cards = zip(*row["cards"], strict=True)
        begin = bisect_left(positions, first)
        for end in ends:
            until = bisect_left(positions, end)
            if begin < until:
                key = Key(SHOE, row["table"])
                earlier, now, last = cards[:begin], cards[begin:until], positions[until - 1]
                part = Cards(key, row["decks"], earlier, now, last)
                found.setdefault(end, []).append(part)
            begin = until
    return found


def _states(store: Store, size: int) -> dict[Key, Device]:
    found = {}
    for row in store.rows(STATES, size=size):
        logs: dict[str, list[float]] = {}
        for name, bits in zip(row["properties"], row["logs"], strict=True):
            logs.setdefault(name, []).append(_float(bits))
        key = Key(row["kind"], row["name"], row["game"], row["version"])
        counts = np.array(row["counts"], dtype=int)
        by_property = {name: np.array(bets) for name, bets in logs.items()}
        found[key] = Device(counts, by_property, _float(row["highest"]), row["reached"])
    return found


def _evidence(device: Device) -> tuple[Any, ...]:
    """Return the values of a row; floats as the integer of their bits, as text would round them."""
    bets = [(name, bet) for name, logs in device.logs.items() for bet in logs]
    return (
        device.counts.tolist(),
        [name for name, _ in bets],
        [_bits(bet) for _, bet in bets],
        _bits(device.highest),
        device.position,
    )


def _bits(number: float) -> int:
    return int(np.float64(number).view(np.uint64))


def _float(bits: int) -> float:
    return float(np.uint64(bits).view(np.float64))
