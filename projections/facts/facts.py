"""Read the facts of a round or an account, in the order of the chain, each with its hash.

They are read from the log by their tags, because planning a query over all event types takes the
engine longer than reading them. Encrypted personal fields are left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from ledger.core.decoders import decoder_of
from ledger.events import event_types as e
from ledger.log.port import Query, events_at
from projections.facts.rendering import in_english
from projections.facts.timing import APART, timing
from projections.store.events import EventAt

if TYPE_CHECKING:
    from ledger.events.encoding import RecordedEvent
    from ledger.log.port import Log

__all__ = ["Fact", "fact_of", "newest_facts"]


@dataclass(frozen=True, slots=True)
class Fact:
    """One event with its position.

    ``facts`` are its fields by name, money in haléř and timestamps in microseconds; ``hash`` is
    that of its message in hexadecimal. ``timing`` describes when the event happened, and whether
    before or after the close of its round, if that differs noticeably from the record; otherwise it
    is empty.
    """

    position: int
    recorded_at: int
    occurred_at: int
    event: str
    sentence: str
    actor: str
    source: str
    hash: str
    facts: dict[str, Any]
    timing: str = ""

    def typed(self) -> EventAt[Any]:
        """Return the typed event; its encrypted fields are empty."""
        kind = e.EVENTS[self.event]
        event = decoder_of(kind).plain(self.facts | dict.fromkeys(kind.PERSONAL, b""))
        return EventAt(self.position, self.recorded_at, event)


def newest_facts(log: Log, *, tag: str, size: int, limit: int) -> list[Fact]:
    """Return the last facts with a tag, oldest first.

    Args:
        log: the chain.
        tag: such as ``account:a-0001``.
        size: number of messages that count.
        limit: maximum number of facts.

    Raises:
        IntegrityError: a message was altered.

    """
    found = log.find(Query(tags=(tag,)), before=size, limit=limit, backwards=True)
    return [
        fact_of(one, _closed_at(log, one, size) if _is_late(one) else None)
        for one in events_at(log, reversed(found))
    ]


def fact_of(recorded: RecordedEvent, closed_at: int | None) -> Fact:
    """Convert a message of the log to a fact.

    ``closed_at`` is when the bets of its round were closed, None if they are open.
    """
    envelope, event = recorded.envelope, recorded.event
    name = type(event).__name__
    facts = {
        field: list(value) if isinstance(value, tuple) else value
        for field, value in msgspec.structs.asdict(event).items()
        if not isinstance(value, bytes)
    }
    return Fact(
        position=recorded.position,
        recorded_at=envelope.recorded_at,
        occurred_at=envelope.occurred_at,
        event=name,
        sentence=in_english(name, facts),
        actor=envelope.actor,
        source=envelope.source,
        hash=recorded.hash.hex(),
        facts=facts,
        timing=timing(name, envelope.occurred_at, envelope.recorded_at, closed_at),
    )


def _is_late(recorded: RecordedEvent) -> bool:
    return abs(recorded.envelope.recorded_at - recorded.envelope.occurred_at) > APART


def _closed_at(log: Log, recorded: RecordedEvent, size: int) -> int | None:
    """Return when the bets of an event's round were closed; None without a round or a close."""
    name = getattr(recorded.event, "round", "")
    closes = Query(types=("BetsClosed",), tags=(f"round:{name}",))
    found = log.find(closes, before=size, limit=1) if name else []
    return next((one.envelope.recorded_at for one in events_at(log, found)), None)
