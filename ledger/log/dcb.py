"""Adapter of a log for the ``eventsourcing`` library (dynamic consistency boundaries).

What comes in: events of an application that is built on the library. They are stored as
``DCBEventRecorded``, linked into the chain like any other event, and returned unchanged. The
ledger's own events are returned, too: type = event type, data = the message, tags = its index tags.
A position of the library is the position in the chain plus one, because the library counts from
one.

An append succeeds only if the head has not changed since its condition was checked, so the
condition holds at the time of the append, whatever other writers append. A chain can be verified
only if the ledger opened it first; in an empty log, the first event of the library would stand
where ``ChainOpened`` must be.
"""

from __future__ import annotations

import os
from hashlib import blake2b
from heapq import merge
from threading import Event as Flag
from threading import Lock
from typing import TYPE_CHECKING

from eventsourcing.dcb.api import (
    DCBAppendCondition,
    DCBEvent,
    DCBQuery,
    DCBQueryItem,
    DCBReadResponse,
    DCBRecorder,
    DCBSequencedEvent,
    DCBSubscription,
)
from eventsourcing.persistence import IntegrityError as ConditionFailedError
from eventsourcing.persistence import ProgrammingError

from ledger.chain import link, require_fits
from ledger.core.clock import SystemClock
from ledger.core.errors import AvailabilityError, IntegrityError
from ledger.events.encoding import decode, decode_envelope
from ledger.events.event_types import DCBEventRecorded
from ledger.log.port import Query, linked_messages

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from ledger.core.clock import Clock
    from ledger.core.message import Head
    from ledger.log.port import Log

__all__ = ["DCBLog", "DCBLogEvents", "DCBLogSubscription"]

_FOREIGN = DCBEventRecorded.__name__
_ATTEMPTS_MAX = 100
_FETCH_MAX = 500
_WAIT_SECONDS = 0.1


class DCBLog(DCBRecorder):
    """The recorder interface of the library over any log.

    Args:
        log: an open log; the recorder does not close it.
        clock: gives the timestamp of each record.
        entropy: source of random bytes for command identifiers.
        actor: recorded as the actor of the events.
        source: recorded as their source system.

    """

    def __init__(
        self,
        log: Log,
        *,
        clock: Clock | None = None,
        entropy: Callable[[int], bytes] = os.urandom,
        actor: str = "application",
        source: str = "eventsourcing",
    ) -> None:
        """Create a recorder for a log."""
        self._log = log
        self._clock = clock or SystemClock()
        self._entropy = entropy
        self._actor = actor
        self._source = source
        self._appending = Lock()

    @property
    def log(self) -> Log:
        """The log behind the recorder."""
        return self._log

    def read(
        self,
        query: DCBQuery | None = None,
        *,
        after: int | None = None,
        limit: int | None = None,
    ) -> DCBReadResponse:
        """Return the events after a position that match one of the items of the query."""
        size = self._log.head().size
        events = self._matching(query or DCBQuery(), after or 0, size)
        return DCBLogEvents(events, head=size or None, limit=limit)

    def append(
        self, events: Sequence[DCBEvent], condition: DCBAppendCondition | None = None
    ) -> int:
        """Append events as one decision unless recorded ones match the condition.

        Returns:
            the position of the last event.

        Raises:
            eventsourcing.persistence.IntegrityError: the condition failed; nothing was
                appended.
            eventsourcing.persistence.ProgrammingError: there is no event.

        """
        if not events:
            raise ProgrammingError("an append has at least one event")
        command_id = self._entropy(16)
        for _ in range(_ATTEMPTS_MAX):
            with self._appending:
                head = self._log.head()
                self._require(condition, head.size)
                if self._try_append(events, command_id, head):
                    return head.size + len(events)
        text = f"others appended first, {_ATTEMPTS_MAX} times in a row"
        raise AvailabilityError(f"{text}: send the events again")

    def subscribe(
        self, query: DCBQuery | None = None, *, after: int | None = None
    ) -> DCBLogSubscription:
        """Return an iterator over matching events after a position, which waits for new ones."""
        return DCBLogSubscription(self, query, after)

    def _require(self, condition: DCBAppendCondition | None, size: int) -> None:
        if condition is None:
            return
        matching = self._matching(condition.fail_if_events_match, condition.after or 0, size)
        match = next(matching, None)
        if match is not None:
            raise ConditionFailedError(f"event {match.position} matches the append condition")

    def _try_append(self, events: Sequence[DCBEvent], command_id: bytes, head: Head) -> bool:
        recorded = [
            DCBEventRecorded(event_type=event.type, tags=tuple(event.tags), data=event.data)
            for event in events
        ]
        moment = max(self._clock.now(), self._last_recorded_at(head.size))
        messages, _ = link(
            head,
            recorded,
            command_id=command_id,
            command_digest=_digest_of(events),
            recorded_at=moment,
            occurred_at=moment,
            actor=self._actor,
            source=self._source,
        )
        require_fits(messages)
        try:
            self._log.append(messages)
        except IntegrityError:
            if self._log.head() == head:
                raise
            return False
        return True

    def _last_recorded_at(self, size: int) -> int:
        if size == 0:
            return 0
        return decode_envelope(next(iter(self._log.read(size - 1, size)))[1]).recorded_at

    def _matching(self, query: DCBQuery, after: int, size: int) -> Iterator[DCBSequencedEvent]:
        """Look up candidates in the index, then compare them as the library defines it."""
        items = query.items or [DCBQueryItem()]
        if any(not item.types and not item.tags for item in items):
            bodies = self._log.read(after, size)
        else:
            bodies = self._look_up(items, after, size)
        for position, body in bodies:
            event = _to_dcb(body)
            if any(_is_match(item, event) for item in items):
                yield DCBSequencedEvent(event=event, position=position + 1)

    def _look_up(
        self, items: Iterable[DCBQueryItem], after: int, size: int
    ) -> Iterator[tuple[int, bytes]]:
        """Read the candidates; ``after`` counts from one, so it is the next chain position."""
        queries = [query for item in items for query in _queries_of(item)]
        runs = [self._log.find(query, after=after - 1, before=size) for query in queries]
        last = -1
        for position in merge(*runs):
            if position != last:
                yield from linked_messages(self._log, position, position + 1)
            last = position


class DCBLogSubscription(DCBSubscription[DCBLog]):
    """Iterator over recorded events; ``next`` blocks until an event arrives or it is stopped."""

    def __init__(self, recorder: DCBLog, query: DCBQuery | None, after: int | None) -> None:
        """Start after a position."""
        super().__init__(recorder, query, after)
        self._fetched: Iterator[DCBSequencedEvent] = iter(())
        self._stopped = Flag()

    def stop(self) -> None:
        """Stop; a blocked ``next`` ends within a tenth of a second."""
        super().stop()
        self._stopped.set()

    def __next__(self) -> DCBSequencedEvent:
        """Return the next matching event."""
        while not self._stopped.is_set():
            event = next(self._fetched, None)
            if event is not None:
                self._last_position = event.position
                return event
            size = self._recorder.log.head().size
            if size > self._last_position:
                self._fetched = iter(self._fetch(size))
            else:
                self._recorder.log.wait(size, _WAIT_SECONDS)
        raise StopIteration

    def _fetch(self, size: int) -> list[DCBSequencedEvent]:
        response = self._recorder.read(self._query, after=self._last_position, limit=_FETCH_MAX)
        events = list(response)
        if not events:
            self._last_position = size
        return events


class DCBLogEvents(DCBReadResponse):
    """Events of one read; ``head`` is the log's, or with a limit the last event's position."""

    def __init__(
        self, events: Iterator[DCBSequencedEvent], *, head: int | None, limit: int | None
    ) -> None:
        """Return at most ``limit`` of the events; None returns all."""
        self._events = events
        self._left = limit
        self._head = head if limit is None else None

    @property
    def head(self) -> int | None:
        """Position up to which the answer is complete."""
        return self._head

    def __next__(self) -> DCBSequencedEvent:
        """Return the next event."""
        if self._left is None:
            return next(self._events)
        if self._left <= 0:
            raise StopIteration
        event = next(self._events)
        self._left -= 1
        self._head = event.position
        return event


def _to_dcb(body: bytes) -> DCBEvent:
    event = decode(body).event
    if isinstance(event, DCBEventRecorded):
        return DCBEvent(type=event.event_type, data=event.data, tags=list(event.tags))
    return DCBEvent(type=type(event).__name__, data=body, tags=list(event.index_tags()))


def _is_match(item: DCBQueryItem, event: DCBEvent) -> bool:
    is_of_type = not item.types or event.type in item.types
    return is_of_type and set(item.tags) <= set(event.tags)


def _queries_of(item: DCBQueryItem) -> Iterator[Query]:
    """Yield the index queries of an item: the ledger's own events, then the application's."""
    foreign = tuple(f"*:{tag}" for tag in item.tags)
    yield Query(types=tuple(item.types), tags=tuple(item.tags))
    if not item.types:
        yield Query(types=(_FOREIGN,), tags=foreign)
    for name in dict.fromkeys(item.types):
        # An application's event without a type has no type tag; the comparison filters the
        # candidates.
        marks = (f"*type:{name}", *foreign) if name else foreign
        yield Query(types=(_FOREIGN,), tags=marks)


def _digest_of(events: Iterable[DCBEvent]) -> bytes:
    """Return a digest of appended content, which distinguishes a repeat from a reuse."""
    digest = blake2b(digest_size=16)
    for event in events:
        for part in (event.type.encode(), event.data, *(tag.encode() for tag in event.tags)):
            digest.update(len(part).to_bytes(8, "big"))
            digest.update(part)
    return digest.digest()
