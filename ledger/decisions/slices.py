"""Run decisions that are written as slices of the ``eventsourcing`` library.

What comes in: a slice of the library, which reads the events of its consistency boundary and
triggers new ones. What goes out: native events, as from any other decision; the writer links,
checks and records them. The library's recorder reads the log and the decided events of the batch
that are not recorded yet, so that a slice sees earlier decisions. Only one thread decides, so the
library's condition for an append always holds; it is checked nevertheless.

Events pass to the library and back in the form of the chain: Avro messages, with an empty envelope
until the writer sets it (ADR 0033 explains why and what it costs).
"""

from __future__ import annotations

from functools import cache
from itertools import chain
from types import new_class
from typing import TYPE_CHECKING, Any, NoReturn

from eventsourcing.dcb.api import DCBEvent, DCBQuery, DCBQueryItem, DCBRecorder, DCBSequencedEvent
from eventsourcing.dcb.application import DCBApplication, DCBRepository
from eventsourcing.dcb.domain import Decision, Slice, Tagged
from eventsourcing.dcb.persistence import DCBEventStore, DCBMapper
from eventsourcing.persistence import IntegrityError as ConditionFailedError
from eventsourcing.persistence import ProgrammingError
from msgspec.structs import asdict

from ledger.core.message import ZERO_HASH
from ledger.events import event_types as e
from ledger.events.encoding import Envelope, decode, encode
from ledger.log.dcb import DCBLog, DCBLogEvents

if TYPE_CHECKING:
    from collections.abc import Sequence

    from eventsourcing.dcb.api import DCBAppendCondition, DCBReadResponse

    from ledger.state.ledger_state import LedgerState

__all__ = ["DecisionRecorder", "NativeMapper", "SliceApplication", "SliceFact", "fact_of"]

UNLINKED = Envelope(
    previous_hash=ZERO_HASH,
    command_id=bytes(16),
    command_digest=bytes(16),
    position=0,
    decision_index=0,
    decision_size=1,
    recorded_at=0,
    occurred_at=0,
    actor="",
    source="",
)
"""The envelope of a decided event that is not in the chain yet."""


class SliceFact(Decision):
    """An event of the chain in the form of the library's slices; created by :func:`fact_of`."""

    def as_dict(self) -> dict[str, Any]:
        """Return its fields."""
        return asdict(self)  # type: ignore[arg-type]


@cache
def fact_of(kind: type[e.Event]) -> type[SliceFact]:
    """Return the class that represents an event type of the chain in slices."""
    options = {"frozen": True, "gc": True}  # subclasses of the library's class have a __dict__
    return new_class(
        kind.__name__, (kind, SliceFact), options, lambda body: body.update(__module__=__name__)
    )


class NativeMapper(DCBMapper[SliceFact]):
    """Converts facts of slices to messages of the chain and back; tags are those of the schema."""

    def to_dcb_event(self, event: Tagged[SliceFact]) -> DCBEvent:
        """Encode a fact as a message that is not linked yet."""
        kind = type(event.decision).__name__
        native = e.EVENTS[kind](**event.decision.as_dict())
        return DCBEvent(type=kind, data=encode(UNLINKED, native), tags=list(native.index_tags()))

    def to_domain_event(self, event: DCBEvent) -> Tagged[SliceFact]:
        """Decode a message."""
        native = decode(event.data).event
        return Tagged(event.tags, fact_of(type(native))(**asdict(native)))


class DecisionRecorder(DCBRecorder):
    """The library's recorder within a decision; the writer records what it appends.

    Args:
        ledger_state: provides the log and the decided events that are not recorded yet.

    """

    def __init__(self, ledger_state: LedgerState) -> None:
        """Start a decision."""
        self._ledger_state = ledger_state
        self._log = DCBLog(ledger_state.log)
        self.decided: list[e.Event] = []

    def read(
        self,
        query: DCBQuery | None = None,
        *,
        after: int | None = None,
        limit: int | None = None,
    ) -> DCBReadResponse:
        """Return the events after a position that match the query, the decided ones last.

        Raises:
            eventsourcing.persistence.ProgrammingError: an item of the query has no tag or no
                type; a decision reads only events of named things.

        """
        query = _named(query)
        size = self._ledger_state.size
        recorded = self._log.read(query, after=after)
        decided = [
            DCBSequencedEvent(event=_unlinked(event), position=position)
            for position, event in enumerate(self._ledger_state.decided, start=size + 1)
            if position > (after or 0) and any(_fits(item, event) for item in query.items)
        ]
        head = size + len(self._ledger_state.decided)
        return DCBLogEvents(chain(recorded, decided), head=head, limit=limit)

    def append(
        self, events: Sequence[DCBEvent], condition: DCBAppendCondition | None = None
    ) -> int:
        """Pass events to the writer unless others match the condition.

        Raises:
            eventsourcing.persistence.IntegrityError: the condition failed.

        """
        if condition is not None:
            conflicting = self.read(condition.fail_if_events_match, after=condition.after)
            if next(conflicting, None) is not None:
                raise ConditionFailedError("an event matches the append condition")
        self.decided += [decode(event.data).event for event in events]
        return self._ledger_state.size + len(self.decided)

    def subscribe(self, *_: object, **__: object) -> NoReturn:
        """Reject a subscription: a decision does not wait for events."""
        raise ProgrammingError("a decision waits for no events")


class SliceApplication(DCBApplication):
    """The library's application for one decision.

    Args:
        ledger_state: the writer's state.

    """

    def __init__(self, ledger_state: LedgerState) -> None:
        """Create the application over the log; the library's own settings are not read."""
        self.recorder: DecisionRecorder = DecisionRecorder(ledger_state)
        self.mapper = NativeMapper()
        self.events = DCBEventStore(self.mapper, self.recorder)
        self.repository = DCBRepository(self.events)

    def decide(self, *slices: Slice[SliceFact]) -> list[e.Event]:
        """Run slices in order; return the events that they decided, possibly none."""
        for decision_slice in slices:
            self.do(decision_slice)
        return self.recorder.decided


def _named(query: DCBQuery | None) -> DCBQuery:
    """Return a query with event types instead of the library's topics."""
    items = query.items if query is not None else []
    if not items or not all(item.tags and item.types for item in items):
        raise ProgrammingError("each item of a query of a decision has tags and types")
    return DCBQuery(
        items=[
            DCBQueryItem(types=[topic.rpartition(":")[2] for topic in item.types], tags=item.tags)
            for item in items
        ]
    )


def _fits(item: DCBQueryItem, event: e.Event) -> bool:
    return type(event).__name__ in item.types and set(item.tags) <= set(event.index_tags())


def _unlinked(event: e.Event) -> DCBEvent:
    return DCBEvent(
        type=type(event).__name__, data=encode(UNLINKED, event), tags=list(event.index_tags())
    )
