"""Position of an answer: the number of messages that it counts.

The tables may hold rows of messages that the projector is still writing; an answer therefore counts
only the messages below a position. A lower position gives the answer of an earlier time: ``at`` is
a number of messages, like the size of a head.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import schemas
from ledger.core.clock import is_moment
from ledger.core.errors import AvailabilityError, InputError
from ledger.core.phrases import Phrase
from ledger.events.encoding import FINGERPRINT, decode_envelope, hash_of
from ledger.log.port import envelope_at, linked_messages, size_before
from projections.store.definitions import any_of

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from ledger.log.port import ReadableLog
    from projections.store.tables import Store

__all__ = [
    "AsOf",
    "as_of",
    "end_of_days",
    "envelopes",
    "event_tables",
    "event_types_since",
    "judged_at",
    "moment_of",
    "moment_of_question",
    "place_in",
    "size_at",
    "size_of",
]

PROBES = 200
"""Number of messages whose timestamps one query of the tables returns."""

MOST_FILLED = 16
"""Number of tables that hold nearly all messages; without a log, planning a query takes 0.6 ms for
each table that it names."""

ONE_BY_ONE_MAX = 500
"""Number of messages, 40 µs each, up to which reading from the log is faster than one query."""


@dataclass(frozen=True, slots=True)
class AsOf:
    """Position of an answer in the chain.

    ``position`` is the number of messages that count, ``head`` the hash of the last of them in
    hexadecimal.
    """

    position: int
    head: str


def size_of(store: Store, at: int | None) -> int:
    """Return the number of messages that count: those below ``at``, or all projected ones.

    Raises:
        InputError: fewer messages than ``at`` are projected.

    """
    size = store.position
    return size if at is None else _checked(at, size)


def _checked(at: int, size: int) -> int:
    if not 0 <= at <= size:
        raise InputError(Phrase("POSITION_NOT_PROJECTED", size=at, most=size))
    return at


def as_of(store: Store, at: int | None = None) -> AsOf:
    """Return the position of an answer: that of ``at``, or by default of all projected messages.

    Raises:
        InputError: fewer messages than ``at`` are projected.

    """
    head = store.head
    if at is None or _checked(at, head.size) == head.size:
        return AsOf(head.size, head.hash.hex())
    (row,) = envelopes(store, [at])
    return AsOf(at, row["previous_hash"].hex())


def place_in(log: ReadableLog, at: int | None, size: int) -> tuple[AsOf, int]:
    """Return the position of an answer from the log, and the time of its last message.

    The time is in microseconds.

    Args:
        log: the chain.
        at: number of messages that count; all by default.
        size: number of messages in the log.

    Raises:
        InputError: there are fewer messages, or none.
        IntegrityError: as :func:`ledger.log.port.linked_messages`.

    """
    at = size if at is None else at
    if not at:
        raise InputError(Phrase("NOTHING_RECORDED_BY_THEN"))
    if not 0 < at <= size:
        raise InputError(Phrase("POSITION_NOT_IN_CHAIN", size=at, most=size))
    ((_, last),) = linked_messages(log, at - 1, at)
    return AsOf(at, hash_of(last).hex()), decode_envelope(last).recorded_at


def moment_of(store: Store, size: int) -> int:
    """Return when message ``size - 1`` was recorded, in microseconds; 0 if ``size`` is 0."""
    if not size:
        return 0
    recorded_at = store.value(
        "SELECT recorded_at FROM watermark WHERE size = {size:Int64} LIMIT 1", size=size
    )
    if recorded_at is not None:  # nearly always; querying the tables of all events takes longer
        return int(recorded_at)
    (row,) = envelopes(store, [size - 1])
    return int(row["recorded_at"])


def moment_of_question(store: Store, size: int, now: int | None) -> int:
    """Return the moment at which an answer judges what is late, in microseconds (ADR 0053).

    Everything that has a deadline is judged by this moment, which each answer names. It is never
    before the last message that counts: a simulated chain can be ahead of the clock.

    Args:
        store: the tables.
        size: number of messages that count.
        now: moment of the question by the caller's clock; None: that of the last message, for a
            question about the past of the record.

    """
    return judged_at(moment_of(store, size), now)


def judged_at(recorded_at: int, now: int | None) -> int:
    """Return the moment of :func:`moment_of_question` for a last message of ``recorded_at``.

    A forged message whose moment lies outside the calendar is not followed.
    """
    if now is None:
        return recorded_at
    return max(now, recorded_at) if is_moment(recorded_at) else now


def size_at(store: Store, moment: int, size: int) -> int:
    """Return how many messages were recorded before a time.

    Args:
        store: the tables.
        moment: the time, in microseconds.
        size: number of messages; later ones are ignored.

    Raises:
        InputError: fewer messages are projected.

    """
    projected = store.position
    if not 0 <= size <= projected:
        raise InputError(Phrase("POSITION_NOT_PROJECTED", size=size, most=projected))
    if not size:
        return 0
    # Two short queries answer for a chain's first and last days, which are requested most often;
    # the second one is short for the last message that was projected alone.
    began = store.value("SELECT recorded_at FROM ChainOpened WHERE position = 0")
    if began is not None and moment <= began:
        return 0
    if size == projected and moment_of(store, size) < moment:
        return size
    if store.log is not None:
        return size_before(store.log, moment, size)
    tables = event_tables(store)
    low, high = 0, size  # recorded before: all below low, none from high on
    while low < high:
        step = max(1, (high - low) // PROBES)
        probes = range(low, high, step)
        found = _envelopes_in(store, probes, tables[:MOST_FILLED]) if step > 1 else []
        if 2 * len(found) < len(probes):
            found = envelopes(store, probes, tables)
        before = [row["position"] for row in found if row["recorded_at"] < moment]
        after = [row["position"] for row in found if row["recorded_at"] >= moment]
        low = max(before) + 1 if before else low
        high = min(after) if after else high
    return low


def end_of_days(store: Store, size: int) -> int:
    """Return the position after the last day that is over, of so many messages; 0 for none."""
    query = "SELECT max(position) FROM day_ends WHERE position <= {size:Int64}"
    return int(store.value(query, size=size))


def event_tables(store: Store) -> list[str]:
    """Return the tables of events that have rows, the largest first."""
    return [name for name in store.tables_with_rows() if name in schemas.newest()]


def event_types_since(store: Store, first: int, size: int) -> frozenset[str] | None:
    """Return the types of the messages from ``first`` up to, but not including, ``size``.

    None if they are many, or the log is not available.

    Raises:
        IntegrityError, AvailabilityError: the log cannot be read.

    """
    if store.log is None or size - first > ONE_BY_ONE_MAX:
        return None
    known = schemas.catalogue()
    return frozenset(known[message[FINGERPRINT]].name for _, message in store.log.read(first, size))


def envelopes(
    store: Store, positions: Collection[int], tables: Sequence[str] = ()
) -> list[dict[str, Any]]:
    """Return position, previous_hash and recorded_at of messages of any type.

    They are read from the log if it is available, which is faster than a query of the tables.

    Args:
        store: the tables.
        positions: positions of the messages.
        tables: the tables that have rows, the largest first, if known.

    Raises:
        AvailabilityError: a message is in no table, or not in the log.
        IntegrityError: a message was altered in the log.

    """
    if store.log is not None and len(positions) <= ONE_BY_ONE_MAX:
        return [_envelope(store.log, position) for position in positions]
    tables = tables or event_tables(store)
    rows = _envelopes_in(store, positions, tables[:MOST_FILLED]) if len(positions) == 1 else []
    rows = rows or _envelopes_in(store, positions, tables)
    if len(rows) != len(positions):
        raise AvailabilityError(Phrase("TABLES_INCONSISTENT"))
    return rows


def _envelopes_in(
    store: Store, positions: Collection[int], tables: Sequence[str]
) -> list[dict[str, Any]]:
    """Return these fields of those messages that are in some tables."""
    if not positions or not tables:
        return []
    return store.rows(
        "SELECT position, previous_hash, recorded_at "
        "FROM merge(currentDatabase(), {tables:String}) "
        "WHERE position IN {positions:Array(Int64)}",
        tables=any_of(tables),
        positions=list(positions),
    )


def _envelope(log: ReadableLog, position: int) -> dict[str, Any]:
    envelope = envelope_at(log, position)
    return {
        "position": position,
        "previous_hash": envelope.previous_hash,
        "recorded_at": envelope.recorded_at,
    }
